import Ferry
import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Entries of an archive beside its objects, in the tool` {
  /// Writes `base.archive`, `ours.archive` and `theirs.archive`, and a ZIP archive of each.
  private func writeVersions() async throws {
    for (name, extra, more) in [("base", 1, "x"), ("ours", 2, "x"), ("theirs", 1, "y"), ("other", 3, "x")] {
      try directory.write(
        "\(name).archive",
        """
        <plist version="1.0"><dict><key>$version</key><integer>100000</integer>
        <key>$archiver</key><string>NSKeyedArchiver</string>
        <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
        <key>$objects</key><array><string>$null</string><string>hi</string></array>
        <key>extra</key><integer>\(extra)</integer><key>more</key><string>\(more)</string></dict></plist>
        """)
    }
    let paths = ["base", "ours", "theirs", "other"].map { directory.path($0) }
    let answer = try await Peer.python(
      """
      import zipfile
      for path in ["\(paths.joined(separator: "\", \""))"]:
        with zipfile.ZipFile(path + ".zip", "w") as archive:
          archive.write(path + ".archive", "s.archive")
          archive.writestr("b.json", "1")
        for name, file in [("nested", ".zip"), ("only", ".archive")]:
          with zipfile.ZipFile(path + "." + name + ".zip", "w") as archive:
            archive.write(path + file, "s" + file)
      """)
    #expect(answer.succeeded, "\(answer.errors)")
  }

  @Test(arguments: [("archive", "extra"), ("zip", #"["s.archive"].extra"#)])
  func `Entries that differ are differences and conflicts, and are merged`(
    _ kind: String, _ path: String
  ) async throws {
    try await writeVersions()
    let found = try await ToolRun.ferry("diff", "base.\(kind)", "ours.\(kind)")
    #expect(found.status == 1)
    #expect(found.output.hasSuffix("\n~ \(path): 1 → 2\n"))
    let patch = try await ToolRun.ferry("diff", "base.\(kind)", "ours.\(kind)", "--json")
    #expect(patch.status == 2 && patch.output == "")
    #expect(patch.errors.contains("a patch has no entries that an archive has beside its objects"))
    let merged = try await ToolRun.ferry(
      "merge", "base.\(kind)", "ours.\(kind)", "theirs.\(kind)", "-o", "m.\(kind)")
    expectQuiet(merged)
    let more = path.replacing("extra", with: "more")
    for (path, value) in [(path, "2"), (more, "y")] {
      let run = try await ToolRun.ferry("get", "m.\(kind)", path, "--form", "raw")
      #expect(run.output == value + "\n")
    }
    let conflict = try await ToolRun.ferry(
      "merge", "base.\(kind)", "ours.\(kind)", "other.\(kind)", "-o", "n.\(kind)")
    expectFailure(
      conflict,
      """
      ours.\(kind): conflict at \(path): ours 2, theirs 3, base 1
      ours.\(kind): 1 conflict, so nothing was written (--favor ours or --favor theirs decides)
      """)
    let driver = try await ToolRun.ferry(
      "merge", "--git", "s", "base.\(kind)", "ours.\(kind)", "other.\(kind)")
    #expect(driver.status == 1)
    #expect(try directory.names().contains("s.conflicts.json"))
  }

  @Test func `Entries also differ in the only file of a ZIP archive`() async throws {
    try await writeVersions()
    for (old, new, path) in [
      ("base.nested.zip", "ours.nested.zip", #"["s.archive"].extra"#),
      ("base.nested.zip", "ours.zip", #"["s.archive"].extra"#),
      ("base.only.zip", "ours.only.zip", "extra"), ("base.archive", "ours.only.zip", "extra"),
    ] {
      let found = try await ToolRun.ferry("diff", old, new)
      #expect(found.status == 1 && found.output.hasSuffix("\n~ \(path): 1 → 2\n"), "\(old): \(found)")
    }
  }

  @Test func `The tree of a file says in which data an archive with entries is`() async throws {
    try await writeVersions()
    let answer = try await Peer.python(
      """
      import plistlib
      read = lambda name: open("\(directory.path("."))/" + name, "rb").read()
      value = {"x": read("base.archive"), "y": [b"", {"z": read("ours.archive")}]}
      open("\(directory.path("d.plist"))", "wb").write(plistlib.dumps(value, fmt=plistlib.FMT_BINARY))
      """)
    #expect(answer.succeeded, "\(answer.errors)")
    let tree = try await ToolRun.ferry("show", "d.plist", "--expand")
    #expect(
      tree.output.hasSuffix(
        """
        beside the objects of the archive in data at x:
        { extra: 1, more: "x" }
        beside the objects of the archive in data at y[1].z:
        { extra: 2, more: "x" }

        """), "\(tree)")
  }

  @Test(arguments: [
    ("x base.archive", "extra: (key)\nmore: x\n"), ("-k extra base.archive", "extra: (key)\n"),
    ("--key extra base.zip", "[\"s.archive\"].extra: 1\n"), ("-c x base.zip", "2\n"),
    ("--type integer base.nested.zip", "[\"s.archive\"].extra: 1\n[\"b.json\"]: 1\n"),
    ("-l x base.only.zip", "base.only.zip\n"), ("-x x only.plist", "d.more: x\n"),
    (
      "--json -x x only.plist",
      #"{"file":"only.plist","path":"d.more","match":"value","type":"string","text":"x"}"# + "\n"
    ),
  ]) func `A search finds the entries`(_ arguments: String, _ output: String) async throws {
    try await writeVersions()
    let answer = try await Peer.python(
      """
      import plistlib
      data = open("\(directory.path("base.archive"))", "rb").read()
      open("\(directory.path("only.plist"))", "wb").write(plistlib.dumps({"d": data}, fmt=plistlib.FMT_BINARY))
      """)
    #expect(answer.succeeded, "\(answer.errors)")
    let found = try await ToolRun.shell("ferry find \(arguments)")
    #expect(found.output == output && found.status == 0 && found.errors == "", "\(found)")
  }

  @Test func `The paths of the entries are read and changed, also in data and ZIP archives`() async throws {
    try await writeVersions()
    let answer = try await Peer.python(
      """
      import plistlib
      data = open("\(directory.path("base.archive"))", "rb").read()
      open("\(directory.path("only.plist"))", "wb").write(plistlib.dumps({"d": data}, fmt=plistlib.FMT_BINARY))
      archive = plistlib.loads(data)
      archive["list"] = [{"a": "x"}, data]
      open("\(directory.path("list.archive"))", "wb").write(plistlib.dumps(archive, fmt=plistlib.FMT_BINARY))
      """)
    #expect(answer.succeeded, "\(answer.errors)")
    for (file, path, value) in [
      ("base.archive", "more", "x"), ("base.zip", #"["s.archive"].more"#, "x"), ("only.plist", "d.more", "x"),
      ("list.archive", "list[0].a", "x"), ("list.archive", "list[1].more", "x"),
      ("list.archive", "list[1].root", "hi"),
    ] {
      let old = try await ToolRun.ferry("get", file, path)
      #expect(old.output == value + "\n", "\(file) \(path): \(old)")
      expectQuiet(try await ToolRun.ferry("set", file, path, "changed"))
      let new = try await ToolRun.ferry("get", file, path)
      #expect(new.output == "changed\n", "\(file) \(path): \(new)")
    }
    expectQuiet(try await ToolRun.ferry("insert", "list.archive", "list[0].b", "y"))
    expectQuiet(try await ToolRun.ferry("remove", "list.archive", "extra"))
    let stored = try await ToolRun.ferry("get", "list.archive", "--form", "raw", "list[0]")
    #expect(stored.output == "{\"a\":\"changed\",\"b\":\"y\"}\n", "\(stored)")
    let removed = try await ToolRun.ferry("get", "list.archive", "extra")
    #expect(removed.status == 1, "\(removed)")
  }

  /// Writes the file v.archive with a value in JSON, and an entry `extra` beside its objects in Python.
  private func writeArchive(of json: String, extra: String) async throws {
    try directory.write("v.json", json)
    expectQuiet(try await ToolRun.ferry("convert", "v.json", "--to", "archive", "-o", "v.archive"))
    let answer = try await Peer.python(
      """
      import plistlib
      path = "\(directory.path("v.archive"))"
      archive = plistlib.loads(open(path, "rb").read())
      archive["extra"] = \(extra)
      open(path, "wb").write(plistlib.dumps(archive, fmt=plistlib.FMT_BINARY))
      """)
    #expect(answer.succeeded, "\(answer.errors)")
  }

  @Test(arguments: [#"{"a":1}"#, "[1]"])
  func `A patch takes the paths of the entries, whether the value of the archive is a dictionary or a list`(
    _ value: String
  ) async throws {
    try await writeArchive(of: value, extra: #"{"list": [8]}"#)
    try directory.write(
      "p.json",
      #"[{"op":"replace","path":"/extra/list/0","value":9},{"op":"add","path":"/extra/b","value":"x"}]"#)
    expectQuiet(try await ToolRun.ferry("patch", "v.archive", "p.json"))
    let entry = try await ToolRun.ferry("get", "v.archive", "extra")
    #expect(entry.output == #"{"list":[9],"b":"x"}"# + "\n", "\(entry)")
    #expect(try await ToolRun.ferry("get", "v.archive").output == value + "\n")
  }

  @Test func `A key of the value of an archive takes precedence over an entry beside the objects`()
    async throws
  {
    try await writeArchive(of: #"{"a":1}"#, extra: "8")
    for form in [[], ["--form", "raw"]] {
      #expect(try await ToolRun.ferry(["get", "v.archive", "extra"] + form).output == "8\n")
    }
    expectQuiet(try await ToolRun.ferry("insert", "v.archive", "extra", "9", "--type", "integer"))
    for (form, value) in [([], "9\n"), (["--form", "raw"], "8\n")] {
      #expect(try await ToolRun.ferry(["get", "v.archive", "extra"] + form).output == value)
    }
  }

  @Test func `An inspection lists the entries`() async throws {
    try await writeVersions()
    let text = try await ToolRun.ferry("inspect", "base.archive")
    #expect(text.output.contains("\n  entry       extra: integer\n  entry       more: string\n"), "\(text)")
    let json = try await ToolRun.ferry("inspect", "base.archive", "--json")
    #expect(
      json.output.filter { !$0.isWhitespace }.contains(
        #""otherEntries":[{"name":"extra","kind":"integer"},{"name":"more","kind":"string"}]"#), "\(json)")
    let files = try await ToolRun.ferry("inspect", "base.zip")
    #expect(files.output.contains("1  extra      integer\n"), "\(files)")
  }

  @Test(arguments: [("archive", ""), ("zip", #"["s.archive"]."#)])
  func `A page has the entries with their paths`(_ kind: String, _ place: String) async throws {
    try await writeVersions()
    expectQuiet(try await ToolRun.ferry("show", "--html", "base.\(kind)", "-o", "page.html"))
    let printed = try await Browser.run(
      #"""
      visit("page.html")
      press(Keys.END)
      print(text("#path"), text(".row[aria-selected=true]"))
      press(Keys.ARROW_LEFT)
      print(text(".row[aria-selected=true] .key"), len(every("#path")))
      print(complaints())
      """#)
    let archive = kind == "zip" ? #"["s.archive"]"# : "the archive"
    #expect(
      printed == """
        \(place)more more: "x"
        beside the objects of \(archive) 0
        []

        """)
  }

  @Test(arguments: [[], ["--textconv"]]) func `The tree of a file has the entries after the objects`(
    _ options: [String]
  ) async throws {
    try await writeVersions()
    let tree = try await ToolRun.ferry(["show", "base.archive"] + options)
    #expect(tree.output == "\"hi\"\nbeside the objects of the archive:\n{ extra: 1, more: \"x\" }\n")
    let files = try await ToolRun.ferry(["show", "base.zip"] + options)
    #expect(files.output.contains("beside the objects of [\"s.archive\"]:\n{ extra: 1, more: \"x\" }\n"))
  }
}
