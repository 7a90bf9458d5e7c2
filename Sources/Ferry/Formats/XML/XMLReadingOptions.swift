/// The options for reading XML.
///
///     var conversion = Conversion(to: .json)
///     conversion.reading.xml.namespaces = .stripped
public struct XMLReadingOptions: Hashable, Sendable {
  /// The namespaces of prefixes in an XPath that selects elements. Other prefixes have the namespaces that the document
  /// declares, and `_` has the default namespace of its root element.
  public var prefixes: [String: String] = [:]
  /// The entities that a document may refer to without declaring them.
  public var entities = XMLEntities()
  /// The names of elements and attributes as keys, in a document without a schema.
  public var namespaces = XMLNamespaceStyle.kept
  /// The elements that are lists even where they occur once, in a document without a schema. A path consists of keys, and
  /// matches the elements whose paths end in it: `author`, `book.author`. The key `*` matches any name, so that `book.*` are all elements
  /// inside a `book`, and `*` all elements except the root element. JsonML has no lists of elements by their names.
  public var lists: [ValuePath] = []
  /// The convention of a document without a schema.
  public var convention = XMLConvention.ferry
  /// The elements whose contents become a list in document order, in a document without a schema.
  public var order = XMLOrder.needed
  /// The markup inside elements that becomes part of their contents, in a document without a schema.
  public var markup: XMLMarkupKinds = []
  /// The notation of types in a document without a schema. A document that was written with types is read with them also
  /// without this option.
  public var types = XMLTypeNotation.none

  /// True to recognize a document that was written with types.
  var findsTypes = true
  /// True if the order is that of values by their paths, and not one that was asked for.
  private var isForPaths = false
  /// True if paths name the contents of elements in their order.
  private var keepsOrderForPaths = false
  /// The shape of several documents, if elements are to have the same form in all of them.
  public var commonShape: XMLCommonShape?

  /// True to refuse inputs of other formats if options for XML are given.
  package var refusesOtherFormats = false

  /// Creates the default options.
  public init() {}

  /// True if an option is given that has an effect on a document.
  package var isGiven: Bool { !isUsual || !entities.isEmpty || !prefixes.isEmpty }

  /// Throws if options for XML are given that have no effect on an input of a format. An archive of files may contain XML.
  package func check(for format: Format) throws(FerryError) {
    guard refusesOtherFormats, isGiven, !format.mayContainElements else { return }
    throw FerryError(.xml(.notXMLInput(format.rawValue)))
  }

  /// True if the options do not ask for another form of a document without a schema.
  var isUsual: Bool {
    namespaces == .kept && lists.isEmpty && convention == .ferry && (order == .needed || isForPaths)
      && markup.isEmpty && types == .none
  }

  /// The options with which paths name the contents of elements in their order, as in `p["#content"][1]`.
  public var forContents: XMLReadingOptions {
    var options = self
    options.keepsOrderForPaths = true
    return options
  }

  /// The options with which values are found by their paths and changed. A change keeps the order of the elements in the
  /// text.
  ///
  /// - Parameter findsTypes: True to recognize a document that was written with types. Otherwise, the attributes of types are values like
  ///   others.
  func forPaths(findsTypes: Bool) -> XMLReadingOptions {
    var options = self
    if options.order == .needed, !keepsOrderForPaths { (options.order, options.isForPaths) = (.never, true) }
    options.findsTypes = findsTypes || options.types != .none
    return options
  }
}
