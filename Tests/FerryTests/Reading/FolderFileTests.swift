import TestSupport
import Testing

@testable import Ferry

@Suite(.temporaryDirectory) struct `Files in folders` {
  private func reason(of text: String, named name: String = "notes", textBytes: Int = 1 << 20) throws
    -> FerryError.Reason?
  {
    try TemporaryDirectory.current.write(name, text)
    let file = FolderFile(path: TemporaryDirectory.current.path(name), hasKnownExtension: false)
    var options = ReadingOptions()
    options.budget.textBytes = textBytes
    do throws(FerryError) {
      try file.check(options, takesSingles: false)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test(arguments: [
    "{\"a\": 1}", " [1, 2]\n", "{\"a\": 1}\n{\"a\": 2}\n", "[1][2]", "\u{1e}{\"a\": 1}\n", "<a><b/></a>",
    "{ a = 1; }",
    "/* Title */\n\"a\" = \"b\";\n", "(a, b)", "<?xml version=\"1.0\"?><a", "<plist><dict>", "bplist00",
  ])
  func `A text is an input if its format is certain, or if it is well-formed`(_ text: String) throws {
    #expect(try reason(of: text) == nil)
  }

  @Test(arguments: [
    "{\"a\": 1} x", "[1", "[core]\na = 1\n", "1", "12\n13\n", "\"a\"", "true", "null", "---\na: 1\n",
    "%YAML 1.2\n---\n- 1\n",
    "<a><b></a>", "<!DOCTYPE html><html></html>", "{ a = 1", "/* a comment */", "// a\n// b\n", "(a b)",
    "a,b\n1,2\n", "",
    "{ // a comment\n\"a\": 1}", "\u{1e}x", "[\u{e000}]",
  ])
  func `Any other text is a file of another kind`(_ text: String) throws {
    switch try reason(of: text) {
    case .file(.unknownFormat), .file(.otherKind), .file(.empty): break
    case let reason: Issue.record("\(String(describing: reason))")
    }
  }

  @Test func `A long text with a mistake at its beginning is not read to its end`() throws {
    let lines = String(repeating: "(setq a \"b\") ; a list of another language\n", count: 10_000)
    #expect(try reason(of: lines, textBytes: 100_000) == .file(.unknownFormat(likely: nil)))
    let list = "(" + String(repeating: "abc, ", count: 40_000) + "d)"
    #expect(try reason(of: list) == nil)
  }
}
