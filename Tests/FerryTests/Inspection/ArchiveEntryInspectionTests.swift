import TestSupport
import Testing

@testable import Ferry

@Suite struct `Entries of an archive beside its objects, in searches and inspections` {
  /// Returns an archive of the string `hi`.
  private static func archive(_ entries: String, in format: Format = .xmlArchive) throws -> [UInt8] {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>$version</key><integer>100000</integer>
      <key>$archiver</key><string>NSKeyedArchiver</string>
      <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
      <key>$objects</key><array><string>$null</string><string>hi</string></array>\(entries)</dict></plist>
      """
    guard format == .archive else { return Array(text.utf8) }
    return try Conversion(to: .archive).convert(Array(text.utf8), named: "a.plist").bytes
  }

  private static let entries = """
    <key>extra</key><dict><key>list</key><array><string>hi</string><integer>2</integer></array></dict>
    <key>hi</key><string>hi</string>
    """

  /// Returns the paths of the values and keys that a search finds. The path of a key ends with its mark.
  private static func paths(in bytes: [UInt8], _ search: ValueSearch) throws -> [String] {
    var paths: [String] = []
    try search.find(in: MemoryInput(bytes)) { match throws(FerryError) in
      paths.append((match.path.isEmpty ? "" : match.path.description) + (match.isKey ? " (key)" : ""))
    }
    return paths
  }

  private static var hi: ValueSearch {
    var search = ValueSearch()
    search.text = { $0 == "hi" }
    return search
  }

  @Test(arguments: [Format.archive, .xmlArchive]) func `A search finds keys and values in the entries`(
    _ format: Format
  ) throws {
    let archive = try Self.archive(Self.entries, in: format)
    #expect(try Self.paths(in: archive, Self.hi) == ["", "extra.list[0]", "hi (key)", "hi"])
    var search = ValueSearch()
    search.keyName = { $0 == "list" }
    #expect(try Self.paths(in: archive, search) == ["extra.list"])
    search = ValueSearch()
    search.kinds = [.dictionary, .integer]
    // The entries together are not a value.
    #expect(try Self.paths(in: archive, search) == ["extra", "extra.list[1]"])
    search.reading.representation = .raw
    let stored = try Self.paths(in: archive, search).filter { !$0.hasPrefix("$") }
    #expect(stored == ["", "extra", "extra.list[1]"])
  }

  @Test func `A search finds the entries of archives in data, also in the entries of others`() throws {
    let archive = try Self.archive(Self.entries, in: .archive)
    let found = ["", ".extra.list[0]", ".hi (key)", ".hi"]
    let list = try PropertyLists.binary(["d": [.data(archive), "hi", .data(archive)]])
    #expect(
      try Self.paths(in: list, Self.hi)
        == found.map { "d[0]" + $0 } + ["d[1]"] + found.map { "d[2]" + $0 })
    let data = String(decoding: Base64.encode(archive.span), as: UTF8.self)
    let outer = try Self.archive("<key>in</key><data>\(data)</data><key>n</key><string>hi</string>")
    #expect(try Self.paths(in: outer, Self.hi) == [""] + found.map { "in" + $0 } + ["n"])
  }

  @Test func `A search finds each of several values for one key`() throws {
    let archive = try Self.archive("<key>a</key><string>hi</string><key>a</key><string>hi</string>")
    #expect(try Self.paths(in: archive, Self.hi) == ["", "a", "a"])
  }

  @Test(arguments: [false, true]) func `Entries that are much larger than the file are an error`(
    _ areInData: Bool
  ) throws {
    // A binary file has equal keys once.
    let key = String(repeating: "k", count: 1000)
    let count = areInData ? 12 : 60
    let entries = (0..<count).map { "<key>k\($0)</key><dict><key>\(key)</key><true/></dict>" }.joined()
    let archive = try Self.archive(entries, in: .archive)
    // Each archive in data is small enough alone.
    let data = [Value](repeating: .data(archive), count: 4)
    let bytes = areInData ? try PropertyLists.binary(.array(data)) : archive
    #expect(bytes.count < 10_000)
    #expect(try Self.paths(in: bytes, Self.hi).count == (areInData ? 4 : 1))
    var search = Self.hi
    (search.reading.budget.amplification, search.reading.budget.amplificationFloor) = (2, 20_000)
    let searching = #expect(throws: FerryError.self) { try Self.paths(in: bytes, search) }
    #expect(searching?.reason == .overBudget(.amplification(2)))
    let showing = #expect(throws: FerryError.self) {
      try FileTree.write(MemoryInput(bytes), named: "a", search.reading, to: MemoryOutput()) { output in
        TreeWriter(to: output, width: 80, color: Colors(areShown: false), limits: TreeWriter.Limits())
      }
    }
    #expect(showing?.reason == .overBudget(.amplification(2)))
  }

  @Test(arguments: [Format.archive, .xmlArchive]) func `An inspection lists the entries`(
    _ format: Format
  ) throws {
    let archive = try Self.archive(Self.entries, in: format)
    let found = try #require(try Inspection(reading: MemoryInput(archive)).archive)
    #expect(found.otherEntries.map(\.name) == ["extra", "hi"])
    #expect(found.otherEntries.map(\.kind) == [.dictionary, .string])
    let usual = try Inspection(reading: MemoryInput(Self.archive("", in: format))).archive
    #expect(usual?.otherEntries == [])
  }

  @Test(arguments: [false, true])
  func `Names of many roots or entries that are one long text are not all listed`(
    _ areRoots: Bool
  ) throws {
    var objects = BinaryObjects()
    objects.add([])
    let keys = ["$objects", "$top", "$archiver", "$version"].map { objects.string($0) }
    let archiver = objects.string("NSKeyedArchiver")
    let version = objects.add([0x12, 0, 1, 0x86, 0xa0])
    let (one, root) = (objects.uid(1), objects.string("root"))
    let long = objects.string(String(repeating: "k", count: 500))
    let list = objects.add(BinaryObjects.array([objects.string("$null"), objects.string("hi")]))
    let many = [(key: Int, value: Int)](repeating: (long, one), count: 1000)
    let top = objects.add(BinaryObjects.dictionary([(root, one)] + (areRoots ? many : [])))
    let entries: [(key: Int, value: Int)] = [
      (keys[0], list), (keys[1], top), (keys[2], archiver), (keys[3], version),
    ]
    objects.replace(0, BinaryObjects.dictionary(entries + (areRoots ? [] : many)))
    let found = try Inspection(reading: MemoryInput(objects.file))
    let archive = try #require(found.archive)
    #expect((areRoots ? archive.roots.count : archive.otherEntries.count) < 100)
    #expect(found.warnings.counts[.tooManyNames] == 1)
  }
}
