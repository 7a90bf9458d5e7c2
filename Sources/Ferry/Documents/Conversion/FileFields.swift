/// The two fields that connect a record with a file of its package: one holds the file's name; the other,
/// used only outside of a package, holds the file's bytes.
///
///     in the package   MyWhatsit { name, location, image.key: "image.png" }   and the file image.png
///     in JSON          {"name": …, "location": …, "imageKey": "image.png", "image": "iVBORw0KGgo…"}
struct FileFields {
  /// The schema with both fields.
  let schema: Schema
  /// The name of the field that holds the file's name.
  let key: String
  /// The archived key of that field.
  let archiveKey: String
  /// The name of the field that holds the file's bytes.
  let contents: String
  let keyIndex: Int
  let contentsIndex: Int

  /// Creates the fields for a type's records. Fails if the records have no field that names files.
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
    schema.record.fields.insert(RecordField(contents, .data, isOptional: true), at: contentsIndex)
    self.schema = schema
  }

  /// Returns the name of the field for a file's bytes: `image` for the key `imageKey`, `photoData` for
  /// `photo`.
  static func contentsName(of key: String) -> String {
    guard key.hasSuffix("Key"), key.count > 3 else { return "\(key)Data" }
    return String(key.dropLast(3))
  }
}
