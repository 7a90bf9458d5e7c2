import TestSupport
import Testing

@testable import Ferry

/// The division of errors into those of data and others, by which a server chooses its answer.
@Suite(.temporaryDirectory) struct `Errors about data` {
  @Test(arguments: ["", "[1,", "{\"a\":", "\u{1}\u{2}", "<a>"]) func `Data that is not valid is at fault`(
    text: String
  )
    throws
  {
    let error = #expect(throws: FerryError.self) { try Value(reading: Array(text.utf8)) }
    #expect(error?.isAboutData == true)
  }

  @Test func `A missing file, an impossible option and the system are not errors of data`() throws {
    let missing = #expect(throws: FerryError.self) {
      try Value(path: TemporaryDirectory.current.path("none.json"))
    }
    #expect(missing?.isAboutData == false)
    for reason: FerryError.Reason in [
      .file(.system("no space left on device")), .csv(.badDelimiter), .document(.busy),
      .package(.changed(["a"])),
    ] { #expect(!FerryError(reason).isAboutData, "\(reason)") }
    for reason: FerryError.Reason in [
      .file(.empty), .file(.unknownFormat(likely: nil)), .overBudget(.depth(5)), .csv(.openQuote),
    ] { #expect(FerryError(reason).isAboutData, "\(reason)") }
  }

  @Test func `The error of a seed has the path of the data or of the document`() throws {
    let directory = TemporaryDirectory.current
    try directory.write("folks.xml", "<people>\n<person>\n</people>")
    let data = directory.path("folks.xml")
    let ofData = #expect(throws: SeedError.self) { try Seed(from: data).seed(at: directory.path("a.pplgrp")) }
    #expect(ofData?.isAboutData == true && ofData?.error.file == data && ofData?.error.location.line == 3)
    #expect(ofData?.description.hasPrefix("the data: \(data):3:") == true)
    let none = directory.path("none.xml")
    let ofMissing = #expect(throws: SeedError.self) {
      try Seed(from: none).seed(at: directory.path("a.pplgrp"))
    }
    #expect(ofMissing?.error.file == none)
    let document = directory.path("no/a.pplgrp")
    try directory.write(
      "good.xml", "<people><person><firstName>A</firstName><lastName>B</lastName></person></people>")
    let ofDocument = #expect(throws: SeedError.self) {
      try Seed(from: directory.path("good.xml")).seed(at: document)
    }
    #expect(ofDocument?.isAboutData == false && ofDocument?.error.file == document)
  }

  @Test func `A value is read from a file with options in one call`() throws {
    let directory = TemporaryDirectory.current
    try directory.write("a.txt", "a;b\n1;2\n")
    var options = ReadingOptions.values
    options.format = .csv
    options.csv.delimiter = UInt8(ascii: ";")
    #expect(try Value(path: directory.path("a.txt"), options: options) == [["a": "1", "b": "2"]])
  }
}
