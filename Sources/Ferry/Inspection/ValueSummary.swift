/// The type of a value, with the keys or the number of its parts.
///
///     try file.summaries(at: [ValuePath(parsing: "people[0]")])[0].keys     // ["first", "last"]
public struct ValueSummary: Hashable, Sendable {
  /// The path of the value.
  public internal(set) var path = ValuePath()
  /// The kind of the value: that of the decoded form for an object that has one, such as a date.
  public internal(set) var kind = ValueKind.null
  /// The class of an object, such as `Person` or `NSURL`; nil for other values, and for objects of the classes of plain values:
  /// NSString, NSNumber, NSDecimalNumber, NSDate, NSData, NSNull, NSArray, NSSet, NSDictionary and their mutable classes.
  public internal(set) var className: String?
  /// The number of elements of an array or a set; nil for other values.
  public internal(set) var elementCount: Int?
  /// The keys of a dictionary or an object in order, in the notation of `convert --to json`; nil for other values.
  public internal(set) var keys: [String]?

  /// The number of elements or keys; nil for a scalar.
  public var count: Int? { elementCount ?? keys?.count }
  /// The name of the type: the class of an object, or else the kind, such as `array`.
  public var typeName: String { className ?? kind.rawValue }
}

extension EditableFile {
  /// Returns the summary of each value that matches one of several paths, in the order of the paths.
  ///
  /// - Throws: A `FerryError` with a `PathProblem` as its reason and the part of the path that exists as its path, or an error of the file.
  public func summaries(at paths: [ValuePath]) throws(FerryError) -> [ValueSummary] {
    try naming { () throws(FerryError) in try summariesOfValues(at: paths) }
  }

  private func summariesOfValues(at paths: [ValuePath]) throws(FerryError) -> [ValueSummary] {
    var summaries: [ValueSummary] = []
    for match in try matches(of: paths).matches {
      let sink = SummarySink()
      // The paths of keys that are objects have the text that the plain form gives them. Numbers stay as they are.
      let capabilities = Format.archive.capabilities.subtracting(.objectKeys).union(.decimals)
      let plain = PlainForm(to: sink, capabilities: capabilities, losses: LossReport())
      try match.file.send(match.location, into: ObjectKeys(to: plain))
      var summary = sink.summary
      summary.path = match.path
      summaries.append(summary)
    }
    return summaries
  }
}

/// A sink that finds the summary of the value that it receives.
private final class SummarySink: ValueSink {
  private(set) var summary = ValueSummary()
  private var type: ObjectClass?
  /// The number of open collections.
  private var depth = 0

  func null() { count(.null) }
  func boolean(_ value: Bool) { count(.boolean) }
  func integer(_ value: Int128) { count(.integer) }
  func real(_ value: Double) { count(.real) }
  func single(_ value: Float) { count(.single) }
  func number(_ text: BorrowedText) { count(.decimal) }
  func string(_ text: BorrowedText) { count(.string) }
  func data(_ bytes: Span<UInt8>) { count(.data) }
  func date(_ secondsSince2001: Double) { count(.date) }
  func uid(_ number: UInt64) { count(.uid) }
  func reference(_ identity: Int) { count(.reference) }

  /// Counts a value that is an element, or takes the kind of the value itself.
  private func count(_ kind: ValueKind) {
    if depth == 0 { (summary.kind, summary.className) = (kind, className) }
    if depth == 1, let count = summary.elementCount { summary.elementCount = count + 1 }
  }

  func beginArray(count: Int?) { beginList(.array) }
  func endArray() { depth -= 1 }
  func beginSet(count: Int?) { beginList(.set) }
  func endSet() { depth -= 1 }

  private func beginList(_ kind: ValueKind) {
    count(kind)
    if depth == 0 { summary.elementCount = 0 }
    depth += 1
  }

  func beginDictionary(count: Int?) {
    self.count(.dictionary)
    if depth == 0 {
      summary.keys = []
      if summary.className != nil { summary.kind = .object }
    }
    depth += 1
  }
  func key(_ text: BorrowedText) {
    if depth == 1 { summary.keys?.append(String(escapingSurrogatesOf: text)) }
  }
  func beginKey() {}
  func endKey() {}
  func endDictionary() { depth -= 1 }

  func beginObject(_ type: ObjectClass, identity: Int?) {
    if depth == 0, type != .none, self.type == nil { self.type = type }
  }

  /// The name of the object's class, unless the class is that of a plain value.
  private var className: String? {
    type.flatMap { Self.plainClasses.contains(exactly: $0.name) ? nil : $0.name }
  }

  private static let plainClasses = [
    "NSString", "NSMutableString", "NSNumber", "NSDecimalNumber", "NSDate", "NSData", "NSMutableData",
    "NSNull", "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSDictionary", "NSMutableDictionary",
  ]
  func endObject() {}
  func finish() {}
}
