/// The contents of a document on disk: the bytes of one file, or a package.
public enum DocumentContents: Sendable {
  /// The bytes of a file.
  case file([UInt8])
  /// A package: a folder with the files of a document.
  case package(DocumentPackage)
}
