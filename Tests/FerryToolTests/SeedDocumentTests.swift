import Ferry
import Foundation
import TestSupport
import Testing

/// An archived object of any class, as Foundation gives its keys.
private final class ArchivedRecord: NSObject, NSCoding {
  let fields: [String: String]

  init?(coder: NSCoder) {
    var fields: [String: String] = [:]
    for key in ["first", "last", "name", "location", "image.key", "itemKey", "serialNumber"] {
      guard coder.containsValue(forKey: key) else { continue }
      fields[key] = coder.decodeObject(forKey: key) as? String
    }
    self.fields = fields
  }

  func encode(with coder: NSCoder) {}
}

/// The records of an archive, as Foundation opens it.
private func records(_ name: String, class className: String) throws -> [[String: String]] {
  let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(try directory.bytes(name)))
  unarchiver.requiresSecureCoding = false
  unarchiver.setClass(ArchivedRecord.self, forClassName: className)
  let root = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
  return try #require(root as? [ArchivedRecord]).map(\.fields)
}

@Suite(.temporaryDirectory) struct `The documents of apps` {
  private static let examples = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples").path

  /// XML to the document, to JSON, to the document again: the documents are equal.
  private func takeThereAndBack(_ example: String, _ document: String, back: String) async throws -> String {
    expectQuiet(
      try await .ferry("convert", "\(Self.examples)/\(example)", "-o", document, "--attachments", "."))
    expectQuiet(try await .ferry("convert", document, "--to", "json", "-o", "records.json"))
    expectQuiet(try await .ferry("convert", "records.json", "--to", back, "-o", "back-\(document)"))
    expectQuiet(try await .ferry("convert", "back-\(document)", "--to", "json", "-o", "again.json"))
    let json = try directory.text("records.json")
    #expect(try directory.text("again.json") == json)
    return json
  }

  @Test func `People Groups`() async throws {
    let json = try await takeThereAndBack("folks.xml", "people.pplgrp", back: "people-group")
    #expect(json == folksJSON)
    #expect(try directory.bytes("people.pplgrp") == directory.bytes("back-people.pplgrp"))
    #expect(
      try records("people.pplgrp", class: "Person").first == ["first": "Matt", "last": "Neuburg"])
  }

  @Test func `MyStuff`() async throws {
    try directory.write("image.png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1])
    try directory.write("1__#$!@%!#__image.png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 2])
    _ = try await takeThereAndBack("things.xml", "Things.mystuff", back: "things")
    for name in try directory.names(in: "Things.mystuff") {
      #expect(try directory.bytes("Things.mystuff/\(name)") == directory.bytes("back-Things.mystuff/\(name)"))
    }
    let found = try records("back-Things.mystuff/things.data", class: "MyWhatsit")
    #expect(found.first == ["name": "Robot", "location": "Top shelf", "image.key": "image.png"])
    #expect(found.count == 3)
  }

  @Test func `Homepwner`() async throws {
    _ = try await takeThereAndBack("items.xml", "items.archive", back: "item-list")
    #expect(try directory.bytes("items.archive") == directory.bytes("back-items.archive"))
    #expect(try records("items.archive", class: "Item").first?["name"] != nil)
  }

  @Test func `TinyPix`() async throws {
    let json = try await takeThereAndBack("heart.xml", "heart.tinypix", back: "picture")
    #expect(json.hasPrefix(#"["........",".##..##.","#))
    #expect(try directory.bytes("heart.tinypix") == [0x00, 0x66, 0xff, 0xff, 0xff, 0x7e, 0x3c, 0x18])
    #expect(try directory.bytes("back-heart.tinypix") == directory.bytes("heart.tinypix"))
    expectQuiet(try await .ferry("convert", "heart.tinypix", "-o", "heart.png"))
    expectQuiet(try await .ferry("convert", "heart.png", "-o", "again.tinypix"))
    #expect(try directory.bytes("again.tinypix") == directory.bytes("heart.tinypix"))
    try directory.write("short.tinypix", [1, 2, 3, 4, 5, 6, 7])
    expectFailure(
      try await .ferry("convert", "short.tinypix", "--to", "json", "-o", "x.json"),
      "short.tinypix: byte 7: a TinyPix picture has 8 bytes, found 7")
    #expect(try !directory.names().contains("x.json"))
  }

  @Test func `a text`() async throws {
    let json = try await takeThereAndBack("letter.xml", "letter.txt", back: "text")
    #expect(json.hasPrefix("\"Dear reader,"))
    #expect(try directory.bytes("letter.txt") == directory.bytes("back-letter.txt"))
    try directory.write("bad.txt", Array("one\ntwo ".utf8) + [0xc3, 0x28])
    expectFailure(
      try await .ferry("convert", "bad.txt", "--to", "json"), "bad.txt:2:5: this is no UTF-8 text")
  }
}
