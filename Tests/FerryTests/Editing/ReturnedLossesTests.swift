import Ferry
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `The losses that the library returns` {
  private static let text = "<a><b><!--c--><d>1</d></b><e>2</e></a>"

  @Test func `An edited file comes with the losses of its changes`() throws {
    let file = try EditableFile(Array(Self.text.utf8), named: "l.xml")
    #expect(try file.edited().losses.isEmpty)
    try file.remove(at: "a.b")
    let (bytes, losses) = try file.edited()
    #expect(String(decoding: bytes, as: UTF8.self) == "<a><e>2</e></a>")
    #expect(losses.counts.map(\.kind) == [.comment])
    let path = TemporaryDirectory.current.path("l.xml")
    #expect(try file.write(to: path) == losses)
    #expect(try EditableFile(path: path).originalBytes == bytes)
  }

  @Test func `A value that is read comes with the parts that it does not have`() throws {
    let (value, losses) = try ReadingOptions.values.value(of: MemoryInput(Array(Self.text.utf8)))
    #expect(try value == Value(reading: Array(Self.text.utf8)))
    #expect(losses.counts.map(\.kind) == [.comment])
    let builder = ValueBuilder()
    let read = try ReadingOptions.values.read(MemoryInput(Array(Self.text.utf8)), into: builder)
    #expect(try builder.result() == value && read.losses == losses && read.notes.isEmpty)
  }
}
