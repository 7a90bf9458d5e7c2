/// The two fields that connect a record with a file of its package: one holds the name of the file; outside
/// of the package another field beside it holds the bytes.
///
///     in the package   MyWhatsit { name, location, image.key: "image.png" }   and the file image.png
///     in JSON          {"name": …, "location": …, "imageKey": "image.png", "image": "iVBORw0KGgo…"}
struct FileFields {
  /// The schema with both fields.
  let schema: Schema
  /// The name of the field with the file's name.
  let key: String
  /// The archived key of that field.
  let archiveKey: String
  /// The name of the field with the bytes.
  let contents: String
  let keyIndex: Int
  let contentsIndex: Int

  /// Creates the fields for a type's records; nil if no field of the records names files.
  init?(_ schema: Schema?, named key: String?) {
    guard var schema, let key, let index = schema.record.fields.firstIndex(where: { $0.name.equals(key) })
    else {
      return nil
    }
    self.key = key
    archiveKey = schema.record.fields[index].archiveKey
    contents = Self.contentsName(of: key)
    keyIndex = index
    contentsIndex = index + 1
    schema.record.fields.insert(Field(contents, .data, isOptional: true), at: contentsIndex)
    self.schema = schema
  }

  /// Returns the name of the field for the bytes of a file: `image` beside `imageKey`, `photoData` beside
  /// `photo`.
  static func contentsName(of key: String) -> String {
    guard key.hasSuffix("Key"), key.count > 3 else { return "\(key)Data" }
    return String(key.dropLast(3))
  }
}
