extension Schema {
  /// Returns the records of a document: the elements of its list, which may be in a dictionary. Returns nil if
  /// the document has no list.
  ///
  ///     [{"name": "Ada"}]                             {"version": 2, "people": [{"name": "Ada"}]}
  static func records(of document: Value, _ schema: Schema?) -> [Value]? {
    document.listElements ?? schema?.collectionKey.flatMap { document[$0]?.listElements }
  }

  /// Returns a document with its records replaced.
  static func document(_ document: Value, with records: [Value], _ schema: Schema?) -> Value {
    guard document.listElements == nil, let key = schema?.collectionKey, let list = document[key] else {
      return document.withListElements(records)
    }
    return document.withEntry(key, list.withListElements(records))
  }

  /// True if records without a version are read as records of an older version than the newest.
  var assumesOldVersion: Bool { record.versions.map { $0.absent < $0.current } ?? false }

  /// The loss in a document that has no place for the version of all records; nil if the records are read with the newest version
  /// also without it.
  var lossOfVersion: Loss? {
    guard let name = collectionVersion, assumesOldVersion else { return nil }
    return Loss(.collectionVersion, path: ValuePath([.key(name)]))
  }

  /// Returns the version that a document has, or is read with, if the schema has one version for all records.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - isText: True if the scalars of the document's format are text.
  ///   - mapper: The mapper that has updated the records, after which the document has no older version; nil if none has.
  func version(of document: Value, isText: Bool, mappedBy mapper: RecordMapper?) -> Int? {
    guard let key = collectionVersion, let versions = record.versions else { return nil }
    if let mapper { return mapper.versionAround ?? versions.absent }
    switch document[key] {
    case .integer(let stated)?: return Int(exactly: stated)
    case .string(let text)? where isText: return Int(text.trimmed)
    default: return versions.absent
    }
  }
}
