/// The files of a package that its records name, collected while the records are converted.
final class NamedFiles {
  private let package: DocumentPackage
  /// The name of the file with the records, which no record can name.
  private let main: String?
  private let placing: PackagedFiles
  private(set) var names: Set<ExactString> = []
  private(set) var ordered: [String] = []

  init(of package: DocumentPackage, _ type: DocumentType, _ placing: PackagedFiles) {
    (self.package, main) = (package, type.mainName)
    self.placing = placing
  }

  /// Returns an adapter that adds the files to the records. It runs before the records are mapped.
  func adapter(_ fields: FileFields) -> (any ValueSink, RecordDialect) -> any ValueSink {
    { sink, dialect in
      FilesIntoRecords(fields, from: dialect, into: sink) { name throws(FerryError) in
        let bytes = try self.bytes(of: name)
        return self.placing == .inRecords ? bytes : nil
      }
    }
  }

  /// Checks a file that a record names as `bytes(of:)` does, without reading all of it.
  func check(_ name: String) throws(FerryError) {
    try PackagePath.check(name, besides: main)
    guard let head = try package.head(of: name) else { throw FerryError(.package(.noFile(name))) }
    try PackagedImage.check(head, named: name)
  }

  /// Returns the bytes of a file that a record names.
  ///
  /// - Throws: A `FerryError` with the reason `PackageProblem.noFile`, `badName`, `isLink`, `isFolder` or `notPNG`; or an error of the
  ///   system.
  func bytes(of name: String) throws(FerryError) -> [UInt8] {
    try PackagePath.check(name, besides: main)
    guard let bytes = try package.bytes(of: name) else { throw FerryError(.package(.noFile(name))) }
    try PackagedImage.check(bytes, named: name)
    if names.insert(name).inserted { ordered.append(name) }
    return bytes
  }
}
