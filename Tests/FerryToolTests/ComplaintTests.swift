import Ferry
import TestSupport
import Testing

/// A test for each frequent complaint of users about other converters of XML and JSON.
@Suite(.temporaryDirectory) struct `Complaints about other converters of XML and JSON` {
  @Test func `One element becomes a value where several become a list`() async throws {
    try directory.write("r.xml", "<r><h><p>1</p></h><h><p>1</p><p>2</p></h></r>")
    try await expect(
      "ferry convert r.xml --to json", #"{"r":{"h":[{"p":["1"]},{"p":["1","2"]}]}}"# + "\n")
    try await expect(
      "echo '<r><p>1</p></r>' | ferry convert --list p --to json", #"{"r":{"p":["1"]}}"# + "\n")
  }

  @Test func `The order of siblings is lost`() async throws {
    try await expect(
      "echo '<r><a>1</a><b/><a>2</a></r>' | ferry convert --to json",
      ##"{"r":{"#content":[{"a":"1"},{"b":""},{"a":"2"}]}}"## + "\n")
  }

  @Test func `Mixed content is dropped or moved`() async throws {
    try await expect(
      "echo '<p>a <b>b</b> c</p>' | ferry convert --to json | ferry convert --to xml",
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<p>a <b>b</b> c</p>\n")
  }

  @Test func `Prefixes are renamed, and a second namespace is skipped`() async throws {
    try await expect(
      "echo '<a:r xmlns:a=\"u\" xmlns:b=\"v\"><b:c b:d=\"1\"/></a:r>' | ferry convert --to json | ferry convert --to xml",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <a:r xmlns:a="u" xmlns:b="v">
        <b:c b:d="1"/>
      </a:r>

      """)
  }

  @Test func `Attributes and elements of one name collide`() async throws {
    try await expect(
      "echo '<r a=\"1\"><a>2</a>t</r>' | ferry convert --to json",
      ##"{"r":{"@a":"1","#content":[{"a":"2"},"t"]}}"## + "\n")
  }

  @Test func `CDATA, comments, entities and white space are dropped`() async throws {
    try directory.write(
      "d.xml", "<!DOCTYPE r [<!ENTITY e \"E\">]><r><!-- c -->&e; <![CDATA[<]]> <a> </a></r>")
    try await expect(
      "ferry convert d.xml --to json --comments --cdata -q",
      ##"{"r":{"#content":[{"#comment":" c "},"E ",{"#cdata":"<"}," ",{"a":" "}]}}"## + "\n")
    try await expect("ferry convert d.xml --to xml | cmp - d.xml", "")
  }

  @Test func `Numbers lose their notation`() async throws {
    let numbers = #"{"r":{"a":2.20,"b":5237E8,"c":12345678901234567890,"d":1.0}}"#
    try await expect(
      "echo '\(numbers)' | ferry convert --to xml --types attributes | ferry convert --to json",
      numbers + "\n")
    try await expect(
      "printf 'a,b\\n007,1\\n0123,2\\n' | ferry convert --from csv --infer --to json",
      #"[{"a":"007","b":1},{"a":"0123","b":2}]"# + "\n")
  }

  @Test func `Null and empty text become one`() async throws {
    let json = #"{"r":{"a":null,"b":"","c":"null"}}"#
    try await expect(
      "echo '\(json)' | ferry convert --to xml --types attributes | ferry convert --to json", json + "\n")
    try await expect(
      "echo '\(json)' | ferry convert --to xml > /dev/null", "", errors: "nulls become empty text (1)")
  }

  @Test func `Keys that are not names make XML that is not well-formed`() async throws {
    let json = #"{"r":{"1x":"1","a&b":"2","first name":"3","@babel/core":"4","":"5"}}"#
    try await expect("echo '\(json)' | ferry convert --to xml | ferry convert --to json", json + "\n")
  }

  @Test func `A key or a text injects elements`() async throws {
    let json = #"{"r":{"a><evil/":"</a><evil/>]]>"}}"#
    try await expect("echo '\(json)' | ferry convert --to xml | ferry convert --to json", json + "\n")
    try await expect(
      ##"echo '{"r":{"#content":[{"#comment":"--><evil/>"}]}}' | ferry convert --to xml"##, "",
      errors: "a comment cannot contain -- or end in -")
  }

  @Test func `A mistake has no file name, and no column`() async throws {
    try directory.write("a.json", "{\"a\": 1,\n \"b\": x}")
    try await expect("ferry convert a.json --to xml", "", errors: "a.json:2:7: ")
    try directory.write("a.xml", "<r>\n <a></b></r>")
    try await expect("ferry convert a.xml --to json", "", errors: "a.xml:2:")
  }

  @Test func `A byte order mark or UTF-16 gives nothing`() async throws {
    try await expect(
      "printf '\\357\\273\\277<r>x</r>' | ferry convert --to json", #"{"r":"x"}"# + "\n")
    try await expect(
      "printf '<r>\\303\\244</r>' | iconv -f UTF-8 -t UTF-16 | ferry convert --to json", #"{"r":"ä"}"# + "\n")
    try await expect(
      "printf '\\357\\273\\277{\"a\":1}' | ferry convert --to xml -q",
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a>1</a>\n")
  }

  @Test func `A change in place loses comments, layout and the file's mode`() async throws {
    try directory.write("a.xml", "<r  a='1'><!-- c -->\n\t<b>1</b></r>\n")
    try await expect(
      "chmod 600 a.xml; ln -s a.xml l.xml; ferry set l.xml r.b 2; cat a.xml; stat -c %a a.xml; test -L l.xml && echo link",
      "<r  a='1'><!-- c -->\n\t<b>2</b></r>\n600\nlink\n")
  }

  @Test func `Each record is not on a line of its own`() async throws {
    try await expect(
      "echo '<r><p><a>1</a></p><p><a>2</a></p></r>' | ferry convert --to jsonl",
      "{\"a\":\"1\"}\n{\"a\":\"2\"}\n")
  }

  @Test func `Attributes are lost in records of a stream`() async throws {
    try directory.write("r.xml", "<r x='0'><p id='1'><q k='2'>t</q></p><p id='3'/></r>")
    try await expect(
      "ferry convert --select /r/p --to jsonl < r.xml",
      ##"{"@id":"1","q":{"@k":"2","#text":"t"}}"## + "\n" + #"{"@id":"3"}"# + "\n")
    try await expect(
      "ferry convert --select /r/p/q --to jsonl < r.xml", ##"{"@k":"2","#text":"t"}"## + "\n")
  }

  @Test func `Records of a stream arrive in callbacks only, not in a loop that may end early`() throws {
    struct Person: Codable, Equatable { var id: Int }
    var settings = RecordSettings()
    settings.reading.select = "/r/p"
    let document = Array("<r><p id='1'/><p id='2'/><not well-formed".utf8)
    let cursor = Records(of: Person.self, from: .bytes(document), settings).makeCursor()
    #expect(try cursor.next() == Person(id: 1))
    #expect(try cursor.next() == Person(id: 2))
    #expect(throws: FerryError.self) { try cursor.next() }
  }

  @Test func `Records are lost or repeated where a file is split`() async throws {
    let note = "<note>a &lt;p&gt; <![CDATA[</p><p>]]> <?p </p>?> in text</note>"
    let count = 120_000
    try directory.write(
      "r.xml", "<r>\n" + (0..<count).map { "<p id='\($0)'>\(note)</p>\n" }.joined() + "</r>")
    let lines = (0..<count).map { #"{"@id":"\#($0)","note":"a <p> </p><p>  in text"}"# + "\n" }.joined()
    for jobs in ["1", "3"] {
      let run = try await ToolRun.ferry("convert", "r.xml", "--to", "jsonl", "-q", "--jobs", jobs)
      // Not in an expectation, which would print both.
      let isEqual = run.bytes.elementsEqual(lines.utf8)
      #expect(isEqual, "\(run.errors)")
    }
  }

  @Test func `A large file takes many times its size in memory`() async throws {
    let element =
      "<entry id='1'><name>Ada</name><email>ada@example.org</email><tag>a</tag><tag>b</tag></entry>\n"
    try directory.write("a.xml", "<r>\n" + String(repeating: element, count: 260_000) + "</r>")
    try await expectMemory(below: 64, "ferry convert a.xml --to jsonl")
    let object =
      #"{"id":1,"name":"Ada","email":"ada@example.org","tags":["a","b"],"address":{"city":"London"}}"#
    try directory.write("a.json", "[\(object)" + String(repeating: ",\n\(object)", count: 260_000) + "]")
    try await expectMemory(below: 64, "ferry convert a.json --to xml -q")
    try await expectMemory(below: 64, "ferry convert a.json --to jsonl")
  }
}
