/// An adapter for raw archives in formats without references. It converts dictionaries to references:
///
///     {"CF$UID": 4}   ▸   the reference to object 4
///
/// A dictionary is held back until it is clear that it is not a reference, for at most three events.
final class RawReferences: InterceptingSink {
  private enum Held {
    case nothing
    case begin(count: Int?)
    case key(count: Int?)
    case number(UInt64, count: Int?)
  }

  private static let name: StaticString = "CF$UID"
  private var held = Held.nothing

  /// Sends the events that were held back, because they are not a reference.
  override func willSend() throws(FerryError) {
    let released = held
    held = .nothing
    switch released {
    case .nothing: return
    case .begin(let count): try next.beginDictionary(count: count)
    case .key(let count): try releaseKey(count)
    case .number(let number, let count):
      try releaseKey(count)
      try next.integer(Int128(number))
    }
  }

  private func releaseKey(_ count: Int?) throws(FerryError) {
    try next.beginDictionary(count: count)
    try next.key(BorrowedText(Self.name.description.utf8.span))
  }

  override func integer(_ value: Int128) throws(FerryError) {
    if case .key(let count) = held, let number = UInt64(exactly: value) {
      held = .number(number, count: count)
      return
    }
    try super.integer(value)
  }

  override func key(_ text: BorrowedText) throws(FerryError) {
    if case .begin(let count) = held, text.equals(Self.name) {
      held = .key(count: count)
      return
    }
    try super.key(text)
  }

  override func beginDictionary(count: Int?) throws(FerryError) {
    try willSend()
    held = .begin(count: count)
  }

  override func endDictionary() throws(FerryError) {
    if case .number(let number, _) = held {
      held = .nothing
      return try next.uid(number)
    }
    try super.endDictionary()
  }
}

extension ValueSink {
  /// An adapter that sends this sink dictionaries such as `{"CF$UID": 4}` as references.
  package var receivingReferences: any ValueSink { RawReferences(to: self) }
}

extension Format {
  /// True if the raw form of an archive in this format has dictionaries as references.
  var hasRawForm: Bool { isJSON || description.typedSyntax?.hasRawForm == true }
}

extension FormatDescription.TypedSyntax {
  /// True if the syntax has numbers, but no references, so that the raw form of an archive has dictionaries in their place.
  var hasRawForm: Bool {
    switch self {
    case .object, .mapping: true
    case .dictionary, .map: false
    }
  }
}
