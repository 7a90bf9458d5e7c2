/// The list of records in a document: the only list of dictionaries in the outermost dictionary or, in XML, in the root
/// element, or the only entry of dictionaries of one entry (see `RecordListFinder`).
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
///
/// The list is in the outermost dictionary, beside any other values, or in nested dictionaries, each of which has only one entry beside those for the
/// attributes of an element:
///
///     {"version": 2, "people": [{…}, {…}]}                        people
///     {"people": {"@year": "1815", "person": [{…}, {…}]}}         people, person
final class RecordListFinder: InterceptingSink, BatchSink {
  /// A list whose elements are dictionaries.
  private struct List {
    let key: [UInt8]
    var isEmpty = true
  }

  /// The outermost dictionary, or one that is the only entry of another level.
  private struct Level {
    /// The key of the current entry.
    var key: [UInt8] = []
    /// The key of the entry that is the next level.
    var outerKey: [UInt8] = []
    var entryCount = 0
    /// The number of entries other than those for attributes, whose keys begin with `@`.
    var otherCount = 0
    var lists: [List] = []

    /// True if the current entry is the first that is not for an attribute.
    var isAtOnlyEntry: Bool { otherCount == 1 && key.first != UInt8(ascii: "@") }
  }

  private var depth = 0
  /// True if a value has begun.
  private(set) var hasBegun = false
  /// True inside the outermost dictionary.
  private(set) var isInDictionary = false
  private var levels: [Level] = []
  /// True after the end of the innermost level.
  private var hasEnded = false
  /// The keys of the outermost dictionary.
  private var keys: Set<[UInt8]> = []
  /// The keys that occur several times.
  private var repeated: Set<[UInt8]> = []
  /// The list whose elements are read; nil if one of them is not a dictionary.
  private var open: List?

  init() { super.init(to: NullSink()) }

  /// The list of records, or nil. A list without elements is one if the dictionary has nothing else. A list whose key
  /// occurs again is not, because another value counts for other programs.
  var list: RecordList? {
    guard let level = levels.last else { return nil }
    guard levels.count == 1 else {
      guard level.otherCount == 1, level.lists.count == 1 else { return nil }
      return RecordList(keys: levels.dropLast().map(\.outerKey) + [level.lists[0].key])
    }
    let filled = level.lists.filter { !$0.isEmpty }
    let isAlone = filled.isEmpty && level.lists.count == 1 && level.entryCount == 1
    guard let key = filled.count == 1 ? filled[0].key : isAlone ? level.lists[0].key : nil,
      !repeated.contains(key)
    else { return nil }
    return RecordList(keys: [key])
  }

  /// Notes an element of a list that is not a dictionary.
  override func willSend() {
    hasBegun = true
    if depth == levels.count + 1 { open = nil }
  }

  override func key(_ text: BorrowedText) {
    guard depth > 0, depth <= levels.count else { return }
    let isOfAttribute = text.utf8.count > 0 && text.utf8[0] == UInt8(ascii: "@")
    if depth < levels.count, !isOfAttribute {
      // A level around the innermost one has more than one entry.
      levels.removeLast(levels.count - depth)
      hasEnded = false
    }
    guard depth == levels.count, !hasEnded else { return }
    levels[depth - 1].entryCount += 1
    if !isOfAttribute { levels[depth - 1].otherCount += 1 }
    let key = [UInt8](copying: text.utf8)
    levels[depth - 1].key = key
    if depth == 1, !keys.insert(key).inserted { repeated.insert(key) }
  }

  override func beginArray(count: Int?) {
    willSend()
    if let level = levels.last, depth == levels.count, !hasEnded { open = List(key: level.key) }
    depth += 1
  }

  override func endArray() {
    depth -= 1
    guard depth == levels.count, let list = open else { return }
    open = nil
    let isCandidate = depth == 1 || list.key.first != UInt8(ascii: "@") && levels[depth - 1].otherCount == 1
    if isCandidate { levels[depth - 1].lists.append(list) }
  }

  override func beginSet(count: Int?) {
    willSend()
    depth += 1
  }

  override func endSet() { depth -= 1 }

  override func beginDictionary(count: Int?) {
    if depth == 0 {
      (hasBegun, isInDictionary) = (true, true)
      levels = [Level()]
    } else if depth == levels.count + 1 {
      open?.isEmpty = false
    } else if depth == levels.count, !hasEnded, levels[depth - 1].isAtOnlyEntry {
      levels[depth - 1].outerKey = levels[depth - 1].key
      levels.append(Level())
    }
    depth += 1
  }

  override func endDictionary() {
    depth -= 1
    if depth == levels.count - 1 { hasEnded = true }
    if depth == 0 { isInDictionary = false }
  }

  var prefersBatches: Bool { true }

  func receive(_ events: borrowing EventBatch) {
    for index in 0..<events.count {
      switch events.kind(index) {
      case .key: if depth <= levels.count { key(events.text(index)) }
      case .beginArray: beginArray(count: nil)
      case .endArray: endArray()
      case .beginDictionary: beginDictionary(count: nil)
      case .endDictionary: endDictionary()
      case .null, .boolean, .integer, .real, .number, .string: willSend()
      }
    }
  }
}
