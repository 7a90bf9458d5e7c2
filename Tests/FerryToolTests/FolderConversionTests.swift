import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Conversion of folders` {
  private func makeTree() async throws {
    let made = try await ToolRun.shell(
      """
      set -e; mkdir -p tree/sub/deep tree/other
      printf '[1]' > tree/a.json; printf '[2]' > tree/sub/deep/b.json; printf '[3' > tree/sub/bad.json
      printf '<people><person><firstName>A</firstName><lastName>B</lastName></person></people>' > tree/sub/p.xml
      printf 'hi' > tree/other/notes.txt; printf '\\177ELF' > tree/other/program
      """)
    #expect(made.status == 0, "\(made.errors)")
  }

  private func files(in folder: String) async throws -> [String] {
    let found = try await ToolRun.shell("find \(folder) -type f 2>/dev/null | LC_ALL=C sort").output
    return found.split(separator: "\n").map(String.init)
  }

  @Test func `The files of a folder keep their subfolders, and others are counted`() async throws {
    try await makeTree()
    let run = try await ToolRun.ferry("convert", "-r", "tree", "--to", "plist-xml", "--out-dir", "out")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("tree/sub/bad.json:1:3: "), "\(run.errors)")
    #expect(run.errors.hasSuffix("3 converted, 1 failed, 2 other files skipped\n"), "\(run.errors)")
    #expect(try await files(in: "out") == ["out/a.plist", "out/sub/deep/b.plist", "out/sub/p.plist"])
  }

  @Test func `Files whose names begin with a combining character keep their subfolders`() async throws {
    let run = try await ToolRun.shell(
      """
      mkdir -p tree/a tree/b; printf '[1]' > tree/a/\u{301}x.json; printf '[2]' > tree/b/\u{301}x.json
      ferry convert -r tree --include 'b/*.json' --to yaml --out-dir out; ferry convert -r tree --to yaml --out-dir all
      """)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try await files(in: "out") == ["out/b/\u{301}x.yaml"])
    #expect(try await files(in: "all") == ["all/a/\u{301}x.yaml", "all/b/\u{301}x.yaml"])
  }

  @Test func `Pages of HTML are other files, and so is the page that show writes`() async throws {
    let run = try await ToolRun.shell(
      """
      mkdir pages; printf '<p>x</p>' > pages/a.xml; printf '<!DOCTYPE HTML><title>x<br>' > pages/b.html
      ferry show pages/a.xml --html -o pages/page.html
      ferry check pages; echo $?; ferry check -r pages; ferry find -r x pages
      ferry convert -r pages --to json --out-dir out 2>&1
      """)
    #expect(
      run.output
        == "pages/a.xml: OK (xml)\n0\npages/a.xml: OK (xml)\npages/a.xml: p: x\n1 converted, 0 failed, 2 other files skipped\n",
      "\(run)")
  }

  @Test func `A file in a folder with the extension of a format is wrong if it cannot be read`() async throws
  {
    let run = try await ToolRun.shell(
      #"""
      mkdir ci ci/sub other; : > ci/Info.plist; printf '\001\002\003\004' > ci/sub/b.plist; printf 'a note' > ci/c.json.gz
      printf '\001\002' > other/notes; : > other/empty; printf x > other/a.txt
      for line in 'check ci' 'check ci --json' 'find x ci' 'inspect ci --summary' 'convert -r ci --to json --out-dir out'
      do
        ferry $line > output 2> errors; echo "$line: $?, $(grep -c '^ci/[A-Za-z/]*.plist: ' errors)"
      done
      ferry check other; echo $?; rm other/a.txt other/notes; ferry check other; ferry check other --include 'emp*'; echo $?
      """#)
    #expect(
      run.output == """
        check ci: 1, 2
        check ci --json: 1, 2
        find x ci: 2, 2
        inspect ci --summary: 1, 2
        convert -r ci --to json --out-dir out: 1, 2
        0
        1

        """, "\(run.output)")
    #expect(
      run.errors == """
        0 checked, 0 wrong, 3 other files skipped
        0 checked, 0 wrong, 1 other file skipped
        other/empty: the file is empty

        """, "\(run.errors)")
  }

  /// Files of other programs that begin like texts of JSON, XML, YAML and OpenStep property lists.
  private static let foreign = #"""
    mkdir -p d/.git d/sub/.svn d/.build; for folder in d/.git d/sub/.svn d/.build; do printf '[' > $folder/x.json; done
    printf '[core]\n\tbare = false\n' > d/config; printf 'the license\n' > d/LICENSE; printf '42\n' > d/VERSION
    printf '1. one\n' > d/b.md; printf '[link](x)\n' > d/a.md; printf -- '---\ntitle: x\n---\n# Hi\n' > d/front.md
    printf '"use strict";\nvar a;\n' > d/u.js; printf '/* only a comment */\n' > d/c.css; printf '{ int a = 1; }' > d/c.c
    printf '<template>\n<br>\n</template>\n' > d/page.vue; printf '\037\213\010' > d/cut.gz; printf '\036no' > d/binary
    """#

  @Test
  func `Files of other programs in a folder are skipped, also if they begin like a text that Ferry reads`()
    async throws
  {
    let run = try await ToolRun.shell(
      Self.foreign + "\n"
        + #"""
        printf '{"a": "x"}' > d/people; printf '{ a = x; }' > d/list; printf '{"a":"x"}\n{"a":2}\n' > d/log
        printf '<svg><a>x</a></svg>' > d/x.svg
        ferry check d; echo $?; ferry find --key a d
        ferry inspect d --summary | grep -e files -e unknown; ferry rename d --class A=B -n; echo $?
        ferry convert -r d --to json --out-dir out; echo $?; find out -type d; ferry check d/.git; echo $?
        """#)
    #expect(
      run.output == """
        d/list: OK (plist-openstep)
        d/log: OK (jsonl)
        d/people: OK (json)
        d/x.svg: OK (xml)
        0
        d/list: a: x
        d/log: [0].a: x
        d/log: [1].a: 2
        d/people: a: x
        d/x.svg: svg.a: x
        4 files, 57 bytes, 12 of other kinds
            10  unknown
        1
        0
        out
        1

        """, "\(run.output)")
    #expect(run.errors.contains("4 checked, 0 wrong, 12 other files skipped\n"), "\(run.errors)")
    #expect(run.errors.contains("4 converted, 0 failed, 12 other files skipped\n"), "\(run.errors)")
    #expect(
      run.errors.hasSuffix("d/.git/x.json:1:2: the text ends where a value or \"]\" is expected (at [0])\n"),
      "\(run.errors)")
  }

  @Test func `A file whose first bytes show its format is wrong in a folder if the rest is`() async throws {
    let run = try await ToolRun.shell(
      #"""
      mkdir d; printf '<?xml version="1.0"?><svg>' > d/a.svg; printf 'bplist00\001' > d/b; printf '<plist><dict>' > d/c
      ferry convert d/a.svg --from text --to text -o d/d.gz; printf '{"a":1}' > p.json
      ferry convert p.json --to plist-xml -o d/e.plist.gz; ferry check d; echo $?; ferry check d --include '[bc]' 2> errors; wc -l < errors
      """#)
    #expect(
      run.output.split(whereSeparator: { " \n".contains($0) }) == [
        "d/e.plist.gz:", "OK", "(plist-xml)", "1", "3",
      ], "\(run)")
    #expect(run.errors.hasSuffix("5 checked, 4 wrong\n"), "\(run.errors)")
  }

  @Test func `A run that finds no files makes no folder for outputs`() async throws {
    let run = try await ToolRun.shell("mkdir d; ferry convert -r d --to json --out-dir o; ls")
    #expect(run.output == "d\n", "\(run)")
  }

  @Test func `A file that is skipped does not take the output of another one`() async throws {
    let run = try await ToolRun.shell(
      #"""
      mkdir d; echo 'shopping list' > d/config; echo '{"k":1}' > d/config.json; : > d/e; echo '[1]' > d/e.json
      printf '\211PNG\r\n\032\n0000' > d/icon.png; echo '<v><p/></v>' > d/icon.xml
      cp d/icon.png d/atlas.png; echo '{"a":1}' > d/atlas.json
      ferry convert -r d --to json --out-dir o; echo $?; ls o
      """#)
    #expect(run.errors.hasSuffix("4 converted, 0 failed, 4 other files skipped\n"), "\(run.errors)")
    #expect(run.output == "0\natlas.json\nconfig.json\ne.json\nicon.json\n", "\(run.output)")
  }

  @Test func `An output without all records is written again by the next run for changed files`() async throws
  {
    let run = try await ToolRun.shell(
      #"""
      printf '{"a":1}\n{"a":}\n' > k.jsonl; line='ferry convert k.jsonl --to json --out-dir o --keep-going --changed-only'
      touch -d 2020-01-01 k.jsonl; $line; echo $?; $line; echo $?; cat o/k.json
      printf '{"a":1}\n' > k.jsonl; touch -d 2020-01-02 k.jsonl; $line; echo $?; $line; echo $?
      """#)
    #expect(run.output == "1\n1\n[{\"a\":1}]\n0\n0\n", "\(run)")
    #expect(run.errors.split(separator: "\n").count { $0.hasPrefix("k.jsonl:2:6: ") } == 2, "\(run.errors)")
    #expect(run.errors.hasSuffix("0 converted, 0 failed, 1 unchanged\n"), "\(run.errors)")
  }

  @Test func `Symbolic links in a folder are counted also if it has nothing else, and if nothing is found`()
    async throws
  {
    let run = try await ToolRun.shell(
      """
      mkdir d e; printf '{"a":"x"}' > d/a.json; ln -s a.json d/b.json; ln -s ../d/a.json e/a.json
      ferry find x e; ferry rename --class A=B e; ferry find zebra d; ferry find x d
      ferry inspect e > summary; ferry inspect d > summary
      """)
    #expect(run.output == "d/a.json: a: x\n", "\(run)")
    #expect(
      run.errors == """
        no files to search, 1 symbolic link skipped
        no files to rename in, 1 symbolic link skipped
        1 searched, 0 failed, 1 symbolic link skipped
        1 symbolic link skipped
        1 symbolic link skipped

        """, "\(run)")
  }

  @Test func `The symbolic links in a folder are counted unless a pattern leaves them out`() async throws {
    let run = try await ToolRun.shell(
      """
      mkdir -p d/sub; printf '{"a":"x"}' > d/a.json; ln -s a.json d/b.json; ln -s none d/sub/c.json
      ferry convert -r d --to xml --out-dir o; echo $?
      ferry convert -r d --to xml --out-dir p --exclude 'b.*'; ferry check d
      """)
    #expect(run.output == "0\nd/a.json: OK (json)\n", "\(run)")
    #expect(
      run.errors == """
        1 converted, 0 failed, 2 symbolic links skipped
        1 converted, 0 failed, 1 symbolic link skipped
        1 checked, 0 wrong, 2 symbolic links skipped

        """, "\(run.errors)")
  }

  @Test func `A dry run prints the control characters of names as escapes`() async throws {
    let run = try await ToolRun.shell(
      #"""
      mkdir d; printf '{"a":1}' > "$(printf 'd/esc\033[31m.json')"; printf '{"a":1}' > "$(printf 'd/new\nline.json')"
      ferry convert -r d --to xml --out-dir o --dry-run
      """#)
    #expect(
      run.output == #"""
        d/esc\u{1b}[31m.json -> o/esc\u{1b}[31m.xml
        d/new\nline.json -> o/new\nline.xml

        """#, "\(run.output)")
  }

  @Test func `Two inputs with one output are refused in every run, also if one has not changed`() async throws
  {
    let run = try await ToolRun.shell(
      """
      mkdir -p two empty; printf '[1]' > two/a.json; printf '[2]' > two/a.jsonl
      ferry convert -r two --to plist-xml --out-dir out; echo $?; cp out/a.plist first
      touch -d 2099-01-01 two/a.jsonl
      ferry convert -r two --to plist-xml --out-dir out --changed-only; echo $?; cmp out/a.plist first
      ferry convert -r empty --to json --out-dir none
      """)
    #expect(run.output == "1\n1\n", "\(run.output)")
    let message = "two/a.jsonl: another input, two/a.json, has the same output, out/a.plist"
    #expect(run.errors.split(separator: "\n").count { $0.hasPrefix(message) } == 2, "\(run.errors)")
    #expect(run.errors.hasSuffix("no files to convert\n"), "\(run.errors)")
  }

  @Test func `Inputs with one name and two extensions have outputs with both extensions`() async throws {
    let run = try await ToolRun.shell(
      """
      mkdir d; echo '<a>1</a>' > d/a.xml; echo '<a>2</a>' > d/a.xsd; echo '<a>3</a>' > d/b.xml; gzip d/b.xml
      ferry convert -r d --to json --out-dir out --keep-extension; ls out
      ferry convert -r d --to json --out-dir other
      """)
    #expect(run.status == 1 && run.output == "a.xml.json\na.xsd.json\nb.xml.json\n", "\(run)")
    let line = "d/a.xsd: another input, d/a.xml, has the same output, other/a.json"
    #expect(run.errors.contains("\(line) (--keep-extension keeps the extensions of both)\n"), "\(run.errors)")
  }

  @Test(arguments: [
    ("a.xml", "--keep-extension needs --out-dir FOLDER, whose files it names"),
    ("a.xml -o b.json", "--keep-extension cannot be used with -o, which gives the whole name"),
    ("a.xml -i", "--keep-extension cannot be used with -i, which keeps the name"),
    ("plain --out-dir out", "--keep-extension has nothing to keep: no input has an extension"),
    ("--out-dir out", "--keep-extension has nothing to keep: the standard input has no name"),
  ]) func `--keep-extension without an effect is refused`(_ arguments: String, _ message: String) async throws
  {
    try directory.write("a.xml", "<a>1</a>")
    try directory.write("plain", "<a>1</a>")
    let run = try await ToolRun.shell("ferry convert --to json --keep-extension \(arguments) < plain")
    #expect(run.status == 64 && run.errors.contains(message), "\(run.errors)")
  }

  @Test func `A dry run prints the outputs, finds the errors, and writes nothing`() async throws {
    try await makeTree()
    let arguments = ["convert", "-r", "tree", "--to", "json", "--out-dir", "out"]
    let dry = try await ToolRun.ferry(arguments + ["--dry-run"], input: [])
    #expect(dry.status == 1)
    #expect(
      dry.output == """
        tree/a.json -> out/a.json
        tree/sub/deep/b.json -> out/sub/deep/b.json
        tree/sub/p.xml -> out/sub/p.json

        """)
    #expect(dry.errors.hasSuffix("3 would be converted, 1 failed, 2 other files skipped\n"), "\(dry.errors)")
    #expect(try await files(in: "out") == [])
    _ = try await ToolRun.ferry(arguments, input: [])
    let again = try await ToolRun.ferry(arguments + ["--dry-run"], input: [])
    #expect(again.errors.contains("out/a.json: the file already exists"), "\(again.errors)")
  }

  @Test(arguments: [
    ("convert a.json --to xml -o no/a.xml", #"no/a.xml: the folder "no" does not exist"#),
    ("convert a.json --to xml --force -o folder", "folder: this is a directory, not a file"),
    ("convert a.json --to xml --out-dir a.json", "a.json: this is a file, not a directory"),
    ("convert b.json -o no/New.mystuff", #"no/New.mystuff: the folder "no" does not exist"#),
    ("set a.json [0].name Eve -o no/a.json", #"no/a.json: the folder "no" does not exist"#),
    ("set a.json [0].name Eve -o b.json", "b.json: the file already exists"),
    ("rename p.archive --class Person=B --out-dir a.json", "a.json: this is a file, not a directory"),
  ])
  func `A dry run finds the folders and files that stop a run`(command: String, words: String) async throws {
    try directory.write("a.json", #"[{"name":"Ada"}]"#)
    try directory.write("b.json", "[]")
    try directory.write("folks.xml", folks)
    try directory.makeDirectory("folder")
    expectQuiet(try await .ferry("convert", "folks.xml", "-o", "p.archive"))
    for line in ["ferry \(command) --dry-run", "ferry \(command)"] {
      let run = try await ToolRun.shell(line)
      #expect(run.status == 1 && run.errors.contains(words), "\(line): \(run)")
    }
    #expect(try directory.names() == ["a.json", "b.json", "folder", "folks.xml", "p.archive"])
  }

  @Test func `A dry run takes new folders and devices as a run does`() async throws {
    try directory.write("a.json", #"[{"name":"Ada"}]"#)
    for output in ["--out-dir new/deep", "-o /dev/null --force", "-o a.xml"] {
      expectQuiet(try await .shell("ferry convert a.json --to xml -q \(output) --dry-run > /dev/null"))
    }
    #expect(try directory.names() == ["a.json"])
  }

  @Test func `Patterns choose files by name, by path and by folder`() async throws {
    try await makeTree()
    for (options, expected) in [
      ("--include '*.json' --exclude bad.json", ["out/a.jsonl", "out/sub/deep/b.jsonl"]),
      ("--include 'sub/*.xml'", ["out/sub/p.jsonl"]),
      ("--exclude sub", ["out/a.jsonl"]), ("--exclude sub/", ["out/a.jsonl"]),
      ("--exclude ./sub/", ["out/a.jsonl"]), ("--exclude tree/sub", ["out/a.jsonl"]),
      ("--exclude /sub --exclude ./tree/bad.json", ["out/a.jsonl"]),
      ("--exclude ./sub/deep --exclude 'bad*'", ["out/a.jsonl", "out/sub/p.jsonl"]),
      ("--include ./a.json", ["out/a.jsonl"]), ("--include /deep", []),
      ("--include tree/sub/p.xml", ["out/sub/p.jsonl"]),
      ("--exclude deep --exclude 'bad*'", ["out/a.jsonl", "out/sub/p.jsonl"]),
      ("--include '[ab].json'", ["out/a.jsonl", "out/sub/deep/b.jsonl"]),
      ("--include 'sub/*.json' --exclude bad.json", []),
      ("--include 'sub/*/b.json'", ["out/sub/deep/b.jsonl"]),
      ("--include '**/[ab].json'", ["out/a.jsonl", "out/sub/deep/b.jsonl"]),
      ("--include 'sub/**' --exclude '**/bad.json'", ["out/sub/deep/b.jsonl", "out/sub/p.jsonl"]),
    ] {
      let run = try await ToolRun.shell("rm -rf out; ferry convert -r tree \(options) -t jsonl --out-dir out")
      #expect(run.status == 0, "\(options): \(run.errors)")
      #expect(try await files(in: "out") == expected, "\(options)")
    }
  }

  @Test func `A pattern that no file fits, and a folder without files, are reported`() async throws {
    let run = try await ToolRun.shell(
      """
      mkdir d e; echo '[1]' > d/a.json
      ferry check d --include '*.jsn' --exclude .git; echo $?; ferry check d --exclude b; ferry check e; ferry find 1 e; echo $?
      ferry check d --include '*.jsn' --exclude b -q; ferry find 1 e -q; ferry check d/a.json --include '*.jsn'
      """)
    #expect(run.output == "0\nd/a.json: OK (json)\n1\nd/a.json: OK (json)\n", "\(run.output)")
    #expect(
      run.errors == """
        --include "*.jsn": no file was taken
        no files to check
        --exclude "b": nothing was left out
        no files to check
        no files to search

        """, "\(run.errors)")
  }

  @Test(arguments: [
    "--exclude priv", "--exclude priv/", "--exclude ./priv", "--exclude r/priv", "--exclude '**/priv'",
    "--exclude 'pr*'", "--include 'ok/*'", "--include ok/a.json", "--include 'ok/**' --exclude private",
  ])
  func `A folder that patterns leave out is not opened`(_ options: String) async throws {
    // The name of the file in the folder is an error if the folder is listed.
    let made = try await ToolRun.shell(
      #"mkdir -p r/priv r/ok; echo '[1]' > r/ok/a.json; echo '[2]' > "$(printf 'r/priv/b\377')"; cp -r r s"#)
    #expect(made.status == 0, "\(made.errors)")
    let commands = ["check r", "find 1 r", "inspect r --summary", "convert -r r --to json", "diff r s"]
    for command in commands where !command.hasPrefix("diff") || !options.contains("r/priv") {
      let run = try await ToolRun.shell("ferry \(command) \(options)")
      #expect(run.status == 0, "\(command)")
      let note = options.contains("private") ? "--exclude \"private\": nothing was left out\n" : ""
      #expect(run.errors == note, "\(command)")
    }
  }

  @Test func `Only inputs that are newer than their outputs are converted again`() async throws {
    try await makeTree()
    let line = "ferry convert -r tree --exclude bad.json --to jsonl --out-dir out --changed-only"
    let first = try await ToolRun.shell("find tree -type f -exec touch -d 2020-01-01 {} +; \(line)")
    #expect(first.errors == "3 converted, 0 failed, 2 other files skipped\n")
    let second = try await ToolRun.shell(line)
    #expect(
      second.errors == "0 converted, 0 failed, 3 unchanged, 2 other files skipped\n", "\(second.errors)")
    let third = try await ToolRun.shell(
      "printf '[9]' > tree/a.json; touch -d '2040-01-01' tree/a.json; \(line); cat out/a.jsonl")
    #expect(third.errors == "1 converted, 0 failed, 2 unchanged, 2 other files skipped\n", "\(third.errors)")
    #expect(third.output == "9\n")
    let refused = try await ToolRun.ferry("convert", "tree/a.json", "--to", "jsonl", "--changed-only")
    #expect(refused.status == 64)
  }

  @Test(arguments: ["os.replace('new.jsonl', 'in.jsonl')", "open('in.jsonl', 'a').write('{}\\n')"])
  func `An input that changes while it is converted is converted again`(change: String) async throws {
    let answer = try await Peer.python(
      """
      import os, signal, shutil, subprocess
      os.chdir("\(directory.path)")
      line = ["\(try ToolRun.path)", "convert", "in.jsonl", "-o", "out.json", "--changed-only", "--jobs", "1"]
      open("old.jsonl", "w").write('{"a":"old"}\\n' * 2000000)
      def is_open(): return any(name.startswith(".ferry-temporary-") for name in os.listdir("."))
      # A conversion that ends before it is stopped is begun again.
      for round in range(20):
        if os.path.exists("out.json"): os.remove("out.json")
        shutil.copy("old.jsonl", "in.jsonl")
        open("new.jsonl", "w").write('{"a":"new"}\\n')
        os.utime("new.jsonl", (1577836800, 1577836800))
        run = subprocess.Popen(line)
        while run.poll() is None and not is_open(): pass
        if run.poll() is None:
          run.send_signal(signal.SIGSTOP)
          os.waitid(os.P_PID, run.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
          was_open = is_open()
          \(change)
          run.send_signal(signal.SIGCONT)
          run.wait()
          if was_open: break
      for round in range(2): print(subprocess.run(line, stderr=subprocess.PIPE, text=True).stderr)
      """)
    #expect(answer.succeeded, "\(answer.errors)")
    #expect(answer.text == "\n0 converted, 0 failed, 1 unchanged\n\n", "\(answer.text)")
  }

  @Test func `Outputs in the folder of the inputs are not inputs of the next run`() async throws {
    try await makeTree()
    let line = "cd tree; ferry convert -r . --exclude bad.json --to json --out-dir out --force"
    for _ in 0..<2 {
      let run = try await ToolRun.shell(line)
      #expect(run.status == 0, "\(run.errors)")
      #expect(try await files(in: "tree/out").count == 3)
    }
  }

  @Test func `A temporary file of a run in a folder is not an input, unless it is named`() async throws {
    let run = try await ToolRun.shell(
      """
      mkdir -p t/.ferry-package-0000000000abe; echo '[1]' > t/a.json; cp t/a.json t/.ferry-temporary-0000000000abc
      cp t/a.json t/.ferry-package-0000000000abe/b.json; cp t/a.json t/.ferry-temporary-notes
      ferry convert -r t --join --to json -q; ferry find -r 1 t; ferry check t; ferry check t/.ferry-temporary-0000000000abc
      """)
    let lines = [
      "[1,1]", "t/.ferry-temporary-notes: [0]: 1", "t/a.json: [0]: 1", "t/.ferry-temporary-notes: OK (json)",
      "t/a.json: OK (json)", "t/.ferry-temporary-0000000000abc: OK (json)",
    ]
    #expect(run.output == lines.map { $0 + "\n" }.joined(), "\(run)")
  }

  @Test func `A dry run needs an output that is not a stream, and the number of jobs is checked`()
    async throws
  {
    try await makeTree()
    let dry = try await ToolRun.ferry("convert", "tree/a.json", "--to", "xml", "--dry-run")
    #expect(
      dry.status == 64 && dry.output == "" && dry.errors.contains("--dry-run needs -o"), "\(dry.errors)")
    let jobs = try await ToolRun.ferry("convert", "tree/a.json", "--to", "xml", "--jobs", "0")
    #expect(jobs.status == 64 && jobs.errors.contains("--jobs must be greater than 0"), "\(jobs.errors)")
    let joined = try await ToolRun.ferry("convert", "-j4", "tree/a.json", "--to", "xml")
    #expect(joined.status == 0 && !joined.output.isEmpty, "\(joined)")
  }

  @Test func `A package in a folder is one input`() async throws {
    let made = try await ToolRun.shell(
      """
      mkdir -p tree/docs; printf '<things><thing><whatsitName>Pen</whatsitName></thing></things>' > t.xml
      ferry seed tree/docs/Mine.mystuff --from \(Self.examples)/things.xml
      """)
    #expect(made.status == 0, "\(made.errors)")
    let run = try await ToolRun.shell("ferry convert -r tree --to json --out-dir out -q")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try await files(in: "out") == ["out/docs/Mine.json"])
  }

  private static let examples = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Examples").standardizedFileURL.path

  @Test func `A folder without -r is refused with the option`() async throws {
    try await makeTree()
    let run = try await ToolRun.ferry("convert", "tree", "--to", "json", "--out-dir", "out")
    #expect(run.status == 1)
    #expect(run.errors.contains("ferry convert -r takes the files in a folder"), "\(run.errors)")
    let pattern = try await ToolRun.ferry("convert", "tree/a.json", "--to", "json", "--include", "*.json")
    #expect(
      pattern.status == 64 && pattern.errors.contains("--include and --exclude need -r"), "\(pattern.errors)")
  }
}
