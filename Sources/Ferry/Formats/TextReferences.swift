/// The references in a text to values elsewhere in it: aliases of YAML, and references to entities that XML declares.
///
///     a: &d 1
///     b: *d        →    the range of *d, and d with the text 1
struct TextReferences {
  /// The value to which references with a name lead.
  struct Target {
    /// A hash of the keys around the value.
    let path: Int
    let text: ArraySlice<UInt8>

    /// Returns true if both values have the same text except for white space.
    func isLike(_ other: Target) -> Bool {
      text.lazy.filter { !$0.isSpace }.elementsEqual(other.text.lazy.filter { !$0.isSpace })
    }
  }

  /// The references and the merge keys in ascending order.
  var ranges: [Range<Int>] = []
  /// The values with each name, in the order of the text.
  var targets: [ArraySlice<UInt8>: [Target]] = [:]
}

extension TextReferences {
  /// Finds the references in a text in UTF-8. A text that is not valid has none.
  init(in text: [UInt8], _ format: Format, budget: Budget) {
    if format.isXML {
      self.init(toEntitiesIn: text[...])
      return
    }
    self.init()
    guard format.description.hasMergeKeys, text.contains(where: { "&<".utf8.contains($0) }),
      let finder = format.description.textLayout
    else { return }
    let mark = text.utf8MarkCount
    let tree = PropertyListTree(for: format.description.noun, budget: budget)
    guard let found = try? finder(Array(text[mark...]), tree).syntax.references else { return }
    targets = found.targets
    ranges = found.ranges.map { ($0.lowerBound + mark)..<($0.upperBound + mark) }
  }

  private init(toEntitiesIn text: ArraySlice<UInt8>) {
    self.init()
    let declared = TextPieces.declaredEntities(in: text)
    guard !declared.isEmpty else { return }
    targets = declared.mapValues { [Target(path: 0, text: $0)] }
    for token in TextPieces.tokens(of: text, isXML: true)
    where !token.starts(with: "<!".utf8) && !token.starts(with: "<?".utf8) {
      for reference in TextPieces.entityReferences(in: token)
      where declared[reference.dropFirst().dropLast()] != nil {
        ranges.append(reference.indices)
      }
    }
  }

  /// Returns the name in the text of a reference: `d` in `*d`, `v` in `&v;`. Nil for a merge key.
  static func name(in reference: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    switch reference.first {
    case UInt8(ascii: "*"): reference.dropFirst()
    case UInt8(ascii: "&"): reference.dropFirst().dropLast()
    default: nil
    }
  }
}
