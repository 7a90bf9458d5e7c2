import Ferry
import Foundation
import TestSupport
import Testing

/// Makes an archive with a program of Python: `add(name, bytes)` adds a file with a date of 2001.
private func makeArchive(_ name: String, _ program: String) async throws {
  let answer = try await Peer.python(
    """
    import zipfile
    path = \"\(directory.path(name))\"
    archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
    def add(name, data, method=zipfile.ZIP_DEFLATED, **fields):
      info = zipfile.ZipInfo(name, (2001, 2, 3, 4, 5, 6))
      info.compress_type, info.external_attr = method, 0o100640 << 16
      for field in fields: setattr(info, field, fields[field])
      archive.writestr(info, data)
    \(program)
    archive.close()
    """)
  #expect(answer.succeeded, "\(answer.errors)")
}

/// Makes `a.zip` with files of several kinds.
private func makeNotes() async throws {
  try await makeArchive(
    "a.zip",
    #"""
    add("mimetype", "application/x-notes", zipfile.ZIP_STORED)
    add("index.json", '{ "title" : "Notes",\n  "n": [1, 2.50] }\n', comment=b"the index")
    add("pages/1.xml", '<page n="1"><!-- first --><t>one</t></page>')
    add("notes.txt", "a text\n")
    add("icon.bin", bytes(range(256)) * 4, extra=bytes([0xfe, 0xca, 0, 0]))
    archive.writestr("pages/", "")
    archive.comment = b"an archive"
    """#)
}

/// The properties of all files of an archive, one on each line, and its comment.
private let listing = """
  import sys, zipfile
  a = zipfile.ZipFile(sys.argv[1])
  assert a.testzip() is None
  raw = open(sys.argv[1], "rb").read()
  for i in a.infolist():
    start = i.header_offset + 30 + int.from_bytes(raw[i.header_offset + 26:i.header_offset + 28], "little") \\
      + int.from_bytes(raw[i.header_offset + 28:i.header_offset + 30], "little")
    print(i.filename, i.compress_type, i.external_attr, i.extra.hex(), i.comment, i.flag_bits, i.date_time,
      raw[start:start + i.compress_size].hex())
  print(a.comment)
  """

private func lines(of name: String) async throws -> [String] {
  try directory.write("list.py", listing)
  let run = try await ToolRun.shell("python3 list.py \(name)")
  #expect(run.status == 0, "\(run.errors)")
  return run.output.split(separator: "\n").map(String.init)
}

/// Returns the text of a file in an archive, as Python reads it.
private func text(of file: String, in name: String) async throws -> String {
  try await ToolRun.shell(
    "python3 -c 'import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(\"\(name)\").read(\"\(file)\"))'"
  )
  .output
}

@Suite(.temporaryDirectory) struct `Changes in ZIP archives` {
  @Test func `A value in a file is changed, and all other files keep their bytes and properties`()
    async throws
  {
    try await makeNotes()
    let before = try await lines(of: "a.zip")
    expectQuiet(try await .ferry("set", "a.zip", #"["index.json"].title"#, "Diary"))
    #expect(
      try await text(of: "index.json", in: "a.zip") == "{ \"title\" : \"Diary\",\n  \"n\": [1, 2.50] }\n")
    var after = try await lines(of: "a.zip")
    #expect(after.count == before.count)
    for (old, new) in zip(before, after) where !old.hasPrefix("index.json ") { #expect(old == new) }
    let (old, new) = (before[1].split(separator: " "), after[1].split(separator: " "))
    // The name, the method, the attributes and the comment stay, and the time is the current one.
    #expect(old.prefix(5) == new.prefix(5))
    #expect(!after[1].contains("(2001, 2, 3") && before[1].contains("(2001, 2, 3"))
    expectQuiet(try await .ferry("set", "a.zip", #"["pages/1.xml"].page.t"#, "two"))
    #expect(
      try await text(of: "pages/1.xml", in: "a.zip") == "<page n=\"1\"><!-- first --><t>two</t></page>")
    expectQuiet(try await .ferry("set", "a.zip", "mimetype", "application/x-diary", "--type", "string"))
    after = try await lines(of: "a.zip")
    #expect(after[0].hasPrefix("mimetype 0 "))
    #expect(try await text(of: "mimetype", in: "a.zip") == "application/x-diary")
  }

  @Test func `An archive is not converted in place, which would replace it`() async throws {
    try await makeNotes()
    try directory.write("one.json", #"{"title": "Notes"}"#)
    expectQuiet(try await .shell("python3 -m zipfile -c one.zip one.json"))
    try await makeArchive("none.zip", "")
    for name in ["a.zip", "one.zip", "none.zip"] {
      let bytes = try directory.bytes(name)
      for arguments in [["-i"], ["-i", "--from", "zip"]] {
        expectFailure(
          try await .ferry(["convert", name, "--to", "json"] + arguments),
          "\(name): a ZIP archive is not converted in place (use -o FILE to write its values to another file)"
        )
      }
      #expect(try directory.bytes(name) == bytes)
    }
  }

  @Test func `An archive with bytes after its end is read, and keeps them when it is changed`() async throws {
    let run = try await ToolRun.shell(
      """
      echo '{"title": "Notes"}' > one.json; python3 -m zipfile -c one.zip one.json; printf 'other bytes' >> one.zip
      ferry get one.zip title; ferry set one.zip title New; ferry get one.zip title
      tail -c 11 one.zip; echo; python3 -m zipfile -t one.zip
      """)
    #expect(run.output == "Notes\nNew\nother bytes\nDone testing\n" && run.errors == "", "\(run)")
    // The archive inside a truncated one is not taken for it.
    let cut = try await ToolRun.shell(
      """
      python3 - <<'END'
      import zipfile
      with zipfile.ZipFile('inner.zip', 'w') as z: z.write('one.json')
      with zipfile.ZipFile('outer.zip', 'w') as z: z.write('inner.zip'); z.write('one.json')
      size = len(open('inner.zip', 'rb').read())
      open('cut.zip', 'wb').write(open('outer.zip', 'rb').read()[:size + 60])
      END
      ferry get cut.zip title
      """)
    #expect(cut.status == 1 && cut.errors.contains("it has no directory at its end"), "\(cut)")
  }

  @Test func `Three archives are merged by the values and the bytes of their files`() async throws {
    expectQuiet(
      try await .shell(
        #"""
        python3 - <<'END'
        import zipfile
        def make(name, **changes):
          files = {"a.json": '{"t": 1, "u": 1}', "b.txt": "b", "c.bin": b"\0\1", "d.xml": "<r><x>1</x></r>"} | changes
          archive = zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED)
          for file in files:
            if files[file] is not None: archive.writestr(file, files[file])
          archive.close()
        make("base.zip")
        make("ours.zip", **{"a.json": '{"t": 2, "u": 1}', "new.txt": "ours"})
        make("theirs.zip", **{"a.json": '{"t": 1, "u": 5}', "c.bin": b"\0\2\3", "b.txt": None, "more.json": "[1]"})
        END
        """#))
    let versions = ["base.zip", "ours.zip", "theirs.zip"]
    expectQuiet(try await .ferry(["merge"] + versions + ["-o", "merged.zip"]))
    expectQuiet(try await .ferry(["merge"] + versions + ["--git=notes.zip"]))
    for name in ["merged.zip", "ours.zip"] {
      let keys = try await ToolRun.ferry("get", name, "--keys")
      #expect(keys.output == "a.json\nc.bin\nd.xml\nnew.txt\nmore.json\n", "\(keys)")
      #expect(try await text(of: "a.json", in: name) == #"{"t": 2, "u": 5}"#)
      #expect(try await text(of: "c.bin", in: name) == "\0\u{2}\u{3}")
      #expect(try await text(of: "d.xml", in: name) == "<r><x>1</x></r>")
      #expect(try await ToolRun.shell("python3 -m zipfile -t \(name)").output == "Done testing\n")
    }
  }

  @Test func `A change that changes nothing leaves the bytes of the archive`() async throws {
    try await makeNotes()
    let bytes = try directory.bytes("a.zip")
    expectQuiet(try await .ferry("set", "a.zip", #"["index.json"].title"#, "Notes"))
    expectQuiet(try await .ferry("set", "a.zip", #"["notes.txt"]"#, "a text\n"))
    try directory.write("none.json", "[]")
    expectQuiet(try await .ferry("patch", "a.zip", "none.json"))
    #expect(try directory.bytes("a.zip") == bytes)
    for arguments in [
      [#"["index.json"].titel"#, "x"], [#"["nothing.json"].a"#, "x"], [#"["icon.bin"].a"#, "x"], ["", "x"],
      [#"["notes.txt"].a"#, "x"], [#"["icon.bin"]"#, "no Base64!"],
    ] {
      let run = try await ToolRun.ferry(["set", "a.zip"] + arguments)
      #expect(run.status == 1 && run.errors.hasPrefix("a.zip: "), "\(arguments): \(run.errors)")
    }
    #expect(try directory.bytes("a.zip") == bytes)
  }

  @Test func `Files are added, replaced and removed`() async throws {
    try await makeNotes()
    let before = try await lines(of: "a.zip")
    try directory.write("new.bin", [0, 1, 2, 3])
    for arguments in [
      ["insert", "a.zip", #"["new/read me.txt"]"#, "Zoé"],
      ["insert", "a.zip", #"["é.bin"]"#, "--from-file", "new.bin"],
      ["insert", "a.zip", #"["list.json"]"#, "[1, 2]", "--type", "json"],
      ["set", "a.zip", #"["icon.bin"]"#, "--from-file", "new.bin"], ["remove", "a.zip", #"["pages/1.xml"]"#],
      ["set", "a.zip", #"["notes.txt"]"#, "other"],
      ["set", "a.zip", #"["index.json"]"#, #"{"n": 5}"#, "--type", "json"],
    ] {
      expectQuiet(try await .ferry(arguments))
    }
    let after = try await lines(of: "a.zip")
    let names = [
      "mimetype", "index.json", "notes.txt", "icon.bin", "pages/", "new/read", "é.bin", "list.json",
    ]
    #expect(after.dropLast().map { String($0.prefix { $0 != " " }) } == names)
    #expect(after.first == before.first && after.last == before.last)
    let values = try await ToolRun.ferry("convert", "a.zip", "--to", "json")
    #expect(
      values.output
        == #"{"mimetype":"YXBwbGljYXRpb24veC1ub3Rlcw==","index.json":{"n":5},"notes.txt":"other","icon.bin":"AAECAw==","#
        + #""new/read me.txt":"Zoé","é.bin":"AAECAw==","list.json":[1,2]}"# + "\n")
    for (name, message) in [
      ("../x", "no file in an archive can have the name"),
      ("a//b", "no file in an archive can have the name"),
      ("index.json/x", "is a file, not a folder"), ("pages", "is a folder"), ("index.json", "index.json"),
    ] {
      let run = try await ToolRun.ferry("insert", "a.zip", "[\"\(name)\"]", "x")
      #expect(run.status == 1 && run.errors.contains(message), "\(name): \(run.errors)")
    }
  }

  @Test func `An archive stays one when its first file is removed, also if other bytes follow the file`()
    async throws
  {
    try await makeArchive(
      "a.zip",
      #"""
      add("a.json", "[1]")
      archive.fp.seek(archive.start_dir)
      archive.fp.write(b"between")
      archive.start_dir = archive.fp.tell()
      add("b.json", "[2]")
      add("c.json", "[3]")
      """#)
    #expect(try directory.text("a.zip").contains("between"))
    expectQuiet(try await .ferry("remove", "a.zip", #"["a.json"]"#))
    #expect(try directory.bytes("a.zip").starts(with: Array("PK\u{3}\u{4}".utf8)))
    let values = try await ToolRun.ferry("convert", "a.zip", "--to", "json").output
    #expect(values == #"{"b.json":[2],"c.json":[3]}"# + "\n")
    #expect(try await ToolRun.shell("python3 -m zipfile -t a.zip").output == "Done testing\n")
  }

  @Test func `An archive after the bytes of a program is not detected, but named`() async throws {
    try await makeArchive("a.zip", #"add("a.json", '{"title": "Notes"}'); add("b.txt", "text")"#)
    for (name, start) in [
      ("a.exe", "MZ\\0\\1"), ("a.run", "\\177ELF\\1"), ("text.zip", "text"),
    ] {
      // The program zipfile writes the offsets of an archive after other bytes.
      expectQuiet(
        try await .shell(
          """
          printf '\(start)' > \(name)
          python3 -c 'import zipfile; a = zipfile.ZipFile("\(name)", "a"); a.write("a.zip"); a.close()'
          """))
      for tail in ["", "tail"] {
        expectQuiet(try await .shell("printf '\(tail)' >> \(name)"))
        for command in start == "text" ? ["show"] : ["get", "show", "inspect"] {
          expectFailure(
            try await .ferry(command, name),
            "\(name): no format that Ferry reads begins with these bytes, which a ZIP archive follows "
              + "(use --from zip; ferry formats lists the formats)")
        }
      }
      let path = #"["a.zip"]["a.json"].title"#
      #expect(try await ToolRun.ferry("get", name, path, "--from", "zip").output == "Notes\n")
      let inPlace = try await ToolRun.ferry("convert", name, "-i", "--from", "zip", "--to", "json")
      #expect(inPlace.status == 1 && inPlace.errors.contains("is not converted in place"), "\(inPlace)")
    }
  }

  @Test func `A file of text with any name gets a text, also if that is Base64, and other data gets Base64`()
    async throws
  {
    try await makeArchive(
      "a.zip",
      #"""
      add("mimetype", "application/x-notes", zipfile.ZIP_STORED)
      add("run.sh", "é\n")
      add("nul.bin", b"a\0b")
      add("latin.bin", b"caf\xe9")
      add("empty.bin", b"")
      """#)
    let bytes = try directory.bytes("a.zip")
    let shown = try await ToolRun.ferry("get", "a.zip", "mimetype").output.dropLast()
    #expect(shown == "YXBwbGljYXRpb24veC1ub3Rlcw==")
    expectQuiet(try await .ferry("set", "a.zip", "mimetype", String(shown)))
    #expect(try directory.bytes("a.zip") == bytes)
    for (name, argument, content) in [
      ("mimetype", "application/epub+zip", "application/epub+zip"), ("run.sh", "abcd", "abcd"),
      ("nul.bin", "YWJj", "abc"), ("latin.bin", "YWJk", "abd"), ("empty.bin", "YWJl", "YWJl"),
    ] {
      expectQuiet(try await .ferry("set", "a.zip", "[\"\(name)\"]", argument))
      #expect(try await text(of: name, in: "a.zip") == content, "\(name)")
    }
    expectQuiet(try await .ferry("set", "a.zip", "mimetype", "YWJj", "--type", "data"))
    #expect(try await text(of: "mimetype", in: "a.zip") == "abc")
  }

  @Test func `Dates and data in the files of an archive are read as dates and data`() async throws {
    try await makeArchive(
      "a.zip",
      #"""
      add("p.plist", '<plist version="1.0"><dict><key>d</key><date>2014-06-01T09:30:00Z</date>'
        '<key>b</key><data>AAEC</data></dict></plist>')
      add("x.dat", bytes([0, 1, 2]))
      add("mimetype", "application/x-notes")
      """#)
    func get(_ arguments: String...) async throws -> String {
      let run = try await ToolRun.ferry(["get", "a.zip"] + arguments)
      expectQuiet(run)
      return run.output
    }
    #expect(try await get(#"["x.dat"]"#, "--bytes") == "\0\u{1}\u{2}")
    #expect(try await get("mimetype", "--bytes") == "application/x-notes")
    let paths = [#"["p.plist"].d"#, #"["p.plist"].b"#, #"["x.dat"]"#]
    #expect(try await get(paths[0], paths[1], paths[2], "--type") == "date\ndata\ndata\n")
    #expect(try await get("[*].d") == "2014-06-01T09:30:00Z\n")
    let list = try await get(#"["p.plist"]"#, "--to", "plist-xml")
    #expect(list.contains("<date>2014-06-01T09:30:00Z</date>") && list.contains("<data>"), "\(list)")
  }

  @Test func `A file that is not valid is named in errors, and mended by a new one`() async throws {
    for arguments in [
      [#"{"title": "Diary"}"#, "--type", "json"], [#"{"title": "Diary"}"#],
    ] {
      try await makeArchive(
        "a.zip",
        #"""
        add("a.json", '{"title": "Notes"}')
        add("b.json", '{"title":')
        """#)
      for read in [["get", "a.zip", "[*].title"], ["get", "a.zip"], ["convert", "a.zip", "--to", "json"]] {
        expectFailure(
          try await .ferry(read),
          #"a.zip/b.json:1:10: the text ends where a value is expected (at ["b.json"])"#)
      }
      let path = #"["b.json"]"#
      let inside = try await ToolRun.ferry("set", "a.zip", path + ".title", "Diary")
      #expect(inside.status == 1 && inside.errors.hasPrefix("a.zip/b.json:1:10: "), "\(inside.errors)")
      expectQuiet(try await .ferry(["set", "a.zip", path] + arguments))
      #expect(try await ToolRun.ferry("get", "a.zip", path + ".title").output == "Diary\n")
      if arguments.count == 1 { #expect(try await text(of: "b.json", in: "a.zip") == arguments[0]) }
    }
  }

  @Test func `The bytes of a file are those in the archive, whatever its format and if it is not valid`()
    async throws
  {
    let files = """
      add("a.json", '{ "a": 1 }\\n')
      add("bad.json", '{"a":')
      add("a.txt", "text\\n".encode("utf-16"))
      add("empty.json", "")
      """
    try await makeArchive("in.zip", files)
    try await makeArchive(
      "a.zip",
      files + """

        import os
        add("in.zip", open(os.path.join(os.path.dirname(path), "in.zip"), "rb").read())
        """)
    let utf16: [UInt8] = [0xff, 0xfe] + "text\n".utf8.flatMap { [$0, 0] }
    let contents: [(String, [UInt8])] = [
      (#"["a.json"]"#, Array("{ \"a\": 1 }\n".utf8)), (#"["bad.json"]"#, Array(#"{"a":"#.utf8)),
      (#"["a.txt"]"#, utf16), (#"["empty.json"]"#, []),
    ]
    for archive in ["", #"["in.zip"]"#] {
      for (path, bytes) in contents {
        expectQuiet(try await .ferry("get", "a.zip", archive + path, "--bytes", "-o", "out", "--force"))
        #expect(try directory.bytes("out") == bytes, "\(archive)\(path)")
      }
    }
    expectQuiet(try await .ferry("get", "a.zip", #"["in.zip"]"#, "--bytes", "-o", "out", "--force"))
    #expect(try directory.bytes("out") == directory.bytes("in.zip"))
    expectFailure(
      try await .ferry("get", "a.zip", #"["a.json"].a"#, "--bytes"),
      #"a.zip: no bytes here: this is neither data nor a string (at ["a.json"].a)"#)
    let missing = try await ToolRun.ferry("get", "a.zip", #"["no.json"]"#, "--bytes")
    #expect(missing.status == 1 && missing.errors.hasPrefix(#"a.zip: no key "no.json" here"#), "\(missing)")
  }

  @Test(arguments: [
    "diff a.zip b.zip", "diff b.zip a.zip", "merge b.zip b.zip a.zip", "merge b.zip a.zip b.zip",
  ])
  func `Comparisons and merges name the file of an archive that is not valid`(_ line: String) async throws {
    try await makeArchive(
      "a.zip",
      #"""
      add("a.json", '{}')
      add("b.json", '{"title":')
      """#)
    try await makeArchive(
      "b.zip",
      #"""
      add("a.json", '{}')
      add("b.json", '{}')
      """#)
    let run = try await ToolRun.ferry(line.split(separator: " ").map(String.init))
    #expect(run.status != 0 && run.output == "", "\(run.output)")
    #expect(
      run.errors.hasPrefix(#"a.zip/b.json:1:10: the text ends where a value is expected (at ["b.json"])"#),
      "\(run.errors)")
  }

  @Test(arguments: [
    "convert one.zip --to yaml", "convert one.zip --to csv", "show one.zip", "inspect one.zip",
    "check one.zip",
    "find x one.zip", "diff one.zip a.json", "diff a.json one.zip", "get one.zip", "get one.zip title",
    "set one.zip x 1", "insert one.zip x 1", "remove one.zip title", "schema infer one.zip",
    "patch one.zip p.json", "merge one.zip one.zip one.zip",
  ])
  func `Commands name the only file of an archive that is not valid`(_ line: String) async throws {
    try await makeArchive("one.zip", #"add("b.json", '{"n": 1,\n"title":')"#)
    try directory.write("a.json", "{}")
    try directory.write("p.json", "[]")
    let run = try await ToolRun.ferry(line.split(separator: " ").map(String.init))
    #expect(run.status != 0 && run.output == "", "\(run.output)")
    #expect(
      run.errors.hasPrefix("one.zip/b.json:2:9: the text ends where a value is expected"), "\(run.errors)")
  }

  @Test func `Errors of records in the only file of an archive name the file`() async throws {
    try await makeArchive(
      "one.zip", #"add("a.xml", "<people>\n<person><firstName>Ada</firstName></person>\n</people>")"#)
    for line in [
      "convert one.zip --to json", "convert one.zip --to json --keep-going", "schema check one.zip",
    ] {
      let run = try await ToolRun.ferry(
        line.split(separator: " ").map(String.init) + ["--schema", "person"])
      #expect(run.status == 1 && run.errors.hasPrefix("one.zip/a.xml:2:1: "), "\(line): \(run.errors)")
    }
  }

  @Test func `A name of a file that a path divides at its point is suggested`() async throws {
    try await makeNotes()
    for command in [
      ["get", "a.zip", "index.json"], ["set", "a.zip", "index.json", "x"],
      ["insert", "a.zip", "index.json", "x"],
      ["remove", "a.zip", "index.json"],
    ] {
      expectFailure(
        try await .ferry(command),
        #"a.zip: no key "index" here, but "index.json" (write ["index.json"])"#)
    }
    expectFailure(
      try await .ferry("insert", "a.zip", "new.tar.gz", "x"),
      #"a.zip: no key "new" here (write ["new.tar.gz"] to add a file with this name)"#)
    try directory.write("a.json", #"{"k": {"x.y.z": 1}}"#)
    expectFailure(
      try await .ferry("get", "a.json", "k.x.y.z.more"),
      #"a.json: no key "x" here, but "x.y.z" (write ["x.y.z"]) (at k)"#)
  }

  @Test func `A file is read although another file of the archive is not valid`() async throws {
    try await makeArchive(
      "a.zip",
      #"""
      add("a.json", '{"title": "Notes"}')
      add("b.json", '{"title":')
      """#)
    let read = try await ToolRun.ferry("get", "a.zip", #"["a.json"].title"#)
    expectQuiet(read)
    #expect(read.output == "Notes\n")
    let all = try await ToolRun.ferry("get", "a.zip", "[*].title")
    #expect(all.status == 1 && all.output.isEmpty && all.errors.contains(#"["b.json"]"#), "\(all)")
  }

  @Test func `Values in a ZIP archive inside a ZIP archive are read as they are changed`() async throws {
    try await makeArchive(
      "inner.zip",
      #"""
      add("a.json", '{"a": 1, "b": [1, 2]}')
      add("b.txt", "inner")
      """#)
    try await makeArchive(
      "a.zip",
      #"""
      add("in.zip", open("\#(directory.path("inner.zip"))", "rb").read())
      add("b.txt", "outer")
      """#)
    let path = #"["in.zip"]["a.json"].a"#
    #expect(try await ToolRun.ferry("get", "a.zip", path).output == "1\n")
    expectQuiet(try await .ferry("set", "a.zip", path, "2"))
    #expect(try await ToolRun.ferry("get", "a.zip", path).output == "2\n")
    #expect(try await ToolRun.ferry("get", "a.zip", #"["in.zip"]["a.json"].b[*]"#).output == "1\n2\n")
    let texts = try await ToolRun.ferry("get", "a.zip", #"["in.zip"]["b.txt"]"#, #"["b.txt"]"#)
    #expect(texts.output == "inner\nouter\n", "\(texts)")
    for path in [#"["in.zip"].no"#, #"["b.txt"].no"#, "no"] {
      let run = try await ToolRun.ferry("get", "a.zip", path)
      #expect(run.status == 1 && run.output.isEmpty && run.errors.contains("no"), "\(run)")
    }
  }

  @Test func `A patch changes several files or none, and moves and copies files with their bytes`()
    async throws
  {
    try await makeNotes()
    try directory.write(
      "p.json",
      #"""
      [{"op": "test", "path": "/index.json", "value": {"title": "Notes", "n": [1, 2.5]}},
       {"op": "replace", "path": "/index.json/title", "value": "Diary"},
       {"op": "add", "path": "/index.json/n/-", "value": 3},
       {"op": "copy", "from": "/icon.bin", "path": "/copy.bin"},
       {"op": "move", "from": "/pages/1.xml", "path": "/x"}]
      """#)
    let bytes = try directory.bytes("a.zip")
    let failed = try await ToolRun.ferry("patch", "a.zip", "p.json")
    #expect(failed.status == 1 && failed.errors.contains("(move "), "\(failed.errors)")
    #expect(try directory.bytes("a.zip") == bytes)
    try directory.write(
      "p.json", try directory.text("p.json").replacing("/pages/1.xml", with: "/pages~11.xml"))
    expectQuiet(try await .ferry("patch", "a.zip", "p.json"))
    #expect(
      try await text(of: "index.json", in: "a.zip") == "{ \"title\" : \"Diary\",\n  \"n\": [1, 2.50, 3] }\n")
    #expect(try await text(of: "x", in: "a.zip") == "<page n=\"1\"><!-- first --><t>one</t></page>")
    let keys = try await ToolRun.ferry("get", "a.zip", "--keys").output
    #expect(keys == "mimetype\nindex.json\nnotes.txt\nicon.bin\ncopy.bin\nx\n")
  }

  @Test func `Files that a patch moves or copies keep their properties, and links stay links`() async throws {
    try await makeArchive(
      "a.zip",
      #"""
      add("run.sh", "#!/bin/sh\n", zipfile.ZIP_STORED, external_attr=0o100755 << 16, comment=b"runs")
      add("link", "run.sh", external_attr=0o120777 << 16)
      add("b.json", "[1]", extra=bytes([0xfe, 0xca, 0, 0]))
      """#)
    let before = try await lines(of: "a.zip")
    try directory.write(
      "p.json",
      #"""
      [{"op": "move", "from": "/run.sh", "path": "/bin~1é.sh"}, {"op": "copy", "from": "/link", "path": "/link2"},
       {"op": "move", "from": "/link2", "path": "/link3"}, {"op": "copy", "from": "/b.json", "path": "/c.json"},
       {"op": "replace", "path": "/b.json/0", "value": 2}]
      """#)
    expectQuiet(try await .ferry("patch", "a.zip", "p.json"))
    let after = try await lines(of: "a.zip")
    func properties(_ line: String) -> [Substring] { Array(line.split(separator: " ").dropFirst()) }
    #expect(
      after.dropLast().map { String($0.prefix { $0 != " " }) }
        == ["link", "b.json", "bin/é.sh", "link3", "c.json"])
    var program = properties(before[0])
    // The flag of a name in UTF-8.
    program[3] = "2048"
    #expect(properties(after[2]) == program)
    #expect(properties(after[3]) == properties(before[1]))
    #expect(properties(after[4]) == properties(before[2]))
    #expect(try await text(of: "b.json", in: "a.zip") == "[2]")
    #expect(try await text(of: "bin/é.sh", in: "a.zip") == "#!/bin/sh\n")
  }

  @Test func `The patch of two archives makes the first the second`() async throws {
    try await makeNotes()
    expectQuiet(
      try await .shell(
        """
        set -e; cp a.zip b.zip; ferry set b.zip '["index.json"].title' Diary
        ferry insert b.zip '["new.txt"]' new; ferry remove b.zip '["icon.bin"]'
        ferry diff a.zip b.zip --json > p.json || test $? = 1
        ferry patch a.zip p.json; ferry diff a.zip b.zip
        """))
  }

  @Test(arguments: [65_533, 65_534, 65_535])
  func `An archive of many files gets one more`(_ count: Int) async throws {
    try await makeArchive(
      "a.zip",
      """
      for index in range(\(count)): archive.writestr(f"{index}.txt", "")
      archive.comment = b"an archive"
      """)
    expectQuiet(try await .ferry("insert", "a.zip", #"["new.txt"]"#, "x"))
    #expect(try await ToolRun.ferry("get", "a.zip", "--count").output == "\(count + 1)\n")
    #expect(try await ToolRun.ferry("get", "a.zip", #"["new.txt"]"#).output == "x\n")
    let list =
      "import zipfile; z = zipfile.ZipFile('a.zip'); print(len(z.namelist()), z.read('new.txt'), z.comment)"
    #expect(try await ToolRun.shell("python3 -c \"\(list)\"").output == "\(count + 1) b'x' b'an archive'\n")
    // Changed once more, and smaller again.
    expectQuiet(try await .ferry("set", "a.zip", #"["new.txt"]"#, "y"))
    expectQuiet(try await .ferry("remove", "a.zip", #"["0.txt"]"#))
    #expect(try await ToolRun.shell("python3 -c \"\(list)\"").output == "\(count) b'y' b'an archive'\n")
  }

  @Test func `An archive with one file is changed and edited like this file`() async throws {
    try await makeArchive("one.zip", #"add("a.json", '{"title": "Notes"} ')"#)
    expectQuiet(try await .ferry("set", "one.zip", "title", "Diary"))
    #expect(try await text(of: "a.json", in: "one.zip") == #"{"title": "Diary"} "#)
    expectQuiet(try await .shell("EDITOR='sed -i s/Diary/Log/' ferry edit one.zip"))
    #expect(try await text(of: "a.json", in: "one.zip") == #"{"title": "Log"} "#)
    expectQuiet(try await .ferry("set", "one.zip", "title", "Copy", "-o", "copy.zip"))
    #expect(try await text(of: "a.json", in: "copy.zip") == #"{"title": "Copy"} "#)
    expectQuiet(try await .ferry("set", "one.zip", "title", "Copy", "-o", "copy.json"))
    #expect(try directory.text("copy.json") == #"{"title": "Copy"} "#)
    expectQuiet(try await .ferry("insert", "one.zip", "--from", "zip", #"["b.txt"]"#, "b"))
    #expect(try await ToolRun.ferry("get", "one.zip", "--keys").output == "a.json\nb.txt\n")
    let several = try await ToolRun.shell("EDITOR=true ferry edit one.zip")
    #expect(
      several.status == 1
        && several.errors.hasPrefix(
          "one.zip: a ZIP archive with several files has no text to edit as a whole"),
      "\(several.errors)")
    // A compressed archive is compressed again.
    expectQuiet(
      try await .shell("gzip one.zip; ferry set one.zip.gz '[\"a.json\"].title' Gzip; gunzip one.zip.gz"))
    #expect(try await text(of: "a.json", in: "one.zip") == #"{"title": "Gzip"} "#)
  }

  @Test func `One of several files in an archive is edited by its name or path, and the others stay`()
    async throws
  {
    try await makeNotes()
    let others = try await lines(of: "a.zip").filter { !$0.hasPrefix("index.json ") }
    for (name, edit) in [("index.json", "s/Notes/Diary/"), (#"'["index.json"]'"#, "s/Diary/Log/")] {
      expectQuiet(try await .shell("EDITOR='sed -i \(edit)' ferry edit a.zip \(name)"))
      #expect(try await lines(of: "a.zip").filter { !$0.hasPrefix("index.json ") } == others)
    }
    #expect(
      try await text(of: "index.json", in: "a.zip") == "{ \"title\" : \"Log\",\n  \"n\": [1, 2.50] }\n")
    expectQuiet(try await .shell("EDITOR='sed -i s/one/two/' ferry edit a.zip pages/1.xml -o copy.zip"))
    #expect(
      try await text(of: "pages/1.xml", in: "copy.zip") == #"<page n="1"><!-- first --><t>two</t></page>"#)
    #expect(
      try await text(of: "pages/1.xml", in: "a.zip") == #"<page n="1"><!-- first --><t>one</t></page>"#)
    let bytes = try directory.bytes("a.zip")
    let same = try await ToolRun.shell("EDITOR='sleep 1.1 #' ferry edit a.zip notes.txt")
    #expect(same.status == 0 && same.errors == "a.zip: not changed\n", "\(same.errors)")
    try directory.write("a.json", "{}")
    for (arguments, message) in [
      ("a.zip indx.json", "a.zip: no key \"indx.json\" here"),
      ("a.zip icon.bin", "a.zip/icon.bin: no format"),
      (#"a.zip '["index.json"].title'"#, #"a.zip: no key "title" here: this is a file, which is edited"#),
      ("a.zip index.json -o copy.json", "copy.json: the extension is for JSON"),
      ("a.json index.json", "a.json: this is not a ZIP archive, so it has no files"),
    ] {
      let run = try await ToolRun.shell("EDITOR=true ferry edit \(arguments)")
      #expect(run.status == 1 && run.errors.hasPrefix(message), "\(arguments): \(run.errors)")
    }
    let invalid = try await ToolRun.shell("EDITOR='sed -i s/}//' ferry edit a.zip index.json")
    #expect(invalid.status == 1 && invalid.errors.contains("index.json:"), "\(invalid.errors)")
    #expect(try directory.bytes("a.zip") == bytes)
  }

  @Test func `Versions of an archive are merged by the values of their files`() async throws {
    try await makeNotes()
    expectQuiet(
      try await .shell(
        """
        set -e; cp a.zip o.zip; cp a.zip t.zip; ferry set o.zip '["index.json"].title' Diary
        ferry set t.zip '["index.json"].n' '[3]' --type json; ferry remove t.zip '["icon.bin"]'
        ferry merge a.zip o.zip t.zip -o m.zip
        """))
    #expect(try await ToolRun.ferry("get", "m.zip", #"["index.json"].title"#).output == "Diary\n")
    #expect(try await ToolRun.ferry("get", "m.zip", #"["index.json"].n"#).output == "[3]\n")
    #expect(
      try await lines(of: "m.zip").map { $0.prefix { $0 != " " } }
        == ["mimetype", "index.json", "pages/1.xml", "notes.txt", "pages/", "b'an"])
  }

  @Test func `Archives of streams, with large sizes and with bytes before the first file stay whole`()
    async throws
  {
    expectQuiet(
      try await .shell(
        #"""
        python3 - <<'END'
        import zipfile
        class Stream:
          def __init__(self, path): self.file = open(path, "wb")
          def write(self, data): return self.file.write(data)
          def flush(self): self.file.flush()
        for name, large in [("stream.zip", False), ("large.zip", True)]:
          archive = zipfile.ZipFile(Stream(name) if not large else name, "w", zipfile.ZIP_DEFLATED)
          for file in ["a.json", "b.json", "c.json"]:
            with archive.open(file, "w", force_zip64=large) as out: out.write(b'{"x": "' + file.encode() * 9 + b'"}')
          archive.close()
        # Every number at the end is in a field of 64 bits.
        bytes = open("large.zip", "rb").read()
        end = bytes.rindex(b"PK\5\6")
        count, size, start = (int.from_bytes(bytes[end + at:end + at + width], "little")
          for at, width in [(10, 2), (12, 4), (16, 4)])
        record = (b"PK\6\6" + (44).to_bytes(8, "little") + b"\x2d\0\x2d\0" + bytes[:0] + b"\0" * 8
          + b"".join(n.to_bytes(8, "little") for n in [count, count, size, start]))
        locator = b"PK\6\7" + b"\0" * 4 + end.to_bytes(8, "little") + b"\1\0\0\0"
        last = b"PK\5\6" + b"\0" * 4 + b"\xff" * 12 + b"\0\0"
        open("large.zip", "wb").write(bytes[:end] + record + locator + last)
        END
        """#))
    // Offsets that do not count the bytes before the archive.
    expectQuiet(
      try await .shell("cat large.zip stream.zip > two.zip; cat stream.zip large.zip > after.zip"))
    for name in ["stream.zip", "large.zip", "two.zip", "after.zip"] {
      let before = try await lines(of: name)
      expectQuiet(try await .ferry("set", name, #"["b.json"].x"#, String(repeating: "long", count: 999)))
      let after = try await lines(of: name)
      #expect(after.count == before.count && after[0] == before[0] && after[2] == before[2], "\(name)")
      expectQuiet(try await .ferry("remove", name, #"["a.json"]"#))
      expectQuiet(try await .ferry("insert", name, #"["d.txt"]"#, "new"))
      let keys = try await ToolRun.ferry("get", name, "--keys").output
      #expect(keys == "b.json\nc.json\nd.txt\n", "\(name)")
      // The number of this file, in the record with numbers of 64 bits if there is one.
      var bytes = try directory.bytes(name)
      bytes[bytes.count - (name == "large.zip" || name == "after.zip" ? 22 + 20 + 56 - 16 : 22 - 4)] = 1
      try directory.write("part.zip", bytes)
      let part = try await ToolRun.ferry("set", "part.zip", #"["d.txt"]"#, "x")
      #expect(part.status == 1 && part.errors.contains("it is one of several files"), "\(part.errors)")
      #expect(try await ToolRun.shell("python3 -m zipfile -t \(name)").output == "Done testing\n", "\(name)")
    }
  }

  @Test
  func `The signature of a changed archive is reported, and encrypted files and damage are not touched`()
    async throws
  {
    try await makeArchive(
      "s.jar",
      #"add("META-INF/A.SF", "Signature-Version: 1.0\n"); add("a.json", "[1]"); add("b.json", "[2]")"#)
    let run = try await ToolRun.ferry("set", "s.jar", #"["a.json"][0]"#, "5")
    #expect(run.status == 0)
    #expect(
      run.errors.hasPrefix(
        "s.jar: not exact: the archive keeps the signature of the files before the change"),
      "\(run.errors)")
    try await makeArchive("e.zip", #"add("a.json", "[1]"); add("b.json", "[2]")"#)
    var bytes = try directory.bytes("e.zip")
    for index in bytes.indices.dropLast(10) where bytes[index...].starts(with: [0x50, 0x4b, 1, 2]) {
      // The first file of the directory is shown as encrypted.
      bytes[index + 8] |= 1
      break
    }
    try directory.write("e.zip", bytes)
    let encrypted = try await ToolRun.ferry("set", "e.zip", #"["a.json"]"#, "--from-file", "s.jar")
    #expect(encrypted.status == 1 && encrypted.errors.contains("\"a.json\" in the ZIP archive is encrypted"))
    expectQuiet(try await .ferry("set", "e.zip", #"["b.json"][0]"#, "3"))
    #expect(try await text(of: "b.json", in: "e.zip") == "[3]")
    expectQuiet(try await .ferry("remove", "e.zip", #"["a.json"]"#))
    #expect(try await ToolRun.ferry("get", "e.zip").output == "[3]\n")
  }

  @Test func `The names of files are read from an archive with a damaged file`() async throws {
    try await makeArchive("b.zip", #"add("a.json", '{"n": 1}'); add("b.json", '{"n":')"#)
    for (question, answer) in [
      ("--keys", "a.json\nb.json\n"), ("--count", "2\n"), ("--type", "dictionary\n"),
    ] {
      let run = try await ToolRun.ferry("get", "b.zip", question)
      #expect(run.status == 0 && run.output == answer, "\(run)")
    }
    let damaged = try await ToolRun.ferry("get", "b.zip", #"["b.json"]"#, "--keys")
    #expect(damaged.status == 1 && damaged.errors.hasPrefix("b.zip/b.json:"), "\(damaged)")
  }
}
