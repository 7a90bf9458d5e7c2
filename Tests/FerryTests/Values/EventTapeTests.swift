import TestSupport
import Testing

@testable import Ferry

@Suite struct `Event tapes` {
  @Test func `A tape keeps integers of any size`() throws {
    let values: [Int128] = [
      0, 1, -1, 1 << 55, (1 << 55) - 1, -(1 << 55), -(1 << 55) - 1, Int128(Int64.min), Int128(Int64.max),
      Int128(UInt64.max), .min, .max,
    ]
    let tape = TapeSink()
    for value in values { try tape.integer(value) }
    #expect(values.indices.map { tape.tape.integer(at: TapeIndex($0)) } == values)
    let copy = TapeSink()
    try tape.tape.replay(into: copy)
    #expect(copy.tape.log == tape.tape.log)
  }

  @Test func `A tape keeps all bits of numbers and references`() throws {
    let tape = TapeSink()
    let reals = [0, -0.0, 0.1, .infinity, .nan, .leastNonzeroMagnitude, 3e300]
    for real in reals { try tape.real(real) }
    for number in [0, 1 << 56, UInt64.max] { try tape.uid(number) }
    for identity in [Int.min, -1, 0, Int.max] { try tape.reference(identity) }
    #expect(
      reals.indices.map { tape.tape.real(at: TapeIndex($0)).bitPattern } == reals.map(\.bitPattern))
    #expect((7..<10).map { tape.tape.uid(at: TapeIndex($0)) } == [0, 1 << 56, .max])
    #expect((10..<14).map { tape.tape.reference(at: TapeIndex($0)) } == [.min, -1, 0, .max])
  }

  @Test(arguments: [0, 1, 65_534, 65_535, 65_536, 200_000])
  func `A tape keeps texts and data of any length`(_ length: Int) throws {
    let (text, bytes) = (String(repeating: "é", count: length), [UInt8](repeating: 7, count: length))
    let tape = TapeSink()
    try tape.string(BorrowedText("before".utf8.span))
    try tape.string(BorrowedText(text.utf8.span))
    try tape.data(bytes.span)
    try tape.key(BorrowedText("after".utf8.span))
    #expect((0..<2).map { tape.tape.string(at: TapeIndex($0)) } == ["before", text])
    #expect(tape.tape.bytes(at: TapeIndex(2)) == bytes)
    #expect(tape.tape.string(at: TapeIndex(3)) == "after")
    let recorded = tape.tape
    let first = recorded.text(at: .start)
    let isFirstASCII = first.isASCII
    let second = recorded.text(at: TapeIndex(1))
    let isSecondASCII = second.isASCII
    #expect(isFirstASCII && isSecondASCII == (length == 0))
  }

  @Test func `A tape keeps the classes, identities and ends of objects`() throws {
    let tape = TapeSink()
    try tape.beginArray(count: nil)
    try tape.beginObject(ObjectClass("A"), identity: nil)
    try tape.beginObject(ObjectClass("B"), identity: -1)
    try tape.null()
    try tape.endObject()
    try tape.endObject()
    try tape.beginObject(ObjectClass("C"), identity: 5)
    try tape.boolean(true)
    try tape.endObject()
    try tape.endArray()
    let tapeIndices = [1, 2, 6].map { TapeIndex($0) }
    #expect(tapeIndices.map { tape.tape.type(at: $0).name } == ["A", "B", "C"])
    #expect(tapeIndices.map { tape.tape.identity(at: $0) } == [nil, -1, 5])
    #expect(tapeIndices.map { tape.tape.next(after: $0).index } == [6, 5, 9])
    #expect(tape.tape.next(after: .start) == tape.tape.end)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `Recorded locations are those that were added`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func number(_ limit: UInt64) -> Int { Int(random.next() % limit) }
    var location = InputLocation(line: 1, column: 1, byte: 0)
    var (recorded, expected): (RecordedLocations, [InputLocation]) = (RecordedLocations(), [])
    for _ in 0..<1000 {
      switch number(20) {
      case 0: location = InputLocation()
      case 1: location = InputLocation(byte: number(1 << 62), object: number(1000))
      case 2: location = InputLocation(line: number(9) + 1, column: number(99) + 1, byte: number(1 << 40))
      case 3: location = InputLocation(line: (location.line ?? 0) + 1, column: 1, byte: location.byte)
      default:
        let distance = number(300)
        location.column = location.column.map { $0 + distance }
        location.byte = location.byte.map { $0 + distance }
      }
      recorded.append(location)
      expected.append(location)
    }
    #expect(expected.indices.map { recorded[$0] } == expected)
    #expect(recorded[expected.count].isEmpty)
  }
}
