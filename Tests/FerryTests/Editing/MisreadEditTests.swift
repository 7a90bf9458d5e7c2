import TestSupport
import Testing

@testable import Ferry

/// New values that a file, or a reader of the text, would take for something else.
@Suite struct `Ambiguous values in edits` {
  private func propertyList(_ format: Format, _ value: String) throws -> [UInt8] {
    try Conversion(to: format).convert(Array(value.utf8)).bytes
  }

  @Test(arguments: [Format.json, .xmlPropertyList, .binaryPropertyList, .archive], [TextType.json, .typed])
  func `A new value with a key twice is refused`(_ format: Format, _ type: TextType) throws {
    let document = try propertyList(format, #"{"a":{"b":1},"list":[1]}"#)
    for text in [#"{"b":1,"b":2}"#, #"[{"c":{"d":1,"e":2,"d":1}}]"#] where format != .json || type == .json {
      let (problem, _) = try Edited.problem { _ = try Edited.set(document, "a", text, as: type) }
      guard case .cannotPut("this value", let why) = problem else {
        Issue.record("\(String(describing: problem))")
        continue
      }
      #expect(why == "it has the key \(text.contains("d") ? "[0].c.d" : "b") twice")
    }
  }

  @Test func `A JSON document with a key twice takes its own text back`() throws {
    let document = Array(#"{"a": {"b":1,"b":2}, "c": 3}"#.utf8)
    for type in [TextType.json, nil] {
      #expect(try Edited.set(document, "a", #"{"b":1,"b":2}"#, as: type) == document)
    }
  }

  @Test(arguments: ["36028797018963968", "9223372036854775808", "5", "-0", "1.50", "1e2"])
  func `A number in JSON keeps its digits where another number was`(_ digits: String) throws {
    for type in [TextType.json, nil] {
      let document = Array(#"{"a": 1.5, "list": [1.5, 2.5]}"#.utf8)
      #expect(
        String(decoding: try Edited.set(document, "a", digits, as: type), as: UTF8.self)
          == #"{"a": \#(digits), "list": [1.5, 2.5]}"#)
    }
    let document = Array(#"{"list": [1.5, 2.5]}"#.utf8)
    let set = try Edited.set(document, "list", "[\(digits), 1]", as: .json)
    #expect(String(decoding: set, as: UTF8.self).filter { $0 != " " } == #"{"list":[\#(digits),1]}"#)
  }

  @Test(arguments: [
    #"{"$id":1,"$value":[1]}"#, #"{"$dictionary":[[1,"a"]]}"#, #"{"$x":1}"#,
    #"{"$class":"Person","$x":1}"#, #"{"a":{"$x":1,"b":2}}"#,
  ])
  func `A tag that cannot be set is refused`(_ text: String) throws {
    for format in [Format.xmlPropertyList, .binaryPropertyList, .archive] {
      let document = try propertyList(format, #"{"a":[1]}"#)
      let (problem, _) = try Edited.problem { _ = try Edited.set(document, "a", text, as: .typed) }
      guard case .cannotPut(let tag, _) = problem else {
        Issue.record("\(String(describing: problem))")
        continue
      }
      #expect(tag.hasPrefix("this $"))
    }
  }

  @Test func `A change that makes a document in the typed form unreadable is refused`() throws {
    let value: Value = ["d": .date(secondsSince2001: 0), "n": 5]
    var conversion = Conversion(to: .json)
    conversion.writing.representation = .typed
    let output = MemoryOutput()
    try Conversion(to: .binaryPropertyList).write(value, to: output)
    for format in [Format.json, .yaml, .xmlPropertyList] {
      conversion.writing.format = format
      let document = try conversion.convert(output.bytes).bytes
      func problem(_ change: (EditableFile) throws -> Void) throws -> PathProblem? {
        let file = try EditableFile(document)
        try change(file)
        do throws(FerryError) {
          _ = try file.bytes()
          return nil
        } catch {
          guard case .path(let problem) = error.reason else { throw error }
          return problem
        }
      }
      func unreadable(_ reason: TypedProblem) -> PathProblem {
        .cannotPut("the change", .unreadable(.typed(reason)))
      }
      let root = ValuePath([.key("$value")])
      #expect(try problem { try $0.insert("x", at: ValuePath([.key("u")])) } == unreadable(.unknownTag("u")))
      #expect(
        try problem { try $0.insert(["$dat": 1], at: root.appending(.key("u"))) }
          == unreadable(.unknownTag("$dat")))
      #expect(try problem { try $0.remove(at: root) } == unreadable(.missing("\"$value\" or \"$top\"")))
      #expect(try problem { try $0.insert("x", at: root.appending(.key("u"))) } == nil)
      #expect(try problem { try $0.remove(at: ValuePath([.key("$ferry")])) } == nil)
    }
    conversion.writing.format = .xml
    let xml = try EditableFile(conversion.convert(output.bytes).bytes)
    try xml.set(text: "6", at: ValuePath([.key("n")]))
    let error = #expect(throws: FerryError.self) { try xml.bytes() }
    #expect(error?.reason == .path(.notEditable(format: "XML in the typed form", .wholeFile)))
    let unnamed = try EditableFile(Array(#"{"$ferry":1,"$top":{"root":{"$class":"P"}}}"#.utf8))
    try unnamed.set("", at: ValuePath(parsing: #"["$top"].root["$class"]"#))
    let nameless = #expect(throws: FerryError.self) { try unnamed.bytes() }
    #expect(
      nameless?.reason
        == .path(
          .cannotPut("the change", .unreadable(.typed(.badTag("$class", found: "an empty string"))))))
    // A document that cannot be read is mended step by step.
    let broken = Array(#"{"$ferry":1,"$value":{},"u":1,"v":2}"#.utf8)
    let file = try EditableFile(broken)
    try file.remove(at: ValuePath([.key("u")]))
    #expect(try file.bytes() == Array(#"{"$ferry":1,"$value":{},"v":2}"#.utf8))
  }

  @Test func `A dollar sign before a tag makes it a key in the typed form`() throws {
    let document = try propertyList(.binaryPropertyList, #"{"a":[1]}"#)
    let set = try Edited.set(document, "a", #"{"$$x":1,"$$id":2}"#, as: .typed)
    #expect(try Edited.value(set, "a") == ["$x": 1, "$id": 2])
  }

  @Test func `A dictionary that would become a reference is refused in an XML property list`() throws {
    let text = #"{"a":{"x":1,"CF$UID":5},"b":{"x":1},"c":{},"list":[1]}"#
    let edits: [(EditableFile) throws -> Void] = [
      { try $0.set(text: #"{"CF$UID":5}"#, as: .json, at: ValuePath(parsing: "b")) },
      { try $0.set(text: #"[{"k":{"CF$UID":5}}]"#, as: .json, at: ValuePath(parsing: "list")) },
      { try $0.insert(text: #"{"CF$UID":5}"#, as: .json, at: ValuePath(parsing: "list[]")) },
      { try $0.insert(text: "5", as: .integer, at: ValuePath(parsing: "c.CF$UID")) },
      { try $0.remove(at: ValuePath(parsing: "a.x")) },
    ]
    for (index, edit) in edits.enumerated() {
      let file = try EditableFile(propertyList(.xmlPropertyList, text))
      let before = try file.bytes()
      let (problem, _) = try Edited.problem { try edit(file) }
      #expect(
        problem == .cannotPut("a dictionary with only the number CF$UID", .becomesReference), "\(index)")
      #expect(try file.bytes() == before)
      // A binary property list can represent it.
      let binary = try EditableFile(propertyList(.binaryPropertyList, text))
      try edit(binary)
      #expect(try binary.bytes() != before)
    }
  }
}
