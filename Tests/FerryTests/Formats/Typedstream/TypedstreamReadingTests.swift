import Testing

@testable import Ferry

@Suite struct `Reading of typedstreams` {
  private func json(_ bytes: [UInt8], _ representation: Representation = .plain) throws(FerryError) -> String
  {
    var conversion = Conversion(to: .json)
    conversion.writing.representation = representation
    let text = String(decoding: try conversion.convert(bytes).bytes, as: UTF8.self)
    return String(text.dropLast())
  }

  private func begins(_ bytes: [UInt8]) -> Bool { Typedstream.begins(bytes.span) }

  @Test(arguments: [Typedstream.ByteOrder.littleEndian, .bigEndian])
  func `A typedstream is recognized by its signature and a version`(
    _ order: Typedstream.ByteOrder
  ) {
    let text = Array(order.signature.utf8)
    #expect(Typedstream.ByteOrder(signature: text.span) == order)
    for version in UInt8.min...12 {
      let head = [version, 11] + text
      #expect(begins(head) == (1...8).contains(version))
      let isSupported = Typedstream.beginsSupported(head.span)
      #expect(isSupported == (version == 4))
      #expect(!begins(head.dropLast()))
    }
    #expect(!begins([4, 10] + text))
  }

  @Test(arguments: TypedstreamSample.all)
  func `A typedstream is shown by its decoded form`(_ sample: TypedstreamSample) throws {
    #expect(try json(sample.bytes) == sample.json)
  }

  @Test func `A List with a negative count is not shown as a list`() throws {
    let sample = TypedstreamSample(
      "List of -1 elements",
      [
        Mark.string("@"), Mark.new, Mark.type("List", 1) + Mark.type("Object") + Mark.null, Mark.string("i"),
        [0xff], Mark.string("[0@]"), Mark.end,
      ], "", header: TypedstreamSample.bigEndian)
    let shown = try json(sample.bytes)
    #expect(shown != "[]" && shown.contains("-1"), "\(shown)")
  }

  /// The objects whose keys are in another order, or others, in an archive.
  private static let rekeyed = [
    "NSAttributedString", "NSURL with a base", "NSFont", "NSColor of a catalog", "NSString that is not UTF-8",
  ]

  @Test(arguments: TypedstreamSample.foundation.filter { !rekeyed.contains($0.name) })
  func `A typedstream becomes an archive with the same value`(_ sample: TypedstreamSample) throws {
    let archive = try Conversion(to: .archive).convert(sample.bytes).bytes
    #expect(try json(archive) == sample.json)
  }

  @Test func `A typedstream becomes an archive with the keys that its classes look for`() throws {
    func archived(_ name: String) throws -> Conversion.Report {
      let sample = try #require(TypedstreamSample.all.first { $0.name == name })
      let result = try Conversion(to: .archive).convert(sample.bytes)
      texts.append(try json(result.bytes))
      return result.report
    }
    var texts: [String] = []
    #expect(try archived("an object of an unknown class").losses.counts.map(\.kind) == [.typeEncoding])
    #expect(try archived("HashTable").losses.counts.map(\.kind) == [.typeEncoding])
    #expect(try archived("NSURL with a base").losses.isEmpty)
    #expect(try archived("NSAttributedString").losses.isEmpty)
    #expect(try archived("NSColor").losses.counts.map(\.kind) == [.classKeys])
    // The keys are those of the class catalog, which tells from them what the objects mean.
    #expect(texts[2] == #"{"relative":"z","base":"x:y/"}"#)
    #expect(
      texts[3]
        == #"{"string":"a🎈b","runs":[{"length":1,"attributes":{"k":"a🎈b"}},{"length":2,"attributes":{}},"#
        + #"{"length":1,"attributes":{"k":"a🎈b"}}]}"#)
    // What has no keys has those that an archiver gives to it.
    #expect(texts[0] == #"{"$2":"go","$1":{"x":2.0,"y":3.0},"$0":1,"$3":{}}"#)
    #expect(texts[1] == ##"{"$2":"i","$1":"*","$4":256,"$0":1,"$3":"k"}"##)
  }

  @Test func `A typedstream has classes, identities and references on request`() throws {
    let sample = try #require(TypedstreamSample.all.first { $0.name == "an object that holds what holds it" })
    let builder = ValueBuilder()
    try Typedstream(sample.bytes).replay(into: builder)
    let inner = ObjectValue(ObjectClass("B"), content: [.reference(0)])
    #expect(
      try builder.result() == .object(ObjectValue(ObjectClass("A"), identity: 0, content: [.object(inner)])))
  }

  @Test func `Runs of a typedstream share their attributes as one object`() throws {
    let builder = ValueBuilder()
    try Typedstream(TypedstreamSample.attributedString.bytes).replay(into: builder)
    let value = try builder.result()
    guard case .object(let first)? = value["runs"]?[0]?["attributes"] else { throw FerryError(.file(.empty)) }
    #expect(first.type == ObjectClass("NSDictionary"))
    #expect(value["runs"]?[2]?["attributes"] == .reference(try #require(first.identity)))
    #expect(value["runs"]?[1]?["attributes"] == [:])
  }

  @Test func `The raw representation of a typedstream is the list of what each object stores`() throws {
    let sample = try #require(TypedstreamSample.all.first { $0.name == "NSURL" })
    #expect(try json(sample.bytes, .raw) == #"[0,["x:y"]]"#)
  }

  @Test func `A typedstream keeps the kind of a number`() throws {
    let value = try Value(
      reading: MemoryInput(TypedstreamSample.littleEndian + Mark.string("fdQ") + [1, 2, 0xff]))
    #expect(value == [.single(1), .real(2), .integer(Int128(UInt64.max))])
  }

  @Test func `A typedstream reports what is lost`() throws {
    func losses(_ name: String) throws -> [Loss.Kind] {
      let sample = try #require(TypedstreamSample.all.first { $0.name == name })
      return try Conversion(to: .json).convert(sample.bytes).report.losses.counts.map(\.kind)
    }
    #expect(try losses("NSString") == [])
    #expect(try losses("NSMutableString") == [.className])
    #expect(try losses("an object of an unknown class") == [.typeEncoding, .className, .singleWidth])
  }

  @Test func `A typedstream has a summary`() throws {
    let summary = try Typedstream(TypedstreamSample.attributedString.bytes).summary
    #expect(summary.signature == "streamtyped")
    #expect(summary.byteOrder == .littleEndian)
    #expect(summary.version == 4)
    #expect(summary.systemVersion == 1000)
    #expect(summary.valueCount == 1)
    #expect(summary.objectCount == 5)
    #expect(summary.sharedObjectCount == 1)
    #expect(summary.sharedStringCount == 8)
    #expect(summary.depth == 3)
    #expect(summary.classes.map(\.name) == ["NSAttributedString", "NSObject", "NSString", "NSDictionary"])
    #expect(summary.classes.map(\.version) == [0, 0, 1, 0])
    #expect(summary.classes.map(\.objectCount) == [1, 0, 2, 2])
    #expect(summary.classes.map(\.superclass) == ["NSObject", nil, "NSObject", "NSObject"])
    #expect(summary.classes.map(\.isKnown) == [true, false, true, true])
  }
}

@Suite struct `Font names in typedstreams` {
  private func name(_ bytes: [UInt8]) -> String? { SerializedPropertyList.string(bytes[...]) }

  @Test func `The name of a font is read in either byte order`() {
    #expect(name([6, 0, 0, 0, 4, 0, 0, 0, 0xfe, 0xff, 0, 0x41]) == "A")
    #expect(name([6, 0, 0, 0, 4, 0, 0, 0, 0xff, 0xfe, 0x41, 0]) == "A")
    #expect(name([6, 0, 0, 0, 2, 0, 0, 0, 0xfe, 0xff, 0, 0]) == "")
  }

  @Test(
    arguments: [
      [], [6, 0, 0, 0], [6, 0, 0, 0, 4, 0, 0, 0, 0xfe, 0xff, 0],
      [5, 0, 0, 0, 4, 0, 0, 0, 0x41, 0x42, 0x43, 0x44],
      [6, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xfe, 0xff, 0, 0x41],
      [6, 0, 0, 0, 4, 0, 0, 0, 0xfe, 0xff, 0xd8, 0],
      [6, 0, 0, 0, 3, 0, 0, 0, 0xfe, 0xff, 0, 0], [6, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0x41],
    ] as [[UInt8]])
  func `The name of a font that is not a string stays bytes`(_ bytes: [UInt8]) {
    #expect(name(bytes) == nil)
  }
}
