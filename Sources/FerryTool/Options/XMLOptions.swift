import ArgumentParser
import Ferry

/// The options for XML in the input.
struct XMLOptions: ParsableArguments {
  /// The title of the options in help.
  static let title = "XML"

  @Option(
    name: .customLong("namespaces"),
    help: ArgumentHelp(
      "Without a schema: keep prefixes and declarations, strip them, or expand names to {namespace}name, also for XML in the output.",
      valueName: "style"))
  var namespaces: XMLNamespaceStyle = .kept

  @Option(
    name: .customLong("list"), parsing: .singleValue,
    help: ArgumentHelp(
      "Without a schema: make a list of the elements with this path, such as author, book.author or '*' (all elements), even of one. Repeatable.",
      valueName: "path"))
  var lists: [PathArgument] = []

  @Flag(
    inversion: .prefixedNo,
    help:
      "Without a schema: write the contents of all elements, or of none, as a list in their order (default: where needed)."
  )
  var order: Bool?

  @Flag(name: .customLong("comments"), help: "Without a schema: keep comments, as contents of elements.")
  var keepsComments = false

  @Flag(
    name: .customLong("instructions"),
    help: "Without a schema: keep processing instructions, as contents of elements.")
  var keepsInstructions = false

  @Flag(
    name: .customLong("cdata"), help: "Without a schema: tell CDATA sections from other text.")
  var keepsCDATA = false

  @Option(
    name: .customLong("convention"),
    help: ArgumentHelp(
      "Without a schema, also for XML in the output: ferry, badgerfish, jsonml, parker, xmltodict or xq.",
      valueName: "name"))
  var convention: XMLConvention = .ferry

  @OptionGroup var entities: XMLEntityOptions

  func validate() throws {
    guard convention == .ferry || namespaces == .kept && order == nil && markup.isEmpty else {
      throw ValidationError(
        "--namespaces, --order, --comments, --instructions and --cdata belong to Ferry's own convention (without --convention)"
      )
    }
    guard convention != .jsonml || lists.isEmpty else {
      throw ValidationError(
        "--list and --convention jsonml, which has no lists by name, cannot be used together")
    }
    for list in lists {
      guard try !list.path().steps.isEmpty, try list.path().steps.allSatisfy(\.isKey) else {
        throw ValidationError(
          "--list takes the names of elements, such as book.author or book.*, not \(list.text)")
      }
    }
  }

  /// The markup that is kept.
  private var markup: XMLMarkupKinds {
    var kinds: XMLMarkupKinds = []
    if keepsComments { kinds.insert(.comments) }
    if keepsInstructions { kinds.insert(.instructions) }
    if keepsCDATA { kinds.insert(.cdata) }
    return kinds
  }

  /// Returns the options. Reads the document type definition.
  ///
  /// - Parameter types: The notation of types.
  func load(types: XMLTypeNotation) throws -> XMLReadingOptions {
    guard convention == .ferry || types == .none else {
      throw ValidationError("--types attributes belongs to Ferry's own convention (without --convention)")
    }
    var options = XMLReadingOptions()
    options.entities = try entities.load()
    (options.namespaces, options.convention) = (namespaces, convention)
    options.lists = try lists.map { try $0.path() }
    options.types = types
    (options.order, options.markup) = (order.map { $0 ? .always : .never } ?? .needed, markup)
    return options
  }
}

/// The options for entities in XML that a document does not declare.
struct XMLEntityOptions: ParsableArguments {
  @Flag(name: .customLong("html-entities"), help: "Read HTML's named characters, such as &uuml;.")
  var readsHTMLEntities = false

  @Option(
    name: .customLong("dtd"),
    help: ArgumentHelp(
      "Read the entities that this document type definition declares.", valueName: "file"),
    completion: .file())
  var dtd: String?

  /// Returns the entities. Reads the document type definition.
  func load() throws -> XMLEntities {
    var entities = XMLEntities()
    if let dtd {
      try RunOutputs.checkReadsNone(of: [dtd])
      entities = try NamedError.naming(dtd) { () throws(FerryError) in try XMLEntities(dtd: dtd) }
    }
    entities.includesHTML = readsHTMLEntities
    return entities
  }
}

extension XMLNamespaceStyle: ArgumentWord {}

extension XMLConvention: ArgumentWord {
  public init?(argument: String) {
    // xq converts XML with xmltodict.
    self.init(rawValue: argument == "xq" ? XMLConvention.xmltodict.rawValue : argument)
  }

  public static var allValueStrings: [String] { allCases.map(\.rawValue) + ["xq"] }
}

extension ValuePath.Step {
  fileprivate var isKey: Bool { if case .key = self { true } else { false } }
}
