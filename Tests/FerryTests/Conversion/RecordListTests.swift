import TestSupport
import Testing

@testable import Ferry

/// Documents of one list of records, each of which becomes a line of JSON Lines.
@Suite struct `Records of a document as JSON Lines` {
  struct Case: CustomTestStringConvertible, Sendable {
    var document: String
    var lines: [String]
    /// The paths of the values that are left out.
    var beside: [String] = []
    var format = Format.json
    var testDescription: String { document }
  }

  static let cases = [
    Case(document: #"{"people":[{"n":1},{"n":[{"m":2}]}]}"#, lines: [#"{"n":1}"#, #"{"n":[{"m":2}]}"#]),
    Case(
      document: #"{"v":1,"people":[{"n":1}],"z":{"people":[{"q":2}]},"t":["a"]}"#, lines: [#"{"n":1}"#],
      beside: ["v", "z", "t"]),
    Case(document: #"{"people":[]}"#, lines: []),
    Case(document: #"{"people":[{}]}"#, lines: ["{}"]),
    Case(document: #"{"none":[],"people":[{"n":null}]}"#, lines: [#"{"n":null}"#], beside: ["none"]),
    Case(document: #"{"é \"x\"":[{"é":"é"}],"é":1}"#, lines: [#"{"é":"é"}"#], beside: ["é"]),
    // Documents without one list of records are one line.
    Case(document: #"{"v":1,"people":[]}"#, lines: [#"{"v":1,"people":[]}"#]),
    Case(document: #"{"a":[{"n":1}],"b":[{"n":2}]}"#, lines: [#"{"a":[{"n":1}],"b":[{"n":2}]}"#]),
    Case(document: #"{"a":[{"n":1},2]}"#, lines: [#"{"a":[{"n":1},2]}"#]),
    Case(document: #"{"a":["x","y"]}"#, lines: [#"{"a":["x","y"]}"#]),
    Case(document: #"{"a":{"b":{"l":[{"n":1}]},"c":2}}"#, lines: [#"{"a":{"b":{"l":[{"n":1}]},"c":2}}"#]),
    Case(document: #"{"a":{"v":1,"b":[{"n":1}]}}"#, lines: [#"{"a":{"v":1,"b":[{"n":1}]}}"#]),
    Case(document: #"{"a":{"b":[{"n":1}],"v":1}}"#, lines: [#"{"a":{"b":[{"n":1}],"v":1}}"#]),
    Case(
      document: #"{"a":{"b":[{"n":1}],"c":[{"n":1}]}}"#, lines: [#"{"a":{"b":[{"n":1}],"c":[{"n":1}]}}"#]),
    Case(document: #"{"a":{"b":[{"n":1}],"b":[]}}"#, lines: [#"{"a":{"b":[{"n":1}],"b":[]}}"#]),
    Case(document: #"{"a":{"b":[{"n":1},2]}}"#, lines: [#"{"a":{"b":[{"n":1},2]}}"#]),
    Case(document: #"{"a":{"@b":[{"n":1}]}}"#, lines: [#"{"a":{"@b":[{"n":1}]}}"#]),
    Case(document: #"{"a":{"b":{}}}"#, lines: [#"{"a":{"b":{}}}"#]),
    Case(document: #"{"a":{"b":{"n":1}}}"#, lines: [#"{"a":{"b":{"n":1}}}"#]),
    // Dictionaries of one entry inside each other, as XML has them by convention.
    Case(document: #"{"a":{"b":[{"n":1},{"m":[{"n":2}]}]}}"#, lines: [#"{"n":1}"#, #"{"m":[{"n":2}]}"#]),
    Case(document: #"{"a":{"b":{"c":[{"n":1}]}}}"#, lines: [#"{"n":1}"#]),
    Case(document: #"{"a":{"b":[]}}"#, lines: []),
    Case(
      document: #"{"a":{"@v":"1","b":[{"n":1}],"@w":"2"}}"#, lines: [#"{"n":1}"#],
      beside: ["a.@v", "a.@w"]),
    // A list beside such dictionaries is in the outermost one.
    Case(document: #"{"a":{"b":[{"n":1}]},"c":[{"n":2}]}"#, lines: [#"{"n":2}"#], beside: ["a"]),
    Case(document: #"{"a":[[{"n":1}]]}"#, lines: [#"{"a":[[{"n":1}]]}"#]),
    Case(document: "{}", lines: ["{}"]),
    Case(document: #"[{"a":[{"n":1}]}]"#, lines: [#"{"a":[{"n":1}]}"#]),
    Case(
      document: "<people><person><n>1</n></person><person><n>2</n></person></people>",
      lines: [#"{"n":"1"}"#, #"{"n":"2"}"#], format: .xml),
    Case(document: "<people><person><n>1</n></person></people>", lines: [#"{"n":"1"}"#], format: .xml),
    Case(
      document: #"<lib v="1"><owner>x</owner><book t="A"/><tag>y</tag><book t="B"/><tag/>z</lib>"#,
      lines: [#"{"@t":"A"}"#, #"{"@t":"B"}"#], beside: ["lib.@v", "lib.owner", "lib.tag", "lib[\"#text\"]"],
      format: .xml),
    Case(document: "<a><b>1</b><b>2</b></a>", lines: [#"{"a":{"b":["1","2"]}}"#], format: .xml),
    Case(
      document: "<a><b><c/></b><d>1</d></a>", lines: [#"{"a":{"b":{"c":""},"d":"1"}}"#], format: .xml),
    Case(
      document:
        "<plist><dict><key>v</key><integer>1</integer><key>l</key><array><dict/></array></dict></plist>",
      lines: ["{}"], beside: ["v"], format: .xmlPropertyList),
  ]

  @Test(arguments: cases) func `Each record becomes a line, and what is around them is reported`(_ test: Case)
    throws
  {
    var documents = [(test.format, Array(test.document.utf8))]
    if test.format == .xmlPropertyList {
      documents.append(
        (.binaryPropertyList, try Conversion(to: .binaryPropertyList).convert(documents[0].1).bytes))
    }
    for (format, bytes) in documents {
      var conversion = Conversion(to: .jsonLines)
      conversion.reading.format = format
      let (lines, report) = try conversion.convert(bytes)
      #expect(
        lines == Array(test.lines.map { $0 + "\n" }.joined().utf8),
        "\(String(decoding: lines, as: UTF8.self))")
      let beside = report.losses.listed.filter { $0.kind == .besideRecords }
      #expect(beside.map(\.path.description) == test.beside)
    }
  }

  /// Values that are written as XML with types, their lines, and the paths of the values that are left out.
  static let typed: [(json: String, lines: [String], beside: [String])] = [
    // The root element is not part of the value.
    (#"{"v":1,"people":[{"n":1},{"n":[{"m":2}]}]}"#, [#"{"n":1}"#, #"{"n":[{"m":2}]}"#], ["v"]),
    (#"{"people":[]}"#, [], []), (#"[{"n":1},{"n":2}]"#, [#"{"n":1}"#, #"{"n":2}"#], []),
    (#"{"a":[{"n":1},2]}"#, [#"{"a":[{"n":1},2]}"#], []),
    // The list is in the root element.
    (#"{"lib":{"v":1,"book":[{"n":1},{"n":null}]}}"#, [#"{"n":1}"#, #"{"n":null}"#], ["lib.v"]),
    (#"{"a lib":{"a book":[{"n":1}]}}"#, [#"{"n":1}"#], []),
    (#"{"lib":{"a":[{"n":1}],"b":[{"n":2}]}}"#, [#"{"lib":{"a":[{"n":1}],"b":[{"n":2}]}}"#], []),
  ]

  @Test(arguments: typed.indices) func `The records in XML with types are found`(_ index: Int) throws {
    let test = Self.typed[index]
    var writing = Conversion(to: .xml)
    writing.reading.format = .json
    writing.writing.xml.types = .attributes
    let xml = try writing.convert(Array(test.json.utf8)).bytes
    var conversion = Conversion(to: .jsonLines)
    (conversion.reading.format, conversion.reading.matchesSchemas) = (.xml, false)
    let (lines, report) = try conversion.convert(xml)
    #expect(String(decoding: lines, as: UTF8.self) == test.lines.map { $0 + "\n" }.joined())
    let beside = report.losses.listed.filter { $0.kind == .besideRecords }
    #expect(beside.map(\.path.description) == test.beside)
  }

  @Test func `Records whose names are escaped are found, also with the option for types`() throws {
    let xml = "<r><a_x0020_b><n>1</n></a_x0020_b><a_x0020_b><n>2</n></a_x0020_b></r>"
    for types in XMLTypeNotation.allCases {
      var conversion = Conversion(to: .csv)
      conversion.reading.xml.types = types
      let table = try String(decoding: conversion.convert(Array(xml.utf8)).bytes, as: UTF8.self)
      // With types, a text is not a number.
      #expect(table == (types == .attributes ? "n\n\"1\"\n\"2\"\n" : "n\n1\n2\n"))
    }
  }

  @Test(arguments: [
    (#"{"rows":[{"n":1,"t":"x"},{"n":2,"t":"y"}]}"#, []),
    (#"{"v":2,"rows":[{"n":1,"t":"x"},{"n":2,"t":"y"}]}"#, ["v"]),
  ])
  func `The records of a list in a dictionary are those of the inferred schema`(
    _ document: String, _ beside: [String]
  ) throws {
    let targets: [(Format, String)] = [
      (.csv, "n,t\n1,x\n2,y\n"), (.tsv, "n\tt\n1\tx\n2\ty\n"),
      (.jsonLines, #"{"n":1,"t":"x"}"# + "\n" + #"{"n":2,"t":"y"}"# + "\n"),
    ]
    for format in [Format.json, .yaml, .binaryPropertyList, .xmlPropertyList, .xml] {
      var writing = Conversion(to: format)
      if format == .xml { writing.writing.xml.types = .attributes }
      let bytes = try writing.convert(Array(document.utf8)).bytes
      for (target, expected) in targets {
        var conversion = Conversion(to: target)
        (conversion.reading.format, conversion.infersSchema) = (format, true)
        let (found, report) = try conversion.convert(bytes)
        #expect(String(decoding: found, as: UTF8.self) == expected, "\(format) to \(target)")
        let paths = report.losses.listed.filter { $0.kind == .besideRecords }.map(\.path.description)
        #expect(paths == beside, "\(format) to \(target)")
      }
    }
  }

  @Test func `Records are found in a text in another encoding`() throws {
    let yaml = "v: é\npeople:\n- n: é\n- n: b\n"
    var conversion = Conversion(to: .csv)
    (conversion.reading.format, conversion.reading.encoding) = (.yaml, "ISO-8859-1")
    let bytes = yaml.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    let (csv, report) = try conversion.convert(bytes)
    #expect(String(decoding: csv, as: UTF8.self) == "n\né\nb\n")
    #expect(report.losses.listed.map(\.path.description) == ["v"])
  }

  /// A list that is longer than the bytes that a reader takes at once, so that records arrive in batches.
  @Test func `A long list has the same lines as the list alone`() throws {
    let records = (0..<20_000).map { #"{"n":\#($0),"of":[{"m":"é"},[]],"t":{"u":null}}"# }
    let list = "[\(records.joined(separator: ","))]"
    let expected = try Conversion(to: .jsonLines).convert(Array(list.utf8)).bytes
    for document in ["{\"l\":\(list)}", "{\"v\":{\"l\":[]},\"l\":\(list),\"w\":[1,[2]]}"] {
      let found = try Conversion(to: .jsonLines).convert(Array(document.utf8)).bytes
      #expect(found == expected)
    }
  }

  @Test func `A document that is cut off is refused where it ends`() {
    let document = Array(#"{"people":[{"n":1},"#.utf8)
    #expect {
      try Conversion(to: .jsonLines).convert(document)
    } throws: { error in
      (error as? FerryError)?.location.byte == document.count
    }
  }

  @Test(arguments: [
    #"{"p":"x","p":[{"a":1}]}"#, #"{"p":[],"p":[{"a":1}]}"#, #"{"p":[{"a":1}],"p":"x"}"#,
  ])
  func `A document with the key of its list twice is one line`(_ document: String) throws {
    for format in [Format.json, .binaryPropertyList, .xmlPropertyList] {
      let bytes = try Conversion(to: format).convert(Array(document.utf8)).bytes
      let found = try Conversion(to: .jsonLines).convert(bytes)
      #expect(found.bytes == Array("\(document)\n".utf8), "\(format)")
    }
  }
}
