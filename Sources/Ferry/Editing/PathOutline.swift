/// An adapter that forwards only what a path needs of a value, so that a large file is read without storing it.
///
///     people[1].name     {"version": 3, "people": [{"name": "Ada", "age": 36}, {"name": "Grace", "age": 41}]}
///
///     matches            {"people": [null, {"name": "Grace"}]}
///     names              {"version": null, "people": [null, {"name": "Grace", "age": null}]}
///
/// The path has the same matches in the outline as in the value. Values beside the path become null, and collections beside
/// it empty. Elements of a list keep their indices. An outline with names gives the same errors too.
final class PathOutline: BatchSink {
  /// The amount of what is beside the path in an outline.
  enum Detail {
    /// As much as the matches of the path need.
    case matches
    /// Also the keys beside the path, which errors name.
    case names
  }

  /// An open collection on the path.
  private struct Frame {
    /// The index of the step that selects values in the collection.
    let step: Int
    let isList: Bool
    /// The number of elements before the next one.
    var count = 0
    /// The key of the filter that the collection has passed.
    var filterKey: String?
    /// The fate of the value whose key was received.
    var fate = Fate.beside
  }

  private enum Fate {
    /// The value is forwarded whole.
    case whole
    /// The value is not on the path.
    case beside
    /// The steps from an index on apply to the value.
    case onPath(Int)
    /// A filter has to test the value.
    case tested(Int)
  }

  /// The treatment of the value that contains the next event.
  private enum State { case between, whole, beside, tested(Int) }

  private let steps: [ValuePath.Step]
  /// The keys of the steps in UTF-8; nil for other steps.
  private let keys: [[UInt8]?]
  private let detail: Detail
  private let next: any ValueSink
  private var frames: [Frame] = []
  private var state = State.between
  /// The number of open collections in a value that is whole, beside the path or tested.
  private var depth = 0
  private var tape = TapeSink()
  /// The fate of the value that is sent from the tape.
  private var decided: Fate?
  /// The key of the filter that this value has passed, before the value begins.
  private var filterKey: String?

  /// Creates an adapter for a path.
  init(of path: ValuePath, _ detail: Detail, to next: any ValueSink) {
    (steps, self.detail, self.next) = (path.steps, detail, next)
    keys = path.steps.map { step in if case .key(let key) = step { Array(key.utf8) } else { nil } }
  }

  // MARK: Walking

  /// Returns the fate of a value to which the steps from an index on apply.
  private func fate(from step: Int) -> Fate { step < steps.count ? .onPath(step) : .whole }

  /// Returns the fate of the next value, and counts it.
  private func nextFate() -> Fate {
    if let fate = decided {
      decided = nil
      return fate
    }
    guard let last = frames.indices.last else { return fate(from: 0) }
    let frame = frames[last]
    guard frame.isList else { return frame.fate }
    frames[last].count += 1
    let following = fate(from: frame.step + 1)
    let index: Int?
    switch steps[frame.step] {
    case .index(let wanted): index = wanted
    case .key(let key): index = Int(key)
    case .slice(let from, let to):
      let (from, to) = (from ?? 0, to ?? .max)
      // Only the end of the list shows which elements an index from the end means.
      return from < 0 || to < 0 || frame.count >= from && frame.count < to ? following : .beside
    case .end: return following
    case .element: return .tested(frame.step)
    }
    guard let index else { return .beside }
    return index < 0 || index == frame.count ? following : .beside
  }

  /// Receives a scalar.
  private func scalar(_ send: (any ValueSink) throws(FerryError) -> Void) throws(FerryError) {
    switch state {
    case .whole: return try send(next)
    case .beside: return
    case .tested: return try send(tape)
    case .between: break
    }
    if case .beside = nextFate() {
      if isShownBeside { try next.null() }
    } else {
      try send(next)
    }
  }

  /// True if a value beside the path has a place in the outline: its index, or its key.
  private var isShownBeside: Bool { detail == .names || frames.last?.isList != false }

  private func begin(
    isList: Bool, isDictionary: Bool, _ send: (any ValueSink) throws(FerryError) -> Void
  ) throws(FerryError) {
    switch state {
    case .whole: try send(next)
    case .beside: break
    case .tested: try send(tape)
    case .between: return try beginNext(isList: isList, isDictionary: isDictionary, send)
    }
    depth += 1
  }

  private func beginNext(
    isList: Bool, isDictionary: Bool, _ send: (any ValueSink) throws(FerryError) -> Void
  ) throws(FerryError) {
    var fate = nextFate()
    // A filter tests dictionaries alone.
    if case .tested(let step) = fate, !isDictionary { fate = self.fate(from: step + 1) }
    switch fate {
    case .onPath(let step):
      try send(next)
      frames.append(Frame(step: step, isList: isList, filterKey: filterKey))
      filterKey = nil
    case .whole:
      try send(next)
      (state, depth) = (.whole, 1)
    case .beside:
      if isShownBeside { try sendEmpty(isList: isList) }
      (state, depth) = (.beside, 1)
    case .tested(let step):
      tape.removeAll()
      try send(tape)
      (state, depth) = (.tested(step), 1)
    }
  }

  /// Sends an empty collection in the place of one beside the path.
  private func sendEmpty(isList: Bool) throws(FerryError) {
    if isList {
      try next.beginArray(count: 0)
      try next.endArray()
    } else {
      try next.beginDictionary(count: 0)
      try next.endDictionary()
    }
  }

  private func end(_ send: (any ValueSink) throws(FerryError) -> Void) throws(FerryError) {
    switch state {
    case .between:
      frames.removeLast()
      return try send(next)
    case .whole: try send(next)
    case .beside: break
    case .tested: try send(tape)
    }
    depth -= 1
    guard depth == 0 else { return }
    let ended = state
    state = .between
    if case .tested(let step) = ended { try sendTested(step) }
  }

  /// Sends the value on the tape, with the rest of the path, if the filter matches. Otherwise it is beside the path.
  private func sendTested(_ step: Int) throws(FerryError) {
    guard case .element(let key, let text) = steps[step] else { return }
    // A filter inside the value has a tape of its own.
    let recorded = tape
    tape = TapeSink()
    defer { tape = recorded }
    let matches = recorded.tape.lastEntry(key).map { recorded.tape.hasText(text, at: $0) } ?? false
    guard matches else { return try sendEmpty(isList: false) }
    decided = fate(from: step + 1)
    // The walk along the path tests the value again.
    if case .onPath? = decided { filterKey = key }
    try recorded.tape.replay(into: self)
  }

  func key(_ text: BorrowedText) throws(FerryError) {
    switch state {
    case .whole: return try next.key(text)
    case .beside: return
    case .tested: return try tape.key(text)
    case .between: break
    }
    guard let last = frames.indices.last else { return }
    frames[last].fate =
      frames[last].filterKey.map { text.utf8.equals($0.utf8.span) } == true
      ? .whole : fate(ofEntry: text, frames[last].step)
    if case .beside = frames[last].fate, detail == .matches { return }
    try next.key(text)
  }

  private func fate(ofEntry key: borrowing BorrowedText, _ step: Int) -> Fate {
    switch steps[step] {
    case .key:
      let isWanted = keys[step].map { key.utf8.equals($0.span) } ?? false
      return isWanted ? fate(from: step + 1) : .beside
    case .slice(nil, nil), .end: return fate(from: step + 1)
    case .index, .slice, .element: return .beside
    }
  }

  // MARK: Events

  func null() throws(FerryError) { try scalar { sink throws(FerryError) in try sink.null() } }
  func boolean(_ value: Bool) throws(FerryError) {
    try scalar { sink throws(FerryError) in try sink.boolean(value) }
  }
  func integer(_ value: Int128) throws(FerryError) {
    try scalar { sink throws(FerryError) in try sink.integer(value) }
  }
  func real(_ value: Double) throws(FerryError) {
    try scalar { sink throws(FerryError) in try sink.real(value) }
  }
  func single(_ value: Float) throws(FerryError) {
    try scalar { sink throws(FerryError) in try sink.single(value) }
  }
  func number(_ text: BorrowedText) throws(FerryError) {
    try scalar { sink throws(FerryError) in try sink.number(text) }
  }
  func string(_ text: BorrowedText) throws(FerryError) {
    try scalar { sink throws(FerryError) in try sink.string(text) }
  }
  func data(_ bytes: Span<UInt8>) throws(FerryError) {
    try scalar { sink throws(FerryError) in try sink.data(bytes) }
  }
  func date(_ secondsSince2001: Double) throws(FerryError) {
    try scalar { sink throws(FerryError) in try sink.date(secondsSince2001) }
  }
  func uid(_ number: UInt64) throws(FerryError) {
    try scalar { sink throws(FerryError) in try sink.uid(number) }
  }
  func reference(_ identity: Int) throws(FerryError) {
    try scalar { sink throws(FerryError) in try sink.reference(identity) }
  }

  func beginArray(count: Int?) throws(FerryError) {
    try begin(isList: true, isDictionary: false) { sink throws(FerryError) in
      try sink.beginArray(count: nil)
    }
  }
  func endArray() throws(FerryError) { try end { sink throws(FerryError) in try sink.endArray() } }
  func beginSet(count: Int?) throws(FerryError) {
    try begin(isList: true, isDictionary: false) { sink throws(FerryError) in try sink.beginSet(count: nil) }
  }
  func endSet() throws(FerryError) { try end { sink throws(FerryError) in try sink.endSet() } }
  func beginDictionary(count: Int?) throws(FerryError) {
    try begin(isList: false, isDictionary: true) { sink throws(FerryError) in
      try sink.beginDictionary(count: nil)
    }
  }
  func endDictionary() throws(FerryError) { try end { sink throws(FerryError) in try sink.endDictionary() } }
  func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    try begin(isList: false, isDictionary: false) { sink throws(FerryError) in
      try sink.beginObject(type, identity: identity)
    }
  }
  func endObject() throws(FerryError) { try end { sink throws(FerryError) in try sink.endObject() } }
  func beginKey() throws(FerryError) { try next.beginKey() }
  func endKey() throws(FerryError) { try next.endKey() }
  func finish() throws(FerryError) { try next.finish() }

  // MARK: Batches

  var prefersBatches: Bool { true }

  func receive(_ events: borrowing EventBatch) throws(EventFailure) {
    var index = 0
    while index < events.count {
      if case .beside = state {
        index = skip(events, from: index)
        continue
      }
      do throws(FerryError) { try events.send(index, to: self) } catch {
        throw EventFailure(error: error, index: index)
      }
      index += 1
    }
  }

  /// Returns the index of the first event, from one on, that is not in the value beside the path.
  private func skip(_ events: borrowing EventBatch, from first: Int) -> Int {
    var depth = depth
    for index in first..<events.count {
      switch events.kind(index) {
      case .beginArray, .beginDictionary: depth += 1
      case .endArray, .endDictionary:
        depth -= 1
        if depth == 0 {
          (self.depth, state) = (0, .between)
          return index + 1
        }
      case .null, .boolean, .integer, .real, .number, .string, .key: break
      }
    }
    self.depth = depth
    return events.count
  }
}

extension EventTape {
  /// Returns the tape index of the last value for a key of the first value, which is a dictionary.
  fileprivate func lastEntry(_ wanted: String) -> TapeIndex? {
    var found: TapeIndex?
    for (key, value) in entries(of: .start)
    where kind(at: key) == .key && text(at: key).utf8.equals(wanted.utf8.span) {
      found = value
    }
    return found
  }

  /// Returns true if the value at a tape index is a scalar with a text.
  fileprivate func hasText(_ wanted: String, at index: TapeIndex) -> Bool {
    let builder = ValueBuilder()
    guard (try? replay(valueAt: index, into: builder)) != nil else { return false }
    return (try? builder.result().plainText?.equals(wanted)) == true
  }
}
