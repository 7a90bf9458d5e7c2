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
  /// The index after the field of the last key. Records often have their keys in the order of the schema.
  private var likely = 0

  /// Finds the simple fields in the records of a schema. Names in a schema with namespaces need a prefix, so that no field is simple.
  init(of schema: Schema) { fields = schema.names == nil ? schema.record.fields.compactMap(Field.init) : [] }

  /// Returns the simple field with a key, or nil.
  mutating func field(withKey key: BorrowedText) -> Field? {
    if likely < fields.count, isKey(key, of: likely) {
      likely += 1
      return fields[likely - 1]
    }
    for index in fields.indices where isKey(key, of: index) {
      likely = index + 1
      return fields[index]
    }
    return nil
  }

  private func isKey(_ key: BorrowedText, of index: Int) -> Bool {
    let known = fields[index].key
    return key.utf8.equals(known.span)
  }
}
