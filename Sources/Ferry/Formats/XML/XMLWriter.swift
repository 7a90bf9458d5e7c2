/// Writes XML as a stream, and only XML that is well-formed.
///
///     let writer = XMLWriter(to: output)
///     try writer.startElement("people")
///     try writer.startElement("person")
///     try writer.attribute("id", Text("1".utf8.span))
///     try writer.text(Text("Ada & co".utf8.span))
///     try writer.endElement()
///     try writer.endElement()
///     try writer.finish()
///
///     <?xml version="1.0" encoding="UTF-8"?>
///     <people>
///       <person id="1">Ada &amp; co</person>
///     </people>
///
/// Elements inside an element are indented. An element that has text is written on one line from its text on,
/// so that white space is never added to text. What XML cannot hold (a control character, a name with a
/// space, `--` in a comment, a second root, a prefix that is not declared) is refused by name; what it holds
/// only escaped, is escaped.
public final class XMLWriter {
  private var xml: XMLOutput

  /// A writer that indents by a number of spaces, or not at all and without line breaks if that is 0.
  public init(to output: any ByteOutput, indent: Int = 2, declaration: Bool = true) throws(Failure) {
    xml = try XMLOutput(to: output, indent: indent, declaration: declaration)
  }

  /// Starts an element.
  public func startElement(_ name: Span<UInt8>) throws(Failure) { try xml.startElement(name) }

  /// Starts an element.
  public func startElement(_ name: StaticString) throws(Failure) {
    let name = [UInt8](literal: name)
    try xml.startElement(name.span)
  }

  /// Adds an attribute to the element that has just been started.
  public func attribute(_ name: Span<UInt8>, _ value: Text) throws(Failure) { try xml.attribute(name, value) }

  /// Adds an attribute to the element that has just been started.
  public func attribute(_ name: StaticString, _ value: Text) throws(Failure) {
    let name = [UInt8](literal: name)
    try xml.attribute(name.span, value)
  }

  /// Ends the element started last.
  public func endElement() throws(Failure) { try xml.endElement() }

  /// Writes text. Text that comes after child elements is written without white space around it.
  public func text(_ text: Text) throws(Failure) { try xml.text(text) }

  /// Writes text as a CDATA section, or as several when it contains the end of one.
  public func cdata(_ text: Text) throws(Failure) { try xml.cdata(text) }

  /// Writes a comment.
  public func comment(_ text: Text) throws(Failure) { try xml.comment(text) }

  /// Writes a processing instruction.
  public func processingInstruction(target: Span<UInt8>, data: Text) throws(Failure) {
    try xml.processingInstruction(target: target, data: data)
  }

  /// Writes what is held so far.
  public func flush() throws(Failure) { try xml.flush() }

  /// Ends the document, and writes what is held.
  public func finish() throws(Failure) { try xml.finish() }
}

extension Array<UInt8> {
  init(literal: StaticString) {
    self.init()
    append(copying: literal)
  }
}

extension Span<UInt8> {
  /// The index of a byte's first occurrence from `start` on.
  func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    var index = start
    while index < count {
      if self[index] == byte { return index }
      index += 1
    }
    return nil
  }

  /// The index behind the first occurrence of a literal from `start` on.
  func end(ofFirst literal: StaticString, from start: Int) -> Int? {
    var index = start
    while index + literal.utf8CodeUnitCount <= count {
      if extracting(index..<count).starts(with: literal) { return index + literal.utf8CodeUnitCount }
      index += 1
    }
    return nil
  }
}
