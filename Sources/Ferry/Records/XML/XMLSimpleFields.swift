/// The fields of a record whose value is a scalar of a declared type, in an element or attribute of its own. Such a scalar can be written
/// without checks.
struct XMLSimpleFields {
  /// The names of a field.
  struct Field {
    /// The key and the name in UTF-8.
    let key: [UInt8]
    let name: [UInt8]
    let isAttribute: Bool

    /// Creates the names of a field. Returns nil unless the field is simple.
    init?(_ field: RecordField) {
      guard CompiledSchema.Scalar(field.type) != nil else { return nil }
      switch field.xml {
      case .element(let name):
        guard name.utf8.span.isBareXMLName else { return nil }
        (self.name, isAttribute) = (Array(name.utf8), false)
      case .attribute(let name): (self.name, isAttribute) = (Array(name.utf8), true)
      case .text, .items: return nil
      }
      key = Array(field.name.utf8)
    }
  }

  private let fields: [Field]
  /// The indices of the fields by their keys, if there are many.
  private let indices: [ExactString: Int]
  private static let fewFields = 16
  /// The index after the field of the last key. Records often have their keys in the order of the schema.
  private var likely = 0

  /// Finds the simple fields in the records of a schema. Names in a schema with namespaces need a prefix, so that no field is simple.
  init(of schema: Schema) {
    let fields = schema.names == nil ? schema.record.fields.compactMap(Field.init) : []
    self.fields = fields
    let indexed = (fields.count > Self.fewFields ? fields : []).enumerated().map { index, field in
      (ExactString(String(decoding: field.key, as: UTF8.self)), index)
    }
    indices = [ExactString: Int](indexed) { first, _ in first }
  }

  /// Returns the simple field with a key, or nil.
  mutating func field(withKey key: BorrowedText) -> Field? {
    if likely < fields.count, isKey(key, of: likely) {
      likely += 1
      return fields[likely - 1]
    }
    guard let index = index(withKey: key) else { return nil }
    likely = index + 1
    return fields[index]
  }

  private func index(withKey key: BorrowedText) -> Int? {
    guard indices.isEmpty else {
      // An unpaired surrogate becomes another character.
      return indices[String(key)].flatMap { isKey(key, of: $0) ? $0 : nil }
    }
    return fields.indices.first { isKey(key, of: $0) }
  }

  private func isKey(_ key: BorrowedText, of index: Int) -> Bool {
    let known = fields[index].key
    return key.utf8.equals(known.span)
  }
}
