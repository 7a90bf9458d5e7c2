import Foundation
import Testing

@testable import Ferry

/// A keyed archive that GNUstep's NSKeyedArchiver has written.
@Suite struct `Archives of GNUstep` {
  private func archive() throws -> [UInt8] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return Array(try Data(contentsOf: folder.appendingPathComponent("Fixtures/gnustep/keyed.archive")))
  }

  private func json(_ bytes: [UInt8], sorted: Bool = true) throws -> String {
    var conversion = Conversion(to: .json)
    conversion.writing.sortsKeys = sorted
    return String(decoding: try conversion.convert(bytes).bytes, as: UTF8.self)
  }

  @Test func `An archive of GNUstep has the values that were archived`() throws {
    let bytes = try archive()
    #expect(try Format.of(bytes) == .archive)
    #expect(
      try json(bytes)
        == ##"""
        {"array":["a",null],"attributed":{"attributes":{"z":"1"},"string":"attr"},"bool":true,\##
        "characterSet":{"$0":"AAAAAAAAAAAAAAAADg=="},"countedSet":[{"count":1,"object":"c"}],"data":"AQID",\##
        "date":"2001-01-01T00:20:34.5Z","decimal":{"$0":"2.2"},"dictionary":{"k":"v"},"double":2.5,"indexSet":[{"length":4,"location":3}],\##
        "int":42,"mutable":"mutable","mutableArray":["b"],"mutableData":"BAU=","mutableSet":["y"],"name":"Ada",\##
        "person":{"age":36,"first":"Grace"},"set":["x"],"url":"https://example.org/a",\##
        "uuid":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F"}

        """##)
  }

  @Test func `An archive of GNUstep comes back with the same bytes from the typed form`() throws {
    let bytes = try archive()
    var typed = Conversion(to: .json)
    typed.writing.representation = .typed
    let document = try typed.convert(bytes).bytes
    #expect(try Conversion(to: .archive).convert(document).bytes == bytes)
    #expect(try typed.convert(document).bytes == document)
  }

  @Test func `A value in an archive of GNUstep is changed`() throws {
    let file = try EditableFile(archive())
    try file.set(text: "Lovelace", at: ValuePath(parsing: "person.first"))
    try file.set(text: "other", at: ValuePath(parsing: "mutable"))
    let changed = try json(file.bytes())
    #expect(changed.contains(#""first":"Lovelace""#) && changed.contains(#""mutable":"other""#))
  }

  @Test func `A counted set of GNUstep keeps its keys when it is changed`() throws {
    let file = try EditableFile(archive())
    try file.set(3, at: ValuePath(parsing: "countedSet[0].count"))
    let bytes = try file.bytes()
    #expect(try json(bytes).contains(#""countedSet":[{"count":3,"object":"c"}]"#))
    var options = EditableFile.Options()
    options.decodedForms = .scalars
    let set = try EditableFile(bytes, options: options).value(at: ValuePath(parsing: "countedSet"))
    #expect(set["$0"] == 1 && set["$2"] == 3)
  }
}
