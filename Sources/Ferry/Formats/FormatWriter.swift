/// The kind of writer of a format.
enum FormatWriter: Sendable {
  /// A writer of any values that the format can represent.
  case values(@Sendable (any ByteOutput, WriterContext) throws(FerryError) -> any ValueSink)
  /// A writer of archives. It sends their property list to a writer of `propertyListFormat`.
  case archive
  /// A writer of XML elements, by a schema or by convention.
  case elements
  /// A writer of the tables of a database.
  case tables
}

/// A writer of a streaming format, which can write what is complete before the value ends.
protocol PromptWriter: AnyObject {
  /// Writes the complete part of the buffered output, because the input pauses.
  func flushComplete() throws(FerryError)
}

/// The options of a writer.
struct WriterContext {
  /// True to pretty-print, in formats that can also be compact.
  var isPretty = false
  /// True if the values are the raw property list of an archive.
  var holdsArchive = false
}
