extension Inspection {
  /// Inspects an input of any format that Ferry reads.
  ///
  ///     let inspection = try Inspection(reading: MemoryInput(Array(#"[{"a": 1}, {"a": 2}]"#.utf8)))
  ///     inspection.format                    // .json
  ///     inspection.values?.records           // 2
  ///     inspection.values?.keys[0].types     // [("integer", 2)]
  ///
  /// The format is detected from the content, then from the name, unless `format` is given. JSON, XML and XML
  /// property lists are read as streams; if they are not well-formed, an error with the source location is
  /// thrown. Binary files and archives are inspected as far as possible, and their defects become warnings.
  /// Shared values are counted once, and collections that contain themselves are allowed.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - name: The file name of the input.
  ///   - format: The format of the input, or nil to detect it.
  ///   - encoding: The encoding of a text that does not show it, or nil.
  ///   - budget: The limits on the cost of the inspection.
  ///   - expands: Pass true to also inspect files inside data values (`blobs.first[0].inspection`), and files
  ///     inside those, up to `budget.nesting` levels. A nested file that cannot be read becomes a warning.
  /// - Throws: A `FerryError` if the input cannot be read.
  public init(
    reading input: any ByteInput, named name: String? = nil, format: Format? = nil, encoding: String? = nil,
    budget: Budget = Budget(), expands: Bool = false
  ) throws(FerryError) {
    try self.init(
      reading: input, named: name, format: format, declared: DeclaredFormats(), encoding: encoding,
      budget: budget, expands: expands)
  }

  /// Inspects an input whose format a document type may declare.
  package init(
    reading input: any ByteInput, named name: String?, format: Format?, declared: DeclaredFormats,
    encoding: String?, budget: Budget, expands: Bool = false
  ) throws(FerryError) {
    let nested = NestedInspection(expands: expands, budget: budget)
    let detected: DetectedInput
    do throws(FerryError) {
      detected = try DetectedInput(
        input, named: name, given: format, declared: declared, encoding: encoding, budget: budget,
        opensArchive: true)
      try detected.checkNotEmpty()
    } catch {
      throw error.placed(in: input)
    }
    do throws(FerryError) {
      try self.init(detected, encoding, budget, nested)
      if let name = detected.transcodedFrom { self.encoding = name }
      (compressions, isSigned) = (detected.compressions, detected.isSigned)
    } catch {
      throw detected.explaining(error).placed(in: input)
    }
  }

  private init(
    _ detected: DetectedInput, _ encoding: String?, _ budget: Budget, _ nested: NestedInspection?
  ) throws(FerryError) {
    switch detected.format.description.reader {
    case .nodes(let open):
      let counted = CountedInput(detected.input)
      let nodes = try open(counted, budget)
      try self.init(nodes, byteCount: counted.byteCount, of: detected, nested)
    case .elements: try self.init(xml: detected, budget, nested)
    case .database: try self.init(database: detected, budget, nested)
    case .stream, .typedstream, .files:
      try self.init(events: detected, detected.isTranscoded ? nil : encoding, budget, nested)
    case nil: throw FerryError(.file(.notRead(detected.format.rawValue)))
    }
  }

  /// Inspects a property list. The content determines whether it is an archive, unless the format is given.
  private init(
    _ nodes: any PropertyListNodes, byteCount: Int, of detected: DetectedInput, _ nested: NestedInspection?
  ) throws(FerryError) {
    let format = detected.format
    let isArchive = detected.isGiven ? format.isArchive : (try? nodes.isKeyedArchive) == true
    let archive = isArchive ? format.asArchive : nil
    self.init(format.asPropertyList, byteCount: byteCount, encoding: TextEncodingName.of(detected))
    if let list = nodes as? BinaryPropertyList {
      let survey = try NodeSurvey(list, nested: nested)
      inspect(survey, archive: archive)
      if !detected.isGiven, !isArchive, (try? list.hasArchiveKeys) == true {
        warnings.add(.notAnArchive, "its $archiver, $objects and $top are not those of an archive")
      }
      table = ObjectTable(survey, warnings: &warnings)
    } else {
      try inspect(nodes, nested, archive: archive)
    }
  }

  private mutating func inspect(
    _ nodes: some PropertyListNodes, _ nested: NestedInspection?, archive format: Format?
  ) throws(FerryError) {
    inspect(try NodeSurvey(nodes, nested: nested), archive: format)
  }

  private mutating func inspect(_ survey: NodeSurvey<some PropertyListNodes>, archive format: Format?) {
    if let format {
      if var inspector = ArchiveInspector(survey) {
        self.format = format
        return inspector.inspect(into: &self)
      }
    }
    var inspector = PropertyListInspector(survey)
    inspector.inspect(into: &self)
    if format != nil { warnings.add(.notAnArchive, "it has no array $objects") }
  }

  /// Inspects a document of XML: its elements, and its values if it was written with types.
  private init(
    xml detected: DetectedInput, _ budget: Budget, _ nested: NestedInspection?
  ) throws(FerryError) {
    let hasTypes = RootTypes.find(in: detected.head, XMLReadingOptions(), budget: budget) != nil
    if hasTypes { try detected.input.makeRewindable() }
    let survey = ElementSurvey()
    let losses = LossReport(limit: 0)
    let stream = try XMLStream(document: survey, budget: budget, losses: losses)
    let byteCount = try Self.read(detected.input, with: stream)
    self.init(.xml, byteCount: byteCount, encoding: TextEncodingName.ofXML(detected.head))
    document = survey.result(losses)
    if hasTypes {
      try detected.input.rewind()
      let survey = ValueSurvey(nested: nested)
      var options = ReadingOptions()
      (options.budget, options.xml) = (budget, options.xml.forPaths(findsTypes: true))
      try XMLSource(detected.input, options, reporting: LossReport(limit: 0)).send(into: survey)
      (values, blobs, warnings) = (survey.result(), survey.blobs, survey.warnings)
      locateWarnings(in: detected, options)
    }
    if document?.hasAllNames == false { warnings.add(.tooManyNames) }
  }

  /// Inspects a database: its tables, and its rows as values.
  private init(
    database detected: DetectedInput, _ budget: Budget, _ nested: NestedInspection?
  ) throws(FerryError) {
    try detected.input.makeRewindable()
    try self.init(events: detected, nil, budget, nested)
    try detected.input.rewind()
    let file = try SQLiteFile(detected.input, budget: budget)
    store = try Store(file, budget: budget, warnings: &warnings)
    byteCount = file.byteCount
  }

  /// Inspects a file whose format is read as a stream of values.
  private init(
    events detected: DetectedInput, _ encoding: String?, _ budget: Budget, _ nested: NestedInspection?
  ) throws(FerryError) {
    let survey = ValueSurvey(nested: nested)
    let counted = CountedInput(detected.input)
    var options = ReadingOptions()
    (options.format, options.encoding, options.budget) = (detected.format, encoding, budget)
    options.xml = options.xml.forPaths(findsTypes: true)
    try options.read(counted, named: detected.name, into: survey) { survey.path }
    // The files of a ZIP archive are read where they are, and not by this input.
    let byteCount = counted.byteCount > 0 ? counted.byteCount : detected.input.sizeOfFile ?? 0
    self.init(
      detected.format, byteCount: byteCount, encoding: encoding ?? TextEncodingName.of(detected))
    values = survey.result()
    blobs = survey.blobs
    warnings = survey.warnings
    if !detected.format.isDatabase { locateWarnings(in: detected, options) }
  }

  /// Adds the source locations of warnings about values, for which the input is read once more, if that is possible.
  private mutating func locateWarnings(in detected: DetectedInput, _ options: ReadingOptions) {
    var options = options
    options.format = detected.format
    warnings.locate(ofElements: detected.format.isOfElements) { sink, locator throws(FerryError) in
      try detected.input.rewind()
      try options.read(detected.input, named: detected.name, into: sink, locator: locator)
    }
    guard !detected.showsBytes else { return }
    for index in warnings.first.indices where warnings.first[index].location.line != nil {
      warnings.change(at: index) { $0.location.byte = nil }
    }
  }

  /// Reads an input to its end, and returns its size in bytes.
  private static func read(_ input: any ByteInput, with reader: any ChunkReader) throws(FerryError) -> Int {
    var byteCount = 0
    try input.forEachChunk { chunk throws(FerryError) in
      byteCount += chunk.count
      try reader.read(chunk)
    }
    try reader.finish()
    return byteCount
  }
}

/// An input that counts the bytes read from it.
private final class CountedInput: SizedInput {
  private let input: any ByteInput
  private(set) var byteCount = 0

  init(_ input: any ByteInput) { self.input = input }

  var path: String? { input.path }
  var sizeOfFile: Int? { input.sizeOfFile }

  func peek(upTo count: Int) throws(FerryError) -> [UInt8] { try input.peek(upTo: count) }

  func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
    byteCount = 0
    try input.forEachChunk { chunk throws(FerryError) in
      byteCount += chunk.count
      try body(chunk)
    }
  }

  func readAll(limit: Int) throws(FerryError) -> [UInt8] {
    let bytes = try input.readAll(limit: limit)
    byteCount = bytes.count
    return bytes
  }

  func makeRewindable() throws(FerryError) { try input.makeRewindable() }
  func rewind() throws(FerryError) { try input.rewind() }
}

/// The name of a text encoding.
private enum TextEncodingName {
  /// Returns the name of an input's text encoding, or nil for binary formats.
  static func of(_ detected: DetectedInput) -> String? {
    switch detected.format.description.textEncoding {
    case .utf8: "UTF-8"
    case .declared, .marked: ofXML(detected.head)
    case nil: nil
    }
  }

  /// Detects the encoding of XML from its byte order mark, its zero bytes or its declaration: `UTF-8`,
  /// `UTF-16`, `ISO-8859-1`.
  static func ofXML(_ head: [UInt8]) -> String {
    switch XMLTextEncoding.detect(head.span).encoding {
    case .utf16BigEndian: return "UTF-16, big-endian"
    case .utf16LittleEndian: return "UTF-16, little-endian"
    case .utf8: break
    }
    let declaration = String(decoding: head.prefix(200).prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
    guard declaration.contains("<?xml"),
      let name = declaration.split(separator: "encoding", maxSplits: 1).dropFirst().first
    else { return "UTF-8" }
    let quoted = name.drop { $0 != "\"" && $0 != "'" }
    guard let quote = quoted.first else { return "UTF-8" }
    return String(quoted.dropFirst().prefix { $0 != quote }).uppercased()
  }
}
