/// A conversion of an input in parts, by several threads.
///
///     input ▸ parts or ranges of elements ▸ a reader, adapters and a writer for each part ▸ texts, in order ▸ output
///
/// The result is exactly that of one thread. If a part has an error or anything that depends on other parts, the input is
/// converted anew by one thread, which finds the same errors, losses and notes as without parts, and writes only what was not
/// written before. If the input can be read only once, one thread goes on with that part instead.
final class PartedConversion {
  /// The outcome of the conversion.
  enum Outcome {
    case complete(Facts)
    /// One thread has to convert the input from its beginning, and write to this output.
    case incomplete(any ByteOutput)
    /// One thread has to convert the rest of the input.
    case begun(Rest)
  }

  /// The rest of a conversion of an input that can be read only once.
  struct Rest {
    let input: ContinuedInput
    let start: InputRest
    /// The output for the text of a list with the records of the rest.
    let output: JoinedOutput
    /// The last bytes of the output.
    let held: HeldOutput
    /// The facts about the input before its rest.
    let facts: Facts
  }

  /// The facts about the whole input that its parts show.
  struct Facts {
    var losses = Losses()
    /// The forms of the elements in selected elements of XML.
    var listForms = ListForms()
    /// The indices of the lists in the options that an element has had the path of; nil if they are not needed.
    var usedLists: Set<Int>?
  }

  private let converter: PartConverter
  private let sizes: PartSizes
  private let isStrict: Bool
  private let output: any ByteOutput
  private let exchange: PartExchange
  /// The input if it can be read only once; otherwise nil.
  private let stream: (any ResumableInput)?
  private var unjoined: UnjoinedParts?
  /// The cutter of a text; nil for a binary file.
  private var cutter: PartCutter?
  /// The ranges of a binary file, and the check of their costs.
  private let ranges: [Range<Int>]
  private var costCheck: NodeCostCheck?
  /// True if losses are listed with their paths.
  private let listsLosses: Bool
  private var list: JoinedList
  /// The text so far, if it is certain only when the input has ended: rows, all of whose columns are known then, or the values of an XML
  /// document without a schema, all of whose elements have the forms that the values show. Otherwise nil.
  private let tentative: TentativeOutput?
  private let held: HeldOutput
  private let losses = LossReport()
  private var facts = Facts()
  /// The forms of the elements of an XML document whose paths its beginning lacks, and the maximum number of these paths.
  private var newForms = XMLPathForms()
  private let mostNewForms: Int
  /// The names and paths in the elements of XML. All parts together may have as many as the budget allows.
  private var names: XMLJoinedNames
  private let threadCount: Int
  private let mayHaveEmptyParts: Bool
  private var cutCount = 0
  private var joinedCount = 0
  /// The number of records in the parts that were joined.
  private var recordCount = 0
  /// True if the text of the next part cannot be joined.
  private var hasFailed = false

  /// Creates a conversion. Fails if the texts of parts cannot be joined.
  init?(
    _ conversion: Conversion, _ converter: PartConverter, _ parts: InputParts, _ sizes: PartSizes,
    to output: any ByteOutput, stream: (any ResumableInput)? = nil
  ) throws(FerryError) {
    guard let layout = conversion.writing.format.description.listLayout, let empty = converter.emptyList(),
      let list = JoinedList(layout, empty: empty.bytes), empty.losses.isEmpty || !conversion.isStrict
    else { return nil }
    (self.converter, self.list, self.output) = (converter.expecting(empty.losses), list, output)
    (self.sizes, isStrict, self.stream) = (sizes, conversion.isStrict, stream)
    let keepsParts = stream?.isRewindable == false
    exchange = PartExchange(keepsParts: keepsParts)
    unjoined = keepsParts ? parts.boundary.map(UnjoinedParts.init) : nil
    cutter = parts.boundary.map { PartCutter(at: $0, sizes) }
    ranges = parts.ranges?.ranges(sizes) ?? []
    costCheck = try converter.costCheck()
    (mayHaveEmptyParts, listsLosses) = (parts.mayHaveEmptyParts, conversion.listsLosses)
    losses.add(empty.losses)
    if let beginning = parts.beginning {
      tentative = try TentativeOutput(output, limit: conversion.oneReading.mostHeld)
      mostNewForms = conversion.reading.budget.names - beginning.count
    } else {
      tentative = layout == .rows ? try TentativeOutput(output) : nil
      mostNewForms = 0
    }
    held = HeldOutput(output) { [exchange] in exchange.spareTexts.add($0) }
    names = XMLJoinedNames(budget: conversion.reading.budget)
    threadCount = conversion.threads
  }

  /// Converts an input.
  ///
  /// - Throws: An error of the output.
  func convert(_ input: any ByteInput) throws(FerryError) -> Outcome {
    defer {
      exchange.end()
      stream?.patience = nil
    }
    var rest = stream.map { ContinuedInput.Rest.input($0) } ?? .nothing
    do throws(FerryError) {
      for _ in 0..<threadCount { try exchange.startThread(converter) }
      if cutter != nil { try cut(input, rest: &rest) }
      for range in ranges {
        let lists = listsLosses && !losses.isListFull
        try put(InputParts.Part(index: cutCount, elements: range, listsLosses: lists))
      }
      while joinedCount < cutCount { try join() }
      // If an XPath selects nothing in all parts, that is a loss.
      guard recordCount > 0 || !mayHaveEmptyParts else { throw .stopped }
      try finish()
      facts.losses = losses.all
      return .complete(facts)
    } catch {
      if let error = held.error { throw error }
      if let rest = try begun(rest) { return .begun(rest) }
      try tentative?.takeBack()
      return .incomplete(held.writtenCount == 0 ? output : RestOutput(of: output, after: held.writtenCount))
    }
  }

  /// Cuts a text, and puts all of its parts.
  ///
  /// - Parameter rest: The input after the bytes that were cut.
  private func cut(_ input: any ByteInput, rest: inout ContinuedInput.Rest) throws(FerryError) {
    stream?.patience = sizes.patience.part
    do throws(FerryError) {
      try input.forEachChunk { chunk throws(FerryError) in try add(chunk) }
    } catch {
      if !error.isStop { rest = .failure(error) }
      throw error
    }
    rest = .nothing
    unjoined?.isComplete = true
    try put(cutter?.takeRest() ?? [], isLast: true)
  }

  /// Returns the rest of the conversion, if the input can be read only once.
  ///
  /// - Parameter rest: The input after the bytes that were cut.
  private func begun(_ rest: ContinuedInput.Rest) throws(FerryError) -> Rest? {
    guard unjoined != nil else { return nil }
    // A pipe that is too slow has parts that can be joined.
    do throws(FerryError) {
      while !hasFailed, joinedCount < cutCount { try join() }
    } catch {
      if let error = held.error { throw error }
    }
    // A strict conversion may still fail, and then leaves what a writer's buffer may hold back.
    if !isStrict { try held.finish() }
    guard let unjoined else { return nil }
    facts.losses = losses.all
    let pieces = unjoined.pieces(before: cutter?.takeRest() ?? [])
    return Rest(
      input: ContinuedInput(pieces, rest: rest),
      start: InputRest(
        locations: unjoined.locations, recordCount: recordCount, names: names.joined),
      output: JoinedOutput(to: isStrict ? held : output, after: list), held: held, facts: facts)
  }

  private func add(_ chunk: Span<UInt8>) throws(FerryError) {
    var start = 0
    while start < chunk.count {
      let end = min(start + sizes.part, chunk.count)
      do throws(FerryError) {
        let part = try cutter?.add(chunk.extracting(start..<end)) { exchange.spareParts.take(capacity: $0) }
        if let part { try put(part, isLast: false) }
      } catch {
        unjoined?.unread = Array(copying: chunk.extracting(droppingFirst: end))
        throw error
      }
      start = end
    }
  }

  /// Puts a part of a text.
  private func put(_ bytes: [UInt8], isLast: Bool) throws(FerryError) {
    unjoined?.add(bytes)
    try put(InputParts.Part(index: cutCount, bytes: bytes, isLast: isLast))
  }

  private func put(_ part: InputParts.Part) throws(FerryError) {
    exchange.put(part)
    cutCount += 1
    // So many parts are in memory that no thread has to wait for the others. The records of a pipe are written as soon as possible.
    while cutCount - joinedCount >= 2 * threadCount || stream != nil && exchange.hasText(at: joinedCount) {
      try join()
    }
    stream?.patience = sizes.patience.part
  }

  /// Joins the text of the next part, in the order of the input.
  private func join() throws(FerryError) {
    guard let text = exchange.text(at: joinedCount), text.losses.isEmpty || !isStrict,
      costCheck?.add(text.costs) ?? true, names.add(text.names),
      newForms.add(text.newForms), newForms.count <= mostNewForms,
      // The reader of the last part finds that an XPath selects nothing in all parts.
      unjoined?.hasOnlyLast != true || !mayHaveEmptyParts || recordCount + text.recordCount > 0,
      let pieces = list.add(text.bytes)
    else {
      hasFailed = true
      throw .stopped
    }
    joinedCount += 1
    names.join()
    let start = InputRest(locations: unjoined?.locations ?? MovedLocations(), recordCount: recordCount)
    losses.add(start.moved(text.losses))
    if let part = unjoined?.removeFirst(to: text.end) { exchange.spareParts.add(part) }
    if let forms = text.listForms { facts.listForms.add(forms) }
    if let used = text.usedLists { facts.usedLists = used.union(facts.usedLists ?? []) }
    recordCount += text.recordCount
    for (index, piece) in pieces.enumerated() {
      if let tentative {
        try tentative.write(piece.span)
      } else {
        try held.add(piece, of: index + 1 == pieces.count ? text.bytes : [])
      }
    }
    if tentative != nil { exchange.spareTexts.add(text.bytes) }
  }

  private func finish() throws(FerryError) {
    try tentative?.forEachWaitingChunk { chunk throws(FerryError) in try held.write(chunk) }
    try held.add(list.end)
    try held.finish()
  }
}
