/// A merge of three orders of the same elements.
enum MergedOrder {
  /// Returns the elements of both sides in our order, or in their order if only they have changed it. An
  /// element that the other side added follows the element that it follows on that side.
  ///
  ///     base a b c    ours a b x c    theirs a y b c z    →    a y b x c z
  static func of<ID: Hashable>(base: [ID], ours: [ID], theirs: [ID]) -> [ID] {
    guard ours != theirs else { return ours }
    let common = Set(base).intersection(ours).intersection(theirs)
    let order = { (version: [ID]) in version.filter(common.contains) }
    let takesTheirs = order(ours) == order(base) && order(theirs) != order(base)
    return takesTheirs ? adding(ours, to: theirs) : adding(theirs, to: ours)
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
