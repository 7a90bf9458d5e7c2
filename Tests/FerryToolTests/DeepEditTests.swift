import TestSupport
import Testing

/// Files that are nested deeper than the stack, with a limit that allows it.
@Suite(.temporaryDirectory) struct `Changes of files of 40,000 levels` {
  private struct DeepFile {
    let name: String
    /// The beginning of the paths of its values.
    let prefix: String
    let text: String
  }

  private static func nested(_ begin: String, _ end: String, _ innermost: String = "") -> String {
    String(repeating: begin, count: 40_000) + innermost + String(repeating: end, count: 40_000)
  }

  private static var files: [DeepFile] {
    let head = "<plist version=\"1.0\"><dict><key>b</key><string>1</string><key>a</key>"
    return [
      DeepFile(name: "f.json", prefix: "", text: #"{"b":1,"a":\#(nested("[", "]")),"c":2}"#),
      DeepFile(name: "g.json", prefix: "", text: #"{"b":1,"a":\#(nested(#"{"a":"#, "}", "1")),"c":2}"#),
      DeepFile(
        name: "f.plist", prefix: "",
        text: head + nested("<array>", "</array>") + "<key>c</key><string>x</string></dict></plist>"),
      DeepFile(name: "f.xml", prefix: "r.", text: "<r><b>1</b>\(nested("<a>", "</a>", "x"))<c>x</c></r>"),
    ]
  }

  /// Each command that changes a file, with `F` for the file and `%` for the prefix of its paths.
  private static let commands = [
    "set F %b 5", "set F %b '\u{1}'", "set F %a 5", "set F %a '{}' --type json", "set F %e 5 --insert",
    "insert F %e 3", "insert F %e '\u{1}'", "insert F e '\u{1}'", "remove F %b", "remove F %a",
    "move F %c %e", "move F %a %e", "move F %a %b --replace", "copy F %c %e", "copy F %a %e",
    "copy F %a %b --replace", "patch F set.json", "patch F move.json", "patch F control.json",
    "patch F merge.json --merge-patch", "edit F", "get F %a", "get F %b",
  ]

  @Test(arguments: files.indices) func `Each command changes the file, or says why not`(_ index: Int)
    async throws
  {
    let file = Self.files[index]
    let base = file.prefix.isEmpty ? "" : "/r"
    try directory.write("original", file.text)
    try directory.write("set.json", #"[{"op":"replace","path":"\#(base)/b","value":"7"}]"#)
    try directory.write("move.json", #"[{"op":"move","from":"\#(base)/a","path":"\#(base)/e"}]"#)
    try directory.write("control.json", #"[{"op":"add","path":"\#(base)/e","value":"\u0001"}]"#)
    try directory.write("merge.json", #"{"b":null,"q":{"r":"1"},"a":{"z":"1"}}"#)
    let lines = Self.commands.map { command in
      let line = command.replacing("F", with: file.name).replacing("%", with: file.prefix)
      return """
        cp original \(file.name); ferry \(line) --max-depth 1000000 > printed 2> errors; status=$?
        if [ $status -gt 1 ]; then echo "$status: \(command.replacing("'", with: ""))"; cat errors; fi
        """
    }
    let script = ["export EDITOR=true SWIFT_BACKTRACE=enable=no; ulimit -t 60"] + lines
    let run = try await ToolRun.shell(script.joined(separator: "\n"))
    #expect(run.output == "", "\(run)")
  }
}
