/// A source that sends the values of an XML document: records by a schema, otherwise elements by convention,
/// or an array of the elements that an XPath selects.
struct XMLSource {
  let input: any ByteInput
  let selection: ElementSelection?
  let options: ReadingOptions
  let losses: LossReport
  /// Receives the source locations of records, or nil if no sink needs them.
  private let locator: SourceLocator?
  /// Receives the indices of the lists in the options that elements matched; nil if they are not needed.
  var didUseLists: ((Set<Int>) -> Void)?
  /// Receives the forms of the elements in the selected ones.
  var didFindListForms: ((ListForms) -> Void)?
  /// True if values need their source locations: because a schema describes them and not the elements, or to decode them as records.
  var locatesValues = false
  /// The shape of the document if it is known; otherwise nil.
  var shape: XMLShape?
  /// The elements of the document, if it was read before.
  var elements: KeptElements?
  /// The locations in the whole input, if only its rest is read; otherwise nil.
  var movedLocations: MovedLocations?
  /// The names and paths in the earlier parts of the document, which count for the budget; nil for a whole document.
  var namesBefore: XMLNamesBefore?
  /// Receives the names and paths in a part of a document; nil if they are not needed.
  var didFindNames: ((XMLPartNames) -> Void)?
  /// Receives the names of the records' elements, if the records are written as elements of another document; otherwise nil.
  var recordElements: RecordElements?
  /// Receives the errors of records that are left out; nil to throw the first of them.
  private let failed: FailedRecords?
  private let namespaces: NamespaceMeter

  /// Creates a source for a document, or for the elements selected from it.
  init(
    _ input: any ByteInput, selecting selection: ElementSelection? = nil, _ options: ReadingOptions,
    reporting losses: LossReport, locator: SourceLocator? = nil, failed: FailedRecords? = nil
  ) {
    self.input = input
    self.selection = selection
    self.options = options
    self.losses = losses
    self.locator = locator
    self.failed = failed
    namespaces = NamespaceMeter(options.budget)
  }

  var budget: Budget { options.budget }

  func send(into sink: any ValueSink) throws(FerryError) {
    if let selection {
      try send(selection, into: sink)
    } else if let schema = options.schema {
      let document = RecordDocumentDelegate(
        schema, into: sink, losses: losses, locator: locator, failed: failed, keepsNames: options.keepsNames,
        groupsContents: options.xml.order == .never)
      let stream = try XMLStream(
        document: document, budget: budget, entities: options.xml.entities, losses: losses)
      prepareForRest(stream)
      try read(with: stream)
      didFindNames?(XMLPartNames(names: stream.namesOfDocument))
    } else if options.xml.convention != .ferry {
      try sendByConvention(into: sink)
    } else {
      try sendElements(into: sink)
    }
  }

  /// Prepares a stream to read the rest of a document.
  private func prepareForRest(_ stream: XMLStream) {
    stream.movedLocations = movedLocations
    if let namesBefore { stream.namesBefore = namesBefore.names }
  }

  /// Sends a document by the convention of another program.
  private func sendByConvention(into sink: any ValueSink) throws(FerryError) {
    let lists = ConventionReader.Lists(options.xml.lists)
    // The list of an element in JsonML is not a list of records: it has the name of the element, and its attributes.
    let isRecord = options.xml.convention == .jsonml && options.sendsRecords
    if isRecord { try sink.beginArray(count: 1) }
    try send(sendsName: options.elements != .content, lists, into: sink) { delegate throws(FerryError) in
      try read(
        with: XMLStream(document: delegate, budget: budget, entities: options.xml.entities, losses: losses))
    }
    if isRecord { try sink.endArray() }
    didUseLists?(lists.used)
  }

  /// Sends the elements of a document by Ferry's own convention.
  private func sendElements(into sink: any ValueSink) throws(FerryError) {
    // Only the whole document shows which elements are lists, so it is read twice.
    try input.makeRewindable()
    let shape = if let shape { shape } else { try readShape() }
    didUseLists?(shape.paths.usedLists)
    try input.rewind()
    if options.elements == .tables || options.elements == .objects { shape.group(1) }
    let records = try records(in: shape, for: sink)
    let wantsEntry =
      options.elements == .content
      ? !shape.paths.hasWrapper : options.elements == .records && !shape.paths.marksLists
    let first = records ?? (wantsEntry ? EntryValue(to: sink) : sink)
    try read(
      with: XMLValueReader(
        into: first, shape: shape, budget: budget, entities: options.xml.entities, losses: losses,
        locator: valueLocator))
    try records?.complete()
    if let records { reportUnusedDeclarations(in: shape, records) }
  }

  private func readShape() throws(FerryError) -> XMLShape {
    let shape = newShape
    try read(with: XMLStream(document: shape, budget: budget, entities: options.xml.entities))
    return shape
  }

  /// An empty shape for the options.
  var newShape: XMLShape {
    var xml = options.xml
    if options.elements == .objects { xml.order = .never }
    return XMLShape(budget: budget, options: xml)
  }

  /// Returns a sink that extracts the records of a document, if they are wanted and it has a list of them.
  func records(in shape: XMLShape, for sink: any ValueSink) throws(FerryError) -> PathSelection? {
    guard !shape.paths.marksLists else { return try typedRecords(in: shape, for: sink) }
    guard let list = recordList(in: shape) else { return nil }
    // The records are found by the name of their elements.
    shape.group(1)
    guard let recordElements, let key = list.keys.last else {
      return try PathSelection(list, to: sink, losses: losses)
    }
    let scope = shape.paths.declarationsOfRoot
    recordElements.begin(key, in: scope)
    return try PathSelection(
      list, to: declaring(to: sink), losses: recordElements.declares ? losses(without: scope) : losses)
  }

  /// Reports the declarations around the records that are in no element of the output, because there are no records.
  private func reportUnusedDeclarations(in shape: XMLShape, _ records: PathSelection) {
    guard let recordElements, recordElements.declares, recordElements.reportsUnused, records.isEmpty else {
      return
    }
    let root = String(decoding: shape.paths.decodedKey(of: 1), as: UTF8.self)
    for declaration in recordElements.declarations {
      losses.add(.besideRecords, path: ValuePath([.key(root), .key("@\(declaration.name)")]))
    }
  }

  /// Returns the report for the values beside the records without some declarations, which the output has, too.
  private func losses(without kept: [NamespaceDeclaration]) -> LossReport {
    guard !kept.isEmpty else { return losses }
    return LossReport(forwardingTo: losses) { loss in
      guard loss.kind == .besideRecords, loss.path.steps.count == 2,
        case .key(let key)? = loss.path.steps.last
      else { return true }
      return !kept.contains { key.equals("@\($0.name)") }
    }
  }

  /// Returns the sink for a list of records, which adds declarations of namespaces to them if they are written as elements of another document.
  private func declaring(to sink: any ValueSink) -> any ValueSink {
    guard let recordElements, recordElements.declares else { return sink }
    return DeclaringRecords(to: sink, recordElements, namespaces)
  }

  /// Returns the list of records of a document without types, if its records are wanted and it has a list of them.
  func recordList(in shape: XMLShape) -> RecordList? {
    guard options.elements == .records || options.findsRecordList else { return nil }
    return shape.paths.recordList(
      named: options.recordElement, rootMayBeRecord: options.findsRecordList && options.elements != .records)
  }

  /// Returns a sink that extracts the records of a document with types, if they are wanted and its value has a list of them. The values show
  /// the list, as those of JSON do: inside the root element, or in the outermost dictionary if that element is not part of the value.
  private func typedRecords(
    in shape: XMLShape, for sink: any ValueSink
  ) throws(FerryError) -> PathSelection? {
    guard options.findsRecordList else { return nil }
    shape.group(1)
    let (finder, isAlone) = (RecordListFinder(), shape.paths.hasWrapper)
    try read(
      with: XMLValueReader(
        into: isAlone ? finder : EntryValue(to: finder), shape: shape, budget: budget,
        entities: options.xml.entities))
    try input.rewind()
    guard let list = finder.list else {
      shape.ungroup(1)
      return nil
    }
    let outer = isAlone ? [] : [shape.paths.decodedKey(of: 1)]
    return try PathSelection(RecordList(keys: outer + list.keys), to: sink, losses: losses)
  }

  /// Sends an element by the convention of another program.
  ///
  /// - Parameters:
  ///   - lists: The elements that are always lists.
  ///   - replay: Calls the delegate of a document with the element.
  private func send(
    sendsName: Bool, _ lists: ConventionReader.Lists, into sink: any ValueSink,
    _ replay: (ElementDelegate) throws(FerryError) -> Void
  ) throws(FerryError) {
    guard options.xml.convention != .jsonml else {
      return try replay(JsonMLReader(into: sink, namespaces: namespaces))
    }
    let fragment = ElementFragment()
    try replay(fragment)
    try ConventionReader.send(
      fragment, by: options.xml.convention, sendsName: sendsName, lists: lists, into: sink, losses: losses,
      namespaces: namespaces)
  }

  func read(with reader: any ChunkReader) throws(FerryError) {
    namespaces.inputBytes = 0
    try input.forEachChunk { chunk throws(FerryError) in
      namespaces.inputBytes += chunk.count
      try reader.read(chunk)
    }
    try reader.finish()
  }

  /// Sends what is selected.
  private func send(_ selection: ElementSelection, into sink: any ValueSink) throws(FerryError) {
    if options.schema != nil { try selection.requireElements("a schema describes elements") }
    switch selection {
    case .nodes(let nodes, let tree): try send(nodes.map { .element($0) }, of: tree, into: sink)
    case .pattern(let pattern): try send(pattern, into: sink)
    case .texts(let texts):
      if let elements = texts.elements { return try send(elements, beside: texts.pattern, into: sink) }
      try send(texts.pattern, into: sink)
    case .values(let values):
      if case .nodes(let nodes) = values.result { return try send(nodes, of: values.tree, into: sink) }
      values.tree.noteLosses(in: losses)
      try values.result.send(to: sink)
    }
  }

  private func send(_ nodes: [XMLTreeNode], of tree: XMLTree, into sink: any ValueSink) throws(FerryError) {
    tree.noteLosses(in: losses)
    namespaces.inputBytes = tree.byteCount
    if nodes.isEmpty { losses.add(.nothingSelected) }
    let sink = declaring(to: sink)
    try sink.beginArray(count: nodes.count)
    let (shape, lists) = (
      XMLShape(budget: budget, options: options.xml), ConventionReader.Lists(options.xml.lists)
    )
    let hasTypes = findsTypes && tree.root.declaresTypes
    if hasTypes { shape.readTypes() }
    let typed = hasTypes || readsTypes ? typedValues(ofElementsTo: sink) : nil
    for (index, node) in nodes.enumerated() {
      switch node {
      case .element(let element):
        typed?.beginElement(in: element.namespacesInScope)
        recordElements?.begin(
          element.name, options.xml.namespaces, in: element.parent?.namespacesInScope ?? [])
        try send(element, at: index, shape, lists, into: typed ?? sink)
      case .text(let text, _): try sink.string(BorrowedText(text.span))
      case .other: break
      }
    }
    if !nodes.isEmpty, options.schema == nil {
      didUseLists?(isByFerry ? shape.paths.usedLists : lists.used)
      didFindListForms?(shape.paths.listForms)
    }
    try sink.endArray()
  }

  /// Sends the attributes and texts that a pattern selects while the document is read.
  private func send(_ pattern: XPathTextPattern, into sink: any ValueSink) throws(FerryError) {
    let selector = TextSelector(pattern) { text throws(FerryError) in try sink.string(text) }
    let stream = try XMLStream(document: selector, budget: budget, entities: options.xml.entities)
    try sink.beginArray(count: nil)
    try read(with: stream)
    try sink.endArray()
    for _ in 0..<stream.leftOutReferences { losses.add(.undeclaredEntity) }
    if selector.count == 0 { losses.add(.nothingSelected) }
  }

  /// Sends the elements that a pattern selects while the document is read.
  ///
  /// - Parameter texts: A pattern of attributes and texts, which are sent in document order with the elements; nil for elements alone.
  private func send(
    _ pattern: XPathPattern, beside texts: XPathTextPattern? = nil, into sink: any ValueSink
  ) throws(FerryError) {
    // Swift checks each access to a variable of several closures. With a structure, this is one check for an element.
    let sink = declaring(to: sink)
    let typed = readsTypes ? typedValues(ofElementsTo: sink) : nil
    var paths = XMLShape(budget: budget, options: options.xml).paths
    if let namesBefore { paths.count(namesBefore.paths) }
    var selected = SelectedValues(
      XMLValueParser(
        into: typed ?? sink, paths: paths, losses: losses,
        sendsRootAlone: true, locator: valueLocator), typed: typed,
      sendsAtOnce: recordElements != nil)
    let records = options.schema.flatMap { SelectedRecords($0, to: sink) }
    let kept = texts.map { _ in UnionTexts { text throws(FerryError) in try sink.string(text) } }
    let lists = ConventionReader.Lists(options.xml.lists)
    var needs: ElementSelector.Needs = []
    if options.schema != nil || locatesValues { needs.insert(.locations) }
    if options.xml.convention == .badgerfish || readsTypes || recordElements != nil {
      needs.insert(.namespaces)
    }
    if findsTypes { needs.insert(.types) }
    let selector = ElementSelector(
      pattern, needs: needs,
      take: { events, index, context in
        guard !context.keepsSpace, records?.add(events, firstEvent: index) ?? false else { return false }
        selected.count += 1
        return true
      },
      takeRecurring: { events, index throws(EventFailure) in
        try isByFerry ? selected.receive(recurring: events, from: index) : index
      }
    ) { events, index, context throws(EventFailure) in
      recordElements?.begin(
        events.name(events[0]), options.xml.namespaces, in: context.declarations)
      if let schema = options.schema {
        let document = RecordDocumentDelegate(
          schema, into: sink, losses: losses, locator: locator, failed: failed,
          selected: SelectedElement(index: selected.count, keepsSpace: context.keepsSpace),
          keepsNames: options.keepsNames,
          groupsContents: options.xml.order == .never)
        try events.replay(to: document, budget: budget, losses: losses)
      } else if options.xml.convention != .ferry {
        try send(events, lists, in: context, into: sink)
      } else {
        try selected.receive(events, at: index, in: context, losses) { typedValues(ofElementsTo: sink) }
        try kept?.didSendElement()
        return
      }
      selected.count += 1
      try kept?.didSendElement()
    } flush: { events throws(EventFailure) in
      try records?.send(of: events)
      try selected.values.sendCollected(events)
    }
    var union: UnionSelector?
    if let texts, let kept { union = UnionSelector(selector, texts, keepingIn: kept) }
    let stream = try XMLStream(
      document: union ?? selector, budget: budget, entities: options.xml.entities)
    prepareForRest(stream)
    try sink.beginArray(count: nil)
    try read(with: stream)
    try sink.endArray()
    didFindNames?(
      XMLPartNames(names: stream.namesOfDocument, paths: selected.values.paths.pathNames))
    for _ in 0..<stream.leftOutReferences { losses.add(.undeclaredEntity) }
    if selected.count == 0 {
      if union?.textCount ?? 0 == 0 { losses.add(.nothingSelected) }
    } else if options.schema == nil {
      didUseLists?(isByFerry ? selected.values.usedLists : lists.used)
      didFindListForms?(selected.values.listForms)
    }
  }

  /// True if the options for elements by Ferry's own convention are used.
  private var isByFerry: Bool { options.schema == nil && options.xml.convention == .ferry }

  /// True if the option asks for types.
  private var readsTypes: Bool { isByFerry && options.xml.types == .attributes }

  /// True if types are read in a document that was written with them.
  private var findsTypes: Bool { isByFerry && options.xml.findsTypes }

  /// Receives the source locations of values, or nil if no sink needs them.
  private var valueLocator: SourceLocator? { locatesValues ? locator : nil }

  private func typedValues(ofElementsTo sink: any ValueSink) -> XMLTypedValues {
    XMLTypedValues(ofElementsTo: sink, style: options.xml.namespaces)
  }

  /// Sends a selected element by the convention of another program.
  private func send(
    _ events: borrowing ElementBatch, _ lists: ConventionReader.Lists, in context: ElementContext,
    into sink: any ValueSink
  ) throws(EventFailure) {
    let (fragment, jsonML) = (ElementFragment(), JsonMLReader(into: sink, namespaces: namespaces))
    guard options.xml.convention != .jsonml else {
      return try events.replay(to: jsonML, budget: budget, losses: losses)
    }
    try events.replay(to: fragment, budget: budget, losses: losses)
    do throws(FerryError) {
      try ConventionReader.send(
        fragment, by: options.xml.convention, sendsName: false, lists: lists, in: context, into: sink,
        losses: losses, namespaces: namespaces)
    } catch {
      throw EventFailure(error: error, index: 0)
    }
  }

  /// Sends the value of a selected element: a record by a schema, or the element by convention.
  ///
  /// - Parameters:
  ///   - index: The index of the element in the selection.
  ///   - shape: The shape for elements by convention, which may be that of another element.
  ///   - lists: The elements that are always lists, by the convention of another program.
  private func send(
    _ node: XMLTreeElement, at index: Int, _ shape: XMLShape, _ lists: ConventionReader.Lists,
    into sink: any ValueSink
  ) throws(FerryError) {
    if let schema = options.schema {
      let document = RecordDocumentDelegate(
        schema, into: sink, losses: losses, locator: locator, failed: failed,
        selected: SelectedElement(index: index, keepsSpace: node.inheritsSpace),
        keepsNames: options.keepsNames,
        groupsContents: options.xml.order == .never)
      return try node.replay(to: document, losses: losses)
    }
    guard options.xml.convention == .ferry else {
      return try send(sendsName: false, lists, into: sink) { delegate throws(FerryError) in
        try node.replayWithContext(to: delegate)
      }
    }
    shape.beginAnotherDocument()
    try node.replay(to: shape)
    let values = XMLValueDelegate(
      into: EntryValue(to: sink), shape: shape, losses: losses, keepsSpace: node.inheritsSpace,
      locator: valueLocator)
    try node.replay(to: values, losses: losses)
  }
}

/// The values of the elements that a pattern selects while the document is read.
private struct SelectedValues: ~Copyable {
  var values: XMLValueParser
  /// The sink that reads their types; nil if there are none.
  private var typed: XMLTypedValues?
  /// True to send each value before the next element is received.
  private let sendsAtOnce: Bool
  /// True if the values of several elements may be sent together.
  private var maySendLater: Bool { typed == nil && !sendsAtOnce }
  /// The number of selected elements.
  var count = 0

  init(_ values: consuming XMLValueParser, typed: XMLTypedValues?, sendsAtOnce: Bool) {
    self.values = values
    (self.typed, self.sendsAtOnce) = (typed, sendsAtOnce)
  }

  /// Receives a selected element.
  ///
  /// - Parameter makeTyped: Returns a sink that reads types, for a document that was written with them.
  mutating func receive(
    _ element: borrowing ElementBatch, at index: Int?, in context: ElementContext, _ losses: LossReport,
    makeTyped: () -> XMLTypedValues
  ) throws(EventFailure) {
    if context.hasTypes, count == 0 {
      let first = typed ?? makeTyped()
      values.readTypes(into: first)
      typed = first
    }
    typed?.beginElement(in: context.declarations)
    // The values of an element with types are sent while its namespaces are known.
    try values.receive(
      element: element, at: maySendLater ? index : nil, keepsSpace: context.keepsSpace,
      recurs: context.isAlone && maySendLater,
      markupLosses: losses)
    count += 1
  }

  /// Receives the selected elements from an index on, as long as each of them has the events of an earlier one. Returns the index of the first
  /// event after them.
  mutating func receive(recurring events: borrowing ElementBatch, from index: Int) throws(EventFailure) -> Int
  {
    guard maySendLater else { return index }
    let received = try values.receive(recurringElements: events, from: index)
    count += received.count
    return received.end
  }
}
