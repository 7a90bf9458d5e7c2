/// A search for values, keys and objects in any format.
///
///     var search = ValueSearch()
///     search.text = { $0.contains("Ada") }
///     try search.find(in: FileInput(path: "people.pplgrp")) { match in
///       print(match.path, match.text ?? "")      // [2].first  Ada
///     }
public struct ValueSearch {
  /// A test of the text of a scalar other than data, or of a key, as `ferry get` prints it; nil to find values of any text.
  public var text: ((String) -> Bool)?
  /// A test of the text of data, which is Base64; nil to find no data by a text.
  public var dataText: ((String) -> Bool)?
  /// The kinds of values to find; nil to find any scalar and key.
  public var kinds: Set<ValueKind>?
  /// A test of the class of an object, and of its superclasses; nil to find values of any class. Each object is found once, at the first
  /// path that leads to it.
  public var className: ((String) -> Bool)?
  /// A test of the key of a value; nil to find values for any key, and elements.
  public var keyName: ((String) -> Bool)?
  /// True to test keys.
  public var findsKeys = true
  /// True to test values.
  public var findsValues = true
  /// The maximum size of the text of a match's path in bytes. A longer path is without its middle. Nil for whole paths.
  ///
  /// The paths of all matches may be as large as the budget of `reading` allows, because a chain of objects has a long path to each. A
  /// search that needs no paths sets this to 0.
  public var mostPathBytes: Int?
  /// The way to read the input. Paths are those of `EditableFile`: a document in the typed form is searched as the text that it is.
  public var reading = ValueSearch.shownReading

  private static let shownReading: ReadingOptions = {
    var options = ReadingOptions()
    (options.marksShared, options.decodedForms, options.expandsData) = (true, .all, true)
    return options
  }()

  /// Creates a search that finds every key and every scalar.
  public init() {}

  /// A value, key or object that was found.
  public struct Match: Hashable, Sendable {
    /// The path of the value, or of the value for the key; only its beginning if it is longer than `mostPathBytes`.
    ///
    /// The last key of the beginning may be cut, and the first one of the end, if the key is longer than half of the limit.
    public let path: ValuePath
    /// The number of steps between `path` and `pathEnd`; 0 for a whole path, and if only a part of one key is left out.
    public let omittedSteps: Int
    /// The end of a path that is longer than `mostPathBytes`, otherwise empty.
    public let pathEnd: ValuePath
    /// True if the key was found, and not the value.
    public let isKey: Bool
    /// The kind of the value; `string` for a key.
    public let kind: ValueKind
    /// The text of a scalar or a key; nil for collections.
    public let text: String?
    /// The class of an object.
    public let className: String?
  }

  /// Reads an input to its end, and calls a function with each match in order.
  ///
  /// - Throws: A `FerryError` with the source location and the path, or an error of the function.
  public func find(
    in input: any ByteInput, named name: String? = nil, _ body: @escaping (Match) throws(FerryError) -> Void
  ) throws(FerryError) {
    var reading = reading
    reading.readsTypedText = true
    if className != nil, reading.shared == .reference {
      // A search for objects needs those that are part of a decoded form, and the classes that values imply.
      (reading.objectSharing, reading.decodedForms) = (.named, .scalars)
    }
    let sink = SearchingSink(self, body)
    try reading.read(input, named: name, into: NamedKeys(to: sink)) { sink.currentPath }
  }

  /// Reads an input to its end, and calls a function that may throw any error with each match in order.
  ///
  /// - Throws: An error of the function, or a `FerryError` with the source location and the path.
  @_disfavoredOverload
  public func find(
    in input: any ByteInput, named name: String? = nil, _ body: @escaping (Match) throws -> Void
  ) throws {
    let passed = PassedError()
    try passed.passing { () throws(FerryError) in
      try find(in: input, named: name) { match throws(FerryError) in
        do { try body(match) } catch { throw passed.keeping(error) }
      }
    }
  }
}
