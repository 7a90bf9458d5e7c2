extension Schema {
  /// The built-in schemas.
  public static let builtIn: [Schema] = [.person, .whatsit, .item]

  /// People Groups: the records of a `.pplgrp` document, which is an archive of an NSArray of `Person`.
  ///
  ///     <people><person><firstName>Matt</firstName><lastName>Neuburg</lastName></person></people>
  public static let person = Schema(
    name: "person",
    collectionElement: "people",
    record: RecordType(
      element: "person", className: "Person",
      fields: [
        RecordField("firstName", .string, archiveKey: "first"),
        RecordField("lastName", .string, archiveKey: "last"),
      ],
      encodeOrder: ["lastName", "firstName"]),
    documentExtensions: ["pplgrp"])

  /// MyStuff: things with a name, a location, and the key of an image file in the document's package.
  ///
  ///     <things><whatsit><name>Robot</name><location>Shelf</location></whatsit></things>
  public static let whatsit = Schema(
    name: "whatsit",
    collectionElement: "things",
    record: RecordType(
      element: "whatsit", className: "MyWhatsit",
      fields: [
        RecordField("name", .string),
        RecordField("location", .string),
        RecordField("imageKey", .string, archiveKey: "image.key", isOptional: true),
      ]))

  /// Homepwner: possessions with a value and their creation date.
  ///
  ///     <items><item><name>Rusty Spork</name><dateCreated>2014-06-01T09:30:00Z</dateCreated>…
  public static let item = Schema(
    name: "item",
    collectionElement: "items",
    record: RecordType(
      element: "item", className: "Item",
      fields: [
        RecordField("name", .string),
        RecordField("dateCreated", .date),
        RecordField("itemKey", .string),
        RecordField("serialNumber", .string, isOptional: true),
        RecordField("valueInDollars", .integer),
      ], key: "itemKey"))
}

extension Schema {
  /// Returns a note about a document that has the names of this built-in schema, but is not read with it.
  ///
  /// - Parameters:
  ///   - why: The reason.
  ///   - isReadable: True if the schema reads the document when it is requested.
  func mismatch(_ why: String, isReadable: Bool) -> Note {
    .readByConvention(schema: name, why: why, isReadable: isReadable)
  }
}
