extension RecordDocumentFiles {
  /// A document's bytes with records added behind its own, which stay what they are: of an archive or a property list every
  /// object, of text every byte.
  func adding(_ records: [Value], to document: RecordDocument) throws(Failure) -> [UInt8] {
    let elements = document.value.listElements ?? []
    let whole = document.value.withListElements(elements + records)
    if document.format == .jsonLines {
      let lines = try bytes(of: .array(records), in: .jsonLines, schema: nil, isPretty: false)
      let endsLine = document.bytes.isEmpty || document.bytes.last == UInt8(ascii: "\n")
      return document.bytes + (endsLine ? [] : [UInt8(ascii: "\n")]) + lines
    }
    if document.format != .xml, records.count <= Self.insertions,
      let bytes = try? inserted(records, into: document, expecting: whole)
    {
      return bytes
    }
    // XML is written anew, which must not lose what its records do not hold.
    if let loss = document.losses.places.first { throw Failure(.loss(loss.kind), path: loss.path) }
    return try bytes(of: whole, in: document.format, schema: document.schema, isPretty: document.isPretty)
  }

  /// The most records that are inserted one by one; more are written with all others.
  private static let insertions = 200

  /// The bytes with the records inserted; nil when the file is one that its editor takes for something else.
  private func inserted(
    _ records: [Value], into document: RecordDocument, expecting whole: Value
  ) throws(Failure) -> [UInt8]? {
    var options = EditableFile.Options()
    options.format = document.format
    options.budget = budget
    let file = try EditableFile(document.bytes, options: options)
    for record in records { try file.insert(record, at: ValuePath([.end])) }
    let bytes = try file.bytes()
    var reading = self
    reading.source = document.format
    let read = try reading.read(bytes, named: nil, mapping: .onlyOfText)
    return read.value.isSame(as: whole) ? bytes : nil
  }
}
