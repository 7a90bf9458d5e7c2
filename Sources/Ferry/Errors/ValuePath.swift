/// A path from the root of a value to a value inside it.
///
///     [3].firstName
///     root.people[0]["a key.with dots"]
///     people[-1]          // the last element
///     people[1:3].name    // the names of the second and the third element
///     people[name="Ada"]  // the elements with this name
///     people[age>=30]     // the elements with such an age
///
/// `init(parsing:)` parses this notation, and `description` returns it, so that a path in an error can be
/// typed again.
public struct ValuePath: Hashable, Sendable {
  /// A step in a path.
  public enum Step: Hashable, Sendable {
    /// The value for a key in a dictionary, a record or an object.
    case key(String)
    /// An element of an array or a set, counted from 0. A negative index counts from the end.
    case index(Int)
    /// Several elements, from the first index up to but not including the second. Without indices, all
    /// elements, or all values of a dictionary.
    case slice(from: Int?, to: Int?)
    /// The elements that meet the conditions of a filter: `people[name="Ada"]`.
    case filter(Filter)
    /// The end of a list, where an element can be inserted.
    case end

    /// Returns true if the steps are equal. Keys are compared by their UTF-8 bytes.
    public static func == (a: Step, b: Step) -> Bool {
      switch (a, b) {
      case (.key(let a), .key(let b)): a.equals(b)
      case (.index(let a), .index(let b)): a == b
      case (.slice(let from, let to), .slice(let otherFrom, let otherTo)): from == otherFrom && to == otherTo
      case (.filter(let a), .filter(let b)): a == b
      case (.end, .end): true
      default: false
      }
    }

    /// Hashes the properties that `==` compares.
    public func hash(into hasher: inout Hasher) {
      switch self {
      case .key(let key): key.hashBytes(into: &hasher)
      case .index(let index): hasher.combine(index)
      case .slice(let from, let to): hasher.combine([from, to])
      case .filter(let filter): hasher.combine(filter)
      case .end: break
      }
    }
  }

  /// The steps from the root.
  public var steps: [Step]

  /// Creates a path from steps. Without steps, it is the root.
  public init(_ steps: [Step] = []) { self.steps = steps }

  /// The approximate size of the path in bytes.
  var byteCount: Int {
    steps.reduce(0) { count, step in
      if case .key(let key) = step { count + 32 + key.utf8.count } else { count + 32 }
    }
  }

  /// True if the path may match several values in any file: `[*]`, `[1:3]`, `[]`.
  package var namesSeveral: Bool {
    steps.contains { step in
      switch step {
      case .slice, .end: true
      case .key, .index, .filter: false
      }
    }
  }

  /// True if the path selects a list of values: it may match several values, or has a filter `[key=value]`, which may
  /// do so in another file.
  var selectsList: Bool { namesSeveral || steps.contains(where: \.isFilter) }

  /// True if the path is the root.
  public var isEmpty: Bool { steps.isEmpty }

  /// The path without its last step: that of the collection around the value. It is empty for the root, too.
  package var parent: ValuePath { ValuePath(steps.dropLast()) }

  /// Returns the path with a step added at the end.
  public func appending(_ step: Step) -> ValuePath { ValuePath(steps + [step]) }

  /// Returns the path with more steps at the end.
  func appending(_ more: ArraySlice<Step>) -> ValuePath { ValuePath(steps + more) }
}

extension ValuePath: ExpressibleByStringLiteral {
  /// Creates a path from a literal in the notation of `init(parsing:)`.
  ///
  ///     let path: ValuePath = "people[0].first"
  ///
  /// A literal that is not valid stops the program, like an index out of bounds. It is never text from a file or a user: that is
  /// parsed by `init(parsing:)`, which throws.
  public init(stringLiteral text: StaticString) {
    do throws(FerryError) {
      try self.init(parsing: "\(text)")
    } catch {
      preconditionFailure(error.description)
    }
  }
}

extension ValuePath: CustomStringConvertible {
  /// The path in the notation that a user types. Keys are quoted unless they are plain words. A path does not begin with a dash, because
  /// the command would take it for an option: `["-1"]`.
  public var description: String {
    var text = ""
    var isAfterFilter = false
    for step in steps {
      defer { isAfterFilter = step.isFilter }
      switch step {
      case .index(let index): text += "[\(index)]"
      case .slice(nil, nil): text += "[*]"
      case .slice(let from, let to):
        text += "[\(from.map(String.init) ?? ""):\(to.map(String.init) ?? "")]"
      // Without the dot, the conditions would be those of one filter.
      case .filter(let filter): text += isAfterFilter ? ".\(filter)" : "\(filter)"
      case .end: text += "[]"
      case .key(let key) where Self.isPlain(key, isFirst: text.isEmpty):
        text += text.isEmpty ? key : ".\(key)"
      case .key(let key): text += "[\(MessageText.quoted(key, limit: .max))]"
      }
    }
    return text
  }

  /// Returns true if a character before a comparison is part of one in other notations: `~=`, `$=`, `!==`. A key in quotes may end
  /// in it.
  static func isComparison(_ scalar: Unicode.Scalar) -> Bool { "!<>~^$*|".unicodeScalars.contains(scalar) }

  /// Returns true if a key needs no quotation marks. A single `$` would mean the root, and `#`, `/` and `:`
  /// begin other notations. A character that messages escape needs them, because its escape is one only in quotation marks.
  ///
  /// - Parameter isFirst: True for the first step of a path.
  package static func isPlain(_ key: String, isFirst: Bool = false) -> Bool {
    guard let first = key.utf8.first, key != "$", !"#/:".utf8.contains(first) else { return false }
    guard !isFirst || first != UInt8(ascii: "-") else { return false }
    return !key.hasInvisibles && !key.unicodeScalars.contains { #" .[]"'\"#.unicodeScalars.contains($0) }
  }
}

extension ValuePath {
  /// Returns the index, counted from the start, of an element that exists.
  ///
  /// - Throws: A `FerryError` with the reason `PathProblem.noElement` if the index is out of bounds.
  static func elementIndex(_ index: Int, count: Int) throws(FerryError) -> Int {
    let fromStart = index < 0 ? index + count : index
    guard fromStart >= 0, fromStart < count else { throw FerryError(.path(.noElement(index, count: count))) }
    return fromStart
  }

  /// Returns the indices, counted from the start, of the elements that a slice selects, limited to the bounds of the list.
  static func elementIndices(from: Int?, to: Int?, count: Int) -> Range<Int> {
    func clamped(_ index: Int) -> Int { min(max(index < 0 ? index + count : index, 0), count) }
    let start = clamped(from ?? 0)
    return start..<max(start, clamped(to ?? count))
  }

  /// The path for a message. The middle of a long path is left out.
  package var shortened: String {
    MessageText.shortened(description, beginning: 100, end: 100)
  }

  /// The path after "at" in a message. The middle of a long path is left out.
  var inWords: String { isEmpty ? "the root" : shortened }
}

extension ValuePath.Step {
  /// The index of the element to which the step leads in a list, perhaps counted from the end: that of an index, or a number as a key, as in
  /// `/tags/1`. Nil for other steps. In JSON patches, RFC 6901 permits fewer keys as indices.
  var indexInList: Int? {
    switch self {
    case .index(let index): index
    case .key(let key): Int(key)
    case .slice, .filter, .end: nil
    }
  }

  /// True for a filter.
  var isFilter: Bool { if case .filter = self { true } else { false } }

  /// The step for a message: `key "x"`, `element [3]`.
  var inWords: String {
    if case .key(let key) = self { "key \(MessageText.quoted(key))" } else { "element \(ValuePath([self]))" }
  }
}

extension ValuePath {
  /// The last key; nil if no step is one.
  var lastKey: String? {
    for step in steps.reversed() {
      if case .key(let key) = step { return key }
    }
    return nil
  }
}
