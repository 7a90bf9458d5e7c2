import Testing
import TestSupport

@testable import Ferry

/// Archives that a Mac wrote twice, as XML and binary.
@Suite struct `The twins of an archive` {
  /// In the corpus's `keyed/peer`.
  static let twins: [(xml: String, binary: String)] = [
    ("kiler129/ArchivedData/scalarTypes.xml.plist", "kiler129/ArchivedData/scalarTypes.bin.plist"),
    (
      "kiler129/ArchivedData/objectWithSingleProp.xml.plist",
      "kiler129/ArchivedData/objectWithSingleProp.bin.plist"
    ),
    ("kiler129/ArchivedData/nested.xml.plist", "kiler129/ArchivedData/nested.bin.plist"),
    ("kiler129/ArchivedData/collections.xml.plist", "kiler129/ArchivedData/collections.bin.plist"),
    ("go-ios/dict.xml", "go-ios/dict.bin"),
    ("go-ios/primitives.xml", "go-ios/primitives.bin"),
  ]

  @Test(arguments: twins) func `An XML archive becomes its binary twin, byte for byte`(
    _ twin: (xml: String, binary: String)
  ) throws {
    let xml = try Corpus.bytes("keyed/peer/\(twin.xml)")
    let binary = try Corpus.bytes("keyed/peer/\(twin.binary)")
    #expect(try Conversion(to: .archive).convert(xml).bytes == binary)
  }

  /// The one pair that does not match: its binary file has the outermost keys in the order of a hash table, as Macs up to
  /// 10.14 wrote them, which an XML file cannot tell. All else is the same.
  @Test func `The older order of a Mac's outermost keys cannot be told from the XML archive`() throws {
    var conversion = Conversion(to: .binaryPropertyList)
    conversion.writing.representation = .raw
    let converted = try conversion.convert(
      Corpus.bytes("keyed/peer/kiler129/BrokenData/invalidReference.xml.plist")
    ).bytes
    let binary = try Corpus.bytes("keyed/peer/kiler129/BrokenData/invalidReference.bin.plist")
    #expect(converted != binary)
    #expect(try Archived.raw(converted).sorted == Archived.raw(binary).sorted)
    #expect(try Archived.raw(binary).keysOfDictionary == ["$version", "$objects", "$archiver", "$top"])
  }

  @Test(arguments: twins) func `A binary archive becomes its XML twin, sorted as Apple sorts`(
    _ twin: (xml: String, binary: String)
  ) throws {
    let xml = try Corpus.bytes("keyed/peer/\(twin.xml)")
    let binary = try Corpus.bytes("keyed/peer/\(twin.binary)")
    var conversion = Conversion(to: .xmlPropertyList)
    conversion.writing.representation = .raw
    conversion.writing.sortsKeys = true
    #expect(try conversion.convert(binary).bytes == xml)
  }

  @Test(arguments: twins)
  func `Both twins have the same value`(_ twin: (xml: String, binary: String)) throws {
    let xml = try Archived.value(Corpus.bytes("keyed/peer/\(twin.xml)"))
    let binary = try Archived.value(Corpus.bytes("keyed/peer/\(twin.binary)"))
    #expect(xml.sorted == binary.sorted)
  }
}

extension Value {
  fileprivate var keysOfDictionary: [Value] {
    if case .dictionary(let entries) = self { entries.keys } else { [] }
  }
}

@Suite struct `Archives that Macs made` {
  /// The files whose bytes do not follow from their values: which equal strings were one object in the program that
  /// wrote it is its secret, and `payload.value.0.bplist` and its kind were not made by an archiver.
  static let undecided: Set<String> = [
    "DateIntervalFormatter-Default.archive", "uint64-key-dictionary.bin", "backgrounditemsPoisonApple.btm",
    "payload.value.0.bplist", "accesibility-inspector-dump-from-device-1.bin@88382.bplist",
    "accesibility-inspector-dump-from-device-1.bin@52901.bplist", "broken-message-from-ax-1.bin@48.bplist",
  ]

  @Test func `The archives that Macs made come back byte for byte from their raw representation`() throws {
    var conversion = Conversion(to: .binaryPropertyList)
    conversion.writing.representation = .raw
    var identical = 0
    for folder in ["foundation", "peer", "macos", "carved"] {
      for file in try Corpus.files(under: "keyed/\(folder)") {
        let bytes = try Corpus.bytes(file)
        guard bytes.starts(with: "bplist00".utf8) else { continue }
        let name = String(file.split(separator: "/").last ?? "")
        let isIdentical = try conversion.convert(bytes).bytes == bytes
        identical += isIdentical ? 1 : 0
        #expect(isIdentical || Self.undecided.contains(name), "\(file)")
      }
    }
    #expect(identical >= 99)
  }
}
