/// A check that the comments of a merged text belong to the entries to which they belong in a version.
struct CommentCheck {
  typealias Piece = TextPieces.Piece

  /// The comments of a merged text that belong to other entries.
  struct Faults {
    /// The comments at entries that have them in no version.
    var misplaced: [Piece] = []
    /// The comments that a side has removed, and that the text has.
    var restored: [Piece] = []

    var isEmpty: Bool { misplaced.isEmpty && restored.isEmpty }
  }

  private let base, ours, theirs: CommentedEntries
  private let kept: KeptMarkup
  private let budget: Budget

  /// Creates a check. Returns nil if the versions have no comments, or one of them is not valid.
  init?(_ texts: Versions<CommentedText>, budget: Budget) {
    guard texts.all.contains(where: { !$0.markup.isEmpty }),
      let entries = texts.mapAll({ CommentedEntries($0, budget: budget) })
    else { return nil }
    (base, ours, theirs, self.budget) = (entries.base, entries.ours, entries.theirs, budget)
    kept = KeptMarkup(counts: entries.map(\.counts))
  }

  /// An entry of the merged text, with the same entry of each version that has it.
  private struct Match {
    let merged: Int
    let base, ours, theirs: Int?
    /// The comments that the entry may have because a version lacks it: those of the entry around it, and of entries that may be
    /// the same.
    var possible: [Set<Piece>] = []
  }

  /// Returns the faults of a merged text. A text that is not valid has none.
  func faults(in text: CommentedText) -> Faults {
    var faults = Faults()
    guard let merged = CommentedEntries(text, budget: budget) else { return faults }
    /// The comments of entries that both sides have. Those of another one may come back with it.
    var found: [Piece: Int] = [:]
    var waiting = [Match(merged: 0, base: 0, ours: 0, theirs: 0)]
    while let match = waiting.popLast() {
      check(match, in: merged, &faults)
      if match.ours != nil, match.theirs != nil {
        for comment in merged.comments[match.merged] ?? [] { found[comment, default: 0] += 1 }
      }
      waiting += matches(inside: match, in: merged)
    }
    // A side may have moved a comment that the other has removed to another entry.
    var known = KeptMarkup.counts(of: faults.restored)
    for piece in kept.restored(in: found) {
      if let count = known[piece], count > 0 {
        known[piece] = count - 1
      } else {
        faults.restored.append(piece)
      }
    }
    return faults
  }

  /// Returns true if each version that has one of some comments has it once, and at an equal entry.
  func areAtEqualEntries(_ pieces: [Piece]) -> Bool {
    let old = base.symbols(of: Set(pieces))
    return [ours, theirs].allSatisfy { version in
      version.symbols(of: Set(pieces)).allSatisfy { piece, symbols in
        symbols.count == 1 && symbols == old[piece]
      }
    }
  }

  /// Returns the matches of the entries inside that of a match, without those that have no comments.
  private func matches(inside match: Match, in merged: CommentedEntries) -> [Match] {
    let children = merged.children(of: match.merged)
    let commented = children.indices.filter { merged.hasComments(in: children[$0]) }
    guard !commented.isEmpty else { return [] }
    let inBase = merged.partners(of: children, in: base, at: match.base)
    let inOurs = merged.partners(of: children, in: ours, at: match.ours)
    let inTheirs = merged.partners(of: children, in: theirs, at: match.theirs)
    let (oursAlike, theirsAlike) = (
      ours.commentsOfOthers(at: match.ours, besides: inOurs),
      theirs.commentsOfOthers(at: match.theirs, besides: inTheirs)
    )
    return commented.map { index in
      let label = merged.entries[children[index]].label
      let mine = inOurs[index] == nil ? oursAlike(label) : []
      let others = inTheirs[index] == nil ? theirsAlike(label) : []
      return Match(
        merged: children[index], base: inBase[index], ours: inOurs[index], theirs: inTheirs[index],
        possible: mine + others)
    }
  }

  private func check(_ match: Match, in merged: CommentedEntries, _ faults: inout Faults) {
    guard let found = merged.comments[match.merged], match.ours != nil || match.theirs != nil else { return }
    func comments(of entry: Int?, in version: CommentedEntries) -> Set<Piece>? {
      entry.map { Set(version.comments[$0] ?? []) }
    }
    let old = comments(of: match.base, in: base) ?? []
    let mine = comments(of: match.ours, in: ours)
    let others = comments(of: match.theirs, in: theirs)
    for comment in found {
      let isInOurs = mine?.contains(comment) ?? false
      let isInTheirs = others?.contains(comment) ?? false
      guard isInOurs || isInTheirs else {
        if !match.possible.contains(where: { $0.contains(comment) }) { faults.misplaced.append(comment) }
        continue
      }
      guard old.contains(comment), mine != nil, others != nil, !isInOurs || !isInTheirs else { continue }
      let side = isInOurs ? theirs : ours
      if side.counts[comment, default: 0] < base.counts[comment, default: 0] {
        faults.restored.append(comment)
      }
    }
  }
}

extension CommentedEntries {
  /// Returns the hashes of the entries with some comments.
  fileprivate func symbols(of pieces: Set<Piece>) -> [Piece: [Int]] {
    var symbols: [Piece: [Int]] = [:]
    for entry in commented {
      for piece in comments[entry] ?? [] where pieces.contains(piece) {
        symbols[piece, default: []].append(entries[entry].symbol)
      }
    }
    return symbols
  }

  /// Returns, for each of several entries in one, the same entry of another text.
  ///
  /// - Parameter parent: The entry of the other text with its entries; nil if it has none.
  fileprivate func partners(of children: [Int], in other: CommentedEntries, at parent: Int?) -> [Int?] {
    var found = [Int?](repeating: nil, count: children.count)
    guard let parent, !children.isEmpty else { return found }
    let others = other.children(of: parent)
    let (labels, known) = (indices(ofLabels: children), other.indices(ofLabels: others))
    var isTaken = [Bool](repeating: false, count: others.count)
    for (label, index) in labels where index >= 0 {
      guard let partner = known[label], partner >= 0 else { continue }
      found[index] = others[partner]
      isTaken[partner] = true
    }
    let rest = children.indices.filter { found[$0] == nil }
    let otherRest = others.indices.filter { !isTaken[$0] }.map { others[$0] }
    guard !rest.isEmpty, !otherRest.isEmpty else { return found }
    let alignment = SequenceAlignment(
      otherRest.map { other.entries[$0].symbol }, rest.map { entries[children[$0]].symbol }
    ) { old, new in
      other.likeness(of: otherRest[old], to: children[rest[new]], of: self)
    }
    for (index, match) in alignment.matches.enumerated()
    where match >= 0 && other.entries[otherRest[index]].label == entries[children[rest[match]]].label {
      found[rest[match]] = otherRest[index]
    }
    return found
  }

  /// Returns the comments that an entry with a label may have, although this text lacks the entry: those of the entry around it, and
  /// those of entries in that with the same label that have no partner.
  fileprivate func commentsOfOthers(at parent: Int?, besides partners: [Int?]) -> (Int) -> [Set<Piece>] {
    guard let parent else { return { _ in [] } }
    let taken = Set(partners.lazy.compactMap(\.self))
    var comments: [Int: Set<Piece>] = [:]
    for child in children(of: parent) where !taken.contains(child) {
      guard let own = self.comments[child] else { continue }
      comments[entries[child].label, default: []].formUnion(own)
    }
    // Entries with one label have one set: a set for each would take quadratic time.
    let (outer, alike) = (Set(self.comments[parent] ?? []), comments)
    return { [outer] + (alike[$0].map { [$0] } ?? []) }
  }

  /// Returns the index of the entry with each label among some; -1 for a label of several.
  private func indices(ofLabels children: [Int]) -> [Int: Int] {
    var found: [Int: Int] = [:]
    for (index, child) in children.enumerated() where entries[child].label != 0 {
      found[entries[child].label] = found[entries[child].label] == nil ? index : -1
    }
    return found
  }

  /// Returns how many parts an entry of this text shares with an entry of another text, and one more, because entries without parts are alike,
  /// too; 0 if that is less than half of them.
  private func likeness(of index: Int, to otherIndex: Int, of other: CommentedEntries) -> Int {
    guard entries[index].label == other.entries[otherIndex].label else { return 0 }
    let parts = Set(children(of: index).map { entries[$0].symbol })
    let otherParts = Set(other.children(of: otherIndex).map { other.entries[$0].symbol })
    let common = parts.intersection(otherParts).count
    return 2 * common >= max(parts.count, otherParts.count) ? common + 1 : 0
  }
}
