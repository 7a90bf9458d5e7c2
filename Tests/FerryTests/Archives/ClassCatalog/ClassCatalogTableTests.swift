import Testing

@testable import Ferry

/// A sample object of a class: its archived keys, and its decoded form.
struct ClassSample: Sendable, CustomTestStringConvertible {
  /// The classes that this is a sample of.
  let names: [String]
  let keys: [ArchivedEntry]
  let decodedForm: Value

  init(_ names: String..., keys: [ArchivedEntry], decodedForm: Value) {
    (self.names, self.keys, self.decodedForm) = (names, keys, decodedForm)
  }

  var testDescription: String { "\(names[0]) \(decodedForm)" }
}

extension ArchivedEntry {
  /// A key that refers to a value.
  fileprivate static func to(_ key: String, _ value: Value) -> ArchivedEntry { Self(key: key, value: value) }
  /// Returns a key whose value is stored inline.
  fileprivate static func at(_ key: String, _ value: Value) -> ArchivedEntry {
    Self(key: key, value: value, isInline: true)
  }
}

extension Value {
  fileprivate static func text(_ text: String) -> Value { .data(Array(text.utf8)) }
  fileprivate static func mutable(_ bytes: [UInt8]) -> Value {
    .object(ObjectValue(.mutableData, content: .data(bytes)))
  }
  fileprivate static func an(_ name: String, _ superclasses: String..., content: Value) -> Value {
    .object(
      ObjectValue(ObjectClass(name: name, chain: [name] + superclasses + ["NSObject"]), content: content))
  }
}

extension ClassSample {
  static let all: [ClassSample] =
    scalars + decimals + structures + collections + dates + measurements + records + colors + looks

  private static let scalars: [ClassSample] = [
    ClassSample("NSNull", keys: [], decodedForm: .null),
    ClassSample("NSDate", keys: [.at("NS.time", 12.5)], decodedForm: .date(secondsSince2001: 12.5)),
    ClassSample("NSMutableString", "NSString", keys: [.at("NS.string", "Ada")], decodedForm: "Ada"),
    ClassSample(
      "NSMutableData", "NSData", keys: [.at("NS.data", .data([1, 2]))], decodedForm: .data([1, 2])),
    ClassSample(
      "NSURL", keys: [.to("NS.base", .null), .to("NS.relative", "https://a.org/")],
      decodedForm: "https://a.org/"),
    ClassSample(
      "NSURL", keys: [.to("NS.base", .an("NSURL", content: "https://a.org/")), .to("NS.relative", "b")],
      decodedForm: ["relative": "b", "base": .an("NSURL", content: "https://a.org/")]),
    ClassSample(
      "NSUUID",
      keys: [
        .at(
          "NS.uuidbytes",
          .data([
            0xe6, 0x21, 0xe1, 0xf8, 0xc3, 0x6c, 0x49, 0x5a, 0x93, 0xfc, 0x0c, 0x24, 0x7a, 0x3e, 0x6e, 0x5f,
          ]))
      ],
      decodedForm: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
    ClassSample("NSLocale", keys: [.to("NS.identifier", "de_AT")], decodedForm: "de_AT"),
  ]

  private static func decimal(
    _ exponent: Value, _ length: Value, _ isNegative: Value, _ isCompact: Value, _ mantissa: [UInt8],
    _ decodedForm: Value
  ) -> ClassSample {
    let bytes = mantissa + [UInt8](repeating: 0, count: 16 - mantissa.count)
    return ClassSample(
      "NSDecimalNumber", "NSDecimalNumberPlaceholder",
      keys: [
        .at("NS.exponent", exponent), .at("NS.length", length), .at("NS.negative", isNegative),
        .at("NS.compact", isCompact), .at("NS.mantissa.bo", 1), .at("NS.mantissa", .data(bytes)),
      ], decodedForm: decodedForm)
  }

  private static let decimals = [
    decimal(-2, 1, false, false, [220, 0], .number("2.20")), decimal(0, 1, false, true, [7, 0], 7),
    decimal(-1, 1, true, true, [1, 0], -0.1), decimal(0, 0, false, true, [], 0),
    decimal(3, 1, false, true, [12, 0], .number("12e3")), decimal(-2, 0, false, false, [], .number("0.00")),
    decimal(
      0, 8, false, true, [UInt8](repeating: 255, count: 16),
      .number("340282366920938463463374607431768211455")),
    decimal(0, 0, true, true, [], .real(.nan)),
  ]

  private static let structures: [ClassSample] = [
    ClassSample(
      "NSValue", keys: [.to("NS.pointval", "{1, 2.5}"), .at("NS.special", 1)],
      decodedForm: ["x": 1, "y": 2.5]),
    ClassSample(
      "NSValue", keys: [.to("NS.sizeval", "{30, 1.0e-10}"), .at("NS.special", 2)],
      decodedForm: ["width": 30, "height": .number("1.0e-10")]),
    ClassSample(
      "NSValue", keys: [.to("NS.rectval", "{{-0, 2}, {3, 4}}"), .at("NS.special", 3)],
      decodedForm: ["x": -0.0, "y": 2, "width": 3, "height": 4]),
    ClassSample(
      "NSValue",
      keys: [.to("NS.rangeval.length", 6), .to("NS.rangeval.location", 0), .at("NS.special", 4)],
      decodedForm: ["location": 0, "length": 6]),
    ClassSample(
      "NSValue",
      keys: [
        .at("NS.special", 10), .at("NS.atval.a", 1.0), .at("NS.atval.b", 0.0), .at("NS.atval.c", 0.0),
        .at("NS.atval.d", 1.0), .at("NS.atval.tx", 8.0), .at("NS.atval.ty", 9.0),
      ], decodedForm: ["a": 1.0, "b": 0.0, "c": 0.0, "d": 1.0, "tx": 8.0, "ty": 9.0]),
    ClassSample(
      "NSValue",
      keys: [
        .at("NS.special", 12), .at("NS.edgeval.top", 1.0), .at("NS.edgeval.left", 2.0),
        .at("NS.edgeval.bottom", 3.0), .at("NS.edgeval.right", 4.0),
      ], decodedForm: ["top": 1.0, "left": 2.0, "bottom": 3.0, "right": 4.0]),
    ClassSample(
      "NSValue",
      keys: [
        .at("NS.special", 11), .at("NS.edgeval.top", 1.0), .at("NS.edgeval.left", 2.0),
        .at("NS.edgeval.bottom", 3.0), .at("NS.edgeval.right", 4.0),
      ], decodedForm: ["top": 1.0, "left": 2.0, "bottom": 3.0, "right": 4.0, "special": 11]),
    ClassSample(
      "NSValue", keys: [.at("NS.special", 13), .at("NS.offset.h", 1.0), .at("NS.offset.v", 2.0)],
      decodedForm: ["horizontal": 1.0, "vertical": 2.0]),
    ClassSample(
      "NSValue",
      keys: [
        .at("NS.special", 14), .at("NS.dirEdgeVal.top", 1.0), .at("NS.dirEdgeVal.leading", 2.0),
        .at("NS.dirEdgeVal.bottom", 3.0), .at("NS.dirEdgeVal.trailing", 4.0),
      ], decodedForm: ["top": 1.0, "leading": 2.0, "bottom": 3.0, "trailing": 4.0]),
    ClassSample(
      "NSAffineTransform",
      keys: [
        .at(
          "NSTransformStruct",
          .data([
            0x3f, 0x80, 0, 0, 0, 0, 0, 0, 0x3d, 0xcc, 0xcc, 0xcd, 0x3f, 0x80, 0, 0, 0x41, 0x20, 0, 0, 0x41,
            0xa0,
            0, 0,
          ]))
      ], decodedForm: ["m11": 1.0, "m12": 0.0, "m21": 0.1, "m22": 1.0, "tX": 10.0, "tY": 20.0]),
  ]

  private static let collections: [ClassSample] = [
    ClassSample("NSIndexSet", "NSMutableIndexSet", keys: [.at("NSRangeCount", 0)], decodedForm: []),
    ClassSample(
      "NSIndexSet", keys: [.at("NSRangeCount", 1), .at("NSLocation", 3), .at("NSLength", 4)],
      decodedForm: [["location": 3, "length": 4]]),
    ClassSample(
      "NSIndexSet", keys: [.at("NSRangeCount", 2), .to("NSRangeData", .mutable([3, 4, 0xac, 2, 1]))],
      decodedForm: [["location": 3, "length": 4], ["location": 300, "length": 1]]),
    ClassSample("NSIndexPath", keys: [.at("NSIndexPathLength", 0)], decodedForm: []),
    ClassSample(
      "NSIndexPath", keys: [.at("NSIndexPathLength", 1), .at("NSIndexPathValue", 5)], decodedForm: [5]),
    ClassSample(
      "NSIndexPath",
      keys: [.at("NSIndexPathLength", 2), .to("NSIndexPathData", .mutable([5, 0x90, 3]))],
      decodedForm: [5, 400]),
    ClassSample(
      "NSCountedSet",
      keys: [
        .at("NS.count", 2), .to("NS.object0", "a"), .at("NS.count0", 1), .to("NS.object1", ["b"]),
        .at("NS.count1", 3),
      ], decodedForm: [["object": "a", "count": 1], ["object": ["b"], "count": 3]]),
    ClassSample(
      "NSCharacterSet", "NSMutableCharacterSet", keys: [.at("NSBuiltinID", 10)],
      decodedForm: ["name": "alphanumerics"]),
    ClassSample(
      "NSCharacterSet", keys: [.at("NSString", "abc"), .at("NSIsInverted", true)],
      decodedForm: ["characters": "abc", "inverted": true]),
    ClassSample(
      "NSCharacterSet", keys: [.at("NSRange", 137_438_953_482)],
      decodedForm: ["range": ["location": 32, "length": 10]]),
    ClassSample(
      "NSCharacterSet",
      keys: [.at("NSBuiltinID2", 4), .at("NSBitmap", .data([1])), .at("NSIsInverted2", true)],
      decodedForm: ["bitmap": .data([1]), "name": "decimalDigits", "inverted": true]),
    ClassSample(
      "NSAttributedString", "NSMutableAttributedString", keys: [.to("NSString", "plain")],
      decodedForm: ["string": "plain"]),
    ClassSample(
      "NSAttributedString", keys: [.to("NSString", "red"), .to("NSAttributes", ["k": "v"])],
      decodedForm: ["string": "red", "attributes": ["k": "v"]]),
    ClassSample(
      "NSMutableAttributedString",
      keys: [
        .to("NSString", "abcdef"),
        .to("NSAttributes", .an("NSMutableArray", "NSArray", content: [["k": "v"], [:]])),
        .to("NSAttributeInfo", .mutable([2, 0, 2, 1, 2, 0])),
      ],
      decodedForm: [
        "string": "abcdef",
        "runs": [
          ["length": 2, "attributes": ["k": "v"]], ["length": 2, "attributes": [:]],
          ["length": 2, "attributes": ["k": "v"]],
        ],
      ]),
    ClassSample(
      "NSTextStorage", keys: [.to("NSString", "t"), .to("NSDelegate", .null)], decodedForm: ["string": "t"]),
  ]

  private static let dates: [ClassSample] = [
    ClassSample(
      "NSTimeZone", keys: [.to("NS.name", "GMT"), .to("NS.data", .data([1]))],
      decodedForm: ["name": "GMT", "data": .data([1])]),
    ClassSample(
      "NSCalendar",
      keys: [
        .to("NS.identifier", "gregorian"), .to("NS.locale", .an("NSLocale", content: "de")),
        .to("NS.timezone", .null), .at("NS.firstwkdy", 2), .at("NS.mindays", 4), .to("NS.gstartdate", .null),
      ],
      decodedForm: [
        "identifier": "gregorian", "locale": .an("NSLocale", content: "de"), "firstWeekday": 2,
        "minimumDaysInFirstWeek": 4,
      ]),
    ClassSample(
      "NSDateInterval",
      keys: [
        .to("NS.startDate", .date(secondsSince2001: 1)), .to("NS.endDate", .date(secondsSince2001: 2)),
      ], decodedForm: ["start": .date(secondsSince2001: 1), "end": .date(secondsSince2001: 2)]),
    ClassSample(
      "NSDateComponents", keys: [.at("NS.year", 2024), .at("NS.month", 6), .at("NS.leapMonth", 0)],
      decodedForm: ["year": 2024, "month": 6]),
  ]

  private static let measurements: [ClassSample] = [
    ClassSample(
      "NSMeasurement",
      keys: [.at("NS.value", 5.0), .to("NS.unit", .an("NSUnit", content: ["symbol": "x"]))],
      decodedForm: ["value": 5.0, "unit": .an("NSUnit", content: ["symbol": "x"])]),
    ClassSample("NSUnit", keys: [.to("NS.symbol", "x")], decodedForm: ["symbol": "x"]),
    ClassSample(
      "NSDimension", "NSUnitLength", "NSUnitAcceleration", "NSUnitAngle", "NSUnitArea",
      "NSUnitConcentrationMass", "NSUnitDispersion", "NSUnitDuration", "NSUnitElectricCharge",
      "NSUnitElectricCurrent", "NSUnitElectricPotentialDifference", "NSUnitElectricResistance",
      "NSUnitEnergy", "NSUnitFrequency", "NSUnitFuelEfficiency", "NSUnitIlluminance",
      "NSUnitInformationStorage", "NSUnitMass", "NSUnitPower", "NSUnitPressure", "NSUnitSpeed",
      "NSUnitTemperature", "NSUnitVolume",
      keys: [.to("NS.symbol", "m"), .to("NS.converter", "c"), .at("NS.specifier", 1280)],
      decodedForm: ["symbol": "m", "converter": "c", "specifier": 1280]),
    ClassSample(
      "NSUnitConverterLinear", keys: [.at("NS.coefficient", 1609.34), .at("NS.constant", 0.0)],
      decodedForm: ["coefficient": 1609.34, "constant": 0.0]),
    ClassSample(
      "NSUnitConverterReciprocal", keys: [.at("NS.reciprocal", 235.215)], decodedForm: ["reciprocal": 235.215]
    ),
  ]

  private static let records: [ClassSample] = [
    ClassSample(
      "NSError", keys: [.to("NSDomain", "D"), .at("NSCode", -5), .to("NSUserInfo", ["k": ["v"]])],
      decodedForm: ["domain": "D", "code": -5, "userInfo": ["k": ["v"]]]),
    ClassSample(
      "NSError", keys: [.to("NSDomain", "D"), .at("NSCode", 4)], decodedForm: ["domain": "D", "code": 4]),
    ClassSample(
      "NSNotification", keys: [.to("NS.name", "n"), .to("NS.object", .null), .to("NS.userinfo", ["a": 1])],
      decodedForm: ["name": "n", "userInfo": ["a": 1]]),
    ClassSample(
      "NSURLQueryItem", keys: [.to("NS.name", "q"), .to("NS.value", "v")],
      decodedForm: ["name": "q", "value": "v"]),
    ClassSample(
      "NSPersonNameComponents",
      keys: [
        .to("NS.givenName", "Ada"), .to("NS.familyName", "L"), .to("NS.middleName", .null),
        .to("NS.namePrefix", .null), .to("NS.nameSuffix", .null), .to("NS.nickname", .null),
      ], decodedForm: ["givenName": "Ada", "familyName": "L"]),
    ClassSample(
      "NSRegularExpression", keys: [.to("NSPattern", "a+"), .at("NSOptions", 1)],
      decodedForm: ["pattern": "a+", "options": 1]),
    ClassSample(
      "NSSimpleRegularExpressionCheckingResult", "NSExtendedRegularExpressionCheckingResult",
      "NSComplexRegularExpressionCheckingResult",
      keys: [.at("NSRangeLocation", 0), .at("NSRangeLength", 3), .to("NSRegularExpression", "r")],
      decodedForm: ["location": 0, "length": 3, "regularExpression": "r"]),
    ClassSample(
      "NSSortDescriptor", keys: [.to("NSKey", "k"), .at("NSAscending", true), .to("NSSelector", "compare:")],
      decodedForm: ["key": "k", "ascending": true, "selector": "compare:"]),
    ClassSample(
      "NSISO8601DateFormatter", keys: [.at("NS.formatOptions", 1366)], decodedForm: ["formatOptions": 1366]),
    ClassSample(
      "NSDateIntervalFormatter",
      keys: [
        .to("NS.dateTemplate", ""), .to("NS.dateTemplateFromStyles", "y"), .to("NS.locale", "l"),
        .to("NS.calendar", "c"), .to("NS.timeZone", "z"), .at("NS.dateStyle", 1), .at("NS.timeStyle", 2),
        .at("NS.modified", true), .at("NS.useTemplate", false),
      ],
      decodedForm: [
        "dateTemplate": "", "dateTemplateFromStyles": "y", "locale": "l", "calendar": "c", "timeZone": "z",
        "dateStyle": 1, "timeStyle": 2, "modified": true, "useTemplate": false,
      ]),
    ClassSample(
      "CLLocation",
      keys: [
        .at("kCLLocationCodingKeyCoordinateLatitude", 48.2),
        .at("kCLLocationCodingKeyCoordinateLongitude", 16.4),
        .at("kCLLocationCodingKeyTimestamp", 1.0), .at("kCLLocationCodingKeyType", 4),
      ], decodedForm: ["latitude": 48.2, "longitude": 16.4, "timestamp": 1.0, "type": 4]),
  ]

  private static let colors: [ClassSample] = [
    ClassSample(
      "NSColor", keys: [.at("NSColorSpace", 1), .at("NSRGB", .text("1 0.5019607843 0\0"))],
      decodedForm: ["color": "#FF8000FF", "colorSpace": "calibratedRGB"]),
    ClassSample(
      "NSColor",
      keys: [.at("NSColorSpace", 2), .at("NSRGB", .text("0.7333333492 0.003921568627 0.01176470588 0.5\0"))],
      decodedForm: [
        "color": "#0.7333333492 0.003921568627 0.01176470588 0.5", "colorSpace": "deviceRGB",
        "components": [0.7333333492, 0.003921568627, 0.01176470588, 0.5],
      ]),
    ClassSample(
      "NSColor", keys: [.at("NSColorSpace", 3), .at("NSWhite", .text("0.6666666667 0.8\0"))],
      decodedForm: ["color": "#AAAAAACC", "colorSpace": "calibratedWhite"]),
    ClassSample(
      "NSColor", keys: [.at("NSColorSpace", 5), .at("NSCMYK", .text("0 0.1 0.2 0.3 1\0"))],
      decodedForm: ["colorSpace": "deviceCMYK", "components": [0, 0.1, 0.2, 0.3, 1]]),
    ClassSample(
      "NSColor", keys: [.at("NSColorSpace", 1), .at("NSRGB", .text("1.5 0 0\0"))],
      decodedForm: ["colorSpace": "calibratedRGB", "components": [1.5, 0, 0]]),
    ClassSample(
      "NSColor",
      keys: [
        .at("NSColorSpace", 1), .at("NSRGB", .text("0 0 0\0")), .at("NSComponents", .text("0 0 0 1")),
        .to("NSCustomColorSpace", .an("NSColorSpace", content: ["id": 7])),
      ],
      decodedForm: [
        "color": "#000000FF", "colorSpace": "calibratedRGB", "customComponents": [0, 0, 0, 1],
        "customColorSpace": .an("NSColorSpace", content: ["id": 7]),
      ]),
    ClassSample(
      "NSColor",
      keys: [
        .at("NSColorSpace", 6), .to("NSCatalogName", "System"), .to("NSColorName", "textColor"),
        .to("NSColor", .an("NSColor", content: ["color": "#000000FF", "colorSpace": "calibratedWhite"])),
      ],
      decodedForm: [
        "colorSpace": "named", "catalog": "System", "name": "textColor",
        "value": .an("NSColor", content: ["color": "#000000FF", "colorSpace": "calibratedWhite"]),
      ]),
    ClassSample(
      "UIColor",
      keys: [
        .at("UIColorComponentCount", 4), .at("UIRed", .single(1)), .at("UIGreen", .single(128.0 / 255)),
        .at("UIBlue", .single(0)), .at("UIAlpha", .single(1)), .at("NSRGB", .text("1 0.502 0")),
        .at("NSColorSpace", 2),
      ], decodedForm: ["color": "#FF8000FF", "text": "1 0.502 0"]),
    ClassSample(
      "UIColor",
      keys: [
        .to("UISystemColorName", "blackColor"), .at("UIColorComponentCount", 2), .at("UIWhite", .single(0)),
        .at("UIAlpha", .single(1)), .at("UIWhite-Double", 0.0), .at("UIAlpha-Double", 1.0),
      ],
      decodedForm: [
        "name": "blackColor", "color": "#000000FF", "components": [.single(0), .single(1)],
        "doubles": [0.0, 1.0],
      ]),
    ClassSample(
      "NSColorSpace", keys: [.at("NSID", 7), .at("NSModel", 1), .to("NSICC", .data([1]))],
      decodedForm: ["id": 7, "model": 1, "profile": .data([1])]),
  ]

  private static let looks: [ClassSample] = [
    ClassSample(
      "NSFont", keys: [.to("NSName", "Menlo"), .at("NSSize", 12.0), .at("NSfFlags", 16)],
      decodedForm: ["name": "Menlo", "size": 12.0, "flags": 16]),
    ClassSample(
      "NSFontDescriptor",
      keys: [.to("NSFontDescriptorAttributes", ["a": 1]), .at("NSFontDescriptorOptions", 2)],
      decodedForm: ["attributes": ["a": 1], "options": 2]),
    ClassSample(
      "UIFont",
      keys: [
        .to("UIFontName", "Menlo"), .at("UIFontPointSize", 14.0), .at("UIFontTraits", 0),
        .at("UISystemFont", false), .to("NSName", "Menlo"), .at("NSSize", 14.0),
      ],
      decodedForm: [
        "name": "Menlo", "pointSize": 14.0, "traits": 0, "isSystemFont": false, "appKitName": "Menlo",
        "appKitSize": 14.0,
      ]),
    ClassSample(
      "UIFontDescriptor", keys: [.to("UIFontDescriptorAttributes", ["a": 1])],
      decodedForm: ["attributes": ["a": 1]]),
    ClassSample(
      "NSParagraphStyle", "NSMutableParagraphStyle", keys: [.at("NSAlignment", 4), .to("NSTabStops", .null)],
      decodedForm: ["alignment": 4, "tabStops": .null]),
    ClassSample("NSTextTab", keys: [.at("NSLocation", 28.0)], decodedForm: ["location": 28.0]),
    ClassSample(
      "NSShadow", keys: [.at("NSShadowVert", -8.0), .at("NSShadowBlurRadius", 8.0)],
      decodedForm: ["vertical": -8.0, "blurRadius": 8.0]),
    ClassSample(
      "NSImage", keys: [.at("NSImageFlags", 1), .to("NSSize", "{1, 2}"), .to("NSReps", [])],
      decodedForm: ["flags": 1, "size": "{1, 2}", "representations": []]),
    ClassSample(
      "NSBitmapImageRep", keys: [.to("NSTIFFRepresentation", .data([1]))], decodedForm: ["data": .data([1])]),
    ClassSample(
      "UIImage", keys: [.at("UIScale", .single(2)), .to("UIImageData", .data([1]))],
      decodedForm: ["scale": .single(2), "data": .data([1])]),
  ]
}

@Suite struct `The class catalog` {
  @Test func `Every class of the catalog has a sample`() {
    let sampled = Set(ClassSample.all.flatMap(\.names))
    #expect(Set(ClassCatalog.standard.names).symmetricDifference(sampled) == [])
  }

  @Test(arguments: ClassSample.all)
  func `Keys have a decoded form, and the decoded form has the same keys`(_ sample: ClassSample) throws {
    for name in sample.names {
      let entry = try #require(ClassCatalog.standard.entry(for: ObjectClass(name)))
      #expect(entry.type.name == name)
      #expect(try entry.decodedForm(of: sample.keys) == sample.decodedForm)
      #expect(try entry.archivedKeys(for: sample.decodedForm) == sample.keys)
    }
  }

  /// Nothing that is not understood is lost.
  @Test(arguments: ClassSample.all)
  func `An object with an additional key keeps every key`(_ sample: ClassSample) throws {
    let entry = try #require(ClassCatalog.standard.entry(for: ObjectClass(sample.names[0])))
    #expect(try entry.decodedForm(of: sample.keys + [ArchivedEntry(key: "NSNew", value: 1)]) == nil)
  }

  @Test(arguments: ClassSample.all)
  func `An object with another value under a key keeps every key`(_ sample: ClassSample) throws {
    let entry = try #require(ClassCatalog.standard.entry(for: ObjectClass(sample.names[0])))
    for index in sample.keys.indices where sample.keys[index].isInline {
      var keys = sample.keys
      keys[index].value = .set([])
      keys[index].isInline = false
      #expect(try entry.decodedForm(of: keys) == nil, "\(keys[index].key)")
    }
  }

  @Test func `A range of characters that no archiver writes keeps its key`() throws {
    let entry = try #require(ClassCatalog.standard.entry(for: ObjectClass("NSCharacterSet")))
    #expect(try entry.decodedForm(of: [.at("NSRange", .integer(1 << 63))]) == nil)
  }

  @Test(arguments: [
    ("name", "name"), ("", ""), ("$", "$$"), ("$a", "$$a"), ("$0", "$0"), ("$12", "$12"), ("$½", "$$½"),
    ("$1a", "$$1a"), ("$$", "$$$"),
  ])
  func `A key that begins with a dollar sign and is not a number gets another one`(
    key: String, archived: String
  ) {
    #expect(key.asArchivedKey == archived)
  }

  @Test func `The parts of a decoded form have other names than the keys`() {
    for name in ClassCatalog.standard.names {
      guard let entry = ClassCatalog.standard.entry(for: ObjectClass(name)) else { continue }
      #expect(Set(entry.partNames).isDisjoint(with: entry.codec.archivedNames), "\(name)")
    }
  }

  @Test func `Every class of the catalog is documented`() throws {
    let root = try #require(#filePath.split(separator: "/Tests/").first)
    let page = try FileInput(path: "\(root)/Documentation/Classes.md").readAll()
    let text = String(decoding: page, as: UTF8.self)
    for name in ClassCatalog.standard.names { #expect(text.contains("`\(name)`"), "\(name)") }
  }

  @Test func `A class is found by its nearest known superclass`() {
    let mine = ObjectClass("MyColor", "NSColor")
    #expect(ClassCatalog.standard.entry(for: mine)?.type.name == "NSColor")
    #expect(ClassCatalog.standard.entry(for: ObjectClass("Person")) == nil)
  }

  @Test func `A color may be written as its notation alone`() throws {
    let color = try #require(ClassCatalog.standard.entry(for: ObjectClass("NSColor")))
    #expect(
      try color.archivedKeys(for: "#FF800080").map(\.value)
        == [1, .data(Array("1 0.5019607843 0 0.5019607843\0".utf8))])
    let other = try #require(ClassCatalog.standard.entry(for: ObjectClass("UIColor")))
    #expect(
      try other.archivedKeys(for: "#ff8000").map(\.value).suffix(2) == [.data(Array("1 0.502 0".utf8)), 2])
  }

  @Test(
    arguments: [
      ("NSColor", "red"), ("NSColor", ["color": "#12345"]), ("NSColor", ["color": "#000000FF", "hue": 1]),
      ("NSColor", ["color": "#000000FF", "components": [1, 1, 1]]), ("NSUUID", "no"), ("NSURL", 5),
      ("NSValue", ["x": 1]), ("NSValue", ["x": "1", "y": 2]), ("NSIndexPath", [-1, 2]),
      ("NSDecimalNumber", .number("1e400")), ("NSError", ["domain": "D"]), ("NSDate", "yesterday"),
      ("NSIndexSet", [["location": 1]]), ("NSAttributedString", ["runs": []]),
    ] as [(String, Value)])
  func `A value that is not a decoded form is refused`(_ name: String, _ value: Value) throws {
    let entry = try #require(ClassCatalog.standard.entry(for: ObjectClass(name)))
    let error = #expect(throws: FerryError.self) { try entry.archivedKeys(for: value) }
    guard case .archive(.noDecodedForm(name, entry.partNames, _))? = error?.reason else {
      Issue.record("\(error?.message ?? "")")
      return
    }
  }

  @Test(
    arguments: [
      ("NSColor", ["color": "#12345"], #""color" is not \#(ColorText.notation)"#),
      ("NSColor", ["color": "#000000FF", "hue": 1], #""hue" is not one of them"#),
      ("NSColor", ["color": "#000000FF", "colorSpace": "x"], #""colorSpace" does not fit"#),
      ("NSColor", ["components": [1]], nil),
      ("UIColor", ["color": 1], #""color" is not \#(ColorText.notation)"#),
      ("NSValue", ["x": "1", "y": 2], #""x" is not a number"#), ("NSValue", ["x": 1], nil),
      ("NSError", ["domain": "D"], #""code" is missing"#),
      ("NSError", ["domain": "D", "code": "four"], #""code" is not an integer"#),
      ("NSError", ["domain": 1, "code": "four"], #""domain" is not a string"#),
      ("NSURL", 5, nil), ("NSIndexSet", [["location": 1]], nil),
    ] as [(String, Value, String?)])
  func `The part of a value that is at fault is named`(_ name: String, _ value: Value, _ fault: String?)
    throws
  {
    let entry = try #require(ClassCatalog.standard.entry(for: ObjectClass(name)))
    let error = #expect(throws: FerryError.self) { try entry.archivedKeys(for: value) }
    #expect(error?.reason == .archive(.noDecodedForm(of: name, parts: entry.partNames, fault: fault)))
  }

  /// 256 steps, as printf writes them in ten digits.
  @Test func `A step of a color comes back from its number`() throws {
    for step in UInt8.min...UInt8.max {
      let text = ColorText.number(step, digits: 10)
      let number = try #require(Double(text))
      #expect(abs(number - Double(step) / 255) < 5e-11, "\(step)")
      #expect(ColorText.hexadecimal([number]).map { ColorText.steps($0 + "0000")?.first } == step)
    }
    #expect(ColorText.number(1, digits: 10) == "0.003921568627")
    #expect(ColorText.number(25, digits: 10) == "0.09803921569")
    #expect(ColorText.number(128, digits: 3) == "0.502")
  }
}
