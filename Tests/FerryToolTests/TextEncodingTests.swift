import Foundation
import TestSupport
import Testing

/// An encoding of XML documents.
private struct Encoding: CustomTestStringConvertible, Sendable {
  let name: String
  let encoding: String.Encoding
  /// A byte order mark, or nothing.
  var mark = ""
  /// The text of "ö€" in a new value.
  let added: String

  var testDescription: String { mark.isEmpty ? name : "\(name) with a byte order mark" }

  static let all = [
    Encoding(name: "UTF-16", encoding: .utf16LittleEndian, mark: "\u{feff}", added: "ö€"),
    Encoding(name: "UTF-16", encoding: .utf16BigEndian, mark: "\u{feff}", added: "ö€"),
    Encoding(name: "UTF-16LE", encoding: .utf16LittleEndian, added: "ö€"),
    Encoding(name: "UTF-8", encoding: .utf8, mark: "\u{feff}", added: "ö€"),
    Encoding(name: "ISO-8859-1", encoding: .isoLatin1, added: "ö&#8364;"),
    Encoding(name: "windows-1252", encoding: .windowsCP1252, added: "ö€"),
  ]

  /// Returns the bytes of a document with this declaration and contents.
  func bytes(_ contents: String) throws -> [UInt8] {
    let text = "\(mark)<?xml version=\"1.0\" encoding=\"\(name)\"?>\n\(contents)"
    return Array(try #require(text.data(using: encoding)))
  }
}

@Suite(.temporaryDirectory) struct `Edits of XML documents that are not in UTF-8` {
  private static func person(_ first: String, _ last: String, _ lineEnd: String = "\n") -> String {
    [
      "  <person>", "    <firstName>\(first)</firstName>", "    <lastName>\(last)</lastName>", "  </person>",
      "",
    ]
    .joined(separator: lineEnd)
  }

  @Test(arguments: Encoding.all, ["\n", "\r\n"])
  fileprivate func `A seed adds records in the encoding of the document`(
    _ encoding: Encoding, _ lineEnd: String
  ) async throws {
    let (start, old, end) = (
      "<people>\(lineEnd)", Self.person("é", "<!--ü-->B", lineEnd), "</people>\(lineEnd)"
    )
    try directory.write("p.xml", try encoding.bytes(start + old + end))
    try directory.write("more.json", #"[{"firstName":"C","lastName":"ö€"}]"#)
    let run = try await ToolRun.ferry(
      "seed", "p.xml", "--from", "more.json", "--merge", "--key", "lastName", "--schema", "person")
    #expect(run.status == 0, "\(run.errors)")
    let new = Self.person("C", encoding.added, lineEnd)
    #expect(try directory.bytes("p.xml") == encoding.bytes(start + old + new + end))
  }

  @Test(arguments: [
    ("list.yaml", "# ü\n- name: Ada # x\n", "- name: Bob\n"),
    ("list.plist", "// ü\n( { name = Ada; } )\n", "{name = Bob; }"),
  ])
  func `A seed adds records to a text in UTF-16 that declares no encoding`(
    _ name: String, _ text: String, _ added: String
  ) async throws {
    try directory.write("more.json", #"[{"name":"Ada"},{"name":"Bob"}]"#)
    for mark: [UInt8] in [[0xff, 0xfe], []] {
      let units = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
      try directory.write(name, mark + units)
      let run = try await ToolRun.ferry("seed", name, "--from", "more.json", "--merge", "--key", "name")
      #expect(run.output.hasPrefix("\(name): added 1 record\n"), "\(run.errors)")
      let bytes = try directory.bytes(name)
      #expect(bytes.starts(with: mark))
      let read = try #require(String(bytes: bytes.dropFirst(mark.count), encoding: .utf16LittleEndian))
      #expect(read.contains(added) && read.hasPrefix(text.prefix(20)), "\(read)")
    }
  }

  @Test func `A seed adds records with names that the encoding of the document has`() async throws {
    try directory.write(
      "s.json", #"{"ferry":1,"name":"rec","key":"größe","fields":[{"name":"größe"},{"name":"b"}]}"#)
    try directory.write("more.json", #"[{"größe":"2","b":"x"}]"#)
    let latin = try #require(Encoding.all.first { $0.name == "ISO-8859-1" })
    try directory.write("r.xml", try latin.bytes("<recs><rec><größe>1</größe><b/></rec></recs>\n"))
    let run = try await ToolRun.ferry("seed", "r.xml", "--from", "more.json", "--merge", "--schema", "s.json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try directory.bytes("r.xml").starts(with: latin.bytes("<recs><rec><größe>1</größe>")))
    #expect(try await ToolRun.ferry("get", "r.xml", "recs.rec[1].größe").output == "2\n")
  }

  @Test func `A seed does not rewrite a document of another encoding in UTF-8`() async throws {
    try directory.write(
      "s.json", #"{"ferry":1,"name":"rec","key":"b","fields":[{"name":"b"},{"name":"漢","optional":true}]}"#)
    try directory.write("more.json", #"[{"b":"2","漢":"x"}]"#)
    let latin = try #require(Encoding.all.first { $0.name == "ISO-8859-1" })
    let bytes = try latin.bytes("<recs><rec><b>1</b></rec></recs>\n")
    try directory.write("r.xml", bytes)
    let run = try await ToolRun.ferry("seed", "r.xml", "--from", "more.json", "--merge", "--schema", "s.json")
    expectFailure(
      run,
      "r.xml: adding records would rewrite the document in UTF-8, and it has another encoding "
        + "(convert the document to UTF-8 first, or add the records by hand)")
    #expect(try directory.bytes("r.xml") == bytes)
  }

  @Test(arguments: Encoding.all)
  fileprivate func `A merge reports a comment in a removed record in every encoding`(
    _ encoding: Encoding
  ) async throws {
    let (first, second) = (Self.person("é", "B"), Self.person("C", "D"))
    let commented = first.replacing("<lastName>", with: "<!--ü--><lastName>")
    for (name, records) in [("base", first + second), ("ours", second), ("theirs", commented + second)] {
      try directory.write("\(name).xml", try encoding.bytes("<people>\n\(records)</people>\n"))
    }
    let run = try await ToolRun.ferry("merge", "base.xml", "ours.xml", "theirs.xml", "-o", "merged.xml")
    #expect(run.status == 1)
    #expect(run.errors.contains("1 conflict, so nothing was written"), "\(run.errors)")
    let kept = try await ToolRun.ferry(
      "merge", "base.xml", "ours.xml", "theirs.xml", "-o", "merged.xml", "--favor", "theirs")
    #expect(kept.status == 0)
    #expect(try directory.bytes("merged.xml") == directory.bytes("theirs.xml"))
  }

  @Test(arguments: ["US-ASCII", "ascii", "ANSI_X3.4-1968"])
  func `An edit of a property list in ASCII writes references for other characters`(_ name: String)
    async throws
  {
    let head =
      "<?xml version=\"1.0\" encoding=\"\(name)\"?>\n<plist version=\"1.0\"><dict><key>a</key><string>"
    try directory.write("a.plist", head + "x</string></dict></plist>\n")
    let run = try await ToolRun.ferry("set", "a.plist", "a", "é€")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try directory.text("a.plist") == head + "&#233;&#8364;</string></dict></plist>\n")
    let value = try await ToolRun.ferry("get", "a.plist", "a")
    #expect(value.output == "é€\n")
  }
}
