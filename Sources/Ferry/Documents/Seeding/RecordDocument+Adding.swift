extension RecordDocumentFiles {
  /// A document's bytes with records added behind its own, which stay what they are: of an archive or a property list every
  /// object, of text every byte.
  func adding(
    _ records: [Value], to document: RecordDocument, losses: LossReport
  ) throws(Failure) -> [UInt8] {
    let elements = document.value.listElements ?? []
    let whole = document.value.withListElements(elements + records)
    if document.format == .jsonLines {
      let lines = try bytes(of: .array(records), in: .jsonLines, schema: nil, isPretty: false, losses: losses)
      let endsLine = document.bytes.isEmpty || document.bytes.last == UInt8(ascii: "\n")
      return document.bytes + (endsLine ? [] : [UInt8(ascii: "\n")]) + lines
    }
    if let bytes = editing(document, from: document.value, to: whole) { return bytes }
    // XML is written anew, which must not lose what its records do not hold.
    if let loss = document.losses.places.first {
      throw Failure(.record(.addingLoses(loss.kind)), path: loss.path)
    }
    return try bytes(
      of: whole, in: document.format, schema: document.schema, isPretty: document.isPretty, losses: losses)
  }
}
