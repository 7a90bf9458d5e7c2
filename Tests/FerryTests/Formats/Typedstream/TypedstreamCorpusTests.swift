import TestSupport
import Testing

@testable import Ferry

@Suite struct `Real typedstreams` {
  private static let folder = "typedstream"

  private func json(_ bytes: [UInt8]) throws(FerryError) -> String {
    let text = String(decoding: try Conversion(to: .json).convert(bytes).bytes, as: UTF8.self)
    return String(text.dropLast())
  }

  /// Files that are not as they should be, with what is said of them.
  private static let refused = [
    // Its text was made shorter by hand, its length was not.
    "typedstream/crabstep/ExtraData": "byte 124: the file ends where a string of 157 bytes was expected"
  ]

  @Test(arguments: Format.general)
  func `Real typedstreams are converted to every format, or refused with a reason`(_ target: Format) throws {
    var count = 0
    for file in try Corpus.files(under: Self.folder) where !file.contains("gnustep-gorm") {
      let bytes = try Corpus.bytes(file)
      do throws(FerryError) {
        let report = try Conversion(to: target).convert(bytes, named: file).report
        #expect(report.source == .typedstream, "\(file)")
        #expect(Self.refused[file] == nil, "\(file)")
        count += 1
      } catch {
        // Two nib files have escape characters in their strings.
        let isEscape =
          error.message.contains("U+001B") && [.xml, .xmlPropertyList, .xmlArchive].contains(target)
        #expect(isEscape || error.description == Self.refused[file], "\(file): \(error)")
      }
    }
    #expect(count >= 47)
  }

  /// The files, and the values that their programs have written.
  private static let values: [(String, String)] = [
    ("crabstep/foundation/NSArrayWithNull", #"["x",null,"y"]"#),
    ("crabstep/foundation/NSData", #""3q2+7wB/""#),
    ("crabstep/foundation/NSMutableData", #""3q2+7w==""#),
    ("crabstep/foundation/NSDictionary", #"{"k2":"v","k1":1}"#),
    ("crabstep/foundation/NSMutableDictionary", #"{"key":9}"#),
    ("crabstep/foundation/NSMutableString", #""Hello, world""#),
    ("crabstep/foundation/NSSet", #"["s2","s1"]"#),
    ("crabstep/foundation/NSURL", #""https://example.com/path?q=1""#),
    (
      "crabstep/foundation/NestedAttributed",
      #"[{"string":"styled","runs":[{"location":0,"length":6,"attributes":{}}]}]"#
    ),
    (
      "crabstep/foundation/NestedScalars",
      #"["2001-09-09T01:46:40Z","https://example.com/path?q=1",{"base":"https://example.com/dir/","relative":"page.html"},null]"#
    ),
    ("crabstep/foundation/NumberDouble", "100.5"),
    ("crabstep/foundation/NumberFloat", "3.5"),
    ("crabstep/foundation/NumberInt64", "-9000000000"),
    (
      "crabstep/AttributedBodyTextOnly",
      #"{"string":"Noter test","runs":[{"location":0,"length":10,"attributes":{"__kIMMessagePartAttributeName":0}}]}"#
    ),
    (
      "crabstep/Mention",
      #"{"string":"Test Dad ","runs":[{"location":0,"length":5,"attributes":{"__kIMMessagePartAttributeName":0}},{"location":5,"length":3,"attributes":{"__kIMMentionConfirmedMention":"+15558675309","__kIMMessagePartAttributeName":0}},{"location":8,"length":1,"attributes":{"__kIMMessagePartAttributeName":0}}]}"#
    ),
    ("carved/Erase.sketch/metadata.value.8", #"["NONAPPSTORE.28276"]"#),
    (
      "carved/download.sketch/metadata.value.1",
      #"{"E190E3FF-5F5E-4F03-8BD8-0A307A32858C":{"name":"Symbols","artboards":{"B15171B9-9931-4CE4-80A1-99A8FC85C2A5":{"name":"Arrow 31"}}},"A5839DDC-4907-4C3C-A09B-2DD24BB958DA":{"name":"Page 1","artboards":{}}}"#
    ),
  ]

  @Test(arguments: values)
  func `Real typedstreams have the values that were written`(_ file: String, _ expected: String) throws {
    #expect(try json(Corpus.bytes("\(Self.folder)/\(file)")) == expected)
  }

  /// As counted by another reader: values at the top, objects, classes, shared strings.
  private static let counts: [(String, Typedstream.ByteOrder, [Int])] = [
    ("iTerm2/French.lproj/ITConfigPanel.nib/objects.nib@cf82caec0f", .bigEndian, [1, 336, 40, 72]),
    ("iTerm2/French.lproj/MainMenu.nib/objects.nib@eea306fc17", .bigEndian, [1, 424, 34, 63]),
    ("iTerm2/German.lproj/FindPanel.nib/objects.nib@a159ccb660", .bigEndian, [1, 65, 25, 47]),
    ("iTerm2/German.lproj/PreferencePanel.nib/objects.nib@57ba36fc97", .bigEndian, [1, 1620, 50, 88]),
    ("iTerm2/zh_CN.lproj/PreferencePanel.nib/objects.nib@c8197f6955", .bigEndian, [1, 1684, 50, 89]),
    ("python-typedstream/Empty2D macOS 10.14.gcx", .littleEndian, [1, 1524, 182, 205]),
    (
      "solarized/apple-colorpalette-solarized/alternate palettes/Solarized untagged.clr", .littleEndian,
      [35, 32, 3, 9]
    ),
  ]

  @Test(arguments: counts)
  func `Real typedstreams have the parts that other readers find`(
    _ file: String, _ order: Typedstream.ByteOrder, _ counts: [Int]
  )
    throws
  {
    let summary = try Typedstream(Corpus.bytes("\(Self.folder)/\(file)")).summary
    #expect(summary.byteOrder == order)
    #expect(summary.systemVersion == 1000)
    #expect(
      [summary.valueCount, summary.objectCount, summary.classes.count, summary.sharedStringCount] == counts)
    #expect(summary.classes.reduce(0) { $0 + $1.objectCount } == summary.objectCount)
  }

  @Test func `Real typedstreams have colors and fonts`() throws {
    let palette = try json(
      Corpus.bytes(
        "\(Self.folder)/solarized/apple-colorpalette-solarized/alternate palettes/Solarized untagged.clr"))
    #expect(
      palette.hasPrefix(
        #"[1,null,16,{"space":"deviceRGB","red":0.0,"green":0.16862745583057404,"blue":0.21176472306251526,"alpha":1.0},"Solarized Base03 untagged","#
      ))
    let panel = try json(
      Corpus.bytes("\(Self.folder)/iTerm2/German.lproj/FindPanel.nib/objects.nib@a159ccb660"))
    #expect(panel.contains(#""Weiter",{"name":"LucidaGrande","size":13.0,"flags":[0,1,0,4]}"#))
  }

  @Test func `Typedstreams are also found as data in other files`() throws {
    var found = 0
    var open = [
      try Value(
        reading: MemoryInput(Corpus.bytes("\(Self.folder)/python-typedstream/Empty2D macOS 10.14.gcx")))
    ]
    for file in try Corpus.files(under: "plist/terminal") {
      if let value = try? Value(reading: MemoryInput(Corpus.bytes(file)), named: file) { open.append(value) }
    }
    while let value = open.popLast() {
      switch value {
      case .array(let values), .set(let values): open += values
      case .dictionary(let entries): open += entries.values
      case .object(let object): open.append(object.content)
      case .data(let bytes) where Typedstream.begins(bytes.span):
        found += 1
        open.append(try Value(reading: MemoryInput(bytes)))
      default: break
      }
    }
    #expect(found >= 22)
  }

  @Test func `Typedstreams are told apart from archives that Ferry does not read`() throws {
    let files = try Corpus.files(under: "typedstream/gnustep-gorm")
    #expect(files.count >= 20)
    for file in files {
      let failure = #expect(throws: FerryError.self) {
        try Conversion(to: .json).convert(Corpus.bytes(file), named: file)
      }
      #expect(failure?.message.contains("this is a GNUstep archive") == true, "\(file)")
    }
  }
}

@Suite struct `Keyed archives of GNUstep` {
  private func archive(by archiver: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//GNUstep//DTD plist 0.9//EN" "http://www.gnustep.org/plist-0_9.xml">
      <plist version="0.9"><dict>
        <key>$archiver</key><string>\(archiver)</string>
        <key>$objects</key><array>
          <string>$null</string>
          <dict><key>$class</key><dict><key>CF$UID</key><integer>3</integer></dict>
            <key>NS.objects</key><array><dict><key>CF$UID</key><integer>2</integer></dict></array></dict>
          <string>Ada</string>
          <dict><key>$classes</key><array><string>NSArray</string><string>NSObject</string></array>
            <key>$classname</key><string>NSArray</string></dict>
        </array>
        <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
        <key>$version</key><integer>100000</integer>
      </dict></plist>
      """.utf8)
  }

  @Test(arguments: ["NSKeyedArchiver", "GSKeyedArchiver"])
  func `A keyed archive of GNUstep is read like any other`(_ archiver: String) throws {
    let result = try Conversion(to: .json).convert(archive(by: archiver))
    #expect(String(decoding: result.bytes, as: UTF8.self) == "[\"Ada\"]\n")
    #expect(result.report.source == .xmlArchive)
    #expect(result.report.losses.counts.map(\.kind) == (archiver == "NSKeyedArchiver" ? [] : [.archiverName]))
  }
}
