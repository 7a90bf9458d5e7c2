import Testing

@testable import Ferry

/// The marks of a typedstream, for files that are built byte by byte.
enum Mark {
  static let new: [UInt8] = [0x84]
  static let null: [UInt8] = [0x85]
  static let end: [UInt8] = [0x86]

  /// A string that stands here for the first time.
  static func string(_ text: String) -> [UInt8] { [0x84, UInt8(text.utf8.count)] + Array(text.utf8) }

  /// The string, or the object, of this number.
  static func reference(_ number: Int) -> [UInt8] { [0x92 &+ UInt8(number)] }

  /// A new class; what it inherits from follows.
  static func type(_ name: String, _ version: UInt8 = 0) -> [UInt8] { new + string(name) + [version] }

  /// A new class that inherits from a new NSObject.
  static func root(_ name: String, _ version: UInt8 = 0) -> [UInt8] {
    type(name, version) + type("NSObject") + null
  }

  /// Bytes with their length before them.
  static func bytes(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }
}

/// A typedstream and what it is in JSON.
struct TypedstreamSample: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  let json: String
  var testDescription: String { name }

  static let littleEndian: [UInt8] = [4, 11] + Array("streamtyped".utf8) + [0x81, 0xe8, 0x03]
  static let bigEndian: [UInt8] = [4, 11] + Array("typedstream".utf8) + [0x81, 0x03, 0xe8]

  init(_ name: String, _ parts: [[UInt8]], _ json: String, header: [UInt8] = littleEndian) {
    self.name = name
    bytes = header + parts.flatMap { $0 }
    self.json = json
  }

  /// One object at the top: string 0 is its `@`, object 0 the object.
  static func object(_ name: String, _ parts: [[UInt8]], _ json: String) -> TypedstreamSample {
    TypedstreamSample(name, [Mark.string("@"), Mark.new] + parts + [Mark.end], json)
  }

  /// One value of a type at the top.
  static func value(_ name: String, _ type: String, _ value: [UInt8], _ json: String) -> TypedstreamSample {
    TypedstreamSample(name, [Mark.string(type), value], json)
  }

  /// The NSNumber of a type and a value.
  private static func number(_ type: String, _ value: [UInt8], _ json: String) -> TypedstreamSample {
    object(
      "NSNumber \(type)",
      [
        Mark.type("NSNumber") + Mark.root("NSValue"), Mark.string("*"), Mark.new + Mark.string(type),
        Mark.reference(5), value,
      ], json)
  }

  // MARK: Foundation

  static let foundation: [TypedstreamSample] = [
    object("NSString", [Mark.root("NSString", 1), Mark.string("+"), Mark.bytes("Ada")], #""Ada""#),
    object(
      "NSMutableString",
      [Mark.type("NSMutableString", 1) + Mark.root("NSString", 1), Mark.string("+"), Mark.bytes("Zoë")],
      #""Zoë""#),
    object(
      "NSString that is not UTF-8", [Mark.root("NSString", 1), Mark.string("+"), [2, 0x41, 0xff]],
      #"["Qf8="]"#),
    number("c", [0xff], "-1"), number("C", [0xff], "255"), number("B", [1], "true"),
    number("s", [0x81, 0x38, 0xff], "-200"), number("S", [0x81, 0xb8, 0x03], "952"),
    number("i", [0x92], "-110"), number("I", [0xff], "4294967295"), number("I", [0x81, 0x9d, 0x00], "157"),
    number("l", [0x82, 0, 0, 0, 0x80], "-2147483648"), number("L", [0x7f], "127"),
    number("q", [0x87, 0x00, 0xe6, 0x8e, 0xe7, 0xfd, 0xff, 0xff, 0xff], "-9000000000"),
    number("Q", [0xfe], "18446744073709551614"),
    number("f", [0x83, 0, 0, 0x60, 0x40], "3.5"), number("f", [5], "5.0"),
    number("d", [0x83, 0, 0, 0, 0, 0, 0x20, 0x59, 0x40], "100.5"), number("d", [0x81, 0x2c, 0x01], "300.0"),
    object("NSNull", [Mark.root("NSNull")], "null"),
    object(
      "NSDate", [Mark.root("NSDate"), Mark.string("d"), [0x82, 0x80, 1, 0x4b, 1]], #""2001-09-09T01:46:40Z""#),
    object(
      "NSData", [Mark.root("NSData"), Mark.string("i"), [3], Mark.string("[3c]"), [1, 2, 255]], #""AQL/""#),
    object("NSData of no bytes", [Mark.root("NSData"), Mark.string("i"), [0], Mark.string("[0c]")], #""""#),
    object(
      "NSMutableData",
      [Mark.type("NSMutableData") + Mark.root("NSData"), Mark.string("i"), [1], Mark.string("[1c]"), [0]],
      #""AA==""#),
    object(
      "NSURL",
      [
        Mark.root("NSURL"), Mark.string("c"), [0], Mark.reference(0), Mark.new, Mark.type("NSString", 1),
        Mark.reference(2), Mark.string("+"), Mark.bytes("x:y"), Mark.end,
      ], #""x:y""#),
    object(
      "NSURL with a base",
      [
        Mark.root("NSURL"), Mark.string("c"), [1], Mark.reference(0), Mark.new, Mark.reference(1),
        Mark.reference(3), [0], Mark.reference(0), Mark.new, Mark.type("NSString", 1), Mark.reference(2),
        Mark.string("+"), Mark.bytes("x:y/"), Mark.end, Mark.end,
        Mark.reference(0), Mark.new, Mark.reference(5), Mark.reference(5), Mark.bytes("z"), Mark.end,
      ], #"{"base":"x:y/","relative":"z"}"#),
    object(
      "NSArray, nil in it and a string that is met twice",
      [
        Mark.root("NSArray"), Mark.string("i"), [3], Mark.reference(0), Mark.new, Mark.type("NSString", 1),
        Mark.reference(2), Mark.string("+"), Mark.bytes("a"), Mark.end, Mark.reference(0), Mark.null,
        Mark.reference(0), Mark.reference(3),
      ], #"["a",null,"a"]"#),
    object(
      "NSSet",
      [
        Mark.root("NSSet"), Mark.string("I"), [1], Mark.reference(0), Mark.new, Mark.root2("NSNull"),
        Mark.end,
      ],
      "[null]"),
    object(
      "NSDictionary, a key that is a number in it",
      [
        Mark.root("NSDictionary"), Mark.string("i"), [2], Mark.reference(0), Mark.new,
        Mark.type("NSString", 1),
        Mark.reference(2), Mark.string("+"), Mark.bytes("k"), Mark.end, Mark.reference(0), Mark.null,
        Mark.reference(0), Mark.new, Mark.type("NSNumber"), Mark.type("NSValue"), Mark.reference(2),
        Mark.string("*"), Mark.new, Mark.reference(3), Mark.reference(3), [7], Mark.end,
        Mark.reference(0), Mark.reference(3),
      ], #"{"k":null,"7":"k"}"#),
    attributedString,
    object(
      "NSValue of a rectangle",
      [
        Mark.root("NSValue"), Mark.string("*"), Mark.new + Mark.string("{_NSRect={_NSPoint=ff}{_NSSize=ff}}"),
        Mark.reference(4), [1, 2, 3, 0x83, 0, 0, 0x60, 0x40],
      ], #"{"origin":{"x":1.0,"y":2.0},"size":{"width":3.0,"height":3.5}}"#),
    object(
      "NSValue of a range",
      [
        Mark.root("NSValue"), Mark.string("*"), Mark.new + Mark.string("{_NSRange=QQ}"), Mark.reference(4),
        [1, 2],
      ],
      #"{"location":1,"length":2}"#),
    object(
      "NSColor", [Mark.root("NSColor"), Mark.string("c"), [3], Mark.string("ff"), [0x83, 0, 0, 0, 0x3f, 1]],
      #"{"space":"calibratedWhite","white":0.5,"alpha":1.0}"#),
    object(
      "NSColor of a catalog",
      [
        Mark.root("NSColor"), Mark.string("c"), [6], Mark.string("@@@"), Mark.new, Mark.type("NSString", 1),
        Mark.reference(2), Mark.string("+"), Mark.bytes("System"), Mark.end,
        Mark.new, Mark.reference(4), Mark.reference(6), Mark.bytes("textColor"), Mark.end,
        Mark.new, Mark.reference(1), Mark.reference(3), [1], Mark.string("ffff"), [0, 0, 0, 1], Mark.end,
      ],
      #"{"space":"named","catalog":"System","name":"textColor","color":{"space":"calibratedRGB","red":0.0,"green":0.0,"blue":0.0,"alpha":1.0}}"#
    ),
    object(
      "NSFont",
      [
        Mark.root("NSFont", 30), Mark.string("i"), [16], Mark.string("[16c]"),
        [6, 0, 0, 0, 6, 0, 0, 0, 0xfe, 0xff, 0, 0x41, 0, 0x62, 0, 0], Mark.string("f"), [13],
        Mark.string("c"), [0], Mark.reference(6), [1], Mark.reference(6), [0], Mark.reference(6), [4],
      ], #"{"name":"Ab","size":13.0,"flags":[0,1,0,4]}"#),
  ]

  /// Two runs have the attributes of number 1, one between them those of number 2.
  static let attributedString = object(
    "NSAttributedString",
    [
      Mark.root("NSAttributedString"), Mark.reference(0), Mark.new, Mark.type("NSString", 1),
      Mark.reference(2),
      Mark.string("+"), Mark.bytes("a🎈b"), Mark.end,
      Mark.string("iI"), [1, 1], Mark.reference(0), Mark.new, Mark.type("NSDictionary"), Mark.reference(2),
      Mark.string("i"), [1], Mark.reference(0), Mark.new, Mark.reference(4), Mark.reference(4),
      Mark.bytes("k"),
      Mark.end, Mark.reference(0), Mark.reference(3), Mark.end,
      Mark.reference(5), [2, 2], Mark.reference(0), Mark.new, Mark.reference(6), Mark.reference(7), [0],
      Mark.end,
      Mark.reference(5), [1, 1],
    ],
    #"{"string":"a🎈b","runs":[{"location":0,"length":1,"attributes":{"k":"a🎈b"}},{"location":1,"length":2,"attributes":{}},{"location":3,"length":1,"attributes":{"k":"a🎈b"}}]}"#
  )

  // MARK: NeXTSTEP

  static let nextStep: [TypedstreamSample] = [
    TypedstreamSample(
      "List",
      [
        Mark.string("@"), Mark.new, Mark.type("List", 1) + Mark.type("Object") + Mark.null, Mark.string("i"),
        [2],
        Mark.string("[2@]"), Mark.null, Mark.new, Mark.reference(1), Mark.reference(3), [0], Mark.end,
        Mark.end,
      ], "[null,[]]", header: bigEndian),
    TypedstreamSample(
      "List of version 0",
      [
        Mark.string("@"), Mark.new, Mark.type("List") + Mark.type("Object") + Mark.null, Mark.string("ii"),
        [8, 1],
        Mark.string("[1@]"), Mark.null, Mark.end,
      ], "[null]", header: bigEndian),
    TypedstreamSample(
      "HashTable",
      [
        Mark.string("@"), Mark.new, Mark.type("HashTable", 1) + Mark.type("Object") + Mark.null,
        Mark.string("i%%"), [1], Mark.string("*"), Mark.string("i"), Mark.reference(4),
        Mark.new + Mark.string("k"), Mark.reference(5), [0x81, 0x01, 0x00], Mark.end,
      ], #"{"k":256}"#, header: bigEndian),
    TypedstreamSample(
      "NSString, big-endian",
      [
        Mark.string("@"), Mark.new, Mark.root("NSString", 1), Mark.string("+"), [0x81, 0, 3],
        Array("Ada".utf8),
        Mark.end,
      ], #""Ada""#, header: bigEndian),
  ]

  // MARK: Values of C

  static let values: [TypedstreamSample] = [
    value("a bare integer", "i", [5], "5"),
    value("several values", "ic", [5, 6], "[5,6]"),
    value("a structure without a name", "{?={?=ff}i}", [1, 2, 3], "[[1.0,2.0],3]"),
    value("a structure without a name or a question mark", "{ff}", [1, 2], "[1.0,2.0]"),
    value("a structure whose name is unknown", "{Pair=[2i]*}", [1, 2] + Mark.null, "[[1,2],null]"),
    value("a structure with more fields than its name has", "{_NSPoint=fff}", [1, 2, 3], "[1.0,2.0,3.0]"),
    value(
      "structures in an array", "[2{_NSPoint=ff}]", [1, 2, 3, 4], #"[{"x":1.0,"y":2.0},{"x":3.0,"y":4.0}]"#),
    value("an array of arrays of bytes", "[2[2c]]", Array("abcd".utf8), #"["YWI=","Y2Q="]"#),
    value("an array of no elements", "[0i]", [], "[]"),
    value(
      "a selector, and the same again", "::", Mark.string("quit:") + Mark.reference(1), #"["quit:","quit:"]"#),
    value("an atom and nil", "%%", Mark.string("x") + Mark.null, #"["x",null]"#),
    value(
      "a C string, and the same again", "**", Mark.new + Mark.string("x") + Mark.reference(0), #"["x","x"]"#),
    value("a class, and the one above it", "##", Mark.root("A", 3) + Mark.reference(1), #"["A","NSObject"]"#),
    value("no class", "#", Mark.null, "null"),
    value("a field that is left out", "i!i", [1, 2], "[1,2]"),
    value("an argument's qualifier", "ri", [1], "1"),
    object(
      "an object of an unknown class",
      [
        Mark.root("Thing", 7), Mark.string("i{_NSPoint=ff}"), [1, 2, 3], Mark.string(":"), Mark.string("go"),
        Mark.reference(0), Mark.new, Mark.reference(1), Mark.end,
      ], #"[1,{"x":2.0,"y":3.0},"go",[]]"#),
    object(
      "an array whose count is too large",
      [Mark.root("NSArray"), Mark.string("i"), [9], Mark.reference(0), Mark.null],
      "[9,null]"),
    object(
      "a dictionary whose count is too small",
      [Mark.root("NSDictionary"), Mark.string("i"), [0], Mark.reference(0), Mark.null], "[0,null]"),
    object(
      "a subclass of NSArray with a value of its own",
      [Mark.type("Sorted") + Mark.root("NSArray"), Mark.string("i"), [0], Mark.string("c"), [1]], "[0,1]"),
    object("a class without a superclass", [Mark.type("A") + Mark.null], "[]"),
    object(
      "an array that holds itself",
      [
        Mark.root("NSArray"), Mark.string("i"), [2], Mark.reference(0), Mark.reference(0),
        Mark.reference(0), Mark.reference(0),
      ], ##"[{"$ref":"#"},{"$ref":"#"}]"##),
    TypedstreamSample(
      "an object that holds what holds it",
      [
        Mark.string("@"), Mark.new, Mark.root("A"), Mark.reference(0), Mark.new, Mark.type("B"),
        Mark.reference(2),
        Mark.reference(0), Mark.reference(0), Mark.end, Mark.end,
      ], ##"[[{"$ref":"#"}]]"##),
    TypedstreamSample(
      "an array of scalars that is met twice is in full twice",
      [
        Mark.string("@@"), Mark.new, Mark.root("NSArray"), Mark.string("i"), [1], Mark.string("@"), Mark.null,
        Mark.end,
        Mark.reference(0),
      ], "[[null],[null]]"),
  ]

  static let all = foundation + nextStep + values
}

extension Mark {
  /// A new class that inherits from the NSObject that is object 2.
  static func root2(_ name: String) -> [UInt8] { type(name) + reference(2) }
}
