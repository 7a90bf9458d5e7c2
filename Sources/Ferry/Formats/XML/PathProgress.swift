/// The steps of a path that an element and those around it fulfill. Steps are counted from 0, and a set of steps is
/// a word with a bit for each.
struct PathProgress {
  /// The steps that a child may fulfill.
  private var forChildren: UInt64
  /// The steps that elements at any depth may fulfill.
  private var forDescendants: UInt64
  /// True if the element fulfills the last step.
  private(set) var isSelected = false
  /// The number of children so far for each position in the conditions of a step.
  private var counts: [PositionCondition: Int] = [:]

  private struct PositionCondition: Hashable {
    var stepIndex: Int
    var condition: Int
  }

  /// The progress in the document.
  init(documentOf path: [XPathPattern.Step]) {
    self.init()
    fulfill(stepBefore: 0, path)
  }

  private init() { (forChildren, forDescendants) = (0, 0) }

  /// True if elements inside the element may be selected.
  var mayContinue: Bool { forChildren | forDescendants != 0 }

  /// Notes that the element fulfills all steps before one.
  private mutating func fulfill(stepBefore stepIndex: Int, _ path: [XPathPattern.Step]) {
    if stepIndex == path.count {
      isSelected = true
    } else if path[stepIndex].isAtAnyDepth {
      forDescendants |= 1 << UInt64(stepIndex)
    } else {
      forChildren |= 1 << UInt64(stepIndex)
    }
  }

  /// Counts a child element, and returns the progress inside it.
  mutating func enter(
    _ child: borrowing XMLStartTag, _ path: [XPathPattern.Step], defaultNamespace: String?
  ) -> PathProgress {
    var inside = PathProgress()
    inside.forDescendants = forDescendants
    var steps = forChildren | forDescendants
    while steps != 0 {
      let stepIndex = steps.trailingZeroBitCount
      steps &= steps - 1
      if fulfills(child, path[stepIndex], stepIndex, defaultNamespace) {
        inside.fulfill(stepBefore: stepIndex + 1, path)
      }
    }
    return inside
  }

  /// Returns true if a child element fulfills a step. Counts it for the positions in the step's conditions.
  private mutating func fulfills(
    _ child: borrowing XMLStartTag, _ step: XPathPattern.Step, _ stepIndex: Int, _ defaultNamespace: String?
  ) -> Bool {
    if let name = step.name {
      let found = child.name
      guard found.local.equals(name), step.namespace.contains(found, defaultNamespace: defaultNamespace)
      else { return false }
    }
    for (index, condition) in step.conditions.enumerated() {
      switch condition {
      case .attribute(let name, let value):
        guard Self.attribute(name, hasValue: value, in: child) else { return false }
      case .position(let position):
        let counter = PositionCondition(stepIndex: stepIndex, condition: index)
        counts[counter, default: 0] += 1
        guard counts[counter] == position else { return false }
      }
    }
    return true
  }

  private static func attribute(
    _ name: String, hasValue value: String?, in element: borrowing XMLStartTag
  ) -> Bool {
    for index in 0..<element.attributeCount {
      let found = element.attributeName(index)
      guard found.namespace == nil, found.local.equals(name) else { continue }
      return value.map { element.attributeValue(index).utf8.equals($0.utf8.span) } ?? true
    }
    return false
  }
}
