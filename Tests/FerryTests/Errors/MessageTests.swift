import Testing

@testable import Ferry

/// The messages of errors with long texts from a file.
@Suite struct `Messages with long texts` {
  /// Characters of one, two and many Unicode scalars.
  private static let characters = ["x", "漢", "e\u{301}", "e" + String(repeating: "\u{301}", count: 300)]

  @Test(arguments: characters, [1, 190, 600, 900, 1494, 1500])
  func `A message with a long text has its beginning and its end, and is shorter than the text`(
    character: String, count: Int
  ) {
    let text = "first" + String(repeating: character, count: count) + "last"
    let reason = FerryError.Reason.xml(.notWellFormed(text))
    let path = ValuePath([.key(text)])
    for (shown, most) in [(reason.description, 1503), (path.shortened, 203)] {
      #expect(shown.equals(text) || shown.unicodeScalars.count < text.unicodeScalars.count)
      #expect(shown.unicodeScalars.count <= most)
      #expect(shown.utf8.starts(with: "first".utf8) && shown.utf8.reversed().starts(with: "tsal".utf8))
    }
  }
}

@Suite struct `Control characters in messages` {
  static let characters = [
    "\u{0}", "\u{1b}", "\u{7f}", "\u{9b}", "\u{61c}", "\u{200b}", "\u{200e}", "\u{200f}", "\u{2028}",
    "\u{2029}",
    "\u{202a}", "\u{202e}", "\u{2060}", "\u{2066}", "\u{2069}", "\u{206f}", "\u{feff}", "\u{fff9}",
  ]

  @Test(arguments: characters)
  func `A path with a character that messages escape is read again from the message`(_ character: String)
    throws
  {
    let key = "a\(character)b"
    for path in [ValuePath([.key(key)]), ValuePath([.key("p"), .element(where: key, is: key), .key(key)])] {
      let text = path.description
      #expect(text.withoutControls.utf8.elementsEqual(text.utf8))
      #expect(try ValuePath(parsing: text) == path)
    }
  }

  @Test(arguments: characters)
  func `A character that is not shown, or that turns the text around it, is escaped`(_ character: String)
    throws
  {
    let scalar = try #require(character.unicodeScalars.first)
    let escape = "\\u{" + String(scalar.value, radix: 16) + "}"
    #expect("a\(character)é.json".withoutControls == "a\(escape)é.json")
    #expect("a\(character)é.json".withoutInvisibles == "a\(escape)é.json")
    #expect(MessageText.quoted("a\(character)") == "\"a\(escape)\"")
  }

  @Test(arguments: [
    "\u{a0}", "\u{ad}", "\u{34f}", "\u{115f}", "\u{1680}", "\u{180e}", "\u{2003}", "\u{200c}", "\u{200d}",
    "\u{202f}", "\u{3000}", "\u{3164}", "\u{fe0f}", "\u{ffff}", "\u{e0061}", "\u{e0100}",
    "\u{10ffff}",
  ])
  func `All invisible characters in names are escaped`(_ character: String) throws {
    let scalar = try #require(character.unicodeScalars.first)
    let escape = "\\u{" + String(scalar.value, radix: 16) + "}"
    let key = "a\(character)é"
    #expect(key.withoutInvisibles == "a\(escape)é")
    #expect(MessageText.quoted(key) == "\"a\(escape)é\"")
    let path = ValuePath([.key(key)]).description
    #expect(path == "[\"a\(escape)é\"]")
    #expect(try ValuePath(parsing: path) == ValuePath([.key(key)]))
  }

  @Test(arguments: [
    "naïve – “…” €", "שלום", "e\u{301}", "Ａ｡", "\u{fffd}\u{fffc}\u{f8ff}", "👩\u{200d}👩\u{200d}👧",
    "❤\u{fe0f}\u{200d}🔥",
    "👩🏽\u{200d}🚀", "🇩🇪",
  ])
  func `Visible characters and pictures of several emoji stay as they are in names`(_ text: String) {
    #expect(text.withoutInvisibles.utf8.elementsEqual(text.utf8))
    #expect(MessageText.quoted(text).utf8.elementsEqual("\"\(text)\"".utf8))
  }

  @Test(arguments: [
    "naïve – “…” €", "שלום", "می\u{200c}خواهم", "👩\u{200d}👩\u{200d}👧", "Ａ｡", "\u{fffd}\u{fffc}\u{f8ff}",
    "\u{a0}",
  ])
  func `Other characters, also those that join letters, stay as they are`(_ text: String) {
    #expect(text.withoutControls.utf8.elementsEqual(text.utf8))
  }
}

/// The error with which code ends a reader that it needs no longer.
@Suite struct `Stops of readers` {
  @Test func `The error that stops a reader is that of no file`() {
    let stop = FerryError.stopped.placed(at: InputLocation(line: 1)).placed(path: ValuePath([.key("a")]))
    #expect(stop.isStop && !FerryError(.file(.notOpen)).isStop)
    #expect(FerryError.stopped != FerryError(.file(.notOpen)))
    #expect(stop.message == "the reading was stopped (at a)")
  }

  /// A sink that stops a reader at the first string.
  private final class StoppingSink: ForwardingSink {
    override func string(_ text: BorrowedText) throws(FerryError) { throw .stopped }
  }

  @Test(arguments: [
    Format.xml, .json, .jsonLines, .jsonSequence, .jsonc, .json5, .yaml, .csv, .tsv, .xmlPropertyList,
    .binaryPropertyList, .openStepPropertyList, .gnustepPropertyList, .archive, .xmlArchive, .typedstream,
    .sqlite,
  ])
  func `The error that stops a reader of any format is thrown as it is`(_ format: Format) throws {
    guard format.description.isRead else { return }
    let bytes = try Conversion(to: format).convert(Array("[{\"a\":\"b\"},{\"a\":\"c\"}]".utf8)).bytes
    var options = ReadingOptions()
    options.format = format
    for infersTypes in [false, true] where !infersTypes || format.description.columnTypes != nil {
      options.csv.infersTypes = infersTypes
      let error = #expect(throws: FerryError.self) {
        try options.read(MemoryInput(bytes), into: StoppingSink(to: NullSink()))
      }
      #expect(error?.isStop == true, "\(error?.message ?? "")")
    }
  }

  @Test func `The error that stops a reader of JSON inside another value is thrown as it is`() throws {
    let error = #expect(throws: FerryError.self) {
      try JSONReader.read(
        nested: "[\"a\"]".utf8.span, into: StoppingSink(to: NullSink()), budget: Budget())
    }
    #expect(error?.isStop == true && error?.location.isEmpty == true)
    var options = ReadingOptions()
    (options.format, options.csv.infersTypes) = (.csv, true)
    let ofCell = #expect(throws: FerryError.self) {
      try options.read(
        MemoryInput(Array("a\n[]\n\"[\"\"b\"\"]\"\n".utf8)), into: StoppingSink(to: NullSink()))
    }
    #expect(ofCell?.isStop == true && ofCell?.location.line == 3)
  }
}
