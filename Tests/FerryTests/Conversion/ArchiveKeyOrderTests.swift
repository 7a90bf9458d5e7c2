import TestSupport
import Testing

@testable import Ferry

/// Apple's tools sort the keys of an XML archive, but not those of the dictionaries in it.
@Suite struct `Order of keys from XML archives` {
  @Test(arguments: [Format.archive, .binaryPropertyList])
  func `Keys in raw form keep the order of the input`(_ format: Format) throws {
    let sorted = """
      <plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$objects</key><array>\
      <string>$null</string><dict><key>$class</key><dict><key>CF$UID</key><integer>2</integer></dict>\
      <key>a</key><integer>1</integer><key>b</key><integer>2</integer></dict><dict><key>$classes</key>\
      <array><string>C</string></array><key>$classname</key><string>C</string></dict></array><key>$top</key>\
      <dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict><key>$version</key>\
      <integer>100000</integer></dict></plist>
      """
    var raw = Conversion(to: format)
    raw.writing.representation = .raw
    let binary = try raw.convert(Array(sorted.utf8)).bytes
    raw.writing.format = .json
    let texts = try [Array(sorted.utf8), binary].map { try raw.convert($0).bytes }
    #expect(texts[0] == texts[1], "\(String(decoding: texts[1], as: UTF8.self))")
  }

  @Test(arguments: [Format.json, .xmlPropertyList, .binaryPropertyList])
  func `Keys of dictionaries keep their order`(_ format: Format) throws {
    let json = #"{"e":{"zz":1,"A":"x","b":{"n":1,"m":2,"L":3}},"A":[{"q":1,"p":2}]}"#
    let archive = try Conversion(to: .xmlArchive).convert(Array(json.utf8)).bytes
    let converted = try Conversion(to: format).convert(archive).bytes
    var back = Conversion(to: .json)
    back.reading.format = format
    let found = String(decoding: try back.convert(converted).bytes, as: UTF8.self)
    #expect(found.hasPrefix(json), "\(found)")
  }
}
