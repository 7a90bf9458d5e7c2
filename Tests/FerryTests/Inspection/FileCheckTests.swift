import Ferry
import Testing

@Suite struct `Checks of files` {
  @Test func `A file with another encoding and delimiter than those of Ferry converts back`() throws {
    var check = FileCheck()
    check.provesRoundTrip = true
    check.reading.encoding = "iso-8859-1"
    check.reading.csv.delimiter = UInt8(ascii: "/")
    let bytes = Array("name/note\nAda/caf".utf8) + [0xe9] + Array(", tea\n".utf8)
    #expect(try check.result(of: MemoryInput(bytes), named: "a.csv").roundTrip == .values)
  }
}
