import TestSupport
import Testing

@testable import Ferry

@Suite struct `Objects that stay when a decoded form changes` {
  /// An attributed string of three runs. Its attributes share a list with each other and with the key `y`.
  private static func archive(_ list: Value) throws -> [UInt8] {
    let shared = Value.object(ObjectValue(ObjectClass("NSMutableArray"), identity: 7, content: list))
    let runs: Value = [
      ["length": 1, "attributes": ["k": shared]],
      ["length": 2, "attributes": ["m": .reference(7)]],
      ["length": 1, "attributes": ["k": .reference(7), "c": 3]],
    ]
    return try Archived.bytes([
      "x": .object(
        ObjectValue(ObjectClass("NSMutableAttributedString"), content: ["string": "abcd", "runs": runs])),
      "y": .reference(7),
    ])
  }

  private static let lists: [Value] = [["a"], [["a"], ["b": 1]]]

  @Test(arguments: ["abcdef", "abc", "ab", "a"], lists.indices)
  func `The attributes of an attributed string that gets another length share what they shared`(
    text: String, list: Int
  ) throws {
    let inner = list == 0 ? "[0]" : "[0][0]"
    let edited = try Edited.set(Self.archive(Self.lists[list]), "x.string", text)
    #expect(try Edited.value(edited, "x.string") == .string(text))
    let changed = try Edited.set(edited, "y\(inner)", "changed")
    for run in 0..<(text.utf16.count > 3 ? 3 : text.utf16.count > 1 ? 2 : 1) {
      let key = run == 1 ? "m" : "k"
      #expect(try Edited.value(changed, "x.runs[\(run)].attributes.\(key)\(inner)") == "changed", "\(run)")
    }
  }

  /// An archive of an attributed string whose first and last runs have the same attributes.
  private static func repeatedRuns(_ attributes: Value) throws -> [UInt8] {
    let runs: Value = [
      ["length": 1, "attributes": attributes], ["length": 2, "attributes": ["m": 1]],
      ["length": 1, "attributes": attributes],
    ]
    let type = ObjectClass("NSMutableAttributedString")
    return try Archived.bytes(["x": .object(ObjectValue(type, content: ["string": "abcd", "runs": runs]))])
  }

  @Test(arguments: [0, 2])
  func `A change of the attributes of one run leaves those of other runs unchanged`(run: Int) throws {
    let bytes = try Self.repeatedRuns(["size": 12, "list": ["a", "b"]])
    let attributes = "x.runs[\(run)].attributes"
    let other: Value = ["size": 12, "list": ["a", "b"]]
    let edits: [(edited: [UInt8], Value)] = try [
      (Edited.set(bytes, "\(attributes).size", "13"), ["size": 13, "list": ["a", "b"]]),
      (Edited.remove(bytes, "\(attributes).list"), ["size": 12]),
      (
        Edited.insert(bytes, "\(attributes).bold", "yes"),
        ["size": 12, "list": ["a", "b"], "bold": "yes"]
      ),
      (
        Edited.set(bytes, attributes, #"{"size":14,"list":["a","b"]}"#, as: .json),
        ["size": 14, "list": ["a", "b"]]
      ),
    ]
    for (edited, value) in edits {
      #expect(try Edited.value(edited, attributes).sorted == value.sorted)
      #expect(try Edited.value(edited, "x.runs[\(2 - run)].attributes").sorted == other.sorted)
      #expect(try Edited.value(edited, "x.runs[1].attributes") == ["m": 1])
    }
  }

  @Test func `The attributes of a run that get the value which they have are not copied`() throws {
    let bytes = try Self.repeatedRuns(["size": 12])
    #expect(try Edited.set(bytes, "x.runs[2].attributes.size", "12") == bytes)
    #expect(throws: FerryError.self) { try Edited.set(bytes, "x.runs[2].attributes.size", "a") }
    let file = try EditableFile(bytes)
    #expect(throws: FerryError.self) { try file.remove(at: ValuePath(parsing: "x.runs[2].attributes.no")) }
    #expect(try file.bytes() == bytes)
  }

  /// An archive of an attributed string that stores equal attributes twice, in a list of a class.
  private static func equalAttributes(in list: String) throws -> [UInt8] {
    func type(_ names: Value...) -> Value { ["$classname": names[0], "$classes": .array(names)] }
    let attributes: Value = ["NS.keys": [.uid(4)], "NS.objects": [.uid(5)], "$class": .uid(8)]
    return try Archived.file([
      ["NSString": .uid(2), "NSAttributes": .uid(3), "NSAttributeInfo": .uid(10), "$class": .uid(9)],
      "0123456789", ["NS.objects": [.uid(6), .uid(7)], "$class": .uid(11)], "Size", 12, attributes,
      attributes, type("NSDictionary", "NSObject"), type("NSAttributedString", "NSObject"),
      .data([4, 0, 6, 1]),
      list == "NSArray" ? type("NSArray", "NSObject") : type("NSMutableArray", "NSArray", "NSObject"),
    ])
  }

  @Test(arguments: ["NSArray", "NSMutableArray"], [("0123456789ab", 8), ("01234", 1), ("012", 0)])
  func `The text of an attributed string with equal attributes gets another length`(
    list: String, change: (String, Int)
  ) throws {
    let (text, last) = change
    let bytes = try Self.equalAttributes(in: list)
    let edited = try Edited.set(bytes, "string", text)
    #expect(try Edited.value(edited, "string") == .string(text))
    let runs = last > 0 ? [4, last] : [3]
    #expect(try Edited.value(edited, "runs[*].length") == .array(runs.map { .integer(Int128($0)) }))
    let raw = try Archived.raw(edited)["$objects"]
    #expect(raw?[3]?["$class"] == .uid(11), "the list keeps its class")
    #expect(raw?[11]?["$classname"] == .string(list))
    #expect(raw?[6]?["NS.objects"] == [.uid(5)], "the attributes keep their object")
  }

  @Test(arguments: [-5, Int.min, 99, .max])
  func `Attributes that refer to an object which the archive does not have are refused`(number: Int) throws {
    let bytes = try Self.repeatedRuns(["size": 12])
    let runs = #"[{"length":4,"attributes":{"$ref":\#(number)}}]"#
    let error = #expect(throws: FerryError.self) { try Edited.set(bytes, "x.runs", runs, as: .typed) }
    #expect(error?.message.contains("no object has that identity") == true, "\(String(describing: error))")
  }

  @Test(arguments: lists.indices)
  func `A run cannot be removed without its text`(list: Int) throws {
    let bytes = try Self.archive(Self.lists[list])
    for index in 0..<3 {
      let (problem, place) = try Edited.problem { _ = try Edited.remove(bytes, "x.runs[\(index)]") }
      #expect(place == "x.runs")
      #expect(problem.description.contains("UTF-16 units long, and the text 4"), "\(problem)")
    }
  }
}
