import Ferry
import TestSupport
import Testing

/// Documents and packages of types of `--types`.
@Suite(.temporaryDirectory) struct `Declared types` {
  private static let option = ["--types", "types.json"]

  /// Makes types of documents in XML and of packages whose records are CSV in `x.dat`, and the packages `A.trip` and `B.trip`, which have the
  /// same records in other notations.
  private func makeTrips() throws {
    try directory.write(
      "types.json",
      """
      {"ferry":1,"types":[
       {"name":"memo","identifier":"com.example.memo","extensions":["memo"],"schema":"s.json",
        "layout":{"file":"xml"}},
       {"name":"trip","identifier":"com.example.trip","extensions":["trip"],"schema":"s.json",
        "layout":{"package":{"main":"x.dat","format":"csv"}}}]}
      """)
    try directory.write(
      "s.json",
      """
      {"ferry":1,"name":"s","key":"id","fields":[{"name":"id","type":"integer"},{"name":"t"},
       {"name":"day","type":"date"}]}
      """)
    try directory.makeDirectory("A.trip")
    try directory.makeDirectory("B.trip")
    try directory.write("A.trip/x.dat", "id,t,day\n1,a,2024-05-06T07:08:09Z\n")
    try directory.write("B.trip/x.dat", "id,t,day\n01,a,2024-05-06T09:08:09+02:00\n")
  }

  // MARK: ZIP archives of any name

  /// The ways to zip the package, with a name that does not show it.
  private static let layouts = [
    ("backup.bin", "python3 -m zipfile -c backup.bin A.trip/"),
    ("flat.bin", "cd A.trip; python3 -m zipfile -c ../flat.bin *"),
    ("backup", "cp -r A.trip Old; python3 -m zipfile -c backup Old/"),
  ]

  @Test(arguments: layouts)
  func `A zipped package with any name is read in the declared format by every command`(
    _ name: String, _ command: String
  ) async throws {
    try makeTrips()
    try directory.write("A.trip/note.txt", "a note")
    expectQuiet(try await .shell(command))
    for arguments in [
      ["convert", "--to", "json"], ["show"], ["get"], ["get", "--to", "json"], ["inspect"], ["find", "a"],
      ["check"], ["schema", "infer"], ["schema", "check", "--schema", "s.json"], ["show", "--html"],
    ] {
      let package = try await ToolRun.ferry(arguments + ["A.trip"] + Self.option)
      let zipped = try await ToolRun.ferry(arguments + [name] + Self.option)
      #expect(package.status == 0, "\(arguments): \(package.errors)")
      #expect(zipped.status == 0, "\(arguments): \(zipped.errors)")
      #expect(zipped.output.replacing(name, with: "A.trip") == package.output, "\(arguments)")
      #expect(zipped.errors.replacing(name, with: "A.trip") == package.errors, "\(arguments)")
    }
    for line in [
      "ferry get - '[0].t' --types types.json < \(name)",
      "cat \(name) | ferry get - '[0].t' --types types.json",
    ] {
      let run = try await ToolRun.shell(line)
      #expect(run.output == "a\n", "\(line): \(run.errors)")
    }
    expectQuiet(try await .ferry(["diff", name, "A.trip"] + Self.option))
    expectQuiet(try await .ferry(["merge", "A.trip", name, "A.trip", "-o", "M.trip"] + Self.option))
    expectQuiet(try await .ferry(["diff", "M.trip", "A.trip"] + Self.option))
    expectQuiet(try await .ferry(["seed", "n.json", "--from", "A.trip"] + Self.option + ["-q"]))
    expectQuiet(try await .ferry(["seed", "z.json", "--from", name] + Self.option + ["-q"]))
    #expect(try directory.text("n.json") == directory.text("z.json"))
  }

  @Test(arguments: layouts)
  func `A zipped package with any name is changed in the declared format`(
    _ name: String, _ command: String
  ) async throws {
    try makeTrips()
    expectQuiet(try await .shell(command))
    for file in [name, "A.trip"] {
      expectQuiet(try await .ferry(["set", file, "[0].t", "b"] + Self.option))
      expectQuiet(try await .shell("EDITOR='sed -i s/b/c/' ferry edit \(file) --types types.json"))
    }
    let run = try await ToolRun.ferry(["get", name, "[0].t"] + Self.option)
    #expect(run.output == "c\n", "\(run.errors)")
    expectQuiet(try await .ferry(["diff", name, "A.trip"] + Self.option))
  }

  // MARK: Several files of types

  @Test func `The types of several files are joined`() async throws {
    try makeTrips()
    try directory.write(
      "more.json",
      """
      {"ferry":1,"types":[{"name":"list","identifier":"com.example.list","extensions":["list"],
       "layout":{"file":"csv"}}]}
      """)
    try directory.write("a.list", "t\nz\n")
    // The same type may be in two files.
    expectQuiet(try await .shell("mkdir copy; cp types.json s.json copy"))
    let all = ["--types", "types.json", "--types", "more.json", "--types", "copy/types.json"]
    #expect(try await ToolRun.ferry(["get", "a.list", "[0].t"] + all).output == "z\n")
    #expect(try await ToolRun.ferry(["get", "A.trip", "[0].t"] + all).output == "a\n")
    let formats = try await ToolRun.ferry(["formats"] + all).output
    #expect(formats.contains(".list") && formats.contains(".trip") && formats.contains(".memo"))
    expectFailure(
      try await .ferry("get", "a.list", "--types", "more.json", "--types", "none.json"),
      "none.json: no such file or directory")
  }

  @Test(
    arguments: [
      (
        #""name":"journey","identifier":"com.example.journey","extensions":["voyage","TRIP"]"#,
        #"extension "trip""#
      ),
      (#""name":"trip","identifier":"com.example.journey","extensions":["voyage"]"#, #"name "trip""#),
    ])
  func `Different types with one name or extension are refused with both places`(
    _ keys: String, _ common: String
  ) async throws {
    try makeTrips()
    try directory.write("other.json", "{\"ferry\":1,\"types\":[\n{\(keys),\"layout\":{\"file\":\"csv\"}}]}")
    let run = try await ToolRun.ferry("get", "A.trip", "--types", "types.json", "--types", "other.json")
    #expect(run.status == 1 && run.output == "")
    #expect(
      run.errors
        == "other.json:2:1: invalid file of document types: types[1] in types.json is another type with the \(common) "
        + "(at types[0])\n")
  }

  // MARK: Inside of a package

  @Test func `The file with the records is one of its type from inside of the package, too`() async throws {
    try makeTrips()
    let expected = #"[{"id":1,"t":"a","day":"2024-05-06T07:08:09Z"}]"# + "\n"
    for file in ["x.dat", "./x.dat", "../A.trip/x.dat", "$PWD/x.dat"] {
      let lines = [
        ("get \(file) '[0].t'", "a\n"), ("find a \(file) --quiet", ""), ("check \(file) --quiet", ""),
        ("convert \(file) --to json", expected), ("diff \(file) x.dat", ""),
      ]
      for (line, output) in lines {
        let run = try await ToolRun.shell("cd A.trip; ferry \(line) --types ../types.json")
        #expect(run.status == 0 && run.output == output, "\(line): \(run.errors)")
      }
    }
    expectQuiet(
      try await .shell(
        """
        cd A.trip; ferry set x.dat '[0].t' b --types ../types.json
        EDITOR='sed -i s/b/c/' ferry edit x.dat --types ../types.json
        """))
    #expect(try directory.text("A.trip/x.dat") == "id,t,day\n1,c,2024-05-06T07:08:09Z\n")
    // A record that the schema forbids is found.
    try directory.write("A.trip/x.dat", "id,t,day\nx,a,2024-05-06T07:08:09Z\n")
    let wrong = try await ToolRun.shell("cd A.trip; ferry check x.dat --types ../types.json")
    #expect(wrong.status == 1 && wrong.errors.contains("[0].id"), "\(wrong.errors)")
    // A file of the same name elsewhere is not of the type.
    let other = try await ToolRun.shell("cp B.trip/x.dat .; ferry get x.dat '[0].t' --types types.json")
    #expect(other.status == 1, "\(other.output)")
  }

  // MARK: Differences

  @Test func `Two notations of a number or date are not a difference for the schema of the type`()
    async throws
  {
    try makeTrips()
    func memo(_ id: String, _ day: String, _ text: String = "a") -> String {
      "<ss><s><id>\(id)</id><t>\(text)</t><day>\(day)</day></s></ss>"
    }
    let (day, other) = ("2024-05-06T07:08:09Z", "2024-05-06T09:08:09+02:00")
    try directory.write("a.memo", memo("1", day))
    try directory.write("b.memo", memo("01", other))
    for files in [["A.trip", "B.trip"], ["a.memo", "b.memo"], ["A.trip/x.dat", "B.trip/x.dat"]] {
      let same = try await ToolRun.ferry(["diff"] + files + Self.option)
      expectQuiet(same)
      #expect(same.output == "", "\(same.output)")
      let bare = try await ToolRun.ferry(["diff"] + files + Self.option + ["--schema", "none"])
      #expect(bare.status == 1 && bare.output.contains("\"01\""), "\(bare.output)")
    }
    expectQuiet(try await .shell("cd A.trip; ferry diff x.dat ../B.trip/x.dat --types ../types.json"))
    let patch = try await ToolRun.ferry(["diff", "a.memo", "b.memo", "--json"] + Self.option)
    #expect(patch.status == 0 && patch.output == "[]\n", "\(patch.output)\(patch.errors)")
    try directory.write("c.memo", memo("01", other, "b"))
    expectQuiet(
      try await .shell(
        """
        ferry diff a.memo c.memo --json --types types.json > p.json || test $? = 1
        ferry patch a.memo p.json --types types.json; ferry diff a.memo c.memo --types types.json
        """))
    // A change is shown without the notations.
    try directory.write("B.trip/x.dat", "id,t,day\n01,b,2024-05-06T09:08:09+02:00\n")
    let changed = try await ToolRun.ferry(["diff", "A.trip", "B.trip"] + Self.option)
    #expect(
      changed.status == 1 && changed.output == "--- A.trip\n+++ B.trip\n~ [0].t: \"a\" → \"b\"\n",
      "\(changed.output)")
  }

  @Test func `What the schema of the type does not describe is compared, too`() async throws {
    try makeTrips()
    let record = "<s><id>1</id><t>a</t><day>2024-05-06T07:08:09Z</day></s>"
    try directory.write("a.memo", "<ss>\(record)</ss>")
    for (text, shown) in [
      ("<ss z=\"1\">\(record)</ss>", "@z"), ("<ss><s u=\"2\"\(record.dropFirst(2))</ss>", "@u"),
      ("<ss><s><id>x</id>\(record.dropFirst(13))</ss>", "\"x\""),
      ("<ss>\(record)<other/></ss>", "other"),
    ] {
      try directory.write("b.memo", text)
      let run = try await ToolRun.ferry(["diff", "a.memo", "b.memo"] + Self.option)
      #expect(run.status == 1 && run.output.contains(shown), "\(text): \(run.output)\(run.errors)")
    }
  }

  // MARK: ZIP archives as outputs

  @Test func `A seed does not read the data for a ZIP archive, which it cannot write`() async throws {
    try makeTrips()
    let message = "writing zip is not supported (write a file, or a package as a folder, and pack it)"
    for name in ["N.zip", "N.trip.zip"] {
      expectFailure(
        try await .ferry(["seed", name, "--from", "none.json"] + Self.option), "\(name): \(message)")
      let run = try await ToolRun.ferry(["merge", "A.trip", "A.trip", "B.trip", "-o", name] + Self.option)
      #expect(run.status == 64 && run.errors.hasPrefix("Error: \(message)\n"), "\(run.errors)")
    }
    expectQuiet(try await .shell("echo '[{\"id\":1}]' > a.json; python3 -m zipfile -c one.zip a.json"))
    let bytes = try directory.bytes("one.zip")
    expectFailure(
      try await .ferry("seed", "one.zip", "--from", "a.json", "--merge", "--key", "id"), "one.zip: \(message)"
    )
    // A package does not replace a file, which is known before the versions are read.
    try directory.write("one.bin", bytes)
    expectFailure(
      try await .ferry(["merge", "A.trip", "A.trip", "none.trip", "-o", "one.bin", "--force"] + Self.option),
      "one.bin: this is a file, not a directory")
    #expect(try directory.bytes("one.zip") == bytes && directory.bytes("one.bin") == bytes)
    #expect(try !directory.names().contains { $0.hasPrefix("N.") })
  }
}
