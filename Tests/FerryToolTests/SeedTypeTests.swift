import Ferry
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Types in seeds` {
  private static let date =
    "<plist><array><dict><key>id</key><date>2014-06-01T09:30:00Z</date></dict></array></plist>"
  private static let data = "<plist><array><dict><key>id</key><data>AQI=</data></dict></array></plist>"

  @Test(arguments: ["json", "plist-xml", "xml"])
  func `A number that loses its notation in a package is reported`(_ format: String) async throws {
    try directory.write(
      "types.json",
      #"""
      {"ferry": 1, "types": [{"name": "trip", "identifier": "org.example.trip", "extensions": ["trip"],
        "schema": {"ferry": 1, "name": "stop", "collection": {"key": "stops", "element": "stops"},
          "record": {"element": "stop", "class": "Stop"}, "key": "at",
          "fields": [{"name": "at", "type": "string"}, {"name": "n", "type": "integer", "optional": true},
            {"name": "photo", "type": "string", "optional": true}]},
        "layout": {"package": {"main": "stops.\#(format)", "format": "\#(format)", "files": "photo"}}}]}
      """#)
    try directory.write("a.xml", "<stops><stop><at>x</at><n>1</n></stop></stops>")
    try directory.write("b.xml", "<stops><stop><at>y</at><n>007</n></stop></stops>")
    let run = try await ToolRun.shell(
      """
      ferry seed A.trip --from a.xml --types types.json && ferry seed A.trip --from b.xml --types types.json --merge
      ferry get A.trip --types types.json 'stops[1].n' || ferry get A.trip --types types.json 'stops.stop[1].n'
      """)
    #expect(run.output.hasSuffix("7\n") && !run.output.contains("007"), "\(run)")
    #expect(
      run.errors.contains("b.xml: not exact: numbers lose their own notation (as in 2.20, 1e5 or 007) (1)\n"),
      "\(run.errors)")
  }

  @Test(arguments: [
    ("d.json", #"[{"id":2,"n":"x"}]"#, "n.csv", "id,n\n2,x\n3,y\n", "numbers become text", "[1].id"),
    ("d.jsonl", #"{"id":2.5,"n":"x"}"#, "n.tsv", "id\tn\n2.5\tx\n3\ty\n", "numbers become text", "[1].id"),
    ("d.json", #"[{"id":2}]"#, "n.plist", "({id=2;},{id=3;})", "numbers become text", "[1].id"),
    ("d.json", #"[{"id":true}]"#, "n.csv", "id\ntrue\nfalse\n", "booleans become text", "[1].id"),
    ("d.plist", date, "n.json", #"[{"id":"2015-06-01T09:30:00Z"}]"#, "dates become text", "[0].id"),
    ("d.plist", data, "n.json", #"[{"id":"AQID"}]"#, "data becomes Base64 text", "[0].id"),
    // Values other than the key, also inside others.
    ("d.json", #"[{"id":"a","age":36}]"#, "n.csv", "id,age\na,36\nb,37\n", "numbers become text", "[1].age"),
    ("d.json", #"[{"id":"a","age":36}]"#, "n.csv", "id,age\nb,\n", "numbers become text", "[0].age"),
    (
      "d.json", #"[{"id":"a","t":[1]}]"#, "n.csv", "id,t\nb,\"[1,2]\"\n",
      "arrays and dictionaries inside a record become JSON text", "[0].t"
    ),
    (
      "d.json", #"[{"id":"a","p":{"x":[{"y":1}]}}]"#, "n.plist", "({id=b;p={x=({y=1;});};})",
      "numbers become text", "[0].p.x[0].y"
    ),
    // Beside texts, a text may be one of them.
    (
      "d.json", #"[{"id":"a","v":1},{"id":"b","v":"x"}]"#, "n.csv", "id,v\nc,y\nd,7\n",
      "numbers become text", "[1].v"
    ),
  ])
  func `A text is not added where a document has values of another type`(
    _ document: String, _ present: String, _ source: String, _ data: String, _ words: String, _ path: String
  ) async throws {
    try directory.write(document, present)
    try directory.write(source, data)
    let run = try await ToolRun.ferry("seed", document, "--from", source, "--merge", "--key", "id")
    #expect(run.status == 1)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("\(source): the data is "), "\(run.errors)")
    #expect(
      run.errors.hasSuffix(
        ", which changes values of the document: \(words) (give the types with --schema) (at \(path))\n"),
      "\(run.errors)")
    #expect(try directory.text(document) == present)
  }

  @Test(arguments: [
    ("d.json", #"[{"id":2,"n":"x"},{"id":3}]"#, "n.csv", "id,n\n2,x\n3,y\n"),
    ("d.json", #"[{"id":2.50},{"id":1e2},{"id":true}]"#, "n.csv", "id\n2.50\n1e2\ntrue\n"),
    ("d.json", #"[{"id":2}]"#, "n.plist", "({id=2;})"),
    ("d.plist", date, "n.json", #"[{"id":"2014-06-01T09:30:00Z"}]"#),
    ("d.plist", data, "n.json", #"[{"id":"AQI="}]"#),
    // The notation of a number that the format of the data does not have.
    (
      "d.json", #"[{"id":2.20}]"#, "n.plist",
      "<plist><array><dict><key>id</key><real>2.2</real></dict></array></plist>"
    ),
  ])
  func `A record is known if its key is what the format of the data has for a key of the document`(
    _ document: String, _ present: String, _ source: String, _ data: String
  ) async throws {
    try directory.write(document, present)
    try directory.write(source, data)
    let run = try await ToolRun.ferry("seed", document, "--from", source, "--merge", "--key", "id")
    #expect(run.output == "\(document): already has all records\n", "\(run.errors)")
    #expect(try directory.text(document) == present)
  }

  @Test(.enabled(if: Format.sqlite.canWrite))
  func `The numbers 0 and 1 of a database are not added where a document has booleans`() async throws {
    try directory.write("d.json", #"[{"id":true}]"#)
    try directory.write("n.json", #"[{"id":1},{"id":0}]"#)
    expectQuiet(try await .ferry("convert", "n.json", "-o", "n.db"))
    let run = try await ToolRun.ferry("seed", "d.json", "--from", "n.db", "--merge", "--key", "id")
    #expect(run.status == 1)
    #expect(
      run.errors.hasSuffix(": booleans become 0 and 1 (give the types with --schema) (at [1].id)\n"),
      "\(run.errors)")
    #expect(try directory.text("d.json") == #"[{"id":true}]"#)
  }

  @Test func `A seed adds records with the types of a schema, and texts where the document has texts`()
    async throws
  {
    try directory.write("d.json", #"[{"id":2,"n":"x","age":36}]"#)
    try directory.write("n.csv", "id,n,age,u\n2,x,36,\n3,7,37,8\n")
    try directory.write(
      "s.json",
      """
      {"ferry":1,"name":"r","key":"id","fields":[{"name":"id","type":"integer"},{"name":"n"},
       {"name":"age","type":"integer"},{"name":"u","optional":true}]}
      """)
    let run = try await ToolRun.ferry(
      "seed", "d.json", "--from", "n.csv", "--merge", "--schema", "s.json")
    #expect(run.output == "d.json: added 1 record\n  3\n", "\(run.errors)")
    #expect(
      try directory.text("d.json")
        == #"[{"id":2,"n":"x","age":36},{"id":3,"n":"7","age":37,"u":"8"}]"#)
    // No record has the key `z`, and the texts of `v` are texts.
    try directory.write("t.json", #"[{"id":"a","v":"x"}]"#)
    try directory.write("m.csv", "id,v,z\nb,7,8\n")
    let texts = try await ToolRun.ferry("seed", "t.json", "--from", "m.csv", "--merge", "--key", "id")
    #expect(texts.output == "t.json: added 1 record\n  \"b\"\n", "\(texts.errors)")
    #expect(try directory.text("t.json") == #"[{"id":"a","v":"x"},{"id":"b","v":"7","z":"8"}]"#)
  }

  @Test(arguments: ["d.json", "d.json5"])
  func `A record with values that the format does not have is added without a change of the others`(
    _ document: String
  ) async throws {
    let comment = document.hasSuffix("5") ? " // one" : ""
    let record = "{\"id\" :1 ,\(comment)\n   \"name\":\"a\"}"
    try directory.write(document, "[ \(record)\n]\n")
    try directory.write(
      "n.plist",
      """
      <plist><array><dict><key>id</key><integer>2</integer><key>name</key><string>b</string>\
      <key>born</key><date>2014-06-01T09:30:00Z</date></dict></array></plist>
      """)
    let run = try await ToolRun.ferry("seed", document, "--from", "n.plist", "--merge", "--key", "id")
    #expect(run.status == 0)
    #expect(run.errors.contains("dates become text (1)"), "\(run.errors)")
    #expect(try directory.text(document).hasPrefix("[ " + record))
    let born = try await ToolRun.ferry("get", document, "[1].born")
    #expect(born.output == "2014-06-01T09:30:00Z\n")
  }
}
