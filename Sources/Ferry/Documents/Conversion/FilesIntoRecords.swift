/// A sink that adds the bytes of a package's files to the records that name them, in a field after the name.
final class FilesIntoRecords: GatheredRecords {
  private let fields: FileFields
  private let dialect: RecordDialect
  /// Returns the bytes of the named file, or nil if the record must not contain them.
  private let contents: (String) throws(FerryError) -> [UInt8]?

  init(
    _ fields: FileFields, from dialect: RecordDialect, into next: any ValueSink,
    contents: @escaping (String) throws(FerryError) -> [UInt8]?
  ) {
    self.fields = fields
    self.dialect = dialect
    self.contents = contents
    super.init(of: fields.schema.record, to: next)
  }

  override func send(_ tape: EventTape) throws(FerryError) {
    guard let dictionary = Self.dictionary(of: tape) else { return try super.send(tape) }
    try send(tape, at: dictionary) { key, value throws(FerryError) in
      try tape.replay(valueAt: key, into: next)
      try tape.replay(valueAt: value, into: next)
      if field(at: key, of: tape, dialect) == fields.keyIndex {
        try sendContents(namedAt: value, of: tape)
      }
    }
  }

  private func sendContents(namedAt value: TapeIndex, of tape: EventTape) throws(FerryError) {
    guard let tapeIndex = tape.content(of: value), tape.kind(at: tapeIndex) == .string else { return }
    let bytes: [UInt8]?
    do throws(FerryError) {
      bytes = try contents(tape.string(at: tapeIndex))
    } catch {
      throw error.placed(path: path(of: fields.key))
    }
    guard let bytes else { return }
    try next.key(fields.contents)
    try next.data(bytes.span)
  }
}
