import TestSupport
import Testing

@testable import Ferry

/// Conversions of binary property lists and archives by several threads, each of which sends ranges of elements.
@Suite struct `Conversions of ranges of elements` {
  /// The sizes of ranges of one element.
  private static let everyElement = PartSizes(smallestInput: 0, part: 1, longPart: 1)

  private func outcome(
    of conversion: Conversion, _ bytes: [UInt8], threads: Int, _ sizes: PartSizes
  ) -> ConversionOutcome {
    var conversion = conversion
    (conversion.threads, conversion.partSizes) = (threads, sizes)
    return ConversionOutcome(of: conversion, MemoryInput(bytes), named: "a.plist")
  }

  /// Expects that several threads give the result of one.
  private func expectSame(
    _ conversion: Conversion, _ bytes: [UInt8], sizes: PartSizes = everyElement,
    _ comment: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let one = outcome(of: conversion, bytes, threads: 1, sizes)
    let several = outcome(of: conversion, bytes, threads: 3, sizes)
    guard one != several else { return }
    func shortened(_ outcome: ConversionOutcome) -> String { String("\(outcome)".prefix(2000)) }
    Issue.record(
      "\(comment()) \(conversion.writing.format):\none thread: \(shortened(one))\nthree threads: \(shortened(several))",
      sourceLocation: sourceLocation)
  }

  /// Returns the way in which a conversion takes an input.
  private func way(
    of conversion: Conversion, _ bytes: [UInt8], sizes: PartSizes = everyElement
  ) throws -> ConversionWay {
    try ConversionWay(of: conversion, MemoryInput(bytes), from: nil, sizes: sizes)
  }

  // MARK: Conversions that are compared

  private static func conversion(to target: Format, _ change: (inout Conversion) -> Void) -> Conversion {
    var conversion = Conversion(to: target)
    change(&conversion)
    return conversion
  }

  private static var conversions: [Conversion] {
    [
      Conversion(to: .json), Conversion(to: .jsonLines), Conversion(to: .json5),
      Conversion(to: .jsonSequence), Conversion(to: .csv), Conversion(to: .yaml),
      conversion(to: .json) { $0.writing.isPretty = true },
      conversion(to: .jsonLines) { $0.writing.sortsKeys = true },
      conversion(to: .json) { $0.isStrict = true }, conversion(to: .jsonLines) { $0.isStrict = true },
      conversion(to: .json) { $0.writing.shared = .inFull },
      conversion(to: .json) { $0.writing.representation = .typed },
      conversion(to: .json) { $0.writing.representation = .raw },
      conversion(to: .json) { $0.listsLosses = false },
      conversion(to: .jsonLines) { $0.reading.select = "[*].first" },
      conversion(to: .json) { $0.reading.select = "[1]" },
      conversion(to: .json) { $0.reading.budget.depth = 3 },
      conversion(to: .json) {
        ($0.reading.budget.amplification, $0.reading.budget.amplificationFloor) = (1, 0)
      },
      conversion(to: .jsonLines) {
        ($0.reading.budget.amplification, $0.reading.budget.amplificationFloor) = (2, 300)
      },
      conversion(to: .jsonLines) { $0.keepsGoing = true },
    ]
  }

  // MARK: Archives

  private static let classes: [Value] = [
    ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]],
    ["$classname": "NSMutableArray", "$classes": ["NSMutableArray", "NSArray", "NSObject"]],
    ["$classname": "Person", "$classes": ["Person", "NSObject"]],
    ["$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]],
    ["$classname": "NSDate", "$classes": ["NSDate", "NSObject"]],
    ["$classname": "NSSet", "$classes": ["NSSet", "NSObject"]],
  ]

  /// Returns an archive of a list of objects. The root is the first object, followed by the classes and the objects.
  private static func archive(
    ofType type: Int = 0, elements: [Int], _ objects: [Value]
  ) throws(FerryError) -> [UInt8] {
    let root: Value = [
      "NS.objects": .array(elements.map { .uid(UInt64(number(of: $0))) }), "$class": .uid(UInt64(2 + type)),
    ]
    return try Archived.file([root] + classes + objects)
  }

  /// Returns the number of an object after the classes.
  private static func number(of object: Int) -> Int { 2 + classes.count + object }

  private static func person(_ entries: (String, Value)...) -> Value {
    var values = KeyedValues()
    for (key, value) in entries { values[.string(key)] = value }
    values[.string("$class")] = .uid(4)
    return .dictionary(values)
  }

  /// Returns an archive of persons with an age and a name of their own.
  private static func people(_ count: Int, ofType type: Int = 0) throws(FerryError) -> [UInt8] {
    var objects: [Value] = []
    for index in 0..<count {
      objects.append(
        person(("first", .uid(UInt64(number(of: 2 * index + 1)))), ("age", .integer(Int128(index)))))
      objects.append(.string("Ada \(index)"))
    }
    return try archive(ofType: type, elements: (0..<count).map { 2 * $0 }, objects)
  }

  @Test func `Lists of independent objects are converted in ranges`() throws {
    for type in [0, 1] {
      let bytes = try Self.people(5, ofType: type)
      for target in [Format.json, .jsonLines, .json5, .jsonSequence] {
        #expect(try way(of: Conversion(to: target), bytes) == .parts, "\(target)")
      }
      for conversion in Self.conversions { expectSame(conversion, bytes, "type \(type)") }
    }
    let bytes = try Self.people(5)
    #expect(try way(of: Conversion(to: .json), bytes, sizes: PartSizes()) == .oneThread)
    #expect(try way(of: Self.conversion(to: .json) { $0.reading.select = "[0]" }, bytes) == .oneThread)
    #expect(
      try way(of: Self.conversion(to: .json) { $0.writing.representation = .typed }, bytes) == .oneThread)
    #expect(try way(of: Conversion(to: .csv), bytes) == .oneThread)
    #expect(try way(of: Self.conversion(to: .json) { $0.isStrict = true }, bytes) == .partsThenOneThread)
  }

  @Test func `Objects that are written once leave the archive to one thread`() throws {
    let friend = Self.person(("first", "Grace"), ("list", [1, 2]))
    let number = Value.uid(UInt64(Self.number(of: 2)))
    let objects = [Self.person(("friend", number)), Self.person(("friend", number)), friend]
    #expect(try way(of: Conversion(to: .json), Self.archive(elements: [0, 1], objects)) == .oneThread)
    // A person of nothing but scalars is written in full each time, but not with `inFull`, which reports that.
    let leaf = Self.person(("first", "Grace"))
    let bytes = try Self.archive(elements: [0, 1], objects.dropLast() + [leaf])
    #expect(try way(of: Conversion(to: .json), bytes) == .parts)
    #expect(try way(of: Self.conversion(to: .json) { $0.writing.shared = .inFull }, bytes) == .oneThread)
    for conversion in Self.conversions { expectSame(conversion, bytes) }
  }

  @Test func `Many losses are counted and listed as by one thread`() throws {
    let bytes = try Self.people(12_000)
    let sizes = PartSizes(smallestInput: 0, part: 3000)
    for type in [Format.json, .jsonLines] {
      #expect(try way(of: Conversion(to: type), bytes, sizes: sizes) == .parts)
      expectSame(Conversion(to: type), bytes, sizes: sizes)
    }
  }

  @Test func `The result for random archives is that of one thread`() throws {
    var random = SeededGenerator(seed: 17)
    for round in 0..<300 {
      let bytes = try Self.randomArchive(using: &random)
      let sizes = PartSizes(
        smallestInput: 0, part: Int.random(in: 1...300, using: &random),
        largestText: Bool.random(using: &random) ? 60 : 1 << 20)
      for conversion in Self.conversions.shuffled(using: &random).prefix(6) {
        expectSame(conversion, bytes, sizes: sizes, "round \(round)")
      }
    }
  }

  @Test func `The result for damaged archives is that of one thread`() throws {
    var random = SeededGenerator(seed: 19)
    let whole = try Self.people(6)
    for round in 0..<400 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: 8..<bytes.count - 32, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      for conversion in Self.conversions.shuffled(using: &random).prefix(3) {
        expectSame(conversion, bytes, "round \(round)")
      }
    }
  }

  private static func randomArchive(using random: inout SeededGenerator) throws(FerryError) -> [UInt8] {
    func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
    let count = Int.random(in: 1...14, using: &random)
    let sharing = [1 << 40, 20, 4][Int.random(in: 0..<3, using: &random)]
    let mistake = [1 << 40, 1 << 40, 40][Int.random(in: 0..<3, using: &random)]
    /// The next object that nothing refers to yet.
    var next = 0
    func reference() -> Value {
      if chance(mistake) { return .uid(999) }
      if chance(sharing) {
        return .uid(UInt64(chance(8) ? 1 : number(of: Int.random(in: 0..<count, using: &random))))
      }
      next += 1
      return .uid(UInt64(number(of: next - 1)))
    }
    func value() -> Value {
      switch Int.random(in: 0..<9, using: &random) {
      case 0: return .integer(Int128(Int.random(in: 0...3, using: &random)))
      case 1: return "Ada"
      case 2: return .uid(0)
      case 3: return .boolean(true)
      case 4: return [1, reference()]
      case 5: return .real(2.5)
      default: return reference()
      }
    }
    let type = Int.random(in: 0..<2, using: &random)
    let elements = (0..<Int.random(in: 0...count, using: &random)).map { _ in value() }
    let root: Value = ["NS.objects": .array(elements), "$class": .uid(UInt64(2 + type))]
    var objects: [Value] = []
    while objects.count < max(count, next), objects.count < 60 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: objects.append(.string("text \(objects.count)"))
      case 1: objects.append(["NS.objects": [value(), value()], "$class": .uid(2)])
      case 2: objects.append(["NS.keys": ["a"], "NS.objects": [value()], "$class": .uid(5)])
      case 3: objects.append(["NS.time": .real(Double(objects.count)), "$class": .uid(6)])
      case 4: objects.append(["NS.objects": [value()], "$class": .uid(7)])
      case 5 where chance(mistake): objects.append(["a": 1])
      default: objects.append(person(("first", value()), ("last", value())))
      }
    }
    return try Archived.file([root] + classes + objects)
  }

  // MARK: Property lists

  @Test func `Property lists are converted in ranges`() throws {
    let people = try PropertyLists.binary([
      ["a": 1], ["a": "x", "b": [true, 2.5]], 3, "y", [], ["d": .date(secondsSince2001: 1)],
    ])
    for target in [Format.json, .jsonLines] {
      #expect(try way(of: Conversion(to: target), people) == .parts)
    }
    for conversion in Self.conversions { expectSame(conversion, people) }
    let dictionary = try PropertyLists.binary(["a": [["b": 1], ["b": 2]]])
    #expect(try way(of: Conversion(to: .json), dictionary) == .oneThread)
    for conversion in Self.conversions { expectSame(conversion, dictionary) }
    for list: Value in [[], [1], [[[]]]] {
      for conversion in Self.conversions { expectSame(conversion, try PropertyLists.binary(list)) }
    }
  }

  @Test func `Shared values of a property list cost what they cost one thread`() throws {
    var objects = BinaryObjects()
    let root = objects.add([])
    let text = objects.string(String(repeating: "x", count: 100))
    let list = objects.add(BinaryObjects.array([Int](repeating: text, count: 20)))
    objects.replace(root, BinaryObjects.array([Int](repeating: list, count: 30)))
    let bytes = objects.file
    #expect(try way(of: Conversion(to: .json), bytes) == .parts)
    for (factor, way) in [(1000, ConversionWay.parts), (10, .partsThenOneThread)] {
      let conversion = Self.conversion(to: .json) {
        ($0.reading.budget.amplification, $0.reading.budget.amplificationFloor) = (factor, 0)
      }
      #expect(try self.way(of: conversion, bytes) == way)
      expectSame(conversion, bytes)
    }
  }

  @Test func `The result for random property lists is that of one thread`() {
    var random = SeededGenerator(seed: 23)
    for round in 0..<300 {
      var objects = BinaryObjects()
      let root = objects.add([])
      let key = objects.string("a")
      var known = [objects.string("x"), objects.add([0x09]), objects.add([0x10, 7]), key]
      func some() -> Int { known[Int.random(in: 0..<known.count, using: &random)] }
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let object =
          switch Int.random(in: 0..<6, using: &random) {
          case 0: objects.string("text \(known.count)")
          case 1: objects.add(BinaryObjects.array([some(), some()]))
          case 2: objects.add(BinaryObjects.dictionary([(key, some())]))
          case 3: objects.add(BinaryObjects.dictionary([(key, some()), (known[0], some())]))
          case 4: objects.add([0x33] + [UInt8](repeating: 0x41, count: 8))
          default: objects.add(BinaryObjects.dictionary([(key, Bool.random(using: &random) ? root : some())]))
          }
        known.append(object)
      }
      if Int.random(in: 0..<5, using: &random) == 0 { known.append(objects.add([0x7f])) }
      let elements = (0..<Int.random(in: 0...20, using: &random)).map { _ in some() }
      objects.replace(root, BinaryObjects.array(elements))
      for conversion in Self.conversions.shuffled(using: &random).prefix(6) {
        expectSame(conversion, objects.file, "round \(round)")
      }
    }
  }

  // MARK: Files

  @Test(arguments: ["keyed", "plist", "people"]) func `The result for real files is that of one thread`(
    _ folder: String
  ) throws {
    for file in try Corpus.files(under: folder) {
      let bytes = try Corpus.bytes(file)
      guard bytes.count < 1 << 20, bytes.starts(with: "bplist".utf8) else { continue }
      for target in [Format.json, .jsonLines] {
        expectSame(Conversion(to: target), bytes, file)
        expectSame(Self.conversion(to: target) { $0.writing.shared = .inFull }, bytes, file)
      }
    }
  }

  @Test(arguments: HostileFile.allCases) func `The result for hostile files is that of one thread`(
    _ file: HostileFile
  ) {
    let sizes = PartSizes(smallestInput: 0, part: 2000)
    for target in [Format.json, .jsonLines] {
      expectSame(Conversion(to: target), file.bytes, sizes: sizes, "\(file)")
    }
  }
}
