import Foundation
import Testing

/// C sees the functions marked `@c` by their names alone, also the private ones.
@Suite struct `Functions for C` {
  @Test func `Functions for C have names of their own`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources").standardizedFileURL
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path(percentEncoded: false))
    var found: [String: String] = [:]
    for path in paths where path.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      for match in text.matches(of: /@c\s+(?:(?:private|fileprivate|internal)\s+)?func (\w+)/) {
        let name = String(match.output.1)
        #expect(found[name] == nil, "\(path): \(name) is also in \(found[name] ?? "")")
        found[name] = path
      }
    }
    #expect(!found.isEmpty)
  }
}
