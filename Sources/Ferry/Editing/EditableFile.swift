/// A file whose values are read and changed one by one, by their paths; everything else in it stays
/// unchanged.
///
///     let file = try EditableFile(path: "state.archive")
///     try file.value(at: ValuePath(parsing: "people[0].name"))            // .string("Ada")
///     try file.set(.string("Grace"), at: ValuePath(parsing: "people[0].name"))
///     try file.write(to: "state.archive")
///
/// Keyed archives and binary property lists are opened in place, and only the objects on the path are read.
/// Archives are shown decoded: an NSArray has elements, a Person its fields. Unchanged objects keep their
/// number, order and bytes. XML property lists, archives in XML and JSON keep their text except the changed
/// values. Files of all other formats can be read (as `convert --to json` shows them) but not changed.
///
/// A path continues into data that contains such a file; a change there is written back in the nested file's
/// format.
public final class EditableFile {
  /// The options for opening a file.
  public struct Options: Sendable {
    /// The format, for content that does not identify itself.
    public var format: Format?
    /// The form of an archive; `raw` shows it as its raw property list.
    public var representation = Representation.plain
    /// The style in which reading shows objects with several references.
    public var shared = SharedObjectStyle.reference
    /// True to read references to missing objects as null, and keep them, instead of throwing.
    public var isLenient = false
    /// The classes whose objects are shown decoded.
    public var catalog = ClassCatalog.standard
    /// The objects that are shown decoded. `scalars` shows all objects by their archived keys, except those
    /// that stand for one scalar.
    public var decodedForms = DecodedFormUse.all
    public var budget = Budget()

    /// Creates the default options.
    public init() {}
  }

  /// The format of the file.
  public let format: Format
  /// The references to missing objects that have been found in a lenient file.
  public var danglingReferences: [FerryError] { archive?.dangling ?? [] }

  /// Sentences about the classes of a class file that do not fit the objects read so far.
  public var notes: [String] { decodedForms?.notes ?? [] }

  /// The bytes of the file before all changes.
  public var originalBytes: [UInt8] { source.copy }

  let source: FileBytes
  let list: EditedPropertyList
  let options: Options
  /// The number of files around this one.
  let nesting: Int
  static let nestingLimit = 16
  private(set) var archive: ArchiveObjects?
  private(set) var decodedForms: ArchiveDecodedForms?
  var archiveEditor: ArchiveEditor?
  /// The layout of the binary file, after it was first needed.
  var learned: (layout: BinaryLayout, sharing: ScalarSharing<BinaryPropertyList>)?

  /// Opens a file; `-` is the standard input.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - options: The options for opening it.
  /// - Throws: An error of the system, or if the content is not valid.
  public convenience init(path: String, options: Options = Options()) throws(FerryError) {
    try self.init(FileBytes(reading: path), named: path, options: options, nesting: 0)
  }

  /// Opens a file's bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the file.
  ///   - name: The file name, for contents without a signature.
  ///   - options: The options for opening it.
  /// - Throws: An error if the content is not valid.
  public convenience init(_ bytes: [UInt8], named name: String? = nil, options: Options = Options())
    throws(FerryError)
  {
    try self.init(FileBytes(bytes), named: name, options: options, nesting: 0)
  }

  init(_ source: FileBytes, named name: String?, options: Options, nesting: Int) throws(FerryError) {
    self.source = source
    self.options = options
    self.nesting = nesting
    let detected = try DetectedInput(FileBytesInput(source), named: name, given: options.format)
    let found = detected.format
    let base: any PropertyListNodes
    do throws(FerryError) {
      base = try Self.nodes(of: detected, options)
    } catch {
      throw detected.explaining(error)
    }
    list = EditedPropertyList(base)
    var format = found
    if options.format == nil { format = try base.isKeyedArchive ? found.asArchive : found.asPropertyList }
    self.format = format
    if format.isArchive, options.representation == .plain { try openArchive() }
  }

  /// Opens the nodes of a file. If its format has none, the nodes are those of the values as JSON shows them.
  private static func nodes(
    of detected: DetectedInput, _ options: Options
  ) throws(FerryError) -> any PropertyListNodes {
    let (format, budget) = (detected.format, options.budget)
    if let nodes = try format.nodes(of: detected.input, budget: budget) { return nodes }
    guard format.description.content != .tables else { throw FerryError(.database(.noPaths)) }
    var conversion = Conversion(to: .json)
    conversion.source = format
    conversion.budget = budget
    let tree = PropertyListTree(for: "JSON")
    try conversion.send(detected.input, named: detected.name, into: tree)
    return tree
  }

  func openArchive() throws(FerryError) {
    let archive = try ArchiveObjects(list)
    archive.isLenient = options.isLenient
    self.archive = archive
    decodedForms = ArchiveDecodedForms(of: archive, options.catalog, options.decodedForms)
  }

  var walker: PathWalker {
    let isBinary = format == .archive || format == .binaryPropertyList
    return PathWalker(nodes: list, archive: archive, decodedForms: decodedForms, lastKeyWins: !isBinary)
  }

  /// True if values can be changed.
  public var isEditable: Bool { format.isEditedByPath }
}
