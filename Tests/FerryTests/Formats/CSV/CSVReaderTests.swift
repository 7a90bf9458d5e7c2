import TestSupport
import Testing

@testable import Ferry

@Suite struct `Reading CSV` {
  private func read(
    _ text: String, chunkSize: Int = .max, format: Format = .csv,
    _ change: (inout CSVReadingOptions) -> Void = { _ in }
  ) throws(FerryError) -> Value {
    try CSVText.value(of: Array(text.utf8), chunkSize: chunkSize, format: format, change)
  }

  /// Texts with their rows, by the rules of RFC 4180 and the habits of spreadsheets.
  private static let samples: [(String, Value)] = [
    ("", []), ("\n\n", []), ("a", []), ("a,b\n", []), ("a,b\n1,2\n", [["a": "1", "b": "2"]]),
    ("a,b\r\n1,2", [["a": "1", "b": "2"]]),
    ("a,b\r1,2\r3,4", [["a": "1", "b": "2"], ["a": "3", "b": "4"]]),
    ("a,b\n\n1,2\n\r\n\n3,4\n\n", [["a": "1", "b": "2"], ["a": "3", "b": "4"]]),
    ("a,b\n,\n", [["a": "", "b": ""]]), ("a,b\n1,", [["a": "1", "b": ""]]),
    ("a,b\n,1", [["a": "", "b": "1"]]),
    ("a\n\"\"\n", [["a": ""]]),
    ("a,b\n\"x, y\",\"\"\"q\"\"\"\n", [["a": "x, y", "b": "\"q\""]]),
    ("a,b\n\"one\ntwo\r\nthree\",\"\"\n", [["a": "one\ntwo\r\nthree", "b": ""]]),
    ("\"a b\",\"c\"\"d\"\n1,2", [["a b": "1", "c\"d": "2"]]),
    ("a,b\n5\" pipe,\"x\"\n", [["a": "5\" pipe", "b": "x"]]),
    ("a,b\n \"x\", y \n", [["a": " \"x\"", "b": " y "]]),
    ("a;b;c\n1,5;2;3", [["a": "1,5", "b": "2", "c": "3"]]), ("a\tb\n1\t2", [["a": "1", "b": "2"]]),
    ("a|b\n1|2", [["a": "1", "b": "2"]]), ("\"a;b;c\",d\n1,2", [["a;b;c": "1", "d": "2"]]),
    ("Price (net, gross);Date;x\n1;2;3", [["Price (net, gross)": "1", "Date": "2", "x": "3"]]),
    ("sep=;\na,b;c\n1;2\n", [["a,b": "1", "c": "2"]]), ("sep=\t\r\na\tb\n1\t2", [["a": "1", "b": "2"]]),
    ("\u{feff}a,b\n1,2", [["a": "1", "b": "2"]]), ("ä,😀\n\"ü\"\"\",é", [["ä": "ü\"", "😀": "é"]]),
    (",b\n1,2", [["": "1", "b": "2"]]), ("é\n1", [["é": "1"]]), ("a\n\n1\n", [["a": "1"]]),
  ]

  @Test(arguments: samples) func `Rows become dictionaries, whatever the chunks are`(
    _ text: String, _ rows: Value
  )
    throws
  {
    for size in [1, 2, 3, 5, 7, .max] { #expect(try read(text, chunkSize: size) == rows, "\(size)") }
  }

  @Test func `A row of every length ends at every offset of a chunk`() throws {
    for length in 0..<40 {
      let cell = String(repeating: "x", count: length)
      let rows = (0..<20).map { "\(cell)\($0),\"\(cell)\"\"\",end" }
      let text = (["a,b,c"] + rows).joined(separator: "\r\n")
      let wanted = Value.array(
        (0..<20).map { ["a": .string("\(cell)\($0)"), "b": .string(cell + "\""), "c": "end"] })
      for size in [1, 7, 8, 9, 64] { #expect(try read(text, chunkSize: size) == wanted) }
    }
  }

  @Test func `The time for a long row grows with its length, whatever the chunks are`() throws {
    let header = String(repeating: "x;", count: 300_000) + "y\n"
    let rows = try expectProcessorTime(atMost: .seconds(30)) {
      try read(header, chunkSize: 64) { $0.hasHeader = false }
    }
    guard case .array(let list) = rows, case .array(let cells)? = list.first else {
      Issue.record("no row")
      return
    }
    #expect(cells.count == 300_001)
    let tie = String(repeating: "x;y,", count: 100_000) + "z\n"
    try expectProcessorTime(atMost: .seconds(30)) {
      _ = try read(tie + tie, chunkSize: 64) { $0.hasHeader = false }
    }
  }

  @Test func `A file of spreadsheets is read in its encoding`() throws {
    let rows: Value = [["Größe": "5 €", "Name": "Zoë 😀"]]
    let text = "Größe;Name\r\n5 €;\"Zoë 😀\"\r\n"
    for isBigEndian in [false, true] {
      let units = text.utf16.flatMap { unit -> [UInt8] in
        let bytes = [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]
        return isBigEndian ? bytes : bytes.reversed()
      }
      for mark in [[], isBigEndian ? [0xfe, 0xff] : [0xff, 0xfe]] as [[UInt8]] {
        for size in [1, 3, .max] { #expect(try CSVText.value(of: mark + units, chunkSize: size) == rows) }
      }
    }
    let wide = "a,b\n\u{e9}\u{20ac},2\n".unicodeScalars.flatMap { scalar in
      (0..<4).map { UInt8(truncatingIfNeeded: scalar.value >> (8 * $0)) }
    }
    #expect(try CSVText.value(of: [0xff, 0xfe, 0, 0] + wide) == [["a": "é€", "b": "2"]])
    let windows: [UInt8] = Array("Preis\n".utf8) + [0x80, 0x20, 0xe9]
    #expect(try CSVText.value(of: windows, encoding: "windows-1252") == [["Preis": "€ é"]])
    let unknown = #expect(throws: FerryError.self) { try CSVText.value(of: windows, encoding: "klingon") }
    #expect(unknown?.reason == .content(.unknownEncoding("klingon")))
  }

  @Test func `Options describe a table that does not describe itself`() throws {
    #expect(try read("1,2\n3,4") { $0.hasHeader = false } == [["1", "2"], ["3", "4"]])
    #expect(
      try read("1,2\n3,4") { ($0.hasHeader, $0.columnNames) = (false, ["a", "b"]) }
        == [["a": "1", "b": "2"], ["a": "3", "b": "4"]])
    #expect(try read("x,x\n3,4") { $0.columnNames = ["a", "b"] } == [["a": "3", "b": "4"]])
    #expect(try read("a,b\n'x,y',2") { $0.quote = UInt8(ascii: "'") } == [["a": "x,y", "b": "2"]])
    #expect(try read("a,b\n\"x,2") { $0.quote = nil } == [["a": "\"x", "b": "2"]])
    // As many of each are in the first row.
    #expect(try read("name, first;age\nx;2") == [["name, first": "x", "age": "2"]])
    #expect(try read("Price, EUR;Name\n1,5;x") == [["Price, EUR": "1,5", "Name": "x"]])
    #expect(try read("a;b,c\n1,2\n") == [["a;b": "1", "c": "2"]])
    #expect(try read("a,b:c\n1,2:3") { $0.delimiter = UInt8(ascii: ":") } == [["a,b": "1,2", "c": "3"]])
    #expect(try read("a,b\tc\n1,2\t3", format: .tsv) == [["a,b": "1,2", "c": "3"]])
    #expect(
      try read("a,b\n1\n1,2,3,4") { $0.allowsRaggedRows = true }
        == [["a": "1"], ["a": "1", "b": "2", "column 3": "3", "column 4": "4"]])
    #expect(
      try read("id,a.b,x,a.c,.d,e.,f,f.g\n1,2,3,4,5,6,7,8") { $0.nestsDottedColumns = true }
        == [["id": "1", "a": ["b": "2", "c": "4"], "x": "3", ".d": "5", "e.": "6", "f": "7", "f.g": "8"]])
  }

  @Test func `Columns with more dots than levels are refused`() throws {
    let name = "a" + String(repeating: ".a", count: 100_000)
    for table in ["b,\(name)\n1,2\n", "\(name)\n1\n"] {
      let error = expectProcessorTime(atMost: .seconds(10)) {
        #expect(throws: FerryError.self) { try read(table) { $0.nestsDottedColumns = true } }
      }
      #expect(error?.reason == .overBudget(.depth(512)))
      #expect(error?.location.line == 1)
      #expect(throws: Never.self) { try read(table) }
    }
    let deep = "a" + String(repeating: ".a", count: 510)
    #expect(throws: Never.self) { try read(deep + "\n1\n") { $0.nestsDottedColumns = true } }
  }

  /// Texts with the place of a mistake.
  private static let refused: [(String, String)] = [
    ("a,b\n1,\"x\"y\n", "2:6: expected a delimiter or the end of the row"),
    ("a,b\n1,\"x\n2,3\n", "2:3: the quotation mark that begins this cell is not closed"),
    ("a,b\n1,2\n1,2,3\n", "3:1: the row has 3 cells, but the table has 2 columns"),
    ("a,b\n\n1\n", "3:1: the row has 1 cell, but the table has 2 columns"),
    ("a,b,a\n", "1:5: two columns have the name \"a\""),
    ("a,b\n1,2\n\0\0", "3:1: this is a text with a run of zero bytes"),
    ("a,b\n1,2\n3,4\0\0\0", "3:4: this is a text with a run of zero bytes"),
    ("a,b\n1,\"x\0\0", "2:5: this is a text with a run of zero bytes"),
  ]

  @Test(arguments: refused) func `A mistake is located`(_ text: String, _ message: String) {
    for size in [1, 4, .max] {
      let error = #expect(throws: FerryError.self) { try read(text, chunkSize: size) }
      #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }
  }

  @Test func `Zero bytes in a table, and a single one at its end, are text`() throws {
    #expect(try read("a\nx\0") == [["a": "x\0"]])
    #expect(try read("a\nx\0\0\ny\n") == [["a": "x\0\0"], ["a": "y"]])
  }

  @Test func `Bytes that are not text are located`() {
    for (bytes, place) in [([0x61, 0x2c, 0xff], "1:3"), ([0x61, 0x0a, 0x62, 0xc3, 0x0a, 0x63], "2:2")]
      as [([UInt8], String)]
    {
      for size in [1, .max] {
        let error = #expect(throws: FerryError.self) { try CSVText.value(of: bytes, chunkSize: size) }
        #expect(error?.description.hasPrefix("\(place): these bytes are not UTF-8") == true)
      }
    }
    #expect(throws: FerryError.self) { try CSVText.value(of: [0xff, 0xfe, 0x61]) }
    #expect(throws: FerryError(.csv(.badDelimiter))) { try read("a") { $0.delimiter = UInt8(ascii: "5") } }
    #expect(throws: FerryError(.csv(.delimiterIsQuote))) {
      try read("a") { ($0.delimiter, $0.quote) = (UInt8(ascii: "'"), UInt8(ascii: "'")) }
    }
    #expect(throws: FerryError(.csv(.delimiterIsQuote))) {
      try read("sep=|\na|b\n") { $0.quote = UInt8(ascii: "|") }
    }
    #expect(
      throws: FerryError(
        .csv(.columnNames(given: 1, columns: 2)), at: InputLocation(line: 1, column: 1, byte: 0))
    ) {
      try read("a,b\n") { $0.columnNames = ["x"] }
    }
  }

  @Test func `Rows of the wrong length are left out on request`() throws {
    var conversion = Conversion(to: .json)
    conversion.keepsGoing = true
    let result = try conversion.convert(Array("a,b\n1,2\n3\n4,5,6\n7,8\n".utf8), named: "x.csv")
    #expect(String(decoding: result.bytes, as: UTF8.self) == #"[{"a":"1","b":"2"},{"a":"7","b":"8"}]"# + "\n")
    #expect(result.report.errors.map(\.location.line) == [3, 4])
  }

  @Test(arguments: [false, true])
  func `A byte that is not UTF-8 is located at itself, also if rows are left out`(_ keepsGoing: Bool) {
    var conversion = Conversion(to: .json)
    (conversion.reading.format, conversion.keepsGoing) = (.csv, keepsGoing)
    for (text, column) in [
      ("a,b\n1,2\n1,?\n", 3), ("a,b\n1,2\nx\",?y\n", 4), ("a,b\n1,2\n\"x\",\"y?\"\n", 7),
    ] {
      let bytes = text.utf8.map { $0 == UInt8(ascii: "?") ? 0xe9 : $0 }
      let failure = #expect(throws: FerryError.self) { try conversion.convert(bytes) }
      #expect(failure?.location.line == 3 && failure?.location.column == column, "\(text)")
    }
  }

  @Test func `The types of columns are inferred if every text survives`() throws {
    let text = """
      n,r,mixed,zip,long,flag,yes,list,map,empty,q,half
      1,1.5,1,02134,2.20,true,yes,"[1,2]","{""a"":null}",,"7",1
      -20,0.1,1e300,10001,1.5,false,true,[],{},,"8","2"
      ,,,,,,,,,,,

      """
    var conversion = Conversion(to: .json)
    conversion.reading.csv.infersTypes = true
    let json = String(decoding: try conversion.convert(Array(text.utf8), named: "x.csv").bytes, as: UTF8.self)
    #expect(
      json
        == """
        [{"n":1,"r":1.5,"mixed":1,"zip":"02134","long":"2.20","flag":true,"yes":"yes","list":[1,2],"map":{"a":null},\
        "empty":null,"q":"7","half":"1"},\
        {"n":-20,"r":0.1,"mixed":1e+300,"zip":"10001","long":"1.5","flag":false,"yes":"true","list":[],"map":{},\
        "empty":null,"q":"8","half":"2"},\
        {"n":null,"r":null,"mixed":null,"zip":null,"long":null,"flag":null,"yes":null,"list":null,"map":null,"empty":null,\
        "q":null,"half":null}]

        """.replacing("1e+300", with: "\"1e300\"").replacing(#""mixed":1,"#, with: #""mixed":"1","#))
    let quoted = try conversion.convert(Array("\"a\",\"b\"\n\"1\",\"x\"\n\"2\",\"\"\n".utf8), named: "x.csv")
      .bytes
    #expect(String(decoding: quoted, as: UTF8.self) == #"[{"a":1,"b":"x"},{"a":2,"b":""}]"# + "\n")
  }

  @Test(arguments: [
    // All names and cells are quoted, and one of them needs no quotation marks.
    ("\"a,b\",\"c\"\n\"1\",\"2\"\n", true), ("\"a,b\",\"c,d\"\n\"1\",\"x\"\n\"1\",\"y\"\n", true),
    ("\"2020\",\"2021\"\n\"1\",\"2\"\n", true), ("\"a,b\"\n\"1\"\n\"2\"\n", false),
    ("\"a,b\",\"c\"\"d\"\n\"1\",\"2\"\n", false), ("\"\"\n\"1\"\n", false), ("\"a;b\"\n\"1\"\n", false),
  ])
  func `Quotation marks mean text unless a table has needless ones around all cells`(
    _ table: String, _ areNumbers: Bool
  ) throws {
    var readCount = 0
    for names in [nil, 1, 2].map({ $0.map { ["x", "y"].prefix($0) } }) {
      var conversion = Conversion(to: .json)
      conversion.reading.csv.infersTypes = true
      conversion.reading.csv.columnNames = names.map(Array.init)
      guard let result = try? conversion.convert(Array(table.utf8), named: "x.csv") else { continue }
      readCount += 1
      let json = String(decoding: result.bytes, as: UTF8.self)
      #expect(json.contains(":1") == areNumbers, "\(json)")
      #expect(json.contains(":\"1\"") != areNumbers, "\(json)")
    }
    // One of the lists of names has another count than the columns.
    #expect(readCount == 2)
  }

  @Test func `Quotation marks in a table without a header mean text unless all its cells have needless ones`()
    throws
  {
    var conversion = Conversion(to: .json)
    (conversion.reading.csv.infersTypes, conversion.reading.csv.hasHeader) = (true, false)
    for (table, wanted) in [
      ("\"1\",\"true\"\n", #"[["1","true"]]"#), ("\"1\",\"Ada\"\n", #"[[1,"Ada"]]"#),
      ("\"1\",Ada\n", #"[["1","Ada"]]"#),
    ] {
      let bytes = try conversion.convert(Array(table.utf8), named: "x.csv").bytes
      #expect(String(decoding: bytes, as: UTF8.self) == wanted + "\n")
    }
  }

  private static let list = #"{"name":"l","type":"list","items":{"type":"any"}}"#

  @Test func `A mistake in JSON inside a cell has the location of its row`() throws {
    let table = "n,l\nAda,\"[1,2]\"\nBo,\"[\"\"é\"\",\n x\"\n"
    var conversion = Conversion(to: .json)
    let text = #"{"ferry":1,"name":"rec","fields":[{"name":"n"},\#(Self.list)]}"#
    conversion.reading.schema = try Schema(Value(reading: MemoryInput(Array(text.utf8)), named: "s.json"))
    let error = #expect(throws: FerryError.self) {
      try conversion.convert(Array(table.utf8), named: "x.csv")
    }
    #expect(error?.reason == .json(.expected("a value", found: "\"x\"")))
    #expect(error?.location.line == 3)
    #expect(error?.path == ValuePath([.index(1), .key("l")]))
  }

  @Test func `JSON inside a cell has the budget of the file`() throws {
    let table = "n,l\nAda,\"[[1]]\"\nBo,\"[[[[1]]]]\"\n"
    var inferring = Conversion(to: .json)
    inferring.reading.csv.infersTypes = true
    var mapping = Conversion(to: .json)
    let text = #"{"ferry":1,"name":"rec","fields":[{"name":"n"},\#(Self.list)]}"#
    mapping.reading.schema = try Schema(Value(reading: MemoryInput(Array(text.utf8)), named: "s.json"))
    mapping.reading.budget.depth = 3
    let error = #expect(throws: FerryError.self) { try mapping.convert(Array(table.utf8), named: "x.csv") }
    #expect(error?.reason == .overBudget(.depth(3)))
    #expect(error?.location.line == 3)
    #expect(error?.path.steps.first == .index(1))
    // A column of deeper JSON is a text.
    inferring.reading.budget.depth = 3
    let inferred = try inferring.convert(Array(table.utf8), named: "x.csv")
    #expect(
      String(decoding: inferred.bytes, as: UTF8.self)
        == "[{\"n\":\"Ada\",\"l\":\"[[1]]\"},{\"n\":\"Bo\",\"l\":\"[[[[1]]]]\"}]\n")
    inferring.reading.budget.depth = 4
    let deeper = try inferring.convert(Array(table.utf8), named: "x.csv")
    #expect(String(decoding: deeper.bytes, as: UTF8.self).contains("\"l\":[[[[1]]]]"))
  }

  @Test func `A key that occurs twice in JSON inside a cell is reported with its path`() throws {
    let table = "a.n,a.l\nAda,\"[{}]\"\nBo,\"[{\"\"k\"\":1,\"\"k\"\":2}]\"\n"
    var conversion = Conversion(to: .json)
    conversion.reading.csv.infersTypes = true
    var losses = try conversion.convert(Array(table.utf8), named: "x.csv").report.losses.listed
    #expect(losses == [Loss(.duplicateKey, path: ValuePath([.index(1), .key("a.l"), .index(0), .key("k")]))])
    conversion.reading.csv.nestsDottedColumns = true
    losses = try conversion.convert(Array(table.utf8), named: "x.csv").report.losses.listed
    #expect(
      losses.map(\.path) == [ValuePath([.index(1), .key("a"), .key("l"), .index(0), .key("k")])])
    conversion.reading.csv = CSVReadingOptions()
    let text = #"{"ferry":1,"name":"rec","fields":[{"name":"n"},\#(Self.list)]}"#
    conversion.reading.schema = try Schema(Value(reading: MemoryInput(Array(text.utf8)), named: "s.json"))
    let plain = table.replacing("a.n,a.l", with: "n,l")
    losses = try conversion.convert(Array(plain.utf8), named: "x.csv").report.losses.listed
    #expect(losses == [Loss(.duplicateKey, path: ValuePath([.index(1), .key("l"), .index(0), .key("k")]))])
  }

  @Test(arguments: [false, true])
  func `A value that is not of its field's type is located at its cell`(_ keepsGoing: Bool) throws {
    let cases: [(fields: String, table: String, location: InputLocation)] = [
      (
        #"{"name":"name"},{"name":"age","type":"integer"}"#, "name,age\nAda,36\nBo,old\n",
        InputLocation(line: 3, column: 4, byte: 19)
      ),
      (
        #"{"name":"name"},{"name":"age","type":"integer"},{"name":"x"}"#,
        "name,age,x\nAda,36,\n\"a\nb\",\"o\"\"d\",y\n", InputLocation(line: 4, column: 5, byte: 26)
      ),
      (
        #"{"name":"a","type":"record","fields":[{"name":"n"},{"name":"m","type":"integer"}]}"#,
        "a.n,b,a.m\n1,2,3\n4,5,six\n", InputLocation(line: 3, column: 5, byte: 20)
      ),
      // A field without a cell is missing in the row.
      (#"{"name":"name"},{"name":"age"}"#, "name,x\nAda,36\n", InputLocation(line: 2, column: 1, byte: 7)),
    ]
    for (fields, table, location) in cases {
      let text = #"{"ferry":1,"name":"rec","fields":[\#(fields)]}"#
      var conversion = Conversion(to: .json)
      conversion.reading.schema = try Schema(Value(reading: MemoryInput(Array(text.utf8)), named: "s.json"))
      (conversion.keepsGoing, conversion.reading.csv.nestsDottedColumns) = (keepsGoing, table.contains("a.n"))
      if keepsGoing {
        let report = try conversion.convert(Array(table.utf8), named: "x.csv").report
        #expect(report.errors.map(\.location) == [location], "\(table)")
      } else {
        let error = #expect(throws: FerryError.self) {
          try conversion.convert(Array(table.utf8), named: "x.csv")
        }
        #expect(error?.location == location, "\(table)")
      }
    }
  }

  @Test func `The limit of the depth that is given applies to JSON in cells`() throws {
    let deep = String(repeating: "[", count: 550) + String(repeating: "]", count: 550)
    var conversion = Conversion(to: .json)
    conversion.reading.csv.infersTypes = true
    let usual = try conversion.convert(Array("l\n\(deep)\n".utf8), named: "x.csv").bytes
    #expect(String(decoding: usual, as: UTF8.self) == "[{\"l\":\"\(deep)\"}]\n")
    conversion.reading.budget.depth = 600
    let deeper = try conversion.convert(Array("l\n\(deep)\n".utf8), named: "x.csv").bytes
    #expect(String(decoding: deeper, as: UTF8.self) == "[{\"l\":\(deep)}]\n")
    conversion.reading.budget.depth = 2
    let flat = try conversion.convert(Array("l\n[[[1]]]\n".utf8), named: "x.csv").bytes
    #expect(String(decoding: flat, as: UTF8.self) == #"[{"l":"[[[1]]]"}]"# + "\n")
    var options = ReadingOptions()
    options.budget.depth = 600
    var inference = SchemaInference(options)
    try inference.add(MemoryInput(Array("l\n\(deep)\n".utf8)), named: "x.csv")
    #expect(try inference.schema().decisions.first?.type.hasPrefix("list") == true)
  }

  @Test func `A cell with doubled quotation marks has its location in batches`() throws {
    let text = "a,b\n1,\"x\"\n2,\"y\"\"\"\n3,z\n"
    for limit in 1..<16 {
      let locations = try [false, true].map { inBatches in
        let sink = inBatches ? LimitedBatchSink(to: TapeSink()) : LimitedSink(to: TapeSink())
        sink.limit = limit
        guard case .stream(let makeReader)? = Format.csv.description.reader else { return InputLocation() }
        let reader = try makeReader(sink, ReaderContext(budget: Budget()))
        let error = #expect(throws: FerryError.self) { try reader.readAll(Array(text.utf8).span) }
        return error?.location ?? InputLocation()
      }
      #expect(locations[0].line == locations[1].line, "event \(limit)")
      // The text with doubled quotation marks.
      if limit == 11 { #expect(locations[1] == InputLocation(line: 3, column: 4, byte: 13)) }
    }
  }

  @Test func `Every prefix and every changed byte is read or refused`() throws {
    let bytes = Array("a;\"b\"\r\n\"x\"\"y\";ü\n1;2\n".utf8)
    let changes = Damage.Change.replacing([0, 0x0a, 0x0d, 0x22, 0x2c, 0x3b, 0xff])
    let tally = try Damage(to: bytes, change: changes).check(prefixes: .readOrRefused) { bytes in
      let (whole, pieces) = (
        Result { try CSVText.value(of: bytes) }, Result { try CSVText.value(of: bytes, chunkSize: 1) }
      )
      #expect((try? whole.get()) == (try? pieces.get()))
      guard case .array(let rows) = try whole.get() else { throw Damage.Refusal() }
      // Each row has the same columns, which the header names.
      #expect(Set(rows.map(\.dictionaryValue?.count)).count <= 1, "\(rows)")
    }
    #expect(tally.readPrefixes > 0 && tally.refusedPrefixes > 0 && tally.readChanges > 0)
  }
}
