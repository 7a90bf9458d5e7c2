import Foundation
import Testing

/// The texts of the library, which programs other than the command show to their users.
@Suite struct `Texts of the library` {
  /// An option, or a command with its verb: `--max-depth`, `-o FILE`, `ferry get`.
  private static var commandWords: Regex<Substring> {
    /--[a-z][a-z-]+|[(\s]-[a-z] (?:-\s|[A-Z]{3})|\bferry (?:check|convert|copy|diff|edit|find|formats|get|help|insert|inspect|merge|move|patch|remove|rename|schema|seed|set|show)\b/
  }

  /// Returns the lines of code, without comments, that name an option or a command.
  private func lines(in text: String) -> [String] {
    text.split(separator: "\n").filter { line in
      let code = line.drop { $0 == " " }
      return !code.hasPrefix("//") && code.contains(Self.commandWords)
    }.map(String.init)
  }

  @Test(arguments: ["Ferry", "FerryFoundation"])
  func `No text of the library names an option or a verb of the command`(_ target: String) throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/\(target)").standardizedFileURL
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path(percentEncoded: false))
    for path in paths where path.hasSuffix(".swift") {
      var found = lines(in: try String(contentsOf: sources.appending(path: path), encoding: .utf8))
      // The properties of style sheets look like options.
      if path.hasPrefix("Inspection/Page/") { found.removeAll { !$0.contains("ferry ") } }
      // Other programs have options, too.
      found.removeAll { $0.contains("(iconv -f ") }
      #expect(found == [], "\(path)")
    }
  }

  @Test(arguments: [
    ("case .depth: \"too deep (--max-depth raises the limit)\"", true),
    ("let why = \"not to a terminal (use -o FILE, or -o - to write it anyway)\"", true),
    ("return \"use ferry get\"", true), ("    /// use ferry get --type", false),
    ("\"a dictionary with the key $ferry becomes a document\"", false), ("index -= 1", false),
  ])
  func `A text with an option or a verb of the command is found`(_ line: String, _ isFound: Bool) {
    #expect(lines(in: "let a = 1\n\(line)\n").isEmpty == !isFound)
  }
}
