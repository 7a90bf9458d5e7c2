extension PropertyListNodes {
  /// Sends a scalar, and returns the number of bytes in its text or data.
  @discardableResult
  func send(scalar node: NodeID, to sink: any ValueSink) throws(FerryError) -> Int {
    try send(scalar: node, kind(of: node), to: sink)
  }

  /// Sends a scalar of a known kind, and returns the number of bytes in its text or data.
  @discardableResult
  @inline(__always)
  func send(scalar node: NodeID, _ kind: NodeKind, to sink: any ValueSink) throws(FerryError) -> Int {
    switch kind {
    case .null: try sink.null()
    case .boolean(let value): try sink.boolean(value)
    case .integer(let value): try sink.integer(value)
    case .real(let value): try sink.real(value)
    case .single(let value): try sink.single(value)
    case .date(let seconds): try sink.date(seconds)
    case .uid(let number): try sink.uid(number)
    case .number:
      return try withText(of: node) { text throws(FerryError) in
        try sink.number(text)
        return text.utf8.count
      }
    case .string:
      return try withText(of: node) { text throws(FerryError) in
        try sink.string(text)
        return text.utf8.count
      }
    case .data:
      return try withData(of: node) { bytes throws(FerryError) in
        try sink.data(bytes)
        return bytes.count
      }
    case .array, .set, .dictionary:
      throw FerryError(.propertyList(.wrongKind(expected: "a scalar", found: kind.name)))
    }
    return 0
  }

  /// Sends a string as a key, and returns the number of its bytes.
  @discardableResult
  func send(key node: NodeID, to sink: any ValueSink) throws(FerryError) -> Int {
    try withText(of: node) { text throws(FerryError) in
      try sink.key(text)
      return text.utf8.count
    }
  }
}
