import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Entries at the shell` {
  private func run(_ line: String) async throws -> ToolRun { try await ToolRun.shell(line) }

  @Test func `A strings file goes to a translator as a table, and comes back`() async throws {
    let text = "\"b\" = \"x \\\"y\\\", z\";\n\"a\" = \"\";\n\"c d\" = \"line\\nline\";\n"
    try directory.write("en.strings", text)
    expectQuiet(try await run("ferry convert en.strings --to-entries -o en.csv"))
    #expect(try directory.text("en.csv") == "key,value\nb,\"x \"\"y\"\", z\"\na,\"\"\nc d,\"line\nline\"\n")
    expectQuiet(try await run("ferry convert en.csv --from-entries -o back.strings"))
    #expect(try directory.text("back.strings") == text)
  }

  @Test func `Comments are left out with a report`() async throws {
    try directory.write("en.strings", "/* one */\n\"a\" = \"x\";\n")
    let run = try await run("ferry convert en.strings --to-entries --to csv")
    #expect(run.output == "key,value\na,x\n")
    #expect(run.errors == "en.strings: not exact: comments are left out (1)\n")
    let strict = try await self.run("ferry convert en.strings --to-entries --to csv --strict")
    #expect(strict.status == 1 && strict.output == "")
  }

  /// Command lines that fail, with the beginning of the message and the exit status.
  private static let refused = [
    ("--to-entries --from-entries", "--to-entries and --from-entries cannot be used together", 64),
    ("--entry-names a,b", "--entry-names needs --to-entries or --from-entries, whose records it names", 64),
    (
      "--to-entries --entry-names a",
      "--entry-names takes the names of the key and the value, as in key,value", 64
    ),
    (
      "--to-entries --schema person", "--to-entries and --schema, which describes other records, cannot be",
      64
    ),
    ("--from-entries --form typed", "--from-entries needs --form plain", 64),
    (
      "--from-entries", "expected a list of records with a key and a value, found a dictionary", 1
    ),
    (
      "--to-entries --select b",
      "expected a dictionary, whose entries become records, found a number (--select PATH reads",
      1
    ),
    ("--to-entries --infer", "x.json: the options for CSV cannot be used, because the input is json", 1),
  ]

  @Test(arguments: refused)
  func `Options that do not fit, and other values, are refused`(
    _ options: String, _ message: String, _ status: Int
  ) async throws {
    try directory.write("x.json", #"{"a":"x","b":5}"#)
    let run = try await run("ferry convert x.json --to json \(options)")
    #expect(run.status == status && run.output == "")
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test func `Types of columns are inferred for the values`() async throws {
    #expect(
      try await run(
        "printf 'key,value\\na,1\\nb,2\\n' | ferry convert --from csv --from-entries --infer --to json"
      )
      .output == #"{"a":1,"b":2}"# + "\n")
  }

  @Test func `Entries become rows of a database, and back`() async throws {
    try directory.write("x.json", #"{"b":"x","a":"y"}"#)
    expectQuiet(try await run("ferry convert x.json --to-entries --table texts -o x.db"))
    #expect(try await run("ferry convert x.db --to csv").output == "key,value\nb,x\na,y\n")
    #expect(
      try await run("ferry convert x.db --from-entries --to json").output == #"{"b":"x","a":"y"}"# + "\n")
  }
}

@Suite(.temporaryDirectory) struct `Dictionaries of records in a table` {
  @Test func `A dictionary of records that becomes one row has advice, and the advised options give rows`()
    async throws
  {
    try directory.write("a.json", #"{"a":{"x":"p"},"b":{"x":"q"}}"#)
    try directory.write("b.json", #"[{"a":{"x":"p"}},{"a":{"x":"q"}}]"#)
    let run = try await ToolRun.ferry("convert", "a.json", "--to", "csv")
    #expect(run.status == 0)
    #expect(run.errors.hasSuffix("; --to-entries --dotted makes a row of each entry of a dictionary\n"))
    let rows = try await ToolRun.ferry("convert", "a.json", "--to", "csv", "--to-entries", "--dotted")
    #expect(rows.output == "key,value.x\na,p\nb,q\n" && rows.errors == "", "\(rows)")
    try directory.write("c.json", #"[{"a":{"x":"p"},"b":{"x":"q"}}]"#)
    for name in ["b.json", "c.json"] {
      let list = try await ToolRun.ferry("convert", name, "--to", "csv")
      #expect(list.status == 0 && list.errors.hasSuffix(" (2)\n"), "\(list)")
    }
  }
}
