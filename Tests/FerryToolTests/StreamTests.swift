import Foundation
import TestSupport
import Testing

/// Commands that write to the standard output, with their arguments.
private let writers = [
  "convert a.json --to jsonl",
  "convert a.json --to plist",
  "get a.json '[0].name'",
  "get a.json --to xml",
  "show a.json",
  "inspect a.json",
  "formats",
  "formats --info-plist people-group",
  "set a.json '[0].name' x -o -",
  "insert - '[]' 1 --type string < a.json",
  "remove - '[0]' < a.json",
  "rename a.archive --class A=B --dry-run",
  "rename - --class A=B < a.archive",
  "merge a.json a.json a.json --schema none",
  "seed new.json --from a.json --schema none",
]

@Suite(.temporaryDirectory) struct `Streams` {
  private func makeFiles() async throws {
    try directory.write("a.json", #"[{"name":"Ada"}]"#)
    expectQuiet(
      try await .shell(
        #"echo '{"$class":"A","x":1}' > o.json; ferry convert a.json --schema none --to archive -o a.archive"#
          + #"; ferry insert a.archive '[]' --type json -- '{"$class":"A","x":1}'"#))
  }

  @Test(arguments: writers) func `A stream that is closed or full is named`(_ line: String) async throws {
    try await makeFiles()
    for (redirection, problem) in [
      (">&-", "the stream is closed"), ("> /dev/full", "no space left on device"),
    ] {
      let run = try await ToolRun.shell("rm -f new.json; ferry \(line) \(redirection)")
      #expect(run.status == 1, "\(line) \(redirection)")
      // `rename --dry-run` counts its files, too.
      #expect(run.errors.hasPrefix("standard output: \(problem)\n"), "\(line)")
    }
  }

  @Test(arguments: writers) func `A stream that nobody reads ends a run quietly`(_ line: String) async throws
  {
    try await makeFiles()
    let run = try await ToolRun.shell("mkfifo p; true < p & exec 3> p; wait; ferry \(line) >&3")
    #expect(run.errors == "", "\(line)")
  }

  @Test func `A closed stream becomes none of the files that are opened`() async throws {
    try await makeFiles()
    let run = try await ToolRun.shell("ferry get - name <&-")
    #expect(run.status == 1)
    #expect(run.errors == "standard input: the stream is closed\n")
    // A message has nowhere to go, and goes nowhere.
    let silent = try await ToolRun.shell("ferry convert a.json no.json --to json --out-dir out >&- 2>&-")
    #expect(silent.status == 1)
    #expect(try directory.text("out/a.json") == #"[{"name":"Ada"}]"# + "\n")
  }

  @Test func `A stream passes each line on before it waits for the next`() async throws {
    let run = try await ToolRun.shell(
      """
      mkfifo in out
      ferry convert --from jsonl --to jsonl < in > out & exec 3> in 4< out
      for value in 1 '{"a":"b"}' '[]'; do
        printf '%s\\n{"unfinished":' "$value" >&3
        read line <&4; echo "got $line"
        echo 0} >&3
        read line <&4; echo "got $line"
      done
      printf 5 >&3; exec 3>&-; cat <&4
      """)
    expectQuiet(run)
    #expect(
      run.output == """
        got 1
        got {"unfinished":0}
        got {"a":"b"}
        got {"unfinished":0}
        got []
        got {"unfinished":0}
        5

        """)
  }

  @Test func `A stream of lines continues after a line that is not JSON`() async throws {
    let lines = ["{\"a\":1}", "", "{\"a\":", "  {\"a\":2,\"a\":3}\r", "[1] 2", "\"\u{e9}\""]
    try directory.write("a.jsonl", lines.joined(separator: "\n"))
    let run = try await ToolRun.ferry("convert", "a.jsonl", "--to", "jsonl", "--keep-going")
    #expect(run.status == 1)
    #expect(run.output == "{\"a\":1}\n{\"a\":3}\n\"\u{e9}\"\n" || run.output.hasPrefix("{\"a\":1}\n{\"a\":2"))
    let errors = run.errors.split(separator: "\n")
    #expect(errors.count == 3)
    #expect(errors.first?.hasPrefix("a.jsonl:3:6: ") == true, "\(run.errors)")
    #expect(errors.dropFirst().first?.hasPrefix("a.jsonl:5:5: ") == true, "\(run.errors)")
    #expect(errors.last?.contains("not exact") == true, "\(run.errors)")
    let stopped = try await ToolRun.ferry("convert", "a.jsonl", "--to", "jsonl")
    #expect(stopped.errors.hasPrefix("a.jsonl:3:6: "))
  }

  /// Runs a command line at a terminal, types something, and gives what the terminal showed and the status.
  private func atTerminal(_ line: String, typing: String = "", term: String = "xterm") async throws -> ToolRun
  {
    try directory.write(
      "terminal.py",
      """
      import os, pty, sys
      pid, terminal = pty.fork()
      if pid == 0:
        os.environ['TERM'] = sys.argv[3]
        os.environ.pop('NO_COLOR', None)  # The runner of the tests sets it.
        os.execvp('/bin/sh', ['sh', '-c', sys.argv[1]])
      os.write(terminal, sys.argv[2].encode())
      shown = b''
      while True:
        try: piece = os.read(terminal, 4096)
        except OSError: break
        if not piece: break
        shown += piece
      sys.stdout.buffer.write(shown)
      sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
      """)
    let quoted = line.replacing("'", with: #"'\''"#)
    return try await ToolRun.shell("python3 terminal.py '\(quoted)' '\(typing)' \(term)")
  }

  @Test func `A stream from a terminal ends with one control-D`() async throws {
    for (options, text) in [
      ("--from json --to json", "[1]\n"), ("--to json", "[1]\n"), ("--from jsonl --to jsonl", "1\n"),
    ] {
      let run = try await atTerminal("ferry convert \(options) > out.json", typing: text + "\u{4}")
      #expect(run.status == 0, "\(run.output)")
      #expect(try directory.text("out.json") == text)
    }
  }

  @Test func `A stream to a terminal gets no bytes that are not text, unless that is asked for`() async throws
  {
    try await makeFiles()
    let refused =
      "standard output: binary output is not written to a terminal "
      + "(use -o FILE, or -o - to write it anyway)\r\n"
    for line in [
      "ferry convert a.json --to archive", "ferry remove - '[0]' < a.archive",
      "ferry get a.json --to archive",
      "ferry merge a.archive a.archive a.archive",
    ] {
      let run = try await atTerminal(line)
      #expect(run.status == 1)
      #expect(run.output == refused, "\(line)")
    }
    let asked = try await atTerminal("ferry convert a.json --to archive -o -")
    #expect(asked.status == 0)
    #expect(asked.output.hasPrefix("bplist00"))
    #expect(try await atTerminal("ferry convert a.json --to json").output == #"[{"name":"Ada"}]"# + "\r\n")
  }

  @Test func `A stream to a dumb terminal has no colors`() async throws {
    try await makeFiles()
    #expect(try await atTerminal("ferry show a.json").output.contains("\u{1b}["))
    let plain = try await atTerminal("ferry show a.json", term: "dumb")
    #expect(plain.status == 0)
    #expect(!plain.output.contains("\u{1b}"))
  }
}

@Suite(.temporaryDirectory) struct `Messages about files and folders` {
  @Test func `A missing folder for temporary files is named in the error`() async throws {
    try directory.write("a.xml", "<a><b>1</b></a>")
    try directory.write("a.archive", [])
    let problem =
      #"no temporary file can be written in "/nowhere": no such file or directory (TMPDIR names another folder)"#
    for line in ["cat a.xml | ferry convert - --to json", "ferry convert a.xml --to sqlite"] {
      let run = try await ToolRun.shell("export TMPDIR=/nowhere; \(line)")
      #expect(run.status == 1)
      #expect(run.errors.hasSuffix(": \(problem)\n"), "\(run.errors)")
    }
    let run = try await ToolRun.shell("TMPDIR=/nowhere EDITOR=true ferry edit a.xml")
    #expect(run.status == 1)
    #expect(run.errors.hasSuffix(": \(problem)\n"), "\(run.errors)")
  }

  @Test func `Names that are not UTF-8 are refused`() async throws {
    let run = try await ToolRun.shell(#"n=$(printf 'b\377.json'); echo 1 > "$n"; ferry get "$n" '' "#)
    #expect(run.status == 64)
    #expect(
      run.errors
        == "b\\xff.json: the argument is not UTF-8 (rename the file)\n")
    // An argument of the utilities need not name a file, and they have no other status for errors.
    let value = try await ToolRun.shell(#"ferry plutil -insert k -string "$(printf 'b\377')" f.plist"#)
    #expect(value.status == 1)
    #expect(value.errors == "b\\xff: the argument is not UTF-8\n")
    let folder = try await ToolRun.shell(
      #"mkdir f; echo 1 > f/$(printf 'b\377'); ferry rename f --class A=B"#)
    #expect(folder.status == 1)
    #expect(folder.errors == "f: the name \"b\\xff\" is not UTF-8 (rename the file)\n")
  }

  @Test func `A name that is not UTF-8 in a folder does not stop the other files`() async throws {
    let run = try await ToolRun.shell(
      #"""
      mkdir -p f/g; echo '{"a":1}' > f/g/$(printf 'b\377'); echo '[{"$class":"A"}]' > v.json
      echo '[{"name":"A"}]' > f/a.json; echo '[{"name":"B"}]' | ferry convert --to archive -o f/b.archive
      ferry inspect f --summary; echo "inspect $?"; ferry rename f --class NSArray=B -n; echo "rename $?"
      """#)
    #expect(run.output.contains("2 files"), "\(run.output)")
    #expect(run.output.contains("inspect 1") && run.output.contains("rename 1"), "\(run.output)")
    #expect(run.output.contains("f/b.archive: "), "\(run.output)")
    #expect(
      run.errors.contains("f/g: the name \"b\\xff\" is not UTF-8 (rename the file)\n"), "\(run.errors)")
  }

  @Test func `Folders where nothing can be written are named in the error`() async throws {
    try directory.makeDirectory("disk")
    let mount = try await ToolRun.shell("mount -t tmpfs -o size=64k ferry-test disk")
    guard mount.status == 0 else { try Test.cancel("no disk can be made here: \(mount.errors)") }
    let run = try await ToolRun.shell(
      """
      echo '{"x":1}' > disk/a.json; mount -o remount,ro disk
      ferry set disk/a.json x 2; ferry convert disk/a.json -o disk/b.plist; ferry convert disk/a.json --to things -o disk/T.mystuff
      ferry get disk/a.json x; umount disk
      """)
    #expect(run.output == "1\n")
    #expect(
      run.errors.split(separator: "\n").prefix(2) == [
        "disk/a.json: the file is not writable: read-only file system",
        #"disk/b.plist: cannot create a file in the folder "disk": read-only file system"#,
      ])
  }

  @Test func `Leftovers of a killed run are removed, and those of a running one are left`() async throws {
    try directory.write("a.json", #"{"x":1}"#)
    let run = try await ToolRun.shell(
      """
      mkfifo killed living
      ferry convert --from json --to json -o b.json < killed & exec 3> killed; k=$!
      until set -- .ferry-*; [ -e "$1" ]; do :; done
      kill -9 $k; wait $k 2> /dev/null; ls -A | grep -c '^.ferry-'
      ferry convert --from json --to json -o c.json < living & exec 4> living
      until [ -e .ferry-* ] && ! [ -e "$1" ]; do :; done 2> /dev/null
      ferry set a.json x 2; ls -A | grep -c '^.ferry-'
      echo 3 >&4; exec 4>&-; wait; ls -A
      """)
    expectQuiet(run)
    #expect(run.output == "1\n1\na.json\nc.json\nkilled\nliving\n")
    #expect(try directory.text("c.json") == "3\n")
  }

  @Test(arguments: ["json", "jsonl", "csv", "plist-openstep", "json --compress gzip", "json -j 2"])
  func `A strict conversion that is refused writes nothing to the standard output`(_ target: String)
    async throws
  {
    // The writer has written most of the records when the last one is read. Text is exact in all of these formats.
    let records = (0..<50_000).map { #"{"a":"text \#($0)"}"# }
    try directory.write("a.json", "[" + records.joined(separator: ",") + "]")
    try directory.write("b.json5", "[" + records.joined(separator: ",") + #",{"a":"b","c":NaN}]"#)
    let whole = try await ToolRun.shell("ferry convert a.json --to \(target) --strict | wc -c")
    #expect(
      Int(whole.output.filter(\.isNumber)).map { $0 > 100_000 } == true, "\(whole.output)\(whole.errors)")
    #expect(
      try await ToolRun.shell(
        "ferry convert a.json --to \(target) --strict > s; ferry convert a.json --to \(target) | cmp - s"
      )
      .errors == "")
    let refused = try await ToolRun.shell("ferry convert b.json5 --to \(target) --strict")
    #expect(refused.status == 1 && refused.bytes == [], "\(refused.bytes.count) bytes")
    #expect(refused.errors.contains("--strict refuses what is not exact"), "\(refused.errors)")
  }
}
