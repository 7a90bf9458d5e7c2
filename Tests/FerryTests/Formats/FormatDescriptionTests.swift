import Testing

@testable import Ferry

/// Every format has all its parts.
@Suite struct `The description of a format` {
  @Test func `has names and extensions of its own`() {
    let names = Format.allCases.flatMap { [$0.rawValue] + $0.aliases }
    #expect(Set(names).count == names.count)
    let extensions = Format.allCases.flatMap(\.extensions)
    #expect(Set(extensions).count == extensions.count)
    for format in Format.allCases {
      for name in [format.rawValue] + format.aliases { #expect(Format(name: name.uppercased()) == format) }
      for fileExtension in format.extensions { #expect(Format.ofFile(named: "a.\(fileExtension)") == format) }
    }
  }

  @Test(arguments: Format.allCases) func `says what the format is and holds`(_ format: Format) {
    let description = format.description
    #expect(!description.summary.isEmpty)
    #expect(description.content == .single || !description.capabilities.isEmpty)
    #expect((description.editingHint == nil) == description.isEditedByPath)
    #expect(description.editingHint?.hasPrefix("use ") ?? true)
  }

  @Test(arguments: Format.general) func `is that of a format that is written and read`(_ format: Format)
    throws
  {
    let bytes = try Conversion(to: format).convert(Array(#"{"a":{"b":["c","d"]}}"#.utf8)).bytes
    var back = Conversion(to: .json)
    back.source = format
    let json = try back.convert(bytes).bytes
    #expect(String(decoding: json, as: UTF8.self).contains(#"{"b":["c","d"]}"#))
  }
}
