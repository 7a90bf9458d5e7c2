import Ferry
import TestSupport
import Testing

/// Documents that stress one thing each.
let smallDocuments: [String] = [
  "<a/>",
  "<a></a>",
  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a>\n  <b c=\"d\"/>\n</a>\n",
  "\u{feff}<a>\u{feff}é€😀</a>",
  "<a b='1' c=\"&lt;&amp;&gt;&quot;&apos;&#38;&#x20AC;\"/>",
  "<a>&lt;&amp;&gt;&quot;&apos;&#38;&#x20AC;&#13;</a>",
  "<a b=' x\n\ty '/>",
  "<a>one<![CDATA[<two>&amp;]]]]><![CDATA[>]]>three</a>",
  "<a>line\r\nline\rline\n</a>",
  "<!-- before --><a><!-- inside --><?target data?><?bare?></a><?after x?>",
  "<a xmlns='urn:a' xmlns:p='urn:p' p:q='1'><p:b xmlns:p='urn:other'><c xmlns=''/></p:b><p:b/></a>",
  "<a xml:lang='en' xml:space='preserve'> </a>",
  "<!DOCTYPE a [<!ENTITY e 'text'><!ENTITY m '<b>&e;</b>'>]>\n<a x='&e;'>&e;&m;\n&m;<c/></a>",
  "<!DOCTYPE a [<!ATTLIST a b CDATA 'default' c NMTOKENS #IMPLIED><!-- no -->]><a c='  x   y '/>",
  "<!DOCTYPE a SYSTEM 'nowhere.dtd'><a/>",
  "<!-->--><!DOCTYPE a SYSTEM 'x>y' [<!-- '> ]> --><?p ']>?><!ENTITY e \"']>\">]><!-->--><a>&e;</a><!-->-->",
  "<!DOCTYPE a [<!ENTITY lt '&#38;#60;'>]><a b='&lt;'>&lt;</a>",
  "<a\n  b='1'\n  c='2'\n>\n\n<d\n/><e>x</e  ></a >",
  "<a>]] > ]></a>",
  "<ä:ö xmlns:ä='urn:ä'><ß/></ä:ö>",
  "<a>" + String(repeating: "<b>text of some length, so that buffers move on</b>\n", count: 50) + "</a>",
]

@Suite struct `Streams and trees of XML` {
  @Test(arguments: smallDocuments.indices)
  func `A stream in any chunks and a tree make the same calls`(_ index: Int) throws {
    let text = smallDocuments[index]
    let bytes = Array(text.utf8)
    let whole = try streamCalls(bytes)
    for size in [1, 2, 3, 7, 64] { #expect(try streamCalls(bytes, chunk: size) == whole, "chunk of \(size)") }
    #expect(try treeCalls(bytes) == whole)
  }

  @Test(arguments: smallDocuments.indices)
  func `XML that ends early is refused by stream and tree`(_ index: Int) throws {
    let text = smallDocuments[index]
    let bytes = Array(text.utf8)
    guard let end = bytes.lastIndex(of: UInt8(ascii: ">")) else { return }
    let isRootLast = !text.hasSuffix("?>") && !text.hasSuffix("-->")
    let lengths = isRootLast ? Array(0..<min(end, 400)) : []
    let readers: [([UInt8]) throws -> [String]] = [{ try streamCalls($0) }, { try treeCalls($0) }]
    for read in readers {
      try Damage(to: bytes, lengths: lengths, offsets: []).check { bytes in
        do {
          _ = try read(bytes)
        } catch {
          #expect((error as? FerryError)?.location.isEmpty == false)
          throw error
        }
      }
    }
  }

  @Test(arguments: smallDocuments.indices.filter { smallDocuments[$0].utf8.count < 120 })
  func `XML with any byte changed is read or refused alike by stream, tree and any chunk size`(_ index: Int)
    throws
  {
    let text = smallDocuments[index]
    let bytes = Damage.Change.replacing(Array("\u{0}<&>\"[".utf8) + [0x80, 0xff])
    try Damage(to: Array(text.utf8), lengths: [], change: bytes).check { bytes in
      let whole = outcome { () throws(FerryError) in try streamCalls(bytes) }
      let single = outcome { () throws(FerryError) in try streamCalls(bytes, chunk: 1) }
      let tree = outcome { () throws(FerryError) in try treeCalls(bytes) }
      switch (whole, tree, single) {
      case (.success(let a), .success(let b), .success(let c)): #expect(a == b && a == c)
      case (.failure(let a), .failure(let b), .failure):
        #expect(a == b)
        #expect(!a.location.isEmpty)
      default: Issue.record("\(String(decoding: bytes, as: UTF8.self)): \(whole) \(tree) \(single)")
      }
      _ = try whole.get()
    }
  }
}

@Suite struct `Calls of delegates` {
  @Test func `Each call of a delegate has its place`() throws {
    let calls = try streamCalls(Array(smallDocuments[12].utf8))
    #expect(
      calls == [
        "<a x{}=text> 2:1", "text", "<b> 2:15", "text", "end", "back", "\n", "<b> 3:1", "text", "end", "back",
        "<c> 3:4", "end", "back", "end", "back", "end",
      ])
  }

  @Test func `The place of an element is found however far back the element began`() throws {
    let text = "<a>\n <b\n c='1'>" + String(repeating: "x\n", count: 50_000) + "<d/></b>\n</a>"
    let bytes = Array(text.utf8)
    for size in [1, 1000, 65536, 1 << 20] {
      let calls = try streamCalls(bytes, chunk: size)
      #expect(calls[2] == "<b c{}=1> 2:2")
      #expect(calls[4] == "<d> 50003:1")
    }
  }

  @Test(arguments: ["UTF-16LE", "UTF-16BE", "ISO-8859-1", "windows-1252"])
  func `XML in other encodings is read`(_ encoding: String) throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"\(encoding.prefix(6) == "UTF-16" ? "UTF-16" : encoding)\"?>\n<é>\n <b/>ü</é>"
    var bytes: [UInt8]
    switch encoding {
    case "UTF-16LE": bytes = [0xff, 0xfe] + text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    case "UTF-16BE": bytes = [0xfe, 0xff] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    default: bytes = text.unicodeScalars.map { UInt8($0.value) }
    }
    let expected = ["<é> 2:1", "\n ", "<b> 3:2", "end", "back", "ü", "end", "back", "end"]
    for size in [1, 3, 1000] { #expect(try streamCalls(bytes, chunk: size) == expected, "\(size)") }
    #expect(try treeCalls(bytes) == expected)
    bytes.removeLast()
    #expect(throws: FerryError.self) { try streamCalls(bytes) }
  }

  @Test func `Elements without a delegate are skipped, and registered names are found in the next document`()
    throws
  {
    let text = TextDelegate()
    let a = ElementDelegate()
    a.handle("b", with: text)
    let document = ElementDelegate()
    document.handle("a", with: a)
    for value in ["one", "two"] {
      let bytes = Array("<a><x><b>no</b></x><y/><b>\(value)</b><z><b>no</b></z></a>".utf8)
      try XMLStream(document: document).readAll(bytes.span)
      #expect(text.text == value)
      text.withText { #expect($0.utf8.count == 3) }
    }
  }

  @Test func `Losses are counted unless delegates handle them`() throws {
    let losses = LossReport()
    let bytes = Array("<!DOCTYPE a><a><!--1--><b><!--2--></b><?p?></a>".utf8)
    try XMLStream(document: ElementDelegate(), losses: losses).readAll(bytes.span)
    #expect(losses.counts.map(\.kind) == [.doctype, .comment, .processingInstruction])
    #expect(losses.counts.map(\.count) == [1, 2, 1])
  }
}
