extension TypedstreamShapes {
  /// Sends a value that is neither an object, a collection nor a class. Returns false for those.
  func send(scalar entry: TypedstreamEntry, to sink: any ValueSink) throws(FerryError) -> Bool {
    switch entry.kind {
    case .null: try sink.null()
    case .boolean: try sink.boolean(entry.payload != 0)
    case .integer, .unsigned: try sink.integer(entry.integer ?? 0)
    case .single: try sink.single(entry.single)
    case .real: try sink.real(Double(bitPattern: entry.payload))
    case .text: try sink.string(BorrowedText(bytes.span.extracting(entry.range)))
    case .cString, .atom, .selector:
      if isText(entry.range) {
        try sink.string(BorrowedText(bytes.span.extracting(entry.range)))
      } else {
        try sink.data(bytes.span.extracting(entry.range))
      }
    case .bytes, .data: try sink.data(bytes.span.extracting(entry.range))
    case .type, .object, .reference, .array, .structure: return false
    }
    return true
  }
}
