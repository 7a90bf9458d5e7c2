/// The formats that document types declare for their files. A file of such a type is read in its format although its content or its name
/// looks like another one, because texts of many formats look alike.
///
///     f.memo: "- id: 1"      YAML if the type declares it, although JSON may begin with a minus sign
///     f.memo: bplist00…      a binary property list, which no YAML begins like
package struct DeclaredFormats: Sendable {
  /// The files with the records of the packages of a type.
  fileprivate struct Package: Sendable {
    let extensions: [String]
    let main: String
    let format: Format
  }

  /// The formats of documents that are one file, with their extensions.
  private var files: [(extensions: [String], format: Format)] = []
  private var packages: [Package] = []
  /// The format of each file, whatever its name is; nil if the names decide.
  private var ofAllFiles: Format?

  /// Creates a list without formats.
  package init() {}

  /// Creates a list with the format of each file, whatever its name is.
  package init(ofAllFiles format: Format) { ofAllFiles = format }

  /// Adds the format of documents that are one file. An extension keeps the format that it has already.
  package mutating func add(_ format: Format, extensions: [String]) { files.append((extensions, format)) }

  /// Adds the format of the files with the records of packages.
  package mutating func add(_ format: Format, ofFile main: String, inPackages extensions: [String]) {
    packages.append(Package(extensions: extensions, main: main, format: format))
  }

  /// Returns the declared format of a file, or nil if no type declares one.
  func format(ofFileNamed name: String) -> Format? {
    if let ofAllFiles { return ofAllFiles }
    if let format = packages.lazy.compactMap({ $0.format(ofFileNamed: name) }).first { return format }
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

extension DeclaredFormats.Package {
  /// Returns the format of a file if it is the one with the records of such a package, which may be in a ZIP archive.
  ///
  ///     Vienna.trip/trip.yaml
  ///     Vienna.trip.zip/trip.yaml
  fileprivate func format(ofFileNamed name: String) -> Format? {
    let end = "/\(main)"
    guard name.utf8.count > end.utf8.count, name.utf8.suffix(end.utf8.count).elementsEqual(end.utf8) else {
      return nil
    }
    var folder = Array(name.utf8.dropLast(end.utf8.count))
    while folder.last == UInt8(ascii: "/") { folder.removeLast() }
    let path = folder.span.decodedString
    let archived = path.lowercased().hasSuffix(".zip") ? String(path.dropLast(4)) : path
    let isOfType = [path, archived].contains { path in
      FormatDetector.fileExtension(of: path).map(extensions.contains) ?? false
    }
    return isOfType ? format : nil
  }
}
