/// A problem of a path: it leads to no value, or to one that does not support the operation.
///
/// The `path` of the failure is the part of the path that exists.
public enum PathProblem: Hashable, Sendable {
  /// The text is not a path; the offset is counted in characters from 0.
  case badSyntax(path: String, offset: Int, String)
  /// No entry with this key; the first of the existing keys, and their number.
  case noKey(String, among: [String], count: Int)
  /// No element with this index.
  case noElement(Int, count: Int)
  /// Not exactly one element has this entry with this text; the number of elements that have it.
  case notOneElement(key: String, value: String, count: Int)
  /// A step into a value that has no parts, or none of this kind.
  case noStep(String, into: String)
  /// The value to be set does not exist, but can be inserted; the problem that was found.
  indirect case onlyInsertable(PathProblem)
  /// A step to the end of a list, where no element exists yet.
  case behindLast
  /// A path to several values, where one is needed.
  case severalPlaces
  /// A path that does not determine the position of a new value.
  case noNewPlace(String)
  /// An entry that already exists.
  case exists(String)
  /// The root, which cannot be removed.
  case isRoot
  /// A text that is not of the expected type; true if the type is that of the existing value.
  case badText(String, type: String, isFound: Bool)
  /// A value that is not allowed at its destination.
  case cannotStand(String, String)
  /// A format that can be read but not edited.
  case notEditable(String)
  /// Data values are nested too deeply; the limit.
  case nestedTooDeep(Int)
}

extension PathProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .badSyntax(let path, let offset, let problem):
      "the path \(quotedForMessage(path)) is not understood at character \(offset + 1): \(problem)"
    case .noKey(let key, let keys, let count):
      "there is no \(quotedForMessage(key)) here; \(Self.list(keys, of: count))"
    case .noElement(let index, let count):
      count == 0
        ? "there is no element \(index) here: there are none"
        : "there is no element \(index) here; the last of \(count) is [\(count - 1)]"
    case .notOneElement(let key, let value, let count):
      (count == 0 ? "no element here has" : "\(count) elements here have")
        + " a \(quotedForMessage(key)) that is \(quotedForMessage(value))"
        + (count == 0 ? "" : "; a path leads to one (number it: [0])")
    case .noStep(let step, let found): "\(step) leads nowhere: \(found) stands here"
    case .onlyInsertable(let problem): "\(problem) (`insert` adds it)"
    case .behindLast: "[] is behind the last element, where only `insert` puts something"
    case .severalPlaces: "the path leads to several places; only `get` takes that"
    case .noNewPlace(let why): why
    case .exists(let key): "there is \(quotedForMessage(key)) already (`set` changes it)"
    case .isRoot: "the root cannot be removed"
    case .badText(let text, let type, let isFound):
      "\(quotedForMessage(text)) is not \(type)"
        + (isFound ? ", which stands here (--type says otherwise)" : "")
    case .cannotStand(let value, let why): "\(value) cannot stand here: \(why)"
    case .notEditable(let format): "\(format) is read and not edited in place"
    case .nestedTooDeep(let limit): "more than \(limit) files inside each other"
    }
  }

  private static func list(_ keys: [String], of count: Int) -> String {
    guard count > 0 else { return "it has no entries" }
    let quoted = keys.map { quotedForMessage($0, limit: 40) }.joined(separator: ", ")
    return "it has \(quoted)" + (keys.count < count ? ", … (\(count) in all)" : "")
  }
}

extension Failure {
  /// True if the error is a path without a value in a valid file.
  var isMissingPlace: Bool {
    switch reason {
    case .path(.noKey), .path(.noElement), .path(.notOneElement), .path(.noStep): true
    default: false
    }
  }
}
