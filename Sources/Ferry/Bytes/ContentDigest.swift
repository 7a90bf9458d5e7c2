/// A digest of a file's contents, for detecting changes within this process. It has a random seed for each
/// process, so that no one can prepare two files with the same digest.
package struct ContentDigest: Equatable, Sendable {
  private let value: Int

  init(of bytes: [UInt8]) {
    var hasher = Hasher()
    hasher.combine(span: bytes.span)
    value = hasher.finalize()
  }

  /// Computes the digest of an input that was not read yet.
  package init(of input: FileInput) throws(FerryError) {
    var hasher = Hasher()
    try input.forEachChunk { chunk throws(FerryError) in hasher.combine(span: chunk) }
    value = hasher.finalize()
  }

  /// Computes the digest of a file. Does not follow a symbolic link, and does not block on a pipe.
  init(ofFile path: String) throws(FerryError) {
    var hasher = Hasher()
    let file = try SystemFile(readingNoLink: path)
    try file.forEachChunk { chunk throws(FerryError) in hasher.combine(span: chunk) }
    value = hasher.finalize()
  }
}
