/// The `$layout` of a typed document: the properties of a binary file that its values do not determine.
///
///     "$layout": {"references": "separate", "sharing": "12 3:1", "referenceWidth": 2}
///
/// A property is present only if it differs from its default. Runs of numbers are a single string, so that
/// they stay on one line.
///
/// `sharing` lists the scalars that share an object, or do not share one, contrary to the sharing rule. Each
/// entry is the number of scalars since the previous entry's, up to and including its own, and, after a colon,
/// the index of the shared object. Without a colon, the scalar has an object of its own.
enum TypedLayout {
  /// Sends the properties that differ from the defaults, as entries of the current dictionary.
  static func send(_ layout: BinaryLayout, to sink: any ValueSink) throws(FerryError) {
    func entry(_ name: StaticString, _ text: String) throws(FerryError) {
      try sink.key(BorrowedText(name.description.utf8.span))
      try sink.string(BorrowedText(text.utf8.span))
    }
    func entry(_ name: StaticString, _ number: Int?) throws(FerryError) {
      guard let number else { return }
      try sink.key(BorrowedText(name.description.utf8.span))
      try sink.integer(Int128(number))
    }
    if layout.references != .orphans { try entry("references", layout.references.rawValue) }
    if layout.booleans != .orphans { try entry("booleans", layout.booleans.rawValue) }
    if layout.sharesEmptyArrays { try entry("emptyArrays", BinaryLayout.Repeats.shared.rawValue) }
    if layout.isInPairs { try entry("order", "pairs") }
    try entry("offsetWidth", layout.offsetWidth)
    try entry("referenceWidth", layout.referenceWidth)
    if !layout.deviations.isEmpty { try entry("sharing", text(of: layout.deviations)) }
    guard let patch = layout.patch else { return }
    try sink.key(BorrowedText("patch".utf8.span))
    try sink.beginDictionary(count: 5)
    try entry("size", patch.size)
    try entry("hash", String(patch.hash, radix: 16))
    try entry("from", patch.range.lowerBound)
    try entry("to", patch.range.upperBound)
    try sink.key(BorrowedText("bytes".utf8.span))
    try sink.data(patch.bytes.span)
    try sink.endDictionary()
  }

  static func text(of deviations: [SharingDeviation]) -> String {
    deviations.map { $0.choice == 0 ? "\($0.distance)" : "\($0.distance):\($0.choice)" }.joined(
      separator: " ")
  }

  /// Parses `sharing`.
  static func deviations(_ text: String) throws(FerryError) -> [SharingDeviation] {
    var deviations: [SharingDeviation] = []
    for word in text.split(separator: " ") {
      let numbers = word.split(separator: ":", omittingEmptySubsequences: false)
      guard let first = numbers.first, let distance = Int(first), distance > 0, numbers.count <= 2,
        let choice = numbers.count == 2 ? Int(numbers[1]) : 0, choice >= 0
      else { throw FerryError(.typed(.badLayout("\(MessageText.quoted(String(word))) is not a deviation"))) }
      deviations.append(SharingDeviation(distance: distance, choice: choice))
    }
    return deviations
  }

  /// Reads the layout of a binary file.
  static func read(
    _ parts: [ExactString: TapeIndex], of tape: EventTape, rule: BinaryPropertyListWriter.Sharing
  ) throws(FerryError) -> BinaryLayout {
    var layout = BinaryLayout(rule: rule)
    layout.references = try repeats("references", parts, tape) ?? .orphans
    layout.booleans = try repeats("booleans", parts, tape) ?? .orphans
    layout.sharesEmptyArrays = try repeats("emptyArrays", parts, tape) == .shared
    layout.isInPairs = try tape.value("order", in: parts, isInPairs) ?? false
    layout.offsetWidth = try width("offsetWidth", parts, tape)
    layout.referenceWidth = try width("referenceWidth", parts, tape)
    layout.deviations = try tape.value("sharing", in: parts, deviations) ?? []
    if let tapeIndex = parts["patch"] { layout.patch = try patch(tapeIndex, tape) }
    return layout
  }

  /// Throws for a property that no layout has.
  static func checkNames(
    _ parts: [ExactString: TapeIndex], of tape: EventTape, isArchive: Bool
  ) throws(FerryError) {
    var names: Set<ExactString> = [
      "references", "booleans", "emptyArrays", "order", "offsetWidth", "referenceWidth", "sharing", "patch",
    ]
    if isArchive { names.formUnion(["numbers", "objects", "outermost", "keys", "classKeys"]) }
    try tape.checkKeys(of: parts, names) { name in
      .badLayout("\(MessageText.quoted(name)) is not one of its properties")
    }
  }

  /// Returns the width of a number in bytes, or nil if it is missing.
  private static func width(
    _ name: String, _ parts: [ExactString: TapeIndex], _ tape: EventTape
  ) throws(FerryError) -> Int? {
    guard let width = try tape.integer(name, in: parts) else { return nil }
    guard (1...8).contains(width) else {
      throw FerryError(.typed(.badLayout("\(name) is \(width) (use a number from 1 to 8)")))
    }
    return width
  }

  private static func repeats(_ name: String, _ parts: [ExactString: TapeIndex], _ tape: EventTape)
    throws(FerryError) -> BinaryLayout.Repeats?
  {
    try tape.value(name, in: parts) { word throws(FerryError) in
      guard let repeats = BinaryLayout.Repeats(rawValue: word) else {
        throw FerryError(.typed(.badLayout("\(name) is \(MessageText.quoted(word))")))
      }
      return repeats
    }
  }

  private static func isInPairs(_ order: String) throws(FerryError) -> Bool {
    guard order == "pairs" else {
      throw FerryError(.typed(.badLayout("order is \(MessageText.quoted(order))")))
    }
    return true
  }

  private static func patch(_ tapeIndex: TapeIndex, _ tape: EventTape) throws(FerryError)
    -> BinaryLayout.Patch
  {
    let parts = try tape.parts(of: tapeIndex)
    guard let size = try tape.integer("size", in: parts), let from = try tape.integer("from", in: parts),
      let to = try tape.integer("to", in: parts), from >= 0, from <= to, to <= size,
      let hash = UInt64(try tape.string("hash", in: parts) ?? "", radix: 16),
      let bytes = parts["bytes"], tape.kind(at: bytes) == .data
    else { throw FerryError(.typed(.badLayout("the patch is not whole"))) }
    let copy = [UInt8](copying: tape.data(at: bytes))
    return BinaryLayout.Patch(size: size, hash: hash, range: from..<to, bytes: copy)
  }
}

extension EventTape {
  /// Returns the string for a name, or nil if it is missing.
  func string(_ name: String, in parts: [ExactString: TapeIndex]) throws(FerryError) -> String? {
    guard let tapeIndex = parts[name] else { return nil }
    guard kind(at: tapeIndex) == .string else {
      throw FerryError(.typed(.badTag(name, found: "something other than a string")))
    }
    return string(at: tapeIndex)
  }

  /// Returns the value that a function reads from the string for a name, or nil if the string is missing. An error of the function is located
  /// at the string.
  func value<Value>(
    _ name: String, in parts: [ExactString: TapeIndex], _ read: (String) throws(FerryError) -> Value
  ) throws(FerryError) -> Value? {
    guard let tapeIndex = parts[name], let text = try string(name, in: parts) else { return nil }
    do throws(FerryError) { return try read(text) } catch {
      throw error.placed(at: location(at: tapeIndex))
    }
  }
}
