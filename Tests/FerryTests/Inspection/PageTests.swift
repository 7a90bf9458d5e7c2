import Foundation
import TestSupport
import Testing

@testable import Ferry

/// A page that was written, taken apart.
private struct WrittenPage {
  let html: String

  init(_ write: (any ByteOutput) throws(FerryError) -> Void) throws {
    let output = MemoryOutput()
    try write(output)
    html = String(decoding: output.bytes, as: UTF8.self)
  }

  init(of bytes: [UInt8], named name: String, _ limits: PageLimits = PageLimits(), format: Format? = nil)
    throws
  {
    var options = ReadingOptions()
    options.format = format
    let page = try ValuePage(reading: bytes, named: name, options: options, limits: limits)
    try self.init { output throws(FerryError) in try page.write(to: output) }
  }

  init(of text: String, _ limits: PageLimits = PageLimits()) throws {
    try self.init(of: Array(text.utf8), named: "a.json", limits)
  }

  private func part(from start: String, to end: String) throws -> String {
    let first = try #require(html.range(of: start))
    let last = try #require(html.range(of: end, range: first.upperBound..<html.endIndex))
    return String(html[first.upperBound..<last.lowerBound])
  }

  /// The text of the data block.
  var block: String {
    get throws { try part(from: #"<script type="application/json" id="data">"#, to: "</script>") }
  }

  var data: Value { get throws { try Value(reading: MemoryInput(Array(block.utf8)), named: "data.json") } }

  /// The values of the file.
  var values: Value { get throws { try #require(try data["values"]) } }

  func column(_ name: String) throws -> [Value] { try values.list(name) }

  var style: String { get throws { try part(from: "<style>", to: "</style>") } }
  var script: String { get throws { try part(from: "<script>", to: "</script>") } }
  var policy: String { get throws { try part(from: #"Content-Security-Policy" content=""#, to: "\"") } }
}

extension Value {
  fileprivate func list(_ name: String) throws -> [Value] {
    guard case .array(let values)? = self[name] else { throw Missing.list(name) }
    return values
  }

  private enum Missing: Error { case list(String) }
}

@Suite struct `Pages of values` {
  @Test func `A page has the values of a file in columns`() throws {
    let page = try WrittenPage(of: #"{"a": [1, 2], "b": "x"}"#)
    #expect(try page.values["kinds"] == "oaiis")
    #expect(try page.column("keys") == [0, 1, 0, 0, 2])
    #expect(try page.column("values") == [2, 2, 0, 1, 2])
    #expect(try page.column("names") == ["a", "b"])
    #expect(try page.column("texts") == ["1", "2", "x"])
    #expect(try page.data["title"] == "a.json")
  }

  @Test func `A page shows the entries of archives beside their objects as other roots`() throws {
    let archive = """
      <plist version="1.0"><dict><key>$version</key><integer>100000</integer>
      <key>$archiver</key><string>NSKeyedArchiver</string>
      <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
      <key>$objects</key><array><string>$null</string><string>hi</string></array>
      <key>extra</key><dict><key>list</key><array><string>hi</string><integer>2</integer></array></dict>
      </dict></plist>
      """
    let page = try WrittenPage(of: Array(archive.utf8), named: "a.archive")
    #expect(try page.values["kinds"] == "sooasi")
    #expect(try page.column("keys") == [0, -1, 2, 3, 0, 0])
    #expect(try page.column("values") == [0, 1, 1, 2, 0, 1])
    #expect(try page.column("names") == ["beside the objects of the archive", "extra", "list"])
    #expect(try page.column("texts") == ["hi", "2"])
    #expect(try page.column("bases") == [["node": 1, "path": ""]])
    let nested = try PropertyLists.binary(["d": [.data(Array(archive.utf8)), 1]])
    let opened = try WrittenPage(of: nested, named: "a.plist")
    #expect(try opened.values["kinds"] == "oasiooasi")
    #expect(try opened.column("bases") == [["node": 4, "path": "d[0]"]])
    #expect(try opened.column("names").contains("beside the objects of the archive in data at d[0]"))
    #expect(try opened.column("data").map { $0["node"] } == [2])
    var limits = PageLimits()
    limits.values = 3
    let limited = try WrittenPage(of: Array(archive.utf8), named: "a.archive", limits)
    #expect(try limited.values["kinds"] == "soo")
    #expect(try limited.column("hidden") == [2, 1])
  }

  @Test(arguments: Format.ofRecords)
  func `A page shows the values of every format`(_ format: Format) throws {
    let json = #"[{"name":"Robot","location":"Shelf"},{"name":"Boots","location":"Hall"}]"#
    var conversion = Conversion(to: format)
    (conversion.reading.format, conversion.reading.schema) = (.json, .whatsit)
    let bytes = try conversion.convert(Array(json.utf8)).bytes
    let page = try WrittenPage(of: bytes, named: "things", format: format)
    let texts = try page.column("texts")
    for text in ["Robot", "Shelf", "Boots", "Hall"] { #expect(texts.contains(.string(text)), "\(texts)") }
    #expect(try !page.data.list("facts").isEmpty)
  }

  @Test(arguments: [
    "</script><script>alert(1)</script>", "<!-- <script>", "]]>", "a\u{2028}b\u{2029}c", "\u{0}\u{1b}[31m",
    "\"><img src=x onerror=alert(1)>", "__proto__", "\\u003c/script>",
  ])
  func `Hostile text stays text in the data block`(_ text: String) throws {
    let bytes = try PropertyLists.binary(["a": .string(text), text: .string(text)])
    let page = try WrittenPage(of: bytes, named: text)
    #expect(try page.column("texts") == [.string(text)])
    #expect(try page.column("names").contains(.string(text)))
    #expect(try page.data["title"] == .string(text))
    #expect(page.html.components(separatedBy: "</script").count == 3)
    #expect(!page.html.contains("<!--") && !page.html.contains("<img"))
    #expect(try !page.block.unicodeScalars.contains { "<\u{2028}\u{2029}\0".unicodeScalars.contains($0) })
  }

  @Test func `A page allows its own script and style and images in data, and nothing else`() throws {
    let page = try WrittenPage(of: "[1]")
    func hash(_ text: String) -> String {
      "'sha256-\(String(decoding: Base64.encode(SHA256.digest(of: text.utf8.span).span), as: UTF8.self))'"
    }
    #expect(
      try page.policy == """
        default-src 'none'; img-src data:; style-src \(hash(page.style)); script-src \(hash(page.script)); \
        base-uri 'none'; form-action 'none'
        """)
    for word in [
      "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "fetch(", "import(",
    ] {
      #expect(try !page.script.contains(word), "\(word)")
    }
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `SHA-256 agrees with the examples of FIPS 180`(_ text: String, _ digest: String) {
    let bytes = SHA256.digest(of: text.utf8.span)
    #expect(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == digest)
  }

  private func limits(depth: Int) -> PageLimits {
    var limits = PageLimits()
    limits.depth = depth
    return limits
  }

  @Test func `A page says what it leaves out`() throws {
    var limits = self.limits(depth: 2)
    (limits.items, limits.text) = (2, 4)
    let page = try WrittenPage(of: #"[[1, 2, 3], "ééé", [[4, [5]]], 6]"#, limits)
    #expect(try page.values["kinds"] == "aaiis")
    #expect(try page.column("hidden") == [1, 1, 0, 2])
    #expect(try page.column("cut") == [4, 6])
    #expect(try page.column("texts").last == "éé")
    let shallow = try WrittenPage(of: #"[[1, [2]], {"a": {"b": [3]}}]"#, self.limits(depth: 1))
    #expect(try shallow.values["kinds"] == "aao")
    #expect(try shallow.column("hidden") == [1, 2, 2, 1])
  }

  @Test func `A page has no keys of values that it leaves out, and cuts long keys`() throws {
    var limits = PageLimits()
    (limits.items, limits.text) = (1, 4)
    let page = try WrittenPage(of: #"{"a": 1, "hidden": 2, "other": {"deep": 3}}"#, limits)
    #expect(try page.column("names") == ["a"])
    #expect(try page.column("hidden") == [0, 2])
    // No path can name a key that is cut.
    let cut = try WrittenPage(of: #"{"abcdé": 1}"#, limits)
    #expect(try cut.column("names") == ["abcd…"])
    #expect(try cut.column("keys") == [0, -1])
  }

  @Test func `A page says how many keys it leaves out of its list`() throws {
    let entries = (0..<2003).map { #""k\#($0)":1"# }.joined(separator: ",")
    let page = try WrittenPage(of: "{\(entries)}")
    #expect(try page.data.list("keys").count == 2000)
    #expect(try page.data["keysLeft"] == 3)
  }

  @Test func `A page keeps the order of mixed contents`() throws {
    let xml = "<p>one <b>two</b> three</p>"
    let page = try WrittenPage(of: Array(xml.utf8), named: "a.xml")
    #expect(try page.column("names").contains("#content"))
    #expect(try page.column("texts") == ["one ", "two", " three"])
  }

  @Test func `A page has no more values than its limit`() throws {
    var limits = PageLimits()
    limits.values = 4
    let page = try WrittenPage(of: #"[[1, 2, 3, 4], [5, 6], {"a": "b"}]"#, limits)
    #expect(try page.values["kinds"] == "aaii")
    #expect(try page.column("hidden") == [1, 2, 0, 2])
    #expect(try page.column("texts") == ["1", "2"])
  }

  @Test func `Objects of an archive have their numbers, classes and references`() throws {
    let couple = Archived.stored([
      ["NS.objects": [.uid(2), .uid(4)], "$class": .uid(7)],  // 1
      ["name": .uid(3), "partner": .uid(4), "$class": .uid(6)],
      "Matt",  // 3
      ["name": .uid(5), "partner": .uid(2), "$class": .uid(6)],
      "Ada",  // 5
      Inspections.description("Person", "NSObject"), Inspections.description("NSArray", "NSObject"),
    ])
    for bytes in [try PropertyLists.binary(couple), try PropertyLists.xml(couple)] {
      let page = try WrittenPage(of: bytes, named: "couple")
      #expect(try page.values["kinds"] == "aososll")
      let objects = try #require(try page.values["objects"])
      #expect(try objects.list("identities") == [1, 2, 4])
      let classes = try page.column("classes")
      #expect(classes.map { $0["name"] } == ["NSArray", "Person"])
      #expect(try classes[1].list("superclasses") == ["NSObject"])
      #expect(try page.data.list("classes").first?["count"] == 2)
    }
  }

  @Test func `Each object of a class has its number, also in the fast reading of many objects`() throws {
    let json =
      "[" + (0..<3000).map { #"{"firstName":"A\#($0)","lastName":"B"}"# }.joined(separator: ",") + "]"
    var conversion = Conversion(to: .archive)
    (conversion.reading.format, conversion.reading.schema) = (.json, .person)
    let bytes = try conversion.convert(Array(json.utf8)).bytes
    let page = try WrittenPage(of: bytes, named: "a.pplgrp")
    let objects = try #require(try page.values["objects"])
    let numbers = try objects.list("identities")
    #expect(numbers.count == 3001)
    #expect(Set(numbers).count == 3001 && !numbers.contains(-1))
  }

  @Test func `A key that is an object is named as in paths, unless it has a reference`() throws {
    let bytes = try PropertyLists.binary(
      Archived.stored([
        ["NS.keys": [.uid(2), .uid(4)], "NS.objects": [.uid(3), .uid(3)], "$class": .uid(5)],  // 1
        ["name": .uid(3), "$class": .uid(6)], "Ada",
        ["NS.objects": [.uid(2)], "$class": .uid(7)],  // 4
        Inspections.description("NSDictionary", "NSObject"), Inspections.description("Person", "NSObject"),
        Inspections.description("NSArray", "NSObject"),
      ]))
    let page = try WrittenPage(of: bytes, named: "a")
    #expect(try page.column("keys") == [0, 1, -2])
    #expect(try page.column("names") == [#"{"name":"Ada"}"#, "NSArray a list of 1"])
  }

  @Test func `A page shows images, and opens the documents in data`() throws {
    let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2]
    let inner = try PropertyLists.binary(["deep": "value"])
    let bytes = try PropertyLists.binary([
      "photo": .data(png), "settings": .data(inner), "other": .data([7, 8]),
    ])
    let page = try WrittenPage(of: bytes, named: "a.plist")
    #expect(try page.column("texts").contains("value"))
    let data = try page.column("data")
    let photo = try #require(data.first { $0["type"] == "image/png" })
    #expect(photo["base64"] == .string(String(decoding: Base64.encode(png.span), as: UTF8.self)))
    #expect(data.contains { $0["summary"] == "a binary property list" && $0["base64"] == nil })
    #expect(data.contains { $0["summary"] == "data" && $0["bytes"] == 2 })
    var limits = PageLimits()
    limits.imageBytes = 9
    #expect(
      try WrittenPage(of: bytes, named: "a.plist", limits).column("data").allSatisfy { $0["base64"] == nil })
  }

  @Test func `A text that names a file of a package shows it`() throws {
    let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2]
    let files = ["a.png": png, "sub/b.png": png, "c.bin": [1, 2, 3]]
    let attachments = PageAttachments(files.keys.sorted()) { name, limit in
      files[name].map {
        PageAttachments.File(byteCount: $0.count, bytes: Array($0.prefix($0.count > limit ? 8 : limit)))
      }
    }
    func page(_ limits: PageLimits = PageLimits()) throws -> WrittenPage {
      let json = #"["a.png","sub/b.png","c.bin","../a.png","/etc/passwd","A.png",1]"#
      let page = try ValuePage(
        reading: Array(json.utf8), named: "a.json", options: ReadingOptions(), limits: limits,
        attachments: attachments)
      return try WrittenPage { output throws(FerryError) in try page.write(to: output) }
    }
    let data = try page().column("data")
    #expect(data.map { $0["node"] } == [1, 2, 3] && data.map { $0["bytes"] } == [10, 10, 3])
    #expect(data.map { $0["type"] } == ["image/png", "image/png", nil])
    #expect(
      try page().data.list("facts").contains {
        $0["label"] == "Other files" && $0["text"] == "3: a.png, c.bin, sub/b.png"
      })
    var limits = PageLimits()
    limits.allImageBytes = 15
    let some = try page(limits).column("data")
    #expect(some.map { $0["base64"] == nil } == [false, true, true])
    #expect(some.map { $0["summary"] == data[0]["summary"] } == [true, true, false])
  }

  @Test func `Every prefix and every changed byte of an archive gives a page or an error`() throws {
    let bytes = try PropertyLists.binary(
      Archived.stored([["a": "b", "$class": .uid(2)], Inspections.description("A")]))
    try Damage(to: bytes, change: .flipping([0x55])).check(prefixes: .readOrRefused) { damaged in
      let page = try WrittenPage(of: damaged, named: "a")
      #expect(throws: Never.self) { _ = try page.data }
    }
  }
}

@Suite struct `Pages of differences` {
  private func page(_ old: String, _ new: String, key: String? = nil) throws -> WrittenPage {
    var comparison = FileComparison()
    comparison.key = key
    let found = try comparison.compare(
      .init(Array(old.utf8), name: "old.json"), with: .init(Array(new.utf8), name: "new.json"))
    let page = try DifferencePage(
      found.differences, from: found.old, to: found.new, names: ("old.json", "new.json"))
    return try WrittenPage { output throws(FerryError) in try page.write(to: output) }
  }

  @Test func `Each change has its rows and paths in both versions`() throws {
    let page = try page(
      #"{"list": [{"id": 1, "x": 1}, {"id": 2}], "gone": true}"#,
      #"{"list": [{"id": 2}, {"id": 1, "x": 2}], "new": null}"#, key: "id")
    let changes = try page.data.list("changes")
    let kinds = changes.compactMap { $0["kind"] }
    #expect(
      kinds.contains("removed") && kinds.contains("added") && kinds.contains("changed")
        && kinds.contains("moved"))
    let changed = try #require(changes.first { $0["kind"] == "changed" })
    #expect(try changed.list("paths") == ["list[0].x", "list[1].x"])
    #expect(try changed.list("nodes") == [4, 6])
    let removed = try #require(changes.first { $0["kind"] == "removed" })
    #expect(try removed.list("nodes").last == -1)
    #expect(try removed.list("paths") == ["gone", ""])
    #expect(try page.data.list("versions").map { $0["name"] } == ["old.json", "new.json"])
  }

  @Test func `A change under a key that a path cannot tell from another one marks no row`() throws {
    var comparison = FileComparison()
    comparison.reading.format = .yaml
    let found = try comparison.compare(
      .init(Array("1: a\n\"1\": b\n".utf8), name: "old.yaml"),
      with: .init(Array("1: c\n\"1\": b\n".utf8), name: "new.yaml"))
    let page = try DifferencePage(found.differences, from: found.old, to: found.new, names: ("old", "new"))
    let changes = try WrittenPage { output throws(FerryError) in try page.write(to: output) }.data.list(
      "changes")
    #expect(try changes.map { try $0.list("nodes") } == [[-1, -1]])
  }

  @Test func `A change in the document in data has its rows if documents are opened`() throws {
    let file = { (text: String) throws in
      FileComparison.File(
        try PropertyLists.binary(["d": .data(Array(text.utf8)), "n": 1]), name: "a.plist")
    }
    for (opens, path) in [(true, "d.b[1]"), (false, "d")] {
      var comparison = FileComparison()
      comparison.reading.expandsData = opens
      let found = try comparison.compare(file(#"{"b":[1,2]}"#), with: file(#"{"b":[1,3]}"#))
      let page = try DifferencePage(found.differences, from: found.old, to: found.new, names: ("old", "new"))
      let changes = try WrittenPage { output throws(FerryError) in try page.write(to: output) }.data.list(
        "changes")
      #expect(try changes.map { try $0.list("paths") } == [[.string(path), .string(path)]])
      for change in changes { #expect(try !change.list("nodes").contains(-1)) }
    }
  }

  @Test func `Equal files have a page without changes`() throws {
    #expect(try page("[1]", "[1]").data.list("changes").isEmpty)
  }

  @Test func `A change behind a reference has the row of the object`() throws {
    let couple = { (name: String) throws in
      try PropertyLists.binary(
        Archived.stored([
          ["a": .uid(2), "b": .uid(2), "$class": .uid(4)], ["name": .uid(3), "$class": .uid(4)],
          .string(name), Inspections.description("Pair", "NSObject"),
        ]))
    }
    let found = try FileComparison().compare(
      .init(try couple("Ada"), name: "old"), with: .init(try couple("Eve"), name: "new"))
    let page = try DifferencePage(found.differences, from: found.old, to: found.new, names: ("old", "new"))
    let changes = try WrittenPage { output throws(FerryError) in try page.write(to: output) }.data.list(
      "changes")
    #expect(!changes.isEmpty)
    for change in changes { #expect(try !change.list("nodes").contains(-1)) }
  }
}
