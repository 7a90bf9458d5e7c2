/// A decoder of `Decodable` values from files of any format.
///
///     struct Person: Codable {
///       var first: String
///       var last: String
///       var age: Int?
///     }
///     let people = try FerryDecoder().decode([Person].self, from: bytes)
///
/// The format is detected from the content and the name, or given by `reading.format`: XML, JSON and its relatives, YAML, CSV,
/// property lists, keyed archives, typedstreams, databases. `reading` says how types find their values in each of them.
///
/// In formats whose scalars are text, such as XML and CSV, the requested type decides: `<age>36</age>` is a text for a
/// `String` and a number for an `Int`. Other formats have numbers and booleans, which must fit an integer type exactly, with all of
/// their digits: `1.5e3` is 1500. `Double` and `Float` take the nearest value of a number in its range, in every format, as in
/// `JSONDecoder`. `URL`, `UUID` and `Decimal` may be text.
///
/// The strategies `keys`, `dates` and `data` are those of other decoders:
///
///     var decoder = FerryDecoder()
///     decoder.keys = .snakeCase                  // first_name is firstName
///     decoder.dates = .secondsSince1970          // also millisecondsSince1970, and custom functions
///     decoder.data = .numbers                    // [1, 2, 3] in place of "AQID"
public struct FerryDecoder: Sendable {
  /// The options for reading the file: its format, schema and selection, and the budget. The default depth is 256 levels.
  ///
  /// In XML, the key `@id` is the attribute `id`. The key `id` is the child element, or the attribute if no child element has this name.
  /// If an element has both, `allKeys` of its container has the key once.
  /// The key `#text`, or an empty key, is the text beside attributes. An element with attributes and text is also decoded as that text,
  /// which is empty in an element with attributes alone. An element with child elements is not text, so that none is lost.
  ///
  ///     <people><person id="1"><first>Ada</first><last>Lovelace</last></person></people>
  ///
  /// A list is decoded from any number of elements of one name, also from one. The root element's name does not matter; a list
  /// as the whole is decoded from its children, and a list of an `ElementChoice` from elements of several names. An empty element is an
  /// empty text, list or dictionary, and a type that has no such value is nil in an optional. A list inside an element of its own, which has
  /// the items as child elements, is the property of a type for that element:
  ///
  ///     <person><tags><tag>a</tag><tag>b</tag></tags></person>      // struct Tags { var tag: [String] }
  ///
  /// A coding key such as `{urn:a}list` means the elements in that namespace, and `@{urn:a}id` the attribute, with any prefixes. If a prefix
  /// is declared outside of selected elements, or of a record of `Records`, its namespace is not known, which is an error unless
  /// `reading.xml.namespaces` is `.expanded`. As a key of a dictionary, a name in a namespace has the prefix that the file gives it (`ns1:b`),
  /// and its namespace in braces (`{urn:a}b`) with `.expanded`, with which the keys that `FerryEncoder` has written are decoded exactly, apart from
  /// declarations (`@xmlns:p`), which are left out, names with a declared prefix, which are expanded, and names in XML with types, which are escaped.
  ///
  /// In CSV, an empty cell is nil, or an empty text for a `String`; an empty cell in quotation marks is an empty text. A table with one
  /// column is also a list of its cells, and a file of records with a single one (CSV, JSON Lines) also that record.
  ///
  /// A number, also in YAML, cannot be decoded as a `String`: its notation (`0x1F`, `1.10`) may be lost. In YAML, such a text needs quotation
  /// marks. In XML and binary property lists, the text `$null` is nil in an optional, as for `PropertyListDecoder`.
  ///
  /// For an archive, only the format, the encoding and the budget are used.
  public var reading: ReadingOptions
  /// The relation between keys. It does not apply to the keys of a dictionary, which are decoded as its `Key` from text, and from the numbers
  /// of formats that have such keys, as YAML does.
  public var keys = KeyStrategy.same
  /// The meaning of numbers as dates, or the function that decodes dates. In every format, dates may also be text in ISO 8601.
  public var dates = DateStrategy.secondsSince2001
  /// The meaning of text and lists as `Data` and `[UInt8]`, or the function that decodes data.
  public var data = DataStrategy.base64
  /// The class names and archived keys of types, in archives, which are decoded by `KeyedArchiveDecoder`.
  public var classes: ClassMap
  /// Values that the decoded types can read from `Decoder.userInfo`.
  ///
  /// The elements of a list may be decoded while their file is read. They are decoded a second time, from the beginning, if an error follows,
  /// or if the file turns out to have another shape than that of a list. An object here that counts decoded elements has to allow for that.
  /// A database is locked for writing meanwhile: a type that changes the same database in its `init(from:)` needs values that have been read
  /// before, as `[Value]`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates a decoder.
  public init(classes: ClassMap = ClassMap()) {
    reading = ReadingOptions()
    reading.matchesSchemas = false
    reading.shared = .inFull
    reading.decodedForms = .all
    reading.budget = .coding
    reading.xml.order = .never
    (reading.csv.readsEmptyCellsAsNull, reading.csv.readsEmptyLinesAsNull) = (true, true)
    self.classes = classes
  }

  /// Decodes the contents of a file in memory.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - bytes: The contents of the file.
  ///   - name: The name of the file, used if the content has no signature.
  ///   - path: The path of the value to decode, as `EditableFile` takes it, or nil for the whole.
  /// - Throws: A `DecodingError` with the coding path. Its `underlyingError` is a `FerryError` with the source location of a
  ///   mistake in the file.
  public func decode<T: Decodable>(
    _ type: T.Type, from bytes: some Sequence<UInt8>, named name: String? = nil, at path: ValuePath? = nil
  ) throws -> T {
    try decode(type, from: MemoryInput(Array(bytes)), named: name, at: path)
  }

  /// Decodes a text, such as a literal. An encoding that the text declares has no meaning.
  ///
  ///     try FerryDecoder().decode([Int].self, from: "[1, 2]")      // [1, 2]
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - text: The text of a file. (For the string itself, pass `Value.string`.)
  ///   - name: The name of the file, used if the text has no signature.
  ///   - path: The path of the value to decode, or nil for the whole.
  /// - Throws: A `DecodingError`, as `decode(_:from:named:at:)` for bytes.
  public func decode<T: Decodable>(
    _ type: T.Type, from text: String, named name: String? = nil, at path: ValuePath? = nil
  ) throws -> T {
    var decoder = self
    decoder.reading.encoding = "UTF-8"
    return try decoder.decode(type, from: text.utf8, named: name, at: path)
  }

  /// Decodes the contents of an input.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - input: The input, such as a `FileInput`.
  ///   - name: The name of the input, used if the content has no signature; nil for the path of a file.
  ///   - path: The path of the value to decode, or nil for the whole.
  /// - Throws: A `DecodingError`, as `decode(_:from:named:at:)` for bytes.
  public func decode<T: Decodable>(
    _ type: T.Type, from input: any ByteInput, named name: String? = nil, at path: ValuePath? = nil
  ) throws -> T {
    let found: Found<T>
    do throws(FerryError) {
      found = try self.found(in: input, named: name, isWhole: path?.isEmpty ?? true)
    } catch {
      throw error.placed(in: input).decodingError(of: type, path: [])
    }
    do {
      return try decode(type, found, at: path)
    } catch let error as DecodingError {
      throw error.placed(inFile: input.path)
    }
  }

  private func decode<T: Decodable>(_ type: T.Type, _ found: Found<T>, at path: ValuePath?) throws -> T {
    switch found {
    case .decoded(let value): return value
    case .archive(let objects):
      return try decode(type, in: objects, at: path)
    case .value(let root, let source, let decoding):
      do {
        return try decoding.decode(type, try decoding.part(of: root, at: path, as: type))
      } catch let error as DecodingError {
        throw error.placed { context in decoding.filePath(of: context).flatMap(source.location) }
      }
    }
  }

  /// Decodes a value.
  ///
  ///     let value: Value = ["people": [["first": "Ada", "last": "Lovelace"]]]
  ///     try FerryDecoder().decode(Person.self, from: value, at: "people[0]")
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - value: The value.
  ///   - path: The path of the part to decode, or nil for the whole. It must not match several parts.
  /// - Throws: A `DecodingError` with the coding path.
  public func decode<T: Decodable>(
    _ type: T.Type, from value: Value, at path: ValuePath? = nil
  ) throws -> T {
    let part: Value
    do throws(FerryError) {
      part = if let path { try value.value(at: path) } else { value }
    } catch {
      throw error.decodingError(of: type, path: [])
    }
    return try ValueDecoding(self, of: nil).decode(type, CodedValue(part))
  }

  /// The contents of a file.
  private enum Found<T> {
    case archive(ArchiveObjects)
    case value(CodedValue, DecodedSource, ValueDecoding)
    /// A list that was decoded while it was read.
    case decoded(T)
  }

  /// Reads a file.
  ///
  /// - Parameter isWhole: True to decode the whole, which may be a list.
  private func found<T: Decodable>(
    in input: any ByteInput, named name: String?, isWhole: Bool
  ) throws(FerryError) -> Found<T> {
    let detected = try DetectedInput(input, named: name, reading)
    if reading.select == nil, let objects = try detected.archive() { return .archive(objects) }
    var options = reading
    (options.csv.readsEmptyCellsAsNull, options.csv.readsEmptyLinesAsNull) = (true, true)
    (options.format, options.encoding) = (detected.format, detected.isTranscoded ? nil : reading.encoding)
    let source = DecodedSource(
      input: detected.input, name: detected.name, options: options)
    let isOfElements = detected.format.recordDialect.hasElements
    let types = isOfElements ? RootTypes.find(in: detected.head, options.xml, budget: options.budget) : nil
    let role = detected.format.roleOfValue(isWrapped: types?.wrapper != nil)
    // The elements around selected ones are not read.
    let decoding = ValueDecoding(self, of: detected.format, reading.select == nil ? .none : .unknown)
    if isWhole, let list = T.self as? any StreamedList.Type,
      let decoded = try list.decoded(from: source, role, by: decoding) as? T
    {
      return .decoded(decoded)
    }
    return .value(CodedValue(try source.value(), role), source, decoding)
  }

  private func decode<T: Decodable>(
    _ type: T.Type, in objects: ArchiveObjects, at path: ValuePath?
  ) throws -> T {
    let decoder = archiveDecoder
    guard let path, !path.isEmpty else {
      let name = objects.top.count == 1 ? objects.top.first?.name : nil
      return try decoder.decode(type, named: name ?? "root", in: objects)
    }
    let node: NodeID
    do throws(FerryError) {
      node = try PathWalker(of: objects).node(at: path)
    } catch {
      throw error.decodingError(of: type, path: [])
    }
    return try ArchiveDecoding(objects, decoder).decode(type, at: ArchivedLocation(node: node))
  }

  /// The decoder of archives with the settings of this decoder.
  var archiveDecoder: KeyedArchiveDecoder {
    var decoder = KeyedArchiveDecoder(classes: classes)
    (decoder.budget, decoder.userInfo) = (reading.budget, userInfo)
    return decoder
  }
}

extension PathWalker {
  /// Creates a resolver of paths in an archive.
  fileprivate init(of objects: ArchiveObjects) {
    self.init(
      nodes: objects.nodes, archive: objects, decodedForms: ArchiveDecodedForms(of: objects, .standard, .all),
      lastKeyWins: false)
  }

  /// Returns the node of the value at a path.
  fileprivate func node(at path: ValuePath) throws(FerryError) -> NodeID {
    let start = try start(path.steps[...])
    var (location, walked) = (start.location, ValuePath(Array(path.steps.prefix(start.taken))))
    for step in path.steps.dropFirst(start.taken) {
      do throws(FerryError) {
        guard let next = try self.step(step, from: location) else {
          throw FerryError(.path(.noStep(step.inWords, into: try name(of: location))))
        }
        location = next
      } catch {
        throw error.placed(path: walked)
      }
      walked = walked.appending(step)
    }
    // A part of a decoded form is not a value of the archive.
    guard location.inner.isEmpty else {
      throw FerryError(.path(.noStep("archived value", into: try name(of: location))), path: walked)
    }
    return location.node
  }
}
