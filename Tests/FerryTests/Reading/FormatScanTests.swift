import Testing

@testable import Ferry

@Suite struct `First bytes that decide a format` {
  /// Texts, and the number of first bytes that decide their format; nil if it is detected from all of them.
  private static let texts: [(text: String, decided: Int?)] = [
    ("{\"a\":1}\n{\"a\":2}\n", 9), ("{\"a\":1}{\"a\":2}", 8), ("{\"a\":1}\0{\"a\":2}\0", 9),
    ("  [1, \"]\\\"\"] [2]", 14), ("[1]\n\n7\n", 6), ("\u{1e}{\"a\":1}\n", 1), ("\u{1e}1\n\u{1e}2\n", 1),
    ("<root a='>'><b/></root>", 12), ("<!-- <a> --><root/>", 19), ("{\n\"a\":1}\n{\"a\":2}\n", 10),
    // One value, or values whose format depends on more.
    ("{\"a\":1}\n", nil), ("[{\"a\":1},\n{\"a\":2}]", nil), ("1\n2\n", nil), ("\"a\"\n\"b\"\n", nil),
    ("{}\n{}\n", nil), ("{ a = 1; }", nil), ("\"a\" = \"b\";", nil), ("{\"a\":1,}\n{", nil),
    ("---\na: 1\n", nil),
    ("a,b\n1,2\n", nil), ("<plist><array/></plist>", nil), ("<!DOCTYPE plist><plist/>", nil),
    ("{\"a\":1} // x\n{\"a\":2}", nil), ("{\"a\":1} = 2", nil), ("\u{feff}{\"a\":1}\n{\"a\":2}\n", nil),
  ]

  @Test(arguments: texts)
  func `The format of the first bytes that decide it is that of the whole text`(
    _ text: String, _ decided: Int?
  ) throws {
    let bytes = Array(text.utf8)
    let scan = FormatScan(named: "-", matchesSchemas: false, budget: Budget())
    let first = (1...bytes.count).first { scan.isOver(Array(bytes.prefix($0))) }
    #expect(first == decided)
    guard let first else { return }
    let format = try FormatDetector(head: Array(bytes.prefix(first)), name: "-").detect()
    #expect(try format == FormatDetector(head: bytes, name: "-").detect())
    // All bytes may also come at once.
    #expect(FormatScan(named: "-", matchesSchemas: false, budget: Budget()).isOver(bytes))
  }

  @Test func `A name with an extension decides with the whole head`() {
    let scan = FormatScan(named: "a.yaml", matchesSchemas: false, budget: Budget())
    #expect(!scan.isOver(Array("{\"a\":1}\n{\"a\":2}\n".utf8)))
  }
}
