/// An error in reading, converting or writing data, with its file and location.
///
/// Programs should check `reason`, which identifies the error exactly, or `code`. They should not parse
/// `description`, whose wording may change in any release.
///
///     people.json:2:9: expected a value, found ","
///
/// The file is that of a call with a path, such as `FileInput(path:)`, `EditableFile(path:)`, also when its values are read or changed later,
/// and `FerryDecoder.decode(_:from:)` from a `FileInput`. Errors of bytes in memory have none. Two errors that differ only in the file are
/// equal.
public struct FerryError: Error, Hashable, Sendable {
  /// An error is one word, because nearly every function hands it on: as a structure, it took a seventh of the program's code.
  private var storage: Storage

  /// Creates an error with its location, as far as it is known.
  @inline(never)
  public init(_ reason: Reason, at location: InputLocation = InputLocation(), path: ValuePath = ValuePath()) {
    storage = Storage(Fields(reason: reason, location: location, path: path))
  }

  /// The problem.
  public var reason: Reason {
    get { fields.reason }
    set { fields.reason = newValue }
  }

  /// The path of the file that has the problem, as it was given; nil if it is unknown, and for bytes in memory.
  public var file: String? {
    get { fields.file }
    set { fields.file = newValue }
  }

  /// The name of the file that has the problem in a ZIP archive whose own path is not known.
  package internal(set) var fileInArchive: String? {
    get { fields.fileInArchive }
    set { fields.fileInArchive = newValue }
  }

  /// The source location in the input. It is empty if it is unknown.
  public var location: InputLocation {
    get { fields.location }
    set { fields.location = newValue }
  }

  /// The source location in the data at `path`, if this holds the file that has the problem. Then `location` is empty.
  public internal(set) var locationInData: InputLocation {
    get { fields.locationInData }
    set { fields.locationInData = newValue }
  }

  /// The path in the value. It is empty for the root, or if it is unknown.
  public var path: ValuePath {
    get { fields.path }
    set { fields.path = newValue }
  }

  /// The errors of the records that a conversion had left out before this error ended it; of many, the first 10,000.
  public var earlier: [FerryError] {
    get { fields.earlier }
    set { fields.earlier = newValue }
  }

  /// True for the error by which a sink stops a reader that has read enough. Users do not see it.
  private(set) var isStop: Bool {
    get { fields.isStop }
    set { fields.isStop = newValue }
  }

  private var fields: Fields {
    get { storage.fields }
    set { storage = Storage(newValue) }
  }

  private struct Fields: Sendable {
    var reason: Reason
    var file: String?
    var fileInArchive: String?
    var location: InputLocation
    var locationInData = InputLocation()
    var path: ValuePath
    var earlier: [FerryError] = []
    var isStop = false
  }

  private final class Storage: Sendable {
    let fields: Fields

    init(_ fields: Fields) { self.fields = fields }
  }

  /// Returns the error with a source location, unless it already has one.
  public func placed(at location: InputLocation) -> FerryError {
    guard self.location.isEmpty else { return self }
    var placed = self
    placed.location = location
    return placed
  }

  /// Returns the error with a path, unless it already has one.
  public func placed(path: ValuePath) -> FerryError {
    guard self.path.isEmpty else { return self }
    var placed = self
    placed.path = path
    return placed
  }

  /// Returns the error with the path of its file, unless it already has one.
  ///
  ///     do { try read(bytes) } catch { print(error.placed(inFile: "people.json")) }
  ///     // people.json:2:9: expected a value, found ","
  public func placed(inFile path: String?) -> FerryError {
    guard file == nil, !isStop else { return self }
    var placed = self
    placed.file = path.map { path in fileInArchive.map { "\(path)/\($0)" } ?? path }
    return placed
  }

  /// Returns the error with the name of its file in a ZIP archive, unless it has no source location there.
  ///
  /// - Parameter archive: The path of the archive; nil if it is not known.
  func placed(inFile name: String, ofArchive archive: String?) -> FerryError {
    guard file == nil, !isStop, !location.isEmpty else { return self }
    switch reason {
    // The location is one in the archive.
    case .compression(.damagedArchive), .compression(.otherMethod): return placed(inFile: archive)
    default: break
    }
    var placed = self
    placed.fileInArchive = fileInArchive.map { "\(name)/\($0)" } ?? name
    return archive == nil ? placed : placed.placed(inFile: archive)
  }

  /// Returns the error of a file inside others. The source location is then one in a file of an archive, or in data.
  ///
  /// - Parameter containers: For each level around the file, outermost first: its name in a ZIP archive, or nil for data.
  func placed(inside containers: [String?]) -> FerryError {
    guard !containers.isEmpty, file == nil, fileInArchive == nil, !isStop, !location.isEmpty else {
      return self
    }
    let names = containers.compactMap { $0 }
    if names.count == containers.count {
      return placed(inFile: names.joined(separator: "/"), ofArchive: nil)
    }
    var placed = self
    (placed.locationInData, placed.location) = (location, InputLocation())
    return placed
  }

  /// Returns the error with the path of an input, unless it already has a file, or another file causes it, such as the output on a full
  /// disk.
  func placed(in input: any ByteInput) -> FerryError { placed(inInput: input.path) }

  /// Returns the error with the path of an input, as `placed(in:)`.
  func placed(inInput path: String?) -> FerryError {
    switch reason {
    case .file(let problem): problem.isAboutData ? placed(inFile: path) : self
    case .database(.needsTemplate): self
    default: placed(inFile: path)
    }
  }

  /// True if the data that was read is at fault, so that the same call with it would fail again: it is damaged, of an unknown format, exceeds
  /// a limit, or does not have what was asked for. False if the system, another program or an option is at fault: a disk that is full,
  /// a file that does not exist, a delimiter that is not possible.
  ///
  ///     let status = error.isAboutData ? 422 : 500
  ///
  /// The error of a value that cannot be written is one about data.
  public var isAboutData: Bool {
    switch reason {
    case .file(let problem): problem.isAboutData
    case .document(let problem): problem.isAboutData
    case .csv(let problem): problem.isAboutData
    case .package(.changed), .database(.needsTemplate), .content(.unknownEncoding): false
    default: !isStop
    }
  }

  /// Returns the error with a step added before its path.
  package func placed(under step: ValuePath.Step) -> FerryError {
    var placed = self
    placed.path.steps.insert(step, at: 0)
    return placed
  }
}

extension FerryError {
  /// The problem, grouped by subject.
  public enum Reason: Hashable, Sendable {
    /// The text is not JSON.
    case json(JSONProblem)
    /// The text is not valid YAML, or has a value that Ferry does not read.
    case yaml(YAMLProblem)
    /// The text is not valid CSV, or values cannot be written as a table.
    case csv(CSVProblem)
    /// The text is not well-formed XML, or is XML that Ferry does not accept.
    case xml(XMLProblem)
    /// The bytes are not a property list.
    case propertyList(PropertyListProblem)
    /// The property list is not a valid keyed archive.
    case archive(ArchiveProblem)
    /// A value in the typed form is not valid.
    case typed(TypedProblem)
    /// The bytes are not a valid typedstream.
    case typedstream(TypedstreamProblem)
    /// An archived object cannot be decoded as the requested type, or a value cannot be encoded.
    case coding(CodingProblem)
    /// A record or a schema is not valid.
    case record(RecordProblem)
    /// A database cannot be read, or cannot represent a record.
    case database(DatabaseProblem)
    /// A path matches no value, or one that does not support the operation.
    case path(PathProblem)
    /// The target format cannot represent a value.
    case cannotHold(ValueProblem)
    /// A limit of the budget was exceeded.
    case overBudget(Budget.Limit)
    /// Data would be lost, although losses are not allowed.
    case loss(Loss.Kind)
    /// A text or a picture is not valid.
    case content(ContentProblem)
    /// Compressed data is damaged or incomplete.
    case compression(CompressionProblem)
    /// A package is not valid, or another program has changed it.
    case package(PackageProblem)
    /// A file cannot be read or written, or its kind is unknown.
    case file(FileProblem)
    /// A document cannot be opened or saved.
    case document(DocumentProblem)
  }
}

extension FerryError {
  /// Returns true if two errors are equal, apart from their files.
  public static func == (a: FerryError, b: FerryError) -> Bool {
    a.reason == b.reason && a.location == b.location && a.path == b.path && a.earlier == b.earlier
      && a.isStop == b.isStop && a.locationInData == b.locationInData
  }

  /// Hashes all but the file.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(reason)
    hasher.combine(location)
    hasher.combine(path)
    hasher.combine(earlier)
    hasher.combine(isStop)
    hasher.combine(locationInData)
  }
}

extension FerryError: CustomStringConvertible {
  /// The file and the source location in the notation of editors, as far as they are known, and the message: `people.xml:3:14: …`,
  /// `people.plist: byte 1204, object 17: …`, `3:14: …`.
  public var description: String {
    guard let file = file ?? fileInArchive else { return located }
    return location.line == nil ? "\(file): \(located)" : "\(file):\(located)"
  }

  /// The description without the file.
  var located: String { (location.isEmpty ? "" : "\(location): ") + message }

  /// The stable identifier of the problem for programs: `json.unexpected-end`, `path.no-key`.
  public var code: String { reason.code }

  /// The problem and, if it is known, the path in the value.
  public var message: String {
    let problem = isStop ? "the reading was stopped" : reason.description
    return message(about: problem)
  }

  /// Returns a message with the path in the value and the source location in data, if they are known.
  package func message(about problem: String) -> String {
    let locations = [path.isEmpty ? nil : path.shortened, locationInData.inData].compactMap { $0 }
    return locations.isEmpty ? problem : "\(problem) (at \(locations.joined(separator: ", ")))"
  }
}

extension FerryError.Reason: CustomStringConvertible {
  /// The problem in one sentence, without a period. Very long names from a file are shortened.
  public var description: String { MessageText.shortened(sentence, beginning: 1000, end: 500) }

  private var sentence: String {
    switch self {
    case .json(let problem): problem.description
    case .yaml(let problem): problem.description
    case .csv(let problem): problem.description
    case .xml(let problem): problem.description
    case .propertyList(let problem): problem.description
    case .archive(let problem): problem.description
    case .typed(let problem): problem.description
    case .typedstream(let problem): problem.description
    case .coding(let problem): problem.description
    case .record(let problem): problem.description
    case .database(let problem): problem.description
    case .path(let problem): problem.description
    case .cannotHold(let problem): problem.description
    case .overBudget(let limit): limit.description
    case .loss(let kind): "not exact: \(kind.message)"
    case .content(let problem): problem.description
    case .compression(let problem): problem.description
    case .package(let problem): problem.description
    case .file(let problem): problem.description
    case .document(let problem): problem.description
    }
  }
}

extension FerryError.Reason {
  /// The identifier of the problem: the subject, a period, and the identifier of the problem itself.
  var code: String {
    switch self {
    case .json(let problem): "json.\(problem.code)"
    case .yaml(let problem): "yaml.\(problem.code)"
    case .csv(let problem): "csv.\(problem.code)"
    case .xml(let problem): "xml.\(problem.code)"
    case .propertyList(let problem): "property-list.\(problem.code)"
    case .archive(let problem): "archive.\(problem.code)"
    case .typed(let problem): "typed.\(problem.code)"
    case .typedstream(let problem): "typedstream.\(problem.code)"
    case .coding(let problem): "coding.\(problem.code)"
    case .record(let problem): "record.\(problem.code)"
    case .database(let problem): "database.\(problem.code)"
    // The problem of an operation has its own subject.
    case .path(.inPatch(_, let problem)): problem.code
    case .path(let problem): "path.\(problem.code)"
    case .cannotHold(let problem): "value.\(problem.code)"
    case .content(let problem): "content.\(problem.code)"
    case .compression(let problem): "compression.\(problem.code)"
    case .package(let problem): "package.\(problem.code)"
    case .file(let problem): "file.\(problem.code)"
    case .document(let problem): "document.\(problem.code)"
    case .overBudget(let limit): "budget.\(limit.code)"
    case .loss(let kind): "loss.\(kind.rawValue)"
    }
  }
}

extension FerryError {
  /// The error by which a sink stops a reader that has read enough. Users do not see it. It equals no other error.
  static var stopped: FerryError {
    var error = FerryError(.file(.notOpen))
    error.isStop = true
    return error
  }
}
