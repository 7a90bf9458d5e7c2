/// The files of a package that its records name, collected while the records are converted.
final class NamedFiles {
  private let package: Package
  private let placing: PackagedFiles
  private(set) var names: Set<ExactString> = []
  private(set) var ordered: [String] = []

  init(of package: Package, _ placing: PackagedFiles) {
    self.package = package
    self.placing = placing
  }

  /// Returns an adapter that adds the files to the records. It runs before the records are mapped.
  func adapter(_ fields: FileFields) -> (any ValueSink, RecordDialect) -> any ValueSink {
    { sink, dialect in
      FilesIntoRecords(fields, from: dialect, into: sink) { name throws(FerryError) in
        let bytes = try self.file(named: name)
        return self.placing == .inRecords ? bytes : nil
      }
    }
  }

  private func file(named name: String) throws(FerryError) -> [UInt8] {
    try PackagePath.check(name)
    guard let bytes = try package.bytes(of: name) else { throw FerryError(.package(.noFile(name))) }
    try PackagedImage.check(bytes, named: name)
    if names.insert(name).inserted { ordered.append(name) }
    return bytes
  }
}
