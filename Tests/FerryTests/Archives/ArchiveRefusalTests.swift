import Testing

@testable import Ferry

@Suite struct `Broken archives are refused with their place` {
  /// An archive of these objects.
  private func archive(_ objects: [Value], top: Value = ["root": .uid(1)]) throws(FerryError) -> [UInt8] {
    let value: Value = [
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": top,
      "$objects": .array(["$null"] + objects),
    ]
    let output = MemoryOutput()
    let writer = BinaryPropertyListWriter(to: output)
    try value.replay(into: writer)
    try writer.finish()
    return output.bytes
  }

  private func refusal(_ objects: [Value], top: Value = ["root": .uid(1)]) throws -> FerryError? {
    do throws(FerryError) {
      _ = try Archived.value(try archive(objects, top: top))
      return nil
    } catch {
      return error
    }
  }

  private let array: Value = ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]]

  @Test func `a reference to an object that is not there`() throws {
    let failure = try refusal([["NS.objects": [.uid(77)], "$class": .uid(2)], array])
    #expect(failure?.reason == .archive(.danglingReference(77, objects: 3)))
    #expect(failure?.position.byte != nil)
  }

  @Test func `a reference to something other than a class`() throws {
    let failure = try refusal([["name": "x", "$class": .uid(2)], "not a class"])
    #expect(failure?.reason == .archive(.notAClass(2)))
    #expect(failure?.position.object != nil)
  }

  @Test func `a class that is its own object`() throws {
    #expect(try refusal([["name": "x", "$class": .uid(1)]])?.reason == .archive(.notAClass(1)))
  }

  @Test func `a root that is not there`() throws {
    #expect(try refusal([], top: ["root": .uid(9)])?.reason == .archive(.danglingReference(9, objects: 1)))
  }

  @Test func `keys without values`() throws {
    let dictionary: Value = ["$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]]
    let failure = try refusal([["NS.keys": [.uid(3)], "NS.objects": [], "$class": .uid(2)], dictionary, "k"])
    #expect(failure?.reason == .archive(.badCollection("the dictionary has not as many keys as values")))
  }

  @Test func `an object without a class`() throws {
    let failure = try refusal([["name": "x"]])
    #expect(failure?.reason == .archive(.malformed("object 1 has no $class")))
  }

  @Test func `a bomb of shared arrays costs what it weighs`() throws {
    // Each array holds the next one twice: 2⁴⁰ elements, were they written out.
    var objects: [Value] = (0..<40).map { index in
      ["NS.objects": [.uid(UInt64(index) + 2), .uid(UInt64(index) + 2)], "$class": .uid(42)]
    }
    objects += ["leaf", array]
    let bytes = try archive(objects)
    for target in Format.general where target != .xml {
      let output = try Conversion(to: target).convert(bytes).bytes
      #expect(output.count < 20_000)
    }
  }

  @Test func `a bomb inside arrays that stand in place costs what it weighs too`() throws {
    // Nine arrays around each pair of references.
    var objects: [Value] = (0..<40).map { index in
      let next = Value.uid(UInt64(index) + 2)
      let nested = (0..<9).reduce(Value.array([next, next])) { inner, _ in .array([inner]) }
      return ["NS.objects": nested, "$class": .uid(42)]
    }
    objects += ["leaf", array]
    let bytes = try archive(objects)
    #expect(try Conversion(to: .json).convert(bytes).bytes.count < 20_000)
  }

  @Test func `scalars that are referred to often stay within the budget`() throws {
    let text = Value.string(String(repeating: "x", count: 1 << 20))
    let many = Value.array(Array(repeating: .uid(2), count: 2000))
    let bytes = try archive([["NS.objects": many, "$class": .uid(3)], text, array])
    #expect(try Conversion(to: .json).convert(bytes).bytes.count < 2 << 20)
  }

  @Test func `a chain of arrays is as deep as the budget allows`() throws {
    let depth = 600
    var objects: [Value] = (0..<depth).map { index in
      ["NS.objects": [.uid(UInt64(index) + 2)], "$class": .uid(UInt64(depth) + 2)]
    }
    objects += ["leaf", array]
    var conversion = Conversion(to: .json)
    #expect(try conversion.convert(archive(objects)).bytes.count == 2 * depth + 7)
    conversion.budget.depth = 512
    #expect { try conversion.convert(archive(objects)) } throws: {
      ($0 as? FerryError)?.reason == .overBudget(.depth(512))
    }
    // A value in memory is released recursively.
    var options = ReadingOptions()
    options.budget = conversion.budget
    #expect {
      try options.read(MemoryInput(archive(objects)), into: ValueBuilder())
    } throws: {
      ($0 as? FerryError)?.reason == .overBudget(.depth(512))
    }
  }
}
