/// A writer of a numbered archive as a property list.
struct ArchiveProperties {
  let tape: EventTape
  let numbering: ArchiveNumbering
  let shapes: ArchivedShapes
  let keyOrder: ArchiveKeyOrder
  let output: any ValueSink

  /// A key of an object, and its value.
  private struct Property {
    enum Name {
      case literal(StaticString)
      case text(String)
      /// A key on the tape. If it begins with `$`, another `$` is added.
      case field(TapeIndex)
    }
    enum Content {
      case uid(ObjectNumber)
      /// A scalar on the tape, stored inline.
      case scalar(TapeIndex)
      case value(Value)
      case texts([String])
      /// References to the values in a range of the tape.
      case elements(from: TapeIndex, to: TapeIndex)
      case keys(from: TapeIndex, to: TapeIndex)
      case values(from: TapeIndex, to: TapeIndex)
    }
    var name: Name
    var content: Content
  }

  /// Sends the property list of the archive. Its keys are in the order of current macOS versions, which does
  /// not depend on their hashes.
  func send(root: ObjectNumber) throws(FerryError) {
    try output.beginDictionary(count: 4)
    for key in keyOrder == .buckets ? Self.newOrder : Self.sortedOrder {
      try output.key(BorrowedText(key.utf8.span))
      switch key {
      case "$version": try output.integer(100_000)
      case "$archiver": try output.string(BorrowedText("NSKeyedArchiver".utf8.span))
      case "$top":
        try output.beginDictionary(count: 1)
        try output.key(BorrowedText("root".utf8.span))
        try output.uid(root.uid)
        try output.endDictionary()
      default: try sendObjects()
      }
    }
    try output.endDictionary()
  }

  private static let newOrder = ["$version", "$archiver", "$top", "$objects"]
  private static let sortedOrder = ["$archiver", "$objects", "$top", "$version"]

  private func sendObjects() throws(FerryError) {
    try output.beginArray(count: numbering.objects.count)
    for (number, object) in numbering.objects.enumerated() {
      do throws(FerryError) {
        try send(object)
      } catch {
        throw error.placed(at: Position(object: number))
      }
    }
    try output.endArray()
  }

  private func send(_ object: ArchiveNumbering.Object) throws(FerryError) {
    switch object {
    case .nothing: try output.string(BorrowedText("$null".utf8.span))
    case .null: try send([], of: .null)
    case .type(let type): try send(type)
    case .keyed(let index):
      try send(try properties(numbering.keyed[index].keys), of: numbering.keyed[index].type)
    case .value(let index): try send(valueAt: index)
    }
  }

  private func send(_ type: ObjectClass) throws(FerryError) {
    var properties = [Property(name: .literal("$classname"), content: .value(.string(type.name)))]
    if !type.chain.isEmpty {
      properties.append(Property(name: .literal("$classes"), content: .texts(type.chain)))
    }
    if !type.hints.isEmpty {
      properties.append(Property(name: .literal("$classhints"), content: .texts(type.hints)))
    }
    try send(properties)
  }

  private func send(valueAt index: TapeIndex) throws(FerryError) {
    let shape = try shapes.shape(at: index)
    let content = shape.content
    guard let type = shape.type else { return try sendBare(content) }
    let (start, end) = (content + 1, tape.next(after: content) - 1)
    switch shape.layout {
    case .bare, .unknown: try sendBare(content)
    case .keys(let keys): try send(try properties(keys), of: type)
    case .list:
      try send([Property(name: .literal("NS.objects"), content: .elements(from: start, to: end))], of: type)
    case .dictionary:
      try send(
        [
          Property(name: .literal("NS.keys"), content: .keys(from: start, to: end)),
          Property(name: .literal("NS.objects"), content: .values(from: start, to: end)),
        ], of: type)
    case .numberedList:
      var properties: [Property] = []
      var element = start
      while element < end {
        let number = try numbering.number(at: element)
        properties.append(Property(name: .text("NS.object.\(properties.count)"), content: .uid(number)))
        element = tape.next(after: element)
      }
      try send(properties, of: type)
    case .fields:
      var properties: [Property] = []
      var key = start
      while key < end {
        let value = tape.next(after: key)
        properties.append(Property(name: .field(key), content: try field(value, key: key, of: type)))
        key = tape.next(after: value)
      }
      try send(properties, of: type)
    }
  }

  private func field(_ value: TapeIndex, key: TapeIndex, of type: ObjectClass) throws(FerryError)
    -> Property.Content
  {
    if tape.kind(at: value) == .null { return .uid(.null) }
    let isInline = numbering.storage.isInline(value, key: key, of: type, on: tape)
    return isInline ? .scalar(value) : .uid(try numbering.number(at: value))
  }

  private func properties(_ keys: [ArchivedKey]) throws(FerryError) -> [Property] {
    var properties: [Property] = []
    for key in keys {
      let content: Property.Content =
        switch key.content {
        case .nothing, .made, .list: .uid(.null)
        case .inline(let value): .value(value)
        case .scalar(let tapeIndex): .scalar(tapeIndex)
        case .value(let tapeIndex):
          .uid(tape.kind(at: tapeIndex) == .null ? .null : try numbering.number(at: tapeIndex))
        }
      properties.append(Property(name: .text(key.name.asArchivedKey), content: content))
    }
    return properties
  }

  /// Sends an object without a class: a string, a number, data, or a key on the tape.
  private func sendBare(_ index: TapeIndex) throws(FerryError) {
    guard tape.kind(at: index) == .key else { return try tape.replay(valueAt: index, into: output) }
    try output.string(tape.text(at: index))
  }

  private func send(_ properties: [Property], of type: ObjectClass) throws(FerryError) {
    try send(properties + [Property(name: .literal("$class"), content: .uid(numbering.number(of: type)))])
  }

  private func send(_ properties: [Property]) throws(FerryError) {
    try output.beginDictionary(count: properties.count)
    let names = properties.map { name(of: $0.name) }
    for index in order(of: names) {
      try output.key(BorrowedText(names[index].utf8.span))
      try send(properties[index].content)
    }
    try output.endDictionary()
  }

  private func name(of name: Property.Name) -> String {
    switch name {
    case .literal(let name): return name.description
    case .text(let name): return name
    case .field(let key):
      return tape.string(at: key).asArchivedKey
    }
  }

  private func order(of names: [String]) -> [Int] {
    switch keyOrder {
    case .buckets: KeyOrder.indices(of: names.map { KeyOrder.hash(Array($0.utf16)) })
    case .sorted: names.indices.sorted { names[$0].utf16.lexicographicallyPrecedes(names[$1].utf16) }
    }
  }

  private func send(_ content: Property.Content) throws(FerryError) {
    switch content {
    case .uid(let number): try output.uid(number.uid)
    case .scalar(let index): try sendBare(index)
    case .value(let value): try value.replay(into: output)
    case .texts(let texts):
      try output.beginArray(count: texts.count)
      for text in texts { try output.string(BorrowedText(text.utf8.span)) }
      try output.endArray()
    case .elements(let start, let end): try sendReferences(from: start, to: end) { $0 }
    case .keys(let start, let end):
      try sendReferences(from: start, to: end, inPairs: true) { tape.kind(at: $0) == .beginKey ? $0 + 1 : $0 }
    case .values(let start, let end):
      try sendReferences(from: start, to: end, inPairs: true) { tape.next(after: $0) }
    }
  }

  private func sendReferences(
    from start: TapeIndex, to end: TapeIndex, inPairs: Bool = false, _ object: (TapeIndex) -> TapeIndex
  ) throws(FerryError) {
    try output.beginArray(count: nil)
    var index = start
    while index < end {
      try output.uid(try numbering.number(at: object(index)).uid)
      index = tape.next(after: index)
      if inPairs { index = tape.next(after: index) }
    }
    try output.endArray()
  }
}
