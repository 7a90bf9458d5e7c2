/// The pointers to the objects of a value, as a tree of steps. Pointers share their first steps.
///
/// The text of a pointer is created only for a reference. The texts of all pointers to a chain of objects
/// would take space in proportion to the square of its length. The texts of pointers, and of keys that are
/// objects, are limited by the budget.
final class ObjectPointers {
  /// The number of steps from which on a pointer names an object by its number, if it has one.
  private static let mostSteps = 512

  private struct Step {
    /// The index of the enclosing step; negative for a root.
    var parent: Int
    /// The offset of the text, which ends before that of the next step.
    var textStart: Int
  }

  private var steps: [Step] = []
  private var text: [UInt8] = []
  private var stepsOfObjects: [Int: Int] = [:]
  /// The last step that leads to an object.
  private var lastUsed = -1
  /// The number of objects in an archive: lower identities are object numbers.
  private let objectCount: Int
  /// The remaining allowance for the bytes of pointers and keys in the output. The deeper an object is, the
  /// longer its pointer.
  private var allowance: Int
  private let budget: Budget

  /// Creates pointers without steps. `objectCount` is the number of objects in an archive whose identities are
  /// their numbers, otherwise 0; `inputBytes` is the size of an input with objects that refer to each other.
  init(objectCount: Int = 0, budget: Budget = Budget(), inputBytes: Int = 0) {
    self.objectCount = objectCount
    self.budget = budget
    allowance = budget.allowance(forInputBytes: inputBytes)
  }

  /// Adds the beginning of pointers, `#`, and returns its index.
  func addRoot() -> Int {
    steps.append(Step(parent: -1, textStart: text.count))
    text.append(UInt8(ascii: "#"))
    return steps.count - 1
  }

  /// Puts a step before the pointers from a root.
  func put(_ step: Int, before root: Int) { steps[root].parent = step }

  /// Removes the last root if no pointer begins with it. Returns false if one does.
  func removeUnused(root: Int) -> Bool {
    guard lastUsed < root else { return false }
    text.removeLast(text.count - steps[root].textStart)
    steps.removeLast(steps.count - root)
    return true
  }

  /// Adds a step to an element of a list, and returns its index.
  func add(index: Int, after parent: Int) -> Int {
    steps.append(Step(parent: parent, textStart: text.count))
    text += "/\(index)".utf8
    return steps.count - 1
  }

  /// Adds a step to the value of a key, and returns its index.
  func add(key: ArraySlice<UInt8>, after parent: Int) -> Int {
    steps.append(Step(parent: parent, textStart: text.count))
    text.append(UInt8(ascii: "/"))
    for byte in key {
      switch byte {
      case UInt8(ascii: "~"): text += "~0".utf8
      case UInt8(ascii: "/"): text += "~1".utf8
      default: text.append(byte)
      }
    }
    return steps.count - 1
  }

  /// Sets the step that leads to an object.
  func set(_ step: Int, for object: Int) {
    stepsOfObjects[object] = step
    lastUsed = max(lastUsed, step)
  }

  /// Returns true if a step leads to the object.
  func contains(_ object: Int) -> Bool { stepsOfObjects[object] != nil }

  /// Returns the pointer to an object: its path as a JSON Pointer (RFC 6901) in a fragment, `#/people/3`, or
  /// its number if the path is long, `#/$objects/17`; nil for an unknown object.
  func pointer(to object: Int) -> String? {
    guard var step = stepsOfObjects[object] else { return nil }
    var path: [Int] = []
    while step >= 0 {
      path.append(step)
      if object < objectCount, path.count > Self.mostSteps { return "#/$objects/\(object)" }
      step = steps[step].parent
    }
    var bytes: [UInt8] = []
    for step in path.reversed() { bytes += textOfStep(step) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func textOfStep(_ step: Int) -> ArraySlice<UInt8> {
    let end = step + 1 < steps.count ? steps[step + 1].textStart : text.count
    return text[steps[step].textStart..<end]
  }
}

extension ObjectPointers {
  /// Takes the bytes of a pointer or a key from the allowance.
  func spend(_ byteCount: Int) throws(FerryError) {
    allowance -= byteCount
    guard allowance >= 0 else { throw budget.overAmplification }
  }

  /// Throws if the text of a key with keys inside it would go beyond the allowance. Each key around a key
  /// doubles the backslashes before its quotation marks.
  func checkText(ofKeysNested depth: Int) throws(FerryError) {
    guard depth < Int.bitWidth - 1, 1 << depth <= allowance else { throw budget.overAmplification }
  }
}

extension PathTracker {
  /// Returns the last step of the path among pointers that begin with `root`, after adding the new steps.
  mutating func step(in pointers: ObjectPointers, after root: Int) -> Int {
    step(after: root) {
      pointers.add(index: $0, after: $1)
    } dictionary: {
      pointers.add(key: $0, after: $1)
    }
  }
}
