// The texts of values that are put at another place. Their lines are indented as the lines there.

extension YAMLTextSyntax {
  func hasOwnText(_ node: NodeID) -> Bool {
    origins.indices.contains(node.index) && !origins[node.index].isCopy
  }

  var originalsOfCopies: [NodeID: NodeID] {
    guard origins.contains(where: \.isCopy) else { return [:] }
    var (originals, found): ([Int: NodeID], [NodeID: NodeID]) = ([:], [:])
    for (index, origin) in origins.enumerated() where !origin.isCopy {
      originals[origin.source] = NodeID(index)
    }
    for (index, origin) in origins.enumerated() where origin.isCopy {
      found[NodeID(index)] = originals[origin.source]
    }
    return found
  }

  func startOfCarriedText(_ node: NodeID) -> Int? {
    guard hasOwnText(node) else { return nil }
    let origin = document.nodes[origins[node.index].node]
    guard !origin.hasProperties, origin.isBlock else { return nil }
    return startWithComments(of: origins[node.index].node)
  }

  /// Returns the beginning of a block with the comments on the lines between it and its key.
  private func startWithComments(of node: Int) -> Int {
    var start = document.contentStart(of: node)
    var line = startOfLine(at: start)
    guard document.text[line..<start].allSatisfy({ $0 == 0x20 }) else { return start }
    while line > 0 {
      line = startOfLine(at: line - 1)
      guard let mark = document.text[line..<start].firstIndex(where: { !$0.isSpace }),
        document.text[mark] == UInt8(ascii: "#")
      else { break }
      start = mark
    }
    return start
  }

  func carriedText(
    of node: NodeID, endingAt end: Int, after line: ArraySlice<UInt8>, isRepeated: Bool
  ) -> CarriedText? {
    guard hasOwnText(node) else { return CarriedText(text: nil) }
    return CarriedText(text: text(of: origins[node.index].node, endingAt: end, after: line, isRepeated))
  }

  /// Returns the text of a value at another place, with its anchor and its tag.
  private func text(
    of node: Int, endingAt end: Int, after line: ArraySlice<UInt8>, _ isRepeated: Bool
  ) -> [UInt8]? {
    let source = document.nodes[node]
    let start = document.contentStart(of: node)
    let properties = document.text[source.range.lowerBound..<start]
    guard !properties.contains(UInt8(ascii: "#")), let place = place(after: line) else { return nil }
    var names = properties.split(whereSeparator: \.isSpace)
    if isRepeated { names.removeAll { $0.first == UInt8(ascii: "&") } }
    let before = names.flatMap { $0 + [0x20] }
    // An anchor marks the value at its old place.
    let isAnchored = document.nodes[(node + 1)..<source.next].contains(where: \.hasAnchor)
    guard !isRepeated || !isAnchored else { return nil }
    guard source.isBlock else {
      guard let text = inlineText(of: node, at: place) else { return nil }
      // The name of an anchor ends before a comma, that of a tag only before a space.
      let isAnchorAlone = text.isEmpty && names.last?.first == UInt8(ascii: "&")
      return isAnchorAlone ? before.dropLast() : before + text
    }
    return block(of: node, endingAt: end, at: place, after: before)
  }

  /// Returns the text of a scalar, an alias or a collection in brackets at another place.
  private func inlineText(of node: Int, at place: Place) -> [UInt8]? {
    let range = document.nodes[node].range
    let content = document.text[document.contentStart(of: node)..<range.upperBound]
    guard content.contains(UInt8(ascii: "\n")) else { return Array(content) }
    let line = startOfLine(at: range.lowerBound)..<range.lowerBound
    guard let old = self.place(after: document.text[line]) else { return nil }
    return shifted(content, by: place.column - old.column)
  }

  /// Returns the lines of a block at another place.
  ///
  /// - Parameter properties: The anchor and the tag of the block with a space after each.
  private func block(
    of node: Int, endingAt end: Int, at place: Place, after properties: [UInt8]
  ) -> [UInt8]? {
    let start = document.contentStart(of: node)
    let lines = document.text[(properties.isEmpty ? startWithComments(of: node) : start)..<end]
    let body = lines[..<(lines.lastIndex { !$0.isLineEnd }.map { $0 + 1 } ?? lines.startIndex)]
    let old = column(of: start)
    guard place.isKey || !properties.isEmpty else { return shifted(body, by: place.end - old) }
    // The lines of a list may begin in the column of its key.
    let step = old - (columnOfParent(of: node) ?? old - 2)
    let least = document.nodes[node].kind == .sequence && place.isKey ? 0 : 1
    let column = place.isAlone ? place.end : place.column + (step < least ? 2 : step)
    let newLine = lineEnd + [UInt8](repeating: 0x20, count: column)
    return shifted(body, by: column - old).map { properties.dropLast() + newLine + $0 }
  }

  /// A place for a value after the text on a line.
  private struct Place {
    /// The column of the key or the dash of the value.
    var column: Int
    /// The column after the text.
    var end: Int
    /// True if a key is before the value.
    var isKey = false
    /// True if the value begins the line.
    var isAlone = false
  }

  /// Returns the place after the text on a line. Nil after an anchor or a tag.
  private func place(after line: ArraySlice<UInt8>) -> Place? {
    var index = line.startIndex
    var dash: Int?
    while index < line.endIndex {
      if "-?".utf8.contains(line[index]), index + 1 == line.endIndex || line[index + 1] == 0x20 {
        dash = index
      } else if line[index] != 0x20 {
        break
      }
      index += 1
    }
    guard index < line.endIndex else {
      return Place(
        column: (dash ?? line.endIndex) - line.startIndex, end: line.count, isAlone: dash == nil)
    }
    let isKey = line.last == 0x20 && line.last { $0 != 0x20 } == UInt8(ascii: ":")
    // The text in brackets goes on in its line.
    guard isKey || line.contains(where: { "[{,".utf8.contains($0) }) else { return nil }
    return Place(column: index - line.startIndex, end: line.count, isKey: isKey)
  }

  /// Returns the column of the collection around a node; nil if it is in brackets.
  private func columnOfParent(of node: Int) -> Int? {
    collection(around: node).flatMap(block(ofNode:))?.column
  }

  /// Returns lines with another indentation, except for the first. Nil if a line has too little of it.
  private func shifted(_ text: ArraySlice<UInt8>, by count: Int) -> [UInt8]? {
    guard count != 0, text.contains(UInt8(ascii: "\n")) else { return Array(text) }
    var result: [UInt8] = []
    for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .enumerated()
    {
      if index > 0 { result.append(UInt8(ascii: "\n")) }
      let isBlank = line.allSatisfy(\.isSpace)
      if index == 0 || isBlank && count > 0 {
        result += line
      } else if count > 0 {
        result += [UInt8](repeating: 0x20, count: count) + line
      } else {
        let spaces = line.prefix(-count).prefix { $0 == 0x20 }
        guard spaces.count == -count || isBlank || line.dropFirst(spaces.count).first == UInt8(ascii: "#")
        else { return nil }
        result += line.dropFirst(spaces.count)
      }
    }
    return result
  }
}
