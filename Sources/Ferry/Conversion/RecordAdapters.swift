/// Additional adapters around the record mapper: one before it, which is created with the dialect of the
/// reader, and one before the writer.
struct RecordAdapters {
  var source: ((any ValueSink, RecordDialect) -> any ValueSink)?
  var target: ((any ValueSink) -> any ValueSink)?

  /// True if there are no adapters.
  var isEmpty: Bool { source == nil && target == nil }
}
