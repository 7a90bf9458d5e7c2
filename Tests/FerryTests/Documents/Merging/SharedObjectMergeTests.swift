import TestSupport
import Testing

@testable import Ferry

/// Merges of archives in which objects refer to each other. The expected result is our file with their changes
/// made in it: every other object keeps its number, and every value stays inline or an object.
@Suite struct `Merges in archives with shared objects` {
  private func archive(_ root: String) throws -> [UInt8] {
    let text = #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":\#(root)}}"#
    return try Conversion(to: .archive).convert(Array(text.utf8)).bytes
  }

  private func typed(_ bytes: [UInt8]) throws -> String {
    var conversion = Conversion(to: .json)
    conversion.writing.representation = .typed
    return String(decoding: try conversion.convert(bytes).bytes, as: UTF8.self)
  }

  private func merge(_ base: [UInt8]?, _ ours: [UInt8], _ theirs: [UInt8]) throws -> (
    bytes: [UInt8], conflicts: [MergeConflict], losses: [Loss.Kind]
  ) {
    var merge = DocumentMerge()
    merge.matchesSchemas = false
    let mine = try merge.read(ours)
    let others = try merge.read(theirs, as: mine)
    let result = try merge.merge(
      base: try base.map { try merge.read($0, as: mine) }, ours: mine, theirs: others)
    return (result.bytes, result.conflicts, result.losses.listed.map(\.kind))
  }

  private func edited(_ bytes: [UInt8], _ change: (EditableFile) throws -> Void) throws -> [UInt8] {
    var options = EditableFile.Options()
    options.decodedForms = .scalars
    let file = try EditableFile(bytes, options: options)
    try change(file)
    return try file.bytes()
  }

  private func path(_ text: String) throws -> ValuePath { try ValuePath(parsing: text) }

  /// A tree whose nodes refer to their parents and siblings, and have inline data. Two nodes are equal but for
  /// their positions.
  private let tree = """
    {"$class":"Tree","$id":1,"raw":{"$inline":{"$data":"AAEC"}},"nodes":[
      {"$class":"Node","$id":2,"tree":{"$ref":1},"raw":{"$inline":{"$data":"AA=="}},"n":1,
       "next":{"$class":"Node","$id":3,"tree":{"$ref":1},"raw":{"$inline":{"$data":"AA=="}},"n":2,"next":{"$ref":2}}},
      {"$ref":3},
      {"$class":"Node","$id":4,"tree":{"$ref":1},"raw":{"$inline":{"$data":"AA=="}},"n":3,"next":{"$ref":5}},
      {"$class":"Node","$id":5,"tree":{"$ref":1},"raw":{"$inline":{"$data":"AA=="}},"n":3,"next":{"$ref":4}}]}
    """

  @Test(arguments: [
    ("nodes[0].n", "nodes[1].n"), ("nodes[1].n", "nodes[0].n"), ("nodes[2].n", "nodes[3].n"),
    ("nodes[3].n", "nodes[2].n"), ("nodes[0].n", "nodes[3].n"),
  ])
  func `Changes of objects that refer to each other are made in our file`(
    _ first: String, _ second: String
  ) throws {
    let base = try archive(tree)
    let ours = try edited(base) { try $0.set(.integer(70), at: path(first)) }
    let theirs = try edited(base) { try $0.set(.integer(80), at: path(second)) }
    let both = try edited(ours) { try $0.set(.integer(80), at: path(second)) }
    let merged = try merge(base, ours, theirs)
    #expect(merged.conflicts.isEmpty && merged.losses.isEmpty)
    #expect(merged.bytes == both)
    // Three versions of which two are equal.
    #expect(try merge(base, base, theirs).bytes == theirs)
    #expect(try merge(nil, ours, ours).bytes == ours)
  }

  /// People of groups, with inline data in both.
  private func people(_ people: [String], first group: String = #""name":"a""#) -> String {
    let list = people.enumerated().map { index, person in
      let group =
        index == 0
        ? #"{"$class":"Group","$id":9,\#(group),"raw":{"$inline":{"$data":"AA=="}}}"# : #"{"$ref":9}"#
      return #"{"$class":"Person",\#(person),"raw":{"$inline":{"$data":"AA=="}},"group":\#(group)}"#
    }
    return "[\(list.joined(separator: ","))]"
  }

  @Test func `A new record refers to an object that our file has`() throws {
    let base = try archive(people([#""id":1"#, #""id":2"#]))
    let ours = try archive(people([#""id":1"#, #""id":2"#], first: #""name":"b""#))
    let theirs = try archive(people([#""id":1"#, #""id":2"#, #""id":3"#]))
    let merged = try merge(base, ours, theirs)
    #expect(merged.conflicts.isEmpty && merged.losses.isEmpty)
    let text = try typed(merged.bytes)
    #expect(text.components(of: #""$inline""#) == 4)
    #expect(text.components(of: #""$ref""#) == 2)
    #expect(text.components(of: #""name":"b""#) == 1)
    // The objects of ours keep their numbers.
    let (before, after) = (try EditableFile(ours), try EditableFile(merged.bytes))
    for number in 1..<8 {
      let path = ValuePath([.key("$objects"), .index(number)])
      guard case .string(let text) = try before.value(at: path).scalar else { continue }
      #expect(try after.value(at: path).scalar == .string(text))
    }
  }

  @Test func `Two new records share a new object`() throws {
    let base = try archive(#"[{"$class":"Person","id":1,"n":1}]"#)
    let ours = try archive(#"[{"$class":"Person","id":1,"n":2}]"#)
    let theirs = try archive(
      #"""
      [{"$class":"Person","id":1,"n":1},
       {"$class":"Person","id":2,"group":{"$class":"Group","$id":5,"name":"g","first":{"$ref":6}}},
       {"$class":"Person","$id":6,"id":3,"group":{"$ref":5}}]
      """#)
    let merged = try merge(base, ours, theirs)
    #expect(merged.conflicts.isEmpty && merged.losses.isEmpty)
    let text = try typed(merged.bytes)
    #expect(text.components(of: #""name":"g""#) == 1)
    #expect(text.components(of: #""$ref""#) == 2)
    #expect(text.components(of: #""$class":"Person""#) == 3)
    #expect(text.components(of: #""n":2"#) == 1)
  }

  @Test func `An object that only their version shares stays one object`() throws {
    let group = #"{"$class":"Group","name":"g","raw":{"$inline":{"$data":"AA=="}}}"#
    let shared = #"{"$class":"Group","$id":4,"name":"g","raw":{"$inline":{"$data":"AA=="}}}"#
    let base = try archive(#"{"a":\#(group),"n":1}"#)
    let ours = try archive(#"{"a":\#(group),"n":2}"#)
    let theirs = try archive(#"{"a":\#(shared),"n":1,"b":{"$ref":4},"c":{"$ref":4}}"#)
    let merged = try merge(base, ours, theirs)
    #expect(merged.conflicts.isEmpty && merged.losses.isEmpty)
    let text = try typed(merged.bytes)
    #expect(text.components(of: #""$inline""#) == 1)
    #expect(text.components(of: #""$ref""#) == 2)
  }

  @Test func `An object stays when the first record that refers to it is removed`() throws {
    let base = try archive(people([#""id":1"#, #""id":2"#, #""id":3"#]))
    let ours = try archive(people([#""id":1"#, #""id":2"#, #""id":3"#], first: #""name":"b""#))
    let theirs = try archive(people([#""id":2"#, #""id":3"#]))
    let merged = try merge(base, ours, theirs)
    #expect(merged.conflicts.isEmpty && merged.losses.isEmpty)
    let text = try typed(merged.bytes)
    #expect(text.components(of: #""$inline""#) == 3)
    #expect(text.components(of: #""name":"b""#) == 1)
    #expect(text.components(of: #""$ref""#) == 1)
  }

  @Test func `Members of sets are changed, removed and added in our file`() throws {
    func set(_ members: String) throws -> [UInt8] {
      try archive(#"{"s":{"$class":"NSSet","$items":[\#(members)]},"n":1}"#)
    }
    func member(_ name: String, _ n: Int) -> String {
      #"{"$class":"Member","name":"\#(name)","kind":"x","raw":{"$inline":{"$data":"AA=="}},"n":\#(n)}"#
    }
    let base = try set([member("a", 1), member("b", 1), member("c", 1)].joined(separator: ","))
    let ours = try edited(base) { try $0.set(.integer(2), at: path("n")) }
    let theirs = try set([member("a", 2), member("c", 1), member("d", 1)].joined(separator: ","))
    let merged = try merge(base, ours, theirs)
    #expect(merged.conflicts.isEmpty && merged.losses.isEmpty)
    let text = try typed(merged.bytes)
    #expect(text.components(of: #""$inline""#) == 3)
    for part in [#""name":"a""#, #""name":"c""#, #""name":"d""#, #""n":2"#] { #expect(text.contains(part)) }
    #expect(!text.contains(#""name":"b""#))
  }

  @Test func `Hundreds of new records leave the other objects as they are`() throws {
    let people = (0..<20).map {
      #"{"$class":"Person","id":\#($0),"raw":{"$inline":{"$data":"AA=="}},"name":{"$inline":"x"}}"#
    }
    let base = try archive("[\(people.joined(separator: ","))]")
    let ours = try edited(base) { try $0.set(.integer(99), at: path("[3].id")) }
    let theirs = try edited(base) { file in
      for id in 1000..<1400 { try file.insert(["id": .integer(Int128(id))], at: ValuePath([.end])) }
    }
    let merged = try merge(base, ours, theirs)
    #expect(merged.conflicts.isEmpty && merged.losses.isEmpty)
    #expect(try typed(merged.bytes).components(of: #""$inline""#) == 40)
    #expect(try EditableFile(merged.bytes).value(at: path("[419].id")).scalar == .integer(1399))
  }

  @Test func `New objects store their values like the objects of their class`() throws {
    func person(_ id: Int, _ name: String) -> String {
      #"{"$class":"Person","id":\#(id),"n":{"$object":\#(id * 1000)},"name":{"$inline":"\#(name)"},"b":true}"#
    }
    let base = try archive("[\(person(1, "a"))]")
    let ours = try edited(base) { try $0.set(.string("b"), at: path("[0].name")) }
    let merged = try merge(base, ours, archive("[\(person(1, "a")),\(person(2, "c"))]"))
    #expect(merged.conflicts.isEmpty && merged.losses.isEmpty)
    let both = try archive("[\(person(1, "b")),\(person(2, "c"))]")
    #expect(try typed(merged.bytes).components(of: #""$inline""#) == 2)
    #expect(try typed(merged.bytes).components(of: #""$object""#) == 2)
    #expect(try Archived.value(merged.bytes) == Archived.value(both))
    let inserted = try edited(base) { file in
      let new = Value.object(
        ObjectValue(ObjectClass("Person"), content: ["n": 5, "name": "x", "other": "y"]))
      try file.insert(new, at: path("[]"))
    }
    let text = try typed(inserted)
    #expect(text.contains(#""n":{"$object":5}"#) && text.contains(#""name":{"$inline":"x"}"#))
    #expect(text.contains(#""other":"y""#))
  }

  @Test func `New objects with several references store their values like the objects of their class`() throws
  {
    func person(_ id: Int, _ more: String = "") -> String {
      #"{"$class":"Person"\#(more),"id":\#(id),"n":{"$object":\#(id * 1000)},"name":{"$inline":"x"}}"#
    }
    let base = try archive(#"{"people":[\#(person(1))],"v":1}"#)
    let ours = try archive(#"{"people":[\#(person(1))],"v":2}"#)
    let theirs = try archive(#"{"people":[\#(person(1)),\#(person(2, #","$id":9"#)),{"$ref":9}],"v":1}"#)
    let merged = try merge(base, ours, theirs)
    #expect(merged.conflicts.isEmpty && merged.losses.isEmpty)
    let text = try typed(merged.bytes)
    #expect(text.components(of: #""$inline""#) == 2 && text.components(of: #""$object""#) == 2)
  }

  @Test(arguments: [Format.archive, .xmlArchive])
  func `A key that a class stores in both ways is stored in the usual way`(_ format: Format) throws {
    let root = #"[{"$class":"P","n":1,"s":{"$inline":"a"}},{"$class":"P","n":{"$object":2},"s":"b"}]"#
    let text = #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":\#(root)}}"#
    let base = try Conversion(to: format).convert(Array(text.utf8)).bytes
    let inserted = try edited(base) { file in
      let new = Value.object(ObjectValue(ObjectClass("P"), content: ["n": 5, "s": "c"]))
      try file.insert(new, at: path("[]"))
    }
    #expect(try typed(inserted).contains(#"{"$class":"P","n":5,"s":"c"}"#))
  }

  @Test func `A key that is inserted is stored as in the other objects of the class`() throws {
    let base = try archive(
      #"[{"$class":"P","id":1,"n":{"$object":2},"s":{"$inline":"b"}},{"$class":"P","id":2}]"#)
    let inserted = try edited(base) { file in
      try file.insert(.integer(5), at: path("[1].n"))
      try file.insert(.string("c"), at: path("[1].s"))
    }
    #expect(try typed(inserted).contains(#""n":{"$object":5},"s":{"$inline":"c"}"#))
  }

  @Test(arguments: [nil, "id"]) func `A change of one record is not made in another record`(_ key: String?)
    throws
  {
    func record(_ id: String, _ note: Int) throws -> [UInt8] {
      try archive(
        ##"[{"$class":"R","$id":3,"id":"\##(id)","note":\##(note),"own":{"$ref":3}},{"$class":"R","id":"z"}]"##
      )
    }
    var merge = DocumentMerge()
    (merge.matchesSchemas, merge.key) = (false, key)
    let mine = try merge.read(record("id9", 1))
    let result = try merge.merge(
      base: try merge.read(record("id1", 1), as: mine), ours: mine,
      theirs: try merge.read(record("id1", 7), as: mine))
    #expect(result.conflicts.count == 1)
    // With either side favored, the result has that side's record.
    for side in [FavoredSide.ours, .theirs] {
      merge.favored = side
      let result = try merge.merge(
        base: try merge.read(record("id1", 1), as: mine), ours: mine,
        theirs: try merge.read(record("id1", 7), as: mine))
      #expect(result.conflicts.count == 1)
      let text = try typed(result.bytes)
      #expect(text.contains("id9") && text.contains(#""note":7"#) == (side == .theirs))
      #expect(text.contains("id1") == (side == .theirs))
    }
  }

  @Test func `A class may have any name`() throws {
    func version(_ n: Int, _ other: String) throws -> [UInt8] {
      try archive(
        #"{"n":\#(n),"list":[\#(other)],"x":{"$class":"X","$id":1},"y":{"$ref":1}}"#)
    }
    for name in [#"\u0000-5"#, #"\u00003"#, #"\u0000"#] {
      let odd = #"{"$class":"Y","z":{"$class":"\#(name)","a":1},"x":{"$ref":1}}"#
      let theirs = try version(1, odd)
      let merged = try merge(version(1, ""), version(2, ""), theirs)
      #expect(merged.conflicts.isEmpty)
      #expect(try typed(merged.bytes).components(of: #""a":1"#) == 1)
    }
  }

  @Test func `A large set is replaced in a time that grows with it`() throws {
    func set(_ kind: String) throws -> [UInt8] {
      let members = (0..<2000).map { #"{"$class":"M","name":"\#(kind)\#($0)","kind":"x"}"# }
      return try archive(
        #"{"s":{"$class":"NSSet","$items":[\#(members.joined(separator: ","))]},"n":"\#(kind)"}"#)
    }
    let (base, ours) = (try set("a"), try edited(set("a")) { try $0.set(.string("b"), at: path("n")) })
    let theirs = try edited(set("c")) { try $0.set(.string("a"), at: path("n")) }
    try expectProcessorTime(atMost: .seconds(20)) {
      let merged = try merge(base, ours, theirs)
      #expect(merged.conflicts.isEmpty)
    }
  }

  @Test func `A conflict has the versions of a shared object that one side removed`() throws {
    let base = try archive(
      ##"{"l":[{"$class":"Person","$id":1,"first":"Ada","pal":{"$class":"Person","$id":2,"first":"Bo"}}],"##
        + ##""fav":{"$ref":1},"pal":{"$ref":2}}"##)
    let ours = try edited(base) {
      try $0.remove(at: path("fav"))
      try $0.remove(at: path("l[0]"))
    }
    let theirs = try edited(base) { try $0.set(.string("Eve"), at: path("fav.first")) }
    let conflicts = try merge(base, ours, theirs).conflicts
    #expect(!conflicts.isEmpty)
    for conflict in conflicts {
      let firsts = [conflict.base, conflict.ours, conflict.theirs].map { $0?["first"] }
      #expect(firsts == ["Ada", nil, "Eve"], "\(conflict)")
      #expect(conflict.theirs?["pal"]?["first"] == "Bo")
    }
  }

  @Test func `An archive that is written anew is reported`() throws {
    // Values of both sides under a key that is an object cannot be set by path, and a key that is stored in both ways
    // is written in one.
    func value(_ n: Int, _ m: Int) throws -> [UInt8] {
      try archive(
        #"""
        {"$class":"NSDictionary","NS.keys":{"$inline":[{"$class":"Key","n":1},{"$class":"Key","n":2},"k","l"]},
         "NS.objects":{"$inline":[{"$object":\#(n)},{"$object":\#(m)},
           {"$class":"K","r":{"$inline":"x"}},{"$class":"K","r":"y"}]}}
        """#)
    }
    let merged = try merge(value(1, 1), value(2, 1), value(1, 2))
    #expect(merged.losses == [.archiveLayout])
  }
}

extension String {
  /// The number of occurrences of a text.
  fileprivate func components(of text: String) -> Int {
    split(separator: text, omittingEmptySubsequences: false).count - 1
  }
}
