internal import Synchronization

/// A file of a package: bytes in memory, or a file on disk or in a ZIP archive that is read once, on demand.
final class PackagedFile: Sendable {
  /// The path of a file on disk, with its status when it was listed.
  struct FileOnDisk: Sendable {
    let path: String
    let stamp: FileStamp
    let mode: UInt16
    /// The path in the package, for messages.
    let name: String
    let sizeLimit: Int
  }

  /// A file in a ZIP archive.
  struct FileInArchive: Sendable {
    let archive: ZIPArchive
    let member: ZIPArchive.Member
    let sizeLimit: Int
  }

  /// The file on disk; nil if the bytes were given, or are in an archive.
  let onDisk: FileOnDisk?
  private let inArchive: FileInArchive?
  private let loaded: Mutex<[UInt8]?>

  init(_ bytes: [UInt8]) {
    (onDisk, inArchive) = (nil, nil)
    loaded = Mutex(bytes)
  }

  /// Creates a file that is on disk, with its bytes if they have already been read.
  init(at onDisk: FileOnDisk, bytes: [UInt8]? = nil) {
    (self.onDisk, inArchive) = (onDisk, nil)
    loaded = Mutex(bytes)
  }

  /// Creates a file that is in a ZIP archive.
  init(in archive: FileInArchive) {
    (onDisk, inArchive) = (nil, archive)
    loaded = Mutex(nil)
  }

  /// The bytes, if they are in memory.
  var bytesInMemory: [UInt8]? { loaded.withLock { $0 } }

  /// The file on disk, or nil if its bytes are in memory.
  var unreadOnDisk: FileOnDisk? { bytesInMemory == nil ? onDisk : nil }

  /// The number of bytes.
  var size: Int {
    onDisk?.stamp.size ?? bytesInMemory?.count ?? inArchive.map { Int(clamping: $0.member.size) } ?? 0
  }

  /// Returns the bytes of a file that is not on disk, or that has been read. Returns nil for other files.
  func bytesApart() throws(FerryError) -> [UInt8]? { unreadOnDisk == nil ? try bytes() : nil }

  /// Returns true if both are the same file on disk.
  func isSameOnDisk(as other: PackagedFile) -> Bool { onDisk != nil && onDisk?.stamp == other.onDisk?.stamp }

  /// Returns the bytes, reading them if needed.
  ///
  /// - Throws: A `FerryError` with the reason `PackageProblem.changed` if the file is not the one that was listed, or an error of the
  ///   system. For a file in an archive, one with a `CompressionProblem` or `Budget.Limit` as its reason.
  func bytes() throws(FerryError) -> [UInt8] {
    try loaded.withLock { loaded throws(FerryError) in
      if let loaded { return loaded }
      let bytes: [UInt8]
      if let onDisk {
        bytes = try onDisk.read()
      } else {
        bytes = if let inArchive { try inArchive.read() } else { [] }
      }
      loaded = bytes
      return bytes
    }
  }
}

extension PackagedFile {
  /// The number of bytes that show the kind of a file.
  private static let headSize = 4096

  /// Returns the first bytes, and keeps none of them.
  ///
  /// - Throws: The errors of `bytes()` that the first bytes show.
  func head() throws(FerryError) -> [UInt8] {
    if let bytes = bytesInMemory { return Array(bytes.prefix(Self.headSize)) }
    if let onDisk { return try onDisk.open().read(upTo: Self.headSize) }
    return if let inArchive {
      try inArchive.archive.input(of: inArchive.member).peek(upTo: Self.headSize)
    } else { [] }
  }

  /// Throws if the file cannot be read: a file on disk cannot be opened, one in a ZIP archive is damaged or too large.
  func check() throws(FerryError) {
    guard bytesInMemory == nil else { return }
    if let onDisk { _ = try onDisk.open() }
    try inArchive?.forEachChunk { _ throws(FerryError) in }
  }
}

extension PackagedFile.FileOnDisk {
  /// Returns the file at the same path with another status.
  func changed(to status: FileStatus) -> PackagedFile {
    PackagedFile(
      at: PackagedFile.FileOnDisk(
        path: path, stamp: status.stamp, mode: status.mode, name: name, sizeLimit: sizeLimit))
  }

  private var hasChanged: FerryError { FerryError(.package(.changed([name]))) }

  /// Opens the file, and checks that it is still the one that was listed.
  func open() throws(FerryError) -> SystemFile {
    // Opening by name could follow a link or block on a pipe that has replaced the file.
    guard try SystemPath.status(of: path, followingLinks: false)?.stamp == stamp else { throw hasChanged }
    let file = try SystemFile(readingNoLink: path)
    try check(file)
    return file
  }

  /// Throws if an open file is no longer the one that was listed.
  func check(_ file: borrowing SystemFile) throws(FerryError) {
    guard try file.status().stamp == stamp else { throw hasChanged }
  }

  fileprivate func read() throws(FerryError) -> [UInt8] {
    guard stamp.size <= sizeLimit else { throw FerryError(.overBudget(.tokenBytes(sizeLimit))) }
    let file = try open()
    var bytes: [UInt8] = []
    try file.forEachChunk { chunk throws(FerryError) in bytes.append(copying: chunk) }
    try check(file)
    return bytes
  }
}

extension PackagedFile.FileInArchive {
  fileprivate func read() throws(FerryError) -> [UInt8] {
    var bytes: [UInt8] = []
    try forEachChunk { chunk throws(FerryError) in bytes.append(copying: chunk) }
    return bytes
  }

  /// Decompresses the file.
  fileprivate func forEachChunk(
    _ body: (Span<UInt8>) throws(FerryError) -> Void
  ) throws(FerryError) {
    guard member.size <= UInt64(sizeLimit) else { throw FerryError(.overBudget(.tokenBytes(sizeLimit))) }
    var count = 0
    // The size in the directory may be wrong.
    try archive.input(of: member).forEachChunk { chunk throws(FerryError) in
      count += chunk.count
      guard count <= sizeLimit else { throw FerryError(.overBudget(.tokenBytes(sizeLimit))) }
      try body(chunk)
    }
  }
}

extension PackagedFile {
  /// A reader of a file's bytes in chunks of one size, except for the last. It does not keep them.
  struct Pieces: ~Copyable {
    private static let size = 1 << 16

    private let onDisk: FileOnDisk
    private let file: SystemFile

    init(of onDisk: FileOnDisk) throws(FerryError) {
      self.onDisk = onDisk
      file = try onDisk.open()
    }

    /// Returns the next chunk, which is empty at the end. At the end, checks that the file is still the one
    /// that was listed.
    borrowing func next() throws(FerryError) -> [UInt8] {
      let piece = try file.read(upTo: Self.size)
      if piece.isEmpty { try onDisk.check(file) }
      return piece
    }
  }
}
