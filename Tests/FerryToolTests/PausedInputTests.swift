import Foundation
import TestSupport
import Testing

/// An input that pauses after the first of two records.
private struct PausingInput: CustomTestStringConvertible {
  /// The format, and the other options of the command that reads it.
  let options: String
  let start: String
  let rest: String

  init(_ options: String, _ start: String, then rest: String) {
    (self.options, self.start, self.rest) = (options, start, rest)
  }

  var format: String { String(options.prefix { $0 != " " }) }
  var testDescription: String { "\(options) \(start)" }

  /// The inputs of all streaming formats.
  static let all = [
    PausingInput("jsonl", #"{"first":"Ada"}"# + "\n", then: #"{"first":"Grace"}"#),
    PausingInput("jsonl --keep-going", #"{"first":"Ada"}"# + "\n", then: #"{"first":"Grace"}"#),
    PausingInput("jsonc", #"[{"first":"Ada"}, // a"# + "\n", then: #"{"first":"Grace"},]"#),
    PausingInput("json5", "[{first:'Ada'},\n", then: "{first:'Grace'}]"),
    PausingInput("json-seq", "\u{1e}{\"first\":\"Ada\"}\n", then: "\u{1e}{\"first\":\"Grace\"}\n"),
    PausingInput("json-nul", "{\"first\":\"Ada\"}\0", then: "{\"first\":\"Grace\"}\0"),
    PausingInput("json-concat", #"{"first":"Ada"} "#, then: #"{"first":"Grace"}"#),
    PausingInput("json", #"[{"first":"Ada"},"# + "\n", then: #"{"first":"Grace"}]"#),
    PausingInput("json", #"[{"first":"Ada"}"#, then: #",{"first":"Grace"}]"#),
    PausingInput(
      "plist-xml",
      "<?xml version='1.0'?><plist><!-- a --><array><dict><key>first</key><string>Ada</string></dict>",
      then: "<dict><key>first</key><string>Grace</string></dict></array></plist>"),
    PausingInput(
      "plist-xml", "<array><array><string>Ada</string></array>", then: "<string>Grace</string></array>"),
    PausingInput("csv", "first\nAda\n", then: "Grace\n"),
    PausingInput("tsv", "id\tfirst\r\n1\tAda\r\n", then: "2\tGrace"),
    PausingInput("xml", peopleStart, then: peopleRest),
    PausingInput("xml --schema person", peopleStart, then: peopleRest),
  ]
}

private let peopleStart = "<people><person><firstName>King</firstName><lastName>Ada</lastName></person>"
private let peopleRest = "<person><firstName>Hopper</firstName><lastName>Grace</lastName></person></people>"

/// The writers of all streaming formats, with the options of the command.
private let writers = [
  "json", "json --pretty", "jsonl", "jsonc", "json5", "json-seq", "json-nul", "json-concat", "plist-xml",
  "xml", "json --form typed", "plist-xml --form typed",
  "xml --form typed", "csv --columns first", "tsv --columns first",
]

@Suite(.temporaryDirectory) struct `Inputs that pause` {
  @Test(arguments: PausingInput.all, writers)
  private func `A record is written before the input continues`(_ input: PausingInput, _ writer: String)
    async throws
  {
    // Only the whole document shows which elements of XML are lists, and these records have other columns.
    guard input.format != "xml" || !writer.contains("typed") && !writer.contains("--columns") else { return }
    let wasWritten = try await ToolRun.shell(
      "ferry convert --from \(input.options) --to \(writer) > out", input: input.start,
      pausingUntil: { (try? directory.text("out"))?.endsRecord == true },
      then: input.rest)
    #expect(wasWritten)
    #expect(try directory.text("out").contains("Grace"))
  }

  @Test(arguments: [
    ("{\"first\":\"Ada\"}\n{", "\"first\":\"Grace\"}\n"),
    ("{\"first\":\"Ada\"}\n7", "\n{\"first\":\"Grace\"}\n"),
    ("[\n\"Ada\"]\n[\n", "\"Grace\"]\n"), ("{\"first\":\"Ada\"} {", "\"first\":\"Grace\"}"),
    ("{\"first\":\"Ada\"}\0{", "\"first\":\"Grace\"}\0"),
    ("\u{1e}{\"first\":\"Ada\"}\n", "\u{1e}{\"first\":\"Grace\"}\n"), (peopleStart, peopleRest),
  ])
  func `A record is written before the input continues also if the format is detected`(
    _ start: String, _ rest: String
  ) async throws {
    let wasWritten = try await ToolRun.shell(
      "ferry convert --to jsonl > out", input: start,
      pausingUntil: { (try? directory.text("out"))?.endsRecord == true }, then: rest)
    #expect(wasWritten)
    #expect(try directory.text("out").contains("Grace"))
  }

  @Test(
    arguments: ["csv", "tsv", "csv --no-header", "csv --keep-going"], ["csv", "tsv", "csv --omit-header"])
  func `A row of a table is written to another table before the input continues`(
    _ options: String, _ writer: String
  ) async throws {
    let wasWritten = try await ToolRun.shell(
      "ferry convert --from \(options) --to \(writer) > out", input: "first\nAda\n",
      pausingUntil: { (try? directory.text("out"))?.endsRecord == true }, then: "Grace\n")
    #expect(wasWritten)
    #expect(try directory.text("out").hasSuffix("Ada\nGrace\n"))
  }

  @Test(arguments: [
    ("jsonl", "1\n", "2\n"), ("json-seq", "\u{1e}1\n", "\u{1e}2\n"), ("json-nul", "1\0", "2\0"),
    ("json-concat", "1 ", "2 "), ("csv", "a\n1\n", "2\n"), ("csv --no-header", "1\n", "2\n"),
    ("tsv", "a\n1\n", "2\n"), ("csv", "s\n1\n", "2\n"),
  ])
  func `The shortest record is written before the input continues`(
    _ options: String, _ start: String, _ rest: String
  ) async throws {
    let wasWritten = try await ToolRun.shell(
      "ferry convert --from \(options) --to jsonl > out", input: start,
      pausingUntil: { (try? directory.text("out"))?.contains("1") == true }, then: rest)
    #expect(wasWritten)
    #expect(try directory.text("out").contains("2"))
  }

  @Test(arguments: [
    "convert --from jsonl --to jsonl --keep-going", "check --from jsonl --schema s.json",
    "schema check --from jsonl --schema s.json",
  ])
  func `The error of a record is printed before the input continues`(_ line: String) async throws {
    try directory.write(
      "s.json", #"{"ferry":1,"name":"s","record":{"element":"r"},"fields":[{"name":"a","type":"integer"}]}"#)
    let wasPrinted = try await ToolRun.shell(
      "ferry \(line) 2> errors", input: "{\"a\":1}\n{\"a\":}\n",
      pausingUntil: { (try? directory.text("errors"))?.contains("standard input:2:6: ") == true },
      then: "{\"a\":2}\n")
    #expect(wasPrinted)
  }

  @Test func `The inputs and writers have all formats that stream`() async throws {
    let list = try await ToolRun.ferry("formats").output
    let entries = list.split(separator: /\n(?=\S)/).filter { $0.contains("streams") }
    // A database is not read or written in one pass.
    let streaming = entries.map { String($0.prefix { $0 != "," && $0 != "\n" }) }.filter { $0 != "sqlite" }
    #expect(Set(streaming) == Set(PausingInput.all.map(\.format)))
    #expect(Set(streaming) == Set(writers.map { String($0.prefix { $0 != " " }) }))
  }
}

extension String {
  /// True if the last record is Ada's, and complete.
  fileprivate var endsRecord: Bool {
    guard let name = range(of: "Ada") else { return false }
    // In a table, the end of the line ends the record.
    guard contains(where: { "{[<".contains($0) }) else { return self[name.upperBound...].contains("\n") }
    let ends = ["}", "]", "</dict>", "</array>", "</person>", "</item>", "</map>"]
    return ends.contains { self[name.upperBound...].contains($0) }
  }
}
