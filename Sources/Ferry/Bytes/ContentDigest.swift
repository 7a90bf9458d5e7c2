/// A number that stands for the contents of a file, to tell in this process whether they are still the same. Each process
/// has other numbers, so that nobody can prepare two files with the same one.
struct ContentDigest: Equatable, Sendable {
  private let value: Int

  init(of bytes: [UInt8]) {
    var hasher = Hasher()
    hasher.combine(span: bytes.span)
    value = hasher.finalize()
  }

  /// The contents of a file now; a symbolic link is not followed, and a pipe not waited for.
  init(ofFile path: String) throws(Failure) {
    var hasher = Hasher()
    let file = try SystemFile(readingNoLink: path)
    try file.forEachChunk { chunk throws(Failure) in hasher.combine(span: chunk) }
    value = hasher.finalize()
  }
}
