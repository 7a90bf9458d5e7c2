/// The types of a group of values, in the notation of the Objective-C runtime. A type text is parsed once for
/// all groups that use it.
///
///     @                an object                   i I s S l L q Q   integers; uppercase is unsigned
///     #                a class                     c C B             one byte
///     :                a selector                  f d               reals of 32 and 64 bits
///     *                a C string                  [12c] [3i]        arrays
///     %                an atom, a shared C string  {_NSPoint=ff}     a structure: its name and its fields
///     +                a string of bytes           !                 a field that is not stored
///
/// The parts of the type form a list in the order of the text. Each part stores where its own parts end:
///
///     {_NSSize=ff}i    0 structure, ends at 3   1 single   2 single   3 signed, 32 bits
struct TypeEncoding {
  enum Kind: Hashable {
    case object, type, selector, cString, atom, bytes
    case boolean, char, unsignedChar
    case signed
    /// An unsigned integer of this size. It is stored as the signed integer with the same bits.
    case unsigned(bits: Int)
    case single, double
    case array(count: Int)
    /// An array of characters, which is decoded as data.
    case data(count: Int)
    case structure(name: Range<Int>?)
  }

  struct Part {
    var kind: Kind
    /// The first character of the part's text.
    var code: UInt8
    /// The index after this part and all parts inside it.
    var end: PartIndex
  }

  /// The index of a part.
  typealias PartIndex = TypedstreamNumber<Part>

  private(set) var parts: [Part] = []

  /// Parses the type text at a range of the file.
  init(_ bytes: [UInt8], _ range: Range<Int>, budget: Budget) throws(FerryError) {
    if case .invalid(let flaw) = bytes.span.extracting(range).checkUTF8() {
      throw FerryError(.typedstream(.notText("a type")), at: InputLocation(byte: range.lowerBound + flaw))
    }
    var text = Text(bytes: bytes, range: range)
    var open: [PartIndex] = []
    while text.index < range.upperBound {
      try parsePart(&text, &open)
      guard open.count <= budget.depth else {
        throw FerryError(.overBudget(.depth(budget.depth)), at: InputLocation(byte: text.index))
      }
    }
    guard open.isEmpty else { throw text.error("a bracket is not closed") }
  }

  /// A type text that is being parsed.
  private struct Text {
    let bytes: [UInt8]
    let range: Range<Int>
    var index: Int

    init(bytes: [UInt8], range: Range<Int>) {
      (self.bytes, self.range, index) = (bytes, range, range.lowerBound)
    }

    var string: String { String(decoding: bytes[range], as: UTF8.self) }

    func error(_ why: String) -> FerryError {
      FerryError(.typedstream(.badType(string, why: why)), at: InputLocation(byte: index))
    }
  }

  /// Parses a scalar or a bracket.
  ///
  /// - Parameter open: The parts whose closing brackets follow.
  private mutating func parsePart(_ text: inout Text, _ open: inout [PartIndex]) throws(FerryError) {
    let character = text.bytes[text.index]
    let part = parts.end
    text.index += 1
    switch character {
    case UInt8(ascii: "["):
      let count = try Self.count(&text)
      open.append(part)
      parts.append(Part(kind: .array(count: count), code: character, end: part))
    case UInt8(ascii: "{"):
      let name = Self.structureName(text.bytes, text.index..<text.range.upperBound)
      if let name { text.index = name.upperBound + 1 }
      open.append(part)
      parts.append(Part(kind: .structure(name: name), code: character, end: part))
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      guard let opening = open.popLast() else { throw text.error("a bracket closes nothing") }
      try close(opening, with: character, text)
    default:
      guard !Self.isIgnored(character) else { return }
      guard let kind = Self.kind(of: character) else {
        text.index -= 1
        throw Self.unknownType(character, text)
      }
      parts.append(Part(kind: kind, code: character, end: part + 1))
    }
  }

  /// Parses the count of an array. A count that overflows becomes the maximum, which is always too large for the file.
  private static func count(_ text: inout Text) throws(FerryError) -> Int {
    var count = 0
    let digits = text.index
    while text.index < text.range.upperBound, let digit = Self.digit(text.bytes[text.index]) {
      let (product, isLarge) = count.multipliedReportingOverflow(by: 10)
      count = isLarge || product > .max - digit ? .max : product + digit
      text.index += 1
    }
    guard text.index > digits else { throw text.error("an array without a count") }
    return count
  }

  /// Closes an array or a structure with a bracket.
  private mutating func close(_ opening: PartIndex, with bracket: UInt8, _ text: Text) throws(FerryError) {
    parts[opening].end = parts.end
    switch parts[opening].kind {
    case .array(let count) where bracket == UInt8(ascii: "]"):
      guard parts.end > opening + 1, parts[opening + 1].end == parts.end else {
        throw text.error("an array has one type of element")
      }
      let element = parts[opening + 1].kind
      if element == .char || element == .unsignedChar { parts[opening].kind = .data(count: count) }
    case .structure where bracket == UInt8(ascii: "}"): break
    default: throw text.error("brackets of two kinds")
    }
  }

  /// Returns the error about a character that is not the type of a value that Ferry reads.
  private static func unknownType(_ character: UInt8, _ text: Text) -> FerryError {
    guard let name = unsupportedName(of: character) else {
      let rest = String(decoding: text.bytes[text.index..<text.range.upperBound], as: UTF8.self)
      return text.error("\(MessageText.quoted(String(rest.prefix(1)))) is not a type")
    }
    return FerryError(
      .typedstream(.unsupportedType(text.string, kind: name)), at: InputLocation(byte: text.index))
  }

  private static func digit(_ byte: UInt8) -> Int? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
  }

  /// Returns the range of the structure's name, before the `=`. Returns nil if there is no `=`, because the
  /// structure has no name then.
  private static func structureName(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
    let end = range.first { "=[]{}".utf8.contains(bytes[$0]) }
    guard let end, bytes[end] == UInt8(ascii: "=") else { return nil }
    return range.lowerBound..<end
  }

  private static func kind(of character: UInt8) -> Kind? {
    switch character {
    case UInt8(ascii: "@"): .object
    case UInt8(ascii: "#"): .type
    case UInt8(ascii: ":"): .selector
    case UInt8(ascii: "*"): .cString
    case UInt8(ascii: "%"): .atom
    case UInt8(ascii: "+"): .bytes
    case UInt8(ascii: "B"): .boolean
    case UInt8(ascii: "c"): .char
    case UInt8(ascii: "C"): .unsignedChar
    case UInt8(ascii: "s"), UInt8(ascii: "i"), UInt8(ascii: "l"), UInt8(ascii: "q"): .signed
    case UInt8(ascii: "S"): .unsigned(bits: 16)
    // The format comes from a time when a long had 32 bits.
    case UInt8(ascii: "I"), UInt8(ascii: "L"): .unsigned(bits: 32)
    case UInt8(ascii: "Q"): .unsigned(bits: 64)
    case UInt8(ascii: "f"): .single
    case UInt8(ascii: "d"): .double
    default: nil
    }
  }

  /// Returns true for `!`, a field that is not stored, and for the qualifiers of arguments.
  private static func isIgnored(_ character: UInt8) -> Bool { "!rnNoORV".utf8.contains(character) }

  private static func unsupportedName(of character: UInt8) -> String? {
    switch character {
    case UInt8(ascii: "b"): "a bit field"
    case UInt8(ascii: "("), UInt8(ascii: ")"): "a union"
    case UInt8(ascii: "^"): "a pointer"
    case UInt8(ascii: "v"): "void"
    case UInt8(ascii: "?"): "a type unknown to its compiler"
    case UInt8(ascii: "D"): "a long double"
    case UInt8(ascii: "t"), UInt8(ascii: "T"): "an integer of 128 bits"
    case UInt8(ascii: "j"): "a complex number"
    default: nil
    }
  }
}
