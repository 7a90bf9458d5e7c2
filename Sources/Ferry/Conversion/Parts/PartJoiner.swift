/// A joiner of the texts of the parts of an input, in the order of the input.
///
/// It also adds up what the parts show of the input: the losses, the forms of elements, and the costs that are limited for the whole input.
final class PartJoiner {
  private let isStrict: Bool
  private let mayHaveEmptyParts: Bool
  private let output: any ByteOutput
  private var list: JoinedList
  /// The text so far, if it is certain only when the input has ended: rows, all of whose columns are known then, or the values of an XML
  /// document without a schema, all of whose elements have the forms that the values show. Otherwise nil.
  private let tentative: TentativeOutput?
  private let held: HeldOutput
  private let spareTexts: SpareBytes
  private let losses = LossReport()
  private var facts = PartedConversion.Facts()
  /// The forms of the elements of an XML document whose paths its beginning lacks, and the maximum number of these paths.
  private var newForms = XMLPathForms()
  private let mostNewForms: Int
  /// The most paths that the parts may have and the beginning of the document lacks. Each is kept with all its names, so that many would take
  /// more memory than one thread does.
  private static let mostNewPaths = 16_384
  /// The names and paths in the elements of XML. All parts together may have as many as the budget allows.
  private var names: XMLJoinedNames
  /// The check of the costs of the ranges of a binary file; nil for a text.
  private var costCheck: NodeCostCheck?
  /// The number of records in the parts that were joined.
  private var recordCount = 0

  /// Creates a joiner of parts that begin with the text of a list without records. Fails if the texts of parts cannot be joined.
  ///
  /// - Parameter spareTexts: Receives the texts that are no longer needed.
  init?(
    _ conversion: Conversion, _ converter: PartConverter, _ parts: InputParts,
    after empty: PartConverter.Text, to output: any ByteOutput, spareTexts: SpareBytes
  ) throws(FerryError) {
    guard let layout = conversion.writing.format.description.listLayout,
      let list = JoinedList(layout, empty: empty.bytes), empty.losses.isEmpty || !conversion.isStrict
    else { return nil }
    (self.list, self.output, self.spareTexts) = (list, output, spareTexts)
    (isStrict, mayHaveEmptyParts) = (conversion.isStrict, parts.mayHaveEmptyParts)
    names = XMLJoinedNames(budget: conversion.reading.budget)
    costCheck = try converter.costCheck()
    losses.add(empty.losses)
    if let beginning = parts.beginning {
      tentative = try TentativeOutput(output, limit: conversion.oneReading.mostHeld)
      mostNewForms = min(conversion.reading.budget.names - beginning.count, Self.mostNewPaths)
    } else {
      tentative = layout == .rows ? try TentativeOutput(output) : nil
      mostNewForms = 0
    }
    held = HeldOutput(output) { spareTexts.add($0) }
  }

  /// True if the report of the losses lists no others.
  var hasFullListOfLosses: Bool { losses.isListFull }

  /// The error of the output.
  var outputError: FerryError? { held.error }

  /// Adds the text of the next part. Returns false if it cannot be joined.
  ///
  /// - Parameters:
  ///   - locations: The locations in the input by those in the part.
  ///   - isLast: True if the part is known to be the last one.
  func add(
    _ text: PartConverter.Text, at locations: MovedLocations, isLast: Bool
  ) throws(FerryError) -> Bool {
    guard text.losses.isEmpty || !isStrict, costCheck?.add(text.costs) ?? true, names.add(text.names),
      newForms.add(text.newForms), newForms.count <= mostNewForms,
      // The reader of the last part finds that an XPath selects nothing in all parts.
      !isLast || !mayHaveEmptyParts || recordCount + text.recordCount > 0,
      let pieces = list.add(text.bytes)
    else { return false }
    names.join()
    losses.add(InputRest(locations: locations, recordCount: recordCount).moved(text.losses))
    if let forms = text.listForms { facts.listForms.add(forms) }
    if let used = text.usedLists { facts.usedLists = used.union(facts.usedLists ?? []) }
    recordCount += text.recordCount
    try write(pieces, of: text.bytes)
    return true
  }

  private func write(_ pieces: [ArraySlice<UInt8>], of text: [UInt8]) throws(FerryError) {
    for (index, piece) in pieces.enumerated() {
      if let tentative {
        try tentative.write(piece.span)
      } else {
        try held.add(piece, of: index + 1 == pieces.count ? text : [])
      }
    }
    if tentative != nil { spareTexts.add(text) }
  }

  /// Ends the list after all parts, and returns the facts about the input.
  func finish() throws(FerryError) -> PartedConversion.Facts {
    // If an XPath selects nothing in all parts, that is a loss.
    guard recordCount > 0 || !mayHaveEmptyParts else { throw .stopped }
    try tentative?.forEachWaitingChunk { chunk throws(FerryError) in try held.write(chunk) }
    try held.add(list.end)
    try held.finish()
    return factsSoFar
  }

  private var factsSoFar: PartedConversion.Facts {
    var facts = facts
    facts.losses = losses.all
    return facts
  }

  /// Returns the conversion of the rest of the input after the parts that were joined.
  ///
  /// - Parameter locations: The locations in the input by those in its rest.
  func rest(_ input: ContinuedInput, at locations: MovedLocations) throws(FerryError) -> PartedConversion.Rest
  {
    // A strict conversion may still fail, and then leaves what a writer's buffer may hold back.
    if !isStrict { try held.finish() }
    return PartedConversion.Rest(
      input: input, start: InputRest(locations: locations, recordCount: recordCount, names: names.joined),
      output: JoinedOutput(to: isStrict ? held : output, after: list), held: held, facts: factsSoFar)
  }

  /// Takes back the text that is not certain, and returns the output for one thread that converts the input from its beginning.
  func outputForOneThread() throws(FerryError) -> any ByteOutput {
    try tentative?.takeBack()
    return held.writtenCount == 0 ? output : RestOutput(of: output, after: held.writtenCount)
  }
}
