import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `ferry find` {
  private func makeFiles() async throws {
    let made = try await ToolRun.shell(
      """
      set -e; mkdir -p tree/sub
      printf '{"name":"Ada","tags":["ada","x.y"],"n":36,"on":true,"a.b":{"name":null}}' > tree/a.json
      printf '<people><person><firstName>Ada</firstName><lastName>Lovelace</lastName></person></people>' > tree/sub/p.xml
      ferry convert tree/sub/p.xml -o tree/p.pplgrp; printf '\\177ELF' > tree/program
      """)
    #expect(made.status == 0, "\(made.errors)")
  }

  @Test func `The names of files with matches may end in a zero byte, for xargs`() async throws {
    try directory.write("a b.json", #"["x"]"#)
    try directory.write("c\nd.json", #"["x"]"#)
    let run = try await ToolRun.shell(
      """
      ferry find -l0 x 'a b.json' c*; ferry find --files-with-matches --null x a*
      printf '%s\\0' a* c* | ferry find -l x --files-from - -0 | xargs -0 ferry find -c x
      """)
    #expect(
      run.output == "a b.json\0c\nd.json\0a b.json\0a b.json: 1\nc\\nd.json: 1\n" && run.status == 0, "\(run)"
    )
    for line in ["find -0 x a*", "find -c0 x a*"] {
      let refused = try await ToolRun.shell("ferry \(line)")
      #expect(refused.status == 64, "\(line)")
      #expect(refused.errors.contains("--null needs --files-from FILE, or find -l"), "\(refused.errors)")
    }
  }

  @Test func `The names of files without a match are printed with -L`() async throws {
    try await makeFiles()
    try directory.write("tree/c d.json", "[1]")
    let run = try await ToolRun.ferry("find", "-L", "--key", "name", "tree")
    #expect(run.output == "tree/c d.json\ntree/p.pplgrp\ntree/sub/p.xml\n" && run.status == 0, "\(run)")
    let shell = try await ToolRun.shell(
      "ferry find -L0 Ada tree | xargs -0 ferry find --files-without-match x")
    #expect(shell.output == "tree/c d.json\n" && shell.status == 0, "\(shell)")
    let none = try await ToolRun.ferry("find", "-L", "Ada", "tree/a.json")
    #expect(none.output == "" && none.status == 1, "\(none)")
    try directory.write("bad.json", "[1")
    let bad = try await ToolRun.ferry("find", "-L", "Ada", "bad.json", "tree/c d.json")
    #expect(bad.output == "tree/c d.json\n" && bad.status == 2, "\(bad)")
    for option in ["-l", "-c", "-q", "--json"] {
      #expect(try await ToolRun.ferry(["find", "-L", option, "x"], input: []).status == 64, "\(option)")
    }
  }

  @Test func `The names of files with matches are those of the files also if they have invisible characters`()
    async throws
  {
    let name = "\u{200e}W\u{202e}.json"
    try directory.write(name, #"["x"]"#)
    let run = try await ToolRun.shell("ferry find -l x *.json; ferry find -l x *.json | xargs ls")
    #expect(run.output.utf8.elementsEqual("\(name)\n\(name)\n".utf8) && run.status == 0, "\(run)")
  }

  @Test(arguments: [
    ("Ada tree/a.json", "name: Ada\n"),
    ("-i ada tree/a.json", "name: Ada\ntags[0]: ada\n"),
    ("-E '^x.y$' tree/a.json", "tags[1]: x.y\n"),
    ("-x name tree/a.json", "name: (key)\n[\"a.b\"].name: (key)\n"),
    ("name -v tree/a.json; true", ""),
    ("36 tree/a.json", "n: 36\n"),
    ("--type boolean tree/a.json", "on: true\n"),
    ("--type array tree/a.json", "tags: array\n"),
    ("--type null --type integer tree/a.json", "n: 36\n[\"a.b\"].name: null\n"),
    ("--key name tree/a.json", "name: Ada\n[\"a.b\"].name: null\n"),
    ("--key name -e Ada tree/a.json", "name: Ada\n"),
    ("--key NAME -i tree/a.json", "name: Ada\n[\"a.b\"].name: null\n"),
    ("--key NAME tree/a.json; true", ""),
    ("--key '^na' -E tree/a.json", "name: Ada\n[\"a.b\"].name: null\n"),
    ("--key na tree/a.json; true", ""),
    ("--key n --key on tree/a.json", "n: 36\non: true\n"),
    ("--key name -x -e ada -i tree/a.json", "name: Ada\n"),
    ("--class person -i tree/p.pplgrp", "[0]: Person\n"),
    ("--class '^Per' -E tree/p.pplgrp", "[0]: Person\n"),
    ("--class NSArray tree/p.pplgrp", "NSArray\n"),
    ("--class NSArray --class Person tree/p.pplgrp", "NSArray\n[0]: Person\n"),
    ("--class Person --class NSArray tree/p.pplgrp", "NSArray\n[0]: Person\n"),
    ("--class NSObject -c tree/p.pplgrp", "2\n"),
    ("--class Person tree/p.pplgrp", "[0]: Person\n"),
    ("Love tree/p.pplgrp", "[0].last: Lovelace\n"),
    ("-l Ada tree", "tree/a.json\ntree/p.pplgrp\ntree/sub/p.xml\n"),
    ("-c Ada tree", "tree/a.json: 1\ntree/p.pplgrp: 1\ntree/sub/p.xml: 1\n"),
    ("Ada tree --exclude sub", "tree/a.json: name: Ada\ntree/p.pplgrp: [0].first: Ada\n"),
    ("Ada tree --include '*.xml'", "tree/sub/p.xml: [0].firstName: Ada\n"),
    (
      "Ada tree/p.pplgrp --json",
      "{\"file\":\"tree/p.pplgrp\",\"path\":\"[0].first\",\"match\":\"value\",\"type\":\"string\",\"text\":\"Ada\"}\n"
    ),
  ])
  func `Values, keys and objects are found with their paths`(_ arguments: String, _ output: String)
    async throws
  {
    try await makeFiles()
    let run = try await ToolRun.shell("ferry find \(arguments)")
    #expect(run.status == 0 && run.output == output && run.errors == "", "\(run.output)\(run.errors)")
  }

  @Test func `Objects of classes are found by their keys, also in data`() async throws {
    try await makeFiles()
    let run = try await ToolRun.shell(
      """
      ferry insert tree/p.pplgrp '[0].boss' '{"$class": "Person", "first": "Bo"}' --type json
      printf '{"blob": ""}' | ferry convert - --to plist-binary -o o.plist
      ferry set o.plist blob --from-file tree/p.pplgrp --type data
      ferry find --key boss tree/p.pplgrp; ferry find --key boss --type object o.plist
      ferry find --key boss --type dictionary o.plist; ferry find --key last --type object o.plist
      """)
    #expect(run.output == "[0].boss: Person\nblob[0].boss: Person\n", "\(run.output)\(run.errors)")
  }

  @Test func `Data is found by its type, also if it holds a file, and by its whole Base64`() async throws {
    try await makeFiles()
    let run = try await ToolRun.shell(
      """
      printf '<plist version="1.0"><dict><key>a</key><data>AAECAwQ=</data></dict></plist>' > d.plist
      printf '<plist version="1.0"><dict><key>blob</key><data></data></dict></plist>' > o.plist
      ferry set o.plist blob --from-file tree/p.pplgrp --type data
      ferry find --type data d.plist; ferry find --type data o.plist; ferry find --key blob o.plist
      ferry find AAECAwQ= d.plist; ferry find -k AAECAwQ= d.plist; ferry find AAEC d.plist
      ferry find --type data -e AAEC d.plist; ferry find "$(ferry get o.plist blob)" -c o.plist; ferry find -E '^AAE' d.plist
      """)
    #expect(
      run.output == """
        a: data
        blob: data
        blob: array
        a: AAECAwQ=
        a: AAECAwQ=
        1
        a: AAECAwQ=

        """, "\(run.output)\(run.errors)")
  }

  @Test func `ferry get takes each path that is found, also inside data`() async throws {
    try await makeFiles()
    let made = try await ToolRun.shell(
      """
      printf '{"blob":"","k y":[{"v":"Ada"}]}' > o.json; ferry convert o.json --to plist-binary -o o.plist
      ferry set o.plist blob --from-file tree/p.pplgrp --type data
      ferry find -x Ada o.plist | sed 's/: Ada$//' > paths
      while IFS= read -r path; do ferry get o.plist "$path"; done < paths
      """)
    #expect(made.output == "Ada\nAda\n", "\(made.output)\(made.errors)")
  }

  @Test(arguments: ["json", "yaml", "xml", "plist-xml"])
  func `ferry get and set take each path that is found in a document in the typed form`(
    _ format: String
  ) async throws {
    try await makeFiles()
    let made = try await ToolRun.shell(
      """
      set -e; printf '{"root":[{"k y":[1,null,"Ada"],"a.b":{"$x":true}}],"n":2.5}' > o.json
      ferry convert o.json --to archive -o o.archive; ferry convert o.json --to plist-binary -q -o o.plist
      ferry insert o.plist blob --from-file tree/p.pplgrp --type data
      ferry insert o.plist day 2026-01-02T03:04:05Z --type date
      for file in o.archive o.plist tree/p.pplgrp; do
        ferry convert "$file" --to \(format) --form typed -o "$(basename "$file").typed.\(format)"
        ferry convert "$file" --to \(format) --form typed --expand -o "$(basename "$file").open.\(format)"
      done
      """)
    #expect(made.status == 0, "\(made.errors)")
    for name in ["o.archive", "o.plist", "p.pplgrp"].flatMap({
      ["\($0).typed.\(format)", "\($0).open.\(format)"]
    }) {
      let found = try await ToolRun.ferry("find", "", name, "--json")
      let matches = try found.output.split(separator: "\n").map { line in
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      }
      #expect(matches.count > 3, "\(name)")
      for match in matches {
        let path = try #require(match["path"] as? String)
        let read = try await ToolRun.ferry("get", name, path)
        #expect(read.status == 0, "\(name) \(path): \(read.errors)")
        guard format != "xml", match["match"] as? String == "value", match["type"] as? String == "string",
          let text = match["text"] as? String
        else { continue }
        let written = try await ToolRun.ferry("set", name, path, text, "--dry-run")
        #expect(written.status == 0, "\(name) \(path): \(written.errors)")
      }
    }
  }

  @Test func `A document in the typed form has the paths of its text, with its classes and types`()
    async throws
  {
    try await makeFiles()
    let run = try await ToolRun.shell(
      """
      ferry convert tree/p.pplgrp --to json --form typed -o t.json
      ferry convert tree/p.pplgrp --to xml --form typed -o t.xml
      ferry convert tree/p.pplgrp --to json --form raw -q -o raw.json
      ferry find -x Ada t.json; ferry find -x Ada t.xml; ferry find -x Ada raw.json
      ferry find --class Person t.json; ferry find --class NSArray t.json
      printf '{"$ferry":1,"$value":[{"$date":"2026-01-02T03:04:05Z"},{"$data":"AAEC"}]}' > v.json
      ferry find --type date v.json; ferry find --type data v.json; ferry find -v AAE v.json; ferry find AAEC v.json
      printf '{"a":{"$ferry":1},"b":{"$class":"Person","born":{"$date":"2026-01-02T03:04:05Z"}}}' > other.json
      ferry find --class Person other.json; ferry find --type date other.json
      """)
    #expect(
      run.output == """
        $top.root[0].first: Ada
        [0].first: Ada
        $objects[4]: Ada
        $top.root[0]: Person
        $value[0].$date: 2026-01-02T03:04:05Z
        $value[1].$data: AAEC
        $value[1].$data: AAEC

        """, "\(run)")
  }

  @Test func `Nothing found, a broken file and wrong options have their exit statuses`() async throws {
    try await makeFiles()
    let none = try await ToolRun.ferry("find", "zebra", "tree/a.json")
    #expect(none.status == 1 && none.output == "" && none.errors == "")
    try directory.write("bad.json", "[\"Ada\"")
    let bad = try await ToolRun.ferry("find", "Ada", "bad.json", "tree/a.json")
    #expect(bad.status == 2 && bad.errors.hasPrefix("bad.json:1:7: "), "\(bad.errors)")
    #expect(bad.output.contains("tree/a.json: name: Ada\n"))
    let both = try await ToolRun.ferry("find", "-e", "Ada", "-e", "zebra", "tree/a.json")
    #expect(both.status == 0 && both.output == "name: Ada\n", "\(both.output)")
    for arguments in [
      ["-E", "("], [], ["-e", "x", "--class", "A", "f"], ["-k", "-v", "x"], ["-c", "-l", "x"],
      ["--json", "-c", "x"], ["-q", "-c", "x"], ["-q", "--verbose", "x"], ["--type", "date", "-i", "x"],
      ["--type", "date", "-E", "x"], ["--type", "date", "-x", "x"], ["--key", "(", "-E", "x"],
    ] {
      let run = try await ToolRun.ferry(["find"] + arguments, input: [])
      #expect(run.status == 64, "\(arguments): \(run.errors)")
    }
  }

  @Test func `A summary has the numbers of files that were searched, failed and skipped`() async throws {
    try await makeFiles()
    let quiet = try await ToolRun.ferry("find", "Ada", "tree")
    #expect(quiet.status == 0 && quiet.errors == "", "\(quiet.errors)")
    let verbose = try await ToolRun.ferry("find", "Ada", "tree", "--verbose", "-c")
    #expect(verbose.status == 0 && verbose.errors == "3 searched, 0 failed, 1 other file skipped\n")
    #expect(verbose.output == "tree/a.json: 1\ntree/p.pplgrp: 1\ntree/sub/p.xml: 1\n", "\(verbose.output)")
    try directory.write("tree/bad.json", "[\"Ada\"")
    for (arguments, status) in [(["Ada", "tree"], 2), (["zebra", "tree"], 2), (["-l", "Ada", "tree"], 2)] {
      let run = try await ToolRun.ferry(["find"] + arguments, input: [])
      #expect(run.status == status)
      #expect(run.errors.hasPrefix("tree/bad.json:1:7: "), "\(run.errors)")
      #expect(run.errors.hasSuffix("\n3 searched, 1 failed, 1 other file skipped\n"), "\(run.errors)")
    }
    let alone = try await ToolRun.ferry("find", "Ada", "tree/bad.json")
    #expect(alone.status == 2 && !alone.errors.contains("searched"), "\(alone.errors)")
    let head = try await ToolRun.shell("ferry find -v -e '' --type string tree | head -1")
    #expect(head.output.split(separator: "\n").count == 1 && !head.errors.contains("Broken pipe"))
  }

  @Test func `Nothing is printed with --quiet but errors, and the exit status is that of the first match`()
    async throws
  {
    try await makeFiles()
    try directory.write("tree/zbad.json", "[\"Ada\"")
    for (arguments, status, hasError) in [
      (["-q", "Ada", "tree"], 0, false), (["-q", "zebra", "tree"], 2, true),
      (["-q", "zebra", "tree/a.json"], 1, false),
      (["-q", "Ada", "tree/zbad.json", "tree/a.json"], 0, true),
    ] {
      let run = try await ToolRun.ferry(["find"] + arguments, input: [])
      #expect(run.status == status && run.output == "", "\(arguments): \(run.output)")
      #expect(run.errors.contains("zbad.json:1:7: ") == hasError, "\(arguments): \(run.errors)")
      #expect(!run.errors.contains("searched"))
    }
  }

  @Test(arguments: ["find x tree/a.json", "diff tree/a.json tree/a.json"])
  func `A file in an option that cannot be read is not an answer`(_ command: String) async throws {
    try await makeFiles()
    for option in ["--dtd", "--types"] {
      let run = try await ToolRun.shell("ferry \(command) \(option) none")
      #expect(run.status == 2 && run.errors.hasPrefix("none: no such file or directory"), "\(run.errors)")
    }
  }

  @Test func `As many objects of each class are found as inspect counts`() async throws {
    try directory.write(
      "o.plist",
      """
      <plist version="1.0"><dict><key>a</key><array><date>2024-05-06T07:08:09Z</date><array/></array>\
      <key>d</key><dict><key>e</key><date>2024-05-06T07:08:10Z</date></dict></dict></plist>
      """)
    let run = try await ToolRun.shell(
      """
      ferry convert o.plist --to archive -o o.archive
      for class in NSArray NSDictionary NSDate; do
        ferry inspect o.archive | awk -v class=$class '$2 == class { print $1 }'
        ferry find --class $class -c o.archive
      done
      ferry find --class NSDate o.archive; ferry find --class NSDictionary o.archive
      """)
    #expect(run.errors == "" && run.status == 0)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 10, "\(run.output)")
    for index in stride(from: 0, to: 6, by: 2) { #expect(lines[index] == lines[index + 1], "\(run.output)") }
    #expect(
      lines.suffix(4) == ["a[0]: NSDate", "d.e: NSDate", "NSDictionary", "d: NSDictionary"], "\(run.output)")
  }

  @Test func `A long path is printed without its middle, and whole paths up to a limit`() async throws {
    try directory.write("ring.plist", HostileFile.ring.bytes)
    let run = try await ToolRun.shell(
      """
      ferry find --class Node -c ring.plist; ferry find --class Node ring.plist | tail -1
      ferry find --class Node --json ring.plist | wc -c
      ferry find --class Node --json ring.plist > out; echo $?
      """)
    let end = Array(repeating: "next", count: 100).joined(separator: ".")
    let lines = run.output.split(separator: "\n")
    try #require(lines.count == 4, "\(run)")
    #expect(lines[0] == "10000")
    #expect(lines[1] == "\(end) … 9799 steps … \(end): Node")
    #expect(Int(lines[2].drop { $0 == " " }) ?? .max < 64 << 20)
    #expect(lines[3] == "2")
    #expect(run.errors.hasPrefix("ring.plist: byte"), "\(run.errors)")
    #expect(
      run.errors.contains(
        "expands to more than 100 times its size (--max-amplification raises the limit)"), "\(run.errors)")
  }

  @Test func `A path is printed whole up to 1000 bytes, and the ends of a longer one also within a key`()
    async throws
  {
    let script = #"""
      import json
      def nested(keys, value):
        for key in reversed(keys): value = {key: value}
        return value
      e = chr(0xe9)
      for i, keys in enumerate([
          ['child'] * 166, ['k' * 1000], ['k' * 499, 'l' * 500], ['k' * 1001], ['a' + 'k' * 2000 + 'z'],
          ['a', 'b' * 600, 'c', 'd' * 600], [e * 2000], ['x y' * 500], ['']]):
        json.dump(nested(keys, 'needle'), open(f'{i}.json', 'w'))
      """#
    try directory.write("make.py", script)
    let run = try await ToolRun.shell(
      "python3 make.py; for i in 0 1 2 3 4 5 6 7 8; do ferry find needle $i.json; done")
    let lines = run.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 9, "\(run)")
    func times(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
    #expect(lines[0] == Array(repeating: "child", count: 166).joined(separator: ".") + ": needle")
    #expect(lines[1] == times("k", 1000) + ": needle")
    #expect(lines[2] == times("k", 499) + "." + times("l", 500) + ": needle")
    #expect(lines[3] == times("k", 499) + " … " + times("k", 499) + ": needle")
    #expect(lines[4] == "a" + times("k", 498) + " … " + times("k", 498) + "z: needle")
    #expect(lines[5] == "a." + times("b", 497) + " … 1 step … " + times("d", 499) + ": needle")
    #expect(lines[6] == times("\u{e9}", 249) + " … " + times("\u{e9}", 249) + ": needle")
    #expect(lines[7].hasPrefix(#"["x yx y"#) && lines[7].hasSuffix(#"x yx y"]: needle"#), "\(lines[7])")
    #expect(lines[7].contains(#""] … [""#), "\(lines[7])")
    #expect(lines[7].utf8.count <= 1000 + " … : needle".utf8.count, "\(lines[7])")
    #expect(lines[8] == #"[""]: needle"#)
  }

  @Test func `Texts with the same bytes match, and equal characters of other bytes do not`() async throws {
    try directory.write("a.json", "[\"caf\u{e9}\",\"cafe\u{301}\"]")
    let run = try await ToolRun.ferry("find", "caf\u{e9}", "a.json")
    #expect(run.output == "[0]: caf\u{e9}\n", "\(run.output)")
  }
}
