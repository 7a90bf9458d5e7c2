import Foundation
import Testing

@testable import Ferry

/// A format's properties are in its description; no other code lists the formats.
@Suite struct `Switches over formats` {
  /// The files with switches over other types whose cases have the names of formats.
  static let otherTypes: Set<String> = [
    // The one list of the descriptions.
    "Ferry/Formats/Format.swift",
    // The kinds of files in data, more of them than there are formats.
    "Ferry/Inspection/BlobKind.swift", "Ferry/Inspection/NestedInspection.swift",
    // The documents that data may contain.
    "Ferry/Editing/Renaming/ArchiveRenaming.swift",
    // The formats that plutil has names for.
    "FerryTool/PropertyListUtilities/Plutil/PlutilFormat.swift",
  ]

  static let names = Set(Format.allCases.map { String(describing: $0) })

  @Test func `Only the list of descriptions switches over formats`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources").standardizedFileURL
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path(percentEncoded: false))
    var found: Set<String> = []
    for path in paths where path.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      for names in Self.switches(in: text).map(Self.names.intersection) where names.count > 1 {
        found.insert(path)
        #expect(Self.otherTypes.contains(path), "\(path): switch over \(names.sorted())")
      }
    }
    #expect(found == Self.otherTypes, "a file in the list of exceptions has no such switch")
  }

  @Test func `A switch over formats is found with the names in its patterns`() {
    let text = """
        let kind =
          switch format {
          case .json, .jsonLines:
            switch other {
            case .xml: 1
            default: 2
            }
          case .text(let value): 3
          case .file(.png),
            .sqlite:
            value.archive
          }
      """
    #expect(Self.switches(in: text) == [["xml"], ["json", "jsonLines", "png", "sqlite"]])
  }

  /// Returns the names without payload in the patterns of each switch. The formatter indents the cases like the
  /// line of their switch.
  static func switches(in text: String) -> [Set<String>] {
    var open: [(indentation: Int, names: Set<String>)] = []
    var closed: [Set<String>] = []
    var isInPattern = false
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      let code = line.drop { $0 == UInt8(ascii: " ") }
      let indentation = line.count - code.count
      if let last = open.last, indentation == last.indentation {
        isInPattern = code.starts(with: "case ".utf8)
        if code.first == UInt8(ascii: "}") { closed.append(open.removeLast().names) }
      }
      if isInPattern {
        let pattern = code.prefix { $0 != UInt8(ascii: ":") }
        open[open.count - 1].names.formUnion(Self.names(in: pattern))
        isInPattern = pattern.endIndex == code.endIndex
      }
      if code.last == UInt8(ascii: "{"), String(Substring(code)).contains("switch ") {
        open.append((indentation, []))
      }
    }
    return closed
  }

  /// Returns the names of cases in a pattern, without those that have a payload.
  private static func names(in pattern: Substring.UTF8View) -> [String] {
    String(Substring(pattern)).matches(of: /\.([a-z]\w*)(?![\w(])/).map { String($0.output.1) }
  }
}
