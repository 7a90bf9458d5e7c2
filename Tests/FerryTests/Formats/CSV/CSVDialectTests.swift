import TestSupport
import Testing

@testable import Ferry

/// The lines before the header, the spaces before cells, and the quotation marks of all cells.
@Suite struct `Dialects of CSV` {
  private static func read(
    _ text: String, chunkSize: Int = .max, _ change: (inout CSVReadingOptions) -> Void
  ) throws(FerryError) -> Value {
    try CSVText.value(of: Array(text.utf8), chunkSize: chunkSize, change)
  }

  private static func error(_ text: String, _ change: (inout CSVReadingOptions) -> Void = { _ in })
    -> FerryError?
  {
    do throws(FerryError) {
      _ = try read(text, change)
      return nil
    } catch { return error }
  }

  @Test(
    arguments: [
      ("x\n\na,b\n1,2\n", 2, [["a": "1", "b": "2"]]), ("x\r\n\r\na,b\r\n1,2", 2, [["a": "1", "b": "2"]]),
      ("x\r\ra,b\r1,2\r", 2, [["a": "1", "b": "2"]]), ("\"x\ny\na;b\n1;2", 2, [["a": "1", "b": "2"]]),
      ("\u{feff}x,y,z\na\n1\n", 1, [["a": "1"]]), ("x\n\na\n1\n", 1, [["a": "1"]]), ("x\ny", 2, []),
      ("x\r\n", 1, []), ("a\n1\n", 0, [["a": "1"]]), ("x\nsep=;\na;b\n1,5;2\n", 1, [["a": "1,5", "b": "2"]]),
    ] as [(String, Int, Value)])
  func `Lines before the header are skipped, wherever chunks end`(_ text: String, _ count: Int, _ rows: Value)
    throws
  {
    for size in [1, 2, 3, .max] {
      #expect(try Self.read(text, chunkSize: size) { $0.skippedLines = count } == rows, "chunks of \(size)")
    }
  }

  @Test func `The location of an error counts the skipped lines`() {
    let error = Self.error("é x\n\na,b\n1,2\n3\n") { $0.skippedLines = 2 }
    #expect(error?.reason == .csv(.rowLength(1, columns: 2)))
    #expect(error?.location == InputLocation(line: 5, column: 1, byte: 14))
    let short = Self.error("x\ny") { $0.skippedLines = 3 }
    #expect(short?.reason == .csv(.tooFewLines(2, skipped: 3)))
    #expect(Self.error("") { $0.skippedLines = 1 }?.reason == .csv(.tooFewLines(0, skipped: 1)))
  }

  @Test(
    arguments: [
      ("a, b\n1, \"x, y\"\n", [["a": "1", "b": "x, y"]]),
      (" a,\t b\n  1,\t\"x\ny\"\n", [["a": "1", "b": "x\ny"]]),
      ("a, b\n \" 1\", 2 \n", [["a": " 1", "b": "2 "]]), ("a, b\n, \n", [["a": "", "b": ""]]),
      ("a, b\n   \n1,2\n", [["a": "1", "b": "2"]]), ("a, \"b; c; d\"\n1, 2\n", [["a": "1", "b; c; d": "2"]]),
      ("a, b\n1, x \"y\"\n", [["a": "1", "b": "x \"y\""]]), ("a\n1\n  ", [["a": "1"]]),
    ] as [(String, Value)])
  func `Spaces and tabs at the beginning of cells are ignored, wherever chunks end`(
    _ text: String, _ rows: Value
  )
    throws
  {
    for size in [1, 2, 3, .max] {
      #expect(
        try Self.read(text, chunkSize: size) {
          $0.skipsInitialSpaces = true
          $0.delimiter = UInt8(ascii: ",")
        } == rows, "chunks of \(size)")
    }
  }

  @Test func `A delimiter that is white space is not ignored`() throws {
    #expect(
      try Self.read("a\tb\n\t \"2\"\n") { ($0.skipsInitialSpaces, $0.delimiter) = (true, 0x09) }
        == [["a": "", "b": "2"]])
  }

  @Test(arguments: [
    ("a, b\n1, \"x, y\"\n", CSVRowCause.spacesBeforeQuote), ("a, \"b, c\"\n1, 2\n", .spacesBeforeQuote),
    ("# x\na,b\n1,2\n", .linesBeforeHeader(1)), ("# x\n\ny\na,b,c\n1,2,3\n", .linesBeforeHeader(3)),
    ("a,b\n1,2,3\n4,5\n", nil), ("a,b\n1,2\n3\n", nil), ("a,b\n1,2,3\n", nil),
    ("a, b\n1, x, y\"\n", nil),
  ])
  func `A row with too many or too few cells shows its likely cause`(_ text: String, _ cause: CSVRowCause?)
    throws
  {
    guard case .csv(.rowLength(_, _, let found))? = Self.error(text)?.reason else {
      Issue.record("no error of a row")
      return
    }
    #expect(found == cause)
  }

  @Test(arguments: [
    ("a\n\"x \\\"y\\\"\"\n", CSVProblem.backslashBeforeQuote), ("a,b\n\"x\\\"\",2\n", .backslashBeforeQuote),
    ("a\n\"x\"y\n", .textAfterQuote), ("a\n\"\"\\\n", .textAfterQuote), ("a\n\"x\n", .openQuote),
  ])
  func `A backslash before a quotation mark is named as the reason`(_ text: String, _ problem: CSVProblem) {
    #expect(Self.error(text)?.reason == .csv(problem))
  }

  @Test func `A backslash at the end of a cell is an ordinary character`() throws {
    #expect(try Self.read("a,b\n\"C:\\\",2\n") { _ in } == [["a": "C:\\", "b": "2"]])
  }

  // MARK: Writing

  @Test(arguments: [
    (
      #"[{"a":"x","b":1},{"a":null},{"b":true,"c":"y\"z"}]"#,
      "\"a\",\"b\",\"c\"\n\"x\",\"1\",\"\"\n\"\",\"\",\"\"\n\"\",\"true\",\"y\"\"z\"\n"
    ),
    (#"[{},{"a":"x","b":"y"}]"#, "\"a\",\"b\"\n\"\",\"\"\n\"x\",\"y\"\n"),
    (#"[{"a":null},{},{"a":""}]"#, "\"a\"\n\"\"\n\"\"\n\"\"\n"),
    (#"[["x",1],[2]]"#, "\"x\",\"1\"\n\"2\",\"\"\n"),
    (#"[{"":"x","a":{"b":[1]}}]"#, "\"\",\"a\"\n\"x\",\"{\"\"b\"\":[1]}\"\n"),
  ])
  func `All cells get quotation marks`(_ json: String, _ table: String) throws {
    for format in [Format.csv, .tsv] {
      var conversion = Conversion(to: format)
      conversion.reading.matchesSchemas = false
      conversion.writing.csv.quotesAll = true
      let bytes = try conversion.convert(Array(json.utf8), named: "x.json").bytes
      let wanted = format == .csv ? table : table.replacing("\",\"", with: "\"\t\"")
      #expect(String(decoding: bytes, as: UTF8.self) == wanted)
    }
  }

  @Test func `All cells get quotation marks with given columns, CR LF and a text for nulls`() throws {
    var conversion = Conversion(to: .csv)
    conversion.writing.csv.quotesAll = true
    conversion.writing.csv.columns = ["b", "a"]
    (conversion.writing.csv.endsRowsInCRLF, conversion.writing.csv.nullText) = (true, "NA")
    let bytes = try conversion.convert(Array(#"[{"a":null,"b":"NA"},{"a":false}]"#.utf8), named: "x.json")
      .bytes
    #expect(
      String(decoding: bytes, as: UTF8.self) == "\"b\",\"a\"\r\n\"NA\",NA\r\n\"\",\"false\"\r\n")
  }

  @Test func `Numbers in a table with quotation marks around all cells are inferred`() throws {
    var there = Conversion(to: .csv)
    there.writing.csv.quotesAll = true
    let json = #"[{"a":1,"b":true,"c":"x"},{"a":2.5,"b":false,"c":"y"}]"#
    let table = try there.convert(Array(json.utf8), named: "x.json").bytes
    var back = Conversion(to: .json)
    back.reading.csv.infersTypes = true
    let bytes = try back.convert(table, named: "x.csv").bytes
    #expect(String(decoding: bytes, as: UTF8.self) == json + "\n")
  }

  // MARK: Changing

  private static func changed(
    _ text: String, _ set: (inout CSVReadingOptions) -> Void, _ change: (EditableFile) throws -> Void
  ) throws -> String {
    var options = EditableFile.Options()
    options.format = .csv
    set(&options.csv)
    let file = try EditableFile(Array(text.utf8), options: options)
    try change(file)
    return String(decoding: try file.bytes(), as: UTF8.self)
  }

  @Test func `A change keeps skipped lines and spaces byte for byte`() throws {
    let lines = "\u{feff}# \"1\n\n,;\t x \r\n"
    let text = lines + "a,  b,\tc\n1, \"x, y\",3\n\n  2,  z,4"
    func set(_ options: inout CSVReadingOptions) {
      (options.skippedLines, options.skipsInitialSpaces) = (3, true)
      options.delimiter = UInt8(ascii: ",")
    }
    func path(_ text: String) throws -> ValuePath { try ValuePath(parsing: text) }
    for (old, new, change) in [
      ("\"x, y\"", "\"u, v\"", { try $0.set(text: "u, v", at: path("[0].b")) }),
      ("  z", "  \" w\"", { try $0.set(text: " w", at: path("[1].b")) }),
      ("  2,", "  5,", { try $0.set(text: "5", at: path("[1].a")) }),
      ("1, \"x, y\",3\n", "", { try $0.remove(at: path("[0]")) }),
      ("\n\n  2,  z,4", "\n", { try $0.remove(at: path("[1]")) }),
    ] as [(String, String, (EditableFile) throws -> Void)] {
      #expect(try Self.changed(text, set, change) == text.replacing(old, with: new))
    }
    #expect(try Self.changed(lines, set) { _ in } == lines)
  }
}
