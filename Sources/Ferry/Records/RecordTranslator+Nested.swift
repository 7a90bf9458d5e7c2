extension RecordTranslator {
  /// Converts between a record or a list and its JSON text, which a database stores. Returns false if the
  /// field has another type, or if the value is not a string.
  ///
  ///     [{"name": "Alan"}]   ⇄   "[{\"name\":\"Alan\"}]"
  func sendNested(
    _ type: FieldType, _ name: String, at index: TapeIndex, of tape: EventTape, to sink: any ValueSink
  ) throws(FerryError) -> Bool {
    guard type.mayBeCollection else { return false }
    if type == .any { return try sendNestedAny(at: index, of: tape, to: sink) }
    let isInColumns = if case .record = type { target.putsRecordsInColumns } else { false }
    var tape = tape
    var index = index
    var dialect = source
    // JSON text in a cell has no references.
    let options = options.withoutIdentities
    if source.nestsAsText, tape.kind(at: index) != .string {
      // A default value, the value of a rule, and a record in columns of its own are collections.
      guard target.nestsAsText, !isInColumns, tape.isCollection(at: index) else { return false }
    } else if source.nestsAsText {
      let parsed = TapeSink()
      try JSONReader.read(
        nested: tape.text(at: index).utf8, into: parsed, budget: options.budget, losses: losses)
      (tape, index, dialect) = (parsed.tape, .start, .json)
    } else if isInColumns {
      return false
    }
    guard target.nestsAsText, !isInColumns else {
      let inner = RecordTranslator(
        from: dialect, to: target, options: options, enclosingTypes: enclosingTypes)
      try inner.send(type, name, at: index, of: tape, to: sink)
      losses.add(inner.losses.take())
      return true
    }
    let inner = RecordTranslator(from: dialect, to: .json, options: options, enclosingTypes: enclosingTypes)
    try sendJSON(to: sink) { nested throws(FerryError) in
      try inner.send(type, name, at: index, of: tape, to: nested)
    }
    losses.add(inner.losses.take())
    return true
  }

  /// Sends a value as JSON text. Scalars that JSON does not have, and objects, become others as without a schema.
  private func sendJSON(
    to sink: any ValueSink, _ sendValue: (any ValueSink) throws(FerryError) -> Void
  ) throws(FerryError) {
    let output = MemoryOutput()
    let form = PlainForm(
      to: JSONWriter(to: output), capabilities: .json, losses: losses,
      pointers: ObjectPointers(budget: options.budget))
    try sendValue(form)
    try form.finish()
    let text = Array(output.bytes.dropLast())
    try sink.string(BorrowedText(text.span))
  }

  /// Sends a value of any type. Only a collection becomes JSON text, and only text that is a collection is read as JSON, so
  /// that other texts stay as they are. Returns false for a value that is the same in both dialects.
  private func sendNestedAny(
    at index: TapeIndex, of tape: EventTape, to sink: any ValueSink
  ) throws(FerryError) -> Bool {
    if source.nestsAsText, !target.nestsAsText, tape.kind(at: index) == .string {
      let text = tape.text(at: index).utf8
      guard text.isCollectionInJSON(options.budget) else { return false }
      try JSONReader.read(nested: text, into: sink, budget: options.budget, losses: losses)
      return true
    }
    guard target.nestsAsText else { return false }
    switch tape.kind(at: index) {
    case .beginArray, .beginSet, .beginDictionary: break
    // A later reader has the usual limits.
    case .string where !source.nestsAsText && tape.text(at: index).utf8.isCollectionInJSON(Budget()):
      losses.add(.jsonLookalike)
      return false
    default: return false
    }
    try sendJSON(to: sink) { nested throws(FerryError) in try tape.replay(valueAt: index, into: nested) }
    return true
  }
}

extension EventTape {
  /// Returns true if the value at an index is a collection, or an object with one.
  fileprivate func isCollection(at index: TapeIndex) -> Bool {
    [.beginArray, .beginSet, .beginDictionary, .beginObject].contains(kind(at: index))
  }
}
