import Foundation
import Testing

@testable import Ferry

/// The classes of the seed applications, as an app would write them.
final class CodedPerson: NSObject, NSSecureCoding {
  static let supportsSecureCoding = true
  let first: String
  let last: String

  init(first: String, last: String) {
    self.first = first
    self.last = last
  }

  init?(coder: NSCoder) {
    guard let last = coder.decodeObject(of: NSString.self, forKey: "last"),
      let first = coder.decodeObject(of: NSString.self, forKey: "first")
    else { return nil }
    self.first = String(first)
    self.last = String(last)
  }

  func encode(with coder: NSCoder) {
    coder.encode(last as NSString, forKey: "last")
    coder.encode(first as NSString, forKey: "first")
  }
}

final class CodedItem: NSObject, NSSecureCoding {
  static let supportsSecureCoding = true
  let name: String
  let dateCreated: Date
  let itemKey: String
  let serialNumber: String?
  let valueInDollars: Int

  init(name: String, dateCreated: Date, itemKey: String, serialNumber: String?, valueInDollars: Int) {
    (self.name, self.dateCreated, self.itemKey) = (name, dateCreated, itemKey)
    (self.serialNumber, self.valueInDollars) = (serialNumber, valueInDollars)
  }

  init?(coder: NSCoder) {
    guard let name = coder.decodeObject(of: NSString.self, forKey: "name"),
      let date = coder.decodeObject(of: NSDate.self, forKey: "dateCreated"),
      let key = coder.decodeObject(of: NSString.self, forKey: "itemKey")
    else { return nil }
    self.name = String(name)
    dateCreated = Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
    itemKey = String(key)
    serialNumber = coder.decodeObject(of: NSString.self, forKey: "serialNumber").map { String($0) }
    valueInDollars = coder.decodeInteger(forKey: "valueInDollars")
  }

  func encode(with coder: NSCoder) {
    coder.encode(name as NSString, forKey: "name")
    coder.encode(
      NSDate(timeIntervalSinceReferenceDate: dateCreated.timeIntervalSinceReferenceDate),
      forKey: "dateCreated")
    coder.encode(itemKey as NSString, forKey: "itemKey")
    coder.encode(serialNumber.map { $0 as NSString }, forKey: "serialNumber")
    coder.encode(valueInDollars, forKey: "valueInDollars")
  }
}

@Suite struct `Foundation's archivers` {
  private func unarchive<T: NSObject & NSSecureCoding>(_ bytes: [UInt8], _ type: T.Type, as name: String)
    throws -> [T]
  {
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(bytes))
    unarchiver.setClass(type, forClassName: name)
    unarchiver.requiresSecureCoding = true
    unarchiver.decodingFailurePolicy = .setErrorAndReturn
    let root = unarchiver.decodeObject(of: [NSArray.self, type], forKey: "root")
    return try #require(root as? [T])
  }

  private func archive<T: NSObject & NSSecureCoding>(_ objects: [T], xml: Bool) -> [UInt8] {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.outputFormat = xml ? .xml : .binary
    archiver.encode(objects as NSArray, forKey: "root")
    archiver.finishEncoding()
    return Array(archiver.encodedData)
  }

  private func json(_ text: String, to target: Ferry.Format, schema: Schema) throws -> [UInt8] {
    var conversion = Conversion(to: target)
    conversion.reading.schema = schema
    return try conversion.convert(Array(text.utf8)).bytes
  }

  private static let people =
    #"[{"firstName":"Matt","lastName":"Neuburg"},{"firstName":"Zoë","lastName":"Smith-Müller, the one with a long name"}]"#
  private static let items = """
    [{"name":"Spork","dateCreated":"2014-06-01T09:30:00.25Z","itemKey":"K","serialNumber":"S","valueInDollars":42},\
    {"name":"Bear","dateCreated":"1999-12-31T23:59:59Z","itemKey":"L","valueInDollars":-7}]
    """

  @Test(arguments: [Ferry.Format.archive, .xmlArchive])
  func `Foundation decodes our people`(_ format: Ferry.Format) throws {
    let people = try unarchive(json(Self.people, to: format, schema: .person), CodedPerson.self, as: "Person")
    #expect(people.map(\.first) == ["Matt", "Zoë"])
    #expect(people.map(\.last) == ["Neuburg", "Smith-Müller, the one with a long name"])
  }

  @Test(arguments: [Ferry.Format.archive, .xmlArchive])
  func `Foundation decodes our items, with dates and integers`(_ format: Ferry.Format) throws {
    let items = try unarchive(json(Self.items, to: format, schema: .item), CodedItem.self, as: "Item")
    #expect(items.map(\.name) == ["Spork", "Bear"])
    #expect(items.map(\.dateCreated.timeIntervalSinceReferenceDate) == [423_307_800.25, -31_622_401])
    #expect(items.map(\.serialNumber) == ["S", nil])
    #expect(items.map(\.valueInDollars) == [42, -7])
  }

  @Test func `A class may be renamed for the module of an app`() throws {
    var conversion = Conversion(to: .archive)
    conversion.reading.schema = .person
    conversion.classNames = ["Person": "MyApp.Person"]
    let bytes = try conversion.convert(Array(Self.people.utf8)).bytes
    #expect(try unarchive(bytes, CodedPerson.self, as: "MyApp.Person").count == 2)
  }

  /// Foundation names the classes of this module as an app's would be named.
  private func text(_ bytes: [UInt8], _ schema: Schema, class name: String) throws -> String {
    var conversion = Conversion(to: .json)
    conversion.reading.schema = schema
    conversion.classNames = [schema.record.className: name]
    let result = try conversion.convert(bytes)
    #expect(result.report.losses.isEmpty)
    return String(decoding: result.bytes, as: UTF8.self)
  }

  @Test(arguments: [false, true]) func `An archive of Foundation is read`(_ xml: Bool) throws {
    let people = archive(
      [CodedPerson(first: "Matt", last: "Neuburg"), CodedPerson(first: "Zoë", last: "Ä")], xml: xml)
    #expect(
      try text(people, .person, class: "FerryTests.CodedPerson")
        == #"[{"firstName":"Matt","lastName":"Neuburg"},{"firstName":"Zoë","lastName":"Ä"}]"# + "\n")
    let item = CodedItem(
      name: "Spork", dateCreated: Date(timeIntervalSinceReferenceDate: 0.5), itemKey: "K", serialNumber: nil,
      valueInDollars: 1 << 40)
    #expect(
      try text(archive([item], xml: xml), .item, class: "FerryTests.CodedItem")
        == #"[{"name":"Spork","dateCreated":"2001-01-01T00:00:00.5Z","itemKey":"K","serialNumber":null,"#
        + #""valueInDollars":1099511627776}]"# + "\n")
  }

  @Test func `Foundation decodes our collections`() throws {
    let value: Value = [
      "list": [1, 2.5, true, "x"], "set": .set(["a", "b"]), "date": .date(secondsSince2001: 12.5),
      "data": .data([1, 2, 3]), "null": .null,
      "url": .object(ObjectValue(ObjectClass("NSURL"), content: "https://www.example.org/")),
      "uuid": .object(ObjectValue(ObjectClass("NSUUID"), content: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")),
      "mutable": .object(ObjectValue(ObjectClass("NSMutableString", "NSString"), content: "m")),
      "array": .object(ObjectValue(ObjectClass("NSMutableArray", "NSArray"), content: ["n"])),
    ]
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(try Archived.bytes(value)))
    unarchiver.requiresSecureCoding = false
    unarchiver.decodingFailurePolicy = .setErrorAndReturn
    let decoded = unarchiver.decodeObject(forKey: "root")
    #expect(unarchiver.error == nil)
    let root = try #require(decoded as? NSDictionary)
    #expect((root["list"] as? NSArray)?.count == 4)
    #expect(root["set"] as? NSSet == NSSet(array: ["a", "b"]))
    #expect((root["date"] as? Date)?.timeIntervalSinceReferenceDate == 12.5)
    #expect(root["data"] as? Data == Data([1, 2, 3]))
    #expect(root["null"] is NSNull)
    #expect((root["url"] as? URL)?.absoluteString == "https://www.example.org/")
    #expect((root["uuid"] as? UUID)?.uuidString == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    #expect((root["mutable"] as? NSString)?.isEqual(to: "m") == true)
    #expect((root["array"] as? NSArray)?.firstObject as? String == "n")
  }

  @Test func `Collections of Foundation are read`() throws {
    let shared: NSArray = ["x", "y"]
    let root: NSDictionary = [
      "list": [1, 2.5, "x"] as NSArray, "set": NSSet(array: ["a"]),
      "date": NSDate(timeIntervalSinceReferenceDate: 12.5),
      "data": NSData(data: Data([1, 2, 3])), "null": NSNull(),
      "url": NSURL(string: "https://www.example.org/") as Any,
      "uuid": NSUUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") as Any, "one": shared, "two": shared,
    ]
    let value = try Archived.value(
      Array(try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false)))
    #expect(value["list"] == [1, 2.5, "x"])
    #expect(value["set"] == .set(["a"]))
    #expect(value["date"] == .date(secondsSince2001: 12.5))
    #expect(value["data"] == .data([1, 2, 3]))
    #expect(value["null"] == Value.null)
    #expect(value["url"] == .object(ObjectValue(ObjectClass("NSURL"), content: "https://www.example.org/")))
    #expect(
      value["uuid"]
        == .object(ObjectValue(ObjectClass("NSUUID"), content: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")))
    #expect(value["one"]?[1] == "y" || value["two"]?[1] == "y")
  }
}
