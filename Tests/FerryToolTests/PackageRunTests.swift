import Ferry
import Foundation
import TestSupport
import Testing

/// The beginning that a PNG image is known by, and a word.
private func image(_ word: String) -> [UInt8] {
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + Array(word.utf8)
}

private let things = """
  <things>
    <whatsit><name>Robot</name><location>Shelf</location><imageKey>image.png</imageKey></whatsit>
    <whatsit><name>Boots</name><location>Hall</location></whatsit>
    <whatsit><name>Telescope</name><location>Attic</location><imageKey>1__#$!@%!#__image.png</imageKey></whatsit>
  </things>

  """

/// Returns the files in a folder and its subfolders.
private func contents(of name: String) throws -> [String: [UInt8]] {
  var found: [String: [UInt8]] = [:]
  for path in try Folder.files(under: directory.path(name)) {
    found[String(path.dropFirst(directory.path(name).count + 1))] = try FileInput(path: path).readAll()
  }
  return found
}

/// Makes `Things.mystuff` of the XML and its two images.
private func makeThings() async throws {
  try directory.write("things.xml", things)
  try directory.write("image.png", image("one"))
  try directory.write("1__#$!@%!#__image.png", image("two"))
  expectQuiet(try await .ferry("convert", "things.xml", "-o", "Things.mystuff"))
}

@Suite(.temporaryDirectory) struct `Packages` {
  @Test func `A package is made of records and the files that they name`() async throws {
    try await makeThings()
    #expect(
      try directory.names(in: "Things.mystuff") == ["1__#$!@%!#__image.png", "image.png", "things.data"])
    #expect(try directory.bytes("Things.mystuff/image.png") == image("one"))
  }

  @Test func `A package has files to extract, and nothing else has`() async throws {
    try await makeThings()
    expectFailure(
      try await .ferry("convert", "things.xml", "--to", "json", "--extract", "images"),
      "things.xml: --extract writes the files of a package, and this is not a package")
    #expect(try !directory.names().contains("images"))
  }

  @Test func `Symbolic links of two packages are compared by their targets`() async throws {
    try await makeThings()
    expectQuiet(
      try await .shell(
        """
        cp -r Things.mystuff New.mystuff
        ln -s image.png Things.mystuff/changed; ln -s other.png New.mystuff/changed
        ln -s image.png Things.mystuff/removed; ln -s image.png New.mystuff/same; ln -s image.png Things.mystuff/same
        ln -s ab Things.mystuff/turned; printf ab > New.mystuff/turned
        """))
    let run = try await ToolRun.ferry("diff", "Things.mystuff", "New.mystuff")
    #expect(run.status == 1 && run.errors == "", "\(run.errors)")
    #expect(
      run.output == """
        --- Things.mystuff
        +++ New.mystuff
        ~ changed: a link to "image.png" → a link to "other.png"
        - removed: a link to "image.png"
        ~ turned: a link to "ab" → 2 bytes

        """, "\(run.output)")
    expectQuiet(try await .shell("mkdir a b; mv Things.mystuff a/T.mystuff; mv New.mystuff b/T.mystuff"))
    let lines = try await ToolRun.ferry("diff", "a", "b", "--json")
    #expect(
      lines.output.contains(#""change":"changed","oldTarget":"image.png","newTarget":"other.png""#),
      "\(lines)")
    #expect(lines.output.contains(#""change":"changed","oldTarget":"ab","newSize":2"#), "\(lines)")
  }

  @Test func `A package with a symbolic link whose target is not UTF-8 is changed in place, and not copied`()
    async throws
  {
    try await makeThings()
    expectQuiet(try await .shell("ln -s \"$(printf 'a\\351')\" Things.mystuff/link"))
    expectQuiet(try await .ferry("set", "Things.mystuff", "[0].name", "X"))
    let run = try await ToolRun.ferry("convert", "Things.mystuff", "-o", "C.mystuff")
    #expect(run.status == 1 && run.errors.contains("is not UTF-8"), "\(run)")
    #expect(try !directory.names().contains("C.mystuff"))
    let target = try await ToolRun.shell("readlink -n Things.mystuff/link")
    #expect(target.bytes == [0x61, 0xe9])
  }

  @Test(arguments: ["json", "jsonl", "xml", "plist-xml", "plist-binary"])
  func `A package becomes one file and comes back, byte for byte`(format: String) async throws {
    try await makeThings()
    expectQuiet(try await .ferry("convert", "Things.mystuff", "--to", format, "-o", "one"))
    try FileManager.default.removeItem(atPath: directory.path("image.png"))
    expectQuiet(try await .ferry("convert", "one", "--to", "things", "-o", "Back.mystuff"))
    #expect(try contents(of: "Back.mystuff") == contents(of: "Things.mystuff"))
    expectQuiet(try await .ferry("convert", "Back.mystuff", "--to", format, "-o", "two"))
    #expect(try directory.bytes("one") == directory.bytes("two"))
  }

  @Test func `A package is seeded with its images, and gets the missing ones`() async throws {
    try await makeThings()
    let run = try await ToolRun.ferry("seed", "Seeded.mystuff", "--from", "things.xml")
    expectQuiet(run)
    #expect(run.output == "Seeded.mystuff: created with 3 records\n")
    #expect(try contents(of: "Seeded.mystuff") == contents(of: "Things.mystuff"))
    let again = try await ToolRun.ferry("seed", "Seeded.mystuff", "--from", "things.xml")
    #expect(again.output == "Seeded.mystuff: already exists, not changed\n")
    // Another image of a name that is taken gets a name of its own, and one of the same bytes does not.
    try directory.makeDirectory("more")
    try directory.write("more/image.png", image("three"))
    try directory.write("more/1__#$!@%!#__image.png", image("two"))
    try directory.write(
      "more/things.xml",
      things.replacing("<name>Robot", with: "<name>Globe").replacing("<name>Telescope", with: "<name>Lens"))
    let added = try await ToolRun.ferry(
      "seed", "Seeded.mystuff", "--from", "more/things.xml", "--merge", "--key", "name")
    expectQuiet(added)
    #expect(added.output == "Seeded.mystuff: added 2 records\n  \"Globe\"\n  \"Lens\"\n")
    let json = try await ToolRun.ferry("get", "Seeded.mystuff", #"[*]["image.key"]"#)
    #expect(
      json.output == "image.png\n1__#$!@%!#__image.png\n2__#$!@%!#__image.png\n1__#$!@%!#__image.png\n")
    #expect(try directory.bytes("Seeded.mystuff/2__#$!@%!#__image.png") == image("three"))
    #expect(try directory.bytes("Seeded.mystuff/image.png") == image("one"))
  }

  @Test func `A package is not seeded if an image is missing or a record breaks its schema`() async throws {
    try directory.write("things.xml", things)
    expectFailure(
      try await .ferry("seed", "S.mystuff", "--from", "things.xml"),
      "things.xml:2:56: the file \"image.png\", which a record names, does not exist (use --attachments FOLDER) "
        + "(at [0].imageKey)")
    try directory.write("broken.xml", "<things><whatsit><name>A</name></whatsit></things>")
    expectFailure(
      try await .ferry("seed", "S.mystuff", "--from", "broken.xml"),
      "broken.xml:1:9: the whatsit has no location (at [0])")
    #expect(try directory.names() == ["broken.xml", "things.xml"])
  }

  @Test func `A package as JSON has its images in Base64, beside their keys`() async throws {
    try await makeThings()
    let run = try await ToolRun.ferry("convert", "Things.mystuff/", "--to", "json")
    expectQuiet(run)
    #expect(
      run.output.hasPrefix(
        #"[{"name":"Robot","location":"Shelf","imageKey":"image.png","image":"iVBORw0KGgpvbmU="},"#))
  }

  @Test func `A package reports the loss of unnamed files, links and empty folders`() async throws {
    try await makeThings()
    expectQuiet(
      try await .shell("cd Things.mystuff && ln -s /etc/passwd link && mkdir -p a/b && printf x > other"))
    let run = try await ToolRun.ferry(
      "convert", "Things.mystuff", "--to", "json", "-o", "out.json", "--report", "losses.json")
    #expect(run.status == 0)
    let paths = try await ToolRun.ferry("get", "losses.json", "losses[*].path")
    #expect(paths.output == "a/b\nlink\nother\n")
    let strict = try await ToolRun.ferry(
      "convert", "Things.mystuff", "--to", "json", "-o", "no.json", "--strict")
    #expect(strict.status == 1)
  }

  @Test func `A package has its extracted images beside the JSON`() async throws {
    try await makeThings()
    expectQuiet(
      try await .ferry("convert", "Things.mystuff", "--to", "json", "-o", "out.json", "--extract", "images"))
    #expect(try directory.names(in: "images") == ["1__#$!@%!#__image.png", "image.png"])
    #expect(try directory.bytes("images/image.png") == image("one"))
    #expect(try !directory.text("out.json").contains("\"image\""))
    expectFailure(
      try await .ferry("convert", "Things.mystuff", "--to", "xml", "-o", "out.xml", "--extract", "images"),
      "images/image.png: the file already exists (use --force to replace it)")
    #expect(try !directory.names().contains("out.xml"))
    for name in ["image.png", "1__#$!@%!#__image.png"] {
      try FileManager.default.removeItem(atPath: directory.path(name))
    }
    expectQuiet(
      try await .ferry("convert", "out.json", "-o", "Back.mystuff", "--attachments", "images"))
    #expect(try contents(of: "Back.mystuff") == contents(of: "Things.mystuff"))
  }

  @Test func `A package gives a name to an image that has none`() async throws {
    try directory.write(
      "a.json",
      #"""
      [{"name":"A","location":"x","image":"iVBORw0KGgpvbmU="},{"name":"B","location":"y","image":"iVBORw0KGgp0d28="},
       {"name":"C","location":"z","image":"AAEC"}]
      """#)
    expectQuiet(try await .ferry("convert", "a.json", "-o", "New.mystuff"))
    #expect(
      try directory.names(in: "New.mystuff") == [
        "1__#$!@%!#__image.png", "image", "image.png", "things.data",
      ])
    let run = try await ToolRun.ferry("get", "New.mystuff", "[*][\"image.key\"]")
    #expect(run.output == "image.png\n1__#$!@%!#__image.png\nimage\n")
  }

  @Test func `A package is shown, inspected and changed in its records' file`() async throws {
    try await makeThings()
    #expect(try await ToolRun.ferry("show", "Things.mystuff").output.contains("MyWhatsit"))
    #expect(try await ToolRun.ferry("inspect", "Things.mystuff").output.contains("MyWhatsit"))
    expectQuiet(try await .ferry("set", "Things.mystuff", "[0].location", "Cellar"))
    #expect(try await ToolRun.ferry("get", "Things.mystuff", "[0].location").output == "Cellar\n")
    #expect(try directory.names(in: "Things.mystuff").count == 3)
  }

  @Test func `A package is converted among others, and into a folder`() async throws {
    try await makeThings()
    expectQuiet(try await .ferry("convert", "Things.mystuff", "-o", "Other.mystuff"))
    let many = try await ToolRun.ferry(
      "convert", "Things.mystuff", "Other.mystuff", "--to", "json", "--out-dir", "out", "--extract", "images")
    #expect(many.status == 0)
    #expect(try directory.names(in: "out") == ["Other.json", "Things.json"])
    #expect(try directory.names(in: "images") == ["Other", "Things"])
    #expect(try contents(of: "Other.mystuff") == contents(of: "Things.mystuff"))
    try directory.makeDirectory("in")
    for name in ["a", "b", "c"] {
      try directory.write("in/\(name).xml", things.replacing("Robot", with: name))
    }
    let back = try await ToolRun.ferry(
      "convert", "in/a.xml", "in/b.xml", "in/c.xml", "--to", "things", "--out-dir", "packages",
      "--attachments", ".",
      "--jobs", "2")
    #expect(back.status == 0 && back.errors == "3 converted, 0 failed\n", "\(back.errors)")
    #expect(try directory.names(in: "packages") == ["a.mystuff", "b.mystuff", "c.mystuff"])
  }

  @Test func `A package keeps files that no record names, or reports their loss`() async throws {
    try await makeThings()
    try directory.write("Things.mystuff/notes.txt", "note")
    expectQuiet(try await .ferry("convert", "Things.mystuff", "-o", "Copy.mystuff"))
    #expect(try directory.text("Copy.mystuff/notes.txt") == "note")
    let run = try await ToolRun.ferry("convert", "Things.mystuff", "--to", "json")
    #expect(
      run.errors == "Things.mystuff: not exact: files of the package that are in no record are left out (1)\n"
    )
    #expect(
      try await ToolRun.ferry("convert", "Things.mystuff", "--to", "json", "-o", "x.json", "--strict").status
        == 1)
    #expect(try !directory.names().contains("x.json"))
  }

  @Test func `A package is replaced only on request, and its unchanged files are left alone`() async throws {
    try await makeThings()
    expectFailure(
      try await .ferry("convert", "things.xml", "-o", "Things.mystuff"),
      "Things.mystuff: the file already exists (use --force to replace it)")
    let attributes = {
      try FileManager.default.attributesOfItem(atPath: directory.path("Things.mystuff/image.png"))
    }
    let before = try attributes()
    try directory.write("things.xml", things.replacing("Shelf", with: "Floor"))
    expectQuiet(try await .ferry("convert", "things.xml", "-o", "Things.mystuff", "--force"))
    let after = try attributes()
    #expect(before[.systemFileNumber] as? UInt64 == after[.systemFileNumber] as? UInt64)
    #expect(before[.modificationDate] as? Date == after[.modificationDate] as? Date)
    #expect(try await ToolRun.ferry("get", "Things.mystuff", "[0].location").output == "Floor\n")
  }
}

@Suite(.temporaryDirectory) struct `Invalid packages` {
  private func change(_ key: String) async throws {
    try await makeThings()
    let run = try await ToolRun.ferry("set", "Things.mystuff", "[0][\"image.key\"]", key, "--force")
    #expect(run.status == 0)
  }

  @Test func `Records are not added to a database if the files of their package cannot be extracted`()
    async throws
  {
    try await makeThings()
    let command = [
      "convert", "Things.mystuff", "-o", "t.db", "--table", "t", "--append", "--extract", "images",
    ]
    expectQuiet(try await .ferry(command))
    expectQuiet(try await .shell("rm images/image.png"))
    expectQuiet(try await .ferry(command.dropLast() + ["others"]))
    #expect(try directory.names(in: "others") == ["1__#$!@%!#__image.png", "image.png"])
    let before = try directory.bytes("t.db")
    expectFailure(
      try await .ferry(command),
      "images/1__#$!@%!#__image.png: the file already exists (use --force to replace it)")
    #expect(try directory.bytes("t.db") == before)
    #expect(try directory.names(in: "images") == ["1__#$!@%!#__image.png"])
  }

  @Test(arguments: [
    ("no.png", #"the package has no file "no.png" (at [0].imageKey)"#),
    (
      "../things.xml",
      #""../things.xml" cannot be a file of a package: it leads out of the package (at [0].imageKey)"#
    ),
    ("/etc/passwd", #""/etc/passwd" cannot be a file of a package: a name in it is empty (at [0].imageKey)"#),
  ])
  func `An invalid image key of a package is refused`(key: String, words: String) async throws {
    try await change(key)
    let names = try directory.names()
    expectFailure(
      try await .ferry("convert", "Things.mystuff", "--to", "json", "-o", "out.json", "--extract", "images"),
      "Things.mystuff: " + words)
    #expect(try directory.names() == names)
  }

  @Test func `An invalid image of a package is refused`() async throws {
    try await makeThings()
    try directory.write("Things.mystuff/image.png", "GIF89a")
    expectFailure(
      try await .ferry("convert", "Things.mystuff", "--to", "json", "-o", "out.json"),
      #"Things.mystuff: "image.png" is not a PNG image (at [0].imageKey)"#)
    try FileManager.default.removeItem(atPath: directory.path("Things.mystuff/image.png"))
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("Things.mystuff/image.png"), withDestinationPath: "../image.png")
    expectFailure(
      try await .ferry("convert", "Things.mystuff", "--to", "json", "-o", "out.json"),
      #"Things.mystuff: "image.png" is a symbolic link, which is not followed (at [0].imageKey)"#)
  }

  @Test func `A package without its archive, or of no type, is refused`() async throws {
    try await makeThings()
    try FileManager.default.removeItem(atPath: directory.path("Things.mystuff/things.data"))
    let line = "Things.mystuff: the package has no things.data, the file with its records"
    expectFailure(try await .ferry("convert", "Things.mystuff", "--to", "json"), line)
    expectFailure(try await .ferry("show", "Things.mystuff"), line)
    expectFailure(try await .ferry("get", "Things.mystuff", "[0]"), line)
    expectFailure(try await .ferry("inspect", "Things.mystuff"), line)
    try directory.makeDirectory("Some.bundle")
    let unknown =
      "Some.bundle: this folder is not a known package (known: things (.mystuff); --types FILE adds others)"
    for command in [["convert", "--to", "json"], ["show"], ["get"]] {
      expectFailure(try await .ferry(command + ["Some.bundle"]), unknown)
    }
  }

  @Test(arguments: [
    (
      #"[{"name":"A","location":"x","imageKey":"no.png"}]"#,
      #"the file "no.png", which a record names, does not exist (use --attachments FOLDER) (at [0].imageKey)"#
    ),
    (
      #"[{"name":"A","location":"x"},{"name":"A","location":"x","imageKey":"../a.json"}]"#,
      #""../a.json" cannot be a file of a package: it leads out of the package (at [1].imageKey)"#
    ),
    (
      #"[{"name":"A","location":"x","imageKey":"things.data","image":"AAEC"}]"#,
      #""things.data" cannot be a file of a package: the records are in it (at [0].imageKey)"#
    ),
    (
      #"[{"name":"A","location":"x","imageKey":"a.png","image":"AAEC"}]"#,
      #""a.png" is not a PNG image (at [0].imageKey)"#
    ),
    (
      #"[{"name":"A","location":"x","imageKey":"a","image":"AAEC"},{"name":"A","location":"x","imageKey":"a","image":"AAED"}]"#,
      #"two records have different files named "a" (at [1].imageKey)"#
    ),
    (
      #"[{"name":"A","location":"x","image":"???"}]"#,
      #"expected data (Base64 in text) in the field image, found "???" (at [0].image)"#
    ),
    (#"[{"name":"A"}]"#, "the whatsit has no location (at [0])"),
  ])
  func `Invalid records for a package are refused`(json: String, line: String) async throws {
    try directory.write("a.json", json)
    let run = try await ToolRun.ferry("convert", "a.json", "-o", "New.mystuff")
    #expect(run.status == 1 && run.output == "")
    #expect(run.errors.hasPrefix("a.json:1:") && run.errors.hasSuffix(": \(line)\n"), "\(run.errors)")
    #expect(try directory.names() == ["a.json"])
  }

  @Test func `A path that is not a package, and a stream, are refused as packages`() async throws {
    try directory.write("a.json", "[]")
    try directory.makeDirectory("Documents")
    try directory.write("Documents/letter.txt", "Dear")
    expectFailure(
      try await .ferry("convert", "a.json", "--to", "things", "-o", "Documents", "--force"),
      "Documents: a folder that is not a package of this type exists there, and is never replaced (choose another path)"
    )
    expectFailure(
      try await .ferry("convert", "a.json", "--to", "things"),
      "standard output: a package cannot be written to the standard output (use -o PATH)")
    #expect(try directory.names() == ["Documents", "a.json"])
    #expect(try directory.names(in: "Documents") == ["letter.txt"])
  }

  @Test(
    arguments: [
      ("ln -s ../things.xml", #""things.data" is a symbolic link, which is not followed"#),
      ("ln -s /dev/zero", #""things.data" is a symbolic link, which is not followed"#),
      ("mkfifo", #""things.data" is not a file, folder or symbolic link, and cannot be part of a package"#),
      ("mkdir", #""things.data" is a folder"#),
    ])
  func `An entry of a package instead of its records is read by no command`(_ make: String, _ words: String)
    async throws
  {
    try await makeThings()
    expectQuiet(try await .shell("cd Things.mystuff && mv things.data ../before && \(make) things.data"))
    let contents = try directory.names(in: "Things.mystuff")
    for command in [
      ["convert", "Things.mystuff", "--to", "json", "-o", "out.json"], ["show", "Things.mystuff"],
      ["get", "Things.mystuff", "[0]"], ["inspect", "Things.mystuff"],
      ["set", "Things.mystuff", "[0].name", "x"], ["insert", "Things.mystuff", "[0].x", "x"],
      ["remove", "Things.mystuff", "[0]"], ["edit", "Things.mystuff"],
      ["rename", "Things.mystuff", "--class", "MyWhatsit=Thing"],
      ["seed", "Things.mystuff", "--from", "things.xml", "--merge", "--key", "name"],
    ] {
      expectFailure(try await .ferry(command), "Things.mystuff: " + words)
    }
    #expect(
      try directory.names() == [
        "1__#$!@%!#__image.png", "Things.mystuff", "before", "image.png", "things.xml",
      ])
    #expect(try directory.names(in: "Things.mystuff") == contents)
  }

  @Test func `A package beyond the budget is refused with the option that raises the limit`() async throws {
    try await makeThings()
    try directory.makeDirectory("Things.mystuff/a/b/c/d/e/f")
    for (option, limit, enough, words) in [
      ("--max-files", "8", "9", "more than 8 files in a package (--max-files raises the limit)"),
      ("--max-depth", "6", "7", "nested deeper than 6 levels (--max-depth raises the limit)"),
      ("--max-token", "10", "1000", "one value is longer than 10 bytes (--max-token raises the limit)"),
    ] {
      let run = try await ToolRun.ferry(
        "convert", "Things.mystuff", "-o", "Copy.mystuff", option, limit)
      #expect(run.status == 1 && run.errors.hasPrefix("Things.mystuff: \(words)"), "\(run.errors)")
      #expect(try !directory.names().contains("Copy.mystuff"))
      expectQuiet(try await .ferry("convert", "Things.mystuff", "-o", "Copy.mystuff", option, enough))
      try FileManager.default.removeItem(atPath: directory.path("Copy.mystuff"))
    }
  }

  @Test(
    arguments: [
      (
        "chmod 555 Things.mystuff",
        "Things.mystuff: cannot create a file in the folder \"Things.mystuff\": permission denied\n"
      ),
      (
        "chmod 444 Things.mystuff/things.data",
        "Things.mystuff: the file is not writable: permission denied (chmod u+w makes a read-only file writable)\n"
      ),
      ("chmod 000 Things.mystuff", "Things.mystuff: permission denied\n"),
      (
        "chmod 555 .",
        """
        Things.mystuff: cannot create a file in the folder ".": permission denied
        New.mystuff: cannot create a file in the folder ".": permission denied

        """
      ),
    ])
  func `A package that cannot be written stays as it is, and nothing is made`(
    _ protect: String, _ words: String
  ) async throws {
    try await makeThings()
    try directory.write("new.xml", things.replacing("Shelf", with: "Floor"))
    let before = try contents(of: "Things.mystuff")
    // Nothing keeps the superuser from writing.
    let run = try await ToolRun.shell(
      """
      if [ "$(id -u)" = 0 ]; then
        chown -R 65534 .; as="setpriv --reuid=65534 --regid=65534 --clear-groups"
        $as ferry --version > /dev/null || exit 77
      fi
      \(protect)
      $as ferry convert new.xml -o Things.mystuff --force
      \(protect.hasSuffix(" .") ? "$as ferry seed New.mystuff --from new.xml" : "true")
      chmod -R u+rwX .
      """)
    guard run.status != 77 else { try Test.cancel("nobody may run the program here") }
    #expect(run.errors == words)
    if protect == "chmod 555 Things.mystuff" {
      let dry = try await ToolRun.shell(
        """
        as=; if [ "$(id -u)" = 0 ]; then as="setpriv --reuid=65534 --regid=65534 --clear-groups"; fi
        \(protect); $as ferry convert new.xml -o Things.mystuff --force --dry-run; echo $?; chmod -R u+rwX .
        """)
      #expect(dry.output == "1\n" && dry.errors == words, "\(dry)")
    }
    #expect(try contents(of: "Things.mystuff") == before)
    #expect(
      try directory.names() == [
        "1__#$!@%!#__image.png", "Things.mystuff", "image.png", "new.xml", "things.xml",
      ])
  }

  @Test(arguments: [
    "ferry convert b.json -o K.mystuff --force", "ferry convert b.json -o New.mystuff",
    "ferry seed K.mystuff --from b.json --merge --key name", "ferry seed New.mystuff --from b.json",
  ])
  func `A package stays as it is if there is no room for the new one`(_ command: String) async throws {
    try await makeThings()
    expectQuiet(try await .ferry("convert", "Things.mystuff", "-o", "K.mystuff"))
    try directory.write("big.png", image(String(repeating: "x", count: 100_000)))
    try directory.write("b.json", #"[{"name":"New","location":"x","imageKey":"big.png"}]"#)
    let (before, names) = (try contents(of: "K.mystuff"), try directory.names())
    // The limit's signal is ignored, so that the write itself fails.
    let run = try await ToolRun.shell("trap '' XFSZ; ulimit -f 16; \(command)")
    expectFailure(run, (command.contains("New") ? "New" : "K") + ".mystuff: file too large")
    #expect(try directory.names() == names)
    #expect(try contents(of: "K.mystuff") == before)
  }

  @Test func `A package is refused if the file system takes two of its names for one`() async throws {
    try directory.write(
      "a.json",
      #"""
      [{"name":"A","location":"x","imageKey":"caf\u00e9.png","image":"iVBORw0KGgpvbmU="},
       {"name":"B","location":"x","imageKey":"cafe\u0301.png","image":"iVBORw0KGgp0d28="},
       {"name":"C","location":"x","imageKey":"Cafe.png","image":"iVBORw0KGgo="},
       {"name":"D","location":"x","imageKey":"cafe.png","image":"iVBORw0KGgo="}]
      """#)
    let run = try await ToolRun.ferry("convert", "a.json", "-o", "A.mystuff")
    if FileManager.default.fileExists(atPath: directory.path("A.JSON")) {
      #expect(run.status == 1 && run.errors.contains("takes it for another name of the package"))
      #expect(try directory.names() == ["a.json"])
      return
    }
    // Elsewhere each is a file of its own, and comes back.
    expectQuiet(run)
    #expect(try directory.names(in: "A.mystuff").count == 5)
    expectQuiet(
      try await .shell("ferry convert A.mystuff --to json -o b.json && ferry convert b.json -o B.mystuff"))
    #expect(try contents(of: "A.mystuff") == contents(of: "B.mystuff"))
  }
}

@Suite(.temporaryDirectory) struct `Types of documents from a file` {
  @Test func `Types of documents from a file are converted to and from`() async throws {
    try directory.write(
      "types.json",
      #"""
      {"ferry": 1, "types": [{"name": "trip", "identifier": "com.example.trip", "extensions": ["trip"],
        "schema": "stop.json", "layout": {"package": {"main": "trip.plist", "format": "plist-xml", "files": "photo"}}},
        {"name": "team", "identifier": "com.example.team", "extensions": ["team"], "schema": "person",
         "layout": {"file": "archive"}}]}
      """#)
    try directory.write(
      "stop.json",
      #"{"ferry": 1, "name": "stop", "fields": [{"name": "place"}, {"name": "photo", "optional": true}]}"#)
    let json =
      #"[{"place":"Rome","photo":"pictures/a.png","photoData":"iVBORw0KGgpvbmU="},{"place":"Oslo"}]"# + "\n"
    try directory.write("a.json", json)
    expectQuiet(try await .ferry("convert", "a.json", "-o", "A.trip", "--types", "types.json"))
    #expect(try contents(of: "A.trip").keys.sorted() == ["pictures/a.png", "trip.plist"])
    #expect(try directory.text("A.trip/trip.plist").contains("<string>pictures/a.png</string>"))
    let back = try await ToolRun.ferry("convert", "A.trip", "--to", "json", "--types", "types.json")
    #expect(back.output == json && back.errors == "")
    #expect(try await ToolRun.ferry("get", "A.trip", "[1].place", "--types", "types.json").output == "Oslo\n")
    try directory.write("p.json", folksJSON)
    expectQuiet(try await .ferry("convert", "p.json", "-o", "P.team", "--types", "types.json"))
    #expect(try await ToolRun.ferry("show", "P.team").output.contains(#"Person { first: "Matt""#))
    let list = try await ToolRun.ferry("formats", "--types", "types.json")
    #expect(list.output.contains("trip .trip com.example.trip: a package, records in trip.plist (plist-xml)"))
    let info = try await ToolRun.ferry("formats", "--info-plist", "trip", "--types", "types.json")
    #expect(info.output.contains("<string>com.example.trip</string>"))
    let no = try await ToolRun.ferry("formats", "--info-plist", "no")
    #expect(no.status == 64 && no.errors.contains("unknown document type"))
    try directory.write("types.json", "{\"ferry\": 2}")
    expectFailure(
      try await .ferry("convert", "a.json", "-o", "B.trip", "--types", "types.json"),
      "types.json:1:1: invalid file of document types: the key \"ferry\", the version of this notation, is 2; Ferry reads version 1"
    )
  }
}

@Suite(.temporaryDirectory) struct `Interrupted writers of packages` {
  @Test(arguments: [
    ("ferry convert b.json -o K.mystuff --force", "INT", 130),
    ("ferry convert b.json -o New.mystuff", "TERM", 143),
    ("ferry seed K.mystuff --from b.json --merge --key name", "TERM", 143),
    ("ferry seed New.mystuff --from b.json", "INT", 130),
  ])
  func `An interrupted writer leaves the old package as it is, and nothing else`(
    _ command: String, _ signal: String, _ status: Int
  ) async throws {
    try await makeThings()
    expectQuiet(try await .ferry("convert", "Things.mystuff", "-o", "K.mystuff"))
    // It takes a while to write these.
    try directory.write("0.png", image(String(repeating: "x", count: 1 << 20)))
    var records: [String] = []
    for index in 1...60 {
      try FileManager.default.linkItem(
        atPath: directory.path("0.png"), toPath: directory.path("\(index).png"))
      records.append(#"{"name":"\#(index)","location":"x","imageKey":"\#(index).png"}"#)
    }
    try directory.write("b.json", "[" + records.joined(separator: ",") + "]")
    let (before, names) = (try contents(of: "K.mystuff"), try directory.names())
    // What a shell runs in the background does not hear of interruptions: it is the other that waits there.
    // One that ends sooner than that, or has put the new one in its place already, is begun again.
    let run = try await ToolRun.shell(
      """
      run() {
      (
        until set -- .ferry-package-*; [ -e "$1" ]; do [ -e done ] && exit; done
        kill -\(signal) "$(cat pid)"
      ) &
      sh -c 'echo $$ > pid; exec \(command)' > said; status=$?
      : > done; wait; rm pid done
      }
      for round in 1 2 3 4 5 6 7 8 9 10; do
        run; [ $status != 0 ] && [ $(ls K.mystuff | wc -l) = 3 ] && [ ! -e New.mystuff ] && break
        rm -rf New.mystuff K.mystuff; ferry convert Things.mystuff -o K.mystuff
      done 2> /dev/null
      cat said; rm said; exit $status
      """)
    #expect(run.status == status)
    #expect(run.output == "" && run.errors == "")
    #expect(try directory.names() == names)
    #expect(try contents(of: "K.mystuff") == before)
  }
}

@Suite(.temporaryDirectory) struct `Killed writers of packages` {
  /// Records and images of one version, and the package that they make.
  private func makeVersion(_ version: String) async throws {
    try directory.makeDirectory("images-\(version)")
    var records: [String] = []
    for index in 0..<24 {
      try directory.write("images-\(version)/\(index).png", image("\(version) \(index)"))
      records.append(#"{"name":"\#(index)","location":"\#(version)","imageKey":"\#(index).png"}"#)
    }
    try directory.write("\(version).json", "[" + records.joined(separator: ",") + "]")
    expectQuiet(
      try await .ferry(
        "convert", "\(version).json", "-o", "\(version).mystuff", "--attachments", "images-\(version)"))
  }

  @Test func `A writer that is killed at any moment leaves the old package or the new one`() async throws {
    try await makeVersion("a")
    try await makeVersion("b")
    let (a, b) = (try contents(of: "a.mystuff"), try contents(of: "b.mystuff"))
    expectQuiet(try await .shell("cp -r a.mystuff K.mystuff"))
    var (replaced, met, current) = (0, 0, a)
    // A fast or busy machine meets the moments more seldom, so it gets more rounds.
    var (rounds, seconds) = (0, 0.05)
    while rounds < 40 || (rounds < 400 && (met < 5 || replaced < 5 || replaced > rounds - 5)) {
      let version = current == a ? "b" : "a"
      // Half of the runs are killed at any moment, half of them while there is a new package.
      let delay = Double.random(in: 0.2...1.1) * seconds
      let steps = Int.random(in: 0...2000)
      let moment =
        rounds.isMultiple(of: 2)
        ? "sleep \(delay)"
        : """
        looks=0; until set -- .ferry-package-*; [ -e "$1" ]; do looks=$((looks+1)); [ $looks -lt 100000 ] || break; done
        steps=\(steps); while [ $steps -gt 0 ]; do steps=$((steps-1)); done
        """
      _ = try await ToolRun.shell(
        """
        rm -rf .ferry-package-*
        ferry convert \(version).json -o K.mystuff --force --attachments images-\(version) & pid=$!
        \(moment)
        kill -9 $pid 2> /dev/null; wait $pid 2> /dev/null; true
        """)
      let found = try contents(of: "K.mystuff")
      #expect(found == a || found == b, "round \(rounds), after \(delay) s or \(steps) steps")
      if try directory.names().contains(where: { $0.hasPrefix(".ferry-package-") }) { met += 1 }
      // However long a write takes by now: kills seek the moment at which the packages are exchanged.
      if rounds.isMultiple(of: 2) { seconds *= found == current ? 1.25 : 0.8 }
      if found != current { replaced += 1 }
      (current, rounds) = (found, rounds + 1)
    }
    // The kills met the write, before and after the exchange.
    #expect(met >= 5 && (5...rounds - 5).contains(replaced), "\(met) and \(replaced) of \(rounds)")
    // What was left behind goes with the next write.
    expectQuiet(
      try await .ferry("convert", "a.json", "-o", "K.mystuff", "--force", "--attachments", "images-a"))
    #expect(try directory.names().filter { $0.hasPrefix(".") } == [])
    #expect(try contents(of: "K.mystuff") == a)
  }
}
