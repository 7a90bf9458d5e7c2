/// A reader of JSON Lines that skips lines which are not JSON, and reports them.
///
///     {"first":"Ada"}           beginArray  beginDictionary … endDictionary
///     {"first":                             (an error, with its line)
///     {"first":"Grace"}                     beginDictionary … endDictionary  endArray
///
/// A line is read completely before it is sent, so the sink never receives part of an invalid line. The
/// reader needs memory for one line.
final class ReadableLinesReader: ChunkReader {
  private let sink: any ValueSink
  private let budget: Budget
  private let losses: LossReport?
  private let failed: FailedRecords
  private let locator: SourceLocator
  private let tapeSink: TapeSink
  private var line: [UInt8] = []
  private var lineNumber = 1
  /// The number of bytes before the current line.
  private var lineStart = 0
  private var count = 0
  private var hasBegun = false

  init(
    into sink: any ValueSink, budget: Budget, losses: LossReport?, failed: FailedRecords,
    locator: SourceLocator
  ) {
    (self.sink, self.budget, self.losses, self.failed) = (sink, budget, losses, failed)
    self.locator = locator
    tapeSink = TapeSink(locator: locator)
  }

  func read(_ chunk: Span<UInt8>) throws(FerryError) {
    try begin()
    var start = 0
    for index in 0..<chunk.count where chunk[index] == UInt8(ascii: "\n") {
      try add(chunk.extracting(start..<index))
      try endLine()
      start = index + 1
    }
    try add(chunk.extracting(start...))
  }

  func finish() throws(FerryError) {
    try begin()
    try endLine()
    try sink.endArray()
  }

  private func begin() throws(FerryError) {
    guard !hasBegun else { return }
    hasBegun = true
    try sink.beginArray(count: nil)
  }

  private func add(_ piece: Span<UInt8>) throws(FerryError) {
    guard piece.count <= budget.tokenBytes - line.count else {
      throw FerryError(.overBudget(.tokenBytes(budget.tokenBytes)), at: Position(line: lineNumber))
    }
    line.append(copying: piece)
  }

  private func endLine() throws(FerryError) {
    if !line.allSatisfy(\.isSpace) { try sendLine() }
    lineStart += line.count + 1
    lineNumber += 1
    line.removeAll(keepingCapacity: true)
  }

  private func sendLine() throws(FerryError) {
    let (line, found) = (line, LossReport())
    tapeSink.removeAll()
    do throws(FerryError) {
      locator.beginPart(afterLines: lineNumber - 1, bytes: lineStart)
      try JSONReader(into: tapeSink, budget: budget, losses: found, locator: locator).readAll(line.span)
    } catch {
      return failed.add(placed(error))
    }
    losses?.add(found.all, under: [.index(count)])
    count += 1
    do throws(FerryError) {
      try tapeSink.tape.replay(valueAt: .start, into: sink, locatedBy: locator)
    } catch {
      throw error.placed(at: locator.position)
    }
  }

  /// Returns the error with its location in the whole input.
  private func placed(_ error: FerryError) -> FerryError {
    var error = error
    if case .json(.trailingContent(let found)) = error.reason {
      let problem = JSONProblem.expected("the end of the line", found: found)
      error = FerryError(.json(problem), at: error.position, path: error.path)
    }
    error.position.line = lineNumber
    error.position.byte? += lineStart
    return error
  }
}
