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
    "Ferry/Inspection/FileKind.swift", "Ferry/Inspection/NestedInspection.swift",
    // The documents that data may contain.
    "Ferry/Editing/Renaming/RenamingPass.swift",
    // The reasons of errors.
    "Ferry/Formats/DetectedInput.swift",
    // The formats that plutil has names for.
    "FerryTool/PropertyListUtilities/Plutil/PlutilFormat.swift",
  ]

  static let names = Set(Format.allCases.map { String(describing: $0) })

  /// The comparisons with single formats outside of the folders of the formats, with the reason. Any other is better a capability of
  /// `FormatDescription`, which a new format has, too.
  static let comparisons: [String: (count: Int, reason: String)] = [
    "Ferry/Archives/NestedData.swift": (1, "opens JSON in data, but no texts like it"),
    "Ferry/Conversion/Conversion+Steps.swift": (2, "names an Xcode project by the folder around it"),
    "Ferry/Documents/Seeding/RecordDocumentFiles+Adding.swift": (1, "appends lines to JSON Lines"),
    "Ferry/Editing/NewValues/TextType.swift": (1, "compares types of values, one of which is JSON"),
    "Ferry/Reading/FormatScan.swift": (1, "recognizes sequences of JSON before the input ends"),
    "FerryTool/Commands/SetCommand.swift": (1, "compares types of values, one of which is JSON"),
    "FerryTool/PropertyListUtilities/PlistBuddy/PlistBuddySession.swift": (1, plutil),
    "FerryTool/PropertyListUtilities/Plutil/ConvertVerb.swift": (2, plutil),
    "FerryTool/PropertyListUtilities/Plutil/PlutilEmission.swift": (1, plutil),
    "FerryTool/PropertyListUtilities/Plutil/PlutilVerb.swift": (1, plutil),
    "FerryTool/PropertyListUtilities/PropertyListFile.swift": (5, plutil),
  ]

  private static let plutil = "does what plutil and PlistBuddy do with their formats"

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

  @Test func `Code compares with a single format only for a reason`() throws {
    let files = try Self.files()
    let folders = files.map(\.path).filter { $0.contains("/FormatDescription+") }.map(Self.folder)
    let folderOfAll = "Ferry/Formats/"
    #expect(Set(folders).isSuperset(of: ["Ferry/Formats/JSON/", "Ferry/Formats/XML/", folderOfAll]))
    var found: [String: Int] = [:]
    for (path, text) in files where !folders.contains(where: { $0 != folderOfAll && path.hasPrefix($0) }) {
      let count = Self.comparisonCount(in: text)
      if count > 0 { found[path] = count }
    }
    #expect(
      found == Self.comparisons.mapValues { $0.count },
      "lower the counts that have fallen; others need a capability of the format, or a reason")
  }

  /// Returns the folder of a file with a slash at its end.
  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  @Test func `A comparison with a format or some formats is counted, and one with another name is not`() {
    let text = """
        // if format == .xml
        if format == .xml || a.b != .json, kind == .table, c == .xmlOrJSON { return }
        guard format == .sqlite(1), (try? format(of: a)) == .yaml, description.shape == .json else { return }
        let (formats, kinds): ([Format], [Kind]) = ([.json, .jsonLines, .csv], [.json, .other])
      """
    #expect(Self.comparisonCount(in: text) == 4)
  }

  /// Returns the number of comparisons with a name of a format, and of lists of such names. `table` and `text` are mostly names of other
  /// kinds of things, and shapes have the names of formats, too.
  static func comparisonCount(in text: String) -> Int {
    let names = Self.names.subtracting(["table", "text"])
    let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
    return code.reduce(0) { count, line in
      let single = line.matches(of: /(?:(\w+)\)*)? [!=]= \.([a-z]\w*)(?![\w(])/).count { match in
        match.output.1 != "shape" && names.contains(String(match.output.2))
      }
      let lists = line.matches(of: /\[((?:\.[a-z]\w*, )+\.[a-z]\w*)\]/).count { match in
        match.output.1.split(separator: ", ").allSatisfy { names.contains(String($0.dropFirst())) }
      }
      return count + single + lists
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
