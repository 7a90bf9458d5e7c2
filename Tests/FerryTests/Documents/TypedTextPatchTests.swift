import Ferry
import Testing

@Suite struct `Patches of documents in the typed form` {
  private typealias File = FileComparison.File

  /// Documents whose values differ, as archives and property lists: with a key between others, moved elements, shared objects, and entries
  /// beside the objects.
  private static let pairs: [(old: String, new: String)] = [
    (
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"Person","first":"Matt","last":"N"},"x"]}}"#,
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"Person","first":"Matt","zip":"7","last":"N"},"#
        + #"{"$class":"Pet","name":"Rex"},"x"]},"$classes":{"Pet":["Pet","Animal","NSObject"]}}"#
    ),
    (
      ##"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"a":{"$class":"Node","$id":1,"n":"x"},"b":{"$ref":1}}}}"##,
      ##"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"a":{"$class":"Node","n":"x"},"b":{"$class":"Node","n":"x"}}}}"##
    ),
    (
      #"{"$ferry":1,"$value":{"d":{"$date":"2020-01-01T00:00:00Z"},"e":{"$data":"YWJj"},"l":[1,2,3],"n":1}}"#,
      #"{"$ferry":1,"$value":{"d":{"$date":"2021-01-01T00:00:00Z"},"e":"YWJj","l":[3,1],"m":1.5,"n":1.0,"$$x":{"$single":0.1}}}"#
    ),
    (
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"P","first":"Ann","d":{"$data":"eHl6"}},"k"]}}"#,
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"P","d":{"$data":"eHk="},"zz":"k","first":"Bob"},"#
        + #""k"]},"$layout":{"objects":"4","keys":{"P":"0 1 2 3"}}}"#
    ),
    (entries(extra: 1, "x"), entries(extra: 2, "x")), (entries(extra: 1, "x"), entries(extra: 1, "y")),
  ]

  /// An archive with an entry beside its objects.
  private static func entries(extra: Int, _ text: String) -> String {
    ##"{"$ferry":1,"$value":{"$$version":100000,"$$archiver":"NSKeyedArchiver","$$top":{"root":{"$uid":1}},"##
      + ##""$$objects":["$null","\##(text)"],"extra":\##(extra)}}"##
  }

  private func file(_ text: String, _ name: String = "a.json") -> File { File(Array(text.utf8), name: name) }

  /// Returns the binary file of a document.
  private func binary(_ file: File) throws -> File {
    let isArchive = String(decoding: file.bytes, as: UTF8.self).contains("NSKeyedArchiver")
    let conversion = Conversion(to: isArchive ? .archive : .binaryPropertyList)
    return File(try conversion.convert(file.bytes, named: file.name).bytes, name: "a.plist")
  }

  /// Returns a file in the typed form.
  private func typed(_ file: File, _ format: Format) throws -> File {
    var conversion = Conversion(to: format)
    conversion.writing.representation = .typed
    let bytes = try conversion.convert(file.bytes, named: file.name).bytes
    return File(bytes, name: "t." + (format.extensions.first ?? ""))
  }

  private func patch(from old: File, to new: File) throws -> FileComparison.Patch {
    let comparison = FileComparison()
    return try comparison.patch(of: comparison.differences(from: old, to: new), from: old, to: new)
  }

  @Test(arguments: [Format.json, .yaml, .xmlPropertyList])
  func `A patch gives exactly the second document, which is a text of any format or a binary file`(
    _ format: Format
  ) throws {
    for pair in Self.pairs {
      for (first, second) in [(pair.old, pair.new), (pair.new, pair.old)] {
        let (old, target) = (try typed(file(first), format), try binary(file(second)))
        let texts = try [Format.json, .yaml, .xml, .xmlPropertyList].map { try typed(target, $0) }
        for new in [target] + texts {
          let patch = try patch(from: old, to: new)
          let text = String(decoding: patch.bytes, as: UTF8.self)
          #expect(patch.untested == nil)
          let edited = try EditableFile(old.bytes, named: old.name)
          try edited.apply(JSONPatch(patch.bytes))
          let changed = File(try edited.bytes(), name: old.name)
          #expect(try binary(changed).bytes == target.bytes, "\(first) \(new.name) \(text)")
          let left = try FileComparison().differences(from: changed, to: new)
          #expect(left.all.isEmpty, "\(first) \(new.name) \(text)")
        }
      }
    }
  }

  @Test func `A patch has the paths of the document`() throws {
    func operations(_ old: String, _ new: String) throws -> String {
      String(decoding: try patch(from: file(old), to: file(new)).bytes, as: UTF8.self)
        .filter { !$0.isWhitespace }
    }
    let change = try operations(Self.entries(extra: 1, "x"), Self.entries(extra: 2, "x"))
    #expect(change == #"[{"op":"replace","path":"/$value/extra","value":2}]"#)
    let archive =
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"P","a":1,"b":2}]}}"#
    let name = try operations(archive, archive.replacing(#""a":1"#, with: #""a":3"#))
    #expect(name == #"[{"op":"replace","path":"/$top/root/0/a","value":3}]"#)
    // A key between others is followed by them, as in the archive.
    let key = try operations(archive, archive.replacing(#""a":1,"#, with: #""a":1,"c":3,"#))
    #expect(
      key == #"[{"op":"add","path":"/$top/root/0/c","value":3},{"op":"remove","path":"/$top/root/0/b"},"#
        + #"{"op":"add","path":"/$top/root/0/b","value":2}]"#)
  }

  @Test func `An archive in the raw form has a patch of its text`() throws {
    func raw(_ file: File) throws -> File {
      var conversion = Conversion(to: .json)
      conversion.writing.representation = .raw
      return File(try conversion.convert(file.bytes, named: file.name).bytes, name: "r.json")
    }
    let (before, after) = (Self.pairs[0].old, Self.pairs[0].old.replacing("Matt", with: "Eve"))
    let (first, second) = (try binary(file(before)), try binary(file(after)))
    let old = try raw(first)
    for new in [try raw(second), second, try typed(second, .yaml)] {
      let edited = try EditableFile(old.bytes, named: old.name)
      try edited.apply(JSONPatch(patch(from: old, to: new).bytes))
      let left = try FileComparison().differences(from: File(edited.bytes(), name: "r.json"), to: second)
      #expect(left.all.isEmpty, "\(new.name): \(left.all)")
    }
    // A new object among the others would change their numbers.
    let more = try binary(file(Self.pairs[0].new))
    #expect(throws: FileComparison.VersionError.self) { try patch(from: old, to: more) }
    let failure = #expect(throws: FileComparison.VersionError.self) {
      try patch(from: old, to: file(#"["x"]"#))
    }
    #expect(failure?.error.reason == .path(.noPatch("the other file is not an archive")))
  }

  @Test(arguments: [("b.json", #"["x"]"#), ("b.yaml", "- x\n"), ("b.xml", "<a><b>x</b></a>")])
  func `No patch replaces a document by values with fewer types`(_ name: String, _ text: String) throws {
    for format in [Format.json, .yaml, .xmlPropertyList] {
      let old = try typed(file(Self.pairs[0].old), format)
      let failure = #expect(throws: FileComparison.VersionError.self) {
        try patch(from: old, to: file(text, name))
      }
      #expect(failure?.error.reason == .path(.notTyped), "\(name) \(format)")
    }
  }

  @Test func `No patch puts an object into plain JSON`() throws {
    let new = #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"P","a":2}]}}"#
    let failure = #expect(throws: FileComparison.VersionError.self) {
      try patch(from: file(#"[{"a":1}]"#), to: file(new))
    }
    #expect(
      failure?.error.message == "no patch of its values gives the other file: JSON cannot hold an object",
      "\(failure as Any)")
  }

  @Test func `Data is removed from a document that keeps no key`() throws {
    var comparison = FileComparison()
    comparison.reading.expandsData = true
    let old = try typed(File(PropertyLists.binary(["d": .data([1, 2, 3])]), name: "a.plist"), .json)
    let new = try typed(File(PropertyLists.binary(["e": 1]), name: "b.plist"), .json)
    let edited = try EditableFile(old.bytes, named: old.name)
    let found = try comparison.differences(from: old, to: new)
    try edited.apply(JSONPatch(comparison.patch(of: found, from: old, to: new).bytes))
    let left = try FileComparison().differences(from: File(edited.bytes(), name: "t.json"), to: new)
    #expect(left.all.isEmpty, "\(left.all)")
  }

  @Test func `A document in XML has no patch, because its values cannot be changed by path`() throws {
    let (old, new) = (try typed(file(Self.pairs[2].old), .xml), file(Self.pairs[2].new))
    let failure = #expect(throws: FileComparison.VersionError.self) { try patch(from: old, to: new) }
    #expect(
      failure?.error.reason == .path(.notEditable(format: "XML in the typed form", .wholeFile)),
      "\(failure as Any)")
  }

  @Test func `A patch of the differences in data gives exactly the second document`() throws {
    let data = try binary(file(#"{"$ferry":1,"$value":{"x":1}}"#)).bytes
    let other = try binary(file(#"{"$ferry":1,"$value":{"x":2}}"#)).bytes
    func list(_ values: [UInt8]) throws -> File {
      File(try PropertyLists.binary(["d": .data(values), "n": 1]), name: "a.plist")
    }
    var comparison = FileComparison()
    comparison.reading.expandsData = true
    let second = try list(other)
    var opening = Conversion(to: .json)
    (opening.writing.representation, opening.reading.expandsData) = (.typed, true)
    let first = try list(data).bytes
    for old in [try typed(list(data), .json), File(try opening.convert(first).bytes, name: "o.json")] {
      let found = try comparison.differences(from: old, to: second)
      #expect(found.all.map { $0.newPath?.description } == ["d.x"])
      let edited = try EditableFile(old.bytes, named: old.name)
      try edited.apply(JSONPatch(comparison.patch(of: found, from: old, to: second).bytes))
      #expect(try binary(File(edited.bytes(), name: "t.json")).bytes == second.bytes)
    }
    // The value of a document in data never replaces the data.
    let opened = try typed(file(#"{"$ferry":1,"$value":{"d":{"x":3},"n":1}}"#), .json)
    let old = try typed(list(data), .json)
    let failure = #expect(throws: FileComparison.VersionError.self) {
      try comparison.patch(of: comparison.differences(from: old, to: opened), from: old, to: opened)
    }
    #expect(failure?.error.reason == .path(.replacesData(ValuePath([.key("d")]))), "\(failure as Any)")
  }

  @Test func `Null in place of a collection removes the data in it, and replaces no data`() throws {
    let old = file(#"{"$ferry":1,"$top":{"root":{"d":{"$data":"AAEC"},"x":1}}}"#)
    let new = file(#"{"$ferry":1,"$top":{"root":null}}"#)
    var comparison = FileComparison()
    comparison.reading.expandsData = true
    let patch = try comparison.patch(of: comparison.differences(from: old, to: new), from: old, to: new)
    let edited = try EditableFile(old.bytes, named: old.name)
    try edited.apply(JSONPatch(patch.bytes))
    #expect(try edited.bytes() == new.bytes)
    // The data itself stays data.
    let value = file(#"{"$ferry":1,"$top":{"root":{"d":null,"x":1}}}"#)
    #expect(throws: FileComparison.VersionError.self) {
      try comparison.patch(of: comparison.differences(from: old, to: value), from: old, to: value)
    }
  }
}
