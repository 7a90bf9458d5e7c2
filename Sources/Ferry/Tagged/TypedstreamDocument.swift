/// A typedstream in the typed form.
///
///     {"$ferry": 1, "$stream": "streamtyped", "$value": ["Ada", {"$class": "Person", "$groups": ["i", 36]}],
///      "$classes": {"Person": {"version": 2, "super": "NSObject"}}}
///
///     $stream     the signature, which gives the byte order
///     $system     the version of the system, if it is not 1000
///     $value      the object of a file with one object; otherwise $groups
///     $groups     the types of each group of values, followed by its values
///     $classes    the classes whose version is not that of Foundation, or not 0, or that do not inherit from NSObject
///     $layout     the bytes that do not follow from the values
enum TypedstreamDocument {
  /// The keys of a document, besides `$ferry`.
  static let tags: Set<ExactString> = ["$stream", "$system", "$value", "$groups", "$classes", "$layout"]

  /// The usual version of the system.
  static let systemVersion: Int64 = 1000

  /// Sends a typedstream as a document. The document has a patch if its values do not determine the bytes of the file.
  static func send(_ stream: Typedstream, to sink: any ValueSink) throws(FerryError) {
    let tapeSink = TapeSink()
    try send(stream, patch: nil, to: tapeSink)
    let written = try bytes(of: tapeSink.tape, applyingPatch: false, budget: stream.budget)
    guard written != stream.shapes.bytes else { return try tapeSink.tape.replay(into: sink) }
    try send(stream, patch: BinaryLayout.Patch(from: written, to: stream.shapes.bytes), to: sink)
  }

  private static func send(
    _ stream: Typedstream, patch: BinaryLayout.Patch?, to sink: any ValueSink
  ) throws(FerryError) {
    try TypedDocument.begin(sink)
    try sink.tag("$stream")
    try sink.text(stream.byteOrder.signature)
    if stream.systemVersion != systemVersion {
      try sink.tag("$system")
      try sink.integer(Int128(stream.systemVersion))
    }
    var values = TypedstreamDocumentWriter(stream, to: sink)
    try values.send()
    var layout = BinaryLayout()
    layout.patch = patch
    try TypedDocument.send(layout, nil, to: sink)
    try sink.endDictionary()
  }

  /// Returns the bytes of the typedstream in a document on a tape without tagged scalars, or nil if the document has another
  /// kind of value.
  ///
  /// - Parameter losses: Receives the loss of a patch for other values.
  static func bytes(
    in tape: EventTape, budget: Budget, losses: LossReport?
  ) throws(FerryError) -> [UInt8]? {
    guard tape.isBalanced, tape.count > 0, tape.kind(at: .start) == .beginDictionary else { return nil }
    do throws(FerryError) {
      guard try tape.parts(of: .start)["$stream"] != nil else { return nil }
      return try bytes(of: tape, budget: budget, losses: losses)
    } catch {
      throw error.placed(at: tape.location(at: .start))
    }
  }

  private static func bytes(
    of tape: EventTape, applyingPatch: Bool = true, budget: Budget, losses: LossReport? = nil
  ) throws(FerryError) -> [UInt8] {
    let parts = try tape.partsOfTypedDocument()
    try tape.checkKeys(of: parts, tags.union([DocumentProbe.mark]))
    var reader = try TypedstreamDocumentReader(tape, parts, budget)
    let bytes = try reader.bytes()
    guard applyingPatch, let layout = parts["$layout"] else { return bytes }
    let properties = try tape.parts(of: layout)
    try TypedLayout.checkNames(properties, of: tape, isArchive: false)
    guard let patch = try TypedLayout.read(properties, of: tape, rule: .equalScalars).patch else {
      return bytes
    }
    return patch.applied(to: bytes, losses: losses)
  }
}

/// A writer of the values of a typedstream in the typed form.
struct TypedstreamDocumentWriter {
  private let stream: Typedstream
  private let sink: any ValueSink
  private let labels: TypedstreamLabels
  private var frames: [Frame] = []
  /// The identities of the objects with several references that have begun.
  private var identities: [TypedstreamObjectNumber: Int] = [:]

  private struct Frame {
    enum Kind {
      /// Values with the types of their groups.
      case groups
      /// Values without types.
      case values
      /// Alternating keys and values, with keys as text, or in pairs.
      case entries, pairs
    }
    var kind: Kind
    var next: TypedstreamEntryIndex
    var end: TypedstreamEntryIndex
    /// True if a key has been sent, and its value comes next.
    var awaitsValue = false
    /// The dictionaries that end with this collection.
    var closing: Int
  }

  private var shapes: TypedstreamShapes { stream.shapes }

  init(_ stream: Typedstream, to sink: any ValueSink) {
    (self.stream, self.sink) = (stream, sink)
    labels = TypedstreamLabels(stream.shapes.classes)
  }

  /// Sends the values of the file, and its classes.
  mutating func send() throws(FerryError) {
    let first = shapes.entries[.first]
    if shapes.next(after: .first) == shapes.entries.end, first.code == UInt8(ascii: "@") {
      try sink.tag("$value")
      try send(.first)
    } else {
      try sink.tag("$groups")
      try begin(.groups, shapes.entries.numbers, closing: 0)
    }
    while let frame = frames.popLast() {
      frame.next < frame.end ? try sendNext(of: frame) : try end(frame)
    }
    try labels.send(to: sink)
  }

  private mutating func begin(
    _ kind: Frame.Kind, _ range: Range<TypedstreamEntryIndex>, closing: Int
  ) throws(FerryError) {
    if kind == .entries { try sink.beginDictionary(count: nil) } else { try sink.beginArray(count: nil) }
    frames.append(Frame(kind: kind, next: range.lowerBound, end: range.upperBound, closing: closing))
  }

  private func end(_ frame: Frame) throws(FerryError) {
    if frame.kind == .entries { try sink.endDictionary() } else { try sink.endArray() }
    for _ in 0..<frame.closing { try sink.endDictionary() }
    if let around = frames.last, around.kind == .pairs, !around.awaitsValue { try sink.endArray() }
  }

  private mutating func sendNext(of frame: Frame) throws(FerryError) {
    let index = frame.next
    var rest = frame
    rest.next = shapes.next(after: index)
    if frame.kind == .entries || frame.kind == .pairs { rest.awaitsValue.toggle() }
    frames.append(rest)
    let level = frames.count
    switch frame.kind {
    case .groups:
      if let group = shapes.entries[index].group {
        try sink.text(of: stream.types(of: group))
      }
      try send(index)
    case .values: try send(index)
    case .entries where rest.awaitsValue:
      guard let key = shapes.text(at: index) else { return }
      let bytes = shapes.bytes
      try TypedNotation.withKey(BorrowedText(bytes.span.extracting(key))) { key throws(FerryError) in
        try sink.key(key)
      }
    case .entries: try send(index)
    case .pairs:
      if rest.awaitsValue { try sink.beginArray(count: 2) }
      try send(index)
      // A pair with a scalar value is complete. A collection ends its pair when it ends.
      if !rest.awaitsValue, frames.count == level { try sink.endArray() }
    }
  }

  private mutating func send(_ index: TypedstreamEntryIndex) throws(FerryError) {
    let entry = shapes.entries[index]
    switch entry.kind {
    case .single where entry.single.isFinite:
      let value = entry.single
      try sink.real(Double(value.notation) ?? Double(value))
    case .type: try sink.text(labels[entry.classNumber])
    case .array, .structure: try begin(.values, index + 1..<entry.end, closing: 0)
    case .object, .reference: try send(object: entry.objectNumber)
    default: _ = try shapes.send(scalar: entry, to: sink)
    }
  }

  // MARK: Objects

  private mutating func send(object: TypedstreamObjectNumber) throws(FerryError) {
    if let identity = identities[object] {
      try sink.beginDictionary(count: 1)
      try sink.tag("$ref")
      try sink.integer(Int128(identity))
      return try sink.endDictionary()
    }
    var identity: Int?
    if shapes.objects[object].uses > 1 {
      identity = identities.count + 1
      identities[object] = identity
    }
    let form = TypedstreamForm(of: object, in: stream)
    let label = labels[shapes.objects[object].type]
    guard form.isBare, form.isClass(label) else { return try send(form, of: object, label, identity) }
    if let identity {
      try sink.beginDictionary(count: 2)
      try sink.tag("$id")
      try sink.integer(Int128(identity))
      try sink.tag("$value")
    }
    try send(form, closing: identity == nil ? 0 : 1)
  }

  /// Sends an object with its class.
  private mutating func send(
    _ form: TypedstreamForm, of object: TypedstreamObjectNumber, _ label: String, _ identity: Int?
  ) throws(FerryError) {
    try sink.beginDictionary(count: nil)
    try sink.tag("$class")
    try sink.text(label)
    if let identity {
      try sink.tag("$id")
      try sink.integer(Int128(identity))
    }
    switch form {
    case .empty: return try sink.endDictionary()
    case .string, .data, .date, .number: try sink.tag("$value")
    case .list: try sink.tag("$items")
    case .entries, .pairs: try sink.tag("$entries")
    case .groups: try sink.tag("$groups")
    }
    try send(form, closing: 1)
  }

  /// Sends the value of an object.
  ///
  /// - Parameter closing: The number of dictionaries around the value, which end with it.
  private mutating func send(_ form: TypedstreamForm, closing: Int) throws(FerryError) {
    let bytes = shapes.bytes
    switch form {
    case .list(let range): return try begin(.values, range, closing: closing)
    case .entries(let range): return try begin(.entries, range, closing: closing)
    case .pairs(let range): return try begin(.pairs, range, closing: closing)
    case .groups(let range): return try begin(.groups, range, closing: closing)
    case .empty: break
    case .string(let range): try sink.text(of: bytes[range])
    case .data(let range): try sink.data(bytes.span.extracting(range))
    case .date(let seconds): try sink.date(seconds)
    case .number(let index):
      let entry = shapes.entries[index]
      if entry.kind == .single {
        try sink.single(Float(bitPattern: UInt32(truncatingIfNeeded: entry.payload)))
      } else {
        try send(index)
      }
    }
    for _ in 0..<closing { try sink.endDictionary() }
  }
}

extension ValueSink {
  /// Sends a tag as a key.
  fileprivate func tag(_ tag: StaticString) throws(FerryError) {
    try key(BorrowedText(tag.description.utf8.span))
  }

  fileprivate func text(_ text: String) throws(FerryError) { try string(BorrowedText(text.utf8.span)) }

  /// Sends bytes that are valid UTF-8 as a string.
  fileprivate func text(of bytes: ArraySlice<UInt8>) throws(FerryError) {
    try string(BorrowedText(bytes.span))
  }
}
