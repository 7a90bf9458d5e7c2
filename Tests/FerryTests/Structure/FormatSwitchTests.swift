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

  /// The number of comparisons with single formats in each file outside `Formats`. It may only fall: a comparison is better a
  /// capability of `FormatDescription`, which holds for a new format, too.
  static let comparisons = [
    "Ferry/Conversion/Conversion+Steps.swift": 10,
    "Ferry/Conversion/Conversion+Values.swift": 2,
    "Ferry/Conversion/SourceFacts.swift": 1,
    "Ferry/Documents/FileComparison.swift": 3,
    "Ferry/Documents/Merging/MergedFile.swift": 2,
    "Ferry/Documents/RecordDocument.swift": 1,
    "Ferry/Documents/Seeding/RecordDocumentFiles+Adding.swift": 1,
    "Ferry/Documents/Seeding/Seed.swift": 1,
    "Ferry/Editing/Archives/ArchiveFlawCount.swift": 1,
    "Ferry/Editing/EditableFile+Lookalikes.swift": 1,
    "Ferry/Editing/EditableFile.swift": 2,
    // A type of values with the name of a format.
    "Ferry/Editing/NewValues/ValueType.swift": 1,
    // A shape of values with the name of a format.
    "Ferry/Reading/FolderFile.swift": 1,
    "Ferry/Reading/XMLCommonShape+Files.swift": 1,
    "FerryTool/Commands/EditedText.swift": 3,
    "FerryTool/Commands/FoundInput.swift": 2,
    "FerryTool/Commands/MergeCommand+Packages.swift": 1,
    // The formats of plutil and PlistBuddy.
    "FerryTool/PropertyListUtilities/PlistBuddy/PlistBuddySession.swift": 1,
    "FerryTool/PropertyListUtilities/Plutil/ConvertVerb.swift": 2,
    "FerryTool/PropertyListUtilities/Plutil/PlutilEmission.swift": 1,
    "FerryTool/PropertyListUtilities/Plutil/PlutilVerb.swift": 1,
    "FerryTool/PropertyListUtilities/PropertyListFile.swift": 4,
  ]

  @Test func `Only the list of descriptions switches over formats`() throws {
    var found: Set<String> = []
    for (path, text) in try Self.files() {
      for names in Self.switches(in: text).map(Self.names.intersection) where names.count > 1 {
        found.insert(path)
        #expect(Self.otherTypes.contains(path), "\(path): switch over \(names.sorted())")
      }
    }
    #expect(found == Self.otherTypes, "a file in the list of exceptions has no such switch")
  }

  @Test func `No more code compares with single formats`() throws {
    var found: [String: Int] = [:]
    for (path, text) in try Self.files() where !path.hasPrefix("Ferry/Formats/") {
      let count = Self.comparisonCount(in: text)
      if count > 0 { found[path] = count }
    }
    #expect(found == Self.comparisons, "lower the counts that have fallen; others need a capability")
  }

  @Test func `A comparison with a format is counted, and one with another name is not`() {
    let text = """
        // if format == .xml
        if format == .xml || a.b != .json, kind == .table, c == .xmlOrJSON { return }
        guard format == .sqlite(1) else { return }
      """
    #expect(Self.comparisonCount(in: text) == 2)
  }

  /// Returns the number of comparisons with a name of a format. `table` and `text` are mostly names of other kinds of things.
  static func comparisonCount(in text: String) -> Int {
    let names = Self.names.subtracting(["table", "text"])
    let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
    return code.reduce(0) { count, line in
      count + line.matches(of: /[!=]= \.([a-z]\w*)(?![\w(])/).count { names.contains(String($0.output.1)) }
    }
  }

  /// Returns the paths and texts of all source files.
  private static func files() throws -> [(path: String, text: String)] {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources").standardizedFileURL
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path(percentEncoded: false))
    return try paths.filter { $0.hasSuffix(".swift") }.map {
      ($0, try String(contentsOf: sources.appending(path: $0), encoding: .utf8))
    }
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
