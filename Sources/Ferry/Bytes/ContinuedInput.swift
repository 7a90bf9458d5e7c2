/// An input of some pieces of bytes and the rest of another input, which can be read only once.
final class ContinuedInput: PromptInput, CopyingInput {
  /// The bytes after the pieces.
  enum Rest {
    case nothing
    case input(any PromptInput)
    /// The error of an input that cannot be read any further.
    case failure(FerryError)
  }

  private var pieces: ArraySlice<[UInt8]>
  private let rest: Rest
  var copy: FileInput?
  private static let chunkSize = 256 << 10

  init(_ pieces: [[UInt8]], rest: Rest) { (self.pieces, self.rest) = (pieces[...], rest) }

  var beforeWaiting: (() throws(FerryError) -> Void)? {
    get { if case .input(let input) = rest { input.beforeWaiting } else { nil } }
    set { if case .input(let input) = rest { input.beforeWaiting = newValue } }
  }

  func peek(upTo count: Int, until isEnough: ([UInt8]) -> Bool) throws(FerryError) -> [UInt8] {
    if let copy { return try copy.peek(upTo: count, until: isEnough) }
    let first = Array(pieces.joined().prefix(count))
    guard first.count < count, case .input(let input) = rest else { return first }
    return try first + input.peek(upTo: count - first.count) { isEnough(first + $0) }
  }

  func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
    if let copy { return try copy.forEachChunk(body) }
    while let piece = pieces.popFirst() { try piece.forEachChunk(ofAtMost: Self.chunkSize, body) }
    switch rest {
    case .nothing: break
    case .input(let input): try input.forEachChunk(body)
    case .failure(let error): throw error
    }
  }
}
