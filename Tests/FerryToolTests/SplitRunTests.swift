import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Records of an input in files of their own` {
  private func files(in folder: String) async throws -> [String] {
    try await ToolRun.shell("cd \(folder) && ls -A | LC_ALL=C sort").output.split(separator: "\n").map(
      String.init)
  }

  @Test(arguments: ["json", "jsonl", "csv", "plist-xml", "plist-binary", "yaml", "xml", "archive"])
  func `A file is what the conversion of its record alone gives`(_ format: String) async throws {
    try directory.write("folks.xml", folks)
    try directory.write("record.json", #"{"firstName":"Snidely","lastName":"Whiplash"}"#)
    let run = try await ToolRun.shell(
      """
      ferry convert folks.xml --schema person --split --to \(format) --out-dir out -q
      ferry convert record.json --schema person --to \(format) -q > whole
      ls out | wc -l | tr -d ' '; cmp out/folks-2.* whole && echo equal
      """)
    #expect(run.output == "3\nequal\n" && run.errors == "", "\(run)")
  }

  @Test func `The files are numbered, and exist only as a whole`() async throws {
    try directory.write("a.json", #"{"p":[{"x":1},{"x":2}],"q":0}"#)
    let run = try await ToolRun.ferry("convert", "a.json", "--split", "--to", "json", "--out-dir", "out")
    #expect(run.status == 0 && run.output == "", "\(run)")
    #expect(
      run.errors == "a.json: not exact: values beside the records are left out (1)\n2 files written\n",
      "\(run)")
    #expect(try await files(in: "out") == ["a-1.json", "a-2.json"])
    try await expect("cat out/a-1.json out/a-2.json", "{\"x\":1}\n{\"x\":2}\n")
    try await expect(
      "ferry convert - --select 'p[*].x' --split --to json --out-dir in -q < a.json; ls in; cat in/stdin-2.json",
      "stdin-1.json\nstdin-2.json\n2\n")
    let again = try await ToolRun.ferry(
      "convert", "a.json", "--split", "--to", "json", "--out-dir", "out", "-q")
    expectFailure(again, "out/a-1.json: the file already exists (use --force to replace it)")
    expectQuiet(
      try await .ferry("convert", "a.json", "--split", "--to", "json", "--out-dir", "out", "-q", "--force"))
  }

  @Test func `A value of each record names its file`() async throws {
    try directory.write(
      "a.json",
      #"[{"n":{"last":"a/b"}},{"n":{"last":"-x"}},{"n":{"last":".y"}},{"n":{"last":7}},{"n":{"last":true}}]"#)
    let run = try await ToolRun.ferry(
      "convert", "a.json", "--split-by", "n.last", "--to", "yaml", "--out-dir", "out")
    #expect(run.status == 0 && run.output == "" && run.errors == "5 files written\n", "\(run)")
    #expect(try await files(in: "out") == ["7.yaml", "_x.yaml", "_y.yaml", "a_b.yaml", "true.yaml"])
  }

  @Test func `Records without a name, or with that of another record, are refused`() async throws {
    try directory.write("a.json", #"[{"id":1},{"x":2},{"id":3}]"#)
    try directory.write("b.json", #"[{"id":"A"},{"id":"b"},{"id":"a"}]"#)
    try directory.write("c.json", #"[{"id":""}]"#)
    let missing = try await ToolRun.ferry(
      "convert", "a.json", "--split-by", "id", "--to", "json", "--out-dir", "a")
    #expect(missing.status == 1)
    #expect(
      missing.errors.contains(#"the record has no value at "id" that can be the name of a file"#),
      "\(missing)")
    #expect(missing.errors.contains("(at [1])"), "\(missing)")
    #expect(missing.errors.hasSuffix("1 record was written before, and its file stays\n"), "\(missing)")
    #expect(try await files(in: "a") == ["1.json"])
    let same = try await ToolRun.ferry(
      "convert", "b.json", "--split-by", "id", "--to", "json", "--out-dir", "b", "--force")
    #expect(same.status == 1)
    #expect(
      same.errors.contains(
        #"the same name of its file, "a", as the record [0], "A", because upper and lower case may be the same"#
      ),
      "\(same)")
    #expect(same.errors.contains("or use --split without --split-by, which numbers the files)"), "\(same)")
    #expect(same.errors.contains("(at [2])"), "\(same)")
    try await expect("cat b/A.json b/b.json", "{\"id\":\"A\"}\n{\"id\":\"b\"}\n")
    try directory.write("d.json", #"[{"id":"Straße"},{"id":"ısı"},{"id":"isi"},{"id":"STRASSE"}]"#)
    let folded = try await ToolRun.ferry(
      "convert", "d.json", "--split-by", "id", "--to", "json", "--out-dir", "d", "--force")
    #expect(folded.status == 1, "\(folded)")
    #expect(folded.errors.contains(#""STRASSE", as the record [0]"#), "\(folded)")
    #expect(try await files(in: "d").count == 3)
    let empty = try await ToolRun.ferry(
      "convert", "c.json", "--split-by", "id", "--to", "json", "--out-dir", "c")
    #expect(empty.status == 1 && empty.errors.contains("(at [0])"), "\(empty)")
    #expect(try await files(in: "c") == [])
  }

  @Test func `Files before an error stay, and none is incomplete`() async throws {
    try directory.write("a.jsonl", "{\"x\":1}\n{\"x\":2}\n{\"x\":\n{\"x\":3}\n")
    let run = try await ToolRun.ferry("convert", "a.jsonl", "--split", "--to", "json", "--out-dir", "out")
    #expect(run.status == 1 && run.errors.hasPrefix("a.jsonl:3:"), "\(run)")
    let names = try await files(in: "out")
    #expect(names.allSatisfy { ["a-1.json", "a-2.json"].contains($0) }, "\(names)")
    let going = try await ToolRun.ferry(
      "convert", "a.jsonl", "--split", "--to", "json", "--out-dir", "all", "--keep-going")
    #expect(going.status == 1, "\(going)")
    try await expect("cat all/a-*.json", "{\"x\":1}\n{\"x\":2}\n{\"x\":3}\n")
  }

  @Test func `Losses have the path of their record, and a strict run writes no record with one`() async throws
  {
    try directory.write("a.yaml", "- x: 1\n- x: 2020-01-02T03:04:05Z\n- !!binary AQI=\n")
    let run = try await ToolRun.shell(
      """
      ferry convert a.yaml --split --to json --out-dir out -q --report r.json
      ferry convert r.json --select 'losses[*].path' --to json; ls out | wc -l | tr -d ' '
      """)
    #expect(run.output.hasSuffix("\n3\n") && run.output.contains(#""[2]""#), "\(run)")
    let strict = try await ToolRun.ferry(
      "convert", "a.yaml", "--split", "--to", "json", "--out-dir", "strict", "--strict")
    #expect(strict.status == 1, "\(strict)")
    #expect(try await !files(in: "strict").contains("a-3.json"))
  }

  @Test func `The file of a record is never that of the report`() async throws {
    try directory.write("k.json", #"[{"id":"r"},{"id":"s"}]"#)
    for report in ["K/r.json", "./K/R.json", "link.json"] {
      let run = try await ToolRun.shell(
        """
        mkdir K; ln -sf K/r.json link.json
        ferry convert k.json --split-by id --to json --out-dir K --report \(report); echo $?; ls K | grep -c s.json; rm -r K
        """)
      #expect(run.output == "1\n0\n", "\(report): \(run)")
      #expect(
        run.errors.contains("the output K/r.json would replace the file of --report"), "\(report): \(run)")
    }
    for report in ["K/k-2.json", "K/k-7.json"] {
      let run = try await ToolRun.ferry(
        "convert", "k.json", "--split", "--to", "json", "--out-dir", "K", "--report", report)
      #expect(run.status == 64 && run.errors.contains("the name of a record's file"), "\(run)")
    }
    expectQuiet(
      try await .ferry(
        "convert", "k.json", "--split-by", "id", "--to", "json", "--out-dir", "K", "--report",
        "K/report.json",
        "-q"))
    #expect(try await files(in: "K") == ["r.json", "report.json", "s.json"])
  }

  @Test func `The records of several inputs get files, each named after its input`() async throws {
    try directory.write("a.json", #"[{"x":1},{"x":2}]"#)
    try directory.write("b.jsonl", "{\"x\":3}\n")
    let run = try await ToolRun.ferry(
      "convert", "a.json", "b.jsonl", "--split", "--to", "json", "--out-dir", "out")
    #expect(run.status == 0 && run.output == "", "\(run)")
    #expect(run.errors == "3 files written\n2 converted, 0 failed\n", "\(run)")
    try await expect("cat out/a-1.json out/a-2.json out/b-1.json", "{\"x\":1}\n{\"x\":2}\n{\"x\":3}\n")
    try await expect(
      "ferry convert a.json b.jsonl --split-by x --to json --out-dir named -q; cd named; ls",
      "1.json\n2.json\n3.json\n")
    let folder = try await ToolRun.shell(
      """
      mkdir -p t/s; cp a.json t; cp a.json t/s; printf '\\177ELF' > t/program
      ferry convert -r t --split --to json --out-dir tree -q; cd tree; ls a-1.json a-2.json s/a-1.json s/a-2.json | wc -l
      """)
    #expect(
      folder.status == 0 && folder.output.split(separator: " ").last?.hasSuffix("4\n") == true, "\(folder)")
  }

  @Test func `No file is written if two inputs have a name of a file, or if one has an error`() async throws {
    try directory.write("a.json", #"[{"id":"x"},{"id":"y"}]"#)
    try directory.write("b.json", #"[{"id":"z"},{"id":"Y"}]"#)
    try directory.write("a.jsonl", #"{"id":"q"}"#)
    try directory.write("bad.json", #"[{"id":"v"},"#)
    for (inputs, words) in [
      (
        "a.json b.json --split-by id",
        "b.json:1:22: a record of another input, a.json, has the same name of its file, out/Y.json (give the path"
      ),
      ("a.json a.jsonl --split", "a.jsonl: another input, a.json, has the same output, out/a-1.json"),
      ("a.json bad.json --split", "bad.json:1:"), ("a.json none.json --split", "none.json: no such file"),
      ("bad.json b.json --split --force", "bad.json:1:"),
    ] {
      let run = try await ToolRun.shell("ferry convert \(inputs) --to json --out-dir out")
      #expect(run.status == 1 && run.errors.contains(words), "\(inputs): \(run)")
      #expect(run.errors.contains("no file was written\n"), "\(inputs): \(run)")
      #expect(try await files(in: "out") == [], "\(inputs)")
    }
    try await expect(
      "ferry convert a.json a.jsonl --split --keep-extension --to json --out-dir kept -q; cd kept; ls | LC_ALL=C sort",
      "a.json-1.json\na.json-2.json\na.jsonl-1.json\n")
  }

  @Test func `An output that exists, or is an input, stops the split of several inputs`() async throws {
    try directory.write("a.json", "[1]")
    try directory.write("a-1.json", "[2]")
    let exists = try await ToolRun.ferry(
      "convert", "a.json", "a-1.json", "--split", "--to", "json", "--out-dir", ".")
    #expect(exists.status == 1 && exists.errors.contains("no file was written\n"), "\(exists)")
    let forced = try await ToolRun.ferry(
      "convert", "a.json", "a-1.json", "--split", "--to", "json", "--out-dir", ".", "--force")
    #expect(forced.status == 1 && forced.errors.contains("is another input of this run"), "\(forced)")
    #expect(try directory.names() == ["a-1.json", "a.json"])
    #expect(try directory.text("a-1.json") == "[2]")
  }

  @Test func `The errors of records in several inputs are reported once`() async throws {
    try directory.write("a.jsonl", "{\"x\":1}\n{\"x\":\n{\"x\":3}\n")
    try directory.write("b.jsonl", "2\n")
    let run = try await ToolRun.ferry(
      "convert", "a.jsonl", "b.jsonl", "--split", "--keep-going", "--to", "json", "--out-dir", "out")
    #expect(run.status == 1, "\(run)")
    #expect(run.errors.split(separator: "\n").count(where: { $0.hasPrefix("a.jsonl:2:") }) == 1, "\(run)")
    #expect(try await files(in: "out") == ["a-1.json", "a-2.json", "b-1.json"])
  }

  @Test func `A dry run names the files and writes nothing`() async throws {
    try directory.write("a.json", "[1,2]")
    try await expect(
      "ferry convert a.json --split --to json --out-dir out -n",
      "a.json -> out/a-1.json\na.json -> out/a-2.json\n", errors: "2 files would be written\n")
    #expect(try directory.names() == ["a.json"])
  }

  @Test(arguments: [
    ("a.json --split --to json", "--split needs --out-dir FOLDER"),
    ("a.json --split-by id -o b.json", "--split-by needs --out-dir FOLDER"),
    ("a.json - --split --to json --out-dir out", "cannot read the standard input twice"),
    ("a.json --split --join --to json --out-dir out", "--out-dir, which has an output for each input"),
    ("a.json --split --to json --form raw --out-dir out", "--split cannot be used with --form raw"),
    (
      "a.json --split --to json --shared reference --out-dir out",
      "--split cannot be used with --shared reference"
    ),
    (
      "a.json --split-by id --to archive --shared=reference --out-dir out",
      "--split-by cannot be used with --shared"
    ),
    ("a.json --split --to things --out-dir out", "--split cannot write packages"),
    ("a.json --split-by 'a[*]' --to json --out-dir out", "--split-by needs the path of one value"),
  ]) func `Options without a meaning for single records are refused`(_ line: String, _ words: String)
    async throws
  {
    try directory.write("a.json", "[1]")
    let run = try await ToolRun.shell("ferry convert \(line)")
    #expect(run.status == 64 && run.errors.contains(words), "\(run)")
    #expect(try directory.names() == ["a.json"])
  }

  private func contents(_ run: String) async throws -> String {
    let run = try await ToolRun.shell(
      "ferry convert \(run) --split --to xml --indent 0 --out-dir out -q && cat out/*; rm -r out")
    #expect(run.status == 0 && run.errors == "", "\(run)")
    return run.output.replacing("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", with: "")
  }

  @Test func `A record of XML keeps the name of its element and the namespaces around it`() async throws {
    try directory.write(
      "a.xml",
      "<p:l xmlns:p='urn:p' xmlns='urn:d'><p:r p:i='1'><n>A</n></p:r><p:r>x</p:r><p:r xmlns:p='urn:q'/></p:l>"
    )
    let declared = "xmlns:p=\"urn:p\" xmlns=\"urn:d\""
    #expect(
      try await contents("a.xml") == """
        <p:r p:i="1" \(declared)>
        <n>A</n>
        </p:r>
        <p:r \(declared)>x</p:r>
        <p:r xmlns:p="urn:q" xmlns="urn:d"/>

        """)
    try directory.write(
      "b.xml", "<r xmlns:d='urn:d'><c><i>1</i><d:n d:k='2'/></c><i xmlns:e='urn:e'><e:v/></i></r>")
    for xpath in ["//i | //d:n", "//*[self::i or self::d:n]"] {
      #expect(
        try await contents("b.xml --select '\(xpath)' --ns d=urn:d") == """
          <i xmlns:d="urn:d">1</i>
          <d:n d:k="2" xmlns:d="urn:d"/>
          <i xmlns:e="urn:e" xmlns:d="urn:d">
          <e:v/>
          </i>

          """, "\(xpath)")
    }
    #expect(
      try await contents("a.xml --select //p:r[1] --root s") == "<s p:i=\"1\" \(declared)>\n<n>A</n>\n</s>\n")
    #expect(
      try await contents("a.xml --select //p:r[1] --namespaces strip") == "<r i=\"1\">\n<n>A</n>\n</r>\n")
    try directory.write("one.xml", "<p:o xmlns:p='urn:p'><p:n>A</p:n></p:o>")
    #expect(try await contents("one.xml") == "<p:o xmlns:p=\"urn:p\">\n<p:n>A</p:n>\n</p:o>\n")
  }

  @Test func `The names of records of XML are escaped as in the input`() async throws {
    try directory.write("a.xml", "<l><a_x003A_b i='1'/><a_x003A_b i='2'/></l>")
    #expect(try await contents("a.xml") == "<a_x003A_b i=\"1\"/>\n<a_x003A_b i=\"2\"/>\n")
  }

  @Test(arguments: ["json", "jsonl", "yaml", "xml", "csv", "plist-xml", "archive"])
  func `The format of the outputs does not change which records there are`(_ format: String) async throws {
    try directory.write("two.xml", "<books><book><t>a</t></book><book><t>b</t></book></books>")
    try directory.write("none.xml", "<books/>")
    try directory.write("other.xml", "<books><t>a</t></books>")
    for (inputs, count) in [
      ("two.xml none.xml", 2), ("none.xml two.xml", 2), ("two.xml other.xml", 2), ("none.xml", 1),
      ("other.xml", 1), ("two.xml --select //t", 2),
    ] {
      let run = try await ToolRun.shell(
        "ferry convert \(inputs) --split --to \(format) --out-dir out -q && ls out | wc -l | tr -d ' '; rm -rf out"
      )
      #expect(run.output == "\(count)\n", "\(inputs): \(run)")
    }
  }
}
