import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `ferry inspect` {
  private func writePeople() async throws {
    try directory.write("folks.xml", folks)
    expectQuiet(try await .ferry("convert", "folks.xml", "-o", "people.pplgrp"))
  }

  @Test func `The inspection looks into files inside on request`() async throws {
    try await writePeople()
    let people = Data(try directory.bytes("people.pplgrp"))
    let outer = try PropertyListSerialization.data(
      fromPropertyList: ["state": people], format: .binary, options: 0)
    try directory.write("outer.plist", Array(outer))
    let table = try await ToolRun.ferry("inspect", "outer.plist", "--expand")
    expectQuiet(table)
    #expect(table.output.contains("\n      archiver    NSKeyedArchiver, version 100000\n"))
    #expect(table.output.contains("\n        3  Person ▸ NSObject\n"))
    #expect(try await !ToolRun.ferry("inspect", "outer.plist").output.contains("Person"))
    let json = try await ToolRun.ferry("inspect", "outer.plist", "--expand", "--json")
    let value = try #require(JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
    let first = ((value["blobs"] as? [String: Any])?["first"] as? [[String: Any]])?.first
    #expect((first?["inspection"] as? [String: Any])?["format"] as? String == "archive")
    let summary = try await ToolRun.ferry("inspect", "outer.plist", "--expand", "--summary")
    #expect(summary.output.contains("nested: 1 looked into") && summary.output.contains("3  Person"))
  }

  @Test func `The inspection fits eighty columns without breaking words`() async throws {
    let name = String(repeating: "LongName", count: 4)
    try directory.write("a.json", #"{"\#(name)": [1, "a", null, true, 1.5, {}], "\#(name)": {}, "b c": []}"#)
    let keys = (0..<12).map { #""k\#($0)": {"\#(name)\#($0)": [1, "x", true, null, 2.5, {}, [], "y"]}"# }
    try directory.write("b.json", "{" + keys.joined(separator: ",") + "}")
    for file in ["a.json", "b.json"] {
      let run = try await ToolRun.ferry("inspect", file, "--color", "always")
      for line in run.output.split(separator: "\n") {
        let shown = line.replacing(#/\x1b\[[0-9;]*m/#, with: "")
        #expect(shown.count <= 80 || !shown.drop { $0 == " " }.contains("  "), "\(shown)")
      }
      for key in keys where file == "b.json" {
        let word = key.split(separator: "\"")[2]
        #expect(run.output.contains(word), "\(word)")
      }
    }
  }

  @Test func `The inspection prints the values of XML with types after its elements`() async throws {
    try directory.write(
      "p.json", #"{"person":[{"name":"Ada","age":36,"born":null},{"name":"Al","age":41,"born":2}]}"#)
    expectQuiet(
      try await .ferry("convert", "p.json", "--to", "xml", "--types", "attributes", "-o", "p.xml"))
    let run = try await ToolRun.ferry("inspect", "p.xml")
    expectQuiet(run)
    let values = """
          1  root  depth 1  @ferry:wrapper
        top         dictionary
        values      1 null, 3 integer, 2 string, 1 array, 3 dictionary
        keys
          2  age     integer
          2  born    null 1, integer 1
          2  name    string
          1  person  array

      """
    #expect(run.output.hasSuffix(values), "\(run.output)")
  }

  @Test func `The inspection prints the contents of an archive`() async throws {
    try await writePeople()
    let run = try await ToolRun.ferry("inspect", "people.pplgrp")
    expectQuiet(run)
    #expect(
      run.output == """
        people.pplgrp
          format      archive: keyed archive (NSKeyedArchiver), binary
          size        423 bytes
          archiver    NSKeyedArchiver, version 100000
          root        NSArray, object 1
          objects     13: 4 instances, 6 plain values, 2 classes, 0 unreachable
          values      6 string
          depth       3
          cycles      none
          shared      0 instances, 0 plain values (referred to more than once)
          classes
            3  Person ▸ NSObject
                 3  first  string
                 3  last   string
            1  NSArray ▸ NSObject
                 1  NS.objects  array (in place)
          stored      49 objects, 2-byte offsets, 1-byte references
          integers    1 of 4 bytes
          strings     22 ASCII, 0 UTF-16
          table       2 unused objects, 0 shared collections, 0 collections in a cycle

        """)
  }

  @Test func `The inspection prints the contents of XML from the standard input`() async throws {
    let run = try await ToolRun.ferry("inspect", input: folks)
    expectQuiet(run)
    #expect(
      run.output == """
        standard input
          format      xml: XML: records through a schema, anything else by convention
                      (@attribute, #text)
          size        328 bytes
          encoding    UTF-8
          root        people
          elements    10 of 4 names
          depth       3
          names
            3  person  depth 2
            3  firstName  depth 3, text 3
            3  lastName  depth 3, text 3
            1  people  depth 1

        """)
  }

  @Test func `The inspection prints warnings, with control characters escaped`() async throws {
    try directory.write("a\u{1b}.json", #"{"a\u001b": [1, 2.5], "b": 1, "b": null}"#)
    let run = try await ToolRun.ferry("inspect", "a\u{1b}.json")
    expectQuiet(run)
    #expect(
      run.output == #"""
        a\u{1b}.json
          format      json: JSON (RFC 8259)
          size        40 bytes
          encoding    UTF-8
          top         dictionary
          depth       2
          values      1 null, 2 integer, 1 real, 1 array, 1 dictionary
          keys
            1  a\u{1b}  array
            1  b        null 1, integer 1
          warnings
            1:31: the key "b" occurs twice (at b)

        """#)
  }

  @Test func `The inspection prints JSON`() async throws {
    let run = try await ToolRun.ferry("inspect", "--json", "-", input: #"[{"a": 1}, {"a": "x"}]"#)
    expectQuiet(run)
    #expect(
      run.output == """
        {
          "file": "-",
          "format": "json",
          "bytes": 22,
          "encoding": "UTF-8",
          "values": {
            "top": "array",
            "records": 2,
            "depth": 2,
            "kinds": {
              "integer": 1,
              "string": 1,
              "array": 1,
              "dictionary": 2
            },
            "keys": [
              {
                "name": "a",
                "count": 2,
                "types": {
                  "integer": 1,
                  "string": 1
                }
              }
            ]
          }
        }

        """)
  }

  @Test func `The inspection prints the graph of an archive on request`() async throws {
    try await writePeople()
    let run = try await ToolRun.ferry("inspect", "--json", "--graph", "people.pplgrp")
    expectQuiet(run)
    let json = try #require(try JSONSerialization.jsonObject(with: Data(run.bytes)) as? [String: Any])
    let graph = try #require((json["archive"] as? [String: Any])?["graph"] as? [String: Any])
    #expect((graph["objects"] as? [Any])?.count == 13)
    #expect((graph["references"] as? [Any])?.count == 9)
    #expect(try await ToolRun.ferry("inspect", "--graph", "people.pplgrp").status == 64)
  }

  @Test func `The inspection sums up a folder, and continues after a failure`() async throws {
    try directory.makeDirectory("d/e")
    try directory.write("d/a.json", "[1]")
    try directory.write("d/b.json", "[1,,2]")
    try directory.write("d/e/c.xml", "<a/>")
    try directory.write("d/e/d.png", [0x89, 0x50, 0x4e, 0x47])
    let run = try await ToolRun.ferry("inspect", "--summary", "d")
    #expect(run.status == 1)
    #expect(run.errors == "d/b.json:1:4: expected a value, found \",\" (at [1])\n")
    #expect(
      run.output == """
        2 files, 7 bytes, 1 of other kinds, 1 failed
          formats
            1  json
            1  xml
          other kinds
            1  a PNG image

        """)
    let all = try await ToolRun.ferry("inspect", "d")
    #expect(all.output.hasPrefix("d/a.json\n  format      json"))
    #expect(all.output.contains("\n\nd/e/c.xml\n  format      xml"))
    #expect(all.output.hasSuffix("\n\n" + run.output))
  }

  @Test func `The inspection omits sections without contents`() async throws {
    try directory.makeDirectory("d")
    #expect(try await ToolRun.ferry("inspect", "d").output == "0 files, 0 bytes\n")
    try directory.write("a.tinypix", [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(try await !ToolRun.ferry("inspect", "a.tinypix").output.contains("encoding"))
  }

  @Test func `The inspection prints an object a line for several files`() async throws {
    try directory.write("a.json", "[1]")
    try directory.write("b.json", "[1")
    let run = try await ToolRun.ferry("inspect", "--json", "a.json", "b.json")
    #expect(run.status == 1)
    #expect(
      run.output == """
        {"file":"a.json","format":"json","bytes":3,"encoding":"UTF-8","values":{"top":"array","records":1,\
        "depth":1,"kinds":{"integer":1,"array":1},"keys":[]}}
        {"file":"b.json","code":"json.unexpected-end","message":"the text ends where \\",\\" or \\"]\\" is expected",\
        "line":1,"column":3,"byte":2,"path":"[1]","error":"1:3: the text ends where \\",\\" or \\"]\\" is expected \
        (at [1])"}

        """)
  }

  @Test func `The inspection has colors only on request or at a terminal`() async throws {
    try directory.write("a.json", "[1]")
    let plain = try await ToolRun.ferry("inspect", "a.json")
    #expect(!plain.output.contains("\u{1b}"))
    let colored = try await ToolRun.ferry("inspect", "--color", "always", "a.json")
    #expect(colored.output.contains("\u{1b}[36mformat\u{1b}[0m      json"))
  }

  @Test func `The inspection refuses a named file of no known format`() async throws {
    try directory.write("a.png", [0x89, 0x50, 0x4e, 0x47])
    expectFailure(
      try await .ferry("inspect", "a.png"), "a.png: this is a PNG image, which is not supported")
    expectFailure(try await .ferry("inspect", "no.json"), "no.json: no such file or directory")
  }
}
