import Foundation
import Testing

/// The first bytes of files are in one list, `FileSignature`, and byte order marks in another, `ByteOrderMark`.
@Suite struct `The list of signatures` {
  /// The beginnings of signatures as code has them, and the files that contain them.
  static let written: [(literal: String, files: [String])] = [
    ("0x89, 0x50", [list]), ("0xff, 0xd8", [list]), ("0x1f, 0x8b", [list]), ("0x50, 0x4b", [list]),
    ("0xfd, 0x37", [list]), ("0x28, 0xb5", [list]), ("\"NIBArchive\"", [list]), ("\"SQLite format", [list]),
    ("\"GIF8", [list]), ("\"%PDF", [list]),
    ("0xff, 0xfe", [marks]), ("0xfe, 0xff", [marks]), ("u{feff}\".utf8) ?", []),
    // A character that JSON5 has as white space, and the bytes that a scan of a prolog passes over.
    ("0xef, 0xbb", [marks, "Ferry/Formats/JSON/JSONBytes.swift", "Ferry/Formats/XML/PrologScan.swift"]),
    ("\"streamtyped\"", ["Ferry/Formats/Typedstream/TypedstreamPrinter.swift"]),
    // The version that Ferry writes, and a name of the format on the command line.
    (
      "\"bplist",
      [
        list, "Ferry/Formats/PropertyList/BinaryPropertyList.swift",
        "Ferry/Formats/PropertyList/FormatDescription+PropertyList.swift",
      ]
    ),
  ]

  private static let list = "Ferry/Bytes/FileSignature.swift"
  private static let marks = "Ferry/Bytes/ByteOrderMark.swift"

  @Test func `No signature is written twice`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources").standardizedFileURL
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path(percentEncoded: false))
    var found: [String: Set<String>] = [:]
    for path in paths where path.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
      for (literal, _) in Self.written where code.contains(where: { $0.contains(literal) }) {
        found[literal, default: []].insert(path)
      }
    }
    for (literal, files) in Self.written {
      #expect(found[literal, default: []] == Set(files), "\(literal)")
    }
  }
}
