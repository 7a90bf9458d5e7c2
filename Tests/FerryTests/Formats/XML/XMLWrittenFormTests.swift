import TestSupport
import Testing

@testable import Ferry

/// The forms in which values come back from XML by Ferry's own convention.
@Suite struct `Forms of values written as XML` {
  private static func convert(
    _ text: String, to target: Format, markup: XMLMarkupKinds = []
  ) throws -> (text: String, losses: [Loss]) {
    var conversion = Conversion(to: target)
    conversion.reading.matchesSchemas = false
    conversion.reading.format = target == .xml ? .json : .xml
    conversion.reading.xml.markup = target == .xml ? [] : markup
    let result = try conversion.convert(Array(text.utf8))
    return (String(decoding: result.bytes.dropLast(), as: UTF8.self), result.report.losses.listed)
  }

  /// Converts JSON to XML and back, also with the markup of XML. Returns true if a result is equal, and the losses of the first
  /// conversion.
  private static func comesBack(_ json: String) throws -> (Bool, [Loss]) {
    let written = try convert(json, to: .xml)
    let value = try Value(json: Array(json.utf8), budget: Budget())
    for markup in [[], [.comments, .instructions], XMLMarkupKinds.all] as [XMLMarkupKinds] {
      let back = try convert(written.text, to: .json, markup: markup).text
      if try Value(json: Array(back.utf8), budget: Budget()) == value { return (true, written.losses) }
    }
    return (false, written.losses)
  }

  private static let values = [
    "\"\"", #""x""#, #"" ""#, "null", "1", "{}", "[]", #"["x"]"#, #"["x","y"]"#, #"[["x"]]"#, "[{}]",
    #"[{"b":"1"},"x"]"#, #"{"@a":"1"}"#, ##"{"#text":"x"}"##, ##"{"#text":""}"##,
    ##"{"@a":"1","#text":"x"}"##,
    ##"{"@a":"1","#text":" "}"##, ##"{"@a":"1","#text":""}"##, #"{"b":"1"}"#, #"{"b":["1","2"]}"#,
    #"{"b":["1"]}"#, #"{"@a":"1","b":"1"}"#, ##"{"b":"1","#text":"x"}"##, ##"{"#text":"x","b":"1"}"##,
    #"{"@a":["1","2"]}"#, #"{"@xmlns:p":"u"}"#, ##"{"@xmlns:p":"u","#text":"x"}"##, ##"{"#content":[]}"##,
    ##"{"#content":["x"]}"##, ##"{"#content":[" "]}"##, ##"{"#content":[""]}"##,
    ##"{"#content":["x",{"b":""}]}"##, ##"{"#content":[{"b":"1"}]}"##,
    ##"{"#content":[{"b":"1"},{"c":"2"}]}"##,
    ##"{"#content":[{"b":"1"},{"b":"2"}]}"##, ##"{"#content":[{"b":"1"},{"c":"2"},{"b":"3"}]}"##,
    ##"{"#content":[" ",{"b":""}]}"##, ##"{"@a":"1","#content":[]}"##, ##"{"@a":"1","#content":["x"]}"##,
    ##"{"@a":"1","#content":["x",{"b":""}]}"##, ##"{"@a":"1","#content":[{"b":""}]}"##,
    ##"{"@a":"1","#content":[{"@a":"2"}]}"##, ##"{"@a":"1","#content":[{"b":""},{"@a":"2"}]}"##,
    ##"{"#content":[{"#comment":"c"}]}"##, ##"{"#content":[{"#comment":"c"},"x"]}"##,
    ##"{"#content":[{"#comment":"c"},{"b":"1"}]}"##, ##"{"#content":[{"#instruction":"c d"}]}"##,
    ##"{"#content":[{"#cdata":"x"}]}"##, ##"{"#content":[{"#cdata":"x"},{"b":"1"}]}"##,
    ##"{"#content":[{"#cdata":"x"},{"#cdata":"y"}]}"##,
    ##"{"#content":[{"#text":"1"}]}"##, ##"{"@a":"1","#content":[{"#text":"1"}]}"##,
    ##"{"#content":[{"@b":"1"}]}"##, ##"{"#content":[{"@b":"1"},{"c":"2"}]}"##,
    ##"{"#content":[{"#content":"1"}]}"##, ##"{"#content":[{"#content":"1"},{"#content":"2"}]}"##,
    ##"{"#content":[{"#comment":{"#content":["x"]}}]}"##,
    ##"{"#content":[{"#comment":{"#content":[]}},{"b":""}]}"##,
    ##"{"#content":["t",{"#comment":{"#content":["x"]}}]}"##,
    ##"{"#content":[{"b":{"#content":["x",{"c":""}]}}]}"##, ##"{"#content":["t",{"b":{"c":"1"}}]}"##,
    ##"{"#content":["t",{"b":["1"]}]}"##, ##"{"#content":["t",["x"]]}"##, ##"{"#content":["t",null]}"##,
    ##"{"#content":["t",{}]}"##, ##"{"#content":["t",{"b":"1","c":"2"}]}"##, ##"{"#content":[{}]}"##,
    ##"{"#content":"x"}"##, ##"{"#content":{"a":"x"}}"##, ##"{"#content":null}"##,
    ##"{"x":"1","#content":["a","b"]}"##, ##"{"#content":["a",{"b":""}],"c":"1"}"##,
    ##"{"#content":["a",{"b":""}],"@c":"1"}"##, ##"{"#text":"a","#content":["x",{"b":""}]}"##,
    ##"{"#content":["x",{"b":""}],"#text":"a"}"##, ##"{"#comment":"x"}"##, ##"{"#cdata":"x"}"##,
  ]

  /// Expects that a value comes back, or is reported. Returns true if it comes back, and nil if it cannot be written.
  private static func check(_ json: String) throws -> Bool? {
    guard (try? convert(json, to: .xml)) != nil else { return nil }
    let (isEqual, losses) = try comesBack(json)
    #expect(isEqual || !losses.isEmpty, "\(json)")
    return isEqual
  }

  @Test func `Each value comes back from XML in its form, or is reported`() throws {
    var (kept, changed) = (0, 0)
    for value in Self.values {
      let documents = [
        value, #"{"b":\#(value)}"#, #"{"r":{"b":\#(value)}}"#,
        #"{"r":{"x":"1","b":\#(value),"y":{"z":"2"}}}"#,
        ##"{"r":{"#content":["t",{"b":\##(value)}]}}"##,
        ##"{"r":{"#content":["t",{"#comment":\##(value)}]}}"##,
        ##"{"#content":[{"#comment":"c"},{"r":\##(value)}]}"##, ##"{"#content":[{"r":\##(value)}]}"##,
      ]
      for json in documents {
        guard let isEqual = try Self.check(json) else { continue }
        if isEqual { kept += 1 } else { changed += 1 }
      }
    }
    #expect(kept > 100 && changed > 100)
  }

  @Test(arguments: values.indices)
  func `Each value beside another one with its path comes back in its form, or is reported`(_ index: Int)
    throws
  {
    let value = Self.values[index]
    for other in Self.values {
      // White space that is text is a section, which a reader takes for one of the contents beside others.
      let pair = value + other
      if pair.contains("#cdata"), pair.contains(##"[" ",{"b""##) { continue }
      _ = try Self.check(#"{"r":{"b":[\#(value),\#(other)]}}"#)
      _ = try Self.check(#"{"r":{"l":[{"b":\#(value)},{"b":\#(other)}]}}"#)
      _ = try Self.check(##"{"r":{"#content":["t",{"b":\##(value)},{"b":\##(other)}]}}"##)
    }
  }

  /// Texts that become others in XML, in names and as numbers.
  private static let changedTexts = [
    ##"{"r":{"a_x0041_":"1","_x":"2","1a":"3","é":"4","p:q":"5","-":"6","":"7","a.b-c_d":"8","xmlns":"9"}}"##,
    ##"{"r":{"\ud800":1,"\udbff":2,"\ufffd":3,"a":"\ud800"}}"##,
    ##"{"r":{"a":1,"a":2,"b":[{"c":1},{"c":2,"c":3}]}}"##,
    ##"{"r":{"i":[1,-5,18446744073709551616,1e400,1.50,-0.0,true,null],"@t":1,"#text":2,"e":{},"l":[]}}"##,
    ##"{"r":{"a":"\u0001","b":"x"}}"##, ##"{"r":[{"a":"<&>\r\n"},{"a":""},{"a":"]]>"}]}"##,
    ##"{"r":{"l":[{"#text":"t","i":1,"m":-9223372036854775808,"d":1.5,"n":null,"f":false},{"é":1,"i":2}]}}"##,
    ##"{"r":{"l":[{"i":1,"@k":"1","s":"& <b>"},{"o":{},"i":2,"#content":["x"],"s":""}]}}"##,
    ##"{"r":{"i":1,"b":true,"c":"\ufffe","d":2}}"##,
    "[1,[2,{\"a\":3}]]", "{\"a\":1,\"b\":2}", "36",
    ##"{"r":{"p":[{"@k":1,"#content":["a",1,{"b":true}]},{"#text":1},{"@k":"1","#text":"x"}]}}"##,
    "{\"r\":[" + (0..<400).map { "{\"@id\":\"\($0)\",\"n\":\($0),\"o\":null}" }.joined(separator: ",") + "]}",
  ]

  @Test func `Values in batches are written and reported as they are one by one`() {
    var count = 0
    for text in Self.changedTexts + Self.values.map({ ##"{"r":{"x":"1","b":[\##($0),{"c":\##($0)}]}}"## }) {
      for size in text.utf8.count > 1000 ? [701, .max] : [1, 5, .max] {
        let single = Self.written(text, chunk: size, inBatches: false)
        #expect(Self.written(text, chunk: size, inBatches: true) == single, "\(text)")
        count += single.contains("<r>") ? 1 : 0
      }
    }
    #expect(count > 100)
  }

  @Test func `Special characters are escaped wherever they are in a text`() {
    var (texts, lines): ([String], [String]) = ([], [])
    for count in 1...18 {
      for first in 0..<count {
        for second in first..<count {
          let characters = (0..<count).map { $0 == second ? "&" : $0 == first ? "<" : "x" }
          texts.append("\"\(characters.joined())\"")
          let escaped = characters.map { $0 == "&" ? "&amp;" : $0 == "<" ? "&lt;" : $0 }
          lines.append("  <a>\(escaped.joined())</a>")
        }
      }
    }
    let json = "{\"r\":{\"a\":[\(texts.joined(separator: ","))]}}"
    let written = Self.written(json, chunk: .max, inBatches: true).split(separator: "\n")
    #expect(written.filter { $0.hasPrefix("  <a>") }.map(String.init) == lines)
  }

  /// The XML of a value in JSON, its losses and the error with its location and path.
  private static func written(_ json: String, chunk size: Int, inBatches: Bool) -> String {
    let (output, losses) = (MemoryOutput(), LossReport())
    var end = "whole"
    var path = ValuePath()
    do throws(FerryError) {
      let writer = try XMLValueWriter(to: output, losses: losses)
      let plain = PlainForm(
        to: inBatches ? BatchForwardingSink(to: writer) : ForwardingSink(to: writer),
        capabilities: Format.xml.capabilities, losses: losses, reportsRepeatedKeys: true)
      #expect(plain.prefersBatches == inBatches)
      defer { path = plain.path }
      try JSONReader(into: plain, losses: losses).readAll(Array(json.utf8), chunk: size)
      try plain.finish()
    } catch {
      end = "\(error)"
    }
    return "\(String(decoding: output.bytes, as: UTF8.self)) \(losses.losses) \(path) \(end)"
  }

  /// Values that come back only because of others with their path.
  @Test(arguments: [
    ##"{"r":{"p":["x","",{"#content":["a",{"b":""}]},{"#content":[{"b":""}]},{"@k":"1","#content":["d"]},{"@k":"2"}]}}"##,
    ##"{"r":{"l":[{"p":{"#content":[{"a":"1"}]}},{"p":"x"},{"p":{"#content":[{"a":"1"},{"b":"2"},{"a":"3"}]}}]}}"##,
    ##"{"r":{"l":[{"p":{"#content":[{"a":"1"}]}},{"p":{"#content":[{"#comment":"c"}]}}]}}"##,
    ##"{"r":{"l":[{"a":["1"]},{"a":["1","2"]},{"a":[{"b":"1"}]}]}}"##,
    ##"{"r":{"x":"1","#content":["a","b"]}}"##,
    ##"{"r":{"#content":["t",{"#comment":{"#content":["x"]}}]}}"##,
    ##"{"#content":[{"#comment":"c"},{"r":"x"}]}"##, ##"{"r":{"@a":"1","#content":[{"@a":"2"}]}}"##,
  ])
  func `A value that comes back because of others is not reported`(_ json: String) throws {
    let (isEqual, losses) = try Self.comesBack(json)
    #expect(isEqual && losses.isEmpty, "\(losses)")
  }

  /// Values that come back in another form, and their losses.
  private static let changed: [(json: String, losses: [String])] = [
    (##"{"b":{"#content":[]}}"##, [##"emptyCollection b["#content"]"##]),
    (##"{"b":{"#content":["x"]}}"##, [##"contentForm b["#content"]"##]),
    (##"{"r":{"#content":[{"a":"x"},{"b":"y"}]}}"##, [##"contentForm r["#content"]"##]),
    (##"{"r":{"@k":"1","#content":["x"]}}"##, [##"contentForm r["#content"]"##]),
    (##"{"#content":[{"r":"x"}]}"##, [##"contentForm ["#content"]"##]),
    (##"{"r":{"p":[{"b":"1"},{"#content":["a",{"b":""}]}]}}"##, ["contentForm r.p[0]"]),
    (##"{"r":{"p":[{"@k":"1","#text":"d"},{"#content":["a",{"b":""}]}]}}"##, ["contentForm r.p[0]"]),
    (#"{"r":{"x":[{"a":"1"},{"a":["1","2"]}]}}"#, ["conventionForm r.x[0].a"]),
    (#"{"r":{"x":[{"a":["1","2"]},{"a":{"b":"1"}}]}}"#, ["conventionForm r.x[1].a"]),
    (#"{"r":{"x":[{"a":["1"]},{"a":"2"}]}}"#, ["arrayOfOne r.x[0].a"]),
    (
      ##"{"r":{"#content":["t",{"#cdata":"x"},{"#cdata":"y"},{"b":""},{"#cdata":"z"}]}}"##,
      [##"contentForm r["#content"][2]"##]
    ),
  ]

  @Test(arguments: changed.indices)
  func `A value that other elements give another form is reported with its path`(_ index: Int) throws {
    let (json, expected) = Self.changed[index]
    let (isEqual, losses) = try Self.comesBack(json)
    #expect(!isEqual)
    #expect(losses.map { "\($0.kind) \($0.path)" } == expected)
    var conversion = Conversion(to: .xml)
    conversion.reading.format = .json
    conversion.isStrict = true
    #expect(throws: FerryError.self) { try conversion.convert(Array(json.utf8)) }
  }

  @Test func `Values of one path are counted, and listed once`() throws {
    let records = (0..<100).map { #"{"a":"\#($0)"}"# } + [#"{"a":["1","2"]}"#]
    var conversion = Conversion(to: .xml)
    conversion.reading.format = .json
    let json = #"{"r":{"x":[\#(records.joined(separator: ","))]}}"#
    let losses = try conversion.convert(Array(json.utf8)).report.losses
    #expect(losses.counts.map { "\($0.kind) \($0.count)" } == ["conventionForm 100"])
    #expect(losses.listed.map(\.path.description) == ["r.x[0].a"])
  }

  @Test func `With types, each value has its form`() throws {
    var conversion = Conversion(to: .xml)
    conversion.reading.format = .json
    conversion.writing.xml.types = .attributes
    for value in Self.values {
      let json = #"{"r":{"x":[{"a":\#(value)},{"a":["1","2"]}]}}"#
      let written = try conversion.convert(Array(json.utf8))
      #expect(written.report.losses.isEmpty, "\(json)")
      var back = Conversion(to: .json)
      back.reading.format = .xml
      let read = try back.convert(written.bytes).bytes
      #expect(
        try Value(json: read, budget: Budget()) == Value(json: Array(json.utf8), budget: Budget()), "\(json)")
    }
  }
}
