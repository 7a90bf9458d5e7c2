import TestSupport
import Testing

@testable import Ferry

/// Merges of archives that share arrays, sets and dictionaries. These are values: the result does not depend on which of
/// them a version shares.
@Suite struct `Merges of shared collections` {
  /// The value of an archive with all shared collections in full.
  private static func valueInFull(_ archive: [UInt8]) throws -> Value {
    let shared = SharedObjects(try Archived.value(archive))
    return shared.inlining(shared.collections).root.orderingSets
  }

  private static func expectSame(
    _ bytes: [UInt8], _ root: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (found, expected) = (try valueInFull(bytes), try valueInFull(ArchiveMerge.archive(root)))
    #expect(found.isSame(as: expected), "\(found) is not \(expected)", sourceLocation: sourceLocation)
  }

  private static func list(_ items: String, _ id: Int, of type: String = "NSArray") -> String {
    ##"{"$class":"\##(type)","$id":\##(id),"$items":[\##(items)]}"##
  }
  private static let ref = ##"{"$ref":1}"##
  private static func pin(_ x: Int, _ id: Int) -> String {
    ##"{"$class":"Pin","$id":\##(id),"label":"pin","x":\##(x),"y":2}"##
  }

  static let cases = [
    ArchiveMerge(
      name: "one side refers to another set, and the other adds a member to the first",
      base: ##"{"a":\##(list("1,2", 1, of: "NSSet")),"b":{"$class":"NSSet","$items":[3,4]},"c":\##(ref)}"##,
      ours: ##"{"a":\##(list("3,4", 1, of: "NSSet")),"b":\##(ref),"c":{"$class":"NSSet","$items":[1,2]}}"##,
      theirs:
        ##"{"a":\##(list("1,2,5", 1, of: "NSSet")),"b":{"$class":"NSSet","$items":[3,4]},"c":\##(ref)}"##,
      merged:
        ##"{"a":{"$class":"NSSet","$items":[3,4,5]},"b":{"$class":"NSSet","$items":[3,4]},"c":{"$class":"NSSet","$items":[1,2,5]}}"##
    ),
    ArchiveMerge(
      name: "one side refers to another array, and the other adds an element to the first",
      base: ##"{"a":\##(list("1,2", 1)),"b":[3,4],"c":\##(ref)}"##,
      ours: ##"{"a":\##(list("3,4", 1)),"b":\##(ref),"c":[1,2]}"##,
      theirs: ##"{"a":\##(list("1,2,5", 1)),"b":[3,4],"c":\##(ref)}"##, merged: nil),
    ArchiveMerge(
      name: "one side adds a reference, and the other changes the array",
      base: ##"{"a":\##(list("1,2", 1)),"b":\##(ref),"c":[9]}"##,
      ours: ##"{"a":\##(list("1,2", 1)),"b":\##(ref),"c":\##(ref)}"##,
      theirs: ##"{"a":\##(list("1,2,3", 1)),"b":\##(ref),"c":[9]}"##,
      merged: ##"{"a":[1,2,3],"b":[1,2,3],"c":[1,2]}"##),
    ArchiveMerge(
      name: "one side removes a reference, and both change the array",
      base: ##"{"a":\##(list("1,2", 1)),"b":\##(ref),"c":\##(ref)}"##,
      ours: ##"{"a":\##(list("0,1,2", 1)),"b":\##(ref),"c":null}"##,
      theirs: ##"{"a":\##(list("1,2", 1)),"b":\##(ref),"c":\##(ref),"d":\##(ref)}"##,
      merged: ##"{"a":[0,1,2],"b":[0,1,2],"c":null,"d":[1,2]}"##),
    ArchiveMerge(
      name: "both sides change an array that all share",
      base: ##"{"a":\##(list("1,2", 1)),"b":\##(ref)}"##,
      ours: ##"{"a":\##(list("0,1,2", 1)),"b":\##(ref)}"##,
      theirs: ##"{"a":\##(list("1,2,3", 1)),"b":\##(ref)}"##, merged: ##"{"a":[0,1,2,3],"b":[0,1,2,3]}"##),
    ArchiveMerge(
      name: "one side replaces an array of objects, and the other changes an object in it",
      base: ##"{"a":\##(list(pin(1, 2), 1)),"b":\##(ref)}"##,
      ours: ##"{"a":\##(list(pin(1, 2), 1)),"b":[]}"##,
      theirs: ##"{"a":\##(list(pin(7, 2), 1)),"b":\##(ref)}"##,
      merged: ##"{"a":[\##(pin(7, 2))],"b":[]}"##),
    ArchiveMerge(
      name: "one side refers to an array in another, and the other changes it",
      base: ##"{"a":\##(list("1,2", 1)),"b":\##(ref),"c":[[3],\##(ref)]}"##,
      ours: ##"{"a":\##(list("1,2", 1)),"b":[\##(ref)],"c":[[3],\##(ref)]}"##,
      theirs: ##"{"a":\##(list("1", 1)),"b":\##(ref),"c":[[3],[1,2]]}"##, merged: nil),
    ArchiveMerge(
      name: "both sides add a reference to an array of values and objects",
      base: ##"{"a":["s",\##(pin(1, 2))]}"##,
      ours: ##"{"a":\##(list("\"s\",\(pin(1, 2))", 1)),"b":\##(ref),"w":7}"##,
      theirs: ##"{"a":\##(list("\"s\",\(pin(1, 2))", 1)),"b":\##(ref)}"##,
      merged: ##"{"a":\##(list("\"s\",\(pin(1, 2))", 1)),"b":\##(ref),"w":7}"##),
    ArchiveMerge(
      name: "both sides add an equal array of values and objects",
      base: ##"{"a":\##(pin(1, 2))}"##,
      ours: ##"{"a":\##(pin(1, 2)),"b":[1,{"$ref":2}]}"##,
      theirs: ##"{"a":\##(pin(1, 2)),"b":[1,{"$ref":2}]}"##,
      merged: ##"{"a":\##(pin(1, 2)),"b":[1,{"$ref":2}]}"##),
  ]

  @Test(arguments: cases) func `The result has the changes of both sides`(_ test: ArchiveMerge) throws {
    try test.expectMerged { try Self.expectSame($0, $1) }
  }

  @Test func `Equal collections that a version shares are shared in the result`() throws {
    let base = ##"{"a":\##(Self.list("1,2", 1)),"b":\##(Self.ref),"c":null}"##
    let ours = ##"{"a":\##(Self.list("1,2", 1)),"b":\##(Self.ref),"c":\##(Self.ref)}"##
    let theirs =
      ##"{"a":\##(Self.list("1,2", 1)),"b":\##(Self.ref),"c":null,"d":\##(Self.list("5", 2)),"e":{"$ref":2}}"##
    let result = try ArchiveMerge.result(base, ours, theirs)
    let objects = SharedObjects(try Archived.value(result.bytes)).objects
    #expect(objects.count == 2)
  }

  @Test func `Collections that no version shares are not shared in the result`() throws {
    func root(_ count: Int, _ more: String = "") -> String {
      let records = (0..<5).map { ##"{"n":\##($0),"tags":[]}"## }.joined(separator: ",")
      return ##"{"l":[\##(records)],"c":\##(count)\##(more)}"##
    }
    let ours = root(1, ##","p":\##(Self.list("", 1)),"q":\##(Self.ref)"##)
    let result = try ArchiveMerge.result(root(1), ours, root(2))
    let merged = SharedObjects(try Archived.value(result.bytes))
    #expect(merged.root.references.count == 2)
  }

  @Test func `Many references to a large array, and arrays in arrays, stay small`() throws {
    let items = (0..<2000).map(String.init).joined(separator: ",")
    let references = (0..<2000).map { _ in Self.ref }.joined(separator: ",")
    let base = ##"{"a":\##(Self.list(items, 1)),"b":[\##(references)],"c":1}"##
    let ours = ##"{"a":\##(Self.list(items, 1)),"b":[\##(references),\##(Self.ref)],"c":1}"##
    let theirs = ##"{"a":\##(Self.list(items, 1)),"b":[\##(references)],"c":2}"##
    let result = try ArchiveMerge.result(base, ours, theirs)
    #expect(result.conflicts.isEmpty)
    #expect(result.bytes.count < 50_000)

    var nested = Self.list("1", 1)
    for level in 2...60 { nested = Self.list(##"\##(nested),{"$ref":\##(level - 1)}"##, level) }
    let bombs = try ArchiveMerge.result(
      ##"{"a":\##(nested),"c":1}"##, ##"{"a":\##(nested),"c":1,"d":{"$ref":5}}"##,
      ##"{"a":\##(nested),"c":2}"##)
    #expect(bombs.conflicts.isEmpty)
    #expect(bombs.bytes.count < 20_000)
  }

  // MARK: Random values

  /// Fields with arrays and sets, some of which are one collection.
  private struct Fields {
    var collections: [(items: [Int], isSet: Bool)]
    /// The collection of each field.
    var fields: [Int]

    /// The fields in the typed form. With `shared`, one collection in several fields is one object.
    func text(shared: Bool) -> String {
      var begun: Set<Int> = []
      let texts = fields.enumerated().map { name, index in
        let items = collections[index].items.map(String.init).joined(separator: ",")
        let isShared = shared && fields.count { $0 == index } > 1
        guard isShared else {
          return collections[index].isSet
            ? ##""f\##(name)":{"$class":"NSSet","$items":[\##(items)]}"## : ##""f\##(name)":[\##(items)]"##
        }
        guard begun.insert(index).inserted else { return ##""f\##(name)":{"$ref":\##(index + 1)}"## }
        return ##""f\##(name)":"##
          + `Merges of shared collections`.list(
            items, index + 1, of: collections[index].isSet ? "NSSet" : "NSArray")
      }
      return "{\(texts.joined(separator: ","))}"
    }

    mutating func change(using generator: inout SeededGenerator, number: inout Int) {
      let index = Int.random(in: 0..<collections.count, using: &generator)
      let field = Int.random(in: 0..<fields.count, using: &generator)
      number += 1
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: collections[index].items.append(number)
      case 1: collections[index].items.insert(number, at: 0)
      case 2: if !collections[index].items.isEmpty { collections[index].items.removeFirst() }
      case 3: fields[field] = index
      case 4:
        collections.append(collections[fields[field]])
        fields[field] = collections.count - 1
      default:
        collections.append(([number], isSet: collections[fields[field]].isSet))
        fields[field] = collections.count - 1
      }
    }
  }

  @Test func `Values that versions share are merged as if they were not`() throws {
    var generator = SeededGenerator(seed: 33)
    var (merged, number) = (0, 100)
    for _ in 0..<400 {
      var base = Fields(collections: [], fields: [])
      for index in 0..<4 {
        let items = (0..<Int.random(in: 0...3, using: &generator)).map { 10 * index + $0 }
        base.collections.append((items, isSet: index == 3))
      }
      base.fields = (0..<5).map { _ in Int.random(in: 0..<4, using: &generator) }
      var (ours, theirs) = (base, base)
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        ours.change(using: &generator, number: &number)
      }
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        theirs.change(using: &generator, number: &number)
      }
      let shared = try ArchiveMerge.result(
        base.text(shared: true), ours.text(shared: true), theirs.text(shared: true), favoring: .ours)
      let unshared = try ArchiveMerge.result(
        base.text(shared: false), ours.text(shared: false), theirs.text(shared: false), favoring: .ours)
      let (found, expected) = (try Self.valueInFull(shared.bytes), try Self.valueInFull(unshared.bytes))
      #expect(
        found.isSame(as: expected),
        "\(found) is not \(expected): \(base.text(shared: true)) \(ours.text(shared: true)) \(theirs.text(shared: true))"
      )
      #expect(shared.conflicts.isEmpty == unshared.conflicts.isEmpty)
      if shared.conflicts.isEmpty { merged += 1 }
    }
    #expect(merged > 150)
  }
}
