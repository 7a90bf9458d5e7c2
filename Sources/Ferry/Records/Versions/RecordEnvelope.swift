/// An adapter for documents with a dictionary around their records. It removes the dictionary before the
/// records are mapped, and adds it again afterward:
///
///     {"version": 2, "theme": "dark", "people": […]} ▸ […] ▸ {"version": 3, "theme": "dark", "people": […]}
///
/// The adapter precedes the record mapper, which receives only the records and their version. Other entries
/// of the dictionary bypass the mapper unchanged. If the dictionary is missing, one is added. The version may
/// follow the records, so the whole document is buffered. A target that has no dictionary around the records
/// receives only the records.
final class RecordEnvelope: ForwardingSink {
  let mapper: RecordMapper
  private let tapeSink: TapeSink
  private let locator: SourceLocator?
  private let schema: Schema
  private let key: String
  private let target: RecordDialect.Envelope
  private let losses: LossReport

  /// Creates an adapter in front of a mapper. Fails if the schema has no dictionary around the records.
  init?(
    _ schema: Schema, before mapper: RecordMapper, to target: RecordDialect.Envelope, losses: LossReport,
    locator: SourceLocator?
  ) {
    guard let key = schema.collectionKey else { return nil }
    (self.mapper, self.schema, self.key) = (mapper, schema, key)
    (self.target, self.losses) = (target, losses)
    self.locator = locator
    tapeSink = TapeSink(locator: locator)
    super.init(to: tapeSink)
  }

  private var output: any ValueSink { mapper.next }
  private var tape: EventTape { tapeSink.tape }
  private var isShown: Bool { target == .dictionary }

  override func finish() throws(FerryError) {
    if target == .nothing { noteVersionLeftOut() }
    if tape.count > 0, let start = try envelopeStart() {
      try sendEnvelope(at: start)
    } else if tape.count > 0, isList(at: .start) {
      try begin()
      try tape.replay(valueAt: .start, into: mapper, locatedBy: locator)
      try end()
    } else {
      // A record on its own gets no dictionary.
      if tape.count > 0, isShown { noteVersionLeftOut() }
      try tape.replay(into: mapper)
    }
    try mapper.finish()
  }

  private func noteVersionLeftOut() {
    if let loss = schema.lossOfVersion { losses.add(loss.kind, path: loss.path) }
  }

  /// Returns the tape index of the dictionary around the records, or nil if it is missing.
  private func envelopeStart() throws(FerryError) -> TapeIndex? {
    let start: TapeIndex = tape.kind(at: .start) == .beginObject ? .start + 1 : .start
    guard tape.end > start, tape.kind(at: start) == .beginDictionary else { return nil }
    return try entry(key, in: start) == nil ? nil : start
  }

  private func isList(at index: TapeIndex) -> Bool {
    switch tape.kind(at: index) {
    case .beginArray, .beginSet: true
    case .beginObject: tape.kind(at: index + 1) == .beginArray || tape.kind(at: index + 1) == .beginSet
    default: false
    }
  }

  /// Returns the tape index of the value for a key of the dictionary, or nil. Throws if the key occurs twice.
  private func entry(_ name: String, in start: TapeIndex) throws(FerryError) -> TapeIndex? {
    var found: TapeIndex?
    for (key, value) in tape.entries(of: start) where isKey(key, name) {
      guard found == nil else {
        throw FerryError(
          .record(.repeatedField(name)), at: tape.location(at: value), path: ValuePath([.key(name)]))
      }
      found = value
    }
    return found
  }

  private func isKey(_ key: TapeIndex, _ name: String?) -> Bool {
    guard let name, tape.kind(at: key) == .key else { return false }
    return tape.text(at: key).utf8.equals(name.utf8.span)
  }

  private func sendEnvelope(at start: TapeIndex) throws(FerryError) {
    let version = try schema.collectionVersion.flatMap { name throws(FerryError) in try entry(name, in: start)
    }
    if let version, let name = schema.collectionVersion {
      try located(at: version) { () throws(FerryError) in
        try mapper.setVersion(at: version, named: name, of: tape)
      }
    }
    if version == nil { try begin() } else if isShown { try output.beginDictionary(count: nil) }
    for (key, value) in tape.entries(of: start) { try sendEntry(key, value) }
    if let version, let name = schema.collectionVersion {
      try located(at: version) { () throws(FerryError) in try mapper.checkVersionAround(named: name) }
    }
    try end()
  }

  /// Runs a function, and adds the location of a value to its error.
  private func located(at value: TapeIndex, _ body: () throws(FerryError) -> Void) throws(FerryError) {
    do throws(FerryError) { try body() } catch { throw error.placed(at: tape.location(at: value)) }
  }

  private func sendEntry(_ key: TapeIndex, _ value: TapeIndex) throws(FerryError) {
    if isKey(key, self.key) {
      if isShown { try tape.replay(valueAt: key, into: output) }
      mapper.stepAround = .key(self.key)
      try tape.replay(valueAt: value, into: mapper, locatedBy: locator)
    } else if isKey(key, schema.collectionVersion) {
      if isShown { try sendVersion() }
    } else if isShown {
      try located(at: value) { () throws(FerryError) in
        do throws(FerryError) {
          try tape.replay(valueAt: key, into: output)
          try tape.replayWithPaths(valueAt: value, into: output)
        } catch {
          throw error.placed(under: tape.step(ofKey: key))
        }
      }
    } else {
      losses.add(.besideRecords, path: ValuePath([tape.step(ofKey: key)]))
    }
  }

  /// Begins the dictionary around the records if the document had none, or had no version in it.
  private func begin() throws(FerryError) {
    guard isShown else { return }
    try output.beginDictionary(count: nil)
    try sendVersion()
    if try envelopeStart() == nil { try output.key(BorrowedText(key.utf8.span)) }
  }

  private func end() throws(FerryError) {
    if isShown { try output.endDictionary() }
  }

  private func sendVersion() throws(FerryError) {
    guard let name = schema.collectionVersion, let current = schema.record.versions?.current else { return }
    try output.key(BorrowedText(name.utf8.span))
    try output.integer(Int128(current))
  }
}
