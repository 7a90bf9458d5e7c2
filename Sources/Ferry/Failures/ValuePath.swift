/// The way from a value's root to a place in it.
///
///     [3].firstName
///     root.people[0]["a key.with dots"]
public struct ValuePath: Hashable, Sendable {
  /// One step down.
  public enum Step: Hashable, Sendable {
    /// Into a dictionary, a record or an object.
    case key(String)
    /// Into an array or a set, counted from 0.
    case index(Int)
  }

  /// From the root down.
  public var steps: [Step]

  /// The path of these steps; without any, the root.
  public init(_ steps: [Step] = []) { self.steps = steps }

  /// Whether this is the root.
  public var isEmpty: Bool { steps.isEmpty }
}

extension ValuePath: CustomStringConvertible {
  /// Steps as they would be typed: keys joined by dots, quoted when they are not plain words.
  public var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .key(let key) where Self.isPlain(key): text += text.isEmpty ? key : ".\(key)"
      case .key(let key): text += "[\(quotedForMessage(key))]"
      }
    }
    return text
  }

  private static func isPlain(_ key: String) -> Bool {
    !key.isEmpty && key.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && !#".[]"'\"#.utf8.contains($0) }
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
