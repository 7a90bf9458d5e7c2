import TestSupport
import Testing

@testable import Ferry

/// The XML of the corpus, as the scanner with libxml2 and libxml2 alone read it.
@Suite struct `Scanning of real documents` {
  /// The settings under which files are compared, with the largest file of each: small chunks take the most time.
  private static let settings: [(name: String, setting: ReadingOutcome.Setting, largest: Int)] = {
    var (events, pieces, values) = (
      ReadingOutcome.Setting(), ReadingOutcome.Setting(), ReadingOutcome.Setting()
    )
    events.logs = true
    (pieces.logs, pieces.chunk) = (true, 997)
    values.chunk = 1 << 16
    return [("events", events, 4 << 20), ("events in pieces", pieces, 300_000), ("values", values, 4 << 20)]
  }()

  /// The folders of the corpus with XML.
  private static let folders = [
    "batch", "dtd", "hostile", "large", "libxml2", "medium", "small", "xib", "xmlconf",
  ]

  @Test(arguments: folders)
  func `The events, values, errors and their locations are those of libxml2 alone`(_ folder: String) throws {
    var (count, read, refused) = (0, 0, 0)
    for path in try Corpus.files(under: "xml/\(folder)") {
      let bytes = try Corpus.bytes(path)
      // libxml2 does not begin to read a shorter document.
      guard bytes.count > 4 else { continue }
      count += 1
      for (name, setting, largest) in Self.settings where bytes.count <= largest {
        let expected = ReadingOutcome.of(bytes, setting, mayScan: false)
        let found = ReadingOutcome.of(bytes, setting, mayScan: true)
        if found.isError { refused += 1 } else { read += 1 }
        guard found != expected else { continue }
        Issue.record("\(path), \(name): \(Self.firstDifference(found.text, expected.text))")
      }
    }
    #expect(count > 0 && read + refused >= count)
    // Declarations alone are not documents.
    #expect(folder == "dtd" ? read == 0 : read > 0)
    if folder == "xmlconf" { #expect(refused > 500) }
  }

  /// Returns the first line of each text that the other one does not have in its place.
  private static func firstDifference(_ found: String, _ expected: String) -> String {
    let (found, expected) = (found.split(separator: "\n"), expected.split(separator: "\n"))
    let same = zip(found, expected).prefix { $0 == $1 }.count
    func line(_ lines: [Substring]) -> String {
      same < lines.count ? "\(lines[same].prefix(200))" : "no line"
    }
    return "line \(same + 1): \(line(found)) is not \(line(expected))"
  }
}
