/// A delegate of a document that sends the elements which a pattern selects, in document order.
///
/// A selected element is sent at its end. In batches its events mostly stay where they are; otherwise they are kept on
/// a tape. Elements outside of selected ones are not kept, and those in which nothing can be selected are skipped.
final class ElementSelector: ElementBatchDelegate {
  /// A receiver of the events of a selected element, and of what it gets from the elements around it. The index is that of the
  /// element in a batch, of which other elements may follow, or nil.
  typealias Receiver = (borrowing ElementBatch, _ index: Int?, ElementContext) throws(EventFailure) -> Void
  /// Takes a selected element without its source locations, although they are needed. The batch has only this element, and the index is
  /// that of its start in the batch for the flusher. Returns false if the receiver needs the element with its locations.
  typealias Taker = (borrowing ElementBatch, _ index: Int, ElementContext) -> Bool
  /// Takes the elements that are selected like the one that starts at an index, from that element on, as long as each of them has the events of
  /// an earlier one that was selected alone. Only white space is between them. Returns the index of the first event after them.
  typealias RecurringTaker = (borrowing ElementBatch, _ index: Int) throws(EventFailure) -> Int
  /// Called after the elements of a batch, and before an error in it, to send what a receiver has collected.
  typealias Flusher = (borrowing ElementBatch) throws(EventFailure) -> Void

  /// The facts about selected elements that a receiver needs.
  struct Needs: OptionSet {
    let rawValue: Int
    /// The locations of the elements, for their events.
    static let locations = Needs(rawValue: 1 << 0)
    /// The namespaces in scope.
    static let namespaces = Needs(rawValue: 1 << 1)
    /// The fact that the document was written with types. For such a document, the receiver also gets the namespaces in scope.
    static let types = Needs(rawValue: 1 << 2)
  }

  // Swift checks each access to a property of a class. With a structure, this is one check for a batch.
  private var search: ElementSearch

  /// Creates a delegate.
  init(
    _ pattern: XPathPattern, needs: Needs = [], take: Taker? = nil, takeRecurring: RecurringTaker? = nil,
    receive: @escaping Receiver, flush: @escaping Flusher = { _ in }
  ) {
    search = ElementSearch(
      pattern, needs: needs, take: take, takeRecurring: takeRecurring, receive: receive, flush: flush)
  }

  /// The number of selected elements that have started, while the outermost of them has not ended.
  var openCount: Int { search.openCount }

  override func receive(_ events: borrowing ElementBatch) throws(EventFailure) { try search.receive(events) }

  override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    search.begin(child) ? self : nil
  }

  override func didStart(_ element: borrowing XMLStartTag) { search.didStart(element) }

  override func text(_ text: BorrowedText) { search.add(.text, text) }

  override func cdata(_ text: BorrowedText) { search.add(.cdata, text) }

  override func comment(_ text: BorrowedText) { search.add(.comment, text) }

  override func processingInstruction(target: BorrowedText, data: BorrowedText) {
    search.instruction(target: target, data: data)
  }

  override func didEnd() throws(FerryError) { try search.didEnd() }
}

/// The state of an `ElementSelector`: the elements that are open, and those of them that are selected.
private struct ElementSearch: ~Copyable {
  /// A selected element that has not ended.
  private struct Selected {
    /// The index of its start: on the tape, or in the batch if the tape is empty.
    var start: Int
    let context: ElementContext
  }

  /// An element and the progress in it. If the pattern has no conditions, it is that in each element beside it with its name.
  private struct Sibling {
    /// The number of the name, and of its table.
    var number: Int32 = -1
    var table = -1
    /// The number of entries in `open` for the elements around it.
    var openCount = 0
    var isSelected = false
    /// True if the elements beside it contain a selected element only if an element with the same tags does anywhere.
    var isSameEverywhere = false
    var progress: [PathProgress] = []

    /// Returns true if an element has the same parent and name.
    func isBeside(_ otherNumber: Int32, of otherTable: Int, openCount otherCount: Int) -> Bool {
      openCount == otherCount && number == otherNumber && table == otherTable
    }
  }

  private let pattern: XPathPattern
  private let hasConditions: Bool
  private let needsLocations: Bool
  private var needsNamespaces: Bool
  private let findsTypes: Bool
  /// True if the document was written with types.
  private var hasTypes = false
  private let take: ElementSelector.Taker?
  private let takeRecurring: ElementSelector.RecurringTaker?
  private let receive: ElementSelector.Receiver
  private let flush: ElementSelector.Flusher
  /// The progress of each path in the document, followed by that in each open element.
  private var open: [PathProgress]
  /// The progress in the element that is about to start.
  private var next: [PathProgress] = []
  /// The child of the innermost element that started last, and the progress in it.
  private var sibling = Sibling()
  /// The values of `xml:space` in the open elements, and in the element that is about to start.
  private var space = SpaceScopes()
  private var nextKeepsSpace = false
  /// The namespace declarations in the open elements, if they are needed, and in the one that is about to start.
  private var namespaces = NamespaceScopes()
  private var defaultNamespace: String?
  private var tape = ElementTape()
  /// The selected elements, the outermost first.
  private var selected: [Selected] = []
  /// Memory for the selected elements that have ended, while they are sent.
  private var ended: [Selected] = []
  /// The depth inside the outermost selected element, and inside an element in which nothing can be selected.
  private var depth = 0
  private var ignoredDepth = 0
  /// The attributes of the element that is about to start, for its conditions.
  private var attributes = XMLAttributes()
  private let locator = ElementLocator()

  /// The number of selected elements, while the outermost of them has not ended.
  var openCount: Int { selected.count }

  init(
    _ pattern: XPathPattern, needs: ElementSelector.Needs, take: ElementSelector.Taker?,
    takeRecurring: ElementSelector.RecurringTaker?, receive: @escaping ElementSelector.Receiver,
    flush: @escaping ElementSelector.Flusher
  ) {
    self.pattern = pattern
    hasConditions = pattern.hasConditions
    needsLocations = needs.contains(.locations)
    needsNamespaces = needs.contains(.namespaces)
    findsTypes = needs.contains(.types)
    (self.take, self.takeRecurring, self.receive, self.flush) = (take, takeRecurring, receive, flush)
    open = pattern.paths.map { PathProgress(documentOf: $0) }
  }

  /// Notes the namespaces of the root element.
  private mutating func enterRoot(_ element: borrowing XMLStartTag) {
    defaultNamespace = element.defaultNamespace
    if findsTypes, element.declaresTypes { (hasTypes, needsNamespaces) = (true, true) }
  }

  /// Finds the progress in an element that is about to start. Returns true if the element is selected.
  private mutating func enter(_ element: borrowing XMLStartTag) -> Bool {
    if open.count == pattern.paths.count { enterRoot(element) }
    nextKeepsSpace = space.value(in: element)
    if needsNamespaces { namespaces.open(element) }
    var isSelected = false
    next.removeAll(keepingCapacity: true)
    let last = open.count - pattern.paths.count
    for (index, path) in pattern.paths.enumerated() {
      let progress = open[last + index].enter(element, path, defaultNamespace: defaultNamespace)
      if progress.isSelected { isSelected = true }
      next.append(progress)
    }
    return isSelected
  }

  /// Starts an element whose progress is `next`, at an index of the tape or the batch.
  private mutating func start(isSelected: Bool, at index: Int) {
    if isSelected {
      let declarations = needsNamespaces ? namespaces.inScope : []
      let context = ElementContext(
        keepsSpace: space.keepsSpace, declarations: declarations, hasTypes: hasTypes)
      selected.append(Selected(start: index, context: context))
    }
    guard next.contains(where: \.mayContinue) else {
      if needsNamespaces { namespaces.close() }
      ignoredDepth = 1
      return
    }
    open.append(contentsOf: next)
    space.open(keepsSpace: nextKeepsSpace)
    if !selected.isEmpty { depth += 1 }
  }

  /// Ends an element. Returns true if it is the outermost selected one.
  private mutating func end() -> Bool {
    if ignoredDepth > 0 {
      ignoredDepth -= 1
      return ignoredDepth == 0 && depth == 0 && !selected.isEmpty
    }
    open.removeLast(pattern.paths.count)
    if open.count < sibling.openCount { sibling.openCount = 0 }
    space.close()
    if needsNamespaces { namespaces.close() }
    guard depth > 0 else { return false }
    depth -= 1
    return depth == 0
  }

  // MARK: Batches

  mutating func receive(_ events: borrowing ElementBatch) throws(EventFailure) {
    // The events from an index on that are in the selected element, and not on the tape.
    var first = 0
    tape.begin(events)
    var index = 0
    while index < events.count {
      switch events[index].kind {
      case .start where ignoredDepth > 0 && events.hasOnlyText(at: index): index += 2
      case .start where ignoredDepth > 0: ignoredDepth += 1
      case .start:
        let end = try takeRecurring(events, from: index)
        guard end == index else {
          index = end
          continue
        }
        let wasOutside = selected.isEmpty
        if wasOutside { first = index }
        let isSelected = enterSibling(events, at: index) ?? enter(events, at: index)
        start(isSelected: isSelected, at: tape.count > 0 ? tape.count + index - first : index)
      case .end:
        if end() {
          try sendSelected(events, first..<index + 1)
          first = index + 1
        }
      default: break
      }
      index += 1
    }
    try flush(events)
    guard !selected.isEmpty else { return }
    keep(events, first..<events.count)
  }

  /// Lets the receiver take the elements from an index on that are selected like the element before them. Returns the index of the first event
  /// after them.
  private func takeRecurring(_ events: borrowing ElementBatch, from index: Int) throws(EventFailure) -> Int {
    guard let takeRecurring, sibling.isSelected, sibling.isSameEverywhere, selected.isEmpty, !needsLocations,
      !space.keepsSpace,
      sibling.isBeside(events[index].name, of: events.table, openCount: open.count)
    else { return index }
    return try takeRecurring(events, index)
  }

  private mutating func keep(_ events: borrowing ElementBatch, _ range: Range<Int>) {
    if tape.count == 0 { for index in selected.indices { selected[index].start -= range.lowerBound } }
    tape.append(events, range)
  }

  /// Finds the progress in an element that is about to start, if it is that in the element before it. Otherwise returns nil.
  private mutating func enterSibling(_ events: borrowing ElementBatch, at index: Int) -> Bool? {
    guard sibling.isBeside(events[index].name, of: events.table, openCount: open.count) else { return nil }
    for other in index + 1..<index + 1 + events[index].count where events.name(events[other]).isSpace {
      return nil
    }
    nextKeepsSpace = space.keepsSpace
    next = sibling.progress
    return sibling.isSelected
  }

  private mutating func enter(_ events: borrowing ElementBatch, at index: Int) -> Bool {
    attributes.removeAll()
    var other = index + 1
    while other < events.count, events[other].isAttribute {
      attributes.add(events.name(events[other]), events.text(events[other]).utf8)
      other += 1
    }
    let (list, values) = (attributes.list, attributes.values)
    let isSelected = enter(
      XMLStartTag(
        name: Unretained(events.name(events[index])), attributes: list.span,
        attributeCount: events[index].count, values: values.span, locator: Unretained(locator)))
    if !hasConditions, !needsNamespaces {
      (sibling.number, sibling.table, sibling.openCount) = (events[index].name, events.table, open.count)
      sibling.isSelected = isSelected
      // The only step of a path such as `//b` is open everywhere.
      sibling.isSameEverywhere =
        pattern.paths.count == 1 && pattern.paths[0].count == 1 || !next.contains(where: \.mayContinue)
      // A copy of the whole array would take new memory for the next element.
      sibling.progress.removeAll(keepingCapacity: true)
      sibling.progress.append(contentsOf: next)
    }
    return isSelected
  }

  /// Sends the selected elements, of which the outermost ends with a range of events.
  private mutating func sendSelected(_ events: borrowing ElementBatch, _ range: Range<Int>)
    throws(EventFailure)
  {
    guard tape.count == 0, !needsLocations else {
      if tape.count == 0, selected.count == 1, let take,
        take(events.extracting(range), range.lowerBound, selected[0].context)
      {
        return selected.removeAll(keepingCapacity: true)
      }
      try flush(events)
      keep(events, range)
      do throws(FerryError) { try sendTape() } catch {
        throw EventFailure(error: error, index: range.upperBound - 1)
      }
      return
    }
    swap(&selected, &ended)
    defer { ended.removeAll(keepingCapacity: true) }
    for element in ended {
      let isOutermost = element.start == range.lowerBound
      var context = element.context
      context.isAlone = ended.count == 1 && isOutermost && !hasConditions && !needsNamespaces
      let end = isOutermost ? range.upperBound : events.endOfElement(at: element.start)
      do throws(EventFailure) {
        try receive(events.extracting(element.start..<end), element.start, context)
      } catch {
        // A sink may refuse what was collected before.
        try flush(events)
        throw EventFailure(error: error.error, index: element.start + error.index)
      }
    }
  }

  private mutating func sendTape() throws(FerryError) {
    swap(&selected, &ended)
    defer { ended.removeAll(keepingCapacity: true) }
    var tape = ElementTape()
    swap(&tape, &self.tape)
    for element in ended {
      try tape.send(elementAt: element.start) { events throws(EventFailure) in
        try receive(events, nil, element.context)
      }
    }
    tape.removeAll()
    swap(&tape, &self.tape)
  }

  // MARK: Single events

  /// Begins an element. Returns false if it is skipped.
  mutating func begin(_ child: borrowing XMLStartTag) -> Bool {
    guard ignoredDepth == 0 else {
      if selected.isEmpty { return false }
      ignoredDepth += 1
      return true
    }
    let isSelected = enter(child)
    guard isSelected || !selected.isEmpty || next.contains(where: \.mayContinue) else {
      if needsNamespaces { namespaces.close() }
      return false
    }
    start(isSelected: isSelected, at: tape.count)
    return true
  }

  mutating func didStart(_ element: borrowing XMLStartTag) { if !selected.isEmpty { tape.start(element) } }

  mutating func add(_ kind: ElementBatch.Kind, _ text: BorrowedText) {
    if !selected.isEmpty { tape.add(kind, text) }
  }

  mutating func instruction(target: BorrowedText, data: BorrowedText) {
    if !selected.isEmpty { tape.instruction(target: target, data: data) }
  }

  mutating func didEnd() throws(FerryError) {
    if !selected.isEmpty { tape.end() }
    if end() { try sendTape() }
  }
}
