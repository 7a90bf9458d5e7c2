import TestSupport
import Testing

@testable import Ferry

/// Apple's tools sort the keys of an XML archive, but not those of the dictionaries in it.
@Suite struct `Order of keys from XML archives` {
  @Test(arguments: [Format.json, .xmlPropertyList, .binaryPropertyList])
  func `Keys of dictionaries keep their order`(_ format: Format) throws {
    let json = #"{"e":{"zz":1,"A":"x","b":{"n":1,"m":2,"L":3}},"A":[{"q":1,"p":2}]}"#
    let archive = try Conversion(to: .xmlArchive).convert(Array(json.utf8)).bytes
    let converted = try Conversion(to: format).convert(archive).bytes
    var back = Conversion(to: .json)
    back.source = format
    let found = String(decoding: try back.convert(converted).bytes, as: UTF8.self)
    #expect(found.hasPrefix(json), "\(found)")
  }
}
