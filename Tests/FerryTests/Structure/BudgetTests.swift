import Foundation
import Testing

/// The limits of an input are those that its user gives, wherever it is read. So no code makes limits of its own, except as the
/// default of a parameter or a setting.
@Suite struct `Limits of inputs` {
  /// The files that make limits, with the reason.
  static let reasons = [
    "Conversion/TypedElementLookalikes.swift": "reads the beginning of the output, which Ferry has written",
    "Tagged/JSONElements.swift": "reads a number, whose text is within the limits of the document",
    "Tagged/TypedDocumentProbe.swift": "reads the first bytes of a file for a key",
    "Stores/SQLite/SQLiteConnection.swift": "writes databases, for which there are no limits",
  ]

  @Test func `Only parameters and settings have default limits`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Ferry").standardizedFileURL
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path(percentEncoded: false))
    var found: Set<String> = []
    for path in paths where path.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      for line in Self.linesWithLimits(in: text) {
        found.insert(path)
        #expect(Self.reasons[path] != nil, "\(path) has limits of its own: \(line)")
      }
    }
    #expect(found == Set(Self.reasons.keys), "a file in the list of exceptions makes no limits")
  }

  @Test func `Limits that code makes are found`() {
    let text = """
      /// Reads `(bytes, budget: Budget())`.
      var budget = Budget()
        public var budget = Budget()
      func read(budget: Budget = Budget()) {
        private let budget = Budget()
        try read(bytes, budget: Budget())
      """
    #expect(
      Self.linesWithLimits(in: text) == [
        "private let budget = Budget()", "try read(bytes, budget: Budget())",
      ])
  }

  /// Returns the lines that make limits, without those of default values and in comments.
  private static func linesWithLimits(in text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      let code = line.drop { $0 == " " }
      guard code.contains("Budget()"), !code.hasPrefix("//"), !code.contains("budget: Budget = Budget()"),
        code.firstMatch(of: /^(public )?var \w+ = Budget\(\)/) == nil
      else { return nil }
      return String(code)
    }
  }
}
