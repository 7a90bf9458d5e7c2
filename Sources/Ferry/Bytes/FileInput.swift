import Synchronization

/// A file or the standard input, read in chunks.
///
///     let input = try FileInput(path: "people.json")
///     let beginning = try input.peek(upTo: 1024)      // to detect the format
///     try input.forEachChunk { chunk in try reader.read(chunk) }
///
/// A regular file can be read again after `rewind()`. Any other input must first be copied to an unlinked
/// temporary file with `makeRewindable()`.
public final class FileInput: PromptInput, RepeatableInput, ResumableInput {
  private static let chunkSize = 256 << 10

  private var file: SystemFile
  private var buffer: [UInt8] = []
  /// The range of bytes in the buffer that were peeked but not read yet.
  private var held = 0..<0
  /// The byte offset to which `rewind()` returns, or nil if the input cannot be rewound.
  private var beginning: Int64?
  private var isAtEnd = false
  /// The error of the system for a read. Each later read throws it again, because the system may report it only once, and the end after it.
  private var failure: FerryError?
  /// True for the standard input if it is a pipe or a terminal.
  private var isStandardPipe = false
  /// True for the standard input, also as a pipe with a name such as `/dev/stdin`.
  private var isStandard = false
  /// True if the standard input was read to its end, unless it is a terminal or another device. The bytes are gone for another reader.
  private static let standardIsRead = Atomic(false)
  /// True for a terminal or another device, such as `/dev/zero`, which never ends.
  private let isDevice: Bool
  /// Called before a read that may block, for example on a pipe whose writer is idle.
  var beforeWaiting: (() throws(FerryError) -> Void)?
  var patience: Duration?
  /// Called before each read. Throws to cancel the reading.
  var beforeReading: (() throws(FerryError) -> Void)?
  /// Called with the number of bytes after each read, to show the progress.
  package var whenRead: ((Int) -> Void)?
  /// The size of a regular file in bytes, or nil for other inputs.
  public let size: Int?

  /// The path of a regular file, or nil for other inputs.
  public let path: String?

  /// The stamp of the file when it was opened.
  let stamp: FileStamp

  /// Opens the file at a path, or the standard input for `-`.
  ///
  /// - Throws: A `FerryError` with the reason `FileProblem.isDirectory`, or `alreadyRead` if the standard input was read to its end before, or
  ///   an error of the system.
  public init(path: String) throws(FerryError) {
    do throws(FerryError) {
      file = path == "-" ? SystemFile(standard: 0) : try SystemFile(reading: path)
      let status = try file.status()
      isStandard = path == "-" || Self.isStandardPipe(status)
      guard !isStandard || !Self.standardIsRead.load(ordering: .relaxed) else {
        throw FerryError(.file(.alreadyRead))
      }
      guard status.kind != .directory else { throw FerryError(.file(.isDirectory)) }
      size = status.kind == .regular ? status.size : nil
      isDevice = status.isCharacterDevice
      stamp = status.stamp
      self.path = path != "-" && status.kind == .regular ? path : nil
      if status.kind == .regular { beginning = try path == "-" ? file.offset() : file.offsetAfterOpening() }
      isStandardPipe = path == "-" && status.kind != .regular
    } catch {
      throw path == "-" ? error : error.placed(inFile: path)
    }
  }

  /// Returns true if a file is the pipe of the standard input. A regular file is read from its beginning under each of its names.
  private static func isStandardPipe(_ status: FileStatus) -> Bool {
    guard status.kind == .other, !status.isCharacterDevice,
      let standard = try? SystemFile(standard: 0).status()
    else { return false }
    return standard.stamp.device == status.stamp.device && standard.stamp.inode == status.stamp.inode
  }

  /// Reads an open file, such as a pipe or a socket, from its current offset on.
  ///
  /// - Parameter descriptor: The descriptor of the file. It is duplicated, so the caller may close it.
  /// - Throws: A `FerryError` with the reason `FileProblem.isDirectory`, or an error of the system.
  public convenience init(descriptor: Int32) throws(FerryError) {
    try self.init(SystemFile(duplicating: descriptor))
  }

  /// Opens the file at a path that need not be UTF-8.
  ///
  /// - Parameter pathBytes: The bytes of the path, without a zero.
  /// - Throws: A `FerryError` with the reason `FileProblem.isDirectory`, or an error of the system.
  package convenience init(pathBytes: [UInt8]) throws(FerryError) {
    try self.init(SystemFile(readingBytes: pathBytes))
  }

  /// Reads an open file from its current offset on.
  init(_ file: consuming SystemFile) throws(FerryError) {
    let status = try file.status()
    guard status.kind != .directory else { throw FerryError(.file(.isDirectory)) }
    let isRegular = status.kind == .regular
    (size, path, beginning) = (isRegular ? status.size : nil, nil, isRegular ? try file.offset() : nil)
    isDevice = status.isCharacterDevice
    stamp = status.stamp
    self.file = file
  }

  /// Returns the next bytes without consuming them. Returns fewer than `count` bytes only at the end.
  ///
  /// - Precondition: `count` is not negative.
  /// - Throws: An error of the system.
  public func peek(upTo count: Int) throws(FerryError) -> [UInt8] {
    try peek(upTo: count) { _ in false }
  }

  /// Returns the next bytes without consuming them. Returns fewer than `count` bytes at the end. A pipe also returns fewer if a function
  /// returns true for the bytes so far.
  func peek(upTo count: Int, until isEnough: ([UInt8]) -> Bool) throws(FerryError) -> [UInt8] {
    if count > held.count {
      // The peeked bytes are moved to the beginning of the buffer, and more bytes are read after them.
      buffer.removeFirst(held.lowerBound)
      held = 0..<held.count
      buffer.grow(to: max(held.count + 1, bufferSize))
      while held.count < count {
        // The bytes of an earlier peek may be enough.
        if mayHaveToWait, !held.isEmpty, isEnough(Array(buffer[held])) { break }
        if held.upperBound == buffer.count { buffer.grow(to: max(count, 2 * buffer.count)) }
        let more = try read(into: &buffer, from: held.upperBound)
        if more == 0 { break }
        held = 0..<held.upperBound + more
      }
    }
    return Array(buffer[held].prefix(count))
  }

  /// Reads to the end in chunks of at most 256 KiB, and calls a function with each chunk as soon as it is
  /// available.
  ///
  /// The input must not be used in `body`. If `body` throws, the rest can still be read.
  public func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
    // The buffer is moved out while `body` borrows from it.
    var buffer: [UInt8] = []
    swap(&buffer, &self.buffer)
    defer { swap(&buffer, &self.buffer) }
    var rest = held
    held = 0..<0
    // If `body` throws, the peeked bytes after its chunk can still be read.
    defer { held = rest.isEmpty ? 0..<0 : rest }
    buffer.grow(to: bufferSize)
    while true {
      if rest.isEmpty { rest = 0..<(try read(into: &buffer, from: 0)) }
      if rest.isEmpty { return }
      let end = min(rest.lowerBound + Self.chunkSize, rest.upperBound)
      let chunk = rest.lowerBound..<end
      rest = end..<rest.upperBound
      try body(buffer.span.extracting(chunk))
    }
  }

  /// True if more bytes may have to be waited for: not those of a file with a size.
  private var mayHaveToWait: Bool { (size ?? 0) == 0 }

  /// The size of the buffer. A small file needs only a byte more than it has, for the read that finds its end; a file that claims to be
  /// empty, such as those of Linux's `/proc`, may have any size.
  private var bufferSize: Int {
    guard let size, size > 0 else { return Self.chunkSize }
    return min(size + 1, Self.chunkSize)
  }

  /// Reads once. Returns 0 at the end; after that, does not read from a terminal again.
  private func read(into buffer: inout [UInt8], from start: Int) throws(FerryError) -> Int {
    guard !isAtEnd else { return 0 }
    if let failure { throw failure }
    try beforeReading?()
    if size == nil, beforeWaiting != nil || patience != nil, file.wouldWait() {
      try beforeWaiting?()
      try waitForBytes()
    }
    let count: Int
    do throws(FerryError) { count = try file.read(into: &buffer, from: start) } catch {
      let error = error.placed(inFile: path)
      failure = error
      throw error
    }
    whenRead?(count)
    if isStandardPipe, beginning == nil { KeptStandardInput.add(buffer[start..<start + count]) }
    isAtEnd = count == 0
    if isAtEnd, isStandard, !isDevice { Self.standardIsRead.store(true, ordering: .relaxed) }
    return count
  }

  func enlargePipe() { file.enlargePipe() }

  /// Waits for bytes as long as `patience` allows, if it is limited.
  private func waitForBytes() throws(FerryError) {
    guard let left = patience else { return }
    let start = ContinuousClock.now
    let haveArrived = file.receives(within: left)
    patience = max(left - start.duration(to: .now), .zero)
    guard haveArrived else { throw .stopped }
  }

  /// Reads all remaining bytes, for formats that need random access. Throws if there are more than `limit`.
  public func readAll(limit: Int) throws(FerryError) -> [UInt8] {
    let tooLarge = FerryError(.file(.tooLarge(limit: limit))).placed(inFile: path)
    var bytes: [UInt8] = []
    if let size {
      // A sparse file may have any size.
      let rest = size - Int(try file.offset()) + held.count
      guard rest <= limit else { throw tooLarge }
      bytes.reserveFileCapacity(rest)
    }
    try forEachChunk { chunk throws(FerryError) in
      guard chunk.count <= limit - bytes.count else { throw tooLarge }
      bytes.append(copying: chunk)
    }
    return bytes
  }

  /// True if `rewind()` is possible.
  public var isRewindable: Bool { beginning != nil }

  var canBeReadTwice: Bool {
    guard let beginning, let offset = try? file.offset() else { return false }
    return offset - Int64(held.count) == beginning
  }

  /// Makes `rewind()` possible. Copies the remaining bytes of a pipe to a temporary file, from which they are
  /// then read. A device may have up to 2 GiB, because it may be endless.
  ///
  /// - Throws: A `FerryError` with the reason `FileProblem.temporaryFolder` if the temporary file cannot be written, or an error of the
  ///   system.
  public func makeRewindable() throws(FerryError) {
    try makeRewindable(upTo: isDevice ? Budget.wholeBytes : .max)
  }

  /// Makes `rewind()` possible. Throws if more than `limit` bytes must be copied.
  func makeRewindable(upTo limit: Int) throws(FerryError) {
    guard beginning == nil else { return }
    let copy = try SystemFile.temporary()
    var rest = limit
    try forEachChunk { chunk throws(FerryError) in
      rest -= chunk.count
      guard rest >= 0 else { throw FerryError(.file(.tooLarge(limit: limit))) }
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
  /// - Throws: A `FerryError` with the reason `FileProblem.notRewindable` if `makeRewindable()` was not called for a pipe.
  public func rewind() throws(FerryError) {
    guard let beginning else { throw FerryError(.file(.notRewindable)) }
    try file.seek(to: beginning)
    held = 0..<0
    if isAtEnd, isStandard { Self.standardIsRead.store(false, ordering: .relaxed) }
    isAtEnd = false
    failure = nil
  }
}

extension FileInput {
  /// True if the file begins as databases do, or is as empty as a database that has all of its content in its write-ahead log.
  var mayBeDatabase: Bool {
    guard let head = try? peek(upTo: FileSignature.sqlite.bytes.count) else { return true }
    return head.isEmpty || FileSignature.sqlite.begins(head)
  }

  /// Returns the bytes of a regular file in a range, or fewer at the end of the file. Returns nil for other inputs.
  ///
  /// - Throws: An error of the system.
  package static func bytes(of path: String, in range: Range<Int>) throws(FerryError) -> [UInt8]? {
    let input = try FileInput(path: path)
    guard let beginning = input.beginning, input.size != nil else { return nil }
    try input.file.seek(to: beginning + Int64(range.lowerBound))
    return try input.peek(upTo: range.count)
  }
}

extension [UInt8] {
  /// Appends zeros until the array has `count` elements.
  fileprivate mutating func grow(to count: Int) {
    let missing = count - self.count
    guard missing > 0 else { return }
    if isEmpty {
      self = [UInt8](repeating: 0, count: count)
    } else {
      append(contentsOf: repeatElement(0, count: missing))
    }
  }
}
