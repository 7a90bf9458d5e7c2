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
