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

/// The error with which code ends a reader that it needs no longer.
@Suite struct `Stops of readers` {
  @Test func `The error that stops a reader is that of no file`() {
    let stop = FerryError.stopped.placed(at: Position(line: 1)).placed(path: ValuePath([.key("a")]))
    #expect(stop.isStop && !FerryError(.file(.notOpen)).isStop)
    #expect(FerryError.stopped != FerryError(.file(.notOpen)))
    #expect(stop.message == "the reading was stopped (at a)")
  }
}
