extension YAMLDocument {
  /// Returns the offset of the content of a node: after its anchor and tag, and the space and comments that follow them.
  func contentStart(of node: Int) -> Int {
    let range = nodes[node].range
    guard nodes[node].hasProperties else { return range.lowerBound }
    var index = range.lowerBound
    while index < range.upperBound, text[index] == UInt8(ascii: "&") || text[index] == UInt8(ascii: "!") {
      while index < range.upperBound, !text[index].isSpace { index += 1 }
      index = min(endOfSpace(from: index), range.upperBound)
    }
    return index
  }

  /// For each node, the innermost collection around it; -1 for the outermost ones.
  var outerCollections: [Int32] {
    var (outer, open) = ([Int32](), [Int]())
    outer.reserveCapacity(nodes.count)
    for (index, node) in nodes.enumerated() {
      while let last = open.last, nodes[last].next <= index { open.removeLast() }
      outer.append(Int32(clamping: open.last ?? -1))
      if node.next > index + 1 { open.append(index) }
    }
    return outer
  }

  /// For each node, the offset after the comma that follows it as a child of a collection in brackets or braces, or else its
  /// end.
  var endsOfChildren: [Int] {
    var ends = nodes.map(\.range.upperBound)
    for parent in nodes.indices where isInBrackets(parent) {
      var child = parent + 1
      while child < nodes[parent].next {
        let comma = endOfSpace(from: ends[child])
        if comma < text.count, text[comma] == UInt8(ascii: ",") { ends[child] = comma + 1 }
        child = nodes[child].next
      }
    }
    return ends
  }

  /// Returns the offsets of the question marks before the keys of mappings in braces.
  ///
  /// - Parameter ends: The ends of the children, with their commas.
  func marksOfKeys(endsOfChildren ends: [Int]) -> [Int: Int] {
    guard text.contains(UInt8(ascii: "?")) else { return [:] }
    var marks: [Int: Int] = [:]
    for parent in nodes.indices where nodes[parent].kind == .mapping && isInBrackets(parent) {
      var end = contentStart(of: parent) + 1
      var key = parent + 1
      while key < nodes[parent].next {
        let mark = endOfSpace(from: end)
        if mark < nodes[key].range.lowerBound, text[mark] == UInt8(ascii: "?") { marks[key] = mark }
        let value = nodes[key].next
        end = ends[value]
        key = nodes[value].next
      }
    }
    return marks
  }

  /// Returns the offset after the white space and comments at an offset.
  func endOfSpace(from start: Int) -> Int {
    var index = start
    while index < text.count {
      if text[index].isSpace {
        index += 1
      } else if text[index] == UInt8(ascii: "#"), index > 0, text[index - 1].isSpace {
        index = text[index...].firstIndex { $0 == 0x0a || $0 == 0x0d } ?? text.count
      } else {
        break
      }
    }
    return index
  }
}
