extension RecordDocumentFiles {
  /// The greatest number of changes that are made one by one. A document with more changes is rewritten as a
  /// whole.
  private static let changes = 200

  /// A document's bytes with its value made another, change by change, so that everything else stays what it is: of an
  /// archive or a property list every object, of text every byte. Nil if that cannot be: with too many changes, in XML and
  /// JSON Lines, which have no editor, and if its editor takes the file for something else.
  ///
  /// `old` is the document's value, with shared objects numbered as in the new one.
  func editing(_ document: RecordDocument, from old: Value, to new: Value) -> [UInt8]? {
    guard let changes = ValueChanges(from: old, to: new, limit: Self.changes) else { return nil }
    // A schema that is given may read the values of older records as newer ones.
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
