import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `--shared` {
  /// A person in two places, and a node that contains itself.
  private let shared = """
    {"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[
    {"$class":"Friend","$id":1,"name":"Ada","tags":["a","b"]},{"$ref":1},
    {"$class":"Node","$id":2,"label":"x","next":{"$class":"Node","friend":{"$ref":1},"next":{"$ref":2}}}]}}
    """

  private func makeArchive() async throws {
    try directory.write("typed.json", shared)
    expectQuiet(try await .ferry("convert", "typed.json", "-o", "x.archive", "--to", "archive"))
  }

  private let ada = #"{"name":"Ada","tags":["a","b"]}"#

  @Test func `--shared in-full shows an object each time, and refers to it only inside itself`() async throws
  {
    try await makeArchive()
    let json = """
      [\(ada),\(ada),{"label":"x","next":{"next":{"$ref":"#/2"},"friend":\(ada)}}]

      """
    for command in [["convert", "--to", "json"], ["get"]] {
      let run = try await ToolRun.ferry(command + ["x.archive", "--shared", "in-full"])
      #expect(run.status == 0)
      #expect(run.output == json)
      #expect(run.errors.contains("shared objects become several equal ones (2)"))
    }
    let get = try await ToolRun.ferry("get", "x.archive", "[2].next", "--to", "json", "--shared", "in-full")
    #expect(get.output == ##"{"next":{"label":"x","next":{"$ref":"#"}},"friend":\##(ada)}"## + "\n")
    let xml = try await ToolRun.ferry("convert", "x.archive", "--to", "xml", "--shared", "in-full")
    #expect(xml.output.split(separator: "<name>Ada</name>", omittingEmptySubsequences: false).count == 4)
    let show = try await ToolRun.ferry("show", "x.archive", "--shared", "in-full", "--width", "200")
    expectQuiet(show)
    let friend = #"Friend #2 { name: "Ada", tags: ["a", "b"] }"#
    #expect(show.output.split(separator: friend, omittingEmptySubsequences: false).count == 4)
    #expect(show.output.contains("next: → #"))
  }

  @Test func `--shared reference is the default`() async throws {
    try await makeArchive()
    for command in [["convert", "--to", "json"], ["show"], ["get"]] {
      let plain = try await ToolRun.ferry(command + ["x.archive"])
      let asked = try await ToolRun.ferry(command + ["x.archive", "--shared", "reference"])
      #expect(plain.output == asked.output)
      #expect(plain.output.contains(command == ["show"] ? "→ #2" : ##"{"$ref":"#/0"}"##))
    }
  }

  @Test func `--shared in-full keeps within the budget for amplification`() async throws {
    var array = #"{"$class":"NSMutableArray","$id":40,"$items":["end"]}"#
    for depth in (10..<40).reversed() {
      array = ##"{"$class":"NSMutableArray","$id":\##(depth),"$items":[\##(array),{"$ref":\##(depth + 1)}]}"##
    }
    try directory.write(
      "typed.json", #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":\#(array)}}"#)
    expectQuiet(try await .ferry("convert", "typed.json", "-o", "x.archive", "--to", "archive"))
    for command in [["convert", "--to", "json"], ["show"], ["get"]] {
      let run = try await ToolRun.ferry(
        command + ["x.archive", "--shared", "in-full", "--max-amplification", "1"])
      #expect(run.status == 1)
      #expect(run.errors.contains("expands to more than 1 times its size"))
    }
  }

  @Test func `--shared in-full is refused for outputs that keep references`() async throws {
    try await makeArchive()
    let typed = try await ToolRun.ferry(
      "convert", "x.archive", "--to", "json", "--form", "typed", "--shared", "in-full")
    #expect(typed.status == 64)
    #expect(typed.errors.contains("--shared in-full needs --form plain"))
    let archive = try await ToolRun.ferry("convert", "x.archive", "--to", "archive", "--shared", "in-full")
    #expect(archive.status == 64)
    #expect(archive.errors.contains("--shared in-full cannot be used when writing an archive"))
  }

  /// A node whose child refers to it, and a list in two fields.
  private static let graphs = [
    #"{"$class":"Node","$id":1,"name":"top","child":{"$class":"Node","name":"kid","parent":{"$ref":1}}}"#,
    #"{"$class":"Doc","a":{"$class":"NSArray","$id":3,"$items":["s",{"$class":"Node","name":"x"}]},"b":{"$ref":3}}"#,
  ]

  @Test(arguments: graphs)
  func `With a schema, references are paths as without one`(_ graph: String) async throws {
    try directory.write(
      "typed.json", #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":\#(graph)}}"#)
    expectQuiet(try await .ferry("convert", "typed.json", "-o", "x.archive", "--to", "archive"))
    for format in ["json", "yaml"] {
      let plain = try await ToolRun.ferry("convert", "x.archive", "--to", format)
      #expect(plain.output.contains("$ref"))
      let inferred = try await ToolRun.ferry("convert", "x.archive", "--infer", "--to", format)
      #expect(inferred.status == 0, "\(inferred.errors)")
      #expect(inferred.output == plain.output)
    }
    let infer = try await ToolRun.ferry("schema", "infer", "x.archive", "-q", "-o", "x.schema.json")
    #expect(infer.status == 0, "\(infer.errors)")
    let check = try await ToolRun.ferry("schema", "check", "x.archive", "--schema", "x.schema.json")
    #expect(check.status == 0, "\(check.errors)")
  }

  @Test(arguments: [["a", "b"], ["b", "a"]])
  func `A schema with another order of fields sends no reference before its object`(_ names: [String])
    async throws
  {
    let root =
      #"{"$class":"Doc","a":{"$class":"Node","$id":3,"n":["x"]},"b":{"$class":"Node","back":{"$ref":3}}}"#
    try directory.write(
      "typed.json", #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":\#(root)}}"#)
    expectQuiet(try await .ferry("convert", "typed.json", "-o", "x.archive", "--to", "archive"))
    let fields = names.map { #"{"name":"\#($0)","type":"any"}"# }.joined(separator: ",")
    try directory.write(
      "d.schema.json", #"{"ferry":1,"name":"doc","record":{"class":"Doc"},"fields":[\#(fields)]}"#)
    let run = try await ToolRun.ferry("convert", "x.archive", "--schema", "d.schema.json", "--to", "json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(#""$ref":"#) && run.output.contains(#""x""#), "\(run.output)")
  }
}
