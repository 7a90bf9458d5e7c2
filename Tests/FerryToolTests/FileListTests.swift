import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Lists of input files` {
  private static let commands = [
    "convert --to json", "show", "inspect", "rename --class Person=Human --dry-run",
  ]

  /// Makes two archives with odd names, and one with the name `c.archive`.
  private func makeArchives() async throws {
    try directory.write(
      "one.json",
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"Person","first":"Ada"}]}}"#)
    expectQuiet(
      try await .shell(
        """
        for name in 'a b.archive' "$(printf 'new\\nline.archive')" c.archive; do
          ferry convert one.json --to archive -o "$name" -q || exit 1
        done
        """))
  }

  @Test(arguments: commands) func `A command reads the files in a list after its arguments`(
    _ command: String
  ) async throws {
    try await makeArchives()
    let whole = try await ToolRun.shell("ferry \(command) c.archive 'a b.archive'")
    #expect(whole.status == 0 && !(whole.output + whole.errors).isEmpty)
    for list in [
      "printf 'a b.archive\\n' > list; ferry \(command) c.archive --files-from list",
      "printf 'c.archive\\n\\na b.archive' | ferry \(command) --files-from -",
      "printf 'a b.archive\\0' | ferry \(command) --files-from - --null c.archive",
    ] {
      let run = try await ToolRun.shell(list)
      #expect(
        run.bytes == whole.bytes && run.errors == whole.errors && run.status == 0, "\(list): \(run.errors)")
    }
    let odd = try await ToolRun.shell("find . -name 'new*' -print0 | ferry \(command) --files-from - -0")
    #expect(odd.status == 0, "\(odd.errors)")
  }

  @Test(arguments: commands) func `A list whose lines end with CR LF is refused, unless CR is part of a name`(
    _ command: String
  ) async throws {
    try await makeArchives()
    let list = "printf 'a b.archive\\r\\nc.archive\\r\\n' | ferry \(command) --files-from -"
    let run = try await ToolRun.shell(list)
    #expect(run.status == 64 && run.output == "", "\(run)")
    #expect(run.errors.contains("the lines of the standard input end with CR LF"), "\(run)")
    let kept = try await ToolRun.shell(
      "cp c.archive \"$(printf 'c.archive\\r')\"; printf 'c.archive\\r\\n' | ferry \(command) --files-from -")
    #expect(kept.status == 0, "\(kept)")
  }

  @Test(arguments: commands) func `A list that begins with a byte order mark is refused`(_ command: String)
    async throws
  {
    try await makeArchives()
    let run = try await ToolRun.shell(
      "printf '\\357\\273\\277c.archive\\n' | ferry \(command) --files-from -")
    #expect(run.status == 64 && run.output == "", "\(run)")
    #expect(run.errors.contains("the standard input begins with a byte order mark"), "\(run)")
  }

  @Test(arguments: commands) func `A command with an empty list has nothing to do`(_ command: String)
    async throws
  {
    let run = try await ToolRun.shell("ferry \(command) --files-from /dev/null")
    #expect(run.status == 0)
    #expect(!run.output.contains("standard input") && !run.errors.contains("standard input"), "\(run.errors)")
  }

  @Test func `Names that are not UTF-8 can be told apart`() async throws {
    let run = try await ToolRun.shell(
      #"printf '\377.json\n\376\001".json\n' | ferry check --files-from -; mkdir f; : > "f/$(printf '\303')"; ferry check f"#
    )
    #expect(
      run.errors.split(separator: "\n").filter { $0.contains("UTF-8") } == [
        #"standard input: the name "\xff.json" is not UTF-8 (rename the file)"#,
        #"standard input: the name "\xfe\u{1}\".json" is not UTF-8 (rename the file)"#,
        #"f: the name "\xc3" is not UTF-8 (rename the file)"#,
      ], "\(run.errors)")
  }

  @Test func `A renaming in no files says so`() async throws {
    for line in [
      "ferry rename --files-from /dev/null --class A=B", "mkdir e; ferry rename e --class A=B -n; rmdir e",
    ] {
      let run = try await ToolRun.shell(line)
      #expect(run.status == 0 && run.errors == "no files to rename in\n", "\(line): \(run.errors)")
    }
  }

  @Test(arguments: commands) func `A list that cannot be read is refused`(_ command: String) async throws {
    try directory.write("a.json", "[]")
    for (line, status, words) in [
      ("ferry \(command) --files-from none", 1, "none: no such file or directory"),
      (
        "printf 'a.json\\n\\377.json\\n' | ferry \(command) --files-from -", 1,
        "standard input: the name \"\\xff.json\" is not UTF-8"
      ),
      ("ferry \(command) a.json --null", 64, "--null needs --files-from FILE"),
      ("echo - | ferry \(command) --files-from -", 64, "cannot be an input as well"),
    ] {
      let run = try await ToolRun.shell(line)
      #expect(Int(run.status) == status, "\(line): \(run.errors)")
      #expect(run.errors.contains(words), "\(line): \(run.errors)")
    }
  }

  @Test func `The names of several lists are inputs, in their order`() async throws {
    let run = try await ToolRun.shell(
      """
      echo '["a"]' > a.json; echo '["b"]' > b.json; echo '["c"]' > c.json; echo a.json > l1; echo b.json > l2
      echo c.json | ferry convert --files-from l2 --files-from - --files-from l1 --to jsonl
      """)
    #expect(run.status == 0 && run.output == "\"b\"\n\"c\"\n\"a\"\n", "\(run)")
    let twice = try await ToolRun.shell("ferry check --files-from - --files-from - < l1")
    #expect(twice.status == 64 && twice.errors.contains("can be read only once"), "\(twice)")
  }

  @Test func `A list with zero bytes is refused without the option for them`() async throws {
    let run = try await ToolRun.shell(
      "echo '[]' > a.json; printf 'a.json\\0b.json\\0' > l; ferry check --files-from l; echo $?; ferry check --files-from - < l"
    )
    #expect(run.status == 64 && run.output == "64\n", "\(run)")
    #expect(
      run.errors.contains("a name in l has a zero byte (use -0 for names that end with it)"), "\(run.errors)")
    #expect(run.errors.contains("a name in the standard input has a zero byte"), "\(run.errors)")
  }

  @Test func `A name that is not UTF-8 fails alone`() async throws {
    let run = try await ToolRun.shell(
      #"""
      echo '{"a":1}' > ok.json; printf 'l\351.json\0ok.json\0' > list; bad=$(printf 'l\351.json')
      ferry convert --files-from list -0 --to json --out-dir o; echo $?; cat o/ok.json
      ferry check "$bad" ok.json; echo $?; ferry find a ok.json "$bad"; echo $?; ferry find "$bad" ok.json; echo $?
      ferry check --files-from list -0 --json; ferry show "$bad" "$bad"; echo $?; ferry check -q --schema "$bad" ok.json; echo $?
      """#)
    let words = #"the name "l\xe9.json" is not UTF-8 (rename the file)"#
    let message = words.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    #expect(
      run.output == """
        1
        {"a":1}
        ok.json: OK (json)
        1
        ok.json: a: (key)
        2
        64
        {"file":"list","ok":false,"errors":[{"file":"list","code":"file.name-not-utf8","message":"\(message)"}]}
        {"file":"ok.json","ok":true,"format":"json"}
        1
        64

        """, "\(run.output)")
    #expect(
      run.errors == """
        list: \(words)
        1 converted, 1 failed
        l\\xe9.json: \(words)
        2 checked, 1 wrong
        l\\xe9.json: \(words)
        1 searched, 1 failed
        Error: l\\xe9.json: the argument is not UTF-8 (rename the file)
          See "ferry help find".
        list: \(words)
        2 checked, 1 wrong
        l\\xe9.json: no such file or directory
        l\\xe9.json: no such file or directory
        Error: l\\xe9.json: the argument is not UTF-8 (rename the file)
          See "ferry help check".

        """, "\(run.errors)")
  }

  @Test func `Many names that are not UTF-8 take time in proportion to their number`() async throws {
    let run = try await ToolRun.shell(
      #"ulimit -t 6; ferry check $(printf 'l\351%d.json ' $(seq 20000)) 2>/dev/null; echo $?"#)
    #expect(run.output == "1\n")
  }

  @Test func `The options for the output are checked with the files in a list`() async throws {
    try directory.write("a.json", "[]")
    try directory.write("list", "a.json\na.json\n")
    for (options, words) in [
      ("--to json -o out.json", "-o takes one input"), ("--to plist-xml", "several inputs need --out-dir"),
    ] {
      let run = try await ToolRun.shell("ferry convert \(options) --files-from list")
      #expect(run.status == 64 && run.errors.contains(words), "\(run.errors)")
    }
    let replaced = try await ToolRun.shell(
      "echo - > list; ferry convert -i --to json --files-from list < a.json")
    #expect(replaced.status == 64 && replaced.errors.contains("-i cannot replace the standard input"))
  }

  @Test(arguments: [
    "c.archive --json 'a b.archive' d.archive e.archive",
    "--json -- c.archive 'a b.archive' d.archive e.archive",
    "c.archive 'a b.archive' d.archive e.archive --json",
    "c.archive 'a b.archive' --json d.archive -- e.archive",
    "--files-from /dev/null --json c.archive 'a b.archive' d.archive e.archive",
  ])
  func `Options may be anywhere among the names of files`(_ arguments: String) async throws {
    try await makeArchives()
    for name in ["d", "e"] { expectQuiet(try await .shell("cp c.archive \(name).archive")) }
    let run = try await ToolRun.shell("ferry inspect \(arguments)")
    // A line is {"file":"c.archive", …}.
    let names = run.output.split(separator: "\n").map { $0.split(separator: "\"").dropFirst(3).first ?? "" }
    #expect(
      names.prefix(4) == ["c.archive", "a b.archive", "d.archive", "e.archive"], "\(run.output)\(run.errors)")
  }

  @Test(arguments: ["show -- -a.json b.json", "inspect --json -- b.json -a.json"])
  func `Names after two hyphens may begin with a hyphen`(_ line: String) async throws {
    try directory.write("-a.json", "[1]")
    try directory.write("b.json", "[2]")
    let run = try await ToolRun.shell("ferry \(line)")
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
  }

  @Test(arguments: commands)
  func `The time of many names in the command line grows with their number`(_ command: String) async throws {
    let run = try await ToolRun.shell(
      "mkdir out; ulimit -t 30; ferry \(command) --files-from /dev/null $(seq 12000)")
    #expect(run.status == 1)
    #expect(run.errors.contains("12000: no such file or directory"))
  }

  @Test func `A list has as many files as a folder`() async throws {
    let run = try await ToolRun.shell(
      """
      mkdir in; i=0; while [ $i -lt 3000 ]; do echo "[$i]" > in/$i.json; i=$((i+1)); done
      find in -type f | ferry convert --files-from - --to plist-xml --out-dir out
      ls out | wc -l
      """)
    #expect(run.errors == "3000 converted, 0 failed\n")
    #expect(run.output.split(separator: " ").last == "3000\n")
  }
}
