import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Runs` {
  @Test(arguments: [
    ["convert", "--to", "json"], ["convert", "-", "--to", "json"], ["convert", "--to=json", "-o", "-"],
  ])
  func `A run reads the standard input and writes the standard output`(arguments: [String]) async throws {
    let run = try await ToolRun.ferry(arguments, input: Array(folks.utf8))
    expectQuiet(run)
    #expect(run.output == folksJSON)
  }

  @Test func `A run is a part of a pipeline`() async throws {
    try directory.write("folks.xml", folks)
    let run = try await ToolRun.shell(
      """
      cat folks.xml | ferry convert --to archive | ferry convert --to jsonl | ferry convert --to plist-xml \
      | ferry convert - --to json
      """)
    expectQuiet(run)
    #expect(run.output == folksJSON)
  }

  @Test(arguments: ["1", "2", "8"])
  func `A run converts many inputs, one that fails among them`(jobs: String) async throws {
    try directory.write("a.xml", folks)
    try directory.write("b.json", "[1,\n  2,,]")
    try directory.write("c.json", "[3]")
    let run = try await ToolRun.ferry(
      "convert", "a.xml", "b.json", "c.json", "--to", "plist-xml", "--out-dir", "out/deep", "--jobs", jobs)
    expectFailure(
      run,
      """
      b.json:2:5: expected a value, found "," (at [2])
      2 converted, 1 failed
      """)
    #expect(try directory.names(in: "out/deep") == ["a.plist", "c.plist"])
    let back = try await ToolRun.ferry("convert", "out/deep/a.plist", "--to", "json")
    #expect(back.output == folksJSON)
  }

  @Test func `A run reports failures in the order of the inputs`() async throws {
    let names = (0..<20).map { "\($0).json" }
    for name in names { try directory.write(name, "[") }
    let run = try await ToolRun.ferry(["convert", "--to", "jsonl", "--out-dir", "out", "-j", "4"] + names)
    #expect(run.status == 1)
    #expect(
      run.errors.split(separator: "\n").prefix(20).map { $0.prefix { $0 != ":" } } == names.map { $0[...] })
    #expect(try directory.names(in: "out") == [])
  }

  @Test func `The summary of a run has the number of records that were left out`() async throws {
    try directory.write("a.jsonl", "{\"a\":1}\n{\"a\":}\n{\"a\":2}\n")
    try directory.write("b.jsonl", "{\"a\":1}\n{\"a\":}\n[\n")
    try directory.write("c.jsonl", "{\"a\":1}\n")
    let line = ["convert", "--to", "jsonl", "--out-dir", "out", "--keep-going", "--force"]
    for (names, summary) in [
      (["a.jsonl", "b.jsonl"], "2 converted, 0 failed, 3 records left out"),
      (["a.jsonl", "c.jsonl", "no.jsonl"], "2 converted, 1 failed, 1 record left out"),
    ] {
      let dry = try await ToolRun.ferry(line + names + ["--dry-run"])
      let words = summary.replacing("converted", with: "would be converted")
        .replacing("left out", with: "would be left out")
      #expect(dry.status == 1 && dry.errors.hasSuffix("\n\(words)\n"), "\(dry.errors)")
      let run = try await ToolRun.ferry(line + names)
      #expect(run.status == 1 && run.errors.hasSuffix("\n\(summary)\n"), "\(run.errors)")
    }
    let complete = try await ToolRun.ferry("convert", "c.jsonl", "c.jsonl", "--to", "jsonl", "--keep-going")
    #expect(complete.status == 0 && complete.errors == "2 converted, 0 failed\n", "\(complete.errors)")
  }

  @Test func `A run reports the errors of records in the order of the inputs`() async throws {
    let run = try await ToolRun.shell(
      #"""
      for name in a b c d; do yes '{"a":}' | head -n 3000 > $name.jsonl; done
      ferry convert [abcd].jsonl --to jsonl --keep-going --out-dir out --jobs 4 --report report.json 2> errors
      echo $?
      for name in a b c d; do seq -f "$name.jsonl:%.0f:6" 3000; done > expected
      grep '^.*jsonl:' errors | cut -d : -f 1-3 | cmp - expected
      tail -n 1 errors
      ferry get report.json --count failures
      ferry get report.json 'failures[*].file' | sort | uniq -c | tr -s ' '
      """#)
    #expect(
      run.output == """
        1
        4 converted, 0 failed, 12000 records left out
        12000
         3000 a.jsonl
         3000 b.jsonl
         3000 c.jsonl
         3000 d.jsonl

        """, "\(run.errors)")
  }

  @Test(arguments: [
    "convert bad.jsonl --to jsonl --keep-going --force -o out.jsonl --report report.json",
    "check bad.jsonl --schema s.json", "check bad.jsonl --schema s.json --json",
    "schema check bad.jsonl --schema s.json", "schema check bad.jsonl --schema s.json --json",
  ])
  func `The errors of records take no memory`(_ line: String) async throws {
    try directory.write(
      "s.json",
      #"{"ferry":1,"name":"s","record":{"element":"r"},"fields":[{"name":"a","type":"integer"}]}"#)
    try directory.write("bad.jsonl", String(repeating: "{\"a\":\"x\"}\n{\"a\":}\n", count: 150_000))
    let answer = try await Peer.python(
      """
      import os, sys
      os.chdir('\(directory.path)')
      out = os.open('out', os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
      errors = os.open('errors', os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
      pid = os.posix_spawn('\(try ToolRun.path)', 'ferry \(line)'.split(), os.environ, file_actions=[
        (os.POSIX_SPAWN_DUP2, out, 1), (os.POSIX_SPAWN_DUP2, errors, 2)])
      _, status, usage = os.wait4(pid, 0)
      count = sum(':6: expected' in line for line in open('errors')) or open('out').read().count('"code"')
      print(status >> 8, count, usage.ru_maxrss < 64 * 1024, usage.ru_maxrss)
      """)
    let isConversion = line.hasPrefix("convert")
    let found = isConversion ? 150_000 : 300_000
    #expect(answer.text.hasPrefix("1 \(found) True"), "\(answer.text) \(answer.errors)")
    guard isConversion else { return }
    #expect(try await ToolRun.ferry("get", "report.json", "--count", "failures").output == "\(found)\n")
  }

  @Test func `Several threads convert one large file like one thread`() async throws {
    let run = try await ToolRun.shell(
      #"""
      yes '{"a":"x","b":[1,2]}' | head -n 450000 > good.jsonl
      (cat good.jsonl; echo '{"a":'; cat good.jsonl) > bad.jsonl
      for jobs in 1 3; do
        ferry convert good.jsonl --to jsonl --jobs $jobs > good.$jobs
        ferry convert bad.jsonl --to json --jobs $jobs > bad.$jobs 2> errors.$jobs
      done
      cmp good.jsonl good.3 && cmp good.1 good.3 && cmp bad.1 bad.3 && cmp errors.1 errors.3 && cat errors.3
      """#)
    #expect(run.status == 0)
    let problem =
      "expected a value, found the end of the line (use --from json-concat if values have several lines)"
    #expect(run.output == "bad.jsonl:450001:6: \(problem) (at [450000].a)\n")
  }

  @Test func `A run refuses two inputs with one output`() async throws {
    for folder in ["a", "b"] {
      try directory.makeDirectory(folder)
      try directory.write("\(folder)/x.json", #"["\#(folder)"]"#)
    }
    let run = try await ToolRun.ferry(
      "convert", "a/x.json", "b/x.json", "--to", "jsonl", "--out-dir", "out", "--force")
    expectFailure(
      run,
      """
      b/x.json: another input, a/x.json, has the same output, out/x.jsonl (use another --out-dir for one of them)
      1 converted, 1 failed
      """)
    #expect(try directory.text("out/x.jsonl") == "\"a\"\n")
  }

  @Test(arguments: ["./a.json", "sub/../a.json", "linked/a.json", "link.json"])
  func `A run converts a file in place once, whichever name is given again`(name: String) async throws {
    try directory.write("a.json", #"["x"]"#)
    let run = try await ToolRun.shell(
      """
      mkdir sub; ln -s . linked; ln -s a.json link.json
      ferry convert -i a.json \(name) --to jsonl
      """)
    expectFailure(
      run,
      """
      \(name): this input is named twice, also as a.json
      1 converted, 1 failed
      """)
    #expect(try directory.text("a.json") == "\"x\"\n")
  }

  @Test func `A run converts each name of a file with several names`() async throws {
    try directory.write("a.json", #"["x"]"#)
    let run = try await ToolRun.shell("ln a.json b.json; ferry convert -i -q a.json b.json --to jsonl")
    #expect(run.status == 0, "\(run.errors)")
    for name in ["a.json", "b.json"] { #expect(try directory.text(name) == "\"x\"\n") }
  }

  @Test(arguments: ["xml", "json", "jsonl", "plist-xml", "archive"])
  func `A run in place keeps a file in which --select matches nothing`(format: String) async throws {
    let text = "<a><b>1</b></a>"
    try directory.write("a.xml", text)
    for options in [["-i"], ["-i", "-q"]] {
      expectFailure(
        try await .ferry(["convert", "a.xml", "--select", "//nope", "--to", format] + options),
        "a.xml: nothing matches --select; the file was not replaced")
      #expect(try directory.text("a.xml") == text)
    }
    expectFailure(
      try await .ferry("convert", "-i", "a.xml", "--select", "//nope", "--to", format, "--strict"),
      "a.xml: not exact: nothing matches --select (--strict refuses what is not exact)")
    #expect(try directory.text("a.xml") == text)
    #expect(try directory.names() == ["a.xml"])
  }

  @Test func `A run in place keeps a file with records that --keep-going leaves out`() async throws {
    let text = #"[{"firstName":"Ada","lastName":"King"},{"firstName":"Bob"},{"lastName":"Eve"}]"#
    try directory.write("k.json", text)
    let line = ["convert", "k.json", "--schema", "person", "--keep-going", "--to"]
    for options in [["json", "-i"], ["jsonl", "-i", "-q"], ["archive", "-i"]] {
      let run = try await ToolRun.ferry(line + options)
      #expect(run.status == 1)
      #expect(
        run.errors.hasSuffix(
          "\nk.json: 2 records were left out; the file was not replaced "
            + "(-o FILE or --out-dir writes the other records)\n"))
      #expect(run.errors.split(separator: "\n").count == 3)
      #expect(try directory.text("k.json") == text)
    }
    let report = try await ToolRun.ferry(line + ["json", "-i", "--report", "-"])
    #expect(report.output.contains(#""code": "file.records-left-out""#))
    let apart = try await ToolRun.ferry(line + ["json", "-o", "out.json"])
    #expect(apart.status == 1)
    #expect(try directory.text("out.json") == #"[{"firstName":"Ada","lastName":"King"}]"# + "\n")
    #expect(try directory.names() == ["k.json", "out.json"])
  }

  @Test func `A run refuses two inputs whose outputs are one file`() async throws {
    for name in ["a", "b"] { try directory.write("\(name).json", #"["\#(name)"]"#) }
    let run = try await ToolRun.shell(
      """
      mkdir out; ln -s a.jsonl out/b.jsonl
      ferry convert a.json b.json --to jsonl --out-dir out --force
      """)
    expectFailure(
      run,
      """
      b.json: another input, a.json, has the same output, out/b.jsonl (use another --out-dir for one of them)
      1 converted, 1 failed
      """)
    #expect(try directory.text("out/a.jsonl") == "\"a\"\n")
  }

  @Test(arguments: [".", "./sub/..", "linked"], [[], ["--force"]])
  func `A run does not replace an input`(folder: String, options: [String]) async throws {
    try directory.makeDirectory("sub")
    try directory.write("x.json", #"{"a":1}"#)
    let original = "<plist><dict><key>a</key><integer>2</integer></dict>"
    try directory.write("x.plist", original)
    expectQuiet(try await .shell("ln -s . linked"))
    for inputs in [["x.json", "x.plist"], ["x.plist", "x.json"]] {
      let run = try await ToolRun.ferry(
        ["convert"] + inputs + ["--to", "plist-xml", "--out-dir", folder] + options)
      #expect(run.status == 1)
      #expect(run.errors.contains("x.json: the output \(folder)/x.plist is another input of this run\n"))
      #expect(try directory.text("x.plist") == original)
    }
    try directory.write("x.plist", original + "</plist>")
    let own = try await ToolRun.ferry(
      ["convert", "x.json", "x.plist", "--to", "json", "--out-dir", folder] + options)
    #expect(own.errors.contains("x.plist: the output \(folder)/x.json is another input of this run\n"))
    #expect(
      own.errors.hasPrefix("x.json: the output \(folder)/x.json would replace a file that it is made from (")
    )
    #expect(own.errors.hasSuffix("0 converted, 2 failed\n"))
    #expect(try directory.text("x.json") == #"{"a":1}"#)
  }

  @Test(arguments: [
    "in/x.json -o in/x.json --changed-only", "in/x.json -o in/x.json --force", "in/x.json -o link --force",
    "in/x.json -o in/hard.json --force", "-r in --out-dir in --changed-only", "-r in --out-dir ./in/ --force",
    "- -o in/x.json --force < in/x.json", "in/x.json -o in/x.json --force --dry-run",
  ])
  func `An input is replaced by its own conversion only with -i`(_ line: String) async throws {
    try directory.makeDirectory("in")
    try directory.write("in/x.json", #"[ {"a" :1} ]"#)
    expectQuiet(try await .shell("ln -s in/x.json link; ln in/x.json hard.json"))
    if line.contains("hard") { expectQuiet(try await .shell("mv hard.json in/hard.json")) }
    let run = try await ToolRun.shell("ferry convert --to json --report r.json \(line)")
    #expect(run.status == 1, "\(run)")
    let advice = "give another file, or use --in-place to convert the input itself"
    #expect(run.errors.contains("would replace a file that it is made from (\(advice))"), "\(run)")
    #expect(try directory.text("r.json").contains(#""code": "file.output-is-input""#))
    #expect(try directory.text("in/x.json") == #"[ {"a" :1} ]"#)
    expectQuiet(try await .ferry("convert", "--to", "json", "-i", "in/x.json"))
    #expect(try directory.text("in/x.json") == "[{\"a\":1}]\n")
  }

  @Test func `A run writes JSON after JSON on the standard output`() async throws {
    try directory.write("a.json", "[1]")
    try directory.write("b.json", "[2]")
    let run = try await ToolRun.ferry("convert", "a.json", "b.json", "--to", "json")
    #expect(run.status == 0)
    #expect(run.errors == "2 converted, 0 failed\n")
    #expect(run.output == "[1]\n[2]\n")
  }

  @Test func `A run replaces its inputs on request`() async throws {
    try directory.write("a.json", "[1]")
    try directory.write("b.json", "[2")
    let run = try await ToolRun.ferry("convert", "-i", "a.json", "b.json", "--to", "jsonl")
    expectFailure(
      run,
      """
      b.json:1:3: the text ends where "," or "]" is expected (at [1])
      1 converted, 1 failed
      """)
    #expect(try directory.text("a.json") == "1\n")
    #expect(try directory.text("b.json") == "[2")
    #expect(try directory.names() == ["a.json", "b.json"])
  }

  @Test(arguments: [
    ("t.csv", "a,b\nx,y\n", "yaml", "YAML", "CSV"), ("t.tsv", "a\tb\nx\ty\n", "csv", "CSV", "TSV"),
    ("t.jsonl", "{\"a\":1}\n{\"a\":2}\n", "json", "JSON", "JSON Lines"),
    ("t.yaml", "- a: 1\n", "csv", "CSV", "YAML"), ("t.json", "[{\"a\":1}]", "yaml", "YAML", "JSON"),
  ])
  func `A run says that the name of an output is that of another format, by which it is read`(
    _ name: String, _ text: String, _ target: String, _ format: String, _ other: String
  ) async throws {
    try directory.write(name, text)
    let note =
      "the output is \(format), but its name has the extension of \(other), by which programs read it "
      + "(-o FILE.\(target) or --out-dir gives it its own extension)"
    for options in [["-i", "--dry-run"], ["-o", "out.\(name)"], ["-i"]] {
      let run = try await ToolRun.ferry(["convert", name, "--to", target] + options)
      #expect(run.status == 0 && run.errors.contains("\(name): \(note)\n"), "\(options) \(run)")
    }
    let joined = try await ToolRun.ferry(
      "convert", "--join", "--from", target, name, "out.\(name)", "--to", target, "-o", "all.\(name)")
    #expect(joined.status == 0 && joined.errors.contains(note), "\(joined)")
    let quiet = try await ToolRun.ferry("convert", "--from", target, name, "-o", "all.\(target)")
    expectQuiet(quiet)
  }

  @Test(arguments: [
    ("t.yaml", "json"), ("t.csv", "json"), ("t.json", "jsonl"), ("t.csv", "tsv"), ("t.json", "plist-xml"),
    ("t.json5", "json"), ("t.json", "jsonc"), ("t.plist", "json"), ("t.txt", "yaml"), ("t.unknown", "yaml"),
  ])
  func `A run says nothing about the name of an output that its contents show`(
    _ name: String, _ target: String
  ) async throws {
    try directory.write("in.json", #"[{"a":"x","b":"y"},{"a":"z","b":"w"}]"#)
    expectQuiet(try await .ferry("convert", "in.json", "--to", target, "-o", name))
  }

  @Test func `A run replaces an output only on request`() async throws {
    try directory.write("folks.xml", folks)
    try directory.write("out.json", "mine")
    expectFailure(
      try await .ferry("convert", "folks.xml", "-o", "out.json"),
      "out.json: the file already exists (use --force to replace it)")
    #expect(try directory.text("out.json") == "mine")
    expectQuiet(try await .ferry("convert", "folks.xml", "-o", "out.json", "--force"))
    #expect(try directory.text("out.json") == folksJSON)
    #expect(try directory.names() == ["folks.xml", "out.json"])
  }

  @Test(arguments: [
    (["convert", "a.json", "b.json", "-o", "c.plist"], "-o takes one input (use --out-dir for several)"),
    (["convert", "a.json", "b.json", "--to", "archive"], "several inputs need --out-dir or -i"),
    (["convert", "a.json", "-o", "b.json", "-i"], "-o, --out-dir and -i cannot be used together"),
    (
      ["convert", "a.json", "-o", "a.mystuff", "--form", "raw"],
      "a package can only be written with --form plain\n  See \"ferry help convert\"."
    ),
    (
      ["convert", "a.json", "-o", "a.mystuff", "--extract", "."],
      "--extract cannot be used when writing a package"
    ),
    (
      ["set", "a.json", "[0]", "-x"], "no value: give one after the path, or with --from-file"
    ),
    (
      ["set", "a.json", "[0]", "x", "--from-file", "b"],
      "two values: give one, after the path or with --from-file"
    ),
    (["set", "a.json", "a", "1", "--form", "typed"], "The value 'typed' is invalid for '--form <form>'."),
    (["edit", "-"], "edit needs a file, not the standard input"),
    (["formats", "--info-plist", "nobody"], #"unknown document type "nobody" (known: "#),
    (
      ["convert", "a.json"],
      "no output format: add --to FORMAT, or -o FILE with a known extension (xml, json,"
    ),
    (["convert", "a.json", "-o", "b"], #"the file name "b" has no extension: add --to FORMAT (xml, json,"#),
    (["convert", "a.json", "-o", "b.toml"], #"unknown file extension ".toml": add --to FORMAT (xml, json,"#),
    (["convert", "a.json", "-o", "-"], "the standard output has no file extension: add --to FORMAT (xml,"),
    (["convert", "a.json", "-i"], "-i replaces files by another format: add --to FORMAT (xml, json,"),
    (["convert", "a.json", "--to", "jsno"], #"unknown format "jsno" for --to (did you mean "json"?) (xml,"#),
    (["convert", "-i", "--to", "json"], "-i cannot replace the standard input (name the files)"),
    (["convert", "a.json", "--to", "toml"], #"unknown format "toml" for --to (xml, json,"#),
    (
      ["convert", "a.json", "--from", "toml", "--to", "json"],
      "The value 'toml' is invalid for '--from <format>'"
    ),
    (
      ["convert", "a.json", "--to", "json", "--schema", "nobody"],
      #"unknown schema "nobody" (built in: person,"#
    ),
    (["show", "a.json", "--schema", "nobody"], #"unknown schema "nobody" (built in: person,"#),
    (
      ["convert", "a.json", "--to", "json", "--form", "typo"],
      "The value 'typo' is invalid for '--form <form>'"
    ),
    (
      ["convert", "a.json", "--to", "json", "--class", "Person"],
      "The value 'Person' is invalid for '--class <old=new>'"
    ),
    (
      ["convert", "a.json", "--to", "json", "--class", "A=B"],
      "--class cannot be used when writing json, which has no classes"
    ),
    (
      ["convert", "a.json", "--to", "archive", "--form", "raw", "--class", "A=B"],
      "--class cannot be used with --form raw"
    ),
    (
      ["convert", "a.archive", "--to", "json", "--form", "typed", "--class", "A=B"],
      "--class cannot be used with --form typed"
    ),
    (["convert", "a.json", "--to", "json", "--jobs", "0"], "--jobs must be greater than 0"),
    (
      ["convert", "a.json", "--to", "json", "-j", "-1"],
      "The value '-1' is invalid for '-j <n>' (it is negative)\nUsage: ferry convert"
    ),
    (["show", "a.json", "--depth", "-2"], "The value '-2' is invalid for '--depth <n>' (it is negative)\n"),
    (
      ["convert", "a.json", "-o", "-x.json"],
      "Missing value for '-o <file>' ('-x.json' is taken for an option: write ./-x.json)\n"
    ),
    (
      ["convert", "a.json", "--to", "csv", "--to-null-value", "-9"],
      "Missing value for '--to-null-value <text>' ('-9' is taken for an option: write --to-null-value=-9)\n"
    ),
    (["convert", "a.json", "--out-dir", "--to", "csv"], "Missing value for '--out-dir <folder>'\n"),
    (
      ["convert", "--", "a.json", "--to", "json"],
      "no output format: --to after -- is the name of a file (write options before --)"
    ),
    (["convert", "a.json", "--to", "json", "--max-depth", "0"], "a limit must be greater than 0"),
    (["convert", "a.json", "--to", "json", "--bogus"], "Unknown option '--bogus'"),
    (["convert", "a.json", "--to", "json", "--\u{1b}[31m"], #"Unknown option '--\u{1b}[31m'"#),
    (
      ["convert", "a.json", "--json"],
      "Unknown option '--json' (ferry convert --to json writes the format).\n"
    ),
    (
      ["convert", "a.json", "--to", "json", "--raw"],
      "Unknown option '--raw' (ferry get FILE PATH prints strings without quotes; --form raw reads an archive as it is stored).\n"
    ),
    (
      ["show", "a.json", "--indent", "2"],
      "Unknown option '--indent' (ferry convert FILE --to json lays out JSON with --pretty, --indent N, --tab or --compact).\n"
    ),
    (
      ["diff", "a.json", "b.json", "-t", "json"],
      "Unknown option '-t' (ferry convert FILE --to FORMAT writes another format).\nUsage: ferry diff"
    ),
    (
      ["find", "a.json", "-5"],
      "Unknown option '-5' (write -e=-5 to find a text that begins with a dash).\nUsage: ferry find"
    ),
    (["find", "-abc"], "Unknown option '-abc' (write -e=-abc to find a text that begins with a dash).\n"),
    (
      ["find", "-e", "-x", "a.json"],
      "Missing value for '-e <pattern>' ('-x' is taken for an option: write -e=-x)\n"
    ),
    (["get", "a.json", "-V"], "Unknown option '-V' (ferry --version prints the version).\n"),
    (
      ["get", "a.json", "--raw-output"],
      "Unknown option '--raw-output' (--raw prints strings without quotes).\n"
    ),
    (["set", "a.json", "[0]", "1", "--wide"], "Unknown option '--wide' (an option of ferry diff).\n"),
    (["schema", "list", "-f", "json"], "Unknown option '-f' (an option of ferry convert, ferry show"),
    (["convert", "a.json", "--prety"], "Unknown option '--prety'. Did you mean '--pretty'?"),
    (["carry"], #"unknown command "carry" (try: convert, show,"#),
    (["help", "carry"], #"unknown command "carry" (try: convert, show,"#),
    (["lint", "a.json"], #"unknown command "lint" (did you mean "check"?)"#),
    (["help", "delete"], #"unknown command "delete" (did you mean "remove"?)"#),
    (["query", "a.json", "x"], #"unknown command "query" (did you mean "get"?)"#),
    (["print", "a.json"], #"unknown command "print" (did you mean "show"?)"#),
    (["cnvert", "a.json"], #"unknown command "cnvert" (did you mean "convert"?)"#),
    (["a.json"], #"no command before the file "a.json" (write: ferry show a.json)"#),
    (
      ["a.json", "--to", "yaml"],
      #"no command before the file "a.json" (write: ferry convert a.json --to yaml)"#
    ),
    (
      ["it's.yaml.gz", "--wide"],
      #"no command before the file "it's.yaml.gz" (write: ferry diff 'it'\''s.yaml.gz' --wide)"#
    ),
    (["./b", "-r"], #"no command before the file "./b" (write: ferry convert ./b -r)"#),
    (["-", "-t", "csv"], "no command before the standard input (write: ferry convert - -t csv)"),
    (
      ["--to", "yaml", "a.json"],
      "no command before --to (write: ferry convert --to yaml a.json)"
    ),
    (
      ["--to", "yaml", "convert", "a.json"],
      "--to is before the command (write: ferry convert --to yaml a.json)"
    ),
    (["--nonsense", "a.json"], "Unknown option '--nonsense'"),
    (
      ["--verbose", "show", "a.json"],
      #"--verbose is not an option of show (see "ferry show --help")"#
    ),
    (["--key", "check", "a.json"], "no command before --key (write: ferry find --key check a.json)"),
  ])
  func `A run explains a command that it does not understand`(arguments: [String], message: String)
    async throws
  {
    try directory.write("a.json", "[1]")
    try directory.write("b.json", "[2]")
    let run = try await ToolRun.ferry(arguments)
    #expect(run.status == 64)
    #expect(run.errors.hasPrefix("Error: " + message), "\(run.errors)")
    #expect(run.output == "")
    #expect(try directory.names() == ["a.json", "b.json"])
  }

  @Test func `A run without a command does not print the help for a file`() async throws {
    try directory.write("a.json", "[1]")
    let run = try await ToolRun.shell("ferry < a.json")
    #expect(run.status == 64)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("Error: no command for the standard input (write: ferry show, or "))
    let help = try await ToolRun.shell("ferry < /dev/null")
    #expect(help.status == 0)
    #expect(help.output.hasPrefix("OVERVIEW: "))
  }

  @Test(
    arguments: [
      ("//person[lastName='Doright']", #"[{"firstName":"Dudley","lastName":"Doright"}]"#),
      ("//person[1]/*", #"["Matt","Neuburg"]"#), ("//nobody", "[]"),
      (
        "/people",
        #"[{"person":[{"firstName":"Matt","lastName":"Neuburg"},{"firstName":"Snidely","lastName":"Whiplash"},"#
          + #"{"firstName":"Dudley","lastName":"Doright"}]}]"#
      ),
    ])
  func `A run maps selected elements by a schema only if they are its records`(xpath: String, json: String)
    async throws
  {
    try directory.write("folks.xml", folks)
    let run = try await ToolRun.ferry("convert", "folks.xml", "--select", xpath, "--to", "json")
    let show = try await ToolRun.ferry("show", "folks.xml", "--select", xpath)
    #expect(run.status == 0 && show.status == 0)
    #expect(run.output == json + "\n")
    let message = json == "[]" ? "folks.xml: nothing matches --select\n" : ""
    #expect(run.errors == message && show.errors == message)
  }

  @Test func `A run takes a schema's file of any name`() async throws {
    try directory.write("schema", #"{"ferry": 1, "name": "stop", "fields": [{"name": "city"}]}"#)
    let run = try await ToolRun.ferry(
      "convert", "--schema", "schema", "--to", "xml", input: #"[{"city": "Graz"}]"#)
    expectQuiet(run)
    #expect(run.output.contains("<stops>\n  <stop>\n    <city>Graz</city>"))
  }

  @Test func `A file whose name begins with a dash is not taken for options`() async throws {
    try directory.write("-dash.json", #"{"a":1}"#)
    for line in ["get -dash.json a", "show -dash.json", "set -dash.json a 2", "convert -dash.json --to json"]
    {
      let run = try await ToolRun.shell("ferry \(line)")
      #expect(run.status == 64)
      #expect(
        run.errors
          == #"-dash.json: a file name that begins with "-" is taken for options (write ./-dash.json)"# + "\n"
      )
    }
    #expect(try await ToolRun.ferry("get", "./-dash.json", "a").output == "1\n")
    #expect(try await ToolRun.ferry("get", "--", "-dash.json", "a").output == "1\n")
  }

  @Test func `A run ends its options at two dashes`() async throws {
    try directory.write("-folks.xml", folks)
    let run = try await ToolRun.ferry("convert", "--to", "json", "--", "-folks.xml")
    expectQuiet(run)
    #expect(run.output == folksJSON)
  }

  @Test(arguments: ["a b.xml", "a\nb.xml", "ä ☃.xml", "'\"$*.xml", ".xml", "a.b.c"])
  func `A run takes any file name`(name: String) async throws {
    try directory.write(name, folks)
    let run = try await ToolRun.ferry("convert", name, "--to", "json", "--out-dir", "out")
    expectQuiet(run)
    let output = try #require(try directory.names(in: "out").first)
    #expect(try directory.text("out/\(output)") == folksJSON)
  }

  @Test func `A run pretty-prints and sorts`() async throws {
    try directory.write("a.json", #"{"b":[1],"a":{}}"#)
    let run = try await ToolRun.ferry("convert", "a.json", "--to", "json", "--pretty", "--sort-keys")
    expectQuiet(run)
    #expect(
      run.output == """
        {
          "a": {},
          "b": [
            1
          ]
        }

        """)
  }

  @Test func `A run names the place of a value that cannot be written, also if keys are sorted`() async throws
  {
    let json = #"[{"z": [1], "a": 2}, {"b": {"z": "\u0000"}, "a": 3}]"#
    for options in [[], ["--sort-keys"]] {
      let run = try await ToolRun.ferry(["convert", "--to", "plist-xml"] + options, input: Array(json.utf8))
      #expect(run.errors.hasSuffix("cannot hold the character U+0000 (at [1].b.z)\n"), "\(run.errors)")
    }
  }

  @Test func `A run gives the paths of losses`() async throws {
    try directory.write("a.json", #"{"": [{"": null, "x.y": null, "*": null, "é": null}]}"#)
    expectQuiet(
      try await .ferry("convert", "a.json", "--to", "plist-xml", "-o", "a.plist", "-q", "--report", "r.json"))
    let paths = try await ToolRun.ferry("get", "r.json", "losses[*].path")
    #expect(
      paths.output == #"""
        [""][0][""]
        [""][0]["x.y"]
        [""][0].*
        [""][0].é

        """#)
    for path in paths.output.split(separator: "\n").map(String.init) {
      #expect(try await ToolRun.ferry("get", "a.json", path).output == "null\n")
    }
  }

  @Test func `A run reports in one line the data that is not exact`() async throws {
    try directory.write("a.json", #"{"a": null, "b": [null, null], "c": 2.20}"#)
    let run = try await ToolRun.ferry("convert", "a.json", "-o", "a.plist")
    #expect(run.status == 0)
    #expect(
      run.errors == """
        a.json: not exact: nulls are left out (1), nulls become empty text (2), numbers lose their own notation (as in 2.20, 1e5 or 007) (1)

        """)
    expectQuiet(try await .ferry("convert", "a.json", "-o", "b.plist", "--quiet"))
    #expect(try directory.bytes("a.plist") == directory.bytes("b.plist"))
  }

  @Test func `A run reports every loss and failure as JSON`() async throws {
    try directory.write("a.json", #"{"a": null, "b": [null]}"#)
    try directory.write("b.json", "tru")
    let run = try await ToolRun.ferry(
      "convert", "a.json", "b.json", "--to", "plist-xml", "--out-dir", "out", "--report", "report.json")
    #expect(run.status == 1)
    let report = try await ToolRun.ferry("convert", "report.json", "--to", "json")
    expectQuiet(report)
    #expect(
      report.output == """
        {"failures":[{"file":"b.json","code":"json.expected",\
        "message":"expected a value, found \\"tru\\"","line":1,"column":1,"byte":0}],\
        "counts":[{"file":"a.json","code":"null-left-out","message":"nulls are left out","count":1},\
        {"file":"a.json","code":"null-as-text","message":"nulls become empty text","count":1}],\
        "losses":[{"file":"a.json","code":"null-left-out","message":"nulls are left out",\
        "line":1,"column":7,"byte":6,"path":"a"},\
        {"file":"a.json","code":"null-as-text","message":"nulls become empty text",\
        "line":1,"column":19,"byte":18,"path":"b[0]"}],"notes":[]}

        """)
  }

  @Test func `A run reports the number of losses of each kind beyond those that it lists`() async throws {
    try directory.write("a.json", "[\(Array(repeating: "null", count: 20_000).joined(separator: ","))]")
    let run = try await ToolRun.ferry(
      "convert", "a.json", "-o", "a.plist", "--quiet", "--report", "report.json")
    #expect(run.status == 0)
    #expect(try await ToolRun.ferry("get", "report.json", "counts[0].count").output == "20000\n")
    #expect(try await ToolRun.ferry("get", "report.json", "losses[9999].path").output == "[9999]\n")
    #expect(try await ToolRun.ferry("get", "report.json", "losses[10000]").status == 1)
  }

  @Test func `A run reports on the standard output on request`() async throws {
    let run = try await ToolRun.ferry(
      "convert", "--to", "json", "-o", "out.json", "--report", "-", input: "[1]")
    expectQuiet(run)
    #expect(
      run.output == """
        {
          "failures": [],
          "counts": [],
          "losses": [],
          "notes": []
        }

        """)
    #expect(try directory.names() == ["out.json"])
  }

  @Test func `A run fails if its report cannot be written`() async throws {
    expectFailure(
      try await .ferry("convert", "--to", "json", "-o", "out.json", "--report", "no/report", input: "[1]"),
      #"no/report: the folder "no" does not exist"#)
    #expect(try directory.names() == [])
  }

  @Test func `A run whose report cannot be written changes no file`() async throws {
    try directory.write("folks.xml", folks)
    try directory.makeDirectory("folder")
    for report in ["no/report", "folder"] {
      for output in ["-i", "-o out.json", "--out-dir out"] {
        let run = try await ToolRun.shell("ferry convert folks.xml --to json \(output) --report \(report)")
        #expect(run.status == 1 && run.errors.hasPrefix("\(report): "), "\(run)")
        #expect(try directory.text("folks.xml") == folks)
        #expect(try await ToolRun.shell("find . -name '*.json'").output == "")
      }
    }
  }

  @Test func `A run ends quietly after its reader has gone`() async throws {
    let record = #"{"name":"somebody with a rather long name"}"#
    try directory.write("big.json", "[" + repeatElement(record, count: 40_000).joined(separator: ",") + "]")
    for line in ["ferry convert big.json --to jsonl | head -n 1", "ferry show big.json | head -n 1"] {
      let run = try await ToolRun.shell("{ \(line) ; } ; echo done")
      expectQuiet(run)
      #expect(run.output.hasSuffix("\ndone\n"))
    }
  }

  @Test(arguments: [(2, 130), (3, 131), (15, 143), (1, 129)] as [(Int32, Int)])
  func `A run leaves nothing behind when it is interrupted`(signal: Int32, status: Int) async throws {
    try directory.write("out.json", "mine")
    let directory = directory
    let run = try await ToolRun.ferry(
      "convert", "--to", "json", "-o", "out.json", "--force", input: "[1, 2", interruptedBy: signal
    ) {
      try directory.names().count == 2
    }
    #expect(run.status == status)
    // After SIGQUIT, the system may write an image of the memory.
    #expect(try directory.names().filter { !$0.hasPrefix("core") } == ["out.json"])
    #expect(try directory.text("out.json") == "mine")
  }

  @Test(arguments: ["", "-o -", "-o /dev/stdout", "-o b.json --dry-run"])
  func `A report is not mixed with a result on the standard output`(_ options: String) async throws {
    try directory.write("a.yaml", "a: 1\n")
    for report in ["-", "/dev/stdout"] {
      let run = try await ToolRun.shell("ferry convert a.yaml --to json --report \(report) \(options)")
      #expect(run.status == 64 && run.output == "", "\(run.output)")
      #expect(run.errors.contains("--report - "), "\(run.errors)")
    }
  }

  @Test(arguments: [
    [], ["--schema", "none"], ["--select", "//person"], ["--select", "//person", "--schema", "none"],
  ])
  func `A run reports each omitted comment once`(_ options: [String]) async throws {
    try directory.write(
      "a.xml",
      "<people><person><!-- x --><firstName><!-- y -->A</firstName><lastName>B</lastName></person></people>")
    let run = try await ToolRun.ferry(["convert", "a.xml", "--to", "json"] + options)
    #expect(run.errors == "a.xml: not exact: comments are left out (2)\n")
  }

  @Test(arguments: [
    ("convert a.json --to json -o b.json --force", true), ("set b.json '[0].name' x", true),
    ("convert a.json -o T.mystuff --force", true), ("convert a.json --to json -o new.json", false),
  ])
  func `A run has a replacing file on the disk before the file takes its name`(
    _ line: String, _ replaces: Bool
  )
    async throws
  {
    try directory.write("a.json", #"[{"name":"Robot","location":"Shelf"}]"#)
    try directory.write("b.json", #"[{"name":"Ball","location":"Garden"}]"#)
    expectQuiet(try await .ferry("convert", "b.json", "-o", "T.mystuff"))
    let run = try await ToolRun.shell(
      "strace -f -qq -e trace=fsync,link,linkat,rename,renameat,renameat2 -o log ferry \(line)")
    guard run.status == 0 else { try Test.cancel("strace does not trace here: \(run.errors)") }
    let calls = try directory.text("log").split(separator: "\n").compactMap { line in
      line.contains("fsync(") ? "fsync" : line.contains("rename") || line.contains("link") ? "name" : nil
    }
    #expect(calls.first == (replaces ? "fsync" : "name"), "\(calls)")
    #expect(calls.contains("fsync") == replaces)
  }

  @Test func `A name of the root element that cannot be written is an error of the option, and of no value`()
    async throws
  {
    for (text, options) in [
      (#"{"a":[1]}"#, [String]()), ("[1]", []), (#"{"a":1}"#, ["--convention", "badgerfish"]),
    ] {
      let options = ["convert", "--to", "xml", "--root", "p:r"] + options
      let run = try await ToolRun.shell("echo '\(text)' | ferry \(options.joined(separator: " "))")
      expectFailure(
        run,
        "standard input: the root element cannot have the name \"p:r\", because the value does not declare its "
          + "namespace (use --root \"{URI}r\" with the namespace of the prefix, or --root r)")
    }
  }

  @Test func `A run names the root element on request`() async throws {
    let run = try await ToolRun.ferry(
      "convert", "--to", "xml", "--root", "data", "--quiet", input: #"{"a":["x","y"],"b":"z"}"#)
    expectQuiet(run)
    #expect(
      run.output == """
        <?xml version="1.0" encoding="UTF-8"?>
        <data>
          <a>x</a>
          <a>y</a>
          <b>z</b>
        </data>

        """)
  }

  @Test func `A run names the elements of a list on request`() async throws {
    for options in [
      ["--root", "data", "--item", "n"], ["--root", "data", "--item=n", "--convention=xmltodict"],
    ] {
      let run = try await ToolRun.ferry(
        ["convert", "--to", "xml", "--quiet"] + options, input: Array(#"[["x","y"],"z"]"#.utf8))
      expectQuiet(run)
      #expect(
        run.output == """
          <?xml version="1.0" encoding="UTF-8"?>
          <data>
            <n>
              <item>x</item>
              <item>y</item>
            </n>
            <n>z</n>
          </data>

          """, "\(options): \(run)")
    }
    let copied = try await ToolRun.ferry("convert", "--to", "xml", "--item", "n", input: "<a/>")
    #expect(copied.status == 1 && copied.errors.contains("--item"), "\(copied)")
  }

  @Test(arguments: [
    ("--root", "", "cannot be the name of an element"), ("--item", "", "cannot be the name of an element"),
    ("--root", "1a", "cannot be the name of an element"),
    ("--root", "{http://www.w3.org/2000/xmlns/}b", "is reserved for the declarations of namespaces"),
    ("--item", "a b", "cannot be the name of an element"),
    ("--root", "a:", "cannot be the name of an element"),
    ("--item", "a:b:c", "cannot be the name of an element"),
    ("--root", "{a}b", "the namespace in braces is not declared"),
    ("--item", "{a}b", "the namespace in braces is not declared"),
    ("--item", "x:y", "has a prefix that is not declared"),
  ]) func `A name that no element can have is a mistake in the command`(
    _ option: String, _ name: String, _ words: String
  ) async throws {
    let run = try await ToolRun.ferry("convert", "--to", "xml", option, name, input: "[1]")
    #expect(run.status == 64 && run.output == "", "\(run)")
    #expect(run.errors.hasPrefix("Error: \(option): \"\(name)\" ") && run.errors.contains(words), "\(run)")
  }

  @Test func `Names in namespaces can be given for elements`() async throws {
    for name in ["é", "a.b-c", "{urn:a}b"] {
      let run = try await ToolRun.ferry(
        "convert", "--to", "xml", "--root", name, "--item", name, "-q", input: #"["x"]"#)
      #expect(run.status == 0, "\(run)")
    }
    let run = try await ToolRun.ferry(
      "convert", "--to", "xml", "--item", "{a}b", "--namespaces", "expand", "-q", input: #"["x"]"#)
    #expect(run.status == 0 && run.output.contains(#"xmlns:ns1="a""#), "\(run)")
  }

  @Test func `A run lists the formats`() async throws {
    let run = try await ToolRun.ferry("formats")
    expectQuiet(run)
    for format in People.formats {
      #expect(run.output.split(separator: "\n").contains { $0.hasPrefix(format) })
    }
    #expect(
      run.output.contains(
        "\njsonl, json-lines, ndjson\n  JSON Lines: one record a line\n  files: .jsonl .ndjson\n"))
    #expect(run.output.hasSuffix("\nschemas: person, whatsit, item\n"))
  }

  @Test(arguments: [
    "formats", "formats --info-plist things", "convert a.json --to json", "show a.json", "inspect a.json",
    "get a.json", "set a.json [0] 2 -o -",
  ])
  func `A run fails if its output cannot be written`(line: String) async throws {
    try directory.write("a.json", "[1]")
    expectFailure(
      try await .shell("ferry \(line) > /dev/full"), "standard output: no space left on device")
  }

  @Test func `A run has a shell complete files, folders and names`() async throws {
    let script = try await ToolRun.ferry("--generate-completion-script", "bash")
    expectQuiet(script)
    try directory.write("ferry.bash", script.output)
    try directory.write("a.json", "[1]")
    try directory.makeDirectory("all")
    for (words, expected) in [
      ("convert ''", "a.json\nall\nferry.bash"), ("convert --out-dir a", "all"), ("show a", "a.json\nall"),
      ("convert --to plist", "plist-xml\nplist-binary\nplist-openstep\nplist-gnustep"),
      ("convert --to th", "things"),
      ("convert --schema a.j", "a.json"), ("set a.j", "a.json"), ("formats --info-plist pe", "people-group"),
    ] {
      let line = """
        source ./ferry.bash; COMP_WORDS=(ferry \(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _ferry ferry "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"; printf '%s\\n' "${COMPREPLY[@]}"
        """
      try directory.write("complete.bash", line)
      let run = try await ToolRun.shell("bash complete.bash; rm complete.bash")
      let names = run.output.split(separator: "\n").map(String.init).filter { $0 != "complete.bash" }
      #expect(Set(names) == Set(expected.split(separator: "\n").map(String.init)), "\(words): \(run)")
    }
  }

  @Test(
    arguments: [
      "convert", "show", "inspect", "get", "set", "insert", "remove", "move", "copy", "rename", "merge",
      "seed",
    ])
  func `A run shows limits only if all help is asked for`(command: String) async throws {
    #expect(try await !ToolRun.ferry("help", command).output.contains("--max-depth"))
    let all = try await ToolRun.ferry(command, "--help-hidden")
    expectQuiet(all)
    #expect(all.output.contains("LIMITS FOR UNTRUSTED INPUT:\n  --max-depth <n>"))
  }

  @Test(arguments: [
    ["--help"], ["convert", "--help"], ["show", "--help"], ["inspect", "--help"], ["formats", "--help"], [],
    ["help", "convert"],
  ])
  func `A run prints help`(arguments: [String]) async throws {
    let run = try await ToolRun.ferry(arguments)
    expectQuiet(run)
    #expect(run.output.hasPrefix("OVERVIEW: "))
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func `A run prints its version, and what the build supports`() async throws {
    let run = try await ToolRun.ferry("--version")
    expectQuiet(run)
    #expect(
      run.output.wholeMatch(
        of: /\d+\.\d+\.\d+ \((debug|release) build for [^,]+, with SQLite, YAML, xz, zstd\)\n/) != nil)
  }
}
