import TestSupport
import Testing

@testable import Ferry

/// A value, and how the typed form shows it in JSON.
struct TypedSample: CustomTestStringConvertible, Sendable {
  let name: String
  let value: Value
  let json: String
  var testDescription: String { name }

  private static func date(_ seconds: Double) -> Value { .date(secondsSince2001: seconds) }

  static let all: [TypedSample] = [
    .init(name: "nothing", value: .null, json: #"null"#),
    .init(name: "a boolean", value: true, json: "true"),
    .init(name: "the smallest integer", value: .integer(-(1 << 63)), json: "-9223372036854775808"),
    .init(name: "the largest integer", value: .integer((1 << 64) - 1), json: "18446744073709551615"),
    .init(name: "a whole real", value: .real(2), json: "2.0"),
    .init(name: "minus zero", value: .real(-0.0), json: "-0.0"),
    .init(name: "infinity", value: .real(.infinity), json: #"{"$real":"inf"}"#),
    .init(name: "minus infinity", value: .real(-.infinity), json: #"{"$real":"-inf"}"#),
    .init(name: "NaN", value: .real(.nan), json: #"{"$real":"nan"}"#),
    .init(
      name: "a NaN with a payload", value: .real(Double(bitPattern: 0xfff8_0000_0000_0001)),
      json: #"{"$real":"nan:fff8000000000001"}"#),
    .init(name: "a real of 32 bits", value: .single(0.1), json: #"{"$single":0.1}"#),
    .init(
      name: "a NaN of 32 bits", value: .single(Float(bitPattern: 0x7fc0_0001)),
      json: #"{"$single":"nan:7fc00001"}"#),
    .init(name: "a string", value: "Ada", json: #""Ada""#),
    .init(name: "control characters", value: "a\u{1b}\r\n\u{0}", json: #""a\u001b\r\n\u0000""#),
    .init(name: "a lone surrogate", value: .unpairedString([0x61, 0xd800]), json: #""a\ud800""#),
    .init(name: "data", value: .data([0, 1, 2]), json: #"{"$data":"AAEC"}"#),
    .init(name: "no data", value: .data([]), json: #"{"$data":""}"#),
    .init(name: "a date", value: date(0), json: #"{"$date":"2001-01-01T00:00:00Z"}"#),
    .init(
      name: "a date with a fraction", value: date(-0.25), json: #"{"$date":"2000-12-31T23:59:59.75Z"}"#),
    .init(
      name: "a date beyond the year 9999", value: date(3e11),
      json: #"{"$date":"+11507-08-17T05:20:00Z"}"#),
    .init(name: "a date beyond all calendars", value: date(1e300), json: #"{"$date":1e+300}"#),
    .init(name: "a date that is not a number", value: date(.nan), json: #"{"$date":"nan"}"#),
    .init(name: "a reference of an archive", value: .uid(4), json: #"{"$uid":4}"#),
    .init(name: "a set", value: .set([1, "a"]), json: #"{"$set":[1,"a"]}"#),
    .init(name: "an empty dictionary", value: [:], json: "{}"),
    .init(name: "keys that look like tags", value: ["$date": 1, "$$x": 2], json: #"{"$$date":1,"$$$x":2}"#),
    .init(name: "a key that looks escaped", value: ["$\"x\"": 1], json: #"{"$$\"x\"":1}"#),
    .init(name: "a user's CF$UID", value: ["CF$UID": 1], json: #"{"CF$UID":1}"#),
    .init(name: "a key with a control character", value: ["a\u{1b}": 1], json: #"{"a\u001b":1}"#),
    .init(name: "an empty key", value: ["": []], json: #"{"":[]}"#),
  ]
}

@Suite struct `The typed representation` {
  private func convert(_ bytes: [UInt8], _ target: Format, _ representation: Representation = .typed)
    throws(FerryError) -> [UInt8]
  {
    var conversion = Conversion(to: target)
    conversion.writing.representation = representation
    return try conversion.convert(bytes).bytes
  }

  /// Keys that are not strings, in YAML, which the typed form has only in the pairs of `$dictionary`.
  @Test(arguments: [
    "$ferry: 1\n$value:\n  a: x\n  1️⃣? [1]\n  : lost\n  b: y\n",
    "$ferry: 1\n$value:\n  a: x\n  1️⃣? [\(String(repeating: "0,", count: 400))0]\n  : y\n",
    "$ferry: 1\n$value:\n  1️⃣? [1]\n  : x\n",
    "$ferry: 1\n$archiver: NSKeyedArchiver\n$top:\n  root:\n    $class: A\n    a: x\n    1️⃣? [1]\n    : lost\n    b: y\n",
    "$ferry: 1\n$value: {$dictionary: [[1, {1️⃣? [1] : x}]]}\n",
    "$ferry: 1\n$value:\n  d:\n    $data:\n      $ferry: 1\n      $value:\n        1️⃣4294967295: 2\n",
    "$ferry: 1\n$value:\n  d:\n    $data:\n      $ferry: 1\n      $format: json\n      $value:\n        a: 1\n        1️⃣4294967295: 2\n",
    "$ferry: 1\n$value: {$dictionary: [[1, {$data: {$ferry: 1, $value: [{1️⃣7: x}]}}]]}\n",
  ])
  func `A key that is not a string is refused`(_ text: String) throws {
    let marked = MarkedText(text)
    let failure = #expect(throws: FerryError.self) {
      try Conversion(to: .xmlPropertyList).convert(marked.bytes, named: "a.yaml")
    }
    #expect(failure?.reason == .typed(.otherKey))
    #expect(failure?.location.line == marked.location?.line)
  }

  @Test(arguments: [
    (#"{"$ferry":1,"$value":[1],"$value":[2]}"#, "$value", 26),
    (#"{"$ferry":1,"$ferry":1,"$value":[2]}"#, "$ferry", 13),
    (#"{"$ferry":1,"$top":{"root":1},"$top":{"root":2}}"#, "$top", 31),
    (#"{"$ferry":1,"$top":{"root":{"$class":"P","$class":"Q","a":1}}}"#, "$class", 42),
    (#"{"$ferry":1,"$top":{"root":{"$class":"NSArray","$items":[1],"$items":[2]}}}"#, "$items", 61),
    (#"{"$ferry":1,"$top":{"root":{"$class":"P","$id":1,"$id":2}}}"#, "$id", 50),
    (#"{"$ferry":1,"$top":{"root":{"$class":"NSDictionary","$entries":{},"$entries":{}}}}"#, "$entries", 67),
    (#"{"$ferry":1,"$value":{"$set":[1],"$set":[2]}}"#, "$set", 34),
    (#"{"$ferry":1,"$value":{"$date":1,"$date":2}}"#, "$date", 33),
    (#"{"$ferry":1,"$value":{"$data":{"$ferry":1,"$value":2},"$data":""}}"#, "$data", 55),
  ])
  func `A tag that occurs twice is refused`(_ text: String, _ tag: String, _ column: Int) {
    for target in [Format.json, .binaryPropertyList, .archive] {
      let failure = #expect(throws: FerryError.self) { try Conversion(to: target).convert(Array(text.utf8)) }
      #expect(failure?.reason == .typed(.repeated(tag)))
      #expect(failure?.reason.description == "the key \"\(tag)\" occurs twice")
      #expect(failure?.location.column == column)
    }
  }

  @Test(arguments: [
    #"{"$ferry":1,"$top":{"a":{"$class":"P","$id":7},"b":{"$class":"P","$id":7}}}"#,
    #"{"$ferry":1,"$top":{"a":{"$object":{"$id":7,"$value":1}},"b":{"$object":{"$id":7,"$value":2}}}}"#,
    #"{"$ferry":1,"$top":{"a":{"$class":"P","$id":7},"b":{"$object":{"$id":7,"$value":2}}}}"#,
    #"{"$ferry":1,"$top":{"a":{"$object":{"$id":7,"$value":2}},"b":{"$class":"P","$id":7}}}"#,
  ])
  func `An identity of two objects is refused`(_ text: String) {
    let failure = #expect(throws: FerryError.self) {
      try Conversion(to: .archive).convert(Array(text.utf8))
    }
    #expect(failure?.reason == .typed(.repeatedIdentity(7)))
  }

  @Test(arguments: [Format.json, .xmlPropertyList, .binaryPropertyList])
  func `An identity of two values of a property list is refused`(_ target: Format) {
    let text = #"{"$ferry":1,"$value":[{"$id":1,"$value":[1]},{"$id":1,"$value":[2]},{"$ref":1}]}"#
    let failure = #expect(throws: FerryError.self) { try Conversion(to: target).convert(Array(text.utf8)) }
    #expect(failure?.reason == .typed(.repeatedIdentity(1)))
  }

  @Test(arguments: [
    (#""$class":"P","$items":7"#, "$items", "something other than an array"),
    (#""$class":"P","$entries":[]"#, "$entries", "something other than a dictionary"),
    (#""$class":7"#, "$class", "something other than a string"),
    (#""$class":"P","$id":"7""#, "$id", "something other than an integer"),
    (#""$class":"P","$id":18446744073709551615"#, "$id", "something other than an integer"),
    (#""$class":"P","a":{"$inline":{"$set":7}}"#, "$set", "something other than an array"),
  ])
  func `A tag of an object with another kind of value is refused`(
    _ entries: String, _ tag: String, _ found: String
  ) {
    let text = #"{"$ferry":1,"$top":{"root":{\#(entries)}}}"#
    let failure = #expect(throws: FerryError.self) { try Conversion(to: .archive).convert(Array(text.utf8)) }
    #expect(failure?.reason == .typed(.badTag(tag, found: found)))
  }

  @Test(arguments: [
    (#"{"$ferry":1,"$top":{"root":[1]},"$other":1}"#, "$other", 33),
    (#"{"$ferry":1,"$value":[1],"x":1}"#, "x", 26),
    (#"{"$ferry":1,"$top":{"root":{"$class":"Dog"}},"$classes":{"Dog":{"$chian":["Dog"]}}}"#, "$chian", 65),
    (#"{"$ferry":1,"$top":{"root":1},"$classes":{"Dog":{"$chain":["Dog"],"$hint":[]}}}"#, "$hint", 67),
    (#"{"$ferry":1,"$stream":"streamtyped","$value":"a","$classes":{"Dog":{"versoin":1}}}"#, "versoin", 69),
    (#"{"$ferry":1,"$top":{"root":{"$data":{"$ferry":1,"$value":1,"$nope":2}}}}"#, "$nope", 60),
    (
      #"{"$ferry":1,"$value":{"$data":{"$ferry":1,"$format":"json","$stlye":"pretty","$value":1}}}"#,
      "$stlye", 60
    ),
  ])
  func `A misspelt tag is refused at its location, also in descriptions of classes and in documents in data`(
    _ text: String, _ tag: String, _ column: Int
  ) {
    let target = text.contains("$stream") ? Format.typedstream : .archive
    let failure = #expect(throws: FerryError.self) { try Conversion(to: target).convert(Array(text.utf8)) }
    #expect(failure?.reason == .typed(.unknownTag(tag)))
    #expect(failure?.location.column == column)
  }

  @Test func `The tags of an object may follow its keys, as in text whose keys a program has sorted`() throws
  {
    let sorted = #"{"$ferry":1,"$top":{"root":{"":1,"!x":[2],"$class":"A","$id":1,"b":{"$ref":1}}}}"#
    let usual = #"{"$ferry":1,"$top":{"root":{"$class":"A","$id":1,"":1,"!x":[2],"b":{"$ref":1}}}}"#
    let archive = try Conversion(to: .archive).convert(Array(usual.utf8)).bytes
    #expect(try Conversion(to: .archive).convert(Array(sorted.utf8)).bytes == archive)
  }

  @Test(arguments: [
    "<map>hello</map>", "<map><null key='a'/>hello</map>", "<array>hello<null/></array>",
    "<null>hello</null>",
  ])
  func `Text in an element of the typed representation that has none is refused`(_ element: String) {
    let space = "xmlns='http://www.w3.org/2005/xpath-functions'"
    let value = element.replacing(">", with: " key='$value'>", maxReplacements: 1)
    let text = "<map \(space)><number key='$ferry'>1</number>\(value)</map>"
    let failure = #expect(throws: FerryError.self) {
      try convert(Array(text.utf8), .binaryPropertyList, .raw)
    }
    guard case .typed(.badTag(_, found: "\"hello\""))? = failure?.reason else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  @Test(arguments: [
    #"{"$object":1,"x":2}"#, #"{"$inline":"a","x":2}"#, #"{"$ref":1,"x":2}"#,
    #"{"$class":"P","a":{"$inline":{"$set":[],"x":2}}}"#,
  ])
  func `Another key beside a tag of an archive is refused`(_ value: String) {
    let text = #"{"$ferry":1,"$top":{"root":\#(value),"other":{"$class":"P","$id":1}}}"#
    let failure = #expect(throws: FerryError.self) { try Conversion(to: .archive).convert(Array(text.utf8)) }
    #expect(failure?.reason == .typed(.crowded("another key")))
  }

  @Test func `Another key beside a tag is refused`() {
    let text = #"{"$ferry":1,"$value":{"$date":1,"a":2}}"#
    let failure = #expect(throws: FerryError.self) { try Conversion(to: .json).convert(Array(text.utf8)) }
    #expect(failure?.reason == .typed(.crowded("the key \"a\"")))
  }

  @Test(arguments: TypedSample.all)
  func `The typed representation shows each kind of value with its tag`(sample: TypedSample) throws {
    let text = try convert(try PropertyLists.binary(sample.value), .json)
    #expect(String(decoding: text, as: UTF8.self) == #"{"$ferry":1,"$value":"# + sample.json + "}\n")
  }

  @Test(arguments: TypedSample.all, [Format.json, .xml, .xmlPropertyList, .jsonLines])
  func `The typed representation gives each kind of value back`(sample: TypedSample, format: Format) throws {
    let bytes = try PropertyLists.binary(sample.value)
    let text = try convert(bytes, format)
    #expect(try convert(text, .binaryPropertyList, .raw) == bytes)
    // From one text to another, too.
    let other = try convert(text, .xml)
    #expect(try convert(other, .json) == convert(bytes, .json))
  }

  /// Documents in JSON with a layout, and the format of the file that each describes.
  private static let documentsWithLayout: [(text: String, format: Format)] = [
    (
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"P","d":{"$data":"eHk="},"zz":"k","first":"Bob"},"#
        + #""k"]},"$layout":{"objects":"4","keys":{"P":"0 1 2 3"}}}"#, .archive
    ),
    (
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":["x"]},"#
        + #""$layout":{"outermost":"$top $version $archiver $objects","offsetWidth":4}}"#, .archive
    ),
    (#"{"$ferry":1,"$top":{"root":["x"]},"$archiver":"NSKeyedArchiver"}"#, .archive),
    (
      #"{"$ferry":1,"$value":["a","a",true,true],"#
        + #""$layout":{"references":"separate","booleans":"separate","offsetWidth":4,"sharing":"2"}}"#,
      .binaryPropertyList
    ),
    (
      #"{"$ferry":1,"$stream":"streamtyped","$value":["a",{"$class":"NSMutableString","$value":"b"}]}"#,
      .typedstream
    ),
  ]

  @Test(arguments: documentsWithLayout.indices)
  func `A document in the typed form has the same text and layout if it comes from one in another format`(
    _ index: Int
  ) throws {
    let (text, format) = Self.documentsWithLayout[index]
    func converted(_ bytes: [UInt8], from source: Format? = nil, to target: Format) throws -> [UInt8] {
      var conversion = Conversion(to: target)
      conversion.reading.format = source
      conversion.writing.representation = target == format ? .plain : .typed
      return try conversion.convert(bytes).bytes
    }
    let file = try converted(Array(text.utf8), to: format)
    #expect(try converted(file, to: .json) == Array(text.utf8) + [UInt8(ascii: "\n")])
    let formats = [Format.json, .yaml, .xml, .xmlPropertyList]
    for source in formats {
      let document = try converted(file, to: source)
      for target in formats {
        let other = try converted(document, from: source, to: target)
        #expect(try other == converted(file, to: target), "\(source) \(target)")
        #expect(try converted(other, from: target, to: format) == file, "\(source) \(target)")
      }
    }
  }

  @Test func `The typed representation keeps keys that are not strings, and equal keys`() throws {
    // {1: "a", 1: "b"} has no syntax in JSON.
    let bytes: [UInt8] =
      Array("bplist00".utf8) + [0xd2, 1, 1, 2, 3, 0x10, 1, 0x51, 0x61, 0x51, 0x62]
      + [8, 13, 15, 17] + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 4] + [0, 0, 0, 0, 0, 0, 0, 0]
      + [0, 0, 0, 0, 0, 0, 0, 19]
    let text = try convert(bytes, .json)
    #expect(
      String(decoding: text, as: UTF8.self)
        == #"{"$ferry":1,"$value":{"$dictionary":[[1,"a"],[1,"b"]]}}"# + "\n")
    for format in [Format.json, .xml, .xmlPropertyList] {
      #expect(try convert(convert(bytes, format), .binaryPropertyList, .raw) == bytes)
    }
  }

  private typealias Objects = TestSupport.BinaryObjects

  /// The objects of dictionaries with keys that are collections, and the typed form of each dictionary.
  static let collectionKeys: [(objects: [[UInt8]], json: String)] = [
    ([Objects.dictionary([(1, 2)]), Objects.array([]), one], #"{"$dictionary":[[[],1]]}"#),
    ([Objects.dictionary([(1, 2)]), [0xc1, 0, 2], one], #"{"$dictionary":[[{"$set":[1]},1]]}"#),
    (
      [Objects.dictionary([(1, 3)]), Objects.dictionary([(2, 2)]), [0x51, 0x61], one],
      #"{"$dictionary":[[{"a":"a"},1]]}"#
    ),
    (
      [Objects.dictionary([(1, 2)]), Objects.dictionary([(2, 2)]), Objects.array([3]), one],
      #"{"$dictionary":[[{"$dictionary":[[{"$id":1,"$value":[1]},{"$ref":1}]]},{"$ref":1}]]}"#
    ),
    (
      [Objects.dictionary([(1, 1), (2, 1)]), Objects.array([2]), [0x51, 0x61]],
      #"{"$dictionary":[[{"$id":1,"$value":["a"]},{"$ref":1}],["a",{"$ref":1}]]}"#
    ),
    ([Objects.dictionary([(0, 0)])], #"{"$id":1,"$value":{"$dictionary":[[{"$ref":1},{"$ref":1}]]}}"#),
  ]
  private static let one: [UInt8] = [0x10, 1]

  @Test(arguments: collectionKeys, [Format.json, .jsonLines, .xml, .xmlPropertyList])
  func `The typed representation gives keys that are collections back`(
    _ sample: (objects: [[UInt8]], json: String), _ format: Format
  ) throws {
    var objects = Objects()
    for object in sample.objects { objects.add(object) }
    let bytes = objects.file
    let text = try convert(bytes, format)
    if format == .json {
      let value = #"{"$ferry":1,"$value":\#(sample.json)"#
      #expect(String(decoding: text, as: UTF8.self).hasPrefix(value))
    }
    #expect(try convert(text, .binaryPropertyList, .raw) == bytes)
    #expect(try convert(text, .json) == convert(bytes, .json))
  }

  @Test func `The typed representation shows a list that contains itself`() throws {
    let bytes: [UInt8] =
      Array("bplist00".utf8) + [0xa2, 0, 1, 0xa0] + [8, 11] + [0, 0, 0, 0, 0, 0, 1, 1]
      + [0, 0, 0, 0, 0, 0, 0, 2] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 12]
    let text = try convert(bytes, .json)
    #expect(
      String(decoding: text, as: UTF8.self)
        == #"{"$ferry":1,"$value":{"$id":1,"$value":[{"$ref":1},[]]}}"# + "\n")
    #expect(try convert(text, .binaryPropertyList, .raw) == bytes)
  }

  @Test func `Forty arrays that each hold the next one twice are shown for what they weigh`() throws {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for index in 0..<UInt8(40) {
      offsets.append(UInt8(bytes.count))
      bytes += index < 39 ? [0xa2, index + 1, index + 1] : [0xa0]
    }
    let table = UInt8(bytes.count)
    bytes +=
      offsets + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 40] + [UInt8](repeating: 0, count: 8)
    bytes += [0, 0, 0, 0, 0, 0, 0, table]
    for format in [Format.json, .xml, .xmlPropertyList] {
      let text = try convert(bytes, format)
      #expect(text.count < 40_000)
      #expect(try convert(text, .binaryPropertyList, .raw) == bytes)
    }
  }

  @Test func `The typed representation opens documents inside data and gives their bytes back`() throws {
    let people = Value.array([["name": "Ada"]])
    let inner = try PropertyLists.binary(people)
    let xml = try convert(inner, .xmlPropertyList, .plain)
    let bytes = try PropertyLists.binary([
      "binary": .data(inner), "xml": .data(xml), "json": .data(Array(#"{"a":[1,2.50]}"#.utf8)),
      "pretty": .data(Array("[\n  1\n]\n".utf8)), "odd": .data(Array("[ 1 ]".utf8)),
      "deep": .data(try PropertyLists.binary(.data(inner))), "none": .data([1, 2]),
    ])
    var conversion = Conversion(to: .json)
    conversion.writing.representation = .typed
    conversion.reading.expandsData = true
    let text = try conversion.convert(bytes).bytes
    let shown = String(decoding: text, as: UTF8.self)
    #expect(shown.contains(#""binary":{"$data":{"$ferry":1,"$value":[{"name":"Ada"}]}}"#))
    #expect(shown.contains(#""xml":{"$data":{"$ferry":1,"$format":"plist-xml","$value":[{"name":"Ada"}]}}"#))
    #expect(shown.contains(#""$style":"compact","$value":{"a":[1,2.50]}"#))
    #expect(shown.contains(#""$style":"pretty-line""#))
    // What would not come back stays as it is.
    #expect(shown.contains(#""odd":{"$data":"WyAxIF0="}"#))
    #expect(try convert(text, .binaryPropertyList, .raw) == bytes)
    conversion.writing.format = .xml
    #expect(try convert(conversion.convert(bytes).bytes, .binaryPropertyList, .raw) == bytes)
    // And in the plain form.
    conversion.writing.format = .json
    conversion.writing.representation = .plain
    let plain = String(decoding: try conversion.convert(bytes).bytes, as: UTF8.self)
    #expect(plain.contains(#""deep":[{"name":"Ada"}]"#))
    #expect(plain.contains(#""json":{"a":[1,2.50]}"#))
  }

  @Test(arguments: [
    (#"{"$ferry":2,"$value":1}"#, "version 2 of the typed form is not supported (the newest is 1)"),
    (#"{"$ferry":1}"#, #"the typed form needs "$value" or "$top" here"#),
    (
      #"{"$ferry":1,"$value":{"$nope":1}}"#,
      #""$nope" is not a tag of the typed form (write a key that begins with $ with one more $)"#
    ),
    (#"{"$ferry":1,"$value":{"$date":"tomorrow"}}"#, #""tomorrow" is not a value for $date"#),
    (#"{"$ferry":1,"$value":{"$data":"a"}}"#, #""a" is not a value for $data"#),
    (#"{"$ferry":1,"$value":{"$data":{"$data":"qg=="}}}"#, "the typed form needs a dictionary here"),
    (
      #"{"$ferry":1,"$value":[{"$data":{"$date":"2001-01-01T00:00:00Z"}},1]}"#,
      "the typed form needs a dictionary here"
    ),
    (#"{"$ferry":1,"$value":{"a":{"$data":{"$uid":1}}}}"#, "the typed form needs a dictionary here"),
    (#"{"$ferry":1,"$value":{"$uid":-1}}"#, "-1 is not a value for $uid"),
    (#"{"$ferry":1,"$value":{"$uid":1,"a":2}}"#, #"the key "a" is not allowed beside a tag"#),
    (#"{"$ferry":1,"$value":{"$ref":7}}"#, #"{"$ref": 7} has no matching "$id""#),
    (
      #"{"$ferry":1,"$value":[],"$layout":{"references":"some"}}"#,
      #"invalid $layout: references is "some""#
    ),
    (
      #"{"$ferry":1,"$value":[],"$layout":{"sharing":"1 x"}}"#,
      #"invalid $layout: "x" is not a deviation"#
    ),
    (
      #"{"$ferry":1,"$archiver":"A","$top":{"root":{"$class":1}}}"#,
      "something other than a string is not a value for $class"
    ),
    (#"{"$ferry":1,"$top":{"root":{"$class":""}}}"#, "an empty string is not a value for $class"),
    (#"{"$ferry":1,"$top":{"root":{"$ref":3}}}"#, #"{"$ref": 3} has no matching "$id""#),
    (#"{"$ferry":1,"$top":{"root":{"$id":3}}}"#, #"the typed form needs "$class" here"#),
    (
      #"{"$ferry":1,"$top":{"root":null},"$layout":{"numbers":"0+99999999999"}}"#,
      #"invalid $layout: "0+99999999999" is not a run of numbers"#
    ),
    (
      #"{"$ferry":1,"$value":[],"$layout":{"nubmers":"0"}}"#,
      #"invalid $layout: "nubmers" is not one of its properties"#
    ),
    (
      #"{"$ferry":1,"$value":[],"$layout":{"numbers":"0"}}"#,
      #"invalid $layout: "numbers" is not one of its properties"#
    ),
    (
      #"{"$ferry":1,"$value":[],"$layout":{"offsetWidth":99}}"#,
      "invalid $layout: offsetWidth is 99 (use a number from 1 to 8)"
    ),
    (#"{"$ferry":1,"$value":[],"$layout":{"order":"pears"}}"#, #"invalid $layout: order is "pears""#),
    (
      #"{"$ferry":1,"$top":{"root":{"$class":"NSMutableDictionary","$items":["a"]}}}"#,
      #"the typed form needs "$entries" instead of "$items" in a dictionary here"#
    ),
    (
      #"{"$ferry":1,"$top":{"root":{"$class":"Dog","$$class":5}}}"#,
      #"the key "$$class" is not allowed beside a tag"#
    ),
    (
      #"{"$ferry":1,"$top":{"root":{"$class":"Dog","$$classname":"Cat"}}}"#,
      #"the key "$$classname" is not allowed beside a tag"#
    ),
    (#"{"$ferry":1,"$value":{"a":1,"$date":2}}"#, "another key is not allowed beside a tag"),
    (#"{"$ferry":1,"$value":{"a":1,"$set":[2]}}"#, "another key is not allowed beside a tag"),
    (
      #"{"$ferry":1,"$value":{"$data":{"$ferry":1,"$format":"json","$style":"loose","$value":1}}}"#,
      #""loose" is not a value for $style"#
    ),
  ])
  func `An invalid typed representation is refused with the reason`(text: String, message: String) throws {
    let failure = #expect(throws: FerryError.self) {
      try convert(Array(text.utf8), .binaryPropertyList, .raw)
    }
    #expect(failure.map { "\($0.reason)" } == message)
  }

  @Test func `Object numbers of a typed archive cost what their text weighs`() throws {
    func text(_ layout: String) -> [UInt8] {
      Array(#"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"a":1}}\#(layout)}"#.utf8)
    }
    let usual = try convert(text(""), .archive, .raw)
    // The numbers are not those of the objects, so they are ignored.
    for numbers in ["0+100000000", "0+4000000000 0+4000000000", "0+5 5", "1+4", "0 0 1 2 3"] {
      let bytes = text(#","$layout":{"numbers":"\#(numbers)"}"#)
      let archive = try expectProcessorTime(atMost: .milliseconds(200), numbers) {
        try convert(bytes, .archive, .raw)
      }
      #expect(archive == usual, "\(numbers)")
    }
  }

  private static func dog(_ list: String) -> [UInt8] {
    Array(
      (#"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":"Dog","name":"Rex"}},"#
        + #""$classes":{"Dog":\#(list)}}"#).utf8)
  }

  @Test(arguments: [#"["Animal","NSObject"]"#, #"["Animal","Dog"]"#, #"["dog","NSObject"]"#])
  func `A list of superclasses that does not begin with its class is refused with its location`(
    _ list: String
  )
    throws
  {
    let text = Self.dog(list)
    let failure = #expect(throws: FerryError.self) { try convert(text, .archive, .raw) }
    #expect(failure?.code == "typed.bad-chain")
    #expect(failure?.location.column == text.count - list.utf8.count - 1)
    #expect(failure?.message.contains(#"begins with Dog itself (["Dog", …]; write"#) == true)
  }

  @Test(arguments: [
    #"{"$chain":["Animal","NSObject"]}"#, #"{"$chain":["Animal"],"$hints":["Cat"]}"#, "[]",
    #"["Dog","Animal","NSObject"]"#, #"{"$chain":["Dog","NSObject"],"$hints":["Cat"]}"#,
  ])
  func `An archive with any list of superclasses gets its bytes back`(_ list: String) throws {
    let archive = try convert(Self.dog(list), .archive, .raw)
    for format in [Format.json, .xml, .xmlPropertyList] {
      let text = try convert(archive, format)
      if format == .json { #expect(text == Self.dog(list) + [UInt8(ascii: "\n")]) }
      #expect(try convert(text, .archive, .raw) == archive)
    }
  }

  @Test(arguments: ["", #""new","#, #"{"$class":"Q","n":"new"},"#])
  func `Orders of keys stay those of their class if an edit changes the numbers of objects`(
    _ added: String
  ) throws {
    let layout = #""$layout":{"keys":{"P":"0 1 2 3"}}}"#
    let text =
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":["# + added
      + #"{"$class":"P","d":{"$data":"eHk="},"zz":"k","first":"Bob"}]},"# + layout
    let again = String(decoding: try convert(Array(text.utf8), .json), as: UTF8.self)
    #expect(again == text + "\n")
  }

  @Test func `Orders of keys that change among many objects come back`() throws {
    var objects: [String] = []
    for index in 0..<8 {
      objects.append(##"{"$class":"P","d":{"$data":"eHk="},"zz":"k\##(index)","first":"b\##(index)"}"##)
      if [1, 2, 5].contains(index) { objects.append(##"{"$class":"Q","d":"q\##(index)"}"##) }
      if [3, 6].contains(index) { objects.append(##"{"$class":"P","zz":"s\##(index)"}"##) }
    }
    let text =
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":["# + objects.joined(separator: ",")
      + #"]},"$layout":{"keys":{"P":"0 1 2 3; 3: 2 0 1 3; 5: 0 1 2 3; 1: 1 0; 7: 3 2 1 0"}}}"#
    let again = String(decoding: try convert(Array(text.utf8), .json), as: UTF8.self)
    #expect(again == text + "\n")
  }

  @Test(arguments: [
    (#"{"10":"0 1","2":"0 1","P":"1 0","11":"0 1"}"#, #""2" in keys is not the name of a class"#),
    (#"{"P":"0 x"}"#, #""0 x" is not an order of keys"#), (#"{"P":"3:"}"#, #""3:" is not an order of keys"#),
    (#"{"P":":0"}"#, #"":0" is not an order of keys"#),
    (#"{"P":"1 0; x: 0 1"}"#, #""x: 0 1" is not an order of keys"#),
    (#"{"P":"0: 1: 0 1"}"#, #""0: 1: 0 1" is not an order of keys"#),
  ])
  func `Orders of keys by the numbers of objects, and other than orders, are refused`(
    _ keys: String, _ problem: String
  ) throws {
    let text =
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":"P","n":1}},"$layout":{"keys":"#
      + keys + "}}"
    let error = #expect(throws: FerryError.self) { try convert(Array(text.utf8), .archive, .raw) }
    #expect(error?.reason == .typed(.badLayout(problem)))
  }

  @Test(arguments: [
    (
      #"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"a":1}}"#, #""keys":{"P":"1 0","Q":"#,
      #""3:""#
    ),
    (#"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"a":1}}"#, #""numbers":"#, #""x""#),
    (#"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"a":1}}"#, #""outermost":"#, #""$top""#),
    (#"$ferry":1,"$value":[]"#, #""order":"#, #""pears""#),
    (#"$ferry":1,"$value":[]"#, #""references":"#, #""some""#),
  ])
  func `An invalid property of a layout is refused at its location`(
    _ document: String, _ name: String, _ value: String
  ) throws {
    let isNested = name.contains("{")
    let text = #"{""# + document + #","$layout":{"# + name + value + (isNested ? "}}}" : "}}")
    let error = #expect(throws: FerryError.self) { try convert(Array(text.utf8), .binaryPropertyList, .raw) }
    let end = (value + (isNested ? "}}}" : "}}")).count
    #expect(error?.location.column == text.count - end + 1)
  }

  @Test func `A typed representation with any byte missing or changed is read or refused`() throws {
    let text = Array(
      #"""
      {"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"Person","$id":2,"first":"Ada","n":5,
      "s":{"$inline":["x",{"$object":7}]},"d":{"$data":{"$ferry":1,"$value":[1]}}},{"$ref":2},{"k":{"$date":"2001-01-01T00:00:00Z"}}]},
      "$others":["o"],"$classes":{"Person":["Person","Base","NSObject"]},
      "$layout":{"numbers":"0+3","objects":"3:1","keys":{"Person":"1 0 2 3 4; 2: 0 1 2 3 4"},"classKeys":"1 0","references":"separate","sharing":"4 1:1"}}
      """#.utf8)
    let bytes = Damage.Change.replacing(Array("0{\"$".utf8) + [0xff])
    try Damage(to: text, change: bytes).check { text in
      let archive = try convert(text, .archive, .raw)
      #expect(throws: Never.self) { try Archived.raw(archive) }
    }
    try Damage(to: text, lengths: [], change: bytes).check { _ = try convert($0, .json, .plain) }
  }

  @Test func `An escape of a surrogate has four hexadecimal digits`() {
    func units(_ text: String) -> [UInt16]? { EscapedText.units(of: BorrowedText(text.utf8.span)) }
    #expect(units(#"a\ud800\\"#) == [0x61, 0xd800, 0x5c])
    for text in [#"\u+123"#, #"\u-001"#, #"\u12"#, #"\u12g4"#, #"\x"#, "\\"] {
      #expect(units(text) == nil, "\(text)")
    }
  }

  @Test(.enabled(if: PackageTraits.hasYAML, "The trait YAML is off."))
  func `Keys of YAML that are not strings come back from the pairs of the typed form`() throws {
    let cases = [
      ("1: a\n", #"{"$dictionary":[[1,"a"]]}"#),
      ("a: {b: 1, 2: {c: 3}}\nd: 4\n", #"{"a":{"$dictionary":[["b",1],[2,{"c":3}]]},"d":4}"#),
      (
        "[x, y]: {1.5: {2: {}}}\n",
        #"{"$dictionary":[[["x","y"],{"$dictionary":[[1.5,{"$dictionary":[[2,{}]]}]]}]]}"#
      ),
      ("{3: b}: {$c: 1}\n", #"{"$dictionary":[[{"$dictionary":[[3,"b"]]},{"$$c":1}]]}"#),
      ("$e: {true: $f}\n", #"{"$$e":{"$dictionary":[[true,"$f"]]}}"#),
    ]
    for (yaml, value) in cases {
      var conversion = Conversion(to: .json)
      conversion.reading.format = .yaml
      conversion.writing.representation = .typed
      let typed = try conversion.convert(Array(yaml.utf8)).bytes
      #expect(String(decoding: typed, as: UTF8.self) == "{\"$ferry\":1,\"$value\":\(value)}\n")
      let back = try Conversion(to: .yaml).convert(typed)
      #expect(back.report.losses.isEmpty)
      conversion.writing.representation = .plain
      let plain = try conversion.convert(back.bytes).bytes
      #expect(plain == (try conversion.convert(Array(yaml.utf8)).bytes))
    }
  }

  @Test func `The first error of an archive in the typed form is reported`() throws {
    let text = MarkedText(
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[[1,{1️⃣"$x":1}],{"$y":2},{"k":{"$z":3}}]}}"#)
    let error = #expect(throws: FerryError.self) { try convert(text.bytes, .archive, .raw) }
    #expect(error?.reason == .typed(.unknownTag("$x")))
    #expect(error?.location == text.location)
  }
}
