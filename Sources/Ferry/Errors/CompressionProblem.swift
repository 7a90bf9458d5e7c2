/// A problem in compressed or signed data, or in a ZIP archive.
public enum CompressionProblem: Hashable, Sendable {
  /// The data is damaged, or its checksum is wrong: the reason in words.
  case damaged(Compression, String)
  /// The data ends before its end mark.
  case truncated(Compression)
  /// Other bytes follow the end of the data.
  case trailingBytes(Compression)
  /// The data begins with megabytes of names or empty frames.
  case noContent(Compression)
  /// A compression that this build does not support.
  case notInBuild(Compression)
  /// A ZIP archive is damaged: the reason in words.
  case damagedArchive(String)
  /// A file in a ZIP archive that is encrypted.
  case encryptedFile(String)
  /// A file in a ZIP archive that is compressed by a method other than deflate, by its number.
  case otherMethod(String, Int)
  /// A ZIP archive that an edit would make so large that it needs numbers of 64 bits.
  case largeArchive
  /// A ZIP archive with several files, which cannot be edited as one text.
  case severalFiles
  /// A ZIP archive of other than one file and no package, in which no names are changed.
  case notRenamed
  /// A ZIP archive, which a conversion of its files would replace.
  case archiveInPlace
  /// A file of a ZIP archive is named, but the file is not an archive.
  case notAnArchive
  /// A package, which is a folder, has a name with the extension of a compression.
  case compressedPackage(Compression)
  /// A compressed document of an app, which would be saved without the compression.
  case compressedDocument(Compression)
  /// Signed data is damaged: the reason in words.
  case damagedSignedData(String)
  /// Signed data without contents: a signature of another file.
  case noSignedContents
  /// Signed data, whose signature would not match other contents.
  case signed
}

extension CompressionProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .damaged(let compression, let how): "the \(compression.rawValue) data is damaged: \(how)"
    case .truncated(let compression): "the \(compression.rawValue) data is truncated"
    case .trailingBytes(let compression):
      "bytes that are not \(compression.rawValue) data follow the end of the \(compression.rawValue) data"
    case .noContent(let compression):
      "the \(compression.rawValue) data begins with too many bytes without content"
    case .notInBuild(let compression):
      "\(compression.rawValue) data is not supported by this build (its package trait \(compression.trait) is off)"
    case .damagedArchive(let how): "the ZIP archive is damaged: \(how)"
    case .encryptedFile(let name):
      "\(MessageText.quoted(name)) in the ZIP archive is encrypted (unzip it first)"
    case .otherMethod(let name, let method):
      "\(MessageText.quoted(name)) in the ZIP archive is compressed by method \(method), which is not supported (unzip it first)"
    case .largeArchive: "the ZIP archive would be larger than its fields of 32 bits allow"
    case .severalFiles: "a ZIP archive with several files has no text to edit as a whole"
    case .notRenamed:
      "names in a ZIP archive are changed only if it holds one file or a package (unzip it first)"
    case .archiveInPlace: "a ZIP archive is not converted in place"
    case .notAnArchive: "this is not a ZIP archive, so it has no files"
    case .compressedPackage(let compression):
      "a package is a folder, which \(compression.rawValue) cannot compress (leave out .\(compression.extensions[0]))"
    case .compressedDocument(let compression):
      "this is \(compression.rawValue) data, and a document is not changed while it is compressed (decompress it first)"
    case .damagedSignedData(let how): "the signed data is damaged: \(how)"
    case .noSignedContents: "this is a signature without the contents that were signed"
    case .signed: "the file is signed, and its signature would not match other contents"
    }
  }
}

extension CompressionProblem {
  /// The stable identifier of the problem for programs. It never changes.
  var code: String {
    switch self {
    case .damaged: "damaged"
    case .truncated: "truncated"
    case .trailingBytes: "trailing-bytes"
    case .noContent: "no-content"
    case .notInBuild: "not-in-build"
    case .damagedArchive: "damaged-archive"
    case .encryptedFile: "encrypted-file"
    case .otherMethod: "other-method"
    case .largeArchive: "large-archive"
    case .severalFiles: "several-files"
    case .notRenamed: "not-renamed"
    case .archiveInPlace: "archive-in-place"
    case .notAnArchive: "not-an-archive"
    case .compressedPackage: "compressed-package"
    case .compressedDocument: "compressed-document"
    case .damagedSignedData: "damaged-signed-data"
    case .noSignedContents: "no-signed-contents"
    case .signed: "signed"
    }
  }
}

extension Compression {
  /// The package trait that controls the compression.
  fileprivate var trait: String { self == .xz ? "XZ" : "Zstd" }
}
