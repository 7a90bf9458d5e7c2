import TestSupport
import Testing

@testable import Ferry

/// Changes by path in CSV and TSV, which keep every other byte, or are refused.
@Suite struct `Changes in tables` {
  private typealias Options = EditableFile.Options

  private static func options(_ format: Format = .csv, _ set: (inout CSVReadingOptions) -> Void = { _ in })
    -> Options
  {
    var options = Options()
    options.format = format
    set(&options.csv)
    return options
  }

  private static func edited(
    _ text: String, _ options: Options = options(), losses: LossReport = LossReport(),
    _ change: (EditableFile) throws -> Void
  ) throws -> String {
    let file = try EditableFile(Array(text.utf8), options: options)
    try change(file)
    return String(decoding: try file.bytes(losses: losses), as: UTF8.self)
  }

  private static func set(_ text: String, _ path: String, _ value: String, _ options: Options = options())
    throws -> String
  {
    try edited(text, options) { try $0.set(text: value, at: ValuePath(parsing: path)) }
  }

  private static func problem(
    _ text: String, _ options: Options = options(), _ change: (EditableFile) throws -> Void
  ) throws -> String {
    let file = try EditableFile(Array(text.utf8), options: options)
    do {
      try change(file)
      _ = try file.bytes()
      return ""
    } catch let error as FerryError {
      return error.message
    }
  }

  private static let text = "name,age,motto\n\"Ada\",36,\"first, and exact\"\n\nBo,7,\n"

  // MARK: Cells

  @Test func `A changed cell leaves every other byte as it is`() throws {
    for (path, value, old, new) in [
      ("[0].name", "Eve", "\"Ada\"", "\"Eve\""), ("[0].age", "37", "36", "37"), ("[1].age", "", ",7,", ",,"),
      ("[0].motto", "short", "\"first, and exact\"", "short"), ("[1].motto", "a,b", "7,\n", "7,\"a,b\"\n"),
      ("[1].motto", "say \"a\"", "7,\n", "7,\"say \"\"a\"\"\"\n"), ("[1].name", "B\nC", "Bo", "\"B\nC\""),
      ("[name=Bo].age", "8", ",7,", ",8,"), ("[-1].name", " x ", "Bo", " x "), ("[1].name", "é", "Bo", "é"),
    ] {
      #expect(try Self.set(Self.text, path, value) == Self.text.replacing(old, with: new), "\(path)")
    }
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `Line ends, a missing one at the end, blank lines and a line with the delimiter stay`(_ end: String)
    throws
  {
    for text in [
      "a;b\n1;\"x;y\"\n\n2;\n", "a;b\n1;\"x;y\"\n2;", "\n\na;b\n1;2\n2;\n\n", "sep=;\na;b\n1;2\n2;\n",
      "\"a\";\"b\"\n\"1\";\"\"\n\"2\";\n",
    ] {
      let text = text.replacing("\n", with: end)
      let edited = try Self.set(text, "[1].a", "3")
      let wanted = text.replacing("2;", with: "3;").replacing("\"2\"", with: "\"3\"")
      #expect(edited == wanted, "\(text.debugDescription): \(edited.debugDescription)")
      let back = try Self.edited(text) { file in
        try file.insert(["a": "n", "b": "m"], at: ValuePath([.end]))
      }
      #expect(try Self.edited(back) { try $0.remove(at: ValuePath([.index(-1)])) } == text)
      let first = try Self.edited(text) { try $0.insert(["a": "n", "b": "m"], at: ValuePath([.index(0)])) }
      #expect(try Self.edited(first) { try $0.remove(at: ValuePath([.index(0)])) } == text)
    }
  }

  @Test func `A set there and back gives the bytes of the table`() throws {
    let tables = [
      // Quotation marks that only one cell of a column has, without need, are not found again.
      Self.text.replacing("\"Ada\"", with: "Ada"), "a,b\n1,2\n", "\"a\",\"b\"\n\"1\",\"x,y\"\n\"2\",\"\"\n",
      "a\n\"\"\nx\n\"y, z\"\n",
      "a\tb\n1\t\n",
      "a;b\r\n\"x\"\"y\";1\r\n;\r\n", "a|b\n\"c|d\"|\n",
      "a,b\nsay \"x\",5\" disk\n",
    ]
    for text in tables {
      let file = try EditableFile(Array(text.utf8), options: Self.options())
      let value = try file.value(at: ValuePath())
      for path in value.stringPaths {
        guard case .string(let old) = try file.value(at: path) else { continue }
        for new in ["x", "", "a,b", "say \"x\"", "1", "two\nlines", "a;b", "a\tb", old] {
          let name = "\(text.debugDescription) \(path) \(new.debugDescription)"
          let there = try Self.set(text, path.description, new)
          #expect(
            try EditableFile(Array(there.utf8), options: Self.options()).value(at: path) == .string(new),
            "\(name)")
          #expect(try Self.set(there, path.description, old) == text, "\(name): \(there.debugDescription)")
          if new == old { #expect(there == text) }
        }
      }
    }
  }

  @Test func `The other options of reading are those of the changed table`() throws {
    #expect(
      try Self.set(
        "Ada|36\n'B|o'|7\n", "[1][0]", "C|y",
        Self.options {
          ($0.delimiter, $0.quote, $0.hasHeader) = (UInt8(ascii: "|"), UInt8(ascii: "'"), false)
        }) == "Ada|36\n'C|y'|7\n")
    #expect(
      try Self.set("a,\"b\n1,2\n", "[0].a", "\"", Self.options { $0.quote = nil }) == "a,\"b\n\",2\n")
    #expect(
      try Self.set(
        "Ada,36\n", "[0].age", "37",
        Self.options { ($0.hasHeader, $0.columnNames) = (false, ["name", "age"]) })
        == "Ada,37\n")
    #expect(
      try Self.set(
        "a,b,c\n1\n1,2,3,4\n", "[1][\"column 4\"]", "5", Self.options { $0.allowsRaggedRows = true })
        == "a,b,c\n1\n1,2,3,5\n")
    #expect(
      try Self.set("a,b,c\n1\n", "[0].a", "2", Self.options { $0.allowsRaggedRows = true }) == "a,b,c\n2\n")
    #expect(
      try Self.set("a.b,c\n1,2\n", "[0].a.b", "3", Self.options { $0.nestsDottedColumns = true })
        == "a.b,c\n3,2\n")
    #expect(
      try Self.set("a\tb,c\n1\t2\n", "[0][\"b,c\"]", "x\ty", Self.options(.tsv)) == "a\tb,c\n1\t\"x\ty\"\n")
  }

  @Test func `The first cell does not make the table one of another format or with another delimiter`() throws
  {
    let list = Self.options { $0.hasHeader = false }
    for (text, wanted) in [
      ("{\"a\":1}", "\"{\"\"a\"\":1}\",2\n"), ("<a>", "\"<a>\",2\n"), ("a;b", "\"a;b\",2\n"),
      ("sep=;", "\"sep=;\",2\n"),
      ("a", "a,2\n"),
    ] {
      let edited = try Self.set("1,2\n", "[0][0]", text, list)
      #expect(edited == wanted)
      #expect(try Format.of(Array(edited.utf8), named: "a.csv") == .csv)
    }
  }

  @Test func `A table in another encoding keeps it, and its byte order mark`() throws {
    let encodings: [(name: String, mark: [UInt8])] = [
      ("UTF-16LE", [0xff, 0xfe]), ("UTF-8", [0xef, 0xbb, 0xbf]), ("windows-1252", []),
    ]
    for (name, mark) in encodings {
      func encoded(_ text: String) throws -> [UInt8] {
        let utf8 = Array(text.utf8)
        guard name != "UTF-8" else { return mark + utf8 }
        var bytes = mark
        var encoder = try TextEncoder(
          to: OutputEncoding(name: name, mark: []), escape: nil, declaresEncoding: false)
        try encoder.append(utf8.span, to: &bytes)
        try encoder.finish(to: &bytes)
        return bytes
      }
      var options = Self.options()
      if mark.isEmpty { options.encoding = name }
      let file = try EditableFile(encoded("name,city\r\nZoë,Köln\r\n"), options: options)
      try file.set(text: "Málaga", at: "[0].city")
      #expect(try file.bytes() == encoded("name,city\r\nZoë,Málaga\r\n"), "\(name)")
    }
  }

  // MARK: Rows

  @Test func `A key that only a new row has is reported, because it adds a column`() throws {
    func kinds(_ path: ValuePath, _ value: Value) throws -> [String] {
      let losses = LossReport()
      _ = try Self.edited("id,name\n1,Ada\n2,Bo\n", losses: losses) { try $0.insert(value, at: path) }
      return losses.all.listed.map { "\($0.path) \($0.kind.rawValue)" }
    }
    let row: Value = ["id": "3", "nmae": "Cy"]
    #expect(
      try kinds(ValuePath([.end]), row) == [
        "[2].nmae added-column", "[0].nmae missing-as-empty", "[1].nmae missing-as-empty",
        "[2].name missing-as-empty",
      ])
    #expect(try kinds(ValuePath([.end]), ["id": "3", "name": "Cy"]).isEmpty)
    // A column that is named by its path is meant.
    #expect(try kinds("[0].country", "x") == ["[1].country missing-as-empty"])
  }

  @Test func `A new row has the columns of the header, and quotation marks if all others have them`() throws {
    let row: Value = ["motto": "none", "name": "Cy"]
    let losses = LossReport()
    let edited = try Self.edited(Self.text, losses: losses) { try $0.insert(row, at: ValuePath([.end])) }
    #expect(edited == Self.text + "Cy,,none\n")
    #expect(losses.all.counts.map { $0.kind } == [.missingAsEmpty])
    let quoted = "\"a\",\"b\"\n\"x\",1\n"
    #expect(
      try Self.edited(quoted) { try $0.insert(["a": "y", "b": "2"], at: ValuePath([.index(0)])) }
        == "\"a\",\"b\"\n\"y\",2\n\"x\",1\n")
    #expect(
      try Self.edited("a,b") { try $0.insert(["a": "y", "b": "2"], at: ValuePath([.end])) } == "a,b\ny,2")
    #expect(try Self.edited("") { try $0.insert(["a": "y", "b": 2], at: ValuePath([.end])) } == "a,b\ny,2\n")
    #expect(try Self.edited("a\nx\n") { try $0.insert(["a": ""], at: ValuePath([.end])) } == "a\nx\n\"\"\n")
  }

  @Test func `A removed row leaves the others as they are`() throws {
    for (index, wanted) in [
      (0, "name,age,motto\n\nBo,7,\n"), (1, "name,age,motto\n\"Ada\",36,\"first, and exact\"\n\n"),
    ] {
      #expect(try Self.edited(Self.text) { try $0.remove(at: ValuePath([.index(index)])) } == wanted)
    }
    #expect(try Self.edited(Self.text) { try $0.remove(at: "[*]") } == "name,age,motto\n\n")
    #expect(try Self.edited("a,b\n1,2\n3,4\n5,6") { try $0.remove(at: "[1:]") } == "a,b\n1,2")
  }

  @Test func `Rows and cells that a patch moves keep their text`() throws {
    let text = "a,b\n\"1\",\"x, y\"\n2,z\n"
    let swapped = #"[{"op":"move","from":"/0","path":"/1"}]"#
    #expect(
      try Self.edited(text) { try $0.apply(JSONPatch(Array(swapped.utf8))) } == "a,b\n2,z\n\"1\",\"x, y\"\n")
    let renamed =
      #"[{"op":"move","from":"/0/a","path":"/0/c"},{"op":"move","from":"/1/a","path":"/1/c"}]"#
    #expect(
      try Self.edited(text) { try $0.apply(JSONPatch(Array(renamed.utf8))) }
        == "c,b\n\"1\",\"x, y\"\n2,z\n")
  }

  // MARK: Columns

  @Test func `A slice of all rows names a column`() throws {
    let text = "id,name,\"x\"\n1,\"a, b\",\n2,c,\"d\"\n"
    #expect(try Self.set(text, "[*].name", "n") == "id,name,\"x\"\n1,n,\n2,n,\"d\"\n")
    #expect(try Self.edited(text) { try $0.remove(at: "[*].name") } == "id,\"x\"\n1,\n2,\"d\"\n")
    #expect(try Self.edited(text) { try $0.remove(at: "[*].x") } == "id,name\n1,\"a, b\"\n2,c\n")
    #expect(
      try Self.edited(text) { try $0.insert(text: "p,q", at: "[*].new") }
        == "id,name,\"x\",new\n1,\"a, b\",,\"p,q\"\n2,c,\"d\",\"p,q\"\n")
    #expect(
      try Self.edited(text) { try $0.insert(text: "n", at: "[1].new") }
        == "id,name,\"x\",new\n1,\"a, b\",,\n2,c,\"d\",n\n")
    // One column is left, in which the delimiter is the comma again.
    #expect(try Self.edited("a;b\n1;\"x\"\n;2,3\n") { try $0.remove(at: "[*].a") } == "b\n\"x\"\n\"2,3\"\n")
    #expect(try Self.edited("a,b\n1,\n2,x\n") { try $0.remove(at: "[*].a") } == "b\n\"\"\nx\n")
    #expect(
      try Self.edited(text) { try $0.remove(at: "[1].name") } == "id,name,\"x\"\n1,\"a, b\",\n2,,\"d\"\n")
    let failed = try Self.problem(text) { try $0.set(text: "n", at: "[*].nme") }
    #expect(
      failed.hasPrefix("none of the 2 elements matches: no key \"nme\" here (did you mean \"name\"?)"),
      "\(failed)")
  }

  @Test func `Values that are not text become their text, with a report`() throws {
    let losses = LossReport()
    let edited = try Self.edited("a,b,c\nx,y,z\n", losses: losses) { file in
      try file.set(1.5, at: "[0].a")
      try file.set(true, at: "[0].b")
      try file.set(.null, at: "[0].c")
    }
    #expect(edited == "a,b,c\n1.5,true,\n")
    #expect(Set(losses.all.counts.map { $0.kind }) == [.numberAsText, .booleanAsText, .nullAsText])
  }

  // MARK: Refusals

  @Test func `A value that a table cannot hold is refused before anything is written`() throws {
    let cases: [(Options, String, Value, String)] = [
      (Self.options(), "[0].name", ["x"], "cannot put an array of 1 element here: a cell of a table is text"),
      (Self.options(), "[0].name", ["x": "y"], "cannot put a dictionary here: a cell of a table is text"),
      (Self.options(), "[0].name", .data([1]), "cannot put data here: a cell of a table is text"),
      (
        Self.options(), "[0]", "x",
        "cannot put a string here: a row of this table is a dictionary with the columns as keys"
      ),
      (Self.options(), "", "x", "cannot put a string here: a table is a list of rows"),
      (
        Self.options { $0.quote = nil }, "[1].name", "a,b",
        "cannot put this text here: without quotation marks, a cell has no delimiter and no line break"
      ),
      (
        Self.options { ($0.quote, $0.nullTexts) = (nil, ["NA"]) }, "[1].name", "NA",
        "cannot put this text here: without quotation marks, a cell with this text is null"
      ),
    ]
    for (options, path, value, message) in cases {
      let text = options.csv.quote == nil ? "name\nx\ny\n" : Self.text
      let problem = try Self.problem(text, options) { try $0.set(value, at: ValuePath(parsing: path)) }
      #expect(problem.hasPrefix(message), "\(problem)")
    }
    let missing = try Self.problem(Self.text) { try $0.set(text: "x", at: "[0].new") }
    #expect(missing.contains("use insert to add it"), "\(missing)")
    let given = Self.options { ($0.hasHeader, $0.columnNames) = (false, ["a", "b"]) }
    let named = try Self.problem("1,2\n", given) { try $0.insert(text: "x", at: "[*].c") }
    #expect(named == "cannot put other columns here: the names of the columns are given")
    let list = Self.options { $0.hasHeader = false }
    let longer = try Self.problem("1,2\n3,4\n", list) { try $0.insert(text: "x", at: "[1][]") }
    #expect(longer.hasPrefix("the row has 3 cells, but the table has 2 columns"), "\(longer)")
    let last = try Self.problem("a\n1\n") { try $0.remove(at: "[*].a") }
    #expect(last == "cannot remove this: a table has at least one column")
    let key = try Self.problem("a,b\n1,2\n") { try $0.insert(text: "x", at: "[0].a") }
    #expect(key.hasPrefix("the key \"a\" already exists"), "\(key)")
  }

  @Test func `A column whose name would be divided at other dots is refused`() throws {
    let dotted = Self.options { $0.nestsDottedColumns = true }
    let changes: [(String, (EditableFile) throws -> Void)] = [
      ("a.b,c\n1,2\n", { try $0.insert(["x": "3"], at: ValuePath([.index(0), .key("")])) }),
      ("a.b,c\n1,2\n", { try $0.insert("3", at: ValuePath([.index(0), .key("a"), .key("")])) }),
      ("a,a.b\n1,2\n", { try $0.remove(at: "[0].a") }),
      ("a,b\n1,2\n3,4\n", { try $0.set(["x": "5"], at: "[0].a") }),
    ]
    for (text, change) in changes {
      let problem = try Self.problem(text, dotted, change)
      #expect(problem.contains("the table would be read with other cells"), "\(text): \(problem)")
    }
    #expect(
      try Self.edited("a.b,c\n1,2\n", dotted) { try $0.insert("3", at: "[0].a.d") } == "a.b,c,a.d\n1,2,3\n")
    #expect(try Self.edited("a,a.b\n1,2\n", dotted) { try $0.remove(at: "[0][\"a.b\"]") } == "a\n1\n")
  }

  @Test func `Damaged tables are changed exactly, or refused`() throws {
    let bytes = Array("name;\"ci\"\"ty\"\r\n\"A;a\";Rome\r\nBo;\n\n".utf8)
    try Damage(to: bytes).check(prefixes: .readOrRefused) { bytes in
      let table = try EditableFile(bytes, options: Self.options()).value(at: ValuePath())
      #expect(throws: Never.self, "\(String(decoding: bytes, as: UTF8.self).debugDescription)") {
        try Self.checkChanges(of: bytes, table)
      }
    }
  }

  /// Sets each cell of a table there and back, and removes the first row. Only a new cell may be refused.
  private static func checkChanges(of bytes: [UInt8], _ table: Value) throws {
    for path in table.stringPaths {
      let changed = try EditableFile(bytes, options: options())
      guard case .string(let text) = try changed.value(at: path) else { continue }
      try changed.set(text: "new;, \"text\"", at: path)
      let edited: [UInt8]
      do throws(FerryError) { edited = try changed.bytes() } catch {
        guard case .path(.cannotPut) = error.reason else { throw error }
        continue
      }
      let back = try EditableFile(edited, options: options())
      #expect(try back.value(at: path) == .string("new;, \"text\""))
      try back.set(text: text, at: path)
      #expect(try EditableFile(back.bytes(), options: options()).value(at: ValuePath()) == table)
    }
    guard case .array(let rows) = table, !rows.isEmpty else { return }
    let removed = try EditableFile(bytes, options: options())
    try removed.remove(at: "[0]")
    #expect(
      try EditableFile(removed.bytes(), options: options()).value(at: ValuePath())
        == .array(Array(rows.dropFirst())))
  }

  @Test func `A set there and back gives every real table its bytes`() throws {
    let names = try Corpus.files(under: "").filter {
      Format.ofFile(named: $0)?.description.content == .tables
    }
    var changes = 0
    for name in names {
      let bytes = try Corpus.bytes(name)
      guard let file = try? EditableFile(bytes, named: name) else { continue }
      let paths = try file.value(at: ValuePath()).stringPaths
      for number in stride(from: 0, to: paths.count, by: max(paths.count / 20, 1)) {
        guard case .string(let old) = try file.value(at: paths[number]) else { continue }
        let there = try EditableFile(bytes, named: name)
        try there.set(text: "a new, \"odd\"\ntext", at: paths[number])
        let back = try EditableFile(there.bytes(), named: name)
        try back.set(text: old, at: paths[number])
        #expect(try back.bytes() == bytes, "\(name) \(paths[number])")
        changes += 1
      }
    }
    #expect(changes > 0)
  }
}
