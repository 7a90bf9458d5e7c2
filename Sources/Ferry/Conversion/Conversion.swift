/// What is to be converted, and how: a value that may be used for any number of inputs, at the same time too.
///
///     var conversion = Conversion(to: .json)
///     let result = try conversion.convert(archiveBytes, named: "people.pplgrp")
///     // result.bytes: [{"firstName":"Matt","lastName":"Neuburg"}]
public struct Conversion: Sendable {
  /// The input's format; nil to find it by content, then by name.
  public var source: Format?
  /// The output's format.
  public var target: Format
  public var form = Form.plain
  /// How the records look; nil to use a built-in schema where the input is of one.
  public var schema: Schema?
  /// Whether built-in schemas are looked for when none is given.
  public var matchesSchemas = true
  /// The classes whose archived objects come by their meaning, where the output is not an archive.
  public var catalogue = Catalogue.standard
  /// Classes to be renamed in what is written.
  public var classNames: [String: String] = [:]
  /// The root element of XML without a schema; nil to let the value decide.
  public var rootElement: String?
  /// The elements of an XML document that are the records.
  public var select: String?
  /// The table of a database that is read, or that records are written to; nil for all, or for the one that a schema
  /// names.
  public var table: String?
  /// The Core Data store that a new one is a copy of, with other objects; nil for databases of other kinds.
  public var template: StoreTemplate?
  /// Spaces and line ends, where the format leaves a choice.
  public var isPretty = false
  /// Keys in order, whatever their order in the input.
  public var sortsKeys = false
  /// Whether data that holds a property list, an archive or JSON is opened in its place.
  public var expandsData = false
  /// Whether what the target cannot hold is a failure.
  public var isStrict = false
  /// Whether a record that breaks its schema is left out, and the rest goes on.
  public var keepsGoing = false
  /// Whether records of a newer version than the schema knows are read, as if they were of the newest that it knows.
  public var readsNewerVersions = false
  /// Whether the older keys that a schema also writes are written in every format, and not only in archives.
  public var writesOlderKeys = false
  public var budget = Budget()
  /// Whether the value goes to a caller's own sink, as it is, and not as a target would have it.
  var isForCaller = false
  /// Whether a property list's shared collections are sent once, with an identity.
  var marksShared = false

  /// A conversion to a format, everything else as it usually is.
  public init(to target: Format) { self.target = target }

  /// What a conversion says beside its output.
  public struct Report: Sendable {
    /// The format that was read.
    public var source: Format
    /// What the target does not hold.
    public var losses: Losses
    /// The records that were left out.
    public var failures: [Failure]
  }

  /// Converts bytes.
  public func convert(_ bytes: [UInt8], named name: String? = nil) throws(Failure) -> (
    bytes: [UInt8], report: Report
  ) {
    let output = MemoryOutput()
    let report = try convert(MemoryInput(bytes), named: name, to: output)
    return (output.bytes, report)
  }

  /// Converts an input; its name and the output's help where content does not tell the format or the schema.
  public func convert(
    _ input: any Input, named name: String? = nil, to output: any ByteOutput, named outputName: String? = nil
  ) throws(Failure) -> Report {
    try convert(input, named: name, to: output, named: outputName, adapting: RecordAdapters())
  }

  /// The same, with what the caller puts before and behind the mapping of records.
  func convert(
    _ input: any Input, named name: String?, to output: any ByteOutput, named outputName: String?,
    adapting adapters: RecordAdapters
  ) throws(Failure) -> Report {
    let head = try input.peek(upTo: FormatDetector.headSize)
    let found: Format
    if let source { found = source } else { found = try FormatDetector(head: head, name: name).detect() }
    // No lines at all are no records, and a text may be empty; every other format has at least one byte.
    guard !head.isEmpty || found == .jsonLines || found == .text else { throw Failure(.file(.empty)) }
    try checkTarget(named: outputName, output)
    let losses = LossReport()
    let source = try SourceInput(input, format: found, isGiven: self.source != nil, head: head, self)
    var conversion = self
    // An archive that becomes an archive stays what it is, object by object, unless records are to be mapped.
    if source.isArchive, target.isArchive, schema == nil, classNames.isEmpty { conversion.form = .raw }
    if conversion.keepsNodes, try source.writeBinary(to: output, conversion) {
      return Report(source: source.format, losses: losses.all, failures: [])
    }
    // A typedstream is stored as no property list, which raw archives are.
    if source.format == .typedstream, target.isArchive { conversion.form = .plain }
    let schema = try conversion.schemaInUse(for: source, outputName)
    var failures: [Failure] = []
    let pipeline = try Pipeline(
      conversion, schema: schema, source: source, to: output, losses: losses, adapting: adapters
    ) { failures.append($0) }
    do throws(Failure) {
      // Between two archives objects keep their keys; a person reads what they mean.
      try source.send(
        into: pipeline.first, schema: schema, losses: losses, conversion,
        meanings: target.isArchive ? .scalars : .all)
      // Before the end: what the writer still holds is then never written.
      if isStrict, let loss = losses.losses.first { throw Failure(.loss(loss.kind), path: loss.path) }
      try pipeline.first.finish()
    } catch {
      throw error.placed(path: pipeline.path)
    }
    return Report(source: source.format, losses: losses.all, failures: failures)
  }

  /// Refuses a Core Data store that would be made of nothing.
  private func checkTarget(named name: String?, _ output: any ByteOutput) throws(Failure) {
    guard target == .sqlite, template == nil, output.database == nil, let name,
      StoreTemplate.isNeeded(forFileNamed: name)
    else { return }
    throw Failure(.database(.needsTemplate))
  }

  /// Whether a binary target holds just what a binary file, or a typed document of one, does.
  private var keepsNodes: Bool {
    guard schema == nil, classNames.isEmpty, !sortsKeys, !expandsData, select == nil else { return false }
    return target == .binaryPropertyList || (target == .archive && form != .plain)
  }

  var recordOptions: RecordOptions {
    RecordOptions(
      refusesOtherClasses: schema != nil, readsNewerVersions: readsNewerVersions,
      writesOlderKeys: writesOlderKeys)
  }

  /// The schema that is given, or the built-in one that the input or the output's name calls for.
  private func schemaInUse(for source: SourceInput, _ outputName: String?) throws(Failure) -> Schema? {
    guard form == .plain else { return nil }
    var found = schema
    if found == nil, matchesSchemas {
      found = try source.matchingSchema()
      if found == nil, target == .archive, let outputName,
        let fileExtension = FormatDetector.fileExtension(of: outputName)
      {
        found = Schema.builtIn.first { $0.documentExtensions.contains(fileExtension) }
      }
    }
    return found?.renamingClasses(classNames)
  }
}
