/// What can be wrong with a package: a folder that acts as one document.
public enum PackageProblem: Hashable, Sendable {
  /// A folder that is a package of no known type; those that are.
  case unknownType(known: [String])
  /// A type of document of this name is not known; those that are.
  case noSuchType(String, known: [String])
  /// The file with the package's records is not there.
  case noMainFile(String)
  /// A record names a file that the package does not have.
  case noFile(String)
  /// A record that goes into a package names a file that was not found.
  case noAttachment(String)
  /// Two records have different files of one name.
  case differentFiles(String)
  /// A name that no file of a package can have, and why.
  case badName(String, String)
  /// What stands in a package and is no file, folder or symbolic link.
  case otherKind(String)
  /// A symbolic link, where a file is needed.
  case isLink(String)
  /// A folder, where a file is needed.
  case isFolder(String)
  /// A file with the name of a PNG image that is none.
  case notPNG(String)
  /// Files that another program has changed, added or removed since the package was read.
  case changed([String])
  /// A folder stands there whose files are not those of such a package.
  case notAPackage
  /// A package, which has more than one file, where the output can be one only.
  case needsPath
  /// A file, where files are to be taken out of a package.
  case nothingToExtract
}

extension PackageProblem: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .unknownType(let known):
      "this is a folder, and no package that Ferry knows; those are \(known.joined(separator: ", "))"
        + " (--types adds others)"
    case .noSuchType(let name, let known):
      "\(quotedForMessage(name)) is no type of document that Ferry knows; those are "
        + "\(known.joined(separator: ", ")) (--types adds others)"
    case .noMainFile(let name): "the package has no \(name), where its records are"
    case .noFile(let name): "the package has no file \(quotedForMessage(name))"
    case .noAttachment(let name):
      "there is no file \(quotedForMessage(name)) to put into the package (--attachments names its folder)"
    case .differentFiles(let name): "two records have different files named \(quotedForMessage(name))"
    case .badName(let name, let why): "\(quotedForMessage(name)) cannot be a file of a package: \(why)"
    case .otherKind(let name):
      "\(quotedForMessage(name)) is no file, folder or symbolic link, and cannot be part of a package"
    case .isLink(let name): "\(quotedForMessage(name)) is a symbolic link, which is not followed"
    case .isFolder(let name): "\(quotedForMessage(name)) is a folder"
    case .notPNG(let name): "\(quotedForMessage(name)) is no PNG image"
    case .changed(let names):
      "another program has changed \(Self.list(names)) since the package was read"
    case .notAPackage: "the folder that stands there is no such package, and is not replaced"
    case .needsPath: "a package is written to a path (-o names it), not to a stream"
    case .nothingToExtract: "this is no package, and --extract takes the files of one"
    }
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(3).map { quotedForMessage($0) }.joined(separator: ", ")
    return names.count > 3 ? "\(shown) and \(names.count - 3) more" : shown
  }
}
