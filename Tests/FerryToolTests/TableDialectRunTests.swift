import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Dialects of tables at the shell` {
  @Test(arguments: [
    ("set a.csv '[0].b' 5", "a,b\r\n1,5\r\n3,4\r\n"),
    (
      "insert a.csv '[]' '{\"a\":\"5\",\"b\":\"6\"}' --type json",
      "a,b\r\n1,2\r\n3,4\r\n5,6\r\n"
    ), ("remove a.csv '[0]'", "a,b\r\n3,4\r\n"),
    ("remove a.csv '[*]'", "a,b\r\n"), ("move a.csv '[0]' '[1]'", "a,b\r\n3,4\r\n1,2\r\n"),
    ("move a.csv '[*].b' '[*].c'", "a,c\r\n1,2\r\n3,4\r\n"),
    ("copy a.csv '[0]' '[]'", "a,b\r\n1,2\r\n3,4\r\n1,2\r\n"),
    ("patch a.csv p.json", "a,b\r\n1,9\r\n3,4\r\n"), ("rename a.csv --key b=d", "a,d\r\n1,2\r\n3,4\r\n"),
    ("insert a.csv '[*].c' x", "a,b,c\r\n1,2,x\r\n3,4,x\r\n"),
  ])
  func `Every command that changes a table keeps the lines before its header`(_ line: String, _ table: String)
    async throws
  {
    let lines = "Report; \"2024\r\n\r\n,,,,\n"
    try directory.write("p.json", #"[{"op":"replace","path":"/0/b","value":"9"}]"#)
    for mark in ["", "\u{feff}"] {
      try directory.write("a.csv", mark + lines + "a,b\r\n1,2\r\n3,4\r\n")
      let run = try await ToolRun.shell("ferry \(line) --skip-rows 3")
      #expect(run.status == 0, "\(run)")
      #expect(try directory.text("a.csv") == mark + lines + table)
    }
  }

  @Test func `Every command that reads tables skips lines before the header`() async throws {
    try directory.write("a.csv", "Report\n\na, b\n1, \"x, y\"\n")
    try directory.write("b.csv", "a,b\n1,\"x, y\"\n")
    let options = "--skip-rows 2 --skip-initial-space"
    let run = try await ToolRun.shell(
      """
      ferry convert a.csv --to json \(options); ferry get a.csv '[0].b' \(options); ferry check a.csv \(options)
      ferry find 'x, y' a.csv --count \(options); ferry show a.csv \(options) | head -1
      ferry schema infer a.csv --name r \(options) > r.json && ferry schema check a.csv --schema r.json \(options)
      ferry convert a.csv \(options) -o c.csv && ferry diff b.csv c.csv && echo same
      EDITOR='sed -i s/Report/Title/' ferry edit a.csv \(options) && head -1 a.csv
      """)
    #expect(run.output.hasPrefix("[{\"a\":\"1\",\"b\":\"x, y\"}]\nx, y\n"), "\(run)")
    #expect(run.output.hasSuffix("same\nTitle\n"), "\(run)")
    #expect(!run.errors.contains("x.csv:"), "\(run)")
  }

  @Test(arguments: [
    (
      "printf 'a, b\\n1, \"x, y\"\\n' > x.csv; ferry convert x.csv --to json",
      "x.csv:2:1: the row has 3 cells, but the table has 2 columns (--skip-initial-space ignores the spaces before quotation marks) (at [0])\n",
      1
    ),
    (
      "printf '# x\\na,b\\n1,2\\n' > x.csv; ferry convert x.csv --to json",
      "x.csv:2:1: the row has 2 cells, but the table has 1 column (--skip-rows 1 skips the lines before the header; --ragged accepts such rows) (at [0])\n",
      1
    ),
    (
      "printf 'a\\n' > x.csv; ferry convert x.csv --to json --skip-rows 2",
      "x.csv:2:1: the text has 1 line, but 2 are to be skipped (--skip-rows is the number of lines before the header)\n",
      1
    ),
    (
      "printf 'a\\n' > x.csv; ferry convert x.csv --to json --skip-rows -1",
      "Error: The value '-1' is invalid for '--skip-rows <number>': expected a number of lines, such as 2\n",
      64
    ),
    (
      "printf 'a\\n' > x.csv; ferry convert x.csv --to json --skip-rows x",
      "Error: The value 'x' is invalid for '--skip-rows <number>': expected a number of lines, such as 2\n",
      64
    ),
    (
      "printf 'a\\n' > x.csv; ferry convert x.csv --to json --skip-rows 99999999999999999999",
      "Error: The value '99999999999999999999' is invalid for '--skip-rows <number>': expected a number of lines, such as 2\n",
      64
    ),
    (
      "echo '{}' > x.json; ferry set x.json a 2 --skip-rows 1",
      "x.json: the options for CSV cannot be used, because the input is json (--from csv reads it as CSV)\n",
      1
    ),
    (
      "echo '{}' > x.json; ferry convert x.json --to yaml --skip-initial-space",
      "x.json: the options for CSV cannot be used, because the input is json (--from csv reads it as CSV)\n",
      1
    ),
    (
      "echo '{}' | ferry convert --to table --quote-all",
      "Error: --to-delimiter, --crlf and --quote-all need --to csv or tsv\n", 64
    ),
    (
      "printf 'a\\n\"x \\\\\"y\\\\\"\"\\n' > x.csv; ferry check x.csv",
      "backslash escapes, as MySQL writes them, are not supported)", 1
    ),
    (
      "echo '[]' | ferry convert --to csv --quoting 1", "(--quote-all writes all cells in quotation marks)",
      64
    ),
    (
      "printf 'a\\n' > x.csv; ferry convert x.csv --to json --skip-lines 1",
      "(--skip-rows 2 skips two lines before the header)", 64
    ),
    (
      "mkfifo p; ferry set p a 2",
      "p: this is neither a file nor a folder (ferry set - a 2 < p writes the result to the standard output)\n",
      1
    ),
    (
      "mkfifo 'a p'; ferry remove 'a p' '[0]' --from csv",
      "(ferry remove - '[0]' --from csv < 'a p' writes the result to the standard output)\n", 1
    ),
  ])
  func `An error of a dialect names the way out`(_ line: String, _ words: String, _ status: Int) async throws
  {
    let run = try await ToolRun.shell(line)
    #expect(Int(run.status) == status && run.output == "", "\(run)")
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test(arguments: [
    (#"[1]\n"007"\n"#, "--infer", #"[{"[1]":"007"}]"#),
    (#"a;b\n1;2\n"#, "--delimiter semicolon", #"[{"a":"1","b":"2"}]"#),
    (#"1\n2\n"#, "--no-header", #"[["1"],["2"]]"#),
    (#"{"a":1}\n{"a":2}\n"#, "--infer", #"[{"a":1},{"a":2}]"#),
    (#"[{"a":1}]"#, "--infer", #"[{"a":1}]"#),
    (#"# x\na,b\n1,2\n"#, "--skip-rows 1", #"[{"a":"1","b":"2"}]"#),
    (#""a","b"\n"1","2"\n"#, "--infer", #"[{"a":1,"b":2}]"#), (#"<r><a>1</a></r>"#, "--infer", nil),
  ])
  func `An option for CSV decides for the standard input if its content may be CSV`(
    _ text: String, _ options: String, _ json: String?
  ) async throws {
    let run = try await ToolRun.shell("printf '\(text)' | ferry convert --to json \(options)")
    #expect(run.status == 0, "\(run)")
    if let json { #expect(run.output == json + "\n", "\(run)") }
  }

  @Test func `A change of the standard input keeps its encoding if an option for CSV shows its format`()
    async throws
  {
    let run = try await ToolRun.shell(
      #"printf 'a;b\n\351;2\n' | ferry set - '[0].b' 3 --delimiter ';' --encoding iso-8859-1 | od -An -c | tr -d ' \n'"#
    )
    #expect(run.output == #"a;b\n351;3\n"#, "\(run)")
  }

  @Test func `All cells get quotation marks, also in the output of several threads and of a join`()
    async throws
  {
    try directory.write("a.jsonl", "{\"a\":1,\"b\":\"x\"}\n{\"a\":null}\n")
    let run = try await ToolRun.shell(
      """
      ferry convert a.jsonl --to csv --quote-all -q; ferry convert a.jsonl --to tsv --quote-all -q --omit-header
      ferry convert a.jsonl a.jsonl --join --to csv --quote-all -q --columns b
      """)
    #expect(
      run.output == "\"a\",\"b\"\n\"1\",\"x\"\n\"\",\"\"\n\"1\"\t\"x\"\n\"\"\t\"\"\n"
        + "\"b\"\n\"x\"\n\"\"\n\"x\"\n\"\"\n", "\(run)")
  }
}
