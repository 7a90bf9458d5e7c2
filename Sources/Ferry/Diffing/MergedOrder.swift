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

/// Three versions of a list whose elements are not records.
struct PlainLists {
  private let base, ours, theirs: [Value]

  init(_ base: [Value], _ ours: [Value], _ theirs: [Value]) {
    (self.base, self.ours, self.theirs) = (base, ours, theirs)
  }

  /// The merged list, or nil if the changes of both sides overlap.
  var merged: [Value]? {
    var symbols = Symbols()
    let (old, mine, others) = (symbols.of(base), symbols.of(ours), symbols.of(theirs))
    let toOurs = SequenceAlignment(old, mine).matches
    let toTheirs = SequenceAlignment(old, others).matches
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

/// A numbering of values in which equal values have equal numbers.
struct Symbols {
  private var numbers: [Value: Int] = [:]

  mutating func of(_ values: [Value]) -> [Int] {
    values.map { value in
      let number = numbers[value] ?? numbers.count
      numbers[value] = number
      return number
    }
  }
}
