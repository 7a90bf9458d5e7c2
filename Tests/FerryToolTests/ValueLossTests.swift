import TestSupport
import Testing

/// Runs in which a value could be lost without a word.
@Suite(.temporaryDirectory) struct `Values on the command line` {
  private static let values = [
    #"["a"]"#, #"{"was": "a"}"#, #"[["a", "b"], "a"]"#, #"{"$class": "Person", "first": "a", "last": "b"}"#,
  ]

  @Test(arguments: ["archive", "archive-xml"])
  func `A value that contains the text it replaces does not contain itself`(format: String) async throws {
    try directory.write("s.json", #"{"s": "a", "t": ["x", "y"]}"#)
    expectQuiet(try await .ferry("convert", "s.json", "--to", format, "-o", "s.archive"))
    for value in Self.values {
      expectQuiet(try await .shell("ferry set s.archive s '\(value)' --type json -o new.archive --force"))
      let printed = try await ToolRun.ferry("get", "new.archive", "s")
      let given = value.replacing(" ", with: "").replacing(#""$class":"Person","#, with: "")
      #expect(printed.output == given + "\n")
      expectQuiet(
        try await .ferry("set", "s.archive", "s", value, "--type", "json", "-o", "twice", "--force"))
      expectQuiet(try await .shell("ferry set twice s a --type string -o back --force"))
      #expect(try await ToolRun.ferry("get", "back", "s").output == "a\n")
    }
    expectQuiet(try await .ferry("set", "s.archive", "t[0]", #"{"was":"x"}"#, "--type", "json"))
    #expect(try await ToolRun.ferry("get", "s.archive", "t").output == #"[{"was":"x"},"y"]"# + "\n")
  }

  /// The bits of reals, and of a date, that a property list in XML does not have.
  @Test(arguments: [
    (#"{"$real":"nan:7ff8000000000001"}"#, "nan-payload"),
    (#"{"$real":"nan:fff8000000000000"}"#, "nan-payload"),
    (#"{"$real":"nan:7ff0000000000001"}"#, "nan-payload"), (#"{"$single":"nan:7fc00001"}"#, "nan-payload"),
    (#"{"$date":-0.0}"#, "negative-zero"), (#"{"$real":"nan"}"#, nil), (#"{"$date":0}"#, nil),
    (#"{"$real":-0.0}"#, nil), (#"{"$real":"-inf"}"#, nil),
  ])
  func `Bits that a property list in XML drops are reported`(_ value: String, _ code: String?) async throws {
    try directory.write("typed.json", #"{"$ferry":1,"$value":["# + value + "]}")
    for source in ["plist-binary", "archive"] {
      expectQuiet(try await .ferry("convert", "typed.json", "--to", source, "-o", "in", "--force"))
      let typed = try await ToolRun.ferry("convert", "in", "--to", "json", "--form", "typed")
      expectQuiet(typed)
      for target in ["plist-xml", "archive-xml"] {
        for form in source == "archive" && target == "plist-xml" ? ["plain", "raw"] : ["plain"] {
          let run = try await ToolRun.ferry(
            "convert", "in", "--to", target, "--form", form, "-o", "out", "--force", "--report", "report.json"
          )
          #expect(run.status == 0, "\(run.errors)")
          let report = try directory.text("report.json")
          // In an archive, a date is an object with a real.
          let isKept = code == "negative-zero" && (target == "archive-xml" || form == "raw")
          for known in ["nan-payload", "negative-zero"] {
            let isReported = known == code && !isKept
            #expect(report.contains("\"\(known)\"") == isReported, "\(source) \(target) \(form)")
          }
        }
      }
      expectQuiet(
        try await .ferry("convert", "in", "--to", "plist-xml", "--form", "typed", "-o", "out", "--force"))
      let back = try await ToolRun.ferry("convert", "out", "--to", "json", "--form", "typed")
      #expect(back.output == typed.output)
      let json = try await ToolRun.ferry(
        "convert", "in", "--to", "json", "--report", "report.json", "-o", "out", "--force")
      #expect(json.status == 0)
      #expect(try !directory.text("report.json").contains("nan-payload"))
    }
  }

  @Test(arguments: ["plist-xml", "archive-xml"])
  func `Bits that a property list in XML drops cannot be set in it`(_ format: String) async throws {
    try directory.write("typed.json", #"{"$ferry":1,"$value":{"real":1.5}}"#)
    expectQuiet(try await .ferry("convert", "typed.json", "--to", format, "-o", "e.plist"))
    let before = try directory.bytes("e.plist")
    for bits in ["7ff8000000000001", "fff8000000000000"] {
      let run = try await ToolRun.ferry(
        "set", "e.plist", "real", #"{"$real":"nan:\#(bits)"}"#, "--type", "typed")
      #expect(run.status == 1)
      #expect(run.errors.contains("the NaN with the bits \(bits)"), "\(run.errors)")
    }
    #expect(try directory.bytes("e.plist") == before)
    expectQuiet(try await .ferry("set", "e.plist", "real", #"{"$real":"nan"}"#, "--type", "typed"))
    guard format == "plist-xml" else { return }
    let run = try await ToolRun.ferry("set", "e.plist", "real", #"{"$date":-0.0}"#, "--type", "typed")
    #expect(run.status == 1)
    #expect(run.errors.contains("no negative zero"), "\(run.errors)")
  }

  /// The last row of each kind has the nearest number that fits.
  @Test(arguments: [
    ("18446744073709551616", "not exactly an integer or a real"), ("1e400", "not exactly"),
    ("0.12345678901234567890123", "not exactly"), ("2.20", nil), ("-0", nil), ("1e22", nil),
    (#"{"$real":1e400}"#, "64-bit real cannot represent"),
    (#"{"$real":0.12345678901234567890123}"#, "cannot represent"),
    (#"{"$real":9007199254740993}"#, "cannot represent"), (#"{"$real":9007199254740992}"#, nil),
    (#"{"$single":1e40}"#, "32-bit real cannot represent"),
    (#"{"$single":16777217}"#, "cannot represent"), (#"{"$single":0.1234567890123}"#, "cannot represent"),
    (#"{"$single":0.10000000149011612}"#, nil), (#"{"$single":0.1}"#, nil),
    (#"{"$date":1e400}"#, "cannot represent"), (#"{"$date":86400}"#, nil),
  ])
  func `A number of the typed form that a binary property list cannot represent is refused`(
    _ value: String, _ words: String?
  ) async throws {
    try directory.write("typed.json", #"{"$ferry":1,"$value":["# + value + "]}")
    let run = try await ToolRun.ferry("convert", "typed.json", "--to", "plist-binary", "-o", "out.plist")
    guard let words else { return #expect(run.status == 0, "\(run.errors)") }
    #expect(run.status == 1)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(try directory.names() == ["typed.json"])
  }

  @Test func `An editor's number that a real cannot represent leaves the property list unchanged`()
    async throws
  {
    try directory.write("one.json", #"{"a":1.5}"#)
    expectQuiet(try await .ferry("convert", "one.json", "--to", "plist-binary", "-o", "e.plist"))
    let before = try directory.bytes("e.plist")
    let run = try await ToolRun.shell(
      "export TMPDIR=$PWD; EDITOR='sed -i.old s/1.5/0.12345678901234567890123/' ferry edit e.plist </dev/null"
    )
    #expect(run.status == 1)
    #expect(run.errors.contains("which is not exactly an integer or a real"), "\(run.errors)")
    #expect(try directory.bytes("e.plist") == before)
  }

  @Test func `A value from the standard input is taken as one on the command line`() async throws {
    try directory.write("d.json", #"{"$ferry":1,"$value":{"data":{"$data":"AQID"},"text":"x"}}"#)
    expectQuiet(
      try await .ferry("convert", "d.json", "--form", "typed", "--to", "plist-binary", "-o", "d.plist"))
    let before = try directory.bytes("d.plist")
    expectQuiet(try await .shell("ferry get d.plist data | ferry set d.plist data -"))
    #expect(try directory.bytes("d.plist") == before)
    let failed = try await ToolRun.shell("printf '#102030FF' | ferry set d.plist data -")
    #expect(failed.status == 1)
    #expect(try directory.bytes("d.plist") == before)
    expectQuiet(try await .shell("printf '#102030FF' | ferry set d.plist data --from-file -"))
    #expect(try await ToolRun.ferry("get", "d.plist", "data", "--bytes").output == "#102030FF")
    expectQuiet(try await .shell("printf 'two words\\n' | ferry set d.plist text -"))
    #expect(try await ToolRun.ferry("get", "d.plist", "text").output == "two words\n")
  }

  @Test(arguments: ["x\\r", "x\\n", "x\\r\\n", "\\r", "\\r\\r", "\\n\\r", ""])
  func `A string that get prints keeps the line ends at its end`(_ text: String) async throws {
    let document = #"{"a":"\#(text)","n":1}"#
    for command in ["ferry get a.json a | ferry set a.json a -", "ferry set a.json a --from-file v"] {
      try directory.write("a.json", document)
      expectQuiet(try await .shell("ferry get a.json a > v; \(command)"))
      #expect(try directory.text("a.json") == document)
    }
    expectQuiet(try await .shell("ferry insert a.json b --from-file v; ferry get a.json b | cmp - v"))
  }

  @Test func `A number may have CR LF after it`() async throws {
    try directory.write("a.json", #"{"n":1}"#)
    expectQuiet(try await .shell("printf '7\\r\\n' | ferry set a.json n -"))
    #expect(try directory.text("a.json") == #"{"n":7}"#)
    expectQuiet(try await .shell("printf '8\\r\\n' | ferry set a.json n --type integer --from-file -"))
    #expect(try directory.text("a.json") == #"{"n":8}"#)
  }

  @Test(arguments: [
    ("url", "http://c.d/"), ("id", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), ("color.color", "#10203040"),
  ])
  func `The text of an object other than a string may have CR LF after it`(
    key: String, text: String
  ) async throws {
    try directory.write(
      "a.json",
      #"""
      {"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{
      "url":{"$class":"NSURL","NS.base":null,"NS.relative":"http://a.b/"},
      "id":{"$class":"NSUUID","NS.uuidbytes":{"$data":"AAAAAAAAAAAAAAAAAAAAAA=="}},
      "color":{"$class":"NSColor","NSColorSpace":1,"NSRGB":{"$data":"MSAwIDAA"}},
      "string":{"$class":"NSMutableString","NS.string":"a"}}}
      """#)
    expectQuiet(try await .ferry("convert", "a.json", "--to", "archive", "-o", "a.archive"))
    expectQuiet(try await .shell("printf '\(text)\\r\\n' | ferry set a.archive \(key) -"))
    #expect(try await ToolRun.ferry("get", "a.archive", key).output == "\(text)\n")
    // A string may end with a carriage return, also after its present text.
    for string in ["b", "b\r"] {
      expectQuiet(try await .shell("printf '\(string)\\r\\n' | ferry set a.archive string -"))
      #expect(try await ToolRun.ferry("get", "a.archive", "string").output == "\(string)\r\n")
    }
  }

  @Test(arguments: ["\\t", "\\n", "\\r", "\\001", "\\177"])
  func `A URL with a control character is refused, unless it is the present text`(_ control: String)
    async throws
  {
    try directory.write(
      "a.json",
      #"""
      {"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{
      "url":{"$class":"NSURL","NS.base":null,"NS.relative":"http://a.b/\r"}}}
      """#)
    expectQuiet(try await .ferry("convert", "a.json", "--to", "archive", "-o", "a.archive"))
    // A URL may keep the flaw that it has.
    let kept = "cp a.archive b.archive; ferry get a.archive url | ferry set a.archive url -"
    expectQuiet(try await .shell("\(kept) && cmp a.archive b.archive"))
    expectQuiet(
      try await .shell("ferry set a.archive url http://e.f/ && printf 'http://c.d/\(control)x\\n' > v"))
    for value in [#""$(cat v)""#, "- < v", "--from-file v"] {
      let run = try await ToolRun.shell("ferry set a.archive url \(value)")
      #expect(run.status == 1 && run.errors.contains("a URL has no "), "\(run)")
    }
  }

  @Test func `Unpaired surrogates are shown as escapes, so that they can be told apart`() async throws {
    try directory.write("a.json", #"{"k\ud800":"x\ud801","k\ud802":["\udfff"],"ok":"\ud83d\ude00"}"#)
    let run = try await ToolRun.shell(
      #"""
      ferry find -v --type string a.json; ferry find k a.json; ferry find 'ud801' a.json; ferry get a.json --keys
      ferry inspect a.json | grep -o 'k.*ud80[0-9]' | sort; ferry show a.json
      ferry convert a.json --to plist-binary -o a.plist; ferry plutil -p a.plist; ferry plistbuddy -c Print a.plist
      ferry get a.plist --keys
      """#)
    #expect(
      run.output == #"""
        ["k\ud800"]: x\ud801
        ["k\ud802"][0]: \udfff
        ok: 😀
        ["k\ud800"]: (key)
        ["k\ud802"]: (key)
        ok: (key)
        ["k\ud800"]: x\ud801
        k\ud800
        k\ud802
        ok
        k\ud800
        k\ud802
        { "k\ud800": "x\ud801", "k\ud802": ["\udfff"], ok: "😀" }
        {
          "k\ud800" => "x\ud801"
          "k\ud802" => [
            0 => "\udfff"
          ]
          "ok" => "😀"
        }
        Dict {
            k\ud800 = x\ud801
            k\ud802 = Array {
                \udfff
            }
            ok = 😀
        }
        k\ud800
        k\ud802
        ok

        """#, "\(run.output)\(run.errors)")
  }

  @Test(arguments: ["json", "plist-binary"])
  func `A path that is printed for a key with an unpaired surrogate selects it`(format: String) async throws {
    try directory.write("s.json", #"{"\udc00k":1,"a":{"b\ud800":[1,"x"]}}"#)
    try directory.write("t.json", #"{"\udc00k":2,"a":{"b\ud800":[1,"x"],"n\ud801":{"$\udfff":1}}}"#)
    expectQuiet(try await .shell("for f in s t; do ferry convert $f.json --to \(format) -o $f.out; done"))
    let found = try await ToolRun.ferry("find", "1", "s.out").output
    #expect(found == "[\"\\udc00k\"]: 1\na[\"b\\ud800\"][0]: 1\n")
    for path in found.split(separator: "\n").map({ $0.dropLast(3) }) {
      #expect(try await ToolRun.ferry("get", "s.out", String(path)).output == "1\n")
    }
    expectFailure(
      try await .ferry("get", "s.out", "a.x"), #"s.out: no key "x" here; the keys are "b\ud800" (at a)"#)
    let differences = try await ToolRun.ferry("diff", "s.out", "t.out").output
    #expect(differences.contains(#"~ ["\udc00k"]: 1 → 2"#), "\(differences)")
    #expect(differences.contains(#"+ a["n\ud801"]: "#), "\(differences)")
    let patch = try await ToolRun.shell("ferry diff --json s.out t.out | tee p.json").output
    #expect(patch.contains(#""path": "/\udc00k""#) && patch.contains(#""path": "/a/n\ud801""#), "\(patch)")
    expectQuiet(try await .shell("ferry patch s.out p.json && ferry diff s.out t.out"))
    expectQuiet(
      try await .shell(
        #"""
        ferry set s.out '["\udc00k"]' 3; ferry insert s.out 'a["c\udfff"]' 4 --type integer
        ferry remove s.out 'a["b\ud800"][0]'; ferry remove s.out 'a["n\ud801"]'
        """#))
    try await expect(
      "ferry convert s.out --to json", #"{"\udc00k":3,"a":{"b\ud800":["x"],"c\udfff":4}}"# + "\n")
  }

  @Test func `A string with an unpaired surrogate is reported where it is printed, and has no bytes`()
    async throws
  {
    try directory.write("s.json", #"{"a":"\ud800x","b":"y"}"#)
    let run = try await ToolRun.ferry("get", "s.json", "a")
    #expect(run.output == "\u{fffd}x\n")
    #expect(run.errors.contains("unpaired surrogates"))
    #expect(try await ToolRun.ferry("get", "s.json", "b").errors.isEmpty)
    let bytes = try await ToolRun.ferry("get", "s.json", "a", "--bytes")
    #expect(bytes.status == 1)
    #expect(bytes.errors.contains("unpaired surrogates, which UTF-8 does not have"))
  }

  @Test func `A dictionary that an XML property list reads as a reference is reported`() async throws {
    try directory.write("a.json", #"{"only":{"CF$UID":7},"two":{"CF$UID":7,"b":1},"text":{"CF$UID":"7"}}"#)
    expectQuiet(try await .ferry("convert", "a.json", "--to", "plist-binary", "-o", "a.bplist"))
    for input in ["a.json", "a.bplist"] {
      let run = try await ToolRun.ferry("convert", input, "--to", "plist-xml", "-o", "a.plist", "--force")
      #expect(run.status == 0)
      #expect(run.errors.contains("become references when read back (1)"), "\(run.errors)")
    }
    // A reference stays one, which is not a loss.
    expectQuiet(try await .ferry("convert", "a.plist", "--to", "plist-xml", "-o", "b.plist"))
  }

  @Test func `A number in JSON fits a field of reals if a real has its value`() async throws {
    try directory.write("one.json", #"{"ferry":1,"name":"one","fields":[{"name":"r","type":"real"}]}"#)
    for number in ["1e5", "1E5", "1e22", "1.10", "0.1", "-0", "9007199254740992"] {
      try directory.write("a.json", "[{\"r\":\(number)}]")
      let run = try await ToolRun.shell(
        "ferry convert a.json --schema one.json --to plist-binary --strict | wc -c")
      #expect(run.errors.isEmpty, "\(number): \(run.errors)")
    }
    for number in ["123456789012345678", "9007199254740993", "1e400"] {
      try directory.write("a.json", "[{\"r\":\(number)}]")
      let run = try await ToolRun.ferry("convert", "a.json", "--schema", "one.json", "--to", "plist-binary")
      #expect(
        run.errors.contains(
          "expected a number that a real represents exactly in the field r, found \(number)"),
        "\(run.errors)")
    }
  }

  @Test func `A date or a real that a file cannot keep is reported`() async throws {
    try directory.write(
      "moment.json",
      #"{"ferry":1,"name":"moment","fields":[{"name":"d","type":"date"},{"name":"r","type":"real"}]}"#)
    let kept = "<moments><moment><d>2014-06-01T09:30:00.1234567Z</d><r>2.50</r></moment></moments>"
    let rounded = [
      "<moments><moment><d>2014-06-01T09:30:00.123456789Z</d><r>1</r></moment></moments>":
        "dates are rounded to about 100 nanoseconds",
      "<moments><moment><d>2014-06-01</d><r>0.1234567890123456789</r></moment></moments>":
        "decimals become the nearest real",
    ]
    // From XML to XML the text stays.
    for target in ["json", "plist-binary", "archive", "sqlite"] {
      let convert = ["convert", "m.xml", "--schema", "moment.json", "--to", target, "-o", "out", "--force"]
      try directory.write("m.xml", kept)
      let run = try await ToolRun.ferry(convert)
      #expect(run.status == 0)
      #expect(!run.errors.contains("rounded") && !run.errors.contains("nearest"))
      for (text, words) in rounded {
        try directory.write("m.xml", text)
        #expect(try await ToolRun.ferry(convert).errors.contains(words), "\(target)")
        let strict = try await ToolRun.ferry(convert + ["--strict"])
        #expect(strict.status == 1, "\(target)")
      }
    }
    try directory.write(
      "typed.json", #"{"$ferry":1,"$value":{"d":{"$date":"2014-06-01T09:30:00.123456789Z"}}}"#)
    let typed = try await ToolRun.ferry("convert", "typed.json", "--form", "typed", "--to", "plist-binary")
    #expect(typed.status == 1)
    try directory.write("d.json", #"{"$ferry":1,"$value":{"d":{"$date":"2014-06-01T09:30:00Z"}}}"#)
    expectQuiet(
      try await .ferry("convert", "d.json", "--form", "typed", "--to", "plist-binary", "-o", "d.plist"))
    let set = try await ToolRun.ferry("set", "d.plist", "d", "2014-06-01T09:30:00.123456789Z")
    #expect(set.status == 1)
    #expect(set.errors.contains("the nearest is 2014-06-01T09:30:00.1234568Z"))
  }
}

@Suite(.temporaryDirectory) struct `Reports` {
  @Test func `A report never replaces an input or an output`() async throws {
    for name in ["base.json", "ours.json", "theirs.json"] { try directory.write(name, "{\"\(name)\": 1}") }
    expectQuiet(try await .shell("ln -s ours.json link.json"))
    let runs = [
      ["convert", "ours.json", "--to", "plist-xml", "-o", "out.plist", "--report", "ours.json"],
      ["convert", "ours.json", "--to", "plist-xml", "-o", "out.plist", "--report", "link.json"],
      ["convert", "ours.json", "--to", "plist-xml", "-o", "out.plist", "--report", "out.plist"],
      ["convert", "ours.json", "--to", "json", "-i", "--pretty", "--report", "./ours.json"],
      ["merge", "base.json", "ours.json", "theirs.json", "--report", "base.json"],
      ["merge", "base.json", "ours.json", "theirs.json", "--report", "theirs.json", "-o", "out.json"],
      ["merge", "base.json", "ours.json", "theirs.json", "--report", "out.json", "-o", "out.json"],
    ]
    for run in runs {
      let failed = try await ToolRun.ferry(run)
      #expect(failed.status == 64, "\(run)")
      #expect(failed.errors.contains("--report would replace "))
    }
    #expect(try directory.names() == ["base.json", "link.json", "ours.json", "theirs.json"])
    for name in ["base.json", "ours.json", "theirs.json"] {
      #expect(try directory.text(name) == "{\"\(name)\": 1}")
    }
  }
}

@Suite(.temporaryDirectory) struct `Values that are nested too deeply` {
  /// Every command that makes a value of a file, with a limit that the user has raised.
  @Test(arguments: [
    "convert deep.json --to text", "convert deep.json --to png -o x.png", "get deep.plist [0] --to text",
    "convert deep.archive --to text", "seed new.json --from deep.json",
    "merge deep.json deep.json other.json -o out.json", "set small.json a {}",
    "set deep.json [0] 1 --type json", "show deep.json", "inspect deep.json", "remove deep.json [0]",
  ])
  func `A value that is nested too deeply is refused and never crashes a run`(command: String) async throws {
    let depth = 100_000
    let deep = String(repeating: "[", count: depth)
    try directory.write("deep.json", deep + String(repeating: "]", count: depth))
    try directory.write("other.json", deep + "1" + String(repeating: "]", count: depth))
    try directory.write("small.json", #"{"a": {}}"#)
    let limit = "--max-depth 10000000"
    expectQuiet(
      try await .shell(
        """
        ferry convert deep.json --to plist-binary -o deep.plist \(limit) || exit 2
        ferry convert deep.json --to archive -o deep.archive \(limit)
        """))
    let words = command.split(separator: " ").map(String.init)
    let run = try await ToolRun.ferry(words + ["--max-depth", "10000000"])
    #expect(run.status == 0 || run.status == 1, "\(command): \(run.status)")
    #expect(!run.errors.contains("--max-depth raises the limit"), "\(run.errors)")
  }
}

@Suite(.temporaryDirectory) struct `Property lists of overlapping objects` {
  /// A dictionary, and 200 more entries of the offset table that all lead to one data object.
  private static let script = """
    import struct
    data = b'\\x4f\\x12' + struct.pack('>I', 100000) + b'x' * 100000
    objects = [b'\\xd1\\x01\\x02', b'\\x51a', b'\\x10\\x01', data]
    out, offsets = b'bplist00', []
    for each in objects: offsets.append(len(out)); out += each
    offsets += [offsets[3]] * 200
    table = len(out)
    out += b''.join(struct.pack('>I', each) for each in offsets)
    out += bytes(6) + bytes([4, 1]) + struct.pack('>QQQ', len(offsets), 0, table)
    open('overlapping.plist', 'wb').write(out)
    """

  @Test func `A property list of overlapping objects is refused by edits, which would write each of them`()
    async throws
  {
    try directory.write("make.py", Self.script)
    expectQuiet(try await .shell("python3 make.py"))
    let before = try directory.bytes("overlapping.plist")
    for edit in [["set", "a", "2"], ["insert", "b", "2"], ["remove", "a"]] {
      var words = edit
      words.insert("overlapping.plist", at: 1)
      expectFailure(
        try await .ferry(words), "overlapping.plist: byte 15, object 4: its objects overlap")
      #expect(try directory.bytes("overlapping.plist") == before)
    }
  }
}
