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

  @Test func `Entries that one side of a merge has alone are kept or reported`() throws {
    let mine = "<key>mine</key><integer>1</integer>"
    let (merge, losses) = (DocumentMerge(), LossReport())
    let ours = try merge.read(Self.archive(mine, name: "Eve", in: .archive))
    let theirs = try merge.read(Self.archive(Self.extra, in: .archive), as: ours)
    let base = try merge.read(Self.archive("", in: .archive), as: ours)
    let result = try merge.merge(base: base, ours: ours, theirs: theirs, losses: losses)
    let stored = try EditableFile(result.bytes, options: Self.asStored)
    let kept = try stored.value(at: ValuePath())
    let lost = losses.losses.filter { $0.kind == .archiveEntry }.map(\.path.description)
    #expect((kept["mine"] == nil) == lost.contains("mine"))
    #expect((kept["extra"] == nil) == lost.contains("extra"))
    #expect((kept["more"] == nil) == lost.contains("more"))
    #expect(try EditableFile(result.bytes).value(at: ValuePath(parsing: "name")) == "Eve")
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
}
