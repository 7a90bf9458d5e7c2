/// An adapter that sends the elements of an input's list without the list, so that they become elements of a list that several inputs share.
///
///     [{"name": "Ada"}, {"name": "Grace"}]     {"name": "Ada"}, {"name": "Grace"}
///     {"name": "Ada"}                          {"name": "Ada"}
///
/// A set, and a list that is an object of a class, are lists, too. Any other value is the only element.
final class ListElements: ForwardingSink, BatchSink {
  private let nextForBatches: (any BatchSink)?
  /// The number that is added to the identities of objects, so that they differ from those of other inputs.
  private let identityOffset: Int
  /// The greatest identity so far, with the offset.
  private(set) var greatestIdentity: Int
  /// The objects around the value, until it is known whether the value is a list.
  private var heldObjects: [(type: ObjectClass, identity: Int?)] = []
  /// True if a list, or the only element, has begun.
  private(set) var hasBegun = false
  /// The number of open collections and objects.
  private var depth = 0
  /// The nesting depth of the elements.
  private var depthOfElements = 0
  /// The number of complete elements.
  private(set) var count = 0
  /// Called after each element, if the next sink takes no batches.
  var didEndElement: (() throws(FerryError) -> Void)?

  /// Creates an adapter for one input.
  ///
  /// - Parameters:
  ///   - next: Receives the elements.
  ///   - greatestIdentity: The greatest identity of an object in the inputs before, or −1.
  init(to next: any ValueSink, after greatestIdentity: Int) {
    nextForBatches = next.forBatches
    (identityOffset, self.greatestIdentity) = (greatestIdentity + 1, greatestIdentity)
    super.init(to: next)
  }

  /// True if the elements are in a list.
  var isList: Bool { depthOfElements > 0 }

  /// True if the next event ends the list or an object around it.
  private var isAtEndOfList: Bool { isList && depth <= depthOfElements }

  /// Begins a value: the only element, or one in the list or in an element.
  private func beginValue() throws(FerryError) {
    guard !hasBegun else { return }
    hasBegun = true
    for object in heldObjects { try sendObject(object.type, identity: object.identity) }
    heldObjects = []
  }

  /// Ends a value, which may be an element.
  private func endValue() throws(FerryError) {
    guard depth == depthOfElements else { return }
    count += 1
    try didEndElement?()
  }

  /// Begins the list of an input. Returns false for a collection inside an element.
  private func beginsList() -> Bool {
    guard !hasBegun else { return false }
    (hasBegun, heldObjects) = (true, [])
    depth += 1
    depthOfElements = depth
    return true
  }

  /// Returns true if an event ends the list of the input, or an object around it.
  private func endsList() -> Bool {
    let isAround = isAtEndOfList
    depth -= 1
    return isAround
  }

  // MARK: Batches

  var prefersBatches: Bool { nextForBatches != nil }
  var reportsNumbersAsTexts: Bool { nextForBatches?.reportsNumbersAsTexts ?? false }
  func takes(_ events: borrowing EventBatch) -> Bool { nextForBatches?.takes(events) ?? false }

  func receive(_ events: borrowing EventBatch) throws(EventFailure) {
    guard nextForBatches != nil else { return try receiveSingly(events) }
    var start = 0
    for index in 0..<events.count {
      switch events.kind(index) {
      case .beginArray where !hasBegun:
        _ = beginsList()
        start = index + 1
      case .beginArray, .beginDictionary:
        try beginValue(at: index)
        depth += 1
      case .endArray where isAtEndOfList:
        depth -= 1
        try send(events, start..<index)
        start = index + 1
      case .endArray, .endDictionary:
        depth -= 1
        if depth == depthOfElements { count += 1 }
      case .key: break
      case .null, .boolean, .integer, .real, .number, .string:
        try beginValue(at: index)
        if depth == depthOfElements { count += 1 }
      }
    }
    try send(events, start..<events.count)
  }

  private func beginValue(at index: Int) throws(EventFailure) {
    do throws(FerryError) { try beginValue() } catch { throw EventFailure(error: error, index: index) }
  }

  private func send(_ events: borrowing EventBatch, _ range: Range<Int>) throws(EventFailure) {
    guard !range.isEmpty, let nextForBatches else { return }
    do throws(EventFailure) { try nextForBatches.receive(events.content(range)) } catch {
      throw EventFailure(error: error.error, index: range.lowerBound + error.index)
    }
  }

  // MARK: Scalars

  private func scalar(_ send: () throws(FerryError) -> Void) throws(FerryError) {
    try beginValue()
    try send()
    try endValue()
  }

  override func null() throws(FerryError) { try scalar { () throws(FerryError) in try next.null() } }
  override func boolean(_ value: Bool) throws(FerryError) {
    try scalar { () throws(FerryError) in try next.boolean(value) }
  }
  override func integer(_ value: Int128) throws(FerryError) {
    try scalar { () throws(FerryError) in try next.integer(value) }
  }
  override func real(_ value: Double) throws(FerryError) {
    try scalar { () throws(FerryError) in try next.real(value) }
  }
  override func single(_ value: Float) throws(FerryError) {
    try scalar { () throws(FerryError) in try next.single(value) }
  }
  override func number(_ text: BorrowedText) throws(FerryError) {
    try beginValue()
    try next.number(text)
    try endValue()
  }
  override func string(_ text: BorrowedText) throws(FerryError) {
    try beginValue()
    try next.string(text)
    try endValue()
  }
  override func data(_ bytes: Span<UInt8>) throws(FerryError) {
    try beginValue()
    try next.data(bytes)
    try endValue()
  }
  override func date(_ secondsSince2001: Double) throws(FerryError) {
    try scalar { () throws(FerryError) in try next.date(secondsSince2001) }
  }
  override func uid(_ number: UInt64) throws(FerryError) {
    try scalar { () throws(FerryError) in try next.uid(number) }
  }
  override func reference(_ identity: Int) throws(FerryError) {
    try beginValue()
    try next.reference(number(identity))
    try endValue()
  }

  // MARK: Collections

  override func beginArray(count: Int?) throws(FerryError) {
    guard !beginsList() else { return }
    depth += 1
    try next.beginArray(count: count)
  }

  override func endArray() throws(FerryError) {
    guard !endsList() else { return }
    try next.endArray()
    try endValue()
  }

  override func beginSet(count: Int?) throws(FerryError) {
    guard !beginsList() else { return }
    depth += 1
    try next.beginSet(count: count)
  }

  override func endSet() throws(FerryError) {
    guard !endsList() else { return }
    try next.endSet()
    try endValue()
  }

  override func beginDictionary(count: Int?) throws(FerryError) {
    try beginValue()
    depth += 1
    try next.beginDictionary(count: count)
  }

  override func endDictionary() throws(FerryError) {
    depth -= 1
    try next.endDictionary()
    try endValue()
  }

  override func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    depth += 1
    guard hasBegun else { return heldObjects.append((type, identity)) }
    try sendObject(type, identity: identity)
  }

  override func endObject() throws(FerryError) {
    guard !endsList() else { return }
    try next.endObject()
    try endValue()
  }

  private func sendObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    try next.beginObject(type, identity: identity.map { identity throws(FerryError) in try number(identity) })
  }

  private func number(_ identity: Int) throws(FerryError) -> Int {
    let (sum, overflows) = identity.addingReportingOverflow(identityOffset)
    guard !overflows, sum < .max else {
      throw FerryError(.cannotHold(.integerRange("\(identity)", format: "an identity")))
    }
    greatestIdentity = max(greatestIdentity, sum)
    return sum
  }

  /// Ends the input, but not the list in the output.
  override func finish() {}
}
