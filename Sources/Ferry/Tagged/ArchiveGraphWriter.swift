/// A writer of a graph as the property list of an archive.
struct ArchiveGraphWriter {
  private let graph: ArchiveGraph
  private let layout: ArchiveLayout
  private let numbering: GraphNumbering
  /// The object number of each object, by its position in the order of a current archiver.
  private let numbers: [Int]
  /// The recorded order of the keys, for each list of keys that occurred in an object.
  private var orders: [[[UInt8]]: [Int]] = [:]

  init(_ graph: ArchiveGraph, _ layout: ArchiveLayout) throws(FerryError) {
    self.graph = graph
    self.layout = layout
    numbering = try GraphNumbering(graph, .noted(layout.deviations))
    let count = numbering.entries.count
    let usual = Array(0..<count)
    // After an edit of the document, the recorded numbers may belong to other objects. Then they are ignored.
    numbers = layout.numbers.count == count && layout.numbers.sorted() == usual ? layout.numbers : usual
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
    for (number, entryIndex) in entryIndices.enumerated() {
      switch numbering.entries[entryIndex] {
      case .nothing: try sink.string(BorrowedText("$null".utf8.span))
      case .bare(let scalar): try graph.bare.nodes.send(scalar: graph.bare.node(scalar), to: sink)
      case .type(let type): try send(graph.types[type], number, to: sink)
      case .object(let index):
        if let object = graph.objects[index] { try send(object, number, to: sink) }
      }
    }
    try sink.endArray()
  }

  private func uid(_ entryIndex: Int) -> UInt64 { UInt64(numbers[entryIndex]) }

  // MARK: Objects

  private mutating func send(_ object: ArchiveGraph.Object, _ number: Int, to sink: any ValueSink)
    throws(FerryError)
  {
    var names: [[UInt8]] = []
    for field in object.fields { names.append(try graph.scalars.bytes(ofText: field.key)) }
    let order = order(of: names, number, usual: try graph.hashOrder(of: object.fields.map(\.key)))
    try sink.beginDictionary(count: order.count)
    for fieldIndex in order {
      guard fieldIndex < object.fields.count else {
        try sink.key(BorrowedText("$class".utf8.span))
        try sink.uid(uid(numbering.number(ofType: object.type)))
        continue
      }
      let field = object.fields[fieldIndex]
      try graph.scalars.send(key: field.key, to: sink)
      try send(field.value, to: sink)
    }
    try sink.endDictionary()
  }

  private mutating func send(_ type: ObjectClass, _ number: Int, to sink: any ValueSink) throws(FerryError) {
    var keys = ["$classname"]
    if !type.chain.isEmpty { keys.append("$classes") }
    if !type.hints.isEmpty { keys.append("$classhints") }
    let usual = KeyOrder.indices(of: keys.map { KeyOrder.hash(Array($0.utf16)) })
    let order = order(of: keys.map { Array($0.utf8) }, number, usual: usual)
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

  /// Returns the order in which to write the keys of an object: the recorded order of this object, or of an
  /// earlier object with the same keys, or else that of a hash table.
  private mutating func order(of names: [[UInt8]], _ number: Int, usual: [Int]) -> [Int] {
    if let noted = layout.keys[number], noted.sorted() == usual.sorted() { orders[names] = noted }
    return orders[names] ?? usual
  }

  private func send(_ part: ArchiveGraph.Part, to sink: any ValueSink) throws(FerryError) {
    switch part {
    case .nothing: try sink.uid(0)
    case .object, .bare: try sink.uid(uid(numbering.number(of: part)))
    case .scalar(let node): try graph.scalars.send(scalar: node, to: sink)
    case .list(let parts):
      try sink.beginArray(count: parts.count)
      for part in parts { try send(part, to: sink) }
      try sink.endArray()
    case .set(let parts):
      try sink.beginSet(count: parts.count)
      for part in parts { try send(part, to: sink) }
      try sink.endSet()
    case .dictionary(let entries):
      try sink.beginDictionary(count: entries.count)
      for entry in entries {
        try graph.scalars.send(key: entry.key, to: sink)
        try send(entry.value, to: sink)
      }
      try sink.endDictionary()
    }
  }
}

extension ArchiveLayout {
  /// Finds the properties of an archive's property list that its graph does not determine.
  init(of archive: ArchiveObjects, _ graph: ArchiveGraph) throws(FerryError) {
    let numbering = try GraphNumbering(graph, .stored)
    deviations = numbering.deviations
    let typeNumbers = try archive.typeNumbers()
    var numbers: [Int] = []
    for entry in numbering.entries {
      switch entry {
      case .nothing: numbers.append(0)
      case .object(let number): numbers.append(number)
      case .bare(let node): numbers.append(node.index)
      case .type(let type):
        guard let number = typeNumbers[graph.types[type].name] else { throw FerryError(.typed(.notExact)) }
        numbers.append(number.index)
      }
    }
    guard numbers.count == archive.count else { throw FerryError(.typed(.notExact)) }
    if numbers != Array(numbers.indices) { self.numbers = numbers }
    let nodes = archive.nodes
    // XML property lists have sorted keys, which do not show the archiver's order.
    guard nodes is BinaryPropertyList else { return }
    outermost = []
    for index in 0..<4 { outermost.append(try nodes.string(nodes.key(index, of: nodes.root)) ?? "") }
    guard Set(outermost) == Set(Self.usualOutermost) else { throw FerryError(.typed(.notExact)) }
    try noteKeys(archive, graph)
  }

  private mutating func noteKeys(_ archive: ArchiveObjects, _ graph: ArchiveGraph) throws(FerryError) {
    let nodes = archive.nodes
    var orders: [[[UInt8]]: [Int]] = [:]
    for number in 0..<archive.count {
      let node = try archive.node(of: ObjectNumber(number))
      guard case .dictionary(let count) = try nodes.kind(of: node) else { continue }
      var stored: [[UInt8]] = []
      for index in 0..<count { stored.append(try nodes.bytes(ofText: nodes.key(index, of: node))) }
      var names: [[UInt8]] = []
      let usual: [Int]
      if let object = graph.objects[number] {
        for field in object.fields { names.append(try nodes.bytes(ofText: field.key)) }
        usual = try graph.hashOrder(of: object.fields.map(\.key))
      } else {
        for name in ["$classname", "$classes", "$classhints"] where stored.contains(Array(name.utf8)) {
          names.append(Array(name.utf8))
        }
        usual = KeyOrder.indices(of: names.map { KeyOrder.hash($0.map(UInt16.init)) })
      }
      let all = graph.objects[number] == nil ? names : names + [Array("$class".utf8)]
      var indices: [[UInt8]: Int] = [:]
      for (index, name) in all.enumerated() { indices[name] = index }
      let actual = stored.compactMap { indices[$0] }
      guard actual != orders[names] ?? usual else { continue }
      orders[names] = actual
      keys[number] = actual
    }
  }
}

extension ArchiveObjects {
  /// Returns the object numbers of the class descriptions, by class name.
  fileprivate func typeNumbers() throws(FerryError) -> [ExactString: ObjectNumber] {
    var typeNumbers: [ExactString: ObjectNumber] = [:]
    for number in numbers {
      let node = try node(of: number)
      guard let name = try nodes.value("$classname", of: node), let text = try nodes.string(name) else {
        continue
      }
      typeNumbers[text] = number
    }
    return typeNumbers
  }
}
