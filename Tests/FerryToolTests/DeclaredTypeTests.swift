import Ferry
import TestSupport
import Testing

/// Documents and packages of types of `--types`.
@Suite(.temporaryDirectory) struct `Declared types` {
  private static let option = ["--types", "types.json"]

  /// Makes types of documents in XML and of packages whose records are CSV in `x.dat`, and the packages `A.trip` and `B.trip`, which have the
  /// same records in other notations.
  private func makeTrips() throws {
    try directory.write(
      "types.json",
      """
      {"ferry":1,"types":[
       {"name":"memo","identifier":"com.example.memo","extensions":["memo"],"schema":"s.json",
        "layout":{"file":"xml"}},
       {"name":"trip","identifier":"com.example.trip","extensions":["trip"],"schema":"s.json",
        "layout":{"package":{"main":"x.dat","format":"csv"}}}]}
      """)
    try directory.write(
      "s.json",
      """
      {"ferry":1,"name":"s","key":"id","fields":[{"name":"id","type":"integer"},{"name":"t"},
       {"name":"day","type":"date"}]}
      """)
    try directory.makeDirectory("A.trip")
    try directory.makeDirectory("B.trip")
    try directory.write("A.trip/x.dat", "id,t,day\n1,a,2024-05-06T07:08:09Z\n")
    try directory.write("B.trip/x.dat", "id,t,day\n01,a,2024-05-06T09:08:09+02:00\n")
  }

  // MARK: Several files of types

  @Test func `The types of several files are joined`() async throws {
    try makeTrips()
    try directory.write(
      "more.json",
      """
      {"ferry":1,"types":[{"name":"list","identifier":"com.example.list","extensions":["list"],
       "layout":{"file":"csv"}}]}
      """)
    try directory.write("a.list", "t\nz\n")
    // The same type may be in two files.
    expectQuiet(try await .shell("mkdir copy; cp types.json s.json copy"))
    let all = ["--types", "types.json", "--types", "more.json", "--types", "copy/types.json"]
    #expect(try await ToolRun.ferry(["get", "a.list", "[0].t"] + all).output == "z\n")
    #expect(try await ToolRun.ferry(["get", "A.trip", "[0].t"] + all).output == "a\n")
    let formats = try await ToolRun.ferry(["formats"] + all).output
    #expect(formats.contains(".list") && formats.contains(".trip") && formats.contains(".memo"))
    expectFailure(
      try await .ferry("get", "a.list", "--types", "more.json", "--types", "none.json"),
      "none.json: no such file or directory")
  }

  @Test(
    arguments: [
      (
        #""name":"journey","identifier":"com.example.journey","extensions":["voyage","TRIP"]"#,
        #"extension "trip""#
      ),
      (#""name":"trip","identifier":"com.example.journey","extensions":["voyage"]"#, #"name "trip""#),
    ])
  func `Different types with one name or extension are refused with both places`(
    _ keys: String, _ common: String
  ) async throws {
    try makeTrips()
    try directory.write("other.json", "{\"ferry\":1,\"types\":[\n{\(keys),\"layout\":{\"file\":\"csv\"}}]}")
    let run = try await ToolRun.ferry("get", "A.trip", "--types", "types.json", "--types", "other.json")
    #expect(run.status == 1 && run.output == "")
    #expect(
      run.errors
        == "other.json:2:1: invalid file of document types: types[1] in types.json is another type with the \(common) "
        + "(at types[0])\n")
  }
}
