import TestSupport
import Testing

/// XPaths of `ferry get`, and those of `convert --select` that select no elements.
@Suite(.temporaryDirectory) struct `XPaths in command lines` {
  private func makeBooks() throws {
    try directory.write(
      "books.xml",
      """
      <list>
        <book id="1" lang="en"><title>On Names</title><price>3</price></book>
        <book id="2"><title>A <i>B</i></title><price>4</price></book>
      </list>

      """)
  }

  @Test(arguments: [
    (["//book/@id"], "1\n2\n"), (["/list/book/price"], "3\n4\n"), (["//title/text()"], "On Names\nA \n"),
    (["//book[price > 3]/@id"], "2\n"), (["count(//book)"], "2\n"), (["string(//title)"], "On Names\n"),
    (["sum(//price)"], "7\n"), (["boolean(//book[@lang])"], "true\n"), (["/list/book[1]/@*"], "1\nen\n"),
    (["//@id", "//price"], "1\n2\n3\n4\n"), (["//book", "--count"], "2\n"),
    (["//nothing", "--count"], "0\n"),
    (["//nothing", "--default", "none"], "none\n"), (["//book[1]/title", "--bytes"], "On Names"),
    (["//book/@id", "--to", "json"], #"["1","2"]"# + "\n"), (["//price", "--to", "yaml"], "- '3'\n- '4'\n"),
    (["//book[1]"], #"{"@id":"1","@lang":"en","title":"On Names","price":"3"}"# + "\n"),
    ([" //book/@id"], "1\n2\n"), ([".//title/text()"], "On Names\nA \n"), (["1+count(//book)"], "3\n"),
    (["list/book[1]/price"], "3\n"), (["concat('a', 'b')"], "ab\n"),
    (["/list/book/0/@id"], "1\n"), (["#/list/book/1/price"], "4\n"), (["list.book[1].price"], "4\n"),
  ])
  func `get prints what an XPath selects from XML, one value a line`(_ arguments: [String], _ output: String)
    async throws
  {
    try makeBooks()
    for file in ["books.xml", "-"] {
      let input = file == "-" ? try directory.text("books.xml") : ""
      let run = try await ToolRun.ferry(["get", file] + arguments, input: Array(input.utf8))
      expectQuiet(run)
      #expect(run.output == output, "\(arguments) \(run)")
    }
  }

  @Test func `get writes what an XPath selects to a file, as XML with its contents`() async throws {
    try makeBooks()
    expectQuiet(try await ToolRun.ferry("get", "books.xml", "//book[2]/title", "-o", "t.xml"))
    #expect(
      try directory.text("t.xml")
        == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<title>A <i>B</i></title>\n")
    let none = try await ToolRun.ferry("get", "books.xml", "//nothing", "-o", "none.json")
    #expect(try none.status == 1 && !directory.names().contains("none.json"), "\(none)")
  }

  @Test func `Prefixes of an XPath have the namespaces of the document and of --ns`() async throws {
    try directory.write(
      "feed.xml",
      #"""
      <feed xmlns="urn:f" xmlns:l="urn:l" xml:lang="de"><entry l:href="a" href="b" xml:lang="en">1</entry></feed>
      """#)
    for (xpath, output) in [
      ("//f:entry/@x:href", "a\n"), ("//f:entry/@href", "b\n"), ("//_:entry/@l:href", "a\n"),
      ("//@xml:lang", "de\nen\n"), ("//f:entry/text()", "1\n"), ("count(//f:entry)", "1\n"),
    ] {
      let run = try await ToolRun.ferry("get", "feed.xml", xpath, "--ns", "f=urn:f", "--ns", "x=urn:l")
      expectQuiet(run)
      #expect(run.output == output, "\(xpath) \(run)")
    }
    let count = try await ToolRun.ferry("get", "feed.xml", "count(//entry)")
    #expect(count.status == 0 && count.output == "0\n", "\(count)")
    #expect(count.errors.contains("write _:name, or p:name with --ns p=urn:f"), "\(count)")
    let run = try await ToolRun.ferry("get", "feed.xml", "//entry/@href")
    #expect(run.status == 1 && run.output == "", "\(run)")
    #expect(run.errors.contains("write _:name, or p:name with --ns p=urn:f"), "\(run)")
  }

  @Test func `The error that nothing matches comes alone, or before the note that explains it`() async throws
  {
    try directory.write(
      "people.xml",
      #"<people><person id="1"><firstName>Ada</firstName><lastName>Lovelace</lastName></person></people>"#)
    try directory.write("feed.xml", #"<feed xmlns="urn:f"><entry/></feed>"#)
    let people = try await ToolRun.ferry("get", "people.xml", "//nothing")
    #expect(people.errors == "people.xml: nothing matches the XPath \"//nothing\"\n", "\(people)")
    let found = try await ToolRun.ferry("get", "people.xml", "//firstName")
    #expect(found.output == "Ada\n" && found.errors.contains("read by convention"), "\(found)")
    let selected = try await ToolRun.ferry("convert", "people.xml", "--select", "//nothing", "--to", "json")
    #expect(selected.errors == "people.xml: nothing matches --select\n", "\(selected)")
    let feed = try await ToolRun.ferry("get", "feed.xml", "//entry")
    #expect(
      feed.errors == """
        feed.xml: nothing matches the XPath "//entry"
        feed.xml: the elements are in the namespace "urn:f" (write _:name, or p:name with --ns p=urn:f)

        """, "\(feed)")
  }

  @Test(arguments: [
    ("get books.xml //nothing/@id", 1, #"books.xml: nothing matches the XPath "//nothing/@id""#),
    ("get books.xml //book/@xmlns:q", 64, #"(write a path, as in a["@xmlns:p"])"#),
    ("get books.xml //book/@xmlns", 1, #"(write a path, as in a["@xmlns"])"#),
    ("get books.xml //nothing --to json", 1, #"books.xml: nothing matches the XPath "//nothing""#),
    ("get books.xml //book --bytes", 1, "path.several-values"),
    ("get books.xml '//comment('", 64, "is not valid"),
    ("get books.xml //book list.book", 64, "list.book is a path"),
    ("get books.xml //book --keys", 64, "--keys takes a path"),
    ("get books.xml //@id //price --to json", 64, "join several by |"),
    ("get books.xml list.book --ns a=u", 64, "--ns needs an XPath"),
    (
      "get a.json //n", 1,
      #"the path "//n" is not valid at character 1: an XPath selects from XML; other formats take a path such as "#
        + "people[*].name (ferry find --key KEY prints the paths of the values for a key)"
    ),
    ("get a.json 'count(//n)'", 1, "an XPath selects from XML"),
    ("get a.json '/n[1]/@id'", 1, "an XPath selects from XML"), ("get a.json /m", 1, #"no key "m" here"#),
    ("get books.xml '//nothing[matches(@id, 1)]'", 64, #"XPath 1.0 has no function "matches""#),
    ("convert books.xml --select '(//nothing/@x)' --to xml", 1, "only elements can be written as XML here"),
    ("get a.json /n --ns a=u", 1, "the options for XML cannot be used"),
    ("get books.xml 'count(//book)' --count", 1, "a single value"),
    ("get books.xml //@id --to xml", 1, "only elements"),
    ("convert books.xml --select 'count(//book)' --to json --to-entries", 1, "a number"),
    ("convert books.xml --select //@id --to json --to-entries", 1, "a string"),
    ("convert books.xml --select //@id --to xml", 1, "only elements can be written as XML here"),
    ("convert books.xml --select //@id --to json --schema person", 1, "a schema describes elements"),
  ])
  func `A command line with an XPath that has no values or no meaning is refused`(
    _ line: String, _ status: Int, _ message: String
  ) async throws {
    try makeBooks()
    try directory.write("a.json", #"{"n":1}"#)
    let run = try await ToolRun.shell("ferry \(line)")
    let isSaid = message == "path.several-values" || run.errors.contains(message)
    #expect(run.status == status && run.output == "" && isSaid, "\(run)")
  }

  @Test func `A path that begins with a slash stays a JSON pointer in other formats`() async throws {
    let text = #"{"n":{"m":2},"l":[1]}"#
    try directory.write("a.json", text)
    for input in ["a.json", "-"] {
      let run = try await ToolRun.ferry("get", input, "/n/m", "/l/0", input: text)
      expectQuiet(run)
      #expect(run.output == "2\n1\n", "\(run)")
    }
  }

  // MARK: Changes

  private static let hosts = """
    <?xml version='1.0'?>
    <hosts>
      <host name="a" id='1'><port>80</port>  <!-- http --></host>
      <host name="b" id="2">
        <port proto = "tcp">443</port><port proto="udp"/>
      </host>
    </hosts>

    """

  @Test(arguments: [
    (["set", "//host[@name='a']/port", "8080"], [(">80<", ">8080<")], ""),
    (["set", "//host[2]/port[1]", "1 < 2"], [(">443<", ">1 &lt; 2<")], ""),
    (
      ["set", "//port[@proto='udp']", "53"], [(#"<port proto="udp"/>"#, #"<port proto="udp">53</port>"#)], ""
    ),
    (["set", "/hosts/host/@id", "7"], [("id='1'", "id='7'"), (#"id="2""#, #"id="7""#)], "2 values set"),
    (
      ["set", "//port[.=80]/text()", "81", "//port[.=81]", "82", "hosts.host[0].@id", "3"],
      [("80", "82"), ("'1'", "'3'")], ""
    ),
    (["remove", "//port/@proto"], [(#" proto = "tcp""#, ""), (#" proto="udp""#, "")], "2 values removed"),
    (["remove", "//port[.=443]"], [(#"<port proto = "tcp">443</port>"#, "")], ""),
    (["remove", "//host[port=80]/port/text()"], [("<port>80</port>", "<port/>")], ""),
    (["set", "/hosts/host/0/@id", "5"], [("'1'", "'5'")], ""),
  ])
  func `set and remove change what an XPath selects, and nothing else in the text`(
    _ arguments: [String], _ changes: [(String, String)], _ message: String
  ) async throws {
    try await expectEdit(arguments, changes, message)
  }

  /// Checks that a change of a document replaces these texts in it, prints this message, and changes nothing as a dry run.
  private func expectEdit(
    _ arguments: [String], _ changes: [(String, String)], _ message: String
  ) async throws {
    try directory.write("hosts.xml", Self.hosts)
    let all = [arguments[0], "hosts.xml"] + arguments.dropFirst()
    let dry = try await ToolRun.ferry(all + ["-n"])
    #expect(dry.status == 0 && dry.output == "", "\(dry)")
    #expect(try directory.text("hosts.xml") == Self.hosts)
    let run = try await ToolRun.ferry(all)
    #expect(run.status == 0 && run.output == "", "\(run)")
    #expect(run.errors == (message.isEmpty ? "" : "hosts.xml: \(message)\n"), "\(run)")
    var expected = Self.hosts
    for (old, new) in changes { expected = expected.replacing(old, with: new) }
    #expect(try directory.text("hosts.xml") == expected, "\(arguments)")
  }

  private static let additions: [(arguments: [String], changes: [(String, String)], message: String)] = [
    (
      ["insert", "//host/os", "linux"],
      [
        ("<!-- http --></host>", "<!-- http --><os>linux</os></host>"),
        (#"<port proto="udp"/>"#, #"<port proto="udp"/><os>linux</os>"#),
      ], "2 values inserted"
    ),
    (["insert", "//host[1]/@os", "x"], [("id='1'", #"id='1' os="x""#)], ""),
    (["insert", "//host[@name='a']/port[1]", "8443"], [("<port>80", "<port>8443</port><port>80")], ""),
    (
      ["insert", "//host[1]/@os", "x", "hosts.host[1].@os", "y"],
      [("id='1'", #"id='1' os="x""#), (#"id="2""#, #"id="2" os="y""#)], ""
    ),
    (
      ["set", "//port/@proto", "sctp", "--insert"],
      [
        (#""tcp""#, #""sctp""#), (#""udp""#, #""sctp""#), ("<port>80", #"<port proto="sctp">80"#),
      ], "3 values set"
    ),
    (
      ["move", "//host/@id", "//host/id"],
      [
        (" id='1'", ""), (#" id="2""#, ""), ("<!-- http --></host>", "<!-- http --><id>1</id></host>"),
        (#"<port proto="udp"/>"#, #"<port proto="udp"/><id>2</id>"#),
      ], "2 values moved"
    ),
    (["move", "//host/port", "//host/p"], [("<port", "<p"), ("</port", "</p")], "3 values moved"),
    (
      ["move", "//host/@id", "//host/@name", "--replace"],
      [(#"name="a" id='1'"#, #"name="1""#), (#"name="b" id="2""#, #"name="2""#)], "2 values moved"
    ),
    (
      ["move", "//host[1]/port", "hosts.host[1].http"],
      [
        ("<port>80</port>  ", ""), (#"<port proto="udp"/>"#, #"<port proto="udp"/><http>80</http>"#),
      ], ""
    ),
    (
      ["copy", "//host/@id", "//host/@key"],
      [("id='1'", #"id='1' key="1""#), (#"id="2""#, #"id="2" key="2""#)], "2 values copied"
    ),
  ]

  @Test(arguments: additions)
  func `insert, set --insert, move and copy add the name at the end of an XPath, and change nothing else`(
    _ arguments: [String], _ changes: [(String, String)], _ message: String
  ) async throws {
    try await expectEdit(arguments, changes, message)
  }

  private static let refusedAdditions: [(line: String, status: Int, message: String)] = [
    ("insert hosts.xml //host/port 1", 1, "already"), ("insert hosts.xml //host/@id 1", 1, "already exists"),
    ("insert hosts.xml //none/x 1", 1, #"nothing matches the XPath "//none""#),
    ("insert hosts.xml '//host[7]' 1", 1, #"nothing matches the XPath "//host[7]""#),
    (
      "insert hosts.xml '(//host/none)[1]' 1", 1,
      "a new element goes before each that it selects (write the name of a new element or attribute last, as in //book/lang"
    ),
    ("move hosts.xml '//host[2]' '/hosts/host[1]'", 1, "write the path of this element: hosts.host[0])"),
    ("move hosts.xml '//host[2]' '/hosts/*[9]'", 1, "or a path with its index in a list"),
    ("set hosts.xml //host/@xmlns:q 1", 64, #"(write a path, as in a["@xmlns:p"])"#),
    ("set hosts.xml //host/@xmlns 1", 1, #"(write a path, as in a["@xmlns"])"#),
    ("insert hosts.xml //x 1", 1, "its last // means all elements"),
    ("set hosts.xml //none/x 1 --insert", 1, #"nothing matches the XPath "//none""#),
    ("set hosts.xml '//host/x | //port/x' 1 --insert", 1, "a union has several places"),
    (#"insert hosts.xml //host/@os '{"a":1}' --type json"#, 1, "an attribute is a text"),
    ("insert hosts.xml //host/x 1 //host/x 2", 1, "already exists"),
    ("insert hosts.xml 'hosts.host[0].@os' 1 --ns a=u", 64, "--ns needs"),
    ("move hosts.xml //host/port //hosts/port", 1, "3 values are selected"),
    ("move hosts.xml //host/port //host/@port", 1, "an attribute is a text"),
    ("move hosts.xml //none hosts.x", 1, #"nothing matches the XPath "//none""#),
    ("move hosts.xml //host/@id //none/x", 1, #"nothing matches the XPath "//none""#),
    ("move hosts.xml //host/@id hosts.x", 1, "2 values are selected"),
    ("copy hosts.xml //host/@id //host/@name", 1, "already exists (--replace"),
    ("copy hosts.xml //host/@id '//host[1]'", 1, "is not a name"),
    ("copy a.json '//n[1]/m' n", 1, "a.json: "), ("insert a.json '//n[1]/m' 1", 1, "a.json: "),
  ]

  @Test(arguments: refusedAdditions)
  func `A new value at an XPath that does not say where it goes leaves the file as it is`(
    _ line: String, _ status: Int, _ message: String
  ) async throws {
    try directory.write("hosts.xml", Self.hosts)
    try directory.write("a.json", #"{"n":1}"#)
    let run = try await ToolRun.shell("ferry \(line)")
    #expect(run.status == status && run.errors.contains(message), "\(run)")
    #expect(try directory.text("hosts.xml") == Self.hosts && directory.text("a.json") == #"{"n":1}"#)
  }

  @Test(arguments: [
    ("set a.json //n 1", 1, #"the path "//n" is not valid at character 1: an XPath selects from XML"#),
    ("insert a.json //m 1", 1, "an XPath selects from XML"),
    ("set hosts.xml //nothing 1", 1, #"hosts.xml: nothing matches the XPath "//nothing""#),
    ("remove hosts.xml //nothing", 1, #"hosts.xml: nothing matches the XPath "//nothing""#),
    ("set hosts.xml 'count(//port)' 1", 1, "selects no nodes to change"),
    ("remove hosts.xml '//comment()'", 1, "selects a comment"),
    ("set hosts.xml '//port[' 1", 64, "is not valid"),
    ("set hosts.xml //host 1", 1, "--type json"),
    ("set hosts.xml hosts.host[0].@id 1 --ns a=u", 64, "--ns needs"),
    ("remove hosts.xml /hosts", 1, "hosts.xml: "), ("set a.json '//n[1]/m' 1", 1, "a.json: "),
    ("set a.json 'count(//n)' 1", 1, "a.json: no key"),
    ("set a.json /n 1 --ns a=u", 1, "options for XML"),
    ("set hosts.xml //port 1 'hosts.host[7].port' 2", 1, "hosts.host"),
    (#"set hosts.xml '/hosts/host[@id="none"]' 1 --insert"#, 1, "nothing matches the XPath"),
    ("set hosts.xml '/hosts/host/none()' 1 --insert", 64, "hosts.xml: "),
  ])
  func `A change at an XPath without values leaves the file as it is`(
    _ line: String, _ status: Int, _ message: String
  ) async throws {
    try directory.write("hosts.xml", Self.hosts)
    try directory.write("a.json", #"{"n":1}"#)
    let run = try await ToolRun.shell("ferry \(line)")
    #expect(run.status == status && run.errors.contains(message), "\(run)")
    #expect(try directory.text("hosts.xml") == Self.hosts && directory.text("a.json") == #"{"n":1}"#)
  }

  @Test func `A note names what is a list in some of the selected elements and single in others`()
    async throws
  {
    try directory.write(
      "a.xml",
      "<r><i><t>1</t></i><i><t>2</t><t>3</t></i><i><t>4</t><b><c>5</c></b></i><i><b><c/><c/></b></i></r>")
    let note = "\"t\" is a list in some of the selected elements, and a single value in others"
    for (arguments, note) in [
      (
        "convert a.xml --select //i --to json",
        "\(note); 1 other path is, too (--list t makes a list in all of them)"
      ),
      (
        "convert a.xml --select '//i[count(t)>0]' --to jsonl",
        "\(note) (--list t makes a list in all of them)"
      ),
      ("get a.xml //i", "\(note); 1 other path is, too (--list t makes a list in all of them)"),
    ] {
      let run = try await ToolRun.shell("ferry \(arguments)")
      #expect(run.status == 0 && run.errors == "a.xml: \(note)\n", "\(arguments): \(run)")
    }
    try directory.write("b.xml", "<r><i><t>1</t></i><i><t>2</t><u/><t>3</t></i></r>")
    let ordered = try await ToolRun.ferry("convert", "b.xml", "--select", "//i", "--to", "json")
    #expect(
      ordered.output == ##"[{"t":"1"},{"#content":[{"t":"2"},{"u":""},{"t":"3"}]}]"## + "\n"
        && ordered.errors == "",
      "\(ordered)")
    for arguments in [
      "--list t --list b.c --to json", "--select //b --list c --to json",
      "--to json",
      "--to json --quiet", "--to xml --root all",
    ] {
      let select = arguments.contains("--select") || arguments == "--to json" ? "" : "--select //i"
      let run = try await ToolRun.shell("ferry convert a.xml \(select) \(arguments)")
      #expect(run.status == 0 && !run.errors.contains("is a list"), "\(arguments): \(run)")
    }
  }

  @Test
  func `A note names what is a list in the selected elements of one file and single in those of another`()
    async throws
  {
    try directory.write("a.xml", "<l><b><author>1</author><author>2</author></b></l>")
    try directory.write("b.xml", "<l><b><author>1</author></b></l>")
    let note =
      "\"author\" is a list in some of the selected elements, and a single value in others "
      + "(--list author makes a list in all of them)"
    for (arguments, isNoted) in [
      ("a.xml b.xml --join --to json", true), ("a.xml b.xml --to json", true),
      ("b.xml a.xml --to yaml --out-dir out", true), ("a.xml b.xml --join --to json --list author", false),
      ("a.xml a.xml --join --to json", false), ("a.xml b.xml --join --to xml", false),
      ("a.xml b.xml --split --to json --out-dir records", true),
    ] {
      let run = try await ToolRun.shell("ferry convert \(arguments) --select //b")
      let file = arguments.prefix(5)
      #expect(
        run.errors.ranges(of: "\(file): \(note)\n").count == (isNoted ? 1 : 0), "\(arguments): \(run)")
    }
  }

  @Test func `Prefixes of an XPath for a change have the namespaces of --ns`() async throws {
    try directory.write("feed.xml", #"<feed xmlns="urn:f"><entry href="a"/></feed>"#)
    let none = try await ToolRun.ferry("set", "feed.xml", "//entry/@href", "b")
    let advice = #"the elements are in the namespace "urn:f" (write _:name, or p:name with --ns p=urn:f)"#
    #expect(none.status == 1 && none.errors.contains(advice), "\(none)")
    expectQuiet(try await ToolRun.ferry("set", "feed.xml", "//f:entry/@href", "b", "--ns", "f=urn:f"))
    #expect(try directory.text("feed.xml") == #"<feed xmlns="urn:f"><entry href="b"/></feed>"#)
    expectQuiet(try await ToolRun.ferry("set", "feed.xml", "/feed/entry/@href", "c"))
    #expect(try directory.text("feed.xml") == #"<feed xmlns="urn:f"><entry href="c"/></feed>"#)
    expectQuiet(try await ToolRun.ferry("insert", "feed.xml", "/feed/entry/@id", "1"))
    expectQuiet(
      try await ToolRun.ferry("move", "feed.xml", "//f:entry/@id", "//f:entry/@key", "--ns", "f=urn:f"))
    #expect(try directory.text("feed.xml") == #"<feed xmlns="urn:f"><entry href="c" key="1"/></feed>"#)
  }

  @Test func `A document without a default namespace has no value at an XPath with its prefix`() async throws
  {
    try directory.makeDirectory("t")
    for (name, text) in [("a.xml", "<r><n>1</n></r>"), ("b.xml", "<r xmlns='urn:x'><n>1</n></r>")] {
      try directory.write("t/\(name)", text)
    }
    let run = try await ToolRun.ferry("set", "t", "//_:n", "3", "-r")
    #expect(run.status == 0 && run.errors == "1 of 2 files changed, 1 has no value at the path\n", "\(run)")
  }

  @Test func `An XPath changes the files of a folder that have what it selects`() async throws {
    try directory.makeDirectory("t")
    for (name, text) in [("a.xml", "<r><n>1</n><n>2</n></r>"), ("b.xml", "<r/>"), ("c.json", #"{"n":1}"#)] {
      try directory.write("t/\(name)", text)
    }
    let run = try await ToolRun.ferry("set", "t", "//n[.=1]", "3", "-r")
    #expect(run.status == 0, "\(run)")
    #expect(run.errors.contains("1 of 3 files changed, 2 have no value at the path"), "\(run)")
    #expect(try directory.text("t/a.xml") == "<r><n>3</n><n>2</n></r>")
    let insertion = try await ToolRun.ferry("insert", "t", "//n/@k", "4", "-r")
    #expect(insertion.status == 0, "\(insertion)")
    #expect(insertion.errors.contains("1 of 3 files changed, 2 have no value at the path"), "\(insertion)")
    #expect(try directory.text("t/a.xml") == #"<r><n k="4">3</n><n k="4">2</n></r>"#)
    let removal = try await ToolRun.shell("ferry remove - //n -o - < t/a.xml")
    #expect(removal.status == 0 && removal.output == "<r></r>", "\(removal)")
  }

  @Test(arguments: [
    "get books.xml '//['", "get books.xml '//[' --count", "set books.xml '//[' x", "remove books.xml '//['",
    "move books.xml '//[' //x", "convert books.xml --to json --select '//['",
    "convert books.xml books.xml --join --to json --select '//['",
    "schema check books.xml --schema person --select '//['",
    "schema check books.xml books.xml --schema person --select '//['",
    "schema infer books.xml --select '//['", "schema infer books.xml books.xml --select '//['",
    "set --files-from - '//[' x < list",
  ])
  func `An XPath that is not valid is a mistake in the command line, and named once`(_ line: String)
    async throws
  {
    try makeBooks()
    try directory.write("list", "books.xml\n")
    let run = try await ToolRun.shell("ferry \(line)")
    #expect(run.status == 64 && run.output == "", "\(line): \(run)")
    #expect(run.errors.split(separator: "//[").count == 2, "\(line): \(run)")
    #expect(run.errors.contains("is not valid: it is not an XPath 1.0 expression"), "\(line): \(run)")
  }

  @Test func `Of several XPaths, each sets the values of the document after the ones before it`() async throws
  {
    try makeBooks()
    let sets =
      "'//book[price=3]/price' 4 '//book[price=4]/price' 5 '//book[@id=2]/@id' 7 '//book[@id=7]/price' 9"
    let run = try await ToolRun.shell(
      "ferry set books.xml \(sets) && ferry get books.xml //price //@id")
    #expect(run.status == 0 && run.output == "5\n9\n1\n7\n", "\(run)")
  }
}
