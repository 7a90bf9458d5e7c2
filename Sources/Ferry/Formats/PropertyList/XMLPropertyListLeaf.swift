/// A whole element of an XML property list whose text has no markup and no references, as most elements have.
///
/// Such an element is recognized in one pass over its bytes. `XMLPropertyListScanner` scans all others byte by byte.
struct XMLPropertyListLeaf {
  let element: XMLPropertyListElement
  /// The range of the text in the chunk. For a boolean, the empty range after the element, where its errors are located.
  let text: Range<Int>
  /// True if every byte of the text is less than 0x80.
  let isASCII: Bool
  /// True if the text has no control characters, quotation marks or backslashes.
  let isPlain: Bool
  /// The offset after the element.
  let end: Int
}

extension Span<UInt8> {
  /// Returns the key, string, integer or boolean that begins with the `<` at an index. Returns nil for other elements, for an
  /// element with markup or a reference in its text, and for one near the end of the chunk.
  func propertyListLeaf(at start: Int) -> XMLPropertyListLeaf? {
    guard start <= count &- 9 else { return nil }
    let word = littleEndianWord(at: start &+ 1)
    if word.isTag(of: .key) { return leaf(.key, textAt: start &+ 5) }
    if word.isTag(of: .string) { return leaf(.string, textAt: start &+ 8) }
    if word.isTag(of: .integer) { return leaf(.integer, textAt: start &+ 9) }
    if word.isEmptyTag(of: .yes) { return emptyLeaf(.yes, at: start &+ 7) }
    if word.isEmptyTag(of: .no) { return emptyLeaf(.no, at: start &+ 8) }
    return nil
  }

  private func emptyLeaf(_ element: XMLPropertyListElement, at end: Int) -> XMLPropertyListLeaf {
    XMLPropertyListLeaf(element: element, text: end..<end, isASCII: true, isPlain: true, end: end)
  }

  /// Returns the leaf whose text begins at an index. Tests eight bytes at a time.
  @inline(__always)
  private func leaf(_ element: XMLPropertyListElement, textAt start: Int) -> XMLPropertyListLeaf? {
    var index = start
    // The highest bits of these bytes tell if the text goes beyond ASCII, and if it has bytes that are not plain.
    var (high, flaws): (UInt64, UInt64) = (0, 0)
    while index <= count &- 8 {
      let word = littleEndianWord(at: index)
      let markup = word.markupBytes
      let wordFlaws = word.bytes(equal: 0x22) | word.bytes(equal: 0x5c) | word.bytes(below: 0x20)
      guard markup != 0 else {
        high |= word
        flaws |= wordFlaws
        index &+= 8
        continue
      }
      let bits = UInt64(truncatingIfNeeded: markup.trailingZeroBitCount) & ~7
      let before = ~(~0 &<< bits) as UInt64
      high |= word & before
      flaws |= wordFlaws & before
      index &+= Int(truncatingIfNeeded: bits / 8)
      guard let end = end(ofEndTag: element, at: index) else { return nil }
      return XMLPropertyListLeaf(
        element: element, text: start..<index, isASCII: high & UInt64(bytes: 0x80) == 0, isPlain: flaws == 0,
        end: end)
    }
    return nil
  }

  /// Returns the end of the element's end tag if the tag begins at `start` and is inside the chunk, otherwise
  /// nil.
  @inline(__always)
  func end(ofEndTag element: XMLPropertyListElement, at start: Int) -> Int? {
    let length = element.nameLength
    let end = start + length + 3
    guard end <= count, start + 10 <= count, self[start + 1] == UInt8(ascii: "/"),
      self[end - 1] == UInt8(ascii: ">")
    else { return nil }
    let word = littleEndianWord(at: start + 2) & ~(~0 << UInt64(8 * length))
    return self[start] == UInt8(ascii: "<") && word == element.rawValue ? end : nil
  }
}

extension UInt64 {
  /// True for a word that begins with the tag of an element without its `<`.
  @inline(__always)
  fileprivate func isTag(of element: XMLPropertyListElement) -> Bool {
    isName(of: element, before: 0x3e, ofBytes: 1)
  }

  /// True for a word that begins with the tag of an empty element without its `<`.
  @inline(__always)
  fileprivate func isEmptyTag(of element: XMLPropertyListElement) -> Bool {
    isName(of: element, before: 0x3e2f, ofBytes: 2)
  }

  @inline(__always)
  private func isName(of element: XMLPropertyListElement, before end: UInt64, ofBytes count: Int) -> Bool {
    let length = element.nameLength
    let tag = element.rawValue | end &<< UInt64(truncatingIfNeeded: 8 &* length)
    return (self ^ tag) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* (length &+ count)) == 0
  }
}
