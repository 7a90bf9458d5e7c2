import Ferry
import Foundation
import Testing

/// The output of an example.
final class Printed {
  private(set) var text = ""

  func add(_ items: [Any]) {
    let line = items.map { "\($0)" }.joined(separator: " ")
    text += (text.isEmpty ? "" : "\n") + line.trimmingCharacters(in: .newlines)
  }

  func clear() { text = "" }
}

/// The examples in the guides, and their input.
enum GuideExample {
  private static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL

  /// An archive of one person, as an app would have written it.
  static func people() throws -> [UInt8] {
    try Conversion(to: .archive).convert(
      Array("<people><person><firstName>Matt</firstName><lastName>Neuburg</lastName></person></people>".utf8)
    ).bytes
  }

  /// The names of the guides' files.
  static func guides() throws -> [String] {
    try files(in: "Sources/Ferry/Documentation.docc/Guides").filter { $0.hasSuffix(".md") }
  }

  /// The blocks of code of a language in a guide.
  static func blocks(of language: String, in guide: String) throws -> [String] {
    try blocks(of: language, inFile: "Sources/Ferry/Documentation.docc/Guides/\(guide)")
  }

  /// The blocks of code of a language in a file of the package.
  static func blocks(of language: String, inFile file: String) throws -> [String] {
    try text(of: file).components(separatedBy: "```\(language)\n").dropFirst().map { rest in
      rest.components(separatedBy: "```").first ?? ""
    }
  }

  /// One of these blocks.
  static func block(_ index: Int, of language: String, in guide: String) throws -> String {
    let blocks = try blocks(of: language, in: guide)
    return try #require(blocks.indices.contains(index) ? blocks[index] : nil)
  }

  /// The lines of the examples' sources, without their indentation.
  static func sources() throws -> [[Substring]] {
    try ["Tests/FerryTests/Documentation", "Tests/FerryFoundationTests"].flatMap { folder in
      try files(in: folder).map { lines(of: try text(of: "\(folder)/\($0)")) }
    }
  }

  /// The pages with blocks of Swift, apart from the guides.
  static func otherPages() throws -> [String] {
    let documentation = try files(in: "Documentation").filter { $0.hasSuffix(".md") }.map {
      "Documentation/\($0)"
    }
    let pages =
      ["README.md", "Sources/FerryFoundation/Documentation.docc/FerryFoundation.md"] + documentation
    return try pages.filter { try !blocks(of: "swift", inFile: $0).isEmpty }
  }

  /// The lines of a text, without their indentation and without those that are empty.
  static func lines(of text: String) -> [Substring] {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
  }

  private static func files(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: package.appending(path: folder).path).sorted()
  }

  /// The text of a file of the package.
  static func text(of file: String) throws -> String {
    try String(contentsOf: package.appending(path: file), encoding: .utf8)
  }
}

@Suite struct `The guides` {
  @Test func `The guides show only code that is compiled and run here`() throws {
    var count = 0
    for guide in try GuideExample.guides() {
      let blocks = try GuideExample.blocks(of: "swift", in: guide)
      try expectHere(blocks, of: guide)
      count += blocks.count
    }
    #expect(count > 15)
  }

  /// Tests/client.sh builds and runs the example of the README, which is a whole file.
  @Test func `Other pages show only code that is compiled and run here`() throws {
    let pages = try GuideExample.otherPages()
    #expect(pages.count > 7)
    for page in pages {
      let blocks = try GuideExample.blocks(of: "swift", inFile: page).map { block in
        block.split(separator: "\n").filter { !$0.hasPrefix("import ") }.joined(separator: "\n")
      }
      try expectHere(page == "README.md" ? [] : blocks, of: page)
    }
  }

  private func expectHere(_ blocks: [String], of file: String) throws {
    let sources = try GuideExample.sources()
    for block in blocks {
      let lines = GuideExample.lines(of: block)
      let isHere = sources.contains { source in source.firstRange(of: lines) != nil }
      #expect(isHere, "\(file): \(block)")
    }
  }
}
