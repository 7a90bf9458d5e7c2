/// An adapter that sends a list of records, each with a key and a value, as the entries of a dictionary.
///
///     [{"key": "title", "value": "Hello"}]        {"title": "Hello"}
///
/// It takes values in plain form. Only a value before its key is held in memory, beside all keys, because none may be repeated, and the
/// first element of a list that may be not a list.
final class EntryCollector: EntrySink {
  private enum Field { case key, value }

  private let keyName, valueName: [UInt8]
  private let position: EntryPosition
  private var known = OpenKeys()
  /// The field of the record whose value follows, or is open.
  private var field = Field.key
  private var (hasKey, hasValue) = (false, false)
  private var (isKeyASCII, hasKeySurrogates) = (true, false)
  /// The value of a record whose key has not arrived yet.
  private let held = TapeSink()
  /// The receiver of the value of the record, or of the present part of it.
  private var receiverOfValue: any ValueSink
  /// True if a value that is a list of one element is the element. In XML, the value of one record is a list if that of another is.
  private let unwrapsLists: Bool
  /// The number of elements so far of a value that is a list and may be unwrapped; nil for other values.
  private var elementCount: Int?
  /// The first element of such a list.
  private let firstElement = TapeSink()

  /// Creates an adapter.
  ///
  /// - Parameter unwrapsLists: True if a value that is a list of one element is the element.
  init(
    to next: any ValueSink, key: String, value: String, unwrapsLists: Bool = false, _ position: EntryPosition
  ) {
    (keyName, valueName, self.unwrapsLists) = (Array(key.utf8), Array(value.utf8), unwrapsLists)
    (self.position, receiverOfValue) = (position, next)
    super.init(to: next)
  }

  override func receiver(ofNext kind: Kind) throws(FerryError) -> (any ValueSink)? {
    switch depth {
    case 0:
      guard kind.shape == .list else { throw FerryError(.record(.notEntries(found: kind.words))) }
      known.open()
      try next.beginDictionary(count: nil)
      return nil
    case 1:
      guard kind == .dictionary else {
        throw refusal(.notARecord(found: kind.words, record: "record"), of: position.index + 1)
      }
      position.index += 1
      (hasKey, hasValue) = (false, false)
      return nil
    case 2:
      guard field == .value else {
        let name = String(decoding: keyName, as: UTF8.self)
        throw refusal(.badField(name, wanted: "a string", found: kind.words), of: position.index, at: name)
      }
      hasValue = true
      if hasKey { try sendKey() }
      receiverOfValue = target
      elementCount = unwrapsLists && kind.shape == .list ? 0 : nil
      return elementCount == nil ? receiverOfValue : nil
    case 3:
      try beginElement()
      return receiverOfValue
    default: return receiverOfValue
    }
  }

  /// The receiver of the whole value of the record.
  private var target: any ValueSink { hasKey ? next : held }

  /// Notes an element of a list that may be unwrapped. The second one shows that it is a list.
  private func beginElement() throws(FerryError) {
    guard let count = elementCount else { return }
    elementCount = count + 1
    switch count {
    case 0: receiverOfValue = firstElement
    case 1:
      receiverOfValue = target
      try receiverOfValue.beginArray(count: nil)
      try sendFirstElement()
    default: break
    }
  }

  private func sendFirstElement() throws(FerryError) {
    try firstElement.tape.replay(into: target)
    firstElement.removeAll()
  }

  /// Ends a list that may be unwrapped.
  private func endList(ofCount count: Int) throws(FerryError) {
    elementCount = nil
    guard count != 1 else { return try sendFirstElement() }
    if count == 0 { try target.beginArray(count: 0) }
    try target.endArray()
  }

  override func key(_ text: BorrowedText) throws(FerryError) {
    guard depth == 2 else { return try receiverOfValue.key(text) }
    let (keyName, valueName) = (keyName, valueName)
    func refused(_ problem: RecordProblem) -> FerryError {
      refusal(problem, of: position.index, at: String(escapingSurrogatesOf: text))
    }
    if text.utf8.equals(keyName.span) {
      field = .key
    } else if text.utf8.equals(valueName.span) {
      field = .value
    } else {
      let known = [keyName, valueName].map { String(decoding: $0, as: UTF8.self) }
      throw refused(.otherField(String(escapingSurrogatesOf: text), known: known))
    }
    guard field == .key ? !hasKey : !hasValue else {
      throw refused(.repeatedField(String(escapingSurrogatesOf: text)))
    }
  }

  override func string(_ text: BorrowedText) throws(FerryError) {
    guard depth == 2, field == .key else { return try super.string(text) }
    hasKey = true
    position.key.removeAll(keepingCapacity: true)
    position.key.append(copying: text.utf8)
    (isKeyASCII, hasKeySurrogates) = (text.isASCII, text.hasSurrogates)
    guard !known.insert(text.utf8) else {
      throw refusal(
        .repeatedKey(String(escapingSurrogatesOf: text)), of: position.index,
        at: String(decoding: keyName, as: UTF8.self))
    }
    guard hasValue else { return }
    try sendKey()
    try held.tape.replay(into: next)
    held.removeAll()
  }

  override func receiverOfEnd() -> (any ValueSink)? {
    depth > 3 || depth == 3 && elementCount == nil ? receiverOfValue : nil
  }

  override func didEnd() throws(FerryError) {
    try super.didEnd()
    if depth == 2 {
      if let elementCount { try endList(ofCount: elementCount) }
    } else if depth == 1 {
      guard hasKey, hasValue else {
        let name = String(decoding: hasKey ? valueName : keyName, as: UTF8.self)
        throw refusal(.missingField(name, record: "record"), of: position.index)
      }
    } else if depth == 0 {
      known.close()
      try next.endDictionary()
    }
  }

  /// Sends the key of the entry, which is `position.key`.
  private func sendKey() throws(FerryError) {
    let key = position.key
    try next.key(
      BorrowedText(checked: key.span, isASCII: isKeyASCII, hasSurrogates: hasKeySurrogates))
  }

  /// Returns the error of a record, or of one of its fields.
  private func refusal(_ problem: RecordProblem, of record: Int, at field: String? = nil) -> FerryError {
    let steps: [ValuePath.Step] = [.index(record)] + (field.map { [.key($0)] } ?? [])
    return FerryError(.record(problem), path: position.pathOfRecord(ValuePath(steps)))
  }
}
