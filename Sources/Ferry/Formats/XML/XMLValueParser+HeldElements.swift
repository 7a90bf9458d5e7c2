// Elements whose children are buffered, because they must be reordered.

extension XMLValueParser {
  /// The weight of the tape from which the children of the outermost element are moved to a spool.
  private static let mostOnTape = 1 << 20

  /// Notes that the children of an element with buffered children follow, after its attributes.
  mutating func beginHeldChildren(attributesFrom start: Int) {
    held[held.count - 1].attributes = start..<tape.count
    held[held.count - 1].beforeChildren = tape.mark
  }

  /// Ends a child of an element with buffered children, and adds its range to the group of its path.
  mutating func endHeldChild() throws(FerryError) {
    held[held.count - 1].endChild(open[open.count - 1].lastChild, at: tape.count)
    if held.count == 1, tape.weight > Self.mostOnTape { try held[0].spoolChildren(from: &tape) }
  }

  /// Ends an element with buffered children, and orders the children by path.
  mutating func endHeld(hasText: Bool, _ input: Span<UInt8>) throws(FerryError) {
    guard let last = held.last else { return }
    if last.isScattered { losses?.add(.siblingOrder, path: openPath()) }
    if last.spool != nil { return try sendSpooled(hasText: hasText, input) }
    tape.land(last.jump)
    tape.beginDictionary()
    tape.play(last.attributes)
    for (path, parts, count) in last.groups {
      let (key, isList) = (paths[path].key, paths.isList(path, of: count))
      tape.key(key.span)
      if isList { tape.beginArray() }
      for part in parts { tape.play(part) }
      if isList { tape.endArray() }
    }
    if hasText { try sendText() }
    tape.endDictionary()
    try release(input)
  }

  /// Sends the outermost element, whose children are in a spool.
  private mutating func sendSpooled(hasText: Bool, _ input: Span<UInt8>) throws(FerryError) {
    try flush(input)
    try held[0].spoolChildren(from: &tape)
    guard let element = held.popLast(), let spool = element.spool else { return }
    try sink.beginDictionary(count: nil)
    try tape.replay(element.attributes, into: sink)
    tape.removeAll()
    var spooled = EventSender(to: sink, isPrompt: false)
    for group in element.groups.indices {
      let path = element.groups[group].path
      let (key, isList) = (paths[path].key, paths.isList(path, of: element.groups[group].count))
      try sink.key(BorrowedText(key.span))
      if isList { try sink.beginArray(count: nil) }
      try spool.forEachPiece(of: group) { piece throws(FerryError) in
        try EncodedValues.send(piece, with: &spooled)
      }
      if isList { try sink.endArray() }
    }
    if hasText {
      try sendText()
      try flush(input)
    }
    try sink.endDictionary()
  }

  /// Sends the reordered events of the innermost held element, unless an enclosing element is buffered too.
  mutating func release(_ input: Span<UInt8>) throws(FerryError) {
    guard let released = held.popLast(), held.isEmpty else { return }
    try flush(input)
    try tape.replay(released.jump..<tape.count, into: sink)
    tape.removeAll()
  }
}
