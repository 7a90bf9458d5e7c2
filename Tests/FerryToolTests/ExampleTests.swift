import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `The examples` {
  private func example(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Examples/\(name)")
      .standardizedFileURL.path
  }

  @Test func `Delegates of our own read people`() async throws {
    let run = try await ToolRun.shell("people '\(example("folks.xml"))'")
    #expect(run.output == "Matt Neuburg\nSnidely Whiplash\nDudley Doright\n")
    #expect(run.status == 0)
    let failed = try await ToolRun.shell("people nobody.xml")
    #expect(failed.output == "nobody.xml: no such file or directory\n")
    #expect(failed.status == 1)
  }

  @Test func `An app makes its first document of the data that it bundles`() async throws {
    let first = try await ToolRun.shell("seeding people.pplgrp")
    #expect(first.output == "people.pplgrp: created from folks.xml\n")
    let bytes = try directory.bytes("people.pplgrp")
    let second = try await ToolRun.shell("seeding people.pplgrp")
    #expect(second.output == "people.pplgrp: already there\n")
    #expect(try directory.bytes("people.pplgrp") == bytes)
    let json = try await ToolRun.ferry("convert", "people.pplgrp", "--to", "json")
    #expect(json.output == folksJSON)
  }

  @Test(arguments: ["folks.xml", "things.xml", "items.xml"])
  func `People come back from every format to the same XML`(_ name: String) async throws {
    for format in ["json", "jsonl", "plist-xml", "plist-binary", "archive", "archive-xml"] {
      let schema = ["folks.xml": "person", "things.xml": "whatsit", "items.xml": "item"][name] ?? ""
      expectQuiet(try await .ferry("convert", example(name), "--to", format, "-o", format))
      let back = try await ToolRun.ferry("convert", format, "--schema", schema, "--to", "xml")
      expectQuiet(back)
      #expect(back.output == (try String(contentsOfFile: example(name), encoding: .utf8)), "\(format)")
    }
  }

  @Test func `Things become a package with the images beside them`() async throws {
    expectQuiet(try await .ferry("convert", example("things.xml"), "-o", "T.mystuff"))
    #expect(try directory.names(in: "T.mystuff") == ["1__#$!@%!#__image.png", "image.png", "things.data"])
  }

  @Test func `A schema from a file gives books their types`() async throws {
    let schema = example("book.schema.json")
    expectQuiet(
      try await .ferry("convert", example("books.xml"), "--schema", schema, "--to", "archive", "-o", "a"))
    let json = try await ToolRun.ferry("convert", "a", "--schema", schema, "--to", "json")
    expectQuiet(json)
    #expect(json.output.contains(#""pages":634,"price":49.90,"inPrint":true"#))
    // A boolean is written true or false, and a number of pages that is missing is the default.
    expectQuiet(try await .ferry("convert", "a", "--schema", schema, "--to", "xml", "-o", "books.xml"))
    let again = try await ToolRun.ferry("convert", "books.xml", "--schema", schema, "--to", "json")
    #expect(again.output == json.output)
  }

  @Test(arguments: ["folks.xml", "things.xml", "items.xml", "books.xml"])
  func `xmllint accepts all XML that is made of the examples`(_ name: String) async throws {
    for options in [
      ["--to", "xml"], ["--to", "xml", "--schema", "none"], ["--to", "plist-xml"], ["--to", "archive-xml"],
    ] {
      let xml = try await ToolRun.ferry(["convert", example(name)] + options)
      #expect(xml.status == 0)
      let lint = try await Peer.run("xmllint", ["--noout", "--nonet", "-"], input: xml.bytes)
      #expect(lint.succeeded)
    }
  }

  @Test func `A schema may be XML itself`() async throws {
    _ = try await ToolRun.ferry("convert", example("book.schema.json"), "--to", "xml", "-o", "schema.xml")
    let json = try await ToolRun.ferry(
      "convert", example("books.xml"), "--schema", "schema.xml", "--to", "json")
    let expected = try await ToolRun.ferry(
      "convert", example("books.xml"), "--schema", example("book.schema.json"), "--to", "json")
    #expect(json.output == expected.output)
  }
}
