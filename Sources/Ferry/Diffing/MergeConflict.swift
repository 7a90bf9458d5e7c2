/// A version that takes part in a merge.
public enum MergeSide: String, CaseIterable, Sendable {
  /// The common ancestor of both sides.
  case base
  /// The version into which the other one is merged.
  case ours
  /// The version that is merged.
  case theirs
}

/// The side of a merge whose value the result gets in a conflict.
public enum FavoredSide: String, CaseIterable, Sendable {
  /// The version into which the other one is merged.
  case ours
  /// The version that is merged.
  case theirs

  var side: MergeSide { self == .ours ? .ours : .theirs }
}

/// A value that both sides have changed differently.
///
///     [itemKey="key-3"].name: ours "Lamp", theirs "Desk lamp", base "Light"
public struct MergeConflict: Hashable, Sendable {
  /// The path of the value, as `get` and `set` accept it. A record in the path is named by its key or,
  /// without a key, by its index (in our version if the record occurs there).
  public var path: ValuePath
  /// The value in each version, or nil if that version has none.
  public var base, ours, theirs: Value?
}

extension MergeConflict: CustomStringConvertible {
  /// The conflict in one line: the path, and the value of each version.
  public var description: String {
    let location = path.isEmpty ? "the whole document" : path.description
    let start = firstDifference
    func words(_ value: Value?) -> String {
      guard let value else { return "nothing" }
      return start.flatMap { value.elementWords(from: $0) } ?? value.words
    }
    return "\(location): ours \(words(ours)), theirs \(words(theirs)), base \(words(base))"
  }

  /// The index of the first element that differs between our list and theirs, or nil if either is not a list.
  private var firstDifference: Int? {
    guard let mine = ours?.listElements, let others = theirs?.listElements else { return nil }
    return zip(mine, others).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      ?? min(mine.count, others.count)
  }
}

extension Value {
  /// The maximum number of list elements that a message shows.
  private static var shownElements: Int { 3 }

  /// Returns a few elements of a list for a message, beginning at `start`: `[…, 4, 5, 6, …]`. Returns nil if
  /// the value is not a list.
  fileprivate func elementWords(from start: Int) -> String? {
    guard let elements = listElements else { return nil }
    let shown = elements.dropFirst(start).prefix(Self.shownElements)
    let words =
      (start > 0 ? ["…"] : []) + shown.map(\.words) + (shown.endIndex < elements.count ? ["…"] : [])
    return "[\(words.joined(separator: ", "))]"
  }
}

/// An error that prevents a merge, with the version at fault.
public struct MergeError: Error, Hashable, Sendable {
  /// The version at fault.
  public var side: MergeSide
  /// The underlying error.
  public var error: FerryError
}

extension MergeError: CustomStringConvertible {
  /// The version at fault and the problem: `theirs: 3:14: expected a value, found ","`.
  public var description: String { "\(side): \(error)" }
}

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
    if case .string(let text) = value { return text }
    return value.words
  }
}
