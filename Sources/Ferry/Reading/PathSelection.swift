/// A sink that forwards the values that a path selects, while a document is read.
///
/// It understands the paths of `ferry get`, except those that count from the end of a list.
///
///     people             {"people": [{"name": "Ada"}, {"name": "Grace"}]}     [{"name": "Ada"}, {"name": "Grace"}]
///     people[*].name     {"people": [{"name": "Ada"}, {"name": "Grace"}]}     ["Ada", "Grace"]
///
/// Only an element that a filter such as `[key=value]` has to test is held in memory.
final class PathSelection: RoutingSink, BatchSink {
  private enum Step {
    case key([UInt8])
    case elements(Range<Int>)
    /// The elements that meet the conditions of a filter.
    case records(FilterTest)
    /// The elements of a list, or a value that is not a list.
    case each

    /// True if the step selects every element of a list.
    var isEvery: Bool {
      switch self {
      case .elements(let range): range == 0..<Int.max
      case .each: true
      case .key, .records: false
      }
    }
  }

  /// An open collection on the path.
  private struct Frame {
    /// The step that selects the values in the collection, or that applies to the content of an object.
    let step: Int
    /// True for an object of an archive, whose content has the path of the object.
    var isObject = false
    /// The index of the selected element if the collection is a list and the step is a key, as in `people.0`.
    var index: Int?
    /// The number of elements before the next one.
    var count = 0
    /// True if the next value has the key of the step.
    var isAtKey = false
    /// True if a value has had the key.
    var isFound = false
    /// The key of the next value, if the collection is a dictionary and the path selects all of its values.
    var key: String?
  }

  /// The fate of a value that is not on the path.
  private enum Fate {
    case leftOut, selected
    /// The list is left out, and its elements are selected.
    case selectedElements
    /// The value goes to the tape, because a filter has to test it.
    case tested
  }

  private let nextForBatches: (any BatchSink)?
  private let steps: [Step]
  /// True to send a list of the selected values.
  private let isSeveral: Bool
  private let losses: LossReport
  private let reportsBesides: Bool
  let firstKeyWins: Bool
  /// Tests whether the next value meets the conditions of a filter, if it can be tested before it is sent. If nil, the value is held for the
  /// test.
  var testNext: ((FilterTest) throws(FerryError) -> Bool)?
  private var frames: [Frame] = []
  private var fate = Fate.leftOut
  /// The number of open collections of a value that is not on the path.
  private var depth = 0
  private var tape = TapeSink()
  /// True if the value on the tape is a scalar, which is tested before the next event: no event ends it.
  private var hasScalarToTest = false
  /// The markup that the reader has left out inside the value on the tape.
  private var markupOfTested: [Loss.Kind] = []
  /// The step for a value that has passed the test of a filter, and is sent from the tape.
  private var passed: Int?
  private var hasBegun = false
  /// The number of selected values, or of batches of them.
  private var count = 0
  /// True if nothing has been selected so far.
  var isEmpty: Bool { count == 0 }
  /// The index of the next selected element, if only the elements of the list are sent on, and not in batches.
  private var elementIndex = 0
  /// True if the path leads into data, whose file the sink does not open, or past a key that is not a string.
  private(set) var mayLackValues = false

  private init(
    _ steps: [Step], isSeveral: Bool, to next: any ValueSink, losses: LossReport,
    reportsBesides: Bool = false,
    firstKeyWins: Bool = false
  ) throws(FerryError) {
    self.firstKeyWins = firstKeyWins
    (self.steps, self.isSeveral, self.losses) = (steps, isSeveral, losses)
    self.reportsBesides = reportsBesides
    nextForBatches = next.forBatches
    super.init(to: next)
    if isSeveral { try next.beginArray(count: nil) }
  }

  /// Creates a sink for a path. A path that may select several values, or has a filter, sends a list of them.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - next: Receives the selected values.
  ///   - losses: Receives a loss if no value is selected.
  ///   - firstKeyWins: True if the first of several equal keys in a dictionary is used. False if the last one is:
  ///     then equal keys on the path throw `PathProblem.repeatedKey`, because the first value has already been sent.
  /// - Throws: A `FerryError` with the reason `PathProblem.countsFromEnd` for a path that counts from the end of a list.
  convenience init(
    _ path: ValuePath, to next: any ValueSink, losses: LossReport, firstKeyWins: Bool
  ) throws(FerryError) {
    var steps: [Step] = []
    let isSeveral = path.selectsList
    for step in path.steps {
      switch step {
      case .key(let key): steps.append(.key(Array(key.utf8)))
      case .index(let index) where index >= 0 && index < .max: steps.append(.elements(index..<index + 1))
      case .slice(let from, let to) where (from ?? 0) >= 0 && (to ?? 0) >= 0:
        steps.append(.elements((from ?? 0)..<max(to ?? .max, from ?? 0)))
      case .end: steps.append(.elements(0..<Int.max))
      case .filter(let filter): steps.append(.records(FilterTest(filter)))
      case .index, .slice: throw FerryError(.path(.countsFromEnd), path: path)
      }
    }
    try self.init(steps, isSeveral: isSeveral, to: next, losses: losses, firstKeyWins: firstKeyWins)
  }

  /// Creates a sink for the list of records in a document, which reports the values around it. In XML, a single record
  /// becomes a list.
  convenience init(_ list: RecordList, to next: any ValueSink, losses: LossReport) throws(FerryError) {
    try self.init(
      list.keys.map(Step.key) + [.each], isSeveral: true, to: next, losses: losses, reportsBesides: true)
  }

  /// Ends the list of the selected values. If there are none, the list is empty.
  func complete() throws(FerryError) {
    if count == 0, !reportsBesides { losses.add(.nothingSelected) }
    if count == 0, !isSeveral { try next.beginArray(count: 0) }
    if count == 0 || isSeveral { try next.endArray() }
  }

  /// Does not finish the next sink, because `complete` ends the list.
  override func finish() {}

  /// True inside a value that is left out.
  var isLeavingOut: Bool { depth > 0 && fate == .leftOut }

  /// True inside a value that is selected, or that a filter has to test.
  var isInSelectedValue: Bool { depth > 0 && fate != .leftOut }

  /// True if the next value may be a selected one, rather than a part of it or a value that is left out.
  var mayBeginSelectedValue: Bool { depth == 0 || depth == 1 && fate == .selectedElements }

  // MARK: Markup

  /// Returns true if a comment or processing instruction that the reader leaves out now is inside a selected value. If a filter has to
  /// test the value around it, it is reported when the value has passed.
  func selectsMarkup(_ kind: Loss.Kind) -> Bool {
    guard depth > 0 else { return false }
    switch fate {
    case .leftOut: return false
    case .selected, .selectedElements: return true
    case .tested:
      markupOfTested.append(kind)
      return false
    }
  }

  // MARK: Walking

  override func receiver(of kind: Kind) throws(FerryError) -> (any ValueSink)? {
    if hasScalarToTest { try sendTested() }
    let shape = kind.shape
    guard depth == 0 else {
      if fate == .selectedElements, depth == 1 {
        count += 1
        elementIndex += 1
      }
      if shape != .scalar { depth += 1 }
      return target
    }
    if try opensFrame(kind) { return nil }
    if shape != .scalar { depth = 1 }
    switch fate {
    case .leftOut, .selectedElements: return nil
    case .selected:
      count += 1
      return next
    case .tested:
      hasScalarToTest = shape == .scalar
      return tape
    }
  }

  /// The sink for the parts of a value that is not on the path.
  private var target: (any ValueSink)? {
    switch fate {
    case .leftOut: nil
    case .selected, .selectedElements: next
    case .tested: tape
    }
  }

  /// Adds a frame for the next value if it is a collection on the path. Otherwise sets the fate of the value.
  private func opensFrame(_ kind: Kind) throws(FerryError) -> Bool {
    let shape = kind.shape
    fate = .leftOut
    guard var step = try stepForNextValue(), fate != .tested else { return false }
    if shape == .object, step < steps.count {
      frames.append(Frame(step: step, isObject: true))
      return true
    }
    if step < steps.count, case .each = steps[step], shape != .list { step += 1 }
    guard step < steps.count else {
      if isSeveral || count == 0 { fate = .selected }
      return false
    }
    var index: Int?
    switch (steps[step], shape) {
    case (.key, .dictionary), (.records, .list): break
    case (.key(let key), .list):
      index = Int(key.span.decodedString)
      guard index != nil else { return false }
    case (.elements, .list), (.each, .list):
      guard step < steps.count - 1 || !steps[step].isEvery else {
        (fate, elementIndex) = (.selectedElements, 0)
        return false
      }
    case (let every, .dictionary) where every.isEvery: break
    default:
      if kind == .data { mayLackValues = true }
      return false
    }
    frames.append(Frame(step: step, index: index))
    return true
  }

  /// Returns the step that applies to the next value; nil if the path does not lead to the value. A value that a filter has
  /// to test has the fate `tested`.
  private func stepForNextValue() throws(FerryError) -> Int? {
    if let passed {
      self.passed = nil
      return passed
    }
    guard let last = frames.indices.last else {
      defer { hasBegun = true }
      return hasBegun ? nil : 0
    }
    let frame = frames[last]
    if frame.isObject { return frame.step }
    frames[last].count += 1
    frames[last].isAtKey = false
    let following = frame.step + 1
    switch steps[frame.step] {
    case .key:
      let isSelected = frame.index.map { $0 == frame.count } ?? frame.isAtKey
      return isSelected ? following : nil
    case .elements(let range): return range.contains(frame.count) ? following : nil
    case .each: return following
    case .records(let test):
      if let testNext { return try testNext(test) ? following : nil }
      fate = .tested
      tape.removeAll()
      return following
    }
  }

  override func receiverOfKey() -> (any ValueSink)? { depth > 0 ? target : nil }

  override func receiverOfEnd() -> (any ValueSink)? {
    guard depth > 0 else {
      frames.removeLast()
      return nil
    }
    depth -= 1
    return depth == 0 && fate == .selectedElements ? nil : target
  }

  override func endArray() throws(FerryError) {
    if hasScalarToTest { try sendTested() }
    try super.endArray()
  }

  override func endSet() throws(FerryError) {
    if hasScalarToTest { try sendTested() }
    try super.endSet()
  }

  override func didEnd() throws(FerryError) { if depth == 0, fate == .tested { try sendTested() } }

  /// Tests the value on the tape, which has ended, and sends it again if it passes.
  private func sendTested() throws(FerryError) {
    hasScalarToTest = false
    guard let frame = frames.last, case .records(let test) = steps[frame.step] else { return }
    fate = .leftOut
    let markup = markupOfTested
    markupOfTested.removeAll()
    let element = FilterableTape(tape: tape.tape, firstKeyWins: firstKeyWins)
    guard try test.accepts(.start, in: element) else { return }
    for kind in markup { losses.add(kind) }
    passed = frame.step + 1
    // A filter inside the value has a tape of its own.
    let recorded = tape
    tape = TapeSink()
    try recorded.tape.replay(into: self)
    tape = recorded
  }

  override func key(_ text: BorrowedText) throws(FerryError) {
    guard depth == 0 else { return try super.key(text) }
    guard let last = frames.indices.last else { return }
    guard case .key(let wanted) = steps[frames[last].step] else {
      frames[last].key = String(escapingSurrogatesOf: text)
      return
    }
    let isWanted = text.hasPathText(wanted.span)
    if isWanted, !frames[last].isFound {
      (frames[last].isAtKey, frames[last].isFound) = (true, true)
    } else if isWanted, !firstKeyWins {
      throw FerryError(.path(.repeatedKey(String(escapingSurrogatesOf: text))), path: path)
    } else if isWanted || reportsBesides {
      losses.add(
        isWanted ? .duplicateKey : .besideRecords,
        path: path.appending(.key(String(escapingSurrogatesOf: text))))
    }
  }

  override func beginKey() throws(FerryError) {
    if depth == 0 { mayLackValues = true }
    try super.beginKey()
  }

  /// The path to the innermost open collection.
  private var path: ValuePath { path(through: frames.dropLast()) }

  /// The path of the selected value that the next sink is receiving, if it takes no batches.
  var pathOfValue: ValuePath {
    let path = path(through: frames[...])
    return fate == .selectedElements ? path.appending(.index(max(elementIndex - 1, 0))) : path
  }

  private func path(through frames: ArraySlice<Frame>) -> ValuePath {
    ValuePath(
      frames.filter { !$0.isObject }.map { frame in
        if case .key(let key) = steps[frame.step], frame.index == nil { return .key(key.span.decodedString) }
        return frame.key.map { .key($0) } ?? .index(frame.count - 1)
      })
  }

  // MARK: Batches

  var prefersBatches: Bool { nextForBatches != nil }

  /// Forwards a batch as a whole if it is inside a selected value.
  func receive(_ events: borrowing EventBatch) throws(EventFailure) {
    let isSelected = fate == .selected || fate == .selectedElements
    guard let nextForBatches, isSelected, depth > 0, let change = change(of: events) else {
      return try receiveEach(events)
    }
    if events.count > 0 { count += 1 }
    try nextForBatches.receive(events)
    depth += change
  }

  /// Receives the events of a batch one by one, except those in values that are left out.
  private func receiveEach(_ events: borrowing EventBatch) throws(EventFailure) {
    var index = 0
    while index < events.count {
      if fate == .leftOut, depth > 0 {
        index = events.end(ofDepth: &depth, from: index)
        continue
      }
      do throws(FerryError) { try events.send(index, to: self) } catch {
        throw EventFailure(error: error, index: index)
      }
      index += 1
    }
  }

  /// Returns the change of the depth in a batch, or nil if the value ends in it.
  private func change(of events: borrowing EventBatch) -> Int? {
    var change = 0
    for index in 0..<events.count {
      switch events.kind(index) {
      case .beginArray, .beginDictionary: change += 1
      case .endArray, .endDictionary:
        change -= 1
        if depth + change <= 0 { return nil }
      default: break
      }
    }
    return change
  }
}
