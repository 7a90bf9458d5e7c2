/// A path during a merge. Each step links to its parent, so the whole path is built only for a conflict or an
/// error.
final class MergeTrail {
  private let parent: MergeTrail?
  private let step: Step

  enum Step {
    case path(ValuePath.Step)
    /// The value under a key of a dictionary.
    case key(Value)
    /// The record whose `field` has the given value.
    case record(field: String, Value)
    /// A shared object. The closure computes its path when a message needs it.
    case object(() -> MergeTrail?)
  }

  init(_ parent: MergeTrail?, _ step: Step) { (self.parent, self.step) = (parent, step) }

  var path: ValuePath {
    var steps: [ValuePath.Step] = []
    var trail: MergeTrail? = self
    while let current = trail {
      switch current.step {
      case .path(let step): steps.append(step)
      case .key(let key): steps.append(.key(Self.text(key)))
      case .record(let field, let value): steps.append(.element(where: field, is: Self.text(value)))
      case .object(let objectTrail):
        trail = objectTrail()
        continue
      }
      trail = current.parent
    }
    return ValuePath(steps.reversed())
  }

  private static func text(_ value: Value) -> String {
    // Users type paths from messages, so that a long number is not shortened.
    if case .number(let text) = value { return text }
    return value.pathText ?? value.words
  }
}
