/// The ranges of the values and keys in an XML property list, in the order of a reader's events.
enum XMLPropertyListRanges {
  /// Returns the ranges in a UTF-8 text that was read into `tree`. A dictionary that was read as a reference
  /// of an archive has a single range.
  static func ranges(in text: Span<UInt8>, of tree: PropertyListTree) throws(FerryError) -> [Range<Int>] {
    var scan = XMLElementScan(text)
    var ranges: [Range<Int>] = []
    /// The open nodes, with nil for `plist` and for the parts of a reference.
    var open: [Int?] = []
    var reference: Int?
    while let tag = scan.next() {
      guard !tag.isEnd else {
        if let begun = open.popLast(), let begun {
          ranges[begun] = ranges[begun].lowerBound..<tag.range.upperBound
          if reference == begun { reference = nil }
        }
        continue
      }
      let isPart = tag.isPropertyList || reference != nil
      if !isPart {
        ranges.append(tag.range)
        let node = ranges.count - 1
        if node < tree.nodeCount, case .uid = try tree.kind(of: NodeID(node)), !tag.isEmpty {
          reference = node
        }
      }
      if !tag.isEmpty { open.append(isPart ? nil : ranges.count - 1) }
    }
    return ranges
  }
}

/// A scanner of the tags in a well-formed XML text.
private struct XMLElementScan: ~Escapable {
  struct Tag {
    var range: Range<Int>
    var isEnd: Bool
    var isEmpty: Bool
    var isPropertyList: Bool
  }

  private let text: Span<UInt8>
  private var index = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  mutating func next() -> Tag? {
    while index < text.count {
      guard text[index] == UInt8(ascii: "<") else {
        index += 1
        continue
      }
      if starts("<!--") {
        skip(to: "-->")
      } else if starts("<![CDATA[") {
        skip(to: "]]>")
      } else if starts("<?") {
        skip(to: "?>")
      } else if starts("<!") {
        skipDeclaration()
      } else {
        return tag()
      }
    }
    return nil
  }

  private func starts(_ literal: StaticString) -> Bool { text.extracting(index...).starts(with: literal) }

  private mutating func skip(to end: StaticString) {
    index = text.end(ofFirst: end, from: index + 2) ?? text.count
  }

  /// Skips a DOCTYPE, including its declarations in brackets.
  private mutating func skipDeclaration() {
    var scan = PrologScan()
    index = scan.end(in: text, from: index) ?? text.count
  }

  /// Skips to the closing quote.
  private mutating func skipQuoted() {
    index = text.firstIndex(of: text[index], from: index + 1) ?? text.count
  }

  private mutating func tag() -> Tag {
    let start = index
    let isEnd = starts("</")
    let isPropertyList = text.extracting((index + (isEnd ? 2 : 1))...).starts(with: "plist")
    while index < text.count, text[index] != UInt8(ascii: ">") {
      if text[index] == UInt8(ascii: "\"") || text[index] == UInt8(ascii: "'") { skipQuoted() }
      index += 1
    }
    let isEmpty = index > start && index < text.count && text[index - 1] == UInt8(ascii: "/")
    index = min(index + 1, text.count)
    return Tag(range: start..<index, isEnd: isEnd, isEmpty: isEmpty, isPropertyList: isPropertyList)
  }
}
