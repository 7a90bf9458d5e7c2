import TestSupport
import Testing

@testable import Ferry

@Suite struct `Changes in typedstreams` {
  private func file(_ json: String) throws(FerryError) -> [UInt8] {
    try Conversion(to: .typedstream).convert(Array(json.utf8)).bytes
  }

  private func typed(_ bytes: [UInt8]) throws(FerryError) -> String {
    var conversion = Conversion(to: .json)
    conversion.writing.representation = .typed
    return String(decoding: try conversion.convert(bytes).bytes.dropLast(), as: UTF8.self)
  }

  /// Changes a file, and returns its typed form.
  private func changed(
    _ bytes: [UInt8], _ change: (EditableFile) throws(FerryError) -> Void
  ) throws(FerryError) -> String {
    let file = try EditableFile(bytes)
    try change(file)
    return try typed(file.bytes())
  }

  private func path(_ text: String) throws(FerryError) -> ValuePath { try ValuePath(parsing: text) }

  private static let begin = #"{"$ferry":1,"$stream":"streamtyped","$value":"#

  @Test func `A value is changed in place, and everything else stays`() throws {
    let bytes = try file(#"{"name":"Ada","list":[1,2.5,true],"more":{"a":"b"}}"#)
    let changes: [(String, String, String)] = [
      ("name", "Grace", #"{"name":"Grace","list":[1,2.5,true],"more":{"a":"b"}}"#),
      ("list[0]", "7", #"{"name":"Ada","list":[7,2.5,true],"more":{"a":"b"}}"#),
      ("list[1]", "3.5", #"{"name":"Ada","list":[1,3.5,true],"more":{"a":"b"}}"#),
      ("list[2]", "false", #"{"name":"Ada","list":[1,2.5,false],"more":{"a":"b"}}"#),
      ("more.a", "", #"{"name":"Ada","list":[1,2.5,true],"more":{"a":""}}"#),
    ]
    for (name, text, expected) in changes {
      let result = try changed(bytes) { file throws(FerryError) in try file.set(text: text, at: path(name)) }
      #expect(result == Self.begin + expected + "}")
    }
  }

  @Test func `Elements and entries are inserted and removed`() throws {
    let bytes = try file(#"{"list":["a","b"],"x":1}"#)
    func result(_ change: (EditableFile) throws(FerryError) -> Void) throws(FerryError) -> String {
      try changed(bytes, change)
    }
    #expect(
      try result { file throws(FerryError) in try file.insert("c", at: path("list[]")) }
        == Self.begin + #"{"list":["a","b","c"],"x":1}}"#)
    #expect(
      try result { file throws(FerryError) in try file.insert(.null, at: path("list[0]")) }
        == Self.begin + #"{"list":[{"$class":"NSNull"},"a","b"],"x":1}}"#)
    #expect(
      try result { file throws(FerryError) in try file.remove(at: path("list[0]")) }
        == Self.begin + #"{"list":["b"],"x":1}}"#)
    #expect(
      try result { file throws(FerryError) in try file.insert(["k": [1]], at: path("new")) }
        == Self.begin + #"{"list":["a","b"],"x":1,"new":{"k":[1]}}}"#)
    #expect(
      try result { file throws(FerryError) in try file.remove(at: path("x")) }
        == Self.begin + #"{"list":["a","b"]}}"#)
    #expect(
      try result { file throws(FerryError) in
        try file.set("c", at: path("list[1]"))
        try file.insert("d", at: path("list[]"))
        try file.remove(at: path("list[0]"))
        try file.set(.null, at: path("x"))
      } == Self.begin + #"{"list":["c","d"],"x":{"$class":"NSNull"}}}"#)
  }

  @Test func `A new value keeps the class and the C type of the old one`() throws {
    let document =
      Self.begin + #"""
        [{"$class":"NSMutableString","$value":"a"},{"$class":"NSNumber","$groups":["*","i","i",5]},
        {"$class":"NSMutableArray","$items":[1]},{"$class":"Thing","$groups":["if","1","+",2.5]}]}
        """#
    let bytes = try file(document.replacing(#""if","1","+",2.5"#, with: #""if",1,2.5,"+","x""#))
    #expect(
      try changed(bytes) { file throws(FerryError) in
        try file.set(text: "b", at: path("[0]"))
        try file.set(text: "6", at: path("[1]"))
        try file.insert(2, at: path("[2][]"))
        try file.set(text: "2", at: path("[3][0]"))
        try file.set(text: "0.1", at: path("[3][1]"))
        try file.set(text: "y", at: path("[3][2]"))
      }
        == Self.begin
        + #"[{"$class":"NSMutableString","$value":"b"},{"$class":"NSNumber","$groups":["*","i","i",6]},"#
        + #"{"$class":"NSMutableArray","$items":[1,2]},{"$class":"Thing","$groups":["if",2,0.1,"+","y"]}]}"#)
  }

  private static let ownClasses =
    #"{"a":"x","t":{"$class":"Thing","$groups":["i",7]},"m":{"$class":"NSMutableString","$value":"mm"},"#
    + #""l":[{"$class":"NSMutableArray","$items":[1]},{"$class":"Thing","$groups":["i",1]}]}}"#

  @Test func `A value that replaces another as a whole keeps the classes and C types of its parts`() throws {
    let bytes = try file(Self.begin + Self.ownClasses)
    func result(_ json: String, at name: String = "") throws(FerryError) -> String {
      try changed(bytes) { file throws(FerryError) in
        try file.set(text: json, as: .json, at: name.isEmpty ? ValuePath() : path(name))
      }
    }
    #expect(
      try result(#"{"a":"y","t":[7],"m":"mm","l":[[1],[1]]}"#)
        == Self.begin + Self.ownClasses.replacing(#""x""#, with: #""y""#))
    #expect(
      try result(#"{"a":"x","t":[8],"m":"mn","l":[[1,2],[1]]}"#)
        == Self.begin
        + Self.ownClasses.replacing(#""i",7"#, with: #""i",8"#).replacing(#""mm""#, with: #""mn""#)
        .replacing(#""$items":[1]"#, with: #""$items":[1,2]"#))
    #expect(
      try result(#"{"new":1,"t":[7]}"#)
        == Self.begin + #"{"new":1,"t":{"$class":"Thing","$groups":["i",7]}}}"#)
    #expect(
      try result(#"[[1],[0],[1]]"#, at: "l").contains(
        #"[{"$class":"NSMutableArray","$items":[1]},[0],{"$class":"Thing","$groups":["i",1]}]"#))
    let error = #expect(throws: FerryError.self) {
      try result(#"{"a":"x","t":[5000000000],"m":"mm","l":[[1],[1]]}"#)
    }
    #expect(error?.message.contains("out of the range") == true)
  }

  @Test func `A new set in a typedstream is an NSSet, and a class cannot be given`() throws {
    let bytes = try file(Self.begin + "[1]}")
    #expect(
      try changed(bytes) { file throws(FerryError) in
        try file.insert(text: #"{"$set":["p"]}"#, as: .typed, at: path("[]"))
      } == Self.begin + #"[1,{"$class":"NSSet","$items":["p"]}]}"#)
    let error = #expect(throws: FerryError.self) {
      try changed(bytes) { file throws(FerryError) in
        try file.insert(text: #"{"$class":"NSMutableArray","$items":[1]}"#, as: .typed, at: path("[]"))
      }
    }
    #expect(error?.message.contains("the usual one of Foundation") == true)
  }

  @Test func `A patch moves and copies objects with their classes and C types`() throws {
    let bytes = try file(Self.begin + Self.ownClasses)
    func result(_ patch: String) throws(FerryError) -> String {
      try changed(bytes) { file throws(FerryError) in try file.apply(JSONPatch(Array(patch.utf8))) }
    }
    let thing = #"{"$class":"Thing","$groups":["i",7]}"#
    #expect(
      try result(#"[{"op":"move","from":"/t","path":"/l/0"}]"#)
        == Self.begin
        + Self.ownClasses.replacing(#""t":"# + thing + ",", with: "")
        .replacing(#""l":["#, with: #""l":["# + thing + ","))
    #expect(
      try result(#"[{"op":"copy","from":"/t","path":"/u"},{"op":"replace","path":"/t/0","value":8}]"#)
        == Self.begin
        + String(Self.ownClasses.dropLast(2)).replacing(#""i",7"#, with: #""i",8"#) + #","u":"# + thing + "}}"
    )
    #expect(
      try result(#"[{"op":"move","from":"/t","path":"/u"},{"op":"add","path":"/t","value":[9]}]"#)
        == Self.begin
        + String(Self.ownClasses.dropLast(2)).replacing(#""t":"# + thing + ",", with: "")
        + #","u":"# + thing + #","t":[9]}}"#)
  }

  @Test func `Copies keep their classes in place of other values, and their parts do at other places`() throws
  {
    let bytes = try file(Self.begin + Self.ownClasses)
    func result(_ patch: String) throws(FerryError) -> String {
      try changed(bytes) { file throws(FerryError) in try file.apply(JSONPatch(Array(patch.utf8))) }
    }
    let thing = #"{"$class":"Thing","$groups":["i",7]}"#
    #expect(
      try result(#"[{"op":"copy","from":"/t","path":"/m"}]"#)
        == Self.begin
        + Self.ownClasses.replacing(#"{"$class":"NSMutableString","$value":"mm"}"#, with: thing))
    #expect(
      try result(#"[{"op":"copy","from":"/l","path":"/k"},{"op":"move","from":"/k/0","path":"/a"}]"#)
        == Self.begin
        + String(Self.ownClasses.dropLast(2))
        .replacing(#""a":"x""#, with: #""a":{"$class":"NSMutableArray","$items":[1]}"#)
        + #","k":[{"$class":"Thing","$groups":["i",1]}]}}"#)
    // The number is not an object in its place.
    #expect(
      try result(#"[{"op":"copy","from":"/t/0","path":"/l/0"}]"#)
        == Self.begin + Self.ownClasses.replacing(#""l":["#, with: #""l":[7,"#))
  }

  @Test func `A value that has moved stays as it is if another one takes its place`() throws {
    func result(_ document: String, _ patch: String) throws(FerryError) -> String {
      try changed(file(Self.begin + document + "}")) { file throws(FerryError) in
        try file.apply(JSONPatch(Array(patch.utf8)))
      }
    }
    let string = #"{"$class":"NSMutableString","$value":"A"}"#
    let array = #"{"$class":"NSMutableArray","$items":["B"]}"#
    func document(_ first: String, _ second: String, _ list: String) -> String {
      #"{"t":{"$class":"Thing","$groups":["@",\#(first),"@",\#(second)]},"list":[\#(list)]}"#
    }
    // The objects are checked after all of several operations.
    let tests = String(repeating: #"{"op":"test","path":"/list/0","value":"x"},"#, count: 7)
    #expect(
      try result(
        document(string, array, #""x""#), "[" + tests + #"{"op":"move","from":"/t/0","path":"/t/1"}]"#)
        == Self.begin + document(array, string, #""x""#) + "}")
    #expect(
      try result(
        document(string, array, #""x""#),
        "[" + tests
          + #"{"op":"move","from":"/t/0","path":"/list/-"},{"op":"add","path":"/t/0","value":"new"}]"#)
        == Self.begin
        + document(string.replacing("A", with: "new"), array, #""x","# + string) + "}")
    #expect(
      try result(
        #"{"a":{"$class":"NSMutableDictionary","$entries":{"x":"# + array + #","y":1}},"list":["q"]}"#,
        #"""
        [{"op":"move","from":"/a/x","path":"/list/-"},{"op":"replace","path":"/a","value":{"x":["B"],"y":1}},
        {"op":"replace","path":"/list/1/0","value":"C"}]
        """#)
        == Self.begin + #"{"a":{"$class":"NSMutableDictionary","$entries":{"x":["B"],"y":1}},"list":["q","#
        + array.replacing("B", with: "C") + "]}}")
  }

  @Test func `Exchanged values inside each other take time in proportion to their number`() throws {
    let depth = 40
    func things(_ thing: (String) -> String) -> String {
      (0..<depth).reduce(#""x""#) { inner, _ in thing(inner) }
    }
    let document = things { #"{"$class":"Thing","$groups":["@",\#($0),"@","s"]}"# }
    let operations = (0..<depth).reversed().map { level in
      let path = String(repeating: "/0", count: level)
      return #"{"op":"move","from":"\#(path)/0","path":"\#(path)/1"}"#
    }
    let patch = try JSONPatch(Array("[\(operations.joined(separator: ","))]".utf8))
    let bytes = try file(Self.begin + document + "}")
    let result = try expectProcessorTime(atMost: .seconds(20)) {
      try changed(bytes) { file throws(FerryError) in try file.apply(patch) }
    }
    #expect(result == Self.begin + things { #"{"$class":"Thing","$groups":["@","s","@",\#($0)]}"# } + "}")
  }

  @Test func `Many changed texts of a list take time in proportion to their number`() throws {
    try expectGrowth(from: 10_000, to: 100_000, lessThan: 25) { count in
      let texts = (0..<count).map { #""text \#($0)""# }
      let edited = try EditableFile(file("[\(texts.joined(separator: ","))]"))
      return try processorTime {
        #expect(try edited.set(text: "x", at: path("[*]")) == count)
        _ = try edited.bytes()
      }
    }
  }

  @Test func `A number at the top level keeps its C type or is refused`() throws {
    let bytes = try file(Self.begin + "5}")
    #expect(
      try changed(bytes) { file throws(FerryError) in try file.set(text: "7", at: ValuePath()) }
        == Self.begin + "7}")
    let error = #expect(throws: FerryError.self) {
      try changed(bytes) { file throws(FerryError) in
        try file.set(text: "9223372036854775808", at: ValuePath())
      }
    }
    #expect(error?.message.contains("out of the range") == true)
  }

  @Test(arguments: ["s", "i", "l", "S", "c"]) func `A number in the typed form fits in its C type`(
    _ type: String
  ) throws {
    let error = #expect(throws: FerryError.self) {
      try file(Self.begin + #"{"$class":"Thing","$groups":[""# + type + #"",99999999999]}}"#)
    }
    #expect(error?.message.contains("out of the range") == true)
  }

  @Test func `A shared object stays as it is for its other references`() throws {
    let bytes = try file(Self.begin + #"[{"$id":1,"$value":"a"},{"$ref":1},{"$ref":1}]}"#)
    #expect(
      try changed(bytes) { file throws(FerryError) in try file.set(text: "b", at: path("[0]")) }
        == Self.begin + #"["b",{"$id":1,"$value":"a"},{"$ref":1}]}"#)
    #expect(
      try changed(bytes) { file throws(FerryError) in try file.remove(at: path("[1]")) }
        == Self.begin + #"[{"$id":1,"$value":"a"},{"$ref":1}]}"#)
  }

  /// A list that has one record twice, and another record with the same tags.
  private static let sharedRecords =
    #"[{"$id":1,"$value":{"n":"x","tags":{"$id":2,"$value":["a","b","c"]}}},{"$ref":1},"#
    + #"{"n":"y","tags":{"$ref":2}}]"#

  /// Paths into the records, a value to set or insert there, or nil to remove the values, the number of values, and the replacements in
  /// the typed form of the records.
  private static let changesOfShared:
    [(path: String, new: String?, isInserted: Bool, count: Int, replaced: [(String, String)])] = [
      ("[*].z", "q", true, 2, [(#"]}}},"#, #"]},"z":"q"}},"#), (#"{"$ref":2}}"#, #"{"$ref":2},"z":"q"}"#)]),
      ("[1].z", "q", true, 1, [(#"]}}},"#, #"]},"z":"q"}},"#)]),
      ("[n=x].z", "q", true, 1, [(#"]}}},"#, #"]},"z":"q"}},"#)]),
      ("[*].tags[]", "q", true, 1, [(#""c"]"#, #""c","q"]"#)]),
      ("[*].n", "q", false, 2, [(#""n":"x""#, #""n":"q""#), (#""n":"y""#, #""n":"q""#)]),
      ("[1].n", "q", false, 1, [(#""n":"x""#, #""n":"q""#)]),
      ("[*].tags[0]", "q", false, 1, [(#"["a""#, #"["q""#)]),
      ("[*].tags[0]", nil, false, 1, [(#"["a","#, "[")]),
      ("[*].tags[*]", nil, false, 3, [(#"["a","b","c"]"#, "[]")]),
      ("[1:].n", nil, false, 2, [(#""n":"x","#, ""), (#""n":"y","#, "")]),
    ]

  @Test(arguments: changesOfShared.indices)
  func `A part of an object that a path reaches from several places changes and counts once`(
    _ index: Int
  ) throws {
    let (name, new, isInserted, expectedCount, replaced) = Self.changesOfShared[index]
    var count = 0
    let result = try changed(file(Self.begin + Self.sharedRecords + "}")) { file throws(FerryError) in
      if let new {
        count = try isInserted ? file.insert(text: new, at: path(name)) : file.set(text: new, at: path(name))
      } else {
        count = try file.remove(at: path(name))
      }
    }
    #expect(count == expectedCount)
    let expected = replaced.reduce(Self.sharedRecords) { $0.replacing($1.0, with: $1.1) }
    #expect(result == Self.begin + expected + "}")
  }

  @Test func `A path continues through a reference to an object`() throws {
    let file = try EditableFile(file(Self.begin + Self.sharedRecords + "}"))
    #expect(try file.value(at: path("[1].n")) == "x")
    #expect(try file.value(at: path("[*].n")) == ["x", "x", "y"])
  }

  /// Changes of one of two references to a number, with the typed form of the result.
  private static let sharedNumbers: [(document: String, path: String, value: Value, expected: String)] = [
    (#"[{"$id":1,"$value":5},{"$ref":1}]"#, "[0]", "x", #"["x",5]"#),
    (#"[{"$id":1,"$value":5},{"$ref":1}]"#, "[1]", "x", #"[5,"x"]"#),
    (#"[{"$id":1,"$value":5},{"$ref":1}]"#, "[0]", 7, "[7,5]"),
    (#"[{"$id":1,"$value":5},{"$ref":1}]"#, "[1]", 7, "[5,7]"),
    (#"[{"$id":1,"$value":5},{"$ref":1}]"#, "[0]", .null, #"[{"$class":"NSNull"},5]"#),
    (#"[{"$id":1,"$value":5},{"$ref":1}]"#, "[1]", ["k": 1], #"[5,{"k":1}]"#),
    (#"[{"$id":1,"$value":2.5},{"$ref":1}]"#, "[0]", 3.5, "[3.5,2.5]"),
    (#"[{"$id":1,"$value":true},{"$ref":1}]"#, "[1]", false, "[true,false]"),
    (#"{"a":{"$id":1,"$value":5},"b":{"$ref":1}}"#, "a", 7, #"{"a":7,"b":5}"#),
    (#"{"a":{"$id":1,"$value":5},"b":{"$ref":1}}"#, "a", "x", #"{"a":"x","b":5}"#),
    (#"{"a":{"$id":1,"$value":5},"b":{"$ref":1}}"#, "b", "x", #"{"a":5,"b":"x"}"#),
    (#"{"a":[{"$id":1,"$value":5}],"b":{"$ref":1}}"#, "a[0]", 7, #"{"a":[7],"b":5}"#),
  ]

  @Test(arguments: sharedNumbers.indices)
  func `A shared number stays as it is for its other references`(_ index: Int) throws {
    let (document, name, value, expected) = Self.sharedNumbers[index]
    let bytes = try file(Self.begin + document + "}")
    #expect(
      try changed(bytes) { file throws(FerryError) in try file.set(value, at: path(name)) }
        == Self.begin + expected + "}")
  }

  @Test func `A new value of a shared number keeps its C type or is refused`() throws {
    let bytes = try file(
      Self.begin + #"""
        [{"$id":1,"$class":"NSNumber","$groups":["*","i","i",5]},{"$ref":1},{"$ref":1}]}
        """#)
    #expect(
      try changed(bytes) { file throws(FerryError) in try file.set(6, at: path("[1]")) }
        == Self.begin
        + #"[{"$class":"NSNumber","$id":1,"$groups":["*","i","i",5]},"#
        + #"{"$class":"NSNumber","$groups":["*","i","i",6]},{"$ref":1}]}"#)
    let error = #expect(throws: FerryError.self) {
      try changed(bytes) { file throws(FerryError) in try file.set(5_000_000_000, at: path("[1]")) }
    }
    #expect(error?.message.contains("out of the range") == true)
  }

  @Test func `An element is removed beside a shared number`() throws {
    let bytes = try file(Self.begin + #"[{"$id":1,"$value":5},"a",{"$ref":1}]}"#)
    #expect(
      try changed(bytes) { file throws(FerryError) in
        try file.remove(at: path("[1]"))
        try file.set("x", at: path("[0]"))
      } == Self.begin + #"["x",5]}"#)
  }

  @Test func `The runs of an attributed string follow its text`() throws {
    let bytes = TypedstreamSample.attributedString.bytes
    let groups =
      Self.begin
      + #"{"$class":"NSAttributedString","$groups":["@",{"$id":1,"$value":"a🎈b"},"iI",1,1,"@",{"k":{"$ref":1}},"#
    #expect(try typed(bytes).hasPrefix(groups))
    func result(_ text: String) throws(FerryError) -> String {
      try changed(bytes) { file throws(FerryError) in try file.set(text: text, at: path("string")) }
    }
    let start = Self.begin + #"{"$class":"NSAttributedString","$groups":["@","#
    #expect(
      try result("a🎈bcd")
        == start + #""a🎈bcd","iI",1,1,"@",{"k":"a🎈b"},"iI",2,2,"@",{},"iI",1,3]}}"#)
    #expect(try result("xy") == start + #""xy","iI",1,1,"@",{"k":"a🎈b"},"iI",2,1,"@",{}]}}"#)
    #expect(try result("x") == start + #""x","iI",1,1,"@",{"k":"a🎈b"}]}}"#)
    #expect(try result("") == start + #""","iI",1,0,"@",{"k":"a🎈b"}]}}"#)
    #expect(
      try changed(bytes) { file throws(FerryError) in
        try file.set(text: "z", at: path("runs[0].attributes.k"))
      } == start + #""a🎈b","iI",1,1,"@",{"k":"z"},"iI",2,2,"@",{},"iI",1,1]}}"#)
    #expect(
      try changed(bytes) { file throws(FerryError) in
        try file.insert("v", at: path("runs[1].attributes.new"))
      }.contains(#""iI",2,2,"@",{"new":"v"},"iI",1,1]"#))
  }

  @Test func `Runs whose lengths together are greater than any integer do not end with a crash`() throws {
    let long = "\(Int.max)"
    let document = [1, 2].map { #""iQ",\#($0),\#(long),"@",{"k":"v"}"# }.joined(separator: ",")
    let bytes = try file(
      Self.begin + #"{"$class":"NSAttributedString","$groups":["@","ab",\#(document)]}}"#)
    #expect(
      try changed(bytes) { file throws(FerryError) in try file.set(text: "abc", at: path("string")) }
        == Self.begin + #"{"$class":"NSAttributedString","$groups":["@","abc","iI",1,3,"@",{"k":"v"}]}}"#)
    let runs = #"[{"length":\#(long),"attributes":{}},{"length":\#(long),"attributes":{}}]"#
    let edited = try EditableFile(bytes)
    let error = #expect(throws: FerryError.self) {
      try edited.set(text: runs, as: .json, at: path("runs"))
    }
    let message = error?.message ?? ""
    #expect(message.contains("UTF-16 code units, and the string has 2"), "\(message)")
  }

  @Test func `Attributes of a run that are those of another run before stay if these change`() throws {
    func document(_ first: String, _ second: String) -> String {
      #"{"$class":"NSAttributedString","$groups":["@","ab","iI",1,1,"@",{"k":"\#(first)"},"#
        + #""iI",2,1,"@",{"k":"\#(second)"}]}}"#
    }
    let bytes = try file(Self.begin + document("v", "w"))
    let operations = [
      #"{"op":"replace","path":"/runs/1/attributes","value":{"k":"v"}}"#,
      #"{"op":"replace","path":"/runs/0/attributes/k","value":"z"}"#,
    ]
    for patch in [operations, operations.reversed()] {
      let result = try changed(bytes) { file throws(FerryError) in
        try file.apply(JSONPatch(Array("[\(patch.joined(separator: ","))]".utf8)))
      }
      #expect(result == Self.begin + document("z", "v"))
    }
  }

  @Test func `Different changes of an object at two places are refused`() throws {
    let document = #"["A",{"$class":"NSMutableArray","$id":1,"$items":["B"]},{"$ref":1}]}"#
    let bytes = try file(Self.begin + document)
    let file = try EditableFile(bytes)
    func patch(_ value: String) throws(FerryError) -> JSONPatch {
      let operations =
        #"[{"op":"replace","path":"/1/0","value":"Z"},{"op":"replace","path":"/2/0","value":"\#(value)"}]"#
      return try JSONPatch(Array(operations.utf8))
    }
    let error = #expect(throws: FerryError.self) { try file.apply(patch("Y")) }
    #expect(error?.message.contains("which already has another change") == true)
    #expect(error?.path.description == "[2][0]")
    #expect(try file.bytes() == bytes)
    try file.apply(patch("Z"))
    #expect(try typed(file.bytes()) == Self.begin + document.replacing(#""B""#, with: #""Z""#))
  }

  /// Changes that a typedstream cannot have, with a part of the message.
  private static let refused: [(document: String, path: String, value: Value, message: String)] = [
    (#"{"$class":"Thing","$groups":["c",1]}"#, "[0]", 300, "300 is out of the range"),
    (#"{"$class":"Thing","$groups":["i",1]}"#, "[0]", "x", "cannot hold"),
    (#"[{"$class":"NSURL","$groups":["c",0,"@","x:y"]}]"#, "[0]", "http://%%/", "two hexadecimal digits"),
    (#"{"$class":"Thing","$groups":["f",1.5]}"#, "[0]", 0.123456789, "out of the range"),
    (
      #"{"$class":"NSAttributedString","$groups":["@","ab","iI",1,2,"@",{}]}"#, "runs[0].length", 3,
      "code units"
    ),
    (
      #"{"$class":"NSAttributedString","$groups":["@","ab","iI",1,2,"@",{}]}"#, "runs[0].bogus", 3,
      "a run has a location"
    ),
    (
      #"{"$class":"NSAttributedString","$groups":["@","ab","iI",1,2,"@",{}]}"#, "runs[0]",
      ["location": 1, "length": 2, "attributes": [:]], "the sum of the lengths"
    ),
  ]

  @Test(arguments: refused.indices) func `A change that the file cannot have is refused with its path`(
    _ index: Int
  ) throws {
    let (document, name, value, message) = Self.refused[index]
    let bytes = try file(Self.begin + document + "}")
    let file = try EditableFile(bytes)
    let error = #expect(throws: FerryError.self) {
      if name.hasSuffix("bogus") {
        try file.insert(value, at: path(name))
      } else {
        try file.set(value, at: path(name))
      }
    }
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    #expect(name.hasPrefix("runs[0].b") || error?.path.description == name)
    #expect(try file.bytes() == bytes)
  }

  @Test func `Only a class knows how many values it archives`() throws {
    let bytes = try file(Self.begin + #"{"$class":"Thing","$groups":["i",1]}}"#)
    let file = try EditableFile(bytes)
    let inserting = #expect(throws: FerryError.self) { try file.insert(2, at: ValuePath([.end])) }
    let removing = #expect(throws: FerryError.self) { try file.remove(at: ValuePath([.index(0)])) }
    for error in [inserting, removing] { #expect(error?.message.contains("only its class knows") == true) }
    #expect(try file.bytes() == bytes)
  }

  @Test func `Changing one text of a real file changes only that`() throws {
    var count = 0
    for file in try Corpus.files(under: "typedstream/crabstep") where !file.hasSuffix("ExtraData") {
      let bytes = try Corpus.bytes(file)
      let editable = try EditableFile(bytes)
      guard case .string(let text)? = try? editable.value(at: path("string")) else { continue }
      // The same length, so that the runs stay.
      let new = String(text.reversed())
      guard new.utf16.count == text.utf16.count, new.utf8.count == text.utf8.count, new != text else {
        continue
      }
      try editable.set(.string(new), at: path("string"))
      let result = try editable.bytes()
      #expect(result.count == bytes.count, "\(file)")
      let start = try #require(bytes.firstIndex(of: Array(text.utf8)))
      #expect(
        result.indices.filter { result[$0] != bytes[$0] }.allSatisfy {
          (start..<start + text.utf8.count).contains($0)
        })
      try editable.set(.string(text), at: path("string"))
      #expect(try editable.bytes() == bytes, "\(file)")
      count += 1
    }
    #expect(count > 5)
  }
}

extension [UInt8] {
  fileprivate func firstIndex(of other: [UInt8]) -> Int? {
    guard count >= other.count else { return nil }
    return (0...count - other.count).first { start in
      other.indices.allSatisfy { self[start + $0] == other[$0] }
    }
  }
}
