/// A buffered list of an element's contents, with the attributes that follow it. XML has those in the start tag:
///
///     {"p": {"#content": ["one ", {"b": "two"}], "@id": "1"}}
///
///     <p id="1">one <b>two</b></p>
///
/// The lists inside the list are in the same buffer. `List` has the facts about each of them that its start tag needs, so that the events
/// are sent once, in order.
struct XMLHeldContents: ~Copyable {
  /// A list of contents on the tape: an array with the key `#content`.
  struct List {
    /// The tape index of the beginning of the array.
    let begin: Int
    /// The size of the events before the array.
    let weight: Int
    /// The nesting depth of the list's elements.
    let depth: Int
    /// True if the list has other values than text.
    var hasItems = false
    /// True if the list has text that is not white space, so that all white space in it is text.
    var hasText = false
    /// The tape range of the attributes after the list: a key and a scalar each. Nil before the end of the list.
    var attributes: Range<Int>?
  }

  private var tape = ValueTape()
  /// The lists in the order of their beginnings.
  private var lists: [List] = []
  /// The indices in `lists` of those that have not ended, the innermost last.
  private var open: [Int] = []
  private var depth = 0
  /// The index of the list that has ended, if only attributes have followed it.
  private var ended: Int?
  /// True if the last event is the key of an attribute after a list.
  private var awaitsAttribute = false
  /// True if the last event is the key `#content`.
  private var awaitsList = true

  /// Creates a buffer with the beginning of a list.
  init() { receive(.beginArray, BorrowedText(Span())) }

  /// The size of the events.
  var weight: Int { tape.weight }

  /// Returns true if an event belongs to the outermost list, or to an attribute after it.
  func takes(_ event: XMLValueEvent, _ text: borrowing BorrowedText) -> Bool {
    !open.isEmpty || isPartOfAttribute(event, text)
  }

  private func isPartOfAttribute(_ event: XMLValueEvent, _ text: borrowing BorrowedText) -> Bool {
    awaitsAttribute ? event.isScalar : event == .key && text.utf8.starts(with: "@")
  }

  // MARK: Buffering

  mutating func receive(_ event: XMLValueEvent, _ text: borrowing BorrowedText) {
    if let ended { follow(ended, event, text) }
    note(event, text)
    awaitsList = event == .key && text.equals("#content")
    tape.append(event, text)
    depth += event.depthChange
  }

  /// Notes an event after the end of a list.
  private mutating func follow(_ list: Int, _ event: XMLValueEvent, _ text: borrowing BorrowedText) {
    let isPart = isPartOfAttribute(event, text)
    awaitsAttribute = isPart && event == .key
    if !isPart {
      ended = nil
    } else if !awaitsAttribute, let attributes = lists[list].attributes {
      lists[list].attributes = attributes.lowerBound..<tape.count + 1
    }
  }

  /// Notes the facts about lists that an event shows.
  private mutating func note(_ event: XMLValueEvent, _ text: borrowing BorrowedText) {
    if event == .beginArray, awaitsList {
      open.append(lists.count)
      lists.append(List(begin: tape.count, weight: tape.weight, depth: depth + 1))
      return
    }
    guard let list = open.last else { return }
    let level = depth - lists[list].depth
    switch event {
    case .scalar where level == 0 && !text.isBlank: lists[list].hasText = true
    case .key where level == 1 && text.equals("#cdata"): lists[list].hasText = true
    case .beginDictionary: lists[list].hasItems = true
    case .endArray where level == 0:
      lists[list].attributes = tape.count + 1..<tape.count + 1
      ended = list
      open.removeLast()
    default: break
    }
  }

  // MARK: Sending

  /// The number of events.
  var count: Int { tape.count }

  /// Returns the tape index of the outermost list that has not ended, or whose attributes may follow, and that is no larger than a
  /// size.
  func beginOfOpenList(withAtMost weight: Int) -> Int? {
    (open + (ended.map { [$0] } ?? [])).first { tape.weight - lists[$0].weight <= weight }.map {
      lists[$0].begin
    }
  }

  /// Sends the events before a tape index to a writer. The attributes after a list precede it.
  func send(upTo end: Int, to writer: XMLValueWriter) throws(FerryError) {
    var next = 0
    // The attributes after the lists that have begun, the innermost last.
    var sent: [Range<Int>] = []
    for list in lists {
      guard list.begin < end else { break }
      try send(next..<list.begin, without: &sent, to: writer)
      let attributes = try writer.begin(list, on: tape)
      if !attributes.isEmpty { sent.append(attributes) }
      next = list.begin + 1
    }
    try send(next..<end, without: &sent, to: writer)
  }

  private func send(
    _ range: Range<Int>, without sent: inout [Range<Int>], to writer: XMLValueWriter
  ) throws(FerryError) {
    var next = range.lowerBound
    while let skipped = sent.last, skipped.lowerBound < range.upperBound {
      try writer.receive(next..<skipped.lowerBound, of: tape)
      next = skipped.upperBound
      sent.removeLast()
    }
    try writer.receive(next..<range.upperBound, of: tape)
  }

  /// Sends the events from a tape index on to a writer as they were received.
  func replay(from start: Int, to writer: XMLValueWriter) throws(FerryError) {
    try writer.receive(start..<tape.count, of: tape)
  }
}
