import TestSupport
import Testing

@testable import Ferry

/// A file that is refused, with the byte and the reason.
struct BrokenTypedstream: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  let byte: Int
  let reason: TypedstreamProblem
  var testDescription: String { name }

  init(_ name: String, _ parts: [[UInt8]], at byte: Int, _ reason: TypedstreamProblem) {
    self.name = name
    bytes = TypedstreamSample.littleEndian + parts.flatMap { $0 }
    self.byte = byte
    self.reason = reason
  }

  private static func type(_ text: String, at byte: Int, _ why: String) -> BrokenTypedstream {
    BrokenTypedstream("type \(text)", [Mark.string(text)], at: byte, .badType(text, why: why))
  }

  private static func unsupported(_ text: String, at byte: Int, _ kind: String) -> BrokenTypedstream {
    BrokenTypedstream("type \(text)", [Mark.string(text)], at: byte, .unsupportedType(text, kind: kind))
  }

  static let all: [BrokenTypedstream] = [
    BrokenTypedstream("nothing behind the header", [], at: 16, .truncated(expecting: "a type")),
    BrokenTypedstream(
      "an empty type and no value", [Mark.string("")], at: 18, .truncated(expecting: "a value")),
    BrokenTypedstream("a type that is nil", [Mark.null], at: 16, .isNil("the type of a group")),
    BrokenTypedstream(
      "a type that is not there", [[0x92]], at: 16, .badReference(0, to: "string", known: 0)),
    BrokenTypedstream(
      "the end of an object at the top", [Mark.string("c"), [1], Mark.end], at: 20,
      .badHead(0x86, expecting: "a type")),
    BrokenTypedstream(
      "a string without text", [Mark.new + Mark.null], at: 16, .isNil("the text of a shared string")),
    BrokenTypedstream(
      "a string longer than the file", [[0x84, 0x82, 0xff, 0xff, 0xff, 0xff]], at: 22,
      .truncated(expecting: "a type of 4294967295 bytes")),
    BrokenTypedstream(
      "a length of eight bytes", [[0x84, 0x87, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]], at: 26,
      .truncated(expecting: "a type of 9223372036854775807 bytes")),
    BrokenTypedstream(
      "a mark instead of an integer", [Mark.string("i"), [0x90]], at: 19,
      .badHead(0x90, expecting: "an integer")),
    BrokenTypedstream(
      "a real's mark instead of an integer", [Mark.string("i"), [0x83]], at: 19,
      .badHead(0x83, expecting: "an integer")),
    BrokenTypedstream("a boolean of 2", [Mark.string("B"), [2]], at: 19, .badBoolean(2)),
    BrokenTypedstream(
      "an object that is still to come", [Mark.string("@"), [0x92]], at: 19,
      .badReference(0, to: "object", known: 0)),
    BrokenTypedstream(
      "a reference far away", [Mark.string("@"), [0x87, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]],
      at: 19,
      .badReference(-9_223_372_036_854_775_699, to: "object", known: 0)),
    BrokenTypedstream(
      "a class where an object is meant", [Mark.string("#@"), Mark.root("A"), [0x92]], at: 38,
      .badReference(0, to: "object", known: 2)),
    BrokenTypedstream(
      "an object where a C string is meant", [Mark.string("@*"), Mark.new, Mark.root("A"), Mark.end, [0x92]],
      at: 40,
      .badReference(0, to: "C string", known: 3)),
    BrokenTypedstream(
      "an object of no class", [Mark.string("@"), Mark.new, Mark.null], at: 19,
      .isNil("the class of an object")),
    BrokenTypedstream(
      "a class of no name", [Mark.string("#"), Mark.new, Mark.null], at: 19, .isNil("the name of a class")),
    BrokenTypedstream(
      "a C string of no text", [Mark.string("*"), Mark.new, Mark.null], at: 19,
      .isNil("the text of a C string")),
    BrokenTypedstream(
      "a class that is its own superclass", [Mark.string("#"), Mark.type("A"), [0x92]], at: 24,
      .circularClass("A")),
    BrokenTypedstream(
      "a class that is its superclass's superclass",
      [Mark.string("#"), Mark.type("A"), Mark.type("B"), [0x92]],
      at: 29, .circularClass("A")),
    BrokenTypedstream(
      "an array longer than the file", [Mark.string("[9999999999999999999999i]"), [1]], at: 43,
      .truncated(expecting: "an array of 9223372036854775807 elements")),
    BrokenTypedstream(
      "bytes longer than the file", [Mark.string("[9c]"), [1]], at: 22, .truncated(expecting: "9 bytes")),
    type("[i]", at: 19, "an array without a count"), type("[2", at: 20, "a bracket is not closed"),
    type("[2ii]", at: 23, "an array has one type of element"),
    type("[2]", at: 21, "an array has one type of element"),
    type("{a=i", at: 22, "a bracket is not closed"), type("i}", at: 20, "a bracket closes nothing"),
    type("{a=i]", at: 23, "brackets of two kinds"), type("[2i}", at: 22, "brackets of two kinds"),
    type("x", at: 18, "\"x\" is not a type"), type("\u{fffc}i", at: 18, "\"\u{fffc}\" is not a type"),
    unsupported("{a=b3}", at: 21, "a bit field"), unsupported("(u=if)", at: 18, "a union"),
    unsupported("^i", at: 18, "a pointer"), unsupported("v", at: 18, "void"),
    unsupported("?", at: 18, "a type unknown to its compiler"), unsupported("D", at: 18, "a long double"),
  ]
}

@Suite struct `Broken typedstreams` {
  @Test(arguments: BrokenTypedstream.all)
  func `A broken typedstream is refused with the byte and the reason`(_ broken: BrokenTypedstream) {
    let failure = #expect(throws: FerryError.self) { try Typedstream(broken.bytes) }
    #expect(failure?.reason == .typedstream(broken.reason))
    #expect(failure?.location == InputLocation(byte: broken.byte))
  }

  @Test func `A typedstream of another version is refused with the version`() {
    let failure = #expect(throws: FerryError.self) {
      try Conversion(to: .json).convert([3, 11] + Array("typedstream".utf8) + [0x81, 3, 0xe8])
    }
    #expect(failure?.reason == .typedstream(.version(3)))
    #expect(failure?.message.contains("early NeXTSTEP") == true)
  }

  @Test func `Bytes that are not a typedstream are refused`() {
    let failure = #expect(throws: FerryError.self) { try Typedstream(Array("streamtyped".utf8)) }
    #expect(failure?.reason == .typedstream(.notTypedstream))
  }

  /// The beginning of a sample may be a valid sample, because a file can have several values.
  @Test(arguments: TypedstreamSample.all)
  func `A typedstream with any byte missing or changed is read or refused with its place`(
    _ sample: TypedstreamSample
  )
    throws
  {
    var conversion = Conversion(to: .json)
    conversion.reading.format = .typedstream
    var archiving = Conversion(to: .archive)
    archiving.reading.format = .typedstream
    let changes = Damage.Change.flipping([0x01, 0x02, 0x04, 0x80, 0xff])
    let prefixes: Damage.Expectation = sample.json.first == "[" ? .readOrRefused : .refused
    try Damage(to: sample.bytes, change: changes).check(prefixes: prefixes) { bytes in
      do throws(FerryError) {
        _ = try archiving.convert(bytes)
        _ = try conversion.convert(bytes)
      } catch {
        #expect(!error.location.isEmpty || !error.path.isEmpty || bytes.isEmpty, "\(error)")
        throw error
      }
    }
  }
}

@Suite struct `Hostile typedstreams` {
  private func reason(_ bytes: [UInt8], _ budget: Budget = Budget()) -> FerryError.Reason? {
    var conversion = Conversion(to: .json)
    conversion.reading.budget = budget
    do throws(FerryError) {
      _ = try conversion.convert(TypedstreamSample.littleEndian + bytes)
      return nil
    } catch {
      return error.reason
    }
  }

  /// An array of an array of … an array of nothing.
  private func nested(_ depth: Int) -> [UInt8] {
    let first = Mark.string("@") + Mark.new + Mark.root("NSArray") + Mark.string("i") + [1]
    let middle = Mark.reference(0) + Mark.new + Mark.reference(1) + Mark.reference(3) + [1]
    let last = Mark.reference(0) + Mark.null
    return first + [[UInt8]](repeating: middle, count: depth - 1).flatMap { $0 } + last
      + [UInt8](repeating: 0x86, count: depth)
  }

  @Test func `A typedstream is as deep as the budget allows`() {
    #expect(reason(nested(512)) == nil)
    #expect(reason(nested(513)) == .overBudget(.depth(512)))
    #expect(reason(nested(100_000)) == .overBudget(.depth(512)))
    var budget = Budget()
    budget.depth = 100_000
    #expect(reason(nested(100_000), budget) == nil)
  }

  @Test(arguments: [#""x""#, "1", "[]", #"{"k":"x"}"#])
  func `A value that is as deep as the budget allows comes back from a typedstream`(_ inner: String) throws {
    let isCollection = inner != "1" && !inner.hasPrefix("\"")
    let depth = 8 - (isCollection ? 1 : 0)
    let json = String(repeating: "[", count: depth) + inner + String(repeating: "]", count: depth)
    let file = try Conversion(to: .typedstream).convert(Array(json.utf8), named: "a.json").bytes
    var back = Conversion(to: .json)
    back.reading.budget.depth = 8
    let found = String(decoding: try back.convert(file).bytes, as: UTF8.self)
    #expect(found.filter { !$0.isWhitespace } == json)
    back.reading.budget.depth = 7
    #expect(throws: FerryError.self) { try back.convert(file) }
  }

  @Test func `A typedstream has types as deep as the budget allows`() {
    let brackets = String(repeating: "{", count: 600) + String(repeating: "}", count: 600)
    let bytes: [UInt8] = [0x84, 0x81, 0xb0, 0x04] + Array(brackets.utf8)
    #expect(reason(bytes) == .overBudget(.depth(512)))
  }

  @Test func `A typedstream has superclasses as many as the budget allows`() {
    let first: [UInt8] = Mark.string("#") + Mark.type("A")
    let next: [UInt8] = Mark.new + Mark.reference(1) + [0]
    var chain: [UInt8] = first
    for _ in 0..<600 { chain += next }
    #expect(reason(chain + Mark.null) == .overBudget(.depth(512)))
    // The same, each in a chain of its own that ends at the one before.
    var steps: [UInt8] = first + Mark.null + group(600)
    for step in 0..<600 { steps += next + [0x81] + number(step - 110) }
    #expect(reason(steps) == .overBudget(.depth(512)))
  }

  private func number(_ number: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
  }

  /// A group of as many classes.
  private func group(_ count: Int) -> [UInt8] {
    [0x84, 0x81] + number(count) + [UInt8](repeating: UInt8(ascii: "#"), count: count)
  }

  @Test func `A typedstream that says @ twice in each array costs what it weighs`() {
    // Each array holds the next one and the one it holds again: 2⁶⁰ elements, were they written out.
    let first = Mark.string("@") + Mark.new + Mark.root("NSArray") + Mark.string("i") + [2]
    let middle = Mark.reference(0) + Mark.new + Mark.reference(1) + Mark.reference(3) + [2]
    var bytes = first
    for _ in 0..<60 { bytes += middle }
    bytes += Mark.reference(0) + Mark.null + Mark.reference(0) + Mark.null + Mark.end
    for level in (0..<60).reversed() {
      // Object 0 is the outermost, classes 1 and 2; each array inside is the next.
      let inner = level == 59 ? 62 : level + 3
      bytes += Mark.reference(0) + Mark.reference(inner) + Mark.end
    }
    let output = try? Conversion(to: .json).convert(TypedstreamSample.littleEndian + bytes).bytes
    #expect((output?.count ?? .max) < 20_000)
  }

  @Test func `A typedstream with many references to a long string stays within the budget`() {
    let length = 1 << 16
    let string =
      Mark.new + Mark.root("NSString", 1) + Mark.string("+") + [0x82, 0, 0, 1, 0]
      + [UInt8](repeating: 0x78, count: length) + Mark.end
    let count = 40_000
    let references = [UInt8](repeating: 0x92, count: count)
    let bytes =
      Mark.string("@") + string + group(count).map { $0 == UInt8(ascii: "#") ? UInt8(ascii: "@") : $0 }
      + references
    #expect(reason(bytes) == .overBudget(.amplification(100)))
  }

  @Test func `A typedstream with many references to a long string that is not text is read in time`() {
    // An array that is met twice, of many references to an `NSString` whose last byte is not UTF-8.
    let (length, count) = (1 << 20, 60_000)
    let string: [UInt8] =
      Mark.new + Mark.root("NSString", 1) + Mark.string("+") + [0x82, 0, 0, 0x10, 0]
      + [UInt8](repeating: 0x78, count: length - 1) + [0xff] + Mark.end
    var bytes: [UInt8] = Mark.string("@@@") + string
    bytes += Mark.new + Mark.type("NSArray") + [0x94] + Mark.string("i") + [0x82, 0x60, 0xea, 0, 0]
    bytes += [0x84, 0x81] + number(count) + [UInt8](repeating: UInt8(ascii: "@"), count: count)
    bytes += [UInt8](repeating: 0x92, count: count) + Mark.end + [0x95]
    expectProcessorTime(atMost: .seconds(20)) {
      let archived = try? Conversion(to: .archive).convert(TypedstreamSample.littleEndian + bytes).bytes
      #expect((archived?.count ?? .max) < 2_000_000)
    }
  }

  @Test func `A typedstream with a type of many empty parts stays within the budget`() {
    let text = String(repeating: "{?=}", count: 10_000)
    let bytes = [0x84, 0x82, 0x40, 0x9c, 0, 0] + Array(text.utf8) + [UInt8](repeating: 0x92, count: 10_000)
    #expect(reason(bytes) == .overBudget(.amplification(100)))
    #expect(reason(Mark.string("[1000[1000[1000{?=}]]]")) == .overBudget(.amplification(100)))
    #expect(reason(Mark.string("[1000[1000[1000[0c]]]]")) == .overBudget(.amplification(100)))
  }

  @Test func `A typedstream has strings as long as the budget allows`() {
    var budget = Budget()
    budget.tokenBytes = 2
    #expect(reason(Mark.string("+") + Mark.bytes("ab"), budget) == nil)
    #expect(reason(Mark.string("+") + Mark.bytes("abc"), budget) == .overBudget(.tokenBytes(2)))
  }
}
