import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `CSV at the shell` {
  private func run(_ line: String) async throws -> ToolRun { try await ToolRun.shell(line) }

  @Test func `The hint for several inputs joins their records`() async throws {
    try directory.write("a.csv", "id,name\n1,x\n")
    try directory.write("b.csv", "name,id,more\ny,2,z\n")
    for options in ["-o all.csv", "--to csv"] {
      let refused = try await ToolRun.shell("ferry convert a.csv b.csv \(options)")
      let command =
        "ferry convert INPUTS --join \(options.hasPrefix("-o") ? "-o FILE" : "--to FORMAT")"
      #expect(
        refused.status == 64 && refused.errors.contains("; for one output of all records: \(command)\n"),
        "\(refused)")
    }
    let run = try await ToolRun.shell(
      "ferry convert a.csv b.csv --join -o all.csv -q; cat all.csv")
    #expect(run.output == "id,name,more\n1,x,\n2,y,z\n", "\(run)")
  }

  @Test func `A table goes from a spreadsheet to a document and back`() async throws {
    try directory.write(
      "people.csv", "lastName;firstName\r\nNeuburg;Matt\r\nO'Hara;\"Zoë; \"\"Z\"\"\"\r\n;\r\n")
    expectQuiet(try await run("ferry convert people.csv --schema person -o people.pplgrp"))
    let shown = try await run("ferry get people.pplgrp '[*].first'")
    #expect(shown.output == "Matt\nZoë; \"Z\"\n\n")
    let back = try await run(
      "ferry convert people.pplgrp --to csv --columns lastName,firstName --to-delimiter semicolon --crlf")
    #expect(back.output == "lastName;firstName\r\nNeuburg;Matt\r\nO'Hara;\"Zoë; \"\"Z\"\"\"\r\n\"\";\"\"\r\n")
    #expect(back.errors == "")
    expectQuiet(
      try await run("ferry seed seeded.pplgrp --from people.csv > seed.txt; cmp people.pplgrp seeded.pplgrp"))
  }

  @Test func `Options describe the input`() async throws {
    try directory.write("t.txt", "1|'a|b'|x\n2|c\n")
    let line =
      "ferry convert t.txt --from csv --delimiter pipe --quote \"'\" --no-header --column-names n,text,z --ragged --infer --to json"
    #expect(try await run(line).output == #"[{"n":1,"text":"a|b","z":"x"},{"n":2,"text":"c"}]"# + "\n")
    #expect(
      try await run("printf 'caf\\351\\n\\200\\n' | ferry get - --from csv --encoding windows-1252").output
        == #"[{"café":"€"}]"# + "\n")
    #expect(
      try await run("printf 'a.b,c\\n1,2\\n' | ferry convert --from csv --dotted --to json").output
        == #"[{"a":{"b":"1"},"c":"2"}]"# + "\n")
    #expect(try await run("printf 'a;b\\n1;2\\n' | ferry show --from csv --infer").output.contains("a: 1"))
    #expect(
      try await run("printf 'a\\tb,c\\n1\\t2\\n' > x.tab; ferry convert x.tab --to json").output
        == #"[{"a":"1","b,c":"2"}]"# + "\n")
  }

  @Test func `Commands read the cells of given texts as null`() async throws {
    try directory.write("a.csv", "id,zip,n\n1,NA,-\n2,\"NA\",5\n-,x,6\n")
    let options = "--null-value NA --null-value -"
    #expect(
      try await run("ferry convert a.csv --to jsonl \(options)").output
        == #"{"id":"1","zip":null,"n":null}"# + "\n" + #"{"id":"2","zip":"NA","n":"5"}"# + "\n"
        + #"{"id":null,"zip":"x","n":"6"}"# + "\n")
    #expect(
      try await run("ferry convert a.csv --to jsonl --infer \(options)").output
        == #"{"id":1,"zip":null,"n":null}"# + "\n" + #"{"id":2,"zip":"NA","n":5}"# + "\n"
        + #"{"id":null,"zip":"x","n":6}"# + "\n")
    #expect(try await run("ferry get a.csv '[0].n' \(options)").output == "null\n")
    #expect(try await run("ferry show a.csv \(options)").output.contains("zip: null"))
    let schema = try await run("ferry schema infer a.csv \(options) -o a.schema.json; cat a.schema.json")
    #expect(schema.output.contains("integer"), "\(schema)")
    let checked = try await run(
      "ferry check a.csv \(options); ferry schema check a.csv --schema a.schema.json \(options)")
    #expect(checked.status == 0, "\(checked)")
    try directory.write("b.csv", "id,zip,n\n1,-,NA\n2,\"NA\",5\nNA,x,6\n")
    #expect(try await run("ferry diff a.csv b.csv \(options)").status == 0)
    #expect(try await run("ferry diff a.csv b.csv").status == 1)
  }

  @Test func `Nulls are written as a given text, and the same text in quotation marks`() async throws {
    try directory.write("a.json", #"[{"a":null,"b":"NA"},{"a":"","b":true,"c":null},{"a":0,"b":"x"}]"#)
    #expect(
      try await run("ferry convert a.json --to csv --to-null-value NA -q").output
        == "a,b,c\nNA,\"NA\",\n\"\",true,NA\n0,x,\n")
    #expect(
      try await run("ferry convert a.json --to csv --to-null-value true -q").output
        == "a,b,c\ntrue,NA,\n\"\",\"true\",true\n0,x,\n")
    #expect(
      try await run("echo '[{\"a\":null},{\"a\":\"x\"}]' | ferry convert --to csv --to-null-value - -q")
        .output
        == "a\n-\nx\n")
    #expect(
      try await run("echo '[{\"n\":null},{\"n\":12}]' | ferry convert --to table --to-null-value -").output
        == " n\n--\n -\n12\n")
    #expect(
      try await run(
        "ferry convert a.json --to csv --to-null-value NA -q | ferry convert --from csv --null-value NA --infer --to json"
      ).output
        == #"[{"a":null,"b":"NA","c":null},{"a":"","b":"true","c":null},{"a":"0","b":"x","c":null}]"# + "\n")
  }

  @Test(arguments: ["csv", "tsv", "table"])
  func `Nulls that are written as a given text are not reported, and allowed by a strict conversion`(
    _ format: String
  ) async throws {
    try directory.write("a.json", #"[{"a":null,"b":"x"},{"a":"y","b":null}]"#)
    expectQuiet(try await run("ferry convert a.json --to \(format) --to-null-value NA --strict"))
    let emptied = try await run("ferry convert a.json --to \(format) --to-null-value ''")
    // A table is not made to be read again.
    #expect(emptied.errors == (format == "table" ? "" : "a.json: not exact: nulls become empty text (2)\n"))
  }

  @Test func `Nulls with a given text are not reported with a schema either`() async throws {
    try directory.write("a.json", #"[{"a":null,"b":"x"},{"a":"y","b":null}]"#)
    let written = try await run(
      "ferry schema infer a.json -o a.schema.json -q; ferry convert a.json --to csv --to-null-value NA --schema a.schema.json --strict"
    )
    #expect(written.output == "a,b\nNA,x\ny,NA\n")
    #expect(written.status == 0 && written.errors == "")
  }

  @Test func `A strict conversion refuses a null of XML that an empty cell lacks`() async throws {
    try directory.write(
      "s.json",
      #"{"ferry":1,"name":"rec","fields":[{"name":"n","type":"integer","optional":true},{"name":"s"}]}"#)
    try directory.write("a.xml", "<recs><rec><n/><s>a</s></rec></recs>")
    for format in ["csv", "tsv"] {
      let run = try await run("ferry convert a.xml --schema s.json --to \(format) --strict")
      #expect(run.status == 1)
      #expect(run.errors.contains("nulls are left out") && run.errors.contains("(at [0].n)"), "\(run.errors)")
    }
    // A table for a terminal is not made to be read again.
    expectQuiet(try await run("ferry convert a.xml --schema s.json --to table --strict"))
  }

  @Test func `The standard input and pipes become tables in a folder`() async throws {
    let records = "[" + (0..<50000).map { "{\"a\":\($0)}" }.joined(separator: ",") + "]"
    try directory.write("a.json", records)
    for line in [
      "cat a.json | ferry convert - --out-dir out --to csv -q",
      "ferry convert - --out-dir out --to csv -q < a.json",
      "mkfifo stdin.json; cat a.json > stdin.json & ferry convert stdin.json --out-dir out --to csv -q",
    ] {
      let run = try await run("rm -rf out; \(line); wc -l < out/stdin.csv")
      #expect(run.output.filter { !$0.isWhitespace } == "50001" && run.errors == "", "\(line): \(run.errors)")
    }
  }

  @Test func `A text for null that looks like another format is read back`() async throws {
    try directory.write("a.json", #"[{"a":"x","b":null},{"a":null,"b":"{"}]"#)
    for options in ["", "--omit-header"] {
      let header = options.isEmpty ? "" : "--no-header"
      let run = try await run(
        "ferry convert a.json --to csv --to-null-value '{' -q \(options)"
          + " | ferry convert --from csv --null-value '{' --to json \(header)")
      let records = #"[{"a":"x","b":null},{"a":null,"b":"{"}]"#
      #expect(run.output == (options.isEmpty ? records : #"[["x",null],[null,"{"]]"#) + "\n", "\(run)")
    }
  }

  @Test(arguments: [
    ("{", "echo '[{\"a\":null}]' | ferry convert --to csv --omit-header --to-null-value '{'"),
    (",", "printf 'a,b\\nx,y\\n' > x.csv; ferry set x.csv '[0].a' null --type null --null-value ,"),
    ("<", "printf 'x,y\\n' > x.csv; ferry set x.csv '[0][0]' null --type null --no-header --null-value '<'"),
  ]) func `A text for null that needs quotation marks is refused`(_ text: String, _ line: String) async throws
  {
    let run = try await run(line)
    let message =
      "\"\(text)\" cannot stand for null, because it needs quotation marks in the table (NA does not)"
    #expect(run.status == 1 && run.errors.contains(message), "\(run.errors)")
  }

  /// Command lines that fail, with the beginning of the message and the exit status.
  private static let refused = [
    (
      "printf '{}' > x.json; ferry convert x.json --to json --dotted",
      "x.json: --dotted is for tables, but the input is json, and the output is not a table (use --to csv)", 1
    ),
    (
      "printf 'a,b\\n1\\n' > x.csv; ferry convert x.csv --to json",
      "x.csv:2:1: the row has 1 cell, but the table has 2 columns (--ragged accepts such rows)", 1
    ),
    (
      "printf '{}' > x.json; ferry get x.json --delimiter ,",
      "x.json: the options for CSV cannot be used, because the input is json", 1
    ),
    (
      "printf 'a\\n' > x.csv; ferry convert x.csv --to xml --columns a",
      "Error: --columns needs --to csv, tsv, table, yaml or a format of JSON", 64
    ),
    (
      "printf 'a\\n' > x.csv; ferry convert x.csv --to json --form typed --columns a",
      "Error: --columns needs --form plain", 64
    ),
    (
      "echo '[]' | ferry convert --to json --to-null-value NA",
      "Error: --omit-header and --to-null-value need --to csv, tsv or table", 64
    ),
    (
      "echo '[]' | ferry convert --to csv --to-null-value a,b",
      "standard input: \"a,b\" cannot stand for null, because it needs quotation marks in the table", 1
    ),
    (
      "printf '{}' > x.json; ferry show x.json --null-value NA",
      "x.json: the options for CSV cannot be used, because the input is json", 1
    ),
    (
      "printf 'a\\n' > x.csv; ferry convert x.csv --to table --crlf",
      "Error: --to-delimiter, --crlf and --quote-all need --to csv or tsv", 64
    ),
    (
      "printf 'a\\n' > x.csv; ferry convert x.csv --to json --infer --schema person",
      "Error: --infer cannot be used with --schema", 64
    ),
    (
      "printf 'a\\n' > x.csv; ferry convert x.csv --to json --delimiter 5",
      "Error: The value '5' is invalid for '--delimiter <character>': a delimiter must be an ASCII character that is ",
      64
    ),
    (
      "echo '[]' | ferry convert --to csv --to-delimiter é",
      "Error: The value 'é' is invalid for '--to-delimiter <character>': a delimiter must be an ASCII character that is ",
      64
    ),
    (
      "echo '[]' | ferry convert --to csv --columns b,a,a",
      "Error: The value 'b,a,a' is invalid for '--columns <names>': the column \"a\" is given twice", 64
    ),
    (
      "echo '[]' | ferry convert --to csv --columns ''",
      "Error: The value '' is invalid for '--columns <names>': expected names of columns, separated by commas",
      64
    ),
    (
      "printf 'a\\n' > x.csv; ferry convert x.csv --to json --quote é",
      "Error: The value 'é' is invalid for '--quote <character>': expected one visible character of ASCII, or none",
      64
    ),
    (
      "echo x | ferry convert --from table --to json", "standard input: reading table is not supported", 1
    ),
    (
      "printf 'a\\n1\\n' > x.csv; ferry set x.csv '[0].a' '[2]' --type json",
      "x.csv: cannot put an array of 1 element here: a cell of a table is text (at [0].a)", 1
    ),
    (
      "printf '{\"a\":1}' > x.json; ferry set x.json a 2 --delimiter comma",
      "x.json: the options for CSV cannot be used, because the input is json", 1
    ),
    (
      "printf '[{\"a\":1}]' | ferry convert --to csv --form typed",
      "standard input: tables are written only in the plain form", 1
    ),
    (
      "printf '[{\"b\":{\"c\":1}}]' | ferry convert --to csv --columns b.c",
      "standard input: no record has the column \"b.c\", but \"b\" is a dictionary (--dotted writes its entries to columns)",
      1
    ),
  ]

  @Test(arguments: refused) func `A mistake is named`(_ line: String, _ message: String, _ status: Int)
    async throws
  {
    let run = try await run(line)
    #expect(run.status == status, "\(run.errors)")
    #expect(run.errors.hasPrefix(message), "\(run.errors)")
    #expect(run.output == "")
  }

  @Test func `Spaces around the commas of names of columns are left out, except in quotation marks`()
    async throws
  {
    try directory.write("s.json", #"[{"a":"x","b ":"y","c":"z"}]"#)
    try await expect("ferry convert s.json --to csv --columns ' c , a '", "c,a\nz,x\n")
    try await expect(#"ferry convert s.json --to jsonl --columns '"b " , a'"#, #"{"b ":"y","a":"x"}"# + "\n")
    try await expect(
      #"printf '1,2\n' | ferry convert --from csv --no-header --column-names 'p, q' --to jsonl"#,
      #"{"p":"1","q":"2"}"# + "\n")
  }

  @Test func `Only losses in the columns that are written are reported`() async throws {
    try directory.write(
      "d.plist",
      """
      <plist version="1.0"><array><dict><key>n</key><string>a</string><key>d</key><date>2020-01-01T00:00:00Z</date>\
      <key>b</key><data>AQI=</data><key>r</key><real>nan</real>\
      <key>o</key><dict><key>d</key><date>2020-01-01T00:00:00Z</date><key>s</key><string>b</string></dict></dict></array></plist>
      """)
    try await expect("ferry convert d.plist --columns n --to csv --strict", "n\na\n")
    try await expect("ferry convert d.plist --columns n --to table --strict", "n\n-\na\n")
    try await expect("ferry convert d.plist --columns n,o.s --dotted --to csv --strict", "n,o.s\na,b\n")
    for columns in ["d", "n,d", "b", "r", "o", "o.d --dotted"] {
      let run = try await ToolRun.shell("ferry convert d.plist --columns \(columns) --to csv --strict")
      #expect(run.status == 1 && run.errors.contains("not exact"), "\(columns): \(run.errors)")
    }
    try await expect(
      "ferry convert d.plist --columns n,d --to csv", "n,d\na,2020-01-01T00:00:00Z\n",
      errors: "not exact: dates become text (1)\n")
  }

  @Test func `Rows are written as they are read if the columns are given`() async throws {
    let wasWritten = try await ToolRun.shell(
      "ferry convert --from csv --to csv --columns b > out", input: "a,b\n1,2\n",
      pausingUntil: { (try? directory.text("out")) == "b\n2\n" }, then: "3,4\n")
    #expect(wasWritten)
    #expect(try directory.text("out") == "b\n2\n4\n")
  }

  @Test(arguments: [
    ("find 2 x.json x.csv --delimiter ';'", "x.json: a: 2\nx.csv: [0].b: 2\n"),
    ("find 2 all --delimiter ';'", "all/x.csv: [0].b: 2\nall/x.json: a: 2\n"),
    ("check x.json x.csv --no-header", "x.json: OK (json)\nx.csv: OK (csv)\n"),
    ("show x.csv x.json --delimiter ';'", "[{ a: \"1\", b: \"2\" }]\n{ a: 2 }\n"),
    ("show x.json --delimiter ';' --textconv", "{ a: 2 }\n"),
    ("find 2 x.plist x.csv --encoding latin1 -c", "x.plist: 1\nx.csv: 1\n"),
    ("find 2 all --encoding latin1 -c --exclude x.csv", "all/x.json: 1\nall/x.plist: 1\n"),
    ("check x.plist x.json --encoding latin1", "x.plist: OK (plist-binary)\nx.json: OK (json)\n"),
    (
      "convert -r two --encoding latin1 --no-header --to json --out-dir out && cat out/*",
      "[[\"a\",\"b\"],[\"1\",\"2\"]]\n{\"a\":2}\n{\"a\":2}\n"
    ),
    ("convert x.json x.csv --delimiter ';' --to json", "{\"a\":2}\n[{\"a\":\"1\",\"b\":\"2\"}]\n"),
    ("inspect all --summary --encoding latin1 | grep -c failed; true", "0\n"),
  ])
  func `Of several inputs, those that can have an option are read with it`(_ line: String, _ output: String)
    async throws
  {
    let made = try await run(
      """
      printf '{"a":2}' > x.json; printf 'a;b\n1;2\n' > x.csv; ferry convert x.json -o x.plist --to plist-binary
      mkdir all two; cp x.* all; for i in json csv plist; do cp x.$i two/$i.$i; done
      """)
    #expect(made.status == 0, "\(made.errors)")
    let plist = line.contains("all --delimiter") ? "rm all/x.plist; " : ""
    let run = try await run("\(plist)ferry \(line)")
    #expect(run.status == 0 && run.output == output, "\(run.output)\(run.errors)")
  }

  @Test func `A pipe beside a file is read once, whichever options are given`() async throws {
    let run = try await run(
      """
      echo '{"a":2}' > x.json; mkfifo p.csv p.xml; printf 'a;b\n1;2\n' > p.csv & ferry show p.csv x.json --delimiter ';'
      echo '<r><a>1</a></r>' > p.xml & ferry check p.xml x.json --list a
      """)
    #expect(
      run.output == """
        [{ a: "1", b: "2" }]
        { a: 2 }
        p.xml: OK (xml)
        x.json: OK (json)

        """, "\(run.output)\(run.errors)")
  }

  @Test func `A package beside a table is read without the options for tables`() async throws {
    let examples = "'\(URL(filePath: #filePath).deletingLastPathComponent().path)/../../Examples'"
    let run = try await run(
      """
      ferry convert \(examples)/things.xml -o T.mystuff --attachments \(examples); printf 'a;b\n1;2\n' > x.csv
      ferry check T.mystuff x.csv --delimiter ';'; ferry convert T.mystuff x.csv --delimiter ';' --to json --out-dir out
      ls out; mkdir all; mv T.mystuff x.csv all; ferry check all --delimiter ';'
      """)
    #expect(
      run.output == """
        T.mystuff: OK (archive)
        x.csv: OK (csv)
        T.json
        x.json
        all/T.mystuff: OK (archive)
        all/x.csv: OK (csv)

        """, "\(run.output)\(run.errors)")
  }

  @Test(arguments: [
    (
      "find 2 x.json x.json --delimiter ';'", "the options for CSV cannot be used, because the input is json",
      2
    ),
    ("show x.json x.json --no-header", "the options for CSV cannot be used, because the input is json", 1),
    ("schema infer x.xml --no-header", "the options for CSV cannot be used, because the input is xml", 1),
    ("schema infer x.xml --table a", "--table needs a database, and this is xml", 1),
    ("check x.plist x.plist --encoding latin1", "an encoding cannot be given for plist-binary", 1),
  ])
  func `An option that no input can have is refused`(_ line: String, _ message: String, _ status: Int)
    async throws
  {
    let run = try await run(
      """
      printf '{"a":2}' > x.json; printf '<r><p><n>1</n></p><p><n>2</n></p></r>' > x.xml
      ferry convert x.json -o x.plist --to plist-binary; ferry \(line)
      """)
    #expect(run.status == status && run.errors.contains(message), "\(run.errors)")
  }

  @Test func `Options for CSV are left out of compressed input of another format`() async throws {
    let run = try await run(
      """
      printf '{"a":2}' | gzip > x.dat; printf 'a;b\n1;2\n' > x.csv; printf 'a;b\n3;4\n' | gzip > y.csv.gz
      ferry convert x.dat x.csv y.csv.gz --to jsonl --delimiter ';'
      """)
    #expect(run.output == #"{"a":2}"# + "\n" + #"{"a":"1","b":"2"}"# + "\n" + #"{"a":"3","b":"4"}"# + "\n")
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `The delimiter is not the quotation mark`() async throws {
    try directory.write("x.csv", "a|b,c\n,1|,|2\n")
    for command in ["show x.csv", "set x.csv '[0].a' 1", "edit x.csv"] {
      let run = try await run("ferry \(command) --delimiter semicolon --quote ';'")
      #expect(run.status == 64)
      #expect(
        run.errors.contains("the delimiter and the quotation mark must be different characters"),
        "\(run.errors)")
    }
    // No delimiter is found that is the quotation mark.
    let found = try await run("ferry convert x.csv --to jsonl --quote ,")
    #expect(found.output == #"{"a":"1|","b,c":"2"}"# + "\n", "\(found.errors)")
    try directory.write("y.csv", "a,b\n1,2\n")
    let single = try await run("ferry convert y.csv --to jsonl --quote ,")
    #expect(single.output == #"{"a,b":"1,2"}"# + "\n", "\(single.errors)")
  }

  @Test func `A table is edited as text and stays valid`() async throws {
    try directory.write("x.csv", "a,b\n1,2\n")
    #expect(try await run("EDITOR='sed -i s/2/3/' ferry edit x.csv").status == 0)
    #expect(try directory.text("x.csv") == "a,b\n1,3\n")
    let broken = try await run("EDITOR='sed -i s/3/3,4/' ferry edit x.csv < /dev/null")
    #expect(broken.status == 1)
    #expect(try directory.text("x.csv") == "a,b\n1,3\n")
  }

  @Test func `A table that needs options is edited with them`() async throws {
    try directory.write("x.csv", "a,b\n1\n")
    let plain = try await run("EDITOR='sed -i s/1/2/' ferry edit x.csv < /dev/null")
    #expect(plain.errors.contains("(--ragged accepts such rows)"))
    #expect(try await run("EDITOR='sed -i s/1/2/' ferry edit x.csv --ragged").status == 0)
    #expect(try directory.text("x.csv") == "a,b\n2\n")
    let other = try await run("echo '{}' > x.json; EDITOR=false ferry edit x.json --ragged")
    #expect(
      other.errors
        == "x.json: the options for CSV cannot be used, because the input is json (--from csv reads it as CSV)\n"
    )
  }

  @Test(arguments: ["", " --force"])
  func `Tables whose names give one file name are refused before any file is written`(_ force: String)
    async throws
  {
    expectQuiet(try await run(#"echo '{"a/b":[{"x":1}],"a_b":[{"x":2}]}' | ferry convert -o o.db"#))
    let run = try await run("ferry convert o.db --to csv --out-dir out\(force); ls out")
    #expect(
      run.errors
        == "o.db: another table has the same output, out/o.a_b.csv (use --table NAME -o FILE for one of them)\n"
    )
    #expect(run.output.isEmpty)
  }

  @Test func `The refusal of a table whose output another input has names both inputs`() async throws {
    let run = try await run(
      "echo '{\"a\":[{\"x\":1}],\"b\":[{\"x\":2}]}' | ferry convert -o o.db; echo '[{\"x\":3}]' > o.a.json; "
        + "ferry convert o.a.json o.db --to csv --out-dir out --jobs 1")
    let problem = "o.db: another input, o.a.json, has the same output, out/o.a.csv"
    #expect(run.errors.contains("\(problem) (use another --out-dir for one of them)\n"), "\(run.errors)")
  }

  @Test func `Several tables of a database become several files`() async throws {
    let library = #"{"people":[{"name":"Ada"}],"pets/all":[{"kind":"cat"},{"kind":"dog"}]}"#
    expectQuiet(try await run("echo '\(library)' | ferry convert -o library.db"))
    expectQuiet(try await run("ferry convert library.db --to csv --out-dir out"))
    #expect(try await run("ls out").output == "library.people.csv\nlibrary.pets_all.csv\n")
    #expect(try directory.text("out/library.pets_all.csv") == "kind\ncat\ndog\n")
    expectQuiet(try await run("ferry convert library.db --to tsv --compress gzip --out-dir small"))
    #expect(try await run("ls small").output == "library.people.tsv.gz\nlibrary.pets_all.tsv.gz\n")
    // No file is written if one of them exists.
    let again = try await run(
      "rm out/library.people.csv; ferry convert library.db --to csv --out-dir out; ls out")
    #expect(again.output == "library.pets_all.csv\n")
    #expect(again.errors.hasPrefix("out/library.pets_all.csv: the file already exists"))
    for target in ["csv", "table"] {
      let one = try await run("ferry convert library.db --to \(target)")
      #expect(
        one.errors.hasPrefix(
          "library.db: the output has room for one table (name it with --table; --out-dir writes a file for each)"
        ),
        "\(one.errors)")
      #expect(one.output == "")
    }
    #expect(try await run("ferry convert library.db --to csv --table people").output == "name\nAda\n")
    expectQuiet(try await run("ferry convert library.db -o copy.db -q"))
  }

  @Test func `CSV from a pipe without its name is recognized in the message`() async throws {
    #expect(
      try await run("printf 'a,b\\n1,2\\n' | ferry convert --to json").errors
        == "standard input: no format that Ferry reads begins with these bytes, which may be CSV (use --from csv; ferry formats lists the formats)\n"
    )
    #expect(
      try await run("echo word | ferry convert --to json").errors
        == "standard input: no format that Ferry reads begins with these bytes (use --from FORMAT; ferry formats lists the formats)\n"
    )
  }
}
