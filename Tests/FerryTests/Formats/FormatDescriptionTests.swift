import Testing

@testable import Ferry

/// Every format has all its parts.
@Suite struct `Descriptions of formats` {
  @Test func `Every format has names and extensions of its own`() {
    let names = Format.allCases.flatMap { [$0.rawValue] + $0.aliases }
    #expect(Set(names).count == names.count)
    let extensions = Format.allCases.flatMap(\.extensions)
    #expect(Set(extensions).count == extensions.count)
    for format in Format.allCases {
      for name in [format.rawValue] + format.aliases { #expect(Format(name: name.uppercased()) == format) }
      for fileExtension in format.extensions { #expect(Format.ofFile(named: "a.\(fileExtension)") == format) }
    }
  }

  @Test(arguments: Format.allCases) func `Every format describes itself and its capabilities`(
    _ format: Format
  ) {
    let description = format.description
    #expect(!description.summary.isEmpty)
    #expect(!description.noun.isEmpty)
    #expect(!description.typeIdentifiers.isEmpty)
    #expect(description.content == .single || !description.capabilities.isEmpty)
    #expect((description.editingAlternative == nil) == description.isEditedByPath)
    #expect((description.content == .single) == (description.shape == .single))
    #expect((description.content == .tables) == (description.shape == .rows))
  }

  /// Properties that decide how a command treats a file, and the formats that have them.
  private static let properties: [(name: String, has: @Sendable (Format) -> Bool, formats: [Format])] = [
    ("may contain elements", { $0.mayContainElements }, [.xml, .zip]),
    (
      "is written in sequence", { $0.isWrittenInSequence },
      [.json, .jsonLines, .jsonSequence, .nulSeparatedJSON, .concatenatedJSON]
    ),
    ("is pretty-printed in documents", { $0.description.isPrettyInDocuments }, [.json, .jsonc, .json5]),
    ("is the format of typedstreams", { $0.isTypedstream }, [.typedstream]),
    ("is a format of keyed archives", { $0.description.isKeyedArchive }, [.archive, .xmlArchive]),
    ("is a binary property list", { $0.isBinaryPropertyList }, [.binaryPropertyList, .archive]),
    ("repeats keys", { $0.description.repeatsKeys }, [.xmlPropertyList]),
    ("sorts keys", { $0.sortsKeys }, [.xmlArchive]),
  ]

  @Test func `Each property of formats is that of the formats that are treated so`() {
    for (name, has, formats) in Self.properties { #expect(Format.allCases.filter(has) == formats, "\(name)") }
  }

  /// Texts with a value … in each format, and the location of that value, or of the text if it is read as a whole.
  private static let longValues: [(Format, String, String)] = [
    (.json, "{\"a\":\n \"…\"}", "2:2"), (.jsonLines, "1\n{\"a\":\"…\"}\n", "2:6"),
    (.jsonSequence, "\u{1e}{\"a\":\"…\"}\n", "1:7"), (.nulSeparatedJSON, "1\n\0\"…\"\0", "2:2"),
    (.concatenatedJSON, "{}\n{\"a\":\"…\"}", "2:6"), (.jsonc, "{\"a\":\n \"…\"}", "2:2"),
    (.json5, "{a:\n '…'}", "2:2"), (.xml, "<a>\n <b>…</b></a>", "2:2"), (.csv, "a\n1\n…\n", "3:1"),
    (.tsv, "a\tb\n1\t…\n", "2:3"), (.openStepPropertyList, "{a=\"…\";}", "1:4"),
    (.gnustepPropertyList, "{a=\"…\";}", "1:4"), (.xcodeProject, "// !$*UTF8*$!\n{a=\"…\";}", "2:4"),
    (.strings, "\"a\"=\"…\";", "1:5"), (.xmlPropertyList, "<plist>\n<string>…</string></plist>", "2:9"),
    (.text, "a\n…", "byte 0"), (.yaml, "a: …", "1:4"), (.yaml, "--- a\n--- …\n--- b\n", "2:5"),
  ]

  @Test(arguments: longValues)
  func `A value beyond the limit is refused at its location in every format of text`(
    _ format: Format, _ text: String, _ location: String
  ) throws {
    guard format.description.isRead else { return }
    let bytes = Array(text.replacing("…", with: String(repeating: "x", count: 200)).utf8)
    var options = ReadingOptions()
    options.format = format
    options.budget.tokenBytes = 100
    let error = #expect(throws: FerryError.self) { try options.read(MemoryInput(bytes), into: NullSink()) }
    #expect(error?.reason == .overBudget(.tokenBytes(100)))
    #expect(error?.location.description == location)
    options.budget.tokenBytes = 300
    #expect(throws: Never.self) { try options.read(MemoryInput(bytes), into: NullSink()) }
  }

  private static let objectFormats: [Format] = [.xmlArchive, .typedstream, .nibArchive, .sqlite]

  @Test(arguments: objectFormats)
  func `A value beyond the limit is refused at its location in files with objects and tables`(
    _ format: Format
  ) throws {
    guard format.description.isRead else { return }
    let long = String(repeating: "x", count: 400)
    let bytes: [UInt8]
    if format == .nibArchive {
      var sample = NIBSample.window
      sample.values[12] = NIBSample.data(13, long)
      bytes = sample.bytes
    } else {
      bytes = try Conversion(to: format).convert(Array("[{\"a\":\"b\"},{\"a\":\"\(long)\"}]".utf8)).bytes
    }
    var conversion = Conversion(to: .json)
    (conversion.reading.format, conversion.reading.budget.tokenBytes) = (format, 200)
    let error = #expect(throws: FerryError.self) { try conversion.convert(bytes) }
    #expect(error?.reason == .overBudget(.tokenBytes(200)))
    if format == .sqlite {
      #expect(error?.path == ValuePath([.index(1)]))
    } else {
      #expect(error?.location.byte == bytes.firstRange(of: Array(long.utf8))?.lowerBound)
    }
    conversion.reading.budget.tokenBytes = 400
    #expect(throws: Never.self) { try conversion.convert(bytes) }
  }

  @Test func `The limit of a value is tested in all formats except those of whole files`() {
    let tested = Set(Self.longValues.map(\.0) + Self.objectFormats + Self.binaryLimits.map(\.0))
    // The files of a ZIP archive have other formats, and pictures have one size.
    let others: Set<Format> = [.zip, .tinyPix, .png]
    #expect(tested.union(others) == Set(Format.allCases).subtracting([.table]))
  }

  @Test(arguments: [
    (Format.openStepPropertyList, "{\n  b = 1;\n  a = …;\n}"),
    (.openStepPropertyList, "{\n  b = 1;\n  a = \"…\";\n}"),
    (.openStepPropertyList, "{\n  b = 1;\n  a = <…>;\n}"),
    (.gnustepPropertyList, "{\n  b = 1;\n  a = <*I…>;\n}"),
    (.strings, "b = 1;\n\na = …;\n"), (.yaml, "b: 1\n\na:   …\n"), (.yaml, "b: 1\n\na:   '…'\n"),
  ])
  func `The limit of a value applies to each value of a text that is read as a whole`(
    _ format: Format, _ text: String
  ) throws {
    guard format.description.isRead else { return }
    let long = Array(text.replacing("…", with: String(repeating: "1", count: 64)).utf8)
    let short = Array(text.replacing("…", with: String(repeating: "1", count: 8)).utf8)
    var options = ReadingOptions()
    options.format = format
    options.budget.tokenBytes = 10
    let error = #expect(throws: FerryError.self) { try options.read(MemoryInput(long), into: NullSink()) }
    #expect(error?.reason == .overBudget(.tokenBytes(10)))
    #expect(error?.location.line == 3)
    #expect(throws: Never.self) { try options.read(MemoryInput(short), into: NullSink()) }
    options.budget.textBytes = 16
    let whole = #expect(throws: FerryError.self) { try options.read(MemoryInput(short), into: NullSink()) }
    #expect(whole?.reason == .overBudget(.textBytes(16)))
    #expect(whole?.location.isEmpty == false)
  }

  private static let binaryLimits: [(Format, Int)] = [
    (.binaryPropertyList, 12), (.binaryPropertyList, 14), (.binaryPropertyList, 15),
    (.binaryPropertyList, 198),
    (.archive, 60), (.archive, 198), (.typedstream, 60),
  ]

  @Test(arguments: binaryLimits)
  func `A text or data beyond the limit is refused in binary formats`(_ format: Format, _ size: Int) throws {
    let data = String(repeating: "A", count: size / 3 * 4)
    for (value, bytes) in [
      ("<string>\(String(repeating: "x", count: size))</string>", size),
      ("<string>\(String(repeating: "\u{e9}", count: size / 2))</string>", size / 2 * 2),
      ("<data>\(data)</data>", size / 3 * 3),
    ] {
      let list = "<plist version=\"1.0\"><dict><key>a</key>\(value)</dict></plist>"
      let file = try Conversion(to: format).convert(Array(list.utf8), named: "a.plist").bytes
      var options = ReadingOptions()
      options.format = format
      options.budget.tokenBytes = bytes - 1
      let error = #expect(throws: FerryError.self) { try options.read(MemoryInput(file), into: NullSink()) }
      #expect(error?.reason == .overBudget(.tokenBytes(bytes - 1)), "\(value)")
      #expect(error?.location.isEmpty == false)
      options.budget.tokenBytes = bytes
      #expect(throws: Never.self) { try options.read(MemoryInput(file), into: NullSink()) }
    }
  }

  @Test(arguments: Format.allCases) func `A format accepts --ascii only if it has escapes for characters`(
    _ format: Format
  ) {
    // YAML writes its escapes itself.
    #expect(format.layoutOptions.contains(.escapes) == (format.hasCharacterEscapes || format == .yaml))
  }

  @Test(arguments: Format.allCases) func `Every format has a reader that fits its other parts`(
    _ format: Format
  ) {
    let description = format.description
    switch description.reader {
    case .stream(let makeReader):
      #expect(throws: FerryError.self) {
        try makeReader(NullSink(), ReaderContext(budget: Budget())).readAll([0xff].span)
      }
    case .nodes(let open):
      #expect(description.isPropertyList)
      #expect(throws: FerryError.self) { try open(MemoryInput([0xff]), Budget()) }
    case .elements: #expect(description.shape == .elements)
    case .typedstream: #expect(description.shape == .objects)
    case .database: #expect(description.content == .tables)
    case .files: #expect(description.content == .values)
    case nil: #expect(format.canWrite && !format.canRead)
    }
  }

  @Test(arguments: Format.written) func `Every format has a writer that fits its other parts`(
    _ format: Format
  ) throws {
    let description = format.description
    switch description.writer {
    case .values(let makeWriter):
      _ = try makeWriter(MemoryOutput(), WriterContext())
      #expect(description.isPropertyList || description.keepsKnownClasses || description.shape != .objects)
    case .archive:
      guard case .values? = format.asPropertyList.description.writer else {
        Issue.record("an archive is written as a property list")
        return
      }
    case .elements: #expect(description.shape == .elements)
    case .rows(let makeWriter):
      _ = try makeWriter(MemoryOutput(), RowsContext(losses: LossReport(), budget: Budget()))
      #expect(description.shape == .rows)
    case .tables: #expect(description.content == .tables)
    case nil: Issue.record("a format that is written has a writer")
    }
  }

  /// The names of kinds of values in `FormatCapabilities.missing`, with a value of the kind and the losses that
  /// report that a format does not hold it.
  private static let kinds: [(names: [String], value: Value, losses: Set<Loss.Kind>)] = [
    // XML has an empty element for null, which a conversion reports (`nullAsText`).
    (["null"], .null, [.nullLeftOut]),
    (["dates"], .date(secondsSince2001: 1), [.dateAsText]),
    (["dates with fractions of a second"], .date(secondsSince2001: 0.5), [.dateFraction]),
    (["data"], .data([1]), [.dataAsText]),
    (["sets"], .set([1]), [.setAsArray]),
    (["numbers and booleans"], 1, [.numberAsText]),
    (["decimals in their own notation"], .number("0.12345678901234567891"), [.numberAsReal, .numberAsText]),
    (
      ["decimals in their own notation", "decimals in their own notation beyond 38 digits"],
      .number("0.1234567890123456789012345678901234567890123"), [.numberAsReal, .numberAsText]
    ),
    (["NaN and infinities"], .real(.infinity), [.notFinite]),
    (["32-bit reals"], .single(1.5), [.singleWidth]),
    (["unpaired surrogates"], .unpairedString([0xd800]), [.surrogate]),
    (["keys that are not strings"], .dictionary(numberedKey), [.objectKey]),
    (["classes and shared objects"], .object(ObjectValue(ObjectClass("Person"), content: [:])), [.className]),
  ]

  private static var numberedKey: KeyedValues {
    var entries = KeyedValues()
    entries[.integer(1)] = "a"
    return entries
  }

  @Test(arguments: Format.ofRecords) func `A format names exactly the kinds of values that it loses`(
    _ format: Format
  ) throws {
    let missing = Set(format.capabilities.missing)
    #expect(missing.isSubset(of: Self.kinds.flatMap(\.names)))
    for kind in Self.kinds {
      let losses = LossReport()
      try Conversion(to: format).write(to: MemoryOutput(), losses: losses) { sink throws(FerryError) in
        let value: Value = [["field": kind.value]]
        try value.replay(into: sink)
      }
      let isLost = losses.counts.contains { kind.losses.contains($0.kind) }
      #expect(isLost == !missing.isDisjoint(with: kind.names), "\(kind.names): \(losses.counts.map(\.kind))")
    }
  }

  /// Contents that have the signature of a format.
  static let samples: [(Format, String, String)] = [
    (.xml, "<a/>", "a"), (.json, "[1]", "a"), (.jsonLines, "1\n2", "a"), (.xmlPropertyList, "<plist/>", "a"),
    (.openStepPropertyList, "{ a = 1; }", "a"), (.openStepPropertyList, "// !$*UTF8*$!\n{}", "a"),
    (.xcodeProject, "// !$*UTF8*$!\n{\n\tobjects = {\n", "a"),
    (.strings, "/* c */ \"a\" = \"b\";", "a"), (.strings, "a = b;", "a.strings"),
    (.gnustepPropertyList, "{ a = <*I1>; }", "a"), (.csv, "a,b\n1,2", "a.csv"), (.csv, "1", "a.csv"),
    (.tsv, "\"a\"\t1", "a.TAB"), (.jsonSequence, "\u{1e}1\n", "a"), (.nulSeparatedJSON, "[1]\0[2]\0", "a"),
    (.concatenatedJSON, "{}{}", "a"), (.concatenatedJSON, "[\n1]\n[2]", "a"), (.jsonc, "// c\n{}", "a.jsonc"),
    (.json5, "{a:1}", "a.json5"), (.yaml, "--- 1", "a"), (.yaml, "a: 1", "a.yml"),
    (
      .xmlPropertyList, "<plist><dict><key>$ferry</key><integer>1</integer><key>$top</key></dict></plist>",
      "a"
    ),
    (.binaryPropertyList, "bplist00", "a"), (.xmlArchive, "<plist><key>$top</key></plist>", "a"),
    (.typedstream, "\u{4}\u{b}streamtyped", "a"), (.nibArchive, "NIBArchive", "a.nib"),
    (.sqlite, "SQLite format 3\0", "a"), (.text, "a", "a.txt"),
    (.tinyPix, "12345678", "a.tinypix"), (.zip, "PK\u{3}\u{4}", "a"),
  ]

  @Test(arguments: samples) func `No format has the signature of another`(
    _ format: Format, _ text: String, _ name: String
  ) {
    let head = FormatHead(Array(text.utf8), name: name)
    let ranks = Format.allCases.filter { $0.description.signature.matches(head) }.map(
      \.description.signature.rank)
    #expect(format.description.signature.matches(head))
    #expect(ranks.count { $0 == format.description.signature.rank } == 1)
  }

  @Test func `Text with the extension of a plain text is JSON or XML at any depth`() throws {
    for (start, end, format) in [("[", "]", Format.json), ("<a>", "</a>", .xml)] {
      let text = String(repeating: start, count: 1000) + String(repeating: end, count: 1000)
      #expect(try Format.of(Array(text.utf8), named: "a.txt") == format)
    }
  }

  @Test func `Every signature has a sample`() {
    // The signature of an archive is that of its property list, and a PNG image's is longer than text. A table is not read.
    #expect(Set(Self.samples.map(\.0)) == Set(Format.allCases).subtracting([.archive, .png, .table]))
    #expect(FormatDescription.png.signature.matches(FormatHead(png, name: nil)))
  }

  private var png: [UInt8] { (try? TinyPicture(tinyPix: [UInt8](repeating: 0, count: 8)).png) ?? [] }

  @Test(arguments: Format.allCases) func `Every archive format belongs to a property list format`(
    _ format: Format
  ) {
    let description = format.description
    // A compiled nib file is read as if it were a property list, and not written.
    #expect(!description.isArchive || !format.canWrite || format.asPropertyList.asArchive == format)
    #expect(description.archiveFormat == nil || format.asArchive.asPropertyList == format)
    #expect(!description.isArchive || description.shape == .objects)
  }

  @Test(arguments: Format.allCases.filter { $0.description.textLayout != nil })
  func `A format with a text layout finds every value in its text`(_ format: Format) throws {
    let bytes = try Conversion(to: format).convert(Array(#"{"a":[1,"b"],"c":2}"#.utf8)).bytes
    let tree = try #require(try format.nodes(of: MemoryInput(bytes), budget: Budget()) as? PropertyListTree)
    let layout = try #require(try format.description.textLayout?(bytes, tree))
    #expect(layout.ranges.count == tree.nodeCount)
    #expect(
      try layout.syntax.text(of: tree.root, in: tree, at: TextSlot(depth: 0, gap: [], model: nil)).isEmpty
        == false)
  }

  @Test(arguments: Format.allCases.filter { $0.description.typedSyntax != nil })
  func `A format with a typed form recognizes it`(_ format: Format) throws {
    var typed = Conversion(to: format)
    typed.writing.representation = .typed
    let list = try Conversion(to: .binaryPropertyList).convert(Array("[1]".utf8)).bytes
    let bytes = try typed.convert(list).bytes
    #expect(DocumentProbe.beginning(of: bytes, format: format) == .typed)
  }

  @Test(arguments: Format.general) func `A value comes back from every general format`(_ format: Format)
    throws
  {
    let bytes = try Conversion(to: format).convert(Array(#"{"a":{"b":["c","d"]}}"#.utf8)).bytes
    var back = Conversion(to: .json)
    back.reading.format = format
    let json = try back.convert(bytes).bytes
    #expect(String(decoding: json, as: UTF8.self).contains(#"{"b":["c","d"]}"#))
  }
}
