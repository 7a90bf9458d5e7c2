/// A replay of the values of an archive, from which a path selects some. The path follows references, and a selected value has all objects that
/// it refers to, although they may be met first outside of the selection.
struct SelectedObjects {
  private let tape: EventTape
  private let selection: PathSelection
  /// True to send an object in full each time, except inside itself.
  private let isInFull: Bool
  private let locator: SourceLocator?
  private let budget: Budget
  /// The objects with an identity.
  private let objects: [Int: TapeIndex]
  /// The references, in order.
  private var references: [TapeIndex] = []
  /// The identities of selected objects that have none on the tape. Objects around such an object, to which it refers, refer back to it.
  private var given: [TapeIndex: Int] = [:]
  /// An identity that no object has.
  private var nextIdentity = 0
  /// The events of values that are being sent: the whole value, and the objects to which references lead.
  private var frames: [Range<TapeIndex>] = []
  /// The identities of the open objects; nil for one that is not inside a selected value, or has none.
  private var open: [Int?] = []
  /// The identities of the objects to which a reference may be sent.
  private var known: Set<Int> = []
  /// The identities of the objects that were sent.
  private var sent: Set<Int> = []
  /// Receives a loss for each object that is sent again; nil if that is asked for.
  private let losses: LossReport?
  /// The objects as a filter tests them, before they are sent.
  private let filterable: FilterableObjects
  /// The cost of the selected values so far, and its limit.
  private var cost = 0
  private let mostCost: Int

  /// Creates a replay.
  ///
  /// - Parameters:
  ///   - tape: The values, with references to the objects that were sent before.
  ///   - selection: Receives the values.
  ///   - isInFull: True to send an object in full each time.
  ///   - losses: Receives a loss for each object that is sent again, unless each is to be sent in full.
  ///   - locator: Receives the source locations on the tape, or nil.
  ///   - byteCount: The size of the archive in bytes.
  init(
    on tape: EventTape, to selection: PathSelection, isInFull: Bool, losses: LossReport,
    locator: SourceLocator?, byteCount: Int, budget: Budget
  ) {
    self.losses = isInFull ? nil : losses
    (self.tape, self.selection, self.locator, self.budget) = (tape, selection, locator, budget)
    self.isInFull = isInFull
    mostCost = budget.allowance(forInputBytes: byteCount)
    var objects: [Int: TapeIndex] = [:]
    for index in TapeIndex.start..<tape.end {
      switch tape.kind(at: index) {
      case .beginObject: if let identity = tape.identity(at: index) { objects[identity] = index }
      case .reference: references.append(index)
      default: break
      }
    }
    nextIdentity = objects.keys.max().map { $0 &+ 1 } ?? 0
    self.objects = objects
    let filterable = FilterableObjects(
      on: tape, objects, firstKeyWins: selection.firstKeyWins, mostCost: mostCost, budget: budget)
    self.filterable = filterable
    selection.testNext = { test throws(FerryError) in try filterable.acceptsElement(test) }
  }

  /// Sends the values.
  mutating func send() throws(FerryError) {
    frames = [TapeIndex.start..<tape.end]
    while let frame = frames.last {
      guard !frame.isEmpty else {
        frames.removeLast()
        continue
      }
      let index = frame.lowerBound
      frames[frames.count - 1] = index + 1..<frame.upperBound
      if let object = target(ofReferenceAt: index) {
        guard frames.count < budget.depth else { throw FerryError(.overBudget(.depth(budget.depth))) }
        frames.append(object..<tape.next(after: object))
      } else if let identity = identityOfKnownObject(at: index) {
        try selection.reference(identity)
        frames[frames.count - 1] = tape.next(after: index)..<frame.upperBound
      } else {
        try send(index)
        // The contents of a value that is left out are not sent, only its end.
        let end = tape.next(after: index)
        if selection.isLeavingOut, end > index + 1 { frames[frames.count - 1] = end - 1..<frame.upperBound }
      }
    }
  }

  /// Returns the object that is sent in place of a reference. Returns nil if the reference is sent, and for other events.
  private func target(ofReferenceAt index: TapeIndex) -> TapeIndex? {
    guard tape.kind(at: index) == .reference, !selection.isLeavingOut else { return nil }
    let identity = tape.reference(at: index)
    // The path leads through an object, or selects it, also if another selected value has it.
    return selection.isInSelectedValue && known.contains(identity) ? nil : objects[identity]
  }

  /// Returns the identity of an object that begins inside a selected value and to which a reference is sent; nil if the object is sent.
  private func identityOfKnownObject(at index: TapeIndex) -> Int? {
    guard selection.isInSelectedValue, tape.kind(at: index) == .beginObject,
      let identity = identity(at: index), known.contains(identity)
    else { return nil }
    return identity
  }

  private func identity(at index: TapeIndex) -> Int? { tape.identity(at: index) ?? given[index] }

  /// Gives an object an identity if it has none, may be selected, and refers to other objects.
  private mutating func giveIdentity(to index: TapeIndex) {
    guard selection.mayBeginSelectedValue, identity(at: index) == nil else { return }
    let inside = references.partitioningIndex { $0 > index }
    guard inside < references.count, references[inside] < tape.next(after: index) else { return }
    given[index] = nextIdentity
    nextIdentity += 1
  }

  private mutating func send(_ index: TapeIndex) throws(FerryError) {
    if let locator { locator.move(toRecorded: tape.location(at: index)) }
    filterable.element = index
    let kind = tape.kind(at: index)
    if kind == .endObject, let identity = open.popLast() ?? nil, isInFull { known.remove(identity) }
    if kind == .beginObject { try begin(index) } else { try tape.replay(eventAt: index, into: selection) }
    let isSelected = selection.isInSelectedValue
    // An object that is visited again through a reference costs as much as a selected one: each `[*]` in a path multiplies the visits.
    if isSelected || frames.count > 1 { try spend(index, kind) }
  }

  private mutating func begin(_ index: TapeIndex) throws(FerryError) {
    giveIdentity(to: index)
    let identity = identity(at: index)
    // References to an object that is selected again stay those to the first one.
    let isCopy = identity.map { !isInFull && known.contains($0) } ?? false
    try selection.beginObject(tape.type(at: index), identity: isCopy ? nil : identity)
    guard selection.isInSelectedValue, let identity else { return open.append(nil) }
    open.append(isCopy ? nil : identity)
    known.insert(identity)
    if !sent.insert(identity).inserted { losses?.add(.sharedInFull) }
  }

  private mutating func spend(_ index: TapeIndex, _ kind: EventTape.Kind) throws(FerryError) {
    cost += Budget.valueCost
    if kind == .string || kind == .key { cost += tape.text(at: index).utf8.count }
    if kind == .data { cost += tape.data(at: index).count }
    guard cost <= mostCost else { throw budget.overAmplification }
  }
}
