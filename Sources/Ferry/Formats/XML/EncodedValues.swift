/// The events of XML values as bytes, which can be stored in a file.
///
///     {"a": "xy"}     begin dictionary | key, 1 in eight bytes, a | string, 2 in eight bytes, xy | end dictionary
enum EncodedValues {
  enum Kind: UInt8 {
    case key, string, beginArray, endArray, beginDictionary, endDictionary

    /// True if the event has a text.
    fileprivate var hasText: Bool { self == .key || self == .string }

    /// Sends an event to a sink.
    func send(_ text: borrowing BorrowedText, to sink: any ValueSink) throws(FerryError) {
      switch self {
      case .key: try sink.key(copy text)
      case .string: try sink.string(copy text)
      case .beginArray: try sink.beginArray(count: nil)
      case .endArray: try sink.endArray()
      case .beginDictionary: try sink.beginDictionary(count: nil)
      case .endDictionary: try sink.endDictionary()
      }
    }
  }

  /// Appends an event.
  static func append(_ kind: Kind, _ text: borrowing BorrowedText, to bytes: inout [UInt8]) {
    bytes.append(kind.rawValue)
    guard kind.hasText else { return }
    let count = text.utf8.count
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
    bytes.append(copying: text.utf8)
  }

  /// Sends whole encoded events.
  static func send(_ bytes: Span<UInt8>, with sender: inout EventSender) throws(FerryError) {
    var failed = 0
    var index = 0
    while index < bytes.count, let kind = Kind(rawValue: bytes[index]) {
      index += 1
      switch kind {
      case .key, .string:
        let start = index + 8
        let text = bytes.extracting(start..<start + Int(bytes.littleEndianWord(at: index)))
        try sender.text(kind == .key ? .key : .string, BorrowedText(text), from: start, at: 0)
        index = start + text.count
      case .beginArray: try sender.beginArray(at: 0)
      case .endArray: try sender.endArray(at: 0)
      case .beginDictionary: try sender.beginDictionary(at: 0)
      case .endDictionary: try sender.endDictionary(at: 0)
      }
      if sender.isFull { try sender.flush(bytes, failedAt: &failed) }
    }
    try sender.flush(bytes, failedAt: &failed)
  }
}
