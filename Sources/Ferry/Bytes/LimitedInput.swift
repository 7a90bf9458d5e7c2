/// An input of unknown size that throws if it has more bytes than a budget allows, also when it is copied to a temporary file.
final class LimitedInput: PromptInput, CopyingInput, ResumableInput {
  private let input: any ByteInput
  private let limit: Int
  /// The number of bytes that were read.
  private var count = 0
  /// True if the input was found to have more bytes than the limit.
  private var hasMore = false
  var copy: FileInput?

  /// Creates an input.
  ///
  /// - Parameters:
  ///   - input: An input of which no byte was read.
  ///   - limit: The maximum number of bytes.
  init(_ input: any ByteInput, limit: Int) { (self.input, self.limit) = (input, limit) }

  var path: String? { input.path }

  var beforeWaiting: (() throws(FerryError) -> Void)? {
    get { (input as? any PromptInput)?.beforeWaiting }
    set { (input as? any PromptInput)?.beforeWaiting = newValue }
  }

  var patience: Duration? {
    get { (input as? any ResumableInput)?.patience }
    set { (input as? any ResumableInput)?.patience = newValue }
  }

  var canResume: Bool { copy == nil && (input as? any ResumableInput)?.canResume == true }
  var isRewindable: Bool { copy != nil }
  func enlargePipe() { (input as? any ResumableInput)?.enlargePipe() }

  private var overBudget: FerryError { FerryError(.overBudget(.inputBytes(limit))) }

  func peek(upTo count: Int, until isEnough: ([UInt8]) -> Bool) throws(FerryError) -> [UInt8] {
    if let copy { return try copy.peek(upTo: count, until: isEnough) }
    let bytes = try input.peekHead(upTo: count, until: isEnough)
    guard bytes.count <= limit - self.count else { throw overBudget }
    return bytes
  }

  func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
    if let copy { return try copy.forEachChunk(body) }
    if hasMore { throw overBudget }
    try input.forEachChunk { chunk throws(FerryError) in
      let allowed = chunk.extracting(first: max(limit - count, 0))
      count += allowed.count
      hasMore = allowed.count < chunk.count
      // The bytes within the limit are read, so that the result does not depend on the sizes of the chunks.
      if !allowed.isEmpty { try body(allowed) }
      if hasMore { throw overBudget }
    }
  }
}

extension Budget {
  /// Returns an input that throws if it has more than `inputBytes`. One whose size is known is checked at once, and not
  /// again if the file grows while it is read.
  func limiting(_ input: any ByteInput) throws(FerryError) -> any ByteInput {
    guard inputBytes < .max else { return input }
    guard let size = input.sizeOfFile, size > 0 else { return LimitedInput(input, limit: inputBytes) }
    try checkInput(size)
    return input
  }

  /// Throws if an input has more than `inputBytes`.
  func checkInput(_ size: Int) throws(FerryError) {
    guard size <= inputBytes else { throw FerryError(.overBudget(.inputBytes(inputBytes))) }
  }
}
