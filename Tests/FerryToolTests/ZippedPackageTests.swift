import Ferry
import Foundation
import TestSupport
import Testing

/// The ways to zip a package, with the name of the archive.
private let layouts = [
  // The folder itself.
  ("T.zip", "python3 -m zipfile -c T.zip Things.mystuff/"),
  // Its contents.
  ("Z.mystuff", "cd Things.mystuff; python3 -m zipfile -c ../Z.mystuff *"),
  ("Y.mystuff.zip", "cd Things.mystuff; python3 -m zipfile -c ../Y.mystuff.zip *"),
  ("C.zip", "cd Things.mystuff; python3 -m zipfile -c ../C.zip *"),
  // A folder of another name.
  ("B.zip", "cp -r Things.mystuff Backup; python3 -m zipfile -c B.zip Backup/"),
]

/// Makes `Things.mystuff` of the project's example, with two images.
private func makeThings() async throws {
  let image = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] as [UInt8]
  try directory.write("one.png", image + Array("one".utf8))
  try directory.write("two.png", image + Array("two".utf8))
  try directory.write(
    "things.xml",
    """
    <things>
      <whatsit><name>Robot</name><location>Shelf</location><imageKey>one.png</imageKey></whatsit>
      <whatsit><name>Boots</name><location>Hall</location></whatsit>
      <whatsit><name>Telescope</name><location>Attic</location><imageKey>two.png</imageKey></whatsit>
    </things>

    """)
  expectQuiet(try await .ferry("convert", "things.xml", "-o", "Things.mystuff"))
}

/// Makes an archive with the files of `Things.mystuff`, some of them changed or added by a program of Python.
private func makeArchive(_ name: String, _ program: String) async throws {
  let answer = try await Peer.python(
    """
    import os, zipfile
    folder = \"\(directory.path("Things.mystuff"))\"
    files = {name: open(os.path.join(folder, name), "rb").read() for name in os.listdir(folder)}
    archive = zipfile.ZipFile(\"\(directory.path(name))\", "w", zipfile.ZIP_DEFLATED)
    def link(name, target):
      info = zipfile.ZipInfo(name)
      info.create_system, info.external_attr = 3, 0o120777 << 16
      archive.writestr(info, target)
    \(program)
    for name in files: archive.writestr(name, files[name])
    archive.close()
    """)
  #expect(answer.succeeded, "\(answer.errors)")
}

@Suite(.temporaryDirectory) struct `Packages in ZIP archives` {
  @Test(arguments: layouts)
  func `A zipped package is read as the package`(_ name: String, _ command: String) async throws {
    try await makeThings()
    expectQuiet(try await .shell(command))
    for arguments in [
      ["convert", "--to", "json"], ["convert", "--to", "jsonl", "--schema", "whatsit"],
      ["convert", "--to", "json", "--form", "typed"], ["show"], ["get", "--to", "json"],
      ["inspect"], ["inspect", "--json"], ["find", "Robot"], ["check"], ["check", "--roundtrip"],
      ["check", "--schema", "whatsit"], ["schema", "infer"], ["schema", "check", "--schema", "whatsit"],
      ["show", "--html"],
    ] {
      let package = try await ToolRun.ferry(arguments + ["Things.mystuff"])
      let zipped = try await ToolRun.ferry(arguments + [name])
      #expect(package.status == 0, "\(arguments): \(package.errors)")
      #expect(zipped.status == package.status, "\(arguments): \(zipped.errors)")
      #expect(zipped.output.replacing(name, with: "Things.mystuff") == package.output, "\(arguments)")
      #expect(zipped.errors.replacing(name, with: "Things.mystuff") == package.errors, "\(arguments)")
    }
    #expect(try await ToolRun.ferry("get", name, "[0].name", "[1].location").output == "Robot\nHall\n")
    for (old, new) in [(name, "Things.mystuff"), ("Things.mystuff", name), (name, name)] {
      let same = try await ToolRun.ferry("diff", old, new)
      expectQuiet(same)
      #expect(same.output == "")
    }
  }

  @Test(arguments: layouts)
  func `A zipped package becomes a package and one file, and its images are extracted`(
    _ name: String, _ command: String
  ) async throws {
    try await makeThings()
    expectQuiet(
      try await .shell(
        """
        set -e; (\(command))
        ferry convert \(name) -o Copy.mystuff && diff -r Things.mystuff Copy.mystuff
        ferry convert \(name) --to xml --extract images -o one.xml
        ferry convert one.xml --attachments images -o New.mystuff && diff -r Things.mystuff New.mystuff
        ferry convert \(name) --to things --out-dir out && diff -r Things.mystuff out/\(name.prefix(1)).mystuff
        """))
  }

  @Test func `A zipped package is read from the standard input`() async throws {
    try await makeThings()
    expectQuiet(try await .shell(layouts[0].1))
    let json = try await ToolRun.ferry("convert", "Things.mystuff", "--to", "json")
    for line in ["cat T.zip | ferry convert --to json", "ferry convert --to json < T.zip"] {
      let run = try await ToolRun.shell(line)
      expectQuiet(run)
      #expect(run.output == json.output, "\(line)")
    }
    for line in ["cat T.zip | ferry get - '[0].name'", "ferry get - '[0].name' '[0].name' < T.zip | uniq"] {
      let run = try await ToolRun.shell(line)
      expectQuiet(run)
      #expect(run.output == "Robot\n", "\(line)")
    }
    let shown = try await ToolRun.shell("cat T.zip | ferry show")
    #expect(try await shown.output == ToolRun.ferry("show", "Things.mystuff").output)
  }

  @Test func `A ZIP archive is a dictionary of its files on request, and without the records of a package`()
    async throws
  {
    try await makeThings()
    expectQuiet(try await .shell("\(layouts[0].1); mkdir two; cp -r Things.mystuff two/A.mystuff"))
    expectQuiet(
      try await .shell("cp -r Things.mystuff two/B.mystuff; cd two; python3 -m zipfile -c ../two.zip *"))
    for (arguments, key) in [
      (["T.zip", "--from", "zip"], "Things.mystuff/things.data"), (["two.zip"], "B.mystuff/things.data"),
    ] {
      let run = try await ToolRun.ferry(["get"] + arguments + ["--keys"])
      expectQuiet(run)
      #expect(run.output.split(separator: "\n").contains { $0.contains(key) }, "\(run.output)")
    }
  }

  @Test func `Differences of images and lost files are reported as those of a package`() async throws {
    try await makeThings()
    try await makeArchive("N.mystuff", #"files["one.png"] += b"!"; files["notes/a.txt"] = b"hello""#)
    let changed = try await ToolRun.ferry("diff", "Things.mystuff", "N.mystuff")
    #expect(changed.status == 1)
    #expect(changed.output.contains("~ one.png: ") && changed.output.contains("+ notes/a.txt: "))
    let run = try await ToolRun.ferry("convert", "N.mystuff", "--to", "json", "--report", "-", "-o", "n.json")
    #expect(run.status == 0 && run.output.contains("notes/a.txt"), "\(run.output)\(run.errors)")
    expectQuiet(try await .ferry("convert", "N.mystuff", "-o", "N2.mystuff"))
    #expect(try directory.text("N2.mystuff/notes/a.txt") == "hello")
  }

  @Test func `A check finds a damaged image of a zipped package`() async throws {
    try await makeThings()
    expectQuiet(try await .shell(layouts[0].1))
    #expect(try await ToolRun.ferry("check", "T.zip").status == 0)
    expectQuiet(
      try await .shell(
        """
        python3 -c 'import zipfile
        image = [m for m in zipfile.ZipFile("T.zip").infolist() if m.filename.endswith("one.png")][0]
        bytes = bytearray(open("T.zip", "rb").read())
        bytes[image.header_offset + 30 + len(image.filename) + 3] ^= 0xff
        open("T.zip", "wb").write(bytes)'
        """))
    let run = try await ToolRun.ferry("check", "T.zip")
    #expect(run.status == 1 && (run.output + run.errors).contains("one.png"), "\(run)")
  }

  /// Programs of the shell that make the package one that a conversion refuses, with the message.
  private static let wrong = [
    ("rm Things.mystuff/two.png", #"the package has no file "two.png" (at [2].imageKey)"#),
    ("echo no > Things.mystuff/two.png", #""two.png" is not a PNG image (at [2].imageKey)"#),
    ("rm Things.mystuff/two.png; mkdir Things.mystuff/two.png", #""two.png" is a folder (at [2].imageKey)"#),
    ("ferry remove Things.mystuff '[1].location' --force", "the whatsit has no location (at [1])"),
    (
      "ferry rename Things.mystuff --class MyWhatsit=Foo --force",
      "expected a whatsit, found a Foo (at [0])"
    ),
  ]

  @Test(arguments: wrong)
  func `A check finds in a package what a conversion refuses`(_ program: String, _ message: String)
    async throws
  {
    try await makeThings()
    #expect(try await ToolRun.ferry("check", "Things.mystuff").status == 0)
    expectQuiet(try await .shell("(\(program)) && \(layouts[0].1)"))
    for name in ["Things.mystuff", "T.zip"] {
      for arguments in [
        ["convert", name, "--to", "json"], ["check", name], ["check", name, "--roundtrip"],
      ] {
        let run = try await ToolRun.ferry(arguments)
        #expect(run.status == 1 && run.output == "", "\(arguments): \(run)")
        #expect(run.errors.contains(message), "\(arguments): \(run.errors)")
      }
      let json = try await ToolRun.ferry("check", name, "--json")
      #expect(json.status == 1 && json.output.contains(#""ok":false"#), "\(json.output)")
      // Without a schema, no field has names of files.
      let bare = try await ToolRun.ferry("check", name, "--schema", "none")
      expectQuiet(bare)
      #expect(bare.output == "\(name): OK (archive)\n")
    }
  }

  @Test
  func `A document of a type of the user is checked by the schema of its type, as a conversion reads it`()
    async throws
  {
    try directory.write(
      "types.json",
      """
      {"ferry": 1, "types": [{"name": "stops", "identifier": "com.example.stops", "extensions": ["stops"],
        "schema": {"ferry": 1, "name": "stop", "fields": [{"name": "day", "type": "integer"}]},
        "layout": {"file": "json"}}]}
      """)
    try directory.write("a.stops", #"[{"day": 1}, {"day": "x"}]"#)
    for arguments in [["check", "a.stops"], ["convert", "a.stops", "--to", "xml"]] {
      let run = try await ToolRun.ferry(arguments + ["--types", "types.json"])
      #expect(run.status == 1 && run.errors.contains("[1].day"), "\(arguments): \(run)")
    }
    #expect(
      try await ToolRun.ferry("check", "a.stops", "--types", "types.json", "--schema", "none").status == 0)
    #expect(try await ToolRun.ferry("check", "a.stops", "--from", "json").status == 0)
  }

  @Test func `Documents are seeded from a package with its images`() async throws {
    try await makeThings()
    expectQuiet(try await .shell(layouts[0].1))
    let json = try await ToolRun.ferry("convert", "Things.mystuff", "--to", "json", "--pretty")
    for (index, source) in ["Things.mystuff", "T.zip"].enumerated() {
      let file = try await ToolRun.ferry("seed", "n\(index).json", "--from", source)
      expectQuiet(file)
      #expect(file.output == "n\(index).json: created with 3 records\n")
      #expect(try directory.text("n\(index).json") == json.output)
      expectQuiet(try await .ferry("seed", "N\(index).mystuff", "--from", source))
      let same = try await ToolRun.ferry("diff", "Things.mystuff", "N\(index).mystuff")
      expectQuiet(same)
      #expect(same.output == "")
      // The records of a package are added with their images.
      expectQuiet(
        try await .shell("cp -r Things.mystuff M.mystuff; rm M.mystuff/two.png; ferry remove M.mystuff '[2]'")
      )
      let added = try await ToolRun.ferry(
        "seed", "M.mystuff", "--from", source, "--merge", "--key", "name")
      #expect(added.output.hasPrefix("M.mystuff: added 1 record\n"), "\(added)")
      #expect(try await ToolRun.ferry("diff", "Things.mystuff", "M.mystuff").output == "")
      try FileManager.default.removeItem(atPath: directory.path("M.mystuff"))
    }
    let piped = try await ToolRun.shell("cat T.zip | ferry seed p.json --from -")
    #expect(try piped.status == 0 && directory.text("p.json") == json.output, "\(piped.errors)")
  }

  @Test func `A file of a package that no record names is reported as lost in a seed`() async throws {
    try await makeThings()
    try directory.write("Things.mystuff/notes.txt", "a")
    let run = try await ToolRun.ferry("seed", "n.json", "--from", "Things.mystuff")
    #expect(run.status == 0)
    #expect(
      run.errors
        == "Things.mystuff: not exact: files of the package that are in no record are left out (1)\n")
  }

  @Test func `Zipped packages are merged as packages`() async throws {
    try await makeThings()
    expectQuiet(
      try await .shell(
        """
        set -e
        \(layouts[0].1)
        cp -r Things.mystuff O.mystuff; ferry set O.mystuff '[0].name' Globe
        python3 -m zipfile -c O.zip O.mystuff/
        cp -r Things.mystuff R.mystuff; ferry set R.mystuff '[1].location' Cellar
        printf ! >> R.mystuff/two.png; python3 -m zipfile -c R.zip R.mystuff/
        ferry merge Things.mystuff O.mystuff R.mystuff -o Expected.mystuff
        """))
    for versions in [
      ["T.zip", "O.zip", "R.zip"], ["Things.mystuff", "O.zip", "R.mystuff"], ["T.zip", "O.mystuff", "R.zip"],
    ] {
      expectQuiet(try await .ferry(["merge"] + versions + ["-o", "M.mystuff", "--force"]))
      let same = try await ToolRun.shell("diff -r Expected.mystuff M.mystuff")
      #expect(same.status == 0 && same.output == "", "\(versions): \(same.output)")
    }
    try directory.write("a.json", "[]")
    expectFailure(
      try await .ferry("merge", "a.json", "a.json", "T.zip", "-o", "m.json"),
      "T.zip: a package can be merged only with packages")
    expectFailure(
      try await .ferry("merge", "T.zip", "O.zip", "a.json", "-o", "m.mystuff"),
      "a.json: this is a file, not a directory")
    expectFailure(
      try await .ferry("merge", "T.zip", "O.zip", "R.zip", "-o", "New.zip"),
      "New.zip: writing zip is not supported (write a file, or a package as a folder, and pack it)")
    let driver = try await ToolRun.ferry("merge", "T.zip", "O.zip", "R.zip", "--git=things.zip")
    #expect(
      driver.status == 1 && driver.errors.hasPrefix("things.zip (ours): a package in a ZIP"), "\(driver)")
    #expect(try !directory.names().contains { $0.hasPrefix("m.") || $0.hasPrefix("New") })
  }

  @Test func `A type of the user is found by its extension and its main file`() async throws {
    try directory.write(
      "types.json",
      """
      {"ferry": 1, "types": [{"name": "trip", "identifier": "com.example.trip", "extensions": ["trip"],
        "layout": {"package": {"main": "stops.csv", "format": "csv"}}}]}
      """)
    try directory.makeDirectory("A.trip")
    try directory.write("A.trip/stops.csv", "name,day\nRome,1\n")
    try directory.write("A.trip/map.bin", [1, 2, 3])
    expectQuiet(
      try await .shell("python3 -m zipfile -c A.zip A.trip/; cd A.trip; python3 -m zipfile -c ../C.zip *"))
    for name in ["A.trip", "A.zip", "C.zip"] {
      for arguments in [["check"], ["show"], ["find", "Rome"], ["schema", "infer"], ["inspect"]] {
        let run = try await ToolRun.ferry(arguments + [name, "--types", "types.json"])
        #expect(run.status == 0, "\(arguments): \(run.errors)")
      }
      let run = try await ToolRun.ferry("get", name, "[0].name", "--types", "types.json")
      expectQuiet(run)
      #expect(run.output == "Rome\n")
      let converted = try await ToolRun.ferry(
        "convert", name, "--to", "json", "--types", "types.json", "--delimiter", ",")
      #expect(converted.output == "[{\"name\":\"Rome\",\"day\":\"1\"}]\n", "\(converted.errors)")
      #expect(converted.errors.contains("not exact"), "\(converted.errors)")
    }
  }

  /// The changes of the records of the example that every edit command makes.
  private static let edits: [[String]] = [
    ["set", "FILE", "[0].name", "Globe"], ["remove", "FILE", "[1]"], ["patch", "FILE", "patch.json"],
    [
      "insert", "FILE", "[]", #"{"$class": "MyWhatsit", "name": "Map", "location": "Desk"}"#, "--type",
      "json",
    ],
  ]

  @Test(arguments: layouts)
  func `A zipped package is changed like the package, and keeps its other files`(
    _ name: String, _ command: String
  ) async throws {
    try await makeThings()
    expectQuiet(try await .shell(command))
    try directory.write("patch.json", #"[{"op": "replace", "path": "/0/location", "value": "Attic"}]"#)
    for edit in Self.edits {
      let arguments = { (file: String) in edit.map { $0 == "FILE" ? file : $0 } }
      let package = try await ToolRun.ferry(arguments("Things.mystuff"))
      let zipped = try await ToolRun.ferry(arguments(name))
      #expect(package.status == 0 && zipped.status == 0, "\(edit): \(package.errors)\(zipped.errors)")
      #expect(zipped.errors.replacing(name, with: "Things.mystuff") == package.errors, "\(edit)")
      expectQuiet(try await .ferry("diff", name, "Things.mystuff"))
    }
    expectQuiet(
      try await .shell(
        """
        export EDITOR='sed -i s/Globe/Moon/'; set -e
        ferry edit \(name); ferry edit Things.mystuff; ferry diff \(name) Things.mystuff
        ferry convert \(name) -o Copy.mystuff && diff -r Things.mystuff Copy.mystuff
        """))
    #expect(try await ToolRun.ferry("get", name, "[0].name").output == "Moon\n")
    #expect(try await ToolRun.shell("python3 -m zipfile -t \(name)").output == "Done testing\n")
  }

  @Test func `A copy of a changed zipped package is a ZIP archive, and a document must stay one of its type`()
    async throws
  {
    try await makeThings()
    expectQuiet(try await .shell(layouts[0].1))
    let bytes = try directory.bytes("T.zip")
    for name in ["Copy.zip", "Copy.mystuff", "Copy.bak"] {
      expectQuiet(try await .ferry("set", "T.zip", "[0].name", "Globe", "-o", name))
      #expect(try directory.bytes(name).starts(with: Array("PK".utf8)), "\(name)")
    }
    #expect(try await ToolRun.ferry("get", "Copy.zip", "[0].name").output == "Globe\n")
    let other = try await ToolRun.ferry("set", "T.zip", "[0].name", "Globe", "-o", "Copy.json")
    #expect(other.status == 1 && other.errors.contains("Copy.json"), "\(other.errors)")
    let flawed = try await ToolRun.ferry("remove", "T.zip", "[0].location")
    #expect(flawed.status == 1 && flawed.errors.contains("--force writes it anyway"), "\(flawed.errors)")
    let key = #"[0]["image.key"]"#
    let missing = try await ToolRun.ferry("set", "T.zip", key, "three.png")
    #expect(missing.status == 1 && missing.errors.contains("three.png"), "\(missing.errors)")
    #expect(try directory.bytes("T.zip") == bytes)
    // With its format, the archive is a dictionary of files, to which an image can be added.
    let image = #"["Things.mystuff/three.png"]"#
    expectQuiet(try await .ferry("insert", "T.zip", "--from", "zip", image, "--from-file", "one.png"))
    #expect(try await ToolRun.ferry("set", "T.zip", key, "three.png").status == 0)
    #expect(try await ToolRun.ferry("get", "T.zip", key).output == "three.png\n")
  }

  @Test func `A file of a zipped package is edited by its name, and the one with the records as these`()
    async throws
  {
    try await makeThings()
    try directory.write("Things.mystuff/notes.txt", "a note")
    expectQuiet(try await .shell(layouts[0].1))
    expectQuiet(
      try await .shell(
        """
        export EDITOR='sed -i "s/note/text/;s/Robot/Globe/"'; set -e
        ferry edit T.zip Things.mystuff/notes.txt; ferry edit T.zip Things.mystuff/things.data
        ferry convert T.zip -o Copy.mystuff
        """))
    #expect(try directory.text("Copy.mystuff/notes.txt") == "a text")
    #expect(try await ToolRun.ferry("get", "T.zip", "[0].name").output == "Globe\n")
    let bytes = try directory.bytes("T.zip")
    let flawed = try await ToolRun.shell(
      "EDITOR='sed -i s/one.png/no.png/' ferry edit T.zip Things.mystuff/things.data")
    #expect(flawed.status == 1 && flawed.errors.contains("no.png"), "\(flawed.errors)")
    #expect(try directory.bytes("T.zip") == bytes)
  }

  @Test func `Classes are renamed in a zipped package as in the package`() async throws {
    try await makeThings()
    expectQuiet(try await .shell(layouts[0].1))
    let bytes = try directory.bytes("T.zip")
    for options in [[], ["--out-dir", "out"]] {
      let run = try await ToolRun.ferry(["rename", "T.zip", "--class", "MyWhatsit=Thing"] + options)
      #expect(run.status == 1 && run.errors.contains("--force writes it anyway"), "\(run.errors)")
    }
    #expect(try directory.bytes("T.zip") == bytes)
    for name in ["T.zip", "Things.mystuff"] {
      expectQuiet(try await .ferry("rename", name, "--class", "MyWhatsit=Thing", "--force"))
    }
    expectQuiet(try await .ferry("diff", "T.zip", "Things.mystuff", "--schema", "none"))
    expectQuiet(try await .ferry("rename", "T.zip", "--class", "Thing=MyWhatsit", "--out-dir", "out"))
    expectQuiet(try await .ferry("check", "--quiet", "out/T.zip"))
  }

  @Test func `Classes are renamed in the zipped packages of a folder, and in archives with one file`()
    async throws
  {
    try await makeThings()
    expectQuiet(
      try await .shell(
        #"""
        mkdir -p d/sub; cp Things.mystuff/things.data a.archive
        python3 -m zipfile -c d/T.zip Things.mystuff/; cp d/T.zip d/sub/backup.bin
        python3 -m zipfile -c d/one.zip a.archive; python3 -m zipfile -c d/two.zip a.archive things.xml
        printf 'PK\3\4' > d/cut.zip
        """#))
    let two = try directory.bytes("d/two.zip")
    let summary = "3 of 3 changed, 1 ZIP archive of several files and 1 other file skipped\n"
    for rule in ["MyWhatsit=Thing", "Thing=MyWhatsit"] {
      let run = try await ToolRun.ferry("rename", "d", "--class", rule, "--force")
      #expect(run.status == 0 && run.errors == summary, "\(run)")
      let name = String(try #require(rule.split(separator: "=").last))
      for file in ["d/T.zip", "d/sub/backup.bin", "d/one.zip"] {
        #expect(try await ToolRun.ferry("get", file, "[0]", "--type").output == name + "\n", "\(file)")
      }
    }
    expectQuiet(try await .ferry("diff", "d/T.zip", "Things.mystuff"))
    expectQuiet(try await .ferry("diff", "d/one.zip", "a.archive", "--schema", "none"))
    #expect(try directory.bytes("d/two.zip") == two)
    let copies = try await ToolRun.ferry(
      "rename", "d", "--class", "MyWhatsit=Thing", "--force", "--out-dir", "out")
    #expect(copies.errors == summary, "\(copies.errors)")
    #expect(try directory.names(in: "out") == ["T.zip", "one.zip", "sub"])
  }

  @Test func `A zipped package is not written as a whole, and none is made`() async throws {
    try await makeThings()
    expectQuiet(try await .shell(layouts[0].1))
    let bytes = try directory.bytes("T.zip")
    let message =
      "a package in a ZIP archive cannot be written as a whole "
      + "(\"ferry convert ARCHIVE -o NAME.mystuff\" unpacks it)"
    for arguments in [
      ["merge", "T.zip", "T.zip", "T.zip", "-o", "T.zip", "--force"],
      ["seed", "T.zip", "--from", "things.xml", "--merge", "--key", "name"],
      ["convert", "T.zip", "--to", "json", "-i"], ["convert", "T.zip", "--to", "json", "-i", "--dry-run"],
      ["convert", "T.zip", "--to", "things", "-i"],
    ] {
      expectFailure(try await .ferry(arguments), "T.zip: \(message)")
    }
    expectFailure(
      try await .ferry("merge", "T.zip", "T.zip", "T.zip", "--git=T.zip"), "T.zip (ours): \(message)")
    #expect(try directory.bytes("T.zip") == bytes)
    // An archive with the name of a package is not a document for its app.
    expectQuiet(try await .shell("cp T.zip Z.mystuff"))
    expectFailure(try await .ferry("seed", "Z.mystuff", "--from", "things.xml"), "Z.mystuff: \(message)")
    for name in ["N.zip", "N.mystuff.zip"] {
      let run = try await ToolRun.ferry("convert", "Things.mystuff", "-o", name)
      #expect(
        run.status == 64 && run.errors.hasPrefix("Error: writing zip is not supported"), "\(run.errors)")
    }
    #expect(try !directory.names().contains { $0.hasPrefix("N.") })
  }

  /// Programs that make archives, with the message of their errors.
  private static let refused = [
    (
      #"files["../up.png"] = b"x""#,
      #""../up.png" cannot be a file of a package: it leads out of the package"#
    ),
    (
      #"files["a/../../up.png"] = b"x""#,
      #""a/../../up.png" cannot be a file of a package: it leads out of the package"#
    ),
    (#"files["/up.png"] = b"x""#, #""/up.png" cannot be a file of a package: a name in it is empty"#),
    (#"files["one.png/a"] = b"x""#, #""one.png/a" cannot be a file of a package: "one.png" is not a folder"#),
    (#"files["one.png/"] = b"""#, #""one.png" cannot be a file of a package: it is a file and a folder"#),
    (
      #"files["/".join(["d" * 100] * 41)] = b"x""#,
      "\"\(String(repeating: "d", count: 60))…\" cannot be a file of a package: it is longer than 4096 bytes"
    ),
    (
      #"files["n" * 256] = b"x""#,
      "\"\(String(repeating: "n", count: 60))…\" cannot be a file of a package: a name in it is longer than 255 bytes"
    ),
    (
      #"files["a/" * 512 + "f"] = b"x""#,
      "nested deeper than 512 levels (--max-depth raises the limit) (at "
        + "\(String(repeating: "a/", count: 50)) … /\(String(repeating: "a/", count: 49))f)"
    ),
    (#"del files["things.data"]"#, "the package has no things.data, the file with its records"),
    (
      #"del files["things.data"]; link("things.data", "/etc/passwd")"#,
      #""things.data" is a symbolic link, which is not followed"#
    ),
    (#"files["things.data/a"] = files.pop("things.data")"#, #""things.data" is a folder"#),
  ]

  @Test(arguments: refused)
  func `An archive that is not a valid package is refused`(_ program: String, _ message: String) async throws
  {
    try await makeThings()
    try await makeArchive("N.mystuff", program)
    for command in [
      ["convert", "N.mystuff", "--to", "json"], ["show", "N.mystuff"], ["get", "N.mystuff"],
      ["convert", "N.mystuff", "-o", "Copy.mystuff"],
    ] {
      expectFailure(try await .ferry(command), "N.mystuff: \(message)")
    }
    #expect(try !directory.names().contains("Copy.mystuff"))
  }

  @Test func `A record whose image is missing or a link is refused with its path`() async throws {
    try await makeThings()
    for (program, message) in [
      (#"del files["two.png"]"#, #"the package has no file "two.png" (at [2].imageKey)"#),
      (
        #"del files["two.png"]; link("two.png", "one.png")"#,
        #""two.png" is a symbolic link, which is not followed (at [2].imageKey)"#
      ),
    ] {
      try await makeArchive("N.mystuff", program)
      let run = try await ToolRun.ferry("convert", "N.mystuff", "--to", "json")
      #expect(run.status == 1 && run.errors == "N.mystuff: \(message)\n", "\(run.errors)")
    }
  }

  @Test func `A zipped package beyond the budget is refused with the option that raises the limit`()
    async throws
  {
    try await makeThings()
    try await makeArchive("N.mystuff", #"files["one.png"] += bytes(40000000)"#)
    try await makeArchive("M.mystuff", #"for index in range(20): files["more/%d" % index] = b"x""#)
    for (arguments, message) in [
      (["N.mystuff"], "expands to more than 100 times its size (--max-amplification raises the limit)"),
      (["N.mystuff", "--max-token", "1000000"], "one value is longer than 1000000 bytes"),
      (["M.mystuff", "--max-files", "10"], "more than 10 files in a package"),
    ] {
      let run = try await ToolRun.ferry(["convert", "--to", "json", "-o", "n.json"] + arguments)
      #expect(run.status == 1 && run.errors.contains(message), "\(run.errors)")
      #expect(try !directory.names().contains("n.json"))
    }
    // The records alone are small.
    #expect(try await ToolRun.ferry("get", "N.mystuff", "[0].name").output == "Robot\n")
    let raised = try await ToolRun.ferry(
      "convert", "N.mystuff", "--to", "plist-binary", "-o", "n.plist", "--max-amplification", "10000")
    expectQuiet(raised)
  }
}
