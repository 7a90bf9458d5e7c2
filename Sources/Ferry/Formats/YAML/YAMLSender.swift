/// A sender of the values of YAML documents.
///
/// An alias is sent as a copy of its anchor's value, and a merge key adds the entries of other mappings. A value with a tag
/// that YAML does not define is an object of a class with the tag's name.
///
/// It has no recursion. Copies count against the budget for amplification.
struct YAMLSender {
  private let sink: any ValueSink
  private let budget: Budget
  private let losses: LossReport?
  private let locator: SourceLocator?
  private let tags: ReaderContext.Tags
  /// The index of the document among those of a stream, or nil if it is the only one.
  var documentIndex: Int?
  /// The cost that copies may still have.
  private var room = 0
  private var frames: [Frame] = []
  /// The node of the text that is being sent, to locate errors.
  private var current = 0
  /// True if the directive of the document names a version of YAML before 1.2.
  private var isOlder = false
  private var classes: [ExactString: ObjectClass] = [:]
  /// The comments that have not been reported, in the order of the text.
  private var comments: ArraySlice<Comment> = []
  private var lossLocations = ChunkLocations()
  /// The origin of each value that is sent, or nil if origins are not needed.
  private(set) var origins: [YAMLOrigin]?

  /// A comment in the text, which is reported between the events around it: it may be inside a value that is not selected.
  private struct Comment {
    var offset: Int
    /// The offset of its line.
    var line: Int
  }

  /// A collection that is being sent.
  private struct Frame {
    enum Kind { case array, set, dictionary }
    var kind: Kind
    var node: Int
    /// The next child, and the index after the last one.
    var index: Int
    var end: Int
    /// The children in the order in which they are sent, with `index` and `end` as indices of this list. Nil if it is the order of the nodes.
    var list: [Child]?
    /// True if the next child is a key.
    var isAtKey: Bool
    /// True if the collection is a key that is not a string.
    var isKey: Bool
    var isObject: Bool
    /// True if the collection is inside a copy.
    var isCopy: Bool
    /// The index of the current element of an array or a set.
    var element = -1
    /// The node of the current key of a dictionary.
    var key = 0
  }

  /// A key or value of a mapping that has a merge key.
  private struct Child {
    var node: Int
    /// The merge key, or its value, that a merged key or value comes from by an alias; otherwise the node itself.
    var origin: Int
  }

  init(to sink: any ValueSink, _ context: ReaderContext, findsOrigins: Bool = false) {
    (self.sink, budget, losses) = (sink, context.budget, context.losses)
    (locator, tags) = (context.locator, context.tags)
    if findsOrigins { origins = [] }
  }

  /// Sends the value of a document, or null if it is empty.
  ///
  /// - Parameter root: The value of the document, for one of several.
  mutating func send(_ document: YAMLDocument, from root: Int = 0) throws(FerryError) {
    comments = comments(of: document)
    lossLocations = ChunkLocations()
    defer { reportComments(before: .max, document) }
    guard root < document.nodes.count else { return try sink.null() }
    room = budget.allowance(forInputBytes: document.text.count)
    frames.removeAll(keepingCapacity: true)
    isOlder = document.olderRoots.contains(root)
    do throws(FerryError) {
      try send(root, of: document, isKey: false, isCopy: false)
      while !frames.isEmpty { try sendNext(of: document) }
    } catch {
      throw error.placed(at: document.location(of: document.nodes[current].range.lowerBound))
    }
  }

  /// Returns the comments of a document, if losses are reported.
  private func comments(of document: YAMLDocument) -> ArraySlice<Comment> {
    guard losses != nil else { return [] }
    let found = document.comments(in: document.text[...]).map { comment in
      let line = document.text[..<comment.startIndex].lastIndex(where: YAMLDocumentScan.endsLine)
      return Comment(offset: comment.startIndex, line: line.map { $0 + 1 } ?? 0)
    }
    return found[...]
  }

  private mutating func reportComments(before offset: Int, _ document: YAMLDocument) {
    while let comment = comments.first, comment.offset < offset {
      comments.removeFirst()
      let location = lossLocation(of: comment.offset, document)
      losses?.add(.comment, at: location)
    }
  }

  /// Returns the source location of an offset for a loss that may be listed.
  private mutating func lossLocation(of offset: Int, _ document: YAMLDocument) -> InputLocation {
    losses?.usesLocations == true ? document.location(of: offset, &lossLocations) : InputLocation()
  }

  /// Reports a loss in the node that is being sent.
  private mutating func lose(_ kind: Loss.Kind, _ document: YAMLDocument) {
    let location = lossLocation(of: document.nodes[current].range.lowerBound, document)
    losses?.add(kind, path: path(in: document), at: location)
  }

  /// Reports the comments in a collection that have not been reported, with one on the last line of a block.
  private mutating func reportComments(in node: YAMLDocument.Node, _ document: YAMLDocument) {
    reportComments(before: node.range.upperBound, document)
    if !node.isFlow, let comment = comments.first, comment.line <= node.range.upperBound {
      reportComments(before: comment.offset + 1, document)
    }
  }

  private mutating func sendNext(of document: YAMLDocument) throws(FerryError) {
    let last = frames.count - 1
    guard frames[last].index < frames[last].end else {
      let frame = frames.removeLast()
      if !frame.isCopy { reportComments(in: document.nodes[frame.node], document) }
      return try end(frame)
    }
    let index = frames[last].index
    let child = frames[last].list?[index] ?? Child(node: index, origin: index)
    let node = child.node
    frames[last].index = frames[last].list == nil ? document.nodes[node].next : index + 1
    let isKey = frames[last].isAtKey
    let isMerged = !frames[last].isCopy && child.origin != node
    if isMerged { current = child.origin }
    let isCopy = frames[last].isCopy || isMerged
    switch frames[last].kind {
    case .array:
      frames[last].element += 1
      try send(node, of: document, isKey: false, isCopy: isCopy)
    case .set:
      // The values of a set are its keys.
      frames[last].isAtKey.toggle()
      guard isKey else { return }
      frames[last].element += 1
      try send(node, of: document, isKey: false, isCopy: isCopy)
    case .dictionary:
      frames[last].isAtKey.toggle()
      if isKey { frames[last].key = node }
      try send(node, of: document, isKey: isKey, isCopy: isCopy)
    }
  }

  private mutating func end(_ frame: Frame) throws(FerryError) {
    switch frame.kind {
    case .array: try sink.endArray()
    case .set: try sink.endSet()
    case .dictionary: try sink.endDictionary()
    }
    if frame.isObject { try sink.endObject() }
    if frame.isKey { try sink.endKey() }
  }

  // MARK: Nodes

  private mutating func send(
    _ index: Int, of document: YAMLDocument, isKey: Bool, isCopy: Bool
  ) throws(FerryError) {
    var (index, isCopy) = (index, isCopy)
    if !isCopy {
      current = index
      if let locator { document.move(locator, to: index) }
      // A comment between a key and a collection is inside the collection.
      let isEntry = !isKey && frames.last?.kind == .dictionary
      if !isEntry || document.nodes[index].kind == .scalar {
        reportComments(before: document.nodes[index].range.lowerBound, document)
      }
    }
    while document.nodes[index].kind == .alias {
      try checkAlias(index, of: document)
      (index, isCopy) = (document.nodes[index].target, true)
    }
    let node = document.nodes[index]
    if isCopy { try spend(Budget.valueCost + node.text.count) }
    origins?.append(YAMLOrigin(node: isCopy ? current : index, source: index, isCopy: isCopy))
    switch node.kind {
    case .scalar: try sendScalar(index, of: document, isKey: isKey)
    case .sequence, .mapping, .alias: try begin(index, of: document, isKey: isKey, isCopy: isCopy)
    }
  }

  private mutating func spend(_ cost: Int) throws(FerryError) {
    room -= cost
    guard room >= 0 else { throw budget.overAmplification }
  }

  private func checkAlias(_ index: Int, of document: YAMLDocument) throws(FerryError) {
    let target = document.nodes[index].target
    guard target < index, index < document.nodes[target].next else { return }
    throw FerryError(
      .yaml(.recursiveAlias(document.string(of: index))),
      at: document.location(of: document.nodes[index].range.lowerBound))
  }

  /// Begins the object of a node with a tag that YAML does not define. Returns false if there is none, or if tags are left out.
  private mutating func beginObject(named tag: String?, _ document: YAMLDocument) throws(FerryError) -> Bool {
    guard let tag else { return false }
    switch tags {
    case .ignored: return false
    case .reported:
      lose(.className, document)
      return false
    case .classes: break
    }
    let type = classes[ExactString(tag)] ?? ObjectClass(name: tag, chain: [])
    classes[ExactString(tag)] = type
    try sink.beginObject(type, identity: nil)
    return true
  }

  /// The path of the current value, or of the current key's value.
  private func path(in document: YAMLDocument) -> ValuePath {
    var steps = documentIndex.map { [ValuePath.Step.index($0)] } ?? []
    for frame in frames {
      guard !frame.isKey else { break }
      if frame.kind != .dictionary {
        steps.append(.index(frame.element))
      } else if let name = document.scalarText(of: frame.key) {
        steps.append(.key(String(decoding: name, as: UTF8.self)))
      }
    }
    return ValuePath(steps)
  }

  private mutating func begin(
    _ index: Int, of document: YAMLDocument, isKey: Bool, isCopy: Bool
  ) throws(FerryError) {
    guard frames.count < budget.depth else { throw FerryError(.overBudget(.depth(budget.depth))) }
    let node = document.nodes[index]
    let tag = document.tag(of: index)
    var kind = node.kind == .sequence ? Frame.Kind.array : .dictionary
    var name: String?
    switch (tag, node.kind) {
    case (nil, _), (YAMLTag.sequence, .sequence), (YAMLTag.mapping, .mapping), ("!", _): break
    case (YAMLTag.set, .mapping):
      if hasOnlyNulls(index, document) {
        kind = .set
      } else {
        // A mapping with values is not a set, and keeps them.
        lose(.typeTag, document)
      }
    case (let tag?, _) where YAMLTag.isKnown(tag):
      guard tag == YAMLTag.orderedMap || tag == YAMLTag.pairs, node.kind == .sequence else {
        throw FerryError(.yaml(.badCollection(tag: YAMLTag.short(tag))))
      }
      name = YAMLTag.short(tag)
    case (let tag?, _): name = YAMLTag.short(tag)
    }
    if isKey { try sink.beginKey() }
    let isObject = try beginObject(named: name, document)
    var frame = Frame(
      kind: kind, node: index, index: index + 1, end: node.next, isAtKey: kind != .array, isKey: isKey,
      isObject: isObject,
      isCopy: isCopy)
    switch kind {
    case .array: try sink.beginArray(count: nil)
    case .set: try sink.beginSet(count: nil)
    case .dictionary:
      try sink.beginDictionary(count: nil)
      if let list = try mergedChildren(of: index, document) {
        (frame.list, frame.index, frame.end) = (list, 0, list.count)
      }
    }
    frames.append(frame)
  }

  /// Returns true if the values of a mapping are null, as those of a set are.
  private func hasOnlyNulls(_ mapping: Int, _ document: YAMLDocument) -> Bool {
    var key = mapping + 1
    while key < document.nodes[mapping].next {
      guard isNull(document.nodes[key].next, document) else { return false }
      key = next(key, document)
    }
    return true
  }

  private func isNull(_ index: Int, _ document: YAMLDocument) -> Bool {
    var index = index
    while document.nodes[index].kind == .alias { index = document.nodes[index].target }
    let node = document.nodes[index]
    guard node.kind == .scalar else { return false }
    guard let tag = document.tag(of: index) else {
      guard node.isPlain, case .null = YAMLScalar(plain: document.bytes.span.extracting(node.text)) else {
        return false
      }
      return true
    }
    return tag.equals(YAMLTag.null)
  }

  private mutating func sendScalar(_ index: Int, of document: YAMLDocument, isKey: Bool) throws(FerryError) {
    let node = document.nodes[index]
    let bytes = document.bytes.span.extracting(node.text)
    var tag = document.tag(of: index)
    var name: String?
    if let given = tag, !YAMLTag.isKnown(given), given != "!" {
      (name, tag) = (YAMLTag.short(given), nil)
    }
    let isUntagged = tag == nil && node.isPlain
    var scalar = YAMLScalar.string
    if isUntagged || tag != nil && tag != YAMLTag.string && tag != "!" { scalar = YAMLScalar(plain: bytes) }
    if isOlder, isUntagged, scalar.isOtherInOlderVersions(bytes) {
      lose(.olderScalar, document)
    }
    let isObjectKey = name != nil && tags == .classes
    if case .string = scalar, isKey, !isObjectKey, tag == nil || tag == YAMLTag.string || tag == "!" {
      _ = try beginObject(named: name, document)
      return try sink.key(BorrowedText(bytes))
    }
    if isKey { try sink.beginKey() }
    let isObject = try beginObject(named: name, document)
    try send(scalar, bytes, tag, in: document)
    if isObject { try sink.endObject() }
    if isKey { try sink.endKey() }
  }

  private mutating func send(
    _ scalar: YAMLScalar, _ text: Span<UInt8>, _ tag: String?, in document: YAMLDocument
  ) throws(FerryError) {
    switch (scalar, tag) {
    case (_, YAMLTag.binary):
      guard let data = Base64.decode(text) else { throw bad(text, YAMLTag.binary) }
      try sink.data(data.span)
    case (_, YAMLTag.timestamp):
      guard let moment = YAMLTag.moment(text) else { throw bad(text, YAMLTag.timestamp) }
      if !moment.isExact { lose(.dateRounded, document) }
      try sink.date(moment.seconds)
    case (.null, nil), (.null, YAMLTag.null): try sink.null()
    case (.boolean(let value), nil), (.boolean(let value), YAMLTag.boolean): try sink.boolean(value)
    case (.notFinite(let value), nil), (.notFinite(let value), YAMLTag.float): try sink.real(value)
    case (.number(let digits), YAMLTag.float):
      guard YAMLScalar.isInteger(digits) else { return try YAMLScalar.send(number: digits, to: sink) }
      guard let real = YAMLScalar.real(ofInteger: digits) else { throw bad(text, YAMLTag.float) }
      if !real.isExact { lose(.numberAsReal, document) }
      try sink.real(real.value)
    case (.number(let digits), YAMLTag.integer):
      guard YAMLScalar.isInteger(digits) else { throw bad(text, YAMLTag.integer) }
      try YAMLScalar.send(number: digits, to: sink)
    case (.number(let digits), nil): try YAMLScalar.send(number: digits, to: sink)
    case (.string, nil), (.string, YAMLTag.string), (.string, "!"): try sink.string(BorrowedText(text))
    case (.string, let tag?): throw bad(text, tag, isOlder: YAMLAmbiguity.isOlderValue(text, of: tag))
    case (_, let tag): throw bad(text, tag ?? "")
    }
  }

  /// Returns the error of a text that is not a value of its tag, or is one only in YAML 1.1.
  private func bad(_ text: Span<UInt8>, _ tag: String, isOlder: Bool = false) -> FerryError {
    FerryError(.yaml(.badScalar(tag: YAMLTag.short(tag), text: text.decodedString, isOlder: isOlder)))
  }

  // MARK: Merge keys

  /// Returns the keys and values of a mapping with those of the mappings that it merges; nil if it has no merge key. An
  /// entry of its own replaces a merged one, and an earlier merged one a later one.
  private mutating func mergedChildren(of mapping: Int, _ document: YAMLDocument) throws(FerryError)
    -> [Child]?
  {
    guard document.mergeKey(of: mapping) != nil else { return nil }
    var own: Set<[UInt8]> = []
    var child = mapping + 1
    while child < document.nodes[mapping].next {
      if !document.isMergeKey(child), let key = document.scalarText(of: child) { own.insert(key) }
      child = next(child, document)
    }
    var children: [Child] = []
    child = mapping + 1
    while child < document.nodes[mapping].next {
      let value = document.nodes[child].next
      if document.isMergeKey(child) {
        try merge(value, of: child, into: &children, except: &own, document)
      } else {
        children += [Child(node: child, origin: child), Child(node: value, origin: value)]
      }
      child = next(child, document)
    }
    return children
  }

  /// Returns the key after a key and its value.
  private func next(_ key: Int, _ document: YAMLDocument) -> Int {
    document.nodes[document.nodes[key].next].next
  }

  private mutating func merge(
    _ value: Int, of mergeKey: Int, into children: inout [Child], except known: inout Set<[UInt8]>,
    _ document: YAMLDocument
  ) throws(FerryError) {
    // Mappings that are merged may merge others, which come after their own entries. The entries of a mapping that no alias leads to are
    // in their own place.
    var waiting = [(node: value, isWritten: true)]
    var isOutermost = true
    while let next = waiting.popLast() {
      var (source, isWritten) = next
      try spend(Budget.valueCost)
      while document.nodes[source].kind == .alias {
        try checkAlias(source, of: document)
        (source, isWritten) = (document.nodes[source].target, false)
      }
      var parts: [Int] = []
      switch document.nodes[source].kind {
      case .sequence where isOutermost || document.nodes[next.node].kind != .alias:
        var element = source + 1
        while element < document.nodes[source].next {
          parts.append(element)
          element = document.nodes[element].next
        }
      case .mapping:
        var key = source + 1
        while key < document.nodes[source].next {
          let entry = document.nodes[key].next
          try spend(Budget.valueCost)
          if document.isMergeKey(key) {
            parts.append(entry)
          } else if let name = document.scalarText(of: key), known.insert(name).inserted {
            children += [
              Child(node: key, origin: isWritten ? key : mergeKey),
              Child(node: entry, origin: isWritten ? entry : value),
            ]
          }
          key = self.next(key, document)
        }
      default:
        throw FerryError(.yaml(.badMerge), at: document.location(of: document.nodes[value].range.lowerBound))
      }
      isOutermost = false
      waiting += parts.reversed().map { ($0, isWritten) }
    }
  }
}

/// The part of the text that a value comes from.
struct YAMLOrigin {
  /// The nodes in four bytes each, because each value has an origin.
  private let index, sourceIndex: UInt32
  /// True for a copy of an anchor's value, and for the values inside it.
  let isCopy: Bool

  init(node: Int, source: Int, isCopy: Bool) {
    (index, sourceIndex, self.isCopy) = (UInt32(clamping: node), UInt32(clamping: source), isCopy)
  }

  /// A node of the document. For all values of a copy, it is the alias, or the merge key or its value.
  var node: Int { Int(index) }
  /// The node of the document that has the value, also for a copy.
  var source: Int { Int(sourceIndex) }
}
