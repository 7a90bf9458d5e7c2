/// A conversion of an input in parts, by several threads.
///
///     input ▸ parts or ranges of elements ▸ a reader, adapters and a writer for each part ▸ texts, in order ▸ output
///
/// The result is exactly that of one thread. If a part has an error or anything that depends on other parts, the input is
/// converted anew by one thread, which finds the same errors, losses and notes as without parts, and writes only what was not
/// written before.
final class PartedConversion {
  /// The outcome of the conversion.
  enum Outcome {
    case complete(Facts)
    /// One thread has to convert the input from its beginning, and write to this output.
    case incomplete(any ByteOutput)
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
  private let exchange = PartExchange()
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
  private let threadCount: Int
  private let mayHaveEmptyParts: Bool
  /// The largest number of parts of the input.
  private let mostParts: Int
  private var cutCount = 0
  private var joinedCount = 0
  /// The number of records in the parts that were joined.
  private var recordCount = 0

  /// Creates a conversion. Fails if the texts of parts cannot be joined.
  init?(
    _ conversion: Conversion, _ converter: PartConverter, _ parts: InputParts, _ sizes: PartSizes,
    mostParts: Int, to output: any ByteOutput
  ) throws(FerryError) {
    guard let layout = conversion.writing.format.description.listLayout, let empty = converter.emptyList(),
      let list = JoinedList(layout, empty: empty.bytes), empty.losses.isEmpty || !conversion.isStrict
    else { return nil }
    (self.converter, self.list, self.output) = (converter.expecting(empty.losses), list, output)
    (self.sizes, isStrict) = (sizes, conversion.isStrict)
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
    (threadCount, self.mostParts) = (conversion.threads, mostParts)
  }

  /// Converts an input.
  ///
  /// - Throws: An error of the output.
  func convert(_ input: any ByteInput) throws(FerryError) -> Outcome {
    defer { exchange.end() }
    do throws(FerryError) {
      for _ in 0..<threadCount { try exchange.startThread(converter) }
      if let rest = try cut(input) {
        try put(InputParts.Part(index: cutCount, bytes: rest, isLast: true))
      }
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
      try tentative?.takeBack()
      return .incomplete(held.writtenCount == 0 ? output : RestOutput(of: output, after: held.writtenCount))
    }
  }

  /// Cuts a text. Returns the bytes of the last part; nil for a binary file.
  private func cut(_ input: any ByteInput) throws(FerryError) -> [UInt8]? {
    guard cutter != nil else { return nil }
    try input.forEachChunk { chunk throws(FerryError) in try add(chunk) }
    return cutter.take()?.rest()
  }

  private func add(_ chunk: Span<UInt8>) throws(FerryError) {
    var start = 0
    while start < chunk.count {
      let end = min(start + sizes.part, chunk.count)
      let part = try cutter?.add(chunk.extracting(start..<end)) { exchange.spareParts.take(capacity: $0) }
      if let part { try put(InputParts.Part(index: cutCount, bytes: part, isLast: false)) }
      start = end
    }
  }

  private func put(_ part: InputParts.Part) throws(FerryError) {
    exchange.put(part)
    cutCount += 1
    guard cutCount <= mostParts else { throw .stopped }
    // So many parts are in memory that no thread has to wait for the others.
    while cutCount - joinedCount >= 2 * threadCount { try join() }
  }

  /// Joins the text of the next part, in the order of the input.
  private func join() throws(FerryError) {
    guard let text = exchange.text(at: joinedCount), let pieces = list.add(text.bytes),
      text.losses.isEmpty || !isStrict, costCheck?.add(text.costs) ?? true, newForms.add(text.newForms),
      newForms.count <= mostNewForms
    else { throw .stopped }
    joinedCount += 1
    let first = recordCount
    losses.add(text.losses) { $0.movingIndex(by: first) }
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

extension ValuePath {
  /// Returns the path with a number added to its first step, which is an index.
  fileprivate func movingIndex(by count: Int) -> ValuePath {
    guard case .index(let index)? = steps.first else { return self }
    return ValuePath([.index(index + count)] + steps.dropFirst())
  }
}
