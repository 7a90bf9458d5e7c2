/// The versions of a list whose elements are not records, or of the lines of a text.
struct PlainLists {
  private let lists: Versions<[Value]>

  init(_ lists: Versions<[Value]>) { self.lists = lists }

  /// Returns the merged text, or nil if the changes of both sides touch the same lines. A base of one line has no merged text.
  static func mergedLines(of texts: Versions<String>) -> String? {
    let lines = texts.map { text in
      text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
        Value.string(String(Substring($0)))
      }
    }
    guard lines.base.count > 1, let merged = PlainLists(lines).merged else { return nil }
    return merged.map { $0.stringValue ?? "" }.joined(separator: "\n")
  }

  /// The merged list, or nil if it would have an element twice that both sides have moved to different positions.
  var mergedWithoutCopies: [Value]? {
    guard let merged else { return nil }
    var symbols = Symbols<Value>()
    let counts = (lists.all + [merged]).map { list in
      symbols.of(list).reduce(into: [:]) { counts, symbol in counts[symbol, default: 0] += 1 }
    }
    let isCopied = counts[0].contains { symbol, count in
      count == 1 && counts[1][symbol] == 1 && counts[2][symbol] == 1 && counts[3][symbol, default: 0] > 1
    }
    return isCopied ? nil : merged
  }

  /// The merged list of distinct references to records: merged as the records themselves are, unless both sides have kept the number of
  /// references and so may have replaced the same one. Nil if the changes touch.
  var mergedReferences: [Value]? {
    let known = lists.map { Set($0) }
    func isKept(_ element: Value) -> Bool {
      !known.base.contains(element) || known.ours.contains(element) && known.theirs.contains(element)
    }
    guard lists.ours.count != lists.base.count || lists.theirs.count != lists.base.count else {
      // A reference that one side has moved and the other has removed is in conflict.
      return merged.flatMap { Set($0).count == $0.count && $0.allSatisfy(isKept) ? $0 : nil }
    }
    let addedByBoth = known.ours.intersection(known.theirs).subtracting(known.base)
    guard lists.ours.filter(addedByBoth.contains) == lists.theirs.filter(addedByBoth.contains),
      !haveReplacedSameReference
    else { return nil }
    return MergedOrder.of(lists).filter(isKept)
  }

  /// True if both sides have removed the same element of the base, and each has added elements of its own at that position.
  private var haveReplacedSameReference: Bool {
    let known = lists.map { Set($0) }
    let (byOurs, byTheirs) = (
      replacements(by: .ours, knownToOther: known.theirs), replacements(by: .theirs, knownToOther: known.ours)
    )
    return lists.base.indices.contains { index in
      byOurs[index] && byTheirs[index] && !known.ours.contains(lists.base[index])
        && !known.theirs.contains(lists.base[index])
    }
  }

  /// For each element of the base, true if it does not match one of a side, and the side has new elements, which the other side lacks,
  /// between the closest matches.
  private func replacements(by side: MergeSide, knownToOther other: Set<Value>) -> [Bool] {
    let (base, elements, old) = (lists.base, lists[side], Set(lists.base))
    var symbols = Symbols<Value>()
    let matches = SequenceAlignment(symbols.of(base), symbols.of(elements)).matches
    var areReplaced = [Bool](repeating: false, count: base.count)
    var next = (base: 0, side: 0)
    for index in 0...base.count {
      let match = index < base.count ? matches[index] : elements.count
      guard match >= 0 else { continue }
      let isReplaced = elements[next.side..<match].contains { !old.contains($0) && !other.contains($0) }
      for removed in next.base..<index { areReplaced[removed] = isReplaced }
      next = (index + 1, match + 1)
    }
    return areReplaced
  }

  /// The merged list, or nil if the changes of both sides overlap.
  var merged: [Value]? {
    var symbols = Symbols<Value>()
    let numbers = lists.map { symbols.of($0) }
    let toOurs = SequenceAlignment(numbers.base, numbers.ours).matches
    let toTheirs = SequenceAlignment(numbers.base, numbers.theirs).matches
    let (base, ours, theirs) = (lists.base, lists.ours, lists.theirs)
    var result: [Value] = []
    var next = (base: 0, ours: 0, theirs: 0)
    for index in 0...base.count {
      let (a, b) = index < base.count ? (toOurs[index], toTheirs[index]) : (ours.count, theirs.count)
      guard a >= 0, b >= 0 else { continue }
      let (before, o, t) = (base[next.base..<index], ours[next.ours..<a], theirs[next.theirs..<b])
      if o == t || before == t {
        result += o
      } else if before == o {
        result += t
      } else {
        return nil
      }
      if index < base.count { result.append(base[index]) }
      next = (index + 1, a + 1, b + 1)
    }
    return result
  }
}
