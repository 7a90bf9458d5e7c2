/// The pointers to the objects in a value, stored as a tree of steps. Pointers share their common steps.
///
/// The text of a pointer is made only for a reference, because the texts of the pointers to all objects in a
/// chain would take quadratic space. The budget limits the total size of the texts of pointers, and of keys
/// that are objects.
final class ObjectPointers {
  /// The maximum number of steps in a pointer. A longer pointer uses the object number instead, if the object
  /// has one.
  private static let mostSteps = 512

  private struct Step {
    /// The index of the preceding step. It is negative for a root.
    var parent: Int
    /// The offset of the step's text, which ends where the text of the next step begins.
    var textStart: Int
  }

  private var steps: [Step] = []
  private var text: [UInt8] = []
  private var stepsOfObjects: [Int: Int] = [:]
  /// The last step that leads to an object.
  private var lastUsed = -1
  /// The number of objects in an archive. Lower identities are object numbers.
  private let objectCount: Int
  /// The number of bytes of pointers and keys that may still be written. The pointer to a deep object is
  /// long.
  private var allowance: Int
  private let budget: Budget

  /// Creates an empty tree.
  ///
  /// - Parameters:
  ///   - objectCount: The number of objects in an archive if identities are object numbers, otherwise 0.
  ///   - inputBytes: The size of the input in bytes if its objects refer to each other.
  init(objectCount: Int = 0, budget: Budget, inputBytes: Int = 0) {
    self.objectCount = objectCount
    self.budget = budget
    allowance = budget.allowance(forInputBytes: inputBytes)
  }

  /// Adds the beginning `#` of pointers, and returns its index.
  func addRoot() -> Int {
    steps.append(Step(parent: -1, textStart: text.count))
    text.append(UInt8(ascii: "#"))
    return steps.count - 1
  }

  /// Makes a root the continuation of a step.
  func put(_ step: Int, before root: Int) { steps[root].parent = step }

  /// Removes the last root unless a pointer begins with it. Returns false if one does.
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

  /// Sets the last step of the pointer to an object.
  func set(_ step: Int, for object: Int) {
    stepsOfObjects[object] = step
    lastUsed = max(lastUsed, step)
  }

  /// Returns true if there is a pointer to the object.
  func contains(_ object: Int) -> Bool { stepsOfObjects[object] != nil }

  /// Returns the pointer to an object, or nil if the object is unknown. The pointer is the object's path as a
  /// JSON Pointer (RFC 6901) in a fragment, `#/people/3`, or its object number if the path is long,
  /// `#/$objects/17`.
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
  /// Subtracts the bytes of a pointer or a key from those that may still be written. Throws if too few are
  /// left.
  func spend(_ byteCount: Int) throws(FerryError) {
    allowance -= byteCount
    guard allowance >= 0 else { throw budget.overAmplification }
  }

  /// Throws if the text of a key with nested keys would be too long. Each level of nesting doubles the
  /// backslashes before quotation marks.
  func checkText(ofKeysNested depth: Int) throws(FerryError) {
    guard depth < Int.bitWidth - 1, 1 << depth <= allowance else { throw budget.overAmplification }
  }
}

extension PathTracker {
  /// Adds the steps of the path to `pointers`, after the step `root`. Returns the last step.
  mutating func step(in pointers: ObjectPointers, after root: Int) -> Int {
    step(after: root) {
      pointers.add(index: $0, after: $1)
    } dictionary: {
      pointers.add(key: $0, after: $1)
    }
  }
}
