/// A digest of a file's contents, for detecting changes within this process. It is seeded for each process,
/// so nobody can prepare two files with the same digest.
struct ContentDigest: Equatable, Sendable {
  private let value: Int

  init(of bytes: [UInt8]) {
    var hasher = Hasher()
    hasher.combine(span: bytes.span)
    value = hasher.finalize()
  }

  /// Creates the digest of a file's current contents. A symbolic link is not followed, and a pipe is not
  /// waited for.
  init(ofFile path: String) throws(FerryError) {
    var hasher = Hasher()
    let file = try SystemFile(readingNoLink: path)
    try file.forEachChunk { chunk throws(FerryError) in hasher.combine(span: chunk) }
    value = hasher.finalize()
  }
}
