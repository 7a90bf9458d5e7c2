/// A document of records in memory, in the shape of its own format or of another format.
public struct RecordDocument: Sendable {
  /// The detected format. A document in the typed form has that of the file that it describes.
  public let format: Format
  /// The given or matching schema.
  public let schema: Schema?
  /// The value of the document.
  public let value: Value
  /// The bytes of the file, or of the file that the text describes.
  public let bytes: [UInt8]
  /// The types that a document of XML declares, whose values are like those of JSON; nil for others.
  let types: RootTypes?
  /// True if the schema changed the shape of the value.
  let isMapped: Bool
  /// The version that the file has for all its records, or is read with; nil if the schema has no such version.
  let version: Int?
  /// The source locations of the records, in order, as far as they are known.
  let locations: [InputLocation]
  /// Losses for the parts of the file that the value does not contain.
  let losses: Losses
  /// The archives in the file, with the entries that the value does not have.
  var archiveEntries = ArchiveEntries()
  /// The text in the typed or the raw form from which the document was read; nil for another file.
  var describingText: DescribingText?
  /// True if the value is a list because the file has several documents of YAML.
  var hasSeveralDocuments = false
}

extension RecordDocument {
  /// The shape of the value.
  var shape: RecordShape { RecordShape(format, hasTypes: types != nil) }

  /// The format of the file itself.
  package var fileFormat: Format { describingText?.format ?? format }

  /// The bytes of the file itself.
  package var fileBytes: [UInt8] { describingText?.bytes ?? bytes }

  /// The records, or nil if the document has no list.
  var records: [Value]? { Schema.records(of: value, schema) }

  /// Returns true if the document has the root element of a schema, or if its first record is of the schema's class or has a key of one of
  /// its fields. The document must be read without a schema.
  func mayHaveRecords(of schema: Schema) -> Bool {
    if shape.isOfElements {
      guard case .dictionary(let entries) = value, let root = entries.keys.first?.stringValue else {
        return false
      }
      return root.equals(schema.collectionElement) || root.equals(schema.record.element)
    }
    guard let first = resolved(Schema.records(of: value, schema) ?? [value]).first else { return true }
    switch first {
    case .object(let object): return schema.record.accepts(className: object.type.name)
    case .dictionary(let entries):
      let usesArchiveKeys = shape.dialect.usesArchiveKeys
      return entries.keys.contains { key in
        guard let key = key.stringValue else { return false }
        return schema.record.match(key.utf8.span, usesArchiveKeys: usesArchiveKeys) != nil
      }
    default: return false
    }
  }

  /// Returns the value that is read from the file with a new value. Of several documents of YAML, the only one that is left is read as itself,
  /// and not as a list; without documents, there is null.
  func valueInFile(_ value: Value) -> Value {
    guard hasSeveralDocuments, case .array(let documents) = value, documents.count < 2 else { return value }
    return documents.first ?? .null
  }

  /// True if the document is pretty-printed, in a format in which documents are.
  var isPretty: Bool { format.isPretty(bytes) }
}

extension Format {
  /// Returns true if bytes in this format are pretty-printed, and documents in the format may be.
  func isPretty(_ bytes: [UInt8]) -> Bool {
    guard description.isPrettyInDocuments,
      let line = bytes.prefix(4096).firstIndex(of: UInt8(ascii: "\n"))
    else { return false }
    return bytes[line...].contains { $0 > 0x20 }
  }
}
