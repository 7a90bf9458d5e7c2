/// A file whose values are read and changed one by one, by their paths; everything else in it stays as it is.
///
///     let file = try EditableFile(path: "state.archive")
///     try file.value(at: ValuePath(parsing: "people[0].name"))            // .string("Ada")
///     try file.set(.string("Grace"), at: ValuePath(parsing: "people[0].name"))
///     try file.write(to: "state.archive")
///
/// Keyed archives and binary property lists are opened where they lie: only what leads to a value is looked at. An
/// archive is seen by meaning: an NSArray has elements, a Person its fields. What was not changed keeps its number, order
/// and bytes. XML property lists, archives in XML and JSON keep their text but for the value that changes. XML documents
/// and JSON Lines are read (as `convert --to json` shows them) and not changed.
///
/// A path goes on into data that holds such a file itself, and what is changed in there is written back in its format.
public final class EditableFile {
  /// How a file is to be taken.
  public struct Options: Sendable {
    /// The format, where the content does not tell.
    public var format: Format?
    /// `raw` sees an archive as the property list that it is stored as.
    public var form = Form.plain
    /// Whether a reference to an object that is not there is null, and kept, instead of a failure.
    public var isLenient = false
    /// The classes whose objects are read, and set, by what they mean.
    public var catalogue = Catalogue.standard
    /// `scalars` shows objects of all classes by their archived keys, but for those that are one scalar.
    public var meanings = MeaningUse.all
    public var budget = Budget()

    /// A file taken as it is.
    public init() {}
  }

  /// The format of the file.
  public let format: Format
  /// References to objects that are not there, as far as a lenient file has met them.
  public var danglingReferences: [Failure] { archive?.dangling ?? [] }

  let source: FileBytes
  let list: EditedPropertyList
  let options: Options
  /// How many files this one is inside of.
  let nesting: Int
  static let nestingLimit = 16
  private(set) var archive: ArchiveObjects?
  private(set) var meanings: ArchiveMeanings?
  var archiveEditor: ArchiveEditor?
  /// What the file's bytes tell beside its values, once that is known.
  var learned: (layout: BinaryLayout, sharing: ScalarSharing<BinaryPropertyList>)?

  /// Opens a file; `-` is the standard input.
  ///
  /// - Throws: what the system says, or what is wrong with the content.
  public convenience init(path: String, options: Options = Options()) throws(Failure) {
    try self.init(FileBytes(reading: path), named: path, options: options, nesting: 0)
  }

  /// Opens a file's bytes.
  ///
  /// - Throws: what is wrong with the content.
  public convenience init(_ bytes: [UInt8], named name: String? = nil, options: Options = Options())
    throws(Failure)
  {
    try self.init(FileBytes(bytes), named: name, options: options, nesting: 0)
  }

  init(_ source: FileBytes, named name: String?, options: Options, nesting: Int) throws(Failure) {
    self.source = source
    self.options = options
    self.nesting = nesting
    let head = source.prefix(FormatDetector.headSize)
    let found: Format
    if let format = options.format {
      found = format
    } else {
      found = try FormatDetector(head: head, name: name).detect()
    }
    let base = try Self.nodes(of: source, found, named: name, options)
    list = EditedPropertyList(base)
    var isArchive = found.isArchive
    if options.format == nil, try base.isKeyedArchive { isArchive = true }
    switch found {
    case .binaryPropertyList, .archive: format = isArchive ? .archive : .binaryPropertyList
    case .xmlPropertyList, .xmlArchive: format = isArchive ? .xmlArchive : .xmlPropertyList
    default: format = found
    }
    if format.isArchive, options.form == .plain { try openArchive() }
  }

  private static func nodes(
    of source: FileBytes, _ format: Format, named name: String?, _ options: Options
  ) throws(Failure) -> any PropertyListNodes {
    let budget = options.budget
    switch format {
    case .binaryPropertyList, .archive: return try BinaryPropertyList(source, budget: budget)
    case .xmlPropertyList, .xmlArchive:
      let tree = PropertyListTree(for: "an XML property list")
      try XMLPropertyListReader(into: tree, budget: budget).readAll(source.span)
      try tree.finish()
      return tree
    case .json:
      let tree = PropertyListTree(for: "JSON")
      try JSONReader(into: tree, budget: budget).readAll(source.span)
      try tree.finish()
      return tree
    case .sqlite: throw Failure(.database(.noPaths))
    case .xml, .jsonLines, .typedstream, .text, .tinyPix, .png:
      var conversion = Conversion(to: .json)
      conversion.source = format
      conversion.budget = budget
      let json = try conversion.convert(source.copy, named: name).bytes
      return try nodes(of: FileBytes(json), .json, named: nil, options)
    }
  }

  func openArchive() throws(Failure) {
    let archive = try ArchiveObjects(list)
    archive.isLenient = options.isLenient
    self.archive = archive
    meanings = ArchiveMeanings(of: archive, options.catalogue, options.meanings)
  }

  var walker: PathWalker {
    let isBinary = format == .archive || format == .binaryPropertyList
    return PathWalker(nodes: list, archive: archive, meanings: meanings, lastKeyWins: !isBinary)
  }

  /// Whether values can be changed.
  public var isEditable: Bool { format != .xml && format != .jsonLines && !format.isSingle }
}
