/// The known document types: additional types, followed by the built-in ones.
///
///     let types = try DocumentTypes(file: "types.json")
///     types.type(ofFile: "Trip.travel")?.name      // "travel"
///     types.type(named: "things")?.extensions      // ["mystuff"]
public struct DocumentTypes: Hashable, Sendable {
  /// The types, in search order. The first match wins.
  public let types: [DocumentType]

  /// The formats that the types declare for their files, except the built-in types, whose files show their formats.
  package let declaredFormats: DeclaredFormats

  /// The paths of the schema files that the files with the types name.
  package internal(set) var schemaFiles: [String] = []

  /// The built-in types.
  public static let builtIn = DocumentTypes([])

  /// Creates a list of the given types followed by the built-in ones.
  public init(_ types: [DocumentType]) {
    self.types = types + DocumentType.builtIn
    var declared = DeclaredFormats()
    for type in types where !DocumentType.builtIn.contains(type) {
      switch type.layout {
      case .file(let format): declared.add(format, extensions: type.extensions)
      case .package(_, let format, _):
        if let file = type.mainFile { declared.add(format, of: file) }
      }
    }
    declaredFormats = declared
  }

  /// Returns the type with this name, extension or identifier, ignoring case, or nil if there is none.
  public func type(named name: String) -> DocumentType? {
    let name = name.lowercased()
    return types.first { $0.name.lowercased() == name } ?? types.first { $0.extensions.contains(name) }
      ?? types.first { $0.identifier.lowercased() == name }
  }

  /// Returns the type with the extension of a file name, or nil if there is none.
  public func type(ofFile name: String) -> DocumentType? {
    guard let fileExtension = FormatDetector.fileExtension(of: name) else { return nil }
    return types.first { $0.extensions.contains(fileExtension) }
  }

  /// Returns true if a file name has the extension of a format that holds values, or of a type of such documents: no single text
  /// or picture.
  package func hasValues(inFileNamed name: String) -> Bool {
    switch type(ofFile: name)?.layout {
    case .file(let format): !format.isSingle
    case .package: true
    case nil: Format.ofFile(named: name)?.isSingle == false
    }
  }

  /// Returns true if a type is built in.
  public func isBuiltIn(_ type: DocumentType) -> Bool { DocumentType.builtIn.contains(type) }

  /// The types whose documents are packages.
  public var packages: [DocumentType] { types.filter(\.isPackage) }

  /// Returns the type of the package at a path, by its extension.
  ///
  /// - Throws: A `FerryError` with the reason `PackageProblem.unknownType`, which names the known packages.
  public func type(ofPackage path: String) throws(FerryError) -> DocumentType {
    if let type = type(ofFile: path), type.isPackage { return type }
    throw FerryError(
      .package(
        .unknownType(known: packages.map { "\($0.name) (.\($0.extensions.joined(separator: ", .")))" })))
  }

  /// Returns the path of the file that holds a document's values: the file with the records if the document
  /// is a package, otherwise `path` itself.
  ///
  ///     try DocumentTypes.builtIn.mainFile(of: "Mine.mystuff")     // "Mine.mystuff/things.data"
  ///
  /// - Throws: A `FerryError` with the reason `PackageProblem.noMainFile`, or an error if the main file is a symbolic link or a pipe. A
  ///   link is not followed because it may lead out of the package.
  public func mainFile(of path: String) throws(FerryError) -> String {
    guard Folder.isFolder(path), let main = try type(ofPackage: path).mainName else { return path }
    let file = path.hasSuffix("/") ? path + main : "\(path)/\(main)"
    switch try SystemPath.status(of: file, followingLinks: false)?.kind {
    case .regular: return file
    case nil: throw FerryError(.package(.noMainFile(main)))
    case .directory: throw FerryError(.package(.isFolder(main)))
    case .link: throw FerryError(.package(.isLink(main)))
    case .other: throw FerryError(.package(.otherKind(main)))
    }
  }
}

extension DocumentTypes {
  /// Returns the path of the package whose records a file holds, with its type; nil if the file is not in a package of a known type.
  func package(withRecordsIn file: String) -> (path: String, type: DocumentType)? {
    for type in packages {
      // Another type of packages may have the extension, too.
      guard let path = type.mainFile?.package(ofFileNamed: file), self.type(ofFile: path) == type else {
        continue
      }
      return (path, type)
    }
    return nil
  }

  /// Returns the type of a document: by its extension, or that of the package whose records the file holds. Returns nil if no type
  /// is known.
  ///
  ///     types.type(ofDocument: "Vienna.trip/trip.yaml")?.name     // "trip"
  func type(ofDocument path: String) -> DocumentType? {
    package(withRecordsIn: path)?.type ?? type(ofFile: path)
  }

  /// Returns the type that a user has described for a document. Returns nil for a document of a built-in type, whose records show what
  /// they are.
  package func declaredType(ofDocument path: String) -> DocumentType? {
    guard types.count > DocumentType.builtIn.count else { return nil }
    return type(ofDocument: path).flatMap { isBuiltIn($0) ? nil : $0 }
  }
}

extension DocumentType {
  /// True if documents of this type are packages.
  public var isPackage: Bool { mainName != nil }

  /// The file with the records of packages of this type; nil if its documents are single files.
  var mainFile: PackageMainFile? { mainName.map { PackageMainFile(name: $0, extensions: extensions) } }
}
