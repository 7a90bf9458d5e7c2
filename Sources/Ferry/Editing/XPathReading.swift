/// A reading of the values that XPaths select from an XML document, for `ferry get`.
///
/// Each XPath reads the document once, as `ferry convert --select` does.
package struct XPathReading {
  private let input: any ByteInput
  private let name: String
  private let options: ReadingOptions

  /// The values that were written for an XPath.
  package struct Selected {
    /// The number of values.
    package var count = 0
    /// True if the XPath has a single value, such as a number, instead of a list of nodes.
    package var isSingle = false
    package var losses = Losses()
    package var notes: [Note] = []
  }

  /// Returns true if an argument is an XPath or a JSON pointer, and cannot be one of Ferry's paths in XML.
  package static func canRead(_ argument: String) -> Bool { XPathExpression(argument).isXPathAlone }

  /// Returns true if an argument is an XPath, and neither a JSON pointer nor a usual key.
  package static func isXPath(_ argument: String) -> Bool { XPathExpression(argument).isNotAPointer }

  /// Checks an XPath without a document.
  ///
  /// - Parameter namespaces: The namespaces of prefixes. A document may declare others.
  /// - Throws: A `FerryError` with the reason `XMLProblem.badXPath` if the XPath is valid in no document.
  package static func check(
    _ xpath: String, namespaces: [String: String], budget: Budget
  ) throws(FerryError) {
    var namespaces = namespaces
    for prefix in XPathExpression(xpath).prefixes where namespaces[prefix] == nil {
      namespaces[prefix] = prefix
    }
    let reader = try XMLTreeReader(budget: budget)
    try reader.readAll(MemoryInput(Array("<x/>".utf8)))
    do throws(FerryError) { _ = try reader.tree().evaluate(xpath, namespaces: namespaces) } catch {
      guard case .xml(.badXPath) = error.reason else { return }
      throw error
    }
  }

  /// Opens an input. Returns nil, with the input at its beginning, if it is not an XML document with values of its own.
  package static func opening(
    _ input: any ByteInput, named name: String, _ options: ReadingOptions
  ) throws(FerryError) -> XPathReading? {
    try input.makeRewindable()
    let detected = try DetectedInput(
      input, named: name, given: options.format, declared: options.declaredFormats,
      encoding: options.encoding, budget: options.budget, hasTableOptions: options.csv.areGiven)
    let isXML = detected.format.isOfElements
    // The values that a document in the typed form describes have paths.
    let isTyped = isXML ? try detected.kind(budget: options.budget) != .other : false
    try input.rewind()
    return isXML && !isTyped ? XPathReading(input: input, name: name, options: options) : nil
  }

  /// Writes the values that an XPath selects as plain text, each on a line: a text without quotation marks, elements with only text as this
  /// text, and other elements as JSON.
  package func writeText(
    _ xpath: String, style: OutputStyle, to output: any ByteOutput
  ) throws(FerryError) -> Selected {
    let losses = LossReport()
    var writing = WritingOptions(to: .json)
    writing.style = style
    var json = Conversion(writing: writing)
    json.reading.budget = options.budget
    return try read(xpath, losses) { value throws(FerryError) in
      if let text = value.plainText { return try output.write("\(text)\n") }
      losses.add(try json.write(value, to: output))
    }
  }

  /// Reads the values that an XPath selects, as a list of nodes or a single value.
  package func value(_ xpath: String) throws(FerryError) -> (value: Value, selected: Selected) {
    var values: [Value] = []
    let selected = try read(xpath, LossReport()) { value throws(FerryError) in values.append(value) }
    if selected.isSingle, let value = values.first { return (value, selected) }
    return (.array(values), selected)
  }

  /// Counts the values that an XPath selects.
  package func count(_ xpath: String) throws(FerryError) -> Selected {
    try read(xpath, LossReport()) { _ throws(FerryError) in }
  }

  /// Returns the UTF-8 bytes of the only text that an XPath selects, or the bytes of the only data.
  ///
  /// - Throws: A `FerryError` with a `PathProblem` as its reason if it selects several values, or one of another kind.
  package func contents(_ xpath: String) throws(FerryError) -> (bytes: [UInt8], selected: Selected) {
    var bytes: [UInt8]?
    let selected = try read(xpath, LossReport()) { value throws(FerryError) in
      guard bytes == nil else { throw FerryError(.path(.severalValues)) }
      switch value.scalar {
      case .data(let data): bytes = data
      case .string(let text): bytes = Array(text.utf8)
      default: throw FerryError(.path(.noStep("bytes", into: "neither data nor a string")))
      }
    }
    return (bytes ?? [], selected)
  }

  /// Writes the values that an XPath selects in a format, as a list of nodes or a single value. Writes nothing if it selects nothing.
  package func write(
    _ xpath: String, as writing: WritingOptions, to output: any ByteOutput
  ) throws(FerryError) -> Selected {
    var conversion = Conversion(writing: writing)
    // From XML to XML, elements are copied with their contents in order.
    conversion.reading = writing.format.isOfElements ? selecting(xpath, options.xml) : valueOptions(xpath)
    try input.rewind()
    let held = PostponedOutput(output)
    let report = try conversion.convert(input, named: name, to: held)
    var selected = Selected(losses: report.losses, notes: report.notes)
    if report.losses.hasEmptySelection { return selected }
    try held.release()
    selected.count = 1
    return selected
  }

  private func selecting(_ xpath: String, _ xml: XMLReadingOptions) -> ReadingOptions {
    var reading = options
    (reading.select, reading.xml) = (xpath, xml)
    return reading
  }

  private func valueOptions(_ xpath: String) -> ReadingOptions {
    selecting(xpath, options.xml.forPaths(findsTypes: options.xml.findsTypes))
  }

  /// Reads the values that an XPath selects, one at a time.
  private func read(
    _ xpath: String, _ losses: LossReport, _ receive: @escaping (Value) throws(FerryError) -> Void
  ) throws(FerryError) -> Selected {
    try input.rewind()
    let values = SelectedValueSink(receive)
    let notes = try valueOptions(xpath).read(input, named: name, into: values, losses: losses)
    return Selected(
      count: values.count, isSingle: !values.isList, losses: losses.all,
      notes: notes.filter { $0 != .nothingSelected })
  }
}

/// A sink that divides the list of selected values, and hands on each of them, or a single value.
private final class SelectedValueSink: InterceptingSink {
  private let builder = ValueBuilder()
  private let receive: (Value) throws(FerryError) -> Void
  private(set) var isList = false
  private(set) var count = 0

  init(_ receive: @escaping (Value) throws(FerryError) -> Void) {
    self.receive = receive
    super.init(to: builder)
  }

  override func willSend() throws(FerryError) {
    guard builder.isComplete else { return }
    count += 1
    try receive(builder.take())
  }

  override func beginArray(count: Int?) throws(FerryError) {
    try willSend()
    if isList || self.count > 0 || !builder.isEmpty { return try next.beginArray(count: count) }
    isList = true
  }

  override func endArray() throws(FerryError) {
    try willSend()
    if !isList || !builder.isEmpty { try next.endArray() }
  }

  override func finish() throws(FerryError) { try willSend() }
}

/// An output that holds back its beginning, which is more than an empty list takes in any format.
private final class PostponedOutput: ByteOutput {
  private let output: any ByteOutput
  private var held: [UInt8]? = []
  private static let limit = 4096

  init(_ output: any ByteOutput) { self.output = output }

  var database: String? { output.database }

  func write(_ bytes: Span<UInt8>) throws(FerryError) {
    guard held != nil else { return try output.write(bytes) }
    held?.append(copying: bytes)
    if let held, held.count > Self.limit { try release() }
  }

  /// Writes what is held back, and all that follows at once.
  func release() throws(FerryError) {
    guard let held else { return }
    self.held = nil
    try output.write(held.span)
  }
}
