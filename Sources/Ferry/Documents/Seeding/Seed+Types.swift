// The types of the records to be added.

extension Seed {
  /// Throws if a record to be added has a text where the records of the document have only values of another type, which the format of the
  /// data does not have: the number 36 is a text in CSV. A text instead of a number could add a record again, and apps could not read it.
  ///
  /// - Parameters:
  ///   - added: The records to be added, with their indices in the data.
  ///   - shape: The shape in which the data was read.
  ///   - records: The records of the document.
  func checkTypes(
    of added: [(index: Int, record: Value)], of data: RecordDocument, readAs shape: RecordShape,
    against records: [Value], in present: RecordDocument
  ) throws(SeedError) {
    guard !added.isEmpty else { return }
    let lost = LostTypes(of: records, in: shape)
    guard !lost.isEmpty else { return }
    let usesArchiveKeys = present.format.recordDialect.usesArchiveKeys
    for (index, record) in added {
      let change = lost.change(in: record) { key in
        // The schema has given the value its type.
        data.schema?.record.match(key.utf8.span, usesArchiveKeys: usesArchiveKeys) == nil
      }
      guard let change else { continue }
      let problem = RecordProblem.losesTypes(format: shape.noun, change.kind)
      let path = ValuePath([.index(index)] + change.path.steps)
      throw SeedError(isAboutData: true, error: data.placed(FerryError(.record(problem), path: path)))
    }
  }
}

extension RecordDocument {
  /// Returns an error whose path begins at the list of records with its path in the document, and with the source location of the record.
  func placed(_ error: FerryError) -> FerryError {
    guard case .index(let index)? = error.path.steps.first else { return error }
    let list = value.listElements == nil ? schema?.collectionKey : nil
    let placed = list.map { error.placed(under: .key($0)) } ?? error
    return locations.indices.contains(index) ? placed.placed(at: locations[index]) : placed
  }
}
