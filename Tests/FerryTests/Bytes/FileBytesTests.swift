import TestSupport
import Testing

@testable import Ferry

@Suite(.temporaryDirectory) struct `The bytes of a file` {
  private var directory: TemporaryDirectory { .current }

  @Test(arguments: [0, 1, 1000, FileBytes.mappedSize - 1, FileBytes.mappedSize, FileBytes.mappedSize + 5000])
  func `The bytes of a file are the same read and mapped`(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    try directory.write("a", bytes)
    let file = try FileBytes(reading: directory.path("a"))
    #expect(file.count == count)
    #expect(file.copy == bytes)
    #expect(file.prefix(10) == Array(bytes.prefix(10)))
    if count > 0 { #expect(file[count - 1] == bytes[count - 1]) }
  }

  @Test func `The bytes of a file stay as they were after another file takes the name`() throws {
    let bytes = [UInt8](repeating: 7, count: FileBytes.mappedSize)
    try directory.write("a", bytes)
    let file = try FileBytes(reading: directory.path("a"))
    let output = try FileOutput(path: directory.path("a"), replacing: true)
    try output.write([1, 2, 3].span)
    try output.commit()
    #expect(file.copy == bytes)
    #expect(try FileBytes(reading: directory.path("a")).copy == [1, 2, 3])
  }

  @Test func `The bytes of a missing file are refused`() throws {
    #expect(throws: FerryError.self) { _ = try FileBytes(reading: directory.path("nothing")) }
    #expect(throws: FerryError.self) { _ = try FileBytes(reading: directory.path(".")) }
  }

  @Test func `A path into a large archive reads only the objects on the way`() throws {
    let texts = (0..<5000).map { Value.string("text \($0) " + String(repeating: "x", count: 300)) }
    var bytes = try Archived.bytes(["texts": .array(texts), "last": "here"])
    #expect(bytes.count > 1 << 20)
    // Everything in the middle of the file is made unreadable.
    let middle = bytes.count / 4..<bytes.count / 2
    bytes.replaceSubrange(middle, with: repeatElement(0xff, count: middle.count))
    try directory.write("a", bytes)
    let file = try EditableFile(path: directory.path("a"))
    #expect(try file.value(at: ValuePath(parsing: "last")) == "here")
    #expect(try file.value(at: ValuePath(parsing: "texts[3]")) == texts[3])
    #expect(throws: FerryError.self) { _ = try file.value(at: ValuePath(parsing: "texts")) }
  }
}
