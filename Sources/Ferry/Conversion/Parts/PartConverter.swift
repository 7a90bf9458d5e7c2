/// A converter of the parts of an input. Several threads can use it.
struct PartConverter: Sendable {
  /// The text of a part in the format of the output.
  struct Text: Sendable {
    let bytes: [UInt8]
    let recordCount: Int
    /// The losses in the part, whose paths begin with the indices of the records.
    let losses: Losses
    /// The forms of the elements in selected elements of XML; nil for other records.
    let listForms: ListForms?
    /// The forms of the elements of an XML document whose paths its beginning lacks.
    let newForms: XMLPathForms
    /// The indices of the lists in the options that elements matched; nil if they are not needed.
    let usedLists: Set<Int>?
    /// The names and paths in the elements of XML; nil for other inputs.
    let names: XMLPartNames?
    /// The costs of the elements of a binary file.
    var costs = NodeCosts()
    /// The location after the part, if it is a text of its own.
    var end = InputLocation()
  }

  private let conversion: Conversion
  private let schema: Schema?
  let options: ReadingOptions
  let parts: InputParts
  /// The losses of the list itself, which the text of each range of elements has before those of its records.
  private var lossesOfList = Losses()
  private let largestText: Int
  /// True if the losses have their source locations in the framed part, because the input cannot be read again for them.
  private let locatesLosses: Bool
  /// True if the source locations of losses are kept. Those in a part of a text are not those in the whole input, unless they can be moved.
  private let keepsLocations: Bool

  /// Creates a converter.
  ///
  /// - Parameters:
  ///   - locatesLosses: Pass true for an input that can be read only once.
  init(
    _ conversion: Conversion, _ schema: Schema?, _ options: ReadingOptions, _ parts: InputParts,
    _ sizes: PartSizes, locatesLosses: Bool = false
  ) {
    self.locatesLosses = locatesLosses
    var (conversion, options) = (conversion, options)
    // The first loss in a part is not the first one of a strict conversion.
    conversion.isStrict = false
    if parts.ranges != nil {
      largestText = sizes.largestText(threads: conversion.threads)
      keepsLocations = true
    } else {
      // Below the floor, any expansion is allowed. A part may be below it although the whole input is not.
      conversion.reading.budget.amplificationFloor = 0
      largestText = .max
      keepsLocations = locatesLosses
    }
    options.budget = conversion.reading.budget
    // An input that has parts is a list, unless it is a document around one.
    if parts.beginning == nil { options.findsRecordList = false }
    (self.conversion, self.schema, self.options, self.parts) = (conversion, schema, options, parts)
  }

  /// Converts a part. Returns nil if its text or its losses depend on other parts, or if it has an error.
  ///
  /// - Parameter spare: An empty array whose memory is used for the text.
  func convert(_ part: InputParts.Part, reusing spare: consuming [UInt8]) -> Text? {
    switch part.content {
    case .text(let bytes, let isLast):
      return convert(bytes, isFirst: part.index == 0, isLast: isLast, reusing: spare)
    case .elements(let elements, let listsLosses):
      guard let ranges = parts.ranges else { return nil }
      return convert(elements, of: ranges, listsLosses: listsLosses, reusing: spare)
    }
  }

  /// Converts a piece of a text.
  private func convert(
    _ bytes: [UInt8], isFirst: Bool, isLast: Bool, reusing spare: consuming [UInt8]
  ) -> Text? {
    guard let source = try? parts.open(bytes, isFirst: isFirst, isLast: isLast) else { return nil }
    let locator =
      locatesLosses && source.needsLocations(options.schema, keepsGoing: false)
      ? SourceLocator(locatesValues: true) : nil
    var text = try? text(of: source, locator: locator, into: spare, accepting: areOfRecords) {
      source, sink, losses throws(FerryError) in
      guard let beginning = parts.beginning else {
        try source.send(into: sink, options, losses: losses, locator: locator)
        return XMLPathForms()
      }
      guard let forms = try source.sendPart(into: sink, options, losses: losses, after: beginning) else {
        throw .stopped
      }
      return forms
    }
    if locatesLosses { text?.end = InputLocation(endOfPart: bytes, isFirst: isFirst) }
    return text
  }

  /// Returns a converter of parts that begin with the losses of the list.
  func expecting(_ losses: Losses) -> PartConverter {
    var converter = self
    converter.lossesOfList = losses
    return converter
  }

  /// Returns the report for the reader of a part. Another part may have the elements that an XPath selects.
  private func lossesOfReader(_ losses: LossReport) -> LossReport {
    parts.mayHaveEmptyParts ? losses.withoutEmptySelection : losses
  }

  /// Returns the text of a list without records, in the dictionaries around it; nil if no such list is written.
  func emptyList() -> Text? {
    if let ranges = parts.ranges { return emptyList(of: ranges) }
    return try? text(of: parts.openNothing(), into: [], accepting: areOfRecords) {
      _, sink, _ throws(FerryError) in
      for key in parts.keysAroundList {
        try sink.beginDictionary(count: 1)
        try sink.key(BorrowedText(key.span))
      }
      try sink.beginArray(count: nil)
      try sink.endArray()
      for _ in parts.keysAroundList { try sink.endDictionary() }
      return XMLPathForms()
    }
  }

  /// Returns the text of the list that a function sends. Returns nil if its losses cannot be joined.
  ///
  /// - Parameters:
  ///   - canJoin: Returns true if losses besides those of the list can be joined with those of other parts.
  ///   - send: Returns the forms of the elements whose paths the beginning of the document lacks.
  func text(
    of source: OpenedInput, listsLosses: Bool = true, locator: SourceLocator? = nil,
    into spare: consuming [UInt8], accepting canJoin: (Losses) -> Bool,
    send: (OpenedInput, any ValueSink, LossReport) throws(FerryError) -> XMLPathForms
  ) throws(FerryError) -> Text? {
    let output = MemoryOutput(reusing: spare, limit: largestText)
    let losses = listsLosses ? LossReport() : LossReport(limit: 0)
    let pipeline = try Pipeline(
      conversion, schema: schema, source: SourceFacts(source, options), to: output, losses: losses,
      locator: locator)
    let forms = try send(source, pipeline.first, lossesOfReader(losses))
    try pipeline.first.finish()
    guard let lossesOfRecords = losses.all.dropping(lossesOfList), canJoin(lossesOfRecords) else {
      return nil
    }
    return Text(
      bytes: output.takeBytes(), recordCount: pipeline.sentCount,
      losses: keepsLocations ? lossesOfRecords : lossesOfRecords.withoutLocations(),
      listForms: source.listForms, newForms: forms, usedLists: source.usedLists, names: source.names)
  }

  /// Returns true if losses in a text are those of records, all of which a report lists. There must be none while there are dictionaries around
  /// the list: the records in them are not counted, so that the indices in the paths of losses are not known.
  private func areOfRecords(_ losses: Losses) -> Bool {
    (losses.isEmpty || parts.keysAroundList.isEmpty) && losses.haveIndices
      && losses.counts.reduce(0) { $0 + $1.count } == losses.listed.count
  }
}

extension Losses {
  /// True if the path of each listed loss begins with the index of a record.
  var haveIndices: Bool { listed.allSatisfy(\.path.beginsWithIndex) }
}

extension ValuePath {
  /// True if the first step is an index.
  fileprivate var beginsWithIndex: Bool { if case .index? = steps.first { true } else { false } }
}
