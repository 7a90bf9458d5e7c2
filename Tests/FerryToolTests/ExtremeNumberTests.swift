import TestSupport
import Testing

/// Every number that a user can type, at its extremes.
@Suite(.temporaryDirectory) struct `Extreme numbers in arguments` {
  /// Runs the lines of the standard input as arguments of the tool, and prints those that a signal ended, or that ended with
  /// a status that means neither success nor failure.
  private static let script = """
    import os, subprocess, sys
    for line in sys.stdin.read().splitlines():
        words = ["ferry"] + line.split()
        run = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True)
        if run.returncode not in (0, 1, 64): print(line, run.returncode, run.stderr[:200])
    print("done")
    """

  private static let values = ["0", "1", "9223372036854775807", "-1", "-9223372036854775808", "text"]

  private func check(_ lines: [String]) async throws {
    try directory.write("people.json", folksJSON)
    try directory.write("folks.xml", folks)
    // It expands beyond the floor under which no budget is counted.
    try directory.write("list.plist", HostileFile.list(repeating: 900))
    try directory.write("ring.archive", HostileFile.archiveInItself.bytes)
    try directory.write("run.py", Self.script)
    try directory.write("lines", lines.joined(separator: "\n"))
    let run = try await ToolRun.shell("python3 run.py < lines")
    #expect(run.output == "done\n", "\(run.errors)")
  }

  @Test func `An extreme number for an option traps no command`() async throws {
    let limits = ["depth", "token", "attributes", "names", "nesting", "amplification", "files"]
    var lines: [String] = []
    for value in Self.values {
      for limit in limits.map({ "--max-\($0)=\(value)" }) {
        for file in ["folks.xml", "ring.archive"] {
          lines.append("convert \(file) --to json -o out --force \(limit)")
        }
      }
      let limit = "--max-amplification=\(value) --max-depth=\(value)"
      lines += ["list.plist", "ring.archive"].flatMap {
        [
          "convert \($0) --form typed --to json -o out --force \(limit)",
          "convert \($0) --form raw --expand --to xml -o out --force \(limit)", "inspect \($0) \(limit)",
          "get \($0) [0] \(limit)", "set \($0) [0] x \(limit)",
          "merge \($0) \($0) \($0) -o merged --force \(limit)",
          "rename \($0) --class A=B \(limit)",
        ]
      }
      lines.append("seed new.json --from folks.xml \(limit)")
      lines += ["depth", "max-items", "max-text", "width"].map { "show people.json --\($0)=\(value)" }
      lines.append("convert people.json --to json --out-dir out.folder --force --jobs=\(value)")
    }
    try await check(lines)
  }

  @Test func `An extreme number in a path traps no command`() async throws {
    let numbers = Self.values + ["99999999999999999999"]
    var paths = numbers.flatMap { ["[\($0)]", "#/\($0)", "[\($0):]", "[:\($0)]", "[0][\($0)]"] }
    paths += ["[-9223372036854775808:9223372036854775807]", "[9223372036854775807:-9223372036854775808]"]
    var lines: [String] = []
    for path in paths {
      for file in ["people.json", "ring.archive"] { lines.append("get \(file) \(path)") }
      lines.append("set people.json \(path) 99999999999999999999")
      lines.append("remove ring.archive \(path)")
    }
    try await check(lines)
  }
}
