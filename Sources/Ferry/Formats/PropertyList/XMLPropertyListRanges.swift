/// The ranges of the values and keys in an XML property list, in the order of a reader's events.
enum XMLPropertyListRanges {
  /// Returns the ranges in a UTF-8 text that was read into `tree`. A dictionary that was read as a reference
  /// of an archive has a single range.
  static func ranges(in text: Span<UInt8>, of tree: PropertyListTree) throws(FerryError) -> [Range<Int>] {
    var tags = XMLTagScanner(text)
    var ranges: [Range<Int>] = []
    /// The open nodes, with nil for `plist` and for the parts of a reference.
    var open: [Int?] = []
    var reference: Int?
    while let tag = tags.next() {
      switch tag {
      case .end(let range):
        guard let begun = open.popLast(), let begun else { break }
        ranges[begun] = ranges[begun].lowerBound..<range.upperBound
        if reference == begun { reference = nil }
      case .start(let tag):
        let isPart = reference != nil || text.extracting(tag.name).equals("plist")
        if !isPart {
          ranges.append(tag.range)
          let node = ranges.count - 1
          if node < tree.nodeCount, case .uid = try tree.kind(of: NodeID(node)), !tag.isEmpty {
            reference = node
          }
        }
        if !tag.isEmpty { open.append(isPart ? nil : ranges.count - 1) }
      }
    }
    return ranges
  }
}
