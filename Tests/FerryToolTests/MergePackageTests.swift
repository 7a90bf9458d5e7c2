import Foundation
import TestSupport
import Testing

/// Shell functions for the tests: `image FILE WORDS` makes a file that looks like a PNG image, `thing PACKAGE NAME IMAGE` adds a
/// thing, and `remove PACKAGE INDEX IMAGE` takes one out.
private let helpers = """
  image() { printf '\\211PNG\\r\\n\\032\\n%s' "$2" > "$1"; }
  thing() {
    ferry insert "$1" '[]' \
  "{\\"\\$class\\":\\"MyWhatsit\\",\\"name\\":\\"$2\\",\\"location\\":\\"new\\",\\"image.key\\":\\"$3\\"}" --type json
  }
  remove() { rm -f "$1/$3" && ferry remove "$1" "[$2]"; }
  one='1__#$!@%!#__image.png' two='2__#$!@%!#__image.png'
  export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
  export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org

  """

private let things = """
  <things>
    <whatsit><name>Robot</name><location>Shelf</location><imageKey>image.png</imageKey></whatsit>
    <whatsit><name>Boots</name><location>Hall</location></whatsit>
  </things>
  """

private func shell(_ lines: String) async throws -> ToolRun { try await ToolRun.shell(helpers + lines) }

@Suite(.temporaryDirectory) struct `ferry merge of packages` {
  /// Three versions: we have added a lamp, they a bed, both with an image of the same name.
  private func makeThings(_ more: String = "") async throws {
    try directory.write("things.xml", things)
    let run = try await shell(
      """
      image image.png robot
      ferry convert things.xml -o Base.mystuff && cp -Rp Base.mystuff Ours.mystuff || exit
      cp -Rp Base.mystuff Theirs.mystuff
      image "Ours.mystuff/$one" lamp && thing Ours.mystuff Lamp "$one" || exit
      image "Theirs.mystuff/$one" bed && thing Theirs.mystuff Bed "$one" || exit
      \(more)
      """)
    expectQuiet(run)
  }

  private let merged = """
    ["Robot","Shelf","image.png","robot"]
    ["Boots","Hall","",""]
    ["Lamp","new","1__#$!@%!#__image.png","lamp"]
    ["Bed","new","2__#$!@%!#__image.png","bed"]

    """

  /// The things of a package, each with its image.
  private func rows(of name: String) async throws -> String {
    let run = try await ToolRun.ferry("convert", name, "--to", "jsonl")
    #expect(run.status == 0)
    return try run.output.split(separator: "\n").map { line in
      let thing = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String] ?? [:]
      let image = thing["image"].flatMap { Data(base64Encoded: $0) }.map {
        String(decoding: $0.dropFirst(8), as: UTF8.self)
      }
      let row = [thing["name"], thing["location"], thing["imageKey"], image]
      return "[\(row.map { "\"\($0 ?? "")\"" }.joined(separator: ","))]\n"
    }.joined()
  }

  @Test func `A merge of packages keeps the things and images of both sides`() async throws {
    try await makeThings()
    expectQuiet(
      try await .ferry("merge", "Base.mystuff", "Ours.mystuff/", "Theirs.mystuff", "-o", "Out.mystuff"))
    #expect(try await rows(of: "Out.mystuff") == merged)
    #expect(
      try directory.names(in: "Out.mystuff")
        == ["1__#$!@%!#__image.png", "2__#$!@%!#__image.png", "image.png", "things.data"])
  }

  @Test func `A merge of packages writes in place only what changed, and only on request`() async throws {
    try await makeThings(
      "mkdir Ours.mystuff/notes; echo n > Ours.mystuff/notes/a; ln -s notes/a Ours.mystuff/link; touch -d 2001-02-03 Ours.mystuff/*.png"
    )
    let run = try await shell(
      """
      list() {
        { ls -i --time-style=full-iso -l Ours.mystuff; ls -i Ours.mystuff/notes; } \\
          | grep -v 'data$\\|total\\| notes$\\| link ' | tr -s ' ' | sed 's/^ //'
      }
      list > before
      ferry merge Base.mystuff Ours.mystuff Theirs.mystuff -o Ours.mystuff && exit 2
      list | cmp - before || exit 3
      ferry merge Base.mystuff Ours.mystuff Theirs.mystuff -o Ours.mystuff --force || exit 4
      list | grep -v 2__ | sed 's/ [0-9] root/ N root/' > after; sed 's/ [0-9] root/ N root/' before | cmp - after
      readlink Ours.mystuff/link
      """)
    #expect(run.status == 0)
    #expect(run.output == "notes/a\n")
    #expect(run.errors == "Ours.mystuff: the file already exists (use --force to replace it)\n")
    #expect(try await rows(of: "Ours.mystuff") == merged)
  }

  @Test func `A merge of packages leaves our files alone if theirs did not change`() async throws {
    try await makeThings()
    let run = try await shell(
      """
      ls -i Ours.mystuff > before
      ferry merge Base.mystuff Ours.mystuff Base.mystuff -o Ours.mystuff --force || exit 2
      ls -i Ours.mystuff | cmp - before || exit 3
      ferry merge Base.mystuff Base.mystuff Theirs.mystuff -o Out.mystuff && diff -r Out.mystuff Theirs.mystuff
      """)
    expectQuiet(run)
    #expect(run.output == "")
  }

  @Test func `A merge of packages lists the files that both sides changed, reports both, and writes nothing`()
    async throws
  {
    try await makeThings(
      """
      image Ours.mystuff/image.png ours; image Theirs.mystuff/image.png theirs; echo a > Ours.mystuff/notes
      echo b2 > Theirs.mystuff/notes; ferry set Ours.mystuff '[1].location' A; ferry set Theirs.mystuff '[1].location' B
      """)
    let names = try directory.names()
    let run = try await ToolRun.ferry(
      "merge", "Base.mystuff", "Ours.mystuff", "Theirs.mystuff", "-o", "Out.mystuff", "--report", "r.json")
    // Half of the fields are the same, so each side may have replaced the record.
    func record(_ place: String) -> String { #"MyWhatsit {name: "Boots", location: "\#(place)"}"# }
    expectFailure(
      run,
      """
      Ours.mystuff: conflict at [1]: ours \(record("A")), theirs \(record("B")), base \(record("Hall"))
      Ours.mystuff/image.png: conflict: ours 12 bytes, theirs 14 bytes, base 13 bytes
      Ours.mystuff/notes: conflict: ours 2 bytes, theirs 3 bytes, base nothing
      Ours.mystuff: 3 conflicts, so nothing was written (--favor ours or --favor theirs decides)
      """)
    #expect(try directory.names() == (names + ["r.json"]).sorted())
    let report = try await ToolRun.shell(
      """
      ferry get r.json 'conflicts[0].path' && ferry get r.json 'conflicts[1].file'
      ferry get r.json 'conflicts[1].theirs["$data"]' | base64 -d | tail -c 6; ferry get r.json 'conflicts[2].base'
      """)
    #expect(report.output == "[1]\nimage.png\ntheirs")
    for (side, place, image, note) in [("ours", "A", "ours", "a\n"), ("theirs", "B", "theirs", "b2\n")] {
      let run = try await ToolRun.ferry(
        "merge", "Base.mystuff", "Ours.mystuff", "Theirs.mystuff", "-o", "\(side).mystuff", "--favor", side,
        "-q")
      #expect(run.status == 0)
      #expect(run.errors == "Ours.mystuff: 3 conflicts, decided for \(side)\n")
      let wanted = merged.replacing("\"robot\"", with: "\"\(image)\"").replacing("Hall", with: place)
      #expect(try await rows(of: "\(side).mystuff") == wanted)
      #expect(try directory.text("\(side).mystuff/notes") == note)
    }
  }

  @Test
  func `A merge of packages reads no file that one side changed, and compares large files piece by piece`()
    async throws
  {
    try await makeThings(
      """
      for f in Base Ours Theirs; do head -c 300000 /dev/zero > $f.mystuff/same; done
      head -c 300000 /dev/urandom > Theirs.mystuff/added; head -c 300000 /dev/urandom > Ours.mystuff/same
      """)
    expectQuiet(
      try await .ferry(
        "merge", "Base.mystuff", "Ours.mystuff", "Theirs.mystuff", "-o", "Out.mystuff", "--max-token", "4096")
    )
    #expect(try directory.bytes("Out.mystuff/added") == directory.bytes("Theirs.mystuff/added"))
    #expect(try directory.bytes("Out.mystuff/same") == directory.bytes("Ours.mystuff/same"))
  }

  @Test func `A merge of packages accepts an empty base, and types of a file`() async throws {
    try directory.write(
      "types.json",
      #"""
      {"ferry": 1, "types": [{"name": "trip", "identifier": "org.example.trip", "extensions": ["trip"],
        "schema": {"ferry": 1, "name": "stop", "collection": {"key": "stops"}, "record": {"element": "stop", "class": "Stop"}, "key": "at",
          "fields": [{"name": "at", "type": "string"}, {"name": "photo", "type": "string", "optional": true}]},
        "layout": {"package": {"main": "stops.json", "format": "json", "files": "photo"}}}]}
      """#)
    for (name, stop, photo) in [("ours", "Rome", "a"), ("theirs", "Oslo", "b")] {
      try directory.makeDirectory("\(name).trip")
      try directory.write(
        "\(name).trip/stops.json", #"{"stops":[{"at":"\#(stop)","photo":"photo.jpg","odd":1}]}"#)
      try directory.write("\(name).trip/photo.jpg", photo)
    }
    try directory.makeDirectory("empty.trip")
    try directory.write("empty", "")
    for base in ["empty.trip", "empty", "/dev/null"] {
      expectQuiet(
        try await .ferry(
          "merge", base, "ours.trip", "theirs.trip", "-o", "out.trip", "--force", "--types", "types.json"))
      #expect(
        try directory.text("out.trip/stops.json")
          == #"{"stops":[{"at":"Rome","photo":"photo.jpg","odd":1},{"at":"Oslo","photo":"1__#$!@%!#__photo.jpg","odd":1}]}"#
      )
      #expect(try directory.text("out.trip/1__#$!@%!#__photo.jpg") == "b")
    }
    // The type's schema is that of single files too: its key tells records apart.
    for (name, text) in [("b", "[]"), ("o", #"[{"at":"Rome"}]"#), ("t", #"[{"at":"Rome","photo":"x"}]"#)] {
      try directory.write("\(name).trips", text)
    }
    try directory.write(
      "one.json",
      try directory.text("types.json").replacing(
        "\"extensions\": [\"trip\"]", with: "\"extensions\": [\"trips\"]"
      ).replacing(
        #"{"package": {"main": "stops.json", "format": "json", "files": "photo"}}"#,
        with: #"{"file": "json"}"#))
    let run = try await ToolRun.ferry("merge", "b.trips", "o.trips", "t.trips", "--types", "one.json")
    expectQuiet(run)
    #expect(run.output == #"[{"at":"Rome","photo":"x"}]"#)
  }

  @Test(arguments: [false, true])
  func `Comments of packages in text are merged if both sides added an image of one name`(
    _ isTheirs: Bool
  ) async throws {
    try directory.write(
      "types.json",
      #"""
      {"ferry": 1, "types": [{"name": "board", "identifier": "org.example.board", "extensions": ["board"],
        "schema": {"ferry": 1, "name": "card", "record": {"element": "card", "class": "Card"}, "key": "id",
          "fields": [{"name": "id", "type": "integer"}, {"name": "photo", "type": "string", "optional": true}]},
        "layout": {"package": {"main": "board.yaml", "format": "yaml", "files": "photo"}}}]}
      """#)
    let base = "# spring\n- id: 1  # hero\n  photo: sea.png\n# just text\n- id: 3\n"
    let ours = base + "- id: 4\n  photo: red.png\n"
    let theirs = base.replacing("just text", with: "just a text") + "# new\n- id: 5\n  photo: red.png\n"
    for (name, text, photo) in [("b", base, nil), ("o", ours, "red"), ("t", theirs, "green")] {
      try directory.makeDirectory("\(name).board")
      try directory.write("\(name).board/board.yaml", text)
      try directory.write("\(name).board/sea.png", "sea")
      if let photo { try directory.write("\(name).board/red.png", photo) }
    }
    let sides = isTheirs ? ["t.board", "o.board"] : ["o.board", "t.board"]
    expectQuiet(
      try await .ferry(["merge", "b.board"] + sides + ["-o", "m.board", "--types", "types.json"]))
    let text = try directory.text("m.board/board.yaml")
    let number = "\"1__#$!@%!#__red.png\""
    let cards = [
      "- id: 4\n  photo: \(isTheirs ? number : "red.png")\n",
      "# new\n- id: 5\n  photo: \(isTheirs ? "red.png" : number)\n",
    ]
    // YAML needs no quotation marks here, but may have them.
    #expect(
      text.replacing("'", with: "").replacing("\"", with: "")
        == (base.replacing("just text", with: "just a text")
        + (isTheirs ? cards.reversed() : cards).joined()).replacing("\"", with: ""))
    #expect(try directory.text("m.board/1__#$!@%!#__red.png") == (isTheirs ? "red" : "green"))
  }

  @Test func `A merge of packages becomes one file on request`() async throws {
    try await makeThings()
    let run = try await ToolRun.ferry(
      "merge", "Base.mystuff", "Ours.mystuff", "Theirs.mystuff", "--to", "jsonl")
    expectQuiet(run)
    expectQuiet(
      try await .ferry("merge", "Base.mystuff", "Ours.mystuff", "Theirs.mystuff", "-o", "Out.mystuff"))
    #expect(try await ToolRun.ferry("convert", "Out.mystuff", "--to", "jsonl").output == run.output)
  }

  @Test(arguments: [
    (
      ["Base.mystuff", "Ours.mystuff", "Theirs.mystuff"],
      "standard output: a package cannot be written to the standard output"
    ),
    (
      ["Base.mystuff", "Ours.mystuff", "things.xml", "-o", "o"], "things.xml: this is a file, not a directory"
    ),
    (["Base.mystuff", "things.xml", "Theirs.mystuff", "-o", "o"], "Theirs.mystuff: "),
    (
      ["things.xml", "Ours.mystuff", "Theirs.mystuff", "-o", "o"],
      "things.xml: this is a file, not a directory"
    ),
    (["Base.mystuff", "folder", "Theirs.mystuff", "-o", "o"], "folder: this folder is not a known package"),
    (
      ["Base.mystuff", "Ours.mystuff", "bare.mystuff", "-o", "o"],
      "bare.mystuff: the package has no things.data"
    ),
    (["Base.mystuff", "Ours.mystuff", "pipe.mystuff", "-o", "o"], "pipe.mystuff: "),
    (
      ["Base.mystuff", "bad.mystuff", "Theirs.mystuff", "-o", "o"],
      "bad.mystuff/things.data:2:1: the text ends"
    ),
    (["none.mystuff", "Ours.mystuff", "Theirs.mystuff", "-o", "o"], "none.mystuff: no such file"),
    (
      ["Base.mystuff", "Ours.mystuff", "Theirs.mystuff", "-o", "folder", "--force"],
      "folder: a folder that is not a package of this type"
    ),
    (
      ["Base.mystuff", "Ours.mystuff", "Theirs.mystuff", "-o", "o", "--max-files", "1"],
      "Ours.mystuff: more than 1 files"
    ),
  ])
  func `A merge of packages that fails names the problem and writes nothing`(
    _ arguments: [String], _ words: String
  ) async throws {
    try await makeThings(
      """
      mkdir folder bare.mystuff; echo x > folder/x; cp -R Base.mystuff bad.mystuff; echo '[[[' > bad.mystuff/things.data
      cp -R Base.mystuff pipe.mystuff; mkfifo pipe.mystuff/pipe; echo x > bare.mystuff/x
      """)
    let names = try directory.names()
    let run = try await ToolRun.ferry(["merge"] + arguments)
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix(words), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(run.output == "")
    #expect(try directory.names() == names)
    #expect(try directory.names(in: "folder") == ["x"])
  }
}

@Suite(.temporaryDirectory) struct `Packages in git` {
  /// Makes a repository with things in it, whose records are merged by Ferry; we are on `main`, `theirs` begins there.
  private func git(_ commands: String) async throws -> ToolRun {
    try directory.write("things.xml", things)
    let run = try await shell(
      """
      git --version >/dev/null 2>&1 || { echo 'no git'; exit 77; }
      image image.png robot; mkdir repository && ferry convert things.xml -o repository/My.mystuff && cd repository || exit 70
      git init -q -b main . && git config merge.ferry.driver 'ferry merge --git %P %O %A %B' || exit 71
      echo '*.mystuff/things.data merge=ferry' > .gitattributes
      commit() { git add -A && git commit -qm "$1"; }
      commit base && git branch theirs || exit 72
      \(commands)
      """)
    if run.status == 77 { try Test.cancel("git is not installed here") }
    return run
  }

  /// The commands in Documentation/Merging.md for packages that git could not merge.
  private let recipe = """
    base=$(git merge-base HEAD MERGE_HEAD)
    for version in "$base" HEAD MERGE_HEAD; do
      mkdir -p "../merge/$version" && git archive "$version" My.mystuff | tar -x -C "../merge/$version"
    done
    ferry merge "../merge/$base/My.mystuff" ../merge/HEAD/My.mystuff ../merge/MERGE_HEAD/My.mystuff \
    -o My.mystuff --force
    """

  @Test func `Git merges packages by itself if each side adds things with images of other names`()
    async throws
  {
    let run = try await git(
      """
      git checkout -q theirs && image "My.mystuff/$one" bed && thing My.mystuff Bed "$one" && commit theirs || exit 2
      git checkout -q main && remove My.mystuff 0 image.png && commit ours || exit 3
      git merge -q -m merged theirs >/dev/null || exit 4
      git status --short; ls My.mystuff; ferry get My.mystuff '[*].name'
      """)
    expectQuiet(run)
    #expect(run.output == "1__#$!@%!#__image.png\nthings.data\nBoots\nBed\n")
  }

  @Test
  func `Git has a conflict if both sides add an image of one name, and a merge of the packages ends it`()
    async throws
  {
    let run = try await git(
      """
      git checkout -q theirs && image "My.mystuff/$one" bed && thing My.mystuff Bed "$one" && commit theirs || exit 2
      git checkout -q main && image "My.mystuff/$one" lamp && thing My.mystuff Lamp "$one" && commit ours || exit 3
      git merge -q -m merged theirs >/dev/null 2>&1 && exit 4
      git status --short
      ferry get My.mystuff '[*]["image.key"]'
      \(recipe) || exit 5
      commit merged && git status --short
      ferry get My.mystuff '[*].name'; ferry get My.mystuff '[*]["image.key"]'
      for f in My.mystuff/*.png; do tail -c +9 "$f"; echo; done
      """)
    expectQuiet(run)
    // The records are merged, and both name the one image that git has left in the conflict.
    #expect(
      run.output == """
        AA My.mystuff/1__#$!@%!#__image.png
        M  My.mystuff/things.data
        image.png
        1__#$!@%!#__image.png
        1__#$!@%!#__image.png
        Robot
        Boots
        Lamp
        Bed
        image.png
        1__#$!@%!#__image.png
        2__#$!@%!#__image.png
        lamp
        bed
        robot

        """)
  }

  @Test
  func `Git has a conflict of records if one side removed a thing with its image and the other changed it`()
    async throws
  {
    let run = try await git(
      """
      git checkout -q theirs && remove My.mystuff 0 image.png && commit theirs || exit 2
      git checkout -q main && ferry set My.mystuff '[0].location' Attic && commit ours || exit 3
      git merge -q -m merged theirs >/dev/null 2>&1 && exit 4
      git status --short
      \(recipe) --favor ours -q || exit 5
      commit merged && git status --short || exit 6
      ferry convert My.mystuff --to jsonl >/dev/null && ls My.mystuff
      """)
    #expect(run.status == 0)
    #expect(
      run.output == """
        D  My.mystuff/image.png
        UU My.mystuff/things.data
        ?? My.mystuff/things.data.conflicts.json
        image.png
        things.data

        """)
    #expect(run.errors.contains("../merge/HEAD/My.mystuff: 1 conflict, decided for ours\n"), "\(run.errors)")
  }
}
