import Testing

@testable import Ferry

@Suite struct `Refusals of broken archives` {
  private func refusal(_ objects: [Value], top: Value = ["root": .uid(1)]) throws -> FerryError? {
    do throws(FerryError) {
      _ = try Archived.value(try Archived.file(objects, top: top))
      return nil
    } catch {
      return error
    }
  }

  private let array: Value = ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]]

  @Test func `A reference to a missing object is refused with its place`() throws {
    let failure = try refusal([["NS.objects": [.uid(77)], "$class": .uid(2)], array])
    #expect(failure?.reason == .archive(.danglingReference(77, objects: 3)))
    #expect(failure?.location.byte != nil)
  }

  @Test func `A class that is not a class description is refused`() throws {
    let failure = try refusal([["name": "x", "$class": .uid(2)], "not a class"])
    #expect(failure?.reason == .archive(.notAClass(2)))
    #expect(failure?.location.object != nil)
  }

  @Test func `A class that is its own object is refused`() throws {
    #expect(try refusal([["name": "x", "$class": .uid(1)]])?.reason == .archive(.notAClass(1)))
  }

  @Test func `A missing root is refused`() throws {
    #expect(try refusal([], top: ["root": .uid(9)])?.reason == .archive(.danglingReference(9, objects: 1)))
  }

  @Test func `A dictionary with fewer values than keys is refused`() throws {
    let dictionary: Value = ["$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]]
    let failure = try refusal([["NS.keys": [.uid(3)], "NS.objects": [], "$class": .uid(2)], dictionary, "k"])
    #expect(failure?.reason == .archive(.badCollection("the dictionary has not as many keys as values")))
  }

  @Test func `An object without a class is refused`() throws {
    let failure = try refusal([["name": "x"]])
    #expect(failure?.reason == .archive(.malformed("object 1 has no $class")))
  }

  @Test func `An object without a class is refused also if only its value is read`() throws {
    let team: Value = ["$classname": "Team", "$classes": ["Team", "NSObject"]]
    let file = try EditableFile(
      Archived.file([["lead": .uid(2), "$class": .uid(3)], ["name": "Ada"], team]))
    for path: ValuePath in ["", "lead"] {
      let error = #expect(throws: FerryError.self) { try file.value(at: path) }
      #expect(error?.reason == .archive(.malformed("object 2 has no $class")), "\(path)")
    }
    // A class description is not an object of a class.
    #expect(try file.value(at: "$class")["$classname"] == "Team")
  }

  @Test(arguments: [Format.archive, .xmlArchive])
  func `An object that is open after a misplaced end is refused`(_ format: Format) throws {
    let error = #expect(throws: FerryError.self) {
      try Conversion(to: format).write(to: MemoryOutput()) { sink throws(FerryError) in
        try sink.beginObject(ObjectClass("P"), identity: nil)
        try? sink.endDictionary()
      }
    }
    #expect(error?.reason == .archive(.badEvents("an archive holds one whole value")))
  }

  @Test func `A misplaced end changes nothing on a tape`() throws {
    var tape = EventTape()
    tape.begin(.beginArray)
    #expect(throws: FerryError(.cannotHold(.misplaced("the end of a collection")))) {
      try tape.end(.endDictionary, of: .beginDictionary)
    }
    #expect(!tape.isBalanced && tape.count == 1)
    try tape.end(.endArray, of: .beginArray)
    #expect(tape.isBalanced && tape.count == 2)
  }

  @Test func `A bomb of shared arrays costs what it weighs`() throws {
    // Each array holds the next one twice: 2⁴⁰ elements, were they written out.
    var objects: [Value] = (0..<40).map { index in
      ["NS.objects": [.uid(UInt64(index) + 2), .uid(UInt64(index) + 2)], "$class": .uid(42)]
    }
    objects += ["leaf", array]
    let bytes = try Archived.file(objects)
    for target in Format.general where target != .xml {
      let output = try Conversion(to: target).convert(bytes).bytes
      #expect(output.count < 20_000)
    }
  }

  @Test func `A bomb inside arrays that stand in place costs what it weighs`() throws {
    // Nine arrays around each pair of references.
    var objects: [Value] = (0..<40).map { index in
      let next = Value.uid(UInt64(index) + 2)
      let nested = (0..<9).reduce(Value.array([next, next])) { inner, _ in .array([inner]) }
      return ["NS.objects": nested, "$class": .uid(42)]
    }
    objects += ["leaf", array]
    let bytes = try Archived.file(objects)
    #expect(try Conversion(to: .json).convert(bytes).bytes.count < 20_000)
  }

  @Test func `Scalars with many references stay within the budget`() throws {
    let text = Value.string(String(repeating: "x", count: 1 << 20))
    let many = Value.array(Array(repeating: .uid(2), count: 2000))
    let bytes = try Archived.file([["NS.objects": many, "$class": .uid(3)], text, array])
    #expect(try Conversion(to: .json).convert(bytes).bytes.count < 2 << 20)
  }

  @Test func `A chain of arrays is as deep as the budget allows`() throws {
    let depth = 600
    var objects: [Value] = (0..<depth).map { index in
      ["NS.objects": [.uid(UInt64(index) + 2)], "$class": .uid(UInt64(depth) + 2)]
    }
    objects += ["leaf", array]
    var conversion = Conversion(to: .json)
    #expect(try conversion.convert(Archived.file(objects)).bytes.count == 2 * depth + 7)
    conversion.reading.budget.depth = 512
    #expect { try conversion.convert(Archived.file(objects)) } throws: {
      ($0 as? FerryError)?.reason == .overBudget(.depth(512))
    }
    // A value in memory is released recursively.
    var options = ReadingOptions()
    options.budget = conversion.reading.budget
    #expect {
      try options.read(MemoryInput(Archived.file(objects)), into: ValueBuilder())
    } throws: {
      ($0 as? FerryError)?.reason == .overBudget(.depth(512))
    }
  }
}
