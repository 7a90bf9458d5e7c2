extension ClassCatalog {
  /// Returns this catalog without the classes of a schema's records. The schema itself interprets their keys.
  func removing(classesOf schema: Schema?) -> ClassCatalog {
    guard let schema else { return self }
    return removing { schema.record.holds(className: $0) }
  }
}

extension RecordType {
  /// Returns true if objects of a class are records of this type, or records nested in them.
  fileprivate func holds(className: String) -> Bool {
    accepts(className: className) || fields.contains { $0.type.holds(className: className) }
  }
}

extension FieldType {
  fileprivate func holds(className: String) -> Bool {
    switch self {
    case .record(let type): type.holds(className: className)
    case .list(let type, _), .dictionary(let type): type.holds(className: className)
    default: false
    }
  }
}
