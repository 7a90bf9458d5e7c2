/// The way from a value's root to a place in it.
///
///     [3].firstName
///     root.people[0]["a key.with dots"]
///     people[-1]          // the last element
///     people[1:3].name    // of the second and the third
///     people[name="Ada"]  // the one whose name this is
///
/// `init(parsing:)` reads the notation, `description` writes it: what an error or a report prints can be typed again.
public struct ValuePath: Hashable, Sendable {
  /// One step down.
  public enum Step: Hashable, Sendable {
    /// Into a dictionary, a record or an object.
    case key(String)
    /// Into an array or a set, counted from 0; a negative number counts from the end.
    case index(Int)
    /// To several elements at once: those from the first number on and before the second, all without numbers.
    case slice(from: Int?, to: Int?)
    /// To the one element whose entry of a name is a scalar that reads like this: `people[name="Ada"]`.
    case element(where: String, is: String)
    /// Behind the last element, where a new one comes.
    case end
  }

  /// From the root down.
  public var steps: [Step]

  /// The path of these steps; without any, the root.
  public init(_ steps: [Step] = []) { self.steps = steps }

  /// Whether this is the root.
  public var isEmpty: Bool { steps.isEmpty }

  /// The path to what lies one step further down.
  public func appending(_ step: Step) -> ValuePath { ValuePath(steps + [step]) }
}

extension ValuePath: CustomStringConvertible {
  /// Steps as they would be typed: keys joined by dots, quoted when they are not plain words.
  public var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .slice(nil, nil): text += "[*]"
      case .slice(let from, let to):
        text += "[\(from.map(String.init) ?? ""):\(to.map(String.init) ?? "")]"
      case .element(let key, let value): text += "[\(Self.condition(key, value))]"
      case .end: text += "[]"
      case .key(let key) where Self.isPlain(key): text += text.isEmpty ? key : ".\(key)"
      case .key(let key): text += "[\(quotedForMessage(key, limit: .max))]"
      }
    }
    return text
  }

  private static func condition(_ key: String, _ value: String) -> String {
    let isWord = isPlain(key) && !key.contains("=") && key.first != "*"
    return "\(isWord ? key : quotedForMessage(key, limit: .max))=\(quotedForMessage(value, limit: .max))"
  }

  /// Whether a key may stand without quotes. A lone `$` would be taken for the root.
  private static func isPlain(_ key: String) -> Bool {
    guard !key.isEmpty, key != "$", !key.hasPrefix("#/") else { return false }
    return key.unicodeScalars.allSatisfy {
      $0.value > 0x20 && !(0x7f..<0xa1).contains($0.value) && !#".[]"'\"#.unicodeScalars.contains($0)
    }
  }
}

/// Text in double quotes with control characters escaped, so that a message stays on its line whatever a file holds.
func quotedForMessage(_ text: some StringProtocol, limit: Int = 60) -> String {
  var quoted = "\""
  for scalar in text.unicodeScalars.prefix(limit) {
    switch scalar {
    case "\"", "\\": quoted += "\\\(scalar)"
    case _ where scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value):
      quoted += "\\u{" + String(scalar.value, radix: 16) + "}"
    default: quoted.unicodeScalars.append(scalar)
    }
  }
  return quoted + (text.unicodeScalars.count > limit ? "…\"" : "\"")
}
