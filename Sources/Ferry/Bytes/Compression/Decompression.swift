/// A decompression of all members of compressed data, in chunks of any size.
///
///     gzip data, gzip data, zeros          `cat a.gz b.gz`, padded to a block of a tape
///     frame, frame                         zstd, also with frames without content
///     stream, zeros, stream                xz, with a multiple of four zeros
struct Decompression: ~Copyable {
  private let compression: Compression
  private let decompressor: any Decompressor
  private let meter: ExpansionMeter
  /// True if the compressed bytes are those of the input, and not of another layer of compression.
  private let isOutermost: Bool
  private var buffer = [UInt8](repeating: 0, count: Compression.bufferSize)
  private var isInMember = true
  private var isFirstMember = true
  /// The number of zeros since the end of the last member.
  private var paddingBytes = 0
  /// The numbers of bytes that were consumed and produced.
  private var (consumed, produced) = (0, 0)
  /// The byte offset at which the current member begins.
  private var memberStart = 0

  init(_ compression: Compression, _ meter: ExpansionMeter, isOutermost: Bool) throws(FerryError) {
    (self.compression, self.meter, self.isOutermost) = (compression, meter, isOutermost)
    decompressor = try compression.decompressor(windowBytes: meter.budget.windowBytes)
  }

  /// Decompresses a chunk, and calls a function with each piece of the result until the function returns false.
  ///
  /// - Throws: A `FerryError` with the reason `CompressionProblem.damaged` or `trailingBytes` with the byte offset, a limit of the budget,
  ///   or an error of `body`.
  mutating func append(
    _ chunk: Span<UInt8>, _ body: (Span<UInt8>) throws(FerryError) -> Bool
  ) throws(FerryError) {
    var start = 0
    while true {
      if !isInMember {
        guard try beginMember(chunk, at: &start) else { return }
      }
      let step: CompressionStep
      do throws(DecompressionFlaw) {
        step = try decompressor.decompress(chunk.extracting(droppingFirst: start), into: &buffer)
      } catch {
        throw described(error)
      }
      start += step.consumed
      consumed += step.consumed
      produced += step.produced
      if isOutermost { meter.note(consumed: consumed) }
      try meter.check(produced: produced)
      if step.produced > 0, try !body(buffer.span.extracting(first: step.produced)) { return }
      if step.isAtEnd { (isInMember, isFirstMember, paddingBytes) = (false, false, 0) }
      let isWaiting = start == chunk.count && step.produced < buffer.count
      guard !isWaiting, step.isAtEnd || step.consumed + step.produced > 0 else { return }
    }
  }

  /// Ends the data.
  ///
  /// - Throws: A `FerryError` with the reason `CompressionProblem.truncated`.
  func finish() throws(FerryError) {
    if isInMember {
      throw FerryError(.compression(.truncated(compression)), at: InputLocation(byte: consumed))
    }
    try checkPadding()
  }

  /// Skips the zeros between two members. Returns false at the end of the chunk.
  private mutating func beginMember(_ chunk: Span<UInt8>, at start: inout Int) throws(FerryError) -> Bool {
    if compression.paddingUnit != nil {
      while start < chunk.count, chunk[start] == 0 {
        start += 1
        consumed += 1
        paddingBytes += 1
      }
    }
    guard start < chunk.count else { return false }
    try checkPadding()
    memberStart = consumed
    guard compression.canBeginMember(with: chunk[start]) else { throw trailingBytes }
    do throws(DecompressionFlaw) { try decompressor.restart() } catch { throw described(error) }
    isInMember = true
    return true
  }

  private func checkPadding() throws(FerryError) {
    guard let unit = compression.paddingUnit, paddingBytes % unit != 0 else { return }
    throw FerryError(
      .compression(
        .damaged(compression, "\(paddingBytes) zeros follow it, which is not a multiple of \(unit)")),
      at: InputLocation(byte: consumed))
  }

  private var trailingBytes: FerryError {
    FerryError(.compression(.trailingBytes(compression)), at: InputLocation(byte: memberStart))
  }

  private func described(_ flaw: DecompressionFlaw) -> FerryError {
    switch flaw {
    case .badSignature where !isFirstMember: trailingBytes
    case .badSignature(let words):
      FerryError(.compression(.damaged(compression, words)), at: InputLocation(byte: consumed))
    case .damaged(let words, let count):
      FerryError(.compression(.damaged(compression, words)), at: InputLocation(byte: consumed + count))
    case .needsMemory: FerryError(.overBudget(.windowBytes(meter.budget.windowBytes)))
    }
  }
}
