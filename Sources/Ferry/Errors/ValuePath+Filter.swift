extension ValuePath {
  /// A filter: the conditions that an element of a list must meet, of which there is at least one.
  ///
  ///     people[age>=30]                 // one condition
  ///     people[age>=30][name!="Ada"]    // two, of which an element must meet both
  public struct Filter: Hashable, Sendable {
    /// The conditions, in the order of the path.
    public private(set) var conditions: [Condition]

    /// Creates a filter with one or more conditions.
    public init(_ condition: Condition, _ more: [Condition] = []) { conditions = [condition] + more }

    /// Creates a filter with the conditions of two filters.
    init(joining first: Filter, _ second: Filter) { conditions = first.conditions + second.conditions }

    /// Returns the filter with its conditions changed by a function.
    func mapConditions(_ transform: (Condition) -> Condition) -> Filter {
      var filter = self
      filter.conditions = conditions.map(transform)
      return filter
    }
  }

  /// A condition of a filter: a comparison of the values at a path in an element with a text.
  ///
  /// If the path leads to several values, as `tags[*]` does, one that compares is enough. `!=` is true if `=` is not: for
  /// an element without the value, too.
  public struct Condition: Hashable, Sendable {
    /// The path from the element to the value; empty for the element itself.
    public var path: ValuePath
    /// The comparison of the value with the operand.
    public var comparison: Comparison
    /// The text with which the value is compared.
    public var operand: String

    /// Creates a condition.
    public init(_ path: ValuePath, _ comparison: Comparison, _ operand: String) {
      (self.path, self.comparison, self.operand) = (path, comparison, operand)
    }

    /// Returns true if the conditions are equal. Operands are compared by their UTF-8 bytes.
    public static func == (a: Condition, b: Condition) -> Bool {
      a.path == b.path && a.comparison == b.comparison && a.operand.equals(b.operand)
    }

    /// Hashes the properties that `==` compares.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(path)
      hasher.combine(comparison)
      operand.hashBytes(into: &hasher)
    }
  }

  /// A comparison of a value with an operand, by its sign in a path.
  public enum Comparison: String, Hashable, Sendable {
    /// The value equals the operand.
    case equal = "="
    /// The value does not equal the operand, or is missing.
    case notEqual = "!="
    /// The value is less than the operand.
    case less = "<"
    /// The value is less than the operand, or neither less nor greater.
    case lessOrEqual = "<="
    /// The value is greater than the operand.
    case greater = ">"
    /// The value is greater than the operand, or neither less nor greater.
    case greaterOrEqual = ">="
    /// The text of the value begins with the operand, as in a selector of CSS.
    case beginsWith = "^="
    /// The text of the value ends with the operand.
    case endsWith = "$="
    /// The text of the value contains the operand.
    case contains = "*="

    /// True for the comparisons that need an order.
    var needsOrder: Bool {
      switch self {
      case .less, .lessOrEqual, .greater, .greaterOrEqual: true
      case .equal, .notEqual, .beginsWith, .endsWith, .contains: false
      }
    }

    /// True for the comparisons with a part of a text.
    var isOfPart: Bool { self == .beginsWith || self == .endsWith || self == .contains }
  }
}

extension ValuePath.Step {
  /// Returns the filter with the condition that the value for a key equals a text: `[name="Ada"]`.
  public static func element(where key: String, is value: String) -> ValuePath.Step {
    .filter(ValuePath.Filter(ValuePath.Condition(ValuePath([.key(key)]), .equal, value)))
  }
}

extension ValuePath.Filter {
  /// The key and the text of a filter with the one condition that the value for a key equals the text; nil for other filters.
  var keyAndText: (key: String, text: String)? {
    guard conditions.count == 1, let condition = conditions.first, condition.comparison == .equal,
      condition.path.steps.count == 1, case .key(let key)? = condition.path.steps.first
    else { return nil }
    return (key, condition.operand)
  }
}

extension ValuePath.Filter: CustomStringConvertible {
  /// The filter in the notation that a user types: `[age>=30][name!="Ada"]`.
  public var description: String { conditions.map { "[\($0)]" }.joined() }
}

extension ValuePath.Condition: CustomStringConvertible {
  /// The condition in the notation that a user types, without brackets: `age>=30`, `name="Ada"`.
  public var description: String {
    var text = ""
    var isAfterFilter = false
    for step in path.steps {
      defer { isAfterFilter = step.isFilter }
      switch step {
      case .key(let key) where Self.isPlain(key): text += text.isEmpty ? key : ".\(key)"
      case .key(let key):
        let quoted = MessageText.quoted(key, limit: .max)
        text += text.isEmpty ? quoted : "[\(quoted)]"
      default: text += isAfterFilter && step.isFilter ? ".\(ValuePath([step]))" : "\(ValuePath([step]))"
      }
    }
    return (text.isEmpty ? "." : text) + comparison.rawValue
      + (comparison.needsOrder && OperandNotation.isNumberOrDate(operand)
        ? operand : MessageText.quoted(operand, limit: .max))
  }

  /// Returns true if a key in a condition needs no quotation marks: it has no sign of a comparison, and does not end in a character that
  /// is a part of one in other notations.
  private static func isPlain(_ key: String) -> Bool {
    guard ValuePath.isPlain(key), let first = key.utf8.first, !"*?".utf8.contains(first) else { return false }
    return !key.unicodeScalars.contains { "=<>".unicodeScalars.contains($0) }
      && key.unicodeScalars.last.map(ValuePath.isComparison) == false
  }
}
