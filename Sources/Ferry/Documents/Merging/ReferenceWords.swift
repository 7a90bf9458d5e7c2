/// Texts with words in place of their references, for a merge in which a reference stays one and leads to the merged value.
///
///     a: &d 1            a: &d 1
///     b: *d       →      b: ref0e
struct ReferenceWords {
  /// The texts with words.
  private(set) var texts: Versions<[UInt8]>
  private let format: Format
  private let budget: Budget
  /// The beginning of each word. No text has it.
  private let mark = Array("ref\(SystemPath.unique)x".utf8)
  /// The text of each reference, and its index.
  private var references: [ArraySlice<UInt8>] = []
  private var indices: [ArraySlice<UInt8>: Int] = [:]
  /// For each name of a reference, the hashes of the paths to the values with the name.
  private var paths: [ArraySlice<UInt8>: [Int]] = [:]

  /// Replaces the references in versions of a text in UTF-8. Returns nil if they have none, or if a name leads to values with different
  /// paths.
  init?(in texts: Versions<[UInt8]>, _ format: Format, budget: Budget) {
    (self.texts, self.format, self.budget) = (texts, format, budget)
    let found = texts.map { TextReferences(in: $0, format, budget: budget) }
    for side in MergeSide.allCases { self.texts[side] = replacing(found[side], in: texts[side]) }
    let names = references.compactMap(TextReferences.name)
    guard !names.isEmpty else { return nil }
    for name in names {
      let known = found.all.compactMap { $0.targets[name]?.map(\.path) }
      guard let first = known.first, known.allSatisfy({ $0 == first }) else { return nil }
      paths[name] = first
    }
  }

  private mutating func replacing(_ found: TextReferences, in text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var start = 0
    for range in found.ranges where range.lowerBound >= start {
      let reference = text[range]
      let index = indices[reference] ?? references.count
      if index == references.count {
        indices[reference] = index
        references.append(reference)
      }
      result += text[start..<range.lowerBound]
      result += mark + Array("\(index)e".utf8)
      start = range.upperBound
    }
    return result + text[start...]
  }

  /// Returns a merged text with its references, and the same text with words for these. Returns nil if a name leads to a value with
  /// another path than in the versions.
  func restoring(_ text: [UInt8]) -> (text: [UInt8], words: [UInt8])? {
    let restored = restored(text, inQuotes: !format.isXML)
    let found = TextReferences(in: restored, format, budget: budget)
    var words = self
    let again = words.replacing(found, in: restored)
    let names = found.ranges.compactMap { TextReferences.name(in: restored[$0]) }
    guard names.allSatisfy({ found.targets[$0]?.map(\.path) == paths[$0] }) else { return nil }
    return (restored, again)
  }

  /// Returns a text with the references in place of the words.
  ///
  /// - Parameter inQuotes: True if quotation marks around a word are left out.
  private func restored(_ text: [UInt8], inQuotes: Bool) -> [UInt8] {
    var result: [UInt8] = []
    var rest = text[...]
    while let start = rest.firstIndex(of: mark[0]) {
      result += rest[..<start]
      rest = rest[start...]
      guard rest.starts(with: mark),
        let end = rest.dropFirst(mark.count).firstIndex(of: UInt8(ascii: "e")),
        let index = Int(String(decoding: rest[(start + mark.count)..<end], as: UTF8.self)),
        references.indices.contains(index)
      else {
        result.append(rest.removeFirst())
        continue
      }
      rest = rest[(end + 1)...]
      if inQuotes, let quote = result.last, "\"'".utf8.contains(quote), rest.first == quote {
        result.removeLast()
        rest.removeFirst()
      }
      result += references[index]
    }
    return result + rest
  }

  private func restored(_ text: String) -> String {
    String(decoding: restored(Array(text.utf8), inQuotes: false), as: UTF8.self)
  }

  private func restored(_ value: Value) -> Value {
    if case .string(let text) = value { return .string(restored(text)) }
    return value.mappingParts(restored)
  }

  /// Returns a conflict with the references in place of the words.
  func restored(_ conflict: MergeConflict) -> MergeConflict {
    MergeConflict(
      path: restored(conflict.path), base: conflict.base.map(restored), ours: conflict.ours.map(restored),
      theirs: conflict.theirs.map(restored), removedColumn: conflict.removedColumn,
      isReferred: conflict.isReferred)
  }

  private func restored(_ path: ValuePath) -> ValuePath {
    let steps = path.steps.map { (step: ValuePath.Step) -> ValuePath.Step in
      switch step {
      case .key(let key): .key(restored(key))
      case .filter(let filter):
        .filter(
          filter.mapConditions { condition in
            ValuePath.Condition(restored(condition.path), condition.comparison, restored(condition.operand))
          })
      default: step
      }
    }
    return ValuePath(steps)
  }

  /// Returns a conflict of the text with the references in place of the words.
  func restored(_ conflict: TextConflict) -> TextConflict {
    TextConflict(
      line: conflict.line, base: restored(conflict.base), ours: restored(conflict.ours),
      theirs: restored(conflict.theirs), isOfContent: conflict.isOfContent)
  }
}
