/// A problem with a path: it matches no value, or a value that does not support the operation.
///
/// The `path` of the error is the part of the path that exists.
public enum PathProblem: Hashable, Sendable {
  /// The text is not a valid path. The offset is in characters, counted from 0.
  case badSyntax(path: String, offset: Int, String)
  /// There is no entry with this key, with the first existing keys and their number.
  case noKey(String, among: [String], count: Int)
  /// There is no entry with this key, which is a part of another one: a path divides keys at points. The other one is the key of an
  /// entry, or the name of a file to add.
  case dividedKey(String, of: String, isNew: Bool = false)
  /// There is no element with this index.
  case noElement(Int, count: Int)
  /// The number of elements that meet the conditions of a filter is not one.
  case notOneElement(ValuePath.Filter, count: Int)
  /// No element has the key of a filter, with the number of elements and the problem of the first one that has keys.
  indirect case noneHasKey(count: Int, PathProblem)
  /// A step that does not apply to the kind of value.
  case noStep(String, into: String)
  /// A value that has no parts of a kind, such as keys, although these or their number are asked for.
  case noParts(String, in: String)
  /// A filter on a value that is not a list, with the kind of the value. `element` is the name of its XML element, which would be a list if it
  /// occurred more than once.
  case noList(filter: String, into: String, element: String? = nil)
  /// Several elements of a list, or entries of a dictionary, of which none has the rest of the path, with their number and the problem of
  /// the first one that has most of it.
  indirect case noneMatches(count: Int, areEntries: Bool, PathProblem)
  /// A step into data that Ferry cannot read as a file.
  case unreadData(step: String)
  /// The value does not exist and cannot be set, but it can be inserted. The problem explains why.
  indirect case onlyInsertable(PathProblem)
  /// A step to the end of a list, where there is no element.
  case afterLast
  /// A path that counts from the end of a list, while the list is read from its beginning.
  case countsFromEnd
  /// A key on the path that occurs again in its dictionary, after its first value has been read.
  case repeatedKey(String)
  /// A path with several matches, although a single value is needed.
  case severalValues
  /// A path that may have several matches and has none, such as `[*]` in an empty list, although a value is to be changed.
  case noMatch
  /// A path that may have several matches and has none, because the table has a header and no rows.
  case noRows
  /// A path that does not determine where to insert a value.
  case cannotInsert(String)
  /// A path to which a value is to be moved or copied, and at which no value can be added. The problem explains why.
  indirect case noNewPath(PathProblem)
  /// An entry that already exists.
  case exists(String)
  /// The root cannot be removed.
  case isRoot
  /// A text that is not a value of the type. `isFound` is true if the type is that of the existing value.
  case badText(String, type: String, isFound: Bool)
  /// Bytes that are given as a text, and are not UTF-8.
  case textNotUTF8
  /// A value that is not allowed at this location, and the reason.
  case cannotPut(String, Obstacle)
  /// An element or entry that cannot be removed because others depend on it, and the reason.
  case cannotRemove(String)
  /// An element or entry that cannot be moved because others depend on it at its path, and the reason.
  case cannotMove(String)
  /// A format whose values can be read but not changed by path, and another way to change them.
  case notEditable(format: String, Alternative)
  /// A patch that is not valid, and the reason.
  case badPatch(String)
  /// A problem of an operation of a patch, or of the value in the operation.
  indirect case inPatch(Operation, FerryError.Reason)
  /// Two files of which no patch makes the first the second, and the reason.
  case noPatch(String)
  /// Two files of which no patch makes the first the second, because only the first is in the typed form, and the format of the
  /// second has fewer types.
  case notTyped
  /// Two files of which no patch makes the first the second without another value in place of data, and the path of the data.
  case replacesData(ValuePath)
  /// Two files of which no patch makes the first the second, with the error of the patch.
  indirect case patchFails(FerryError)
  /// A value other than the one that a patch tests.
  case otherThanTested
}

extension PathProblem {
  /// Another way to change values that cannot be changed by path.
  public enum Alternative: Hashable, Sendable {
    /// The text or the file can be edited as a whole.
    case wholeFile
    /// The value that contains it can be replaced as a whole: the data with a file inside.
    case wholeValue
    /// The file can be converted to a keyed archive, whose values can be changed.
    case keyedArchive
    /// The values can only be shown.
    case display
    /// Elements of XML have paths by their keys, as `EditableFile` gives them.
    case keysOfElements
    /// Something else, in words.
    case other(String)

    fileprivate var words: String? {
      switch self {
      case .wholeFile, .keyedArchive, .display: nil
      case .wholeValue: "use set to replace the data as a whole"
      case .keysOfElements: "name elements by their keys"
      case .other(let words): words
      }
    }
  }
}

extension PathProblem {
  /// An operation of a JSON patch, as messages name it: `operation 1 of the patch (add "/people/0")`.
  public struct Operation: Hashable, Sendable, CustomStringConvertible {
    /// The index of the operation in the patch, counted from 0.
    public let index: Int
    /// The name of the operation: `add`.
    public let name: String
    /// The JSON pointers of the operation: the source if it has one, and the target.
    public let pointers: [String]

    package init(index: Int, name: String, pointers: [String]) {
      (self.index, self.name, self.pointers) = (index, name, pointers)
    }

    /// The operation in words.
    public var description: String {
      let paths = pointers.map { MessageText.quoted($0) }.joined(separator: " to ")
      return "operation \(index) of the patch (\(name) \(paths))"
    }
  }
}

extension PathProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .badSyntax(let path, let offset, let problem):
      "the path \(MessageText.quoted(path)) is not valid at character \(offset + 1): \(problem)"
    case .noKey(let key, let keys, let count): Self.missing(key, among: keys, of: count)
    case .dividedKey(let key, let whole, isNew: true):
      "no key \(MessageText.quoted(key)) here (write \(ValuePath([.key(whole)])) to add a file with this name)"
    case .dividedKey(let key, let whole, isNew: false):
      "no key \(MessageText.quoted(key)) here, but \(MessageText.quoted(whole)) (write \(ValuePath([.key(whole)])))"
    case .noElement(let index, 0): "no element [\(index)] here: the list is empty"
    case .noElement(let index, 1): "no element [\(index)] here: the list has 1 element, [0]"
    case .noElement(let index, let count):
      "no element [\(index)] here: the list has \(count) elements, the last is [\(count - 1)]"
    case .notOneElement(let filter, let count):
      Self.notOneElement(filter, count) + (count == 0 ? "" : " (name one by its number, such as [0])")
    case .noneHasKey(1, let problem): problem.description
    case .noneHasKey(let count, let problem):
      Self.noneMatches(count: count, areEntries: false, problem).description
    case .noStep(let step, let found), .noParts(let step, let found): "no \(step) here: this is \(found)"
    case .noList(let filter, let found, _):
      "no \(filter) here: this is \(found) (a filter selects elements of a list)"
    case .noneMatches(let count, let areEntries, let problem):
      "none of the \(count) \(areEntries ? "entries" : "elements") matches: \(problem)"
    case .unreadData(let step): Self.noStep(step, into: "data that Ferry cannot read").description
    case .onlyInsertable(let problem): "\(problem) (use insert to add it)"
    case .afterLast:
      "[] names no element yet (use insert to add one at the end, [*] for every element)"
    case .countsFromEnd:
      "a selection cannot count from the end of a list, because it reads the list from its beginning"
    case .repeatedKey(let key):
      "the key \(MessageText.quoted(key)) occurs twice here, and a selection reads values only once"
    case .severalValues: "the path leads to several values, but one is needed"
    case .noMatch: "no value matches the path"
    case .noRows: "no value matches the path, because the table has no rows"
    case .cannotInsert(let why): why
    case .noNewPath(let problem): "cannot put the value at the new path: \(problem)"
    case .exists(let key):
      "the key \(MessageText.quoted(key)) already exists (use set to change its value)"
    case .isRoot: "the root cannot be removed"
    case .badText(let text, let type, let isFound):
      isFound
        ? "\(MessageText.quoted(text)) does not fit here: the value is \(type)"
        : "\(MessageText.quoted(text)) is not \(type)"
    case .textNotUTF8: "the given text is not UTF-8"
    case .cannotPut(let value, let obstacle): "cannot put \(value) here: \(obstacle)"
    case .cannotRemove(let why): "cannot remove this: \(why)"
    case .cannotMove(let why): "cannot move this: \(why)"
    case .notEditable(let format, let alternative):
      "values of \(format) cannot be changed by path" + (alternative.words.map { " (\($0))" } ?? "")
    case .badPatch(let why): "not a JSON patch: \(why)"
    case .inPatch(let operation, .path(let problem)): "\(operation): \(problem.inPatchWords)"
    case .inPatch(let operation, let problem): "\(operation): \(problem)"
    case .noPatch(let why): "no patch of its values gives the other file: \(why)"
    case .notTyped:
      Self.noPatch("it is in the typed form, and the other file is not").description
    case .replacesData(let path):
      Self.noPatch("data would be replaced by another value at \(path.inWords)").description
    case .patchFails(let error): Self.failure(ofPatch: error, in: error.message)
    case .otherThanTested: "the value is not the one that the patch tests"
    }
  }

  /// Returns the sentence about a patch with an error, given the message of the error. A limit can be raised, so that there may be a patch.
  package static func failure(ofPatch error: FerryError, in message: String) -> String {
    switch error.reason {
    case .overBudget, .path(.inPatch(_, .overBudget)): "the patch exceeds a limit: \(message)"
    default: noPatch(message).description
    }
  }

  /// The problem for a patch, which has operations and no commands.
  private var inPatchWords: String {
    switch self {
    case .onlyInsertable(let problem): "\(problem) (the operation \"add\" adds it)"
    case .afterLast: "- names no element yet (the operation \"add\" adds one at the end)"
    case .badText(_, _, isFound: true): "\(self) (the operation \"add\" gives another type)"
    default: description
    }
  }

  private static func notOneElement(_ filter: ValuePath.Filter, _ count: Int) -> String {
    guard let (key, text) = filter.keyAndText else {
      let path = ValuePath([.filter(filter)]).shortened
      return count == 0 ? "no element matches \(path)" : "\(count) elements match \(path)"
    }
    return (count == 0 ? "no element has" : "\(count) elements have")
      + " the value \(MessageText.quoted(text)) for the key \(MessageText.quoted(key))"
  }

  private static func missing(_ key: String, among keys: [String], of count: Int) -> String {
    let problem = "no key \(MessageText.quoted(key)) here"
    if key.equals("*") || key.equals("**") {
      return "\(problem) (write [*] for every element of a list or value of a dictionary)"
    }
    let isSeparator: (Character) -> Bool = { $0 == "/" || $0 == ":" }
    let parts = key.split(whereSeparator: isSeparator)
    if parts.count > 1, keys.contains(where: { $0.equals(String(parts[0])) }) {
      return "\(problem) (a path joins keys by dots, and has the index of an element in brackets: a.b[0])"
    }
    if key.unicodeScalars.contains("|"), !keys.contains(where: { $0.unicodeScalars.contains("|") }) {
      return "\(problem) (a path selects values; pipes are not supported)"
    }
    if let near = NearMiss.nearest(to: key, among: keys) {
      return "\(problem) (did you mean \(MessageText.quoted(near))?)"
    }
    guard count > 0 else { return "\(problem): there are no keys" }
    guard !keys.isEmpty else { return "\(problem): none of the \(count) keys is text" }
    let quoted = keys.map { MessageText.quoted($0, limit: 40) }.joined(separator: ", ")
    let hint = key.contains(where: isSeparator)
    return "\(problem); the keys are \(quoted)" + (keys.count < count ? ", … (\(count) in all)" : "")
      + (hint ? " (a path joins keys by dots: a.b)" : "")
  }
}

extension PathProblem {
  /// The problem of one element if the path selects several; otherwise this problem.
  var ofOne: PathProblem { if case .noneMatches(_, _, let problem) = self { problem } else { self } }
}

extension FerryError {
  /// True if the path is valid, but the file has no value there.
  package var isMissingValue: Bool {
    switch reason {
    case .path(.noKey), .path(.dividedKey), .path(.noElement), .path(.notOneElement), .path(.noneHasKey),
      .path(.noStep),
      .path(.noList), .path(.noneMatches), .path(.unreadData):
      true
    default: false
    }
  }

  /// True if a value is to be moved or copied to a path at which none can be added.
  var isOfNewPath: Bool { if case .path(.noNewPath) = reason { true } else { false } }
}

extension PathProblem {
  /// The stable identifier of the problem for programs. It never changes.
  var code: String {
    switch self {
    case .badSyntax: "bad-syntax"
    case .noKey, .dividedKey: "no-key"
    case .noElement: "no-element"
    case .notOneElement, .noneHasKey: "not-one-element"
    case .noStep, .noParts, .noList, .unreadData: "no-step"
    case .noneMatches(_, _, let problem): problem.code
    case .onlyInsertable: "only-insertable"
    case .afterLast: "behind-last"
    case .countsFromEnd: "counts-from-end"
    case .repeatedKey: "repeated-key"
    case .severalValues: "several-places"
    case .noMatch, .noRows: "no-match"
    case .cannotInsert: "no-new-place"
    case .noNewPath(let problem): problem.code
    case .exists: "exists"
    case .isRoot: "is-root"
    case .badText, .textNotUTF8: "bad-text"
    case .cannotPut: "cannot-stand"
    case .cannotRemove: "cannot-remove"
    case .cannotMove: "cannot-move"
    case .notEditable: "not-editable"
    case .badPatch: "bad-patch"
    case .inPatch(_, let problem): problem.code
    case .noPatch, .notTyped, .replacesData, .patchFails: "no-patch"
    case .otherThanTested: "other-than-tested"
    }
  }
}
