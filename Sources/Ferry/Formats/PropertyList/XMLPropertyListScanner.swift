/// A scanner that splits an XML property list into tags and texts. It accepts chunks of any size.
///
/// A tag or text inside one chunk, which is the usual case, is passed on without copying; others are
/// buffered. A chunk may end anywhere, because the scanner stores its whole state.
struct XMLPropertyListScanner: ~Copyable {
  /// The context that determines the meaning of the next byte.
  private enum Mode: Equatable {
    /// Between elements, or in the text of a leaf.
    case content
    /// In a reference, after the ampersand.
    case reference
    /// After `<`, until the kind of markup is known.
    case markup
    case tag, doctype
    case section(XMLSection)
  }

  /// A location for an error: an offset in the current chunk, or a source location in an earlier chunk.
  private struct Mark {
    var offset = 0
    var location: InputLocation?

    /// The offset of an event at the mark: -1 if it is in an earlier chunk.
    var eventOffset: Int { location == nil ? offset : -1 }
  }

  private var parser: XMLPropertyListParser
  private let tokenBytes: Int
  private let losses: LossReport?
  /// Receives the source location of each event, or nil if no sink needs it.
  private let locator: SourceLocator?
  private var lines = LineCounter()
  private var encoding = XMLTextEncoding.utf8
  private var isUTF8: Bool { encoding == .utf8 }
  /// The name of the encoding in the XML declaration if it is ASCII.
  private(set) var asciiName: String?
  private var lossLocations = ChunkLocations()
  private var mode = Mode.content
  /// The buffered part of a leaf's text if it extends over several chunks.
  private var text: [UInt8] = []
  /// The buffered part of the current markup, from its `<` on.
  private var markup: [UInt8] = []
  /// The number of markups so far that were not recognized as a whole.
  private var markupCount = 0
  /// The scanner of the document type declaration, or nil if there is none.
  private var prolog: PrologScan?
  /// The buffered part of the current reference.
  private var openReference = XMLReferenceScan()
  /// The search for the end of the current section.
  private var sectionEnd = XMLSectionEnd(of: .comment)
  /// The number of brackets at the end of the text so far, at most 2. The text cannot have a `>` after two of them.
  private var brackets = 0
  /// The quotation marks in the current tag.
  private var quotation = XMLQuotation()
  /// The location where the leaf's text begins.
  private var leafMark = Mark()
  /// The location where the current markup or reference begins.
  private var mark = Mark()

  init(
    into sink: any ValueSink, budget: Budget, losses: LossReport?, locator: SourceLocator? = nil
  ) {
    self.locator = locator
    parser = XMLPropertyListParser(
      into: sink, depth: budget.depth, reportsLosses: losses != nil, isPrompt: locator != nil)
    tokenBytes = budget.tokenBytes
    self.losses = losses
  }

  /// Sets the encoding of the original input, and counts its byte order mark.
  mutating func begin(_ encoding: XMLTextEncoding, after byteOrderMark: Span<UInt8>) {
    self.encoding = encoding
    if isUTF8 { lines.finish(byteOrderMark) }
  }

  /// The source location of the end of the scanned bytes.
  var end: InputLocation { knownLocation(lines.end) }

  /// Ends the input. Throws if the document is incomplete.
  mutating func finish() throws(FerryError) {
    if mode == .content, parser.isWhole { return }
    if mode == .content, parser.isBeforeRoot {
      throw FerryError(.propertyList(.badRoot("there is no property list in the file")), at: end)
    }
    if mode == .reference, openReference.count > 1 {
      throw openReference.error.placed(at: knownLocation(mark.location ?? lines.end))
    }
    try checkUnfinished()
    throw FerryError(.xml(.notWellFormed(unfinished)), at: end)
  }

  /// Scans one chunk.
  mutating func scan(_ chunk: Span<UInt8>) throws(FerryError) {
    do throws(FerryError) {
      var index = 0
      while index < chunk.count {
        switch mode {
        case .content: index = try content(chunk, from: index)
        case .reference: index = try reference(chunk, from: index)
        case .markup: index = try markup(chunk, from: index)
        case .tag: index = try tag(chunk, from: index)
        case .section(.instruction): index = try instruction(chunk, from: index)
        case .section(.comment): index = try comment(chunk, from: index)
        case .section(.cdata): index = try cdata(chunk, from: index)
        case .doctype: index = try doctype(chunk, from: index)
        }
        if parser.isFull { try flush(chunk) }
      }
      try flush(chunk)
    } catch {
      let placed = placed(error, in: chunk)
      // An error of an event before the mistake comes first.
      do throws(FerryError) { try flush(chunk) } catch let earlier { throw self.placed(earlier, in: chunk) }
      throw placed
    }
    finishLines(of: chunk)
  }

  /// Reports markup that is left out, after the events before it: it may be inside a value that is not selected.
  private mutating func report(_ kind: Loss.Kind, in chunk: Span<UInt8>) throws(FerryError) {
    guard let losses else { return }
    try flush(chunk)
    let location = lossLocation(in: chunk)
    guard !parser.holdsDictionary else { return parser.heldLosses.append(Loss(kind, at: location)) }
    losses.add(kind, at: location)
  }

  /// Returns the source location of the mark for a loss that may be listed.
  private mutating func lossLocation(in chunk: Span<UInt8>) -> InputLocation {
    guard losses?.usesLocations == true else { return InputLocation() }
    return knownLocation(
      mark.location ?? lossLocations.location(of: mark.offset, in: chunk, after: lines))
  }

  /// Reports the markup at the beginning of a dictionary, once that is sent, and the loss in a number, which is at the mark.
  private mutating func reportHeldLosses(in chunk: Span<UInt8>) throws(FerryError) {
    guard !parser.heldLosses.isEmpty, !parser.holdsDictionary else { return }
    try flush(chunk)
    let (held, location) = (parser.heldLosses, lossLocation(in: chunk))
    for loss in held { losses?.add(loss.kind, at: loss.location.isEmpty ? location : loss.location) }
    parser.heldLosses = []
  }

  /// Returns an error with its source location, which is the mark.
  private func placed(_ error: FerryError, in chunk: Span<UInt8>) -> FerryError {
    error.placed(at: knownLocation(mark.location ?? lines.location(of: mark.offset, in: chunk)))
  }

  /// Sends the collected events. Moves the mark to the event that causes an error.
  private mutating func flush(_ chunk: Span<UInt8>) throws(FerryError) {
    try movingMark { parser, failed throws(FerryError) in try parser.flush(chunk, failedAt: &failed) }
  }

  /// Calls a function that may send collected events. Moves the mark to the event that causes an error.
  private mutating func movingMark(
    _ body: (inout XMLPropertyListParser, _ failed: inout Int) throws(FerryError) -> Void
  ) throws(FerryError) {
    var failed = -1
    do throws(FerryError) { try body(&parser, &failed) } catch {
      if failed >= 0 { mark = Mark(offset: failed) }
      throw error
    }
  }

  /// Sends the first event of a chunk if it began in an earlier one, so that its error is located there.
  private mutating func flushFirst(_ chunk: Span<UInt8>) throws(FerryError) {
    if mark.location != nil { try flush(chunk) }
  }

  /// Counts the lines in the chunk, and converts the offsets that are still needed to source locations.
  private mutating func finishLines(of chunk: Span<UInt8>) {
    var counted = 0
    func keep(_ mark: inout Mark) {
      guard mark.location == nil else { return }
      let offset = max(mark.offset, counted)
      lines.finish(chunk.extracting(counted..<offset))
      mark.location = lines.end
      counted = offset
    }
    // The text of a leaf begins before the markup inside it.
    if parser.leaf != nil { keep(&leafMark) }
    if mode != .content { keep(&mark) }
    lines.finish(chunk.extracting(droppingFirst: counted))
  }

  /// Removes the byte offset of a source location if the input is UTF-16, because its bytes are not counted.
  private func knownLocation(_ location: InputLocation) -> InputLocation {
    guard !isUTF8 else { return location }
    return InputLocation(line: location.line, column: location.column)
  }

  /// Scans white space between elements, or the text of a leaf.
  private mutating func content(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) -> Int {
    guard let leaf = parser.leaf else {
      return try betweenElements(chunk, from: start)
    }
    let index = chunk.endOfText(from: start, after: brackets)
    if index < chunk.count, text.isEmpty, leafMark.location == nil, leafMark.offset == start,
      let end = chunk.end(ofEndTag: leaf, at: index)
    {
      // Usually the whole element is in the chunk.
      try finishLeaf(chunk.extracting(start..<index), from: start, in: chunk)
      return end
    }
    try append(chunk.extracting(start..<index))
    brackets = index < chunk.count ? 0 : chunk.bracketCount(before: index, from: start, after: brackets)
    guard index < chunk.count else { return index }
    mark = Mark(offset: index)
    switch chunk[index] {
    case UInt8(ascii: "<"): return try beginMarkup(chunk, at: index)
    case UInt8(ascii: ">"):
      mark = Mark(offset: index - 2)
      throw FerryError(.xml(.notWellFormed(XMLWords.sectionEndInText)))
    default:
      mode = .reference
      openReference.begin()
      return index + 1
    }
  }

  /// Scans white space and whole leaves, up to other markup or until the events should be sent.
  private mutating func betweenElements(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) -> Int {
    var index = start
    while true {
      // A loop here takes fewer instructions than a call for the little white space between elements.
      while index < chunk.count, chunk[index].isSpace { index += 1 }
      guard index < chunk.count else { return index }
      mark = Mark(offset: index)
      guard chunk[index] == UInt8(ascii: "<") else {
        throw FerryError(.propertyList(.unexpectedText(inside: parser.surroundings)))
      }
      guard parser.isCollecting, parser.heldLosses.isEmpty, let leaf = chunk.propertyListLeaf(at: index),
        leaf.text.count <= tokenBytes, try parser.take(leaf, in: chunk)
      else { return try beginMarkup(chunk, at: index) }
      mark = Mark(offset: leaf.text.lowerBound)
      index = leaf.end
      if parser.isFull { return index }
    }
  }

  private mutating func append(_ piece: Span<UInt8>) throws(FerryError) {
    text.append(copying: piece)
    guard text.count <= tokenBytes else {
      mark = leafMark
      throw tooLong
    }
  }

  private mutating func reference(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) -> Int {
    for index in start..<chunk.count {
      guard openReference.count <= tokenBytes else { throw tooLong }
      guard let scalar = try openReference.take(chunk[index]) else { continue }
      text.append(scalar: scalar)
      mode = .content
      return index + 1
    }
    return chunk.count
  }

  /// Scans the beginning of markup, at `<`.
  private mutating func beginMarkup(_ chunk: Span<UInt8>, at start: Int) throws(FerryError) -> Int {
    if start + 9 <= chunk.count {
      // Usually the markup is `<name>`, `</name>` or `<name/>`, which is compared as one word.
      let word = chunk.littleEndianWord(at: start + 1)
      let bits = word.bits(before: 0x3e)
      let tag = word & ~(~0 << bits)
      let end = start + 2 + Int(bits / 8)
      if bits == 64 || bits == 0 {
        // The markup is longer, or is not a tag.
      } else if let element = XMLPropertyListElement(packed: tag, bits: bits) {
        try begin(element, at: end, in: chunk)
        return end
      } else if tag & 0xff == 0x2f, let element = XMLPropertyListElement(packed: tag >> 8, bits: bits - 8) {
        try finish(element, in: chunk)
        return end
      } else if tag >> (bits - 8) == 0x2f,
        let element = XMLPropertyListElement(packed: tag ^ 0x2f << (bits - 8), bits: bits - 8)
      {
        try begin(element, at: end, in: chunk)
        try finish(element, in: chunk)
        return end
      }
    }
    mode = .markup
    quotation = XMLQuotation()
    markupCount += 1
    markup.removeAll(keepingCapacity: true)
    markup.append(UInt8(ascii: "<"))
    return start + 1
  }

  private mutating func markup(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) -> Int {
    for index in start..<chunk.count {
      guard markup.count > 1 || "!?".utf8.contains(chunk[index]) else {
        mode = .tag
        return index
      }
      markup.append(chunk[index])
      let begun = markup
      if let section = XMLSection(at: 0, in: begun.span) {
        try begin(section, in: chunk)
        return index + 1
      } else if begun.span.equals("<!DOCTYPE") {
        try beginDoctype()
        return index + 1
      } else if begun.count == 9 {
        break
      }
    }
    guard markup.count < 9 else {
      throw FerryError(.xml(.notWellFormed(XMLWords.unknownMarkup)))
    }
    return chunk.count
  }

  /// Begins a section after its opening.
  private mutating func begin(_ section: XMLSection, in chunk: Span<UInt8>) throws(FerryError) {
    switch section {
    case .comment: try report(.comment, in: chunk)
    case .cdata:
      guard parser.leaf != nil else {
        throw FerryError(.propertyList(.unexpectedText(inside: parser.surroundings)))
      }
    case .instruction: break
    }
    (mode, sectionEnd) = (.section(section), XMLSectionEnd(of: section))
  }

  private mutating func tag(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) -> Int {
    for index in start..<chunk.count {
      let byte = chunk[index]
      if !quotation.take(byte), byte == UInt8(ascii: ">") {
        var tag: [UInt8] = []
        swap(&tag, &markup)
        defer { markup = tag }
        mode = .content
        try handle(tag, endingAt: index + 1, in: chunk)
        return index + 1
      }
      // The bytes so far have a mistake: a tag has no such character.
      if byte == UInt8(ascii: "<") { try check(markup + [byte], with: Self.check(tag:)) }
      try appendMarkup(byte)
    }
    return chunk.count
  }

  private mutating func appendMarkup(_ byte: UInt8) throws(FerryError) {
    markup.append(byte)
    guard markup.count <= tokenBytes else { throw tooLong }
  }

  private mutating func instruction(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) -> Int {
    for index in start..<chunk.count {
      if sectionEnd.take(chunk[index]) {
        mode = .content
        try finishInstruction(in: chunk)
        return index + 1
      }
      try appendMarkup(chunk[index])
    }
    return chunk.count
  }

  private mutating func finishInstruction(in chunk: Span<UInt8>) throws(FerryError) {
    let text: [UInt8] = markup.dropLast()
    guard isDeclaration(text) else {
      try check(text, with: InstructionCheck.check)
      try report(.processingInstruction, in: chunk)
      return
    }
    guard let encoding = try check(text, with: XMLDeclarationCheck.check) else { return }
    try checkEncoding(String(decoding: text[encoding], as: UTF8.self))
  }

  /// Returns true if an instruction is the XML declaration. White space may precede it, as in some real files.
  private func isDeclaration(_ instruction: [UInt8]) -> Bool {
    markupCount == 1 && parser.isBeforeRoot && XMLDeclarationCheck.isDeclaration(instruction.span)
  }

  /// Throws if the XML declaration names an encoding that differs from the detected one.
  private mutating func checkEncoding(_ name: String) throws(FerryError) {
    guard !encoding.hasName(name) else {
      if XMLTextEncoding.isASCII(name) { asciiName = name }
      return
    }
    let why =
      isUTF8
      ? XMLWords.unsupportedEncoding(name)
      : XMLWords.contradiction(encoding.noun, declared: name)
    throw FerryError(.xml(.notWellFormed(why)))
  }

  private mutating func comment(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) -> Int {
    for index in start..<chunk.count {
      let hasHyphens = sectionEnd.isDue
      if sectionEnd.take(chunk[index]) {
        mode = .content
        return index + 1
      }
      guard !hasHyphens else {
        mark = Mark(offset: index - 2)
        throw FerryError(.xml(.notWellFormed(XMLWords.hyphensInComment)))
      }
    }
    return chunk.count
  }

  private mutating func cdata(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) -> Int {
    for index in start..<chunk.count {
      if sectionEnd.take(chunk[index]) {
        text.removeLast(sectionEnd.marks)
        mode = .content
        return index + 1
      }
      text.append(chunk[index])
      guard text.count - sectionEnd.marks <= tokenBytes else { throw tooLong }
    }
    return chunk.count
  }

  private mutating func beginDoctype() throws(FerryError) {
    guard parser.isBeforeRoot, prolog == nil else {
      throw FerryError(.xml(.notWellFormed(XMLWords.misplacedDoctype)))
    }
    mode = .doctype
    var scan = PrologScan()
    _ = scan.end(in: markup.span, from: 0)
    prolog = scan
  }

  private mutating func doctype(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) -> Int {
    let end = prolog?.end(in: chunk, from: start)
    for index in start..<(end ?? chunk.count) { try appendMarkup(chunk[index]) }
    guard let end else { return chunk.count }
    mode = .content
    guard prolog?.isOver == false else {
      // A tag begins in the internal subset.
      try check(markup, with: DoctypeCheck.check(head:))
      mark = Mark(offset: end - 1)
      throw FerryError(.xml(.notWellFormed(XMLWords.unknownMarkup)))
    }
    if try check(markup.dropLast(), with: XMLPropertyListDoctype.check) {
      let location = lossLocation(in: chunk)
      losses?.add(.doctype, at: location)
    }
    return end
  }

  // MARK: Tags

  /// Handles a tag without its `>`. `end` is the offset after the tag.
  private mutating func handle(_ tag: [UInt8], endingAt end: Int, in chunk: Span<UInt8>) throws(FerryError) {
    let isEnd = tag.span.starts(with: "</")
    let isEmpty = !isEnd && tag.last == UInt8(ascii: "/")
    let attributes = try check(isEmpty ? tag.dropLast() : tag, with: Self.check(tag:))
    let start = isEnd ? 2 : 1
    let name = tag.span.extracting(start..<tag.span.endOfName(from: start))
    guard let element = XMLPropertyListElement(name) else {
      throw parser.unexpected((isEnd ? "/" : "") + name.decodedString)
    }
    if isEnd { return try finish(element, in: chunk) }
    if element != .plist, attributes > 0, let losses {
      let location = lossLocation(in: chunk)
      for _ in 0..<attributes { losses.add(.attribute, at: location) }
    }
    try begin(element, at: end, in: chunk)
    if isEmpty { try finish(element, in: chunk) }
  }

  /// Returns the number of attributes of a tag, without its `>`. Throws if it is not well-formed.
  private static func check(tag: Span<UInt8>) throws(MarkupFlaw) -> Int {
    let isEnd = tag.starts(with: "</")
    let start = isEnd ? 2 : 1
    guard start < tag.count, isXMLNameStart(tag.scalar(at: start).scalar) else {
      throw MarkupFlaw(isEnd ? XMLWords.endTagWithoutName : XMLWords.bareLess, at: 0)
    }
    let nameEnd = tag.endOfName(from: start)
    guard isEnd else { return try AttributeCheck.check(tag, from: nameEnd) }
    let end = tag.endOfSpace(from: nameEnd)
    guard end == tag.count else { throw MarkupFlaw(XMLWords.tagEndExpected, at: end) }
    return 0
  }

  /// Checks the current markup. Moves the mark to a mistake.
  @discardableResult
  private mutating func check<Result>(
    _ markup: [UInt8], with check: (Span<UInt8>) throws(MarkupFlaw) -> Result
  ) throws(FerryError) -> Result {
    do throws(MarkupFlaw) { return try check(markup.span) } catch {
      moveMark(to: error.offset, in: markup)
      throw FerryError(error.reason)
    }
  }

  /// Checks a declaration or instruction that has a `>`, but not the end that it needs. The mistake before that
  /// end explains more than the end of the document.
  private mutating func checkUnfinished() throws(FerryError) {
    guard markup.contains(UInt8(ascii: ">")) else { return }
    do throws(MarkupFlaw) {
      switch mode {
      case .doctype: try DoctypeCheck.check(head: markup.span)
      case .section(.instruction) where isDeclaration(markup): _ = try XMLDeclarationCheck.check(markup.span)
      case .section(.instruction): try InstructionCheck.check(markup.span)
      default: return
      }
    } catch {
      guard error.offset < markup.count else { return }
      moveMark(to: error.offset, in: markup)
      throw FerryError(error.reason, at: knownLocation(mark.location ?? lines.end))
    }
  }

  /// Moves the mark from the beginning of the current markup to an offset in the markup.
  private mutating func moveMark(to offset: Int, in markup: [UInt8]) {
    if let start = mark.location {
      mark.location = start.advanced(over: Array(markup.prefix(offset)))
    } else {
      mark.offset += offset
    }
  }

  /// Passes the location of the current markup to the locator.
  private func locate(in chunk: Span<UInt8>) {
    guard let locator else { return }
    if isUTF8, mark.location == nil {
      locator.move(to: mark.offset, in: chunk, after: lines)
    } else {
      locator.move(to: knownLocation(mark.location ?? lines.location(of: mark.offset, in: chunk)))
    }
  }

  private mutating func begin(
    _ element: XMLPropertyListElement, at end: Int, in chunk: Span<UInt8>
  ) throws(FerryError) {
    locate(in: chunk)
    try parser.begin(element, at: mark.eventOffset, in: chunk)
    try flushFirst(chunk)
    try reportHeldLosses(in: chunk)
    guard parser.leaf != nil else { return }
    leafMark = Mark(offset: end)
    if !text.isEmpty { text.removeAll(keepingCapacity: true) }
  }

  private mutating func finish(_ element: XMLPropertyListElement, in chunk: Span<UInt8>) throws(FerryError) {
    guard let leaf = parser.leaf else {
      locate(in: chunk)
      let offset = mark.eventOffset
      if !parser.heldLosses.isEmpty {
        try parser.sendHeldBeginning(at: offset)
        try reportHeldLosses(in: chunk)
      }
      try movingMark { parser, failed throws(FerryError) in
        try parser.end(element, at: offset, in: chunk, failedAt: &failed)
      }
      try flushFirst(chunk)
      return try reportHeldLosses(in: chunk)
    }
    guard leaf == element else { throw parser.unexpected("/\(element.name)") }
    var whole: [UInt8] = []
    swap(&whole, &text)
    defer { text = whole }
    try finishLeaf(whole.span, from: nil, in: chunk)
  }

  /// Ends the leaf. Errors have the location of its text.
  ///
  /// - Parameter start: The offset of the text in the chunk, or nil if it is elsewhere.
  private mutating func finishLeaf(
    _ text: Span<UInt8>, from start: Int?, in chunk: Span<UInt8>
  ) throws(FerryError) {
    mark = leafMark
    guard text.count <= tokenBytes else { throw tooLong }
    let offset = mark.eventOffset
    try movingMark { parser, failed throws(FerryError) in
      try parser.endLeaf(text, from: start, at: offset, in: chunk, failedAt: &failed)
    }
    try flushFirst(chunk)
    try reportHeldLosses(in: chunk)
  }

  private var tooLong: FerryError { FerryError(.overBudget(.tokenBytes(tokenBytes))) }

  /// The message for a document that ends here.
  private var unfinished: String {
    switch mode {
    case .content, .reference: XMLWords.endsInside(parser.surroundings)
    case .tag where quotation.isOpen: XMLWords.endsInValue
    default: XMLWords.endsInside(XMLWords.name(ofMarkup: markup.span) ?? "a tag")
    }
  }
}

extension Span<UInt8> {
  /// Returns the index of the next `<` or `&`, or of the `>` in the next `]]>`, or the end of the bytes.
  ///
  /// - Parameter brackets: The number of `]` just before `start`, at most 2.
  fileprivate func endOfText(from start: Int, after brackets: Int) -> Int {
    var index = firstMarkup(from: start)
    while index < count, self[index] == UInt8(ascii: ">"),
      bracketCount(before: index, from: start, after: brackets) < 2
    {
      index = firstMarkup(from: index + 1)
    }
    return index
  }

  /// Returns the index of the next `<`, `>` or `&`, or the end of the bytes. Tests eight bytes at a time.
  private func firstMarkup(from start: Int) -> Int {
    var index = start
    while index + 8 <= count {
      let special = littleEndianWord(at: index).markupBytes
      if special != 0 { return index + special.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < count, self[index] | 0x02 != 0x3e, self[index] != 0x26 { index += 1 }
    return index
  }

  /// Returns the number of `]` just before an index in text that begins at `start`, at most 2.
  fileprivate func bracketCount(before index: Int, from start: Int, after brackets: Int) -> Int {
    var found = 0
    while found < 2, index - found > start, self[index - found - 1] == UInt8(ascii: "]") { found += 1 }
    return index - found == start ? min(found + brackets, 2) : found
  }
}

extension UInt64 {
  /// Returns the number of bits below the lowest byte that equals `byte`, or 64 if there is no such byte.
  @inline(__always)
  fileprivate func bits(before byte: UInt64) -> UInt64 {
    UInt64(bytes(equal: byte).trailingZeroBitCount) & ~7
  }
}
