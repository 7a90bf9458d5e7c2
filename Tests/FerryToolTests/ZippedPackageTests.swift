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
    for name in ["A.zip", "C.zip"] {
      let run = try await ToolRun.ferry("get", name, "[0].name", "--types", "types.json")
      expectQuiet(run)
      #expect(run.output == "Rome\n")
      let converted = try await ToolRun.ferry(
        "convert", name, "--to", "json", "--types", "types.json", "--delimiter", ",")
      #expect(converted.output == "[{\"name\":\"Rome\",\"day\":\"1\"}]\n", "\(converted.errors)")
      #expect(converted.errors.contains("not exact"), "\(converted.errors)")
    }
  }

  @Test func `A zipped package is not changed, and none is written`() async throws {
    try await makeThings()
    expectQuiet(try await .shell(layouts[0].1))
    let bytes = try directory.bytes("T.zip")
    for arguments in [["set", "T.zip", "[0].name", "Globe"], ["remove", "T.zip", "[0]"]] {
      expectFailure(
        try await .ferry(arguments),
        "T.zip: values of zip cannot be changed by path (use unzip to take the files out of the archive)")
    }
    for options in [["-i"], ["-i", "--dry-run"]] {
      expectFailure(
        try await .ferry(["convert", "T.zip", "--to", "json"] + options),
        "T.zip: the output would replace the ZIP archive with all files of the package (choose another path, without -i)"
      )
    }
    #expect(try directory.bytes("T.zip") == bytes)
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
  func `An archive that is no valid package is refused`(_ program: String, _ message: String) async throws {
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
