internal import Synchronization

/// A meter of the expansion of all files of an archive.
final class ZIPMeter: Sendable {
  private let budget: Budget
  private let size: Int
  private let produced = Mutex(0)

  init(_ budget: Budget, size: Int) { (self.budget, self.size) = (budget, size) }

  func add(_ count: Int) throws(FerryError) {
    let total = produced.withLock { produced -> Int in
      produced += count
      return produced
    }
    guard total <= budget.allowance(forInputBytes: size) else { throw budget.overAmplification }
  }
}

/// The decompressed bytes of a file in an archive.
final class ZIPMemberInput: RepeatableInput {
  private let member: ZIPArchive.Member
  private let file: FileBytes
  private let meter: ZIPMeter
  private var isRead = false
  var canBeReadTwice: Bool { !isRead }

  init(_ member: ZIPArchive.Member, in file: FileBytes, _ meter: ZIPMeter) {
    (self.member, self.file, self.meter) = (member, file, meter)
  }

  private static let isEncrypted: UInt16 = 1

  /// Returns the range of the compressed bytes.
  private func range() throws(FerryError) -> Range<Int> {
    guard member.flags & Self.isEncrypted == 0 else {
      throw FerryError(
        .compression(.encryptedFile(member.name)),
        at: InputLocation(byte: Int(clamping: member.headerOffset)))
    }
    return try member.contentRange(in: file)
  }

  func peek(upTo count: Int) throws(FerryError) -> [UInt8] {
    guard !isRead else { return [] }
    var bytes: [UInt8] = []
    do throws(FerryError) {
      try forEachPiece { piece in
        bytes.append(copying: piece.extracting(first: min(piece.count, count - bytes.count)))
        return bytes.count < count
      }
    } catch {
      guard !bytes.isEmpty else { throw error }
    }
    return bytes
  }

  func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
    guard !isRead else { return }
    isRead = true
    var (checksum, size) = (UInt32(0), UInt64(0))
    try forEachPiece { piece throws(FerryError) in
      try meter.add(piece.count)
      checksum = Zlib.crc32(piece, after: checksum)
      size += UInt64(piece.count)
      try body(piece)
      return true
    }
    guard size == member.size, checksum == member.checksum else {
      throw ZIPArchive.damaged(
        "the size or the checksum of \(MessageText.quoted(member.name)) is wrong",
        at: Int(clamping: member.headerOffset))
    }
  }

  /// Calls a function with each piece until it returns false.
  private func forEachPiece(_ body: (Span<UInt8>) throws(FerryError) -> Bool) throws(FerryError) {
    let (file, range) = (file, try range())
    let compressed = file.span.extracting(range)
    switch member.method {
    case 0: if !compressed.isEmpty { _ = try body(compressed) }
    case 8: try inflate(compressed, at: range.lowerBound, body)
    case let method:
      throw FerryError(
        .compression(.otherMethod(member.name, Int(method))),
        at: InputLocation(byte: Int(clamping: member.headerOffset)))
    }
  }

  private func inflate(
    _ bytes: Span<UInt8>, at offset: Int, _ body: (Span<UInt8>) throws(FerryError) -> Bool
  ) throws(FerryError) {
    let decompressor = try Zlib.Decompressor(wrapping: .none)
    var buffer = [UInt8](repeating: 0, count: Compression.bufferSize)
    var start = 0
    while true {
      let step: CompressionStep
      do throws(DecompressionFlaw) {
        step = try decompressor.decompress(bytes.extracting(droppingFirst: start), into: &buffer)
      } catch {
        throw ZIPArchive.damaged(
          "\(MessageText.quoted(member.name)) cannot be decompressed", at: offset + start)
      }
      start += step.consumed
      if step.produced > 0, try !body(buffer.span.extracting(first: step.produced)) { return }
      if step.isAtEnd { return }
      guard step.consumed + step.produced > 0 else {
        throw ZIPArchive.damaged("\(MessageText.quoted(member.name)) is truncated", at: offset + start)
      }
    }
  }

  func makeRewindable() throws(FerryError) {}

  func rewind() throws(FerryError) { isRead = false }
}
