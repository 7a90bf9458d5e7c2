/// The files of the package that a conversion builds.
final class CollectedFiles: FilesOutOfRecords.Destination {
  var package: DocumentPackage
  private let main: String
  private let attachment: (String) throws(FerryError) -> [UInt8]?

  init(besides main: String, budget: Budget, attachment: @escaping (String) throws(FerryError) -> [UInt8]?) {
    package = DocumentPackage(budget: budget)
    self.main = main
    self.attachment = attachment
  }

  func put(_ bytes: [UInt8], named name: String) throws(FerryError) {
    try PackagePath.check(name, besides: main)
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
    try PackagePath.check(name, besides: main)
    guard try package.bytes(of: name) == nil else { return }
    guard let bytes = try attachment(name) else { throw FerryError(.package(.noAttachment(name))) }
    try put(bytes, named: name)
  }
}
