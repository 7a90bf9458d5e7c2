/// The contents of a document on disk: the bytes of one file, or a package.
public enum DocumentContents: Sendable {
  case file([UInt8])
  case package(DocumentPackage)
}
