/// The types of documents that are known: those built in, and others, which come first.
///
///     let types = try DocumentTypes(file: "types.json")
///     types.type(ofFile: "Trip.travel")?.name      // "travel"
///     types.type(named: "things")?.extensions      // ["mystuff"]
public struct DocumentTypes: Sendable {
  /// The types in the order in which they are looked for.
  public let types: [DocumentType]

  /// The types that need no file.
  public static let builtIn = DocumentTypes([])

  /// Types, and behind them those that are built in.
  public init(_ types: [DocumentType]) { self.types = types + DocumentType.builtIn }

  /// The type of this name, or with this extension or identifier, whatever its case; nil when there is none.
  public func type(named name: String) -> DocumentType? {
    let name = name.lowercased()
    return types.first { $0.name.lowercased() == name } ?? types.first { $0.extensions.contains(name) }
      ?? types.first { $0.identifier.lowercased() == name }
  }

  /// The type whose extension a file's name has; nil when there is none.
  public func type(ofFile name: String) -> DocumentType? {
    guard let fileExtension = FormatDetector.fileExtension(of: name) else { return nil }
    return types.first { $0.extensions.contains(fileExtension) }
  }

  /// Whether a type is one of those that need no file.
  public func isBuiltIn(_ type: DocumentType) -> Bool { DocumentType.builtIn.contains(type) }

  /// The types whose documents are packages.
  public var packages: [DocumentType] { types.filter(\.isPackage) }

  /// The type of the package at a path, which is a folder.
  ///
  /// Throws `PackageProblem.unknownType`, which names the packages that are known.
  public func type(ofPackage path: String) throws(Failure) -> DocumentType {
    if let type = type(ofFile: path), type.isPackage { return type }
    throw Failure(
      .package(
        .unknownType(known: packages.map { "\($0.name) (.\($0.extensions.joined(separator: ", .")))" })))
  }

  /// The file that holds the values of the document at a path: of a package the one with its records, else the path.
  ///
  ///     try DocumentTypes.builtIn.mainFile(of: "Mine.mystuff")     // "Mine.mystuff/things.data"
  ///
  /// Throws `PackageProblem.noMainFile`, or what else has the name: a symbolic link, which may lead out of the package, is not
  /// followed, and a pipe is not waited for.
  public func mainFile(of path: String) throws(Failure) -> String {
    guard Folder.isFolder(path), let main = try type(ofPackage: path).mainName else { return path }
    let file = path.hasSuffix("/") ? path + main : "\(path)/\(main)"
    switch try SystemPath.status(of: file, followingLinks: false)?.kind {
    case .regular: return file
    case nil: throw Failure(.package(.noMainFile(main)))
    case .directory: throw Failure(.package(.isFolder(main)))
    case .link: throw Failure(.package(.isLink(main)))
    case .other: throw Failure(.package(.otherKind(main)))
    }
  }
}

extension DocumentTypes {
  /// The package whose records are in a file; nil when the file's folder is no package of a known type.
  func package(withRecordsIn file: String) -> String? {
    let folder = SystemPath.folder(of: file)
    guard let main = type(ofFile: folder)?.mainName, main.utf8.elementsEqual(SystemPath.name(of: file).utf8)
    else {
      return nil
    }
    return folder
  }
}

extension DocumentType {
  /// Whether its documents are packages.
  public var isPackage: Bool { mainName != nil }
}
