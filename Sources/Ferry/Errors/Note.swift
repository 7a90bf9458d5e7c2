/// A note on the reading of an input, which is neither an error nor a loss.
public enum Note: Hashable, Sendable {
  /// The document has the names of a built-in schema, but is read by convention, for a reason.
  ///
  /// - Parameter isReadable: True if the schema reads the document when it is requested.
  case readByConvention(schema: String, why: String, isReadable: Bool)
  /// No schema was inferred, for a reason.
  case readWithoutSchema(FerryError.Reason)
  /// The whole document is one record, because it has more than the elements of a list.
  case oneRecord(element: String, list: String)
  /// An XPath has selected nothing, because the elements are in a namespace. `_` is the prefix of the root element's namespace.
  case inNamespace(String)
  /// No element matches the selection.
  case nothingSelected
  /// A path has selected nothing in a database. The paths begin with the name of a table, or with a row of the only one if that is nil.
  case pathsOfRows(table: String?)
  /// Objects of a class keep their archived keys, because their description in a file of classes does not fit them.
  ///
  /// - Parameters:
  ///   - name: The name of the class.
  ///   - count: The number of objects that do not fit.
  ///   - why: The reason for the first of them.
  ///   - first: The location of the first of them.
  case classMisfit(_ name: String, count: Int, why: String, first: InputLocation)
  /// A class that is to be renamed does not occur.
  ///
  /// - Parameters:
  ///   - name: The name of the class.
  ///   - near: A similar name of a class that occurs, or nil.
  case unknownClass(_ name: String, near: String?)
  /// Dictionaries with a class under the key `$class` stay dictionaries in an archive, with their number.
  case classAsKey(count: Int)
  /// Keys occur twice in one dictionary, with their number, and the path and the location of the first of them if they are known.
  case repeatedKeys(count: Int, first: ValuePath?, at: InputLocation = InputLocation())
  /// No element has the path of a list, inside the root element of an XML document.
  case noList(ValuePath)
  /// Elements with a path are a list in some of the elements that an XPath selects, and single in others, because each is read on its own. The
  /// elements may be those of several inputs.
  ///
  /// - Parameters:
  ///   - first: The first such path, inside the selected elements.
  ///   - count: The number of such paths.
  case unevenLists(first: ValuePath, count: Int)
  /// A document of XML was held in memory as a tree, because an XPath cannot be matched while the document is read.
  ///
  /// - Parameters:
  ///   - part: The first part of the XPath that needs the tree: `[last()]`.
  ///   - byteCount: The size of the document in bytes.
  case heldInMemory(part: String, byteCount: Int)
  /// Sets stay sets in a property list, although few programs read them there.
  case setsKept
  /// Files stay in a package although no record names them any more.
  case unnamedFiles([String])
  /// Strings of an OpenStep property list have `\u` and four hexadecimal digits. Apple's programs read `\u` as the letter u, and only
  /// `\U` as the escape of a character. Other programs may have written `\u` for a character.
  ///
  /// - Parameters:
  ///   - count: The number of such escapes.
  ///   - first: The location of the first of them.
  case lowercaseEscapes(count: Int, first: InputLocation)
  /// A schema was inferred from the first records of files, whose others were not read.
  ///
  /// - Parameters:
  ///   - records: The number of records that were read of each file.
  ///   - files: The number of files that have more.
  case sample(records: Int, files: Int)
  /// Records have the empty key, which cannot be the name of a field, so that the schema does not describe its values.
  ///
  /// - Parameter element: The name of the records.
  case emptyKey(of: String)
  /// Records have text beside, or in place of, elements, for which a schema has no field, so that the schema does not describe the text.
  ///
  /// - Parameter element: The name of the records.
  case textBesideElements(of: String)
  /// The written text is in an encoding that its first bytes do not show, so a reader must be told the encoding.
  case hiddenEncoding(String)
  /// The name of an output has the extension of another format, so that the output is read in that format or not at all.
  ///
  /// - Parameters:
  ///   - other: The other format: "CSV".
  ///   - document: The format of the output: "YAML".
  ///   - usual: The usual extension of the format of the output, without a dot; nil if it has none.
  case otherExtension(of: String, document: String, usual: String?)
  /// A text is read in the encoding that was given, but is valid UTF-8 with characters beyond ASCII, so that the encoding is probably another
  /// one.
  case likelyUTF8(readAs: String)
  /// The first row of a table does not have the delimiter that was given, but another one.
  case otherDelimiter(given: UInt8, found: UInt8)
  /// Records that were added to a database have made a table of their own.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - others: The names of the tables that the database had before.
  case newTable(_ name: String, beside: [String])
  /// A database in WAL mode was read without its write-ahead log, which may have changes that the database does not have yet: it came
  /// from a stream, or it has no tables.
  case missingLog
  /// A check has left out the pages and the indexes of tables, with their names: SQLite cannot check them without the app or by their names,
  /// or there are too many.
  case uncheckedTables([String])
}

extension Note {
  /// The identifier of the note in reports, which no release changes.
  public var code: String {
    switch self {
    case .readByConvention: "read-by-convention"
    case .readWithoutSchema: "read-without-schema"
    case .oneRecord: "one-record"
    case .inNamespace: "in-namespace"
    case .nothingSelected: "nothing-selected"
    case .pathsOfRows: "paths-of-rows"
    case .classMisfit: "class-misfit"
    case .unknownClass: "unknown-class"
    case .classAsKey: "class-as-key"
    case .noList: "no-list"
    case .unevenLists: "uneven-lists"
    case .heldInMemory: "held-in-memory"
    case .repeatedKeys: "repeated-keys"
    case .setsKept: "sets-kept"
    case .unnamedFiles: "unnamed-files"
    case .lowercaseEscapes: "lowercase-escapes"
    case .sample: "sample"
    case .emptyKey: "empty-key"
    case .textBesideElements: "text-beside-elements"
    case .hiddenEncoding: "hidden-encoding"
    case .otherExtension: "other-extension"
    case .likelyUTF8: "likely-utf-8"
    case .otherDelimiter: "other-delimiter"
    case .newTable: "new-table"
    case .missingLog: "missing-log"
    case .uncheckedTables: "unchecked-tables"
    }
  }

  /// True if the note matters only to programs that read reports: a small document that was held in memory took little of it.
  package var isForReportsAlone: Bool {
    if case .heldInMemory(_, let byteCount) = self { byteCount < Self.largeDocument } else { false }
  }

  /// The size in bytes from which the memory of a tree is worth a message. A tree takes about ten times the size of the document.
  package static let largeDocument = 16 << 20

  /// The source location of the first object or text that the note is about; empty if it is about the whole input.
  public var location: InputLocation {
    switch self {
    case .classMisfit(_, _, _, let first), .lowercaseEscapes(_, let first), .repeatedKeys(_, _, let first):
      first
    default: InputLocation()
    }
  }

  /// The path of the first value that the note is about; nil if it is about the whole input.
  public var path: ValuePath? {
    switch self {
    case .repeatedKeys(_, let first, _): first
    case .noList(let path), .unevenLists(let path, _): path
    default: nil
    }
  }
}

extension Note: CustomStringConvertible {
  /// The note in one sentence, without a period. The wording may change in any release.
  public var description: String {
    switch self {
    case .readByConvention(let schema, let why, _):
      "read by convention and not by the built-in schema \(schema): \(why)"
    case .readWithoutSchema(let reason): "read without a schema: \(reason)"
    case .oneRecord(let element, let list):
      "<\(element)> is one record, because it has more than its <\(list)>"
    case .inNamespace(let namespace): "the elements are in the namespace \(MessageText.quoted(namespace))"
    case .nothingSelected: Loss.Kind.nothingSelected.message
    case .pathsOfRows(let table):
      "a path in this database leads to rows and columns, such as "
        + "\(ValuePath((table.map { [.key($0)] } ?? []) + [.slice(from: nil, to: nil), .key("COLUMN")])), not into data or views"
    case .classMisfit(let name, let count, let why, _):
      (count == 1
        ? "1 object of \(MessageText.name(name)) keeps its"
        : "\(count) objects of \(MessageText.name(name)) keep their")
        + " archived keys: the file of classes does not fit (\(count == 1 ? "it" : "the first") \(why))"
    case .unknownClass(let name, let near):
      "no class is named \(MessageText.quoted(name)), which is to be renamed"
        + (near.map { " (did you mean \(MessageText.quoted($0))?)" } ?? "")
    case .classAsKey(let count):
      (count == 1
        ? "1 dictionary with the key $class stays a dictionary"
        : "\(count) dictionaries with the key $class stay dictionaries")
        + "; objects are made from a document in the typed form: "
        + #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":…}}}"#
    case .noList(let path):
      "no element inside the root element has the path \(MessageText.quoted(path.description)), which is to be a list"
    case .unevenLists(let first, let count):
      "\(MessageText.quoted(first.description)) is a list in some of the selected elements, and a single value in others"
        + (count == 1 ? "" : "; \(count - 1) other \(count == 2 ? "path is" : "paths are"), too")
    case .repeatedKeys(let count, let first, _):
      (count == 1 ? "1 key occurs" : "\(count) keys occur") + " twice in one dictionary"
        + (first.map { " (\(count == 1 ? "at" : "the first at") \($0.shortened))" } ?? "")
    case .heldInMemory(let part, let byteCount):
      "\(MessageText.quoted(part)) in the XPath needs the whole document, so the document (\(Self.size(byteCount))) was held in memory "
        + "as a tree"
    case .setsKept: "sets stay sets, as the typed form has them; few programs read sets in property lists"
    case .unnamedFiles(let names):
      "no record names \(PackageProblem.list(names)) any more "
        + "(\(names.count == 1 ? "the file stays" : "the files stay") in the package)"
    case .lowercaseEscapes(let count, _):
      "\(count == 1 ? "1 escape \\u is" : "\(count) escapes \\u are") read as the letter u, as Apple's programs do "
        + "(\\U is the escape of a character)"
    case .sample(let records, let files):
      "a sample: only the first \(records == 1 ? "record" : "\(records) records") of "
        + (files == 1 ? "the file" : "\(files) files") + (records == 1 ? " was read" : " were read")
    case .emptyKey(let element):
      "the key \"\" of the record \(MessageText.name(element)) is left out of the schema: a field must have a name"
    case .textBesideElements(let element):
      "the text of <\(element)> is left out of the schema: a record with elements has no field for text"
    case .hiddenEncoding(let name):
      "the output is in \(MessageText.name(name)), which its first bytes do not show: a reader must be told the encoding"
    case .otherExtension(let other, let document, _):
      "the output is \(document), but its name has the extension of \(other), by which programs read it"
    case .likelyUTF8(let name):
      "the text is read as \(MessageText.name(name)), but it is also valid UTF-8"
    case .otherDelimiter(let given, let found):
      "the first row has no \(Self.name(ofDelimiter: given)), but \(Self.name(ofDelimiter: found)): it is read as one cell"
    case .missingLog:
      "changes that are only in the write-ahead log (-wal) of the database are missing: the log was not read"
    case .uncheckedTables(let names):
      "the pages and the indexes of \(names.count == 1 ? "the table" : "\(names.count) tables") were not checked: "
        + PackageProblem.list(names)
    case .newTable(let name, let others):
      "the database had no table \(MessageText.quoted(name)), which is new; \(DatabaseProblem.list(others))"
    }
  }

  private static func size(_ byteCount: Int) -> String {
    byteCount < 1_000_000 ? "\(byteCount) bytes" : "\(byteCount / 1_000_000) MB"
  }

  private static func name(ofDelimiter byte: UInt8) -> String {
    byte == UInt8(ascii: "\t") ? "tab" : "\"\(Character(Unicode.Scalar(byte)))\""
  }
}
