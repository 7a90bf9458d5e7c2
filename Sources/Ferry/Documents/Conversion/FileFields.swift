/// The two fields by which a record has a file of its package: the one that names it, and beside it, outside of the
/// package, the one that holds its bytes.
///
///     in the package   MyWhatsit { name, location, image.key: "image.png" }   and the file image.png
///     in JSON          {"name": …, "location": …, "imageKey": "image.png", "image": "iVBORw0KGgo…"}
struct FileFields {
  /// The schema with both fields.
  let schema: Schema
  /// The name of the field that names the file.
  let key: String
  /// The key of that field in an archive.
  let archiveKey: String
  /// The name of the field that holds the bytes.
  let contents: String
  let keyIndex: Int
  let contentsIndex: Int

  /// The fields of a type's records; nil when their files are named by none.
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

  /// What the field of a file's bytes is called: `image` beside `imageKey`, `photoData` beside `photo`.
  static func contentsName(of key: String) -> String {
    guard key.hasSuffix("Key"), key.count > 3 else { return "\(key)Data" }
    return String(key.dropLast(3))
  }
}
