import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Pages` {
  @Test func `A page is written to a file, or to the standard output`() async throws {
    try directory.write("a.json", #"{"a": 1}"#)
    let run = try await ToolRun.ferry("show", "a.json", "--html", "-o", "page.html")
    expectQuiet(run)
    #expect(run.output == "")
    let page = try directory.text("page.html")
    #expect(page.hasPrefix("<!DOCTYPE html>\n") && page.hasSuffix("</html>\n"))
    let printed = try await ToolRun.shell("ferry show --html - < a.json")
    expectQuiet(printed)
    #expect(printed.output.contains("<title>standard input</title>"))
  }

  @Test func `An existing file is replaced only with --force, and never a file that the page shows`()
    async throws
  {
    try directory.write("a.json", "[1]")
    try directory.write("page.html", "mine")
    let refused = try await ToolRun.ferry("show", "a.json", "--html", "-o", "page.html")
    expectFailure(refused, "page.html: the file already exists (use --force to replace it)")
    #expect(try directory.text("page.html") == "mine")
    expectQuiet(try await ToolRun.ferry("show", "a.json", "--html", "-o", "page.html", "--force"))
    let itself = try await ToolRun.ferry("show", "a.json", "--html", "-o", "a.json", "--force")
    #expect(itself.status == 1)
    #expect(try directory.text("a.json") == "[1]")
  }

  @Test func `A file that cannot be read leaves no page`() async throws {
    try directory.write("a.json", "[1,")
    let run = try await ToolRun.ferry("show", "a.json", "--html", "-o", "page.html")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("a.json:1:"), "\(run.errors)")
    #expect(try await ToolRun.shell("ls").output == "a.json\n")
  }

  @Test(arguments: [
    ("show a.json b.json --html", "--html shows one file"),
    ("show a.json -o page.html", "--output and --force need --html"),
    ("diff a.json b.json --html --json", "--html cannot be used with --json, --wide or --git"),
    ("diff a.json b.json --html -q", "--html and --quiet cannot be used together"),
    ("show a.json --html --width 5", "--width and --color cannot be used with --html"),
    ("show a.json --html --color never", "--width and --color cannot be used with --html"),
    ("diff a.json b.json --force", "--force needs --output"),
    ("diff a.json b.json -q -o c.txt", "--output cannot be used with --quiet or --git"),
  ])
  func `Options that do not fit a page are refused`(_ line: String, _ message: String) async throws {
    let run = try await ToolRun.shell("ferry \(line)")
    #expect(run.status == 64)
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test func `The extension of a page determines its compression`() async throws {
    try directory.write("a.json", "[1]")
    expectQuiet(try await ToolRun.ferry("show", "a.json", "--html", "-o", "page.html.gz"))
    let page = try await ToolRun.shell("gunzip -c page.html.gz")
    #expect(page.output.hasPrefix("<!DOCTYPE html>\n") && page.output.hasSuffix("</html>\n"))
  }

  @Test func `No page is written into a package that it shows`() async throws {
    try directory.write("a.json", #"[{"name":"Robot","location":"Shelf"}]"#)
    expectQuiet(
      try await ToolRun.ferry("convert", "a.json", "--to", "things", "--schema", "whatsit", "-o", "a.mystuff")
    )
    for command in ["show a.mystuff", "diff a.mystuff a.mystuff"] {
      let run = try await ToolRun.shell("ferry \(command) --html -o a.mystuff/./page.html")
      #expect(run.status != 0)
      #expect(run.errors.contains(#"the output is inside "a.mystuff""#), "\(run.errors)")
    }
    #expect(try await ToolRun.shell("ls a.mystuff").output.contains("page") == false)
  }

  @Test func `The page of a package shows the images that its records name`() async throws {
    let examples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Examples")
    let made = try await ToolRun.ferry(
      "convert", examples.appending(path: "things.xml").path, "-o", "a.mystuff")
    #expect(made.status == 0, "\(made.errors)")
    let page = try await ToolRun.ferry("show", "a.mystuff", "--html")
    expectQuiet(page)
    let data = try await ToolRun.shell("base64 < a.mystuff/image.png | tr -d '\\n'")
    #expect(data.output.utf8.count > 100)
    #expect(page.output.contains(#""type":"image/png","base64":"\#(data.output)""#))
    #expect(page.output.components(separatedBy: #""base64":""#).count == 3)
    #expect(page.output.contains(#""label":"Other files","text":"2: "#))
    // The name of the file is the value, with its path.
    #expect(page.output.contains(#""image.png""#))
    let alone = try await ToolRun.ferry("show", "a.mystuff/things.data", "--html")
    #expect(!alone.output.contains(#""base64":""#) && !alone.output.contains(#""label":"Other files""#))
  }

  @Test func `A page of equal files has the exit status 0`() async throws {
    try directory.write("a.json", "[1]")
    expectQuiet(try await ToolRun.ferry("diff", "a.json", "a.json", "--html", "-o", "page.html"))
    #expect(try directory.text("page.html").contains(#""changes":[]"#))
  }

  @Test func `The limits of show apply to its page`() async throws {
    try directory.write("a.json", "[[1, 2, 3], 4]")
    let run = try await ToolRun.ferry("show", "a.json", "--html", "--max-items", "1", "--depth", "1")
    #expect(run.output.contains(#""kinds":"aa""#))
    #expect(run.output.contains(#""hidden":[1,3,0,1]"#))
    try directory.write("b.json", #"["abcdef"]"#)
    let short = try await ToolRun.ferry("show", "b.json", "--html", "--max-text", "3")
    #expect(short.output.contains(#""texts":["abc"]"#))
  }
}
