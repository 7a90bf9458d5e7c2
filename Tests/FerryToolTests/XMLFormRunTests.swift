import TestSupport
import Testing

/// The form of XML in other formats, at the shell.
@Suite(.temporaryDirectory) struct `The form of XML at the shell` {
  private func run(_ line: String) async throws -> ToolRun { try await ToolRun.shell(line) }

  @Test func `A value that joins or leaves a list of a document with types keeps the list together`()
    async throws
  {
    for (json, move, result) in [
      (#"{"c":["x","y"],"a":1,"b":2}"#, "b 'c[]'", #"{"c":["x","y",2],"a":1}"#),
      (#"{"c":["x","y","z"]}"#, "'c[1]' d", #"{"c":["x","z"],"d":"y"}"#),
      (#"{"c":["x","y"],"a":1,"b":2}"#, "b 'c[1]'", #"{"c":["x",2,"y"],"a":1}"#),
      (#"{"c":["x","y"],"a":1,"b":2}"#, "a d", #"{"c":["x","y"],"d":1,"b":2}"#),
    ] {
      try await expect(
        """
        echo '\(json)' | ferry convert --to xml --types attributes -o q.xml --force
        ferry move q.xml \(move) && ferry convert q.xml --types attributes --to json
        """, result + "\n")
    }
  }

  @Test func `Declarations come after the other attributes, and one of the prefix xml is reported`()
    async throws
  {
    let xml = #"xmlns:xml="http://www.w3.org/XML/1998/namespace""#
    for (text, json) in [
      (
        #"<r xmlns:x="urn:x" z="1" xmlns="urn:d" a="2" \#(xml)/>"#,
        #"{"r":{"@z":"1","@a":"2","@xmlns:x":"urn:x","@xmlns":"urn:d"}}"#
      ),
      (#"<r \#(xml)><a/></r>"#, #"{"r":{"a":""}}"#),
      (#"<r><b/><a \#(xml) c="1"/></r>"#, #"{"r":{"b":"","a":{"@c":"1"}}}"#),
    ] {
      try directory.write("a.xml", text)
      let run = try await ToolRun.ferry("convert", "a.xml", "--to", "json")
      #expect(run.output == json + "\n")
      #expect(run.errors == "a.xml: not exact: namespace declarations are left out (1)\n")
      let strict = try await ToolRun.ferry("convert", "a.xml", "--to", "json", "--strict")
      #expect(strict.status == 1 && strict.output == "", "\(strict.output)")
      let copy = try await ToolRun.ferry("convert", "a.xml", "--to", "xml", "--strict")
      expectQuiet(copy)
      #expect(copy.output.contains(xml))
    }
    // The same holds for each element if libxml2 reads the document, and not for elements in an entity.
    for prolog in ["", "<!DOCTYPE r [<!ENTITY e '<i/>'>]>"] {
      try directory.write(
        "a.xml", "\(prolog)<r><a \(xml)/><a \(xml) c='1' >\(prolog.isEmpty ? "<i/>" : "&e;")</a><b/></r>")
      let run = try await ToolRun.ferry("convert", "a.xml", "--to", "json")
      #expect(run.output == #"{"r":{"a":["",{"@c":"1","i":""}],"b":""}}"# + "\n")
      #expect(run.errors.contains("namespace declarations are left out (2)"), "\(run.errors)")
      for tag in ["<a/>", "<a c='1'/>"] {
        try directory.write("a.xml", "\(prolog)<r>\(tag)<a xmlns:xml='other'/></r>")
        let wrong = try await ToolRun.ferry("convert", "a.xml", "--to", "json")
        #expect(wrong.status == 1 && wrong.errors.contains("cannot be declared like this"), "\(wrong.errors)")
      }
    }
    try directory.write("a.xml", "<r xmlns:x=\"urn:x\" xml:lang=\"en\"/>")
    expectQuiet(try await .ferry("convert", "a.xml", "--to", "json", "--strict"))
  }

  @Test func `What is a list in one of many files is a list in all`() async throws {
    try directory.write("1.xml", "<r><a>x</a><b><c/></b><p>t</p></r>")
    try directory.write("2.xml", "<r><a>x</a><a/><b><c/><d/><c/></b></r>")
    try directory.write("3.xml", "<r><p>t<i/></p><p k=\"1\"/></r>")
    try directory.write("4.json", "[1]")
    try directory.write("5.xml", "<r><a>")
    let all = try await run("ferry convert 1.xml 2.xml 3.xml 4.json 5.xml --to json --out-dir out")
    #expect(all.errors.hasPrefix("5.xml:1:7: "), "\(all.errors)")
    #expect(
      try directory.text("out/1.json")
        == ##"{"r":{"a":["x"],"b":{"#content":[{"c":""}]},"p":["t"]}}"## + "\n")
    #expect(
      try directory.text("out/3.json")
        == ##"{"r":{"p":[{"#content":["t",{"i":""}]},{"@k":"1"}]}}"## + "\n")
    #expect(
      try await run("ferry convert 1.xml --to json").output == #"{"r":{"a":"x","b":{"c":""},"p":"t"}}"# + "\n"
    )
    // A named pipe cannot be read twice.
    let pipe = try await run("mkfifo f.xml; cat 1.xml > f.xml & ferry convert f.xml 2.xml --to jsonl")
    #expect(pipe.status == 0, "\(pipe.errors)")
    let piped = try await run("ferry convert - 2.xml --to jsonl < 1.xml")
    #expect(piped.status == 0 && piped.output == pipe.output, "\(piped.errors)")
    #expect(piped.output.contains(##""a":["x"]"##), "\(piped.output)")
  }

  @Test(arguments: [
    ("cat 2.xml |", ""), ("", "< 2.xml"), ("ferry convert 2.xml --to xml --compress gzip |", ""),
  ])
  func `What is a list in the standard input is a list in the files beside it`(
    _ writer: String, _ redirection: String
  ) async throws {
    try directory.write("1.xml", "<r><a>x</a><b><c/></b></r>")
    try directory.write("2.xml", "<r><a>x</a><a/><b><c/><d/><c/></b></r>")
    for names in ["1.xml -", "- 1.xml"] {
      let run = try await run(
        "\(writer) ferry convert \(names) --to json --out-dir out --force -q \(redirection)")
      #expect(run.status == 0 && run.errors == "", "\(run.errors)")
      #expect(
        try directory.text("out/1.json") == ##"{"r":{"a":["x"],"b":{"#content":[{"c":""}]}}}"## + "\n")
      #expect(
        try directory.text("out/stdin.json")
          == ##"{"r":{"a":["x",""],"b":{"#content":[{"c":""},{"d":""},{"c":""}]}}}"## + "\n")
    }
    // Other input is not read before its conversion.
    let lines = try await run("echo '[1]' | ferry convert - 1.xml --to json --out-dir out --force -q")
    #expect(lines.status == 0 && lines.errors == "", "\(lines.errors)")
    #expect(try directory.text("out/stdin.json") == "[1]\n")
  }

  @Test func `Documents in a given encoding have one form`() async throws {
    let files = "printf '<r><a>\\351</a></r>' > 1.xml; printf '<r><a>\\351</a><a/></r>' > 2.xml"
    expectQuiet(
      try await run("\(files); ferry convert 1.xml 2.xml --encoding ISO-8859-1 --to json --out-dir out -q"))
    #expect(try directory.text("out/1.json") == #"{"r":{"a":["é"]}}"# + "\n")
  }

  @Test func `An error in the standard input beside files has its line`() async throws {
    try directory.write("1.xml", "<r><a>x</a></r>")
    let run = try await run("printf '<r>\n<a></r>' | ferry convert - 1.xml --to json --out-dir out")
    #expect(run.status == 1 && run.errors.hasPrefix("standard input:2:"), "\(run.errors)")
    #expect(try directory.text("out/1.json") == #"{"r":{"a":"x"}}"# + "\n")
  }

  @Test func `Records are found by the name of their elements, whatever is between them`() async throws {
    try directory.write(
      "feed.xml",
      "<feed><title>t</title><entry><a>1</a><b>x <i>y</i></b></entry><x/><entry><a>2</a></entry></feed>")
    let lines = try await run("ferry convert feed.xml --to jsonl -q")
    #expect(
      lines.output
        == ##"{"a":"1","b":{"#content":["x ",{"i":"y"}]}}"## + "\n" + #"{"a":"2"}"# + "\n")
    #expect(
      try await run("ferry convert feed.xml --to csv -q").output
        == "a,b\n1,\"{\"\"#content\"\":[\"\"x \"\",{\"\"i\"\":\"\"y\"\"}]}\"\n2,\n")
    // Paths name elements, whose order stays as it is.
    #expect(try await run("ferry get feed.xml 'feed.entry[0].b.i'").output == "y\n")
    expectQuiet(try await run("ferry set feed.xml 'feed.entry[1].a' 3"))
    #expect(try directory.text("feed.xml").contains("<x/><entry><a>3</a></entry>"))
  }

  @Test func `The typed form has everything inside the elements`() async throws {
    let text = "<?x y?><r a=\"1\"><!-- c --><b><![CDATA[<]]> t</b></r><!-- d -->"
    try directory.write("r.xml", text)
    expectQuiet(try await run("ferry convert r.xml --to json --form typed -o r.json"))
    let back = try await run("ferry convert r.json --to xml")
    #expect(back.errors == "")
    #expect(back.output.split(separator: "\n").dropFirst().map { $0.drop { $0 == " " } }.joined() == text)
  }

  @Test func `Selected elements have their contents in order`() async throws {
    try directory.write("p.xml", "<r><p>a <b/><!-- c --></p><p>b</p></r>")
    for path in ["//p", "(//p)"] {
      #expect(
        try await run("ferry convert p.xml --select '\(path)' --to json --comments").output
          == ##"[{"#content":["a ",{"b":""},{"#comment":" c "}]},"b"]"## + "\n")
    }
  }

  @Test(arguments: [
    "check p.json --list a", "check p.json q.json --cdata", "check p.json --convention jsonml",
    "diff p.json q.json --html-entities",
    "diff p.json q.json --no-order", "set p.json r 2 --html-entities", "remove p.json r --html-entities",
    "schema infer p.json --html-entities", "schema check p.json --schema s.json --html-entities",
    "get p.json --namespaces strip", "get p.json r --list a", "get p.json --types attributes",
    "show p.json --order", "show p.json q.json --convention parker", "show p.json --html --namespaces strip",
    "show p.json --select r --ns a=u", "find 1 p.json --list a", "find 1 p.json q.json --types attributes",
  ])
  func `Every command refuses options for XML for inputs of other formats`(_ line: String) async throws {
    try directory.write("p.json", "{\"r\":1}")
    try directory.write("q.json", "{\"r\":2}")
    try directory.write("s.json", #"{"ferry":1,"name":"p","fields":[{"name":"r","type":"integer"}]}"#)
    let run = try await run("ferry \(line)")
    #expect(run.status == (line.hasPrefix("diff") || line.hasPrefix("find") ? 2 : 1), "\(line)")
    #expect(
      run.errors.contains(
        "p.json: the options for XML cannot be used, because the input is json (--from xml reads it as XML)"),
      "\(run.errors)")
    #expect(try directory.text("p.json") == "{\"r\":1}")
  }

  @Test(arguments: [
    "check p.json a.xml --list a", "check all --list a", "diff p.json a.xml --convention xmltodict",
    "diff p.json p.json --order", "schema check p.json a.xml --schema s.json --html-entities",
    "set a.xml r 2 --html-entities", "get a.xml --namespaces strip", "show p.json a.xml --namespaces strip",
    "show p.json --textconv --namespaces strip", "find 1 p.json a.xml --list a", "find 1 all --list a",
  ])
  func `Options for XML are accepted if an input is XML, and for the files of folders`(_ line: String)
    async throws
  {
    try directory.write("p.json", "{\"r\":1}")
    try directory.write("a.xml", "<r>1</r>")
    try directory.write("s.json", #"{"ferry":1,"name":"p","fields":[{"name":"r","type":"integer"}]}"#)
    try directory.makeDirectory("all")
    try directory.write("all/q.json", "{\"r\":1}")
    let run = try await run("ferry \(line)")
    #expect(!run.errors.contains("the options for XML") && run.status < 2, "\(run.errors)")
  }

  @Test(arguments: [
    "check p.json b.dat --list a", "find 1 p.json b.dat --list a", "show p.json b.dat --namespaces strip",
    "schema check p.json b.dat --schema s.json --html-entities",
  ])
  func `Options for XML are accepted beside compressed XML with any name`(_ line: String) async throws {
    try directory.write("p.json", "{\"r\":1}")
    try directory.write("a.xml", "<r>1</r>")
    try directory.write("s.json", #"{"ferry":1,"name":"p","fields":[{"name":"r","type":"integer"}]}"#)
    let run = try await run("gzip -c a.xml > b.dat; ferry \(line)")
    #expect(!run.errors.contains("the options for XML") && run.status < 2, "\(run.errors)")
  }

  @Test(arguments: [
    (
      "set p.json r 2 --types attributes",
      "--types attributes is for convert, show, check, find, diff and get"
    ),
    (
      "inspect p.json --types attributes",
      "--types attributes is for convert, show, check, find, diff and get"
    ),
    ("formats --types attributes", "--types attributes is for convert, show, check, find, diff and get"),
    ("show a.xml --ns a=u", "--ns needs --select XPATH"),
    ("convert a.xml --to json --ns a=u", "--ns needs --select XPATH"),
    ("schema infer a.xml --ns a=u", "--ns needs --select XPATH"),
    ("get a.xml --ns a=u", "--ns"), ("find 1 a.xml --ns a=u", "--ns"), ("check a.xml --ns a=u", "--ns"),
    ("diff a.xml a.xml --ns a=u", "--ns"),
  ])
  func `Options for XML are refused by commands on which they have no effect`(
    _ line: String, _ message: String
  )
    async throws
  {
    try directory.write("p.json", "{\"r\":1}")
    try directory.write("a.xml", "<r>1</r>")
    let run = try await run("ferry \(line)")
    #expect(run.status == 64 && run.output == "" && run.errors.contains(message), "\(run.errors)")
  }

  @Test func `A schema is inferred from elements of a namespace that an option binds`() async throws {
    try directory.write("a.xml", #"<r xmlns="u"><p><n>1</n></p><p><n>2</n></p></r>"#)
    let run = try await run("ferry schema infer a.xml --select //x:p --ns x=u")
    #expect(run.status == 0 && run.output.contains(#""name": "n""#), "\(run.errors)")
  }

  @Test func `Options for XML are refused for inputs of other formats`() async throws {
    try directory.write("p.json", "{\"r\":1}")
    for option in [
      "--list a", "--order", "--no-order", "--comments", "--cdata", "--namespaces strip", "--html-entities",
    ] {
      let run = try await run("ferry convert p.json --to yaml \(option)")
      #expect(run.status == 1, "\(option)")
      #expect(
        run.errors.contains(
          "the options for XML cannot be used, because the input is json (--from xml reads it as XML)"))
    }
    let other = try await run("ferry convert p.json --to yaml --convention jsonml --comments")
    #expect(other.status == 64)
    #expect(other.errors.contains("belong to Ferry's own convention (without --convention)"))
    for option in ["--convention jsonml", "--types attributes"] {
      let run = try await run("ferry convert p.json --to yaml \(option)")
      #expect(run.status == 1 && run.errors.contains("the output is not XML, either (use --to xml)"))
    }
    let names = try await run("ferry convert p.json --to yaml --namespaces expand")
    #expect(names.status == 1 && names.errors.contains("the output is not XML, either (use --to xml)"))
    let typed = try await run("ferry convert p.json --to xml --form typed --namespaces expand")
    #expect(typed.status == 1 && typed.errors.contains("the options for XML cannot be used"))
    #expect(try await run("ferry convert p.json --to xml --convention xmltodict").status == 0)
    // A folder may have files of several formats.
    try directory.makeDirectory("all")
    try directory.write("all/q.json", "{\"r\":1}")
    try directory.write("all/p.xml", "<p>a<b/></p>")
    let mixed = try await run("ferry convert -r all --to yaml --order --out-dir out -q")
    #expect(mixed.status == 0 && mixed.errors == "", "\(mixed.errors)")
  }

  @Test func `Options of Ferry's form are refused with another convention, and from XML to XML`() async throws
  {
    try directory.write("p.xml", "<r/>")
    for option in ["--order", "--comments", "--cdata", "--types attributes"] {
      let run = try await run("ferry convert p.xml --to json --convention jsonml \(option)")
      #expect(run.status == 64)
      #expect(run.errors.contains("to Ferry's own convention (without --convention)"))
    }
    let copy = try await run("ferry convert p.xml --to xml --order")
    #expect(copy.errors.contains("from XML to XML, everything stays as it is"))
  }
}
