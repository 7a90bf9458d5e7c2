import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Described classes` {
  private static let classes = """
    {"ferry": 1, "classes": [{"class": "Person", "fields": [
      {"name": "given", "archiveKey": "first", "type": "string"},
      {"name": "family", "archiveKey": "last", "type": "string"}]}]}
    """

  private func makeArchive() async throws {
    try directory.write("folks.xml", folks)
    try directory.write("classes.json", Self.classes)
    expectQuiet(try await ToolRun.ferry("convert", "folks.xml", "-o", "folks.archive"))
  }

  @Test func `Objects of described classes are converted to their decoded form`() async throws {
    try await makeArchive()
    let run = try await ToolRun.ferry(
      "convert", "folks.archive", "--schema", "none", "--classes", "classes.json", "--to", "json", "--quiet")
    expectQuiet(run)
    #expect(
      run.output == """
        [{"given":"Matt","family":"Neuburg"},{"given":"Snidely","family":"Whiplash"},\
        {"given":"Dudley","family":"Doright"}]

        """)
  }

  @Test func `Objects of described classes are shown by their decoded form`() async throws {
    try await makeArchive()
    let run = try await ToolRun.ferry("show", "folks.archive", "--classes", "classes.json")
    expectQuiet(run)
    #expect(
      run.output.hasPrefix(
        """
        [
          Person { given: "Matt", family: "Neuburg" }

        """))
  }

  @Test func `A built-in schema does not hide described classes`() async throws {
    try await makeArchive()
    let run = try await ToolRun.ferry(
      "convert", "folks.archive", "--classes", "classes.json", "--to", "jsonl", "--quiet")
    expectQuiet(run)
    #expect(run.output.hasPrefix("{\"given\":\"Matt\",\"family\":\"Neuburg\"}\n"))
  }

  @Test(arguments: [
    [
      ["convert", "folks.archive", "--to", "json"], ["show", "folks.archive"],
      ["get", "folks.archive", "[:]"], ["get", "folks.archive"], ["get", "folks.archive", "--to", "json"],
    ]
  ])
  func `Objects that their description does not fit are reported`(_ commands: [[String]]) async throws {
    try await makeArchive()
    for (field, why) in [
      (#"{"name": "x", "archiveKey": "first", "type": "integer"}"#, "has under first no integer"),
      (#"{"name": "x", "archiveKey": "middle"}"#, "has no key middle"),
      (#"{"name": "x", "archiveKey": "first"}"#, "has the key last, which is not a field"),
    ] {
      try directory.write("c.json", #"{"ferry": 1, "classes": [{"class": "Person", "fields": [\#(field)]}]}"#)
      for command in commands {
        let run = try await ToolRun.ferry(command + ["--classes", "c.json"])
        #expect(run.status == 0)
        #expect(
          run.errors.contains(
            "folks.archive: 3 objects of Person keep their archived keys: the file of classes does not fit (the first \(why))\n"
          ), "\(run.errors)")
        #expect(run.output.contains("Neuburg"))
      }
    }
    let report = try await ToolRun.ferry(
      "convert", "folks.archive", "--to", "json", "-o", "out.json", "--classes", "c.json", "--report", "-")
    #expect(report.output.contains(#""code": "class-misfit""#))
    #expect(report.output.contains(#""object": "#))
    // The keys of the description are then missing, which the report explains.
    for command in [["get", "folks.archive", "[0].x"], ["set", "folks.archive", "[0].x", "Ada"]] {
      let run = try await ToolRun.ferry(command + ["--classes", "c.json"])
      #expect(run.status == 1)
      #expect(
        run.errors.contains("no key \"x\" here") && run.errors.contains("which is not a field"),
        "\(run.errors)")
    }
  }

  @Test
  func `Described classes have fields of any type, which may be numbers as objects`()
    async throws
  {
    try directory.write(
      "a.json",
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":"P","n":{"$object":5},"m":6}}}"#)
    try directory.write(
      "c.json",
      #"{"ferry": 1, "classes": [{"class": "P", "fields": [{"name": "a", "archiveKey": "n"}, {"name": "b", "archiveKey": "m"}]}]}"#
    )
    let run = try await ToolRun.shell(
      """
      ferry convert a.json --to archive -o a.archive || exit 2
      ferry convert a.archive --classes c.json --to jsonl -q || exit 3
      ferry set a.archive a 7 --classes c.json && ferry get a.archive a --classes c.json || exit 4
      ferry inspect a.archive | sed -n 's/^ *1  *\\([mn]\\)  */\\1 /p'
      """)
    expectQuiet(run)
    #expect(run.output == "{\"a\":5,\"b\":6}\n7\nm integer\nn integer (object)\n")
  }

  @Test func `A class catalog may be a file of any format`() async throws {
    try await makeArchive()
    expectQuiet(try await ToolRun.ferry("convert", "classes.json", "-o", "classes.plist"))
    let run = try await ToolRun.ferry("show", "folks.archive", "--classes", "classes.plist")
    expectQuiet(run)
    #expect(run.output.contains("given: \"Matt\""))
  }

  @Test func `An invalid class catalog is refused with the place of the problem`() async throws {
    try await makeArchive()
    try directory.write("wrong.json", #"{"ferry": 1, "classes": [{"class": "Person"}]}"#)
    let run = try await ToolRun.ferry("show", "folks.archive", "--classes", "wrong.json")
    expectFailure(
      run,
      "wrong.json:1:26: invalid file of classes: a class has either fields or a value (at classes[0])")
  }

  @Test func `A class whose value is a URL keeps its object, and refuses a text that is not a URL`()
    async throws
  {
    try directory.write(
      "link.classes.json",
      #"{"ferry":1,"classes":[{"class":"Link","value":{"archiveKey":"link","type":"url"}}]}"#)
    try directory.write(
      "link.json",
      """
      {"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"Link","link":\
      {"$class":"NSURL","NS.base":null,"NS.relative":"http://a.b/c"}}]}}
      """)
    expectQuiet(try await .ferry("convert", "link.json", "-o", "link.archive", "--to", "archive"))
    let set = ["set", "link.archive", "[0]", "--type", "json", "--classes", "link.classes.json"]
    let bad = try await ToolRun.ferry(set + [#""not a url %%""#])
    #expect(bad.status == 1)
    #expect(bad.errors.contains("two hexadecimal digits follow a %"), "\(bad.errors)")
    expectQuiet(try await .ferry(set + [#""http://x.y/z""#]))
    let show = try await ToolRun.ferry("show", "link.archive")
    #expect(show.output.contains("Link { link: NSURL \"http://x.y/z\" }"), "\(show.output)")
  }
}
