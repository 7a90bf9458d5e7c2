import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `ferry patch --merge-patch` {
  @Test func `The file keeps its text, and the patch may have another format`() async throws {
    try directory.write(
      "a.json",
      """
      {
        "port": 80,
        "log": {"level": "info", "file": "a.log"},
        "proxy": "none"
      }

      """)
    try directory.write(
      "p.yaml", "port: 8080\nlog: {level: debug}\nproxy: null\nuser: {name: ada, key: null}\n")
    expectQuiet(try await .ferry("patch", "a.json", "p.yaml", "--merge-patch"))
    let expected = """
      {
        "port": 8080,
        "log": {"level": "debug", "file": "a.log"},
        "user": {"name": "ada"}
      }

      """
    #expect(try directory.text("a.json") == expected)
    let patch = #"{"log":{"file":null}}"#
    expectQuiet(
      try await ToolRun.ferry("patch", "a.json", "-", "--merge-patch", "-o", "b.json", input: patch))
    #expect(try directory.text("a.json") == expected)
    #expect(try await ToolRun.ferry("get", "b.json", "log").output == "{\"level\":\"debug\"}\n")
    expectQuiet(try await ToolRun.ferry("patch", "a.json", "-", "--merge-patch", "--dry-run", input: patch))
    #expect(try directory.text("a.json") == expected)
  }

  @Test func `A number in the place of a date or data is named in a note, also of a JSON patch`() async throws
  {
    try directory.write(
      "a.plist",
      """
      <plist version="1.0"><dict><key>born</key><date>1815-12-10T00:00:00Z</date><key>n</key><integer>1</integer>
      <key>bytes</key><data>AQI=</data></dict></plist>

      """)
    let note = "a.plist: the patch changes types: born (date → integer), bytes (data → boolean)\n"
    try directory.write("merge.json", #"{"born":5,"n":true,"bytes":false,"new":1}"#)
    let merged = try await ToolRun.ferry("patch", "a.plist", "merge.json", "--merge-patch", "-o", "b.plist")
    #expect(merged.status == 0 && merged.errors == note, "\(merged)")
    try directory.write(
      "patch.json",
      """
      [{"op":"replace","path":"/born","value":5},{"op":"replace","path":"/bytes","value":false},
       {"op":"replace","path":"/n","value":2}]
      """)
    let patched = try await ToolRun.ferry("patch", "a.plist", "patch.json", "--dry-run")
    #expect(patched.status == 0 && patched.errors == note, "\(patched)")
    try directory.write("same.json", #"{"born":"1816-01-01T00:00:00Z","bytes":{"$data":"Aw=="},"n":2}"#)
    expectQuiet(try await .ferry("patch", "a.plist", "same.json", "--merge-patch"))
  }

  @Test func `A patch without a value changes nothing`() async throws {
    try directory.write("a.json", #"{"a":1}"#)
    try directory.write("p.yaml", "# a: 2\n")
    let run = try await ToolRun.ferry("patch", "a.json", "p.yaml", "--merge-patch")
    #expect(run.status == 0)
    #expect(run.errors == "p.yaml: the patch has no value, and changes nothing\n")
    try directory.write("p.jsonl", "")
    expectFailure(
      try await ToolRun.ferry("patch", "a.json", "p.jsonl", "--merge-patch"), "p.jsonl: the file is empty")
    #expect(try directory.text("a.json") == #"{"a":1}"#)
  }

  @Test func `A property list keeps its comments and types, and takes no null`() async throws {
    let list = """
      <plist><dict>
      <key>d</key> <!-- when -->
      <date>2024-01-01T00:00:00Z</date>
      <key>o</key>
      <string>x</string>
      </dict></plist>

      """
    try directory.write("a.plist", list)
    try directory.write("p.json", #"{"d":"2025-01-01T00:00:00Z","o":null}"#)
    expectQuiet(try await .ferry("patch", "a.plist", "p.json", "--merge-patch"))
    let text = try directory.text("a.plist")
    #expect(text.contains("<!-- when -->\n<date>2025-01-01T00:00:00Z</date>"), "\(text)")
    #expect(!text.contains("<key>o</key>"), "\(text)")
    try directory.write("p.json", #"{"d":[null]}"#)
    let run = try await ToolRun.ferry("patch", "a.plist", "p.json", "--merge-patch")
    #expect(run.status == 1 && run.errors.contains("an XML property list cannot hold null"), "\(run.errors)")
    #expect(try directory.text("a.plist") == text)
  }

  @Test func `The files of a ZIP archive are merged by their names`() async throws {
    try directory.write("a.json", #"{"a":1,"b":2}"#)
    try directory.write("b.txt", "b")
    expectQuiet(try await ToolRun.shell("python3 -m zipfile -c z.zip a.json b.txt"))
    try directory.write("p.json", #"{"a.json":{"a":null,"c":3},"b.txt":"text"}"#)
    expectQuiet(try await .ferry("patch", "z.zip", "p.json", "--merge-patch"))
    #expect(try await ToolRun.ferry("get", "z.zip", #"["a.json"]"#).output == "{\"b\":2,\"c\":3}\n")
    #expect(try await ToolRun.ferry("get", "z.zip", #"["b.txt"]"#).output == "text\n")
  }

  @Test func `A dictionary without the option, and a merge of two files, name the option`() async throws {
    try directory.write("a.json", #"{"a":1}"#)
    for (name, patch) in [("p.json", #"{"a":2}"#), ("p.yaml", "a: 2\n")] {
      try directory.write(name, patch)
      expectFailure(
        try await ToolRun.ferry("patch", "a.json", name),
        "\(name): not a JSON patch: a patch is a list of operations (--merge-patch merges a dictionary into the file)"
      )
    }
    #expect(try directory.text("a.json") == #"{"a":1}"#)
    let run = try await ToolRun.ferry("merge", "a.json", "p.json")
    #expect(run.status == 64)
    #expect(
      run.errors.hasPrefix("Error: merge takes three files: the common base, our version and their version"),
      "\(run.errors)")
    #expect(run.errors.contains("'ferry patch FILE OTHER --merge-patch'"), "\(run.errors)")
  }
}
