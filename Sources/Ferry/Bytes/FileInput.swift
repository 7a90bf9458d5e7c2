/// A file, or the standard input, read in chunks through one buffer.
///
///     let input = try FileInput(path: "people.json")
///     let beginning = try input.peek(upTo: 1024)      // what format is it?
///     try input.forEachChunk { chunk throws(FerryError) in try reader.read(chunk) }
///
/// A regular file can be read again after `rewind()`. Any other input needs `makeRewindable()` first, which
/// copies it to a nameless temporary file that disappears with the input.
public final class FileInput: Input {
  private static let chunkSize = 256 << 10

  private var file: SystemFile
  private var buffer: [UInt8] = []
  /// The range of the buffer that was peeked and not read yet.
  private var held = 0..<0
  /// The offset at which a second pass begins; nil if none is possible.
  private var beginning: Int64?
  private var isAtEnd = false
  /// Called before a read that would wait for bytes, for example from a pipe whose writer pauses.
  var beforeWaiting: (() throws(FerryError) -> Void)?
  /// The size of a regular file in bytes; nil for a pipe.
  public let size: Int?

  /// The path of a regular file; nil for the standard input and for a pipe.
  public let path: String?

  /// Opens a file; `-` is the standard input.
  ///
  /// - Throws: `FileProblem.isDirectory`, or an error of the system.
  public init(path: String) throws(FerryError) {
    file = path == "-" ? SystemFile(standard: 0) : try SystemFile(reading: path)
    let status = try file.status()
    guard status.kind != .directory else { throw FerryError(.file(.isDirectory)) }
    size = status.kind == .regular ? status.size : nil
    self.path = path != "-" && status.kind == .regular ? path : nil
    if status.kind == .regular { beginning = try file.offset() }
  }

  /// Returns the next bytes without reading them: as many as requested, or all remaining ones.
  public func peek(upTo count: Int) throws(FerryError) -> [UInt8] {
    if count > held.count {
      // The peeked bytes move to the front, and more bytes are read after them.
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

  /// Reads to the end, in chunks of at most 256 KiB, each as soon as it is available.
  ///
  /// The input must not be used otherwise until this function returns. If `body` throws, the rest can still
  /// be read.
  public func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
    // The buffer leaves the object while `body` borrows from it.
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

  /// Reads once. Returns 0 at the end, and does not read again from a terminal after that.
  private func read(into buffer: inout [UInt8], from start: Int) throws(FerryError) -> Int {
    guard !isAtEnd else { return 0 }
    if let beforeWaiting, size == nil, file.wouldWait() { try beforeWaiting() }
    let count = try file.read(into: &buffer, from: start)
    isAtEnd = count == 0
    return count
  }

  /// Reads everything to the end, for formats that need random access. Throws if there are more than `limit`
  /// bytes.
  public func readAll(limit: Int) throws(FerryError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(size ?? 0, limit))
    try forEachChunk { chunk throws(FerryError) in
      guard chunk.count <= limit - bytes.count else { throw FerryError(.file(.tooLarge(limit: limit))) }
      bytes.append(copying: chunk)
    }
    return bytes
  }

  /// True if `rewind()` is possible now.
  public var isRewindable: Bool { beginning != nil }

  /// Makes a second pass possible: copies the remaining bytes of a pipe to a temporary file, from which they
  /// are read.
  public func makeRewindable() throws(FerryError) {
    guard beginning == nil else { return }
    let copy = try SystemFile.temporary()
    try forEachChunk { chunk throws(FerryError) in
      do throws(FerryError) { try copy.write(chunk) } catch { throw error.ofTemporaryFolder }
    }
    try copy.seek(to: 0)
    file = copy
    beginning = 0
    isAtEnd = false
  }

  /// Returns to the beginning: the offset at which the file was opened, or at which a pipe was made
  /// rewindable.
  ///
  /// - Throws: `FileProblem.notRewindable` for a pipe without `makeRewindable()`.
  public func rewind() throws(FerryError) {
    guard let beginning else { throw FerryError(.file(.notRewindable)) }
    try file.seek(to: beginning)
    held = 0..<0
    isAtEnd = false
  }
}

extension [UInt8] {
  /// Appends zeros up to a size of `count` bytes.
  fileprivate mutating func grow(to count: Int) {
    self += [UInt8](repeating: 0, count: Swift.max(0, count - self.count))
  }
}
