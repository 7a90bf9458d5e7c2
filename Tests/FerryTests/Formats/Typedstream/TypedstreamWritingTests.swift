import TestSupport
import Testing

@testable import Ferry

@Suite struct `Typedstreams that are written` {
  /// Returns the typed form of a file as JSON.
  private func typed(_ bytes: [UInt8]) throws(FerryError) -> [UInt8] {
    var conversion = Conversion(to: .json)
    conversion.writing.representation = .typed
    let result = try conversion.convert(bytes)
    #expect(result.report.losses.isEmpty)
    return result.bytes
  }

  private func typedText(_ bytes: [UInt8]) throws(FerryError) -> String {
    String(decoding: try typed(bytes).dropLast(), as: UTF8.self)
  }

  private func written(_ json: String) throws(FerryError) -> [UInt8] {
    try Conversion(to: .typedstream).convert(Array(json.utf8)).bytes
  }

  private func json(_ bytes: [UInt8]) throws(FerryError) -> String {
    String(decoding: try Conversion(to: .json).convert(bytes).bytes.dropLast(), as: UTF8.self)
  }

  // MARK: There and back

  private func expectSame(_ bytes: [UInt8], _ name: String) throws {
    let stream = try Typedstream(bytes)
    var copier = TypedstreamCopier(copying: stream)
    #expect(try copier.copy() == bytes, "\(name) copied")
    #expect(try Conversion(to: .typedstream).convert(bytes).bytes == bytes, "\(name) converted")
    let document = try typed(bytes)
    #expect(!document.contains("\"patch\""), "\(name)")
    #expect(try Conversion(to: .typedstream).convert(document).bytes == bytes, "\(name) by JSON")
    for format in [Format.xmlPropertyList, .xml] {
      var conversion = Conversion(to: format)
      conversion.writing.representation = .typed
      let other = try conversion.convert(bytes).bytes
      #expect(try Conversion(to: .typedstream).convert(other).bytes == bytes, "\(name) by \(format)")
    }
    // The typed form has the values of the file.
    #expect(try json(document) == json(bytes), "\(name)")
  }

  /// Files that NSArchiver could write. The others have numbers in more bytes than they need.
  private static let canonical = TypedstreamSample.all.filter { $0.name != "NSString, big-endian" }

  @Test(arguments: canonical)
  func `A file that is read and written has the same bytes, also by way of the typed form`(
    _ sample: TypedstreamSample
  ) throws {
    try expectSame(sample.bytes, sample.name)
  }

  @Test func `Every real file that is read and written has the same bytes, also by way of the typed form`()
    throws
  {
    var count = 0
    for file in try Corpus.files(under: "typedstream") where !file.contains("gnustep-gorm") {
      let bytes = try Corpus.bytes(file)
      guard (try? Typedstream(bytes)) != nil else { continue }
      try expectSame(bytes, file)
      count += 1
    }
    #expect(count >= 47)
  }

  @Test func `A file with bytes that another writer has chosen comes back with them`() throws {
    // 5 takes four bytes, the string of types is not shared, and the length of a text is longer than it must be.
    let bytes =
      TypedstreamSample(
        "", [Mark.string("i"), [0x82, 5, 0, 0, 0], Mark.string("i"), [7]], ""
      ).bytes
    let document = try typed(bytes)
    #expect(document.contains("\"patch\""))
    #expect(try Conversion(to: .typedstream).convert(document).bytes == bytes)
    // The patch is only for these values.
    let changed = String(decoding: document, as: UTF8.self).replacing("[\"i\",5,", with: "[\"i\",6,")
    #expect(try json(written(changed)) == "[6,7]")
  }

  @Test func `Damage is read or refused with its place, and what is read comes back`() throws {
    for sample in [TypedstreamSample.attributedString, TypedstreamSample.values[16]] {
      try Damage(to: sample.bytes).check(prefixes: .readOrRefused) { bytes in
        let document = try typed(bytes)
        #expect(try Conversion(to: .typedstream).convert(document).bytes == bytes)
      }
    }
  }

  // MARK: The typed form

  @Test func `The typed form shows what a file holds, and no more`() throws {
    #expect(
      try typedText(TypedstreamSample.attributedString.bytes)
        == ##"""
        {"$ferry":1,"$stream":"streamtyped","$value":{"$class":"NSAttributedString","$groups":["@",\##
        {"$id":1,"$value":"a🎈b"},"iI",1,1,"@",{"k":{"$ref":1}},"iI",2,2,"@",{},"iI",1,1]}}
        """##)
    let thing = try #require(TypedstreamSample.values.first { $0.name == "an object of an unknown class" })
    #expect(
      try typedText(thing.bytes)
        == ##"""
        {"$ferry":1,"$stream":"streamtyped","$value":{"$class":"Thing","$groups":["i{_NSPoint=ff}",1,[2.0,3.0],\##
        ":","go","@",{"$class":"Thing"}]},"$classes":{"Thing":{"version":7,"super":"NSObject"}}}
        """##)
    let array = #"[{"a":[1,2.5,true,null,"x"]},{"$$key":1}]"#
    #expect(
      try typedText(written(array)) == ##"""
        {"$ferry":1,"$stream":"streamtyped","$value":[{"a":[1,2.5,true,{"$class":"NSNull"},"x"]},{"$$$key":1}]}
        """##)
  }

  /// Typed documents that are not typedstreams, with the place of the problem and its text.
  private static let refused: [(String, String)] = [
    (#"{"$ferry":1,"$stream":"x","$value":1}"#, "$stream"),
    (#"{"$ferry":2,"$stream":"streamtyped","$value":1}"#, "version 2"),
    (#"{"$ferry":1,"$stream":"streamtyped"}"#, "$value"),
    (#"{"$ferry":1,"$stream":"streamtyped","$value":1,"$groups":[]}"#, "$groups"),
    (#"{"$ferry":1,"$stream":"streamtyped","$value":1,"$other":1}"#, "$other"),
    (#"{"$ferry":1,"$stream":"streamtyped","$groups":["ii",1]}"#, "without all its values"),
    (#"{"$ferry":1,"$stream":"streamtyped","$groups":[1]}"#, "the types of a group"),
    (#"{"$ferry":1,"$stream":"streamtyped","$groups":["?",1]}"#, "unknown to its compiler"),
    (#"{"$ferry":1,"$stream":"streamtyped","$groups":["c",128]}"#, "128 is out of the range"),
    (#"{"$ferry":1,"$stream":"streamtyped","$groups":["i","x"]}"#, "cannot hold"),
    (#"{"$ferry":1,"$stream":"streamtyped","$groups":["[2i]",[1]]}"#, "a list of 1"),
    (#"{"$ferry":1,"$stream":"streamtyped","$groups":["{P=ii}",[1,2,3]]}"#, "another field"),
    (#"{"$ferry":1,"$stream":"streamtyped","$value":{"$ref":1}}"#, "no matching"),
    (
      #"{"$ferry":1,"$stream":"streamtyped","$value":[{"$id":1,"$value":"a"},{"$id":1,"$value":"b"}]}"#,
      "occurs twice"
    ),
    (#"{"$ferry":1,"$stream":"streamtyped","$value":{"$class":"NSString","$value":5}}"#, "does not archive"),
    (
      #"{"$ferry":1,"$stream":"streamtyped","$value":{"$class":"A"},"$classes":{"A":{"super":"A"}}}"#,
      "itself"
    ),
    (#"{"$ferry":1,"$stream":"streamtyped","$value":{"$class":"NSDictionary","$entries":[[1]]}}"#, "a pair"),
    (#"{"$ferry":1,"$stream":"streamtyped","$value":1e400}"#, "decimal"),
  ]

  @Test(arguments: refused) func `A typed document that is not a typedstream is refused with its place`(
    _ json: String, _ problem: String
  ) throws {
    let error = #expect(throws: FerryError.self) { try written(json) }
    #expect(error?.message.contains(problem) == true, "\(String(describing: error))")
    #expect(error?.location.line == 1)
  }

  // MARK: New files

  @Test func `Values become objects of Foundation`() throws {
    let value: Value = [
      "text": "Zoë", "data": .data([1, 2]), "date": .date(secondsSince2001: 0.5), "null": .null,
      "numbers": [
        0, -1, 127, -110, -111, 200, .integer(1 << 40), .integer(Int128(UInt64.max)), 1.5, 2.0, -0.0,
      ],
      "single": .single(0.1), "set": .set(["a"]), "flags": [true, false], "empty": [[:], [], ""],
    ]
    let output = MemoryOutput()
    let losses = LossReport()
    try Conversion(to: .typedstream).write(to: output, losses: losses) { sink throws(FerryError) in
      try value.replay(into: sink)
    }
    #expect(losses.isEmpty)
    #expect(try Value(reading: MemoryInput(output.bytes)) == value)
    // The file is as its own values determine it.
    try expectSame(output.bytes, "written")
  }

  @Test func `Objects of known classes keep them, shared objects stay shared, and others are reported`()
    throws
  {
    let archive = #"""
      {"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[
        {"$class":"NSMutableString","$id":1,"NS.string":"shared"}, {"$ref":1},
        {"$class":"NSMutableDictionary","$entries":{"url":{"$class":"NSURL","NS.base":null,"NS.relative":"x:y"}}},
        {"$class":"NSAttributedString","NSString":"ab","NSAttributes":{"k":1}},
        {"$class":"Person","name":"Ada"}]}}
      """#
    let result = try Conversion(to: .typedstream).convert(Array(archive.utf8))
    #expect(result.report.losses.listed.map(\.kind) == [.className])
    #expect(result.report.losses.listed.first?.path.description == "[4]")
    #expect(
      try typedText(result.bytes)
        == ##"""
        {"$ferry":1,"$stream":"streamtyped","$value":[{"$class":"NSMutableString","$id":1,"$value":"shared"},{"$ref":1},\##
        {"$class":"NSMutableDictionary","$entries":{"url":{"$class":"NSURL","$groups":["c",0,"@","x:y"]}}},\##
        {"$class":"NSAttributedString","$groups":["@","ab","iI",1,2,"@",{"k":1}]},{"name":"Ada"}]}
        """##)
  }

  @Test(
    arguments: [
      (#""NS.pointval":"{1, 2.5}","NS.special":1"#, #"{"x":1.0,"y":2.5}"#),
      (#""NS.sizeval":"{30, 40}","NS.special":2"#, #"{"width":30.0,"height":40.0}"#),
      (
        #""NS.rectval":"{{1, 2}, {30, 40}}","NS.special":3"#,
        #"{"origin":{"x":1.0,"y":2.0},"size":{"width":30.0,"height":40.0}}"#
      ),
    ])
  func `An NSValue with a point, a size or a rectangle keeps its class`(keys: String, json: String) throws {
    let archive =
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":"NSValue","# + keys + "}}}"
    let result = try Conversion(to: .typedstream).convert(Array(archive.utf8))
    #expect(result.report.losses.isEmpty)
    #expect(try typedText(result.bytes).contains(#"{"$class":"NSValue","$groups":["#))
    let shown = try Conversion(to: .json).convert(result.bytes).bytes
    #expect(String(decoding: shown, as: UTF8.self) == json + "\n")
  }

  /// A Python program that reads a typedstream with another library, and prints the classes and values that it finds.
  private static let peer = """
    import sys
    try:
        import typedstream
    except ImportError:
        sys.exit(77)
    from typedstream.stream import TypedStreamReader
    for event in TypedStreamReader.from_data(sys.stdin.buffer.read()):
        print(event)
    """

  @Test func `Another library reads what is written`() async throws {
    let text =
      #"{"string":"a🎈","list":[1,2.5,true,null,"x"],"more":{"long":"\#(String(repeating: "x", count: 300))"}}"#
    let files = [try written(text), TypedstreamSample.attributedString.bytes]
    for bytes in files {
      let answer = try await Peer.python(Self.peer, input: bytes)
      guard answer.succeeded || !answer.errors.isEmpty else {
        try Test.cancel("the Python library pytypedstream is not installed here")
      }
      #expect(answer.succeeded, "\(answer.errors)")
      #expect(answer.text.contains("NSString"))
      #expect(
        answer.text.contains("\\\\xf0\\\\x9f\\\\x8e\\\\x88") || answer.text.contains("\\xf0\\x9f\\x8e\\x88"))
    }
  }
}

extension [UInt8] {
  fileprivate func contains(_ text: StaticString) -> Bool { span.end(ofFirst: text, from: 0) != nil }
}
