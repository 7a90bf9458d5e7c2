/// A file of signed data (RFC 5652) around contents, with a certificate and a signature of zeros, which nothing verifies.
public struct SignedFile {
  /// An encoding of the lengths and the contents.
  public enum Encoding: CaseIterable, Sendable {
    /// All lengths are known.
    case der
    /// The ends of elements are marked, and the contents are in strings of 7 bytes.
    case ber
  }

  private let encoding: Encoding
  /// The bytes of the file.
  public private(set) var bytes: [UInt8] = []

  /// Creates a file.
  ///
  /// - Parameter contents: The contents; nil for a signature without the contents that were signed.
  public init(_ contents: [UInt8]?, _ encoding: Encoding = .der) {
    self.encoding = encoding
    let sha256: [UInt8] = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
    let data = Self.identifier(1) + (contents.map { element(0xa0, string($0)) } ?? [])
    let certificate = Self.known(0xa0, Self.known(0x30, [UInt8](repeating: 0, count: 300)))
    let signedData =
      [0x02, 0x01, 0x01] + Self.known(0x31, Self.known(0x30, sha256)) + element(0x30, data) + certificate
      + Self.known(0x31, [UInt8](repeating: 0, count: 100))
    bytes = element(0x30, Self.identifier(2) + element(0xa0, element(0x30, signedData)))
  }

  /// The object identifier 1.2.840.113549.1.7.`type`.
  private static func identifier(_ type: UInt8) -> [UInt8] {
    [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, type]
  }

  private func string(_ contents: [UInt8]) -> [UInt8] {
    guard encoding == .ber else { return Self.known(0x04, contents) }
    let pieces = stride(from: 0, to: contents.count, by: 7).flatMap { start in
      Self.known(0x04, Array(contents[start..<min(start + 7, contents.count)]))
    }
    return element(0x24, pieces)
  }

  private func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    encoding == .der ? Self.known(tag, contents) : [tag, 0x80] + contents + [0, 0]
  }

  private static func known(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    let count = contents.count
    guard count >= 0x80 else { return [tag, UInt8(count)] + contents }
    return [tag, 0x82, UInt8(count >> 8), UInt8(count & 0xff)] + contents
  }
}
