extension Inspection {
  /// A defect or oddity that did not prevent the inspection of a file.
  public struct Warning: Hashable, Sendable {
    /// The kind of the warning.
    public var kind: Kind
    /// Details in words, or an empty string if the kind is sufficient.
    public var detail: String
    /// The source location of the defect.
    public var location: InputLocation
    /// The number of the object in an archive's `$objects`, or nil if the warning is not about an object.
    public var object: Int?
    /// The path of the value; in an archive, the path in its raw property list. It is empty for the root, or if it is unknown.
    public var path: ValuePath

    /// The stable identifier of the kind, which no release changes.
    public var code: String { kind.rawValue }

    /// The kind of a warning. The raw value is its name in `ferry inspect --json`.
    public enum Kind: String, CaseIterable, Sendable {
      /// A key occurs twice in a dictionary.
      case duplicateKey = "duplicate-key"
      /// A key of a dictionary is not a string.
      case keyIsNotString = "key-is-not-string"
      /// A collection contains itself.
      case containsItself = "contains-itself"
      /// An object cannot be read.
      case brokenObject = "broken-object"
      /// Two objects share bytes of the file.
      case overlappingObjects = "overlapping-objects"
      /// A number of the file is stored with an unusual width.
      case oddWidth = "odd-width"
      /// An integer is stored in more bytes than it needs.
      case nonMinimalInteger = "non-minimal-integer"
      /// The property list has an archive's keys, but is not an archive.
      case notAnArchive = "not-an-archive"
      /// The archive names another archiver than `NSKeyedArchiver`.
      case otherArchiver = "other-archiver"
      /// The archive has another version than 100000.
      case unknownVersion = "unknown-version"
      /// The object of a reference does not exist.
      case danglingReference = "dangling-reference"
      /// An object of the archive is itself a reference.
      case objectIsReference = "object-is-reference"
      /// An object has no class.
      case noClass = "no-class"
      /// The class of an object is not the description of a class.
      case notAClass = "not-a-class"
      /// There are more class names than are examined.
      case tooManyNames = "too-many-names"
      /// There are more references than are examined.
      case tooManyReferences = "too-many-references"
      /// Data looks like a file and cannot be read as one.
      case brokenNestedFile = "broken-nested-file"
      /// SQLite cannot compile the query of a view.
      case brokenView = "broken-view"
    }
  }

  /// The warnings of a file: the number of each kind, and the first of each kind with source locations.
  public struct Warnings: Hashable, Sendable {
    /// The number of warnings of each kind, in the order of their first occurrence.
    public private(set) var counts = Tally<Warning.Kind>()
    /// The first warnings of each kind.
    public private(set) var first: [Warning] = []
    private static let limitOfKind = 20

    /// True if there are no warnings.
    public var isEmpty: Bool { counts.isEmpty }

    mutating func add(
      _ kind: Warning.Kind, _ detail: String = "", at location: InputLocation = InputLocation(),
      object: Int? = nil, path: @autoclosure () -> ValuePath = ValuePath()
    ) {
      counts.add(kind)
      guard counts[kind] <= Self.limitOfKind else { return }
      first.append(
        Warning(kind: kind, detail: detail, location: location, object: object, path: path()))
    }

    /// Changes a listed warning.
    mutating func change(at index: Int, _ change: (inout Warning) -> Void) { change(&first[index]) }

    /// Adds the source locations of the listed warnings that have only a path.
    ///
    /// - Parameter read: Reads the file once more, and sends its value to a sink.
    mutating func locate(
      ofElements isOfElements: Bool,
      _ read: (any ValueSink, SourceLocator) throws(FerryError) -> Void
    ) {
      let locations = ValueLocations()
      for warning in first where warning.location.isEmpty {
        locations.add(warning.path, isRepeatedKey: warning.kind == .duplicateKey)
      }
      guard !locations.isEmpty else { return }
      let locator = SourceLocator(locatesValues: true, locatesElements: true)
      let sink = LocatingSink(locations, locator, locatesListsAtElements: isOfElements)
      do throws(FerryError) { try read(sink, locator) } catch {
        // The locations that were found before the error are used.
      }
      for index in first.indices where first[index].location.isEmpty {
        first[index].location = locations.location(
          of: first[index].path, isRepeatedKey: first[index].kind == .duplicateKey)
      }
    }
  }
}

extension Inspection.Warning.Kind: CustomStringConvertible {
  /// The kind in words, for tables.
  public var description: String {
    switch self {
    case .duplicateKey: "a key occurs twice in one dictionary"
    case .keyIsNotString: "a dictionary's key is not a string"
    case .containsItself: "a collection contains itself"
    case .brokenObject: "an object cannot be read"
    case .overlappingObjects: "objects overlap; their values are not followed to the end"
    case .oddWidth: "a width is unusual"
    case .nonMinimalInteger: "an integer takes more bytes than it needs"
    case .notAnArchive: "looks like a keyed archive, but is not one"
    case .otherArchiver: "the archiver is not NSKeyedArchiver"
    case .unknownVersion: "the version of the archive is not 100000"
    case .danglingReference: "a reference to an object that does not exist"
    case .objectIsReference: "an object is itself a reference"
    case .noClass: "an object has no class"
    case .notAClass: "an object's class is not a class description"
    case .tooManyNames: "too many different names; not all are counted"
    case .tooManyReferences: "too many references; not all are followed"
    case .brokenNestedFile: "a file in data cannot be read"
    case .brokenView: "the query of a view cannot be read"
    }
  }
}

extension Inspection.Warning: CustomStringConvertible {
  /// The message, without the location and the path.
  public var message: String { detail.isEmpty ? kind.description : detail }

  /// The location and the message: `object 7, byte 204: an object has no class`, or `3:14: the key "a" occurs twice (at a)`.
  public var description: String {
    guard location.line == nil, location.byte == nil else {
      if location.line != nil { return "\(location): \(messageWithPath)" }
      let parts = [object.map { "object \($0)" }, location.byte.map { "byte \($0)" }].compactMap { $0 }
      return "\(parts.joined(separator: ", ")): \(message)"
    }
    return object.map { "object \($0): \(messageWithPath)" } ?? messageWithPath
  }

  private var messageWithPath: String { path.isEmpty ? message : "\(message) (at \(path.shortened))" }
}
