/// A writer of a graph as the property list of an archive.
struct ArchiveGraphWriter {
  private let graph: ArchiveGraph
  private let layout: ArchiveLayout
  private let numbering: GraphNumbering
  /// The object number of each object, by its position in the order of a current archiver.
  private let numbers: [Int]
  /// The recorded orders of keys.
  private var orders: KeyOrders

  init(_ graph: ArchiveGraph, _ layout: ArchiveLayout) throws(FerryError) {
    self.graph = graph
    self.layout = layout
    numbering = try GraphNumbering(graph, .noted(layout.deviations))
    numbers = layout.numbers(ofObjects: numbering.entries.count)
    orders = try KeyOrders(layout, graph.types)
  }

  /// Sends the property list of the archive. Does not call `finish`.
  mutating func send(to sink: any ValueSink) throws(FerryError) {
    try sink.beginDictionary(count: 4)
    for name in layout.outermost {
      try sink.key(BorrowedText(name.utf8.span))
      switch name {
      case "$version": try sink.integer(100_000)
      case "$archiver": try sink.string(BorrowedText(graph.archiver.utf8.span))
      case "$top":
        try sink.beginDictionary(count: graph.top.count)
        for (name, part) in graph.top {
          try sink.key(BorrowedText(name.utf8.span))
          try send(part, to: sink)
        }
        try sink.endDictionary()
      default: try sendObjects(to: sink)
      }
    }
    try sink.endDictionary()
  }

  private mutating func sendObjects(to sink: any ValueSink) throws(FerryError) {
    var entryIndices = [Int](repeating: 0, count: numbers.count)
    for (entryIndex, number) in numbers.enumerated() { entryIndices[number] = entryIndex }
    try sink.beginArray(count: numbers.count)
    for entryIndex in entryIndices {
      switch numbering.entries[entryIndex] {
      case .nothing: try sink.string(BorrowedText("$null".utf8.span))
      case .bare(let scalar): try graph.bare.nodes.send(scalar: graph.bare.node(scalar), to: sink)
      case .type(let type): try send(graph.types[type], to: sink)
      case .object(let index):
        if let object = graph.objects[index] { try send(object, to: sink) }
      }
    }
    try sink.endArray()
  }

  private func uid(_ entryIndex: Int) -> UInt64 { UInt64(numbers[entryIndex]) }

  // MARK: Objects

  private mutating func send(_ object: ArchiveGraph.Object, to sink: any ValueSink) throws(FerryError) {
    let keys = graph.keyLists[object.keys].keys
    let usual = try graph.keyLists.order(of: object.keys)
    let order = orders.order(ofType: object.type, list: usual.number, usual: usual.hashOrder)
    try sink.beginDictionary(count: order.count)
    for fieldIndex in order {
      guard fieldIndex < keys.count else {
        try sink.key(BorrowedText("$class".utf8.span))
        try sink.uid(uid(numbering.number(ofType: object.type)))
        continue
      }
      try graph.scalars.send(key: keys[fieldIndex], to: sink)
      try send(graph.parts[object.values.indices.lowerBound + fieldIndex], to: sink)
    }
    try sink.endDictionary()
  }

  private mutating func send(_ type: ObjectClass, to sink: any ValueSink) throws(FerryError) {
    let (list, keys) = type.keyList
    let usual = KeyOrder.indices(of: keys.map { KeyOrder.hash(Array($0.utf16)) })
    let order = orders.order(ofType: KeyOrders.descriptions, list: list, usual: usual)
    try sink.beginDictionary(count: keys.count)
    for keyIndex in order {
      try sink.key(BorrowedText(keys[keyIndex].utf8.span))
      guard keyIndex > 0 else {
        try sink.string(BorrowedText(type.name.utf8.span))
        continue
      }
      let names = keys[keyIndex] == "$classes" ? type.chain : type.hints
      try sink.beginArray(count: names.count)
      for name in names { try sink.string(BorrowedText(name.utf8.span)) }
      try sink.endArray()
    }
    try sink.endDictionary()
  }

  private func send(_ part: ArchiveGraph.Part, to sink: any ValueSink) throws(FerryError) {
    switch part {
    case .nothing: try sink.uid(0)
    case .object, .bare: try sink.uid(uid(numbering.number(of: part)))
    case .scalar(let node): try graph.scalars.send(scalar: node, to: sink)
    case .list(let elements):
      try sink.beginArray(count: elements.count)
      for index in elements.indices { try send(graph.parts[index], to: sink) }
      try sink.endArray()
    case .set(let elements):
      try sink.beginSet(count: elements.count)
      for index in elements.indices { try send(graph.parts[index], to: sink) }
      try sink.endSet()
    case .dictionary(let entries):
      try sink.beginDictionary(count: entries.keys.count)
      for (key, value) in zip(entries.keys, entries.values) {
        try graph.scalars.send(key: graph.node(ofKey: graph.parts[key]), to: sink)
        try send(graph.parts[value], to: sink)
      }
      try sink.endDictionary()
    }
  }
}

extension ArchiveLayout {
  /// Finds the properties of an archive's property list that its graph does not determine.
  init(of archive: ArchiveObjects, _ graph: ArchiveGraph, _ known: KnownScalars?) throws(FerryError) {
    let numbering = try GraphNumbering(graph, .stored, known: known)
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
