/// Additional adapters around the record mapper: one before it, which is created with the dialect of the
/// reader, and one before the writer.
struct RecordAdapters {
  var source: ((any ValueSink, RecordDialect) -> any ValueSink)?
  var target: ((any ValueSink) -> any ValueSink)?
  /// The name of the field that `target` takes out of all records, or nil.
  var takenField: String?

  /// True if there are no adapters.
  var isEmpty: Bool { source == nil && target == nil }

  /// Returns the schema of the records that are written. A table has no column for a field that is taken out.
  func schemaOfWrittenRecords(_ schema: Schema?) -> Schema? {
    guard var schema, let takenField else { return schema }
    schema.record.fields.removeAll { $0.name.equals(takenField) }
    return schema
  }
}
