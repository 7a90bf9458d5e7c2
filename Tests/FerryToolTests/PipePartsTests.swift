import Foundation
import TestSupport
import Testing

/// Conversions of large pipes, which several threads convert in parts.
@Suite(.temporaryDirectory) struct `Large pipes` {
  private static let count = 50_000

  /// Returns a list of records with another record among them.
  private static func text(_ format: String, with other: String?, at index: Int) -> String {
    let records = (0..<count).map { number in
      if let other, number == index { return other }
      return format == "xml"
        ? "<r><id>\(number)</id><name>Ada é</name><text>some text</text></r>"
        : "{\"id\":\(number),\"name\":\"Ada é\",\"text\":\"some text\"}"
    }
    switch format {
    case "xml": return "<?xml version='1.0'?>\n<rs>\n" + records.joined(separator: "\n") + "\n</rs>\n"
    case "json": return "[" + records.joined(separator: ",") + "]\n"
    default: return records.joined(separator: "\n") + "\n"
    }
  }

  private static let others: [String: [String?]] = [
    "jsonl": [nil, "{\"a\":1,\"a\":2}", "{\"a\":tru}", "\"\(String(repeating: "x", count: 5 << 20))\""],
    "json": [nil, "{\"id\":1,\"id\":2}", "{\"id\":tru}"],
    "xml": [nil, "<r><id>1</id><!-- c --></r>", "<r><id>1</r>", "</s>"],
  ]

  /// The losses of a run are in its report.
  private func outcome(_ line: String) async throws -> [String] {
    let run = try await ToolRun.shell("rm -f out report; \(line)")
    let files = try ["out", "report"].map { name in
      try directory.names(in: ".").contains(name) ? directory.text(name) : ""
    }
    return ["\(run.status)", run.output, run.errors] + files
  }

  @Test(arguments: ["jsonl", "json", "xml --select /rs/r"], [0, 20_000, 49_999])
  func `A large pipe has the result of one thread`(_ options: String, _ index: Int) async throws {
    let format = String(options.prefix { $0 != " " })
    for other in try #require(Self.others[format]) {
      try directory.write("in", Self.text(format, with: other, at: index))
      for end in ["-o out --report report", "--strict"] {
        let line = "ferry convert - --from \(options) --to jsonl \(end) --jobs"
        let one = try await outcome("cat in | \(line) 1")
        let several = try await outcome("cat in | \(line) 3")
        let paused = try await outcome(
          "(head -c 1500000 in; sleep 0.5; tail -c +1500001 in) | \(line) 3")
        #expect(several == one, "\(options), \(String(describing: other?.prefix(80))) \(end)")
        #expect(paused == one, "\(options), \(String(describing: other?.prefix(80))) \(end), with a pause")
      }
    }
  }

  @Test func `The records of a large pipe that pauses are written before it continues`() async throws {
    let wasWritten = try await ToolRun.shell(
      "ferry convert --from jsonl --to jsonl --jobs 3 > out",
      input: Self.text("jsonl", with: "{\"last\":1}", at: Self.count - 1),
      pausingUntil: { try directory.text("out").contains("\"last\"") }, then: "{\"rest\":1}\n")
    #expect(wasWritten)
    #expect(try directory.text("out").hasSuffix("{\"rest\":1}\n"))
  }
}
