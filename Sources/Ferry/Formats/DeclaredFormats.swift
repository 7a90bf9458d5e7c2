/// The formats that document types declare for their files. A file of such a type is read in its format although its content or its name
/// looks like another one, because texts of many formats look alike.
///
///     f.memo: "- id: 1"      YAML if the type declares it, although JSON may begin with a minus sign
///     f.memo: bplist00…      a binary property list, which no YAML begins like
package struct DeclaredFormats: Hashable, Sendable {
  /// The formats of documents that are one file, with their extensions.
  private var files: [FileFormat] = []
  /// The formats of the files with the records of packages.
  private var mainFiles: [MainFileFormat] = []
  /// The format of each file, whatever its name is; nil if the names decide.
  private var ofAllFiles: Format?

  /// The format of the files with some extensions.
  private struct FileFormat: Hashable, Sendable {
    let extensions: [String]
    let format: Format
  }

  /// The format of the file with the records of packages.
  private struct MainFileFormat: Hashable, Sendable {
    let file: PackageMainFile
    let format: Format
  }

  /// Creates a list without formats.
  package init() {}

  /// Creates a list with the format of each file, whatever its name is.
  package init(ofAllFiles format: Format) { ofAllFiles = format }

  /// Adds the format of documents that are one file. An extension keeps the format that it has already.
  package mutating func add(_ format: Format, extensions: [String]) {
    files.append(FileFormat(extensions: extensions, format: format))
  }

  /// Adds the format of the files with the records of packages.
  mutating func add(_ format: Format, of file: PackageMainFile) {
    mainFiles.append(MainFileFormat(file: file, format: format))
  }

  /// Returns the declared format of a file, by its path; nil if no type declares one.
  func format(ofFileNamed name: String) -> Format? {
    if let ofAllFiles { return ofAllFiles }
    if let found = mainFiles.first(where: { $0.file.package(ofFileNamed: name) != nil }) {
      return found.format
    }
    guard !files.isEmpty, let fileExtension = FormatDetector.fileExtension(of: name) else { return nil }
    return files.first { $0.extensions.contains(fileExtension) }?.format
  }

  /// Returns the format in which a file is read because a type declares it; nil if the content and the name decide, because no type
  /// declares a format, or because the first bytes are those of another one.
  ///
  /// - Parameters:
  ///   - head: The first bytes of the file, without compression.
  ///   - name: The name of the file.
  func format(of head: [UInt8], named name: String?) -> Format? {
    guard let declared = ofAllFiles ?? name.flatMap({ self.format(ofFileNamed: $0) }),
      FormatDetector(head: head, name: name).allows(declared)
    else { return nil }
    return declared
  }
}

/// The name of the file with the records of packages, and the extensions of these packages.
struct PackageMainFile: Hashable, Sendable {
  let name: String
  let extensions: [String]

  /// Returns the path of the package if a file is the one with the records of such a package; otherwise nil.
  ///
  ///     Vienna.trip/trip.yaml
  ///     trip.yaml, ./trip.yaml      in the folder Vienna.trip
  func package(ofFileNamed path: String) -> String? {
    if let package = folder(beforeNameIn: path) { return package }
    let last = SystemPath.name(of: path)
    // The folder is looked up only for a file with the right name.
    guard last.equals(SystemPath.name(of: name)),
      let folder = SystemPath.resolved(SystemPath.folder(of: path))
    else { return nil }
    return self.folder(beforeNameIn: "\(folder)/\(last)")
  }

  private func folder(beforeNameIn path: String) -> String? {
    let end = "/\(name)"
    guard path.utf8.count > end.utf8.count, path.utf8.suffix(end.utf8.count).elementsEqual(end.utf8) else {
      return nil
    }
    var folder = Array(path.utf8.dropLast(end.utf8.count))
    while folder.last == UInt8(ascii: "/") { folder.removeLast() }
    let package = folder.span.decodedString
    guard let found = FormatDetector.fileExtension(of: package), extensions.contains(found) else {
      return nil
    }
    return package
  }
}
