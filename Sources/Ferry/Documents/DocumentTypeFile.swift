/// A parser of document type declarations. Its errors contain the path of the invalid part.
///
///     { "ferry": 1, "types": [
///       { "name": "trip", "identifier": "com.example.trip", "extensions": ["trip"],
///         "schema": "trip.schema.json",
///         "layout": { "package": { "main": "trip.plist", "format": "plist-xml", "files": "photoKey" }}},
///       { "name": "team", "identifier": "com.example.team", "extensions": ["team"], "schema": "person",
///         "layout": { "file": "archive" }}]}
///
/// - Top level: `ferry` (the version of this notation, 1) and `types`.
/// - Type: `name`, `identifier`, `extensions`, `schema` (optional: the name of a built-in schema, the path of
///   a schema file relative to this file, or the schema itself) and `layout`.
/// - Layout: either `file`, a format; or `package` with `main`, the name of the file with the records, its
///   `format`, and `files` (optional), the field of a record that names another file of the package.
struct DocumentTypeFile: DescriptionPart {
  let value: Value
  let path: ValuePath
  /// The folder to which the paths of schemas are relative.
  private let folder: String

  /// Parses the types in a value.
  ///
  /// - Parameter others: The types of other files, which must not have the names and extensions of different types in this one.
  static func types(
    _ value: Value, folder: String, besides others: [DeclaredDocumentType] = []
  ) throws(FerryError) -> [DocumentType] {
    let file = DocumentTypeFile(value: value, path: ValuePath(), folder: folder)
    try file.checkFile(keys: ["types"])
    var types: [DocumentType] = []
    for element in try file.requiredList("types") {
      let type = try element.type()
      if let flaw = others.lazy.compactMap({ $0.conflict(with: type) }).first { throw element.wrong(flaw) }
      guard !types.contains(where: { $0.name == type.name }) else {
        throw element.wrong("two types are named \(type.name)")
      }
      if let taken = type.extensions.first(where: { each in types.contains { $0.extensions.contains(each) } })
      {
        throw element.wrong("two types have the extension \(taken)")
      }
      types.append(type)
    }
    return types
  }

  /// Returns the paths of the schema files that types in a value name.
  static func schemaFiles(_ value: Value, folder: String) throws(FerryError) -> [String] {
    let file = DocumentTypeFile(value: value, path: ValuePath(), folder: folder)
    return try file.requiredList("types").compactMap(\.schemaFile)
  }

  func part(_ value: Value, at path: ValuePath) -> DocumentTypeFile {
    DocumentTypeFile(value: value, path: path, folder: folder)
  }

  static func problem(_ why: String) -> RecordProblem { .badTypes(why) }

  // MARK: Types

  private func type() throws(FerryError) -> DocumentType {
    try allow(["name", "identifier", "extensions", "schema", "layout"])
    let name = try text("name", default: nil)
    let identifier = try text("identifier", default: nil)
    guard identifier.contains("."), identifier.utf8.allSatisfy(Self.belongsInIdentifier) else {
      throw try required("identifier").wrong(
        "\(MessageText.quoted(identifier)) is not an identifier such as com.example.trip")
    }
    let schema = try schema()
    return DocumentType(
      name: name, identifier: identifier, extensions: try extensions(), schema: schema,
      layout: try required("layout").layout(schema))
  }

  private static func belongsInIdentifier(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private func extensions() throws(FerryError) -> [String] {
    var extensions: [String] = []
    for element in try requiredList("extensions") {
      guard case .string(let text) = element.value, !text.isEmpty, !text.contains("."), !text.contains("/")
      else {
        throw element.wrong("an extension is letters and digits, without a point")
      }
      extensions.append(text.lowercased())
    }
    return extensions
  }

  private func schema() throws(FerryError) -> Schema? {
    guard let value = value["schema"] else { return nil }
    do throws(FerryError) {
      guard case .string(let name) = value else { return try Schema(value) }
      guard let file = schemaFile else { return try Schema(named: name) }
      guard Folder.hasSomething(at: file) else {
        throw FerryError(.record(.unknownSchema(name, known: Schema.builtIn.map(\.name))))
      }
      do throws(FerryError) { return try Schema(named: file) } catch {
        // The location is that of another file.
        guard !error.location.isEmpty else { throw error }
        throw FerryError(
          .record(.badTypes("the schema \(MessageText.quoted(name)) is not valid: \(error.located)")))
      }
    } catch {
      var error = error
      error.path.steps.insert(contentsOf: path.appending(.key("schema")).steps, at: 0)
      throw error
    }
  }

  /// The path of the schema file; nil for a built-in schema, for a schema in this file, and if there is none.
  private var schemaFile: String? {
    guard case .string(let name)? = value["schema"], !Schema.builtIn.contains(where: { $0.name == name })
    else { return nil }
    return name.hasPrefix("/") ? name : "\(folder)/\(name)"
  }

  private func layout(_ schema: Schema?) throws(FerryError) -> DocumentLayout {
    try allow(["file", "package"])
    switch (value["file"], value["package"]) {
    case (.some, nil): return .file(try format("file"))
    case (nil, .some): return try required("package").package(schema)
    default: throw wrong("a layout is either a file or a package")
    }
  }

  private func format(_ key: String) throws(FerryError) -> Format {
    let name = try text(key, default: nil)
    guard let format = Format(name: name), format.canWrite else {
      let known = Format.written.map(\.rawValue).joined(separator: ", ")
      throw try required(key).wrong("\(MessageText.quoted(name)) is not a format; those are \(known)")
    }
    return format
  }

  private func package(_ schema: Schema?) throws(FerryError) -> DocumentLayout {
    try allow(["main", "format", "files"])
    let main = try text("main", default: nil)
    if let flaw = PackagePath(main).flaw {
      throw try required("main").wrong("main is not a valid file name: \(flaw)")
    }
    let files = try text("files")
    if let files {
      let filesEntry = try required("files")
      guard let schema else { throw filesEntry.wrong("files needs a schema") }
      guard let field = schema.record.fields.first(where: { $0.name.equals(files) }), field.type == .string
      else {
        throw filesEntry.wrong("\(MessageText.quoted(files)) is not a string field of the schema")
      }
      let contents = FileFields.contentsName(of: files)
      guard
        !schema.record.fields.contains(where: { $0.name.equals(contents) || $0.archiveKey.equals(contents) })
      else {
        throw filesEntry.wrong(
          "\(MessageText.quoted(contents)) is the key for the bytes of a file, and the schema has a field with this key"
        )
      }
    }
    return .package(main: main, try format("format"), files: files)
  }
}

extension DocumentTypes {
  /// Parses the types in a value, in the notation of a type file (`Documentation/Documents.md`), and appends
  /// the built-in types. Paths of schemas are relative to `folder`.
  ///
  /// - Throws: A `FerryError` with the path of the invalid part.
  public init(_ value: Value, folder: String = ".") throws(FerryError) {
    self.init(try DocumentTypeFile.types(value, folder: folder))
  }

  /// Reads the types in a file of any format that Ferry reads, and appends the built-in types.
  ///
  /// - Throws: An error of the file, or one with the path of the invalid part.
  public init(file path: String) throws(FerryError) { try self.init(files: [path]) }

  /// Reads the types in several files of any formats that Ferry reads, joins them, and appends the built-in types. A type may be in
  /// several of the files.
  ///
  ///     let types = try DocumentTypes(files: ["trips.json", "teams.json"])
  ///
  /// - Throws: An error of a file, or one with the path of the invalid part: also if two files have different types with one name or
  ///   extension.
  public init(files paths: [String]) throws(FerryError) {
    try self.init(files: paths) { _ in }
  }

  /// Reads the types in several files.
  ///
  /// - Parameter noteSchemaFiles: Called with the paths of the schema files that a file names, before they are read.
  package init(files paths: [String], noting noteSchemaFiles: ([String]) -> Void) throws(FerryError) {
    var found: [DeclaredDocumentType] = []
    var schemaFiles: [String] = []
    for path in paths {
      let others = found
      let types: [DocumentType]
      do throws(FerryError) {
        types = try DescriptionFile.parse(path) { value throws(FerryError) in
          let folder = SystemPath.folder(of: path)
          // Reading the types throws the error of a list that is not valid.
          let named = (try? DocumentTypeFile.schemaFiles(value, folder: folder)) ?? []
          noteSchemaFiles(named)
          schemaFiles += named
          return try DocumentTypeFile.types(value, folder: folder, besides: others)
        }
      } catch {
        // The error may be in a schema file to which this one refers, but the user has given this one.
        var error = error
        error.file = path
        throw error
      }
      for (index, type) in types.enumerated() where !others.contains(where: { $0.type == type }) {
        found.append(DeclaredDocumentType(type: type, file: path, index: index))
      }
    }
    self.init(found.map(\.type))
    self.schemaFiles = schemaFiles
  }
}

/// A type of documents with its place in a file.
struct DeclaredDocumentType {
  let type: DocumentType
  let file: String
  /// The index in the list of types in the file.
  let index: Int

  /// Returns the problem with another type in another file, in words: it has the same name or extension, and differs. Nil if the two can
  /// be used together.
  func conflict(with other: DocumentType) -> String? {
    guard type != other else { return nil }
    let common: String
    if type.name == other.name {
      common = "name \(MessageText.quoted(type.name))"
    } else if let taken = type.extensions.first(where: other.extensions.contains) {
      common = "extension \(MessageText.quoted(taken))"
    } else {
      return nil
    }
    return "types[\(index)] in \(file) is another type with the \(common)"
  }
}
