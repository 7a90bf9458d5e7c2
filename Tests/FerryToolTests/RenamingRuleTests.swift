import TestSupport
import Testing

/// A rule of `--key`, the key that it renames, and the new name.
private struct KeyRule {
  let rule: String
  var old = "last"
  let new: String
}

@Suite(.temporaryDirectory) struct `The rules of ferry rename` {
  private func writeArchive() async throws {
    try directory.write(
      "a.json",
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"Person","home.city":"Ulm","last":"L","#
        + #""q\"uote":"q","":"empty","a=b":"ab"},{"$class":"A=B","x":1}]}}"#)
    expectQuiet(
      try await .ferry("convert", "a.json", "--form", "typed", "--to", "archive", "-o", "a.archive"))
  }

  private static let keys: [KeyRule] = [
    .init(rule: #"Person["last"]="given name""#, new: "given name"),
    .init(rule: #"Person.last=["given name"]"#, new: "given name"),
    .init(rule: #"Person.last='given "name"'"#, new: #"given "name""#),
    .init(rule: "Person['last']=x", new: "x"), .init(rule: #"Person["la\u{73}t"]="\u{e9}\n""#, new: #"é\n"#),
    .init(rule: #""Person".last=x"#, new: "x"), .init(rule: #"["Person"]["last"]=x"#, new: "x"),
    .init(rule: #"Person.["last"]=x"#, new: "x"), .init(rule: #"Person."last"=x"#, new: "x"),
    .init(rule: #"Person.last="a=c""#, new: "a=c"), .init(rule: #"Person["last"]=a=c"#, new: "a=c"),
    .init(rule: "Person.home.city=home.town", old: "home.city", new: "home.town"),
    .init(rule: #"Person["q\"uote"]=quote"#, old: #"q"uote"#, new: "quote"),
    .init(rule: #"Person[""]=none"#, old: "", new: "none"),
    .init(rule: #"Person["a=b"]='a'"#, old: "a=b", new: "a"),
  ]

  @Test func `A rule of a renaming writes old and new keys as paths do`() async throws {
    try await writeArchive()
    for rule in Self.keys {
      let run = try await ToolRun.ferry("rename", "a.archive", "-n", "--key", rule.rule)
      #expect(run.output == "a.archive: key Person.\(rule.old) → \(rule.new)\n", "\(rule.rule)")
      #expect(run.errors == "1 of 1 would change\n")
    }
    let rule = #"Person["last"]="given \u{e9}\n""#
    expectQuiet(try await .ferry("rename", "a.archive", "--key", rule))
    #expect(try await ToolRun.ferry("get", "a.archive", #"[0]["given é\n"]"#).output == "L\n")
  }

  @Test func `A rule of a renaming has classes with an equals sign, and empty keys, in quotes`() async throws
  {
    try await writeArchive()
    let before = try directory.bytes("a.archive")
    for (there, back) in [
      (["--class", #""A=B"="C=D""#], ["--class", #""C=D"="A=B""#]),
      (["--class", #"'A=B'=C"#], ["--class", #"C=["A=B"]"#]),
      (["--key", #""A=B".x="""#], ["--key", #"["A=B"][""]=x"#]),
    ] {
      expectQuiet(try await .ferry(["rename", "a.archive"] + there))
      #expect(try directory.bytes("a.archive") != before)
      expectQuiet(try await .ferry(["rename", "a.archive"] + back))
      #expect(try directory.bytes("a.archive") == before)
    }
  }

  @Test func `A column without a name gets a name, and loses it again`() async throws {
    try directory.write("a.csv", ",n\n0,Ada\n")
    expectQuiet(try await .ferry("rename", "a.csv", "--key", #"""=id"#))
    #expect(try directory.text("a.csv") == "id,n\n0,Ada\n")
    expectQuiet(try await .ferry("rename", "a.csv", "--key", #"id="""#))
    #expect(try directory.text("a.csv") == ",n\n0,Ada\n")
  }

  @Test(arguments: [
    ("--key", #"Person["last=x"#, "the quote is not closed (at character 8)"),
    ("--key", #"Person["last"]"#, #"expected "=" and a new name (at character 15)"#),
    ("--key", #"Person["la\st"]=x"#, "a backslash must be followed by a quote"),
    ("--key", #"Person.last="a"b"#, "expected nothing after the new name (at character 16)"),
    ("--key", "Person.last=[x]", "expected a key in quotes (at character 14)"),
    ("--key", "Person.last=", #"expected a new name (the empty one is "") (at character 13)"#),
    ("--key", "Person.last=a=b", #"write a name with an equals sign in quotes, as in Person["a=b"]=c"#),
    ("--key", "Person=x", "expected a class and its key, as in Person.first=firstName"),
    ("--key", "=x", "expected a class and its key, as in Person.first=firstName"),
    ("--key", #"["last"]=x"#, "expected a class and its key, as in Person.first=firstName"),
    ("--class", "A=B=C", #"write a name with an equals sign in quotes, as in "a=b"=c"#),
    ("--class", "Person", #"expected "=" and a new name (at character 7)"#),
    ("--class", #"Person="""#, "expected the names of two classes, as in Person=MyApp.Person"),
    ("--class", "=Person", "expected the names of two classes, as in Person=MyApp.Person"),
  ])
  func `A rule of a renaming that cannot be read is refused with the reason`(
    _ option: String, _ rule: String, _ why: String
  )
    async throws
  {
    let run = try await ToolRun.ferry("rename", "a.archive", option, rule)
    #expect(run.status == 64)
    #expect(run.errors.contains(why), "\(run.errors)")
    guard option == "--class" else { return }
    for command in [["convert", "a.archive", "--to", "json"], ["seed", "b.archive", "--from", "a.json"]] {
      let other = try await ToolRun.ferry(command + [option, rule])
      #expect(other.status == 64)
      #expect(other.errors.contains(why), "\(other.errors)")
    }
  }

  @Test func `A rule of a renaming that matches nothing is answered with names that can be typed`()
    async throws
  {
    try await writeArchive()
    for (rule, sentence) in [
      ("Person.quote=x", #"no object of the class "Person" has a key "quote" (did you mean "q\"uote"?)"#),
      (
        #"Person["l\nst"]=x"#, #"no object of the class "Person" has a key "l\nst" (did you mean "last"?)"#
      ),
    ] {
      let run = try await ToolRun.ferry("rename", "a.archive", "--key", rule)
      #expect(run.status == 1)
      #expect(run.errors == "--key \(rule): \(sentence)\n")
    }
  }

  @Test
  func `A rule of a renaming gives no class the name of its superclass, or one that its objects do not fit`()
    async throws
  {
    try directory.write(
      "a.json",
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":"Dog","name":"Rex"}},"#
        + #""$classes":{"Dog":["Dog","Animal","NSObject"]}}"#)
    expectQuiet(
      try await .ferry("convert", "a.json", "--form", "typed", "--to", "archive", "-o", "a.archive"))
    let before = try directory.bytes("a.archive")
    for rule in ["Animal=Dog", "Dog=Animal", "Dog=NSObject", "Animal=NSObject", "Dog=NSArray"] {
      let run = try await ToolRun.ferry("rename", "a.archive", "--class", rule)
      #expect(run.status == 1)
      #expect(run.errors.contains("this object does not fit its new name: "), "\(run.errors)")
      #expect(run.errors.contains("(at $objects["), "\(run.errors)")
      #expect(run.errors.contains("--force renames it all the same") == (rule == "Dog=NSArray"), "\(rule)")
      #expect(try directory.bytes("a.archive") == before)
    }
  }

  @Test(arguments: [
    (
      "chmod 444 a.archive", "",
      "a.archive: the file is not writable: permission denied (chmod u+w makes a read-only file writable)"
    ),
    ("chmod 555 .", "", #"a.archive: cannot create a file in the folder ".": permission denied"#),
    (
      "chmod 555 out", "--out-dir out",
      #"out/a.archive: cannot create a file in the folder "out": permission denied"#
    ),
    (
      "touch out/a.archive", "--out-dir out",
      "out/a.archive: the file already exists (use --force to replace it)"
    ),
  ])
  func `A dry run of a renaming fails as the run does if the file cannot be written`(
    _ protect: String, _ option: String, _ words: String
  ) async throws {
    try await writeArchive()
    try directory.makeDirectory("out")
    // Nothing keeps the superuser from writing.
    let run = try await ToolRun.shell(
      """
      if [ "$(id -u)" = 0 ]; then
        chown -R 65534 .; as="setpriv --reuid=65534 --regid=65534 --clear-groups"
        $as ferry --version > /dev/null || exit 77
      fi
      \(protect)
      for dry in --dry-run ""; do $as ferry rename a.archive --class Person=Q \(option) $dry; done
      chmod -R u+rwX .
      """)
    guard run.status != 77 else { try Test.cancel("nobody may run the program here") }
    #expect(run.output == "")
    #expect(run.errors == "\(words)\n0 of 1 would change, 1 failed\n\(words)\n", "\(run.errors)")
  }

  @Test func `A renaming says that it changes nothing in ZIP archives of several files`() async throws {
    try await writeArchive()
    let run = try await ToolRun.shell(
      """
      echo 1 > k.json; mkdir d; python3 -m zipfile -c d/b.zip a.archive k.json
      ferry rename d --class Person=Q; echo $?; cp k.json d; ferry rename d --class Person=Q
      ferry rename d/b.zip --class Person=Q; echo $?
      """)
    let unmatched = #"--class Person=Q: no archive has a class "Person""#
    #expect(run.output == "1\n1\n", "\(run)")
    #expect(
      run.errors == """
        0 of 0 changed, 1 ZIP archive of several files skipped
        \(unmatched)
        0 of 0 changed, 1 ZIP archive of several files and 1 other file skipped
        \(unmatched)
        d/b.zip: names in a ZIP archive are changed only if it holds one file or a package (unzip it first)

        """, "\(run.errors)")
  }

  @Test func `A renaming to a folder names a file that is given twice`() async throws {
    try await writeArchive()
    expectFailure(
      try await .ferry("rename", "a.archive", "./a.archive", "--class", "Person=Q", "--out-dir", "out"),
      """
      ./a.archive: this input is named twice, also as a.archive
      1 of 2 changed, 1 failed
      """)
  }

  @Test func `A file that is given twice is renamed in place once`() async throws {
    try await writeArchive()
    let swap = ["--class", "Person=Q", "--class", "Q=Person"]
    expectFailure(
      try await .ferry(["rename", "a.archive", "./a.archive"] + swap),
      """
      ./a.archive: this input is named twice, also as a.archive
      1 of 2 changed, 1 failed
      """)
    let found = try await ToolRun.ferry("find", "--class", "Q", "-c", "a.archive")
    #expect(found.status == 0 && found.output != "0\n", "\(found)")
  }

  @Test func `Data to which many references lead is opened once`() async throws {
    expectQuiet(
      try await .shell(
        """
        python3 -c '
        import plistlib
        data = plistlib.dumps([{"n": n, "s": str(n)} for n in range(1500)], fmt=plistlib.FMT_BINARY)
        plistlib.dump([data] * 20000, open("a.plist", "wb"), fmt=plistlib.FMT_BINARY)'
        """))
    let run = try await ToolRun.shell("ulimit -t 4; ferry rename a.plist --class A=B --dry-run")
    #expect(run.status == 1, "\(run)")
    #expect(run.errors.hasSuffix("--class A=B: no archive has a class \"A\"\n"), "\(run)")
  }
}
