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
  /// The way to the place; records are named by their key where they have one, else by their number in our version.
  public var path: String
  /// The way to the place in our version, as other commands take it; nil when our version does not have it.
  public var oursPath: ValuePath?
  /// What each version has there; nil when it has nothing.
  public var base, ours, theirs: Value?
}

extension MergeConflict: CustomStringConvertible {
  /// One line: the path, and what each version has there.
  public var description: String {
    let place = path.isEmpty ? "the whole document" : path
    return "\(place): ours \(Self.words(ours)), theirs \(Self.words(theirs)), base \(Self.words(base))"
  }

  private static func words(_ value: Value?) -> String { value.map { $0.shortWords } ?? "nothing" }
}

/// Why versions cannot be merged: which of them is at fault, and how.
public struct MergeFailure: Error, Sendable {
  /// The version.
  public var side: MergeSide
  /// What is wrong with it.
  public var failure: Failure
}

/// The way to a place while versions are merged; its text is made only when it is asked for.
final class MergeTrail {
  enum Step {
    case key(Value)
    /// A record by its key.
    case record(field: String, Value)
    case element(Int)
    case type
  }

  private let parent: MergeTrail?
  private let step: Step
  /// The step in our version; nil when it is not there.
  private let oursStep: ValuePath.Step?

  init(_ parent: MergeTrail?, _ step: Step, ours: ValuePath.Step?) {
    (self.parent, self.step, self.oursStep) = (parent, step, ours)
  }

  private var trail: [MergeTrail] {
    var trails = [self]
    while let parent = trails.last?.parent { trails.append(parent) }
    return trails.reversed()
  }

  /// The way as a reader understands it.
  var text: String {
    var text = ""
    var steps: [ValuePath.Step] = []
    func flush() {
      let path = ValuePath(steps).description
      text += !text.isEmpty && steps.first?.isKey == true && !path.hasPrefix("[") ? ".\(path)" : path
      steps = []
    }
    for trail in trail {
      switch trail.step {
      case .key(.string(let key)): steps.append(.key(key))
      case .key(let key): steps.append(.key(key.shortWords))
      case .element(let index): steps.append(.index(index))
      case .type: steps.append(.key("$class"))
      case .record(let field, let value):
        flush()
        text += "[\(field)=\(value.shortWords)]"
      }
    }
    flush()
    return text
  }

  /// The way in our version; nil when it ends before.
  var ours: ValuePath? {
    var path = ValuePath()
    for trail in trail {
      guard let step = trail.oursStep else { return nil }
      path.steps.append(step)
    }
    return path
  }
}

extension ValuePath.Step {
  fileprivate var isKey: Bool { if case .key = self { true } else { false } }
}
