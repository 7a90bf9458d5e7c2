import Ferry
import Foundation
import TestSupport
import Testing

/// An object of any class, with what an archive holds of it, as Foundation gives that.
private final class ArchivedRecord: NSObject, NSCoding {
  let fields: [String: String]

  init?(coder: NSCoder) {
    var fields: [String: String] = [:]
    for key in ["first", "last", "name", "location", "image.key", "itemKey", "serialNumber"]
    where coder.containsValue(forKey: key) {
      fields[key] = coder.decodeObject(forKey: key) as? String
    }
    if coder.containsValue(forKey: "dateCreated") {
      fields["dateCreated"] = (coder.decodeObject(forKey: "dateCreated") as? Date)?.formatted(.iso8601)
      fields["valueInDollars"] = "\(coder.decodeInteger(forKey: "valueInDollars"))"
    }
    self.fields = fields
  }

  func encode(with coder: NSCoder) {}

  /// The records of an archive.
  static func all(in archive: [UInt8], named className: String) throws -> [[String: String]] {
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(archive))
    unarchiver.requiresSecureCoding = false
    unarchiver.setClass(ArchivedRecord.self, forClassName: className)
    let root = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
    return try #require(root as? [ArchivedRecord]).map(\.fields)
  }
}

/// The applications whose documents these are: an example in XML, the document, and what it holds.
struct DocumentExample: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The example.
  let xml: String
  /// The name of its document.
  let document: String
  /// The document type or format for `--to`.
  let type: String
  /// The options for properties of the document that JSON does not express.
  var options: [String] = []
  /// The beginning of its JSON.
  let json: String
  /// The archive inside, and its class.
  var archive: (path: String, className: String)?
  /// The records that Foundation reads from it.
  var records: [[String: String]] = []

  static let all = [
    DocumentExample(
      testDescription: "People Groups", xml: "folks.xml", document: "people.pplgrp", type: "people-group",
      json: folksJSON, archive: ("people.pplgrp", "Person"),
      records: [
        ["first": "Matt", "last": "Neuburg"], ["first": "Snidely", "last": "Whiplash"],
        ["first": "Dudley", "last": "Doright"],
      ]),
    DocumentExample(
      testDescription: "MyStuff", xml: "things.xml", document: "Things I Own.mystuff", type: "things",
      json: #"[{"name":"Robot","location":"Top shelf","imageKey":"image.png","image":"iVBORw0KGgo"#,
      archive: ("Things I Own.mystuff/things.data", "MyWhatsit"),
      records: [
        ["name": "Robot", "location": "Top shelf", "image.key": "image.png"],
        ["name": "Gravity Boots", "location": "Hall & stairs"],
        ["name": "Brass Telescope, 3″", "location": "Attic", "image.key": "1__#$!@%!#__image.png"],
      ]),
    DocumentExample(
      testDescription: "Homepwner", xml: "items.xml", document: "items.archive", type: "item-list",
      json: #"[{"name":"Rusty Spork","dateCreated":"2014-06-01T09:30:00Z","itemKey":"8F2C1B7E-"#,
      archive: ("items.archive", "Item"),
      records: [
        [
          "name": "Rusty Spork", "dateCreated": "2014-06-01T09:30:00Z", "serialNumber": "4F2A9",
          "itemKey": "8F2C1B7E-6D0A-4C55-9E39-2B1F6A7C0D11", "valueInDollars": "42",
        ],
        [
          "name": "Shiny Bear", "dateCreated": "1999-12-31T23:59:59Z",
          "itemKey": "0E1D2C3B-4A59-4687-A5B4-C3D2E1F00123", "valueInDollars": "0",
        ],
        [
          "name": "Fluffy Mac", "dateCreated": "2001-01-01T00:00:00Z", "serialNumber": "", "itemKey": "key-3",
          "valueInDollars": "-7",
        ],
      ]),
    DocumentExample(
      testDescription: "TinyPix", xml: "heart.xml", document: "heart.tinypix", type: "picture",
      json: #"["........",".##..##.","#),
    DocumentExample(
      testDescription: "the text document", xml: "letter.xml", document: "letter.txt", type: "text",
      json: #""Dear reader,\n\nthis is all of the text: “quotes”, <angles> & a snowman ☃.\n""#),
    DocumentExample(
      testDescription: "the SQLite store", xml: "folks.xml", document: "people.db", type: "sqlite",
      options: ["--schema", "person"], json: folksJSON),
  ].filter { $0.type != "sqlite" || Format.sqlite.canWrite }
}

@Suite(.temporaryDirectory) struct `The documents of apps` {
  private static let examples = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples").path

  /// All that a document is made of, by name: of a package its files.
  private func contents(of name: String) throws -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    let path = directory.path(name)
    for file in try Folder.files(under: path) {
      contents[String(file.dropFirst(path.count))] = try FileInput(path: file).readAll()
    }
    return contents
  }

  @Test(arguments: DocumentExample.all)
  func `Documents of apps go from XML to the document, to JSON, and back with nothing lost`(
    _ example: DocumentExample
  ) async throws {
    let (document, back) = (example.document, "back-\(example.document)")
    expectQuiet(try await .ferry("convert", "\(Self.examples)/\(example.xml)", "-o", document))
    expectQuiet(try await .ferry("convert", document, "--to", "json", "-o", "records.json"))
    #expect(try directory.text("records.json").hasPrefix(example.json))
    expectQuiet(
      try await .ferry(["convert", "records.json", "--to", example.type, "-o", back] + example.options))
    #expect(try contents(of: back) == contents(of: document))
    #expect(try !contents(of: document).isEmpty)
    expectQuiet(try await .ferry("convert", back, "--to", "json", "-o", "again.json"))
    #expect(try directory.bytes("again.json") == directory.bytes("records.json"))
  }

  @Test(arguments: DocumentExample.all.filter { $0.archive != nil })
  func `Documents of apps hold archives that Foundation opens`(_ example: DocumentExample) async throws {
    expectQuiet(try await .ferry("convert", "\(Self.examples)/\(example.xml)", "-o", example.document))
    let archive = try #require(example.archive)
    #expect(
      try ArchivedRecord.all(in: directory.bytes(archive.path), named: archive.className) == example.records)
  }

  @Test func `Archives in the user defaults are read and changed as documents are`() async throws {
    let run = try await ToolRun.shell(
      """
      cp '\(Self.examples)/Preferences/defaults.plist' original.plist
      ferry convert '\(Self.examples)/folks.xml' --to archive | ferry set original.plist data_model --from-file - || exit
      ferry get original.plist data_model --bytes | ferry convert --to json > records.json || exit
      cp original.plist back.plist; ferry set back.plist data_model AAAA || exit
      ferry convert records.json --schema person --to archive | ferry set back.plist data_model --from-file - || exit
      cat records.json
      """)
    expectQuiet(run)
    #expect(run.output == folksJSON)
    #expect(try directory.bytes("back.plist") == directory.bytes("original.plist"))
    let defaults = try #require(
      unsafe PropertyListSerialization.propertyList(
        from: Data(directory.bytes("back.plist")), format: nil)
        as? [String: Any])
    let archive = try #require(defaults["data_model"] as? Data)
    #expect(
      try ArchivedRecord.all(in: Array(archive), named: "Person") == DocumentExample.all[0].records)
  }

  @Test func `Documents that are pictures go to PNG and back`() async throws {
    expectQuiet(try await .ferry("convert", "\(Self.examples)/heart.xml", "-o", "heart.tinypix"))
    #expect(try directory.bytes("heart.tinypix") == [0x00, 0x66, 0xff, 0xff, 0xff, 0x7e, 0x3c, 0x18])
    expectQuiet(try await .ferry("convert", "heart.tinypix", "-o", "heart.png"))
    expectQuiet(try await .ferry("convert", "heart.png", "-o", "again.tinypix"))
    #expect(try directory.bytes("again.tinypix") == directory.bytes("heart.tinypix"))
  }

  @Test(arguments: [
    ("0.tinypix", [], "the file is empty"),
    ("7.tinypix", [UInt8](repeating: 1, count: 7), "byte 7: a TinyPix picture has 8 bytes, found 7"),
    ("9.tinypix", [UInt8](repeating: 1, count: 9), "byte 8: a TinyPix picture has 8 bytes, found 9"),
  ])
  func `Documents that are not pictures of eight bytes are refused`(
    _ name: String, _ bytes: [UInt8], _ words: String
  )
    async throws
  {
    try directory.write(name, bytes)
    expectFailure(try await .ferry("convert", name, "--to", "json", "-o", "x.json"), "\(name): \(words)")
    #expect(try directory.names() == [name])
  }

  @Test func `Documents that are not UTF-8 are refused with their place`() async throws {
    try directory.write("bad.txt", Array("one\ntwo ".utf8) + [0xc3, 0x28])
    expectFailure(
      try await .ferry("convert", "bad.txt", "--to", "json"), "bad.txt:2:5: this is not UTF-8 text")
  }
}
