import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Edits of the files in a list` {
  /// Makes three files, of which two have a theme, and a list of them.
  private func makeFiles() throws {
    try directory.write("a.json", #"{"theme": "light", "l": [1]}"#)
    try directory.write("b.yaml", "# x\ntheme: light\n")
    try directory.write("c.json", #"{"size": 3}"#)
    try directory.write("list", "a.json\nb.yaml\nc.json\n")
  }

  private let summary = "2 of 3 files changed, 1 has no value at the path\n"

  @Test func `The listed files with a value at the path change, and the first argument is the path`()
    async throws
  {
    for line in [
      "ferry set --files-from - theme dark < list", "ferry set theme dark --files-from list",
      "ferry set theme --files-from=list dark",
      "tr '\\n' '\\0' < list | ferry set -0 --files-from - theme dark",
      "tr '\\n' '\\0' < list | ferry set --files-from - theme dark -0",
    ] {
      try makeFiles()
      let run = try await ToolRun.shell("\(line); cat a.json b.yaml c.json")
      #expect(
        run.output == #"{"theme": "dark", "l": [1]}"# + "# x\ntheme: dark\n" + #"{"size": 3}"#,
        "\(line): \(run)")
      #expect(run.errors == summary, "\(line): \(run.errors)")
    }
  }

  @Test func `All commands that change values take a list`() async throws {
    try makeFiles()
    try directory.write("patch.json", #"[{"op": "remove", "path": "/name"}]"#)
    let run = try await ToolRun.shell(
      #"""
      ferry insert --files-from list kind x; ferry copy --files-from list theme other
      ferry move --files-from list other name; ferry patch --files-from list patch.json
      ferry remove --files-from list theme
      cat a.json b.yaml c.json
      """#)
    #expect(
      run.output == #"{"l": [1], "kind": "x"}"# + "# x\nkind: x\n" + #"{"size": 3, "kind": "x"}"#, "\(run)")
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count(where: { $0 + "\n" == summary }) == 3, "\(run.errors)")
    #expect(lines.first == "3 of 3 files changed", "\(run.errors)")
    #expect(lines.contains("2 of 3 files changed, 1 does not match the patch"), "\(run.errors)")
  }

  @Test func `A negative number is a value, and a dry run lists the files`() async throws {
    try makeFiles()
    let run = try await ToolRun.shell("ferry set --files-from list size -5; cat c.json")
    #expect(run.output == #"{"size": -5}"#, "\(run)")
    #expect(run.errors == "1 of 3 files changed, 2 have no value at the path\n", "\(run.errors)")
    let dry = try await ToolRun.ferry("set", "--files-from", "list", "size", "7", "-n")
    #expect(dry.output == "c.json\n", "\(dry)")
    #expect(try directory.text("c.json") == #"{"size": -5}"#)
  }

  @Test func `A file that is in a list twice changes once`() async throws {
    try makeFiles()
    let run = try await ToolRun.shell(
      "printf 'a.json\\n./a.json\\na.json\\n' | ferry insert --files-from - 'l[]' 2; cat a.json")
    #expect(run.output == #"{"theme": "light", "l": [1, 2]}"#, "\(run)")
    #expect(run.errors == "1 of 1 file changed\n", "\(run.errors)")
  }

  @Test func `A listed file that cannot be read is an error, and the others change`() async throws {
    try makeFiles()
    let run = try await ToolRun.shell(
      "printf 'none.json\\na.json\\n' | ferry set --files-from - theme dark; echo $?; ferry get a.json theme")
    #expect(run.output == "1\ndark\n", "\(run)")
    #expect(
      run.errors == "none.json: no such file or directory\n1 of 2 files changed, 1 failed\n", "\(run.errors)")
  }

  @Test func `A folder in a list needs the option for folders`() async throws {
    try makeFiles()
    let run = try await ToolRun.shell(
      """
      mkdir t; mv a.json b.yaml t; echo t > list; ferry set --files-from list theme dark; echo $?
      ferry set --files-from list theme dark -r
      """)
    #expect(run.output == "1\n", "\(run)")
    #expect(run.errors.contains("; -r changes the files in a folder\n"), "\(run.errors)")
    #expect(run.errors.hasSuffix("2 of 2 files changed\n"), "\(run.errors)")
  }

  @Test func `The value and the patch cannot be the standard input together with the list`() async throws {
    try makeFiles()
    for line in [
      "set --files-from - theme -", "insert --files-from - kind -", "patch --files-from - -",
      "set --files-from - theme --from-file -",
    ] {
      let run = try await ToolRun.shell("ferry \(line) < list")
      #expect(run.status == 64, "\(line): \(run)")
      #expect(
        run.errors.contains("--files-from - reads the standard input, which cannot be "), "\(run.errors)")
    }
    let listed = try await ToolRun.shell("echo - > list; ferry set --files-from list theme dark < a.json")
    #expect(listed.status == 64 && listed.errors.contains("a name in the list is -"), "\(listed)")
  }

  @Test func `A mistake in a command line with a list is named without the place of the file`() async throws {
    try makeFiles()
    for (line, words) in [
      ("set --files-from list theme=dark", "(write: ferry set --files-from list theme dark)"),
      ("set --files-from list", "Missing expected argument '<path>'"),
      ("set -0 a.json theme dark", "--null needs --files-from FILE"),
      ("set --files-from list theme dark -o x.json", "-o cannot be used with --files-from"),
      ("set --files-from list theme dark --include x", "--include and --exclude need -r"),
    ] {
      let run = try await ToolRun.shell("ferry \(line)")
      #expect(run.status == 64 && run.errors.contains(words), "\(line): \(run.errors)")
    }
    let file = try await ToolRun.ferry("remove", "a.json", "theme", "--files-from", "list")
    #expect(
      file.errors.contains("\"a.json\" is a file: with --files-from, the first argument is the path"),
      "\(file.errors)")
    #expect(try directory.text("a.json") == #"{"theme": "light", "l": [1]}"#)
  }
}
