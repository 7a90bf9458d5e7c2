/// A record that a reader has found.
struct FoundRecord: Sendable {
  let value: Value
  /// The index of the record in its list, or nil for a document that is a single record.
  let index: Int?
  /// The source location of the record, if the reader knows it.
  let location: InputLocation

  /// The path of the record in the list of records.
  var path: ValuePath { ValuePath(index.map { [.index($0)] } ?? []) }
}

/// Records that a reader has found one after the other.
struct RecordBatch: Sendable {
  var records: [FoundRecord] = []
  /// The format of the input.
  let format: Format
  /// True for a document with types whose root element is not part of the value.
  let isWrapped: Bool
}
