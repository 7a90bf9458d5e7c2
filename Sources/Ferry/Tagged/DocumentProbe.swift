/// Decides whether an input is a typed document, which is a dictionary with the key `$ferry`, or may be the raw form of an archive,
/// which is a dictionary with the keys `$archiver`, `$top` and `$objects`, and none but these and `$version`.
///
/// Ferry writes the key `$ferry` first. Other programs may sort the keys, so that another key of typed documents is first:
///
///     {"$ferry": 1, "$value": […]}                          begins as a typed document
///     {"$archiver": "NSKeyedArchiver", "$classes": {…}, …   may be one: all keys are checked
///     {"$version": 100000, "$archiver": …                   may be the raw form of an archive: all keys are checked
///     {"people": […], "$ferry": …                           is neither
///
/// An archive in XML has its own format, and an XML document has no numbers, so that only JSON and YAML have the raw form.
enum DocumentProbe {
  /// The kind of a document by the keys of its dictionary.
  enum Kind {
    case typed, other
    /// The document has the keys of an archive. Its values show whether it is one.
    case rawArchive
  }

  /// The result for the first bytes of an input.
  enum Beginning {
    case typed, other
    /// The first key occurs in typed documents or in archives, so all keys have to be checked.
    case needsAllKeys
  }

  /// The key of every typed document.
  static let mark: ExactString = "$ferry"

  /// The keys of typed documents other than `$ferry`.
  private static let typedKeys: Set<ExactString> = [
    "$value", "$layout", "$archiver", "$top", "$others", "$classes", "$stream", "$system", "$groups",
  ]

  /// The keys of an archive that is recognized by its first key.
  private static let archiveKeys = requiredArchiveKeys.union(["$version"])

  /// The keys without which a dictionary is not an archive in the raw form.
  static let requiredArchiveKeys: Set<ExactString> = ["$archiver", "$top", "$objects"]

  /// Returns true if a dictionary whose keys so far may be those of a typed document is one, or is not one, because
  /// of its next key.
  static func decidesTyped(_ key: ExactString) -> Bool { !typedKeys.contains(key) }

  /// Returns how an input in a format begins, or nil if its first bytes `head` do not decide it.
  static func beginning(of head: [UInt8], format: Format) -> Beginning? {
    guard let syntax = format.typedSyntax else { return .other }
    // A parser is much slower than this comparison, which decides most documents.
    if syntax == .map, let root = PrologScan.rootName(in: head), !root.elementsEqual("map".utf8) {
      return .other
    }
    // A record may be too short for the parser, which looks for NULs of UTF-16.
    if format.description.hasNULs, let first = head.first(where: { !FormatHead.isSpace($0) }),
      first != UInt8(ascii: "{"), first != 0xef
    {
      return .other
    }
    let sink = KeySink { _ in true }
    // The first bytes end anywhere, and the error of an invalid input is reported when it is read.
    let isRead = (try? read(head.span, as: syntax, into: sink)) != nil
    guard let key = sink.key else { return isRead ? nil : .other }
    // A document in the typed form is the only value of its text.
    if format.description.listLayout == .lines, FormatHead(head, name: nil).hasSecondJSONValue {
      return .other
    }
    if key == mark { return .typed }
    return !decidesTyped(key) || syntax.hasRawForm && archiveKeys.contains(key) ? .needsAllKeys : .other
  }

  /// Returns the kind of a document by the keys of its dictionary. The input must be rewindable.
  static func kind(of input: any ByteInput, format: Format, budget: Budget) throws(FerryError) -> Kind {
    guard let syntax = format.typedSyntax else { return .other }
    let keys = FoundKeys(hasRawForm: syntax.hasRawForm)
    let sink = KeySink(where: keys.add)
    // The error of an invalid input is reported when it is read.
    try? TypedDocument.read(input, as: syntax, into: sink, budget: budget, locator: SourceLocator())
    try input.rewind()
    return keys.kind
  }

  /// The keys of a document that have been read.
  private final class FoundKeys {
    private var isTyped = false
    private var mayBeTyped = true
    /// True if all keys are those of an archive. Entries with other keys are not part of an archive, and would be lost.
    private var mayBeArchive: Bool
    /// The keys that have not been read of those without which a dictionary is not an archive.
    private var missing = requiredArchiveKeys

    init(hasRawForm: Bool) { mayBeArchive = hasRawForm }

    var kind: Kind { isTyped ? .typed : mayBeArchive && missing.isEmpty ? .rawArchive : .other }

    /// Adds a key. Returns true if the kind is decided.
    func add(_ key: ExactString) -> Bool {
      if key == mark, mayBeTyped {
        isTyped = true
        return true
      }
      if decidesTyped(key) { mayBeTyped = false }
      if !archiveKeys.contains(key) { mayBeArchive = false }
      missing.remove(key)
      return !mayBeTyped && !mayBeArchive
    }
  }

  private static func read(
    _ head: Span<UInt8>, as syntax: FormatDescription.TypedSyntax, into sink: KeySink
  ) throws(FerryError) {
    switch syntax {
    case .dictionary: try XMLPropertyListReader(into: sink).read(head)
    case .map: try XMLStream(document: MapDelegate(JSONElements.delegate(into: sink))).read(head)
    case .object: try JSONReader(into: sink).read(head)
    case .mapping: try YAMLReader(into: sink, ReaderContext(budget: Budget())).readFirstKey(head)
    }
  }
}

extension Format {
  /// The syntax of documents in the typed form. An XML property list with an archive's keys may be such a document.
  var typedSyntax: FormatDescription.TypedSyntax? { asPropertyList.description.typedSyntax }
}

/// A sink that finds a key of the outermost dictionary.
///
/// Throws at the first event after the key, and for a value that is not a dictionary.
private final class KeySink: InterceptingSink {
  /// The key, or the last one before it.
  private(set) var key: ExactString?
  private let isWanted: (ExactString) -> Bool
  private var isFound = false
  private var depth = 0

  init(where isWanted: @escaping (ExactString) -> Bool) {
    self.isWanted = isWanted
    super.init(to: NullSink())
  }

  override func willSend() throws(FerryError) {
    if depth == 0 || isFound { throw FerryError(.cannotHold(.misplaced("a value"))) }
  }

  override func beginDictionary(count: Int?) throws(FerryError) {
    if isFound { try willSend() }
    depth += 1
  }

  override func endDictionary() throws(FerryError) {
    depth -= 1
    if depth == 0 { try willSend() }
  }

  override func key(_ text: BorrowedText) throws(FerryError) {
    try willSend()
    guard depth == 1 else { return }
    let found = ExactString(String(text))
    (key, isFound) = (found, isWanted(found))
  }

  override func beginArray(count: Int?) throws(FerryError) {
    try willSend()
    depth += 1
  }

  override func endArray() throws(FerryError) { depth -= 1 }
}

/// A delegate of a document that refuses every root element other than `map`.
private final class MapDelegate: ElementDelegate {
  private let map: ElementDelegate

  init(_ map: ElementDelegate) {
    self.map = map
    super.init()
  }

  override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    guard child.name.local.equals("map") else { throw FerryError(.typed(.unknownTag(child.name.local))) }
    return map
  }
}
