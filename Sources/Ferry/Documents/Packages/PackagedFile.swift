internal import Synchronization

/// A file of a package: bytes in memory, or a file on disk that is read when it is asked for, and once.
final class PackagedFile: Sendable {
  /// Where a file on disk was found, and as what.
  struct Place: Sendable {
    let path: String
    let stamp: FileStamp
    let mode: UInt16
    /// The way to it in its package, for messages.
    let name: String
    let sizeLimit: Int
  }

  /// Nil when the bytes were given.
  let place: Place?
  private let loaded: Mutex<[UInt8]?>

  init(_ bytes: [UInt8]) {
    place = nil
    loaded = Mutex(bytes)
  }

  /// A file on disk, with its bytes if they have been read already.
  init(at place: Place, bytes: [UInt8]? = nil) {
    self.place = place
    loaded = Mutex(bytes)
  }

  /// The bytes, if they are in memory.
  var bytesInMemory: [UInt8]? { loaded.withLock { $0 } }

  /// Where the file is, as long as its bytes have not been read.
  var placeOfUnread: Place? { bytesInMemory == nil ? place : nil }

  /// How many bytes there are.
  var size: Int { place?.stamp.size ?? bytesInMemory?.count ?? 0 }

  /// Whether both are one file on disk.
  func isSameOnDisk(as other: PackagedFile) -> Bool { place != nil && place?.stamp == other.place?.stamp }

  /// The bytes; read now when they have not been before.
  ///
  /// Throws `PackageProblem.changed` when the file is not the one that was listed, and what the system says.
  func bytes() throws(Failure) -> [UInt8] {
    try loaded.withLock { loaded throws(Failure) in
      if let loaded { return loaded }
      guard let place else { return [] }
      let bytes = try place.read()
      loaded = bytes
      return bytes
    }
  }
}

extension PackagedFile.Place {
  private var hasChanged: Failure { Failure(.package(.changed([name]))) }

  /// Opens the file that was listed, and no other.
  func open() throws(Failure) -> SystemFile {
    // A name that has become a link's, or a pipe's, is not opened.
    guard try SystemPath.status(of: path, followingLinks: false)?.stamp == stamp else { throw hasChanged }
    let file = try SystemFile(readingNoLink: path)
    try check(file)
    return file
  }

  /// Makes sure that an open file is still the one that was listed.
  func check(_ file: borrowing SystemFile) throws(Failure) {
    guard try file.status().stamp == stamp else { throw hasChanged }
  }

  fileprivate func read() throws(Failure) -> [UInt8] {
    guard stamp.size <= sizeLimit else { throw Failure(.overBudget(.tokenBytes(sizeLimit))) }
    let file = try open()
    var bytes: [UInt8] = []
    try file.forEachChunk { chunk throws(Failure) in bytes.append(copying: chunk) }
    try check(file)
    return bytes
  }
}

extension PackagedFile {
  /// The bytes of a file on disk one piece after the other, all of one size but the last. They are not kept.
  struct Pieces: ~Copyable {
    private static let size = 1 << 16

    private let place: Place
    private let file: SystemFile

    init(of place: Place) throws(Failure) {
      self.place = place
      file = try place.open()
    }

    /// The next piece; none at the end, when the file is still the one that was listed.
    borrowing func next() throws(Failure) -> [UInt8] {
      let piece = try file.read(upTo: Self.size)
      if piece.isEmpty { try place.check(file) }
      return piece
    }
  }
}
