/// The settings of a sequence of records.
///
///     var settings = RecordSettings()
///     settings.reading.select = "people[*]"
///     settings.keepsGoing = true
///     for try await person in Records(of: Person.self, from: .file("people.json"), settings) { … }
public struct RecordSettings: Sendable {
  /// The options for reading the input: its format, schema and selection, and the budget.
  ///
  /// References between records are not sent: `shared` has no effect.
  public var reading: ReadingOptions {
    get { decoder.reading }
    set { decoder.reading = newValue }
  }
  /// The decoder of `Decodable` records, with the reading options.
  public var decoder: FerryDecoder
  /// True to leave out records that do not conform to their schema or their type, and lines that are not JSON. The report
  /// has their number, and the first 10,000 of their errors.
  public var keepsGoing = false
  /// Receives the error of each record that `keepsGoing` leaves out, as soon as it is known. The report has only the first 10,000. It is called on
  /// the thread that reads, for errors of the document, and on that of the consumer, for those of the type.
  public var whenRecordFails: (@Sendable (FerryError) -> Void)?
  /// Receives the report when all records were read: the losses of the reading, and the errors of the records that were left
  /// out.
  public var whenFinished: (@Sendable (Conversion.Report) -> Void)?

  /// Creates the default settings, with the reading options of `FerryDecoder`.
  public init() { decoder = FerryDecoder() }

  /// The default settings for records as values: those of `ReadingOptions`, with objects of known classes decoded, and without the
  /// built-in schemas.
  public static var values: RecordSettings {
    var settings = RecordSettings()
    settings.reading = ReadingOptions()
    (settings.reading.matchesSchemas, settings.reading.decodedForms) = (false, .all)
    return settings
  }
}
