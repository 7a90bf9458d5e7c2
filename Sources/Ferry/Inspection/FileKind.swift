/// The kind of a file as detected from its bytes. The raw value is its name in `ferry inspect --json`: that of the `Format`, if there is one.
///
///     FileKind(of: bytes.span)     // .archive for a keyed archive, .png for an image, nil for other data
public enum FileKind: String, CaseIterable, Sendable {
  /// A keyed archive in a binary property list.
  case archive
  /// A keyed archive in an XML property list.
  case xmlArchive = "archive-xml"
  /// A binary property list that is not an archive.
  case binaryPropertyList = "plist-binary"
  /// An XML property list that is not an archive.
  case xmlPropertyList = "plist-xml"
  /// JSON.
  case json
  /// XML that is not a property list.
  case xml
  /// A typedstream.
  case typedstream
  /// A compiled interface (`NIBArchive`).
  case nibArchive = "nib"
  /// A picture in PNG.
  case png
  /// A picture in JPEG.
  case jpeg
  /// A picture in GIF.
  case gif
  /// A picture in TIFF.
  case tiff
  /// A picture in HEIC.
  case heic
  /// A picture in WebP.
  case webp
  /// An icon of macOS in several sizes.
  case icns
  /// A PDF document.
  case pdf
  /// A ZIP archive.
  case zip
  /// A file that gzip has compressed.
  case gzip
  /// An SQLite database.
  case sqlite
  /// A bookmark of macOS, which refers to a file.
  case bookmark

  /// Detects the kind of a file. Fails if the bytes have no known signature.
  ///
  ///     FileKind(of: Array("[1]".utf8))      // .json
  ///
  /// Takes as much time as for a `Span`.
  public init?(of bytes: [UInt8]) { self.init(of: bytes.span) }

  /// Detects the kind of a file. Fails if the bytes have no known signature.
  ///
  /// Takes time proportional to the bytes: a binary property list is opened to see whether it is an archive,
  /// and JSON is read to its end, because any text may begin like JSON.
  public init?(of bytes: Span<UInt8>) {
    if let format = Format.detect(data: bytes), let kind = FileKind(rawValue: format.rawValue) {
      guard let found = kind.confirmed(by: bytes) else { return nil }
      self = found
    } else if let kind = Self.signatures.first(where: { $0.signature.begins(bytes) })?.kind {
      self = kind
    } else {
      return nil
    }
  }

  /// The signatures of the kinds that are not formats.
  private static let signatures: [(signature: FileSignature, kind: FileKind)] = [
    (.png, .png), (.jpeg, .jpeg), (.gif, .gif), (.pdf, .pdf), (.deflatedGzip, .gzip), (.tiff, .tiff),
    (.bigEndianTIFF, .tiff), (.heic, .heic), (.webp, .webp), (.icns, .icns), (.bookmark, .bookmark),
  ]

  /// Returns the kind of a file whose format was detected by its first bytes, which the rest may not confirm. Returns nil for another text.
  private func confirmed(by bytes: Span<UInt8>) -> FileKind? {
    switch self {
    case .binaryPropertyList: return Self.isArchive(bytes) ? .archive : .binaryPropertyList
    case .xmlArchive:
      let isArchive = (try? PropertyListTree(xml: bytes, budget: .detection).isKeyedArchive) ?? true
      return isArchive ? .xmlArchive : .xmlPropertyList
    case .typedstream: return Typedstream.beginsSupported(bytes) ? self : nil
    case .json:
      return (try? JSONReader(into: NullSink(), budget: .detection).readAll(bytes)) == nil ? nil : self
    // Many kinds of text begin with `<`, but only XML begins with an XML declaration.
    case .xml: return bytes.starts(with: "<?xml") ? self : nil
    default: return self
    }
  }

  private static func isArchive(_ bytes: Span<UInt8>) -> Bool {
    guard let list = try? BinaryPropertyList([UInt8](copying: bytes), budget: .detection) else {
      return false
    }
    return (try? list.isKeyedArchive) ?? false
  }
}

extension FileKind {
  /// The kind in words, with an article: `a PNG image`.
  public var summary: String {
    switch self {
    case .archive: "a keyed archive"
    case .xmlArchive: "a keyed archive in XML"
    case .binaryPropertyList: "a binary property list"
    case .xmlPropertyList: "an XML property list"
    case .json: "JSON"
    case .xml: "XML"
    case .typedstream: "a typedstream"
    case .nibArchive: "a NIBArchive"
    case .png: "a PNG image"
    case .jpeg: "a JPEG image"
    case .gif: "a GIF image"
    case .tiff: "a TIFF image"
    case .heic: "a HEIC image"
    case .webp: "a WebP image"
    case .icns: "an icon"
    case .pdf: "a PDF document"
    case .zip: "a ZIP archive"
    case .gzip: "gzip data"
    case .sqlite: "an SQLite database"
    case .bookmark: "a bookmark"
    }
  }
}

extension Inspection {
  /// A file found inside a data value.
  public struct Blob: Hashable, Sendable {
    /// The kind of the file.
    public internal(set) var kind: FileKind
    /// The size of the file in bytes.
    public internal(set) var byteCount: Int
    /// The source location of the data.
    public internal(set) var location: InputLocation
    /// The path of the data; in an archive, the path in its raw property list.
    public internal(set) var path: ValuePath
    /// The inspection of the file, or nil if nested files are not inspected or Ferry cannot read this kind.
    public internal(set) var inspection: Inspection?
  }

  /// The files found inside data values.
  public struct Blobs: Hashable, Sendable {
    /// The number of files of each kind.
    public private(set) var counts = Tally<FileKind>()
    /// The total number of bytes.
    public private(set) var byteCount = 0
    /// The first files, with their paths.
    public private(set) var first: [Blob] = []
    private static let limit = 200

    /// True if there are no files.
    public var isEmpty: Bool { counts.isEmpty }

    /// True if the next file will be listed in `first`.
    var listsNext: Bool { first.count < Self.limit }

    mutating func add(
      _ kind: FileKind, byteCount: Int, at location: InputLocation, path: ValuePath,
      _ inspection: Inspection? = nil
    ) {
      counts.add(kind)
      self.byteCount += byteCount
      guard listsNext else { return }
      first.append(
        Blob(kind: kind, byteCount: byteCount, location: location, path: path, inspection: inspection))
    }
  }
}
