internal import CLibXML2

/// A wrapper of libxml2's push parser that enforces limits. It sends events to a chain of delegates, or
/// builds a tree.
///
/// For a chain, `ContentScanner` reads the elements as far as it can. libxml2 then gets the start tags of the open
/// elements and the rest of the document, and its offsets are converted to those in the document. libxml2's context is
/// created when libxml2 has to read something: most documents only have a `UsualProlog`, elements that the scanner
/// reads, and white space.
///
/// libxml2 2.9.14 has no limits in push mode, so this class limits depth, attributes, names, tokens, and the
/// expansion of entities. It never reads anything outside of the document, and prints nothing.
///
/// Long tokens require the option `XML_PARSE_HUGE`, which disables libxml2's own limit for entities. This
/// class adds the size of an entity's content at each reference, before the entity is expanded, and the size of the
/// default attributes of each element.
@safe final class XMLPushParser: ElementLocator {
  /// libxml2's context, or nil until libxml2 has to read something.
  private(set) var context: xmlParserCtxtPtr?
  /// True if libxml2 reads the document, or a part of it.
  var usesLibXML2: Bool { unsafe context != nil }
  /// The chain that receives events. It is not used for a tree, whose nodes store their lines and columns.
  private var chain: ElementChain
  let isTree: Bool
  private let budget: Budget
  /// The entities for references to undeclared ones.
  let entities: XMLEntities
  private var error: FerryError?
  /// True if `error` is set. It is checked in each callback.
  private(set) var hasFailed = false
  /// The decoder of the document's bytes, so that libxml2 only reads UTF-8.
  private var decoder: XMLTextDecoder
  /// True if the text in libxml2's buffer ends before bytes that cannot be decoded.
  private(set) var isCutOff = false
  private var names: XMLParserNames
  /// The prefixes that are declared around the names of a tag.
  private var prefixes = DeclaredPrefixes()
  /// The prefixes of the names of the open elements, as interned by libxml2, or nil.
  private var elementPrefixes: [UnsafePointer<xmlChar>?] = unsafe []
  /// The number of namespace declarations of each open element.
  private var declarationCounts: [Int] = []
  /// The sum of `declarationCounts`. libxml2 searches all these declarations for each name.
  private var declarationsInScope = 0
  private(set) var locations = ElementLocations()
  /// The bytes that libxml2 is reading.
  private var piece = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)

  private var attributes = XMLAttributes()
  /// True if the last piece of an incomplete CDATA section ended with a carriage return.
  private var sectionEndsInReturn = false
  /// The number of dropped references to entities that may be declared outside of the document.
  private(set) var leftOutReferences = 0

  /// The scanner of the prolog, before the root element.
  private var prolog = PrologScan()
  /// The prolog that libxml2 has still to read if its context is created.
  private var usualProlog = UsualProlog()
  /// The scanner of the elements, until libxml2 reads the rest of the document.
  private var scanner: ContentScanner?
  private let scannedElement = ScannedElementLocator()
  private let mayScan: Bool
  /// The locations in the whole input, if the document is the rest of it; otherwise nil.
  var movedLocations: MovedLocations?
  /// The names in the earlier parts of the input, which count for the limit. They must be known before anything is read.
  var namesBefore: [XMLName] = [] {
    didSet { names.add(namesBefore) }
  }
  /// The names in the document so far, and in its earlier parts.
  var namesOfDocument: [XMLName] { scanner?.namesOfDocument ?? names.table.namesOfDocument }
  private var hasDoctype = false
  /// The number of start tags that libxml2 has still to read after the scanner.
  private var repeatedTags = 0
  /// The number of end tags that it has still to read after these: that of the root element, or none.
  private var repeatedEnds = 0
  /// True after the scanner has read a part of the document.
  private(set) var hasScanned = false
  /// The difference between an offset in the document and that of libxml2.
  private var offsetShift = 0
  /// True after the end of the root element.
  private var isAfterRoot = false
  private(set) var hasRoot = false
  /// The input that is held back until a long token, or an item of the prolog, is complete.
  private var held: [UInt8] = []
  /// The number of bytes of an incomplete token in libxml2's buffer.
  private var pending = 0
  /// The scanner of the current start tag if it is long and incomplete.
  private var openTag: StartTagScan?
  /// The number of bytes of decoded text passed to libxml2.
  private var consumed = 0
  /// The size of what the document's declarations add to it.
  private var expansionBudget: ExpansionBudget
  /// False after a reference to a parameter entity that is not read. It might declare the same entities and
  /// attributes as later declarations, and the first declaration counts (XML 1.0, 5.1).
  private(set) var processesDeclarations = true
  /// The empty entity that libxml2 gets for each parameter entity that is not read.
  private var emptyParameterEntity: xmlEntityPtr?
  private var isFinished = false
  private(set) var isLastPiece = false
  /// The name of the markup that is incomplete at the end of the document, or nil.
  private(set) var unfinished: String?

  /// The maximum number of bytes passed to libxml2 at once. A longer incomplete token counts as long.
  private static let pieceSize = 1 << 16

  /// Creates a parser that sends events to a chain. If the chain is nil, it builds a tree.
  ///
  /// - Parameters:
  ///   - entities: The entities for references to undeclared ones.
  ///   - mayScan: True if `ContentScanner` reads what it can of a document for a chain.
  init(
    to chain: consuming ElementChain?, budget: Budget, entities: XMLEntities = XMLEntities(),
    mayScan: Bool = true
  ) throws(FerryError) {
    (self.mayScan, self.entities) = (mayScan, entities)
    if let chain {
      isTree = false
      self.chain = chain
    } else {
      isTree = true
      self.chain = ElementChain(document: ElementDelegate(), budget: budget, losses: nil)
    }
    self.budget = budget
    expansionBudget = ExpansionBudget(budget)
    decoder = XMLTextDecoder(budget: budget)
    names = XMLParserNames(table: XMLNameTable(budget: budget))
    super.init()
    if isTree { try startLibXML2() }
  }

  deinit {
    if let scanner = scanner.take() { KeptScanners.keep(scanner) }
    guard let context = unsafe context else { return }
    unsafe xmlFreeDoc(context.pointee.myDoc)
    unsafe xmlFreeParserCtxt(context)
  }

  /// The source location of the innermost open element.
  override var elementLocation: InputLocation {
    unsafe shown(locations.innermost(in: Span(_unsafeElements: piece)))
  }

  /// The one-time initialization of libxml2.
  private static let initialized: Void = xmlInitParser()

  /// Creates libxml2's context unless it exists, and passes the prolog to it that it has not received.
  private func startLibXML2() throws(FerryError) {
    guard !usesLibXML2 else { return }
    _ = Self.initialized
    var handlers = unsafe Self.handlers()
    guard let context = unsafe xmlCreatePushParserCtxt(&handlers, nil, nil, 0, nil) else {
      throw FerryError(.xml(.notWellFormed("out of memory")))
    }
    unsafe self.context = context
    unsafe context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_NOENT.rawValue | XML_PARSE_HUGE.rawValue
      | XML_PARSE_IGNORE_ENC.rawValue
    _ = unsafe xmlCtxtUseOptions(context, Int32(options))
    let items = usualProlog.items
    usualProlog = UsualProlog()
    for item in items { try parse(item.span, isLast: false) }
  }
}

// MARK: - Feeding

extension XMLPushParser {
  /// Reads a chunk of any size.
  func read(_ chunk: Span<UInt8>) throws(FerryError) {
    if let error { throw error }
    var rest = chunk
    // The decoder copies what it reads: small pieces, so that a large chunk is not in memory several times.
    while !rest.isEmpty, !decoder.isPassingThrough {
      let piece = rest.extracting(first: Self.pieceSize)
      rest = rest.extracting(droppingFirst: piece.count)
      try readDecoded { decoder, text throws(TextFlaw) in try decoder.append(piece, to: &text) }
    }
    try readText(rest)
  }

  /// Reads the text that the decoder appends. A mistake is located after the text, in which an error comes first.
  private func readDecoded(
    _ decode: (inout XMLTextDecoder, inout [UInt8]) throws(TextFlaw) -> Void
  ) throws(FerryError) {
    var text: [UInt8] = []
    do throws(TextFlaw) { try decode(&decoder, &text) } catch {
      isCutOff = true
      try readText(text.span)
      try endScanning()
      if prolog.isOver { try parseHeld() }
      throw keep(FerryError(error.reason, at: documentEnd.advanced(over: held)))
    }
    try readText(text.span)
  }

  /// Reads a chunk in UTF-8.
  private func readText(_ chunk: Span<UInt8>) throws(FerryError) {
    var start = 0
    while start < chunk.count {
      let end = min(start + Self.pieceSize, chunk.count)
      try prolog.isOver ? take(chunk.extracting(start..<end)) : takeProlog(chunk.extracting(start..<end))
      start = end
    }
  }

  /// Ends the document.
  func finish() throws(FerryError) {
    if let error { throw error }
    guard !isFinished else { return }
    isFinished = true
    try readDecoded { decoder, text throws(TextFlaw) in try decoder.finish(to: &text) }
    // If libxml2 has read the prolog, it may still find a mistake there.
    if !usesLibXML2, let end = scanner?.documentEnd {
      locations = ElementLocations(from: end, open: [])
    } else {
      try finishLibXML2()
    }
    if !isTree {
      do { try chain.finish() } catch { throw error.placed(at: shown(locations.unread)) }
    }
  }

  /// Lets libxml2 read the rest of the document.
  private func finishLibXML2() throws(FerryError) {
    try endScanning()
    try startLibXML2()
    try parseHeld()
    if consumed == 0 {
      fail(
        FerryError(
          .xml(.notWellFormed("the document is empty")), at: InputLocation(line: 1, column: 1, byte: 0)))
    }
    unfinished = unfinishedMarkup
    try parse(Span(), isLast: true)
  }

  /// Returns the tree. The caller must free it.
  func takeDocument() -> xmlDocPtr? {
    let document = unsafe context?.pointee.myDoc
    unsafe context?.pointee.myDoc = nil
    return unsafe document
  }

  /// Passes the items of the prolog to libxml2, each as a whole, or keeps them for it.
  private func takeProlog(_ piece: Span<UInt8>) throws(FerryError) {
    var start = 0
    while !prolog.isOver, let end = prolog.end(in: piece, from: start) {
      held.append(copying: piece.extracting(start..<end))
      try takeHeldItem()
      start = end
    }
    guard !prolog.isOver else {
      startScanning()
      return try take(piece.extracting(start..<piece.count))
    }
    held.append(copying: piece.extracting(start..<piece.count))
    guard held.count <= mostPending else {
      throw keep(FerryError(.overBudget(.tokenBytes(budget.tokenBytes)), at: locations.unread))
    }
  }

  /// Keeps an item of the prolog for libxml2 if it is usual, otherwise passes it.
  private func takeHeldItem() throws(FerryError) {
    guard !usesLibXML2, mayScan, usualProlog.add(held, endsProlog: prolog.endsInTag) else {
      return try parseHeld()
    }
    held = []
  }

  /// Passes a piece to libxml2, or holds it back if a long token is incomplete. libxml2 searches the whole
  /// token again for each piece, so pieces grow with the token, which keeps the total time linear. After the
  /// root element the input is also held back, because libxml2 misjudges comments and instructions there as
  /// in the prolog.
  private func take(_ piece: Span<UInt8>) throws(FerryError) {
    guard scanner == nil else { return try scan(piece) }
    guard isAfterRoot || pending >= Self.pieceSize else { return try parse(piece, isLast: false) }
    openTag?.scan(piece)
    try checkOpenTag()
    held.append(copying: piece)
    let mayBeTooLong = pending + held.count > mostPending
    if mayBeTooLong || held.count >= max(pending, 1 << 20) { try parseHeld() }
  }

  private func parseHeld() throws(FerryError) {
    let bytes = held
    held = []
    var start = 0
    while start < bytes.count {
      let end = min(start + 1 << 30, bytes.count)  // libxml2's count is an `Int32`
      try parse(bytes.span.extracting(start..<end), isLast: false)
      start = end
    }
  }

  private func parse(_ bytes: Span<UInt8>, isLast: Bool) throws(FerryError) {
    if let error { throw error }
    try startLibXML2()
    consumed += bytes.count
    isLastPiece = isLast
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe piece = bytes
      XMLErrors().hear {
        unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
          _ = unsafe xmlParseChunk(context, bytes.baseAddress, Int32(bytes.count), isLast ? 1 : 0)
        }
      }
      unsafe piece = UnsafeBufferPointer(start: nil, count: 0)
    }
    if let error { throw error }
    guard isSound, isLast ? hasRoot && locations.count == 0 : !hasStopped else {
      throw keep(FerryError(.xml(.notWellFormed(notText)), at: isCutOff ? documentEnd : locations.unread))
    }
    locations.finish(bytes, unread: offset)
    isAfterRoot = hasRoot && locations.count == 0
    try measurePending()
  }

  /// True if libxml2 has stopped without reporting an error.
  private var hasStopped: Bool { unsafe context?.pointee.instate == XML_PARSER_EOF }

  private var isSound: Bool { unsafe context?.pointee.wellFormed == 1 }

  /// The maximum number of bytes of an incomplete token. It is never less than a piece, which may end in a tag whose values are all short.
  private var mostPending: Int { max(budget.tokenBytes, Self.pieceSize) }

  /// Measures the incomplete token in libxml2's buffer.
  private func measurePending() throws(FerryError) {
    guard let input = unsafe context?.pointee.input else { return }
    let token = unsafe Span(_unsafeStart: input.pointee.cur, count: input.pointee.end - input.pointee.cur)
    pending = token.count
    guard pending <= mostPending else {
      throw keep(FerryError(.overBudget(.tokenBytes(budget.tokenBytes)), at: locations.unread))
    }
    openTag = nil
    guard pending >= Self.pieceSize, token.starts(with: "<"), !token.starts(with: "<!"),
      !token.starts(with: "<?")
    else { return }
    var scan = StartTagScan()
    scan.scan(token)
    openTag = scan
    try checkOpenTag()
  }

  /// The name of the incomplete markup in libxml2's buffer, or nil.
  private var unfinishedMarkup: String? {
    guard let context = unsafe context, let input = unsafe context.pointee.input else { return nil }
    switch unsafe context.pointee.instate {
    case XML_PARSER_CDATA_SECTION: return "a CDATA section"
    case XML_PARSER_DTD: return "the document type declaration"
    default:
      let rest = unsafe Span(_unsafeStart: input.pointee.cur, count: input.pointee.end - input.pointee.cur)
      return XMLWords.name(ofMarkup: rest)
    }
  }

  private func checkOpenTag() throws(FerryError) {
    guard let openTag, openTag.attributes > budget.attributes else { return }
    throw keep(FerryError(.overBudget(.attributes(budget.attributes)), at: locations.unread))
  }
}

// MARK: - Scanning

extension XMLPushParser {
  /// Lets the scanner read the root element.
  private func startScanning() {
    guard mayScan, !isTree, prolog.endsInTag, !hasDoctype else { return }
    var start = documentEnd
    start.column = start.column.map { $0 - 1 }
    start.byte = start.byte.map { $0 - 1 }
    scanner = KeptScanners.scanner(at: start, budget: budget, showsBytes: !decoder.isTranscoding)
    scanner?.names.add(namesBefore)
  }

  private func scan(_ piece: Span<UInt8>) throws(FerryError) {
    do throws(FerryError) {
      let isRead = try scanner?.read(piece, locator: scannedElement) { events throws(EventFailure) in
        try chain.receive(events, scannedElement)
      }
      if isRead == true { return }
    } catch {
      scannedElement.end()
      throw keep(error)
    }
    try endScanning()
  }

  /// Lets libxml2 read the rest of the document. It receives the start tags of the open elements once more, or both tags of the
  /// root element if that has ended.
  private func endScanning() throws(FerryError) {
    guard let rest = scanner?.rest else { return }
    if let table = scanner.take()?.takeNames() { names = XMLParserNames(table: table) }
    try startLibXML2()
    if rest.tags.isEmpty { return try readText(rest.unread.span.extracting(droppingFirst: 1)) }
    var tags = Array(rest.tags.dropFirst())
    // libxml2 begins to read when it has four bytes.
    tags.insert(contentsOf: Array("    ".utf8), at: tags.span.endOfScannedName(from: 0))
    (repeatedTags, repeatedEnds) = (rest.startTags, rest.startTags - rest.open.count)
    repeatTags(tags.span)
    chain.resume(depth: rest.open.count, textBytes: rest.textBytes)
    (hasRoot, hasScanned, isAfterRoot) = (true, true, rest.open.isEmpty)
    pending = 0
    let passed = consumed + tags.count
    consumed = rest.location.byte ?? 0
    offsetShift = consumed - passed
    locations = ElementLocations(from: rest.location, open: rest.open)
    try readText(rest.unread.span)
  }

  /// Gives tags to libxml2, which has already received the first `<`. They cause no events.
  private func repeatTags(_ tags: Span<UInt8>) {
    var start = 0
    while start < tags.count {
      let end = min(start + 1 << 30, tags.count)  // libxml2's count is an `Int32`
      unsafe tags.extracting(start..<end).withUnsafeBufferPointer { bytes in
        XMLErrors().hear {
          unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
            _ = unsafe xmlParseChunk(context, bytes.baseAddress, Int32(bytes.count), 0)
          }
        }
      }
      start = end
    }
  }
}

// MARK: - Errors

extension XMLPushParser {
  /// Records the first error, and disables further callbacks. libxml2 is not stopped immediately by `xmlStopParser`, because
  /// it still uses its input after some callbacks. With an error number, it stops before the next token, instead of reading
  /// the rest of the chunk in the time that the budget has just refused.
  func fail(_ error: FerryError) {
    _ = keep(error)
    unsafe context?.pointee.wellFormed = 0
    unsafe context?.pointee.disableSAX = 1
    unsafe context?.pointee.errNo = Int32(XML_ERR_USER_STOP.rawValue)
  }

  private func keep(_ error: FerryError) -> FerryError {
    if let first = self.error { return first }
    var error = error
    error.location = shown(error.location)
    self.error = error
    hasFailed = true
    return error
  }

  /// Records an error of a delegate, located at the innermost open element.
  func failAtElement(_ error: FerryError) { fail(error.placed(at: elementLocation)) }

  /// Records an error located at libxml2's current byte.
  func failHere(_ reason: FerryError.Reason) { fail(FerryError(reason, at: currentLocation)) }
}

// MARK: - The encoding

extension XMLPushParser {
  /// The message for bytes that are not valid text in the document's encoding.
  var notText: String { decoder.notText }

  /// Returns a source location in the decoded text as one in the document. If they differ, the byte is unknown.
  private func shown(_ location: InputLocation) -> InputLocation {
    guard decoder.isTranscoding else { return location }
    var location = location
    location.byte = nil
    return location
  }
}

// MARK: - Source locations

extension XMLPushParser {
  /// The input of the document, at the bottom of libxml2's stack of inputs. The others are entities.
  private var input: xmlParserInputPtr? {
    guard let context = unsafe context, unsafe context.pointee.inputNr > 0 else { return nil }
    return unsafe context.pointee.inputTab[0]
  }

  /// The byte offset of libxml2's current byte in the document.
  private var offset: Int {
    guard let input = unsafe input else { return consumed }
    return unsafe Int(input.pointee.consumed) + (input.pointee.cur - input.pointee.base) + offsetShift
  }

  /// The source location of libxml2's current byte.
  var currentLocation: InputLocation { location(back: 0) }

  /// The source location after the text that libxml2 has received, and the prolog that is kept for it.
  var documentEnd: InputLocation {
    let end = unsafe locations.location(of: consumed, in: Span(_unsafeElements: piece))
    return usualProlog.items.reduce(end) { $0.advanced(over: $1) }
  }

  /// True if libxml2 has read all bytes of the document.
  var isAtEnd: Bool {
    guard let input = unsafe input, unsafe context?.pointee.inputNr == 1 else { return false }
    return unsafe input.pointee.cur >= input.pointee.end
  }

  /// The bytes before libxml2's current byte that are still in its buffer, as UTF-8.
  @unsafe var readBytes: UnsafeBufferPointer<UInt8> {
    guard let input = unsafe input else { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
    return unsafe UnsafeBufferPointer(
      start: input.pointee.base, count: input.pointee.cur - input.pointee.base)
  }

  /// The bytes in libxml2's buffer from its current byte on, as UTF-8.
  @unsafe var unreadBytes: UnsafeBufferPointer<UInt8> {
    guard let input = unsafe input else { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
    return unsafe UnsafeBufferPointer(start: input.pointee.cur, count: input.pointee.end - input.pointee.cur)
  }

  /// Returns true if the bytes before libxml2's current byte end with a text.
  func isAfter(_ text: StaticString) -> Bool {
    let read = unsafe Span(_unsafeElements: readBytes)
    return read.count >= text.utf8CodeUnitCount && read.extracting(last: text.utf8CodeUnitCount).equals(text)
  }

  /// Returns the source location of the last occurrence of a byte before libxml2's current byte.
  func location(ofLast byte: UInt8) -> InputLocation {
    let read = unsafe Span(_unsafeElements: readBytes)
    return location(back: read.lastIndex(of: byte).map { read.count - $0 } ?? 0)
  }

  /// Returns the source location of the markup before libxml2's current byte, or of the reference to the entity that has the markup.
  ///
  /// - Parameter count: The number of bytes at the end of the markup that may have the text by which it starts.
  func location(ofLastMarkup start: StaticString, before count: Int = 0) -> InputLocation {
    // The context's `depth` counts nested entities.
    if let context = unsafe context, unsafe context.pointee.depth > 0 {
      return shown(location(ofLast: UInt8(ascii: "&")))
    }
    let piece = unsafe Span(_unsafeElements: piece)
    let end = min(max(offset - locations.start, 0), piece.count)
    if let index = piece.extracting(0..<max(0, end - count)).lastIndex(ofMarkup: start) {
      return shown(locations.location(of: locations.start + index, in: piece))
    }
    let leftOver = unsafe Span(_unsafeElements: leftOver)
    let searched = leftOver.extracting(0..<max(0, leftOver.count - max(0, count - end)))
    guard let index = searched.lastIndex(ofMarkup: start) else { return InputLocation() }
    return shown(locations.location(after: leftOver.extracting(0..<index)))
  }

  /// Returns the source location `count` bytes before libxml2's current byte. These bytes must still be in
  /// libxml2's buffer.
  func location(back count: Int) -> InputLocation {
    guard unsafe input != nil else { return locations.unread }
    let offset = offset - count
    if offset >= locations.start {
      return unsafe locations.location(of: offset, in: Span(_unsafeElements: piece))
    }
    let leftOver = unsafe Span(_unsafeElements: leftOver)
    return locations.location(after: leftOver.extracting(first: max(leftOver.count - count, 0)))
  }

  /// The bytes of earlier pieces, up to libxml2's current byte, that libxml2 had not consumed. They are still
  /// in its buffer.
  private var leftOver: UnsafeBufferPointer<UInt8> {
    guard let input = unsafe input, let start = locations.unread.byte else {
      return unsafe UnsafeBufferPointer(start: nil, count: 0)
    }
    let count = unsafe min(max(offset - start, 0), input.pointee.cur - input.pointee.base)
    return unsafe UnsafeBufferPointer(start: input.pointee.cur - count, count: count)
  }

  /// Records the location of the element whose start tag was just read.
  private func openLocation() {
    // The context's `depth` counts nested entities.
    let isInEntity = unsafe context.map { unsafe $0.pointee.depth > 0 } ?? false
    let mark = UInt8(ascii: isInEntity ? "&" : "<")
    if unsafe locations.beganEarlier(ofLast: mark, before: offset, in: Span(_unsafeElements: piece)) {
      let leftOver = unsafe Span(_unsafeElements: leftOver)
      let start = leftOver.lastIndex(of: mark) ?? 0
      locations.open(at: locations.location(after: leftOver.extracting(0..<start)))
    } else {
      locations.open(tagEnd: offset, mark: mark)
    }
  }
}

// MARK: - Callbacks of libxml2

extension XMLPushParser {
  /// The strings of a start tag, as passed by libxml2.
  @unsafe struct StartTag {
    var local: UnsafePointer<xmlChar>
    var prefix: UnsafePointer<xmlChar>?
    var namespace: UnsafePointer<xmlChar>?
    var declarationCount: Int
    /// Two strings for each namespace declaration: the prefix and the namespace.
    var declarations: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    var attributeCount: Int
    /// The number of the last attributes that the element has by default.
    var defaultedCount: Int
    /// Five strings for each attribute: its name, prefix and namespace, and the start and end of its value.
    var attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  }

  func start(_ tag: StartTag) {
    unsafe openPrefixes(of: tag)
    guard repeatedTags == 0 else {
      repeatedTags -= 1
      return
    }
    hasRoot = true
    openLocation()
    do throws(FerryError) {
      guard unsafe tag.attributeCount + tag.declarationCount <= budget.attributes else {
        throw FerryError(.overBudget(.attributes(budget.attributes)))
      }
      guard declarationsInScope <= budget.attributes else {
        throw FerryError(.overBudget(.declarations(budget.attributes)))
      }
      if unsafe tag.defaultedCount > 0 || expansionBudget.hasDefaultNamespaces {
        unsafe try expansionBudget.addDefaults(of: tag, after: consumed)
      }
      if !isTree {
        if chain.isSkipping { unsafe try startSkipped(tag) } else { unsafe try startInChain(tag) }
      } else {
        guard locations.count <= budget.depth else { throw FerryError(.overBudget(.depth(budget.depth))) }
        _ = unsafe name(local: tag.local, prefix: tag.prefix, namespace: tag.namespace)
        unsafe collectAttributes(of: tag)
        try checkNames()
      }
    } catch {
      failAtElement(error)
    }
  }

  private func openPrefixes(of tag: StartTag) {
    unsafe elementPrefixes.append(tag.prefix)
    let declarationCount = unsafe tag.declarationCount
    declarationCounts.append(declarationCount)
    declarationsInScope += declarationCount
    prefixes.open()
    guard let list = unsafe tag.declarations else { return }
    for index in unsafe 0..<tag.declarationCount {
      if let prefix = unsafe string(list[index * 2]) { prefixes.add(prefix) }
    }
  }

  /// Returns the local name of the innermost open element with its prefix, as in the document.
  func withElementPrefix(_ local: String) -> String {
    guard let prefix = unsafe elementPrefixes.last.flatMap({ unsafe string($0) }) else { return local }
    return "\(prefix):\(local)"
  }

  private func name(
    local: UnsafePointer<xmlChar>, prefix: UnsafePointer<xmlChar>?, namespace: UnsafePointer<xmlChar>?
  ) -> Unretained<XMLName> {
    unsafe names.name(
      local: local, prefix: prefix, namespace: namespace, isDeclared: { prefixes.contains($0) })
  }

  /// Throws if the document has more names than the budget allows.
  private func checkNames() throws(FerryError) {
    if names.table.isOverBudget { throw names.table.overBudget }
  }

  /// Starts an element inside a skipped one. Its names count for the budget, as they do if the scanner reads it.
  private func startSkipped(_ tag: StartTag) throws(FerryError) {
    _ = unsafe name(local: tag.local, prefix: tag.prefix, namespace: tag.namespace)
    unsafe collectAttributes(of: tag)
    try chain.startSkipped()
  }

  private func startInChain(_ tag: StartTag) throws(FerryError) {
    let name = unsafe name(local: tag.local, prefix: tag.prefix, namespace: tag.namespace)
    let leavesOutDeclaration = tagDeclaresXML
    guard unsafe tag.attributeCount + tag.declarationCount > 0 else {
      try checkNames()
      return try chain.start(
        XMLStartTag(
          name: name, attributes: Span(), attributeCount: 0, values: Span(), locator: Unretained(self),
          leavesOutDeclaration: leavesOutDeclaration))
    }
    unsafe collectAttributes(of: tag)
    try checkNames()
    let (list, values) = (attributes.list, attributes.values)
    try chain.start(
      XMLStartTag(
        name: name, attributes: list.span, attributeCount: unsafe tag.attributeCount, values: values.span,
        locator: Unretained(self), leavesOutDeclaration: leavesOutDeclaration))
  }

  /// True if the start tag that libxml2 has just read declares the prefix `xml`, which libxml2 leaves out. The scanner leaves an element that
  /// does so, and those after it, to libxml2.
  private var tagDeclaresXML: Bool {
    let read = unsafe Span(_unsafeElements: readBytes)
    let end = read.startOfSpace(before: read.count)
    // Before the end of a tag with attributes is a quotation mark. Before a tag in an entity is the reference to the entity.
    guard end > 0, read[end - 1].isQuotationMark else { return false }
    let tag = read.extracting((read.lastIndex(of: UInt8(ascii: "<")) ?? 0)..<end)
    guard tag.firstIndex(of: "xmlns:xml", from: 0) != nil else { return false }
    return AttributeScan.names(in: tag).contains { $0.name.elementsEqual("xmlns:xml".utf8) }
  }

  private func collectAttributes(of tag: StartTag) {
    attributes.removeAll()
    if let list = unsafe tag.attributes {
      for index in unsafe 0..<tag.attributeCount {
        guard let local = unsafe list[index * 5], let start = unsafe list[index * 5 + 3],
          let end = unsafe list[index * 5 + 4]
        else { continue }
        let name = unsafe name(
          local: local, prefix: list[index * 5 + 1], namespace: list[index * 5 + 2]
        ).object
        unsafe attributes.add(name, Span(_unsafeStart: start, count: end - start))
      }
    }
    if let list = unsafe tag.declarations {
      for index in unsafe 0..<tag.declarationCount {
        let prefix = unsafe list[index * 2]
        let name = unsafe names.declaration(of: prefix)
        guard let uri = unsafe list[index * 2 + 1] else {
          attributes.add(name, Span())
          continue
        }
        unsafe attributes.add(name, Span(_unsafeStart: uri, count: Int(xmlStrlen(uri))))
      }
    }
  }

  func end() {
    prefixes.close()
    _ = unsafe elementPrefixes.popLast()
    declarationsInScope -= declarationCounts.popLast() ?? 0
    guard repeatedEnds == 0 else {
      repeatedEnds -= 1
      return
    }
    if !isTree {
      do throws(FerryError) { try chain.end() } catch { failAtElement(error) }
    }
    locations.close()
  }

  func text(_ bytes: Span<UInt8>) {
    do throws(FerryError) { try chain.text(BorrowedText(checked: bytes, isASCII: bytes.isASCII)) } catch {
      failAtElement(error)
    }
  }

  /// Sends the text of a CDATA section. Converts line ends to line feeds (XML 1.0, section 2.11), because
  /// libxml2 does not.
  func cdata(_ bytes: Span<UInt8>) {
    guard bytes.firstIndex(of: UInt8(ascii: "\r"), from: 0) != nil || sectionEndsInReturn else {
      return sendCDATA(bytes)
    }
    var text: [UInt8] = []
    var isReturn = sectionEndsInReturn
    for index in bytes.indices {
      let byte = bytes[index]
      if byte != UInt8(ascii: "\n") || !isReturn { text.append(byte == UInt8(ascii: "\r") ? 0x0a : byte) }
      isReturn = byte == UInt8(ascii: "\r")
    }
    sectionEndsInReturn = isReturn && !isFollowedBySectionEnd(bytes)
    sendCDATA(text.span)
  }

  private func sendCDATA(_ bytes: Span<UInt8>) {
    if isTree {
      return unsafe bytes.withUnsafeBufferPointer {
        unsafe xmlSAX2CDataBlock(context, $0.baseAddress, Int32($0.count))
      }
    }
    do throws(FerryError) {
      try chain.text(BorrowedText(checked: bytes, isASCII: bytes.isASCII), isCDATA: true)
    } catch {
      failAtElement(error)
    }
  }

  /// Returns true if a CDATA section ends after bytes in libxml2's buffer. libxml2 reports a long section in
  /// pieces.
  private func isFollowedBySectionEnd(_ bytes: Span<UInt8>) -> Bool {
    guard let input = unsafe context?.pointee.input else { return true }
    return unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let end = unsafe bytes.baseAddress.map({ unsafe $0 + bytes.count }),
        unsafe end >= input.pointee.base, unsafe input.pointee.end - end >= 3
      else { return true }
      return unsafe Span(_unsafeStart: end, count: 3).equals(XMLSection.cdata.closing)
    }
  }

  /// Drops a reference to an entity that may be declared outside of the document, and reports it.
  func leaveOutReference() {
    chain.undeclaredEntity(at: shown(location(ofLast: UInt8(ascii: "&"))))
    leftOutReferences += 1
  }

  func comment(_ bytes: Span<UInt8>) {
    do throws(FerryError) {
      try chain.comment(BorrowedText(bytes), at: location(ofLastMarkup: XMLSection.comment.opening))
    } catch { failAtElement(error) }
  }

  func processingInstruction(target: Span<UInt8>, data: Span<UInt8>) {
    do throws(FerryError) {
      let location = location(ofLastMarkup: "<?", before: data.count + 2)
      try chain.processingInstruction(target: BorrowedText(target), data: BorrowedText(data), at: location)
    } catch { failAtElement(error) }
  }

  func doctype() {
    hasDoctype = true
    chain.doctype(at: location(ofLastMarkup: "<!DOCTYPE"))
  }

  /// Stores the source location of an element in the newest node of the tree.
  func storeLocation() {
    guard let node = unsafe context?.pointee.node else { return }
    let location = elementLocation
    let packed = (location.line ?? 0) << 32 | min(location.column ?? 0, Int(UInt32.max))
    unsafe node.pointee._private = UnsafeMutableRawPointer(bitPattern: packed)
  }

  /// True inside the document type declaration.
  var isInDoctype: Bool { unsafe context.map { unsafe $0.pointee.inSubset != 0 } ?? false }
}

// MARK: - Entities

extension XMLPushParser {
  /// Returns true if an entity may be expanded here. If not, records the error.
  func mayExpand(_ entity: xmlEntityPtr) -> Bool {
    let kind = unsafe entity.pointee.etype
    guard kind != XML_EXTERNAL_GENERAL_PARSED_ENTITY || isInDoctype else {
      failHere(.xml(.externalEntity(unsafe string(entity.pointee.name) ?? "")))
      return false
    }
    guard let context = unsafe context else { return false }
    do throws(FerryError) {
      unsafe try expansionBudget.expand(entity, in: context, after: consumed, isInDoctype: isInDoctype)
    } catch {
      failHere(error.reason)
      return false
    }
    return true
  }

  /// True if the document says that all its declarations are in itself.
  var isStandalone: Bool { unsafe context?.pointee.standalone == 1 }

  /// Ends the document type declaration.
  func endDoctype() { unsafe context?.pointee.sax2 = 1 }

  /// Returns an empty entity in place of a parameter entity that is not read.
  func skippedParameterEntity() -> xmlEntityPtr? {
    if !isStandalone {
      processesDeclarations = false
      // libxml2 takes default values of attributes from declarations only for SAX2.
      unsafe context?.pointee.sax2 = 0
    }
    if let known = unsafe emptyParameterEntity { return unsafe known }
    // No name is empty.
    unsafe emptyParameterEntity = xmlAddDocEntity(
      context?.pointee.myDoc, "", Int32(XML_INTERNAL_PARAMETER_ENTITY.rawValue), nil, nil, "")
    return unsafe emptyParameterEntity
  }

  /// Checks the content of a declared entity.
  func declareEntity(content: Span<UInt8>) {
    do throws(FerryError) { try expansionBudget.declareEntity(content: content) } catch {
      failHere(error.reason)
    }
  }

  /// Counts a default value for an attribute.
  func declareDefault(of attribute: UnsafePointer<xmlChar>?) {
    do throws(FerryError) { unsafe try expansionBudget.declareDefault(of: attribute) } catch {
      failHere(error.reason)
    }
  }
}

extension Span<UInt8> {
  /// Returns the index of the last markup that begins with a text.
  fileprivate func lastIndex(ofMarkup start: StaticString) -> Int? {
    var end = count
    while let index = extracting(0..<end).lastIndex(of: UInt8(ascii: "<")) {
      if extracting(index..<count).starts(with: start) { return index }
      end = index
    }
    return nil
  }
}
