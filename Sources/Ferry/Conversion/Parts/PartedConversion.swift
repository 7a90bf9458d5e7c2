/// A conversion of an input in parts, by several threads.
///
///     input ▸ parts or ranges of elements ▸ a reader, adapters and a writer for each part ▸ texts, in order ▸ output
///
/// The result is exactly that of one thread. If a part has an error or anything that depends on other parts, the input is
/// converted anew by one thread, which finds the same errors, losses and notes as without parts, and writes only what was not
/// written before. If the input can be read only once, one thread continues with that part instead.
final class PartedConversion {
  private let converter: PartConverter
  private let sizes: PartSizes
  private let exchange: PartExchange
  private let joiner: PartJoiner
  /// The input if it can be read only once; otherwise nil.
  private let stream: (any ResumableInput)?
  private var unjoined: UnjoinedParts?
  /// The cutter of a text; nil for a binary file.
  private var cutter: PartCutter?
  /// The ranges of a binary file.
  private let ranges: [Range<Int>]
  /// True if losses are listed with their paths.
  private let listsLosses: Bool
  private let threadCount: Int
  private var cutCount = 0
  private var joinedCount = 0
  /// True if the text of the next part cannot be joined.
  private var hasFailed = false

  /// Creates a conversion. Fails if the texts of parts cannot be joined.
  init?(
    _ conversion: Conversion, _ converter: PartConverter, _ parts: InputParts, _ sizes: PartSizes,
    to output: any ByteOutput, stream: (any ResumableInput)? = nil
  ) throws(FerryError) {
    let keepsParts = stream?.isRewindable == false
    exchange = PartExchange(keepsParts: keepsParts)
    guard let empty = converter.emptyList(),
      let joiner = try PartJoiner(
        conversion, converter, parts, after: empty, to: output, spareTexts: exchange.spareTexts)
    else { return nil }
    (self.converter, self.joiner) = (converter.expecting(empty.losses), joiner)
    (self.sizes, self.stream) = (sizes, stream)
    unjoined = keepsParts ? parts.boundary.map(UnjoinedParts.init) : nil
    cutter = parts.boundary.map { PartCutter(at: $0, sizes) }
    ranges = parts.ranges?.ranges(sizes) ?? []
    (listsLosses, threadCount) = (conversion.listsLosses, conversion.threads)
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
        let lists = listsLosses && !joiner.hasFullListOfLosses
        try put(InputParts.Part(index: cutCount, .elements(range, listsLosses: lists)))
      }
      while joinedCount < cutCount { try join() }
      return .complete(try joiner.finish())
    } catch {
      if let error = joiner.outputError { throw error }
      if let rest = try begun(rest) { return .begun(rest) }
      return .incomplete(try joiner.outputForOneThread())
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
      if let error = joiner.outputError { throw error }
    }
    guard let unjoined else { return nil }
    let pieces = unjoined.pieces(before: cutter?.takeRest() ?? [])
    return try joiner.rest(ContinuedInput(pieces, rest: rest), at: unjoined.locations)
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
    try put(InputParts.Part(index: cutCount, .text(bytes, isLast: isLast)))
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

  /// Joins the text of the next part.
  private func join() throws(FerryError) {
    guard let text = exchange.text(at: joinedCount),
      try joiner.add(
        text, at: unjoined?.locations ?? MovedLocations(), isLast: unjoined?.hasOnlyLast == true)
    else {
      hasFailed = true
      throw .stopped
    }
    joinedCount += 1
    if let part = unjoined?.removeFirst(to: text.end) { exchange.spareParts.add(part) }
  }
}
