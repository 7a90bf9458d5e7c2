/// The path of a value that a delegate sends. A delegate exists once for all values of its kind, so its trail
/// is created once, and a path is computed only when it is needed.
final class RecordTrail {
  private let outer: RecordTrail?
  private let key: String?
  /// The index of the current element; nil if the value is not an element of a list.
  private(set) var index: Int?

  /// Creates the trail of a value: that of a key, or of an outermost value, which may be an element of a
  /// selection.
  init(_ key: String? = nil, index: Int? = nil, in outer: RecordTrail? = nil) {
    (self.key, self.index, self.outer) = (key, index, outer)
  }

  /// Makes the trail one of a list's elements, before the first of them.
  func beginElements() { index = -1 }

  /// Moves to the next element.
  func moveToNextElement() { skipElements(1) }

  /// Moves over some elements.
  func skipElements(_ count: Int) { index = (index ?? -1) + count }

  /// The path of the current value.
  var path: ValuePath {
    var steps: [ValuePath.Step] = []
    var trail: RecordTrail? = self
    while let current = trail {
      if let index = current.index { steps.append(.index(index)) }
      if let key = current.key { steps.append(.key(key)) }
      trail = current.outer
    }
    return ValuePath(steps.reversed())
  }
}
