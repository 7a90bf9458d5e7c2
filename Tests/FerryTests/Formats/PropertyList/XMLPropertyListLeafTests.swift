import Testing

@testable import Ferry

@Suite struct `Whole leaves of XML property lists` {
  /// Returns the parts of the leaf at the beginning of a text: its element, its text, and the two properties of that.
  private func leaf(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    let span = bytes.span
    guard let leaf = span.propertyListLeaf(at: 0) else { return nil }
    let content = span.extracting(leaf.text).decodedString
    let rest = span.extracting(droppingFirst: leaf.end).decodedString
    return "\(leaf.element.name) [\(content)] \(leaf.isASCII) \(leaf.isPlain) then \(rest)"
  }

  @Test func `A leaf without markup in its text is recognized at once`() {
    #expect(leaf("<key>a</key><true/>") == "key [a] true true then <true/>")
    #expect(leaf("<string></string> ----") == "string [] true true then  ----")
    #expect(leaf("<integer>-12</integer>\n") == "integer [-12] true true then \n")
    #expect(leaf("<true/>----") == "true [] true true then ----")
    #expect(leaf("<false/>---") == "false [] true true then ---")
    #expect(leaf("<string>Zoë 🎈</string>----") == "string [Zoë 🎈] false true then ----")
  }

  @Test func `Other elements, references and markup in a text are left to the scanner`() {
    for text in [
      "<dict></dict>-----", "<keys>a</keys>----", "<key >a</key>----", "<true></true>----", "<string/>-----",
      "<string>a&amp;</string>----", "<string>a<!-- b --></string>----", "<string>a]]></string>----",
      "<string>a></string>----", "<string>a</strings>---", "<string>a</string >---", "<string>a</key>------",
      "<string>a", "<string>a</string", "<real>1</real>----", "<", "<key>",
    ] { #expect(leaf(text) == nil, "\(text)") }
  }

  @Test(arguments: 0..<26)
  func `A byte that JSON escapes is found at every position of a text`(_ length: Int) {
    for position in 0..<length {
      for special in ["\"", "\\", "\u{1}", "\n", "\u{1f}"] {
        var characters = [String](repeating: "a", count: length)
        characters[position] = special
        let text = characters.joined()
        #expect(leaf("<string>\(text)</string>----") == "string [\(text)] true false then ----")
      }
      for plain in ["\u{7f}", " ", "é"] {
        var characters = [String](repeating: "a", count: length)
        characters[position] = plain
        let text = characters.joined()
        #expect(leaf("<string>\(text)</string>----") == "string [\(text)] \(plain != "é") true then ----")
      }
    }
  }

  /// Lists with leaves that are refused, and those around them.
  private static let lists = [
    #"<plist><dict><key>a "b" \</key><string>"c" \ é</string></dict></plist>"#,
    "<plist><dict><key>d</key><true/><key>e</key><integer>007</integer></dict></plist>",
    "<plist><array><string>tab\tline\nreturn\r</string><string>a]]b</string><integer> 5 </integer></array></plist>",
    "<plist><dict><key>CF$UID</key><integer>3</integer><key>CF$UID</key><true/></dict></plist>",
    "<plist><dict><key>a</key><dict><key>CF$UID</key><integer>3</integer></dict></dict></plist>",
    "<plist><dict><key>a</key><key>b</key></dict></plist>", "<plist><dict><string>a</string></dict></plist>",
    "<plist><array><key>b</key></array></plist>",
    "<plist><array><integer>1x</integer></array></plist>",
    "<plist><array><integer>999999999999999999999</integer></array></plist>",
    "<plist><array><string>a]]></string></array></plist>",
    "<plist><string>a</string><string>b</string></plist>",
    "<plist><dict><key>a</key></dict></plist>", "<string>alone</string>", "<true/>",
    "<array><integer>999999999999999999</integer><integer>-999999999999999999</integer></array>",
  ]

  @Test(arguments: lists, [true, false])
  func `A list read as a whole has the values and the errors that it has in pieces`(
    _ text: String, _ isBinary: Bool
  ) {
    func outcome(chunk size: Int) -> Result<[UInt8], FerryError> {
      Result { () throws(FerryError) in
        let output = MemoryOutput()
        let writer: any ValueSink =
          isBinary ? BinaryPropertyListWriter(to: output) : JSONWriter(to: output)
        try XMLPropertyListReader(into: writer).readAll(Array(text.utf8), chunk: size)
        try writer.finish()
        return output.bytes
      }
    }
    let whole = outcome(chunk: .max)
    for size in [1, 7, 20] { #expect(outcome(chunk: size) == whole) }
  }
}
