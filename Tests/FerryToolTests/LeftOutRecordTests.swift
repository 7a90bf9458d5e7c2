import Ferry
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Paths after records that are left out` {
  /// Returns the paths of the failures and of the losses in the report of a conversion with `--keep-going`.
  private func paths(_ arguments: [String]) async throws -> (failures: [String], losses: [String]) {
    let run = try await ToolRun.ferry(["convert", "--keep-going", "-q", "--report", "r.json"] + arguments)
    #expect(run.status == 1)
    func found(_ list: String) async throws -> [String] {
      try await ToolRun.ferry("get", "r.json", "\(list)[*].path").output.split(separator: "\n").map(
        String.init)
    }
    return (try await found("failures"), try await found("losses"))
  }

  @Test func `Losses in a table have the index of their record in the input`() async throws {
    try directory.write(
      "m.jsonl", "no\n{\"id\":2}\nnot json\nnor this\n{\"id\":3,\"extra\":null}\n{\"id\":4,\"extra\":\"x\"}\n"
    )
    let found = try await paths(["m.jsonl", "--to", "csv", "-o", "o.csv"])
    #expect(found.failures == ["[0]", "[2]", "[3]"])
    #expect(found.losses == ["[1].id", "[4].id", "[1].extra", "[4].extra", "[5].id"])
  }

  @Test func `Losses of a value have the index of their record in the input`() async throws {
    try directory.write("m.jsonl", "{\"d\":null}\nnot json\n{\"d\":{\"e\":[null,{\"f\":null}]}}\n")
    let found = try await paths(["m.jsonl", "--to", "plist", "-o", "o.plist"])
    #expect(found.failures == ["[1]"])
    #expect(found.losses == ["[0].d", "[2].d.e[0]", "[2].d.e[1].f"])
  }

  @Test func `Losses in records of a schema have their index among all records of the input`() async throws {
    try directory.write(
      "s.json", #"{"ferry":1,"name":"r","fields":[{"name":"id","type":"integer"}]}"#)
    try directory.write(
      "m.jsonl", "{\"id\":2}\n{\"id\":\"x\"}\n{\"id\":3,\"z\":1}\nnot\n{\"id\":4,\"u\":true}\n")
    let found = try await paths(["m.jsonl", "--schema", "s.json", "--to", "csv", "-o", "o.csv"])
    #expect(found.failures == ["[1].id", "[3]"])
    #expect(found.losses == ["[0].z", "[2].z", "[0].u", "[4].u", "[4].z"])
  }

  @Test(.enabled(if: Format.sqlite.canWrite))
  func `An error of a database has the index of its record in the input`() async throws {
    try directory.write("a.json", #"[{"id":1}]"#)
    try directory.write("m.jsonl", "{\"id\":2}\nnot json\n{\"id\":3,\"extra\":1}\n")
    let run = try await ToolRun.shell(
      """
      ferry convert a.json --to sqlite --table r -o x.db || exit 9
      ferry convert m.jsonl --append -o x.db --table r --keep-going
      """)
    expectFailure(
      run,
      """
      m.jsonl:2:1: expected a value, found "not" (at [1])
      m.jsonl:3:9: the table "r" has no column "extra" (at [2].extra)
      """)
  }
}
