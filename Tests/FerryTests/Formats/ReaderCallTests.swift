import Testing

@testable import Ferry

@Suite struct `Calls of a reader by the receiver of its events` {
  private final class CallingDelegate: ElementDelegate {
    var stream: XMLStream?
    var finishes = false

    override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? { self }

    override func didStart(_ element: borrowing XMLStartTag) throws(FerryError) {
      try finishes ? stream?.finish() : stream?.read(Array("<c/>".utf8))
    }
  }

  private final class CallingSink: ForwardingSink {
    var reader: (any ChunkReader)?

    override func string(_ text: BorrowedText) throws(FerryError) { try reader?.read(Array("1".utf8)) }
    override func endArray() throws(FerryError) { try reader?.finish() }
  }

  @Test(arguments: [false, true]) func `A delegate cannot call its stream of XML`(_ finishes: Bool) throws {
    // A document type makes libxml2 read the document.
    for xml in ["<a><b/></a>", "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;<b/></a>"] {
      let delegate = CallingDelegate()
      let stream = try XMLStream(document: delegate)
      (delegate.stream, delegate.finishes) = (stream, finishes)
      defer { delegate.stream = nil }
      let error = #expect(throws: FerryError.self) { try stream.readAll(Array(xml.utf8)) }
      #expect(error?.reason == .file(.readInside))
    }
  }

  @Test func `A sink cannot call its reader`() throws {
    let plist = "<plist><array><string>x</string></array></plist>"
    let emptyPlist = "<plist><array></array></plist>"
    let readers: [(String, (any ValueSink) -> any ChunkReader)] = [
      (#"["x"]"#, { JSONReader(into: $0) }), ("[]", { JSONReader(into: $0) }),
      ("\"x\"\n", { JSONLinesReader(into: $0) }), ("1\n", { JSONLinesReader(into: $0) }),
      (plist, { XMLPropertyListReader(into: $0) }), (emptyPlist, { XMLPropertyListReader(into: $0) }),
    ]
    for (text, make) in readers {
      let sink = CallingSink(to: NullSink())
      let reader = make(sink)
      sink.reader = reader
      defer { sink.reader = nil }
      let error = #expect(throws: FerryError.self) { try reader.readAll(Array(text.utf8)) }
      #expect(error?.reason == .file(.readInside), "\(text)")
    }
  }

  @Test func `A reader may be called again after a call`() throws {
    let builder = ValueBuilder()
    let reader = JSONReader(into: builder)
    for character in #"["x"]"#.utf8 { try reader.read([character]) }
    try reader.finish()
    #expect(try builder.result() == ["x"])
  }
}
