/// A writer of a graph as the property list of an archive.
struct ArchiveGraphWriter {
  private let graph: ArchiveGraph
  private let layout: ArchiveLayout
  private let numbering: GraphNumbering
  /// The object number of each object, by its position in the order of a current archiver. Nil if the numbers are the positions.
  private let numbers: [Int]?
  /// The recorded orders of keys.
  private var orders: KeyOrders
  /// True if equal keys of objects become one node.
  private let sharesKeys: Bool
  /// The nodes of the keys of objects, by the number of the list of keys, with `$class` last; no nodes for a list without objects so far.
  private var keyNodes: [[NodeID]] = []

  /// Creates a writer.
  ///
  /// - Parameter sharesKeys: Pass true if equal keys are to become one node, and false if an object of a binary file is chosen for
  ///   each key.
  init(_ graph: ArchiveGraph, _ layout: ArchiveLayout, sharesKeys: Bool) throws(FerryError) {
    self.graph = graph
    self.layout = layout
    self.sharesKeys = sharesKeys
    numbering = try GraphNumbering(graph, .noted(layout.deviations))
    numbers = layout.numbers(ofObjects: numbering.entries.count)
    orders = try KeyOrders(layout, graph.types)
  }

  /// Sends the property list of the archive. Does not call `finish`.
  mutating func send(to tree: PropertyListTree) throws(FerryError) {
    try tree.beginDictionary(count: 4)
    for name in layout.outermost {
      try tree.key(BorrowedText(name.utf8.span))
      switch name {
      case "$version": try tree.integer(100_000)
      case "$archiver": try tree.string(BorrowedText(graph.archiver.utf8.span))
      case "$top":
        try tree.beginDictionary(count: graph.top.count)
        for (name, part) in graph.top {
          try tree.key(BorrowedText(name.utf8.span))
          try send(part, to: tree)
        }
        try tree.endDictionary()
      default: try sendObjects(to: tree)
      }
    }
    try tree.endDictionary()
  }

  private mutating func sendObjects(to tree: PropertyListTree) throws(FerryError) {
    let count = numbering.entries.count
    var entryIndices: [Int]?
    if let numbers {
      var indices = [Int](repeating: 0, count: count)
      for (entryIndex, number) in numbers.enumerated() { indices[number] = entryIndex }
      entryIndices = indices
    }
    try tree.beginArray(count: count)
    for number in 0..<count {
      switch numbering.entries[entryIndices?[number] ?? number] {
      case .nothing: try tree.string(BorrowedText("$null".utf8.span))
      case .bare(let scalar): try graph.bare.nodes.send(scalar: graph.bare.node(scalar), to: tree)
      case .type(let type): try send(graph.types[type], to: tree)
      case .object(let index):
        if let object = graph.objects[index] { try send(object, to: tree) }
      }
    }
    try tree.endArray()
  }

  private func uid(_ entryIndex: Int) -> UInt64 { UInt64(numbers?[entryIndex] ?? entryIndex) }

  // MARK: Objects

  private mutating func send(_ object: ArchiveGraph.Object, to tree: PropertyListTree) throws(FerryError) {
    let keys = graph.keyLists[object.keys].keys
    let usual = try graph.keyLists.order(of: object.keys)
    let order = orders.order(ofType: object.type, list: usual.number, usual: usual.hashOrder)
    try tree.beginDictionary(count: order.count)
    for fieldIndex in order {
      try send(key: fieldIndex, of: object.keys, keys, to: tree)
      guard fieldIndex < keys.count else {
        try tree.uid(uid(numbering.number(ofType: object.type)))
        continue
      }
      try send(graph.parts[object.values.indices.lowerBound + fieldIndex], to: tree)
    }
    try tree.endDictionary()
  }

  /// Sends a key of a list, or `$class`, whose index is that after the last key.
  private mutating func send(
    key index: Int, of list: Int, _ keys: [NodeID], to tree: PropertyListTree
  ) throws(FerryError) {
    if sharesKeys {
      while keyNodes.count <= list { keyNodes.append([]) }
      if keyNodes[list].isEmpty { keyNodes[list] = [NodeID](repeating: tree.root, count: keys.count + 1) }
      // The root is at the index of a key that was not sent yet.
      let known = keyNodes[list][index]
      guard known == tree.root else { return try tree.addAgain(key: known) }
      keyNodes[list][index] = NodeID(tree.nodeCount)
    }
    guard index < keys.count else { return try tree.key(BorrowedText("$class".utf8.span)) }
    try graph.scalars.send(key: keys[index], to: tree)
  }

  private mutating func send(_ type: ObjectClass, to tree: PropertyListTree) throws(FerryError) {
    let (list, keys) = type.keyList
    let usual = KeyOrder.indices(of: keys.map { KeyOrder.hash(Array($0.utf16)) })
    let order = orders.order(ofType: KeyOrders.descriptions, list: list, usual: usual)
    try tree.beginDictionary(count: keys.count)
    for keyIndex in order {
      try tree.key(BorrowedText(keys[keyIndex].utf8.span))
      guard keyIndex > 0 else {
        try tree.string(BorrowedText(type.name.utf8.span))
        continue
      }
      let names = keys[keyIndex] == "$classes" ? type.chain : type.hints
      try tree.beginArray(count: names.count)
      for name in names { try tree.string(BorrowedText(name.utf8.span)) }
      try tree.endArray()
    }
    try tree.endDictionary()
  }

  private func send(_ part: ArchiveGraph.Part, to tree: PropertyListTree) throws(FerryError) {
    switch part {
    case .nothing: try tree.uid(0)
    case .object, .bare: try tree.uid(uid(numbering.number(of: part)))
    case .scalar(let node): try graph.scalars.send(scalar: node, to: tree)
    case .list(let elements):
      try tree.beginArray(count: elements.count)
      for index in elements.indices { try send(graph.parts[index], to: tree) }
      try tree.endArray()
    case .set(let elements):
      try tree.beginSet(count: elements.count)
      for index in elements.indices { try send(graph.parts[index], to: tree) }
      try tree.endSet()
    case .dictionary(let entries):
      try tree.beginDictionary(count: entries.keys.count)
      for (key, value) in zip(entries.keys, entries.values) {
        try graph.scalars.send(key: graph.node(ofKey: graph.parts[key]), to: tree)
        try send(graph.parts[value], to: tree)
      }
      try tree.endDictionary()
    }
  }
}

extension ArchiveLayout {
  /// Finds the properties of an archive's property list that its graph does not determine.
  init(of archive: ArchiveObjects, _ graph: ArchiveGraph, _ known: consuming KnownScalars?) throws(FerryError)
  {
    let numbering = try GraphNumbering(graph, .stored, known: consume known)
    deviations = numbering.deviations
    guard numbering.entries.count == archive.count else { throw FerryError(.typed(.notExact)) }
    let numbers = numbering.entries.lazy.map { entry in
      switch entry {
      case .nothing: 0
      case .object(let number): number
      case .bare(let number): number.index
      case .type(let type): graph.typeNumbers[type].index
      }
    }
    if !numbers.elementsEqual(0..<archive.count) { self.numbers = Self.runs(of: numbers) }
    let nodes = archive.nodes
    // XML property lists have sorted keys, which do not show the archiver's order.
    guard let file = nodes as? BinaryPropertyList else { return }
    outermost = []
    for index in 0..<4 { outermost.append(try nodes.string(nodes.key(index, of: nodes.root)) ?? "") }
    guard Set(outermost) == Set(Self.usualOutermost) else { throw FerryError(.typed(.notExact)) }
    try noteKeys(archive, graph, file)
  }

  private mutating func noteKeys(
    _ archive: ArchiveObjects, _ graph: ArchiveGraph, _ file: BinaryPropertyList
  ) throws(FerryError) {
    var orders = KeyOrders()
    var types = graph.typeNumbers.indices.sorted { graph.typeNumbers[$0] > graph.typeNumbers[$1] }
    // For each type, an object, its node, and the number of objects after it that have the same keys in the same order.
    var runs = [(object: ArchiveGraph.Object, node: NodeID, repeats: Int)?](
      repeating: nil, count: graph.types.count)
    for number in 0..<archive.count {
      if let object = graph.objects[number] {
        let node = graph.bare.node(NodeID(number))
        if let run = runs[object.type] {
          if run.object.keys == object.keys, try file.haveSameKeys(run.node, node) {
            runs[object.type]?.repeats += 1
            continue
          }
          orders.skip(run.repeats, ofType: object.type, keyCount: run.object.values.count + 1)
        }
        runs[object.type] = (object, node, 0)
        let usual = try graph.keyLists.order(of: object.keys)
        let order = try storedOrder(of: graph.keyLists[object.keys].keys, archive, number)
        if let entry = orders.entry(order, ofType: object.type, list: usual.number, usual: usual.hashOrder) {
          self.keys[ExactString(graph.types[object.type].name), default: []].append(entry)
        }
      } else if let last = types.last, graph.typeNumbers[last].index == number {
        types.removeLast()
        let type = graph.types[last]
        let (list, names) = type.keyList
        let usual = KeyOrder.indices(of: names.map { KeyOrder.hash(Array($0.utf16)) })
        let order = try storedOrder(of: names, archive, number)
        if let entry = orders.entry(order, ofType: KeyOrders.descriptions, list: list, usual: usual) {
          classKeys.append(entry)
        }
      }
    }
  }

  /// Returns the indices of an object's keys in the order of the file. The keys of the object are those of the list and
  /// `$class`, which has the index after the last.
  private func storedOrder(of keys: [NodeID], _ archive: ArchiveObjects, _ number: Int) throws(FerryError)
    -> [Int]
  {
    let node = try archive.node(of: ObjectNumber(number))
    var order: [Int] = []
    order.reserveCapacity(keys.count + 1)
    // Most objects have few keys, and comparing these is cheaper than making a table.
    var indices: [NodeID: Int] = [:]
    if keys.count > 8 {
      for (index, key) in keys.enumerated() { indices[key] = index }
    }
    for index in 0...keys.count {
      let key = try archive.nodes.key(index, of: node)
      order.append((keys.count > 8 ? indices[key] : keys.firstIndex(of: key)) ?? keys.count)
    }
    return order
  }

  /// Returns the indices of the keys of a class description in the order of the file.
  private func storedOrder(of names: [String], _ archive: ArchiveObjects, _ number: Int) throws(FerryError)
    -> [Int]
  {
    let node = try archive.node(of: ObjectNumber(number))
    var order: [Int] = []
    for index in names.indices {
      let name = try archive.nodes.string(archive.nodes.key(index, of: node)) ?? ""
      guard let index = names.firstIndex(of: name) else { throw FerryError(.typed(.notExact)) }
      order.append(index)
    }
    return order
  }
}

extension ObjectClass {
  /// The keys of the class description, and a number for their list that is not that of an object's keys.
  fileprivate var keyList: (number: Int, keys: [String]) {
    var keys = ["$classname"]
    if !chain.isEmpty { keys.append("$classes") }
    if !hints.isEmpty { keys.append("$classhints") }
    return (-1 - (chain.isEmpty ? 0 : 1) - (hints.isEmpty ? 0 : 2), keys)
  }
}
