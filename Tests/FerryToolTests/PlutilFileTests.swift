import Foundation
import TestSupport
import Testing

/// The files that `ferry plutil` and `ferry plistbuddy` read and write.
@Suite(.temporaryDirectory) struct `Files of property list utilities` {
  private static let text = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>a</key>
    \t<array>
    \t\t<integer>1</integer>
    \t\t<string>two</string>
    \t</array>
    \t<key>d</key>
    \t<data>
    \tAQID
    \t</data>
    </dict>
    </plist>

    """

  @Test func `Signed data is named, with the command that writes its contents`() async throws {
    let bytes: [UInt8] = [
      0x30, 0x82, 0x09, 0xd4, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02, 0xa0, 0x82,
      0x09,
      0xc5,
    ]
    try directory.write("s.mobileconfig", bytes)
    for verb in ["-lint", "-p"] {
      let run = try await ToolRun.ferry("plutil", verb, "s.mobileconfig")
      #expect(run.status == 1)
      let message = run.output + run.errors
      #expect(
        message.hasPrefix("s.mobileconfig: (this is signed CMS data, which is not supported (openssl "),
        "\(message)")
    }
  }

  @Test func `A boolean of PlistBuddy is a word or a digit, and others are refused`() async throws {
    let run = try await ToolRun.shell(
      """
      printf '<plist version="1.0"><dict><key>t</key><true/></dict></plist>' > b.plist
      for value in maybe TRUE no 1 0 yes false 2; do
        ferry plistbuddy -c "Set :t $value" b.plist 2>&1; echo "$value $? $(ferry get b.plist t)"
      done
      ferry plistbuddy -c 'Add :n bool maybe' b.plist; ferry get b.plist --keys
      """)
    #expect(
      run.output == """
        Unrecognized Boolean Format
        maybe 1 true
        TRUE 0 true
        no 0 false
        1 0 true
        0 0 false
        yes 0 true
        false 0 false
        Unrecognized Boolean Format
        2 1 false
        Unrecognized Boolean Format
        t

        """, "\(run.output)\(run.errors)")
  }

  @Test func `A number or boolean that would be stored as another value is refused`() async throws {
    let run = try await ToolRun.shell(
      """
      printf '<plist version="1.0"><dict><key>t</key><true/><key>r</key><real>1</real></dict></plist>' > b.plist
      for value in maybe 1 on y 2 0 NO false True YES; do
        ferry plutil -replace t -bool $value b.plist 2>&1; echo "$value $? $(ferry get b.plist t)"
      done
      for value in 1e400 -1e400 1e-400 x 0e5 -0.0 inf 1e300; do
        ferry plutil -replace r -float $value b.plist >/dev/null 2>&1; echo "$value $? $(ferry get b.plist r)"
        ferry plistbuddy -c "Set :r $value" b.plist >/dev/null 2>&1; echo "$value $? $(ferry get b.plist r)"
      done
      ferry plistbuddy -c 'Clear foo' b.plist; echo "$? $(ferry get b.plist --keys | wc -l)"
      """)
    #expect(
      run.output == """
        Invalid boolean in argument: maybe
          See "plutil -help".
        maybe 1 true
        Invalid boolean in argument: 1
          See "plutil -help".
        1 1 true
        Invalid boolean in argument: on
          See "plutil -help".
        on 1 true
        Invalid boolean in argument: y
          See "plutil -help".
        y 1 true
        Invalid boolean in argument: 2
          See "plutil -help".
        2 1 true
        0 0 false
        NO 0 false
        false 0 false
        True 0 true
        YES 0 true
        1e400 1 1.0
        1e400 1 1.0
        -1e400 1 1.0
        -1e400 1 1.0
        1e-400 1 1.0
        1e-400 1 1.0
        x 1 1.0
        x 1 1.0
        0e5 0 0.0
        0e5 0 0.0
        -0.0 0 -0.0
        -0.0 0 -0.0
        inf 0 inf
        inf 0 inf
        1e300 0 1e+300
        1e300 0 1e+300
        Unrecognized Type: foo
        1 2

        """, "\(run.output)\(run.errors)")
  }

  @Test(arguments: [
    "plutil -replace k -string v", "plutil -convert binary1", "plistbuddy -c 'Add :k string v'",
  ])
  func `A changed file keeps its permissions, and a link stays a link`(_ command: String) async throws {
    try directory.write("a.plist", Self.text)
    let run = try await ToolRun.shell(
      """
      chmod 640 a.plist; ln -s a.plist link.plist
      ferry \(command) link.plist
      test -L link.plist && stat -c %a a.plist; ferry get a.plist 'a[1]'
      """)
    expectQuiet(run)
    #expect(run.output == "640\ntwo\n")
    #expect(try directory.names() == ["a.plist", "link.plist"])
  }

  @Test(arguments: [
    "plutil -insert a -string x", "plutil -insert x.y -string x", "plutil -remove x", "plutil -convert yaml",
    "plutil -extract x xml1", "plutil -convert json", "plutil -insert a.0 -xml '<plist>'",
    "plistbuddy -c 'Set :x 1'",
    "plistbuddy -c 'Add :a string x'", "plistbuddy -c 'Merge missing.plist'",
  ])
  func `A file stays as it is when a command fails`(_ command: String) async throws {
    try directory.write("a.plist", Self.text)
    let run = try await ToolRun.shell("ferry \(command) a.plist")
    #expect(run.status == 1 && run.errors != "")
    #expect(try directory.text("a.plist") == Self.text)
    #expect(try directory.names() == ["a.plist"])
  }

  @Test func `A command that changes nothing does not write the file`() async throws {
    try directory.write("a.plist", Self.text)
    let run = try await ToolRun.shell(
      "touch -d 2001-01-01 a.plist; ferry plistbuddy -c Print -c 'Set :a:0 x' a.plist; stat -c %y a.plist")
    #expect(run.output.contains("\n2001-01-01 "), "\(run.output)")
  }

  /// The utilities read what a crash has left of a file, or refuse it; they never end by a signal.
  @Test(arguments: ["xml1", "binary1", "openstep", "json"])
  func `Every prefix of a file is read or refused`(_ format: String) async throws {
    try directory.write(
      "a.plist", format == "openstep" || format == "json" ? #"{ a = (1, "two"); }"# : Self.text)
    let run = try await ToolRun.shell(
      """
      ferry plutil -convert \(format) a.plist; n=$(wc -c < a.plist); i=1; mkdir p
      while [ $i -lt $n ]; do head -c $i a.plist > p/$i; i=$((i + 1)); done
      for verb in -lint -p '-convert xml1 -o out'; do
        ferry plutil $verb p/* > log 2>&1; echo $?
        [ $(grep -c '^p/[0-9]*: .' log) -gt 0 ]; echo $?
      done
      """)
    #expect(run.output == "1\n0\n1\n0\n1\n0\n", "\(run.output) \(run.errors)")
  }

  @Test func `A file that expands to exhaust memory is refused`() async throws {
    var objects = BinaryObjects()
    for number in 1...30 { objects.add(BinaryObjects.array([number, number])) }
    _ = objects.string("x")
    try directory.write("bomb.plist", objects.file)
    for verb in ["-p", "-convert xml1 -o -", "-lint", "-convert swift -o -"] {
      let run = try await ToolRun.shell("ulimit -v 4000000; ferry plutil \(verb) bomb.plist | head -c 1000")
      #expect(run.errors.contains("bomb.plist: "), "\(verb) \(run.errors)")
      #expect(run.errors.contains("times its size"), "\(verb) \(run.errors)")
    }
  }

  @Test func `References of archives are kept in XML, binary and JSON`() async throws {
    try directory.write("a.json", #"{"n":{"CF$UID":1,"x":2},"u":{"CF$UID":3}}"#)
    let run = try await ToolRun.shell(
      """
      ferry plutil -convert binary1 -o b.plist a.json
      ferry plutil -convert xml1 -o x.plist b.plist; ferry plutil -convert binary1 -o c.plist x.plist; cmp b.plist c.plist
      ferry plutil -convert json -o - c.plist; echo; ferry plutil -p b.plist
      ferry plutil -extract u raw b.plist; ferry plutil -type u b.plist
      """)
    expectQuiet(run)
    #expect(
      run.output == """
        {"n":{"CF$UID":1,"x":2},"u":{"CF$UID":3}}
        {
          "n" => {
            "CF$UID" => 1
            "x" => 2
          }
          "u" => <CFKeyedArchiverUID>{value = 3}
        }
        3
        (any)

        """)
  }

  @Test func `Numbers keep their digits`() async throws {
    try directory.write("a.json", #"{"big":123456789012345678901234567890,"d":2.50,"r":1.0,"n":null}"#)
    let run = try await ToolRun.shell(
      """
      ferry plutil -replace s -string x -o - a.json; echo
      ferry plutil -convert xml1 -o - a.json; echo $?
      ferry plutil -remove big -o - a.json | ferry plutil -remove n -o - - | ferry plutil -convert xml1 -o - - | grep real
      """)
    #expect(
      run.output == """
        {"big":123456789012345678901234567890,"d":2.50,"r":1.0,"n":null,"s":"x"}
        1
        \t<real>2.5</real>
        \t<real>1</real>

        """)
    #expect(
      run.errors.hasPrefix("a.json: Invalid object in plist for property list format: "), "\(run.errors)")
  }

  /// Control characters in XML would make a file that no parser reads.
  @Test func `Control characters are refused in XML`() async throws {
    try directory.write("a.json", #"{"esc":"\u001b"}"#)
    let run = try await ToolRun.shell(
      "ferry plutil -convert binary1 -o b.plist a.json; ferry plutil -convert xml1 b.plist; echo $?; head -c 8 b.plist"
    )
    #expect(run.output == "1\nbplist00")
    #expect(run.errors.contains("U+001B") || run.errors.contains("character"), "\(run.errors)")
  }

  /// Written back, they would lose their compression, and no reader of `.gz` could read them.
  @Test func `A compressed file is refused, and stays as it is`() async throws {
    try directory.write("a.plist", Self.text)
    try directory.write("j.json", #"{"a":1}"#)
    let run = try await ToolRun.shell(
      """
      gzip -n a.plist j.json; cp a.plist.gz p; cp j.json.gz j
      for file in a.plist.gz j.json.gz; do
        ferry plutil -replace a -integer 6 $file 2>&1; echo $?
        ferry plutil -convert xml1 $file 2>&1; echo $?
        ferry plutil -lint $file 2>&1; echo $?
        ferry plutil -p - < $file 2>&1; echo $?
        ferry plistbuddy -c 'Set :a 9' $file 2>&1 > /dev/null; echo $?
      done
      cmp a.plist.gz p && cmp j.json.gz j && echo same
      """)
    let message = "(this is a file that gzip has compressed)"
    let lines = ["a.plist.gz", "a.plist.gz", "a.plist.gz", "<stdin>", "a.plist.gz"].flatMap { name in
      ["\(name): \(message)", "1"]
    }
    let all = lines + lines.map { $0.replacing("a.plist", with: "j.json") } + ["same", ""]
    #expect(run.output == all.joined(separator: "\n"), "\(run.errors)")
  }

  @Test func `A ZIP archive and a database are named, and refused`() async throws {
    let run = try await ToolRun.shell(
      """
      python3 -c 'import zipfile, sqlite3; zipfile.ZipFile("a.zip", "w").writestr("a.plist", "{}");
      c = sqlite3.connect("a.db"); c.execute("create table t(a)"); c.commit()'
      for file in a.zip a.db; do
        for verb in -lint -p; do ferry plutil $verb $file 2>&1; echo $?; done
        ferry plistbuddy -c Print $file 2>&1 > /dev/null; echo $?
      done
      """)
    let lines = [("a.zip", "a ZIP archive"), ("a.db", "an SQLite database")].flatMap { name, kind in
      repeatElement(["\(name): (this is \(kind), which is not supported)", "1"], count: 3).flatMap(\.self)
    }
    #expect(run.output == (lines + [""]).joined(separator: "\n"), "\(run.errors)")
  }

  @Test(arguments: [
    (#"NIBArchive\1\0\0\0\11\0\0\0"#, "a NIBArchive"), (#"\312\376\272\276\0\0\0\64\0\20"#, "a Java class"),
    (#"\312\376\272\276\0\0\0\2\1\0\0\7"#, "a program"), (#"\317\372\355\376\7\0\0\1"#, "a program"),
    (#"MZ\220\0\3\0\0\0"#, "a program"), (#"MZ\0"#, "a program"),
    (#"book8\2\0\0\0\0\4\0200\0\0\0"#, "a bookmark"), (#"II*\0\10\0\0\0"#, "a TIFF image"),
    (#"icns\0\0\1\0"#, "an icon"), (#"RIFF\44\0\0\0WEBPVP8 "#, "a WebP image"),
  ])
  func `Binary files of other kinds are named by all commands`(_ bytes: String, _ kind: String) async throws {
    let run = try await ToolRun.shell(
      """
      printf '\(bytes)' > a
      ferry plutil -lint a 2>&1; ferry plutil -p a 2>&1; ferry plistbuddy -c Print a 2>&1 > /dev/null
      ferry check a 2>&1
      """)
    let lines = run.output.split(separator: "\n")
    let line = "a: (this is \(kind), which is not supported)"
    #expect(lines.prefix(3).map(String.init) == [line, line, line], "\(run)")
    if kind != "a NIBArchive" {
      #expect(lines.dropFirst(3).first == "a: this is \(kind), which is not supported", "\(run)")
    }
  }

  @Test func `A text that begins with the letters of a program of Windows is a text`() async throws {
    let run = try await ToolRun.shell("printf 'MZ and more' > a.txt; ferry get a.txt ''")
    #expect(run.output == "MZ and more\n", "\(run)")
  }

  @Test func `Entries before a section are named after the location of an error`() async throws {
    let lint = try await ToolRun.shell(
      #"printf 'title = "x"\n\n[owner]\nname = "T"\n' > b.toml; ferry plutil -lint b.toml"#)
    #expect(
      lint.errors
        == #"b.toml: (expected ";" after the value, found "[" at line 3, column 1; "#
        + "this looks like a TOML or INI file, which is not supported)\n", "\(lint)")
  }

  @Test(arguments: ["x.strings", "x.plist"])
  func `The error of entries in a property list names the semicolon alone`(_ name: String) async throws {
    let run = try await ToolRun.shell(
      """
      printf 'CFBundleName = "A"\\nCFBundleIdentifier = "B"\\n' > \(name)
      ferry plutil -lint \(name) 2>&1; ferry plutil -p \(name) 2>&1; ferry plistbuddy -c Print \(name) 2>&1
      """)
    #expect(run.output.contains("expected \";\" after the value"), "\(run)")
    #expect(!run.output.contains("TOML"), "\(run)")
  }

  @Test func `A likely kind follows the location of an error`() async throws {
    let lint = try await ToolRun.shell("printf 'k = \"v\"\\nj = 2\\n' | ferry plutil -lint -")
    #expect(lint.status == 1)
    #expect(
      lint.errors.contains(
        "at line 2, column 1; this looks like a TOML or INI file, which is not supported)"), "\(lint)")
  }

  @Test(arguments: [
    "\\0k = \"v\"\\nj = \\377\\1\\n", "b = \"YES\"\\nc = \"NO\">\\n<d>\\n</d>\\n",
  ])
  func `A damaged binary file and cut markup are not taken for an INI file`(_ text: String) async throws {
    let run = try await ToolRun.shell("printf '\(text)' | ferry plutil -lint -")
    #expect(run.status == 1 && !run.errors.contains("INI"), "\(run)")
  }

  @Test(arguments: ["SGVsbG8=\\nV29ybGQ=\\n", "a == b\\nc == d\\n", "Title\\n=======\\ntext\\n"])
  func `Other lines with signs of equality are neither an INI file nor a conflict`(_ text: String)
    async throws
  {
    let run = try await ToolRun.shell("printf '\(text)' > a; ferry plutil -lint a")
    #expect(run.status == 1 && !run.errors.contains("INI") && !run.errors.contains("conflict"), "\(run)")
  }

  @Test func `The standard input is read whatever its name is`() async throws {
    let run = try await ToolRun.shell("printf '{\"a\":[1]}' | ferry plutil -extract a.0 raw - ; ls")
    #expect(run.output == "1\n")
    #expect(run.errors == "")
  }

  @Test func `A reader that stops early ends the run without a message`() async throws {
    try directory.write("a.plist", Self.text)
    let run = try await ToolRun.shell("for i in 1 2 3; do ferry plutil -p a.plist; done | head -1")
    #expect(run.output == "{\n" && run.errors == "")
  }
}
