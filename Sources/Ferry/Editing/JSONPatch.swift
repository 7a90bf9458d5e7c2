/// A JSON patch (RFC 6902): operations that change values of a file.
///
///     let patch = try JSONPatch(Array(#"[{"op": "replace", "path": "/0/first", "value": "Ada"}]"#.utf8))
///     let file = try EditableFile(path: "people.pplgrp")
///     try file.apply(patch)
///     try file.write(to: "people.pplgrp")
///
/// Values that JSON does not have are in the notation of the typed form: `{"$date": "2014-06-01T09:30:00Z"}`.
/// A patch of a JSON5 file has the numbers of JSON5: `Infinity`, `-Infinity` and `NaN`. `ValueDifferences.writePatch(to:)` writes such
/// patches.
public struct JSONPatch: Hashable, Sendable {
  /// An operation with its paths. The paths consist of keys; in a list, a key is the index of an element or `-`.
  enum Operation: Hashable, Sendable {
    case add(Value, at: ValuePath)
    case remove(at: ValuePath)
    case replace(Value, at: ValuePath)
    case move(from: ValuePath, to: ValuePath)
    case copy(from: ValuePath, to: ValuePath)
    case test(Value, at: ValuePath)
  }

  let operations: [Operation]

  /// The number of operations.
  public var count: Int { operations.count }

  /// Parses a patch.
  ///
  /// - Parameters:
  ///   - bytes: The text of the patch, which may be compressed, and in UTF-16 or UTF-32, as that of other JSON.
  ///   - budget: The limits on its nesting.
  /// - Throws: The error of the compressed data or the JSON, or `PathProblem.badPatch` with the path of the operation that is not valid.
  public init(_ bytes: [UInt8], budget: Budget = Budget()) throws(FerryError) {
    let text = try EncodedFile(bytes, format: .json, budget: budget).contents
    let (builder, losses) = (ValueBuilder(), LossReport())
    try JSONReader(.jsonWithNumbers, into: builder, budget: budget, losses: losses, locator: nil)
      .readAll(text.span)
    guard case .array(let elements) = try builder.result() else {
      throw FerryError(.path(.badPatch("a patch is a list of operations")))
    }
    // Programs do not agree on the member that counts, so RFC 6902 forbids a member that occurs twice.
    if let repeated = losses.losses.first {
      let member = ValuePath(Array(repeated.path.steps.dropFirst()))
      throw FerryError(
        .path(.badPatch("the operation has \(MessageText.quoted(member.description)) twice")),
        path: ValuePath(Array(repeated.path.steps.prefix(1))))
    }
    var operations: [Operation] = []
    for (index, element) in elements.enumerated() {
      do throws(FerryError) {
        operations.append(try Operation(element))
      } catch {
        throw FerryError(error.reason, path: ValuePath([.index(index)]))
      }
    }
    self.operations = operations
  }
}

extension JSONPatch.Operation {
  /// Returns the operation for a message.
  ///
  /// - Parameter index: The index of the operation in the patch.
  func named(index: Int) -> PathProblem.Operation {
    let (name, paths) =
      switch self {
      case .add(_, let path): ("add", [path])
      case .remove(let path): ("remove", [path])
      case .replace(_, let path): ("replace", [path])
      case .move(let from, let path): ("move", [from, path])
      case .copy(let from, let path): ("copy", [from, path])
      case .test(_, let path): ("test", [path])
      }
    return PathProblem.Operation(
      index: index, name: name, pointers: paths.map { $0.jsonPointer(isTyped: false) })
  }

  fileprivate init(_ entry: Value) throws(FerryError) {
    guard case .string(let name)? = entry["op"] else {
      throw FerryError(.path(.badPatch(#"an operation has a name: "op""#)))
    }
    let path = try Self.pointer("path", in: entry)
    switch name {
    case "add": self = .add(try Self.value(of: entry), at: path)
    case "remove": self = .remove(at: path)
    case "replace": self = .replace(try Self.value(of: entry), at: path)
    case "move": self = .move(from: try Self.pointer("from", in: entry), to: path)
    case "copy": self = .copy(from: try Self.pointer("from", in: entry), to: path)
    case "test": self = .test(try Self.value(of: entry), at: path)
    default:
      let names = "add, remove, replace, move, copy and test"
      throw FerryError(
        .path(.badPatch("no operation is named \(MessageText.quoted(name)) (try: \(names))")))
    }
  }

  private static func value(of entry: Value) throws(FerryError) -> Value {
    guard let value = entry["value"] else {
      throw FerryError(.path(.badPatch(#"the operation has no "value""#)))
    }
    return value
  }

  private static func pointer(_ name: String, in entry: Value) throws(FerryError) -> ValuePath {
    guard let text = entry[name]?.pathText else {
      throw FerryError(.path(.badPatch("the operation has no \"\(name)\"")))
    }
    guard text.isEmpty || text.utf8.first == UInt8(ascii: "/") else {
      let found = MessageText.quoted(text)
      throw FerryError(
        .path(.badPatch("the \"\(name)\" \(found) is not a JSON pointer, such as /people/0/name")))
    }
    guard text.hasOnlyPointerEscapes else {
      throw FerryError(
        .path(.badPatch("the \"\(name)\" \(MessageText.quoted(text)) has a ~ that is neither ~0 nor ~1")))
    }
    return text.isEmpty ? ValuePath() : try ValuePath(parsing: text)
  }
}

extension String {
  /// True if each ~ begins the notation of a ~ (~0) or a / (~1) of a JSON pointer.
  fileprivate var hasOnlyPointerEscapes: Bool {
    let parts = utf8.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false)
    return parts.dropFirst().allSatisfy { $0.first == UInt8(ascii: "0") || $0.first == UInt8(ascii: "1") }
  }
}

extension JSONPatch {
  /// True if a value is added after another one was removed.
  var addsAfterRemoving: Bool {
    var hasRemoved = false
    for operation in operations {
      switch operation {
      case .remove, .move: hasRemoved = true
      case .add where hasRemoved: return true
      default: break
      }
    }
    return false
  }
}
