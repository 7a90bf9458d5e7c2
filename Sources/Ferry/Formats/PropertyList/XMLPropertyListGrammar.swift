/// The grammar of XML property lists. It checks the order of elements, and converts them to events.
struct XMLPropertyListGrammar {
  /// The state of the document outside of collections.
  private enum Root {
    case missing, plistIsOpen, plistHasValue, plistIsClosed
    /// A value without `<plist>`.
    case bareValue
  }

  private enum Frame {
    case array
    case dictionary(awaitsValue: Bool)
  }

  /// The part of a dictionary that is not sent yet, because the dictionary may be a reference of an archive.
  private enum Held {
    case nothing, begin, key
    case value(UInt64)
  }

  private let sink: any ValueSink
  private let depth: Int
  private var root = Root.missing
  private var frames: [Frame] = []
  private var held = Held.nothing
  private var lastKey: [UInt8] = []
  /// The open element if it contains text and no elements, such as `<string>`.
  private(set) var leaf: XMLPropertyListElement?

  private let losses: LossReport?

  init(into sink: any ValueSink, depth: Int, losses: LossReport?) {
    (self.sink, self.depth, self.losses) = (sink, depth, losses)
  }

  /// True before the first element, where a DOCTYPE is allowed.
  var isBeforeRoot: Bool {
    if case .missing = root { return true }
    return false
  }

  /// True if the value is complete, and `<plist>` is closed if it was opened.
  var isWhole: Bool {
    switch root {
    case .plistIsClosed, .bareValue: frames.isEmpty && leaf == nil
    default: false
    }
  }

  /// The innermost open element, for messages.
  var surroundings: String {
    if let leaf { return leaf.tag }
    return switch (frames.last, root) {
    case (.array, _): "<array>"
    case (.dictionary, _): "<dict>"
    case (nil, .plistIsOpen), (nil, .plistHasValue): "<plist>"
    default: "the document"
    }
  }

  /// Begins an element. For a leaf, `endLeaf` must follow.
  mutating func begin(_ element: XMLPropertyListElement) throws(FerryError) {
    guard leaf == nil else { throw unexpected(element.name) }
    switch element {
    case .plist:
      guard isBeforeRoot else { throw unexpected("plist") }
      root = .plistIsOpen
    case .array:
      try beginValue()
      try open(.array)
      try sendHeld()
      try sink.beginArray(count: nil)
    case .dict:
      try beginValue()
      try open(.dictionary(awaitsValue: false))
      try sendHeld()
      held = .begin
    case .key:
      guard case .dictionary(let awaitsValue)? = frames.last else { throw unexpected("key") }
      guard !awaitsValue else { throw missingValue }
      leaf = .key
    default:
      try beginValue()
      leaf = element
    }
  }

  /// Ends an element that is not a leaf.
  mutating func end(_ element: XMLPropertyListElement) throws(FerryError) {
    switch (element, frames.last) {
    case (.array, .array):
      frames.removeLast()
      try sendHeld()
      try sink.endArray()
    case (.dict, .dictionary(let awaitsValue)):
      guard !awaitsValue else { throw missingValue }
      frames.removeLast()
      if case .value(let number) = held {
        held = .nothing
        try sink.uid(number)
      } else {
        try sendHeld()
        try sink.endDictionary()
      }
    case (.plist, nil):
      switch root {
      case .plistHasValue: root = .plistIsClosed
      case .plistIsOpen: throw badRoot("the property list holds no value")
      default: throw unexpected("/plist")
      }
    default: throw unexpected("/\(element.name)")
    }
  }

  /// Ends a leaf, and sends the value of its text.
  mutating func endLeaf(_ text: Span<UInt8>) throws(FerryError) {
    guard let element = leaf else { return }
    leaf = nil
    switch element {
    case .key:
      frames[frames.count - 1] = .dictionary(awaitsValue: true)
      lastKey.removeAll(keepingCapacity: true)
      lastKey.append(copying: text)
      if case .begin = held, text.equals("CF$UID") {
        held = .key
      } else {
        try sendHeld()
        try sink.key(BorrowedText(text))
      }
    case .string:
      try sendHeld()
      try sink.string(BorrowedText(text))
    case .integer:
      guard let value = XMLPropertyListScalar.integer(text) else {
        throw badValue(text, "an integer from −2⁶³ to 2⁶⁴−1")
      }
      if case .key = held, let number = UInt64(exactly: value) {
        held = .value(number)
      } else {
        try sendHeld()
        try sink.integer(value)
      }
    case .real:
      guard let value = XMLPropertyListScalar.real(text) else { throw badValue(text, "a real number") }
      // A number that is too small for a real becomes zero, as for other readers.
      if value == 0, text.hasNonzeroMantissa { losses?.add(.numberAsReal) }
      try sendHeld()
      try sink.real(value)
    case .yes, .no:
      guard text.isEmpty else { throw FerryError(.propertyList(.unexpectedText(inside: element.tag))) }
      try sendHeld()
      try sink.boolean(element == .yes)
    case .date:
      guard let seconds = XMLPropertyListScalar.date(text) else {
        throw badValue(text, "a date as 2001-02-03T04:05:06Z")
      }
      try sendHeld()
      try sink.date(seconds)
    case .data:
      guard let bytes = Base64.decode(text) else { throw badValue(text, "Base64") }
      try sendHeld()
      try sink.data(bytes.span)
    case .plist, .array, .dict: break
    }
  }

  /// Throws if a value is not allowed here.
  private mutating func beginValue() throws(FerryError) {
    guard let top = frames.last else {
      switch root {
      case .missing: root = .bareValue
      case .plistIsOpen: root = .plistHasValue
      default: throw badRoot("a property list holds one value, and this is a second")
      }
      return
    }
    guard case .dictionary(let awaitsValue) = top else { return }
    guard awaitsValue else { throw FerryError(.propertyList(.missingKey)) }
    frames[frames.count - 1] = .dictionary(awaitsValue: false)
  }

  private mutating func open(_ frame: Frame) throws(FerryError) {
    guard frames.count < depth else { throw FerryError(.overBudget(.depth(depth))) }
    frames.append(frame)
  }

  /// Sends the part of a dictionary that was held back, because the dictionary is not a reference.
  @inline(__always)
  private mutating func sendHeld() throws(FerryError) {
    if case .nothing = held { return }
    try sendHeldDictionary()
  }

  private mutating func sendHeldDictionary() throws(FerryError) {
    let waiting = held
    held = .nothing
    try sink.beginDictionary(count: nil)
    if case .begin = waiting { return }
    try sink.key(BorrowedText("CF$UID".utf8.span))
    if case .value(let number) = waiting { try sink.integer(Int128(number)) }
  }

  /// Returns the error for an element that is not allowed here, or for an end tag if the name begins with a
  /// slash.
  func unexpected(_ name: String) -> FerryError {
    FerryError(.propertyList(.unexpectedElement(name, inside: surroundings)))
  }

  private func badRoot(_ what: String) -> FerryError { FerryError(.propertyList(.badRoot(what))) }

  private func badValue(_ text: Span<UInt8>, _ type: String) -> FerryError {
    FerryError(.propertyList(.badValue(text.extracting(first: 100).decodedString, type: type)))
  }

  private var missingValue: FerryError {
    FerryError(.propertyList(.missingValue(key: String(decoding: lastKey, as: UTF8.self))))
  }
}

extension Span<UInt8> {
  /// True if a number in decimal notation has a digit other than zero before its exponent.
  fileprivate var hasNonzeroMantissa: Bool {
    for index in indices {
      switch self[index] {
      case UInt8(ascii: "1")...UInt8(ascii: "9"): return true
      case UInt8(ascii: "e"), UInt8(ascii: "E"): return false
      default: continue
      }
    }
    return false
  }
}
