/// The list of records in a document: the only list of dictionaries in the outermost dictionary or, in XML, in the root
/// element.
///
///     {"version": 2, "people": [{…}, {…}]}                     people
///     <people year="1815"><person>…</person>…</people>         people, person
struct RecordList: Equatable {
  /// The keys of the dictionaries from the outermost one to the list.
  let keys: [[UInt8]]
}

extension XMLPaths {
  /// Returns the list of records: the children of the root element with a name, or else those with the name that the records of all documents
  /// with this root element have, or else the only ones with the same name that have attributes or children. Without a given name, a child of
  /// another name may be beside several of them, but not beside a single one.
  ///
  ///     <people><person id="1"/><person id="2"/></people>     person
  ///     <people><person/></people>                            person, if the document above is read, too
  ///     <people/>                                             person, of which there are none
  ///
  /// If nothing is in any of the documents, and all have the same root element, none of them has a record.
  ///
  /// The only child of a root element is not a list if the root elements of several documents have nothing else but attributes or text, as
  /// those that were split from a list:
  ///
  ///     <person id="1"><address city="Rome"/></person>        the document is a record
  ///
  /// - Parameters:
  ///   - name: The given name.
  ///   - rootMayBeRecord: True if the records need not be rows, so that the root element may be one.
  func recordList(named name: String?, rootMayBeRecord: Bool) -> RecordList? {
    let children = children(of: 1)
    let candidates = children.filter { self[$0].isDictionary }
    if let name, let named = candidates.first(named: name, { decodedKey(of: $0).span.decodedString }) {
      return RecordList(keys: [decodedKey(of: 1), decodedKey(of: named)])
    }
    let common = keyOfCommonRecords(rootMayBeRecord: rootMayBeRecord)
    if let common, children.contains(where: { decodedKey(of: $0) == common }) {
      return RecordList(keys: [decodedKey(of: 1), common])
    }
    let isListOfOne = children.count == 1 && !(rootMayBeRecord && hasRecordInRoot)
    let lists = children.filter { self[$0].mayBeRecords || isListOfOne && self[$0].isDictionary }
    if lists.count == 1 { return RecordList(keys: [decodedKey(of: 1), decodedKey(of: lists[0])]) }
    guard let common, lists.isEmpty, !hasOnlyTextInRoot else { return nil }
    return RecordList(keys: [decodedKey(of: 1), common])
  }
}

extension OpenedInput {
  /// Returns the list of records in a document that is not XML, or nil if it has none. Reads a stream twice if it begins
  /// with a dictionary.
  func recordList(_ options: ReadingOptions) throws(FerryError) -> RecordList? {
    let finder = RecordListFinder()
    switch contents {
    case .stream(let makeReader):
      var context = ReaderContext(options, losses: LossReport())
      context.tags = .classes
      // The first bytes may end anywhere, and the error of an invalid input is reported when it is read.
      let (reader, head) = (try makeReader(finder, context), head)
      try? reader.read(head.span)
      guard finder.isInDictionary || !finder.hasBegun else { return finder.list }
      try input.makeRewindable()
      let whole = RecordListFinder()
      let isRead: Void? = try? makeReader(whole, context).readAll(input)
      try input.rewind()
      return isRead == nil ? nil : whole.list
    case .nodes(let nodes, _) where !isArchive:
      guard case .dictionary = try nodes.kind(of: nodes.root) else { return nil }
      let isRead: Void? = try? nodes.replay(nodes.root, into: finder, budget: options.sendingBudget)
      return isRead == nil ? nil : finder.list
    case .elements, .nodes, .typedstream, .database, .files: return nil
    }
  }
}

/// A sink that finds the list of records in a value.
final class RecordListFinder: InterceptingSink, BatchSink {
  private var depth = 0
  /// True if a value has begun.
  private(set) var hasBegun = false
  /// True inside the outermost dictionary.
  private(set) var isInDictionary = false
  private var key: [UInt8] = []
  private var keys: Set<[UInt8]> = []
  /// The keys that occur several times.
  private var repeated: Set<[UInt8]> = []
  /// The keys of the lists of dictionaries, and the number of all entries.
  private var lists: [(key: [UInt8], isEmpty: Bool)] = []
  private var entries = 0
  /// The list whose elements are read; nil if one of them is not a dictionary.
  private var open: (key: [UInt8], isEmpty: Bool)?

  init() { super.init(to: NullSink()) }

  /// The list of records, or nil. A list without elements is one if the dictionary has nothing else. A list whose key
  /// occurs again is not, because another value counts for other programs.
  var list: RecordList? {
    let filled = lists.filter { !$0.isEmpty }
    let isAlone = filled.isEmpty && lists.count == 1 && entries == 1
    guard let key = filled.count == 1 ? filled[0].key : isAlone ? lists[0].key : nil, !repeated.contains(key)
    else { return nil }
    return RecordList(keys: [key])
  }

  /// Notes an element of a list that is not a dictionary.
  override func willSend() {
    hasBegun = true
    if depth == 2 { open = nil }
  }

  override func key(_ text: BorrowedText) {
    guard depth == 1 else { return }
    entries += 1
    key = [UInt8](copying: text.utf8)
    if !keys.insert(key).inserted { repeated.insert(key) }
  }

  override func beginArray(count: Int?) {
    willSend()
    if depth == 1, isInDictionary { open = (key, true) }
    depth += 1
  }

  override func endArray() {
    depth -= 1
    guard depth == 1, let list = open else { return }
    lists.append(list)
    open = nil
  }

  override func beginSet(count: Int?) {
    willSend()
    depth += 1
  }

  override func endSet() { depth -= 1 }

  override func beginDictionary(count: Int?) {
    if depth == 0 { (hasBegun, isInDictionary) = (true, true) }
    if depth == 2 { open?.isEmpty = false }
    depth += 1
  }

  override func endDictionary() {
    depth -= 1
    if depth == 0 { isInDictionary = false }
  }

  var prefersBatches: Bool { true }

  func receive(_ events: borrowing EventBatch) {
    for index in 0..<events.count {
      switch events.kind(index) {
      case .key: if depth == 1 { key(events.text(index)) }
      case .beginArray: beginArray(count: nil)
      case .endArray: endArray()
      case .beginDictionary: beginDictionary(count: nil)
      case .endDictionary: endDictionary()
      case .null, .boolean, .integer, .real, .number, .string: willSend()
      }
    }
  }
}
