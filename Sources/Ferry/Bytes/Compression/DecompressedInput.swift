/// An input with the decompressed bytes of another input.
///
///     let input = try DecompressedInput(FileInput(path: "people.xml.gz"), .gzip)
///     try input.forEachChunk { chunk in try reader.read(chunk) }
///
/// The bytes are decompressed in chunks, so memory does not grow with the input. Reading to the end also checks the checksum of the
/// data, and that no other bytes follow it.
///
/// Readers of files in any format need no such input: they recognize compressed data themselves.
public final class DecompressedInput: SizedInput, RepeatableInput {
  /// The format of the compressed data.
  public let compression: Compression
  private let input: any ByteInput
  private let meter: ExpansionMeter
  private let isOutermost: Bool
  private var isRead = false
  var sizeOfFile: Int? { input.sizeOfFile }
  var canBeReadTwice: Bool { !isRead && input.canBeReadTwice }

  /// The maximum number of compressed bytes in which `peek` looks for the first decompressed ones. Only data that begins with a
  /// long name or with empty frames has more.
  private static let longestBeginning = 4 << 20

  /// Creates an input.
  ///
  /// - Parameters:
  ///   - input: The compressed data. It must not be read elsewhere.
  ///   - compression: The format of the data.
  ///   - budget: The limits. Reading throws `Budget.Limit.amplification` if the data expands too much.
  public convenience init(
    _ input: any ByteInput, _ compression: Compression, budget: Budget = Budget()
  ) throws(FerryError) {
    try self.init(input, compression, ExpansionMeter(budget, size: input.sizeOfFile), isOutermost: true)
  }

  private init(
    _ input: any ByteInput, _ compression: Compression, _ meter: ExpansionMeter, isOutermost: Bool
  ) throws(FerryError) {
    guard compression.isSupported else { throw FerryError(.compression(.notInBuild(compression))) }
    (self.input, self.compression, self.meter, self.isOutermost) = (input, compression, meter, isOutermost)
  }

  /// Returns an input with the bytes of this input decompressed once more, within the same budget.
  func decompressed(_ compression: Compression) throws(FerryError) -> DecompressedInput {
    try DecompressedInput(self, compression, meter, isOutermost: false)
  }

  public func peek(upTo count: Int) throws(FerryError) -> [UInt8] {
    try peek(upTo: count) { _ in false }
  }

  /// Returns the next bytes without consuming them. Returns fewer than `count` bytes at the end, or if a
  /// function returns true for the bytes so far.
  func peek(upTo count: Int, until isEnough: ([UInt8]) -> Bool) throws(FerryError) -> [UInt8] {
    guard !isRead, count > 0 else { return [] }
    var size = Compression.bufferSize
    while true {
      let head = try input.peekHead(upTo: size) { head in
        guard let found = try? beginning(of: head, isWhole: false, upTo: count) else { return true }
        return found.count == count || isEnough(found)
      }
      let found = try beginning(of: head, isWhole: head.count < size, upTo: count)
      guard found.count < count, head.count == size, !isEnough(found) else { return found }
      guard size < Self.longestBeginning else { throw FerryError(.compression(.noContent(compression))) }
      size *= 4
    }
  }

  /// Decompresses the first bytes. Throws the error of damaged or truncated data only if no bytes precede the damage.
  private func beginning(
    of head: [UInt8], isWhole: Bool, upTo count: Int
  ) throws(FerryError) -> [UInt8] {
    // The bytes are decompressed again when the input is read, and are metered then.
    let meter = ExpansionMeter(meter.budget, size: nil)
    var decompression = try Decompression(compression, meter, isOutermost: true)
    var bytes: [UInt8] = []
    do throws(FerryError) {
      try decompression.append(head.span) { piece in
        bytes.append(copying: piece.extracting(first: min(piece.count, count - bytes.count)))
        return bytes.count < count
      }
      if isWhole, bytes.isEmpty { try decompression.finish() }
    } catch {
      guard !bytes.isEmpty else { throw error }
    }
    return bytes
  }

  public func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
    guard !isRead else { return }
    isRead = true
    var decompression = try Decompression(compression, meter, isOutermost: isOutermost)
    try input.forEachChunk { chunk throws(FerryError) in
      try decompression.append(chunk) { piece throws(FerryError) in
        try body(piece)
        return true
      }
    }
    try decompression.finish()
  }

  public func makeRewindable() throws(FerryError) { try input.makeRewindable() }

  public func rewind() throws(FerryError) {
    try input.rewind()
    isRead = false
  }
}

extension ByteInput {
  /// Returns the next bytes without consuming them. Returns fewer than `count` bytes at the end, or if a function returns true
  /// for the bytes that a pipe has so far.
  func peekHead(
    upTo count: Int, until isEnough: ([UInt8]) -> Bool
  ) throws(FerryError) -> [UInt8] {
    switch self {
    // First, because a cast to a protocol is slow for a type that has not been cast before: the Swift runtime looks through all
    // conformances of the program.
    case let input as FileInput: try input.peek(upTo: count, until: isEnough)
    case let input as any PromptInput: try input.peek(upTo: count, until: isEnough)
    case let input as DecompressedInput: try input.peek(upTo: count, until: isEnough)
    default: try peek(upTo: count)
    }
  }
}
