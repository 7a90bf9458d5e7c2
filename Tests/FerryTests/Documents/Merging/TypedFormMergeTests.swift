import Testing

@testable import Ferry

@Suite struct `Merges of documents in the typed form` {
  /// The formats of versions: three texts in the typed form, and an archive.
  private static let formats: [Format] = [.json, .yaml, .xmlPropertyList, .archive]
  private static let versions = formats.flatMap { ours in
    formats.flatMap { base in formats.map { (ours: ours, base: base, theirs: $0) } }
  }

  private static let base =
    #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"State":{"$class":"Doc","first":"M","last":"N","#
    + #""at":{"$date":"2014-06-01T09:30:00Z"},"f":{"$single":0.1}},"Other":[1,2]}}"#
  private static let ours = base.replacing(#""M""#, with: #""O""#)
  private static let theirs = base.replacing(#""N""#, with: #""T""#).replacing("[1,2]", with: "[1,2,3]")
  private static let merged = theirs.replacing(#""M""#, with: #""O""#)

  /// Returns a document in a format.
  private static func document(_ json: String, in format: Format) throws -> [UInt8] {
    var conversion = Conversion(to: format)
    conversion.writing.representation = format == .archive ? .plain : .typed
    return try conversion.convert(Array(json.utf8)).bytes
  }

  private static func name(_ format: Format) -> String {
    "m.\(format == .xmlPropertyList ? "plist" : "\(format)")"
  }

  private static func merge(
    _ base: ([UInt8], Format)?, _ ours: ([UInt8], Format), _ theirs: ([UInt8], Format),
    favoring side: FavoredSide = .ours
  ) throws -> DocumentMerge.Result {
    var merge = DocumentMerge()
    merge.favored = side
    let mine = try merge.read(ours.0, named: name(ours.1))
    let old = try base.map { try merge.read($0.0, named: name($0.1), as: mine) }
    let others = try merge.read(theirs.0, named: name(theirs.1), as: mine)
    return try merge.merge(base: old, ours: mine, theirs: others)
  }

  /// Returns the typed form of a document.
  private static func typedForm(of bytes: [UInt8], in format: Format) throws -> String {
    var conversion = Conversion(to: .json)
    (conversion.reading.format, conversion.writing.representation) = (format, .typed)
    return String(decoding: try conversion.convert(bytes).bytes, as: UTF8.self)
  }

  @Test(arguments: versions)
  func `The result has the form and the format of ours, and both changes`(
    _ ours: Format, _ base: Format, _ theirs: Format
  ) throws {
    let result = try Self.merge(
      (Self.document(Self.base, in: base), base), (Self.document(Self.ours, in: ours), ours),
      (Self.document(Self.theirs, in: theirs), theirs))
    #expect(result.conflicts.isEmpty && result.textConflicts.isEmpty && result.losses.isEmpty)
    #expect(try Format.of(result.bytes, named: Self.name(ours)) == ours)
    // The layout of a changed archive follows its objects.
    let start = ours == .archive ? String(Self.merged.dropLast()) : Self.merged
    #expect(try Self.typedForm(of: result.bytes, in: ours).hasPrefix(start))
    if ours == base, ours == theirs, ours != .archive {
      #expect(try result.bytes == Self.document(Self.merged, in: ours))
    }
  }

  @Test func `A plain property list in the typed form stays a text`() throws {
    let base = #"{"$ferry":1,"$value":{"a":{"$single":0.1},"b":[1,{"$data":"AAE="}]}}"#
    let ours = base.replacing("0.1", with: "0.3")
    let theirs = base.replacing("AAE=", with: "AAI=")
    for format in [Format.json, .yaml, .xmlPropertyList] {
      let result = try Self.merge(
        (Self.document(base, in: format), format), (Self.document(ours, in: format), format),
        (Self.document(theirs, in: format), format))
      #expect(result.conflicts.isEmpty)
      let merged = ours.replacing("AAE=", with: "AAI=")
      #expect(try result.bytes == Self.document(merged, in: format))
    }
  }

  @Test func `The comments of both sides are kept`() throws {
    let base = try String(decoding: Self.document(Self.base, in: .yaml), as: UTF8.self)
    let ours = base.replacing("first: M", with: "first: M # the first name")
    let theirs = "# a state\n" + base.replacing("- 2", with: "- 22")
    func bytes(_ text: String) -> ([UInt8], Format) { (Array(text.utf8), .yaml) }
    let result = try Self.merge(bytes(base), bytes(ours), bytes(theirs))
    #expect(
      String(decoding: result.bytes, as: UTF8.self) == "# a state\n" + ours.replacing("- 2", with: "- 22"))
  }

  @Test func `The text of ours keeps its layout if theirs is an archive`() throws {
    let ours = """
      {
        "$ferry" : 1,
        "$archiver" : "NSKeyedArchiver",
        "$top" : { "State" : { "$class" : "Doc", "first" : "O", "last" : "N",
          "at" : { "$date" : "2014-06-01T09:30:00Z" }, "f" : { "$single" : 0.1 } },
          "Other" : [1, 2] }
      }

      """
    let result = try Self.merge(
      (Self.document(Self.base, in: .archive), .archive), (Array(ours.utf8), .json),
      (Self.document(Self.base.replacing(#""N""#, with: #""T""#), in: .archive), .archive))
    #expect(String(decoding: result.bytes, as: UTF8.self) == ours.replacing(#""N""#, with: #""T""#))
    #expect(result.losses.isEmpty)
  }

  /// A document without a layout in two formats. The archive that Ferry writes for it has orders of keys that a layout notes.
  private static let withoutLayout: [(text: String, format: Format)] = [
    (
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"P","a":1,"x":1,"c":"s","name":"old"},"#
        + #"{"$class":"P","a":"a1","x":2,"name":1,"c":"t"}]}}"#, .json
    ),
    (
      """
      $ferry: 1
      $archiver: NSKeyedArchiver
      $top:
        root:
          - $class: P
            a: 1
            x: 1
            c: s
            name: old
          - $class: P
            a: a1
            x: 2
            name: 1
            c: t

      """, .yaml
    ),
  ]

  @Test(arguments: withoutLayout)
  func `A text without a layout gets none from archives that have one`(
    _ text: String, _ format: Format
  ) throws {
    let base = Self.withoutLayout[0].text
    let archive = try Self.document(base, in: .archive)
    #expect(try Self.typedForm(of: archive, in: .archive).contains("$layout"))
    let theirs = try Self.document(base.replacing("old", with: "theirs"), in: .archive)
    // A string may have the name of the layout.
    for ours in [text, text.replacing("a1", with: "ours"), text.replacing("a1", with: "$layout")] {
      let result = try Self.merge((archive, .archive), (Array(ours.utf8), format), (theirs, .archive))
      #expect(result.conflicts.isEmpty)
      let merged = String(decoding: result.bytes, as: UTF8.self)
      #expect(merged == ours.replacing("old", with: "theirs"))
    }
  }

  @Test func `The element of a layout is found in XML`() throws {
    let entries = "<string key=\"$archiver\">$layout</string><map key=\"$top\"><map key=\"$layout\"/></map>"
    let layout = "\n  <map key=\"$layout\"><map key=\"keys\"><string key=\"A\">0 1</string></map></map>"
    let text = Array("<?xml version=\"1.0\"?>\n<map>\(entries)\(layout)\n</map>\n".utf8)
    let range = try #require(LayoutElement.range(in: text))
    #expect(String(decoding: text[range], as: UTF8.self) == layout)
    #expect(LayoutElement.range(in: Array("<map>\(entries)</map>".utf8)) == nil)
  }

  @Test func `Names of archivers that both sides have changed are a conflict`() throws {
    func archive(_ archiver: String) throws -> ([UInt8], Format) {
      let text = Self.withoutLayout[0].text.replacing("NSKeyedArchiver", with: archiver)
      return (try Self.document(text, in: .archive), .archive)
    }
    let base = try archive("NSKeyedArchiver")
    let both = try Self.merge(base, archive("A"), archive("B"))
    #expect(both.conflicts.count == 1)
    #expect(both.conflicts.first?.path == ValuePath([.key("$archiver")]))
    #expect(both.conflicts.first?.theirs == "B")
    let theirs = try archive("B")
    let one = try Self.merge(base, base, theirs)
    #expect(one.conflicts.isEmpty)
    #expect(one.bytes == theirs.0)
  }

  @Test func `References of theirs lead to its objects if ours has given them other numbers`() throws {
    func document(_ a: String, _ w: String, _ x: String, _ y: String, _ z: String) -> [UInt8] {
      Array(
        (#"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":"Doc","a":\#(a),"w":\#(w),"#
          + #""x":\#(x),"y":\#(y),"z":\#(z)}}}"#).utf8)
    }
    func object(_ id: Int, _ name: String) -> String { #"{"$id":\#(id),"$class":"P","n":"\#(name)"}"# }
    let (one, two) = (#"{"$ref":1}"#, #"{"$ref":2}"#)
    let base = document("0", "0", object(1, "x"), one, "0")
    let ours = document(object(1, "new"), one, object(2, "x"), two, "0")
    let theirs = document("0", "0", object(1, "x"), one, one)
    let merged = document(object(1, "new"), one, object(2, "x"), two, two)
    let result = try Self.merge((base, .json), (ours, .json), (theirs, .json))
    #expect(result.conflicts.isEmpty)
    let found = try FileComparison().differences(
      from: FileComparison.File(merged, name: "a.json"), to: FileComparison.File(result.bytes, name: "b.json")
    )
    #expect(found.all.isEmpty, "\(String(decoding: result.bytes, as: UTF8.self))")
  }

  @Test(arguments: [FavoredSide.ours, .theirs])
  func `A conflict has the value of the favored side, in a text`(_ side: FavoredSide) throws {
    let theirs = Self.base.replacing(#""M""#, with: #""X""#).replacing("[1,2]", with: "[1]")
    let result = try Self.merge(
      (Array(Self.base.utf8), .json), (Array(Self.ours.utf8), .json), (Array(theirs.utf8), .json),
      favoring: side)
    #expect(result.conflicts.count == 1)
    let text = String(decoding: result.bytes, as: UTF8.self)
    let name = side == .ours ? "O" : "X"
    #expect(text == theirs.replacing(#""X""#, with: #""\#(name)""#))
  }

  @Test func `An object that Ferry does not write anew is kept`() throws {
    let base =
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"a":"x","b":"y","u":{"$class":"NSUUID","#
      + #""NS.uuidbytes":{"$inline":{"$data":"AA8="}}}}}}"#
    let ours = base.replacing(#""x""#, with: #""O""#)
    let result = try Self.merge(
      (Array(base.utf8), .json), (Array(ours.utf8), .json),
      (Array(base.replacing(#""y""#, with: #""T""#).utf8), .json))
    #expect(String(decoding: result.bytes, as: UTF8.self) == ours.replacing(#""y""#, with: #""T""#))
  }

  @Test func `An archive in the raw form stays a text in the raw form`() throws {
    func document(_ json: String) throws -> [UInt8] {
      var conversion = Conversion(to: .json)
      (conversion.writing.representation, conversion.writing.isPretty) = (.raw, true)
      return try conversion.convert(Self.document(json, in: .archive)).bytes
    }
    let base = #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":"Doc","a":"x","b":"y"}}}"#
    let ours = base.replacing(#""x""#, with: #""O""#)
    let result = try Self.merge(
      (document(base), .json), (document(ours), .json),
      (document(base.replacing(#""y""#, with: #""T""#)), .json))
    let merged = ours.replacing(#""y""#, with: #""T""#)
    #expect(try result.bytes == document(merged))
  }
}
