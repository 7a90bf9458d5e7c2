/// A file, or standard input, read in chunks through one buffer.
///
///     let input = try FileInput(path: "people.json")
///     let beginning = try input.peek(upTo: 1024)      // what format is it?
///     try input.forEachChunk { chunk throws(Failure) in try reader.read(chunk) }
///
/// A regular file can be read again after `rewind()`; anything else after `makeRewindable()`, which copies it to a
/// temporary file that has no name and goes when the input goes.
public final class FileInput: Input {
  private static let chunkSize = 256 << 10

  private var file: SystemFile
  private var buffer: [UInt8] = []
  /// What has been looked at and not yet read.
  private var held = 0..<0
  /// Where a second pass begins; nil when there can be none.
  private var beginning: Int64?
  private var isAtEnd = false
  /// Called before a read that would wait for bytes to come, as from a pipe whose other end pauses.
  var beforeWaiting: (() throws(Failure) -> Void)?
  /// How many bytes a regular file has, as far as the system knows; nil for a pipe.
  public let size: Int?

  /// Where a regular file is; nil for standard input and for a pipe.
  public let path: String?

  /// Opens a file; `-` is standard input.
  public init(path: String) throws(Failure) {
    file = path == "-" ? SystemFile(standard: 0) : try SystemFile(reading: path)
    let status = try file.status()
    guard status.kind != .directory else { throw Failure(.file(.isDirectory)) }
    size = status.kind == .regular ? status.size : nil
    self.path = path != "-" && status.kind == .regular ? path : nil
    if status.kind == .regular { beginning = try file.offset() }
  }

  /// The next bytes, without reading them: as many as asked for, or all that are left.
  public func peek(upTo count: Int) throws(Failure) -> [UInt8] {
    if count > held.count {
      // What is held moves to the front, and more is read behind it.
      buffer.removeFirst(held.lowerBound)
      held = 0..<held.count
      buffer.grow(to: max(count, Self.chunkSize))
      while held.count < count {
        let more = try read(into: &buffer, from: held.upperBound)
        if more == 0 { break }
        held = 0..<held.upperBound + more
      }
    }
    return Array(buffer[held].prefix(count))
  }

  /// Reads to the end, a chunk of at most 256 KiB at a time, each as soon as it is there.
  ///
  /// The input is not to be used otherwise until this returns. When `body` throws, the rest can still be read.
  public func forEachChunk(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
    // The buffer is taken out while `body` borrows from it.
    var buffer: [UInt8] = []
    swap(&buffer, &self.buffer)
    defer { swap(&buffer, &self.buffer) }
    var chunk = held
    held = 0..<0
    buffer.grow(to: Self.chunkSize)
    while true {
      if chunk.isEmpty { chunk = 0..<(try read(into: &buffer, from: 0)) }
      if chunk.isEmpty { return }
      try body(buffer.span.extracting(chunk))
      chunk = 0..<0
    }
  }

  /// Reads once; 0 at the end, which a terminal would be asked for again.
  private func read(into buffer: inout [UInt8], from start: Int) throws(Failure) -> Int {
    guard !isAtEnd else { return 0 }
    if let beforeWaiting, size == nil, file.wouldWait() { try beforeWaiting() }
    let count = try file.read(into: &buffer, from: start)
    isAtEnd = count == 0
    return count
  }

  /// Everything to the end, for formats that are not read in order. Refused when it is more than `limit` bytes.
  public func readAll(limit: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(size ?? 0, limit))
    try forEachChunk { chunk throws(Failure) in
      guard chunk.count <= limit - bytes.count else { throw Failure(.file(.tooLarge(limit: limit))) }
      bytes.append(copying: chunk)
    }
    return bytes
  }

  /// Whether `rewind()` is possible now.
  public var isRewindable: Bool { beginning != nil }

  /// Makes a second pass possible: what a pipe still has to give is copied to a temporary file, to be read from there.
  public func makeRewindable() throws(Failure) {
    guard beginning == nil else { return }
    let copy = try SystemFile.temporary()
    try forEachChunk { chunk throws(Failure) in
      do throws(Failure) { try copy.write(chunk) } catch { throw error.ofTemporaryFolder }
    }
    try copy.seek(to: 0)
    file = copy
    beginning = 0
    isAtEnd = false
  }

  /// Goes back to the beginning: where the file was when it was opened, or a pipe when it was made rewindable.
  public func rewind() throws(Failure) {
    guard let beginning else { throw Failure(.file(.notRewindable)) }
    try file.seek(to: beginning)
    held = 0..<0
    isAtEnd = false
  }
}

extension [UInt8] {
  /// Adds zeros until there are `count` bytes.
  fileprivate mutating func grow(to count: Int) {
    self += [UInt8](repeating: 0, count: Swift.max(0, count - self.count))
  }
}
