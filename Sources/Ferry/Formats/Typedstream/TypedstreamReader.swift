/// A reader that sends the values of a typedstream in decoded form.
///
/// Classes are only names; nothing is instantiated. Objects of known classes (`KnownClass`) are decoded:
/// strings, numbers, dates, data and null as scalars; arrays, sets and dictionaries as collections; an
/// attributed string, a color or a font as a record. Immutable classes such as `NSString` and `NSArray` are
/// sent without their class. An object of any other class, including mutable ones, is sent as `beginObject`
/// with its class, followed by its content. The content of an object of an unknown class is the list of its
/// values. In raw form, all objects are sent like this.
///
///     NSNumber 42                            42
///     NSMutableArray of 1                    beginObject(NSMutableArray)  beginArray  1  endArray  endObject
///     NSAttributedString "Hi" with a run     {"string": "Hi",
///                                             "runs": [{"location": 0, "length": 2, "attributes": {}}]}
///     MyClass with an int and {_NSPoint=ff}  [7, {"x": 1.5, "y": 2.0}]
///
/// An object with more than one reference gets an identity, and every later occurrence (including one inside
/// the object itself) is sent as `reference`. An object that contains only scalars is sent in full each time,
/// unless the sink needs identities.
final class TypedstreamReader {
  private let shapes: TypedstreamShapes
  private let framer: TypedstreamFrames
  private let sink: any ValueSink
  private let sharing: ObjectSharing
  private let representation: Representation
  private let budget: Budget
  private let keys: TypedstreamKeys
  private let valueCount: Int
  private let sentLimit: Int
  private var uses: [Int]
  private var hasBegun: [Bool]
  private var types: [ObjectClass?]
  private var frames: [TypedstreamFrame] = []
  /// Receives the index of each entry before its value is sent. An NSValue has no value of its own, so its content has its
  /// entry.
  var willSend: ((TypedstreamEntryIndex) -> Void)?
  /// The entry of an NSValue whose content is sent next.
  private var around: TypedstreamEntryIndex?
  /// The number of values and bytes sent so far, which the amplification budget limits.
  private var sent = 0

  init(
    _ stream: Typedstream, into sink: any ValueSink, sharing: ObjectSharing, representation: Representation,
    keys: TypedstreamKeys,
    losses: LossReport
  ) {
    shapes = stream.shapes
    framer = TypedstreamFrames(
      shapes: stream.shapes, structures: stream.structures, keys: keys, losses: losses)
    self.sink = sink
    self.sharing = sharing
    self.representation = representation
    self.keys = keys
    valueCount = stream.valueCount
    budget = stream.budget
    sentLimit = budget.allowance(forInputBytes: stream.shapes.bytes.count)
    uses = stream.shapes.objects.map(\.uses)
    hasBegun = [Bool](repeating: false, count: uses.count)
    types = [ObjectClass?](repeating: nil, count: stream.shapes.classes.count)
  }

  /// Sends the value, or an array if there is more than one value.
  func read() throws(FerryError) {
    if representation == .plain { countRuns() }
    let frame = TypedstreamFrame(
      content: valueCount == 1 ? .value : .array, next: .first, left: valueCount, offset: 0)
    try begin(frame)
    while let top = frames.popLast() {
      do throws(FerryError) {
        top.left > 0 || top.awaitsValue ? try sendNext(of: top) : try end(top)
      } catch {
        throw error.placed(at: InputLocation(byte: top.offset))
      }
    }
  }

  /// Counts the references to attributes that several runs share. The file stores such attributes once and
  /// repeats only a number, which the parser does not count.
  private func countRuns() {
    for object in shapes.objects.numbers
    where shapes.classes[shapes.objects[object].type].known == .attributedString {
      guard case .attributedString(_, let runs) = shapes.shape(of: object) else { continue }
      var seen: Set<TypedstreamEntryIndex> = []
      for run in runs where !seen.insert(run.attributes).inserted {
        if let attributes = shapes.object(at: run.attributes) { uses[attributes.index] += 1 }
      }
    }
  }

  // MARK: Collections, one step at a time

  private func begin(
    _ frame: TypedstreamFrame, of type: ObjectClass? = nil, identity: TypedstreamObjectNumber? = nil
  ) throws(FerryError) {
    // A single value at the top level does not count as a level.
    guard frames.count <= budget.depth else {
      throw FerryError(.overBudget(.depth(budget.depth)), at: InputLocation(byte: frame.offset))
    }
    try spend(0)
    var frame = frame
    if let type {
      try sink.beginObject(type, identity: identity?.index)
      (frame.endsObject, frame.identity) = (true, identity)
    }
    switch frame.content {
    case .array, .entryIndices, .runs: try sink.beginArray(count: frame.left)
    case .set: try sink.beginSet(count: frame.left)
    case .dictionary, .record: try sink.beginDictionary(count: frame.left)
    case .key: try sink.beginKey()
    case .value: break
    }
    frames.append(frame)
  }

  private func end(_ frame: TypedstreamFrame) throws(FerryError) {
    switch frame.content {
    case .array, .entryIndices, .runs: try sink.endArray()
    case .set: try sink.endSet()
    case .dictionary, .record: try sink.endDictionary()
    case .key: try sink.endKey()
    case .value: break
    }
    if frame.endsObject { try sink.endObject() }
    if sharing == .inFull, let identity = frame.identity { hasBegun[identity.index] = false }
  }

  /// Sends the next element or key of a frame. Pushes the frame back onto the stack, below the frame of the
  /// element.
  private func sendNext(of top: TypedstreamFrame) throws(FerryError) {
    var frame = top
    switch frame.content {
    case .array, .set, .value, .key:
      let index = frame.next
      frame.next = shapes.next(after: index)
      frame.left -= 1
      frames.append(frame)
      try send(index, in: frame)
    case .dictionary:
      let index = frame.next
      frame.next = shapes.next(after: index)
      frame.awaitsValue.toggle()
      if frame.awaitsValue { frame.left -= 1 }
      frames.append(frame)
      frame.awaitsValue ? try sendKey(index, in: frame) : try send(index, in: frame)
    case .entryIndices(let entryIndices):
      let index = entryIndices.count - frame.left
      frame.left -= 1
      frames.append(frame)
      try send(entryIndices[index], in: frame)
    case .record(let fields):
      let index = fields.count - frame.left
      frame.left -= 1
      frames.append(frame)
      let name = keys == .archived ? fields[index].archiveKey ?? fields[index].name : fields[index].name
      try sink.key(BorrowedText(name.utf8.span))
      try send(fields[index].content, in: frame)
    case .runs(let runs):
      let index = runs.count - frame.left
      frame.left -= 1
      frames.append(frame)
      try begin(framer.run(runs[index], in: frame))
    }
  }

  private func send(_ content: TypedstreamField.Content, in frame: TypedstreamFrame) throws(FerryError) {
    switch content {
    case .entry(let entryIndex): try send(entryIndex, in: frame)
    case .word(let text):
      try spend(text.utf8.count)
      try sink.string(BorrowedText(text.utf8.span))
    case .integer(let number): try sink.integer(number)
    case .entries(let first, let count):
      try begin(TypedstreamFrame(content: .array, next: first, left: count, offset: frame.offset))
    case .runs(let runs):
      try begin(TypedstreamFrame(runs: runs, offset: frame.offset))
    case .mutableArray(let entryIndices):
      try begin(
        TypedstreamFrame(entryIndices: entryIndices, offset: frame.offset),
        of: ObjectClass("NSMutableArray", "NSArray"))
    case .mutableData(let bytes):
      try sink.beginObject(.mutableData, identity: nil)
      try sink.data(bytes.span)
      try sink.endObject()
    }
  }

  /// Sends the key of a dictionary: an `NSString` or a C string as `key`, any other value between `beginKey`
  /// and `endKey`.
  private func sendKey(_ entryIndex: TypedstreamEntryIndex, in frame: TypedstreamFrame) throws(FerryError) {
    if let text = keyText(entryIndex) {
      try spend(text.count)
      let bytes = shapes.bytes
      return try sink.key(BorrowedText(bytes.span.extracting(text)))
    }
    try begin(TypedstreamFrame(content: .key, next: entryIndex, left: 1, offset: frame.offset))
  }

  private func keyText(_ entryIndex: TypedstreamEntryIndex) -> Range<Int>? {
    if let object = shapes.object(at: entryIndex) {
      guard shapes.classes[shapes.objects[object].type].name == KnownClass.string.rawValue else { return nil }
      return shapes.text(at: entryIndex)
    }
    switch shapes.entries[entryIndex].kind {
    case .text: return shapes.entries[entryIndex].range
    case .cString, .atom:
      let range = shapes.entries[entryIndex].range
      return shapes.isText(range) ? range : nil
    default: return nil
    }
  }

  // MARK: Values

  private func send(_ entryIndex: TypedstreamEntryIndex, in frame: TypedstreamFrame) throws(FerryError) {
    guard let willSend else { return try send(valueOf: entryIndex, in: frame) }
    let outer = around ?? entryIndex
    around = nil
    willSend(outer)
    try send(valueOf: entryIndex, in: frame)
    if case .value? = frames.last?.content, frames.last?.left == 1 { around = outer }
  }

  private func send(valueOf entryIndex: TypedstreamEntryIndex, in frame: TypedstreamFrame) throws(FerryError)
  {
    let entry = shapes.entries[entryIndex]
    switch entry.kind {
    case .type:
      let name = shapes.classes[entry.classNumber].name
      try sink.string(BorrowedText(name.utf8.span))
    case .object, .reference: return try send(object: entry.objectNumber)
    case .array:
      return try begin(
        TypedstreamFrame(
          content: .array, next: entryIndex + 1, left: entry.elementCount, offset: frame.offset))
    case .structure: return try begin(framer.structure(at: entryIndex, in: frame))
    default:
      if entry.byteCount > 0 { try spend(entry.byteCount) }
      _ = try shapes.send(scalar: entry, to: sink)
    }
    try spend(0)
  }

  private func sendText(_ range: Range<Int>) throws(FerryError) {
    try spend(range.count)
    let bytes = shapes.bytes
    try sink.string(BorrowedText(bytes.span.extracting(range)))
  }

  private func sendData(_ range: Range<Int>) throws(FerryError) {
    try spend(range.count)
    let bytes = shapes.bytes
    try sink.data(bytes.span.extracting(range))
  }

  // MARK: Objects

  private func send(object: TypedstreamObjectNumber) throws(FerryError) {
    let described = shapes.objects[object]
    if representation == .plain, let scalar = shapes.scalar(object) {
      return try send(scalar: scalar, of: object)
    }
    var identity: TypedstreamObjectNumber?
    if uses[object.index] > 1 {
      if hasBegun[object.index] { return try sink.reference(object.index) }
      if sharing != .leavesInFull || representation == .raw || !shapes.isLeaf(object) {
        hasBegun[object.index] = true
        identity = object
      }
    }
    let frame = representation == .raw ? framer.list(of: object) : framer.frame(of: object)
    let type = try type(described.type)
    let isPlain: Bool =
      switch (frame.content, type.name) {
      case (.array, "NSArray"), (.set, "NSSet"), (.dictionary, "NSDictionary"):
        identity == nil && representation == .plain && sharing != .named
      default: false
      }
    try begin(frame, of: isPlain ? nil : type, identity: identity)
  }

  private func send(scalar: TypedstreamShape, of object: TypedstreamObjectNumber) throws(FerryError) {
    let number = shapes.objects[object].type
    let known = shapes.classes[number].known
    let isBare = sharing != .named && known != .url && shapes.classes[number].name == known?.rawValue
    let identity = sharing == .named && uses[object.index] > 1 ? object.index : nil
    if !isBare { try sink.beginObject(try type(number), identity: identity) }
    switch scalar {
    case .null: try sink.null()
    case .string(let range), .url(let range): try sendText(range)
    case .data(let range): try sendData(range)
    case .date(let seconds): try sink.date(seconds)
    case .number(let entryIndex):
      // The value has the entry of the NSNumber, as that of a string has the entry of the NSString.
      try send(
        valueOf: entryIndex, in: TypedstreamFrame(content: .value, next: entryIndex, left: 0, offset: 0))
    default: break
    }
    if !isBare { try sink.endObject() }
    try spend(0)
  }

  /// Returns the class with a number, including its superclasses.
  private func type(_ number: TypedstreamClassNumber) throws(FerryError) -> ObjectClass {
    if let type = types[number.index] { return type }
    var chain: [String] = []
    var link = Optional(number)
    while let next = link {
      chain.append(shapes.classes[next].name)
      link = shapes.classes[next].superclass
    }
    // The cost of a class grows with its number of superclasses.
    try spend(64 * chain.count)
    let type = ObjectClass(name: shapes.classes[number].name, chain: chain)
    types[number.index] = type
    return type
  }

  /// Adds to the values and bytes sent, so that repeated scalars and small objects stay within the budget.
  private func spend(_ bytes: Int) throws(FerryError) {
    sent += 1 + bytes
    guard sent <= sentLimit else { throw budget.overAmplification }
  }
}
