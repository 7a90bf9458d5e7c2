/// The old elements on which the new elements of a list are based, when JSON replaces the list.
///
///     ["Ada", {"n": 1, "x": 2}, "Cy"]     →     [{"n": 1, "x": 3}, "Cy"]
///     The record is based on the old record, although its content and its index differ.
struct ElementPartners {
  /// For each new element, the index of the old one, or nil if it is based on none.
  private(set) var indices: [Int?]

  /// The indices of the old elements that are not used yet.
  private var free: Set<Int>

  /// The most pairs of elements that are compared.
  private static let comparisons = 1 << 16

  /// Finds the old elements.
  ///
  /// - Parameters:
  ///   - new: The new elements as JSON.
  ///   - shown: The old elements as JSON.
  ///   - old: The old elements.
  init(of new: [Value], in shown: [Value], _ old: [Value]) {
    indices = Array(repeating: nil, count: new.count)
    free = Set(shown.indices.prefix(old.count))
    findEqual(new, shown)
    let isChangedInPlace = new.count == shown.count
    if isChangedInPlace { findAtSameIndex(new, shown) { $0.isAlike($1) } }
    findAlike(new, shown)
    if isChangedInPlace { findAtSameIndex(new, shown) { _, _ in true } }
    findOfSameType(new, old)
    for kind in [Kind.list, .dictionary, .scalar] { findInOrder(of: kind, new, shown, old) }
  }

  private mutating func use(_ index: Int, for element: Int) {
    indices[element] = index
    free.remove(index)
  }

  private func without() -> [Int] { indices.indices.filter { indices[$0] == nil } }

  /// Finds elements that did not change, wherever they are.
  private mutating func findEqual(_ new: [Value], _ shown: [Value]) {
    var equal: [Value: [Int]] = [:]
    for index in free.sorted(by: >) { equal[shown[index], default: []].append(index) }
    var last = -1
    for (element, json) in new.enumerated() {
      guard let known = equal.index(forKey: json), let smallest = equal.values[known].indices.last else {
        continue
      }
      // Of equal elements, one after the last that was found keeps its place among the others.
      let position = equal.values[known].lastIndex { $0 > last } ?? smallest
      last = equal.values[known].remove(at: position)
      use(last, for: element)
    }
  }

  private mutating func findAtSameIndex(
    _ new: [Value], _ shown: [Value], where isPartner: (Value, Value) -> Bool
  ) {
    for element in without() where free.contains(element) && isPartner(shown[element], new[element]) {
      use(element, for: element)
    }
  }

  /// Finds records that have half of their fields in common.
  private mutating func findAlike(_ new: [Value], _ shown: [Value]) {
    let elements = without()
    guard elements.count * free.count <= Self.comparisons else { return }
    for element in elements {
      if let index = free.sorted().first(where: { shown[$0].isAlike(new[element]) }) {
        use(index, for: element)
      }
    }
  }

  /// Finds dates, data and other scalars that JSON cannot tell from texts and numbers.
  private mutating func findOfSameType(_ new: [Value], _ old: [Value]) {
    for element in without() {
      let index = free.sorted().first { new[element].retyped(like: old[$0]) != new[element] }
      if let index { use(index, for: element) }
    }
  }

  private enum Kind {
    case list, dictionary, scalar

    init(_ json: Value) {
      switch json {
      case .array: self = .list
      case .dictionary: self = .dictionary
      default: self = .scalar
      }
    }
  }

  /// Bases the elements of a kind that remain on the old ones that remain, if these are of one class.
  private mutating func findInOrder(of kind: Kind, _ new: [Value], _ shown: [Value], _ old: [Value]) {
    let elements = without().filter { Kind(new[$0]) == kind }
    let indices = free.filter { Kind(shown[$0]) == kind }.sorted()
    guard Set(indices.map { old[$0].className }).count == 1 else { return }
    for (element, index) in zip(elements, indices) { use(index, for: element) }
  }
}

extension Value {
  /// The name of the class of an object; nil for other values.
  fileprivate var className: String? {
    if case .object(let object) = self { object.type.name } else { nil }
  }
}
