/// A format of compressed data.
///
///     Compression.ofFile(named: "people.xml.gz")     // .gzip
///     Compression.of([0x1f, 0x8b, 8, 0])             // .gzip
public enum Compression: String, CaseIterable, Sendable {
  /// The format of gzip (RFC 1952).
  case gzip
  /// The format of zlib (RFC 1950), which is used inside other files.
  case zlib
  /// The format of zstd (RFC 8878).
  case zstd
  /// The format of xz.
  case xz

  /// The file extensions of the format without a dot, the preferred one first.
  public var extensions: [String] {
    switch self {
    case .gzip: ["gz", "gzip"]
    case .zlib: ["zz", "zlib"]
    case .zstd: ["zst", "zstd"]
    case .xz: ["xz"]
    }
  }

  /// True if this build of Ferry reads and writes the format. It may lack zstd and xz, which the package traits `Zstd`
  /// and `XZ` control.
  public var isSupported: Bool {
    switch self {
    case .gzip, .zlib: true
    case .zstd: PackageTraits.hasZstd
    case .xz: PackageTraits.hasXZ
    }
  }

  /// Returns the compression that the extension of a file name shows, or nil.
  public static func ofFile(named name: String) -> Compression? { split(name).compression }

  /// Returns a file name without the extension of a compression: `people.xml` for `people.xml.gz`.
  public static func nameInside(_ name: String) -> String { split(name).name }

  /// Returns a file name without the extension of ZIP archives: `Things.mystuff` for `Things.mystuff.zip`. Returns nil if it has another one.
  package static func nameInsideZIP(_ name: String) -> String? {
    guard let parts = dividedAtExtension(name), parts.fileExtension.equals("zip") else { return nil }
    return String(parts.name)
  }

  private static func split(_ name: String) -> (name: String, compression: Compression?) {
    guard let parts = dividedAtExtension(name), let compression = ofExtension(parts.fileExtension) else {
      return (name, nil)
    }
    return (String(parts.name), compression)
  }

  /// Returns the compression with a file extension in lowercase, or nil.
  static func ofExtension(_ fileExtension: String) -> Compression? {
    allExtensions.first { $0.fileExtension == fileExtension }?.compression
  }

  private static let allExtensions = allCases.flatMap { compression in
    compression.extensions.map { (fileExtension: $0, compression: compression) }
  }

  /// Returns a file name without its extension, and the extension in lowercase; nil if it has none. The extension of a path whose last period
  /// is in the name of a folder contains a slash.
  static func dividedAtExtension(_ name: String) -> (name: Substring, fileExtension: String)? {
    let bytes = name.utf8
    guard let point = bytes.lastIndex(of: UInt8(ascii: ".")), point != bytes.startIndex,
      bytes[bytes.index(before: point)] != UInt8(ascii: "/")
    else { return nil }
    return (name[..<point], name[bytes.index(after: point)...].lowercased())
  }
}

// MARK: - Recognition

extension Compression {
  /// Returns the compression of data from its first bytes, or nil if they are not those of compressed data.
  public static func of(_ head: [UInt8]) -> Compression? {
    if FileSignature.gzip.begins(head) { return .gzip }
    if FileSignature.xz.begins(head) { return .xz }
    if FileSignature.zstd.begins(head) || isSkippableFrame(head) { return .zstd }
    return isZlib(head) ? .zlib : nil
  }

  /// Returns true if the next bytes of an input decide whether it is compressed.
  static func isOpen(_ head: [UInt8]) -> Bool {
    guard let first = head.first else { return true }
    let files: [FileSignature] = [.gzip, .xz, .zstd, .zip, .emptyZIP]
    let frames: [[UInt8]] = [
      [0x50 | first & 0x0f] + skippableFrame, [0x78, 0x01, 0], [0x78, 0x5e, 0], [0x78, 0x9c, 0],
      [0x78, 0xda, 0],
    ]
    return files.contains { $0.isOpen(head) }
      || frames.contains { head.count < $0.count && $0.starts(with: head) }
  }

  /// The bytes of a frame of zstd without content after its first byte.
  private static let skippableFrame: [UInt8] = [0x2a, 0x4d, 0x18]

  /// True if the bytes begin a frame of zstd without content, which may precede others.
  private static func isSkippableFrame(_ head: [UInt8]) -> Bool {
    head.count >= 4 && head[0] & 0xf0 == 0x50 && head[1...3].elementsEqual(skippableFrame)
  }

  /// True if the bytes begin data in the format of zlib with its usual window. The first two bytes of the data may also be
  /// the text `x^`; then the bytes after them decide.
  private static func isZlib(_ head: [UInt8]) -> Bool {
    guard head.count > 2, head[0] == 0x78 else { return false }
    switch head[1] {
    case 0x01, 0x9c, 0xda: return true
    case 0x5e: return Zlib.isZlib(head)
    default: return false
    }
  }

  /// True if a byte can begin another member or frame after the end of the first.
  func canBeginMember(with byte: UInt8) -> Bool {
    switch self {
    case .gzip: byte == FileSignature.gzip.bytes.first
    case .zlib: false
    case .zstd: byte == FileSignature.zstd.bytes.first || byte & 0xf0 == 0x50
    case .xz: byte == FileSignature.xz.bytes.first
    }
  }

  /// The divisor of the number of zeros that may follow a member; nil if none may.
  var paddingUnit: Int? {
    switch self {
    case .gzip: 1
    case .xz: 4
    case .zlib, .zstd: nil
    }
  }
}
