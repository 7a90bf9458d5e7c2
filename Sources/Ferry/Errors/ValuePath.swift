/// The path from a value's root to a value inside it.
///
///     [3].firstName
///     root.people[0]["a key.with dots"]
///     people[-1]          // the last element
///     people[1:3].name    // of the second and the third
///     people[name="Ada"]  // the one with this name
///
/// `init(parsing:)` parses the notation and `description` writes it, so a path from an error or a report can
/// be typed again.
public struct ValuePath: Hashable, Sendable {
  /// A step of a path.
  public enum Step: Hashable, Sendable {
    /// An entry of a dictionary, a record or an object.
    case key(String)
    /// An element of an array or a set, counted from 0; a negative number counts from the end.
    case index(Int)
    /// Several elements: from the first index up to, but not including, the second; all without indices.
    case slice(from: Int?, to: Int?)
    /// The one element with a scalar entry of this text: `people[name="Ada"]`.
    case element(where: String, is: String)
    /// The end of a list, where a new element is inserted.
    case end

    /// Returns true if the steps are equal. Keys are compared by their UTF-8 bytes.
    public static func == (a: Step, b: Step) -> Bool {
      switch (a, b) {
      case (.key(let a), .key(let b)): a.equals(b)
      case (.index(let a), .index(let b)): a == b
      case (.slice(let from, let to), .slice(let otherFrom, let otherTo)): from == otherFrom && to == otherTo
      case (.element(let key, let value), .element(let otherKey, let otherValue)):
        key.equals(otherKey) && value.equals(otherValue)
      case (.end, .end): true
      default: false
      }
    }

    /// Hashes the key or the index.
    public func hash(into hasher: inout Hasher) {
      switch self {
      case .key(let key): key.hashBytes(into: &hasher)
      case .index(let index): hasher.combine(index)
      case .slice(let from, let to): hasher.combine([from, to])
      case .element(let key, let value):
        key.hashBytes(into: &hasher)
        value.hashBytes(into: &hasher)
      case .end: break
      }
    }
  }

  /// The steps from the root.
  public var steps: [Step]

  /// Creates a path from steps; without steps, the root.
  public init(_ steps: [Step] = []) { self.steps = steps }

  /// The approximate size of the path in bytes.
  var byteCount: Int {
    steps.reduce(0) { count, step in
      if case .key(let key) = step { count + 32 + key.utf8.count } else { count + 32 }
    }
  }

  /// True for the root.
  public var isEmpty: Bool { steps.isEmpty }

  /// Returns the path with one more step.
  public func appending(_ step: Step) -> ValuePath { ValuePath(steps + [step]) }
}

extension ValuePath: CustomStringConvertible {
  /// The steps in the notation that a user types: keys joined by dots, quoted unless they are plain words.
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

  /// Returns true if a key needs no quotes. A lone `$` would mean the root, and `#`, `/` and `:` begin other
  /// notations.
  package static func isPlain(_ key: String) -> Bool {
    guard let first = key.utf8.first, key != "$", !"#/:".utf8.contains(first) else { return false }
    return key.unicodeScalars.allSatisfy {
      $0.value > 0x20 && !(0x7f..<0xa1).contains($0.value) && !#".[]"'\"#.unicodeScalars.contains($0)
    }
  }
}

extension ValuePath {
  /// The path for a message. A long path is reduced to its beginning and its end.
  var shortened: String {
    shortenedForMessage(description, beginning: 100, end: 100)
  }
}

/// Returns the beginning and the end of a text, of so many Unicode scalars, for a message; a text that this
/// would not shorten as it is. A single character may have any number of scalars.
func shortenedForMessage(_ text: String, beginning: Int, end: Int) -> String {
  let ellipsis = " … "
  let scalars = text.unicodeScalars
  guard scalars.count > beginning + ellipsis.unicodeScalars.count + end else { return text }
  return String(scalars.prefix(beginning)) + ellipsis + String(scalars.suffix(end))
}

/// Returns the name of a class for a message. A long name, or one that is not a plain word, is quoted and
/// cut.
func nameForMessage(_ name: String) -> String {
  name.utf8.count <= 60 && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } ? name : quotedForMessage(name)
}

/// Returns text in double quotes with control characters escaped, so that a message stays on its line.
package func quotedForMessage(_ text: some StringProtocol, limit: Int = 60) -> String {
  var quoted = "\""
  for scalar in text.unicodeScalars.prefix(limit) {
    switch scalar {
    case "\"", "\\": quoted += "\\\(scalar)"
    case _ where scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value):
      quoted += "\\u{" + String(scalar.value, radix: 16) + "}"
    default: quoted.unicodeScalars.append(scalar)
    }
  }
  return quoted + (text.unicodeScalars.dropFirst(limit).isEmpty ? "\"" : "…\"")
}
