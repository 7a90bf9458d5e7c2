/// A problem of a schema, or of a record with a schema.
public enum RecordProblem: Hashable, Sendable {
  /// A schema that is not valid.
  case badSchema(String)
  /// A class file that is not valid.
  case badClasses(String)
  /// A file of document types that is not valid.
  case badTypes(String)
  /// No built-in schema and no file has this name.
  case unknownSchema(String, known: [String])
  /// A required field is missing.
  case missingField(String, record: String)
  /// An element inside an element that is a single value.
  case notAScalar(found: String)
  /// A field that occurs twice in one record.
  case repeatedField(String)
  /// A record that breaks the built-in schema which its document matched.
  indirect case ofBuiltIn(RecordProblem, schema: String)
  /// A value that is not of its field's type.
  case badField(String, wanted: String, found: String)
  /// A value other than the record that the schema requires.
  case notARecord(found: String, record: String)
  /// A record of a newer version than its schema's.
  case newerVersion(Int, record: String, known: Int)
  /// Two records with the same key; the location of the first.
  case duplicateKey(String, value: String, first: String)
  /// A document that would have to be rewritten to add records, and the kind of data that this would lose.
  case addingLoses(Loss.Kind)
  /// Records must be identified, and no key is known.
  case noKey
  /// A class that is to be renamed, and that the schema does not have; the schema's classes.
  case noClass(String, among: [String])
}

extension RecordProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .badSchema(let why): "invalid schema: \(why)"
    case .badClasses(let why): "invalid file of classes: \(why)"
    case .badTypes(let why): "invalid file of document types: \(why)"
    case .unknownSchema(let name, let known):
      "unknown schema \(quotedForMessage(name)) (built in: \(known.joined(separator: ", ")); or give a file)"
    case .missingField(let field, let record): "the \(record) has no \(field)"
    case .notAScalar(let found): "expected only text in this element, found \(found)"
    case .repeatedField(let field): "the field \(field) occurs twice"
    case .ofBuiltIn(let problem, let schema):
      "\(problem) (the built-in schema \(schema) asks for it; --schema none reads the file by convention)"
    case .badField(let field, let wanted, let found):
      "expected \(wanted) in the field \(field), found \(found)"
    case .notARecord(let found, let record): "expected \(Self.withArticle(record)), found \(found)"
    case .newerVersion(let version, let record, let known):
      "the \(record) has version \(version), but the schema describes versions up to \(known) "
        + "(use --allow-newer to read it as version \(known))"
    case .addingLoses(let kind):
      "adding records would rewrite the document: \(kind.message) "
        + "(add the records by hand, or remove the cause first)"
    case .noKey: "no field identifies the records (use --key FIELD, or a schema with a key)"
    case .noClass(let name, let known):
      known.isEmpty
        ? "no schema names the class \(quotedForMessage(name)), which is to be renamed (use --schema)"
        : "the schema has no class \(quotedForMessage(name)), which is to be renamed "
          + (NearMiss.nearest(to: name, among: known).map { "(did you mean \(quotedForMessage($0))?)" }
            ?? "(its classes are \(known.joined(separator: ", ")))")
    case .duplicateKey(let key, let value, let first):
      "this record and \(first) have the same \(key), \(value)"
    }
  }
}

extension RecordProblem {
  /// The identifier of the problem in reports, which no release changes.
  var code: String {
    switch self {
    case .badSchema: "bad-schema"
    case .badClasses: "bad-classes"
    case .badTypes: "bad-types"
    case .unknownSchema: "unknown-schema"
    case .missingField: "missing-field"
    case .notAScalar: "not-a-scalar"
    case .repeatedField: "repeated-field"
    case .ofBuiltIn: "of-built-in"
    case .badField: "bad-field"
    case .notARecord: "not-a-record"
    case .newerVersion: "newer-version"
    case .duplicateKey: "duplicate-key"
    case .addingLoses: "adding-loses"
    case .noKey: "no-key"
    case .noClass: "no-class"
    }
  }
}

extension RecordProblem {
  /// Returns the name of a record with its article: a person, an item, an `<item>`.
  private static func withArticle(_ record: String) -> String {
    let first = record.first { $0 != "<" } ?? "x"
    return ("aeio".contains(first) ? "an " : "a ") + record
  }
}
