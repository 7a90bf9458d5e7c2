extension RecordDocumentFiles {
  /// The greatest number of changes that are made one by one. A document with more changes is rewritten as a
  /// whole.
  private static let changes = 200

  /// Returns a document's bytes with its value changed step by step, so that everything else stays as it is:
  /// every object of an archive or a property list, every byte of a text. Returns nil if that is not
  /// possible: with too many changes, for XML and JSON Lines, which have no editor, and if the editor detects
  /// another format.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - old: Its value, with shared objects numbered as in the new value.
  ///   - new: The new value.
  func editing(_ document: RecordDocument, from old: Value, to new: Value) -> [UInt8]? {
    guard let changes = ValueChanges(from: old, to: new, limit: Self.changes) else { return nil }
    // A given schema may read the values of older records as newer ones.
    if changes.all.isEmpty, !document.isMapped || schema == nil { return document.bytes }
    guard !document.isMapped, let bytes = try? bytes(of: document, with: changes) else { return nil }
    var reading = self
    (reading.source, reading.schema) = (document.format, nil)
    guard let read = try? reading.read(bytes, named: nil), SharedComparison.areSame(read.value, new) else {
      return nil
    }
    return bytes
  }

  private func bytes(of document: RecordDocument, with changes: ValueChanges) throws(Failure) -> [UInt8]? {
    var options = EditableFile.Options()
    options.format = document.format
    // The options must match those with which the document was read.
    options.meanings = .scalars
    options.budget = budget
    let file = try EditableFile(document.bytes, options: options)
    guard file.isEditable else { return nil }
    try changes.apply(to: file)
    return try file.bytes()
  }
}
