/// The way to write the files of a format.
enum FormatWriter: Sendable {
  /// A writer of any values that the format has a syntax for.
  case values(@Sendable (any ByteOutput, WriterContext) throws(FerryError) -> any ValueSink)
  /// A writer of archives, whose property list a writer of `propertyListFormat` writes.
  case archive
  /// A writer of elements: by a schema, otherwise by the convention for XML.
  case elements
  /// A writer of the tables of a database.
  case tables
}

/// The settings of a writer.
struct WriterContext {
  /// True to pretty-print, in formats that have a choice.
  var isPretty = false
  /// True if the values are the raw property list of an archive.
  var holdsArchive = false
}
