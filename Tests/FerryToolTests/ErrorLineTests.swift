import Foundation
import TestSupport
import Testing

/// A file with an error, and the lines that `--explain` prints after the message.
struct ExplainedError: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  let lines: [String]
  var testDescription: String { name }

  init(_ name: String, _ text: String, _ lines: String...) { self.init(name, Array(text.utf8), lines) }

  init(_ name: String, _ bytes: [UInt8], _ lines: [String]) {
    (self.name, self.bytes, self.lines) = (name, bytes, lines)
  }
}

@Suite(.temporaryDirectory) struct `Lines of errors` {
  static let texts = [
    ExplainedError("a.xml", "<people>\n  <person id=\"1\"\n  <b/>\n</people>\n", "  <b/>", "  ^"),
    ExplainedError("tab.json", "{\"a\": [1,\n\t\"é\" x]}", " \"é\" x]}", "     ^"),
    ExplainedError("wide.json", "[\"日本\" x]", "[\"日本\" x]", "        ^"),
    ExplainedError("mark.json", "\u{feff}{\"a\" 1}", "{\"a\" 1}", "     ^"),
    ExplainedError("lines.json", "{\"a\" 1,\r\n\"b\": 2}", "{\"a\" 1,", "     ^"),
    ExplainedError("control.json", "[\"\u{7f}\" 1]", "[\"\u{fffd}\" 1]", "     ^"),
    ExplainedError("a.csv", "a,b\n1,\"x\n", "1,\"x", "  ^"),
    ExplainedError("a.strings", "\"a\" = \"b\"\n\"c\" = \"d\";\n", "\"c\" = \"d\";", "^"),
    ExplainedError(
      "a.plist", "<plist version=\"1.0\"><dict>\n<key>a</key><integer>x</integer></dict></plist>",
      "<key>a</key><integer>x</integer></dict></plist>", "                     ^"),
  ]

  @Test(arguments: texts)
  func `An explained error shows its line with a mark under the column`(_ file: ExplainedError) async throws {
    try directory.write(file.name, String(decoding: file.bytes, as: UTF8.self))
    let run = try await ToolRun.ferry("convert", file.name, "--to", "json", "--explain")
    #expect(run.status == 1)
    let lines = run.errors.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(Array(lines.dropFirst().dropLast()) == file.lines.map { "  " + $0 }, "\(run.errors)")
  }

  @Test func `The bytes around the error of a binary file are shown`() async throws {
    let made = try await ToolRun.shell(
      #"printf '{"a":"xxxxxxxxxxxxxxxxxxxxxxxxxxxx"}' | ferry convert --to plist-binary -o a.plist"#)
    #expect(made.status == 0, "\(made.errors)")
    let whole = try directory.bytes("a.plist")
    try directory.write("cut.plist", Array(whole.prefix(40)))
    let run = try await ToolRun.ferry("show", "cut.plist", "--explain")
    let lines = run.errors.split(separator: "\n")
    #expect(lines.first?.hasPrefix("cut.plist: byte 40:") == true, "\(run.errors)")
    #expect(lines.dropFirst().first?.hasPrefix("  00000020  78 78 ") == true, "\(run.errors)")
    #expect(lines.last == "                                     ^^", "\(run.errors)")
  }

  @Test func `A long line is cut around the column`() async throws {
    let items = (0..<3000).map { "{\"k\($0)\": \($0)}" }.joined(separator: ",")
    try directory.write("long.json", "[\(items), oops, \(items)]")
    let run = try await ToolRun.ferry("convert", "long.json", "--to", "jsonl", "--explain")
    let lines = run.errors.split(separator: "\n").map(String.init)
    try #require(lines.count == 3, "\(run.errors)")
    #expect(lines[1].hasPrefix("  …") && lines[1].hasSuffix("…") && lines[1].count <= 80)
    let column = lines[2].count - 1
    #expect(lines[1].dropFirst(column).hasPrefix("oops, "), "\(run.errors)")
  }

  @Test
  func
    `Lines are shown for the standard input, and not without --explain, or past the limit`()
    async throws
  {
    try directory.write("a.json", "{\"a\" 1}")
    let redirected = try await ToolRun.shell("ferry show --explain < a.json")
    #expect(redirected.errors.hasSuffix("\n  {\"a\" 1}\n       ^\n"), "\(redirected.errors)")
    let piped = try await ToolRun.shell("cat a.json | ferry show --explain")
    #expect(piped.errors.hasSuffix("\n  {\"a\" 1}\n       ^\n"), "\(piped.errors)")
    for line in ["ferry show a.json", "ferry show a.json --no-explain"] {
      let run = try await ToolRun.shell(line)
      #expect(run.errors.split(separator: "\n").count == 1, "\(line): \(run.errors)")
    }
    let many = try await ToolRun.shell(
      "for i in $(seq 30); do cp a.json $i.bad.json; done; ferry show *.bad.json --explain")
    #expect(many.errors.split(separator: "\n").count == 30 + 2 * 20, "\(many.errors)")
  }

  @Test(arguments: [1, 3])
  func `The line of an error in a pipe is shown although much of the pipe was read after it`(
    _ jobs: Int
  ) async throws {
    let line = #"{"text":"\#(String(repeating: "x", count: 100))"}"# + "\n"
    try directory.write(
      "a.jsonl",
      String(repeating: line, count: 11_000) + "{\"id\":\n" + line + "{\"text\":\""
        + String(repeating: "y", count: 8 << 20) + "\"}\n")
    let run = try await ToolRun.shell(
      "cat a.jsonl | ferry convert - --from jsonl --to json --explain --jobs \(jobs)")
    #expect(run.status == 1 && run.errors.hasPrefix("standard input:11001:7: "), "\(run.errors)")
    #expect(run.errors.hasSuffix("\n  {\"id\":\n        ^\n"), "\(run.errors)")
  }

  @Test func `A named pipe is not opened again for its line`() async throws {
    let run = try await ToolRun.shell(
      "mkfifo pipe; (printf '{\"a\" 1}' > pipe) & ferry show pipe --explain; wait")
    #expect(
      run.errors == """
        pipe:1:6: expected ":", found "1" (at a)
          (the line of the error is empty, or cannot be read again)

        """, "\(run.errors)")
  }

  @Test func `Lines are shown of compressed texts, in any encoding, and bytes if a line is not UTF-8`()
    async throws
  {
    let text = "{\"ä\": 1,\n\"b\":}"
    try directory.write("a.json", text)
    try directory.write("u.json", [0xff, 0xfe] + text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] })
    try directory.write("l.json", text.unicodeScalars.map { UInt8($0.value) })
    try directory.write("x.json", Array("{\"a\":\"".utf8) + [0xff] + Array("\"}".utf8))
    let compressed = try await ToolRun.shell("gzip -k a.json u.json x.json")
    #expect(compressed.status == 0, "\(compressed.errors)")
    for file in ["a.json", "u.json", "a.json.gz", "u.json.gz", "l.json --encoding ISO-8859-1"] {
      let run = try await ToolRun.shell("ferry check --explain \(file)")
      #expect(run.errors.hasSuffix("\n  \"b\":}\n      ^\n"), "\(file): \(run.errors)")
    }
    for file in ["x.json", "x.json.gz"] {
      let lines = try await ToolRun.ferry("check", "--explain", file).errors.split(separator: "\n")
      #expect(lines.count == 3 && lines[1].hasPrefix("  00000000  7b 22 61 22 3a 22 ff 22  7d"), "\(lines)")
    }
    // The byte of an error in compressed data is that of the file itself.
    let cut = try await ToolRun.shell(
      "head -c 20 a.json.gz > cut.gz; ferry check --explain cut.gz; cat cut.gz | ferry check --explain")
    let excerpts = cut.errors.split(separator: "\n")
    try #require(excerpts.count == 6, "\(cut.errors)")
    #expect(excerpts[1].hasPrefix("  00000010  ") && excerpts[1...2] == excerpts[4...5], "\(excerpts)")
    let empty = try await ToolRun.shell("printf '{\"a\":1,\\n' | ferry check --explain")
    #expect(
      empty.errors.hasSuffix("\n  (the line of the error is empty, or cannot be read again)\n"),
      "\(empty.errors)")
  }
}
