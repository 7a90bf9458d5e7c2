/// The first bytes of the files of a kind. This is the only list of them; `Typedstream.ByteOrder` has those of typedstreams.
///
///     FileSignature.png.begins(bytes.span)     // true if the bytes begin like a PNG image
package struct FileSignature: Sendable {
  /// The bytes at the start of a file.
  package let bytes: [UInt8]
  /// More bytes of the signature, and their offset in the file.
  private let later: [UInt8]
  private let offset: Int

  private init(_ bytes: [UInt8], then later: [UInt8] = [], at offset: Int = 0) {
    (self.bytes, self.later, self.offset) = (bytes, later, offset)
  }
  private init(_ text: String, then later: [UInt8] = [], at offset: Int = 0) {
    self.init(Array(text.utf8), then: later, at: offset)
  }

  /// Returns true if a file begins with the signature.
  func begins(_ file: Span<UInt8>) -> Bool {
    file.count >= max(bytes.count, offset + later.count)
      && file.extracting(first: bytes.count).equals(bytes.span)
      && file.extracting(offset..<offset + later.count).equals(later.span)
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
  /// The signature of a bookmark of macOS.
  static let bookmark = FileSignature("book", then: [0, 0, 4, 0x10], at: 8)
  /// The signature of the archives of GNUstep's `NSArchiver`.
  static let gnustepArchive = FileSignature("GNUstep archive")
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
  /// The signature of TIFF with little-endian numbers.
  static let tiff = FileSignature([0x49, 0x49, 0x2a, 0])
  /// The signature of TIFF with big-endian numbers.
  static let bigEndianTIFF = FileSignature([0x4d, 0x4d, 0, 0x2a])
  /// The signature of HEIC.
  static let heic = FileSignature([], then: Array("ftyphei".utf8), at: 4)
  /// The signature of WebP.
  static let webp = FileSignature("RIFF", then: Array("WEBP".utf8), at: 8)
  /// The signature of an icon of macOS, and the first byte of its size.
  static let icns = FileSignature("icns\0")
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
  /// The signature of bzip2: of the file, and of its first block. A table may begin with the letters alone.
  static let bzip2 = FileSignature("BZh", then: [0x31, 0x41, 0x59, 0x26, 0x53, 0x59], at: 4)
  /// The signature of bzip2 without a block.
  static let emptyBzip2 = FileSignature("BZh", then: [0x17, 0x72, 0x45, 0x38, 0x50, 0x90], at: 4)
  /// The signature of lz4.
  static let lz4 = FileSignature([0x04, 0x22, 0x4d, 0x18])
  /// The signature of a ZIP archive with files.
  static let zip = FileSignature([0x50, 0x4b, 0x03, 0x04])
  /// The signature of a ZIP archive without files.
  static let emptyZIP = FileSignature([0x50, 0x4b, 0x05, 0x06])
}

// MARK: - Programs

extension FileSignature {
  /// The signature of a program of Linux.
  static let elf = FileSignature([0x7f, 0x45, 0x4c, 0x46])
  /// The signature of a program of macOS for 32 bits.
  static let machO = FileSignature([0xce, 0xfa, 0xed, 0xfe])
  /// The signature of a program of macOS for 64 bits.
  static let machO64 = FileSignature([0xcf, 0xfa, 0xed, 0xfe])
  /// The signature of a program for 32 bits with big-endian numbers.
  static let bigEndianMachO = FileSignature([0xfe, 0xed, 0xfa, 0xce])
  /// The signature of a program for 64 bits with big-endian numbers.
  static let bigEndianMachO64 = FileSignature([0xfe, 0xed, 0xfa, 0xcf])
  /// The signature of a program of macOS for several processors, and of a class of Java.
  static let universalMachO = FileSignature([0xca, 0xfe, 0xba, 0xbe])
}
