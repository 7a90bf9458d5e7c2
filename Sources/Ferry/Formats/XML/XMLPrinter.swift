/// The printer of `XMLWriter` and other writers of XML: tags, attributes, escapes and the indentation of elements. It is a struct, so that
/// a writer that owns it accesses its state cheaply.
struct XMLPrinter: ~Copyable {
  /// The layout of elements.
  struct Layout {
    /// One level of indentation, or nil to write everything on one line.
    var indentation: [UInt8]?
    /// The beginning of each line, before its indentation.
    var outer: [UInt8] = []
    var lineEnd = Array("\n".utf8)

    /// A layout with a number of spaces for each level; 0 for everything on one line.
    init(spaces: Int) { self.init(spaces > 0 ? .spaces(spaces) : nil) }

    /// A layout with one level of indentation, or nil for everything on one line.
    init(_ indentation: Indentation?) { self.indentation = indentation?.text }
  }

  private var buffer: OutputBuffer
  /// The output of the buffer if elements can get attributes after their contents have begun; nil otherwise.
  private let held: TailOutput?
  /// The offset after which the next line passes on the output that is no longer held back.
  private var nextFlush = Int.max
  private let layout: Layout
  /// The sizes of the beginning of each line, and of a level of indentation; nil if everything is on one line.
  private let lineStartCount: Int
  private let indentationCount: Int?
  /// The line end and the indentation of the deepest element so far. The indentation of any other element is a part of it.
  private var lineBreak: [UInt8]
  private var hasRoot = false
  private var isFinished = false
  /// True if the line of an item outside of all elements has no line end yet.
  private var isLineOpen = false

  private struct Open {
    /// The index in `names` at which the element's name begins.
    var nameStart: Int
    /// The number of prefixes that are declared outside of the element.
    var prefixes: Int
    /// True if the element or an enclosing one contains text, so that no white space may be added.
    var isInText: Bool
    /// True if an element without a prefix has no namespace here.
    var hasNoDefault: Bool
    /// The offset in the output at which the attributes in the start tag begin.
    var attributesStart: Int
    /// The offset at which they end, if the start tag is complete.
    var attributesEnd = 0
    /// True if the element can get attributes as long as its start tag is held back.
    var holdsTag = false
    /// The number of bytes that have been compared and moved for such attributes.
    var movedCount = 0
  }

  private var open: [Open] = []
  /// The names of the open elements, concatenated.
  private var names: [UInt8] = []
  /// True if the start tag of the innermost element is still incomplete, so that attributes can be added.
  private var isInTag = false
  /// The concatenated names of the tag's attributes. `attributeEnds` has the end of each.
  private var attributeNames: [UInt8] = []
  private var attributeEnds: [Int] = []
  private var manyAttributes: Set<[UInt8]> = []
  /// The prefixes that are declared in the open elements.
  private var prefixes = OpenPrefixes()
  /// The prefixes that are declared around the first element.
  private let outerPrefixes: [[UInt8]]

  /// Creates a printer.
  ///
  /// - Parameter indent: The number of spaces for each level; 0 to write everything on one line.
  init(to output: any ByteOutput, indent: Int = 2, declaration: Bool = true) throws(FerryError) {
    try self.init(to: output, Layout(spaces: indent), declaration: declaration)
  }

  /// Creates a printer.
  ///
  /// - Parameter indentation: One level of indentation, or nil to write everything on one line.
  ///
  /// - Parameter holdsTags: True if elements can get attributes after their contents have begun (see `holdTag`).
  init(
    to output: any ByteOutput, indentation: Indentation?, declaration: Bool = true, holdsTags: Bool = false
  ) throws(FerryError) {
    try self.init(to: output, Layout(indentation), declaration: declaration, holdsTags: holdsTags)
  }

  private init(
    to output: any ByteOutput, _ layout: Layout, declaration: Bool, holdsTags: Bool = false
  ) throws(FerryError) {
    self.init(to: output, layout, holdsTags: holdsTags)
    if declaration { try buffer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") }
  }

  /// Creates a printer of an element without a declaration.
  ///
  /// - Parameter prefixes: The prefixes that are declared around the element.
  init(
    to output: any ByteOutput, _ layout: Layout, declared prefixes: [[UInt8]] = [], holdsTags: Bool = false
  ) {
    let held = holdsTags ? TailOutput(to: output) : nil
    self.held = held
    if let held { buffer = OutputBuffer(to: held) } else { buffer = OutputBuffer(to: output) }
    if held != nil { nextFlush = OutputBuffer.size }
    self.layout = layout
    lineBreak = layout.lineEnd + layout.outer
    (lineStartCount, indentationCount) = (lineBreak.count, layout.indentation?.count)
    outerPrefixes = prefixes
  }
}

// MARK: - Elements

extension XMLPrinter {
  /// Starts an element. A name with its namespace in braces, such as `{urn:a}b`, gets a prefix of the namespace, which the element
  /// declares if it is not declared.
  mutating func startElement(_ name: Span<UInt8>) throws(FerryError) {
    guard let expanded = ExpandedName(name) else { return try start(name) }
    try startElement(expanded)
  }

  /// Starts an element. Its name gets a prefix of the namespace, which the element declares if it is not declared.
  ///
  /// - Parameter declarations: The namespaces that attributes of the element will declare, by their prefixes. That of the default
  ///   namespace is empty.
  mutating func startElement(
    _ expanded: ExpandedName, with declarations: [[UInt8]: [UInt8]] = [:]
  ) throws(FerryError) {
    guard !expanded.namespace.isEmpty else {
      let own = declarations[[]]
      guard own?.isEmpty != false else {
        throw FerryError(
          .xml(.badMarkup("an element without a namespace cannot declare a default namespace")))
      }
      try start(expanded.local.span)
      if own == nil, !hasNoDefaultNamespace {
        try attribute("xmlns".utf8.span, BorrowedText("".utf8.span))
      }
      return
    }
    let (binding, isNew) = binding(of: expanded.namespace, with: declarations)
    let qualified = binding.prefix + [UInt8(ascii: ":")] + expanded.local
    try start(qualified.span)
    if isNew { try declare(binding) }
  }

  private mutating func start(_ name: Span<UInt8>) throws(FerryError) {
    guard !open.isEmpty || !hasRoot else { throw misplaced("a second root element") }
    guard name.isXMLName else { throw FerryError(.xml(.badName(name.decodedString))) }
    hasRoot = true
    try closeTag()
    try breakLine()
    try buffer.append(UInt8(ascii: "<"))
    try buffer.append(name)
    open.append(
      Open(
        nameStart: names.count, prefixes: prefixes.count, isInText: open.last?.isInText ?? false,
        hasNoDefault: hasNoDefaultNamespace, attributesStart: buffer.count))
    names.append(copying: name)
    isInTag = true
  }

  /// Adds an attribute to the start tag that was just begun. A name with its namespace in braces, such as `{urn:a}b`, gets a prefix of
  /// the namespace, which the element declares if it is not declared.
  mutating func attribute(_ name: Span<UInt8>, _ value: BorrowedText) throws(FerryError) {
    guard isInTag, let expanded = ExpandedName(name) else { return try add(name, value) }
    try attribute(expanded, value)
  }

  /// Adds an attribute to the start tag that was just begun. Its name gets a prefix of the namespace, which the element declares if it is
  /// not declared.
  mutating func attribute(_ expanded: ExpandedName, _ value: BorrowedText) throws(FerryError) {
    guard !expanded.namespace.isEmpty else { return try add(expanded.local.span, value) }
    let (binding, isNew) = binding(of: expanded.namespace)
    if isNew { try declare(binding) }
    let qualified = binding.prefix + [UInt8(ascii: ":")] + expanded.local
    try add(qualified.span, value)
  }

  private mutating func add(_ name: Span<UInt8>, _ value: BorrowedText) throws(FerryError) {
    guard isInTag else { throw FerryError(.xml(.lateAttribute(name.decodedString))) }
    guard name.isXMLName else { throw FerryError(.xml(.badName(name.decodedString))) }
    try addAttributeName(name)
    if name.isNamespaceDeclaration { try declare(name, value.utf8) }
    if name.equals("xml:space") { open[open.count - 1].isInText = value.equals("preserve") }
    try append(attribute: name, value)
  }

  /// Ends the innermost element.
  mutating func endElement() throws(FerryError) {
    guard let last = open.last else { throw misplaced("the end of an element") }
    if isInTag {
      try checkPrefixes()
      try buffer.append("/>")
      isInTag = false
    } else {
      if !last.isInText { try breakLine(depth: open.count - 1) }
      try buffer.append("</")
      let names = names
      try buffer.append(names.span.extracting(last.nameStart..<names.count))
      try buffer.append(UInt8(ascii: ">"))
    }
    open.removeLast()
    names.removeSubrange(last.nameStart...)
    prefixes.removeAll(after: last.prefixes)
  }

  /// Writes an element with only text.
  ///
  /// - Parameter name: A name for which `isBareXMLName` is true, so that it needs no check.
  mutating func element(bare name: Span<UInt8>, _ text: BorrowedText) throws(FerryError) {
    guard !open.isEmpty else {
      try start(name)
      try self.text(text)
      return try endElement()
    }
    try closeTag()
    if buffer.count > nextFlush { try flush() }
    let length = lengthOfLineBreak(depth: open.count)
    let lineBreak = lineBreak
    let space = lineBreak.span.extracting(first: length)
    if !text.utf8.isEmpty, text.utf8.firstXMLSpecial(from: 0, isASCII: text.isASCII) == nil {
      return try buffer.append(element: name, text.utf8, after: space)
    }
    try buffer.append(space)
    try buffer.append(UInt8(ascii: "<"))
    try buffer.append(name)
    guard !text.utf8.isEmpty else { return try buffer.append("/>") }
    try buffer.append(UInt8(ascii: ">"))
    try buffer.append(xml: text)
    try buffer.append("</")
    try buffer.append(name)
    try buffer.append(UInt8(ascii: ">"))
  }

  /// Writes an element whose text is given, with the layout of its place.
  mutating func element(written text: Span<UInt8>) throws(FerryError) {
    try closeTag()
    try breakLine()
    try buffer.append(text)
  }

  /// Ends the document, and writes the buffered output.
  mutating func finish() throws(FerryError) {
    guard !isFinished else { return }
    guard hasRoot, open.isEmpty else { throw misplaced("the end of the document") }
    isFinished = true
    try buffer.append(UInt8(ascii: "\n"))
    try flush()
  }

  /// Writes the buffered output, except for start tags that are held back and what follows them.
  mutating func flush() throws(FerryError) {
    try buffer.flush()
    guard let held else { return }
    let end = buffer.count
    let first = open.first { $0.holdsTag && end - $0.attributesStart < TailOutput.size }
    try held.flush(upTo: first?.attributesStart ?? end)
    nextFlush = end + OutputBuffer.size
  }

  /// Returns true if keys can have a prefix, because it is declared in the open elements.
  func declares(_ prefix: Span<UInt8>) -> Bool { declares(prefix, includingMade: false) }

  /// True if an element without a prefix has no namespace here.
  var hasNoDefaultNamespace: Bool { open.last?.hasNoDefault ?? true }

  private func declares(_ prefix: Span<UInt8>, includingMade: Bool) -> Bool {
    if prefixes.declares(prefix, includingMade: includingMade) { return true }
    for declared in outerPrefixes where declared.span.equals(prefix) { return true }
    return false
  }

  private func misplaced(_ what: String) -> FerryError { FerryError(.xml(.misplaced(what))) }

  private mutating func closeTag() throws(FerryError) {
    guard isInTag else { return }
    try checkPrefixes()
    if let last = open.indices.last { open[last].attributesEnd = buffer.count }
    try buffer.append(UInt8(ascii: ">"))
    isInTag = false
  }

  /// Begins a new line before an element, a comment or an instruction, except inside text.
  private mutating func breakLine(depth: Int? = nil) throws(FerryError) {
    if buffer.count > nextFlush { try flush() }
    guard !open.isEmpty else {
      if isLineOpen { try buffer.append(UInt8(ascii: "\n")) }
      isLineOpen = true
      return
    }
    let length = lengthOfLineBreak(depth: depth ?? open.count)
    let lineBreak = lineBreak
    try buffer.append(lineBreak.span.extracting(first: length))
  }

  /// Returns the length of the beginning of `lineBreak` that precedes an item in an open element, which is 0 inside text.
  private mutating func lengthOfLineBreak(depth: Int) -> Int {
    guard let indentationCount, !open[open.count - 1].isInText else { return 0 }
    let length = lineStartCount + min(depth, Budget.indentedDepth) * indentationCount
    while lineBreak.count < length { lineBreak += layout.indentation ?? [] }
    return length
  }
}

// MARK: - Content

extension XMLPrinter {
  /// Adds no white space to the innermost element, because it contains text beside elements.
  mutating func beginMixedContent() {
    if let last = open.indices.last { open[last].isInText = true }
  }

  /// Writes text. If it follows child elements, no white space is added around it.
  mutating func text(_ text: BorrowedText) throws(FerryError) {
    guard !text.utf8.isEmpty else { return }
    try beginText()
    try buffer.append(xml: text)
  }

  /// Writes text as a CDATA section. Text that contains `]]>` is written as several sections. A carriage return can
  /// only be written outside of a section, so an empty section marks such white space as content.
  mutating func cdata(_ text: BorrowedText) throws(FerryError) {
    try text.checkXMLCharacters()
    try beginText()
    if text.utf8.firstIndex(of: UInt8(ascii: "\r"), from: 0) != nil {
      if text.isBlank { try buffer.append("<![CDATA[]]>") }
      return try buffer.append(xml: text)
    }
    try buffer.append("<![CDATA[")
    var start = 0
    while let end = text.utf8.end(ofFirst: "]]>", from: start) {
      try buffer.append(text.utf8.extracting(start..<end - 1))
      try buffer.append("]]><![CDATA[")
      start = end - 1
    }
    try buffer.append(text.utf8.extracting(start..<text.utf8.count))
    try buffer.append("]]>")
  }

  /// Writes a comment.
  mutating func comment(_ text: BorrowedText) throws(FerryError) {
    try text.checkXMLCharacters()
    let endsInDash = !text.utf8.isEmpty && text.utf8[text.utf8.count - 1] == UInt8(ascii: "-")
    guard !endsInDash, text.utf8.end(ofFirst: "--", from: 0) == nil else {
      throw FerryError(.xml(.badMarkup("a comment cannot contain -- or end in -")))
    }
    try closeTag()
    try breakLine()
    try buffer.append("<!--")
    try buffer.append(text.utf8)
    try buffer.append("-->")
  }

  /// Writes a processing instruction.
  mutating func processingInstruction(target: Span<UInt8>, data: BorrowedText) throws(FerryError) {
    guard target.isXMLName, target.firstIndex(of: UInt8(ascii: ":"), from: 0) == nil,
      target.decodedString.lowercased() != "xml"
    else { throw FerryError(.xml(.badName(target.decodedString))) }
    try data.checkXMLCharacters()
    guard data.utf8.end(ofFirst: "?>", from: 0) == nil else {
      throw FerryError(.xml(.badMarkup("a processing instruction cannot contain ?>")))
    }
    try closeTag()
    try breakLine()
    try buffer.append("<?")
    try buffer.append(target)
    if !data.utf8.isEmpty {
      try buffer.append(UInt8(ascii: " "))
      try buffer.append(data.utf8)
    }
    try buffer.append("?>")
  }

  private mutating func beginText() throws(FerryError) {
    guard let last = open.indices.last else { throw misplaced("text") }
    try closeTag()
    open[last].isInText = true
  }
}

// MARK: - Late attributes

extension XMLPrinter {
  /// The number of bytes that may be compared and moved for the late attributes of one element, so that they do not take quadratic time.
  private static let mostMoved = 64 * TailOutput.size

  /// Lets the innermost element get attributes after its contents have begun. Its start tag is held back, and what follows it, up to
  /// `TailOutput.size`.
  mutating func holdTag() {
    if held != nil, let last = open.indices.last { open[last].holdsTag = true }
  }

  /// Adds an attribute, which declares no prefix, to the start tag of the innermost element, also after its contents have begun. Returns
  /// false if the start tag is not held back, or has an attribute with the name.
  mutating func addLateAttribute(_ name: Span<UInt8>, _ value: BorrowedText) throws(FerryError) -> Bool {
    guard try takesLateAttribute(name, value) else { return false }
    guard !isInTag, let held, let last = open.indices.last else {
      try add(name, value)
      return true
    }
    let start = buffer.count
    try append(attribute: name, value)
    try buffer.flush()
    let end = open[last].attributesEnd
    held.moveEnd(from: start, to: end)
    open[last].attributesEnd = end + buffer.count - start
    if name.equals("xmlns") { open[last].hasNoDefault = value.utf8.isEmpty }
    return true
  }

  /// Adds an attribute to the start tag of the innermost element, also after its contents have begun. Returns false if that could change what the
  /// contents mean: the namespace has no prefix yet, or the attribute declares one, gives a type or is `xml:space`. Also returns false if the
  /// start tag is not held back, or may have an attribute with the name.
  mutating func addLateAttribute(
    _ expanded: ExpandedName, _ value: BorrowedText
  ) throws(FerryError) -> Bool {
    guard !expanded.namespace.isEmpty else {
      return expanded.local.span.equals("xmlns") ? false : try addLateAttribute(expanded.local.span, value)
    }
    let isOfXML = expanded.namespace.span.equals(XMLNamespace.xml.utf8.span)
    guard !isOfXML || !expanded.local.span.equals("space"),
      !XMLTypeAttribute.declares(expanded.namespace.span),
      // The element may have the attribute with another prefix.
      !prefixes.hasSeveral(of: expanded.namespace)
    else { return false }
    let (binding, isNew) = binding(of: expanded.namespace)
    guard !isNew else { return false }
    let name = binding.prefix + [UInt8(ascii: ":")] + expanded.local
    return try addLateAttribute(name.span, value)
  }

  /// Returns true if the innermost element has its start tag held back, and has no attribute with a name.
  private mutating func takesLateAttribute(
    _ name: Span<UInt8>, _ value: BorrowedText
  ) throws(FerryError) -> Bool {
    guard let held, let last = open.indices.last, open[last].holdsTag else { return false }
    guard !isInTag else { return !hasAttribute(name) }
    let (start, end) = (open[last].attributesStart, open[last].attributesEnd)
    let distance = buffer.count - start
    // An escape has up to six characters.
    guard distance + name.count + 6 * value.utf8.count + 4 < TailOutput.size,
      open[last].movedCount < Self.mostMoved
    else { return false }
    open[last].movedCount += distance
    try buffer.flush()
    // A quotation mark in a value is escaped, so that these bytes are a name.
    let beginning = [UInt8(ascii: " ")] + [UInt8](copying: name) + Array("=\"".utf8)
    return !held.contains(beginning, in: start..<end)
  }

  private func hasAttribute(_ name: Span<UInt8>) -> Bool {
    var isFound = false
    forEachAttributeName { if $0.equals(name) { isFound = true } }
    return isFound
  }

  private mutating func append(attribute name: Span<UInt8>, _ value: BorrowedText) throws(FerryError) {
    try buffer.append(UInt8(ascii: " "))
    try buffer.append(name)
    try buffer.append("=\"")
    try buffer.append(xml: value, isAttribute: true)
    try buffer.append(UInt8(ascii: "\""))
  }
}

// MARK: - Attributes and prefixes

extension XMLPrinter {
  private mutating func addAttributeName(_ name: Span<UInt8>) throws(FerryError) {
    if attributeEnds.count >= 32 {
      // Comparing each pair of names would take quadratic time, so many names are put in a set.
      if manyAttributes.isEmpty {
        var names: Set<[UInt8]> = []
        forEachAttributeName { names.insert([UInt8](copying: $0)) }
        manyAttributes = names
      }
      guard manyAttributes.insert([UInt8](copying: name)).inserted else { throw duplicate(name) }
    } else {
      guard !hasAttribute(name) else { throw duplicate(name) }
    }
    attributeNames.append(copying: name)
    attributeEnds.append(attributeNames.count)
  }

  private func duplicate(_ name: Span<UInt8>) -> FerryError {
    FerryError(.xml(.duplicateAttribute(name.decodedString)))
  }

  private func forEachAttributeName(_ body: (Span<UInt8>) -> Void) {
    let names = attributeNames
    var start = 0
    for end in attributeEnds {
      body(names.span.extracting(start..<end))
      start = end
    }
  }

  /// Records a declaration of a namespace.
  private mutating func declare(_ name: Span<UInt8>, _ namespace: Span<UInt8>) throws(FerryError) {
    guard !name.equals("xmlns") else { return open[open.count - 1].hasNoDefault = namespace.isEmpty }
    let prefix = name.extracting(6..<name.count)
    let isReserved = prefix.equals("xmlns") || prefix.equals("xml")
    guard !isReserved, !namespace.isEmpty else {
      throw FerryError(.xml(.badMarkup("the prefix \(prefix.decodedString) cannot be declared so")))
    }
    prefixes.append(
      OpenPrefixes.Binding(prefix: [UInt8](copying: prefix), namespace: [UInt8](copying: namespace)))
  }

  /// Declares a new prefix in the start tag.
  private mutating func declare(_ binding: OpenPrefixes.Binding) throws(FerryError) {
    let name = Array("xmlns:".utf8) + binding.prefix
    try addAttributeName(name.span)
    prefixes.append(binding)
    try append(attribute: name.span, BorrowedText(binding.namespace.span))
  }

  /// Returns the innermost prefix of a namespace that no other declaration hides, or a new one: `ns1`, `ns2`, …
  ///
  /// - Parameter declarations: The namespaces that attributes of the element will declare, by their prefixes.
  private func binding(
    of namespace: [UInt8], with declarations: [[UInt8]: [UInt8]] = [:]
  ) -> (binding: OpenPrefixes.Binding, isNew: Bool) {
    // The least prefix, because a dictionary has no order.
    let own = declarations.filter { $0.value == namespace && !$0.key.isEmpty }.keys
    if let prefix = own.min(by: { $0.lexicographicallyPrecedes($1) }) {
      return (OpenPrefixes.Binding(prefix: prefix, namespace: namespace), false)
    }
    if let known = prefixes.binding(of: namespace, unless: { declarations[$0] != nil }) {
      return (known, false)
    }
    var number = prefixes.lastNumber
    var prefix: [UInt8] = []
    repeat {
      number += 1
      prefix = Array("ns\(number)".utf8)
    } while declares(prefix.span, includingMade: true) || declarations[prefix] != nil
    return (OpenPrefixes.Binding(prefix: prefix, namespace: namespace, number: number), true)
  }

  /// Checks that the prefixes of the element and its attributes are declared. Called at the end of the start
  /// tag, when all its declarations are known.
  private mutating func checkPrefixes() throws(FerryError) {
    if let last = open.last {
      try checkPrefix(of: names.span.extracting(last.nameStart..<names.count))
    }
    guard !attributeEnds.isEmpty else { return }
    let names = attributeNames
    var start = 0
    for end in attributeEnds {
      let name = names.span.extracting(start..<end)
      if !name.starts(with: "xmlns:") { try checkPrefix(of: name) }
      start = end
    }
    attributeNames.removeAll(keepingCapacity: true)
    attributeEnds.removeAll(keepingCapacity: true)
    if !manyAttributes.isEmpty { manyAttributes.removeAll() }
  }

  private func checkPrefix(of name: Span<UInt8>) throws(FerryError) {
    guard let colon = name.firstIndex(of: UInt8(ascii: ":"), from: 0) else { return }
    let prefix = name.extracting(0..<colon)
    guard declares(prefix, includingMade: true) else {
      throw FerryError(.xml(.badMarkup("the prefix of \(name.decodedString) is not declared")))
    }
  }
}
