/// An alignment of the items of two versions of an element.
///
///     <c>1</c><a><x>2</x></a>    <c>2</c><b/>    →    c matches c; a is removed and b is added
///
/// Equal items match, and between them items that are versions of each other, in order.
struct ItemAlignment {
  typealias Item = ElementContent.Item

  /// For each old item, the index of the matching new one, in ascending order; -1 for a removed item.
  private(set) var matches: [Int]
  private let old, new: [Item]
  private let oldCounts, newCounts: [Label: Int]

  /// The maximum number of pairs of changed items between two equal items that are compared.
  private static let mostPairs = 1 << 14

  /// The kind of an item: elements with the same name or key, comments, processing instructions with the same
  /// target, or character data.
  private struct Label: Hashable {
    let name: TextPieces.Piece
    let key: TextPieces.Piece?

    init(_ item: Item) {
      key = item.key
      name =
        if key != nil || item.first.first != UInt8(ascii: "<") {
          []
        } else if TextPieces.isMarkupWithoutValue(item.first) {
          item.first.starts(with: "<!--".utf8) ? item.first.prefix(4) : item.first.prefix { !$0.isSpace }
        } else {
          item.first
        }
    }
  }

  private struct LabeledText: Hashable {
    let label: Label
    let text: TextPieces.Piece
  }

  init(_ old: [Item], _ new: [Item]) {
    (self.old, self.new) = (old, new)
    oldCounts = old.reduce(into: [:]) { $0[Label($1), default: 0] += 1 }
    newCounts = new.reduce(into: [:]) { $0[Label($1), default: 0] += 1 }
    var numbers: [LabeledText: Int] = [:]
    func number(_ item: Item) -> Int {
      let text = LabeledText(label: Label(item), text: item.text)
      if let number = numbers[text] { return number }
      defer { numbers[text] = numbers.count }
      return numbers.count
    }
    matches = SequenceAlignment(old.map(number), new.map(number)).matches
    matchChanged()
  }

  private mutating func matchChanged() {
    var next = (old: 0, new: 0)
    for index in 0...old.count {
      let end = index < old.count ? matches[index] : new.count
      guard end >= 0 else { continue }
      match(next.old..<index, next.new..<end)
      next = (index + 1, end + 1)
    }
  }

  /// Matches items so that the matches have as many parts in common as possible.
  private mutating func match(_ a: Range<Int>, _ b: Range<Int>) {
    guard !a.isEmpty, !b.isEmpty, a.count <= Self.mostPairs / b.count else { return }
    let (oldParts, newParts) = (a.map { Set(old[$0].parts) }, b.map { Set(new[$0].parts) })
    let width = b.count + 1
    var weights = [Int](repeating: 0, count: a.count * b.count)
    var best = [Int](repeating: 0, count: (a.count + 1) * width)
    for i in a.indices.reversed().map({ $0 - a.lowerBound }) {
      for j in b.indices.reversed().map({ $0 - b.lowerBound }) {
        let weight = weight(a.lowerBound + i, oldParts[i], b.lowerBound + j, newParts[j])
        weights[i * b.count + j] = weight
        best[i * width + j] = max(
          best[(i + 1) * width + j], best[i * width + j + 1],
          weight > 0 ? weight + best[(i + 1) * width + j + 1] : 0)
      }
    }
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      let weight = weights[i * b.count + j]
      if weight > 0, best[i * width + j] == weight + best[(i + 1) * width + j + 1] {
        matches[a.lowerBound + i] = b.lowerBound + j
        (i, j) = (i + 1, j + 1)
      } else if best[i * width + j] == best[(i + 1) * width + j] {
        i += 1
      } else {
        j += 1
      }
    }
  }

  /// Returns 0 if two items are not versions of each other; otherwise a number that is greater the more parts
  /// they have in common.
  private func weight(
    _ i: Int, _ oldParts: Set<TextPieces.Piece>, _ j: Int, _ newParts: Set<TextPieces.Piece>
  ) -> Int {
    let label = Label(old[i])
    guard label == Label(new[j]) else { return 0 }
    let common = oldParts.intersection(newParts)
    let isOnly = oldCounts[label] == 1 && newCounts[label] == 1
    let isAlike =
      2 * common.count >= max(oldParts.count, newParts.count) || common.contains(where: Self.isKey)
    return isOnly || isAlike ? common.count + 1 : 0
  }

  /// Returns true if a part is a field that usually identifies a record.
  private static func isKey(_ part: TextPieces.Piece) -> Bool {
    keyBeginnings.contains { part.starts(with: $0.utf8) }
  }

  private static let keyBeginnings = ValueMerge.usualKeys.flatMap { ["<\($0)>", "\($0)="] }
}

extension ElementContent.Item {
  /// The attributes, elements and character data of an element.
  fileprivate var parts: [TextPieces.Piece] {
    let items = element?.content.items ?? []
    return attributes + items.map(\.text).filter { !TextPieces.isMarkupWithoutValue($0) }
  }
}
