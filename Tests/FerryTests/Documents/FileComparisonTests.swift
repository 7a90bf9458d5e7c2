import Ferry
import Testing

@Suite struct `Comparisons of files` {
  @Test(arguments: [
    ("b.json", #"{"v": 2, "people": ["Ada", "Alan"]}"#), ("b.yaml", "v: 2\npeople: [Ada, Alan]\n"),
  ])
  func `Only the selected values of both files are compared`(_ name: String, _ text: String) throws {
    var comparison = FileComparison()
    comparison.reading.select = "people[*]"
    let old = FileComparison.File(Array(#"{"v": 1, "people": ["Ada", "Grace"]}"#.utf8), name: "a.json")
    let found = try comparison.differences(from: old, to: FileComparison.File(Array(text.utf8), name: name))
    #expect(found.all.map(\.newPath?.description) == ["[1]"])
    let patch = try comparison.patch(
      of: found, from: old, to: FileComparison.File(Array(text.utf8), name: name))
    #expect(patch.untested == .selection)
  }

  @Test func `An error names the version at fault`() throws {
    let whole = FileComparison.File(Array("[1]".utf8), name: "a.json")
    let damaged = FileComparison.File(Array("[1,\n,]".utf8), name: "b.json")
    let ofNew = #expect(throws: FileComparison.VersionError.self) {
      try FileComparison().differences(from: whole, to: damaged)
    }
    #expect(ofNew.map { "\($0)" }?.hasPrefix("the new version: 2:1: ") == true, "\(ofNew as Any)")
    let ofOld = #expect(throws: FileComparison.VersionError.self) {
      try FileComparison().differences(from: damaged, to: whole)
    }
    #expect(ofOld.map { "\($0)" }?.hasPrefix("the old version: 2:1: ") == true, "\(ofOld as Any)")
    #expect(ofOld?.error == ofNew?.error)
  }

  @Test func `An empty file of JSON Lines is an empty list`() throws {
    let comparison = FileComparison()
    let none = FileComparison.File([], name: "none.jsonl")
    let one = FileComparison.File(Array("{\"a\":1}\n".utf8), name: "one.jsonl")
    let list = FileComparison.File(Array("[]".utf8), name: "none.json")
    #expect(try comparison.differences(from: none, to: list).all.isEmpty)
    for (old, new) in [(none, one), (one, none), (one, list)] {
      let differences = try comparison.differences(from: old, to: new)
      let patch = try comparison.patch(of: differences, from: old, to: new)
      #expect(patch.untested == nil)
      let file = try EditableFile(old.bytes, named: old.name)
      try file.apply(JSONPatch(patch.bytes))
      let patched = FileComparison.File(try file.bytes(), name: old.name)
      #expect(try comparison.differences(from: patched, to: new).all.isEmpty)
    }
  }

  @Test func `An empty file of a format without an empty value has no value`() throws {
    let found = try FileComparison().differences(
      from: FileComparison.File([], name: "a.json"),
      to: FileComparison.File(Array("[1]".utf8), name: "b.json"))
    #expect(found.all.map(\.change) == [.added([1])])
  }

  @Test(arguments: [Format.json, .yaml, .xml, .xmlPropertyList])
  func `A file does not differ from its typed form in any format`(_ format: Format) throws {
    let files = [
      FileComparison.File(NIBSample.window.bytes, name: "a.nib"),
      FileComparison.File(Array("<r a='1'><!--c--><x>1</x>text<y/></r>".utf8), name: "a.xml"),
      FileComparison.File(Array(#"{"$x": [1.50, null]}"#.utf8), name: "a.json"),
      FileComparison.File(Array("d: !!binary AAEC\nn: .nan\n".utf8), name: "a.yaml"),
    ]
    for file in files {
      var conversion = Conversion(to: format)
      conversion.writing.representation = .typed
      let bytes = try conversion.convert(file.bytes, named: file.name).bytes
      let typed = FileComparison.File(bytes, name: "t." + (format.extensions.first ?? ""))
      for (old, new) in [(file, typed), (typed, file)] {
        let found = try FileComparison().differences(from: old, to: new)
        #expect(found.all.isEmpty, "\(old.name) \(new.name): \(found.all)")
      }
    }
  }

  /// An archive as an XML property list.
  private func archive(_ top: String, _ objects: [String]) -> FileComparison.File {
    let dictionary =
      "<dict><key>$classname</key><string>NSDictionary</string><key>$classes</key><array>"
      + "<string>NSDictionary</string><string>NSObject</string></array></dict>"
    let url = dictionary.replacing("NSDictionary", with: "NSURL")
    let text =
      "<plist><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer>"
      + "<key>$top</key><dict>\(top)</dict><key>$objects</key><array><string>$null</string>\(dictionary)\(url)"
      + "\(objects.joined())</array></dict></plist>"
    return FileComparison.File(Array(text.utf8), name: "a.plist")
  }

  private func reference(_ number: Int) -> String {
    "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
  }

  private func dictionary(_ entries: [(key: Int, value: Int)]) -> String {
    "<dict><key>$class</key>\(reference(1))<key>NS.keys</key><array>\(entries.map { reference($0.key) }.joined())"
      + "</array><key>NS.objects</key><array>\(entries.map { reference($0.value) }.joined())</array></dict>"
  }

  private func expectPatch(from old: FileComparison.File, to new: FileComparison.File) throws {
    let comparison = FileComparison()
    let differences = try comparison.differences(from: old, to: new)
    #expect(!differences.all.isEmpty)
    let patch = try comparison.patch(of: differences, from: old, to: new)
    #expect(patch.untested == nil)
    let file = try EditableFile(old.bytes, named: old.name)
    try file.apply(JSONPatch(patch.bytes))
    let patched = FileComparison.File(try file.bytes(), name: old.name)
    #expect(
      try comparison.differences(from: patched, to: new).all.isEmpty,
      "\(String(decoding: patch.bytes, as: UTF8.self))")
  }

  @Test func `A patch adds keys that are objects or numbers`() throws {
    func links(_ texts: [String]) -> [String] {
      texts.enumerated().flatMap { index, text in
        [
          "<dict><key>$class</key>\(reference(2))<key>NS.base</key>\(reference(0))<key>NS.relative</key>"
            + "\(reference(5 + 2 * index))</dict>", "<string>\(text)</string>",
        ]
      }
    }
    let root = "<key>root</key>\(reference(3))"
    let one = archive(root, [dictionary([(4, 5)])] + links(["file:///a"]))
    let two = archive(root, [dictionary([(4, 5), (6, 7)])] + links(["file:///a", "file:///b"]))
    let other = archive(root, [dictionary([(4, 5)])] + links(["file:///b"]))
    for (old, new) in [(one, two), (two, one), (one, other)] { try expectPatch(from: old, to: new) }
    let values = ["<integer>1</integer>", "<string>x</string>", "<integer>2</integer>"]
    let number = archive(root, [dictionary([(4, 5)])] + values)
    let numbers = archive(root, [dictionary([(4, 5), (6, 5)])] + values)
    try expectPatch(from: number, to: numbers)
  }

  @Test func `Several roots that are one dictionary equal roots with equal dictionaries`() throws {
    let apart = archive(
      "<key>x</key>\(reference(3))<key>y</key>\(reference(4))", [dictionary([]), dictionary([])])
    let shared = archive("<key>x</key>\(reference(3))<key>y</key>\(reference(3))", [dictionary([])])
    for (old, new) in [(apart, shared), (shared, apart)] {
      #expect(try FileComparison().differences(from: old, to: new).all.isEmpty)
    }
    let text = "<string>v</string>"
    let more = archive(
      "<key>x</key>\(reference(3))<key>y</key>\(reference(3))<key>z</key>\(reference(4))",
      [dictionary([]), text])
    try expectPatch(from: apart, to: more)
    try expectPatch(from: more, to: apart)
  }

  /// An archive of a value in the typed form.
  private func archive(of root: String) throws -> FileComparison.File {
    let text = #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":\#(root)}}"#
    return FileComparison.File(
      try Conversion(to: .archive).convert(Array(text.utf8)).bytes, name: "a.archive")
  }

  @Test func `A patch makes no copy of an object that another object refers to`() throws {
    func node(_ name: String, _ more: String) -> String {
      ##"{"$class":"Node","name":"\##(name)"\##(more)}"##
    }
    func kid(_ name: String) -> String { node(name, ##","parent":{"$ref":1}"##) }
    func parent(_ kids: String...) -> String {
      let list = ##"{"$class":"NSMutableArray","$items":[\##(kids.joined(separator: ","))]}"##
      return node("top", ##","$id":1,"kids":\##(list)"##)
    }
    for (old, new) in [
      (node("top", ""), node("top", ##","$id":1,"child":\##(kid("kid"))"##)),
      (parent(kid("k1")), parent(kid("k1"), kid("k2"))),
    ] {
      let (first, second) = (try archive(of: old), try archive(of: new))
      for (old, new) in [(first, second), (second, first)] { try expectPatch(from: old, to: new) }
    }
    let shared = try archive(of: ##"{"a":{"$class":"Node","$id":1,"n":"x"},"b":{"$ref":1}}"##)
    let apart = try archive(of: ##"{"a":{"$class":"Node","n":"x"},"b":{"$class":"Node","n":"x"}}"##)
    try expectPatch(from: apart, to: shared)
    // A new value keeps the object, so that no patch separates it.
    let separation = try FileComparison().differences(from: shared, to: apart)
    let refusal = #expect(throws: FileComparison.VersionError.self) {
      try FileComparison().patch(of: separation, from: shared, to: apart)
    }
    guard case .path(.noPatch)? = refusal?.error.reason else {
      Issue.record("\(refusal as Any)")
      return
    }
    // Operations on parts are enough if no object is copied.
    let one = parent(kid("k1"))
    let (old, new) = (try archive(of: one), try archive(of: one.replacing("top", with: "new")))
    let found = try FileComparison().differences(from: old, to: new)
    let patch = try FileComparison().patch(of: found, from: old, to: new)
    #expect(String(decoding: patch.bytes, as: UTF8.self).contains(#""path": "/name""#))
  }
}
