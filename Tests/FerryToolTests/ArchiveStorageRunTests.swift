import TestSupport
import Testing

/// A program that has archived a number as an object, or data inline, reads it only in that way.
@Suite(.temporaryDirectory) struct `Archives with unusual storage, written anew` {
  /// Makes an archive from a document in the typed form, in which `{"$object": 36}` is a number as an object.
  private func makeArchive(_ name: String, archiver: String = "NSKeyedArchiver", _ top: String) async throws {
    try directory.write("\(name).json", #"{"$ferry":1,"$archiver":"\#(archiver)","$top":\#(top)}"#)
    expectQuiet(
      try await ToolRun.ferry(
        "convert", "\(name).json", "--to", "archive", "-o", "\(name).archive", "--force"))
  }

  /// Returns the typed form of an archive.
  private func typed(_ file: String) async throws -> String {
    let run = try await ToolRun.ferry("convert", file, "--form", "typed", "--to", "json")
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  /// Makes an archive with several roots, of which one is a number as an object.
  private func makeRoots() async throws {
    try await makeArchive(
      "a", archiver: "MyArchiver",
      #"""
      {"one":{"$class":"Foo","age":{"$object":36},"n":5,"bytes":{"$inline":{"$data":"AAE="}}},
       "four":{"$object":37},"text":{"$inline":"x"},"flag":true,"seven":7}
      """#)
  }

  /// Expects that an archive has the roots, the archiver and the storage of `makeRoots`.
  private func expectRoots(
    in file: String, class name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let text = try await typed(file)
    for part in [
      #""$archiver":"MyArchiver""#, #""$class":"\#(name)""#, #""age":{"$object":36}"#, #""n":5"#,
      #""bytes":{"$inline":{"$data":"AAE="}}"#, #""four":{"$object":37}"#, #""text":{"$inline":"x"}"#,
      #""flag":true"#, #""seven":7"#,
    ] {
      #expect(text.contains(part), sourceLocation: sourceLocation)
    }
    #expect(!text.contains(#""root":"#), sourceLocation: sourceLocation)
  }

  @Test(arguments: ["archive", "archive-xml"])
  func `A class with another name keeps its numbers as objects and its inline data`(
    _ format: String
  ) async throws {
    try await makeRoots()
    expectQuiet(
      try await ToolRun.ferry(
        "convert", "a.archive", "--class", "Foo=My.Foo", "--to", format, "-o", "b.archive", "--strict"))
    try await expectRoots(in: "b.archive", class: "My.Foo")
  }

  @Test func `A class and a key that a schema renames keep the number as an object`() async throws {
    try await makeArchive("a", #"{"root":[{"$class":"Foo","years":{"$object":36},"n":5}]}"#)
    try directory.write(
      "s.json",
      """
      {"ferry":1,"name":"foo","collection":{"element":"foos"},
       "record":{"element":"foo","class":"NewFoo","aliases":["Foo"]},
       "fields":[{"name":"age","type":"integer","aliases":["years"]},{"name":"n","type":"integer"}]}
      """)
    let schema = ["--schema", "s.json"]
    expectQuiet(try await ToolRun.ferry(["convert", "a.archive", "-o", "b.archive"] + schema))
    #expect(try await typed("b.archive").contains(#"{"$class":"NewFoo","age":{"$object":36},"n":5}"#))
    expectQuiet(
      try await ToolRun.ferry(
        ["convert", "a.archive", "--class", "NewFoo=My.Foo", "-o", "c.archive"] + schema))
    #expect(try await typed("c.archive").contains(#"{"$class":"My.Foo","age":{"$object":36},"n":5}"#))
    let seeded = try await ToolRun.ferry(["seed", "d.archive", "--from", "a.archive"] + schema)
    #expect(seeded.output == "d.archive: created with 1 record\n", "\(seeded.errors)")
    #expect(try await typed("d.archive").contains(#"{"$class":"NewFoo","age":{"$object":36},"n":5}"#))
  }

  @Test func `A copy of an archive keeps the storage of its roots, and a part that of its objects`()
    async throws
  {
    try await makeRoots()
    expectQuiet(try await ToolRun.ferry("get", "a.archive", "-o", "b.archive"))
    try await expectRoots(in: "b.archive", class: "Foo")
    expectQuiet(try await ToolRun.ferry("get", "a.archive", "one", "-o", "c.archive"))
    let part = try await typed("c.archive")
    #expect(part.contains(#""age":{"$object":36}"#) && part.contains(#""bytes":{"$inline":"#), "\(part)")
    #expect(part.contains(#""$top":{"root":"#))
  }

  @Test(arguments: ["5", #"{"$object":5}"#, #"{"$inline":"x"}"#, #""x""#])
  func `The only root of a copy is stored as before`(_ root: String) async throws {
    try await makeArchive("a", #"{"root":\#(root)}"#)
    expectQuiet(try await ToolRun.ferry("get", "a.archive", "-o", "b.archive"))
    #expect(try await typed("b.archive").contains(#""$top":{"root":\#(root)}"#))
  }

  @Test func `A copy of an archive without roots has none`() async throws {
    try await makeArchive("a", "{}")
    expectQuiet(try await ToolRun.ferry("get", "a.archive", "-o", "b.archive"))
    #expect(try await typed("b.archive").contains(#""$top":{}"#))
  }

  @Test func `A value that a patch adds in place of a removed one is stored like that`() async throws {
    try await makeRoots()
    try directory.write(
      "p.json",
      """
      [{"op":"remove","path":"/one/age"},{"op":"add","path":"/one/age","value":38},
       {"op":"remove","path":"/four"},{"op":"add","path":"/four","value":39}]
      """)
    expectQuiet(try await ToolRun.ferry("patch", "a.archive", "p.json"))
    let text = try await typed("a.archive")
    #expect(text.contains(#""age":{"$object":38}"#) && text.contains(#""four":{"$object":39}"#), "\(text)")
  }

  @Test func `A seed from an archive keeps its roots, its archiver and its storage`() async throws {
    try await makeRoots()
    let run = try await ToolRun.ferry("seed", "b.archive", "--from", "a.archive", "--schema", "none")
    #expect(run.output == "b.archive: created\n")
    #expect(run.errors == "")
    try await expectRoots(in: "b.archive", class: "Foo")
  }

  @Test func `A seed in another format reports the archiver and the names of the roots`() async throws {
    try await makeArchive(
      "a", archiver: "MyArchiver", #"{"one":"x","two":"y"}"#)
    let run = try await ToolRun.ferry("seed", "b.json", "--from", "a.archive", "--schema", "none")
    #expect(run.status == 0)
    #expect(
      run.errors.contains(
        "the archiver's name is left out (1), the names of the archive's top-level values become keys (1)"),
      "\(run.errors)")
  }

  @Test func `Records of a seed are stored as in the document, and otherwise as in the data`() async throws {
    try await makeArchive("doc", #"{"root":[{"$class":"My.P","id":{"$object":1}}]}"#)
    try await makeArchive(
      "data", archiver: "MyArchiver",
      #"{"records":[{"$class":"P","id":2,"age":{"$object":36}}]}"#)
    try directory.write(
      "s.json",
      """
      {"ferry":1,"name":"p","key":"id","collection":{"element":"ps","key":"records"},
       "record":{"element":"p","class":"P"},
       "fields":[{"name":"id","type":"integer"},{"name":"age","type":"integer","optional":true}]}
      """)
    let run = try await ToolRun.ferry(
      "seed", "doc.archive", "--from", "data.archive", "--schema", "s.json", "--merge")
    #expect(run.output == "doc.archive: added 1 record\n  2\n", "\(run.errors)")
    let text = try await typed("doc.archive")
    #expect(text.contains(#""age":{"$object":36}"#) && text.contains(#""id":{"$object":2}"#), "\(text)")
    #expect(text.contains(#""$archiver":"NSKeyedArchiver""#) && text.contains(#""$class":"My.P""#))
  }

  /// Makes an archive whose collections have each element as an entry, and with a null that is an object.
  ///
  /// - Parameter usual: Further entries of the root, and further objects from number 12 on.
  private func makeApart(_ usual: (entries: String, objects: String) = ("", "")) async throws {
    try directory.write(
      "raw.json",
      #"""
      {"$version":100000,"$archiver":"MyArchiver","$top":{"root":{"CF$UID":1}},"$objects":["$null",
       {"$class":{"CF$UID":9},"delegate":{"CF$UID":2},"list":{"CF$UID":3},"map":{"CF$UID":4},"none":{"CF$UID":5},
        "owner":{"CF$UID":0}\#(usual.entries)},
       "$null", {"$class":{"CF$UID":10},"NS.object.0":{"CF$UID":6}},
       {"$class":{"CF$UID":11},"NS.key.0":{"CF$UID":7},"NS.object.0":{"CF$UID":8}}, {"$class":{"CF$UID":10}}, "x", "k", "y",
       {"$classname":"Foo","$classes":["Foo","NSObject"]},
       {"$classname":"NSMutableArray","$classes":["NSMutableArray","NSArray","NSObject"]},
       {"$classname":"NSDictionary","$classes":["NSDictionary","NSObject"]}\#(usual.objects)]}
      """#)
    expectQuiet(
      try await ToolRun.ferry(
        "convert", "raw.json", "--form", "raw", "--to", "archive", "-o", "apart.archive", "--force"))
  }

  /// Returns the property list of an archive as JSON.
  private func raw(_ file: String) async throws -> String {
    let run = try await ToolRun.ferry("convert", file, "--form", "raw", "--to", "json", "--quiet")
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  @Test(arguments: [
    "convert apart.archive --class Foo=Bar --to archive -o b.archive",
    "convert apart.archive --class Foo=Bar --to archive-xml -o b.archive", "get apart.archive -o b.archive",
    "seed b.archive --from apart.archive --schema none",
  ])
  func `Collections that have their elements as entries, and nulls that are objects, stay like that`(
    _ line: String
  ) async throws {
    try await makeApart()
    let run = try await ToolRun.shell("ferry \(line)")
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    let text = try await raw("b.archive")
    for part in [#""NS.object.0":"#, #""NS.key.0":"#, #""owner":{"CF$UID":0}"#] {
      #expect(text.contains(part), "\(text)")
    }
    #expect(!text.contains("NS.objects") && !text.contains("NS.keys"), "\(text)")
    #expect(text.ranges(of: #""$null""#).count == 2 && !text.contains(#""delegate":{"CF$UID":0}"#), "\(text)")
    // The values are the same.
    let values = try await ToolRun.ferry("diff", "apart.archive", "b.archive")
    #expect(values.status == (line.contains("--class") ? 1 : 0), "\(values.output)")
  }

  @Test func `A class that has collections of both kinds gets the usual one`() async throws {
    try await makeApart(
      (
        #","more":{"CF$UID":12},"no":{"CF$UID":13}"#,
        #",{"$class":{"CF$UID":10},"NS.objects":[{"CF$UID":6}]},{"$class":{"CF$UID":10},"NS.objects":[]}"#
      ))
    expectQuiet(try await ToolRun.ferry("get", "apart.archive", "-o", "b.archive"))
    let text = try await raw("b.archive")
    // The dictionaries are all of one kind.
    #expect(text.contains(#""NS.key.0":"#), "\(text)")
    #expect(text.ranges(of: #""NS.objects":["#).count == 4, "\(text)")
  }

  @Test func `A value that is added to an archive is stored like its other collections`() async throws {
    try await makeApart()
    expectQuiet(
      try await ToolRun.ferry("insert", "apart.archive", "more", #"{"a":["b"],"c":[]}"#, "--type", "json"))
    let text = try await raw("apart.archive")
    #expect(!text.contains("NS.objects") && !text.contains("NS.keys"), "\(text)")
    #expect(text.ranges(of: #""NS.key.0":"#).count == 2 && text.contains(#""NS.key.1":"#), "\(text)")
  }

  @Test func `A merge stores new values as our version does`() async throws {
    try await makeArchive("base", #"{"root":[{"$class":"P","id":1,"age":{"$object":36}}]}"#)
    try await makeArchive("ours", #"{"root":[{"$class":"P","id":1,"x":5,"age":{"$object":36}}]}"#)
    try await makeArchive(
      "theirs", #"{"root":[{"$class":"P","id":1,"age":36},{"$class":"P","id":2,"age":37}]}"#)
    let run = try await ToolRun.ferry(
      "merge", "base.archive", "ours.archive", "theirs.archive", "--key", "id", "-o", "m.archive")
    #expect(run.status == 0, "\(run.errors)")
    let text = try await typed("m.archive")
    #expect(text.contains(#""age":{"$object":36}"#) && text.contains(#""age":{"$object":37}"#), "\(text)")
  }
  @Test func `Commands that leave out entries of an archive beside its objects report them`() async throws {
    func reference(_ number: Int) -> String {
      "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
    }
    try directory.write(
      "a.plist",
      """
      <plist version="1.0"><dict><key>$version</key><integer>100000</integer>
      <key>$archiver</key><string>NSKeyedArchiver</string>
      <key>$top</key><dict><key>root</key>\(reference(1))</dict>
      <key>$objects</key><array><string>$null</string>
      <dict><key>NS.objects</key><array>\(reference(2))</array><key>$class</key>\(reference(5))</dict>
      <dict><key>NS.keys</key><array>\(reference(3))</array>
      <key>NS.objects</key><array>\(reference(4))</array><key>$class</key>\(reference(6))</dict>
      <string>label</string><string>Ada</string>
      <dict><key>$classname</key><string>NSArray</string>
      <key>$classes</key><array><string>NSArray</string><string>NSObject</string></array></dict>
      <dict><key>$classname</key><string>NSDictionary</string>
      <key>$classes</key><array><string>NSDictionary</string><string>NSObject</string></array></dict></array>
      <key>extra</key><integer>5</integer></dict></plist>
      """)
    try directory.write("x.json", "{}")
    expectQuiet(
      try await .shell(
        #"python3 -c 'import zipfile as z; f = z.ZipFile("z.zip", "w"); f.write("a.plist"); f.write("x.json")'"#
      ))
    for line in [
      "convert a.plist --to json", "get a.plist '' --to json", "get a.plist ''", "seed s.json --from a.plist",
      "convert z.zip --to json", "get z.zip '' --to json", #"get z.zip '["a.plist"]' --to json"#,
    ] {
      let run = try await ToolRun.shell("ferry \(line)")
      #expect(run.status == 0, "\(line): \(run.errors)")
      #expect(
        run.errors.contains("entries of the archive beside its objects are left out (1)"),
        "\(line): \(run.errors)")
    }
    expectQuiet(try await .ferry("get", "a.plist", "[0].label"))
    expectQuiet(try await .ferry("get", "z.zip", #"["a.plist"][0]"#))
  }
}
