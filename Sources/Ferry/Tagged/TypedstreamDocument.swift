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
  static func bytes(in tape: EventTape, budget: Budget) throws(FerryError) -> [UInt8]? {
    guard tape.isBalanced, tape.count > 0, tape.kind(at: .start) == .beginDictionary else { return nil }
    do throws(FerryError) {
      guard try tape.parts(of: .start)["$stream"] != nil else { return nil }
      return try bytes(of: tape, budget: budget)
    } catch {
      throw error.placed(at: tape.location(at: .start))
    }
  }

  private static func bytes(
    of tape: EventTape, applyingPatch: Bool = true, budget: Budget
  ) throws(FerryError) -> [UInt8] {
    let parts = try tape.parts(of: .start)
    guard let version = try tape.integer("$ferry", in: parts) else {
      throw FerryError(.typed(.missing("\"$ferry\"")))
    }
    guard version == TypedNotation.version else { throw FerryError(.typed(.version("\(version)"))) }
    try tape.checkKeys(of: parts, tags.union([TypedDocumentProbe.mark]))
    var reader = try TypedstreamDocumentReader(tape, parts, budget)
    let bytes = try reader.bytes()
    guard applyingPatch, let layout = parts["$layout"] else { return bytes }
    let properties = try tape.parts(of: layout)
    try TypedLayout.checkNames(properties, of: tape, isArchive: false)
    guard let patch = try TypedLayout.read(properties, of: tape, rule: .equalScalars).patch else {
      return bytes
    }
    // A patch is only for the values that it was made for.
    return patch.applied(to: bytes) ?? bytes
  }
}
