/// A problem with a schema, or with a record that has a schema.
public enum RecordProblem: Hashable, Sendable {
  /// An invalid schema.
  case badSchema(String)
  /// A schema in another language, such as XML Schema, with the name of the language.
  case otherSchema(String)
  /// An invalid class file.
  case badClasses(String)
  /// An invalid file of document types.
  case badTypes(String)
  /// Neither a built-in schema nor a file has this name.
  case unknownSchema(String, known: [String])
  /// A required field is missing.
  case missingField(String, record: String)
  /// An element that should be a single value contains another element.
  case notAScalar(found: String)
  /// A field that occurs twice in one record.
  case repeatedField(String)
  /// A record that does not conform to the built-in schema that its document matches.
  indirect case ofBuiltIn(RecordProblem, schema: String)
  /// A value that does not have the type of its field.
  case badField(String, wanted: String, found: String)
  /// A value that is not a record, although the schema requires one.
  case notARecord(found: String, record: String)
  /// An element that is selected although it is not a record of the schema: a part of a record, or an element around records.
  case notSelected(found: String, record: String)
  /// A document that is not a list of records.
  case notAList(found: String)
  /// A value other than the dictionary whose entries become records.
  case notADictionary(found: String)
  /// A value other than the list of records that become the entries of a dictionary.
  case notEntries(found: String)
  /// A field of a record that becomes an entry, other than its key and its value, whose names follow.
  case otherField(String, known: [String])
  /// A record that becomes an entry with the key of an earlier one.
  case repeatedKey(String)
  /// A record of a newer version than the schema's.
  case newerVersion(Int, record: String, known: Int)
  /// Two records with the same key, and the location of the first.
  case duplicateKey(String, value: String, first: String)
  /// Adding records would rewrite the document and lose data, with the kind of data.
  case addingLoses(Loss.Kind)
  /// Adding records would rewrite the document in UTF-8, and it has another encoding.
  case addingReencodes
  /// Data to be added, in a format in which values of the document change their type, with the noun of the format.
  case losesTypes(format: String, Loss.Kind)
  /// Records of one version cannot be added to a document whose records have another.
  case otherVersion(present: Int, added: Int)
  /// A document in which no records are found, with its contents.
  case noRecords(found: String)
  /// A document in which no records are found: a dictionary whose keys are not the names of fields, but may be those of records.
  case onlyKeyedRecords
  /// Records of different kinds, for which one schema was to be found, with their formats, elements or classes.
  case severalRecords([String])
  /// The records must be identified, but no key is known.
  case noKey
  /// A class to rename that the schema does not have, with the schema's classes.
  case noClass(String, among: [String])
  /// Records of newer versions were to be read, but no schema with versions applies.
  case noVersions
  /// Older keys were to be written, but no schema with such keys applies.
  case noOlderKeys
  /// Records that are not valid were to be left out, but no schema applies, and the format does not separate records. Its name.
  case nothingToLeaveOut(String)
}

extension RecordProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .badSchema(let why): "invalid schema: \(why)"
    case .otherSchema(let language): "a schema in \(language) is not supported"
    case .badClasses(let why): "invalid file of classes: \(why)"
    case .badTypes(let why): "invalid file of document types: \(why)"
    case .unknownSchema(let name, let known):
      "unknown schema \(MessageText.quoted(name)) (built in: \(known.joined(separator: ", ")); or give a file)"
    case .missingField(let field, let record):
      "the \(MessageText.fieldName(record)) has no \(MessageText.fieldName(field))"
    case .notAScalar(let found): "expected only text in this element, found \(found)"
    case .repeatedField(let field): "the field \(MessageText.fieldName(field)) occurs twice"
    case .ofBuiltIn(let problem, let schema):
      "\(problem) (the built-in schema \(schema) asks for it)"
    case .badField(let field, let wanted, let found):
      "expected \(wanted) in the field \(MessageText.fieldName(field)), found \(found)"
    case .notAList(let found): "expected a list of records, found \(found)"
    case .notADictionary(let found): "expected a dictionary, whose entries become records, found \(found)"
    case .notEntries(let found): "expected a list of records with a key and a value, found \(found)"
    case .otherField(let name, let known):
      "the record of an entry has only \(known.map(MessageText.fieldName).joined(separator: " and ")), found "
        + MessageText.fieldName(name)
    case .repeatedKey(let key): "\(MessageText.quoted(key)) is also the key of an earlier record"
    case .notARecord(let found, let record): "expected \(Self.withArticle(record)), found \(found)"
    case .notSelected(let found, let record):
      "\(found) is selected, but the schema's record is \(record)"
    case .newerVersion(let version, let record, let known):
      "the \(MessageText.fieldName(record)) has version \(version), but the schema describes versions up to \(known)"
    case .addingLoses(let kind):
      "adding records would rewrite the document: \(kind.message) "
        + "(add the records by hand, or remove the cause first)"
    case .addingReencodes:
      "adding records would rewrite the document in UTF-8, and it has another encoding "
        + "(convert the document to UTF-8 first, or add the records by hand)"
    case .losesTypes(let format, let kind):
      "the data is \(format), which changes values of the document: \(kind.message)"
    case .otherVersion(let present, let added):
      "the records have version \(present), and those to be added have version \(added)"
    case .noRecords(let found):
      "no records: a schema describes a list of dictionaries or a dictionary, found \(found)"
    case .onlyKeyedRecords: Self.noRecords(found: "a dictionary whose keys are not fields").description
    case .severalRecords(let names):
      "these are different records, \(names.map(MessageText.fieldName).joined(separator: ", ")) (infer a schema for each)"
    case .noKey: "no field identifies the records"
    case .noClass(let name, let known):
      known.isEmpty
        ? "no schema names the class \(MessageText.quoted(name)), which is to be renamed"
        : "the schema has no class \(MessageText.quoted(name)), which is to be renamed "
          + (NearMiss.nearest(to: name, among: known).map { "(did you mean \(MessageText.quoted($0))?)" }
            ?? "(its classes are \(known.joined(separator: ", ")))")
    case .noVersions: "the records have no versions, because no schema defines any"
    case .noOlderKeys: "no schema defines older keys to write"
    case .nothingToLeaveOut(let format):
      "records of \(format) can be left out only with a schema"
    case .duplicateKey(let key, let value, let first):
      "this record and \(first) have the same \(MessageText.fieldName(key)), \(value)"
    }
  }
}

extension RecordProblem {
  /// The stable identifier of the problem for programs. It never changes.
  var code: String {
    switch self {
    case .badSchema: "bad-schema"
    case .otherSchema: "other-schema"
    case .badClasses: "bad-classes"
    case .badTypes: "bad-types"
    case .unknownSchema: "unknown-schema"
    case .missingField: "missing-field"
    case .notAScalar: "not-a-scalar"
    case .repeatedField: "repeated-field"
    case .ofBuiltIn: "of-built-in"
    case .badField: "bad-field"
    case .notARecord, .notSelected: "not-a-record"
    case .notAList: "not-a-list"
    case .notADictionary: "not-a-dictionary"
    case .notEntries: "not-entries"
    case .otherField: "other-field"
    case .repeatedKey: "repeated-key"
    case .newerVersion: "newer-version"
    case .duplicateKey: "duplicate-key"
    case .addingLoses: "adding-loses"
    case .addingReencodes: "adding-reencodes"
    case .losesTypes: "loses-types"
    case .otherVersion: "other-version"
    case .noRecords, .onlyKeyedRecords: "no-records"
    case .severalRecords: "several-records"
    case .noKey: "no-key"
    case .noClass: "no-class"
    case .noVersions: "no-versions"
    case .noOlderKeys: "no-older-keys"
    case .nothingToLeaveOut: "nothing-to-leave-out"
    }
  }
}

extension RecordProblem {
  /// Returns the name of a record with an indefinite article: `a person`, `an item`, `an <item>`.
  private static func withArticle(_ record: String) -> String {
    let first = record.first { $0 != "<" } ?? "x"
    return ("aeio".contains(first) ? "an " : "a ") + MessageText.fieldName(record)
  }
}
