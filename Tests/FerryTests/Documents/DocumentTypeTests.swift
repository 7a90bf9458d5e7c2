import Foundation
import TestSupport
import Testing

@testable import Ferry

@Suite struct `Document types` {
  @Test func `Document types are found by name, extension and identifier`() {
    let types = DocumentTypes.builtIn
    #expect(types.type(named: "things") == .things && types.type(named: "MyStuff") == .things)
    #expect(types.type(named: "com.neuburg.pplgrp") == .peopleGroup && types.type(named: "no") == nil)
    #expect(types.type(ofFile: "a/b/X.PPLGRP") == .peopleGroup)
    #expect(types.type(ofFile: "mystuff") == nil && types.type(ofFile: ".mystuff") == nil)
    #expect(DocumentType.ofFile(named: "x.tinypix") == .picture)
  }

  static let file = """
    {"ferry": 1, "types": [
      {"name": "trip", "identifier": "com.example.trip", "extensions": ["trip", "Journey"],
       "schema": {"ferry": 1, "name": "stop", "fields": [{"name": "place"}, {"name": "photo", "optional": true}]},
       "layout": {"package": {"main": "trip.plist", "format": "plist-xml", "files": "photo"}}},
      {"name": "team", "identifier": "com.example.team", "extensions": ["team"], "schema": "person",
       "layout": {"file": "archive"}}]}
    """

  @Test func `Document types come from a file in any format`() throws {
    let value = try Value(reading: MemoryInput(Array(Self.file.utf8)))
    let types = try DocumentTypes(value)
    #expect(types.types.count == 2 + DocumentType.builtIn.count)
    let trip = try #require(types.type(ofFile: "x.journey"))
    #expect(trip.layout == .package(main: "trip.plist", .xmlPropertyList, files: "photo"))
    #expect(types.type(named: "team")?.schema == .person)
    for format in [Format.xmlPropertyList, .binaryPropertyList, .xml] {
      var conversion = Conversion(to: format)
      conversion.writing.rootElement = "types-file"
      let bytes = try conversion.convert(Array(Self.file.utf8)).bytes
      var other = try Value(reading: MemoryInput(bytes))
      if format == .xml, let inner = other["types-file"] { other = inner }
      #expect(try DocumentTypes(other).types == types.types, "\(format)")
    }
  }

  @Test func `The file with the records of a package is found by its path`() {
    let type = DocumentType(
      name: "trip", identifier: "com.example.trip", extensions: ["trip"],
      layout: .package(main: "data/x.json", .yaml, files: nil))
    let types = DocumentTypes([type])
    for (path, package) in [
      ("Vienna.trip/data/x.json", "Vienna.trip"), ("a/V.TRIP//data/x.json", "a/V.TRIP"),
      ("Mine.mystuff/things.data", "Mine.mystuff"),
    ] {
      #expect(types.package(withRecordsIn: path)?.path == package, "\(path)")
    }
    for path in ["x.json", "data/x.json", "Vienna/data/x.json", "Vienna.trip/x.json", "Mine.mystuff/x.data"] {
      #expect(types.package(withRecordsIn: path) == nil, "\(path)")
    }
    #expect(types.declaredType(ofDocument: "Vienna.trip/data/x.json") == type)
    #expect(types.declaredType(ofDocument: "Mine.mystuff/things.data") == nil)
    #expect(types.declaredFormats.format(ofFileNamed: "Vienna.trip/data/x.json") == .yaml)
    #expect(types.declaredFormats.format(ofFileNamed: "Vienna/data/x.json") == nil)
  }

  @Test(
    arguments: [
      ("[]", "this is not a dictionary", ""),
      ("{}", "the key \"ferry\", the version of this notation, is missing", ""),
      (#"{"ferry": 1}"#, "types is missing", ""), (#"{"ferry": 1, "types": []}"#, "types is empty", "types"),
      (#"{"ferry": 1, "kinds": []}"#, "kinds", "kinds"),
      (#"{"ferry": 1, "types": [5]}"#, "this is not a dictionary", "types[0]"),
      (one(#""name": 7"#), "name is not a string", "types[0].name"),
      (one(#""identifier": "trip""#), "\"trip\" is not an identifier", "types[0].identifier"),
      (one(#""extensions": []"#), "extensions is empty", "types[0].extensions"),
      (one(#""extensions": ["a.b"]"#), "without a point", "types[0].extensions[0]"),
      (one(#""schema": "nope""#), "unknown schema \"nope\"", "types[0].schema"),
      (
        one(#""schema": {"ferry": 1, "name": "x", "fields": []}"#), "fields is empty",
        "types[0].schema.fields"
      ),
      (one(#""layout": {}"#), "either a file or a package", "types[0].layout"),
      (one(#""layout": {"file": "nib"}"#), "is not a format", "types[0].layout.file"),
      (
        one(#""layout": {"package": {"main": "../x", "format": "json"}}"#), "leads out",
        "types[0].layout.package.main"
      ),
      (
        one(#""layout": {"package": {"main": "x", "format": "json", "files": "k"}}"#), "needs a schema",
        "types[0].layout.package.files"
      ),
      (
        one(#""schema": "person", "layout": {"package": {"main": "x", "format": "json", "files": "k"}}"#),
        "\"k\" is not a string field of the schema", "types[0].layout.package.files"
      ),
    ])
  func `Invalid document types are refused with the path of the problem`(
    json: String, words: String, path: String
  ) throws {
    let value = try Value(reading: MemoryInput(Array(json.utf8)))
    let failure = #expect(throws: FerryError.self) { try DocumentTypes(value) }
    #expect(failure?.reason.description.contains(words) == true, "\(failure?.message ?? "")")
    #expect(failure?.path.description == path)
  }

  /// A file of one good type, in which something is replaced.
  private static func one(_ entry: String) -> String {
    var fields = [
      "name": "\"t\"", "identifier": "\"com.example.t\"", "extensions": "[\"t\"]",
      "layout": "{\"file\": \"json\"}",
    ]
    for key in ["name", "identifier", "extensions", "layout", "schema"] where entry.hasPrefix("\"\(key)\"") {
      fields[key] = nil
    }
    if entry.contains("\"layout\"") { fields["layout"] = nil }
    let rest = fields.map { "\"\($0)\": \($1)" }.joined(separator: ", ")
    return "{\"ferry\": 1, \"types\": [{\(entry), \(rest)}]}"
  }

  @Test func `Document types give the Info.plist that others read`() async throws {
    for type in DocumentType.builtIn {
      let output = MemoryOutput()
      let writer = XMLPropertyListWriter(to: output)
      try type.infoPropertyList.replay(into: writer)
      try writer.finish()
      let found = try #require(
        try unsafe PropertyListSerialization.propertyList(from: Data(output.bytes), options: [], format: nil)
          as? [String: Any])
      let document = try #require((found["CFBundleDocumentTypes"] as? [[String: Any]])?.first)
      #expect(document["LSItemContentTypes"] as? [String] == [type.identifier])
      #expect(document["LSTypeIsPackage"] as? Bool == type.isPackage)
      #expect((found["UTExportedTypeDeclarations"] == nil) == (type == .text))
      let answer = try await Peer.python(
        "import plistlib, sys; print(plistlib.loads(sys.stdin.buffer.read())['CFBundleDocumentTypes'][0]['CFBundleTypeRole'])",
        input: output.bytes)
      #expect(answer.text == "Editor\n", "\(answer.errors)")
    }
  }
}
