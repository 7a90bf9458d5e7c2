import Foundation
import TestSupport
import Testing

@testable import Ferry

/// A document of an app's own classes, with every kind of key that `NSCoder` has.
final class CodedDocument: NSObject, NSSecureCoding {
  static let supportsSecureCoding = true
  var people: [CodedPerson] = []
  var title = ""
  var count = 0
  var ratio = 0.0
  var width: Float = 0
  var isOpen = false
  var created = Date(timeIntervalSinceReferenceDate: 0)
  var picture = Data()
  var link: URL?
  var identifier: UUID?
  var tags: Set<String> = []
  var words: [String: String] = [:]
  var nothing: String?

  override init() {}

  init?(coder: NSCoder) {
    people =
      coder.decodeObject(of: [NSArray.self, CodedPerson.self], forKey: "people") as? [CodedPerson] ?? []
    title = coder.decodeObject(of: NSString.self, forKey: "title").map { String($0) } ?? ""
    count = coder.decodeInteger(forKey: "count")
    ratio = coder.decodeDouble(forKey: "ratio")
    width = coder.decodeFloat(forKey: "width")
    isOpen = coder.decodeBool(forKey: "isOpen")
    let date = coder.decodeObject(of: NSDate.self, forKey: "created")
    created = Date(timeIntervalSinceReferenceDate: date?.timeIntervalSinceReferenceDate ?? -1)
    picture = coder.decodeObject(of: NSData.self, forKey: "picture").map { Data(referencing: $0) } ?? Data()
    link = coder.decodeObject(of: NSURL.self, forKey: "link").map { $0 as URL }
    identifier = coder.decodeObject(of: NSUUID.self, forKey: "identifier").map { $0 as UUID }
    let set = coder.decodeObject(of: [NSSet.self, NSString.self], forKey: "tags") as? NSSet
    tags = Set(set?.allObjects.compactMap { $0 as? String } ?? [])
    words =
      coder.decodeObject(of: [NSDictionary.self, NSString.self], forKey: "words") as? [String: String] ?? [:]
    nothing = coder.decodeObject(of: NSString.self, forKey: "nothing").map { String($0) }
  }

  func encode(with coder: NSCoder) {
    coder.encode(people as NSArray, forKey: "people")
    coder.encode(title as NSString, forKey: "title")
    coder.encode(count, forKey: "count")
    coder.encode(ratio, forKey: "ratio")
    coder.encode(width, forKey: "width")
    coder.encode(isOpen, forKey: "isOpen")
    coder.encode(
      NSDate(timeIntervalSinceReferenceDate: created.timeIntervalSinceReferenceDate), forKey: "created")
    coder.encode(NSData(data: picture), forKey: "picture")
    coder.encode(link.map { $0 as NSURL }, forKey: "link")
    coder.encode(identifier.map { $0 as NSUUID }, forKey: "identifier")
    coder.encode(NSSet(array: Array(tags)), forKey: "tags")
    coder.encode(NSDictionary(dictionary: words), forKey: "words")
    coder.encode(nothing.map { $0 as NSString }, forKey: "nothing")
  }
}

@Suite struct `Foundation's archivers and Codable` {
  struct Document: Codable, Hashable {
    var people: [CodingSamples.Person]
    var title: String
    var count: Int
    var ratio: Double
    var width: Float
    var isOpen: Bool
    var created: Date
    var picture: Data
    var link: URL?
    var identifier: UUID?
    var tags: Set<String>
    var words: [String: String]
    var nothing: String?
  }

  private static let document = Document(
    people: [.init(last: "Neuburg", first: "Matt"), .init(last: "Ä", first: "Zoë")],
    title: "A title that is longer than a pointer", count: -5, ratio: 0.1, width: 1.5, isOpen: true,
    created: Date(timeIntervalSinceReferenceDate: 423_307_800.25), picture: Data([0, 1, 2]),
    link: URL(string: "https://www.example.org/?q=1"),
    identifier: UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), tags: ["a", "b"],
    words: ["one": "eins", "two": "zwei"])

  private var classes: ClassMap {
    var classes = ClassMap()
    classes.add(Document.self, as: "MyApp.Document")
    classes.add(CodingSamples.Person.self, as: "MyApp.Person")
    return classes
  }

  @Test(arguments: [KeyedArchiveEncoder.OutputFormat.binary, .xml])
  func `NSKeyedUnarchiver decodes the encoded values as classes of an app`(
    _ format: KeyedArchiveEncoder.OutputFormat
  ) throws {
    var encoder = KeyedArchiveEncoder(classes: classes)
    encoder.outputFormat = format
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(encoder.encode(Self.document)))
    unarchiver.setClass(CodedDocument.self, forClassName: "MyApp.Document")
    unarchiver.setClass(CodedPerson.self, forClassName: "MyApp.Person")
    unarchiver.requiresSecureCoding = true
    unarchiver.decodingFailurePolicy = .setErrorAndReturn
    let decoded = unarchiver.decodeObject(of: CodedDocument.self, forKey: "root")
    #expect(unarchiver.error == nil)
    let document = try #require(decoded)
    let expected = Self.document
    #expect(document.people.map(\.first) == ["Matt", "Zoë"])
    #expect(document.people.map(\.last) == ["Neuburg", "Ä"])
    #expect(document.title == expected.title)
    #expect(document.count == -5)
    #expect(document.ratio == 0.1)
    #expect(document.width == 1.5)
    #expect(document.isOpen)
    #expect(document.created == expected.created)
    #expect(document.picture == expected.picture)
    #expect(document.link == expected.link)
    #expect(document.identifier == expected.identifier)
    #expect(document.tags == expected.tags)
    #expect(document.words == expected.words)
    #expect(document.nothing == nil)
  }

  @Test(arguments: [false, true]) func `An archive that NSKeyedArchiver writes is decoded`(_ xml: Bool) throws
  {
    let expected = Self.document
    let document = CodedDocument()
    document.people = expected.people.map { CodedPerson(first: $0.first, last: $0.last) }
    (document.title, document.count, document.ratio) = (expected.title, expected.count, expected.ratio)
    (document.width, document.isOpen, document.created) = (expected.width, expected.isOpen, expected.created)
    (document.picture, document.link) = (expected.picture, expected.link)
    (document.identifier, document.tags, document.words) = (
      expected.identifier, expected.tags, expected.words
    )
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.outputFormat = xml ? .xml : .binary
    archiver.encode(document, forKey: "document")
    archiver.finishEncoding()
    let decoder = KeyedArchiveDecoder(
      classes: {
        var classes = ClassMap()
        classes.add(Document.self, as: "FerryTests.CodedDocument")
        classes.add(CodingSamples.Person.self, as: "FerryTests.CodedPerson")
        return classes
      }())
    // The data is decoded as such: any sequence of bytes will do.
    #expect(try decoder.decode(Document.self, named: "document", from: archiver.encodedData) == expected)
  }

  @Test func `Numbers, booleans and nulls of Foundation's collections are decoded`() throws {
    let numbers: NSArray = [1, 2.5, 300, true, 0]
    let bytes = try NSKeyedArchiver.archivedData(withRootObject: numbers, requiringSecureCoding: false)
    #expect(try KeyedArchiveDecoder().decode([Double].self, from: bytes.dropLast(0)).count == 5)
  }

  @Test func `Foundation decodes dictionaries whose keys are numbers, dates and identifiers`() throws {
    let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    func decoded(_ value: some Encodable) throws -> NSDictionary? {
      let unarchiver = try NSKeyedUnarchiver(
        forReadingFrom: Data(KeyedArchiveEncoder().encode(value)))
      unarchiver.requiresSecureCoding = false
      unarchiver.decodingFailurePolicy = .setErrorAndReturn
      return unarchiver.decodeObject(forKey: "root") as? NSDictionary
    }
    #expect(try decoded([1: "one", 2: "two"])?.object(forKey: NSNumber(value: 2)) as? String == "two")
    #expect(try decoded([id: "one"])?.object(forKey: id as NSUUID) as? String == "one")
  }
}

@Suite struct `Archives of Macs as Codable values` {
  private struct Scalars: Codable {
    var typeBool: Bool
    var typeInt: Int
    var typeFloat: Double
    var typeString: String
    var data: Data
  }
  private struct Collections: Codable {
    var arrayOfStrings: [String]
    var arrayOfInts: [Int]
    var dictionary: [String: String]
    var set: Set<String>
  }
  private struct Foo: Codable { var foo: String }
  private struct Activity: Codable {
    var title: String
    var activityType: String
    var uuid: UUID
    var start: Date
    var finish: Date?
    var attachments: [String]
  }

  private func peer(_ name: String) throws -> [UInt8] { try Corpus.bytes("keyed/peer/\(name)") }

  /// A class that was given its name has no chain in the archive.
  private func named(_ type: any Any.Type, _ name: String) -> ClassMap {
    var classes = ClassMap()
    classes.add(type, as: ObjectClass(name: name, chain: []))
    return classes
  }

  @Test func `Scalars of a Mac's archive are decoded wherever they stand`() throws {
    for kind in ["bin", "xml"] {
      let bytes = try peer("kiler129/ArchivedData/scalarTypes.\(kind).plist")
      let scalars = try KeyedArchiveDecoder().decode(Scalars.self, from: bytes)
      #expect(scalars.typeBool)
      #expect(scalars.typeInt == 42)
      #expect(scalars.typeFloat == 3.14)
      #expect(scalars.typeString == "foo bar")
      #expect(scalars.data == Data("foobar".utf8))
    }
  }

  @Test func `Collections of a Mac's archive are decoded`() throws {
    let collections = try KeyedArchiveDecoder().decode(
      Collections.self, from: peer("kiler129/ArchivedData/collections.bin.plist"))
    #expect(collections.arrayOfStrings == ["foo", "bar", "baz"])
    #expect(collections.arrayOfInts == [1, 2, 3])
    #expect(collections.dictionary == ["foo": "bar", "baz": "aaa"])
    #expect(collections.set == ["set", "is", "not", "ordered"])
  }

  @Test func `An object is encoded to the bytes that a Mac wrote`() throws {
    let file = try peer("kiler129/ArchivedData/objectWithSingleProp.bin.plist")
    let classes = named(Foo.self, "TestDummy")
    let value = try KeyedArchiveDecoder(classes: classes).decode(Foo.self, from: file)
    #expect(value.foo == "bar")
    #expect(try KeyedArchiveEncoder(classes: classes).encode(value) == file)
  }

  @Test func `A chain of NSDictionary and NSArray is decoded down to a URL`() throws {
    struct Level: Decodable {
      var level: Int
      var levelPath: [String]
      var levelZeroData: Box?
      var levelOneData: Box?
      var sampleUrl: URL?
      final class Box: Decodable {
        var level: Level
        init(from decoder: any Decoder) throws { level = try Level(from: decoder) }
      }
    }
    let root = try KeyedArchiveDecoder().decode(
      Level.self, from: peer("kiler129/ArchivedData/nested.bin.plist"))
    let last = root.levelZeroData?.level.levelOneData?.level
    #expect(last?.levelPath == ["zero", "one", "two"])
    #expect(last?.sampleUrl?.absoluteString == "https://example.com/foo/bar?a=b#hash")
  }

  @Test func `A record of a test run is decoded with its date, identifier and nil`() throws {
    let activity = try KeyedArchiveDecoder().decode(Activity.self, from: peer("go-ios/XCActivityRecord.bin"))
    #expect(activity.title == "Suite Set Up")
    #expect(activity.uuid.uuidString == "A8F5C718-D234-49B0-A891-136F94C41213")
    #expect(activity.finish == nil)
    #expect(activity.attachments.isEmpty)
    #expect(abs(activity.start.timeIntervalSinceReferenceDate - 625_945_468.427_94) < 0.001)
  }

  @Test func `A root with a number for a name is decoded`() throws {
    struct Dictionary: Decodable {
      var int: Int
      var string: String
    }
    for kind in ["bin", "xml"] {
      let bytes = try peer("go-ios/dict.\(kind)")
      let dictionary = try KeyedArchiveDecoder().decode(Dictionary.self, named: "$0", from: bytes)
      #expect(dictionary.int == 1)
      #expect(dictionary.string == "string")
    }
  }

  @Test func `An ordered set, a URL with a base and a dictionary of a Mac are decoded`() throws {
    let decoder = KeyedArchiveDecoder()
    let ordered = try decoder.decode(
      [String].self, from: Corpus.bytes("keyed/foundation/NSKeyedUnarchiver-OrderedSetTest.plist"))
    #expect(ordered == ["valgeir", "nico", "puzzle"])
    struct Complex: Decodable {
      var url: URL
      var uuid: UUID
      var string: String
    }
    let complex = try decoder.decode(
      Complex.self, from: Corpus.bytes("keyed/foundation/NSKeyedUnarchiver-ComplexTest.plist"))
    #expect(complex.url.absoluteString == "https://www.swift.org/index.xml")
    #expect(complex.url.relativeString == "index.xml")
    #expect(complex.uuid.uuidString == "71DC068E-3420-45FF-919E-3A267D55EC22")
  }

  @Test func `A part of a graph with cycles is decoded without the rest`() throws {
    struct Store: Decodable {
      var backgroundItems: Items
      struct Items: Decodable { var allContainers: [Container] }
      struct Container: Decodable {
        var identifier: UUID
        var bookmark: String?
      }
    }
    let store = try KeyedArchiveDecoder().decode(
      Store.self, from: Corpus.bytes("keyed/macos/plaso/backgrounditems.btm"))
    let containers = store.backgroundItems.allContainers
    #expect(containers.map(\.identifier.uuidString) == ["A0324740-33F3-4A61-8922-49F9FD8E0194"])
    #expect(containers[0].bookmark == nil)
  }

  @Test func `Every real archive is decoded or refused as any type`() throws {
    var decoded = 0
    var decoder = KeyedArchiveDecoder()
    // Shared objects are decoded as often as they are referred to: here, not too often.
    (decoder.budget.amplification, decoder.budget.amplificationFloor) = (0, 1 << 15)
    let corpus = try Corpus.path()
    for file in try Corpus.files(under: "keyed") {
      let bytes = try Data(contentsOf: URL(filePath: "\(corpus)/\(file)"))
      guard bytes.starts(with: "bplist0".utf8) || bytes.starts(with: "<?xml".utf8) else { continue }
      if (try? decoder.decode(Anything.self, from: bytes)) != nil { decoded += 1 }
      if (try? decoder.decode([Anything].self, from: bytes)) != nil { decoded += 1 }
    }
    #expect(decoded > 100)
  }

  /// Whatever there is.
  private indirect enum Anything: Decodable {
    case scalar
    case list([Anything])
    case fields([String: Anything])

    init(from decoder: any Decoder) throws {
      if let fields = try? [String: Anything](from: decoder) {
        self = .fields(fields)
      } else if let list = try? [Anything](from: decoder) {
        self = .list(list)
      } else {
        self = .scalar
      }
    }
  }
}
