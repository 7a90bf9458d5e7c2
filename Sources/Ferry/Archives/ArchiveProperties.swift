/// A writer of a numbered archive as a property list.
///
/// Most objects of an archive have the same few lists of keys, in an order that depends on the hashes of all of them. A list
/// is put in order once, and used for each object with the same keys.
struct ArchiveProperties<Receiver: ArchivePropertyReceiver & ~Copyable>: ~Copyable {
  private let tape: EventTape
  private let numbering: ArchiveNumbering
  private let shapes: ArchivedShapes
  private let keyOrder: ArchiveKeyOrder
  private var receiver: Receiver
  private var lists: ArchivedKeyLists
  private let elementKeys: ArchivedKeyLists.List
  private let entryKeys: ArchivedKeyLists.List

  /// A key of an object, and its value.
  private struct Property {
    enum Content {
      case uid(ObjectNumber)
      /// A scalar on the tape, stored inline.
      case scalar(TapeIndex)
      case value(Value)
      case texts([String])
    }
    var name: String
    var content: Content
  }

  init(
    tape: EventTape, numbering: ArchiveNumbering, shapes: ArchivedShapes, keyOrder: ArchiveKeyOrder,
    to receiver: consuming Receiver
  ) {
    (self.tape, self.numbering, self.shapes, self.keyOrder) = (tape, numbering, shapes, keyOrder)
    self.receiver = receiver
    var lists = ArchivedKeyLists(keyOrder)
    elementKeys = lists.list(["NS.objects", "$class"])
    entryKeys = lists.list(["NS.keys", "NS.objects", "$class"])
    self.lists = lists
  }

  /// Returns the receiver.
  consuming func finish() -> Receiver { receiver }

  /// Sends the property list of the archive. Its keys are in the order of current macOS versions, which does
  /// not depend on their hashes.
  mutating func send(_ top: ArchiveTop, _ roots: ArchiveRoots) throws(FerryError) {
    let names =
      keyOrder == .buckets
      ? ["$version", "$archiver", "$top", "$objects"] : ["$archiver", "$objects", "$top", "$version"]
    try receiver.beginDictionary(BinaryObjectBuilder.Keys(names: names, number: nil))
    for name in names {
      switch name {
      case "$version": try receiver.integer(100_000)
      case "$archiver": try receiver.string(BorrowedText(top.archiver.utf8.span))
      case "$top": try sendTop(roots)
      default: try sendObjects()
      }
    }
    try receiver.endDictionary()
  }

  private mutating func sendTop(_ roots: ArchiveRoots) throws(FerryError) {
    switch roots {
    case .object(let root):
      try receiver.beginDictionary(BinaryObjectBuilder.Keys(names: ["root"], number: nil))
      try receiver.uid(root)
    case .inline:
      try receiver.beginDictionary(BinaryObjectBuilder.Keys(names: ["root"], number: nil))
      try receiver.value(at: .start, of: tape)
    case .entries:
      let keys = keys(from: .start + 1, to: tape.next(after: .start) - 1)
      let list = lists.list(keys.map { tape.string(at: $0) }, isRepeated: false)
      try receiver.beginDictionary(list.keys)
      for part in list.order { try sendField(keys[part], of: nil) }
    }
    try receiver.endDictionary()
  }

  private mutating func sendObjects() throws(FerryError) {
    try receiver.beginArray(count: numbering.objects.count)
    for number in 0..<numbering.objects.count {
      do throws(FerryError) {
        try send(numbering.objects[number])
        try receiver.didReceiveObject()
      } catch {
        throw error.placed(at: InputLocation(object: number))
      }
    }
    try receiver.endArray()
  }

  private mutating func send(_ object: ArchiveNumbering.Object) throws(FerryError) {
    switch object {
    case .nothing: try receiver.string(BorrowedText("$null".utf8.span))
    case .null: try send([], of: .null)
    case .type(let type): try send(type)
    case .keyed(let index):
      try send(try properties(numbering.keyed[index].keys), of: numbering.keyed[index].type)
    case .value(let index): try send(valueAt: index)
    }
  }

  private mutating func send(_ type: ObjectClass) throws(FerryError) {
    var properties = [Property(name: "$classname", content: .value(.string(type.name)))]
    if !type.chain.isEmpty { properties.append(Property(name: "$classes", content: .texts(type.chain))) }
    if !type.hints.isEmpty { properties.append(Property(name: "$classhints", content: .texts(type.hints))) }
    try send(properties)
  }

  private mutating func send(valueAt index: TapeIndex) throws(FerryError) {
    if tape.isBare(index) { return try receiver.value(at: index, of: tape) }
    let shape = try shapes.shape(at: index, on: tape)
    let content = shape.content
    guard let type = shape.type else { return try receiver.value(at: content, of: tape) }
    let (start, end) = (content + 1, tape.next(after: content) - 1)
    switch shape.layout {
    case .bare, .unknown: try receiver.value(at: content, of: tape)
    case .keys(let keys): try send(try properties(keys), of: type)
    case .list:
      try receiver.beginDictionary(elementKeys.keys)
      for part in elementKeys.order {
        if part == 0 {
          try sendElements(from: start, to: end)
        } else {
          try receiver.uid(numbering.number(of: type))
        }
      }
      try receiver.endDictionary()
    case .dictionary:
      try receiver.beginDictionary(entryKeys.keys)
      let count = tape.count(ofValuesFrom: start, to: end) / 2
      for part in entryKeys.order {
        switch part {
        case 0: try sendEntries(from: start, to: end, count: count, areKeys: true)
        case 1: try sendEntries(from: start, to: end, count: count, areKeys: false)
        default: try receiver.uid(numbering.number(of: type))
        }
      }
      try receiver.endDictionary()
    case .numberedList:
      var properties: [Property] = []
      var element = start
      while element < end {
        let number = try numbering.number(at: element, on: tape)
        properties.append(Property(name: "NS.object.\(properties.count)", content: .uid(number)))
        element = tape.next(after: element)
      }
      try send(properties, of: type)
    case .numberedDictionary: try send(try pairs(from: start, to: end), of: type)
    case .fields: try sendFields(from: start, to: end, of: type)
    }
  }

  // MARK: References

  private mutating func sendElements(from start: TapeIndex, to end: TapeIndex) throws(FerryError) {
    try receiver.beginArray(count: tape.count(ofValuesFrom: start, to: end))
    var index = start
    while index < end {
      try receiver.uid(try numbering.number(at: index, on: tape))
      index = tape.next(after: index)
    }
    try receiver.endArray()
  }

  private mutating func sendEntries(
    from start: TapeIndex, to end: TapeIndex, count: Int, areKeys: Bool
  ) throws(FerryError) {
    try receiver.beginArray(count: count)
    var key = start
    while key < end {
      let value = tape.next(after: key)
      let object = areKeys ? (tape.kind(at: key) == .beginKey ? key + 1 : key) : value
      try receiver.uid(try numbering.number(at: object, on: tape))
      key = tape.next(after: value)
    }
    try receiver.endArray()
  }

  // MARK: Properties

  private mutating func sendFields(
    from start: TapeIndex, to end: TapeIndex, of type: ObjectClass
  ) throws(FerryError) {
    let keys = keys(from: start, to: end)
    let list = lists.list(ofFields: keys, on: tape)
    try receiver.beginDictionary(list.keys)
    for part in list.order {
      if part < keys.count {
        try sendField(keys[part], of: type)
      } else {
        try receiver.uid(numbering.number(of: type))
      }
    }
    try receiver.endDictionary()
  }

  /// Returns the tape indices of the keys in a range of entries.
  private func keys(from start: TapeIndex, to end: TapeIndex) -> [TapeIndex] {
    var keys: [TapeIndex] = []
    var key = start
    while key < end {
      keys.append(key)
      key = tape.next(after: tape.next(after: key))
    }
    return keys
  }

  /// Sends the value of a key, inline or as a reference.
  private mutating func sendField(_ key: TapeIndex, of type: ObjectClass?) throws(FerryError) {
    let value = tape.next(after: key)
    if tape.kind(at: value) != .null, numbering.storage.isInline(value, key: key, of: type, on: tape) {
      try receiver.value(at: value, of: tape)
    } else {
      try receiver.uid(try numbering.number(at: value, on: tape))
    }
  }

  /// Returns the keys and values of a dictionary as entries of its object.
  private func pairs(from start: TapeIndex, to end: TapeIndex) throws(FerryError) -> [Property] {
    var pairs: [Property] = []
    for (index, key) in keys(from: start, to: end).enumerated() {
      let object = tape.kind(at: key) == .beginKey ? key + 1 : key
      let numbers = (
        key: try numbering.number(at: object, on: tape),
        value: try numbering.number(at: tape.next(after: key), on: tape)
      )
      pairs.append(Property(name: "NS.key.\(index)", content: .uid(numbers.key)))
      pairs.append(Property(name: "NS.object.\(index)", content: .uid(numbers.value)))
    }
    return pairs
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
          .uid(tape.kind(at: tapeIndex) == .null ? .null : try numbering.number(at: tapeIndex, on: tape))
        }
      properties.append(Property(name: key.name.asArchivedKey, content: content))
    }
    return properties
  }

  private mutating func send(_ properties: [Property], of type: ObjectClass) throws(FerryError) {
    try send(properties + [Property(name: "$class", content: .uid(numbering.number(of: type)))])
  }

  private mutating func send(_ properties: [Property]) throws(FerryError) {
    let list = lists.list(properties.map(\.name), isRepeated: false)
    try receiver.beginDictionary(list.keys)
    for index in list.order { try send(properties[index].content) }
    try receiver.endDictionary()
  }

  private mutating func send(_ content: Property.Content) throws(FerryError) {
    switch content {
    case .uid(let number): try receiver.uid(number)
    case .scalar(let index): try receiver.value(at: index, of: tape)
    case .value(let value): try receiver.value(value)
    case .texts(let texts):
      try receiver.beginArray(count: texts.count)
      for text in texts { try receiver.string(BorrowedText(text.utf8.span)) }
      try receiver.endArray()
    }
  }
}

extension EventTape {
  /// True if the value at a tape index is an object without a class, regardless of its class codec. The string `$null` is
  /// none, because programs read it as nil.
  func isBare(_ index: TapeIndex) -> Bool {
    switch kind(at: index) {
    case .integer, .real, .single, .boolean, .data: true
    case .string, .key: !text(at: index).equals("$null")
    default: false
    }
  }

  /// Returns the number of values and keys in a range of the tape.
  func count(ofValuesFrom start: TapeIndex, to end: TapeIndex) -> Int {
    var (index, count) = (start, 0)
    while index < end {
      index = next(after: index)
      count += 1
    }
    return count
  }
}
