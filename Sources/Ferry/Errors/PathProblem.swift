/// Why a path does not lead to a place, or why nothing can be done there.
///
/// The failure's `path` is the part of the way that was found.
public enum PathProblem: Hashable, Sendable {
  /// The text is no path; the offset is counted in characters from 0.
  case badSyntax(path: String, offset: Int, String)
  /// No entry of this name; the first of those that there are, and how many there are.
  case noKey(String, among: [String], count: Int)
  /// No element of this number.
  case noElement(Int, count: Int)
  /// Not just one element has an entry of this name that reads like this; how many have.
  case notOneElement(key: String, value: String, count: Int)
  /// A step into something that has no parts, or not such ones.
  case noStep(String, into: String)
  /// Where a value is to be set there is none, but one may be inserted; what was found.
  indirect case onlyInsertable(PathProblem)
  /// A step behind the last element, where there is nothing yet.
  case behindLast
  /// A path to several places, where one is needed.
  case severalPlaces
  /// A path that does not say where a new value goes.
  case noNewPlace(String)
  /// An entry that is there already.
  case exists(String)
  /// The root, which cannot be removed.
  case isRoot
  /// A text that is not of the type that is wanted; whether the type is that of what stands there.
  case badText(String, type: String, isFound: Bool)
  /// A value that cannot stand where it is to be put.
  case cannotStand(String, String)
  /// A format that is read and not edited.
  case notEditable(String)
  /// Data values inside each other, each opened to go on; the limit.
  case nestedTooDeep(Int)
}

extension PathProblem: CustomStringConvertible {
  /// One sentence without a full stop.
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
  /// Whether a path is at fault that leads to nothing in what is a sound file.
  var isMissingPlace: Bool {
    switch reason {
    case .path(.noKey), .path(.noElement), .path(.notOneElement), .path(.noStep): true
    default: false
    }
  }
}
