// Tags that have the names which followed the last time.

extension ContentScanner {
  /// The number of entries that `likelyTags` adds at most, except for those of the last element.
  private static var runLength: Int { 256 }
  /// The number of entries of an element with text and the white space before it.
  private static var elementLength: Int { 4 }
  /// The least number of bytes for an entry: eight for three, as in `<a>x</a>`.
  private static var fewestBytes: Int { 2 }

  /// Adds the tags from an index on, the white space between them, and the texts of elements that contain only plain text, as long as each
  /// element has the name that followed the last time, and no attributes or the one that it had the last time. Returns the index after the
  /// last one.
  ///
  /// Documents mostly consist of such elements, so they are read in a loop, without the calls and checks for other tokens.
  mutating func likelyTags(_ bytes: Span<UInt8>, from start: Int) -> Int {
    guard mayBeLikelyTag(bytes, at: start), let innermost = open.popLast() else { return start }
    // Lists that are not properties, because each access to a property of `self` would be checked, and a span of one would keep the loop
    // from changing other properties.
    var levels = LikelyLevels(innermost: innermost, lowestDepth: lowestDepth)
    swap(&levels.outer, &open)
    var (tagList, nameBytes): ([ScannedNames.Tag], [UInt8]) = ([], [])
    self.names.exchangeTags(&tagList, &nameBytes)
    defer { self.names.exchangeTags(&tagList, &nameBytes) }
    let (tags, names) = (tagList.span, nameBytes.span)
    let first = entries.count
    let runLength = min(Self.runLength, (bytes.count - start) / Self.fewestBytes)
    let (mostText, mostOpen, endOfRun) = (budget.tokenBytes, budget.depth, first + runLength)
    let mayHaveAttribute = budget.attributes > 0
    var (index, tag, next, layout) = (start, start, first, layout)
    var entries = ElementEntries()
    swap(&entries, &self.entries)
    entries.makeRoom(for: runLength + Self.elementLength)
    var output = entries.memory
    while next < endOfRun, next < Self.mostEntries(open: levels.count, lowestDepth: levels.lowestDepth),
      tag < bytes.count - 1, bytes[tag] == UInt8(ascii: "<"), tag &- index <= mostText
    {
      let space = index..<tag
      if bytes[tag &+ 1] == UInt8(ascii: "/") {
        guard levels.count > 1,
          let end = tags[levels.innermost.name].end(in: bytes, from: tag &+ 2, names: names)
        else { break }
        output.add(space: space, at: &next)
        output.add(ElementBatch.Entry(kind: .end), at: &next)
        levels.end()
        index = end
      } else {
        let name = levels.likelyChild(tags)
        guard name >= 0, tags[name].scope == levels.innermost.scope, levels.count < mostOpen else { break }
        if let text = tags[name].end(in: bytes, from: tag &+ 1, names: names) {
          guard text < bytes.count else { break }
          let entry = ElementBatch.Entry(kind: .start, name: tags[name].number, start: tag)
          if bytes[text] <= 0x20 || bytes[text] == UInt8(ascii: "<") {
            output.add(space: space, at: &next)
            output.add(entry, at: &next)
            levels.start(name, tag: tag..<text)
            index = text
          } else {
            let (textEnd, isASCII) = bytes.endOfPlainText(from: text)
            guard textEnd > text, textEnd < bytes.count - 1, bytes[textEnd] == UInt8(ascii: "<"),
              bytes[textEnd &+ 1] == UInt8(ascii: "/"), textEnd &- text <= mostText,
              let end = tags[name].end(in: bytes, from: textEnd &+ 2, names: names)
            else { break }
            output.add(space: space, at: &next)
            output.add(entry, at: &next)
            output.add(
              ElementBatch.Entry(
                kind: .text, isASCII: isASCII, isPlain: true, start: text, count: textEnd &- text), at: &next)
            output.add(ElementBatch.Entry(kind: .end), at: &next)
            levels.addElement(name)
            index = end
          }
        } else {
          let attribute = tags[name].firstAttribute
          guard mayHaveAttribute, attribute >= 0, tags[attribute].scope == tags[name].scope,
            let nameEnd = tags[name].end(in: bytes, from: tag &+ 1, names: names, before: .space),
            let quote = tags[attribute].end(in: bytes, from: nameEnd, names: names, before: .equalsSign),
            quote < bytes.count, bytes[quote] == UInt8(ascii: "\"")
          else { break }
          let (end, isASCII) = bytes.endOfPlainText(from: quote &+ 1)
          guard end < bytes.count - 1, bytes[end] == UInt8(ascii: "\""),
            bytes[end &+ 1] == UInt8(ascii: ">")
          else { break }
          output.add(space: space, at: &next)
          output.add(
            ElementBatch.Entry(kind: .start, name: tags[name].number, start: tag, count: 1), at: &next)
          output.add(
            ElementBatch.Entry(
              kind: .attribute, isASCII: isASCII, isPlain: true, name: tags[attribute].number,
              start: quote &+ 1, count: end &- quote &- 1), at: &next)
          levels.start(name, tag: tag..<end &+ 2)
          index = end &+ 2
        }
      }
      tag = layout.end(in: bytes, from: index)
    }
    (self.layout, lowestDepth) = (layout, levels.lowestDepth)
    entries.didFill(next - first)
    swap(&entries, &self.entries)
    swap(&levels.outer, &open)
    open.append(levels.innermost)
    if index > start {
      storedCount = min(storedCount, lowestDepth)
      textBytes = 0
    }
    return index
  }

  /// Returns true if a tag has the name of an element that is likely to start or end, and an attribute only if the element had one.
  private func mayBeLikelyTag(_ bytes: Span<UInt8>, at start: Int) -> Bool {
    guard start < bytes.count - 1 else { return false }
    if bytes[start + 1] == UInt8(ascii: "/") {
      return open.count > 1 && names.isTag(open[open.count - 1].name, bytes, from: start + 2)
    }
    let name = likelyChild
    return name >= 0 && names.isTag(name, bytes, from: start + 1)
  }
}

/// The open elements while likely tags are read.
private struct LikelyLevels {
  /// The innermost one, and the other ones.
  var innermost: ContentScanner.Open
  var outer: [ContentScanner.Open] = []
  /// The lowest number of open elements after the end of an element in the batch.
  var lowestDepth: Int

  init(innermost: ContentScanner.Open, lowestDepth: Int) {
    (self.innermost, self.lowestDepth) = (innermost, lowestDepth)
  }

  /// The number of open elements.
  @inline(__always)
  var count: Int { outer.count &+ 1 }

  /// Returns the name that last followed where the next child starts, or -1.
  @inline(__always)
  func likelyChild(_ tags: Span<ScannedNames.Tag>) -> Int {
    innermost.lastChild < 0 ? tags[innermost.name].firstChild : tags[innermost.lastChild].next
  }

  /// Notes that a child of the innermost element starts.
  @inline(__always)
  mutating func start(_ name: Int, tag: Range<Int>) {
    innermost.lastChild = name
    outer.append(innermost)
    innermost = ContentScanner.Open(
      name: name, scope: innermost.scope, tagStart: tag.lowerBound, tagEnd: tag.upperBound)
  }

  /// Notes that a child of the innermost element starts and ends.
  @inline(__always)
  mutating func addElement(_ name: Int) {
    innermost.lastChild = name
    lowestDepth = min(lowestDepth, count)
  }

  /// Notes that the innermost element, which is not the only one, ends.
  @inline(__always)
  mutating func end() {
    lowestDepth = min(lowestDepth, outer.count)
    innermost = outer.removeLast()
  }
}

extension MutableSpan<ElementBatch.Entry> {
  /// Writes an event at an index, and advances the index.
  @_lifetime(self: copy self)
  @inline(__always)
  fileprivate mutating func add(_ entry: ElementBatch.Entry, at next: inout Int) {
    self[next] = entry
    next &+= 1
  }

  /// Writes white space, if there is any.
  @_lifetime(self: copy self)
  @inline(__always)
  fileprivate mutating func add(space: Range<Int>, at next: inout Int) {
    guard !space.isEmpty else { return }
    add(
      ElementBatch.Entry(kind: .text, isBlank: true, start: space.lowerBound, count: space.count), at: &next)
  }
}
