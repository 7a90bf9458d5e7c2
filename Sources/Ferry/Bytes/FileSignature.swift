/// The first bytes of the files of a kind. This is the only list of them; `Typedstream.ByteOrder` has those of typedstreams.
///
///     FileSignature.png.begins(bytes.span)     // true if the bytes begin like a PNG image
package struct FileSignature: Sendable {
  /// The bytes at the start of a file.
  package let bytes: [UInt8]

  private init(_ bytes: [UInt8]) { self.bytes = bytes }
  private init(_ text: String) { bytes = Array(text.utf8) }

  /// Returns true if a file begins with the signature.
  func begins(_ file: Span<UInt8>) -> Bool {
    file.count >= bytes.count && file.extracting(first: bytes.count).equals(bytes.span)
  }

  /// Returns true if a file begins with the signature.
  func begins(_ file: [UInt8]) -> Bool { begins(file.span) }

  /// Returns true if the first bytes of a file are the start of the signature, and more bytes decide.
  func isOpen(_ head: [UInt8]) -> Bool { head.count < bytes.count && bytes.starts(with: head) }
}

// MARK: - Documents

extension FileSignature {
  /// The signature of a binary property list, which the two digits of its version follow.
  package static let binaryPropertyList = FileSignature("bplist")
  /// The signature of a compiled interface.
  static let nibArchive = FileSignature("NIBArchive")
  /// The signature of an SQLite database.
  static let sqlite = FileSignature("SQLite format 3\0")
  /// The signature of a PDF document.
  static let pdf = FileSignature("%PDF")
}

// MARK: - Pictures

extension FileSignature {
  /// The signature of PNG. The line ends in it show whether a transfer has changed line ends.
  static let png = FileSignature([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  /// The signature of a PNG picture up to its line ends, so that a picture with changed line ends is named, too.
  static let damagedPNG = FileSignature(Array(png.bytes.prefix(4)))
  /// The signature of JPEG.
  static let jpeg = FileSignature([0xff, 0xd8, 0xff])
  /// The signature of GIF, which the version follows.
  static let gif = FileSignature("GIF8")
}

// MARK: - Compressed data

extension FileSignature {
  /// The signature of gzip.
  static let gzip = FileSignature([0x1f, 0x8b])
  /// The signature of gzip, and the number of its only compression.
  static let deflatedGzip = FileSignature(gzip.bytes + [8])
  /// The signature of xz.
  static let xz = FileSignature([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])
  /// The signature of a frame of zstd with content.
  static let zstd = FileSignature([0x28, 0xb5, 0x2f, 0xfd])
  /// The signature of a ZIP archive with files.
  static let zip = FileSignature([0x50, 0x4b, 0x03, 0x04])
  /// The signature of a ZIP archive without files.
  static let emptyZIP = FileSignature([0x50, 0x4b, 0x05, 0x06])
}
