import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Records of several inputs in one output` {
  private static let ada =
    "<people><person><firstName>Ada</firstName><lastName>Lovelace</lastName></person></people>\n"
  private static let all =
    folksJSON.dropLast(2) + #",{"firstName":"Ada","lastName":"Lovelace"}]"# + "\n"

  @Test func `The records of all inputs are one list in the order of the command line`() async throws {
    try directory.write("folks.xml", folks)
    try directory.write("ada.xml", Self.ada)
    try await expect(
      "ferry convert folks.xml ada.xml --join -o all.json && cat all.json", String(Self.all),
      errors: "2 converted, 0 failed\n")
    try await expect(
      "ferry convert ada.xml folks.xml --join --to jsonl -q | tail -n 1",
      #"{"firstName":"Dudley","lastName":"Doright"}"# + "\n")
    try await expect(
      "printf 'folks.xml\\nada.xml\\n' | ferry convert --files-from - --join --to json -q", String(Self.all))
  }

  @Test func `Inputs of different formats become one document by a schema`() async throws {
    try directory.write("folks.xml", folks)
    try directory.write("ada.csv", "firstName,lastName\nAda,Lovelace\n")
    try directory.write("grace.json", #"{"firstName":"Grace","lastName":"Hopper"}"#)
    expectQuiet(
      try await .ferry("convert", "folks.xml", "ada.csv", "grace.json", "--join", "-o", "all.pplgrp", "-q"))
    let whole = Self.all.dropLast(2) + #",{"firstName":"Grace","lastName":"Hopper"}]"# + "\n"
    try await expect("ferry convert all.pplgrp --to json", String(whole))
    try await expect(
      "ferry convert folks.xml ada.csv grace.json --join --schema person --to xml -q | ferry convert --to json",
      String(whole))
    try await expect("ferry convert all.pplgrp --join --to json", String(whole))
  }

  @Test func `Dates and data keep their types`() async throws {
    let plist = """
      <plist version="1.0"><array><dict><key>at</key><date>2020-01-02T03:04:05Z</date>\
      <key>bytes</key><data>AQI=</data></dict></array></plist>
      """
    try directory.write("a.plist", plist)
    try directory.write("b.json", #"[{"n":1}]"#)
    for output in ["o.plist", "o.yaml", "o.json --form typed", "o.archive"] {
      let run = try await ToolRun.shell(
        "ferry convert a.plist b.json a.plist --join -o \(output) -q && ferry convert o.* --to plist-xml; rm o.*"
      )
      let parts = [
        "<date>2020-01-02T03:04:05Z</date>", "<data>\n\t\tAQI=", "<integer>1</integer>",
        "<date>2020-01-02T03:04:05Z</date>", "<data>\n\t\tAQI=",
      ]
      var rest = run.output[...]
      for part in parts {
        let found = rest.range(of: part)
        #expect(found != nil, "\(output): \(part) in \(run)")
        if let found { rest = rest[found.upperBound...] }
      }
    }
  }

  @Test func `Joined XML has the names that all inputs have in common`() async throws {
    try directory.write("a.xml", "<team><member><n>1</n></member><member><n>2</n></member></team>")
    try directory.write("b.xml", "<team year='1'><member id='x'/></team>")
    try directory.write("c.xml", "<club><member><n>3</n></member></club>")
    try directory.write("d.xml", "<team><guest><n>4</n></guest></team>")
    try directory.write("e.json", #"[{"n":5}]"#)
    func text(_ root: String, _ records: [String]) -> String {
      ([#"<?xml version="1.0" encoding="UTF-8"?>"#, "<\(root)>"] + records.map { "  \($0)" } + [
        "</\(root)>", "",
      ])
      .joined(separator: "\n")
    }
    func record(_ name: String, _ number: Int) -> String {
      "<\(name)>\n    <n>\(number)</n>\n  </\(name)>"
    }
    try await expect(
      "ferry convert a.xml c.xml a.xml --join --to xml -q",
      text("root", [1, 2, 3, 1, 2].map { record("member", $0) }))
    try await expect(
      "ferry convert a.xml b.xml --join --to xml -q",
      text("team", [1, 2].map { record("member", $0) } + [#"<member id="x"/>"#]))
    try await expect(
      "ferry convert a.xml a.xml --join --to xml --strict",
      text("team", [1, 2, 1, 2].map { record("member", $0) }), errors: "2 converted, 0 failed\n")
    for others in ["d.xml", "e.json", "- < d.xml"] {
      let number = others == "e.json" ? 5 : 4
      try await expect(
        "ferry convert a.xml \(others) --join --to xml -q",
        text("root", [1, 2, number].map { record("item", $0) }))
    }
    try await expect(
      "ferry convert a.xml d.xml --join --to xml -q --item person --root people",
      text("people", [1, 2, 4].map { record("person", $0) }))
    try await expect(
      "ferry convert a.xml a.xml --join --to xml -q --item person",
      text("team", [1, 2, 1, 2].map { record("person", $0) }))
    try await expect(
      "ferry convert a.xml c.xml b.xml --join --to xml -q | ferry convert -f xml --to jsonl -q",
      [#"{"n":"1"}"#, #"{"n":"2"}"#, #"{"n":"3"}"#, #"{"@id":"x"}"#, ""].joined(separator: "\n"))
    try await expect(
      "mkdir f && cp a.xml f && echo 'a note' > f/notes.txt && ferry convert -r f --join --to xml -q",
      text("team", [1, 2].map { record("member", $0) }))
  }

  @Test func `A file of no records adds none, and the others keep their names`() async throws {
    try directory.write("a.xml", "<books><book id='1'><t>a</t></book></books>")
    try directory.write("b.xml", "<books><!-- none --></books>")
    try await expect("ferry convert a.xml b.xml --join --to json -q", #"[{"@id":"1","t":"a"}]"# + "\n")
    for empty in ["<books/>", "<books>\n</books>"] {
      try directory.write("b.xml", empty)
      for inputs in ["a.xml b.xml", "b.xml a.xml", "a.xml - < b.xml"] {
        try await expect("ferry convert \(inputs) --join --to json -q", #"[{"@id":"1","t":"a"}]"# + "\n")
      }
      for inputs in ["a.xml b.xml", "b.xml a.xml"] {
        try await expect(
          "ferry convert \(inputs) --join --to xml --indent 0 --strict -q",
          """
          <?xml version="1.0" encoding="UTF-8"?>
          <books>
          <book id="1">
          <t>a</t>
          </book>
          </books>

          """)
      }
      try await expect("ferry convert b.xml b.xml --join --to json -q", "[]\n")
      try await expect(
        "ferry convert b.xml b.xml --join --to xml --strict -q",
        #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n<books/>\n")
    }
    try directory.write("c.xml", "<books n='0'><note>x</note></books>")
    try await expect(
      "ferry convert a.xml c.xml --join --to json -q",
      #"[{"books":{"book":{"@id":"1","t":"a"}}},{"books":{"@n":"0","note":"x"}}]"# + "\n")
  }

  @Test func `Records that were split from a list come back when their files are joined`() async throws {
    for record in [
      "<name>A</name><address><city>X</city></address>", "<address><city>X</city></address>",
      "<address><city>X</city><zip k='1'/></address>",
    ] {
      let records = [1, 2].map { "<person id='\($0)'>\(record)</person>" }
      try directory.write("all.xml", "<people>\(records.joined())</people>")
      let line = "ferry convert all.xml --split --to xml --out-dir o --force -q"
      let joined = "ferry convert o/all-1.xml o/all-2.xml --join --to xml --root people -q"
      let run = try await ToolRun.shell(
        "\(line) && \(joined) -o joined.xml --force && ferry diff all.xml joined.xml")
      #expect(run.status == 0, "\(record): \(run)")
    }
    try directory.write("a.xml", "<p i='1'><a><c/></a></p>")
    try directory.write("b.xml", "<p i='2'><a><c/></a></p>")
    let records = #"{"p":{"@i":"1","a":{"c":""}}}"# + "\n" + #"{"p":{"@i":"2","a":{"c":""}}}"# + "\n"
    try await expect(
      "ferry convert a.xml b.xml --join --to jsonl -q", records)
    // A list in one of the files is one in all of them.
    try directory.write("c.xml", "<p><a><c>1</c></a><a><c>2</c></a></p>")
    try await expect(
      "ferry convert a.xml c.xml --join --to jsonl -q",
      [#"{"c":""}"#, #"{"c":"1"}"#, #"{"c":"2"}"#, ""].joined(separator: "\n"))
    // A record does not include the location of a schema.
    try directory.write(
      "d.xml",
      "<p xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:noNamespaceSchemaLocation='p.xsd'><a k='1'/></p>"
    )
    try await expect(
      "ferry convert d.xml d.xml --join --to jsonl -q", #"{"@k":"1"}"# + "\n" + #"{"@k":"1"}"# + "\n")
  }

  @Test func `Elements of one namespace have one name, whatever their prefixes are`() async throws {
    try directory.write("a.xml", "<p:l xmlns:p='urn:a'><p:r i='1'><p:n/></p:r></p:l>")
    try directory.write("b.xml", "<q:l xmlns:q='urn:a'><q:r i='2'><q:n/></q:r></q:l>")
    try directory.write("c.xml", "<l xmlns='urn:a'><r i='3'><n/></r></l>")
    try directory.write("d.xml", "<p:l xmlns:p='urn:other'><p:r i='4'/></p:l>")
    func record(_ prefix: String, _ number: Int, _ inner: String, _ declaration: String = "") -> String {
      "<\(prefix):r i=\"\(number)\"\(declaration)>\n<\(inner)/>\n</\(prefix):r>\n"
    }
    for (inputs, expected) in [
      (
        "a.xml b.xml",
        "<p:l xmlns:p=\"urn:a\" xmlns:q=\"urn:a\">\n" + record("p", 1, "p:n") + record("p", 2, "q:n")
          + "</p:l>"
      ),
      (
        "b.xml a.xml",
        "<q:l xmlns:q=\"urn:a\" xmlns:p=\"urn:a\">\n" + record("q", 2, "q:n") + record("q", 1, "p:n")
          + "</q:l>"
      ),
      (
        "c.xml a.xml",
        "<p:l xmlns:p=\"urn:a\">\n" + record("p", 3, "n", " xmlns=\"urn:a\"") + record("p", 1, "p:n")
          + "</p:l>"
      ),
    ] {
      let run = try await ToolRun.shell("ferry convert \(inputs) --join --to xml --indent 0 -q")
      #expect(run.output.contains(expected), "\(inputs): \(run)")
    }
    let other = try await ToolRun.shell("ferry convert b.xml d.xml --join --to xml -q")
    #expect(other.status == 0 && other.output.contains("<item i=\"4\""), "\(other)")
  }

  @Test func `Declarations around no records are reported if the output does not have them`() async throws {
    try directory.write("a.xml", "<l xmlns:p='urn:a'><r p:i='1'/><r/></l>")
    try directory.write("b.xml", "<l xmlns:p='urn:b'/>")
    try directory.write("c.xml", "<l xmlns:q='urn:c'/>")
    let run = try await ToolRun.shell("ferry convert a.xml b.xml --join --to xml")
    #expect(run.errors.contains("b.xml: not exact: values beside the records are left out (1)"), "\(run)")
    let kept = try await ToolRun.shell("ferry convert a.xml c.xml --join --to xml")
    #expect(kept.output.contains("xmlns:q=\"urn:c\"") && !kept.errors.contains("left out"), "\(kept)")
  }

  @Test func `The error of an attribute after contents names a schema for all inputs`() async throws {
    try directory.write("a.xml", "<l><r y='1'><x>1</x></r><r><x>2</x></r></l>")
    try directory.write("b.json", #"[{"x":1,"y":2},{"x":1,"y":3}]"#)
    let run = try await ToolRun.shell("ferry convert a.xml b.json --infer --join --to xml")
    #expect(
      run.status == 1 && run.errors.contains("(--schema FILE, such as one of ferry schema infer"), "\(run)")
    let done = try await ToolRun.shell(
      "ferry schema infer a.xml -o s.json -q; ferry convert a.xml b.json --schema s.json --join --to xml -q")
    #expect(done.status == 0 && done.output.contains("<r y=\"3\">"), "\(done)")
  }

  @Test func `An empty root element is a record if no input has a list in an element of its name`()
    async throws
  {
    try directory.write("a.xml", "<books><book><t>a</t></book></books>")
    try directory.write("o.xml", "<other/>")
    try directory.write("b.xml", "<books/>")
    try directory.write("j.json", "[1]")
    let (book, other) = (#"{"t":"a"}"#, #"{"other":""}"#)
    for join in ["", "--join"] {
      for (inputs, records) in [
        ("o.xml a.xml", [other, book]), ("a.xml o.xml b.xml", [book, other]),
        ("b.xml o.xml", [#"{"books":""}"#, other]), ("b.xml j.json", [#"{"books":""}"#, "1"]),
        ("b.xml b.xml", []),
      ] {
        try await expect(
          "ferry convert \(inputs) \(join) --to jsonl -q", records.map { $0 + "\n" }.joined())
      }
    }
    try await expect(
      "ferry convert o.xml a.xml --join --to xml -q | ferry convert -f xml --to jsonl -q",
      "\(other)\n\(book)\n")
  }

  @Test func `A document with only a text is a record, also beside an empty one`() async throws {
    try directory.write("a.xml", "<t>a</t>")
    try directory.write("b.xml", "<t/>")
    for option in ["", "--order", "--no-order"] {
      try await expect(
        "ferry convert a.xml b.xml --join --to json -q \(option)", #"[{"t":"a"},{"t":""}]"# + "\n")
    }
    try directory.write("c.xml", "<t><x i='1'/><x i='2'/></t>")
    try await expect(
      "ferry convert a.xml c.xml --join --to json -q", #"[{"t":"a"},{"@i":"1"},{"@i":"2"}]"# + "\n")
  }

  @Test func `The records are the same in XML as in other formats`() async throws {
    try directory.write("a.xml", "<feed xmlns='urn:a'><entry><t>1</t></entry><entry/></feed>")
    try directory.write("b.xml", "<feed xmlns='urn:b' v='2'><entry><t>2</t></entry><n/></feed>")
    try directory.write("c.xml", "<feed><entry>x</entry><n/></feed>")
    let records = [#"{"t":"1"}"#, "\"\"", #"{"t":"2"}"#, "\"x\"", ""].joined(separator: "\n")
    try await expect("ferry convert a.xml b.xml c.xml --join --to jsonl -q", records)
    let withoutNamespaces = "ferry convert -f xml --namespaces strip --to jsonl -q"
    try await expect(
      "ferry convert a.xml b.xml c.xml --join --to xml -q | \(withoutNamespaces)", records)
    try await expect(
      "ferry convert a.xml b.xml - --join --to xml -q < c.xml | \(withoutNamespaces)", records)
  }

  @Test func `Joined XML keeps the namespaces that the root elements of all inputs declare`() async throws {
    try directory.write(
      "a.xml", "<b:books xmlns:b='urn:q'><b:book b:i='1' x='0'><b:t>a</b:t></b:book></b:books>")
    try directory.write(
      "b.xml", "<b:books xmlns:b='urn:q' xmlns:c='urn:c'><b:book c:i='2'/><b:book/></b:books>")
    try await expect(
      "ferry convert a.xml b.xml --join --to xml --strict",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <b:books xmlns:b="urn:q" xmlns:c="urn:c">
        <b:book b:i="1" x="0">
          <b:t>a</b:t>
        </b:book>
        <b:book c:i="2"/>
        <b:book/>
      </b:books>

      """, errors: "2 converted, 0 failed\n")
    try directory.write("c.xml", "<feed xmlns='urn:a'><entry><t>1</t></entry></feed>")
    try await expect(
      "ferry convert c.xml c.xml --join --to xml --strict -q --indent 0",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <feed xmlns="urn:a">
      <entry>
      <t>1</t>
      </entry>
      <entry>
      <t>1</t>
      </entry>
      </feed>

      """)
    try directory.write("d.xml", "<b:books xmlns:b='urn:other'><b:book b:i='4'/></b:books>")
    let other = try await ToolRun.shell("ferry convert a.xml d.xml --join --to xml --indent 0 -q")
    let (first, last) = (
      "<b:book b:i=\"1\" x=\"0\" xmlns:b=\"urn:q\">\n<b:t>a</b:t>\n</b:book>",
      "<b:book b:i=\"4\" xmlns:b=\"urn:other\"/>"
    )
    #expect(other.output.hasSuffix("<root>\n\(first)\n\(last)\n</root>\n"), "\(other)")
    try directory.write("e.xml", "<other xmlns:b='urn:q'><page b:n='5'/></other>")
    let records = "<b:book b:i=\"1\" x=\"0\">\n<b:t>a</b:t>\n</b:book>\n<b:book c:i=\"2\"/>\n<b:book/>\n"
    for (arguments, expected) in [
      ("c.xml c.xml --root all", "<all xmlns=\"urn:a\">\n<entry>\n<t>1</t>\n</entry>\n"),
      ("a.xml b.xml --root all", "<all xmlns:b=\"urn:q\" xmlns:c=\"urn:c\">\n\(records)</all>"),
      ("a.xml b.xml --root b:all", "<b:all xmlns:b=\"urn:q\" xmlns:c=\"urn:c\">\n\(records)</b:all>"),
      (
        "e.xml a.xml",
        "<root xmlns:b=\"urn:q\">\n<item b:n=\"5\"/>\n<item b:i=\"1\" x=\"0\">\n<b:t>a</b:t>\n</item>\n</root>"
      ),
    ] {
      let run = try await ToolRun.shell("ferry convert \(arguments) --join --to xml --indent 0 -q")
      #expect(run.output.contains(expected), "\(arguments): \(run)")
    }
  }

  @Test func `Elements that an XPath selects keep their names and namespaces`() async throws {
    try directory.write(
      "a.xml", "<r xmlns:d='urn:d'><c><i><d:by>X</d:by></i><i/></c><d:n xmlns:e='urn:e' e:k='1'/></r>")
    try directory.write("b.xml", "<s xmlns:d='urn:d'><i d:k='2'/></s>")
    try directory.write("c.xml", "<s xmlns:d='urn:other'><i d:k='3'/></s>")
    for (arguments, expected) in [
      (
        "a.xml b.xml --select //i",
        "<root xmlns:d=\"urn:d\">\n<i>\n<d:by>X</d:by>\n</i>\n<i/>\n<i d:k=\"2\"/>\n</root>"
      ),
      (
        "a.xml b.xml --select '//*[@d:k or d:by]' --ns d=urn:d",
        "<root xmlns:d=\"urn:d\">\n<i>\n<d:by>X</d:by>\n</i>\n<i d:k=\"2\"/>\n</root>"
      ),
      (
        "a.xml --select //d:n --root all",
        "<all xmlns:d=\"urn:d\">\n<d:n e:k=\"1\" xmlns:e=\"urn:e\"/>\n</all>"
      ),
      (
        "- b.xml --select //i < a.xml",
        "<root xmlns:d=\"urn:d\">\n<i>\n<d:by>X</d:by>\n</i>\n<i/>\n<i d:k=\"2\"/>\n</root>"
      ),
      ("a.xml b.xml --select '(//i[@d:k])'", "<root xmlns:d=\"urn:d\">\n<i d:k=\"2\"/>\n</root>"),
      (
        "b.xml c.xml --select //i",
        "<root>\n<i d:k=\"2\" xmlns:d=\"urn:d\"/>\n<i d:k=\"3\" xmlns:d=\"urn:other\"/>\n</root>"
      ),
    ] {
      let run = try await ToolRun.shell("ferry convert \(arguments) --join --to xml --indent 0 -q")
      #expect(run.output.contains(expected), "\(arguments): \(run)")
    }
  }

  @Test func `Records declare namespaces that their root elements in common cannot have`() async throws {
    try directory.write("a.xml", "<list xmlns='urn:a'><rec><v>1</v></rec><rec>x</rec></list>")
    try directory.write("b.xml", "<list xmlns='urn:b'><rec/><rec xmlns='urn:c'/></list>")
    try directory.write("c.xml", "<list><rec><v>2</v></rec></list>")
    try directory.write("j.json", #"[{"n":1}]"#)
    let (a, b) = (
      "<rec xmlns=\"urn:a\">\n<v>1</v>\n</rec>\n<rec xmlns=\"urn:a\">x</rec>\n",
      "<rec xmlns=\"urn:b\"/>\n<rec xmlns=\"urn:c\"/>\n"
    )
    for (inputs, records) in [
      ("a.xml b.xml", a + b), ("b.xml a.xml", b + a), ("a.xml c.xml", "\(a)<rec>\n<v>2</v>\n</rec>\n"),
      ("- b.xml < a.xml", a + b),
    ] {
      let run = try await ToolRun.shell("ferry convert \(inputs) --join --to xml --indent 0 -q")
      #expect(run.status == 0 && run.errors == "", "\(inputs): \(run)")
      #expect(run.output.hasSuffix("<root>\n\(records)</root>\n"), "\(inputs): \(run)")
    }
    let mixed = try await ToolRun.shell("ferry convert a.xml j.json --join --to xml --indent 0 -q")
    #expect(
      mixed.output.contains("<root>\n<item xmlns=\"urn:a\">\n<v>1</v>\n</item>\n")
        && mixed.output.contains("<item>\n<n>1</n>\n</item>"), "\(mixed)")
  }

  @Test func `An inferred schema never gives elements the names and namespaces of another input`()
    async throws
  {
    try directory.write("a.xml", "<list xmlns='urn:a'><rec><v>1</v></rec><rec><v>2</v></rec></list>")
    try directory.write("b.xml", "<list xmlns='urn:b'><rec><v>1</v></rec><rec><v>2</v></rec></list>")
    try directory.write("c.xml", "<books><book><t>1</t></book><book><t>2</t></book></books>")
    for inputs in ["a.xml b.xml", "b.xml a.xml", "a.xml c.xml", "c.xml a.xml"] {
      let run = try await ToolRun.shell("ferry convert \(inputs) --join --to xml --infer")
      #expect(run.status == 1 && run.output == "", "\(inputs): \(run)")
      #expect(run.errors.contains("no schema can be inferred for the records"), "\(inputs): \(run)")
      #expect(run.errors.contains("(leave out --infer)"), "\(inputs): \(run)")
    }
    let same = try await ToolRun.shell("ferry convert a.xml a.xml --join --to xml --infer -q --indent 0")
    #expect(same.status == 0 && same.output.contains("<list xmlns=\"urn:a\">\n<rec>"), "\(same)")
  }

  @Test func `The standard input alone keeps its names, too`() async throws {
    try directory.write("a.xml", "<team><member n='1'/><member n='2'/></team>")
    for input in ["a.xml", "- < a.xml", "< a.xml"] {
      let run = try await ToolRun.shell("ferry convert \(input) --join --to xml --indent 0 --strict")
      #expect(
        run.output.hasSuffix("<team>\n<member n=\"1\"/>\n<member n=\"2\"/>\n</team>\n"), "\(input): \(run)")
    }
  }

  @Test func `A schema is inferred from the records of all inputs, also in XML`() async throws {
    try directory.write("a.xml", "<s><row id='1'/><row id='2'/></s>")
    try directory.write("b.xml", "<s><row id='3'/></s>")
    try await expect(
      "ferry convert a.xml b.xml --join --to json --infer -q", #"[{"id":1},{"id":2},{"id":3}]"# + "\n")
    try await expect(
      "ferry convert a.xml b.xml --join --to xml --infer -q | ferry convert -f xml --to jsonl --infer -q",
      [#"{"id":1}"#, #"{"id":2}"#, #"{"id":3}"#, ""].joined(separator: "\n"))
    try directory.write("c.json", #"[{"id":1},{"id":2}]"#)
    for (line, option) in [
      ("a.xml b.xml --join", "--root all"), ("c.json", "--root all"), ("c.json", "--item e"),
    ] {
      let run = try await ToolRun.shell("ferry convert \(line) --to xml --infer \(option)")
      #expect(
        run.status == 1 && run.output == "" && run.errors.contains("the inferred schema names them"), "\(run)"
      )
    }
  }

  @Test func `A document in JsonML is one record`() async throws {
    try directory.write("a.xml", "<books><book id='1'><t>a</t></book></books>")
    try directory.write("b.xml", "<books><book/>b</books>")
    let (a, b) = (#"["books",["book",{"id":"1"},["t","a"]]]"#, #"["books",["book"],"b"]"#)
    let run = "ferry convert a.xml b.xml --join --convention jsonml"
    try await expect("\(run) --to json -q", "[\(a),\(b)]\n")
    try await expect("\(run) --to jsonl -q", "\(a)\n\(b)\n")
    try await expect(
      "\(run) --to xml",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <root><books><book id="1"><t>a</t></book></books><books><book/>b</books></root>

      """, errors: "not exact: the value is put into a root element (1)\n")
    try await expect("ferry convert a.xml --to jsonl --convention jsonml", "\(a)\n")
    try await expect(
      "ferry convert b.xml --select //book --to jsonl --convention jsonml", "[\"book\"]\n")
    try await expect("ferry convert a.xml --to json --convention jsonml", "\(a)\n")
  }

  @Test func `A JSON input that is a document in JsonML is one record, too`() async throws {
    try directory.write("a.json", #"["a",{"x":"1"},["b","t"]]"#)
    try directory.write("c.json", #"["c"]"#)
    try directory.write("list.json", #"[["d"],["e","u"]]"#)
    try directory.write("f.xml", "<f/>")
    for (inputs, documents) in [
      ("c.json c.json", "<c/><c/>"), ("a.json c.json", #"<a x="1"><b>t</b></a><c/>"#),
      ("c.json f.xml", "<c/><f/>"), ("f.xml c.json", "<f/><c/>"),
      ("list.json c.json", "<d/><e>u</e><c/>"),
    ] {
      try await expect(
        "ferry convert \(inputs) --join --convention jsonml --to xml -q",
        #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n<root>\(documents)</root>\n")
    }
  }

  @Test func `A list that an input has is not missing in the others`() async throws {
    try directory.write("a.xml", "<books><book><t>a</t></book></books>")
    try directory.write("b.xml", "<books/>")
    for inputs in ["a.xml b.xml", "b.xml a.xml"] {
      try await expect(
        "ferry convert \(inputs) --join --to json --list book", #"[{"t":"a"}]"# + "\n",
        errors: "2 converted, 0 failed\n")
    }
    let missing = try await ToolRun.shell("ferry convert a.xml b.xml --join --to json --list page")
    #expect(missing.errors.contains(#"has the path "page""#), "\(missing)")
  }

  @Test func `Expanded names that all inputs have in common are kept`() async throws {
    try directory.write("a.xml", "<bs xmlns='urn:a'><b><t>1</t></b></bs>")
    try directory.write("b.xml", "<bs xmlns='urn:a'><b><t>2</t></b></bs>")
    try await expect(
      "ferry convert a.xml b.xml --join --to xml --namespaces expand -q",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <ns1:bs xmlns:ns1="urn:a">
        <ns1:b>
          <ns1:t>1</ns1:t>
        </ns1:b>
        <ns1:b>
          <ns1:t>2</ns1:t>
        </ns1:b>
      </ns1:bs>

      """)
  }

  @Test func `An input that fails leaves no output`() async throws {
    try directory.write("a.json", "[1]")
    try directory.write("b.json", "[2,")
    let error = "b.json:1:4: the text ends where a value is expected (at [1])"
    expectFailure(
      try await .ferry("convert", "a.json", "b.json", "a.json", "--join", "-o", "all.json"), error)
    #expect(try directory.names() == ["a.json", "b.json"])
    for format in ["json", "jsonl", "plist-binary"] {
      expectFailure(try await .ferry("convert", "a.json", "b.json", "--join", "--to", format), error)
    }
    try directory.write("all.json", "mine")
    expectFailure(
      try await .ferry("convert", "a.json", "--join", "-o", "all.json"),
      "all.json: the file already exists (use --force to replace it)")
    expectFailure(
      try await .ferry("convert", "a.json", "b.json", "--join", "-o", "all.json", "--force"), error)
    #expect(try directory.text("all.json") == "mine")
    expectQuiet(try await .ferry("convert", "a.json", "a.json", "--join", "-o", "all.json", "--force", "-q"))
    #expect(try directory.text("all.json") == "[1,1]\n")
  }

  @Test func `An input that cannot be listed leaves no output`() async throws {
    let run = try await ToolRun.shell(
      #"""
      bad=$(printf 'bad\377.json'); printf '[2]' > b.json; echo KEEP > o.jsonl; mkdir f; cp b.json f; echo '[1]' > "f/$bad"
      printf 'b.json\n%s\n' "$bad" > list
      ferry convert "$bad" b.json --join -o o.jsonl --force; echo $?; cat o.jsonl
      ferry convert -r f --join -o o.jsonl --force; echo $?; cat o.jsonl
      ferry convert --files-from list --join -o o.jsonl --force; echo $?; cat o.jsonl
      ferry convert "$bad" b.json --join --to json; echo $?
      """#)
    #expect(run.output == "1\nKEEP\n1\nKEEP\n1\nKEEP\n1\n", "\(run)")
    let words = #"the name "bad\xff.json" is not UTF-8 (rename the file)"#
    #expect(run.errors.components(separatedBy: words).count == 5, "\(run)")
  }

  @Test func `The records are the lines of JSON Lines, and values beside them are reported`() async throws {
    try directory.write("a.json", #"{"p":[{"x":1},{"x":2}],"q":0}"#)
    try directory.write("b.json", #"{"x":3}"#)
    try await expect(
      "ferry convert a.json b.json --join --to json", #"[{"x":1},{"x":2},{"x":3}]"# + "\n",
      errors: "a.json: not exact: values beside the records are left out (1)\n")
    try await expect(
      "ferry convert a.json a.json --join --select 'p[*].x' --to json -q", "[1,2,1,2]\n")
    try await expect(
      "ferry convert a.json b.json --join -o all.db -q && ferry convert all.db --to jsonl -q",
      #"{"x":1}"# + "\n" + #"{"x":2}"# + "\n" + #"{"x":3}"# + "\n")
    try await expect("ferry convert a.json b.json --join --to csv -q", "x\n1\n2\n3\n")
  }

  @Test func `A table without rows loses no names that are columns of the output`() async throws {
    try directory.write("h1.csv", "a,b\n1,2\n")
    try directory.write("h0.csv", "b,a\n")
    try directory.write("h2.csv", "a,c\n")
    for inputs in ["h1.csv h0.csv", "h0.csv h1.csv"] {
      try await expect(
        "ferry convert \(inputs) --join --to csv --strict", "a,b\n1,2\n", errors: "2 converted, 0 failed\n")
    }
    let other = try await ToolRun.shell(
      "ferry convert h1.csv h2.csv --join --to csv; ferry convert h2.csv h1.csv --join --to csv --strict")
    #expect(other.status == 1 && other.output == "a,b\n1,2\n", "\(other)")
    #expect(
      other.errors.hasPrefix("h2.csv: not exact: the names of columns are left out"), "\(other)")
  }

  @Test func `The error of an output that is an input does not advise a conversion in place`() async throws {
    try directory.write("a.json", "[1]")
    expectFailure(
      try await .ferry("convert", "a.json", "--join", "-o", "a.json", "--force"),
      "a.json: the output a.json would replace a file that it is made from (give another file)")
  }

  @Test func `A loss has its input and its path there`() async throws {
    try directory.write("a.json", #"[{"x":"a"},{"x":null}]"#)
    try directory.write("b.json", #"[{"x":null,"y":"b"}]"#)
    let run = try await ToolRun.shell(
      """
      ferry convert a.json b.json --join -o all.csv --report r.json -q; cat all.csv
      ferry convert r.json --select 'losses[*].path' --to json; ferry convert r.json --select 'losses[*].file' --to json
      """)
    #expect(
      run.output == "x,y\na,\n,\n,b\n" + #"["[1].x","[0].y","[0].x"]"# + "\n"
        + #"["a.json","a.json","b.json"]"# + "\n",
      "\(run)")
    let strict = try await ToolRun.ferry("convert", "a.json", "b.json", "--join", "--to", "csv", "--strict")
    #expect(strict.status == 1 && strict.output.isEmpty && strict.errors.contains("a.json: "), "\(strict)")
  }

  @Test func `Objects of several archives stay objects, and references stay inside their input`() async throws
  {
    for (file, name) in [("one", "Ada"), ("two", "Bo")] {
      try directory.write(
        "\(file).json",
        #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"Box","first":"\#(name)"}]}}"#)
      expectQuiet(
        try await .ferry("convert", "\(file).json", "--to", "archive", "-o", "\(file).archive", "-q"))
    }
    expectQuiet(
      try await .ferry("convert", "one.archive", "two.archive", "--join", "-o", "all.archive", "-q"))
    try await expect(
      "ferry convert all.archive --to json -q", #"[{"first":"Ada"},{"first":"Bo"}]"# + "\n")
    let classes = try await ToolRun.shell("ferry convert all.archive --to json --form typed -q")
    #expect(classes.output.components(separatedBy: #""Box""#).count == 3, "\(classes)")
  }

  @Test func `Objects with several references are written in full, also on request`() async throws {
    try directory.write(
      "t.json",
      ##"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"Box","$id":1,"n":1},{"$ref":1}]}}"##
    )
    expectQuiet(try await .ferry("convert", "t.json", "--to", "archive", "-o", "a.archive", "-q"))
    for option in ["", "--shared in-full"] {
      try await expect(
        "ferry convert a.archive --join --to json -q \(option)", #"[{"n":1},{"n":1}]"# + "\n")
    }
    expectQuiet(
      try await .ferry(
        "convert", "a.archive", "--join", "--to", "archive", "-o", "b.archive", "--shared", "reference", "-q")
    )
  }

  @Test func `Files of other kinds in a folder are skipped, and the output is left out`() async throws {
    let run = try await ToolRun.shell(
      """
      mkdir -p data/sub; echo '[1]' > data/a.json; echo '[2]' > data/sub/b.json; echo 'a note' > data/notes.txt
      ferry convert -r data --join -o data/all.json && cat data/all.json
      ferry convert -r data --join -o data/all.json --force -q && cat data/all.json
      ferry convert data/a.json --join -o data/a.json --force
      """)
    #expect(run.output == "[1,2]\n[1,2]\n", "\(run)")
    #expect(run.errors.hasPrefix("2 converted, 0 failed, 1 other file skipped\n"), "\(run)")
    #expect(run.status == 1, "\(run)")
  }

  @Test func `An output without inputs is an error, and is not written`() async throws {
    let run = try await ToolRun.shell(
      """
      mkdir d; echo 'a note' > d/notes.txt; : > list; echo KEEP > o.json
      for inputs in "-r d --include zz*" "-r d" "--files-from list"; do
        ferry convert $inputs -q --join -o o.json --force; echo $?; cat o.json
        ferry convert $inputs -q --join --to json; echo $?
        ferry convert $inputs -q -o o.json --force; echo $?; cat o.json
        ferry convert $inputs -q --to json --out-dir out; echo $?
      done
      """)
    #expect(run.output == String(repeating: "1\nKEEP\n1\n1\nKEEP\n0\n", count: 3), "\(run)")
    let words = ": not written, because there are no files to convert"
    #expect(run.errors.components(separatedBy: "o.json\(words)\n").count == 7, "\(run)")
    #expect(run.errors.components(separatedBy: "standard output\(words)\n").count == 4, "\(run)")
  }

  @Test func `A dry run names the inputs with the output, and writes nothing`() async throws {
    try directory.write("a.json", "[1]")
    try directory.write("b.json", "[2]")
    try await expect(
      "ferry convert a.json b.json --join -o all.json -n", "a.json -> all.json\nb.json -> all.json\n",
      errors: "2 would be converted, 0 failed\n")
    #expect(try directory.names() == ["a.json", "b.json"])
  }

  @Test func `Records that do not fit are left out with --keep-going`() async throws {
    try directory.write("a.jsonl", "{\"x\":1}\n{\"x\":\n{\"x\":2}\n")
    try directory.write("b.jsonl", "{\"x\":3}\n")
    let run = try await ToolRun.ferry(
      "convert", "a.jsonl", "b.jsonl", "--join", "--to", "json", "--keep-going")
    #expect(run.output == #"[{"x":1},{"x":2},{"x":3}]"# + "\n", "\(run)")
    #expect(run.status == 1 && run.errors.hasPrefix("a.jsonl:2:"), "\(run)")
  }

  @Test(arguments: [
    ("-i --to json", "--join cannot be used with -i, which replaces each input"),
    ("--out-dir out --to json", "--join cannot be used with --out-dir, which has an output for each input"),
    ("-o all.db --append", "--join cannot be used with --append"),
    ("-o all.json --changed-only", "--join cannot be used with --changed-only"),
    ("--to json --shared reference", "--join cannot be used with --shared reference"),
    ("--to json --form raw", "--join cannot be used with --form raw"),
    ("-o all.mystuff", "--join cannot write a package"),
  ]) func `Options without a meaning for one list are refused`(_ options: String, _ words: String)
    async throws
  {
    try directory.write("a.json", "[1]")
    let run = try await ToolRun.shell("ferry convert a.json a.json --join \(options)")
    #expect(run.status == 64 && run.errors.contains(words), "\(run)")
    #expect(try directory.names() == ["a.json"])
  }

  @Test func `The memory does not grow with the inputs`() async throws {
    let object =
      #"{"id":1,"name":"Ada","email":"ada@example.org","tags":["a","b"],"address":{"city":"London"}}"#
    try directory.write("a.json", "[\(object)" + String(repeating: ",\n\(object)", count: 130_000) + "]")
    try await expectMemory(below: 64, "ferry convert a.json a.json a.json --join --to json -q")
  }
}
