extension RecordDocument {
  /// Returns the keys of records of the document. A key that is a reference is replaced by its object.
  func keys(of records: [Value], _ field: String) -> [Value] {
    resolved(resolved(records).compactMap { $0[field] })
  }

  /// Returns values of the document with the objects in place of references to them.
  func resolved(_ values: [Value]) -> [Value] {
    guard values.contains(where: \.isReference) else { return values }
    var objects: [Int: ObjectValue] = [:]
    value.collectObjects(in: &objects)
    return values.map { value in
      if case .reference(let number) = value, let object = objects[number] { .object(object) } else { value }
    }
  }
}

extension RecordDocumentFiles {
  /// Returns the keys of data as a document holds them. Its format may round dates and numbers, and
  /// change the notation of numbers and UUIDs.
  ///
  /// - Parameters:
  ///   - keys: The keys of the data's records, in order.
  ///   - field: The name of the field with the keys.
  ///   - data: The data, in the shape of the document.
  ///   - document: The document.
  func heldKeys(
    _ keys: [Value], _ field: String, of data: RecordDocument, in document: RecordDocument
  ) -> [Value] {
    var reading = self
    reading.source = document.format
    // A schema describes the records in XML whose values have no types. Elsewhere the keys alone suffice.
    let areElements = document.shape.isOfElements
    if !areElements { (reading.schema, reading.matchesSchemas) = (nil, false) }
    // Rows have a header, which makes them records.
    let areRecords = areElements || document.format.description.shape == .rows
    let alone = keys.map { areRecords ? $0.withoutIdentity.alone(under: field) : $0.withoutIdentity }
    // Data that the format cannot hold is refused, or reported, when it is written.
    let file = NewRecordFile(format: document.format, types: document.types, schema: data.schema)
    guard
      let bytes = try? bytes(
        of: areElements ? data.value : .array(alone), in: file, losses: LossReport()),
      let written = try? reading.read(
        bytes, named: nil, fallback: areElements ? data.schema : nil, mapping: .onlyOfText)
    else { return keys }
    guard areRecords else {
      return written.value.listElements.flatMap { $0.count == keys.count ? $0 : nil } ?? keys
    }
    let held = (written.records ?? [written.value]).compactMap { $0[field] }
    return held.count == keys.count ? held : keys
  }
}

extension RecordShape {
  /// Returns keys of a document with another shape as a file of this shape represents them: the number 1 is the text 1 in CSV. Returns no
  /// keys if all are the same.
  func held(_ keys: [Value], of document: RecordShape) -> [Value] {
    guard !capabilities.isSuperset(of: document.capabilities) || dialect.booleansAreIntegers else {
      return []
    }
    let builder = ValueBuilder()
    let sink = ObjectKeys(to: PlainForm(to: builder, capabilities: capabilities, losses: LossReport()))
    do throws(FerryError) {
      try Value.array(keys.map(\.withoutIdentity)).replay(into: sink)
      try sink.finish()
      let held = try builder.result().listElements ?? []
      return dialect.booleansAreIntegers ? held.map(\.withIntegerForBoolean) : held
    } catch {
      // No key of such a file can be equal to them.
      return []
    }
  }
}

extension Value {
  /// The value, or 0 or 1 for a boolean.
  fileprivate var withIntegerForBoolean: Value {
    if case .boolean(let flag) = self { .integer(flag ? 1 : 0) } else { self }
  }

  fileprivate var isReference: Bool { if case .reference = self { true } else { false } }

  /// The value with its object's identity removed.
  fileprivate var withoutIdentity: Value {
    guard case .object(var object) = self else { return self }
    object.identity = nil
    return .object(object)
  }

  /// Returns a record that has only the value, under a key.
  fileprivate func alone(under key: String) -> Value { .dictionary([.string(key): self]) }

  /// Collects the objects with an identity.
  fileprivate func collectObjects(in objects: inout [Int: ObjectValue]) {
    if case .object(let object) = self {
      if let identity = object.identity { objects[identity] = object }
      object.content.collectObjects(in: &objects)
    } else {
      for part in parts { part.collectObjects(in: &objects) }
    }
  }
}
