import Testing

@testable import Ferry

@Suite struct `Texts as property lists` {
  @Test(
    arguments: [
      ("<plist version=\"1.0\"><integer>5</integer></plist>", .integer(5)), ("<true/>", .boolean(true)),
      (" <dict><key>a</key><array/></dict>\n", ["a": []]), ("<data>AAEC</data>", .data([0, 1, 2])),
      ("<0001 02>", .data([0, 1, 2])), ("{ a = (x, y); }", ["a": ["x", "y"]]), ("<*I5>", .integer(5)),
      ("<dead>", .data([0xde, 0xad])), ("word", "word"),
    ] as [(String, Value)])
  func `A text in XML or in the notation of OpenStep or GNUstep is a property list`(
    _ text: String, _ value: Value
  ) throws {
    #expect(try TextType.propertyList.value(of: text) == value)
  }

  @Test(arguments: ["", " \n", "<dict>", "<p/>", "{ a = ; }", "<date>now</date>", "bplist00"])
  func `Another text than a property list is refused without a location in the edited file`(_ text: String) {
    let error = #expect(throws: FerryError.self) { try TextType.propertyList.value(of: text) }
    #expect(error?.location.isEmpty == true)
    guard case .path(.cannotPut("this property list", _))? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `The typed form of a part of an archive is refused`() throws {
    let file = try EditableFile(Archived.bytes(["a": 5]))
    var writing = WritingOptions(to: .json)
    writing.representation = .typed
    let error = #expect(throws: FerryError.self) {
      try file.write([ValuePath([.key("a")])], as: writing, to: MemoryOutput())
    }
    #expect(error?.reason == .typed(.partOfArchive))
  }
}
