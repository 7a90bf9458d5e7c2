/// Signed data of the Cryptographic Message Syntax (RFC 5652), such as a provisioning profile or a signed configuration profile of Apple's
/// systems. Ferry reads its contents, and does not verify its signatures.
///
///     SEQUENCE
///       OBJECT IDENTIFIER 1.2.840.113549.1.7.2     signed data
///       [0] SEQUENCE
///         INTEGER, SET                             version, digest algorithms
///         SEQUENCE
///           OBJECT IDENTIFIER                      the type of the contents
///           [0] OCTET STRING                       the contents; missing if the signature is in a file of its own
///         …                                        certificates and signatures
///
/// The data is in DER, or in BER with lengths that are not known in advance and contents in several strings.
enum SignedData {
  /// Returns true if a file begins like signed data. No text begins like it: its object identifier contains bytes beyond ASCII that are not
  /// UTF-8.
  static func begins(_ head: [UInt8]) -> Bool {
    guard let start = startOfIdentifier(head) else { return false }
    return head.dropFirst(start).starts(with: identifier)
  }

  /// Returns true if the next bytes of an input decide whether it is signed data.
  static func isOpen(_ head: [UInt8]) -> Bool {
    guard let first = head.first, first == BERCursor.sequence else { return head.isEmpty }
    guard head.count > 1 else { return true }
    guard let start = startOfIdentifier(head), head.count < start + identifier.count else { return false }
    return identifier.starts(with: head.dropFirst(start))
  }

  /// Returns the contents of signed data.
  ///
  /// - Throws: A `FerryError` with the reason `CompressionProblem.damagedSignedData` or `noSignedContents`, and the byte offset.
  static func contents(of bytes: Span<UInt8>) throws(FerryError) -> [UInt8] {
    var contents: [UInt8] = []
    try read(bytes, into: &contents)
    return contents
  }

  /// Returns the first bytes of the contents of signed data whose end may be missing. Throws the error of damaged data only if no contents
  /// precede the damage.
  static func beginning(of bytes: Span<UInt8>, isWhole: Bool) throws(FerryError) -> [UInt8] {
    var contents: [UInt8] = []
    do throws(FerryError) { try read(bytes, into: &contents) } catch {
      guard !isWhole || !contents.isEmpty else { throw error }
    }
    return contents
  }

  private static func read(_ bytes: Span<UInt8>, into contents: inout [UInt8]) throws(FerryError) {
    var cursor = BERCursor(bytes)
    let message = try cursor.enter(BERCursor.sequence, "a sequence")
    try cursor.skipElement(of: message)
    let content = try cursor.enter(BERCursor.explicit, in: message, "its signed data")
    let data = try cursor.enter(BERCursor.sequence, in: content, "a sequence")
    for _ in 0..<2 { try cursor.skipElement(of: data) }
    let signed = try cursor.enter(BERCursor.sequence, in: data, "a sequence")
    try cursor.skipElement(of: signed)
    guard try !cursor.isAtEnd(of: signed) else {
      throw FerryError(.compression(.noSignedContents), at: InputLocation(byte: cursor.offset))
    }
    let string = try cursor.enter(BERCursor.explicit, in: signed, "its contents")
    try cursor.readString(of: string, into: &contents)
    guard try cursor.isAtEnd(of: string) else { throw cursor.damaged("it has several contents") }
    for container in [signed, data, content, message] { try cursor.skipRest(of: container) }
    guard cursor.offset <= bytes.count else { throw cursor.damaged("it is truncated") }
    guard cursor.offset == bytes.count else { throw cursor.damaged("bytes follow its end") }
  }

  /// The object identifier 1.2.840.113549.1.7.2 in DER.
  private static let identifier: [UInt8] = [
    0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02,
  ]

  /// Returns the index after the first tag and its length; nil for another tag, or for data of more than 4 GiB.
  private static func startOfIdentifier(_ head: [UInt8]) -> Int? {
    guard head.count > 1, head[0] == BERCursor.sequence, head[1] <= 0x84 else { return nil }
    return 2 + (head[1] < 0x80 ? 0 : Int(head[1] & 0x7f))
  }
}
