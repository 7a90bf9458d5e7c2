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
  /// An element or entry that others need; why.
  case cannotRemove(String)
  /// A format whose values are read by path and not changed; whether the file is inside data.
  case notEditable(Format, isInData: Bool)
  /// Data values inside each other, each opened to go on; the limit.
  case nestedTooDeep(Int)
}

extension PathProblem: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .badSyntax(let path, let offset, let problem):
      "the path \(quotedForMessage(path)) is not valid at character \(offset + 1): \(problem)"
    case .noKey(let key, let keys, let count): Self.missing(key, among: keys, of: count)
    case .noElement(let index, let count):
      "no element [\(index)] here: "
        + (count == 0 ? "the list is empty" : "the last of \(count) is [\(count - 1)]")
    case .notOneElement(let key, let value, let count):
      (count == 0 ? "no element has" : "\(count) elements have")
        + " the value \(quotedForMessage(value)) for the key \(quotedForMessage(key))"
        + (count == 0 ? "" : " (name one by its number, such as [0])")
    case .noStep(let step, let found): "no \(step) here: this is \(found)"
    case .onlyInsertable(let problem): "\(problem) (use insert to add it)"
    case .behindLast:
      "[] is the place after the last element (use insert to add one there, [*] for every element)"
    case .severalPlaces: "the path leads to several values, which only get supports"
    case .noNewPlace(let why): why
    case .exists(let key): "the key \(quotedForMessage(key)) already exists (use set to change its value)"
    case .isRoot: "the root cannot be removed"
    case .badText(let text, let type, let isFound):
      isFound
        ? "\(quotedForMessage(text)) does not fit here: the value is \(type) (--type sets one of another type)"
        : "\(quotedForMessage(text)) is not \(type)"
    case .cannotStand(let value, let why): "cannot put \(value) here: \(why)"
    case .cannotRemove(let why): "cannot remove this: \(why)"
    case .notEditable(let format, let isInData):
      "values of \(format.rawValue) cannot be changed by path "
        + (isInData ? "(use set to replace the data as a whole)" : format.editingHint)
    case .nestedTooDeep(let limit): "more than \(limit) files inside each other"
    }
  }

  private static func missing(_ key: String, among keys: [String], of count: Int) -> String {
    let problem = "no key \(quotedForMessage(key)) here"
    if let near = NearMiss.nearest(to: key, among: keys) {
      return "\(problem) (did you mean \(quotedForMessage(near))?)"
    }
    guard count > 0 else { return "\(problem): there are no keys" }
    guard !keys.isEmpty else { return "\(problem): none of the \(count) keys is text" }
    let quoted = keys.map { quotedForMessage($0, limit: 40) }.joined(separator: ", ")
    let hint = key.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") })
    return "\(problem); the keys are \(quoted)" + (keys.count < count ? ", … (\(count) in all)" : "")
      + (hint ? " (a path joins keys by dots: a.b)" : "")
  }
}

extension Format {
  /// The way to change a file of a format whose values are not changed by path.
  fileprivate var editingHint: String {
    switch self {
    case .typedstream: "(use ferry convert FILE -o FILE.archive to make a keyed archive, which can be edited)"
    case .sqlite: "(use sqlite3 to edit a database)"
    default: "(use ferry edit to open the file)"
    }
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
