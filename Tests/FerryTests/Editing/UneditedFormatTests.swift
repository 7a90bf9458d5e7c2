import TestSupport
import Testing

@testable import Ferry

@Suite struct `Changes by path` {
  private static let typedstream = TypedstreamSample(
    "an array",
    [Mark.string("@"), Mark.new, Mark.root("NSString"), Mark.string("+"), Mark.bytes("hello"), Mark.end],
    ""
  ).bytes

  /// A small file of a format.
  private static func file(_ format: Format) throws -> [UInt8] {
    switch format {
    case .typedstream: return typedstream
    case .nibArchive: return NIBSample.window.bytes
    case .sqlite: return Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84)
    case .text: return Array("hello\n".utf8)
    case .zip: return Array("PK\u{5}\u{6}".utf8) + [UInt8](repeating: 0, count: 18)
    case .xcodeProject: return Array("// !$*UTF8*$!\n{\n\tobjects = {\n\t};\n}\n".utf8)
    case .strings: return Array("\"name\" = \"Ada\";\n".utf8)
    case .tinyPix: return [1, 2, 3, 4, 5, 6, 7, 8]
    case .png:
      var conversion = Conversion(to: .png)
      conversion.reading.format = .tinyPix
      return try conversion.convert([1, 2, 3, 4, 5, 6, 7, 8]).bytes
    default: return try Conversion(to: format).convert(Array(#"[{"name":"Ada","age":36}]"#.utf8)).bytes
    }
  }

  private enum Change: CaseIterable {
    case setText, setValue, insert, remove, setContents

    func perform(on file: EditableFile) throws(FerryError) {
      switch self {
      case .setText: try file.set(text: "x", at: ValuePath())
      case .setValue: try file.set("x", at: ValuePath([.index(0)]))
      case .insert: try file.insert("x", at: ValuePath([.end]))
      case .remove: try file.remove(at: ValuePath([.index(0)]))
      case .setContents: try file.set(contents: [0x78], at: ValuePath())
      }
    }
  }

  @Test(arguments: Format.allCases)
  func `A change by path writes the format of the file, or nothing`(_ format: Format) throws {
    let bytes = try Self.file(format)
    var options = EditableFile.Options()
    options.format = format
    for change in Change.allCases {
      guard let file = try? EditableFile(bytes, options: options) else {
        #expect(format == .sqlite || !format.canRead)
        continue
      }
      do throws(FerryError) {
        try change.perform(on: file)
        #expect(file.isEditable)
        // A list of records without a record has no content that shows its format.
        if format.description.isListOfRecords, try file.bytes().isEmpty { continue }
        // A property list of GNUstep without typed values is an OpenStep property list.
        let name = format == .jsonLines ? "a" : "a.\(format.description.extensions.first ?? "")"
        let found = try Format.of(file.bytes(), named: name)
        // A single value of JSON Lines or of concatenated JSON is JSON, too, and values on lines of their own are JSON Lines.
        #expect(
          found == format || format == .gnustepPropertyList && found == .openStepPropertyList
            || format == .jsonLines && found == .json
            || format == .concatenatedJSON && (found == .json || found == .jsonLines))
      } catch {
        #expect(try file.bytes() == bytes)
        if !format.isEditedByPath { #expect(error.reason == .path(.notEditable(format, isInData: false))) }
      }
    }
  }

  @Test(arguments: [Format.xmlPropertyList, .binaryPropertyList, .archive, .xmlArchive])
  func `A change by path changes a typedstream inside data, or leaves it as it is`(_ format: Format) throws {
    let output = MemoryOutput()
    try Conversion(to: format).write(to: output, losses: LossReport()) { sink throws(FerryError) in
      let value: Value = ["blob": .data(Self.typedstream)]
      try value.replay(into: sink)
    }
    for change in ["blob[0]", "blob.x"] {
      let file = try EditableFile(output.bytes)
      let failure = #expect(throws: FerryError.self) { try file.set("x", at: ValuePath(parsing: change)) }
      #expect(failure?.path.description == "blob")
      #expect(try file.bytes() == output.bytes)
    }
    let file = try EditableFile(output.bytes)
    try file.set(.data([1]), at: ValuePath(parsing: "blob"))
    #expect(try Format.of(file.bytes()) == format)
  }
}
