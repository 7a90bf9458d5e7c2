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

/// The files of the package that a conversion builds.
final class CollectedFiles: FilesOutOfRecords.Destination {
  var package: Package
  private let main: String
  private let attachment: (String) throws(FerryError) -> [UInt8]?

  init(besides main: String, budget: Budget, attachment: @escaping (String) throws(FerryError) -> [UInt8]?) {
    package = Package(budget: budget)
    self.main = main
    self.attachment = attachment
  }

  func put(_ bytes: [UInt8], named name: String) throws(FerryError) {
    try check(name)
    try PackagedImage.check(bytes, named: name)
    if let existing = try package.bytes(of: name) {
      guard existing == bytes else { throw FerryError(.package(.differentFiles(name))) }
      return
    }
    package.set(bytes, named: name)
  }

  func add(_ bytes: [UInt8], for field: String) throws(FerryError) -> String {
    package.add(bytes, preferredName: PackagedImage.isPNG(bytes) ? "\(field).png" : field)
  }

  func attach(named name: String) throws(FerryError) {
    try check(name)
    guard try package.bytes(of: name) == nil else { return }
    guard let bytes = try attachment(name) else { throw FerryError(.package(.noAttachment(name))) }
    try put(bytes, named: name)
  }

  private func check(_ name: String) throws(FerryError) {
    try PackagePath.check(name)
    guard !name.equals(main) else { throw FerryError(.package(.badName(name, "the records are in it"))) }
  }
}

/// A check of the images in packages.
enum PackagedImage {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// Returns true if bytes begin with the signature of a PNG image.
  static func isPNG(_ bytes: [UInt8]) -> Bool { bytes.starts(with: signature) }

  /// Throws if a file with the extension `png` does not begin with the PNG signature. The rest of the file is
  /// not checked.
  static func check(_ bytes: [UInt8], named name: String) throws(FerryError) {
    guard FormatDetector.fileExtension(of: name) != "png" || isPNG(bytes) else {
      throw FerryError(.package(.notPNG(name)))
    }
  }
}
