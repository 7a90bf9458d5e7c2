import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `ferry merge` {
  /// Three versions of the people: we have changed the first, they the third, and both have added one.
  private func writePeople() async throws {
    try directory.write("folks.xml", folks)
    let run = try await ToolRun.shell(
      """
      ferry convert folks.xml -o base.pplgrp || exit
      ferry set base.pplgrp '[0].last' Newburgh -o ours.pplgrp || exit
      ferry insert ours.pplgrp '[]' '{"$class": "Person", "first": "Ada", "last": "Lovelace"}' --type json || exit
      ferry set base.pplgrp '[2].first' Dudders -o theirs.pplgrp || exit
      ferry insert theirs.pplgrp '[]' '{"$class": "Person", "first": "Alan", "last": "Turing"}' --type json
      """)
    expectQuiet(run)
  }

  private let names = """
    {"firstName":"Matt","lastName":"Newburgh"}
    {"firstName":"Snidely","lastName":"Whiplash"}
    {"firstName":"Dudders","lastName":"Doright"}
    {"firstName":"Ada","lastName":"Lovelace"}
    {"firstName":"Alan","lastName":"Turing"}

    """

  @Test
  func `A merge reports what is lost if the result is written anew`() async throws {
    // Both have indented the document, and theirs has moved the record that ours has changed.
    try directory.write("b.xml", #"<r><!-- 2 --><a id="1"><n>x</n></a><a id="2"><n>y</n></a></r>"#)
    try directory.write(
      "o.xml", "<r>\n  <!-- 2 -->\n  <a id=\"1\"><n>x</n></a>\n  <a id=\"2\"><n>changed</n></a>\n</r>")
    try directory.write(
      "t.xml", "<r>\n\t<!-- 2 -->\n\t<a id=\"2\"><n>y</n></a>\n\t<a id=\"1\"><n>x</n></a>\n</r>")
    let run = try await ToolRun.ferry("merge", "b.xml", "o.xml", "t.xml", "-o", "out.xml")
    #expect(run.status == 0)
    #expect(
      run.errors
        == "o.xml: not exact: changes of the layout alone (white space, order and repetition of keys) "
        + "are left out (1)\n")
    expectQuiet(try await .ferry("merge", "b.xml", "o.xml", "t.xml", "-o", "out.xml", "--force", "--quiet"))
    // Ours stays what it is.
    expectQuiet(try await .ferry("merge", "b.xml", "o.xml", "b.xml", "-o", "same.xml"))
    #expect(try directory.bytes("same.xml") == directory.bytes("o.xml"))
  }

  @Test func `A merge has the changes of both sides`() async throws {
    try await writePeople()
    expectQuiet(try await .ferry("merge", "base.pplgrp", "ours.pplgrp", "theirs.pplgrp", "-o", "out.pplgrp"))
    let json = try await ToolRun.ferry("convert", "out.pplgrp", "--to", "jsonl")
    #expect(json.output == names)
  }

  @Test(
    arguments: ["xml", "json", "jsonl", "plist-xml", "plist-binary", "archive", "archive-xml"])
  func `A merge takes every format, and versions of different formats`(_ format: String) async throws {
    try await writePeople()
    let run = try await ToolRun.shell(
      """
      for n in base ours theirs; do ferry convert $n.pplgrp --schema person --to \(format) -o $n.other; done
      ferry merge base.other ours.other theirs.other -o same.out --schema person || exit 2
      ferry merge base.pplgrp ours.other theirs.pplgrp -o mixed.out --schema person || exit 3
      ferry merge base.other ours.pplgrp theirs.other -o archive.out --schema person || exit 4
      ferry convert same.out --schema person --to jsonl || exit 5
      ferry convert mixed.out --schema person --to jsonl || exit 6
      ferry convert archive.out --schema person --to jsonl
      """)
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(run.output == names + names + names)
    // Without a schema too, where the format alone tells what is the same.
    if format != "xml" {
      let plain = try await ToolRun.shell(
        """
        ferry merge base.other ours.other theirs.other -o plain.out --schema none || exit 2
        ferry convert plain.out --schema person --to jsonl
        """)
      expectQuiet(plain)
      #expect(plain.output == names)
    }
  }

  @Test func `A merge gives the bytes of the only side with a change`() async throws {
    try await writePeople()
    let run = try await ToolRun.shell(
      """
      ferry merge base.pplgrp ours.pplgrp base.pplgrp -o a && cmp a ours.pplgrp || exit 2
      ferry merge base.pplgrp base.pplgrp theirs.pplgrp -o b && cmp b theirs.pplgrp || exit 3
      ferry merge base.pplgrp ours.pplgrp ours.pplgrp | cmp - ours.pplgrp || exit 4
      printf '[ {"a" :1} ]' > x.json; printf '[{"a":2}]' > y.json
      ferry merge x.json x.json y.json | cmp - y.json && ferry merge x.json y.json x.json | cmp - y.json
      """)
    expectQuiet(run)
  }

  @Test func `A merge in conflict names the paths, writes nothing, and reports both sides`() async throws {
    try directory.write("b.json", #"[{"id":1,"name":"Light","at":{"x":1}},{"id":2,"name":"Bed"}]"#)
    try directory.write("o.json", #"[{"id":1,"name":"Lamp","at":{"x":2}},{"id":2,"name":"Bunk"}]"#)
    try directory.write("t.json", #"[{"id":1,"name":"Desk lamp","at":{"x":3}}]"#)
    let run = try await ToolRun.ferry(
      "merge", "b.json", "o.json", "t.json", "-o", "m.json", "--report", "r.json")
    expectFailure(
      run,
      """
      o.json: conflict at [id="1"].name: ours "Lamp", theirs "Desk lamp", base "Light"
      o.json: conflict at [id="1"].at.x: ours 2, theirs 3, base 1
      o.json: conflict at [id="2"]: ours {id: 2, name: "Bunk"}, theirs nothing, base {id: 2, name: "Bed"}
      o.json: 3 conflicts, so nothing was written (--favor ours or --favor theirs decides)
      """)
    #expect(try directory.names() == ["b.json", "o.json", "r.json", "t.json"])
    let path = try await ToolRun.ferry("get", "r.json", "conflicts[0].path")
    #expect(path.output == "[id=\"1\"].name\n")
    let there = try await ToolRun.ferry("get", "t.json", #"[id="1"].name"#)
    #expect(there.output == "Desk lamp\n")
    let values = try await ToolRun.ferry("get", "r.json", "conflicts[2]")
    #expect(
      values.output.contains("Bunk") && values.output.contains("Bed") && !values.output.contains("theirs"))
  }

  @Test(arguments: [
    ("csv", "a,b\n1,2\n", "3,4", "3,5", "3:1: the row has 1 cell, but the table has 2 columns"),
    (
      "json", "{\"a\": 1,\n\"c\": 2,\n", "\"b\": 3}", "\"b\": 4}",
      "3:1: expected a key in double quotes, found \"<\""
    ),
  ]) func `A version with a conflict of another merge is named`(
    _ kind: String, _ start: String, _ ours: String, _ theirs: String, _ problem: String
  ) async throws {
    try directory.write("ok.\(kind)", start + ours + "\n")
    try directory.write(
      "m.\(kind)", "\(start)<<<<<<< ours\n\(ours)\n=======\n\(theirs)\n>>>>>>> theirs\n")
    let run = try await ToolRun.ferry("merge", "ok.\(kind)", "m.\(kind)", "ok.\(kind)")
    #expect(run.status == 1 && run.output == "")
    let message = "m.\(kind):\(problem); a conflict of a merge begins in line 3 (resolve it first)"
    #expect(run.errors.hasPrefix(message), "\(run.errors)")
  }

  @Test(arguments: ["-", "/dev/stdout"]) func `A report of a merge is not mixed with its result`(
    _ report: String
  ) async throws {
    try directory.write("b.json", #"{"a":1}"#)
    for output in [[], ["-o", "-"], ["-o", "/dev/stdout"]] {
      let run = try await ToolRun.ferry(
        ["merge", "b.json", "b.json", "b.json", "--report", report] + output)
      #expect(run.status == 64 && run.output == "" && run.errors.contains("--report - "))
    }
    let run = try await ToolRun.ferry(
      "merge", "b.json", "b.json", "b.json", "--report", report, "-o", "m.json")
    #expect(run.status == 0 && run.output.hasPrefix("{\n  \"conflicts\": ["))
  }

  @Test(arguments: [
    ("ours", #"[{"id":1,"name":"Lamp","size":2}]"#), ("theirs", #"[{"id":1,"name":"Desk lamp","size":2}]"#),
  ])
  func `A merge takes one side on request`(_ side: String, _ wanted: String) async throws {
    try directory.write("b.json", #"[{"id":1,"name":"Light","size":1}]"#)
    try directory.write("o.json", #"[{"id":1,"name":"Lamp","size":1}]"#)
    try directory.write("t.json", #"[{"id":1,"name":"Desk lamp","size":2}]"#)
    let run = try await ToolRun.ferry("merge", "b.json", "o.json", "t.json", "--favor", side, "-q")
    #expect(run.status == 0)
    #expect(run.output.trimmingCharacters(in: .newlines) == wanted)
    #expect(run.errors == "o.json: 1 conflict, decided for \(side)\n")
  }

  @Test func `A merge keeps classes and keys that nobody has described`() async throws {
    let typed =
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"Robot","name":"R","n":1,"odd":{"$data":"AAEC"}}]}}"#
    try directory.write("b.json", typed)
    let run = try await ToolRun.shell(
      """
      ferry convert b.json --to archive -o b.archive || exit 2
      ferry set b.archive '[0].name' Robby -o o.archive || exit 3
      ferry set b.archive '[0].n' 7 -o t.archive || exit 4
      ferry merge b.archive o.archive t.archive -o m.archive || exit 5
      ferry show m.archive --width 200
      """)
    expectQuiet(run)
    #expect(run.output.contains("Robot {"))
    for part in ["name: \"Robby\"", "n: 7", "odd:"] { #expect(run.output.contains(part), "\(run.output)") }
  }

  @Test func `A merge keeps JSON laid out, and replaces a file only on request`() async throws {
    try directory.write("b.json", "[\n  {\n    \"a\": 1,\n    \"b\": 1\n  }\n]\n")
    let run = try await ToolRun.shell(
      """
      sed 's/"a": 1/"a": 2/' b.json > o.json; sed 's/"b": 1/"b": 2/' b.json > t.json
      ferry merge b.json o.json t.json
      """)
    #expect(run.output == "[\n  {\n    \"a\": 2,\n    \"b\": 2\n  }\n]\n")
    expectFailure(
      try await .ferry("merge", "b.json", "o.json", "t.json", "-o", "b.json"),
      "b.json: the file already exists (use --force to replace it)")
    expectQuiet(try await .ferry("merge", "b.json", "o.json", "t.json", "-o", "o.json", "--force"))
    #expect(try directory.text("o.json") == run.output)
  }

  @Test(arguments: [HostileFile.repeatedInArchive, .repeatedInList])
  func `A merge refuses files that expand beyond the budget, names the option, and writes nothing`(
    _ file: HostileFile
  ) async throws {
    try directory.write("b", file.bytes)
    let run = try await ToolRun.shell(
      """
      cp b o; cp b t; ferry set o '[0]' AAAA && ferry set t '[1]' BBBB || exit 2
      cp o before; ferry merge b o t -o m; echo $?; ferry merge b o t -o o --force; echo $?
      cmp o before; ls
      """)
    #expect(run.output == "1\n1\nb\nbefore\no\nt\n")
    #expect(
      run.errors.contains("expands to more than 100 times its size (--max-amplification raises the limit)"))
  }

  @Test(arguments: [
    (
      "<r><a>1</a><b>2</b></r>", "o.json", #"{"r":{"a":"1","b":"9"}}"#,
      "<r><a>1</a><!--k--><?p x?><b>2</b></r>",
      "comments are left out (1), processing instructions are left out (1)"
    ),
    (
      #"{"a":"1","b":"2"}"#, "o.plist",
      "<plist><dict><key>a</key><string>1</string><key>b</key><string>3</string></dict></plist>",
      #"{"a":"0","a":"1","b":"2"}"#, "keys occur twice in one dictionary (1)"
    ),
  ])
  func `A merge of two formats reports what the other file has besides values`(
    _ base: String, _ name: String, _ ours: String, _ theirs: String, _ losses: String
  ) async throws {
    try directory.write("b", base)
    try directory.write(name, ours)
    try directory.write("t", theirs)
    let run = try await ToolRun.ferry("merge", "b", name, "t", "-o", "m")
    #expect(run.status == 0)
    #expect(run.errors == "\(name): not exact: \(losses)\n")
  }

  @Test func `The key of elements may be their attribute`() async throws {
    try directory.write("b.xml", #"<r><i id="1"><v>a</v></i><i id="2"><v>b</v></i></r>"#)
    try directory.write(
      "o.xml", #"<r><i id="0"><v>z</v></i><i id="1"><v>a</v></i><i id="2"><v>b</v></i></r>"#)
    try directory.write("t.xml", #"<r><i id="2"><v>c</v><w>1</w></i><i id="1"><v>d</v></i></r>"#)
    for command in [["merge", "b.xml", "o.xml", "t.xml"], ["diff", "b.xml", "t.xml"]] {
      let run = try await ToolRun.ferry(command + ["--key", "id"])
      let named = try await ToolRun.ferry(command + ["--key", "@id"])
      #expect(run.output == named.output && run.errors == named.errors)
      #expect(run.output.contains("c") && run.output.contains("d"))
    }
    let merged = try await ToolRun.ferry("merge", "b.xml", "o.xml", "t.xml", "--key", "name")
    #expect(merged.status == 1 && merged.errors.contains("the record has no name"))
  }

  @Test func `A merge writes another format on request`() async throws {
    try await writePeople()
    let run = try await ToolRun.ferry("merge", "base.pplgrp", "ours.pplgrp", "theirs.pplgrp", "--to", "jsonl")
    expectQuiet(run)
    #expect(run.output == names)
  }

  @Test(arguments: [
    ("csv", "id,name\n1,a\n2,b\n", "id,name\n1,a\n2,c\n", "id,name\n1,x\n2,b\n"),
    ("tsv", "id\tname\n1\ta\n2\tb\n", "id\tname\n1\ta\n2\tc\n", "id\tname\n1\tx\n2\tb\n"),
  ])
  func `A merge of tables, whose content does not show the format, writes another format`(
    _ name: String, _ base: String, _ ours: String, _ theirs: String
  ) async throws {
    for (version, text) in [("b", base), ("o", ours), ("t", theirs)] {
      try directory.write("\(version).\(name)", text)
    }
    let run = try await ToolRun.ferry("merge", "b.\(name)", "o.\(name)", "t.\(name)", "--to", "json")
    expectQuiet(run)
    #expect(run.output == #"[{"id":"1","name":"x"},{"id":"2","name":"c"}]"# + "\n")
  }

  @Test(arguments: [
    ("[{\"id\":1},{\"id\":1}]", "t.json: this record and [0] have the same id, 1 (at [1].id)"),
    ("[{\"id\":1},{}]", "t.json: the record has no id (at [1])"),
    ("[{\"id\":1},", "t.json:1:11: the text ends where a value is expected"),
    ("", "t.json: the file is empty"),
  ])
  func `A merge names the version with the problem`(_ text: String, _ words: String) async throws {
    try directory.write("b.json", "[]")
    try directory.write("o.json", #"[{"id":2}]"#)
    try directory.write("t.json", text)
    let run = try await ToolRun.ferry("merge", "b.json", "o.json", "t.json", "--key", "id", "-o", "m.json")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix(words), "\(run.errors)")
    #expect(try directory.names() == ["b.json", "o.json", "t.json"])
  }

  /// Small files that would be large or endless, and what is said of them.
  fileprivate static let bombs: [(name: String, bytes: [UInt8], words: String)] = [
    (
      "deep.json", Array((String(repeating: "[", count: 600) + String(repeating: "]", count: 600)).utf8),
      ":1:513: nested deeper than 512 levels"
    ),
    (
      "deep.plist",
      Array(
        "<plist>\(String(repeating: "<array>", count: 600))\(String(repeating: "</array>", count: 600))</plist>"
          .utf8),
      ":1:3592: nested deeper than 512 levels"
    ),
    (
      "laughs.xml",
      Array(
        (["<!DOCTYPE a [<!ENTITY a0 'aaaaaaaaaa'>"]
          + (1...9).map { "<!ENTITY a\($0) '\(String(repeating: "&a\($0 - 1);", count: 10))'>" }
          + ["]><a><b>&a9;</b></a>"]).joined().utf8), ":1:"
    ),
    ("shared", HostileFile.sharedArrays.bytes, ": byte "),
    ("itself", HostileFile.arrayInItself.bytes, ": byte 8"),
    ("over", HostileFile.overlappingArrays.bytes, ": byte "),
  ]

  @Test(arguments: bombs.indices, 0..<3)
  func `A merge meets the limits in whatever version exceeds them, and writes nothing`(
    _ bomb: Int, _ place: Int
  )
    async throws
  {
    let (name, bytes, words) = Self.bombs[bomb]
    try directory.write("b", "[1]")
    try directory.write("o", "[1,2]")
    try directory.write("t", "[3,1]")
    try directory.write(name, bytes)
    var versions = ["b", "o", "t"]
    versions[place] = name
    let names = try directory.names()
    let run = try await ToolRun.ferry(
      ["merge"] + versions + ["-o", "out", "--report", "report", "--favor", "ours"])
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix(name + words), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(try directory.names() == names)
  }

  @Test func `A merge goes a thousand levels deep at most, whatever is asked for`() async throws {
    func deep(_ levels: Int, _ end: String) -> String {
      String(repeating: #"[{"id":1,"a":"#, count: levels / 2) + end
        + String(repeating: "}]", count: levels / 2)
    }
    for (levels, words) in [
      (1000, "o.json: 1 conflict, so"), (1002, "o.json:1:6501: nested deeper than 1000 levels"),
    ] {
      for (name, end) in [("b", "1"), ("o", "2"), ("t", "3")] {
        try directory.write("\(name).json", deep(levels, end))
      }
      let run = try await ToolRun.ferry("merge", "b.json", "o.json", "t.json", "--max-depth", "100000", "-q")
      #expect(run.status == 1)
      #expect(run.errors.hasPrefix(words), "\(run.errors)")
    }
  }

  @Test(arguments: [
    ["--favor", "base"], ["--git", "x", "-o", "y"], ["--to", "nib"], ["--to", "nothing"],
  ])
  func `A merge with unclear arguments does not run`(_ options: [String]) async throws {
    #expect(try await ToolRun.ferry(["merge", "a", "b", "c"] + options).status == 64)
  }
}

@Suite(.temporaryDirectory) struct `Git's merge driver` {
  /// Makes a repository with the people in it, and runs commands there.
  private func git(_ commands: String) async throws -> ToolRun {
    try directory.write("folks.xml", folks)
    return try await ToolRun.shell(
      """
      export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
      export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
      git --version >/dev/null 2>&1 || { echo 'no git'; exit 77; }
      mkdir -p 'a repository' && cd 'a repository' && git init -q -b main . 2>/dev/null || exit 70
      git config merge.ferry.name 'records, merged by field'
      git config merge.ferry.driver 'ferry merge --git=%P --markers=%L %O %A %B'
      printf '*.pplgrp merge=ferry\\n*.json merge=ferry\\n' > .gitattributes
      mkdir -p docs; ferry convert ../folks.xml -o 'docs/our people.pplgrp' || exit 71
      git add -A && git commit -qm base && git checkout -qb other || exit 72
      \(commands)
      """)
  }

  private func require(_ run: ToolRun) throws {
    if run.status == 77 { try Test.cancel("git is not installed here") }
  }

  @Test func `Git merges the changes of different people with ferry`() async throws {
    let run = try await git(
      """
      ferry set docs/*.pplgrp '[0].last' Newburgh && git commit -qam theirs && git checkout -q main || exit 2
      ferry set docs/*.pplgrp '[1].first' Snid && git commit -qam ours || exit 3
      git merge -q -m merged other >/dev/null || exit 4
      git status --short
      ferry convert docs/*.pplgrp --to jsonl
      """)
    try require(run)
    expectQuiet(run)
    #expect(
      run.output == """
        {"firstName":"Matt","lastName":"Newburgh"}
        {"firstName":"Snid","lastName":"Whiplash"}
        {"firstName":"Dudley","lastName":"Doright"}

        """)
  }

  @Test(arguments: [("2", 0), ("3", 1)])
  func `A merge of two bases leaves no report, and decides no conflict`(_ theirs: String, _ status: Int)
    async throws
  {
    let run = try await git(
      """
      commit() { printf "$1" > x.json; git add -A; git commit -qm x; }
      git checkout -q main; commit '{"a":1,"b":1}'; git checkout -qB other
      commit '{"a":3,"b":2}'; git checkout -q main; commit '{"a":2,"b":1}'; git branch first
      git merge -q -m x other >/dev/null 2>&1 && exit 2
      rm -f x.json.conflicts.json; commit '{"a":2,"b":2}'; git checkout -q other
      git merge -q -m x first >/dev/null 2>&1 && exit 3
      rm -f x.json.conflicts.json; commit '{"a":\(theirs),"b":2}'; git checkout -q main
      git merge -q -m merged other >/dev/null; echo $?; cat x.json; echo; ls; cat *.conflicts.json
      """)
    try require(run)
    if status == 0 {
      #expect(run.output == "0\n{\"a\":2,\"b\":2}\ndocs\nx.json\n", "\(run.output)\(run.errors)")
      #expect(!run.errors.contains("conflict at"), "\(run.errors)")
    } else {
      #expect(
        run.output.hasPrefix("1\n{\"a\":2,\"b\":2}\ndocs\nx.json\nx.json.conflicts.json\n"), "\(run.output)")
      #expect(run.output.contains("\"base\": 1"), "\(run.output)")
      #expect(
        run.errors.split(separator: "\n").count { $0.contains("conflict at a: ") } == 1, "\(run.errors)")
    }
  }

  @Test
  func `Git merges files whose names begin with a dash, and a merge without a conflict removes the report`()
    async throws
  {
    let run = try await git(
      """
      echo '{"a":1,"b":1}' > -x.json && git add -A && git commit -qm x || exit 2
      printf '{\\n  "conflicts": [\\n  ]\\n}\\n' > ./-x.json.conflicts.json
      git checkout -q main && git merge -q --ff-only other && git checkout -q other || exit 3
      sed -i 's/"a":1/"a":2/' ./-x.json && git commit -qam theirs && git checkout -q main || exit 4
      sed -i 's/"b":1/"b":2/' ./-x.json && git commit -qam ours || exit 5
      git merge -q -m merged other >/dev/null || exit 6
      git status --short; cat ./-x.json
      """)
    try require(run)
    expectQuiet(run)
    #expect(run.output == #"{"a":2,"b":2}"# + "\n")
  }

  @Test(
    arguments: [
      ("base.plist", "json", "JSON", "dates become text", "d"),
      ("base.json", "plist", "an XML property list", "nulls are left out", "e"),
      ("base.json", "xml", "XML", "numbers become text", "f"),
    ])
  func `A merge refuses a version in a format that loses a value of the base`(
    _ base: String, _ other: String, _ noun: String, _ loss: String, _ path: String
  ) async throws {
    try directory.write("base.json", #"{"n":"a","e":null,"f":1}"#)
    try directory.write(
      "base.plist", "<plist><dict><key>d</key><date>2020-01-01T00:00:00Z</date></dict></plist>")
    let theirs = "theirs.\(other)"
    #expect(try await ToolRun.ferry("convert", base, "-o", theirs, "-q").status == 0)
    let run = try await ToolRun.ferry("merge", base, base, theirs)
    #expect(run.status == 1)
    #expect(run.output == "")
    #expect(
      run.errors == """
        \(theirs): this version is \(noun), which changes values of the base: \(loss) (give the types with \
        --schema, or make the change in the format of the base) (at \(path))

        """)
    let exchanged = try await ToolRun.ferry("merge", base, theirs, base)
    #expect(exchanged.status == 1)
    #expect(exchanged.errors == run.errors)
  }

  @Test(arguments: ["archive", "archive-xml", "plist-binary", "plist-xml"])
  func `A merge keeps the format of our version if the output has its extension`(
    _ format: String
  ) async throws {
    for (name, first) in [("base", "Matt"), ("ours", "Matthew"), ("theirs", "Matt")] {
      try directory.write(
        "\(name).json", #"[{"first":"\#(first)","last":"A"},{"first":"x","last":"\#(name)"}]"#)
      expectQuiet(
        try await .ferry(
          "convert", "\(name).json", "--schema", "none", "--to", format, "-o", "\(name).plist"))
    }
    for output in ["new.plist", "ours.plist"] {
      let run = try await ToolRun.ferry(
        "merge", "base.plist", "ours.plist", "theirs.plist", "-o", output, "--force", "--favor", "ours")
      #expect(run.status == 0, "\(run.errors)")
      let inspected = try await ToolRun.ferry("inspect", output, "--json")
      #expect(inspected.output.contains(#""format": "\#(format)""#), "\(inspected.output)")
    }
  }

  @Test(arguments: [
    (
      #""$class":"NSOrderedSet","$items":["a"]"#, #""$class":"NSOrderedSet","$items":["a","b"]"#,
      #""$class":"NSOrderedSet","$items":["b","a"]"#
    ),
    (
      #""$class":"NSCountedSet","NS.count":2,"NS.object0":"a","NS.count0":1,"NS.object1":"b","NS.count1":1"#,
      #""$class":"NSCountedSet","NS.count":2,"NS.object0":"c","NS.count0":1,"NS.object1":"b","NS.count1":1"#,
      #""$class":"NSCountedSet","NS.count":2,"NS.object0":"a","NS.count0":1,"NS.object1":"c","NS.count1":1"#
    ),
  ])
  func `A merge refuses to make a set with a member twice`(
    _ base: String, _ ours: String, _ theirs: String
  ) async throws {
    for (name, root) in [("base", base), ("ours", ours), ("theirs", theirs)] {
      try directory.write(
        "\(name).json", #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{\#(root)}}}"#)
      expectQuiet(try await .ferry("convert", "\(name).json", "-o", "\(name).archive"))
    }
    let run = try await ToolRun.ferry(
      "merge", "base.archive", "ours.archive", "theirs.archive", "-o", "merged.archive")
    #expect(run.status == 1)
    #expect(
      run.errors.hasPrefix("ours.archive: programs could not read an object of the result: "), "\(run.errors)"
    )
    #expect(try directory.names().contains("merged.archive") == false)
  }

  @Test func `A merge keeps the layout of JSON in which both sides have changed hundreds of values`()
    async throws
  {
    func text(_ change: (Int) -> (Int, Int)) -> String {
      let records = (0..<2000).map { index in
        let (v, w) = change(index)
        return "    {\n        \"v\": \(v),\n        \"w\": \(w)\n    }"
      }
      return "[\n" + records.joined(separator: ",\n") + "\n]"
    }
    try directory.write("base.json", text { ($0, 0) })
    try directory.write("ours.json", text { ($0 % 5 == 0 ? -1 : $0, 0) })
    try directory.write("theirs.json", text { ($0, $0 % 5 == 2 ? 1 : 0) })
    let run = try await ToolRun.ferry("merge", "base.json", "ours.json", "theirs.json", "-o", "merged.json")
    expectQuiet(run)
    let merged = text { ($0 % 5 == 0 ? -1 : $0, $0 % 5 == 2 ? 1 : 0) }
    #expect(try directory.bytes("merged.json") == Array(merged.utf8))
  }

  @Test func `Ferry leaves a conflict to git, with the document whole and both sides in a report`()
    async throws
  {
    let run = try await git(
      """
      ferry set docs/*.pplgrp '[0].last' Theirs && ferry set docs/*.pplgrp '[2].last' Too || exit 2
      git commit -qam theirs && git checkout -q main || exit 3
      ferry set docs/*.pplgrp '[0].last' Ours && git commit -qam ours || exit 4
      git merge -q -m merged other >/dev/null && exit 5
      git status --short
      ferry convert docs/*.pplgrp --to jsonl
      ferry get 'docs/our people.pplgrp.conflicts.json' 'conflicts[0].theirs'
      ferry set 'docs/our people.pplgrp' '[0].last' Both && rm docs/*.json && git commit -qam merged && git status --short
      """)
    try require(run)
    #expect(run.status == 0)
    #expect(
      run.output == """
        UU "docs/our people.pplgrp"
        ?? "docs/our people.pplgrp.conflicts.json"
        {"firstName":"Matt","lastName":"Ours"}
        {"firstName":"Snidely","lastName":"Whiplash"}
        {"firstName":"Dudley","lastName":"Too"}
        Theirs

        """)
    #expect(
      run.errors == """
        docs/our people.pplgrp: conflict at [0].last: ours "Ours", theirs "Theirs", base "Neuburg"
        docs/our people.pplgrp: 1 conflict; the file has our side, and docs/our people.pplgrp.conflicts.json has both

        """)
  }

  @Test func `Ferry merges documents that both sides have added`() async throws {
    let run = try await git(
      """
      printf '[{"id":1,"n":"a"}]' > x.json && git add -A && git commit -qm theirs && git checkout -q main || exit 2
      printf '[{"id":2,"n":"b"}]' > x.json && git add -A && git commit -qm ours || exit 3
      git merge -q -m merged other >/dev/null || exit 4
      cat x.json
      """)
    try require(run)
    expectQuiet(run)
    #expect(run.output == #"[{"id":2,"n":"b"},{"id":1,"n":"a"}]"#)
  }

  @Test func `Ferry leaves a file to git that it cannot read`() async throws {
    let run = try await git(
      """
      printf '[1' > x.json && git add -A && git commit -qm theirs && git checkout -q main || exit 2
      printf '[2]' > x.json && git add -A && git commit -qm ours || exit 3
      git merge -q -m merged other >/dev/null && exit 4
      cat x.json
      """)
    try require(run)
    #expect(run.status == 0)
    #expect(run.output == "[2]")
    #expect(run.errors.hasPrefix("x.json (theirs):1:3: "), "\(run.errors)")
  }
}
