import Foundation
import Testing

/// The names of functions that C calls. Two functions with one name are one in an optimized build, also if both are private.
@Suite struct `Names of callbacks` {
  @Test func `No two functions for C have the same name`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources").standardizedFileURL
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path(percentEncoded: false))
    var files: [String: [String]] = [:]
    for path in paths where path.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      for match in text.matches(of: /@c\s+(?:(?:private|fileprivate|internal|package|public) )?func (\w+)/) {
        files[String(match.1), default: []].append(path)
      }
    }
    #expect(files.count > 10)
    for (name, paths) in files { #expect(paths.count == 1, "\(name) is in \(paths)") }
  }
}
