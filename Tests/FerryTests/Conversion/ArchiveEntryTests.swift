import Testing

@testable import Ferry

@Suite struct `Entries of an archive beside its objects` {
  /// Returns an archive of a dictionary, in XML or binary.
  private static func archive(_ entries: String, name: String = "Ada", in format: Format) throws -> [UInt8] {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>$version</key><integer>100000</integer>
      <key>$archiver</key><string>NSKeyedArchiver</string>
      <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
      <key>$objects</key><array><string>$null</string>
      <dict><key>NS.keys</key><array><dict><key>CF$UID</key><integer>2</integer></dict></array>
      <key>NS.objects</key><array><dict><key>CF$UID</key><integer>3</integer></dict></array>
      <key>$class</key><dict><key>CF$UID</key><integer>4</integer></dict></dict>
      <string>name</string><string>\(name)</string>
      <dict><key>$classname</key><string>NSDictionary</string>
      <key>$classes</key><array><string>NSDictionary</string><string>NSObject</string></array></dict></array>
      \(entries)</dict></plist>
      """
    guard format == .archive else { return Array(text.utf8) }
    return try Conversion(to: .archive).convert(Array(text.utf8), named: "a.plist").bytes
  }

  private static let extra = "<key>extra</key><integer>5</integer><key>more</key><array/>"

  @Test(arguments: [Format.archive, .xmlArchive]) func `Entries that the output cannot have are reported`(
    _ format: Format
  ) throws {
    let bytes = try Self.archive(Self.extra, in: format)
    for target in [Format.json, .yaml, .xmlPropertyList] {
      let result = try Conversion(to: target).convert(bytes, named: "a.archive")
      #expect(result.report.losses.listed.map(\.kind) == [.archiveEntry, .archiveEntry])
      #expect(result.report.losses.listed.map(\.path.description) == ["extra", "more"])
    }
    let usual = try Conversion(to: .json).convert(Self.archive("", in: format), named: "a.archive")
    #expect(usual.report.losses.isEmpty)
  }

  @Test(arguments: [Format.archive, .xmlArchive]) func `Entries are kept in a copy or reported`(
    _ format: Format
  ) throws {
    let bytes = try Self.archive(Self.extra, in: format)
    var conversion = Conversion(to: .archive)
    #expect(try conversion.convert(bytes, named: "a.archive").report.losses.isEmpty)
    conversion.classNames = ["NSDictionary": "Thing"]
    let renamed = try conversion.convert(bytes, named: "a.archive")
    #expect(renamed.report.losses.counts.map(\.kind).contains(.archiveEntry))
    for representation in [Representation.raw, .typed] {
      var complete = Conversion(to: .json)
      complete.writing.representation = representation
      let result = try complete.convert(bytes, named: "a.archive")
      #expect(!result.report.losses.counts.map(\.kind).contains(.archiveEntry))
      #expect(String(decoding: result.bytes, as: UTF8.self).contains(#""extra":5"#))
    }
  }

  @Test func `Entries of an archive in data are reported if it is opened`() throws {
    let archive = try Self.archive(Self.extra, in: .archive)
    let outer = try PropertyLists.binary(["list": [["d": .data(archive)]]])
    var conversion = Conversion(to: .json)
    func entries(_ losses: Losses) -> [String] {
      losses.listed.filter { $0.kind == .archiveEntry }.map(\.path.description)
    }
    #expect(try entries(conversion.convert(outer).report.losses).isEmpty)
    conversion.reading.expandsData = true
    #expect(
      try entries(conversion.convert(outer).report.losses) == ["list[0].d.extra", "list[0].d.more"])
    conversion.writing.representation = .raw
    #expect(try entries(conversion.convert(outer).report.losses).isEmpty)
    for (bytes, path, wanted) in [
      (archive, "", ["extra", "more"]), (archive, "name", []), (outer, "list", []),
      (outer, "list[0].d.root", ["list[0].d.root.extra", "list[0].d.root.more"]),
      (outer, "list[0].d.name", []),
    ] {
      for format in [Format.json, .archive] {
        let paths = [path.isEmpty ? ValuePath() : try ValuePath(parsing: path)]
        let losses = try EditableFile(bytes).write(
          paths, as: WritingOptions(to: format), to: MemoryOutput())
        #expect(entries(losses) == wanted, "\(path) \(format)")
      }
    }
  }

  /// Returns entries with the keys `extra` and `more`; nil for none.
  private static func entries(_ extra: Int?, _ more: String?) -> String {
    (extra.map { "<key>extra</key><integer>\($0)</integer>" } ?? "")
      + (more.map { "<key>more</key><string>\($0)</string>" } ?? "")
  }

  /// Returns the merged archive and the conflicts of versions, each with its entries and a name in its objects.
  private static func merge(
    _ base: (String, String), _ ours: (String, String), _ theirs: (String, String), in format: Format,
    theirFormat: Format? = nil
  ) throws -> DocumentMerge.Result {
    let merge = DocumentMerge()
    let mine = try merge.read(archive(ours.0, name: ours.1, in: format))
    let others = try merge.read(archive(theirs.0, name: theirs.1, in: theirFormat ?? format), as: mine)
    let common = try merge.read(archive(base.0, name: base.1, in: format), as: mine)
    return try merge.merge(base: common, ours: mine, theirs: others)
  }

  @Test(arguments: [Format.archive, .xmlArchive], [Format.archive, .xmlArchive])
  func `Entries are merged as those of a dictionary`(_ format: Format, _ other: Format) throws {
    for (ours, theirs, merged) in [
      (entries(2, "x"), entries(1, "y"), [2, "y"]), (entries(1, "x"), entries(1, "y"), [1, "y"]),
      (entries(nil, "x"), entries(1, "y"), [nil, "y"]), (entries(2, "x"), entries(1, nil), [2, nil]),
      (entries(2, "x"), entries(2, "x"), [2, "x"]), (entries(1, "x"), entries(nil, "x"), [nil, "x"]),
    ] as [(String, String, [Value?])] {
      for (mine, others) in [("Ada", "Ada"), ("Eve", "Ada"), ("Ada", "Bob")] {
        let result = try Self.merge(
          (Self.entries(1, "x"), "Ada"), (ours, mine), (theirs, others), in: format, theirFormat: other)
        #expect(result.conflicts.isEmpty)
        let stored = try EditableFile(result.bytes, options: Self.asStored).value(at: ValuePath())
        #expect([stored["extra"], stored["more"]] == merged, "\(ours) \(theirs)")
        let name = mine == "Eve" ? "Eve" : others
        #expect(try EditableFile(result.bytes).value(at: ValuePath(parsing: "name")) == .string(name))
        #expect(!result.losses.counts.contains { $0.kind == .archiveEntry })
      }
    }
  }

  @Test(arguments: [Format.archive, .xmlArchive]) func `Merged entries have the order of ours`(
    _ format: Format
  ) throws {
    func entries(_ n: Int, _ z: String) -> String {
      "<key>n</key><integer>\(n)</integer><key>z</key>\(z)<key>y</key><integer>1</integer>"
    }
    for (old, new, value) in [
      ("<string>a</string>", "<string>T</string>", "T"),
      ("<array><integer>1</integer></array>", "<array><integer>2</integer></array>", [2]),
    ] as [(String, String, Value)] {
      let result = try Self.merge(
        (entries(1, old), "Ada"), (entries(7, old), "Ada"), (entries(1, new), "Ada"), in: format)
      let stored = try EditableFile(result.bytes, options: Self.asStored).value(at: ValuePath())
      #expect([stored["n"], stored["z"], stored["y"]] == [7, value, 1])
      guard case .dictionary(let all) = stored else {
        Issue.record("no dictionary")
        return
      }
      #expect(all.keys.filter { ["n", "z", "y"].contains($0) } == ["n", "z", "y"])
    }
  }

  private func entries(_ extra: Int?, _ more: String?) -> String { Self.entries(extra, more) }

  @Test(arguments: [Format.archive, .xmlArchive]) func `Entries that both sides changed are conflicts`(
    _ format: Format
  ) throws {
    for (ours, theirs, values) in [
      (entries(2, "x"), entries(3, "x"), [2, 3]), (entries(nil, "x"), entries(3, "x"), [nil, 3]),
      (entries(2, "x"), entries(nil, "y"), [2, nil]),
    ] as [(String, String, [Value?])] {
      let result = try Self.merge(
        (Self.entries(1, "x"), "Ada"), (ours, "Ada"), (theirs, "Eve"), in: format)
      #expect(result.conflicts.map(\.path.description) == ["extra"])
      #expect(result.conflicts.map { [$0.ours, $0.theirs] } == [values])
      let stored = try EditableFile(result.bytes, options: Self.asStored).value(at: ValuePath())
      #expect(stored["extra"] == values[0])
      let output = MemoryOutput()
      try result.writeReport(to: output)
      #expect(String(decoding: output.bytes, as: UTF8.self).contains(#""path": "extra""#))
    }
  }

  @Test func `Entries that one side of a merge has alone are kept`() throws {
    let mine = "<key>mine</key><integer>1</integer>"
    let result = try Self.merge(("", "Ada"), (mine, "Eve"), (Self.extra, "Ada"), in: .archive)
    let kept = try EditableFile(result.bytes, options: Self.asStored).value(at: ValuePath())
    #expect([kept["mine"], kept["extra"], kept["more"]] == [1, 5, []])
    #expect(!result.losses.counts.contains { $0.kind == .archiveEntry })
    #expect(try EditableFile(result.bytes).value(at: ValuePath(parsing: "name")) == "Eve")
  }

  @Test func `Entries of their archive that our format cannot have are reported`() throws {
    let merge = DocumentMerge()
    let ours = try merge.read(Array(#"{"name":"Eve"}"#.utf8))
    let theirs = try merge.read(Self.archive(Self.entries(2, "x"), in: .archive), as: ours)
    let base = try merge.read(Self.archive(Self.entries(1, "x"), in: .archive), as: ours)
    let losses = try merge.merge(base: base, ours: ours, theirs: theirs).losses
    let lost = losses.listed.filter { $0.kind == .archiveEntry }.map(\.path.description)
    #expect(lost == ["extra"])
  }

  private static var asStored: EditableFile.Options {
    var options = EditableFile.Options()
    options.representation = .raw
    return options
  }

  @Test(arguments: [Format.archive, .xmlArchive], [Format.archive, .xmlArchive])
  func `Archives that differ in entries beside their objects differ`(_ first: Format, _ second: Format) throws
  {
    func file(_ entries: String, name: String = "Ada", in format: Format) throws -> FileComparison.File {
      FileComparison.File(try Self.archive(entries, name: name, in: format), name: "a.archive")
    }
    let old = try file(Self.extra, in: first)
    let comparison = FileComparison()
    #expect(try comparison.differences(from: old, to: file(Self.extra, in: second)).all.isEmpty)
    let changed = try comparison.differences(
      from: old, to: file("<key>extra</key><integer>6</integer><key>more</key><array/>", in: second))
    #expect(changed.all.map(\.change) == [.changed(from: 5, to: 6)])
    #expect(changed.all.map(\.newPath?.description) == ["extra"])
    let removed = try comparison.differences(from: old, to: file("", in: second))
    #expect(removed.all.map(\.oldPath?.description) == ["extra", "more"])
    // Equal entries do not matter for the objects.
    let named = try comparison.differences(from: old, to: file(Self.extra, name: "Eve", in: second))
    #expect(named.all.map(\.newPath?.description) == ["name"])
  }

  @Test func `Entries that share values are an error if all of them are much larger than the file`() throws {
    // A binary file has equal keys once.
    let key = String(repeating: "k", count: 1000)
    func file(_ number: Int) throws -> FileComparison.File {
      let entries = (0..<60).map { "<key>k\($0)</key><dict><key>\(key)</key><true/></dict>" }.joined()
      let archive = try Self.archive(
        "<key>extra</key><integer>\(number)</integer>\(entries)", in: .archive)
      return FileComparison.File(archive, name: "a.archive")
    }
    let (old, new) = (try file(1), try file(2))
    #expect(old.bytes.count < 10_000)
    var comparison = FileComparison()
    #expect(try comparison.differences(from: old, to: new).all.map(\.newPath?.description) == ["extra"])
    (comparison.reading.budget.amplification, comparison.reading.budget.amplificationFloor) = (2, 20_000)
    let failure = #expect(throws: FileComparison.VersionError.self) {
      try comparison.differences(from: old, to: new)
    }
    #expect(failure?.error.reason == .overBudget(.amplification(2)))
  }

  @Test func `Differences of entries below long paths are an error if the paths are too large`()
    throws
  {
    func deep(_ value: Int) throws -> [UInt8] {
      let list = String(repeating: "<integer>\(value)</integer>", count: 500)
      let key = "<key>\(String(repeating: "k", count: 60))</key>"
      let entry =
        String(repeating: "<dict>\(key)", count: 100) + "<array>\(list)</array>"
        + String(repeating: "</dict>", count: 100)
      return try Self.archive("<key>extra</key>\(entry)", in: .archive)
    }
    let (old, new) = (try deep(1), try deep(2))
    var comparison = FileComparison()
    comparison.reading.expandsData = true
    for isInData in [false, true] {
      func file(_ archive: [UInt8]) throws -> FileComparison.File {
        FileComparison.File(
          isInData ? try PropertyLists.binary(["d": .data(archive)]) : archive, name: "a.plist")
      }
      let (first, second) = (try file(old), try file(new))
      #expect(try comparison.differences(from: first, to: second).all.count == 500)
      var limited = comparison
      (limited.reading.budget.amplification, limited.reading.budget.amplificationFloor) = (2, 100_000)
      let failure = #expect(throws: FileComparison.VersionError.self) {
        try limited.differences(from: first, to: second)
      }
      #expect(failure?.error.reason == .overBudget(.amplification(2)))
    }
  }

  @Test func `Keys that occur twice among the entries are counted, also in data`() throws {
    func archive(_ more: String) throws -> [UInt8] {
      try Self.archive("<key>extra</key><integer>1</integer>" + more, in: .xmlArchive)
    }
    let (old, new) = try (
      archive("<key>d</key><dict/>"),
      archive(
        "<key>extra</key><integer>9</integer><key>d</key><dict><key>a</key><true/><key>a</key><true/></dict>")
    )
    let found = try FileComparison().compare(.init(old, name: "a.plist"), with: .init(new, name: "b.plist"))
    #expect([found.repeatedKeys.old, found.repeatedKeys.new] == [0, 2])
    var comparison = FileComparison()
    comparison.reading.expandsData = true
    let outcome = try comparison.compare(
      .init(PropertyLists.binary(["d": .data(old)]), name: "a.plist"),
      with: .init(PropertyLists.binary(["d": .data(new)]), name: "b.plist"))
    #expect([outcome.repeatedKeys.old, outcome.repeatedKeys.new] == [0, 2])
  }

  @Test func `Archives in data, in ZIP archives and in the typed form differ by their entries`() throws {
    let (old, new) = (
      try Self.archive(Self.entries(1, "x"), in: .archive),
      try Self.archive(Self.entries(2, "x"), in: .archive)
    )
    func file(_ bytes: [UInt8], _ name: String) -> FileComparison.File {
      FileComparison.File(bytes, name: name)
    }
    var comparison = FileComparison()
    comparison.reading.expandsData = true
    let data = try (
      file(PropertyLists.binary(["d": .data(old)]), "a.plist"),
      file(PropertyLists.binary(["d": .data(new)]), "b.plist")
    )
    let opened = try comparison.differences(from: data.0, to: data.1)
    #expect(opened.all.map(\.newPath?.description) == ["d.extra"])
    // A patch replaces the data.
    let patch = try comparison.patch(of: opened, from: data.0, to: data.1)
    #expect(patch.untested == nil && String(decoding: patch.bytes, as: UTF8.self).contains(#""/d""#))
    var typed = Conversion(to: .json)
    typed.writing.representation = .typed
    let document = try typed.convert(new, named: "a.archive").bytes
    let whole = try FileComparison().differences(
      from: file(old, "a.archive"), to: file(document, "a.json"))
    #expect(whole.all.map(\.change) == [.changed(from: 1, to: 2)])
    #expect(throws: FileComparison.VersionError.self) {
      let (first, second) = (file(old, "a.archive"), file(new, "b.archive"))
      do {
        _ = try FileComparison().patch(
          of: FileComparison().differences(from: first, to: second), from: first, to: second)
      } catch {
        #expect("\(error)".contains("a patch has no entries that an archive has beside its objects"))
        throw error
      }
    }
  }
}
