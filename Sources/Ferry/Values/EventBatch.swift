/// Events that a reader sends together, in the order of the input.
///
/// A call and the accesses to the state of a class cost more than an event itself, so readers and writers of
/// records exchange hundreds of events at once. The texts stay in the bytes that the reader has read, except
/// those that had to be decoded.
///
///     {"first": "A\u0064a", "age": 36}
///
///     beginDictionary   key in 2..<7   string, copied in 0..<3   key in 23..<26   integer 36   endDictionary
struct EventBatch: ~Copyable, ~Escapable {
  /// The kinds of events in batches: those of JSON. The scalars come first, before `key`.
  enum Kind: UInt8 {
    case null, boolean, integer, real, number, string, key
    case beginArray, endArray, beginDictionary, endDictionary

    /// True for a value that is not a collection.
    var isScalar: Bool { rawValue < Kind.key.rawValue }
  }

  /// An event, whose text is elsewhere.
  struct Entry {
    /// The properties of a text, in one byte, so that an event is copied in four words.
    private struct Flags: OptionSet {
      let rawValue: UInt8
      static let isASCII = Flags(rawValue: 1)
      static let hasSurrogates = Flags(rawValue: 2)
      static let isCopied = Flags(rawValue: 4)
      static let isPlain = Flags(rawValue: 8)

      mutating func set(_ flag: Flags, _ isSet: Bool) {
        if isSet { insert(flag) } else { remove(flag) }
      }
    }

    var kind: Kind
    private var flags: Flags
    /// The location at which the reader reports an error of the event: an offset in the input or, for XML, the index of an
    /// event of an element.
    var offset: Int
    /// Depending on the kind: the bits of a scalar, or the offset of a text.
    var payload: UInt64
    /// Depending on the kind: the upper half of an integer, or the length of a text.
    var extra: Int

    /// For a text, true if it is ASCII.
    var isASCII: Bool {
      get { flags.contains(.isASCII) }
      set { flags.set(.isASCII, newValue) }
    }
    /// True if the text contains unpaired surrogates.
    var hasSurrogates: Bool { flags.contains(.hasSurrogates) }
    /// True if the text is in the copied bytes, and not in the input.
    var isCopied: Bool {
      get { flags.contains(.isCopied) }
      set { flags.set(.isCopied, newValue) }
    }
    /// True if the text has no control characters, quotation marks or backslashes. False if that is not known.
    var isPlain: Bool {
      get { flags.contains(.isPlain) }
      set { flags.set(.isPlain, newValue) }
    }

    @inline(__always)
    init(
      kind: Kind, isASCII: Bool = false, hasSurrogates: Bool = false, isCopied: Bool = false,
      isPlain: Bool = false, offset: Int, payload: UInt64 = 0, extra: Int = 0
    ) {
      self.kind = kind
      flags = Flags(
        rawValue: (isASCII ? Flags.isASCII.rawValue : 0) | (hasSurrogates ? Flags.hasSurrogates.rawValue : 0)
          | (isCopied ? Flags.isCopied.rawValue : 0) | (isPlain ? Flags.isPlain.rawValue : 0))
      (self.offset, self.payload, self.extra) = (offset, payload, extra)
    }
  }

  /// The beginning of an object of a class. The object's content is the value that begins with an event, and the
  /// object ends with its content.
  struct Object {
    /// The index of the event in the batch.
    let event: Int
    let type: ObjectClass
    let identity: Int?
  }

  private let entries: Span<Entry>
  /// The bytes that contain the texts which are not copied.
  let input: Span<UInt8>
  private let copied: Span<UInt8>
  private let objects: Span<Object>

  /// Creates a batch of events with texts in the input, or copied.
  ///
  /// - Parameter objects: The objects in the order of their events. Empty unless the sink takes objects.
  @_lifetime(copy entries, copy input, copy copied, copy objects)
  init(_ entries: Span<Entry>, input: Span<UInt8>, copied: Span<UInt8>, objects: Span<Object>) {
    (self.entries, self.input, self.copied, self.objects) = (entries, input, copied, objects)
  }

  /// The number of events.
  var count: Int { entries.count }

  /// A set of kinds.
  struct Kinds {
    private var bits: UInt16 = 0

    func contains(_ kind: Kind) -> Bool { bits & 1 << UInt16(kind.rawValue) != 0 }

    @inline(__always)
    mutating func insert(_ kind: Kind) { bits |= 1 &<< UInt16(kind.rawValue) }
  }

  /// The kinds of the events.
  var kinds: Kinds {
    var kinds = Kinds()
    for index in 0..<count { kinds.insert(kind(index)) }
    return kinds
  }

  /// Returns true if one of the events has a kind.
  func contains(_ kind: Kind) -> Bool { kinds.contains(kind) }

  /// True if no real is NaN or infinite.
  var hasFiniteReals: Bool {
    for index in 0..<count where kind(index) == .real && !real(index).isFinite { return false }
    return true
  }

  /// True if no text has unpaired surrogates, and no key can become equal to one whose surrogates are replaced.
  var hasPairedSurrogates: Bool {
    for index in 0..<count {
      switch kind(index) {
      case .string: if entries[index].hasSurrogates { return false }
      case .key: if RepairedKeys.mayBecomeEqual(text(index)) { return false }
      default: break
      }
    }
    return true
  }

  /// The number of objects of classes.
  var objectCount: Int { objects.count }

  /// Returns an object of a class.
  func object(_ index: Int) -> Object { objects[index] }

  /// Returns a part of the batch without its objects.
  @_lifetime(copy self)
  func content(_ range: Range<Int>) -> EventBatch {
    EventBatch(entries.extracting(range), input: input, copied: copied, objects: Span())
  }

  /// Returns an event.
  subscript(index: Int) -> Entry { entries[index] }

  /// Returns the kind of an event.
  func kind(_ index: Int) -> Kind { entries[index].kind }

  /// Returns the location at which the reader reports an error of an event.
  func offset(_ index: Int) -> Int { entries[index].offset }

  /// Returns the value of a boolean.
  func boolean(_ index: Int) -> Bool { entries[index].payload != 0 }

  /// Returns the value of an integer.
  func integer(_ index: Int) -> Int128 { Int128(entries[index].extra) << 64 | Int128(entries[index].payload) }

  /// Returns the value of a real.
  func real(_ index: Int) -> Double { Double(bitPattern: entries[index].payload) }

  /// Returns the text of a string, a key or a number.
  @_lifetime(copy self) @inline(__always)
  func text(_ index: Int) -> BorrowedText {
    let entry = entries[index]
    let range = Int(entry.payload)..<Int(entry.payload) + entry.extra
    return BorrowedText(
      checked: entry.isCopied ? copied.extracting(range) : input.extracting(range), isASCII: entry.isASCII,
      hasSurrogates: entry.hasSurrogates)
  }

  /// Returns the offset of a text in the input, or nil if the text is copied.
  func inputOffset(_ index: Int) -> Int? {
    let entry = entries[index]
    return entry.isCopied ? nil : Int(entry.payload)
  }

  /// Returns true if a text is known to have no control characters, quotation marks or backslashes.
  func isPlain(_ index: Int) -> Bool { entries[index].isPlain }

  /// Returns true if two texts are the same bytes, at the same place.
  @inline(__always)
  func haveSameText(_ a: Int, _ b: Int) -> Bool {
    entries[a].kind == entries[b].kind && entries[a].payload == entries[b].payload
      && entries[a].extra == entries[b].extra && entries[a].isCopied == entries[b].isCopied
  }

  /// Sends an event to a sink.
  func send(_ index: Int, to sink: any ValueSink) throws(FerryError) {
    switch kind(index) {
    case .null: try sink.null()
    case .boolean: try sink.boolean(boolean(index))
    case .integer: try sink.integer(integer(index))
    case .real: try sink.real(real(index))
    case .number: try sink.number(text(index))
    case .string: try sink.string(text(index))
    case .key: try sink.key(text(index))
    case .beginArray: try sink.beginArray(count: nil)
    case .endArray: try sink.endArray()
    case .beginDictionary: try sink.beginDictionary(count: nil)
    case .endDictionary: try sink.endDictionary()
    }
  }
}

extension EventBatch {
  /// Returns the offset of an error. For an error in a record that is complete, this is the offset of the value at the error's path.
  func offset(of failure: EventFailure) -> Int {
    var found = offset(failure.index)
    guard kind(failure.index) == .endDictionary, let start = beginning(ofCollectionEndingAt: failure.index)
    else { return found }
    var steps = failure.error.path.steps.drop { if case .index = $0 { false } else { true } }.dropFirst()
    var (index, depth) = (start + 1, 0)
    while index + 1 < failure.index, depth >= 0, case .key(let name)? = steps.first {
      switch kind(index) {
      case .key where depth == 0 && text(index).utf8.equals(name.utf8.span):
        index += 1
        found = offset(index)
        guard kind(index) == .beginDictionary else { return found }
        steps = steps.dropFirst()
      case .beginDictionary, .beginArray: depth += 1
      case .endDictionary, .endArray: depth -= 1
      default: break
      }
      index += 1
    }
    return found
  }

  /// Returns the path of an event's value in the outermost value of the batch that contains it. The path is empty if the batch does
  /// not contain whole values.
  func path(of event: Int) -> ValuePath {
    guard isBalanced else { return ValuePath() }
    var steps: [ValuePath.Step] = []
    var value = event
    if kind(event) == .endDictionary || kind(event) == .endArray {
      value = beginning(ofCollectionEndingAt: event) ?? event
    }
    while let (parent, step) = parent(of: value) {
      steps.append(step)
      value = parent
    }
    return ValuePath(steps.reversed())
  }

  /// Returns the index of the event that begins the collection of a value, and the step from the collection to the value. Returns nil
  /// for an outermost value.
  private func parent(of value: Int) -> (index: Int, step: ValuePath.Step)? {
    var name = kind(value) == .key ? String(text(value)) : nil
    // The values before this one in its collection, and the nesting depth in them.
    var (count, depth) = (0, 0)
    for index in stride(from: value - 1, through: 0, by: -1) {
      switch kind(index) {
      case .endDictionary, .endArray: depth += 1
      case .beginDictionary where depth == 0: return (index, .key(name ?? ""))
      case .beginArray where depth == 0: return (index, .index(count))
      case .beginDictionary, .beginArray:
        depth -= 1
        if depth == 0 { count += 1 }
      case .key: if depth == 0, name == nil { name = String(text(index)) }
      case .null, .boolean, .integer, .real, .number, .string: if depth == 0 { count += 1 }
      }
    }
    return nil
  }

  /// True if each collection in the batch begins and ends in it.
  private var isBalanced: Bool {
    var depth = 0
    for index in 0..<count {
      switch kind(index) {
      case .beginDictionary, .beginArray: depth += 1
      case .endDictionary, .endArray: depth -= 1
      default: break
      }
      if depth < 0 { return false }
    }
    return depth == 0
  }

  /// Returns the index of the event that begins the collection that ends with an event; nil if it is in an earlier batch.
  private func beginning(ofCollectionEndingAt end: Int) -> Int? {
    var depth = 0
    for index in stride(from: end, through: 0, by: -1) {
      switch kind(index) {
      case .endDictionary, .endArray: depth += 1
      case .beginDictionary, .beginArray: depth -= 1
      default: break
      }
      if depth == 0 { return index }
    }
    return nil
  }

  /// Returns true if the batch has a key.
  func hasKey(_ name: StaticString) -> Bool {
    // Most keys have another length, which is known without their text.
    for index in 0..<count where kind(index) == .key && entries[index].extra == name.utf8CodeUnitCount {
      if text(index).equals(name) { return true }
    }
    return false
  }
}

extension EventBatch.Entry {
  /// Creates the event of an integer.
  init(integer value: Int128, offset: Int) {
    self.init(
      kind: .integer, offset: offset, payload: UInt64(truncatingIfNeeded: value),
      extra: Int(truncatingIfNeeded: value >> 64))
  }
}

extension EventBatch {
  /// Returns the index after the end of a collection that is open at an index, or the number of events if the collection does not end in the
  /// batch.
  ///
  /// - Parameter depth: The number of open collections, from this one inward. The method updates it to the end of the events it passes.
  func end(ofDepth depth: inout Int, from first: Int) -> Int {
    for index in first..<count {
      switch kind(index) {
      case .beginArray, .beginDictionary: depth += 1
      case .endArray, .endDictionary:
        depth -= 1
        if depth == 0 { return index + 1 }
      case .null, .boolean, .integer, .real, .number, .string, .key: break
      }
    }
    return count
  }
}
