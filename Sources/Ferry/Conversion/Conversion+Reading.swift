extension Conversion {
  /// Reads an input and sends its value to a sink as it is, in no target's form; then finishes the sink. `target` does not
  /// matter. XML is read by the schema that is given, or that its root element calls for; archives only by one that is
  /// given. Of an archive's objects, those that are a scalar come as such; all that the catalogue knows come by their
  /// meaning when `meanings` says so.
  ///
  /// With `marksShared`, a collection that a binary property list refers to more than once is an object of no class
  /// (`ObjectClass.none`) with an identity, and a reference from its second meeting on: so what is shared, and even what
  /// contains itself, costs what it weighs.
  public func read(
    _ input: any Input, named name: String? = nil, into sink: any ValueSink, marksShared: Bool = false,
    meanings: MeaningUse = .scalars
  ) throws(Failure) {
    let head = try input.peek(upTo: FormatDetector.headSize)
    let found: Format
    if let source { found = source } else { found = try FormatDetector(head: head, name: name).detect() }
    var exact = self
    exact.target = .archive
    exact.isForCaller = true
    exact.marksShared = marksShared
    let source = try SourceInput(input, format: found, isGiven: self.source != nil, head: head, exact)
    let first: any ValueSink =
      expandsData ? ExpandedData(to: sink, budget: budget, asStored: form == .raw) : sink
    let calledFor =
      matchesSchemas && form == .plain && source.format == .xml ? try source.matchingSchema() : nil
    try source.send(
      into: first, schema: schema ?? calledFor, losses: LossReport(), exact, meanings: meanings)
    try sink.finish()
  }
}

extension Value {
  /// The value of an input of any format.
  public init(reading input: any Input, named name: String? = nil) throws(Failure) {
    let builder = ValueBuilder()
    var reading = Conversion(to: .json)
    reading.matchesSchemas = false
    try reading.read(input, named: name, into: builder)
    self = try builder.result()
  }
}

extension Schema {
  /// A built-in schema by its name, or the schema in a file of any format. What has neither a point nor a slash is a file
  /// only if it is there.
  public init(named name: String) throws(Failure) {
    if let known = Schema.builtIn.first(where: { $0.name == name }) {
      self = known
      return
    }
    guard name.contains("/") || name.contains(".") || Folder.hasSomething(at: name) else {
      throw Failure(.record(.unknownSchema(name, known: Schema.builtIn.map(\.name))))
    }
    var value = try Value(reading: try FileInput(path: name), named: name)
    // An XML document's root element is around the schema.
    if case .dictionary(let entries) = value, entries.count == 1, value["ferry"] == nil,
      let inner = entries.values.first
    {
      value = inner
    }
    try self.init(value)
  }
}

extension Format {
  /// The format of some bytes, with a file's name for those whose content does not tell: what `ferry` finds itself.
  ///
  ///     try Format.of(bytes, named: "people.pplgrp")   // .archive
  public static func of(_ bytes: [UInt8], named name: String? = nil) throws(Failure) -> Format {
    let head = Array(bytes.prefix(FormatDetector.headSize))
    let found = try FormatDetector(head: head, name: name).detect()
    guard found == .binaryPropertyList else { return found }
    return try BinaryPropertyList(bytes).isKeyedArchive ? .archive : found
  }
}
