/// One of the versions that are merged.
public enum MergeSide: String, CaseIterable, Sendable {
  /// What both began with.
  case base
  case ours
  case theirs
}

/// A place that both sides have changed, each in its own way.
///
///     [itemKey="key-3"].name: ours "Lamp", theirs "Desk lamp", base "Light"
public struct MergeConflict: Hashable, Sendable {
  /// The way to the place, as `get` and `set` take it: records are named by their key where they have one, else by their
  /// number, which is that of our version if it has them.
  public var path: ValuePath
  /// What each version has there; nil when it has nothing.
  public var base, ours, theirs: Value?
}

extension MergeConflict: CustomStringConvertible {
  /// One line: the path, and what each version has there.
  public var description: String {
    let place = path.isEmpty ? "the whole document" : path.description
    return "\(place): ours \(Self.words(ours)), theirs \(Self.words(theirs)), base \(Self.words(base))"
  }

  private static func words(_ value: Value?) -> String { value.map { $0.words } ?? "nothing" }
}

/// Why versions cannot be merged: which of them is at fault, and how.
public struct MergeFailure: Error, Sendable {
  /// The version.
  public var side: MergeSide
  /// What is wrong with it.
  public var failure: Failure
}

/// The way to a place while versions are merged: linked backwards, so that a path is made only where it is asked for.
final class MergeTrail {
  private let parent: MergeTrail?
  private let step: Step

  enum Step {
    case path(ValuePath.Step)
    /// Under a key of a dictionary.
    case key(Value)
    /// Into the record whose field has a value.
    case record(field: String, Value)
    /// At an object that others refer to; the way to it is looked for when it is asked for.
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
      case .object(let way):
        trail = way()
        continue
      }
      trail = current.parent
    }
    return ValuePath(steps.reversed())
  }

  private static func text(_ value: Value) -> String {
    if case .string(let text) = value { return text }
    return value.words
  }
}
