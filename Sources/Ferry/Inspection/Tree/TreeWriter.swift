/// A writer of values as a tree for people while they arrive:
///
///     [
///       Person #3 { first: "Matt", last: "Neuburg", partner: → #7 }
///       Person #7 { first: "Snidely", last: "Whiplash", photo: <a PNG image, 1204 bytes: 89 50 4e 47 …> }
///     ]
///
/// An object with references has a mark, `#7`, and each reference is an arrow. Values nested deeper than the
/// limit, and items beyond the limit, are counted instead of shown.
package final class TreeWriter: ValueSink {
  /// The limits on the output.
  package struct Limits {
    /// The greatest nesting depth of collections.
    package var depth: Int
    /// The greatest number of items in a collection.
    package var items: Int
    /// The greatest number of bytes in a string.
    package var text: Int
    /// The greatest number of characters in a number.
    var number: Int { Self.number(forText: text) }
    /// The greatest number of items in all collections together.
    package var total: Int
    /// True to print different values differently, for a comparison: a real of 32 bits, a key that is not a string and the bits of a NaN
    /// have a mark, and data of which only the first bytes are shown has a checksum.
    package var marksDifferences = false
    /// True to write characters of strings that are not ASCII as escapes, to tell texts apart that look alike: `e\u{301}`.
    package var escapesCharacters = false

    /// Returns the greatest number of characters in a number, given that of bytes in a string. A small limit for strings does not cut
    /// ordinary numbers.
    static func number(forText text: Int) -> Int { max(text, 100) }

    package init(depth: Int = .max, items: Int = .max, text: Int = 1000, total: Int = .max) {
      (self.depth, self.items, self.text, self.total) = (depth, items, text, total)
    }
  }

  private var layout: TreeLayout
  private let color: Colors
  private let limits: Limits
  private var frames: [Frame] = []
  /// The number of items that are shown.
  private var total = 0
  /// True if a key, or the class of an object, is on the line before its value.
  private var hasBegunLine = false
  /// True if the next value is hidden.
  private var hidesNext = false
  /// The nesting depth of collections and objects inside a hidden value.
  private var hiddenDepth = 0
  /// The hidden collection whose size is shown in its place.
  private var folded: Folded?

  /// A collection that is being shown.
  private struct Frame {
    let shape: Shape
    var shown = 0
    var hidden = 0
  }

  private struct Folded {
    let shape: Shape
    var count = 0
  }

  private enum Shape {
    case array, set, dictionary

    var open: String {
      switch self {
      case .array: "["
      case .set: "set ["
      case .dictionary: "{"
      }
    }

    var close: String { self == .dictionary ? "}" : "]" }
    var isPadded: Bool { self == .dictionary }
  }

  package init(to output: any ByteOutput, width: Int, color: Colors, limits: Limits = Limits()) {
    layout = TreeLayout(to: output, width: width)
    self.color = color
    self.limits = limits
  }

  // MARK: Items

  /// Prepares for a value. Returns false if it is hidden.
  private func beginValue() throws(FerryError) -> Bool {
    if hiddenDepth > 0 {
      countFolded(.array, .set)
      return false
    }
    if hidesNext {
      hidesNext = false
      return false
    }
    if hasBegunLine {
      hasBegunLine = false
      return true
    }
    return try beginItem()
  }

  /// Prepares for an item of the collection. Returns false if it is hidden.
  private func beginItem() throws(FerryError) -> Bool {
    guard let last = frames.indices.last else { return true }
    guard frames[last].shown < limits.items, total < limits.total else {
      frames[last].hidden += 1
      return false
    }
    frames[last].shown += 1
    total += 1
    try layout.item()
    return true
  }

  /// Counts an item of the hidden collection whose size is shown.
  private func countFolded(_ shapes: Shape...) {
    if hiddenDepth == 1, let shape = folded?.shape, shapes.contains(shape) { folded?.count += 1 }
  }

  private func text(_ text: String, _ role: Colors.Role) throws(FerryError) {
    let clean = text.withoutControls
    try layout.text(color.colored(clean, role), width: clean.count)
  }

  private func plain(_ text: String) throws(FerryError) { try layout.text(text, width: text.count) }

  private func scalar(_ text: @autoclosure () -> String, _ role: Colors.Role) throws(FerryError) {
    if try beginValue() { try self.text(text(), role) }
  }

  // MARK: Scalars

  package func null() throws(FerryError) { try scalar("null", .faint) }
  package func boolean(_ value: Bool) throws(FerryError) { try scalar(value ? "true" : "false", .number) }
  package func integer(_ value: Int128) throws(FerryError) { try scalar(value.notation, .number) }
  package func real(_ value: Double) throws(FerryError) {
    // The notation of every NaN is "nan".
    try scalar(limits.marksDifferences && value.isNaN ? value.debugDescription : value.notation, .number)
  }
  package func single(_ value: Float) throws(FerryError) {
    guard limits.marksDifferences else { return try scalar(value.notation, .number) }
    try scalar("\(value.isNaN ? value.debugDescription : value.notation) (32-bit)", .number)
  }
  package func date(_ secondsSince2001: Double) throws(FerryError) {
    // The dates 0 and -0 are one moment.
    let isMarked = limits.marksDifferences && secondsSince2001.isNegativeZero
    let text = isMarked ? nil : ISODate.text(secondsSince2001)
    try scalar(text ?? "date \(secondsSince2001.debugDescription)", .number)
  }
  package func uid(_ number: UInt64) throws(FerryError) { try scalar("@\(number)", .type) }
  package func reference(_ identity: Int) throws(FerryError) { try scalar("→ #\(identity)", .type) }

  package func number(_ text: BorrowedText) throws(FerryError) {
    guard try beginValue() else { return }
    try self.text(text.cut(toBytes: limits.number), .number)
    if text.utf8.count > limits.number { try self.text(" \(text.utf8.count) characters", .faint) }
  }

  package func string(_ text: BorrowedText) throws(FerryError) {
    guard try beginValue() else { return }
    guard text.utf8.count > limits.text else { return try self.text(quoted(text), .string) }
    try self.text(quoted(text.prefix(ofBytes: limits.text)), .string)
    try self.text("… \(text.utf8.count) bytes", .faint)
  }

  package func data(_ bytes: Span<UInt8>) throws(FerryError) {
    guard try beginValue() else { return }
    var text = "<\(summary(of: bytes))"
    let shown = min(bytes.count, FileKind(of: bytes) == nil ? 16 : 8)
    for index in 0..<shown {
      text += index == 0 ? ": " : " "
      text += (bytes[index] < 16 ? "0" : "") + String(bytes[index], radix: 16)
    }
    if bytes.count > shown {
      text += " …\(limits.marksDifferences ? " sha256 \(SHA256.beginning(of: bytes))" : "")"
    }
    try self.text(text + ">", .faint)
  }

  /// Returns a summary of data: `a PNG image, 1204 bytes`.
  private func summary(of data: Span<UInt8>) -> String {
    let kind = FileKind(of: data).map { "\($0.summary), " } ?? ""
    return kind + data.count.counted("byte")
  }

  /// Returns a key or the name of a class, cut if it is too long.
  private func name(_ text: borrowing BorrowedText) -> String {
    text.cut(toBytes: limits.text)
  }

  /// Returns text in quotation marks. Unpaired surrogates, which are not characters, have the escapes of JSON.
  private func quoted(_ text: borrowing BorrowedText) -> String {
    var quoted = "\""
    text.forEachScalar { number in
      guard let scalar = Unicode.Scalar(number) else { return quoted += "\\u" + String(number, radix: 16) }
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.isControl || limits.escapesCharacters && !scalar.isASCII: quoted += scalar.escaped
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  // MARK: Collections

  private func begin(_ shape: Shape) throws(FerryError) {
    guard try beginValue() else { return hiddenDepth += 1 }
    guard frames.count < limits.depth else {
      folded = Folded(shape: shape)
      return hiddenDepth += 1
    }
    try layout.open(shape.open, isPadded: shape.isPadded)
    frames.append(Frame(shape: shape))
  }

  private func end() throws(FerryError) {
    guard hiddenDepth == 0 else { return try endHidden() }
    guard let frame = frames.popLast() else { return }
    if frame.hidden > 0 {
      try layout.item()
      try text("… \(frame.hidden) more", .faint)
    }
    try layout.close(frame.shape.close)
  }

  private func endHidden() throws(FerryError) {
    hiddenDepth -= 1
    guard hiddenDepth == 0, let folded else { return }
    self.folded = nil
    let noun = folded.shape == .dictionary ? "key" : "item"
    try plain(folded.shape.open)
    if folded.count > 0 { try text("… \(folded.count.counted(noun))", .faint) }
    try plain(folded.shape.close)
  }

  package func beginArray(count: Int?) throws(FerryError) { try begin(.array) }
  package func endArray() throws(FerryError) { try end() }
  package func beginSet(count: Int?) throws(FerryError) { try begin(.set) }
  package func endSet() throws(FerryError) { try end() }
  package func beginDictionary(count: Int?) throws(FerryError) { try begin(.dictionary) }
  package func endDictionary() throws(FerryError) { try end() }

  package func key(_ text: BorrowedText) throws(FerryError) {
    guard hiddenDepth == 0 else { return countFolded(.dictionary) }
    guard try beginItem() else { return hidesNext = true }
    let shown = text.prefix(ofBytes: limits.text)
    let key = String(shown)
    // A key is quoted if a path needs the quotes, `["a key.with dots"]`, or if it contains a sign of the
    // tree.
    let isPlain =
      !text.hasSurrogates && ValuePath.isPlain(key, isFirst: frames.count == 1)
      && !key.unicodeScalars.contains { $0.isControl || ":,{}".unicodeScalars.contains($0) }
    try self.text(isPlain ? key : quoted(shown), .key)
    if shown.utf8.count < text.utf8.count { try self.text("…", .faint) }
    try plain(": ")
    hasBegunLine = true
  }

  package func beginKey() throws(FerryError) {
    if hiddenDepth > 0 {
      countFolded(.dictionary)
      return hiddenDepth += 1
    }
    guard try beginItem() else { return hiddenDepth += 1 }
    // The key 1 is not "1".
    if limits.marksDifferences { try plain("? ") }
    hasBegunLine = true
  }

  package func endKey() throws(FerryError) {
    guard hiddenDepth == 0 else {
      hiddenDepth -= 1
      // The value of a hidden item is hidden too.
      if hiddenDepth == 0 { hidesNext = true }
      return
    }
    try plain(": ")
    hasBegunLine = true
  }

  // MARK: Objects

  package func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    guard try beginValue() else { return hiddenDepth += 1 }
    if !type.name.isEmpty {
      try text(name(BorrowedText(type.name.utf8.span)), .type)
      try plain(" ")
    }
    if let identity {
      try text("#\(identity)", .type)
      try plain(" ")
    }
    hasBegunLine = true
  }

  package func endObject() throws(FerryError) {
    if hiddenDepth > 0 { hiddenDepth -= 1 }
  }

  package func finish() throws(FerryError) { try layout.finish() }
}

extension TreeWriter: OpenedDataSink {
  /// Writes a summary of the data whose content is the next value: `settings: <a keyed archive, 412 bytes> {
  /// … }`.
  package func willOpenData(_ bytes: Span<UInt8>) throws(FerryError) {
    guard hiddenDepth == 0, !hidesNext else { return }
    if !hasBegunLine {
      // A value beyond the limit is counted when it arrives.
      guard frames.last.map({ $0.shown < limits.items && total < limits.total }) ?? true else { return }
      _ = try beginItem()
    }
    try text("<\(summary(of: bytes))>", .faint)
    try plain(" ")
    hasBegunLine = true
  }
}
