/// A finder of the boundaries before the children of the root element of an XML document.
///
///     <map>⏎ <node id="1"/>⏎ <node id="2"><tag/></node>⏎ <way>…</way>⏎ <way>…
///                          ⌃                          ⌃              ⌃
///
/// A child is found by the tag's end and the white space before it and by its name, if these bytes were before a child earlier and not
/// before an element inside one. As long as none is found, the tags of the part are counted, which also shows how further children begin.
/// A long comment or CDATA section may have the bytes before a child, too, and so may an element inside one that is the first of its kind. The
/// part before such bytes is not valid (see `PartBoundary`).
struct ElementBoundaries: BoundaryFinder {
  /// The bytes with which elements begin: white space after a tag, `<` and the name.
  private struct Beginning: Sendable {
    let bytes: [UInt8]
    /// True if an element inside a child of the root element begins with the bytes.
    var isNested = false
  }

  /// The beginnings of the root element's children that are known.
  private var beginnings: [Beginning] = []
  private var tags: TagCount
  /// The index of the part's first child, before which there is no boundary, or nil if it is not known.
  private var firstChild: Int?
  private static let mostBeginnings = 16
  private static let longestBeginning = 256
  /// The number of bytes before an element that may show that it is in a comment, CDATA section or processing instruction.
  private static let mostBefore = 4096

  /// Creates a finder for a document whose root element has its contents from an index on.
  init(from contents: Int) { tags = TagCount(from: contents) }

  mutating func last(in bytes: Span<UInt8>, from start: Int) -> Range<Int>? {
    guard let child = lastKnown(in: bytes, from: start) ?? countTags(in: bytes) else { return nil }
    (tags, firstChild) = (TagCount(from: 0), nil)
    return child..<child
  }

  // MARK: Known children

  /// Returns the index of the last child with a known beginning, or nil.
  private func lastKnown(in bytes: Span<UInt8>, from start: Int) -> Int? {
    guard beginnings.contains(where: { !$0.isNested }) else { return nil }
    let first = max(start - Self.longestBeginning, (firstChild ?? 0) + 1)
    var index = bytes.count
    while index > first {
      index -= 1
      guard bytes[index] == UInt8(ascii: "<"), let range = Self.beginning(ofTag: index, in: bytes),
        let known = self.index(of: bytes.extracting(range)), !beginnings[known].isNested
      else { continue }
      guard let section = Self.section(around: index, in: bytes) else { return index }
      index = section
    }
    return nil
  }

  /// Returns the range of the bytes with which the element of a start tag begins. Returns nil if there is no such tag, or if text or long
  /// white space is before it.
  private static func beginning(ofTag tag: Int, in bytes: Span<UInt8>) -> Range<Int>? {
    var (start, end) = (tag, tag + 1)
    let longest = min(bytes.count, tag + longestBeginning)
    while end < longest, !bytes[end].endsXMLName { end += 1 }
    guard end < longest, end > tag + 1 else { return nil }
    while start > 0, end - start < longestBeginning, bytes[start - 1].isSpace { start -= 1 }
    guard start > 0, bytes[start - 1] == UInt8(ascii: ">") else { return nil }
    return start..<end
  }

  /// Returns the index of a known beginning, or nil.
  private func index(of beginning: Span<UInt8>) -> Int? {
    for index in beginnings.indices {
      let known = beginnings[index].bytes
      if known.count == beginning.count, known.span.equals(beginning) { return index }
    }
    return nil
  }

  /// Returns the index at which the comment, CDATA section or processing instruction around an index begins. Returns nil if there is none, or
  /// if it begins long before.
  private static func section(around index: Int, in bytes: Span<UInt8>) -> Int? {
    var end = index
    while end > max(index - mostBefore, 1) {
      end -= 1
      switch (bytes[end - 1], bytes[end]) {
      case (UInt8(ascii: "<"), UInt8(ascii: "!")), (UInt8(ascii: "<"), UInt8(ascii: "?")): return end - 1
      case (UInt8(ascii: "?"), UInt8(ascii: ">")): return nil
      case (UInt8(ascii: "-"), UInt8(ascii: ">")), (UInt8(ascii: "]"), UInt8(ascii: ">")):
        if end > 1, bytes[end - 2] == bytes[end - 1] { return nil }
      default: break
      }
    }
    return nil
  }

  // MARK: Counted tags

  /// Counts the tags of the part, and notes the beginnings of elements. Returns the index of the last child, or nil.
  private mutating func countTags(in bytes: Span<UInt8>) -> Int? {
    var last: Int?
    while let (tag, isChild) = tags.nextStartTag(in: bytes) {
      if isChild {
        if firstChild == nil { firstChild = tag } else { last = tag }
      }
      note(tag, isChild: isChild, in: bytes)
    }
    return last
  }

  /// Notes the bytes with which an element begins.
  private mutating func note(_ tag: Int, isChild: Bool, in bytes: Span<UInt8>) {
    guard let range = Self.beginning(ofTag: tag, in: bytes) else { return }
    let beginning = bytes.extracting(range)
    if let known = index(of: beginning) {
      if !isChild { beginnings[known].isNested = true }
    } else if isChild, beginnings.count < Self.mostBeginnings {
      beginnings.append(Beginning(bytes: Array(copying: beginning)))
    }
  }
}

/// A count of the open elements in the contents of a root element. It expects a well-formed document.
private struct TagCount: Sendable {
  /// The index of the next markup, or of the text before it.
  private var index: Int
  /// The number of open elements, with the root element.
  private var depth = 1
  /// The number of bytes from which on the markup at `index` may be complete.
  private var nextCount = 0
  /// True if the start tag at `index` was returned.
  private var hasReturnedTag = false
  private static let shortMarkup = 4096

  init(from contents: Int) { index = contents }

  /// Returns the index of the next start tag whose name is complete, and true if it is that of a child of the root element.
  mutating func nextStartTag(in bytes: Span<UInt8>) -> (index: Int, isChild: Bool)? {
    guard bytes.count >= nextCount else { return nil }
    while depth > 0, index < bytes.count {
      guard let start = bytes.firstIndex(of: UInt8(ascii: "<"), from: index) else {
        index = bytes.count
        return nil
      }
      if start != index { (index, hasReturnedTag) = (start, false) }
      if !hasReturnedTag, let tag = startTag(in: bytes) { return tag }
      guard let end = endOfMarkup(in: bytes) else {
        // Long markup is not searched again for each piece of it.
        let length = bytes.count - index
        nextCount = length < Self.shortMarkup ? 0 : bytes.count + length
        return nil
      }
      (index, hasReturnedTag) = (end, false)
    }
    return nil
  }

  /// Returns the start tag at the index, if the markup there is one and its name is complete.
  private mutating func startTag(in bytes: Span<UInt8>) -> (index: Int, isChild: Bool)? {
    guard index + 1 < bytes.count else { return nil }
    switch bytes[index + 1] {
    case UInt8(ascii: "/"), UInt8(ascii: "!"), UInt8(ascii: "?"): return nil
    default: break
    }
    guard bytes.endOfWrittenName(from: index + 1) < bytes.count else { return nil }
    hasReturnedTag = true
    return (index, depth == 1)
  }

  /// Returns the index after the markup at the index, and counts it. Returns nil if it does not end in the bytes.
  private mutating func endOfMarkup(in bytes: Span<UInt8>) -> Int? {
    guard index + 1 < bytes.count else { return nil }
    switch bytes[index + 1] {
    case UInt8(ascii: "/"):
      guard let end = bytes.end(ofFirst: ">", from: index) else { return nil }
      depth -= 1
      return end
    case UInt8(ascii: "?"): return bytes.end(ofFirst: "?>", from: index + 2)
    case UInt8(ascii: "!"):
      guard index + 2 < bytes.count else { return nil }
      return bytes[index + 2] == UInt8(ascii: "-")
        ? bytes.end(ofFirst: "-->", from: index + 4) : bytes.end(ofFirst: "]]>", from: index + 2)
    default:
      guard let end = bytes.endOfTag(from: index + 1) else { return nil }
      if bytes[end - 2] != UInt8(ascii: "/") { depth += 1 }
      return end
    }
  }
}
