// Merging of XML element by element.

extension TextMerge {
  /// Merges three versions of the content of an element.
  mutating func mergeElements(_ base: ElementContent, _ ours: ElementContent, _ theirs: ElementContent) {
    let toOurs = ItemAlignment(base.items, ours.items).matches
    let toTheirs = ItemAlignment(base.items, theirs.items).matches
    var (nextOurs, nextTheirs) = (0, 0)
    for (index, item) in base.items.enumerated() {
      let (o, t) = (toOurs[index], toTheirs[index])
      appendAdditions(
        Additions(ours.items[nextOurs..<max(o, nextOurs)], isBeforeItem: true),
        Additions(theirs.items[nextTheirs..<max(t, nextTheirs)], isBeforeItem: true))
      (nextOurs, nextTheirs) = (max(o + 1, nextOurs), max(t + 1, nextTheirs))
      merge(item, o < 0 ? nil : ours.items[o], t < 0 ? nil : theirs.items[t])
    }
    appendAdditions(
      Additions(ours.items[nextOurs...], isBeforeItem: false),
      Additions(theirs.items[nextTheirs...], isBeforeItem: false))
    merge(base.end, ours.end, theirs.end)
  }

  /// Items that a side has added at one position.
  private struct Additions {
    typealias Items = ArraySlice<ElementContent.Item>

    /// The comments beside the item before them, the other items, and the comments above the next item.
    let beside, others, above: Items

    init(_ items: Items, isBeforeItem: Bool) {
      beside = items.prefix { $0.isComment && !$0.gap.contains(where: \.isLineEnd) }
      let rest = items[beside.endIndex...]
      let count = isBeforeItem ? rest.reversed().prefix(while: \.isComment).count : 0
      (others, above) = (rest.dropLast(count), rest.suffix(count))
    }
  }

  /// Appends the items that the sides have added at one position, ours first, and equal items once. Comments stay beside the item
  /// before them, and above the next one.
  private mutating func appendAdditions(_ ours: Additions, _ theirs: Additions) {
    let known = Set([ours.beside, ours.others, ours.above].joined().map(\.text))
    for (mine, others) in [
      (ours.beside, theirs.beside), (ours.others, theirs.others), (ours.above, theirs.above),
    ] {
      for item in mine { append([item.gap, item.text], of: [item.gap, item.text]) }
      for item in others where !known.contains(item.text) { append([item.gap, item.text], of: []) }
    }
  }

  /// Merges an item of the base with its versions; nil for a side that removed it.
  private mutating func merge(
    _ base: ElementContent.Item, _ ours: ElementContent.Item?, _ theirs: ElementContent.Item?
  ) {
    guard let ours, let theirs else { return mergeRemoved(base, ours, theirs) }
    merge(base.gap, ours.gap, theirs.gap)
    guard base.text != ours.text, base.text != theirs.text, ours.text != theirs.text,
      base.first == ours.first, base.first == theirs.first,
      let old = base.element, let mine = ours.element, let others = theirs.element
    else { return merge(base.text, ours.text, theirs.text) }
    merge(old.startTag, mine.startTag, others.startTag)
    mergeElements(old.content, mine.content, others.content)
    merge(old.endTag, mine.endTag, others.endTag)
  }

  /// Leaves out an item that one side removed, unless the other side has changed it and is favored.
  private mutating func mergeRemoved(
    _ base: ElementContent.Item, _ ours: ElementContent.Item?, _ theirs: ElementContent.Item?
  ) {
    guard let kept = ours ?? theirs else { return }
    let start = bytes.count
    append([kept.gap], of: ours.map { [$0.gap] } ?? [])
    let count = bytes.count
    merge(base.text, ours?.text ?? [], theirs?.text ?? [])
    if bytes.count == count { removeBytes(from: start) }
  }
}

extension ElementContent.Item {
  fileprivate var isComment: Bool { key == nil && XMLSection(at: 0, in: first.span) == .comment }
}
