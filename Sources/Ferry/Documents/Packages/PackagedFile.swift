internal import Synchronization

/// A file of a package: bytes in memory, or a file on disk that is read once, on demand.
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

  /// The file on disk, or nil if the bytes were given.
  let onDisk: FileOnDisk?
  private let loaded: Mutex<[UInt8]?>

  init(_ bytes: [UInt8]) {
    onDisk = nil
    loaded = Mutex(bytes)
  }

  /// Creates a file that is on disk, with its bytes if they have already been read.
  init(at onDisk: FileOnDisk, bytes: [UInt8]? = nil) {
    self.onDisk = onDisk
    loaded = Mutex(bytes)
  }

  /// The bytes, if they are in memory.
  var bytesInMemory: [UInt8]? { loaded.withLock { $0 } }

  /// The file on disk, or nil if its bytes are in memory.
  var unreadOnDisk: FileOnDisk? { bytesInMemory == nil ? onDisk : nil }

  /// The number of bytes.
  var size: Int { onDisk?.stamp.size ?? bytesInMemory?.count ?? 0 }

  /// Returns true if both are the same file on disk.
  func isSameOnDisk(as other: PackagedFile) -> Bool { onDisk != nil && onDisk?.stamp == other.onDisk?.stamp }

  /// Returns the bytes, reading them if needed.
  ///
  /// - Throws: A `FerryError` with the reason `PackageProblem.changed` if the file is not the one that was listed, or an error of the
  ///   system.
  func bytes() throws(FerryError) -> [UInt8] {
    try loaded.withLock { loaded throws(FerryError) in
      if let loaded { return loaded }
      guard let onDisk else { return [] }
      let bytes = try onDisk.read()
      loaded = bytes
      return bytes
    }
  }
}

extension PackagedFile.FileOnDisk {
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
