/// A sink that moves the bytes of files out of records into a package. The records keep the names.
final class FilesOutOfRecords: GatheredRecords {
  /// A receiver of the files.
  protocol Destination: AnyObject {
    /// Adds a file under the name that its record contains.
    func put(_ bytes: [UInt8], named name: String) throws(FerryError)
    /// Adds a file whose record contains no name, and returns the name that it got.
    func add(_ bytes: [UInt8], for field: String) throws(FerryError) -> String
    /// Adds a file that a record names without containing its bytes.
    func attach(named name: String) throws(FerryError)
  }

  private let fields: FileFields
  private let dialect: RecordDialect
  private let destination: any Destination

  init(
    _ fields: FileFields, to dialect: RecordDialect, into next: any ValueSink, destination: any Destination
  ) {
    self.fields = fields
    self.dialect = dialect
    self.destination = destination
    super.init(of: fields.schema.record, to: next)
  }

  override func send(_ tape: EventTape) throws(FerryError) {
    guard let dictionary = Self.dictionary(of: tape) else { return try super.send(tape) }
    let name = string(of: fields.keyIndex, in: tape, dictionary)
    let added = try addFile(named: name, tape, dictionary)
    try send(tape, at: dictionary) { key, value throws(FerryError) in
      switch field(at: key, of: tape, dialect) {
      case fields.contentsIndex:
        guard let added else { break }
        let name = dialect.usesArchiveKeys ? fields.archiveKey : fields.key
        try next.key(name)
        try next.string(added)
      // The name is null, and a new one is chosen.
      case fields.keyIndex where added != nil: break
      default:
        try tape.replay(valueAt: key, into: next)
        try tape.replay(valueAt: value, into: next)
      }
    }
  }

  /// Adds a record's file to the package. Returns the new name if the record had none.
  private func addFile(named name: String?, _ tape: EventTape, _ dictionary: TapeIndex) throws(FerryError)
    -> String?
  {
    do throws(FerryError) {
      switch (contents(of: tape, dictionary), name) {
      case (let bytes?, let name?): try destination.put(bytes, named: name)
      case (let bytes?, nil): return try destination.add(bytes, for: fields.contents)
      case (nil, let name?): try destination.attach(named: name)
      case (nil, nil): break
      }
      return nil
    } catch {
      // The record mapper adds the record to the path of the error.
      throw error.placed(path: ValuePath([.key(name == nil ? fields.contents : fields.key)]))
    }
  }

  /// Returns the tape index of a field's value in a record.
  private func tapeIndex(of wanted: Int, in tape: EventTape, _ dictionary: TapeIndex) -> TapeIndex? {
    let entry = tape.entries(of: dictionary).first { field(at: $0.key, of: tape, dialect) == wanted }
    return entry.flatMap { tape.content(of: $0.value) }
  }

  private func string(of field: Int, in tape: EventTape, _ dictionary: TapeIndex) -> String? {
    guard let tapeIndex = tapeIndex(of: field, in: tape, dictionary), tape.kind(at: tapeIndex) == .string
    else {
      return nil
    }
    return tape.string(at: tapeIndex)
  }

  /// Returns the file's bytes in a record: data, or Base64 text in formats without data.
  private func contents(of tape: EventTape, _ dictionary: TapeIndex) -> [UInt8]? {
    guard let tapeIndex = tapeIndex(of: fields.contentsIndex, in: tape, dictionary) else { return nil }
    switch tape.kind(at: tapeIndex) {
    case .data: return [UInt8](copying: tape.data(at: tapeIndex))
    case .string: return Base64.decode(tape.text(at: tapeIndex).utf8)
    default: return nil
    }
  }
}
