/// A problem in a package, that is, a folder that acts as one document.
public enum PackageProblem: Hashable, Sendable {
  /// A folder that is not a package of a known type, with the known types.
  case unknownType(known: [String])
  /// An unknown document type, with the known types. `DocumentTypes` can be read from a file with others.
  case noSuchType(String, known: [String])
  /// The file with the records is missing.
  case noMainFile(String)
  /// A record names a file that does not exist in the package.
  case noFile(String)
  /// A record to be written to a package names a file that was not found.
  case noAttachment(String)
  /// Two records have different files with the same name.
  case differentFiles(String)
  /// A file name that is invalid in a package, and the reason.
  case badName(String, String)
  /// An entry of a package that is not a file, folder or symbolic link.
  case otherKind(String)
  /// A symbolic link was found instead of a file.
  case isLink(String)
  /// A folder was found instead of a file.
  case isFolder(String)
  /// A file with the extension of PNG images that is not a PNG image.
  case notPNG(String)
  /// Files that another program has changed, added or removed since the package was read.
  case changed([String])
  /// An existing folder that does not look like a package of this kind.
  case notAPackage
  /// A package consists of several files, but the output is a single file.
  case needsPath
  /// The output is inside of a package that the command reads.
  case outputInside(String)
  /// A package in a ZIP archive, which cannot be written as a whole. The extension of such packages.
  case inArchive(String)
  /// A version of a document is a package in a ZIP archive, but the version to merge it with is a file.
  case onlyWithPackages
  /// Files are to be extracted from a package, but the input is a file.
  case nothingToExtract
}

extension PackageProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .unknownType(let known):
      "this folder is not a known package (known: \(known.joined(separator: ", ")))"
    case .noSuchType(let name, let known):
      "unknown document type \(MessageText.quoted(name)) (known: \(known.joined(separator: ", ")))"
    case .noMainFile(let name): "the package has no \(name), the file with its records"
    case .noFile(let name): "the package has no file \(MessageText.quoted(name))"
    case .noAttachment(let name):
      "the file \(MessageText.quoted(name)), which a record names, does not exist"
    case .differentFiles(let name): "two records have different files named \(MessageText.quoted(name))"
    case .badName(let name, let why): "\(MessageText.quoted(name)) cannot be a file of a package: \(why)"
    case .otherKind(let name):
      "\(MessageText.quoted(name)) is not a file, folder or symbolic link, and cannot be part of a package"
    case .isLink(let name): "\(MessageText.quoted(name)) is a symbolic link, which is not followed"
    case .isFolder(let name): "\(MessageText.quoted(name)) is a folder"
    case .notPNG(let name): "\(MessageText.quoted(name)) is not a PNG image"
    case .changed(let names):
      "another program has changed \(Self.list(names)) since the package was read"
    case .notAPackage:
      "a folder that is not a package of this type exists there, and is never replaced (choose another path)"
    case .needsPath: "a package cannot be written to the standard output"
    case .outputInside(let name):
      "the output is inside \(MessageText.quoted(name)), which is an input (choose another path)"
    case .inArchive: "a package in a ZIP archive cannot be written as a whole"
    case .onlyWithPackages: "a package can be merged only with packages"
    case .nothingToExtract: "files can be extracted from a package, and this is not a package"
    }
  }

  /// Returns the first names, in quotation marks, and the number of the others.
  static func list(_ names: [String]) -> String {
    let shown = names.prefix(3).map { MessageText.quoted($0) }.joined(separator: ", ")
    return names.count > 3 ? "\(shown) and \(names.count - 3) more" : shown
  }
}

extension PackageProblem {
  /// The stable identifier of the problem for programs. It never changes.
  var code: String {
    switch self {
    case .unknownType: "unknown-type"
    case .noSuchType: "no-such-type"
    case .noMainFile: "no-main-file"
    case .noFile: "no-file"
    case .noAttachment: "no-attachment"
    case .differentFiles: "different-files"
    case .badName: "bad-name"
    case .otherKind: "other-kind"
    case .isLink: "is-link"
    case .isFolder: "is-folder"
    case .notPNG: "not-png"
    case .changed: "changed"
    case .notAPackage: "not-a-package"
    case .needsPath: "needs-path"
    case .outputInside: "output-inside"
    case .inArchive: "in-archive"
    case .onlyWithPackages: "only-with-packages"
    case .nothingToExtract: "nothing-to-extract"
    }
  }
}
