import Testing

@testable import Ferry

@Suite struct `Data that a conversion opens` {
  private static let list: Value = [
    "d": .data(Array(#"{"a":[1,{"b":2}]}"#.utf8)), "l": [.data(Array("[1,2]".utf8)), 7],
  ]

  /// Returns a file with documents in data, one of which is an archive.
  private static func file(_ format: Format) throws -> [UInt8] {
    let inner = try Conversion(to: .archive).convert(PropertyLists.binary(list)).bytes
    guard case .dictionary(var entries) = list else { return [] }
    entries["inner"] = .data(inner)
    let bytes = try PropertyLists.binary(.dictionary(entries))
    return format == .binaryPropertyList ? bytes : try Conversion(to: format).convert(bytes).bytes
  }

  private static let targets: [Format] = [
    .archive, .xmlArchive, .typedstream, .binaryPropertyList, .xmlPropertyList, .json, .jsonLines, .yaml,
    .xml,
  ]

  @Test(arguments: targets, [Representation.plain, .typed, .raw])
  func `A file with opened data is read as a file of its format, or refused`(
    _ target: Format, _ form: Representation
  ) throws {
    for source in [Format.binaryPropertyList, .archive, .typedstream] {
      var conversion = Conversion(to: target)
      (conversion.reading.expandsData, conversion.writing.representation) = (true, form)
      let bytes = try Self.file(source)
      let isRawArchive = form == .raw && source == .archive
      let isOther = form == .raw && source == .binaryPropertyList && target.isArchive
      guard !isRawArchive, !isOther else {
        let error = #expect(throws: FerryError.self) { try conversion.convert(bytes) }
        #expect(error?.reason == .archive(isRawArchive ? .dataInRawForm : .notRawForm))
        continue
      }
      let result = try conversion.convert(bytes).bytes
      let isArchive = try Format.of(result).isArchive
      #expect(isArchive || !target.isArchive, "\(source)")
      let json = String(decoding: try Conversion(to: .json).convert(result).bytes, as: UTF8.self)
      if form == .plain || target.isArchive { #expect(json.contains(#""b":"#), "\(source)") }
    }
  }

  @Test(arguments: [Format.archive, .xmlArchive], [Representation.plain, .typed])
  func `An archive of a property list has its values in each form`(
    _ target: Format, _ form: Representation
  ) throws {
    for source in [Format.binaryPropertyList, .json] {
      let bytes = try Conversion(to: source).convert(PropertyLists.binary(["a": 1, "b": ["c"]])).bytes
      var conversion = Conversion(to: target)
      conversion.writing.representation = form
      let archive = try conversion.convert(bytes).bytes
      #expect(try Format.of(archive) == target)
      let json = try Conversion(to: .json).convert(archive).bytes
      #expect(String(decoding: json, as: UTF8.self) == #"{"a":1,"b":["c"]}"# + "\n")
    }
  }

  @Test(arguments: [
    "[1]", #"{"$archiver":"A","$top":{},"$objects":1}"#, #"{"a":{"$archiver":"A","$top":{},"$objects":[]}}"#,
  ])
  func `Values other than an archive in the raw form are refused as one`(_ json: String) throws {
    for target in [Format.archive, .xmlArchive] {
      var conversion = Conversion(to: target)
      conversion.writing.representation = .raw
      let error = #expect(throws: FerryError.self) { try conversion.convert(Array(json.utf8)) }
      #expect(error?.reason == .archive(.notRawForm))
    }
  }
}
