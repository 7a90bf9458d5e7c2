/// A scanner of the first bytes of an input in a given format. It finds the end of the bytes that decide how
/// the input is read, so that a pipe is not read further before the first values are sent.
///
///     {"a": …                               JSON, and not a typed document
///     <people><person>…</person>            XML, with the first record, which a built-in schema has to match
///
/// The bytes after this end do not change the decision.
final class HeadScan {
  private let format: Format
  private let records: FirstRecordScan?

  /// Creates a scanner.
  ///
  /// - Parameter matchesSchemas: True if built-in schemas are matched with the first record of XML.
  init(_ format: Format, matchesSchemas: Bool, budget: Budget) {
    self.format = format
    records = matchesSchemas && format.isOfElements ? FirstRecordScan(budget: budget) : nil
  }

  /// Returns true if the first bytes of the input decide how it is read. They must begin with those of the
  /// previous call.
  func isOver(_ head: [UInt8]) -> Bool {
    DocumentProbe.beginning(of: head, format: format) != nil && records?.isOver(head) != false
      && (!format.isOfElements || PrologScan.hasWholeRootTag(head))
  }
}

extension DetectedInput {
  /// Detects the format of an input unless it is given. No more of a pipe is read than decides how the input is read, as far as that is
  /// known early.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - name: The file name of the input.
  ///   - options: The options for reading it.
  ///   - matchesSchemas: True if built-in schemas are matched with the first record of XML.
  /// - Throws: A `FerryError` with the reason `FileProblem.empty`, `unknownFormat` or `otherKind` if Ferry cannot read the input.
  init(
    _ input: any ByteInput, named name: String?, _ options: ReadingOptions, matchesSchemas: Bool
  ) throws(FerryError) {
    let (encoding, budget) = (options.encoding, options.budget)
    guard let given = options.format else {
      // Options for tables decide by more lines than a format needs that shows.
      let hasTableOptions = options.csv.areGiven
      let scan = FormatScan(named: name, matchesSchemas: matchesSchemas, budget: budget)
      try self.init(
        input, named: name, given: nil, declared: options.declaredFormats, encoding: encoding, budget: budget,
        hasTableOptions: hasTableOptions, opensArchive: true
      ) { encoding == nil && !hasTableOptions && scan.isOver($0) }
      return
    }
    let scan = HeadScan(given, matchesSchemas: matchesSchemas, budget: budget)
    try self.init(input, named: name, given: given, encoding: encoding, budget: budget, opensArchive: true) {
      scan.isOver($0)
    }
  }
}

/// A scanner that finds the end of the first record of an XML document, which `SchemaProbe` examines.
private final class FirstRecordScan {
  private let document: RecordEndDelegate
  private let stream: XMLStream?
  private var scanned = 0

  init(budget: Budget) {
    document = RecordEndDelegate()
    stream = try? XMLStream(document: document, budget: budget)
  }

  func isOver(_ head: [UInt8]) -> Bool {
    guard let stream, !document.isOver else { return true }
    do throws(FerryError) {
      try stream.read(head.span.extracting(scanned...))
    } catch {
      // The reader will report the error.
      return true
    }
    scanned = head.count
    return document.isOver
  }
}

/// The delegate of a document and of a collection's root element.
private final class RecordEndDelegate: ElementDelegate {
  /// True after the first record, or if the root element is not that of a built-in schema.
  private(set) var isOver = false
  private let record = ElementDelegate()
  private var isInRoot = false

  override func delegate(for element: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    let name = element.name.local
    if isInRoot || Schema.builtIn.contains(where: { $0.record.element.equals(name) }) { return record }
    guard Schema.builtIn.contains(where: { $0.collectionElement.equals(name) }) else {
      isOver = true
      return nil
    }
    isInRoot = true
    return self
  }

  override func childDidFinish(_ child: ElementDelegate) { isOver = true }
}
