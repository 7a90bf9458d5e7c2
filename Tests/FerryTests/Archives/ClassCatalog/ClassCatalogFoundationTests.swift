import Foundation
import Testing

@testable import Ferry

/// An object that Foundation archives, and what it means.
struct FoundationSample: Sendable, CustomTestStringConvertible {
  let name: String
  let make: @Sendable () -> NSObject
  let decodedForm: Value
  /// Returns true if two decoded objects are the same, for classes whose `isEqual` is not sufficient.
  var isSame: @Sendable (NSObject, NSObject) -> Bool = { $0.isEqual($1) }

  var testDescription: String { name }

  fileprivate static let moment = Date(timeIntervalSinceReferenceDate: 10)

  fileprivate static func object(_ name: String, _ superclasses: String..., content: Value) -> Value {
    .object(
      ObjectValue(ObjectClass(name: name, chain: [name] + superclasses + ["NSObject"]), content: content))
  }

  static let all: [FoundationSample] = [
    FoundationSample(
      name: "NSIndexSet", make: { NSIndexSet(indexesIn: NSRange(location: 3, length: 4)) },
      decodedForm: [["location": 3, "length": 4]]),
    FoundationSample(name: "NSIndexSet, empty", make: { NSIndexSet() }, decodedForm: []),
    FoundationSample(
      name: "NSMutableIndexSet",
      make: {
        let set = NSMutableIndexSet()
        set.add(in: NSRange(location: 3, length: 4))
        set.add(in: NSRange(location: 300, length: 70000))
        return set
      }, decodedForm: [["location": 3, "length": 4], ["location": 300, "length": 70000]]),
    FoundationSample(
      name: "NSIndexPath", make: { IndexPath(indexes: [5, 400]) as NSIndexPath }, decodedForm: [5, 400]),
    FoundationSample(
      name: "NSAttributedString",
      make: { NSAttributedString(string: "abc", attributes: [NSAttributedString.Key("k"): "v"]) },
      decodedForm: ["string": "abc", "attributes": ["k": "v"]]),
    FoundationSample(
      name: "NSMutableAttributedString",
      make: {
        let key = NSAttributedString.Key("k")
        let text = NSMutableAttributedString(string: "abcdef", attributes: [key: "v"])
        text.addAttribute(key, value: "w", range: NSRange(location: 2, length: 2))
        return text
      },
      decodedForm: [
        "string": "abcdef",
        "runs": [
          ["length": 2, "attributes": ["k": "v"]], ["length": 2, "attributes": ["k": "w"]],
          ["length": 2, "attributes": ["k": "v"]],
        ],
      ]),
    FoundationSample(
      name: "NSValue of a point", make: { NSValue(point: NSPoint(x: 1, y: 2.5)) },
      decodedForm: ["x": 1.0, "y": 2.5]),
    FoundationSample(
      name: "NSValue of a size", make: { NSValue(size: NSSize(width: 30, height: 40)) },
      decodedForm: ["width": 30.0, "height": 40.0]),
    FoundationSample(
      name: "NSValue of a rectangle", make: { NSValue(rect: NSRect(x: 1, y: 2, width: 3, height: 4)) },
      decodedForm: ["x": 1.0, "y": 2.0, "width": 3.0, "height": 4.0]),
    FoundationSample(
      name: "NSValue of a range", make: { NSValue(range: NSRange(location: 3, length: 4)) },
      decodedForm: ["location": 3, "length": 4]),
    FoundationSample(
      name: "NSValue of insets",
      make: { NSValue(edgeInsets: NSEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)) },
      decodedForm: ["top": 1.0, "left": 2.0, "bottom": 3.0, "right": 4.0]),
    FoundationSample(name: "NSLocale", make: { NSLocale(localeIdentifier: "de_DE") }, decodedForm: "de_DE"),
    FoundationSample(
      name: "NSDateInterval", make: { NSDateInterval(start: moment, duration: 5) },
      decodedForm: ["start": .date(secondsSince2001: 10), "end": .date(secondsSince2001: 15)],
      isSame: { a, b in
        // Foundation for Linux takes the start for the end when it decodes, what it has written itself too.
        (a as? NSDateInterval)?.startDate == (b as? NSDateInterval)?.startDate
      }),
    FoundationSample(
      name: "NSDateComponents",
      make: {
        let components = NSDateComponents()
        components.year = 2024
        components.month = 6
        return components
      }, decodedForm: ["year": 2024, "month": 6, "isLeapMonth": false]),
    FoundationSample(
      name: "NSMeasurement", make: { NSMeasurement(doubleValue: 5, unit: UnitLength.kilometers) },
      decodedForm: [
        "value": 5.0,
        "unit": object(
          "NSUnitLength", "NSDimension", "NSUnit",
          content: [
            "symbol": "km",
            "converter": object(
              "NSUnitConverterLinear", "NSUnitConverter", content: ["coefficient": 1000.0, "constant": 0.0]),
          ]),
      ],
      isSame: { a, b in
        guard let a = a as? NSMeasurement, let b = b as? NSMeasurement else { return false }
        return a.doubleValue == b.doubleValue && a.unit.symbol == b.unit.symbol
      }),
    FoundationSample(
      name: "NSUnitFuelEfficiency", make: { UnitFuelEfficiency.milesPerGallon },
      decodedForm: [
        "symbol": "mpg",
        "converter": object(
          "NSUnitConverterReciprocal", "NSUnitConverter", content: ["reciprocal": 235.215]),
      ], isSame: { ($0 as? Unit)?.symbol == ($1 as? Unit)?.symbol }),
    FoundationSample(
      name: "NSPersonNameComponents",
      make: {
        let name = NSPersonNameComponents()
        name.givenName = "Ada"
        name.familyName = "Lovelace"
        return name
      }, decodedForm: ["givenName": "Ada", "familyName": "Lovelace"]),
    FoundationSample(
      name: "NSNotification",
      make: { NSNotification(name: Notification.Name("n"), object: "o", userInfo: ["a": 1]) },
      decodedForm: ["name": "n", "object": "o", "userInfo": ["a": 1]],
      isSame: { a, b in
        guard let a = a as? NSNotification, let b = b as? NSNotification else { return false }
        return a.name == b.name && a.object as? String == b.object as? String
      }),
    FoundationSample(
      name: "NSRegularExpression",
      make: { (try? NSRegularExpression(pattern: "a+", options: [.caseInsensitive])) ?? NSObject() },
      decodedForm: ["pattern": "a+", "options": 1]),
    FoundationSample(
      name: "NSCharacterSet by its name", make: { NSCharacterSet.alphanumerics as NSCharacterSet },
      decodedForm: ["name": "alphanumerics"]),
    FoundationSample(
      name: "NSCharacterSet of characters", make: { NSCharacterSet(charactersIn: "abc") },
      decodedForm: ["characters": "abc"]),
    FoundationSample(
      name: "NSCharacterSet of a range",
      make: { NSCharacterSet(range: NSRange(location: 32, length: 10)) },
      decodedForm: ["range": ["location": 32, "length": 10]]),
    FoundationSample(
      name: "NSURLQueryItem", make: { NSURLQueryItem(name: "a", value: nil) }, decodedForm: ["name": "a"]),
    FoundationSample(
      name: "NSURL with a base",
      make: { NSURL(string: "b", relativeTo: URL(string: "https://a.org/")) ?? NSURL(fileURLWithPath: "/") },
      decodedForm: ["relative": "b", "base": object("NSURL", content: "https://a.org/")]),
    FoundationSample(
      name: "NSCountedSet", make: { NSCountedSet(array: ["a", "a"]) },
      decodedForm: [["object": "a", "count": 2]]),
  ]
}

@Suite struct `Foundation and the class catalog` {
  private func archive(_ object: NSObject) -> [UInt8] {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.encode(object, forKey: "root")
    archiver.finishEncoding()
    return Array(archiver.encodedData)
  }

  private func read(_ bytes: [UInt8]) throws(FerryError) -> Value {
    let builder = ValueBuilder()
    var options = ReadingOptions()
    options.decodedForms = .all
    try options.read(MemoryInput(bytes), into: builder)
    return try builder.result()
  }

  private func decode(_ bytes: [UInt8]) throws -> NSObject? {
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(bytes))
    unarchiver.requiresSecureCoding = false
    unarchiver.decodingFailurePolicy = .setErrorAndReturn
    return unarchiver.decodeObject(forKey: "root") as? NSObject
  }

  @Test(arguments: FoundationSample.all)
  func `Foundation and the class catalog agree on the decoded form of an object and its archive`(
    _ sample: FoundationSample
  ) throws {
    let object = sample.make()
    guard case .object(let found) = try read(archive(object)) else {
      Issue.record("\(sample.name) is not an object")
      return
    }
    #expect(found.content.sorted == sample.decodedForm.sorted, "\(sample.name)")
    let decoded = try #require(try decode(Archived.bytes(.object(found))), "\(sample.name)")
    #expect(sample.isSame(object, decoded), "\(sample.name): \(decoded)")
  }

  /// The data of a time zone and the moment a calendar begins differ from system to system.
  @Test func `Foundation and the class catalog agree on time zones and calendars`() throws {
    let zone = try #require(NSTimeZone(name: "Europe/Paris"))
    let value = try read(archive(zone))
    #expect(value["name"] == "Europe/Paris")
    #expect(try (decode(Archived.bytes(value)) as? NSTimeZone)?.name == "Europe/Paris")
    let calendar = try #require(NSCalendar(identifier: .gregorian))
    let read = try read(archive(calendar))
    #expect(read["identifier"] == "gregorian")
    #expect(try decode(Archived.bytes(read))?.isEqual(calendar) == true)
  }

  @Test func `Foundation and the class catalog agree on the match of a regular expression`() throws {
    let expression = try NSRegularExpression(pattern: "a(b)")
    let result = try #require(expression.firstMatch(in: "ab", range: NSRange(location: 0, length: 2)))
    let value = try read(archive(result))
    #expect(value["ranges"]?[1]?["location"] == 1)
    let decoded = try #require(try decode(Archived.bytes(value)) as? NSTextCheckingResult)
    #expect(decoded.range(at: 1) == NSRange(location: 1, length: 1))
  }
}
