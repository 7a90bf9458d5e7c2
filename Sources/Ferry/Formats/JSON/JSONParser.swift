/// The parser of all JSON readers. It accepts chunks of any size and sends events.
///
/// The parser is a state machine without recursion: its state is the expected token and the open containers.
/// A chunk may end anywhere.
///
///     before   {"a": [1, 2]}      value
///     after    {                  firstKey
///     after    {"a"               colon
///     after    {"a": [            firstElement
///     after    {"a": [1           afterElement
///     after    {"a": [1, 2]       afterEntry
///     after    {"a": [1, 2]}      nothing
///
/// A token inside one chunk is borrowed from the chunk. A token that extends over several chunks, and a
/// string with escapes, is collected in a buffer, which is reused.
///
/// Offsets are relative to the current chunk. The offset of a token that began in an earlier chunk is
/// negative.
///
/// The grammar is that of RFC 8259. Only a byte that it does not allow is compared with the permissions of the
/// dialect (`readDeviation`), so that JSON itself is read at full speed.
struct JSONParser: ~Copyable {
  /// The expected token.
  fileprivate enum Expected {
    case value, firstElement, afterElement
    case firstKey, key, colon, afterEntry
    /// Nothing: the value of a document is complete.
    case nothing
    /// The value of a line, or the end of the line. A line is a record of any layout but a document.
    case line, lineEnd
  }

  /// The kind of token that the end of the last chunk has split.
  private enum Cut {
    case none, string, bare
    /// Tokens of dialects. A block comment may end in its asterisk.
    case name, space, slash, lineComment, blockComment, blockCommentEnd
  }

  private let layout: JSONLayout
  private let dialect: JSONDialect
  private var events: EventSender
  private let budget: Budget
  private let losses: LossReport?
  /// False if the text is in a value of a file, so that a source location in it would be mistaken for one in the file.
  private let locatesLosses: Bool
  private var lossLocations = ChunkLocations()
  /// Receives the source location of each event, or nil if no sink needs it.
  private let locator: SourceLocator?
  /// The receiver of records if those with an error are left out, or nil to throw the first error.
  private let records: ReadableRecords?
  /// The error of the current record, whose rest is skipped; nil if it has none.
  private var recordError: FerryError?
  /// The first bytes from the error of the current record on.
  private var textOfError: [UInt8] = []

  /// The first bytes of the input, until there are enough to detect the encoding.
  private var head: [UInt8] = []
  private var isAtStart = true
  private var lines = LineCounter()
  /// The offset at which an error would be located.
  private var errorOffset = 0

  private var expected: Expected
  /// The expected token after the current value.
  private var afterValue: Expected
  /// The expected token after an outermost value.
  private let afterRoot: Expected
  /// The open containers: `object` for an object, or the index of the current element for an array.
  private var containers: [Int] = []
  private static let object = -1
  private var keys = OpenKeys()
  /// The number of records so far.
  private var recordCount = 0

  private var cut = Cut.none
  private var tokenStart = 0
  /// The source location of a token that began in an earlier chunk.
  private var cutStart = InputLocation()
  /// The number of characters between a location in an earlier chunk and this chunk, or nil if it equals the
  /// number of bytes.
  private var cutCharacters: Int?
  private var gathered = JSONGatheredText()
  /// The last bytes of a comment, to find a line separator in two chunks.
  private var commentTail: UInt32 = 0
  /// The last byte of the chunk before.
  private var lastByte = UInt8(ascii: "\n")

  init(
    _ layout: JSONLayout, _ dialect: JSONDialect = .strict, into sink: any ValueSink, budget: Budget,
    losses: LossReport?, locator: SourceLocator? = nil, records: ReadableRecords? = nil,
    locatesLosses: Bool = true
  ) {
    (self.locator, self.records, self.locatesLosses) = (locator, records, locatesLosses)
    (self.layout, self.dialect) = (layout, dialect)
    // A batch has no infinities and no NaN, because adapters pass it on unchanged.
    events = EventSender(to: sink, isPrompt: locator != nil || dialect.permits(.moreNumbers))
    self.budget = budget
    self.losses = losses
    switch layout {
    case .document: (expected, afterRoot) = (.value, .nothing)
    case .lines, .nulSeparated: (expected, afterRoot) = (.line, .lineEnd)
    case .concatenated: (expected, afterRoot) = (.line, .line)
    case .textSequence: (expected, afterRoot) = (.lineEnd, .lineEnd)
    }
    afterValue = afterRoot
  }

  /// Creates a parser that leaves out records with an error. The layout must have an end of records.
  init(_ layout: JSONLayout, leavingOutUnreadable records: ReadableRecords, budget: Budget) {
    self.init(
      layout, into: records.events, budget: budget, losses: records.found, locator: records.locator,
      records: records)
  }

  /// Reads one chunk.
  mutating func read(_ chunk: Span<UInt8>) throws(FerryError) {
    guard isAtStart else { return try take(chunk) }
    let missing = min(4 - head.count, chunk.count)
    head.append(copying: chunk.extracting(first: missing))
    // A pipe may pause after a record of two bytes. Short values with NULs between them look like UTF-16.
    let isEnough = layout == .nulSeparated ? head.first != 0xef : head.span.showsUTF8WithoutMark
    guard head.count == 4 || isEnough && !head.isEmpty else { return }
    try begin()
    try take(chunk.extracting(droppingFirst: missing))
  }

  /// Ends the input.
  mutating func finish() throws(FerryError) {
    if isAtStart { try begin() }
    let nothing: [UInt8] = []
    errorOffset = 0
    if recordError == nil {
      do throws(FerryError) { try end() } catch {
        try keep(error.placed(at: location(in: nothing.span)))
      }
    }
    guard let records else { return }
    try endRecord(of: records)
    try records.finish()
  }

  private mutating func begin() throws(FerryError) {
    isAtStart = false
    let head = head
    // Short values with NULs between them look like UTF-16.
    if layout != .nulSeparated, let name = JSONBytes.otherEncoding(head.span) {
      throw FerryError(.json(.otherEncoding(name)), at: InputLocation(line: 1, column: 1, byte: 0))
    }
    if layout != .document {
      do throws(FerryError) {
        if let records { try records.begin() } else { try events.beginArray(at: 0) }
      } catch {
        throw error.placed(at: lines.end)
      }
    }
    try take(head.span, from: head.utf8MarkCount)
  }

  private mutating func take(_ chunk: Span<UInt8>, from start: Int = 0) throws(FerryError) {
    guard let records, let end = layout.recordEnd else { return try takePart(chunk, from: start) }
    var partStart = 0
    for index in start..<chunk.count where chunk[index] == end {
      try takePart(chunk.extracting(partStart...index), from: partStart == 0 ? start : 0)
      partStart = index + 1
      try endRecord(of: records)
    }
    guard partStart < chunk.count else { return }
    try takePart(chunk.extracting(partStart...), from: partStart == 0 ? start : 0)
  }

  /// Reads a chunk, or the part of it that belongs to one record.
  private mutating func takePart(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) {
    if recordError == nil {
      do throws(FerryError) { try scanAndFlush(chunk, from: start) } catch {
        var error = error.placed(at: location(in: chunk))
        // The record is complete, so a sink would add the path of the next one.
        if case .json = error.reason, expected == .lineEnd, recordCount > 0 {
          error = error.placed(path: path)
        }
        try keep(error)
        keepText(of: chunk, from: max(errorOffset, 0))
      }
    } else {
      keepText(of: chunk, from: start)
    }
    if cut != .none, tokenStart >= 0 { cutStart = lines.location(of: tokenStart, in: chunk) }
    lines.finish(chunk)
    if !chunk.isEmpty { lastByte = chunk[chunk.count - 1] }
    tokenStart -= chunk.count
  }

  /// Keeps the error of the current record until the record ends. Throws the error if no records are left out.
  private mutating func keep(_ error: FerryError) throws(FerryError) {
    guard records != nil else { throw error }
    recordError = recordCount > 0 ? error.placed(path: path) : error
    textOfError = []
  }

  /// Keeps the first bytes from an error on, which may be in several chunks.
  private mutating func keepText(of chunk: Span<UInt8>, from start: Int) {
    let end = min(chunk.count, start + ConflictMark.size - textOfError.count)
    if start < end { textOfError.append(copying: chunk.extracting(start..<end)) }
  }

  /// Sends the current record, or leaves it out if it has an error.
  ///
  /// - Throws: The error of a line that begins a conflict of a merge: both versions would be taken.
  private mutating func endRecord(of records: ReadableRecords) throws(FerryError) {
    guard let error = recordError else { return try records.send() }
    if error.location.column == 1, ConflictMark(textOfError.span) == .start { throw error }
    records.leaveOut(error)
    while !containers.isEmpty { close() }
    events.removeAll()
    (recordError, cut, cutCharacters, recordCount, expected) = (nil, .none, nil, records.count, .line)
  }

  private mutating func scanAndFlush(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) {
    do throws(FerryError) { try scan(chunk, from: start) } catch {
      // The sink may refuse an event before the mistake.
      let offset = errorOffset
      try flush(chunk)
      errorOffset = offset
      throw error
    }
    try flush(chunk)
  }

  private mutating func flush(_ chunk: Span<UInt8>) throws(FerryError) {
    try events.flush(chunk, failedAt: &errorOffset)
  }

  private func location(in chunk: Span<UInt8>) -> InputLocation {
    if errorOffset < 0, errorOffset == tokenStart { return cutStart }
    var location = lines.location(of: errorOffset, in: chunk)
    if errorOffset < 0, let cutCharacters { location.column = (lines.end.column ?? 1) - cutCharacters }
    return location
  }

  private mutating func end() throws(FerryError) {
    switch cut {
    case .none: break
    case .string: throw FerryError(.json(.unexpectedEnd(expected: "the closing quote of a string")))
    case .bare:
      try checkIsWhole(before: nil)
      try sendGatheredBare(isLast: true)
    case .name: throw FerryError(.json(.unexpectedEnd(expected: Expected.colon.words)))
    case .blockComment, .blockCommentEnd:
      throw FerryError(.json(.unexpectedEnd(expected: "the end of a comment")))
    case .lineComment: break
    case .slash, .space: throw unexpectedToken("/")
    }
    let nothing: [UInt8] = []
    try flush(nothing.span)
    errorOffset = 0
    switch expected {
    case .nothing: break
    case .line, .lineEnd: if records == nil { try events.endArray(at: 0) }
    default: throw FerryError(.json(.unexpectedEnd(expected: expected.words)))
    }
    try flush(nothing.span)
  }
}

// MARK: The grammar

extension JSONParser {
  private mutating func scan(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) {
    let count = chunk.count
    var index = start
    switch cut {
    case .none: break
    case .string: index = try gatherString(chunk, from: index)
    case .bare: index = try gatherBare(chunk, from: index)
    case .name: index = try gatherName(chunk, from: index)
    case .space: index = try readSpace(chunk, from: index)
    case .slash, .lineComment, .blockComment, .blockCommentEnd: index = try skipComment(chunk, from: index)
    }
    while index < count {
      let byte = chunk[index]
      if byte <= 0x20, byte.isSpace {
        if byte == UInt8(ascii: "\n"), layout == .lines { try endLine(at: index) }
        index += 1
        continue
      }
      if events.isFull { try flush(chunk) }
      errorOffset = index
      if let locator { locator.move(to: index, in: chunk, after: lines) }
      switch expected {
      case .value, .firstElement, .line:
        if expected == .line { recordCount += 1 }
        switch byte {
        case UInt8(ascii: "\""):
          index = try string(chunk, from: index + 1)
          continue
        case UInt8(ascii: "{"):
          try open()
          try events.beginDictionary(at: index)
          containers.append(Self.object)
          if losses != nil { keys.open() }
          (expected, afterValue) = (.firstKey, .afterEntry)
        case UInt8(ascii: "["):
          try open()
          try events.beginArray(at: index)
          containers.append(0)
          (expected, afterValue) = (.firstElement, .afterElement)
        case UInt8(ascii: "]") where expected == .firstElement:
          try events.endArray(at: index)
          close()
        case _ where JSONBytes.isBare(byte):
          index = try bare(chunk, from: index)
          continue
        default:
          index = try readDeviation(chunk, at: index)
          continue
        }
      case .firstKey, .key:
        if byte == UInt8(ascii: "\"") {
          index = try string(chunk, from: index + 1)
          continue
        }
        guard byte == UInt8(ascii: "}"), expected == .firstKey else {
          index = try readDeviation(chunk, at: index)
          continue
        }
        try events.endDictionary(at: index)
        close()
      case .colon:
        guard byte == UInt8(ascii: ":") else {
          index = try readDeviation(chunk, at: index)
          continue
        }
        expected = .value
      case .afterElement:
        if byte == UInt8(ascii: ",") {
          containers[containers.count - 1] += 1
          expected = .value
        } else {
          guard byte == UInt8(ascii: "]") else {
            index = try readDeviation(chunk, at: index)
            continue
          }
          try events.endArray(at: index)
          close()
        }
      case .afterEntry:
        if byte == UInt8(ascii: ",") {
          expected = .key
        } else {
          guard byte == UInt8(ascii: "}") else {
            index = try readDeviation(chunk, at: index)
            continue
          }
          try events.endDictionary(at: index)
          close()
        }
      case .nothing, .lineEnd:
        index = try readDeviation(chunk, at: index)
        continue
      }
      index += 1
    }
  }

  private func open() throws(FerryError) {
    guard containers.count < budget.depth else { throw FerryError(.overBudget(.depth(budget.depth))) }
  }

  private mutating func close() {
    if containers.popLast() == Self.object, losses != nil { keys.close() }
    afterValue =
      switch containers.last {
      case nil: afterRoot
      case Self.object: .afterEntry
      case _: .afterElement
      }
    expected = afterValue
  }

  private mutating func endLine(at index: Int) throws(FerryError) {
    guard expected != .line else { return }
    guard expected == .lineEnd else {
      errorOffset = index
      throw FerryError(.json(.expected(expected.words, found: "the end of the line")))
    }
    expected = .line
  }

  private func unexpected(_ chunk: Span<UInt8>, at index: Int) -> FerryError {
    let found = JSONBytes.found(chunk, at: index)
    guard expected != .nothing || chunk[index] == UInt8(ascii: "/") else {
      return FerryError(.json(.trailingContent(found: found)))
    }
    guard let syntax = jsonExtension(at: chunk[index]) else { return unexpectedToken(found) }
    return unexpectedExtension(syntax, found)
  }

  private func unexpectedExtension(_ syntax: JSONExtension, _ found: String) -> FerryError {
    FerryError(
      .json(
        .extended(syntax, expected: words(for: expected), found: found, isReadable: layout == .document)))
  }

  private func unexpectedToken(_ found: String) -> FerryError {
    FerryError(.json(.expected(words(for: expected), found: found)))
  }

  /// The description of an expected token in messages.
  private func words(for expected: Expected) -> String {
    expected == .lineEnd ? layout.end : expected.words
  }

  /// Returns the syntax of another dialect that begins with an unexpected byte, or nil.
  private func jsonExtension(at byte: UInt8) -> JSONExtension? {
    guard layout == .document else { return byte == UInt8(ascii: "/") ? .comments : nil }
    switch (expected, byte) {
    case (_, UInt8(ascii: "/")) where !dialect.permits(.comments): return .comments
    case (.value, UInt8(ascii: "]")), (.key, UInt8(ascii: "}")):
      guard !dialect.permits(.lastCommas), containers.last ?? 0 > 0 || byte == UInt8(ascii: "}") else {
        return nil
      }
      return .trailingCommas
    case (.firstKey, UInt8(ascii: "'")), (.key, UInt8(ascii: "'")), (.value, UInt8(ascii: "'")),
      (.firstElement, UInt8(ascii: "'")):
      return dialect.permits(.singleQuotes) ? nil : .singleQuotes
    case (.firstKey, _), (.key, _):
      return dialect.permits(.names) || !JSONBytes.isNameStart(byte) ? nil : .names
    default: return nil
    }
  }
}

extension JSONParser.Expected {
  /// The description of the expected token in messages.
  fileprivate var words: String {
    switch self {
    case .value, .line: "a value"
    case .firstElement: "a value or \"]\""
    case .afterElement: "\",\" or \"]\""
    case .firstKey: "a key in double quotes or \"}\""
    case .key: "a key in double quotes"
    case .colon: "\":\""
    case .afterEntry: "\",\" or \"}\""
    case .nothing: "nothing more"
    case .lineEnd: "the end of the line"
    }
  }
}

// MARK: Strings and keys

extension JSONParser {
  /// Reads a string after its opening quote. Returns the offset after the closing quote, or the end of the
  /// chunk.
  private mutating func string(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) -> Int {
    let (end, isASCII) = chunk.plainJSONRun(from: start)
    guard end < chunk.count, chunk[end] == UInt8(ascii: "\"") else {
      tokenStart = start - 1
      gathered.begin(allowsMore: dialect.permits(.moreEscapes))
      return try gatherString(chunk, from: start)
    }
    let bytes = chunk.extracting(start..<end)
    if isASCII, events.isCollecting, bytes.count <= budget.tokenBytes {
      return try collect(start..<end, of: chunk)
    }
    if !isASCII, case .invalid(let flaw) = bytes.checkUTF8() {
      errorOffset = start + flaw
      throw FerryError(.json(.notUTF8))
    }
    try send(BorrowedText(checked: bytes, isASCII: isASCII), from: start, in: chunk)
    return end + 1
  }

  /// Collects a string or a key of ASCII without escapes, and reads the colon or the comma if it follows at once. Returns the
  /// offset after them.
  @inline(__always)
  private mutating func collect(_ text: Range<Int>, of chunk: Span<UInt8>) throws(FerryError) -> Int {
    let isKey = expected == .firstKey || expected == .key
    if isKey, losses != nil, keys.insert(chunk.extracting(text)) { try reportRepeatedKey(in: chunk) }
    events.collect(
      isKey ? .key : .string, from: text.lowerBound, count: text.count, isASCII: true, isPlain: true,
      at: errorOffset)
    expected = isKey ? .colon : afterValue
    let end = text.upperBound + 1
    guard end < chunk.count else { return end }
    switch (expected, chunk[end]) {
    case (.colon, UInt8(ascii: ":")): expected = .value
    case (.afterEntry, UInt8(ascii: ",")): expected = .key
    default: return end
    }
    return end + 1
  }

  private mutating func gatherString(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) -> Int {
    cut = .none
    var end = start
    do throws(JSONGatheredText.Flaw) {
      guard try gathered.gather(chunk, from: &end, limit: budget.tokenBytes) else {
        cut = .string
        return end
      }
    } catch {
      switch error {
      case .problem(let problem, let flaw):
        errorOffset = flaw
        if problem == .notUTF8, flaw < 0 { cutCharacters = gathered.scalarCount(ofUnchecked: -flaw) }
        guard case .badEscape(let text, _) = problem else { throw FerryError(.json(problem)) }
        let isReadable = dialect != .json5 && layout == .document && JSONBytes.isOwnEscapeOfJSON5(text)
        throw FerryError(.json(.badEscape(text, isReadable: isReadable)))
      case .tooLong: throw tokenTooLong()
      }
    }
    errorOffset = tokenStart
    if errorOffset < 0 { locator?.move(to: cutStart) }
    // The bytes are moved out of the buffer while they are borrowed. They are returned so that the next
    // string reuses their capacity.
    let bytes = gathered.takeBytes()
    try send(
      BorrowedText(checked: bytes.span, isASCII: gathered.isASCII, hasSurrogates: gathered.hasSurrogates),
      from: nil, in: chunk)
    gathered.giveBack(bytes)
    // The location of a token in an earlier chunk is known until the next token.
    if errorOffset < 0 { try flush(chunk) }
    return end
  }

  private mutating func send(_ text: borrowing BorrowedText, from start: Int?, in chunk: Span<UInt8>)
    throws(FerryError)
  {
    guard text.utf8.count <= budget.tokenBytes else {
      throw FerryError(.overBudget(.tokenBytes(budget.tokenBytes)))
    }
    switch expected {
    case .firstKey, .key:
      if losses != nil, keys.insert(text.utf8) { try reportRepeatedKey(in: chunk) }
      try events.text(.key, text, from: start, isPlain: start != nil, at: errorOffset)
      expected = .colon
    default:
      try events.text(.string, text, from: start, isPlain: start != nil, at: errorOffset)
      expected = afterValue
    }
  }

  @inline(never)
  private mutating func reportRepeatedKey(in chunk: Span<UInt8>) throws(FerryError) {
    // Losses are reported in the order of the input.
    try flush(chunk)
    let location = lossLocation(of: errorOffset, in: chunk)
    losses?.add(.duplicateKey, path: path, at: location)
  }

  /// Returns the source location of a token for a loss that may be listed.
  private mutating func lossLocation(of offset: Int, in chunk: Span<UInt8>) -> InputLocation {
    guard locatesLosses, losses?.usesLocations == true else { return InputLocation() }
    return offset < 0 ? cutStart : lossLocations.location(of: offset, in: chunk, after: lines)
  }

  /// The path of the innermost open dictionary's current value.
  private var path: ValuePath {
    let path = keys.path(in: containers)
    return layout == .document ? path : ValuePath([.index(recordCount - 1)] + path.steps)
  }

  private mutating func tokenTooLong() -> FerryError {
    errorOffset = tokenStart
    return FerryError(.overBudget(.tokenBytes(budget.tokenBytes)))
  }
}

// MARK: Numbers and words

extension JSONParser {
  /// Reads a number, `true`, `false` or `null`. Returns the offset after it, or the end of the chunk.
  private mutating func bare(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) -> Int {
    let end = chunk.endOfJSONWord(from: start)
    tokenStart = start
    guard end < chunk.count else {
      gathered.begin()
      return try gatherBare(chunk, from: start)
    }
    try sendBare(chunk.extracting(start..<end), from: start, isLast: false)
    return end
  }

  private mutating func gatherBare(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) -> Int {
    let end = chunk.endOfJSONWord(from: start)
    guard gathered.append(chunk.extracting(start..<end), limit: budget.tokenBytes) else {
      throw tokenTooLong()
    }
    if end < chunk.count {
      try sendGatheredBare(isLast: false)
      if errorOffset < 0 { try flush(chunk) }
    } else {
      cut = .bare
    }
    return end
  }

  private mutating func sendGatheredBare(isLast: Bool) throws(FerryError) {
    cut = .none
    errorOffset = tokenStart
    locator?.move(to: cutStart)
    let bytes = gathered.takeBytes()
    try sendBare(bytes.span, from: nil, isLast: isLast)
    gathered.giveBack(bytes)
  }

  private mutating func sendBare(_ token: Span<UInt8>, from start: Int?, isLast: Bool) throws(FerryError) {
    guard token.count <= budget.tokenBytes else {
      throw FerryError(.overBudget(.tokenBytes(budget.tokenBytes)))
    }
    switch token[0] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
      try sendNumber(token, from: start, isLast: isLast)
    case UInt8(ascii: "t") where token.equals("true"): try events.boolean(true, at: errorOffset)
    case UInt8(ascii: "f") where token.equals("false"): try events.boolean(false, at: errorOffset)
    case UInt8(ascii: "n") where token.equals("null"): try events.null(at: errorOffset)
    default:
      guard try sendOtherNumber(token) else {
        let word = token.extracting(first: min(token.count, 20)).decodedString
        let found = "\"\(word)\(token.count > 20 ? "…" : "")\""
        guard JSON5Number(token) != nil else { throw unexpectedToken(found) }
        throw unexpectedExtension(.notFinite, found)
      }
    }
    expected = afterValue
  }

  private mutating func sendNumber(_ token: Span<UInt8>, from start: Int?, isLast: Bool) throws(FerryError) {
    if let flaw = token.flawInJSONNumber {
      guard try !sendOtherNumber(token) else { return }
      errorOffset += flaw
      guard flaw < token.count || !isLast else {
        throw FerryError(.json(.unexpectedEnd(expected: "a digit")))
      }
      let text = token.extracting(first: min(token.count, 64)).decodedString
      guard dialect.permits(.moreNumbers) else {
        let isReadable = layout == .document && JSON5Number(token) != nil
        throw FerryError(.json(.badNumber(text, isReadable: isReadable)))
      }
      throw FerryError(.json(.expected("a number", found: "\"\(text)\"")))
    }
    try send(number: token, from: start)
  }

  /// Sends a number in JSON's notation.
  @inline(__always)
  private mutating func send(number token: Span<UInt8>, from start: Int?) throws(FerryError) {
    switch DecimalText(json: token) {
    case .integer(let value): try events.integer(value, at: errorOffset)
    case .real(let value): try events.real(value, at: errorOffset)
    case .text:
      try events.text(.number, BorrowedText(checked: token, isASCII: true), from: start, at: errorOffset)
    }
  }
}

// MARK: Dialects and separators

extension JSONParser {
  /// Reads a token that JSON itself does not have, or a separator of records. Returns the offset after it, or
  /// the end of the chunk. Throws if the dialect does not have it either.
  @inline(never)
  private mutating func readDeviation(_ chunk: Span<UInt8>, at index: Int) throws(FerryError) -> Int {
    let byte = chunk[index]
    if byte == layout.separator, expected == .line || expected == .lineEnd {
      try checkIsWhole(before: index > 0 ? chunk[index - 1] : lastByte)
      expected = .line
      return index + 1
    }
    guard dialect != .strict else { throw unexpected(chunk, at: index) }
    if byte == UInt8(ascii: "/"), dialect.permits(.comments) {
      (cut, tokenStart) = (.slash, index)
      return try skipComment(chunk, from: index + 1)
    }
    if dialect.permits(.moreSpaces), byte >= 0x80 || byte == 0x0b || byte == 0x0c {
      tokenStart = index
      gathered.begin()
      return try readSpace(chunk, from: index)
    }
    switch (expected, byte) {
    case (.value, UInt8(ascii: "'")), (.firstElement, UInt8(ascii: "'")), (.firstKey, UInt8(ascii: "'")),
      (.key, UInt8(ascii: "'")):
      guard dialect.permits(.singleQuotes) else { break }
      tokenStart = index
      gathered.begin(quote: byte, allowsMore: true)
      return try gatherString(chunk, from: index + 1)
    case (.firstKey, _), (.key, _):
      if byte == UInt8(ascii: "}"), dialect.permits(.lastCommas) {
        try events.endDictionary(at: index)
        close()
        return index + 1
      }
      guard dialect.permits(.names), JSONName.canBegin(byte) else { break }
      tokenStart = index
      gathered.begin()
      return try gatherName(chunk, from: index)
    case (.value, UInt8(ascii: "]")):
      // The first element of an array has a state of its own, so this follows a comma.
      guard dialect.permits(.lastCommas), let container = containers.last, container != Self.object else {
        break
      }
      try events.endArray(at: index)
      close()
      return index + 1
    default: break
    }
    throw unexpected(chunk, at: index)
  }

  /// Throws if the last value of a text sequence may have been cut off: a number or a word without white space
  /// after it.
  ///
  /// - Parameter end: The byte before the separator, or nil if the input ends in a number or a word.
  private func checkIsWhole(before end: UInt8?) throws(FerryError) {
    guard layout == .textSequence, containers.isEmpty, end.map(JSONBytes.isBare) ?? true else { return }
    throw FerryError(.json(Self.cutOff))
  }

  /// The problem of a record that may have been cut off.
  static var cutOff: JSONProblem {
    .expected("white space after a number or a word, which may be cut off", found: "the end of the record")
  }

  @inline(never)
  private mutating func reportComment(in chunk: Span<UInt8>) throws(FerryError) {
    guard let losses else { return }
    // Losses are reported in the order of the input.
    try flush(chunk)
    let location = lossLocation(of: tokenStart, in: chunk)
    losses.add(.comment, at: location)
  }

  /// Skips a comment, and reports it. Returns the offset after it, or the end of the chunk.
  private mutating func skipComment(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) -> Int {
    var index = start
    while index < chunk.count {
      let byte = chunk[index]
      commentTail = commentTail << 8 | UInt32(byte)
      switch (cut, byte) {
      case (.slash, UInt8(ascii: "/")), (.slash, UInt8(ascii: "*")):
        cut = byte == UInt8(ascii: "/") ? .lineComment : .blockComment
        try reportComment(in: chunk)
      case (.slash, _):
        errorOffset = tokenStart
        throw unexpectedToken("\"/\"")
      case (.lineComment, UInt8(ascii: "\n")), (.lineComment, UInt8(ascii: "\r")):
        cut = .none
        return index
      case (.lineComment, 0xa8), (.lineComment, 0xa9):
        // The line and the paragraph separator also end a line.
        guard dialect.permits(.moreSpaces), commentTail >> 8 & 0xffff == 0xe280 else { break }
        cut = .none
        return index + 1
      case (.blockCommentEnd, UInt8(ascii: "/")):
        cut = .none
        return index + 1
      case (.blockComment, UInt8(ascii: "*")), (.blockCommentEnd, UInt8(ascii: "*")): cut = .blockCommentEnd
      case (.blockCommentEnd, _): cut = .blockComment
      default: break
      }
      index += 1
    }
    return index
  }

  /// Reads a character beyond ASCII: white space, or the first character of a key.
  private mutating func readSpace(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) -> Int {
    var index = start
    var bytes = gathered.takeBytes()
    let length = UTF8Lead(bytes.first ?? chunk[start])?.length ?? 1
    while index < chunk.count, bytes.count < length {
      bytes.append(chunk[index])
      index += 1
    }
    guard bytes.count == length else {
      gathered.giveBack(bytes)
      cut = .space
      return index
    }
    cut = .none
    if JSONBytes.spaceLength(bytes.span, at: 0) == length { return index }
    errorOffset = tokenStart
    guard expected == .firstKey || expected == .key, dialect.permits(.names), bytes[0] >= 0x80 else {
      throw unexpected(bytes.span, at: 0)
    }
    gathered.giveBack(bytes)
    return try gatherName(chunk, from: index)
  }

  private mutating func gatherName(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) -> Int {
    let end = JSONName.end(in: chunk, from: start)
    guard gathered.append(chunk.extracting(start..<end), limit: budget.tokenBytes) else {
      throw tokenTooLong()
    }
    guard end < chunk.count else {
      cut = .name
      return end
    }
    cut = .none
    errorOffset = tokenStart
    if errorOffset < 0 { locator?.move(to: cutStart) }
    let bytes = gathered.takeBytes()
    guard let name = JSONName.decoded(bytes.span) else {
      let word = bytes.span.extracting(first: min(bytes.count, 20)).decodedString
      throw unexpectedToken("\"\(word)\(bytes.count > 20 ? "…" : "")\"")
    }
    let decoded = Array(name.utf8)
    try send(BorrowedText(decoded.span), from: nil, in: chunk)
    gathered.giveBack(bytes)
    if errorOffset < 0 { try flush(chunk) }
    return end
  }

  /// Sends a number that JSON writes differently, or that it does not have. Returns false if the token is not
  /// one, or if the dialect does not have it.
  @inline(never)
  private mutating func sendOtherNumber(_ token: Span<UInt8>) throws(FerryError) -> Bool {
    guard dialect.permits(.moreNumbers), let number = JSON5Number(token) else { return false }
    switch number {
    case .notFinite(let value): try events.real(value, at: errorOffset)
    case .decimal(let digits): try send(number: digits.span, from: nil)
    }
    return true
  }
}
