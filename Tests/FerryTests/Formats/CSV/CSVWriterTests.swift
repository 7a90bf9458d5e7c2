import TestSupport
import Testing

@testable import Ferry

@Suite struct `Writing CSV` {
  private func write(
    _ json: String, to format: Format = .csv, _ change: (inout Conversion) -> Void = { _ in }
  ) throws -> (text: String, losses: [String]) {
    var conversion = Conversion(to: format)
    conversion.reading.matchesSchemas = false
    change(&conversion)
    let result = try conversion.convert(Array(json.utf8), named: "x.json")
    return (
      String(decoding: result.bytes, as: UTF8.self),
      result.report.losses.listed.map { "\($0.path) \($0.kind.rawValue)" }
    )
  }

  /// JSON with the table for it.
  private static let samples: [(String, String)] = [
    ("[]", ""), (#"[{"a":"x","b":"y"},{"a":"z","b":""}]"#, "a,b\nx,y\nz,\"\"\n"),
    (#"{"people":[{"a":"x"}],"version":2}"#, "a\nx\n"), (#"{"a":"x","b":["y"]}"#, "a,b\nx,\"[\"\"y\"\"]\"\n"),
    (
      #"[{"a":"x, y","b":"\"q\""},{"a":"l1\nl2","b":"c\rd"}]"#,
      "a,b\n\"x, y\",\"\"\"q\"\"\"\n\"l1\nl2\",\"c\rd\"\n"
    ),
    (
      #"[{"a":1,"b":2.50,"c":true,"d":null,"e":"1","f":"true","g":"-"}]"#,
      "a,b,c,d,e,f,g\n1,2.50,true,,\"1\",\"true\",-\n"
    ),
    (#"[{"a":"1"},{"b":"2"},{"a":"3","c":"x\ny"}]"#, "a,b,c\n\"1\",,\n,\"2\",\n\"3\",,\"x\ny\"\n"),
    (#"[{},{"a":"x"},{}]"#, "a\n\"\"\nx\n\"\"\n"), (#"[{},{"a":"x","b":"y"}]"#, "a,b\n,\nx,y\n"),
    ("[{}]", "\n"),
    (#"[["x","y"],[1,[2]],[]]"#, "x,y\n1,[2]\n,\n"), (#"["x",1,null]"#, "x\n1\n\"\"\n"), ("3", "3\n"),
    (#"[{"b":"1x","a":"2x"},{"a":"3x","b":"4x"}]"#, "b,a\n1x,2x\n4x,3x\n"), (#"[{"":"x"}]"#, "\"\"\nx\n"),
    (#"[{"":"x","a":"y"}]"#, ",a\nx,y\n"), (#"[{"sep=;":"x"}]"#, "\"sep=;\"\nx\n"),
    (#"[{"a":"\ufeffx"}]"#, "a\n\"\u{feff}x\"\n"),
    (#"[{"a":{"b":[1,{"c":null}]}}]"#, "a\n\"{\"\"b\"\":[1,{\"\"c\"\":null}]}\"\n"),
  ]

  @Test(arguments: samples) func `Records become rows`(_ json: String, _ table: String) throws {
    #expect(try write(json).text == table)
  }

  @Test func `The layout follows the options`() throws {
    let json = #"[{"a":"x;y","b":"1","c":{"d":"z","e":{},"f":{"g":[1]}}},{"c":{"d":"w"}}]"#
    #expect(
      try write(json) { $0.writing.csv.delimiter = UInt8(ascii: ";") }.text.hasPrefix("a;b;c\n\"x;y\";\"1\";")
    )
    #expect(try write(json, to: .tsv).text.hasPrefix("a\tb\tc\nx;y\t\"1\"\t"))
    #expect(try write(json) { $0.writing.csv.endsRowsInCRLF = true }.text.contains("\"\r\n,,\""))
    #expect(
      try write(json) { ($0.writing.csv.columns, $0.writing.csv.endsRowsInCRLF) = (["b", "a"], true) }.text
        == "b,a\r\n\"1\",x;y\r\n,\r\n")
    #expect(
      try write(json) { ($0.writing.csv.columns, $0.writing.csv.hasHeader) = (["b"], false) }.text
        == "\"1\"\n\"\"\n")
    #expect(
      try write(json) { $0.writing.csv.nestsDottedColumns = true }.text
        == "a,b,c.d,c.e,c.f.g\nx;y,\"1\",z,{},[1]\n,,w,,\n")
    #expect(throws: FerryError(.csv(.badDelimiter))) {
      try write(json) { $0.writing.csv.delimiter = UInt8(ascii: "-") }
    }
  }

  @Test func `Cells stay as they are from CSV to CSV`() throws {
    let text = "a,b,c\n1,,\"\"\n007,true,\"x, \"\"y\"\"\"\n"
    let result = try Conversion(to: .csv).convert(Array(text.utf8), named: "x.csv")
    #expect(String(decoding: result.bytes, as: UTF8.self) == text)
    #expect(result.report.losses.isEmpty)
    let table = try Conversion(to: .table).convert(Array("n,t\n1,x\n20,\n".utf8), named: "x.csv").bytes
    #expect(String(decoding: table, as: UTF8.self) == " n  t\n--  -\n 1  x\n20\n")
  }

  @Test func `A column that no record has is refused`() throws {
    let error = #expect(throws: FerryError.self) {
      try write(#"[{"name":1,"age":2}]"#) { $0.writing.csv.columns = ["nmae"] }
    }
    #expect(error?.message == #"no record has the column "nmae" (did you mean "name"?)"#)
    #expect(try write("[]") { $0.writing.csv.columns = ["nmae"] }.text == "nmae\n")
  }

  @Test(arguments: [Format.csv, .tsv, .table, .json, .jsonLines, .yaml])
  func `A column that is given twice is refused`(format: Format) throws {
    var conversion = Conversion(to: format)
    conversion.writing.csv.columns = ["a", "a", "b"]
    let error = #expect(throws: FerryError.self) { try conversion.convert(Array(#"[{"a":1,"b":2}]"#.utf8)) }
    #expect(error?.reason == .csv(.columnTwice("a")))
    var encoder = FerryEncoder(to: format)
    encoder.writing.csv.columns = ["b", "b"]
    #expect(throws: (any Error).self) { try encoder.encode([["a": 1, "b": 2]]) }
  }

  @Test func `Rows of two kinds, and the typed form, are refused`() throws {
    let refused = [
      (#"[{"a":1},[2]]"#, "a row of this table must be a record, found a list (at [1])"),
      (#"[[2],{"a":1}]"#, "a row of this table must be a list, found a record (at [1])"),
      (#"[{"a":1},3]"#, "a row of this table must be a record, found a number (at [1])"),
    ]
    for (json, message) in refused {
      let error = #expect(throws: FerryError.self) { try write(json) }
      #expect(error?.message == message)
    }
    #expect(throws: FerryError(.csv(.onlyPlain))) { try write("[]") { $0.writing.representation = .typed } }
    let same = #expect(throws: FerryError.self) {
      try write(#"[{"a.b":1,"a":{"b":2}}]"#) { $0.writing.csv.nestsDottedColumns = true }
    }
    #expect(same?.reason == .csv(.sameKey("a.b")))
    #expect(
      try write(#"[{"a.b":"x","c":{"d":"y"}}]"#) { $0.writing.csv.nestsDottedColumns = true }.losses
        == ["[0][\"a.b\"] dotted-key"])
    // A column whose name begins or ends with a dot is not read as an entry of a dictionary.
    let empty = try write(#"[{"":{"b":"x"},"c":"y"}]"#) { $0.writing.csv.nestsDottedColumns = true }
    #expect(empty.text == ",c\n\"{\"\"b\"\":\"\"x\"\"}\",y\n")
    for json in [#"[{"a":{"":"x"}}]"#, #"[{"a":{"":{"b":"v"}}}]"#] {
      let losses = try write(json) { $0.writing.csv.nestsDottedColumns = true }.losses
      #expect(losses.contains("[0].a[\"\"] dotted-key"), "\(losses)")
    }
  }

  @Test func `A loss in a dictionary that becomes the only row has its path in the dictionary`() throws {
    let json = #"{"a":{"x":"p"},"n":null}"#
    #expect(try write(json).losses == ["a nested-as-text", "n null-as-text"])
    #expect(try write("[\(json)]").losses == ["[0].a nested-as-text", "[0].n null-as-text"])
  }

  @Test func `A value that a cell cannot hold is reported with its path`() throws {
    let losses = try write(
      #"[{"a":1,"b":true,"c":null,"d":[1],"e":"x"},{"b":"x","a":"x","f":"\ud800"},{"f":"x","a":"x"}]"#
    ).losses
    #expect(
      losses == [
        "[0].a number-as-text", "[0].b boolean-as-text", "[0].c null-as-text", "[0].d nested-as-text",
        "[0].f missing-as-empty", "[1].f surrogate", "[1] column-order", "[1].c missing-as-empty",
        "[1].d missing-as-empty", "[1].e missing-as-empty", "[2] column-order", "[2].b missing-as-empty",
        "[2].c missing-as-empty", "[2].d missing-as-empty", "[2].e missing-as-empty",
      ])
    #expect(try write(#"{"people":[{"a":"x"}],"version":2}"#).losses == ["version beside-records"])
    #expect(try write("[{}]").losses == [" empty-table"])
    #expect(try write(#"[{"a":1,"c":null},{}]"#, to: .table).losses == [])
  }

  /// Writes records with a schema of these fields, and reads them again.
  private func writeAndRead(
    _ json: String, _ fields: String, isDotted: Bool = false
  ) throws -> (csv: String, losses: [String], json: String) {
    let text = #"{"ferry":1,"name":"rec","fields":[\#(fields)]}"#
    let schema = try Schema(Value(reading: MemoryInput(Array(text.utf8)), named: "s.json"))
    let (csv, losses) = try write(json) { conversion in
      conversion.reading.schema = schema
      conversion.writing.csv.nestsDottedColumns = isDotted
    }
    var back = Conversion(to: .json)
    back.reading.schema = schema
    back.reading.csv.nestsDottedColumns = isDotted
    let bytes = try back.convert(Array(csv.utf8), named: "x.csv").bytes
    return (csv, losses, String(decoding: bytes, as: UTF8.self))
  }

  @Test(arguments: [
    ("boolean", "true"), ("integer", "1"), ("real", "1.5"), ("decimal", "1.5"), ("string", "\"x\""),
    ("date", "\"2001-01-01T00:00:00Z\""), ("uuid", "\"3F2504E0-4F89-11D3-9A0C-0305E82C3301\""),
    ("data", "\"QQ==\""), ("any", "\"x\""),
  ])
  func `A missing value of the only column comes back by the schema`(_ type: String, _ value: String) throws {
    let source = "[{\"t\":\(value)},{}]"
    let field = "{\"name\":\"t\",\"type\":\"\(type)\",\"optional\":true}"
    let (csv, losses, json) = try writeAndRead(source, field)
    #expect(csv.hasSuffix("\n\"\"\n"))
    #expect(losses == [])
    #expect(json == source + "\n")
  }

  @Test
  func
    `An empty text of the only column is kept if the field is required, and reported if it may be missing`()
    throws
  {
    let required = try writeAndRead(#"[{"t":""},{"t":"x"}]"#, #"{"name":"t"}"#)
    #expect(required.losses == [] && required.json == #"[{"t":""},{"t":"x"}]"# + "\n")
    let optional = try writeAndRead(#"[{"t":""},{"t":"x"}]"#, #"{"name":"t","optional":true}"#)
    #expect(optional.losses == ["[0].t empty-text"] && optional.json == #"[{},{"t":"x"}]"# + "\n")
    let several = try writeAndRead(
      #"[{"t":"","u":"x"}]"#, #"{"name":"t","optional":true},{"name":"u","optional":true}"#)
    #expect(several.losses == [] && several.json == #"[{"t":"","u":"x"}]"# + "\n")
    // A required value of any type cannot be told from a missing one, which the reader refuses.
    let text = #"{"ferry":1,"name":"rec","fields":[{"name":"t","type":"any"}]}"#
    let schema = try Schema(Value(reading: MemoryInput(Array(text.utf8)), named: "s.json"))
    let anyType = try write(#"[{"t":"x"},{"t":""}]"#) { $0.reading.schema = schema }
    #expect(anyType.losses == ["[1].t empty-text"] && anyType.text == "t\nx\n\"\"\n")
  }

  @Test func `The fields of nested records of a schema are columns if nested dictionaries are`() throws {
    let fields = #"""
      {"name":"n","type":"integer"},
      {"name":"a","type":"record","fields":[
        {"name":"b","type":"integer"}, {"name":"t","type":"list","items":{"type":"integer"}},
        {"name":"c","type":"record","optional":true,"fields":[{"name":"d","type":"boolean"}]}]},
      {"name":"o","type":"record","optional":true,"fields":[{"name":"x"}]}
      """#
    let json = #"[{"n":1,"a":{"b":1,"t":[1,2],"c":{"d":true}},"o":{"x":"y"}},{"n":2,"a":{"b":3,"t":[]}}]"#
    let dotted = try writeAndRead(json, fields, isDotted: true)
    #expect(dotted.csv == "n,a.b,a.t,a.c.d,o.x\n1,1,\"[1,2]\",true,y\n2,3,[],,\n")
    #expect(dotted.losses == [])
    #expect(dotted.json == json + "\n")
    let nested = try writeAndRead(json, fields)
    #expect(nested.csv.hasPrefix("n,a,o\n"))
    #expect(nested.losses == [] && nested.json == json + "\n")
    let inferred = try write(json) { conversion in
      (conversion.infersSchema, conversion.writing.csv.nestsDottedColumns) = (true, true)
    }
    #expect(inferred.text.hasPrefix("n,a.b,a.t,"), "\(inferred.text)")
    let empty = try writeAndRead(
      #"[{"a":{},"n":1}]"#,
      #"{"name":"a","type":"record","fields":[{"name":"b","optional":true}]},{"name":"n","type":"integer"}"#,
      isDotted: true)
    #expect(empty.csv == "a.b,n\n,1\n" && empty.losses == ["[0].a missing-as-empty"])
  }

  @Test func `A field with a dot in its name is reported also if no record has it`() throws {
    let fields = #"{"name":"id"},{"name":"a.b","optional":true}"#
    let without = try writeAndRead(#"[{"id":"1"},{"id":"2"}]"#, fields, isDotted: true)
    #expect(without.losses == ["[0][\"a.b\"] dotted-key"] && without.csv == "id,a.b\n1,\n2,\n")
    let with = try writeAndRead(#"[{"id":"1"},{"id":"2","a.b":"x"}]"#, fields, isDotted: true)
    #expect(with.losses == ["[1][\"a.b\"] dotted-key"])
    #expect(try writeAndRead(#"[{"id":"1"}]"#, fields).losses == [])
  }

  @Test func `An empty cell in quotation marks is a missing value of an optional number`() throws {
    let text =
      #"{"ferry":1,"name":"rec","fields":[{"name":"n","type":"integer","optional":true},{"name":"t"}]}"#
    var back = Conversion(to: .json)
    back.reading.schema = try Schema(Value(reading: MemoryInput(Array(text.utf8)), named: "s.json"))
    let bytes = try back.convert(Array("n,t\n\"\",x\n1,\"\"\n".utf8), named: "x.csv").bytes
    #expect(String(decoding: bytes, as: UTF8.self) == #"[{"t":"x"},{"n":1,"t":""}]"# + "\n")
  }

  @Test func `The values of a field of any type that become text are reported`() throws {
    let source =
      #"[{"x":1,"y":"a"},{"x":true,"y":"b"},{"x":"[1]","y":"c"},{"x":"a","y":"d"},{"x":[1],"y":"e"},{"y":"f"}]"#
    let (_, losses, _) = try writeAndRead(
      source, #"{"name":"x","type":"any","optional":true},{"name":"y"}"#)
    #expect(losses.sorted() == ["[0].x number-as-text", "[1].x boolean-as-text", "[2].x json-lookalike"])
  }

  @Test func `Null in a field of a schema is a missing value when it is read again, and reported`() throws {
    let fields = #"""
      {"name":"s","optional":true}, {"name":"n","type":"integer","optional":true},
      {"name":"x","type":"any","optional":true}, {"name":"d","default":"D"}
      """#
    let second = #"{"s":"a","n":1,"x":"b","d":"c","u":"e"}"#
    let (_, losses, json) = try writeAndRead(
      #"[{"s":null,"n":null,"x":null,"d":null,"u":null},\#(second)]"#, fields)
    #expect(losses == ["[0].s null-left-out", "[0].n null-left-out", "[0].x null-left-out"])
    // Null in a column that is not a field is read as null again.
    #expect(json == #"[{"d":"D","u":null},\#(second)]"# + "\n")
    let inferred = try write(#"[{"a":null,"b":1},{"a":"x","b":2}]"#) { $0.infersSchema = true }
    #expect(inferred.losses == ["[0].a null-left-out"])
    #expect(try write(#"[{"a":null},{"a":"x"}]"#).losses == ["[0].a null-as-text"])
  }

  @Test(arguments: [Format.csv, .tsv])
  func `An element of XML that is null is reported in a table, as null from JSON is`(_ format: Format) throws
  {
    let text =
      #"{"ferry":1,"name":"rec","fields":[{"name":"n","type":"integer","optional":true},{"name":"s"}]}"#
    let schema = try Schema(Value(reading: MemoryInput(Array(text.utf8)), named: "s.json"))
    var conversion = Conversion(to: format)
    conversion.reading.schema = schema
    let xml = "<recs><rec><n/><s>a</s></rec><rec><s>b</s></rec></recs>"
    let json = #"[{"n":null,"s":"a"},{"s":"b"}]"#
    for (name, source) in [("x.xml", xml), ("x.json", json)] {
      conversion.writing.csv.nullText = nil
      let losses = try conversion.convert(Array(source.utf8), named: name).report.losses
      #expect(losses.listed.map { "\($0.path) \($0.kind.rawValue)" } == ["[0].n null-left-out"], "\(name)")
      conversion.writing.csv.nullText = "NA"
      let written = try conversion.convert(Array(source.utf8), named: name)
      #expect(written.report.losses.isEmpty, "\(name)")
      #expect(String(decoding: written.bytes, as: UTF8.self).contains("NA"), "\(name)")
    }
  }

  @Test func `Null in place of a record whose fields are columns adds no column`() throws {
    let fields = #"""
      {"name":"n","type":"integer"},
      {"name":"o","type":"record","optional":true,"fields":[{"name":"x","optional":true},{"name":"y"}]}
      """#
    let (csv, losses, json) = try writeAndRead(
      #"[{"n":1,"o":null},{"n":2,"o":{"x":null,"y":"w"}}]"#, fields, isDotted: true)
    #expect(csv == "n,o.x,o.y\n1,,\n2,,w\n")
    #expect(losses == ["[0].o null-left-out", "[1].o.x null-left-out"])
    #expect(json == #"[{"n":1},{"n":2,"o":{"y":"w"}}]"# + "\n")
  }

  @Test(arguments: [(Format.csv, ","), (.tsv, "\t")])
  func `The types of XML that Ferry did not write are known in a table`(
    _ format: Format, _ delimiter: String
  ) throws {
    let xml = """
      <l xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema">
        <p><a>1</a><d xsi:nil="true"/><n xsi:type="xs:integer">5</n></p><p><a>2</a><d>x</d></p>
      </l>
      """
    var conversion = Conversion(to: format)
    (conversion.reading.matchesSchemas, conversion.reading.xml.types) = (false, .attributes)
    for select in [nil, "//p"] {
      conversion.reading.select = select
      let result = try conversion.convert(Array(xml.utf8), named: "x.xml")
      let table = "a,d,n\n\"1\",,5\n\"2\",x,\n".replacing(",", with: delimiter)
      #expect(String(decoding: result.bytes, as: UTF8.self) == table)
      #expect(
        result.report.losses.listed.map { "\($0.path) \($0.kind.rawValue)" } == [
          "[0].d null-as-text", "[0].n number-as-text", "[1].n missing-as-empty",
        ])
    }
  }

  @Test func `Rows before the last column are completed when there are many`() throws {
    let text = String(repeating: "\"x\ny\" ", count: 100)
    var lines: [String] = []
    for index in 0..<9000 {
      lines.append("{\"text\":\(Self.json(text)),\"c\(index / 1000)\":\"\(index)\"}")
    }
    let json = lines.joined(separator: "\n") + "\n"
    var there = Conversion(to: .csv)
    there.reading.format = .jsonLines
    var back = Conversion(to: .jsonLines)
    back.reading.format = .csv
    for isCRLF in [false, true] {
      there.writing.csv.endsRowsInCRLF = isCRLF
      let table = try there.convert(Array(json.utf8)).bytes
      let rows = try back.convert(table).bytes
      let wanted = (0..<9000).map { index in
        let cells = (0..<9).map { "\"c\($0)\":\"\($0 == index / 1000 ? "\(index)" : "")\"" }
        return "{\"text\":\(Self.json(text)),\(cells.joined(separator: ","))}\n"
      }
      #expect(rows == Array(wanted.joined().utf8))
    }
  }

  private static func json(_ text: String) -> String {
    "\"" + text.replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
  }

  @Test func `The first of rows without a header shows a reader the delimiter`() throws {
    let lists = [
      #"[["a;b;c","d"]]"#, #"[["a|b","c"],["d;e","f;g"]]"#, #"[["a;b;c","d"],["e;f;g","h"]]"#,
      #"[["a,b,c","d"]]"#, #"[["a;b"],["c"]]"#, #"[["","a;b;c"]]"#,
    ]
    for delimiter in [",", ";", "\t"] as [Unicode.Scalar] {
      for json in lists {
        let csv = try write(json) { $0.writing.csv.delimiter = UInt8(ascii: delimiter) }.text
        var back = Conversion(to: .json)
        back.reading.csv.hasHeader = false
        let bytes = try back.convert(Array(csv.utf8), named: "x.csv").bytes
        #expect(String(decoding: bytes, as: UTF8.self) == json + "\n", "\(csv)")
      }
    }
    #expect(
      try write(#"[{"a":"x;y;z","b":"w"}]"#) { $0.writing.csv.hasHeader = false }.text == "\"x;y;z\",w\n")
    #expect(try write(#"[{"a":"x;y;z","b":"w"}]"#).text == "a,b\nx;y;z,w\n")
    #expect(try write(#"[["a","b"],["x;y;z","w"]]"#).text == "a,b\nx;y;z,w\n")
  }

  @Test(arguments: [
    (#"[{"a":null},{"a":1,"b":2}]"#, "a,b\n,\n1,2\n"), (#"[{"a":null},{"a":1}]"#, "a\n\"\"\n1\n"),
    (#"[{"a":""},{"a":"x","b":null}]"#, "a,b\n\"\",\nx,\n"), ("[[null],[1,2]]", ",\n1,2\n"),
    (#"[{},{"a":null},{"a":"é\"\n"},{"a":null,"b":2}]"#, "a,b\n,\n,\n\"é\"\"\n\",\n,2\n"),
  ])
  func `A null before the last column is known is an empty cell without quotation marks`(
    _ json: String, _ csv: String
  ) throws {
    #expect(try write(json).text == csv)
    #expect(
      try write(json) { $0.writing.csv.endsRowsInCRLF = true }.text.replacing("\r\n", with: "\n") == csv)
  }

  @Test(arguments: [Format.csv, .tsv, .table]) func `Columns without values are limited`(_ format: Format)
    throws
  {
    let json = "[" + (0..<30_000).map { "{\"\($0)\":1}" }.joined(separator: ",") + "]"
    #expect(throws: FerryError(.overBudget(.amplification(100)))) {
      do throws(FerryError) { _ = try Conversion(to: format).convert(Array(json.utf8)) } catch {
        throw FerryError(error.reason)
      }
    }
  }

  @Test(arguments: [Format.csv, .tsv, .table]) func `Empty cells that the input spells out are not limited`(
    _ format: Format
  ) throws {
    var conversion = Conversion(to: format)
    conversion.reading.format = .jsonLines
    conversion.reading.budget.amplificationFloor = 0
    let row = "[1" + String(repeating: ",null", count: 499) + "]\n"
    let rows = try conversion.convert(Array(String(repeating: row, count: 20).utf8)).bytes
    #expect(rows.count { $0 == UInt8(ascii: "\n") } == 20)
  }

  @Test(arguments: [Format.csv, .tsv]) func `A column that is not divided when it is read is reported`(
    _ format: Format
  ) throws {
    for (json, path, pathInTable) in [
      (#"[{"a":{"b":"1"}},{"a":"x"}]"#, "[0].a.b", "[0][\"a.b\"]"),
      (#"[{"a":"x"},{"a":{"b":"1"}}]"#, "[1].a.b", "[0][\"a.b\"]"),
      // The dictionary around a column has been made.
      (#"[{"a":{"b":{"c":"1"}}},{"a":{"b":"x"}}]"#, "[0].a.b.c", "[0].a[\"b.c\"]"),
      (#"[{"a":{"b":"1"}},{"a":{}}]"#, "[0].a.b", "[0][\"a.b\"]"),
      (#"[{"a":{"b":"1"}},{"ab":"x"}]"#, nil, nil),
    ] as [(String, String?, String?)] {
      let written = try write(json, to: format) { $0.writing.csv.nestsDottedColumns = true }
      let losses = written.losses.filter { $0.hasSuffix(" undivided-column") }
      #expect(losses == [path].compactMap(\.self).map { "\($0) undivided-column" }, "\(json)")
      let read = try write(written.text, to: .json) {
        ($0.reading.format, $0.reading.csv.nestsDottedColumns) = (format, true)
      }
      #expect(
        read.losses == [pathInTable].compactMap(\.self).map { "\($0) undivided-column" }, "\(json)")
    }
    let table = try write(#"[{"a":{"b":"1"}},{"a":"x"}]"#, to: .table) {
      $0.writing.csv.nestsDottedColumns = true
    }
    #expect(table.losses == [])
  }

  @Test func `The losses of entries that have columns of their own have the paths of the input`() throws {
    let written = try write(
      #"[{"d":{"x":1,"e":{"y.z":true}}},{"d":{"x":"\ud800","\ud800":"a"}},{"n":[1]}]"#
    ) { $0.writing.csv.nestsDottedColumns = true }
    #expect(
      written.losses == [
        "[0].d.x number-as-text", "[0].d.e[\"y.z\"] dotted-key", "[0].d.e[\"y.z\"] boolean-as-text",
        "[1].d.x surrogate", "[1].d.\u{fffd} surrogate", "[0].d.\u{fffd} missing-as-empty",
        "[1].d.e[\"y.z\"] missing-as-empty", "[0].n missing-as-empty", "[2].n nested-as-text",
        "[2].d.x missing-as-empty", "[2].d.e[\"y.z\"] missing-as-empty",
        "[2].d.\u{fffd} missing-as-empty",
      ])
  }

  @Test func `A key with thousands of dots costs no more than its length`() throws {
    let key = "c" + String(repeating: ".a", count: 20_000)
    let written = try expectProcessorTime(atMost: .seconds(10)) {
      try write("[{\"a\":{\"b\":\"1\"},\"\(key)\":\"2\"}]", to: .csv) {
        $0.writing.csv.nestsDottedColumns = true
      }
    }
    #expect(written.text.hasPrefix("a.b,c.a.a."))
  }

  @Test func `Characters that turn the direction of a text are escapes in a table for a terminal`() throws {
    let table = try write(#"[{"a":"x\u202ey\u200b"},{"a":"👩‍👩‍👧"}]"#, to: .table).text
    #expect(table == "a\n------------------\nx\\u{202e}y\\u{200b}\n👩‍👩‍👧\n")
  }

  @Test func `The spaces of a table for a terminal are limited`() throws {
    let long = String(repeating: "x", count: 20_000)
    let json = "[" + String(repeating: #"{"a":1,"b":2},"#, count: 3000) + "{\"a\":\"\(long)\",\"b\":2}]"
    let diagonal = "[" + (0..<3000).map { "{\"k\($0)\":1}" }.joined(separator: ",") + "]"
    for text in [json, diagonal] {
      #expect(throws: FerryError(.overBudget(.amplification(100)))) {
        do throws(FerryError) { _ = try Conversion(to: .table).convert(Array(text.utf8)) } catch {
          throw FerryError(error.reason)
        }
      }
    }
  }

  @Test func `A long cell in the last column of a table costs no spaces in the other rows`() throws {
    let long = String(repeating: "x", count: 100_000)
    let json = "[" + String(repeating: #"{"a":1},"#, count: 20_000) + "{\"a\":\"\(long)\"}]"
    // Spaces for each row would be two billion.
    let text = try expectProcessorTime(atMost: .seconds(20)) { try write(json, to: .table).text }
    #expect(text.hasPrefix("a\n-----") && text.hasSuffix("\n1\n\(long)\n"))
    #expect(text.utf8.count == 2 + 2 * 100_001 + 20_000 * 2)
  }

  @Test func `A table for a terminal is aligned`() throws {
    let json =
      #"[{"name":"Ada","age":36,"city":"東京"},{"name":"Zoë\n","age":7.5,"city":"Łódź","x":null},{"age":100,"x":[1]}]"#
    #expect(
      try write(json, to: .table).text == """
        name   age  city  x
        -----  ---  ----  ---
        Ada     36  東京
        Zoë\\n  7.5  Łódź
               100        [1]

        """)
    #expect(try write("[[1,\"a\"],[20,\"b\"]]", to: .table).text == " 1  a\n20  b\n")
    #expect(try write("[]", to: .table).text == "")
    #expect(throws: FerryError(.file(.notRead("table")))) {
      try write("a", to: .json) { $0.reading.format = .table }
    }
  }

  /// Makes a text of characters that matter in CSV.
  private func text(_ random: inout SeededGenerator, hasControls: Bool = true) -> String {
    let controls = ["\n", "\r", "\r\n", "\t"]
    let parts =
      (hasControls ? controls : []) + [
        "a", "\"", ",", ";", " ", "1", "-", "true", "é", "[", "sep=", "\u{feff}",
      ]
    return (0..<Int.random(in: 0...4, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
      .joined()
  }

  @Test func `Python and Ferry read what the other has written`() async throws {
    var random = SeededGenerator(seed: 7)
    for round in 0..<20 {
      let width = Int.random(in: 2...5, using: &random)
      let rows = (0..<20).map { _ in (0..<width).map { _ in text(&random) } }
      let names = (0..<width).map { "c\($0)" + text(&random) + "z" }
      let value = Value.array(
        rows.map { row in
          var entries = KeyedValues()
          for (name, cell) in zip(names, row) { entries[name] = .string(cell) }
          return .dictionary(entries)
        })
      let output = MemoryOutput()
      var conversion = Conversion(to: .csv)
      if round.isMultiple(of: 2) { conversion.writing.csv.endsRowsInCRLF = true }
      try conversion.write(to: output, losses: LossReport()) { sink throws(FerryError) in
        try value.replay(into: sink)
      }
      let code = """
        import csv, io, json, sys
        text = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", newline="")
        rows = list(csv.reader(text))
        out = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="")
        json.dump(rows, out)
        out.write("\\n")
        csv.writer(out).writerows(rows)
        """
      let answer = try await Peer.python(code, input: output.bytes)
      #expect(answer.succeeded, "\(answer.errors)")
      let end = try #require(answer.output.firstIndex(of: UInt8(ascii: "\n")))
      let read = try Value(json: Array(answer.output[..<end]), budget: Budget())
      #expect(read == .array(([names] + rows).map { .array($0.map { .string($0) }) }))
      var options = ReadingOptions()
      options.csv.delimiter = UInt8(ascii: ",")
      let builder = ValueBuilder()
      try options.read(MemoryInput(Array(answer.output[(end + 1)...])), named: "x.csv", into: builder)
      #expect(try builder.result() == value)
    }
  }

  @Test func `Inferred types tell texts from numbers`() throws {
    for json in [
      #"[{"id":"123","n":"5"}]"#, #"[{"b":"9007199254740993"},{"b":"1"}]"#, #"[{"ok":true},{"ok":null}]"#,
      #"[{"n":null},{"n":2.5}]"#,
      #"[{"s":""},{"s":"x"}]"#, #"[{"1":[2,5]},{"1":[]}]"#, #"[{"e,f; s":"1,2;3","g":"x"}]"#,
      #"[{"\ufeffk":"x","b":1}]"#, #"[{"x,y":"1"}]"#, #"[{"":"1"},{"":"true"}]"#,
      #"[{"x;y":"1","a\nb":"2"}]"#,
      #"[{"a\"b":"true","|":null}]"#,
    ] {
      for delimiter in [",", ";", "|", "\t"] {
        var there = Conversion(to: .csv)
        there.writing.csv.delimiter = delimiter.utf8.first
        var back = Conversion(to: .json)
        (back.reading.format, back.reading.csv.infersTypes) = (.csv, true)
        let bytes = try back.convert(there.convert(Array(json.utf8)).bytes).bytes
        let wanted = try Conversion(to: .json).convert(Array(json.utf8)).bytes
        #expect(
          String(decoding: bytes, as: UTF8.self) == String(decoding: wanted, as: UTF8.self), "\(delimiter)")
      }
    }
  }

  @Test func `Columns without rows and shorter lists are reported`() throws {
    let empty = try Conversion(to: .json).convert(Array("a,b\n".utf8), named: "x.csv").report
    #expect(empty.losses.counts.map(\.kind) == [.columnNames])
    for (format, text) in [(Format.csv, "a,b\n"), (.tsv, "a\tb\n")] {
      let same = try Conversion(to: format).convert(Array("a,b\n".utf8), named: "x.csv")
      #expect(String(decoding: same.bytes, as: UTF8.self) == text)
      #expect(same.report.losses.isEmpty)
    }
    var selecting = Conversion(to: .csv)
    selecting.reading.select = "[*].a"
    #expect(try selecting.convert(Array("a,b\n".utf8), named: "x.csv").bytes == [])
    #expect(
      try write(#"[["a","b"],["c"],["d","e","f"]]"#).losses == [
        "[1][1] missing-as-empty", "[0][2] missing-as-empty",
      ])
  }

  @Test func `Inferred types restore every record with the same keys`() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<200 {
      let kinds = (0..<4).map { _ in Int.random(in: 0..<5, using: &random) }
      let records = (0..<6).map { _ in
        let cells = kinds.enumerated().map { column, kind in
          let value: String
          switch kind {
          case 0: value = "\(Int.random(in: -5...500, using: &random))"
          case 1: value = "\(Double.random(in: -1...1, using: &random))"
          case 2: value = Bool.random(using: &random) ? "true" : "false"
          case 3: value = "[\(Int.random(in: 0...9, using: &random)),{\"a\":\"b,c\"}]"
          default: value = Self.json(text(&random, hasControls: false) + "x")
          }
          return "\"c\(column)\":\(Int.random(in: 0..<5, using: &random) == 0 ? "null" : value)"
        }
        return "{\(cells.joined(separator: ","))}"
      }
      let json = Array("[\(records.joined(separator: ","))]\n".utf8)
      let table = try Conversion(to: .csv).convert(json).bytes
      var back = Conversion(to: .json)
      (back.reading.format, back.reading.csv.infersTypes) = (.csv, true)
      #expect(
        try String(decoding: back.convert(table).bytes, as: UTF8.self)
          == String(decoding: json, as: UTF8.self))
    }
  }

  @Test func `A null in place of a record is looked up among few of the columns`() throws {
    let names = (0..<40_000).map { "c\($0)" }
    let losses = LossReport()
    var context = RowsContext(losses: losses, budget: Budget())
    context.layout.nestsDottedColumns = true
    context.fields = names.map {
      RowsContext.Field(name: "\($0).x", restoresTypes: true, mayBeEmptyOrMissing: false)
    }
    var record = KeyedValues()
    for name in names { record[.string(name)] = .null }
    let output = MemoryOutput()
    let rows = try CSVRowPrinter(
      to: output, delimiter: UInt8(ascii: ","), context.layout, hasColumnsOfFirstRow: false)
    let writer = TableWriter(to: rows, context)
    // To look at each column for each null would be 1,600 million comparisons.
    try expectProcessorTime(atMost: .seconds(5)) {
      try Value.dictionary(record).replay(into: writer)
      try writer.finish()
    }
    let lines = output.bytes.split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 2)
    #expect(lines.last?.count == names.count - 1)
    #expect(losses.counts.map(\.kind) == [.nullLeftOut])
  }

  @Test func `A prefix is found among sorted names`() {
    let names = SortedNames(["b.x", "a.b.c", "a", "ab.c", "b"].map { Array($0.utf8) })
    let found = ["", "a", "a.", "a.b.", "a.b.c", "a.b.c.", "ab.", "ac", "b.", "b.y", "c"].filter {
      names.containsName(startingWith: Array($0.utf8))
    }
    #expect(found == ["", "a", "a.", "a.b.", "a.b.c", "ab.", "b."])
    #expect(!SortedNames([]).containsName(startingWith: []))
  }
}
