import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Values of the files in a folder` {
  private func makeFiles() async throws {
    let made = try await ToolRun.shell(
      #"""
      set -e; mkdir -p t/sub t/.git
      printf '{"theme": "light", "l": [1, 2]}' > t/a.json; printf '# x\ntheme: dark\n' > t/sub/b.yaml
      printf '{"l": []}' > t/c.json; printf '{"theme": "no"}' > t/.git/d.json; printf '\177ELF' > t/program
      """#)
    #expect(made.status == 0, "\(made.errors)")
  }

  private let summary = "2 of 3 files have the value, 1 has no value at the path, 1 other file skipped\n"

  @Test func `Each value is printed after the name of its file`() async throws {
    try await makeFiles()
    let run = try await ToolRun.ferry("get", "t", "theme", "--recursive")
    #expect(run.status == 0 && run.output == "t/a.json: light\nt/sub/b.yaml: dark\n", "\(run)")
    #expect(run.errors == summary, "\(run.errors)")
    let quiet = try await ToolRun.ferry("get", "t", "theme", "--recursive", "-q", "--exclude", "sub")
    #expect(quiet.output == "t/a.json: light\n" && quiet.errors == "", "\(quiet)")
  }

  @Test func `Each line of a value begins with the name of the file`() async throws {
    let run = try await ToolRun.shell(
      #"mkdir t; printf '{"a": "1\\n2", "b": {"c": 3}}' > t/a.json; ferry get t a b --recursive --pretty"#)
    #expect(
      run.output
        == ["1", "2", "{", #"  "c": 3"#, "}"].map { "t/a.json: \($0)\n" }.joined(), "\(run)")
    #expect(run.errors == "1 of 1 file has the value\n", "\(run.errors)")
  }

  @Test func `The values become records with a format`() async throws {
    try await makeFiles()
    let lines = try await ToolRun.ferry("get", "t", "theme", "--recursive", "--to", "jsonl")
    #expect(
      lines.output == """
        {"file":"t/a.json","path":"theme","value":"light"}
        {"file":"t/sub/b.yaml","path":"theme","value":"dark"}

        """, "\(lines)")
    #expect(lines.errors == summary, "\(lines.errors)")
    let json = try await ToolRun.ferry("get", "t", "l[*]", "--recursive", "--to", "json")
    #expect(json.output == #"[{"file":"t/a.json","path":"l[*]","value":[1,2]}]"# + "\n", "\(json)")
    let file = try await ToolRun.shell("ferry get t theme --recursive -o x.csv -q; cat x.csv")
    #expect(
      file.output == "file,path,value\nt/a.json,theme,light\nt/sub/b.yaml,theme,dark\n", "\(file)")
  }

  @Test func `The default is the value of the files without one`() async throws {
    try await makeFiles()
    let run = try await ToolRun.ferry("get", "t", "theme", "--recursive", "--default", "none")
    #expect(
      run.status == 0 && run.output == "t/a.json: light\nt/c.json: none\nt/sub/b.yaml: dark\n", "\(run)")
    #expect(run.errors == summary, "\(run.errors)")
    let none = try await ToolRun.ferry("get", "t", "nope", "--recursive", "--default", "x")
    #expect(none.status == 0 && none.output.hasPrefix("t/a.json: x\nt/c.json: x\n"), "\(none)")
  }

  @Test func `Questions are answered for each file`() async throws {
    try await makeFiles()
    let count = try await ToolRun.ferry("get", "t", "l", "--recursive", "--count")
    #expect(count.output == "t/a.json: 2\nt/c.json: 0\n", "\(count)")
    let keys = try await ToolRun.ferry("get", "t", "--recursive", "--keys", "--include", "a.json")
    #expect(keys.output == "t/a.json: theme\nt/a.json: l\n", "\(keys)")
  }

  @Test func `XPaths select from the files that are XML`() async throws {
    try await makeFiles()
    try directory.write("t/h.xml", "<hosts><host><port>80</port></host><host><port>81</port></host></hosts>")
    let run = try await ToolRun.ferry("get", "t", "//host/port", "--recursive")
    #expect(run.status == 0 && run.output == "t/h.xml: 80\nt/h.xml: 81\n", "\(run)")
    #expect(run.errors.hasPrefix("1 of 4 files has the value, 3 have no value at the path"), "\(run.errors)")
    let records = try await ToolRun.ferry("get", "t", "//host/port", "--recursive", "--to", "jsonl")
    #expect(
      records.output == #"{"file":"t/h.xml","path":"//host/port","value":["80","81"]}"# + "\n", "\(records)")
    let count = try await ToolRun.ferry("get", "t", "//host", "--recursive", "--count")
    #expect(count.output == "t/h.xml: 2\n", "\(count)")
    let none = try await ToolRun.ferry("get", "t", "//none[1]", "--recursive", "--default", "x")
    #expect(
      none.status == 0
        && none.output == "t/a.json: x\nt/c.json: x\nt/h.xml: x\nt/sub/b.yaml: x\n", "\(none)")
  }

  @Test func `A path that no file has is an error with the keys of the first file`() async throws {
    try await makeFiles()
    let run = try await ToolRun.ferry("get", "t", "thme", "--recursive", "-o", "x.json")
    #expect(run.status == 1 && run.output == "", "\(run)")
    #expect(run.errors.hasPrefix("t/a.json: no key \"thme\" here (did you mean \"theme\"?"), "\(run.errors)")
    #expect(run.errors.contains("\n0 of 3 files have the value, 3 have no value at the path, "), "\(run)")
    #expect(try !directory.names().contains("x.json"))
  }

  @Test func `A file that cannot be read is an error, and the others are printed`() async throws {
    try await makeFiles()
    try directory.write("t/bad.json", "{")
    let run = try await ToolRun.ferry("get", "t", "theme", "--recursive")
    #expect(run.status == 1 && run.output == "t/a.json: light\nt/sub/b.yaml: dark\n", "\(run)")
    #expect(run.errors.hasPrefix("t/bad.json:1:2: "), "\(run.errors)")
    #expect(
      run.errors.contains("\n2 of 4 files have the value, 1 has no value at the path, 1 failed, "), "\(run)")
  }

  @Test func `An output in the folder is not read`() async throws {
    try await makeFiles()
    let run = try await ToolRun.shell("ferry get t theme --recursive -q > t/out.json; cat t/out.json")
    #expect(run.output == "t/a.json: light\nt/sub/b.yaml: dark\n", "\(run)")
  }

  @Test func `The files in a list are read, and the first argument is a path`() async throws {
    try await makeFiles()
    let run = try await ToolRun.shell("printf 't/a.json\\nt/c.json\\n' | ferry get --files-from - theme l")
    #expect(run.status == 0 && run.output == "t/a.json: light\nt/a.json: [1,2]\n", "\(run)")
    #expect(run.errors == "1 of 2 files has the value, 1 has no value at the path\n", "\(run.errors)")
    let whole = try await ToolRun.shell("printf 't/c.json\\0' | ferry get --files-from - -0 -q")
    #expect(whole.output == "t/c.json: {\"l\":[]}\n", "\(whole)")
  }

  @Test func `Options that have no effect on several files are refused`() async throws {
    try await makeFiles()
    for (line, words) in [
      ("get t theme --recursive --bytes", "--bytes writes one value, and cannot be used with --recursive"),
      ("get t/a.json theme --include x", "--include and --exclude need --recursive"),
      ("get t theme --recursive --to json --default x", "--default prints a text"),
      ("get t //a b --recursive", "//a is an XPath, and cannot be used together with a path"),
      ("get t //a --recursive --type", "--type takes a path, not an XPath"),
      ("get - a --recursive", "--recursive needs the name of a folder"),
    ] {
      let run = try await ToolRun.shell("ferry \(line)")
      #expect(run.status == 64 && run.output == "", "\(line): \(run)")
      #expect(run.errors.contains(words), "\(line): \(run.errors)")
    }
  }

  @Test func `A path that selects nothing from empty lists does not fail, as with one file`() async throws {
    let made = try await ToolRun.shell(
      #"mkdir t; printf '{"l": [], "n": 1}' > t/a.json; printf 'l: []\n' > t/b.yaml; printf '{"m": 1}' > m.json"#
    )
    #expect(made.status == 0)
    let none = "0 of 2 files have the value, 2 have no value at the path\n"
    let run = try await ToolRun.ferry("get", "t", "l[*]", "--recursive")
    #expect(run.status == 0 && run.output == "" && run.errors == none, "\(run)")
    let json = try await ToolRun.ferry("get", "t", "l[1:3]", "--recursive", "--to", "json")
    #expect(json.status == 0 && json.output == "[]\n" && json.errors == none, "\(json)")
    let both = try await ToolRun.shell("echo t/a.json | ferry get --files-from - 'l[*]' n")
    #expect(both.status == 0 && both.output == "t/a.json: 1\n", "\(both)")
    let missing = try await ToolRun.shell("mv m.json t; ferry get t 'l[*]' --recursive; rm t/a.json t/b.yaml")
    #expect(missing.status == 0 && missing.errors.hasPrefix("0 of 3 files have"), "\(missing)")
    let all = try await ToolRun.ferry("get", "t", "l[*]", "--recursive")
    #expect(all.status == 1 && all.errors.hasPrefix("t/m.json: no key \"l\" here"), "\(all)")
  }

  @Test func `A value without the parts that are asked for is an error of its file`() async throws {
    try directory.makeDirectory("t")
    try directory.write("t/a.json", #"{"v": "x"}"#)
    try directory.write("t/b.json", #"{"v": [1]}"#)
    let run = try await ToolRun.ferry("get", "t", "v", "--recursive", "--count")
    #expect(run.status == 1 && run.output == "t/b.json: 1\n", "\(run)")
    #expect(
      run.errors == """
        t/a.json: no elements or keys here: this is a value of the type string (at v)
        1 of 2 files has the value, 1 failed

        """, "\(run)")
  }

  @Test func `Names that are not UTF-8 count as files`() async throws {
    for command in ["get t v --recursive", "set t v 2 -r"] {
      let run = try await ToolRun.shell(
        #"mkdir -p t; echo '{"v":1}' > t/a.json; touch t/$(printf 'b\377.json'); ferry \#(command)"#)
      #expect(run.status == 1 && run.errors.contains("1 of 2 files "), "\(command): \(run)")
      #expect(run.errors.hasSuffix(", 1 failed\n"), "\(command): \(run)")
    }
  }

  @Test func `An archive of several files without the value counts as a file without it`() async throws {
    let made = try await ToolRun.shell(
      #"mkdir t; echo '{"v":1}' > t/a.json; echo '{}' > x.json; cp x.json y.json; python3 -m zipfile -c t/z.zip x.json y.json"#
    )
    #expect(made.status == 0, "\(made)")
    let run = try await ToolRun.ferry("get", "t", "v", "--recursive")
    #expect(run.errors == "1 of 2 files has the value, 1 has no value at the path\n", "\(run)")
    let named = try await ToolRun.ferry("get", "t", "v", "--recursive", "--include", "*")
    #expect(named.errors == "1 of 2 files has the value, 1 has no value at the path\n", "\(named)")
    let inside = try await ToolRun.ferry("get", "t", #"["x.json"]"#, "--recursive")
    #expect(inside.output == "t/z.zip: {}\n", "\(inside)")
  }

  @Test func `An XPath that is not valid is one error of the command`() async throws {
    try directory.makeDirectory("t")
    for name in ["a", "b"] { try directory.write("t/\(name).xml", "<r><t>1</t></r>") }
    for line in [
      "get t //t[ --recursive", "get t '/r/t[' --recursive --to json", "set t //t[ 5 -r", "remove t //t[ -r",
      "insert t '//t[' 5 -r", "move t //t[ //u -r", "copy t //t '//u[' -r", "get t '//foo()' --recursive",
      "convert -r t --select //t[ --to json --out-dir o", "convert t/a.xml t/b.xml --select 't[' --to json",
      "show t/a.xml t/b.xml --select //t[",
    ] {
      let run = try await ToolRun.shell("ferry \(line)")
      #expect(run.status == 64 && run.output == "", "\(line): \(run)")
      #expect(run.errors.hasPrefix("Error: the XPath "), "\(line): \(run)")
      #expect(run.errors.ranges(of: "is not valid").count == 1, "\(line): \(run)")
    }
    let prefix = try await ToolRun.ferry("get", "t", "//p:t", "--recursive")
    #expect(prefix.status == 1 && prefix.errors.contains("is not declared in the document"), "\(prefix)")
  }

  @Test func `A file beside a list is named in the error of paths and XPaths`() async throws {
    try directory.write("b.xml", "<r/>")
    for arguments in [
      "get --files-from - b.xml //t", "move --files-from - b.xml t u", "copy b.xml --files-from - t u",
    ] {
      let run = try await ToolRun.shell("echo b.xml | ferry \(arguments)")
      #expect(run.status == 64, "\(run)")
      #expect(
        run.errors.hasPrefix("Error: \"b.xml\" is a file: with --files-from, the first argument is the path"),
        "\(run)")
    }
  }

  @Test func `A ZIP archive of several files without the value counts as a file without it`() async throws {
    let made = try await ToolRun.shell(
      """
      mkdir t; echo '{"a":1}' > b.json; echo '{"a":2}' > c.json
      python3 -c "
      import zipfile
      with zipfile.ZipFile('t/n.zip', 'w') as z:
        z.write('b.json'); z.write('c.json')"
      """)
    #expect(made.status == 0, "\(made)")
    let alone = try await ToolRun.ferry("get", "t", "title", "--recursive")
    #expect(alone.status == 1 && alone.output == "", "\(alone)")
    #expect(alone.errors.hasPrefix("t/n.zip: no key \"title\" here"), "\(alone)")
    #expect(alone.errors.hasSuffix("0 of 1 file has the value, 1 has no value at the path\n"), "\(alone)")
    try directory.write("t/o.json", "{}")
    let beside = try await ToolRun.ferry("get", "t", "title", "--recursive")
    #expect(beside.status == 1 && beside.errors.hasPrefix("t/o.json: no key"), "\(beside)")
    try directory.write("t/o.json", #"{"title": "x"}"#)
    let found = try await ToolRun.ferry("get", "t", "title", "--recursive")
    #expect(found.status == 0 && found.output == "t/o.json: x\n", "\(found)")
    #expect(found.errors == "1 of 2 files has the value, 1 has no value at the path\n", "\(found)")
  }

  #if os(Linux)
    @Test func `Patterns leave out names that are not UTF-8`() async throws {
      let made = try await ToolRun.shell(
        #"""
        mkdir t; echo '{"theme":"x"}' > t/a.json; cp t/a.json "$(printf 't/\377.json')"; mkdir "$(printf 't/d\377')"
        """#)
      #expect(made.status == 0, "\(made)")
      let refused = #"t: the name "\xff.json" is not UTF-8 (rename the file)"# + "\n"
      let folder = #"t: the name "d\xff" is not UTF-8 (rename the file)"# + "\n"
      for (options, errors) in [
        ([], refused + folder), (["--include", "*.json"], refused + folder),
        (["--exclude", "d*"], refused), (["--exclude", "*.json", "--exclude", "d*"], ""),
        (["--include", "a*"], folder), (["--include", "*.json", "--exclude", "d*"], refused),
        (["--include", "x/*.json"], ""),
      ] {
        let run = try await ToolRun.ferry(["get", "t", "theme", "--recursive"] + options)
        #expect(
          run.errors.split(separator: "\n").filter { $0.contains("UTF-8") }.map { $0 + "\n" }.joined()
            == errors, "\(options): \(run)")
      }
    }
  #endif
}
