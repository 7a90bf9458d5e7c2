import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `The command schema` {
  private static let books = """
    <library>
      <book id="1"><title>A</title><price>49.90</price></book>
      <book id="2"><title>B</title></book>
    </library>

    """

  @Test(arguments: [
    ("s.yaml", "ferry: 1\n"), ("s.json5", "{"), ("s.plist", ""), ("s.schema", "{\n"),
  ])
  func `A schema has the format of the extension of its file, or is JSON`(
    _ name: String, _ start: String
  ) async throws {
    try directory.write("a.xml", Self.books)
    let inferred = try await ToolRun.ferry("schema", "infer", "a.xml", "-o", name, "-q")
    #expect(inferred.status == 0 && inferred.errors == "", "\(inferred)")
    // A property list may be binary.
    if !start.isEmpty { #expect(try directory.text(name).hasPrefix(start)) }
    let json = try await ToolRun.shell(
      "ferry schema infer a.xml -q > s.json; ferry schema show s.json > plain.json")
    #expect(json.status == 0, "\(json)")
    expectQuiet(try await .ferry("schema", "show", name, "-o", "again.json"))
    #expect(try directory.text("again.json") == directory.text("plain.json"))
  }

  @Test(arguments: [
    (
      "a.xsd", "XML Schema",
      """
      <?xml version="1.0"?>
      <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a"/></xs:schema>
      """
    ),
    ("a.xsd", "XML Schema", #"<schema xmlns="http://www.w3.org/2001/XMLSchema"><element/></schema>"#),
    ("a.rng", "RELAX NG", #"<element xmlns="http://relaxng.org/ns/structure/1.0"><text/></element>"#),
    ("a.json", "JSON Schema", #"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}"#),
    ("a.json", "JSON Schema", #"{"type":"object","properties":{"a":{"type":"string"}}}"#),
  ])
  func `A schema in another language is refused with its name and the command that makes one`(
    _ name: String, _ language: String, _ text: String
  ) async throws {
    try directory.write(name, text)
    try directory.write("books.xml", Self.books)
    for command in [["check"], ["schema", "check"], ["convert", "--to", "json"]] {
      let run = try await ToolRun.ferry(command + ["books.xml", "--schema", name])
      #expect(run.status != 0)
      #expect(run.errors.contains(": a schema in \(language) is not supported"), "\(run.errors)")
      #expect(run.errors.contains("ferry schema infer FILE"), "\(run.errors)")
    }
  }

  @Test func `A schema is inferred, converts the file, and finds where other files differ`() async throws {
    try directory.write("books.xml", Self.books)
    let infer = try await ToolRun.ferry("schema", "infer", "books.xml", "-o", "book.schema.json")
    #expect(infer.status == 0 && infer.output == "")
    #expect(
      infer.errors == """
        book: 2 records, 3 fields
        price: text, because 49.90 would lose a zero (a decimal keeps it)

        """)
    let again = try await ToolRun.ferry("schema", "infer", "books.xml", "-o", "book.schema.json")
    #expect(again.status == 1 && again.errors.contains("already exists"))
    let json = try await ToolRun.ferry("convert", "books.xml", "--schema", "book.schema.json", "--to", "json")
    #expect(json.output == #"[{"id":1,"title":"A","price":"49.90"},{"id":2,"title":"B"}]"# + "\n")
    let fits = try await ToolRun.ferry("schema", "check", "books.xml", "--schema", "book.schema.json")
    #expect(fits.status == 0 && fits.errors == "books.xml: 2 records, all fit\n")
    try directory.write(
      "new.xml",
      """
      <library>
        <book id="x"><title>A</title></book>
        <book id="3"/>
        <book id="4"><title>D</title><isbn>1</isbn></book>
      </library>
      """)
    let check = try await ToolRun.ferry("schema", "check", "new.xml", "--schema", "book.schema.json")
    #expect(check.status == 1)
    #expect(
      check.errors == """
        new.xml:2:3: expected an integer in the field id, found "x" (at [0].id)
        new.xml:3:3: the book has no title (at [1])
        new.xml: the schema has no isbn (at [2].isbn)
        new.xml: 3 records, 2 do not fit

        """)
    let report = try await ToolRun.ferry(
      "schema", "check", "new.xml", "--schema", "book.schema.json", "--json")
    #expect(report.status == 1 && report.output.contains(#""code": "record.bad-field""#), "\(report.output)")
  }

  @Test func `Keys that a check names are readable, and elements of one kind with text fit their schema`()
    async throws
  {
    try directory.write("e.json", #"[{"":1,"a b":2,"a":3}]"#)
    try directory.write(
      "e.schema.json", #"{"ferry":1,"name":"e","fields":[{"name":"a","type":"integer"}]}"#)
    let check = try await ToolRun.ferry("schema", "check", "e.json", "--schema", "e.schema.json")
    #expect(check.status == 0)
    #expect(check.errors.contains(#"e.json: the schema has no key "" (at [0][""])"#), "\(check.errors)")
    #expect(check.errors.contains(#"e.json: the schema has no "a b" (at "#), "\(check.errors)")
    try directory.write("n.xml", "<recs><rec><rec>7</rec></rec><rec><rec/></rec></recs>")
    let infer = try await ToolRun.ferry("schema", "infer", "n.xml", "-q", "-o", "n.schema.json")
    #expect(infer.status == 0, "\(infer.errors)")
    let fits = try await ToolRun.ferry(
      "schema", "check", "n.xml", "--schema", "n.schema.json", "--strict")
    #expect(fits.status == 0 && fits.errors.hasSuffix("all fit\n"), "\(fits.errors)")
  }

  @Test func `A table with dotted columns is inferred and checked as it is converted`() async throws {
    try directory.write("a.csv", "name,address.city\nAda,London\nBo,\n")
    let inferred = try await ToolRun.ferry("schema", "infer", "a.csv", "--dotted", "-o", "a.schema.json")
    #expect(inferred.status == 0, "\(inferred.errors)")
    let check = try await ToolRun.ferry("schema", "check", "a.csv", "--schema", "a.schema.json", "--dotted")
    #expect(check.errors == "a.csv: 2 records, all fit\n")
    let converted = try await ToolRun.ferry(
      "convert", "a.csv", "--schema", "a.schema.json", "--dotted", "--to", "jsonl")
    #expect(converted.output.hasPrefix(#"{"name":"Ada","address":{"city":"London"}}"#), "\(converted.output)")
  }

  @Test func `A schema that is inferred from XML with namespaces checks files with other prefixes`()
    async throws
  {
    try directory.write(
      "a.xml",
      """
      <feed xmlns="urn:a" xmlns:m="urn:m"><entry m:id="1"><title>A</title><m:title>B</m:title></entry>
      <entry m:id="2"><title>C</title><m:title>D</m:title></entry></feed>
      """)
    let infer = try await ToolRun.ferry("schema", "infer", "a.xml", "-o", "s.json", "-q")
    #expect(infer.status == 0, "\(infer.errors)")
    try directory.write(
      "b.xml",
      """
      <x:feed xmlns:x="urn:a" xmlns="urn:m" xmlns:y="urn:m"><x:entry y:id="3"><x:title>A</x:title><title>B</title>
      </x:entry></x:feed>
      """)
    let check = try await ToolRun.ferry("schema", "check", "b.xml", "--schema", "s.json", "--strict")
    #expect(check.status == 0 && check.errors == "b.xml: 1 record, all fit\n", "\(check.errors)")
    let json = try await ToolRun.ferry("convert", "b.xml", "--schema", "s.json", "--to", "json")
    #expect(
      json.output == #"[{"id":3,"title":"A","m:title":"B"}]"# + "\n" && json.errors == "", "\(json.errors)")
    try directory.write(
      "c.xml",
      "<feed xmlns='urn:a'><entry id='3'><title>A</title><title xmlns='urn:m'>B</title></entry></feed>")
    let other = try await ToolRun.ferry("schema", "check", "c.xml", "--schema", "s.json")
    #expect(other.status == 1 && other.errors.contains("the entry has no id"), "\(other.errors)")
    let xsd = try await ToolRun.ferry("schema", "show", "s.json", "--as", "xsd")
    #expect(xsd.output.contains("targetNamespace=\"urn:a\""), "\(xsd.output)")
  }

  @Test func `A wrong cell of CSV is located by line and column`() async throws {
    try directory.write(
      "s.json", #"{"ferry":1,"name":"r","fields":[{"name":"n"},{"name":"age","type":"integer"}]}"#)
    try directory.write("a.csv", "n,age\nAda,36\nBo,old\n")
    let check = try await ToolRun.ferry("schema", "check", "a.csv", "--schema", "s.json")
    #expect(
      check.errors
        == "a.csv:3:4: expected an integer in the field age, found \"old\" (at [1].age)\na.csv: 2 records, 1 does not fit\n"
    )
  }

  @Test func `Text outside of records fails a strict check only`() async throws {
    try directory.write("s.json", #"{"ferry":1,"name":"p","fields":[{"name":"a"}]}"#)
    try directory.write("a.xml", "<ps><p><a>i</a></p> stray </ps>")
    let check = try await ToolRun.ferry("schema", "check", "a.xml", "--schema", "s.json")
    #expect(
      check.status == 0
        && check.errors
          == "a.xml: text that belongs to no record is left out (1)\na.xml: 1 record, all fit\n",
      "\(check.errors)")
    let strict = try await ToolRun.ferry("schema", "check", "a.xml", "--schema", "s.json", "--strict", "-q")
    #expect(strict.status == 1 && strict.errors == "a.xml: text that belongs to no record is left out (1)\n")
  }

  @Test func `Keys that the schema does not describe fail a strict check only`() async throws {
    try directory.write(
      "a.json", #"[{"firstName":"A","lastName":"B","age":1},{"firstName":"A","lastName":"B","age":2}]"#)
    let check = try await ToolRun.ferry("schema", "check", "a.json", "--schema", "person")
    #expect(check.status == 0)
    #expect(
      check.errors == "a.json: the schema has no age (at [0].age, and 1 more)\na.json: 2 records, all fit\n")
    let strict = try await ToolRun.ferry("schema", "check", "a.json", "--schema", "person", "--strict", "-q")
    #expect(strict.status == 1 && strict.errors == "a.json: the schema has no age (at [0].age, and 1 more)\n")
  }

  @Test(arguments: [
    (
      #"[{"":1,"a":2}]"#, 0,
      "a: 1 record, 1 field\n  a  integer  1  2\nthe key \"\" of the record a is left out of the schema: a field must have a name\n"
    ),
    (
      #"[{"a":{"":1}}]"#, 0,
      "a: 1 record, 1 field\n  a  any  1\n    any, because the only key is empty\n"
    ),
    (
      #"[{"":1}]"#, 1,
      "a.json: no records: a schema describes a list of dictionaries or a dictionary, found records whose only key is empty\n"
    ),
  ])
  func `An empty key, which no field can have, is reported`(_ json: String, _ status: Int, _ text: String)
    async throws
  {
    try directory.write("a.json", json)
    let run = try await ToolRun.ferry("schema", "infer", "a.json", "--explain")
    #expect(run.status == status)
    #expect(run.output + run.errors == text)
  }

  @Test(arguments: [
    ("a.json", "[\n {\"id\":1},\n {\"id\":2},\n {\"id\":1}\n]\n", ":4:8"),
    ("a.jsonl", "{\"id\":1}\n{\"id\":2}\n{\"id\":1}\n", ":3:7"),
    ("a.yaml", "- id: 1\n- id: 2\n- id: 1\n", ":3:7"),
    ("a.csv", "id,n\n1,a\n2,b\n01,c\n", ":4:1"),
    ("a.xml", "<ps><p><id>1</id></p><p><id>2</id></p><p><id>1</id></p></ps>", ":1:"),
  ])
  func `Records with equal values of the key of a schema do not fit`(
    _ name: String, _ text: String, _ location: String
  ) async throws {
    try directory.write(
      "p.schema.json",
      #"{"ferry":1,"name":"p","key":"id","fields":[{"name":"id","type":"integer"},{"name":"n","optional":true}]}"#
    )
    try directory.write(name, text)
    let message = "this record and [0] have the same id, 1 (at [2].id)"
    for command in [["schema", "check", name], ["check", name]] {
      let run = try await ToolRun.ferry(command + ["--schema", "p.schema.json"])
      #expect(run.status == 1, "\(run)")
      #expect(run.errors.hasPrefix(name + location), "\(run.errors)")
      #expect(run.errors.contains(message), "\(run.errors)")
    }
    let many = try await ToolRun.ferry("schema", "check", name, "--schema", "p.schema.json")
    #expect(many.errors.contains("3 records, 1 does not fit"), "\(many.errors)")
  }

  @Test func `Records with equal keys in a list inside a record do not fit, and those in other records do`()
    async throws
  {
    try directory.write(
      "p.schema.json",
      #"{"ferry":1,"name":"p","fields":[{"name":"l","type":"list","items":{"type":"record","key":"id","fields":[{"name":"id"}]}}]}"#
    )
    try directory.write("a.json", #"[{"l":[{"id":"x"},{"id":"y"}]},{"l":[{"id":"x"}]}]"#)
    expectQuiet(try await .ferry("schema", "check", "a.json", "--schema", "p.schema.json", "-q"))
    try directory.write("b.json", #"[{"l":[{"id":"x"},{"id":"y"}]},{"l":[{"id":"x"},{"id":"x"}]}]"#)
    let run = try await ToolRun.ferry("schema", "check", "b.json", "--schema", "p.schema.json")
    #expect(run.status == 1)
    let message = #"this record and [1].l[0] have the same id, "x" (at [1].l[1].id)"#
    #expect(run.errors.contains(message), "\(run)")
  }

  @Test func `A check against no schema names the value of the option`() async throws {
    let run = try await ToolRun.ferry("schema", "check", "a.csv", "--schema", "none")
    #expect(run.status == 64)
    #expect(run.errors.hasPrefix("Error: --schema none names no schema to check against"), "\(run.errors)")
  }

  @Test func `A column without a value is text, and no reason is given`() async throws {
    try directory.write("a.csv", "a,f\n1,\n2,\n")
    let run = try await ToolRun.ferry("schema", "infer", "a.csv", "--explain")
    #expect(
      run.output
        == "a: 2 records, 2 fields\n  a  integer                2  1, 2\n  f  string, optional  0 of 2\n")
  }

  @Test func `Several files, the standard input and wrong commands are handled`() async throws {
    try directory.write("a.json", #"[{"n": 1}]"#)
    try directory.write("b.json", #"[{"n": 2, "m": true}]"#)
    let both = try await ToolRun.shell("ferry schema infer a.json b.json --name pair -q")
    #expect(both.output.contains("\"name\": \"pair\"") && both.output.contains("\"optional\": true"))
    let piped = try await ToolRun.shell("cat a.json | ferry schema infer --explain")
    #expect(piped.output == "record: 1 record, 1 field\n  n  integer  1  1\n")
    let sample = try await ToolRun.shell(
      #"printf '{"n":1}\n{"n":"x"}\n' | ferry schema infer --from jsonl --sample 1 --explain"#)
    #expect(
      sample.output
        == "record: 1 record, 1 field\n  n  integer  1  1\na sample: only the first record of the file was read\n"
    )
    let explained = try await ToolRun.shell("ferry schema infer a.json --explain --json")
    let value = try JSONSerialization.jsonObject(with: Data(explained.bytes)) as? [String: Any]
    #expect((value?["fields"] as? [[String: Any]])?.first?["type"] as? String == "integer")
    for line in [
      "infer a.json --json", "infer a.json --sample 0", "check a.json", "show none", "infer missing.json",
      "chek a.json", "show nothing",
    ] {
      let run = try await ToolRun.shell("ferry schema \(line)")
      #expect(run.status != 0 && run.output == "" && !run.errors.isEmpty, "\(line): \(run.errors)")
    }
  }

  @Test func `The schemas that are built in are listed, and shown in three notations`() async throws {
    let list = try await ToolRun.ferry("schema", "list")
    #expect(list.output.contains("person .pplgrp: <person> in <people>, firstName, lastName\n"))
    let shown = try await ToolRun.shell(
      "ferry schema show item > item.json; ferry schema show ./item.json | diff - item.json")
    #expect(shown.status == 0 && shown.output == "")
    let xsd = try await ToolRun.shell("ferry schema show item --as xsd")
    #expect(xsd.output.contains("<xs:element name=\"valueInDollars\" type=\"ferry.integer\"/>"))
    let json = try await ToolRun.shell("ferry schema show item --as json-schema")
    #expect(json.output.contains("\"format\": \"date-time\""))
  }

  @Test func `A conversion of many files infers one schema for all of them`() async throws {
    try directory.write("1.xml", "<l><b>1</b></l>")
    try directory.write("2.xml", "<l><b>x</b><b>2</b></l>")
    try directory.write("1.json", #"{"a":1,"b":null}"#)
    try directory.write("2.json", #"{"a":"x","b":["y"]}"#)
    try directory.write("broken.xml", "<l><b>")
    let files = try await ToolRun.shell("ferry convert 1.xml 2.xml --infer --to jsonl -q")
    #expect(files.status == 0 && files.output == #"{"b":["1"]}"# + "\n" + #"{"b":["x","2"]}"# + "\n")
    let schema = try await ToolRun.shell(
      "ferry schema infer 1.xml 2.xml -o l.json -q; ferry convert 1.xml 2.xml --schema l.json --to jsonl -q")
    #expect(schema.output == files.output)
    // Files of another kind have a schema of their own, and a file that cannot be read adds nothing.
    let several = try await ToolRun.shell(
      "ferry convert 1.xml 1.json broken.xml 2.json 2.xml --infer --to jsonl -q")
    #expect(
      several.output == #"""
        {"b":["1"]}
        {"a":1,"b":null}
        {"a":"x","b":["y"]}
        {"b":["x","2"]}

        """#, "\(several.output)")
    #expect(several.errors.hasPrefix("broken.xml:1:7: "), "\(several.errors)")
    // Records that have no schema in common are inferred for each file.
    let apart = try await ToolRun.shell(
      "echo '[{\"a\":1}]' > l.json; echo '[5]' > n.json; ferry convert l.json n.json --infer --to jsonl")
    #expect(apart.status == 0 && apart.output == #"{"a":1}"# + "\n5\n", "\(apart.errors)")
    let one = try await ToolRun.shell("ferry convert 1.xml --infer --to jsonl")
    #expect(one.output == #"{"b":1}"# + "\n")
  }

  @Test func `A column of many tables has one type with --infer`() async throws {
    try directory.write("1.csv", "a,b,c\n1,true,\n")
    try directory.write("2.csv", "b,c,a\nfalse,3,x\n")
    let run = try await ToolRun.ferry("convert", "1.csv", "2.csv", "--infer", "--to", "jsonl")
    #expect(
      run.output == #"{"a":"1","b":true,"c":null}"# + "\n" + #"{"b":false,"c":3,"a":"x"}"# + "\n",
      "\(run.errors)")
    let rows = try await ToolRun.ferry(
      "convert", "1.csv", "2.csv", "--infer", "--no-header", "--from", "csv", "--to", "jsonl")
    #expect(rows.output.hasPrefix(#"["a","b","c"]"#), "\(rows.output)")
  }

  @Test func `Files are inferred in common also with options that only others can have`() async throws {
    try directory.write("1.xml", "<l><b>1</b></l>")
    try directory.write("2.xml", "<l><b>x</b><b>2</b></l>")
    try directory.write("c.csv", "n;m\n1;2\n")
    try directory.write("a.json", #"[{"n":"x","k":1}]"#)
    let run = try await ToolRun.shell(
      "ferry convert 1.xml 2.xml c.csv --infer --delimiter ';' --to json --out-dir out -q")
    expectQuiet(run)
    #expect(try directory.text("out/1.json") == #"{"b":["1"]}"# + "\n")
    #expect(try directory.text("out/c.json") == #"[{"n":1,"m":2}]"# + "\n")
    let schema = try await ToolRun.shell("ferry schema infer a.json c.csv --delimiter ';' -q")
    #expect(schema.output.contains(#""name": "m""#) && schema.status == 0, "\(schema.errors)")
    try directory.write("s.json", schema.output)
    let check = try await ToolRun.shell("ferry schema check a.json c.csv --schema s.json --delimiter ';'")
    #expect(check.status == 0, "\(check.output)\(check.errors)")
  }

  @Test func `The standard input is inferred in common with the files beside it`() async throws {
    try directory.write("1.csv", "a,b\n1,true\n")
    for names in ["- 1.csv", "1.csv -"] {
      let rows = try await ToolRun.shell(
        "printf 'b,a\nfalse,x\n' | ferry convert \(names) --from csv --infer --to jsonl --out-dir out --force -q"
      )
      #expect(rows.status == 0 && rows.errors == "", "\(rows.errors)")
      #expect(try directory.text("out/1.jsonl") == #"{"a":"1","b":true}"# + "\n")
      #expect(try directory.text("out/stdin.jsonl") == #"{"b":false,"a":"x"}"# + "\n")
    }
    try directory.write("1.xml", "<l><p><b>1</b></p><p><b>2</b></p></l>")
    let elements = try await ToolRun.shell(
      "printf '<l><p><b>x</b><b>2</b></p><p/></l>' | ferry convert - 1.xml --infer --to json --out-dir out -q"
    )
    #expect(elements.status == 0, "\(elements.errors)")
    #expect(try directory.text("out/1.json") == #"[{"b":["1"]},{"b":["2"]}]"# + "\n")
    #expect(try directory.text("out/stdin.json").hasPrefix(#"[{"b":["x","2"]}"#))
  }

  @Test func `A conversion infers the types of XML, also from the standard input`() async throws {
    try directory.write("books.xml", Self.books)
    let file = try await ToolRun.ferry("convert", "books.xml", "--to", "json", "--infer")
    #expect(
      file.output == #"[{"id":1,"title":"A","price":"49.90"},{"id":2,"title":"B"}]"# + "\n"
        && file.errors == "")
    let piped = try await ToolRun.shell("cat books.xml | ferry convert --to json --infer")
    #expect(piped.output == file.output)
    let none = try await ToolRun.shell("echo '[1]' | ferry convert --to json --infer")
    #expect(none.status == 0 && none.output == "[1]\n")
    #expect(none.errors.contains("read without a schema: no records"))
  }

  @Test(arguments: [
    ("schema infer a.json", "x.xml", "a schema is not written as xml (use .json, "),
    ("schema infer a.json", "x.csv", "a schema is not written as csv (use .json, "),
    ("schema infer a.json", "x.xsd", "this schema is not an XML Schema (use ferry schema show --as xsd)"),
    ("schema show person", "x.jsonl", "a schema is not written as jsonl (use .json, "),
    ("schema show person --as json-schema", "x.db", "a schema is not written as sqlite (use .json, "),
    ("schema show person --as xsd", "x.json", "XML Schema is not written as json (use .xsd)"),
  ]) func `A schema is not written under the name of another format`(
    _ command: String, _ name: String, _ message: String
  ) async throws {
    try directory.write("a.json", #"[{"a":1}]"#)
    let run = try await ToolRun.shell("ferry \(command) -o \(name); ls")
    #expect(run.output == "a.json\n" && run.errors.contains("-o \(name): \(message)"), "\(run.errors)")
  }

  @Test(arguments: ["x", "x.schema", "x.json5", "x.bplist"])
  func `A schema is written under any name that is of no other format`(_ name: String) async throws {
    try directory.write("a.json", #"[{"a":1}]"#)
    let run = try await ToolRun.shell(
      "ferry schema infer a.json -q -o \(name) && ferry schema show ./\(name)")
    #expect(run.status == 0 && run.output.contains("\"fields\""), "\(run)")
  }
}
