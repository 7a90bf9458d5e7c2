/// A merge of three orders of the same elements.
enum MergedOrder {
  /// Returns the elements of both sides in our order, or in their order if only they have changed it. An
  /// element that the other side added follows the element that it follows on that side.
  ///
  ///     base a b c    ours a b x c    theirs a y b c z    →    a y b x c z
  ///
  /// An element that a side removed still divides what the other side added before and after it, unless a side has moved elements.
  ///
  ///     base a b c    ours a c d    theirs a e b    →    a e b c d, with the elements that one side removed
  static func of<ID: Hashable>(_ versions: Versions<[ID]>) -> [ID] {
    let (base, ours, theirs) = (versions.base, versions.ours, versions.theirs)
    guard ours != theirs else { return ours }
    let common = Set(base).intersection(ours).intersection(theirs)
    let order = { (version: [ID]) in version.filter(common.contains) }
    let takesTheirs = order(ours) == order(base) && order(theirs) != order(base)
    guard keepsOrder(ours, of: base), keepsOrder(theirs, of: base) else {
      return takesTheirs ? adding(ours, to: theirs) : adding(theirs, to: ours)
    }
    let known = Set(ours).union(theirs)
    return adding(withRemoved(theirs, base), to: withRemoved(ours, base)).filter(known.contains)
  }

  /// Returns true if a version has the elements of the base in their order.
  private static func keepsOrder<ID: Hashable>(_ version: [ID], of base: [ID]) -> Bool {
    let (known, old) = (Set(version), Set(base))
    return version.lazy.filter(old.contains).elementsEqual(base.lazy.filter(known.contains))
  }

  /// Returns a version, which has the elements of the base in their order, with those that it has removed. Elements in whose place the
  /// version has others are left out, because they may have been before or after these.
  private static func withRemoved<ID: Hashable>(_ version: [ID], _ base: [ID]) -> [ID] {
    let (known, old) = (Set(version), Set(base))
    var removed = [[ID]()]
    for id in base {
      if known.contains(id) { removed.append([]) } else { removed[removed.count - 1].append(id) }
    }
    var all: [ID] = []
    /// The elements that the version has added after the last one of the base.
    var added: [ID] = []
    var gap = 0
    for id in version {
      guard old.contains(id) else {
        added.append(id)
        continue
      }
      all += (added.isEmpty ? removed[gap] : added) + [id]
      (added, gap) = ([], gap + 1)
    }
    return all + (added.isEmpty ? removed[gap] : added)
  }

  private static func adding<ID: Hashable>(_ other: [ID], to main: [ID]) -> [ID] {
    let known = Set(main)
    let shared = Set(other).intersection(known)
    var first: [ID] = []
    var additions: [ID: [ID]] = [:]
    var anchor: ID?
    for id in other {
      if known.contains(id) {
        anchor = id
      } else if let anchor {
        additions[anchor, default: []].append(id)
      } else {
        first.append(id)
      }
    }
    var order: [ID] = []
    order.reserveCapacity(main.count + other.count)
    // If both sides added elements at the same position, those of the main side come first.
    var waiting = first
    for id in main {
      if shared.contains(id) {
        order += waiting
        waiting = additions[id] ?? []
      }
      order.append(id)
    }
    return order + waiting
  }
}
