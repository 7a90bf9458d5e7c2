/// A file whose values are read and changed individually, by their paths. Everything else in the file stays
/// unchanged.
///
///     let file = try EditableFile(path: "state.archive")
///     try file.value(at: ValuePath(parsing: "people[0].name"))            // .string("Ada")
///     try file.set(.string("Grace"), at: ValuePath(parsing: "people[0].name"))
///     try file.write(to: "state.archive")
///
/// Keyed archives and binary property lists are opened in place, and only the objects on the path are read.
/// Archives are shown decoded: an NSArray has elements, and a Person has fields. Unchanged objects keep their
/// numbers, order and bytes, also in typedstreams. XML, JSON, YAML, CSV, text property lists and archives in XML keep
/// their text except for the changed values. Files of other formats, such as pictures, can be read as a conversion to
/// JSON shows them, but not changed (`isEditable`).
///
/// The values of a ZIP archive are those of its files by their names. A file is changed as one of its own, and the other files keep their
/// bytes in the archive. An archive with one file has the values of this file.
///
/// A path may continue into data that contains such a file. A change there rewrites the data in the nested
/// file's format.
public final class EditableFile {
  /// The options for opening a file.
  public struct Options: Sendable {
    /// The format, if the content does not identify it.
    public var format: Format?
    /// The formats that document types declare, by the names of files. They apply if `format` is nil.
    package var declaredFormats = DeclaredFormats()
    /// The representation of an archive. With `raw`, an archive is shown as a property list with `$objects`.
    public var representation = Representation.plain
    /// The style in which reading shows objects that have several references.
    public var shared = SharedObjectStyle.reference
    /// True to read a reference to a missing object as null and to keep it when writing. Otherwise reading
    /// throws.
    public var isLenient = false
    /// The classes whose objects have a decoded form.
    public var catalog = ClassCatalog.standard
    /// The objects that are shown in decoded form. With `scalars`, only objects whose decoded form is a
    /// single scalar are; all other objects show their archived keys.
    public var decodedForms = DecodedFormUse.all
    /// True to change a value of YAML that an anchor shares with its aliases at all of them. Otherwise such a change is refused, unless
    /// other changes give all of them the same value. A file of another format, apart from a ZIP archive, is refused.
    public var changesAliases = false
    /// The encoding of a text that does not show it, or nil.
    public var encoding: String?
    /// The properties of CSV that the text itself does not show.
    public var csv = CSVReadingOptions()
    /// The options for XML.
    public var xml = XMLReadingOptions()
    /// True to recognize a document of XML that was written with types.
    var findsTypes = true
    /// True to escape the colon in the name of a new XML element whose prefix is not declared. Otherwise the name is refused.
    var escapesPrefixes = false
    /// The limits on the cost of the file.
    public var budget = Budget()

    /// Creates the default options.
    public init() {}
  }

  /// The format of the file.
  public let format: Format
  /// The references to missing objects that were found so far, if `isLenient` is set.
  public var danglingReferences: [FerryError] { archive?.dangling ?? [] }

  /// Notes about classes of a class file that do not match the objects read so far.
  public var notes: [Note] { decodedForms?.notes ?? [] }

  /// The bytes of the file before any changes.
  public var originalBytes: [UInt8] { stored.bytes }

  /// The file before any changes, as it is stored.
  package let stored: EncodedFile
  /// The bytes of the file without compression.
  var source: FileBytes { stored.storedContents }
  let list: EditedPropertyList
  /// The typedstream that the values come from, or nil.
  let typedstream: TypedstreamTree?
  let options: Options
  /// Knows whether the file has several documents, whose values are a list.
  let documents: FoundDocuments
  /// The number of references to undeclared entities that the values do not have, in XML.
  let leftOutReferences: Int
  /// The nesting depth: the number of files around this one.
  let nesting: Int
  /// The path to the data that contains the file, in the outermost file.
  let outerPath: ValuePath
  /// The levels around the file, as `FerryError.placed(inside:)` takes them.
  let containers: [String?]
  /// The objects of an archive; nil for other files, and while a change is made of values that are not objects.
  private var objects: (archive: ArchiveObjects, decodedForms: ArchiveDecodedForms)?
  var archive: ArchiveObjects? { objects?.archive }
  var decodedForms: ArchiveDecodedForms? { objects?.decodedForms }
  /// The path of the file, which errors name; nil for bytes in memory and for the standard input.
  var filePath: String?
  /// The sink that has received the collections at the path of an outline. Nil if these are in the tree.
  var outlinedMatches: (any OutlinedMatches)?
  /// The steps from collections to values that copy others.
  var childIndices = ChildIndices()

  // MARK: The current change

  var currentChange = CurrentChange()
  /// The editor of the objects of an archive, made when it is first needed.
  var archiveEditor: ArchiveEditor?
  /// The storage of scalars in new objects of an archive; nil for that of its objects.
  var archivedStorage: ArchivedStorage?
  /// The objects of a value of an archive that JSON replaces.
  var printed: PrintedObjects?
  /// The document in which the last XPath was evaluated.
  var xpathDocument: XPathDocument?
  /// The weight of the values that a patch may still copy: a few copies of the whole file into itself would fill the memory.
  var remainingCopyWeight = 0

  // MARK: The changes so far

  /// The losses of the changes that are not known when the file is written: those in nested files, and of shared
  /// objects.
  private(set) var changeLosses = LossReport()
  /// The types that JSON of patches has replaced, in the order of the changes.
  package internal(set) var replacedTypes: [ReplacedType] = []
  /// The keys such as `0` that changes have added to elements without such keys.
  package internal(set) var indexKeys: [IndexKey] = []
  /// The patch that was applied last; nil if there was another change after it.
  var lastPatch: AppliedPatch?

  /// The known facts about the file before any changes.
  var unchanged = UnchangedFile()

  // MARK: Opening

  /// Opens the file at a path, or the standard input for `-`.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - options: The options for opening it.
  /// - Throws: An error of the system, or an error if the content is not valid.
  public convenience init(path: String, options: Options = Options()) throws(FerryError) {
    do throws(FerryError) {
      try self.init(FileBytes(reading: path), named: path, options: options, nesting: 0)
    } catch {
      throw path == "-" ? error : error.placed(inFile: path)
    }
    if path != "-" { filePath = path }
  }

  /// Opens a file in memory.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the file.
  ///   - name: The file name, used if the content has no signature.
  ///   - options: The options for opening it.
  /// - Throws: An error if the content is not valid.
  public convenience init(_ bytes: [UInt8], named name: String? = nil, options: Options = Options())
    throws(FerryError)
  {
    try self.init(FileBytes(bytes), named: name, options: options, nesting: 0)
  }

  convenience init(
    _ source: FileBytes, named name: String?, options: Options, nesting: Int,
    at outerPath: ValuePath = ValuePath(), inside containers: [String?] = []
  ) throws(FerryError) {
    try self.init(
      Self.stored(source, named: name, options), named: name, options: options, nesting: nesting,
      at: outerPath, inside: containers)
  }

  /// Opens a file that is in memory as it is stored, such as one in a ZIP archive.
  ///
  /// - Parameter name: The name of the file.
  package convenience init(_ stored: EncodedFile, named name: String, options: Options) throws(FerryError) {
    try self.init(stored, named: name, options: options, nesting: 0)
  }

  private convenience init(
    _ stored: EncodedFile, named name: String?, options: Options, nesting: Int,
    at outerPath: ValuePath = ValuePath(), inside containers: [String?] = []
  ) throws(FerryError) {
    var options = options
    if stored.isTranscoded { options.encoding = nil }
    let onlyFile = stored.outer?.role == .only ? stored.outer?.name : nil
    let detected = try Self.detected(stored, named: onlyFile ?? name, options)
    try self.init(
      detected, stored, options: options, nesting: nesting, at: outerPath,
      inside: containers + (onlyFile.map { [$0] } ?? []))
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - detected: The contents of the file.
  ///   - stored: The same contents, for changes.
  ///   - adapt: Returns the sink for the values of a format that is read as a stream, before the tree of these values.
  init(
    _ detected: DetectedInput, _ stored: EncodedFile, options: Options, nesting: Int,
    at outerPath: ValuePath = ValuePath(), inside containers: [String?] = [],
    adapting adapt: (PropertyListTree) -> any ValueSink = { $0 }
  ) throws(FerryError) {
    (self.stored, self.options) = (stored, options)
    let containers = containers + (detected.fileInArchive.map { [$0] } ?? [])
    self.containers = containers
    (self.nesting, self.outerPath) = (nesting, outerPath)
    let found = detected.format
    let (base, opened): (any PropertyListNodes, TypedstreamTree?)
    let documents = FoundDocuments()
    var leftOut = 0
    do throws(FerryError) {
      // Data may hold a file of any format.
      if nesting == 0 { try Self.check(options, for: found) }
      (base, opened) = try Self.nodes(
        of: detected, options, documents, leavingOut: &leftOut, adapting: adapt)
    } catch {
      // The path in a file of an archive, or in data, would look like one in the outermost file.
      let placed = containers.isEmpty ? Self.placed(error, in: detected, options) : error
      throw detected.withReason(placed).placed(inside: containers)
    }
    typedstream = opened
    self.documents = documents
    leftOutReferences = leftOut
    list = EditedPropertyList(
      base,
      capabilities: opened == nil ? found.capabilitiesOfNewValues : TypedstreamTree.capabilities,
      isTypedstream: opened != nil)
    var format = found
    do throws(FerryError) {
      if options.format == nil { format = try base.isKeyedArchive ? found.asArchive : found.asPropertyList }
      self.format = format
      if format.isArchive, options.representation == .plain { try openArchive() }
    } catch {
      throw error.placed(inside: containers)
    }
  }

  /// Runs a function, and adds the path of the file to its error.
  func naming<Result>(_ body: () throws(FerryError) -> Result) throws(FerryError) -> Result {
    do throws(FerryError) { return try body() } catch { throw named(error) }
  }

  /// Returns an error with the path of the file.
  func named(_ error: FerryError) -> FerryError { error.placed(inside: containers).placed(inInput: filePath) }

  /// Runs a function that reads or changes this file as a part of another one, and adds the levels around this file to its error.
  func locating<Result>(_ body: () throws(FerryError) -> Result) throws(FerryError) -> Result {
    do throws(FerryError) { return try body() } catch { throw error.placed(inside: containers) }
  }

  func openArchive() throws(FerryError) {
    let archive = try ArchiveObjects(list)
    archive.isLenient = options.isLenient
    objects = (archive, ArchiveDecodedForms(of: archive, options.catalog, options.decodedForms))
  }

  /// Runs a change of values that are not objects, with the archive as the property list that stores it.
  func asStored(_ change: () throws(FerryError) -> Void) throws(FerryError) {
    let opened = objects
    (objects, archiveEditor) = (nil, nil)
    defer { (objects, archiveEditor) = (opened, nil) }
    try change()
  }

  /// The changes, with their losses and the types that they have replaced.
  struct State {
    fileprivate let list: EditedPropertyList.State
    fileprivate let losses: Losses
    fileprivate let types: [ReplacedType]
    fileprivate let indexKeys: [IndexKey]
  }

  /// The current changes. Setting an earlier state undoes the changes after it, with their losses and types.
  var state: State {
    get { State(list: list.state, losses: changeLosses.all, types: replacedTypes, indexKeys: indexKeys) }
    set {
      list.state = newValue.list
      changeLosses = LossReport()
      changeLosses.add(newValue.losses)
      (replacedTypes, indexKeys) = (newValue.types, newValue.indexKeys)
      archiveEditor = nil
    }
  }

  var walker: PathWalker {
    PathWalker(
      nodes: list, archive: archive, decodedForms: decodedForms, lastKeyWins: !format.isBinaryPropertyList,
      typedstream: typedstream, listsKeys: currentChange.listsKeys)
  }

  /// The number of values that changes with `Options.changesAliases` have changed besides those at the given paths: copies by aliases and
  /// merge keys, or the anchor's value of such a copy.
  public var changedCopies: Int { list.copies.changeCount }

  /// True if the values of the file can be changed.
  public var isEditable: Bool { format.isEditedByPath }

  /// True if the file is an archive of files, each in its own format.
  var hasFiles: Bool { format.isArchiveOfFiles }
}

extension Format {
  /// The kinds of values that a change can put into a file. A table gets the text of each, although it reads only text.
  fileprivate var capabilitiesOfNewValues: FormatCapabilities {
    description.editableTable == nil ? asPropertyList.capabilities : .tableCells
  }
}
