import Foundation
import Testing

@testable import Ferry

/// The first bytes of files are in one list, `FileSignature`.
@Suite struct `Signatures of files` {
  /// The beginnings of signatures as code has them, and the files that contain them.
  static let written: [(literal: String, files: [String])] = [
    ("0x89, 0x50", [list]), ("0xff, 0xd8", [list]), ("0x1f, 0x8b", [list]), ("0x50, 0x4b", [list]),
    ("0xfd, 0x37", [list]), ("0x28, 0xb5", [list]), ("\"NIBArchive\"", [list]), ("\"SQLite format", [list]),
    ("\"GIF8", [list]), ("\"%PDF", [list]),
    ("\"streamtyped\"", ["Ferry/Formats/Typedstream/TypedstreamOutput.swift"]),
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
      #expect(found[literal] == Set(files), "\(literal)")
    }
  }

  @Test func `A signature is recognized as soon as it is whole`() {
    let head: [UInt8] = [0x50, 0x4b, 0x03, 0x04, 0x14]
    for count in 0...head.count {
      let start = Array(head.prefix(count))
      #expect(FileSignature.zip.begins(start) == (count >= 4))
      #expect(FileSignature.zip.isOpen(start) == (count < 4))
      #expect(FileSignature.emptyZIP.isOpen(start) == (count < 3))
    }
  }

  private func begins(_ bytes: [UInt8]) -> Bool { Typedstream.begins(bytes.span) }

  @Test(arguments: Typedstream.ByteOrder.all)
  func `A typedstream is recognized by its signature and a version`(
    _ order: Typedstream.ByteOrder
  ) {
    let text = Array(order.signature.utf8)
    #expect(Typedstream.ByteOrder(signature: text.span) == order)
    for version in UInt8.min...12 {
      let head = [version, 11] + text
      #expect(begins(head) == (1...8).contains(version))
      let isSupported = Typedstream.beginsSupported(head.span)
      #expect(isSupported == (version == 4))
      #expect(!begins(head.dropLast()))
    }
    #expect(!begins([4, 10] + text))
  }
}

extension Typedstream.ByteOrder {
  fileprivate static let all: [Self] = [.littleEndian, .bigEndian]
}
