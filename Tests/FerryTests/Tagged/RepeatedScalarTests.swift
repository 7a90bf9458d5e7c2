import TestSupport
import Testing

@testable import Ferry

/// Strings and data that occur often, in archives and property lists.
@Suite struct `Repeated long strings` {
  private func back(_ text: [UInt8]) throws -> [UInt8] {
    var conversion = Conversion(to: .binaryPropertyList)
    conversion.writing.representation = .raw
    return try conversion.convert(text).bytes
  }

  private func typed(_ bytes: [UInt8], _ format: Format) throws -> [UInt8] {
    var conversion = Conversion(to: format)
    conversion.writing.representation = .typed
    return try conversion.convert(bytes).bytes
  }

  @Test(
    arguments: [HostileFile.repeatedInArchive, .repeatedInList, .repeatedNames, .repeatedInData],
    [Format.json, .xml, .xmlPropertyList])
  func `A repeated long string is written once in the typed representation and comes back exactly`(
    file: HostileFile, format: Format
  )
    throws
  {
    let bytes = file.bytes
    let text = try typed(bytes, format)
    // The file has up to 10,000 references, each of them up to 100 bytes in XML; the rest takes up to three times
    // its size. Copies would be a hundred megabytes.
    #expect(text.count < 3 * bytes.count + 100 * 10_000)
    #expect(try back(text) == bytes)
  }

  @Test
  func `A repeated long string has an identity and references in an archive`() throws {
    let text = String(decoding: try typed(HostileFile.repeatedInArchive.bytes, .json), as: UTF8.self)
    #expect(text.contains(#""$top":{"root":[{"$id":2,"$value":"xxxx"#))
    #expect(text.contains(#"xx"},{"$id":3,"$value":{"$data":"#))
    #expect(text.contains(#"},{"$ref":2},{"$ref":3},{"$ref":2},{"$ref":3}"#))
  }

  @Test func `A long string that occurs a few times is written in full`() throws {
    var objects = BinaryObjects()
    objects.add([])
    let string = objects.string(String(repeating: "x", count: 1000))
    objects.replace(0, BinaryObjects.array([string, string, string]))
    let text = String(decoding: try typed(objects.file, .json), as: UTF8.self)
    #expect(!text.contains("$ref"))
    #expect(text.utf8.count > 3000)
  }

  @Test(arguments: [HostileFile.repeatedInArchive, .repeatedInList])
  func `A repeated long string is referred to in the plain representation if copies exceed the budget`(
    file: HostileFile
  )
    throws
  {
    let bytes = try Conversion(to: .json).convert(file.bytes).bytes
    #expect(bytes.count < 10 * file.bytes.count)
    let source = try EditableFile(file.bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    for pointer in Set(text.matches(of: #/"\$ref":"([^"]*)"/#).map { String($0.output.1) }) {
      switch try source.value(at: ValuePath(parsing: pointer)) {
      case .string(let text): #expect(text.utf8.count == 20_000)
      case .data(let bytes): #expect(bytes.count == 20_000)
      case let other: Issue.record("\(pointer) leads to \(other)")
      }
    }
  }

  @Test(arguments: [
    #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$ref":1}]}}"#,
    ##"{"$ferry":1,"$archiver":"A","$top":{"root":[{"$id":1,"$value":"a"},{"$id":1,"$value":"b"}]}}"##,
    ##"{"$ferry":1,"$archiver":"A","$top":{"root":[{"$id":1,"$value":["a"]}]}}"##,
    #"{"$ferry":1,"$value":[{"$ref":1},{"$id":1,"$value":"a"}]}"#,
  ])
  func `A reference to a repeated string with an unclear target is refused`(text: String) throws {
    #expect(throws: FerryError.self) { try back(Array(text.utf8)) }
  }

  @Test func `A repeated string may be referred to before it is written`() throws {
    let text =
      ##"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$ref":1},{"$id":1,"$value":"a long text"}]}}"##
    let value = try Value(reading: MemoryInput(back(Array(text.utf8))))
    #expect(value == .array(["a long text", "a long text"]))
  }
}

@Suite struct `The budget of an expansion` {
  @Test(arguments: [0, 1, 100, Int.max, -1, Int.min], [0, 1, 1 << 40, Int.max])
  func `The budget of an expansion does not overflow`(amplification: Int, byteCount: Int) {
    for floor in [0, 8 << 20, Int.max, Int.min] {
      var budget = Budget()
      (budget.amplification, budget.amplificationFloor) = (amplification, floor)
      let allowance = budget.allowance(forInputBytes: byteCount)
      #expect(allowance <= Int.max / 4)
      if floor >= 0 { #expect(allowance >= min(floor, Int.max / 4)) }
    }
  }

  @Test func `The budget of an expansion is a factor of the input above a floor`() {
    #expect(Budget().allowance(forInputBytes: 1000) == 8 << 20)
    #expect(Budget().allowance(forInputBytes: 1 << 20) == 100 << 20)
  }
}
