/// An adapter that forwards only what a path needs of a value, so that a large file is read without storing it.
///
///     people[1].name     {"version": 3, "people": [{"name": "Ada", "age": 36}, {"name": "Grace", "age": 41}]}
///
///     matches            {"people": [null, {"name": "Grace"}]}
///     names              {"version": null, "people": [null, {"name": "Grace", "age": null}]}
///
/// The path has the same matches in the outline as in the value. Values beside the path become null, and collections beside
/// it empty. Elements of a list keep their indices. An outline with names gives the same errors too.
///
/// A sink may receive the collections that the path matches. In the outline, each is the number by which the sink knows it.
final class PathOutline: RoutingSink, BatchSink {
  /// The parts beside the path that an outline has.
  enum Detail {
    /// Only those that the matches of the path need.
    case matches
    /// Also all keys beside the path, which errors name.
    case names
  }

  /// An open collection on the path.
  private struct Frame {
    /// The index of the step that selects values in the collection.
    let step: Int
    let isList: Bool
    /// The number of elements before the next one.
    var count = 0
    /// The first keys in the conditions of the filter that the collection has passed.
    var filterKeys: [[UInt8]] = []
    /// The indices of the conditions of the filter for which an element that does not match is in the outline, because it has the value.
    var shownConditions: Set<Int> = []
    /// True if an element with keys that does not match is in the outline.
    var showsKeys = false
    /// The fate of the value whose key was received.
    var fate = Fate.beside
  }

  private enum Fate {
    /// The path matches the value, which is forwarded whole.
    case whole
    /// The value is forwarded whole, because the walk along the path tests it again.
    case kept
    /// The value is not on the path.
    case beside
    /// The steps from an index on apply to the value.
    case onPath(Int)
    /// A filter has to test the value.
    case tested(Int)
  }

  /// The treatment of the value that contains the next event.
  private enum State { case between, whole, kept, beside, tested(Int) }

  private let steps: [ValuePath.Step]
  /// The keys of the steps in UTF-8; nil for other steps.
  private let keys: [[UInt8]?]
  /// The tests of the filters among the steps; nil for other steps.
  private let tests: [FilterTest?]
  private let detail: Detail
  /// The sink that receives the matches in place of the tree, or nil.
  private let matches: (any OutlinedMatches)?
  /// The sink if it can count elements that it does not keep; otherwise nil.
  private let tree: PropertyListTree?
  private var frames: [Frame] = []
  private var state = State.between
  /// The number of open collections in a value that is whole, beside the path or tested.
  private var depth = 0
  private var tape = TapeSink()
  /// The fate of the value that is sent from the tape.
  private var decided: Fate?
  /// The first keys in the conditions of the filter that this value has passed, before the value begins.
  private var filterKeys: [[UInt8]] = []

  /// Creates an adapter for a path.
  ///
  /// - Parameter matches: Receives the collections that the path matches. No filter may test one of them in the tree.
  init(
    of path: ValuePath, _ detail: Detail, to next: any ValueSink, matches: (any OutlinedMatches)? = nil
  ) {
    (steps, self.detail, self.matches) = (path.steps, detail, matches)
    tree = next as? PropertyListTree
    keys = path.steps.map { step in if case .key(let key) = step { Array(key.utf8) } else { nil } }
    tests = path.steps.map { step in if case .filter(let filter) = step { FilterTest(filter) } else { nil } }
    super.init(to: next)
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
    switch steps[frame.step] {
    case .index, .key: break
    case .slice(let from, let to):
      let (from, to) = (from ?? 0, to ?? .max)
      // Only the end of the list shows which elements an index from the end means.
      return from < 0 || to < 0 || frame.count >= from && frame.count < to ? following : .beside
    case .end: return following
    case .filter: return .tested(frame.step)
    }
    guard let index = steps[frame.step].indexInList else { return .beside }
    return index < 0 || index == frame.count ? following : .beside
  }

  override func receiver(of kind: Kind) throws(FerryError) -> (any ValueSink)? {
    let shape = kind.shape
    guard case .between = state else {
      if shape != .scalar { depth += 1 }
      return receiverOfKey()
    }
    return try receiver(ofNext: shape)
  }

  /// Returns the receiver of a key, or of another event inside a value that is whole, beside the path or tested.
  override func receiverOfKey() -> (any ValueSink)? {
    switch state {
    case .between, .kept: next
    case .whole: matches ?? next
    case .beside: nil
    case .tested: tape
    }
  }

  /// True if the outline has something for a value beside the path, to keep the index or the key.
  private var isShownBeside: Bool { detail == .names || frames.last?.isList != false }

  /// Returns the receiver of a value that begins on the path or beside it.
  private func receiver(ofNext shape: Shape) throws(FerryError) -> (any ValueSink)? {
    var fate = nextFate()
    // The walk along the path tests scalars.
    if case .tested(let step) = fate, shape == .scalar { fate = self.fate(from: step + 1) }
    switch fate {
    case .onPath(let step):
      guard shape != .scalar else { return next }
      frames.append(Frame(step: step, isList: shape == .list, filterKeys: filterKeys))
      filterKeys = []
      return next
    case .whole:
      guard shape != .scalar else { return next }
      (state, depth) = (.whole, 1)
      return matches ?? next
    case .kept:
      if shape != .scalar { (state, depth) = (.kept, 1) }
      return next
    case .beside:
      if let tree, skipsElements { try tree.skipElement() } else if isShownBeside { try sendEmpty(shape) }
      if shape != .scalar { (state, depth) = (.beside, 1) }
      return nil
    case .tested(let step):
      tape.removeAll()
      (state, depth) = (.tested(step), 1)
      return tape
    }
  }

  /// True if the walk along the path comes to no element of the innermost list that is beside the path: its step is an index, or a slice that
  /// does not count from the end.
  private var skipsElements: Bool {
    guard let frame = frames.last, frame.isList else { return false }
    return switch steps[frame.step] {
    case .slice: true
    case .index, .key, .end, .filter: steps[frame.step].indexInList != nil
    }
  }

  /// Sends null instead of a scalar beside the path, or an empty collection instead of another value.
  private func sendEmpty(_ shape: Shape) throws(FerryError) {
    switch shape {
    case .scalar: try next.null()
    case .list:
      try next.beginArray(count: 0)
      try next.endArray()
    case .dictionary, .object:
      try next.beginDictionary(count: 0)
      try next.endDictionary()
    }
  }

  override func receiverOfEnd() -> (any ValueSink)? {
    if case .between = state { frames.removeLast() }
    return receiverOfKey()
  }

  override func didEnd() throws(FerryError) {
    if case .between = state { return }
    depth -= 1
    guard depth == 0 else { return }
    let ended = state
    state = .between
    switch ended {
    case .tested(let step): try sendTested(step)
    case .whole: if let matches { try next.uid(matches.endMatch()) }
    case .between, .kept, .beside: break
    }
  }

  /// Sends the value on the tape, with the rest of the path, if the filter matches. Otherwise it is beside the path.
  private func sendTested(_ step: Int) throws(FerryError) {
    guard let test = tests[step] else { return }
    // A filter inside the value has a tape of its own.
    let recorded = tape
    tape = TapeSink()
    defer { tape = recorded }
    let element = FilterableTape(tape: recorded.tape, firstKeyWins: false)
    guard try test.accepts(.start, in: element) else { return try sendUnmatched(element, test) }
    decided = fate(from: step + 1)
    // The walk along the path tests the value again.
    if case .onPath? = decided {
      if let keys = test.leadingKeys, recorded.tape.kind(at: .start) == .beginDictionary {
        filterKeys = keys
      } else {
        decided = .kept
      }
    }
    try recorded.tape.replay(into: self)
  }

  /// Sends a smaller value, which the filter does not match either, in place of an element that it does not match. An error names the keys
  /// of the first such element, and a condition without a value.
  private func sendUnmatched(_ element: FilterableTape, _ test: FilterTest) throws(FerryError) {
    let tape = element.tape
    if try isShownInErrors(element, test) { return try tape.replay(into: next) }
    let isList = element.filteredCount(of: .start) != nil
    // An empty dictionary or list lacks the value of a condition.
    guard test.acceptsMissingValues else { return try sendEmpty(isList ? .list : .dictionary) }
    guard let keys = test.leadingKeys, tape.kind(at: .start) == .beginDictionary else {
      return try tape.replay(into: next)
    }
    try next.beginDictionary(count: nil)
    for (name, value) in tape.entries(of: .start)
    where tape.kind(at: name) == .key && isKept(tape.text(at: name), keys) {
      try tape.replay(valueAt: name, into: next)
      try tape.replay(valueAt: value, into: next)
    }
    try next.endDictionary()
  }

  /// Returns true if an error may name something of an element that the filter does not match, and no element before it.
  private func isShownInErrors(_ element: FilterableTape, _ test: FilterTest) throws(FerryError) -> Bool {
    guard detail == .names, let list = frames.indices.last else { return false }
    var isShown = false
    if !frames[list].showsKeys, !element.filteredEntries(of: .start).isEmpty {
      (frames[list].showsKeys, isShown) = (true, true)
    }
    for (index, condition) in test.conditions.enumerated() where !frames[list].shownConditions.contains(index)
    {
      guard try !element.filteredParts(at: condition.path, from: .start).isEmpty else { continue }
      frames[list].shownConditions.insert(index)
      isShown = true
    }
    return isShown
  }

  override func key(_ text: BorrowedText) throws(FerryError) {
    guard case .between = state else { return try super.key(text) }
    guard let last = frames.indices.last else { return }
    frames[last].fate = isKept(text, frames[last].filterKeys) ? .kept : fate(ofEntry: text, frames[last].step)
    if case .beside = frames[last].fate, detail == .matches { return }
    try next.key(text)
  }

  private func isKept(_ key: borrowing BorrowedText, _ kept: [[UInt8]]) -> Bool {
    for name in kept where key.hasPathText(name.span) { return true }
    return false
  }

  private func fate(ofEntry key: borrowing BorrowedText, _ step: Int) -> Fate {
    switch steps[step] {
    case .key:
      let isWanted = keys[step].map { key.hasPathText($0.span) } ?? false
      return isWanted ? fate(from: step + 1) : .beside
    case .slice(nil, nil), .end: return fate(from: step + 1)
    case .index, .slice, .filter: return .beside
    }
  }

  // The outline of a collection may have fewer elements.
  override func beginArray(count: Int?) throws(FerryError) { try super.beginArray(count: nil) }
  override func beginSet(count: Int?) throws(FerryError) { try super.beginSet(count: nil) }
  override func beginDictionary(count: Int?) throws(FerryError) { try super.beginDictionary(count: nil) }

  // MARK: Batches

  var prefersBatches: Bool { true }

  func receive(_ events: borrowing EventBatch) throws(EventFailure) {
    var index = 0
    while index < events.count {
      if case .beside = state {
        index = events.end(ofDepth: &depth, from: index)
        if depth == 0 { state = .between }
        continue
      }
      do throws(FerryError) { try events.send(index, to: self) } catch {
        throw EventFailure(error: error, index: index)
      }
      index += 1
    }
  }
}

/// A sink that receives each collection at the path of an outline.
protocol OutlinedMatches: ValueSink {
  /// Ends a collection, and returns the number by which the sink knows it.
  func endMatch() throws(FerryError) -> UInt64
}

extension FilterTest {
  /// The first keys of the paths of the conditions, in UTF-8; nil if a path begins with another step, or is empty.
  fileprivate var leadingKeys: [[UInt8]]? {
    var keys: [[UInt8]] = []
    for condition in conditions {
      guard case .key(let key)? = condition.path.first else { return nil }
      keys.append(Array(key.utf8))
    }
    return keys
  }

  /// True if an element without any value meets the conditions.
  fileprivate var acceptsMissingValues: Bool { conditions.allSatisfy { $0.comparison == .notEqual } }
}
