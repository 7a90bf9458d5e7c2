/// Makes an app's first document of data that is bundled with the app.
///
///     let seed = Seed(from: "folks.xml")
///     switch try seed.seed(at: "people.pplgrp") {
///     case .made:            // there was no document, and now there is one
///     case .exists:          // there was one, and it is as it was
///     case .added(let keys): // there was one, and it has got the records that it did not have (`addsMissing`)
///     }
///
/// The data is XML, JSON, a property list or any other format that is read; its records are checked by their schema, and
/// data that breaks it makes nothing. The document is written as a whole or not at all, and one that has come into being
/// meanwhile is never replaced. Of several seeds that add to a document at once, each finds what the others have added.
public struct Seed: Sendable {
  /// The file of the data; `-` is the standard input.
  public let source: String
  /// How records look; nil to take the schema of the document's type, else a built-in one that fits the data.
  public var schema: Schema?
  /// The field that tells records apart; nil to take the schema's.
  public var key: String?
  /// Whether records whose key a document does not have yet are added to it.
  public var addsMissing = false
  /// The data's format, where its content does not tell.
  public var sourceFormat: Format?
  /// The document's format; nil to let its type or extension tell.
  public var format: Format?
  /// Classes to be given other names, as an app's module needs it: `["Person": "MyApp.Person"]`.
  public var classNames: [String: String] = [:]
  /// The folder of the files that records of a package name; nil for the folder of the data.
  public var attachments: String?
  /// The app's own store that a Core Data store becomes a copy of.
  public var template: StoreTemplate?
  /// The types of documents that are known.
  public var types = DocumentTypes.builtIn
  public var budget = Budget()

  /// A seed of the data in a file.
  public init(from source: String) { self.source = source }

  /// What a seed did.
  public enum Outcome: Hashable, Sendable {
    /// There was no document, and it has been made; with how many records, when it holds a list.
    case made(count: Int?)
    /// There is a document, which is as it was.
    case exists
    /// The document has got the records of these keys; none when it had them all, and then it is as it was.
    case added([Value])
  }

  /// Makes the document at a path, or adds to it. What the document does not hold of the data is added to `losses`.
  ///
  /// - Throws: what is wrong, and whether with the data or with the document: a record that breaks its schema, two records
  ///   with the same key, a document that holds no list, what the system says.
  public func seed(at path: String, losses: LossReport = LossReport()) throws(SeedFailure) -> Outcome {
    let package = format == nil ? types.type(ofFile: path).flatMap { $0.isPackage ? $0 : nil } : nil
    let isThere = try isThere(path, asPackage: package != nil)
    guard !isThere || addsMissing else { return .exists }
    let bytes = try data { () throws(Failure) in try FileInput(path: source).readAll() }
    if !isThere, let made = try make(path, package, of: bytes, losses) { return made }
    guard addsMissing else { return .exists }
    // Another seed, or an app that saves the document, comes before or after what is read and written here.
    let edit = try document { () throws(Failure) in try InPlaceEdit(of: path, among: types) }
    defer { extendLifetime(edit) }
    guard let package else { return try add(bytes, to: edit, losses) }
    return try add(bytes, toPackage: path, of: package, losses)
  }

  /// Whether the document is there. What is there and can be no such document is refused: an app that was told of a document
  /// could not open it.
  private func isThere(_ path: String, asPackage isPackage: Bool) throws(SeedFailure) -> Bool {
    try document { () throws(Failure) in
      switch try SystemPath.status(of: path)?.kind {
      case nil: return false
      case .regular where isPackage: throw Failure(.file(.notADirectory))
      case .directory where !isPackage: throw Failure(.file(.isDirectory))
      case .regular, .directory: return true
      case .link, .other: throw Failure(.document(.neitherFileNorFolder))
      }
    }
  }

  // MARK: Making

  /// Makes the document; nil when something has come into being there.
  private func make(
    _ path: String, _ package: DocumentType?, of bytes: [UInt8], _ losses: LossReport
  ) throws(SeedFailure) -> Outcome? {
    if let package { return try make(packageAt: path, of: package, bytes, losses) }
    let (bytes, count) = try contents(of: bytes, for: path, losses)
    let isPut = try isNew { () throws(Failure) in
      if template != nil { try DatabaseOutput.checkNoLog(beside: path) }
      let output = try FileOutput(path: path)
      try output.write(bytes.span)
      try output.commit()
    }
    return isPut ? .made(count: count) : nil
  }

  /// The bytes of a new database: a table with the schema's types, or a Core Data store that is a copy of another.
  private func databaseContents(of bytes: [UInt8], _ losses: LossReport) throws(SeedFailure) -> [UInt8] {
    var conversion = Conversion(to: .sqlite)
    (conversion.template, conversion.schema, conversion.source) = (template, schema, sourceFormat)
    conversion.budget = budget
    let output = MemoryOutput()
    try data { () throws(Failure) in
      losses.add(try conversion.convert(MemoryInput(bytes), named: source, to: output).losses)
    }
    return output.bytes
  }

  /// The bytes of a new document, and how many records it has.
  private func contents(
    of bytes: [UInt8], for path: String, _ losses: LossReport
  ) throws(SeedFailure) -> (bytes: [UInt8], count: Int?) {
    if template != nil { return (try databaseContents(of: bytes, losses), nil) }
    let format = try document { () throws(Failure) in
      let format = try self.format(of: path)
      guard format != .sqlite || !StoreTemplate.isNeeded(forFileNamed: path) else {
        throw Failure(.database(.needsTemplate))
      }
      return format
    }
    let data = try checked(try read(bytes, as: format, for: path), format)
    let count = data.value.listElements?.count
    if format == .sqlite { return (try databaseContents(of: bytes, losses), count) }
    losses.add(data.losses)
    let bytes = try document { () throws(Failure) in
      let bytes = try files(for: path).bytes(
        of: data.value, in: format, schema: data.schema, isPretty: format == .json, losses: losses)
      try types.claiming(path, format)?.check(bytes, classNames: classNames)
      return bytes
    }
    return (bytes, count)
  }

  /// Puts a document where nothing is; false when something has come into being there.
  func isNew(_ put: () throws(Failure) -> Void) throws(SeedFailure) -> Bool {
    do throws(Failure) {
      try put()
      return true
    } catch {
      if error.reason == .file(.exists) { return false }
      throw SeedFailure(isAboutData: false, failure: error)
    }
  }

  private func format(of path: String) throws(Failure) -> Format {
    if let format { return format }
    if case .file(let format)? = types.type(ofFile: path)?.layout { return format }
    if let format = Format.ofFile(named: path) { return format }
    throw Failure(.file(.unknownTarget))
  }

  func files(for path: String) -> RecordDocumentFiles {
    let schema = schema ?? types.type(ofFile: path)?.schema
    return RecordDocumentFiles(
      schema: schema?.renamingClasses(classNames), source: sourceFormat, budget: budget)
  }

  /// The data in the shape of the document's format, checked by its schema.
  func read(_ bytes: [UInt8], as format: Format, for path: String) throws(SeedFailure) -> RecordDocument {
    try data { () throws(Failure) in
      try files(for: path).read(bytes, named: source, as: format, mapping: .always)
    }
  }

  /// The data, when no two of its records have the same key.
  func checked(_ data: RecordDocument, _ format: Format) throws(SeedFailure) -> RecordDocument {
    if let records = data.value.listElements, let key = keyName(data, format) {
      _ = try index(records, key, data)
    }
    return data
  }

  // MARK: Adding

  private func add(
    _ bytes: [UInt8], to edit: InPlaceEdit, _ losses: LossReport
  ) throws(SeedFailure) -> Outcome {
    let path = edit.path
    var reading = files(for: path)
    reading.source = nil
    let present = try document { () throws(Failure) in
      let present = try reading.read(FileInput(path: path).readAll(), named: path, mapping: .onlyOfText)
      guard present.format != .sqlite else { throw Failure(.database(.notRewritten)) }
      return present
    }
    let data = try read(bytes, as: present.format, for: path)
    let missing = try missing(from: present, of: data)
    guard !missing.keys.isEmpty else { return .added([]) }
    losses.add(data.losses)
    try document { () throws(Failure) in
      try types.claiming(path, present.format)?.check(missing.records, classNames: classNames)
      try edit.replace(with: reading.adding(missing.records, to: present, losses: losses))
    }
    return .added(missing.keys)
  }

  /// The records of the data that a document does not have yet, and their keys.
  func missing(
    from present: RecordDocument, of data: RecordDocument
  ) throws(SeedFailure) -> (records: [Value], keys: [Value]) {
    guard let key = keyName(data, present.format) else {
      throw SeedFailure(isAboutData: true, failure: Failure(.record(.noKey)))
    }
    let new = data.value.listElements ?? [data.value]
    _ = try index(new, key, data)
    guard let old = present.value.listElements else {
      throw SeedFailure(
        isAboutData: false,
        failure: Failure(.record(.notARecord(found: present.value.words, record: "list of records"))))
    }
    let union = try self.data { () throws(Failure) in try RecordUnion(of: old, adding: new, key: key) }
    let classes = ClassesOfRecords(of: old, unless: classNames)
    return (union.records.dropFirst(old.count).map(classes.applied), union.added)
  }

  /// What the key is called in the records, as the document has them.
  private func keyName(_ data: RecordDocument, _ format: Format) -> String? {
    guard let key = key ?? data.schema?.record.key else { return nil }
    guard format.recordDialect.usesArchiveKeys,
      let field = data.schema?.record.fields.first(where: { $0.name.equals(key) })
    else { return key }
    return field.archiveKey
  }

  private func index(
    _ records: [Value], _ key: String, _ data: RecordDocument
  ) throws(SeedFailure) -> RecordIndex {
    try self.data { () throws(Failure) in
      do throws(Failure) {
        return try RecordIndex(records, key: key)
      } catch {
        guard case .index(let index)? = error.path.steps.first, data.places.indices.contains(index) else {
          throw error
        }
        throw error.placed(at: data.places[index])
      }
    }
  }

  // MARK: Whose failure it is

  func data<Result>(
    _ body: () throws(Failure) -> Result
  ) throws(SeedFailure) -> Result {
    do throws(Failure) { return try body() } catch { throw SeedFailure(isAboutData: true, failure: error) }
  }

  func document<Result: ~Copyable>(
    _ body: () throws(Failure) -> Result
  ) throws(SeedFailure) -> Result {
    do throws(Failure) { return try body() } catch { throw SeedFailure(isAboutData: false, failure: error) }
  }
}

/// Why a document cannot be seeded.
public struct SeedFailure: Error, Sendable {
  /// Whether the data is at fault; otherwise the document is.
  public var isAboutData: Bool
  /// What is wrong.
  public var failure: Failure
}

extension Value {
  /// The elements of a list, also of one that is an object; nil for what is no list.
  var listElements: [Value]? {
    switch self {
    case .array(let values), .set(let values): values
    case .object(let object): object.content.listElements
    default: nil
    }
  }

  /// The list with other elements.
  func withListElements(_ elements: [Value]) -> Value {
    switch self {
    case .array: return .array(elements)
    case .set: return .set(elements)
    case .object(var object):
      object.content = object.content.withListElements(elements)
      return .object(object)
    default: return self
    }
  }
}
