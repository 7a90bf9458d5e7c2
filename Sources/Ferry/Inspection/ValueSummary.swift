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
      var summary = try match.file.locating { () throws(FerryError) in
        try match.file.summary(at: match.location)
      }
      summary.path = match.path
      summaries.append(summary)
    }
    return summaries
  }

  func summary(at location: ValueLocation) throws(FerryError) -> ValueSummary {
    // A UID is a number from `endMatch` here: formats with UIDs have no outlines.
    if let outlined = outlinedMatches as? OutlinedSummaries,
      case .uid(let number) = try list.kind(of: location.node)
    {
      return outlined.summaries[Int(number)]
    }
    if opensFiles, location.trail.children.isEmpty { return try summaryOfFiles(in: location) }
    let sink = SummarySink()
    try send(location, into: sink.forPlainForm)
    return sink.summary
  }

  /// Returns the summary of an archive of files. Only their names are read, so that any file may be damaged.
  private func summaryOfFiles(in location: ValueLocation) throws(FerryError) -> ValueSummary {
    var summary = ValueSummary()
    summary.kind = .dictionary
    let parts = try walker.parts(of: location)
    var names: [String] = []
    for index in 0..<parts.count { names.append(try fileName(at: parts.location(index, in: list))) }
    summary.keys = names
    return summary
  }

  /// Opens an input to summarize the values at one path. Of a large text file, only the summaries are kept in memory.
  ///
  /// - Parameter name: The file name of the input.
  package static func summarizing(
    _ path: ValuePath, from input: any ByteInput, named name: String, options: Options
  ) throws(FerryError) -> EditableFile {
    try reading(path, from: input, named: name, options: options, matches: OutlinedSummaries())
  }
}

/// The summaries of the collections at the path of an outline.
final class OutlinedSummaries: RoutingSink, OutlinedMatches {
  private(set) var summaries: [ValueSummary] = []
  private var sink = SummarySink()
  private var plain: any ValueSink

  init() {
    plain = sink.forPlainForm
    super.init(to: NullSink())
  }

  override func receiver(of kind: Kind) -> (any ValueSink)? { plain }
  override func receiverOfKey() -> (any ValueSink)? { plain }
  override func receiverOfEnd() -> (any ValueSink)? { plain }

  func endMatch() -> UInt64 {
    var summary = sink.summary
    // Records mostly have the same keys, which are stored once.
    if let last = summaries.last, last.keys == summary.keys { summary.keys = last.keys }
    summaries.append(summary)
    sink = SummarySink()
    plain = sink.forPlainForm
    return UInt64(summaries.count - 1)
  }
}

/// A sink that finds the summary of the value that it receives.
private final class SummarySink: ValueSink {
  private(set) var summary = ValueSummary()
  private var type: ObjectClass?
  /// The number of open collections.
  private var depth = 0

  /// A sink before this one that gives keys that are objects the text of the plain form, which is in their paths. Numbers stay as they are.
  var forPlainForm: any ValueSink {
    let capabilities = Format.archive.capabilities.subtracting(.objectKeys).union(.decimals)
    return ObjectKeys(to: PlainForm(to: self, capabilities: capabilities, losses: LossReport()))
  }

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
