/// A streaming writer whose output is always well-formed XML.
///
///     let writer = XMLWriter(to: output)
///     try writer.startElement("people")
///     try writer.startElement("person")
///     try writer.attribute("id", "1")
///     try writer.text("Ada & co")
///     try writer.endElement()
///     try writer.endElement()
///     try writer.finish()
///
///     <?xml version="1.0" encoding="UTF-8"?>
///     <people>
///       <person id="1">Ada &amp; co</person>
///     </people>
///
/// Nested elements are indented. From the first text on, an element is written without added line breaks, so
/// that no white space is added to its text. If XML cannot represent something (a control character, a name
/// with a space, `--` in a comment, a second root element, an undeclared prefix), an error names it.
/// Characters are escaped as necessary. A name may have its namespace in braces, `{urn:a}b`: it gets a prefix of this namespace.
public final class XMLWriter {
  private var xml: XMLPrinter

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - output: The output.
  ///   - indent: The number of spaces for each level, at most 64; 0 to write everything on one line.
  ///   - declaration: Pass false to leave out the XML declaration.
  public init(to output: any ByteOutput, indent: Int = 2, declaration: Bool = true) throws(FerryError) {
    xml = try XMLPrinter(to: output, indent: indent, declaration: declaration)
  }

  /// Creates a writer with one level of indentation.
  ///
  /// - Parameter holdsTags: True if elements can get attributes after their contents have begun (see `holdTag`).
  init(to output: any ByteOutput, indentation: Indentation, holdsTags: Bool = false) throws(FerryError) {
    xml = try XMLPrinter(to: output, indentation: indentation, holdsTags: holdsTags)
  }

  /// Starts an element.
  ///
  /// - Throws: A `FerryError` with the reason `XMLProblem.badName`, `misplaced` for a second root element, or an error of the output.
  public func startElement(_ name: Span<UInt8>) throws(FerryError) { try xml.startElement(name) }

  /// Starts an element.
  ///
  /// - Throws: A `FerryError` with the reason `XMLProblem.badName`, `misplaced` for a second root element, or an error of the output.
  public func startElement(_ name: StaticString) throws(FerryError) {
    let name = [UInt8](literal: name)
    try xml.startElement(name.span)
  }

  /// Adds an attribute to the start tag that was just begun.
  ///
  /// - Throws: A `FerryError` with the reason `XMLProblem.lateAttribute`, `badName`, `duplicateAttribute`, `forbiddenCharacter`, or an
  ///   error of the output. An undeclared prefix throws `badMarkup` when the start tag is complete.
  public func attribute(_ name: Span<UInt8>, _ value: BorrowedText) throws(FerryError) {
    try xml.attribute(name, value)
  }

  /// Adds an attribute to the start tag that was just begun.
  ///
  /// - Throws: A `FerryError` with the reason `XMLProblem.lateAttribute`, `badName`, `duplicateAttribute`, `forbiddenCharacter`, or an
  ///   error of the output. An undeclared prefix throws `badMarkup` when the start tag is complete.
  public func attribute(_ name: StaticString, _ value: BorrowedText) throws(FerryError) {
    let name = [UInt8](literal: name)
    try xml.attribute(name.span, value)
  }

  /// Lets the innermost element get attributes after its contents have begun, as long as its start tag is held back.
  func holdTag() { xml.holdTag() }

  /// Adds an attribute, which declares no prefix, to the start tag of the innermost element, also after its contents have begun. Returns
  /// false if the start tag is not held back, or has an attribute with the name.
  func addLateAttribute(_ name: Span<UInt8>, _ value: BorrowedText) throws(FerryError) -> Bool {
    try xml.addLateAttribute(name, value)
  }

  /// Adds an attribute to the start tag of the innermost element, also after its contents have begun. Returns false if its namespace has no
  /// prefix yet, if it could change what the contents mean, if the start tag is not held back, or if that may have an attribute with the name.
  func addLateAttribute(_ name: ExpandedName, _ value: BorrowedText) throws(FerryError) -> Bool {
    try xml.addLateAttribute(name, value)
  }

  /// True if an element without a prefix has no namespace here.
  var hasNoDefaultNamespace: Bool { xml.hasNoDefaultNamespace }

  /// Ends the innermost element.
  ///
  /// - Throws: A `FerryError` with the reason `XMLProblem.misplaced` if no element is open, or an error of the output.
  public func endElement() throws(FerryError) { try xml.endElement() }

  /// Writes an element with only text.
  ///
  /// - Parameter name: A name for which `isBareXMLName` is true.
  func element(bare name: Span<UInt8>, _ text: BorrowedText) throws(FerryError) {
    try xml.element(bare: name, text)
  }

  /// Adds no white space to the innermost element, because it contains text beside elements.
  func beginMixedContent() { xml.beginMixedContent() }

  /// Writes text. If it follows child elements, no white space is added around it.
  ///
  /// - Throws: A `FerryError` with the reason `XMLProblem.forbiddenCharacter`, `misplaced` outside of the root element, or an error of the
  ///   output.
  public func text(_ text: BorrowedText) throws(FerryError) { try xml.text(text) }

  /// Writes text as a CDATA section. Text that contains `]]>` is written as several sections.
  ///
  /// - Throws: A `FerryError` with the reason `XMLProblem.forbiddenCharacter`, `misplaced` outside of the root element, or an error of the
  ///   output.
  public func cdata(_ text: BorrowedText) throws(FerryError) { try xml.cdata(text) }

  /// Writes a comment.
  ///
  /// - Throws: A `FerryError` with the reason `XMLProblem.badMarkup` for `--` in the text, `forbiddenCharacter`, or an error of the
  ///   output.
  public func comment(_ text: BorrowedText) throws(FerryError) { try xml.comment(text) }

  /// Writes a processing instruction.
  ///
  /// - Throws: A `FerryError` with the reason `XMLProblem.badName`, `badMarkup` for `?>` in the data, `forbiddenCharacter`, or an error of
  ///   the output.
  public func processingInstruction(target: Span<UInt8>, data: BorrowedText) throws(FerryError) {
    try xml.processingInstruction(target: target, data: data)
  }

  /// Writes the buffered output.
  ///
  /// - Throws: An error of the output.
  public func flush() throws(FerryError) { try xml.flush() }

  /// Ends the document, and writes the buffered output.
  ///
  /// - Throws: A `FerryError` with the reason `XMLProblem.misplaced` if an element is open or the root element is missing, or an error of
  ///   the output.
  public func finish() throws(FerryError) { try xml.finish() }
}

extension XMLWriter {
  /// Starts an element.
  ///
  /// - Throws: A `FerryError` with the reason `XMLProblem.badName`, `misplaced` for a second root element, or an error of the output.
  public func startElement(_ name: String) throws(FerryError) { try startElement(name.utf8.span) }

  /// Adds an attribute to the start tag that was just begun.
  ///
  /// - Throws: A `FerryError` with the reason `XMLProblem.lateAttribute`, `badName`, `duplicateAttribute`, `forbiddenCharacter`, or an
  ///   error of the output. An undeclared prefix throws `badMarkup` when the start tag is complete.
  public func attribute(_ name: String, _ value: String) throws(FerryError) {
    try attribute(name.utf8.span, BorrowedText(value.utf8.span))
  }

  /// Writes text. If it follows child elements, no white space is added around it.
  ///
  /// - Throws: A `FerryError` with the reason `XMLProblem.forbiddenCharacter`, `misplaced` outside of the root element, or an error of the
  ///   output.
  public func text(_ text: String) throws(FerryError) { try self.text(BorrowedText(text.utf8.span)) }

  /// Writes text as a CDATA section. Text that contains `]]>` is written as several sections.
  ///
  /// - Throws: A `FerryError` with the reason `XMLProblem.forbiddenCharacter`, `misplaced` outside of the root element, or an error of the
  ///   output.
  public func cdata(_ text: String) throws(FerryError) { try cdata(BorrowedText(text.utf8.span)) }

  /// Writes a comment.
  ///
  /// - Throws: A `FerryError` with the reason `XMLProblem.badMarkup` for `--` in the text, `forbiddenCharacter`, or an error of the
  ///   output.
  public func comment(_ text: String) throws(FerryError) { try comment(BorrowedText(text.utf8.span)) }

  /// Writes a processing instruction.
  ///
  ///     try writer.processingInstruction(target: "xml-stylesheet", data: "href=\"people.css\"")
  ///     // <?xml-stylesheet href="people.css"?>
  ///
  /// - Throws: A `FerryError` with the reason `XMLProblem.badName`, `badMarkup` for `?>` in the data, `forbiddenCharacter`, or an error of
  ///   the output.
  public func processingInstruction(target: String, data: String) throws(FerryError) {
    try processingInstruction(target: target.utf8.span, data: BorrowedText(data.utf8.span))
  }
}

extension Array<UInt8> {
  init(literal: StaticString) {
    self.init()
    append(copying: literal)
  }
}
