/// An input whose bytes the consumer of an exchange gives, chunk by chunk.
final class ExchangedInput: PromptInput, CopyingInput {
  private let exchange: RecordExchange
  /// The bytes that were peeked but not read yet.
  private var held: [UInt8] = []
  private var isAtEnd = false
  var copy: FileInput?
  var beforeWaiting: (() throws(FerryError) -> Void)?

  init(_ exchange: RecordExchange) { self.exchange = exchange }

  private func nextChunk() throws(FerryError) -> [UInt8]? {
    guard !isAtEnd else { return nil }
    try beforeWaiting?()
    let chunk = try exchange.nextBytes()
    isAtEnd = chunk == nil
    return chunk
  }

  func peek(upTo count: Int, until isEnough: ([UInt8]) -> Bool) throws(FerryError) -> [UInt8] {
    if let copy { return try copy.peek(upTo: count, until: isEnough) }
    while held.count < count, held.isEmpty || !isEnough(held), let chunk = try nextChunk() { held += chunk }
    return Array(held.prefix(count))
  }

  func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
    if let copy { return try copy.forEachChunk(body) }
    let first = held
    held = []
    if !first.isEmpty { try body(first.span) }
    while let chunk = try nextChunk() {
      if !chunk.isEmpty { try body(chunk.span) }
    }
  }
}
