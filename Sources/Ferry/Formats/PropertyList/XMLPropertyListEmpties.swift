/// The empty elements of an XML property list, whose notation new ones get.
///
///     <dict/>    <dict></dict>    <dict>
///                                 </dict>
struct XMLPropertyListEmpties {
  private let source: [UInt8]
  private let ranges: [Range<Int>]
  private let tree: PropertyListTree
  /// The notations of collections at the beginning of the text. Nil if the ranges of the values are not known.
  private var usual: EmptyCollections<Notation>?
  /// The notation of the first empty string, if it is in the first part of the text.
  private var usualString: Notation?

  /// The number of nodes at the beginning of a text that are looked at once, and of nodes on each side of a place.
  private static let firstNodes = 1 << 14
  private static let reach = 256

  /// The notation of an empty element.
  private struct Notation {
    /// The text after the name in the start tag or in the empty tag, with its end.
    var startEnd: [UInt8]
    /// The white space in the element; nil in an empty tag.
    var content: EmptyNotation?
    /// The text after the name in the end tag.
    var end: [UInt8] = []

    /// Returns the text of an element.
    ///
    /// - Parameter indentation: The indentation of the line on which it begins.
    func text(named name: String, indentation: [UInt8]) -> [UInt8] {
      let start = Array("<\(name)".utf8) + startEnd
      guard let content else { return start }
      return start + (content.space(indentation: indentation) ?? []) + Array("</\(name)".utf8) + end
    }
  }

  init(in source: [UInt8], ranges: [Range<Int>], _ tree: PropertyListTree) throws(FerryError) {
    (self.source, self.ranges, self.tree) = (source, ranges, tree)
    guard ranges.count == tree.nodeCount else { return }
    usual = try EmptyCollections(atBeginningOf: tree) { node, kind in notation(of: node, kind) }
    for index in 0..<min(tree.nodeCount, Self.firstNodes) {
      guard let notation = try notation(ofString: NodeID(index)) else { continue }
      usualString = notation
      return
    }
  }

  /// Writes the empty elements in the lines of a new value as those near a place.
  ///
  /// - Parameters:
  ///   - base: The indentation of the first line, which `lines` does not have.
  ///   - place: A node of the text; nil if none is near.
  func write(_ lines: inout [[UInt8]], base: [UInt8], near place: NodeID?) throws(FerryError) {
    var (collections, strings): (EmptyCollections<Notation>?, Notation??)
    for index in lines.indices {
      // The tags in a text are escaped, so a line with one of these is an element.
      let tabs = lines[index].prefix { $0 == 0x20 || $0 == 0x09 }
      guard let name = Self.name(ofEmpty: lines[index].dropFirst(tabs.count)) else { continue }
      let notation: Notation?
      if name == "string" {
        if strings == nil { strings = .some(try stringNotation(near: place)) }
        notation = strings ?? nil
      } else {
        if collections == nil { collections = try notations(near: place) }
        notation = name == "dict" ? collections?.ofDictionaries : collections?.ofArrays
      }
      guard let notation else { continue }
      lines[index] = tabs + notation.text(named: name, indentation: index == 0 ? base : Array(tabs))
    }
  }

  /// Returns the name of an element as the writer writes it if it is empty. Nil for other texts.
  private static func name(ofEmpty text: ArraySlice<UInt8>) -> String? {
    if text.elementsEqual("<dict/>".utf8) { return "dict" }
    if text.elementsEqual("<array/>".utf8) { return "array" }
    return text.elementsEqual("<string></string>".utf8) ? "string" : nil
  }

  private func notations(near place: NodeID?) throws(FerryError) -> EmptyCollections<Notation>? {
    guard let usual else { return nil }
    return try EmptyCollections(near: place, of: tree, usual: usual) { node, kind in
      notation(of: node, kind)
    }
  }

  private func notation(of node: NodeID, _ kind: NodeKind) -> Notation? {
    if case .array = kind { notation(of: node, named: "array") } else { notation(of: node, named: "dict") }
  }

  /// Returns the notation of a value if it is an empty string.
  private func notation(ofString node: NodeID) throws(FerryError) -> Notation? {
    guard try tree.kind(of: node) == .string, try tree.length(of: node) == 0 else { return nil }
    return notation(of: node, named: "string")
  }

  private func stringNotation(near place: NodeID?) throws(FerryError) -> Notation? {
    guard let place, usual != nil else { return usualString }
    for node in NearbyNodes(around: place, of: tree.nodeCount, reach: Self.reach) {
      if let notation = try notation(ofString: node) { return notation }
    }
    return usualString
  }

  /// Returns the notation of an element. Nil if it has another name, attributes or comments.
  private func notation(of node: NodeID, named name: String) -> Notation? {
    let range = ranges[node.index]
    guard source[range].dropFirst().starts(with: name.utf8) else { return nil }
    let start = range.lowerBound + 1 + name.utf8.count
    let head = source[start..<range.upperBound].prefix(while: \.isSpace)
    let rest = source[head.endIndex..<range.upperBound]
    if rest.elementsEqual("/>".utf8) { return Notation(startEnd: Array(source[start..<range.upperBound])) }
    guard rest.first == UInt8(ascii: ">") else { return nil }
    let space = rest.dropFirst().prefix(while: \.isSpace)
    let endTag = source[space.endIndex..<range.upperBound]
    guard endTag.starts(with: "</\(name)".utf8),
      let content = EmptyNotation(between: space.indices, in: source)
    else { return nil }
    let end = endTag.dropFirst(2 + name.utf8.count)
    return Notation(startEnd: Array(source[start..<space.startIndex]), content: content, end: Array(end))
  }
}
