import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `The formula for Homebrew` {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Packaging/homebrew.sh").standardizedFileURL.path
  private static let url = "https://example.org/archives/ferry-0.1.0.tar.gz"

  private func makeFormula() async throws -> String {
    try directory.write("ferry.tar.gz", "sources")
    let run = try await ToolRun.shell("'\(Self.script)' '\(Self.url)' ferry.tar.gz out")
    #expect(run.status == 0 && run.output == "out/ferry.rb\n" && run.errors == "", "\(run.errors)")
    return try directory.text("out/ferry.rb")
  }

  @Test func `The formula has the address, the checksum and the version of the archive`() async throws {
    let formula = try await makeFormula()
    // The checksum is that of the text "sources".
    for line in [
      "  url \"\(Self.url)\"", "  homepage \"https://example.org/\"", "  license \"Apache-2.0\"",
      "  sha256 \"878a52fc5ff6a57d50b7b870aa51637a3dfd38fc22352a39f95a3c292eb976d5\"",
      "    system \"swift\", \"build\", \"-c\", \"release\", \"--product\", \"ferry\", \"--disable-sandbox\"",
      "    man1.install Dir[\"man/*.1\"]",
      "    generate_completions_from_executable(bin/\"ferry\", \"--generate-completion-script\")",
    ] {
      #expect(formula.contains(line + "\n"), "\(line)")
    }
    let version = try await ToolRun.shell("ferry --version | cut -d ' ' -f 1")
    #expect(formula.contains("  version \"\(version.output.dropLast())\"\n"))
  }

  @Test func `The commands of the formula for manual pages, completions and its test work`() async throws {
    let formula = try await makeFormula()
    let pages = try #require(formula.firstMatch(of: #/system "#\{bin\}\/(.*) man #\{version\}"/#)?.1)
    let root = URL(filePath: Self.script).deletingLastPathComponent().path
    let made = try await ToolRun.shell(
      "\(pages.replacing("Packaging", with: "'\(root)'")) man 1.2.3 && ls man/ferry.1")
    #expect(made.status == 0 && made.output == "man/ferry.1\n", "\(made.errors)")
    for shell in ["bash", "zsh", "fish"] {
      let run = try await ToolRun.ferry("--generate-completion-script", shell)
      #expect(run.status == 0 && !run.output.isEmpty, "\(run.errors)")
    }
    let test = try #require(
      formula.firstMatch(of: #/\.write '(.*)'\n *assert_equal "(.*)", shell_output\("#\{bin\}\/(.*)"\)/#))
    try directory.write("people.json", String(test.1))
    let run = try await ToolRun.shell(String(test.3))
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    #expect(run.output == test.2.replacing("\\n", with: "\n"))
  }

  @Test func `The formula is valid Ruby`() async throws {
    let answer = try await Peer.run("ruby", ["-c"], input: Array(makeFormula().utf8))
    #expect(answer.succeeded && answer.text == "Syntax OK\n", "\(answer.errors)")
  }

  @Test(arguments: [
    "", "https://example.org/f.tar.gz", "https://example.org/f.tar.gz missing.tar.gz",
    "ferry.tar.gz ferry.tar.gz",
    "'https://example.org/#{`id`}/f.tar.gz' ferry.tar.gz", "'https://example.org/\"/f.tar.gz' ferry.tar.gz",
  ])
  func `Arguments other than a URL and an archive are refused, and nothing is written`(_ arguments: String)
    async throws
  {
    try directory.write("ferry.tar.gz", "sources")
    let run = try await ToolRun.shell("'\(Self.script)' \(arguments)")
    #expect(run.status != 0 && run.output == "" && !run.errors.isEmpty)
    #expect(try directory.names() == ["ferry.tar.gz"])
  }
}
