import TestSupport
import Testing

@testable import Ferry

/// Documents that the scanner reads, or begins to read, and libxml2 alone.
@Suite struct `Scanning of elements` {
  private typealias Setting = ReadingOutcome.Setting

  private static func outcome(_ document: [UInt8], _ setting: Setting, mayScan: Bool) -> String {
    ReadingOutcome.of(document, setting, mayScan: mayScan).text
  }

  /// Expects the same outcome of both readers, for each size of chunks.
  private static func expectEqual(
    _ document: [UInt8], _ setting: Setting = Setting(), chunks: [Int] = [1 << 20], mayHaveNUL: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    // libxml2 does not begin to read a shorter document, and takes a NUL for the end of some tokens in elements.
    guard document.count > 4, mayHaveNUL || !document.contains(0) else { return }
    let expected = outcome(document, setting, mayScan: false)
    for chunk in chunks {
      var setting = setting
      setting.chunk = chunk
      let found = outcome(document, setting, mayScan: true)
      // Errors of libxml2 in bytes that are not UTF-8 depend on the chunks.
      guard found != expected, found != outcome(document, setting, mayScan: false) else { continue }
      let text = String(decoding: document.prefix(400), as: UTF8.self)
      Issue.record(
        "\(found.prefix(400)) is not \(expected.prefix(400)), in chunks of \(chunk) of \(text)",
        sourceLocation: sourceLocation)
    }
  }

  @Test
  func `The budget for names counts the names of one document, although scanners are kept for the next ones`()
  {
    var setting = Setting()
    setting.budget.names = 3
    let documents = [
      "<a><b/><c/></a>", "<d><e/><f/></d>", "<a><b/><c/><d/></a>", "<a><c/><f/><b/></a>",
      "<a b='1' c='2'/>", "<a b='1' c='2' d='3'/>", "<a><x/><y/></a>", "<a><b/><c/></a>",
    ]
    for document in documents + documents {
      Self.expectEqual(Array(document.utf8), setting)
      setting.logs.toggle()
    }
  }

  static let documents = [
    "<a/>", "<a></a>", "<a> </a>", "<a>x</a>", "<a>x</a >", "<a b=\"1\"/>", "<a b='1' >x</a>\n<!-- e -->\n",
    "<a><b>1</b><b>2</b></a>", "<a><b/><c/><b/></a>", "<a>x<b>y</b>z</a>", "<a>\n  <b>y</b>\n</a>",
    "<a> <!-- c --> <b/> </a>", "<a>x<!-- c -->y</a>", "<a><b> <!-- c -->x</b></a>",
    "<a> <![CDATA[x]]></a>", "<a><b/> <![CDATA[ ]]></a>", "<a><b/> <![CDATA[]]></a>",
    "<a><![CDATA[<b>&]]]]></a>",
    "<a><![CDATA[x\r\ny]]></a>", "<a>x\r\ny\rz</a>", "<a>\r\n<b/>\r\n</a>", "<a b='x\r\ny\tz\n'/>",
    "<a>&lt;&gt;&amp;&quot;&apos;&#65;&#x42;&#xe9;&#128512;</a>", "<a b='&lt;&#10;&#xd;&amp;'/>",
    "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&#x110000;</a>", "<a>&#;</a>", "<a>&x;</a>", "<a>&</a>",
    "<a>& b</a>",
    "<a>é\u{20AC}😀</a>", "<a é='1'>é</a>", "<é>x</é>", "<a>\u{FFFE}</a>", "<a>\u{1}</a>",
    "<a>\u{7f}\u{85}</a>",
    "<a>]]></a>", "<a>]] ></a>", "<a>]</a>", "<a>x]]", "<a b='<'/>", "<a b=1/>", "<a b/>", "<a b = '1'/>",
    "<a b='1'c='2'/>", "<a b='1' b='2'/>", "<a ='1'/>", "<a 1='1'/>", "<1a/>", "<a:b/>", "<a><b></a>",
    "<a>\n<b>\n</c></a>", "<a></a></a>", "<a></a><b/>", "<a></a>x", "<a", "<a>", "<a><b>", "<a b='", "< a/>",
    "<>",
    "<a><></a>", "<a><!x></a>", "<a><!-- -- --></a>", "<a><!--></a>", "<a><!---></a>", "<a><![CDATA[</a>",
    "<a><?p i?>x</a>", "<a><?xml v?></a>", "<?xml version=\"1.0\"?>\n<!-- c -->\n<a><b>1</b></a>",
    "<a xmlns='urn:a' xmlns:p='urn:p' p:b='1'><p:c/><c xmlns=''><c/></c></a>",
    "<a xmlns:p='urn:p' xmlns:q='urn:p' p:b='1' q:b='2'/>", "<a xmlns:p='urn:p' p:b='1' b='2' p:c='3'/>",
    "<a xmlns:p='urn:p' xmlns:p='urn:q'/>", "<a xmlns:p=''/>", "<a xmlns:xml='x'/>", "<a xmlns:='x'/>",
    "<a xmlns='http://www.w3.org/XML/1998/namespace'/>", "<a xmlns:xmlns='x'/>", "<a xmlns='not a URI'/>",
    "<a><p:b xmlns:p='urn:p'/><p:b/></a>", "<a p:b='1'/>", "<a:b:c xmlns:a='x'/>", "<a xmlns:a='x'><a:/></a>",
    "<a xmlns:a='x'><a:1/></a>", "<a xmlns:a='x'><:a/></a>", "<a xml:space='preserve'> <b/> </a>",
    "<a><b xml:space='preserve'> <c/> </b><b> <c/> </b></a>", "<a xml:lang='de-DE' xml:base='x'/>",
    "<a xml:space='x'> <b/></a>", "<a/>x", "<a/><!-- c --><?p i?>", "<a><b c='1'/>\n<b c='2'>x</b></a>",
    "<!DOCTYPE a [<!ENTITY e '<b>x</b>'>]><a>&e;<b/></a>", "x<a/>",
    "<a x='&#65;'><b>y</b><c><![CDATA[\u{1}]]></c></a>",
    "<a>&#65;<![CDATA[\u{1}]]></a>", "<a>\n\t \n'\"\n</a>",
    "<a xmlns:p='u' xmlns:q='v' p:b='1' q:b='2' p:c='3'/>", "<a><b>\u{0}</b></a>",
    // Records, in which the same elements follow each other.
    "<a><b i='1'><c>x</c>\n <d>y</d></b><b i='2'><c>x</c>\n <d>\"é</d></b><b>z<c>x</c> <c>y</c><d>z</d></b></a>",
    "<a><b>\n<name>x</name><a-longer-name>y</a-longer-name></b><b>\n<name>x</name><a-longer-name>y</a-longer-name></b></a>",
    "<a>\n <b>\n  <c>x</c>\n  <c>y</c>\n </b>\n <b>\n  <c>z</c>\t<c/>       <c>y</c>        <c>x</c>\n </b>\n</a>",
    "<a><b><c><d>x</d></c></b><b><c><d>x</d></c></b>\n<b> <c><d>&amp;</d> <d/></c></b><b><c></c></b><b><c>x<d>y</d></c></b></a>",
    "<a><a><a><a>x</a></a></a><a><a><a>y</a>z</a></a>\n<a>\n<a>\n<a>\n</a>\n</a></a ><a><a i='1'><a/></a></a></a>",
    "<p:a xmlns:p='u'><b><a-name-of-17-byte>x</a-name-of-17-byte></b><b><a-name-of-17-byte>x</a-name-of-17-byte></b></p:a>",
  ]

  private static let chunks = [1, 2, 3, 7, 1 << 20]

  @Test(arguments: documents)
  func `Prefixes of documents have the same values and errors`(_ document: String) {
    let bytes = Array(document.utf8)
    for length in 0...bytes.count { Self.expectEqual(Array(bytes[..<length]), chunks: Self.chunks) }
    Self.expectEqual([0xef, 0xbb, 0xbf] + bytes, chunks: Self.chunks)
  }

  @Test(arguments: documents)
  func `Documents with a changed byte have the same values and errors`(_ document: String) {
    let bytes = Array(document.utf8)
    let others: [UInt8] =
      Array("<>/&;'\"=!?-[]: \n\r\tax1#".utf8) + [0x00, 0x01, 0x80, 0xc3, 0xed, 0xef, 0xf0, 0xff]
    for index in bytes.indices {
      for other in others where other != bytes[index] {
        var changed = bytes
        changed[index] = other
        Self.expectEqual(changed, chunks: [1 << 20, 5])
      }
    }
  }

  @Test func `Records of the same and of other shapes in a document have the same values`() {
    let records = `Selection of elements while a document is read`.records
    for first in records {
      for second in records {
        let (two, five) = (first + second, first + first + second + first + second)
        for document in [
          "<l>\(five)</l>", "<l>\n <s>\(two)</s>\n <s x=''>\(five)</s>\n <s x='1'>\(five)</s></l>",
          "<l>\(five)<s>\(first)</s>\(first)t<s>\(first)</s>\(two)\(first)</l>",
        ] {
          Self.expectEqual(Array(document.utf8), chunks: [1 << 20, 41])
        }
      }
    }
  }

  @Test(arguments: documents)
  func `Delegates are called alike`(_ document: String) {
    let bytes = Array(document.utf8)
    for length in 0...bytes.count {
      Self.expectEqual(Array(bytes[..<length]), Setting(logs: true), chunks: Self.chunks)
    }
    let nested = Array("<r>\n é<s>\(document)</s>\r\n<!-- a\r\nb\rc é --></r>".utf8)
    Self.expectEqual(nested, Setting(logs: true), chunks: Self.chunks)
    for index in nested.indices {
      for other in Array("<&>;x\r".utf8) where other != nested[index] {
        var changed = nested
        changed[index] = other
        Self.expectEqual(changed, Setting(logs: true), chunks: [1 << 20, 5])
      }
    }
    // libxml2 does not begin to read a shorter document.
    guard document.utf16.count > 4 else { return }
    let units = Array(document.utf16).flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    Self.expectEqual(
      [0xff, 0xfe] + units, Setting(logs: true), chunks: Self.chunks,
      mayHaveNUL: !document.unicodeScalars.contains("\0"))
  }

  static let usualPrologs = [
    "", " ", "\n\t", "\r\n", "<?xml version=\"1.0\"?>", "<?xml version='1.0' ?>\r\n",
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
    "<?xml version='1.0' encoding='utf-8' standalone='yes'?>",
    "<?xml version=\"1.0\" standalone=\"no\" ?>\n\n", "\u{feff}", "\u{feff}\n",
    "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>\n",
  ]

  static let otherPrologs = [
    "<?xml?>", "<?xml ?>", "<?xml version?>", "<?xml version=1.0?>", "<?xml version='1.0\"?>",
    "<?xml version=\"1.1\"?>", "<?xml version=\"2.0\"?>", "<?xml  version = \"1.0\"\n?>",
    "<?xml encoding=\"UTF-8\"?>", "<?xml version=\"1.0\" encoding=UTF-8?>",
    "<?xml version=\"1.0\"encoding=\"UTF-8\"?>", "<?xml version=\"1.0\" encoding=\"\"?>",
    "<?xml version=\"1.0\" encoding=\"Utf-8\"?>", "<?xml version=\"1.0\" encoding=\"UTF-16\"?>",
    "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>", "<?xml version=\"1.0\" encoding=\"none\"?>",
    "<?xml version=\"1.0\" standalone=\"maybe\"?>",
    "<?xml version=\"1.0\" standalone=\"yes\" encoding=\"UTF-8\"?>",
    "<?xml version=\"1.0\" other=\"\"?>", "<?xml version=\"1.0\" version=\"1.0\"?>",
    "<?xml version=\"1.0\"? >",
    "<?XML version=\"1.0\"?>", "<?xmlx?>", " <?xml version=\"1.0\"?>", "\n<?xml version=\"1.0\"?>",
    "<?xml version=\"1.0\"?><?xml version=\"1.0\"?>", "<?xml version=\"1.0\"?>\u{feff}", "\u{feff}\u{feff}",
    " \u{feff}", "<?xml version=\"1.0\"?>x", "x", "&lt;", "]", "<!-- c -->",
    "<?xml version=\"1.0\"?>\n<!-- c -->\n",
    "<!-->c-->", "<!-- -- -->", "<?p i?>\n", "<!DOCTYPE a>",
    "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY e 'x'>]>",
    "<![CDATA[x]]>", "</b>", "<>", "< ", "<!", "<?", "<?xml", "<?xml version=\"1.0\"",
    "<?xml version=\"1.0\"?",
    "\0", "<?xml version=\"1.0\"?>\0", "<?xml version=\"1.0\"\0?>", "\u{1}",
  ]

  private static let ends = [
    "", " ", "\n", "\r", "\r\n\t ", "<!-- c -->", "\n<!-- c -->\n", "<!-->c-->", "<!-- -- -->", "<!--",
    " <!-",
    "<?p i?>", "\n<?p?>\n", "<?p", "<?xml version='1.0'?>", "<b/>", "\n<b>x</b>", "<b", "<", "</a>", "</",
    "x", "\nx",
    "&lt;", "&", "]]>", "<![CDATA[x]]>", "<!DOCTYPE a>", "é",
  ]

  private static let wrongEnds = [
    "\u{feff}", "\u{fffe}", "\u{1}", "\0", "\n\0", "\0x", "\0<!-- c -->", "<!-- c -->\0",
  ]
  private static let notUTF8: [[UInt8]] = [
    [0xff], [0x20, 0xff], [0xc3], [0x20, 0xe2, 0x82], [0x3c, 0x21, 0x2d, 0x2d, 0xff],
  ]

  private static let wholeRoots = ["<a>x</a>", "<a b='1'>\n<c/>\n</a >", "<a/>", "<a b='/>' />"]
  private static let openRoots = ["<a><b>x</b>", "<a>x</b>", "<a", ""]

  /// Expects the same outcomes of a document in one piece and byte by byte, with each kind of delegate and sink.
  private static func expectEqualInPieces(_ document: [UInt8]) {
    let settings = [
      Setting(), Setting(logs: true), Setting(refusal: 3), Setting(refusal: 3, refusesInBatches: true),
    ]
    for setting in settings { expectEqual(document, setting, chunks: [1 << 20, 1], mayHaveNUL: true) }
  }

  @Test(arguments: usualPrologs + otherPrologs)
  func `Documents with every kind of prolog have the same values and errors`(_ prolog: String) {
    let bytes = Array(prolog.utf8)
    for length in 0...bytes.count { Self.expectEqualInPieces(Array(bytes[..<length])) }
    for end in ["", "\n", "x", "<!-- c -->"] {
      Self.expectEqualInPieces(Array("\(prolog)<a>x</a>\(end)".utf8))
    }
    for wrong in Self.notUTF8 { Self.expectEqualInPieces(bytes + wrong + Array("<a>x</a>".utf8)) }
  }

  @Test(arguments: usualPrologs)
  func `Documents with every kind of end have the same values and errors`(_ prolog: String) {
    for root in Self.wholeRoots {
      let document = prolog + root
      for end in Self.ends + Self.wrongEnds { Self.expectEqualInPieces(Array((document + end).utf8)) }
      for end in Self.notUTF8 { Self.expectEqualInPieces(Array(document.utf8) + end) }
    }
    for root in Self.openRoots {
      for end in Self.ends { Self.expectEqualInPieces(Array((prolog + root + end).utf8)) }
    }
  }

  @Test func `Documents in UTF-16 with every kind of prolog and end have the same values and errors`() {
    func utf16(_ text: String) -> [UInt8] {
      [0xff, 0xfe] + text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xff), UInt8(unit >> 8)] }
    }
    for prolog in Self.usualPrologs + Self.otherPrologs {
      Self.expectEqualInPieces(utf16(prolog + "<a>é</a>"))
    }
    for end in Self.ends + Self.wrongEnds {
      let document = utf16("<a>é</a>" + end)
      Self.expectEqualInPieces(document)
      // A surrogate without the other one.
      Self.expectEqualInPieces(document + [0x00, 0xd8])
    }
  }

  @Test(arguments: [
    ("<a/>", false), ("<a>x</a>", false), ("\n<a b='1'><b/>x<!-- c --></a>\r\n", false),
    ("<?xml version=\"1.0\"?><a/>", false),
    ("<?xml version='1.0' encoding='utf-8' standalone='yes'?>\n<a/>\n", false),
    ("\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a/>", false),
    ("<?xml version=\"1.1\"?><a/>", true), ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a/>", true),
    ("<!-- c --><a/>", true), ("<!DOCTYPE a><a/>", true), ("<a/><!-- c -->", true), ("<a/>\n<?p?>", true),
    ("<a><?p?></a>", true),
  ])
  func `libxml2 is used only for what the scanner does not read`(_ document: String, _ isUsed: Bool) throws {
    let bytes = Array(document.utf8)
    for chunk in [bytes.count, 1] {
      let chain = ElementChain(document: ElementDelegate(), budget: Budget(), losses: nil)
      let parser = try XMLPushParser(to: chain, budget: Budget())
      for start in stride(from: 0, to: bytes.count, by: chunk) {
        try parser.read(bytes.span.extracting(start..<min(start + chunk, bytes.count)))
      }
      try parser.finish()
      #expect(parser.usesLibXML2 == isUsed, "\(document)")
    }
  }

  @Test func `The end of the root element is sent before the end of the document`() throws {
    for document in ["<a/>", "<a>x</a>", "<?xml version=\"1.0\"?><a><b>x</b></a>\n"] {
      let log = ReadingOutcome.LoggingDelegate()
      let stream = try XMLStream(document: log, budget: Budget(), losses: nil, mayScan: true)
      try stream.read(Array(document.utf8).span)
      #expect(log.log.hasSuffix("\nend \nchild "), "\(document)")
      try stream.finish()
      #expect(log.log.hasSuffix("\nchild \nend "), "\(document)")
    }
  }

  @Test(arguments: documents)
  func `A refused value has the same location`(_ document: String) {
    let bytes = Array("<r>\n<s>\(document)</s>\n</r>".utf8)
    for count in 0..<16 {
      for refusesInBatches in [false, true] {
        Self.expectEqual(
          bytes, Setting(refusal: count, refusesInBatches: refusesInBatches), chunks: Self.chunks)
      }
    }
  }

  @Test func `Limits are reported at the same location`() {
    var (shallow, few, bare, short) = (Budget(), Budget(), Budget(), Budget())
    (shallow.depth, few.names, bare.attributes, short.tokenBytes) = (3, 3, 1, 8)
    let documents = [
      "<a>\n<b>\n<c>\n<d/></c></b></a>", "<a>\n<b/><c/>\n<d/><e/></a>",
      "<a>\n<b x='1'/>\n<b x='1' y='2'/></a>",
      "<a>\n<b>1234</b><c>12345<!-- c -->6789</c></a>", "<a><b>12345<![CDATA[6789]]></b></a>",
      "<a b='123456789'/>", "<a><b><c>1</c><c>2</c></b><b/></a>",
      "<a><a>1</a><a>2</a><a><a>3</a><a><a>4</a></a></a></a>",
      "<a><b>1234</b> <c>1</c><b>1234</b> <c>1</c><b>123456789</b></a>",
      "<a><b>1</b><c>1</c><b>1</b>           <c>1</c></a>",
      "<a xmlns='u'>\n<b/>\n<c xmlns='v'><d/></c></a>",
      "<a>\n<b xmlns='u'/><b xmlns='u'>\n<b xmlns='u'/></b></a>",
    ]
    for document in documents {
      for budget in [shallow, few, bare, short] {
        Self.expectEqual(Array(document.utf8), Setting(budget: budget), chunks: Self.chunks)
        Self.expectEqual(Array(document.utf8), Setting(budget: budget, logs: true), chunks: Self.chunks)
      }
    }
  }

  @Test func `Random documents have the same values and errors`() {
    var generator = SeededGenerator(seed: 11)
    for round in 0..<1_500 {
      var document = Array(Self.element(depth: 0, &generator).utf8)
      for _ in 0..<(round % 3) where !document.isEmpty {
        let index = Int.random(in: 0..<document.count, using: &generator)
        if Bool.random(using: &generator) { document.remove(at: index) } else { document[index] = 0x3c }
      }
      Self.expectEqual(document, chunks: [1 << 20, Int.random(in: 1...40, using: &generator)])
      Self.expectEqual(document, Setting(logs: true), chunks: [1 << 20, 11])
    }
  }

  @Test func `Long documents have the same values and errors in chunks of every size`() {
    var generator = SeededGenerator(seed: 12)
    let pieces = [
      String(repeating: "text é ]] &amp; ", count: 12_000), String(repeating: "\u{4e2d}", count: 60_000),
      String(repeating: "&#65;", count: 30_000), String(repeating: "x\r\n", count: 50_000),
      "<![CDATA[\(String(repeating: "c]", count: 50_000))]]>",
      "<!--\(String(repeating: " c", count: 50_000))-->",
      "<b c='\(String(repeating: "v", count: 150_000))'/>", String(repeating: " ", count: 150_000),
      "<b \(String(repeating: " ", count: 100_000))/>",
    ]
    for piece in pieces {
      var document = "<r>"
      for _ in 0..<200 { document += Self.element(depth: 2, &generator) }
      document += "<p>\(piece)</p>\n<q>1</q><p>\(piece)x</p></r>"
      let bytes = Array(document.utf8)
      Self.expectEqual(bytes, chunks: [1 << 20, 1 << 16, 4_096, 1_001])
      Self.expectEqual(bytes, Setting(logs: true), chunks: [1 << 20, 1_001])
      Self.expectEqual(Array(bytes.dropLast(9)), chunks: [1 << 20, 4_096])
      Self.expectEqual(bytes + Array("<".utf8), chunks: [1 << 20, 4_096])
    }
  }

  @Test func `Declarations on every element, and names without end, stay within the limits`() {
    var many = "<r>"
    for index in 0..<3_000 {
      many += "<p:a\(index % 7) xmlns:p='urn:\(index)' p:b='\(index)'><p:c/></p:a\(index % 7)>"
    }
    Self.expectEqual(Array((many + "</r>").utf8), chunks: [1 << 20, 1_000])
    var names = "<r>"
    for index in 0..<3_000 { names += "<n\(index) a\(index)='1'/>" }
    var budget = Budget()
    for limit in [10, 2_999, 3_000, 6_000, 6_001, 10_000] {
      budget.names = limit
      Self.expectEqual(Array((names + "</r>").utf8), Setting(budget: budget), chunks: [1 << 20, 1_000])
    }
  }

  @Test func `A NUL is refused`() {
    for document in Self.documents {
      let bytes = Array(document.utf8)
      for index in bytes.indices {
        let changed = bytes[..<index] + [0] + bytes[(index + 1)...]
        let outcome = Self.outcome(Array(changed), Setting(), mayScan: true)
        #expect(!outcome.hasPrefix("{"), "\(outcome) for \(document) with a NUL at \(index)")
      }
    }
  }

  @Test func `Common documents are scanned to the end of the root element`() throws {
    for document in ["<a><b>1</b></a>", "<a x='1'>é<!-- c --><![CDATA[d]]>&lt;<b xmlns:p='u' p:q='1'/></a>"] {
      final class Counter: ElementBatchDelegate {
        var batched = 0
        var single = 0
        override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
          single += 1
          return self
        }
        override func receive(_ events: borrowing ElementBatch) throws(EventFailure) {
          batched += events.count
        }
      }
      let counter = Counter()
      try XMLStream(document: counter).readAll(Array(document.utf8).span)
      #expect(counter.batched > 3 && counter.single == 0, "\(document)")
    }
  }

  private static func element(depth: Int, _ generator: inout SeededGenerator) -> String {
    func pick(_ choices: [String]) -> String { choices.randomElement(using: &generator) ?? "" }
    let name = pick(["a", "b", "c", "long-name.of_element", "p:d"])
    let attributes = pick([
      "", "", "", " x='1'", " x=\"a&amp;b\" y=''", " xmlns:p='urn:p'", " xml:space='preserve'", " p:x='1'",
      "  ",
    ])
    let declaration = depth == 0 ? " xmlns:p='urn:q'" : ""
    var content = ""
    for _ in 0..<(depth > 4 ? 1 : Int.random(in: 0...4, using: &generator)) {
      content +=
        depth <= 4 && Bool.random(using: &generator)
        ? element(depth: depth + 1, &generator)
        : pick([
          "t", " ", "\n  ", "\r\n", "&lt;", "&#233;", "é", "<!-- c -->", "<![CDATA[ ]]>", "<![CDATA[x]]>",
          "\"\\",
          "]", "a longer text without anything special", "<e/>", "<?p i?>",
        ])
    }
    return content.isEmpty
      ? "<\(name)\(attributes)\(declaration)/>"
      : "<\(name)\(attributes)\(declaration)>\(content)</\(name)>"
  }
}
