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
  /// matches the elements whose paths end in it: `author`, `book.author`.
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

/// The elements whose contents become a list in document order.
///
///     <p>one <b>two</b> three</p>     {"p": {"#content": ["one ", {"b": "two"}, " three"]}}
public enum XMLOrder: Sendable {
  /// None: children are put together by name, and text is put together. What that loses is reported.
  case never
  /// The elements with a path at which some element contains text beside elements, elements of one name with others
  /// between them, or an element whose key would mean an attribute or text, such as `<_x0023_text>`; and each element with a child that
  /// has the key of one of its attributes.
  case needed
  /// All elements with a path at which some element contains others.
  case always
}

/// Kinds of markup that usually are not part of the values of a document.
public struct XMLMarkupKinds: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Comments: `{"#comment": " text "}`.
  public static let comments = XMLMarkupKinds(rawValue: 1)
  /// Processing instructions: `{"#instruction": "target data"}`.
  public static let instructions = XMLMarkupKinds(rawValue: 2)
  /// CDATA sections, whose text is else like other text: `{"#cdata": "text"}`.
  public static let cdata = XMLMarkupKinds(rawValue: 4)
  /// All kinds.
  public static let all: XMLMarkupKinds = [.comments, .instructions, .cdata]
}

/// The names of elements and attributes as keys.
///
///                     <a:b xmlns:a="urn:a" a:c="1"/>
///     kept            {"a:b": {"@a:c": "1", "@xmlns:a": "urn:a"}}
///     stripped        {"b": {"@c": "1"}}
///     expanded        {"{urn:a}b": {"@{urn:a}c": "1"}}
public enum XMLNamespaceStyle: String, Sendable, CaseIterable {
  /// Names with their prefixes, and namespace declarations as attributes.
  case kept = "keep"
  /// Names without their prefixes. An attribute keeps its prefix if the element has another one with its local name.
  case stripped = "strip"
  /// Names with their namespaces in braces.
  case expanded = "expand"

  /// Returns the text from which the key of a name is made. If the key would have a declared prefix, the name is escaped once more, so that
  /// the key is the name itself.
  func text(of name: XMLName) -> String {
    let text =
      switch self {
      case .kept: name.qualified
      case .stripped: name.local
      case .expanded: name.namespace.map { "{\($0)}\(name.local)" } ?? name.local
      }
    return name.encodesDeclaredPrefix && keepsName(text) ? XMLKeyName.elementName(for: text) : text
  }

  /// Returns true if a text encodes a declared prefix that is also declared when the keys are written again: any prefix with `kept`, which
  /// keeps declarations as keys, and otherwise only `xml`, which needs no declaration.
  private func keepsName(_ text: String) -> Bool {
    XMLKeyName.keepsName(text.utf8.span) { self == .kept || $0.equals("xml") }
  }

  /// Returns the key for the text of a name. Among expanded names, a name such as `_x007B_id_x007D_a` stays as it is, because its key
  /// `{id}a` is that of a name with a namespace.
  func key(for text: Span<UInt8>) -> [UInt8] {
    let key = XMLKeyName.key(for: text)
    return self == .expanded && ExpandedName(key: key.span) != nil ? [UInt8](copying: text) : key
  }

  /// Returns the key for the name of an attribute. A name such as `xmlns_x003A_a` stays as it is, because its key `@xmlns:a` is that of a
  /// declaration.
  func key(ofAttribute name: XMLName) -> [UInt8] {
    let text = text(of: name)
    let isLikeDeclaration = XMLKeyName.keepsName(text.utf8.span) { $0.equals("xmlns") }
    return [UInt8(ascii: "@")] + (isLikeDeclaration ? Array(text.utf8) : key(for: text.utf8.span))
  }
}

extension XMLName {
  /// Returns true if another attribute of the element has the local name as its key, so that this one keeps its prefix.
  func yields(to other: XMLName, isEarlier: Bool) -> Bool {
    other.local.equals(local) && (other.prefix == nil || isEarlier)
  }
}
