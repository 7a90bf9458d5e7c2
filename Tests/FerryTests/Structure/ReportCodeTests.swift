import Foundation
import Testing

@testable import Ferry

/// The codes in reports, which programs depend on, are all documented.
@Suite struct `Codes in reports` {
  /// The folder of the package.
  private static let package = (0..<4).reduce(URL(filePath: #filePath)) { folder, _ in
    folder.deletingLastPathComponent()
  }
  private static let documentation = package.appending(path: "Documentation/Reports.md")

  /// Returns the codes in the table of a file with errors: the words of its `case .x, .y: "code"` lines.
  private func codes(in file: String) -> [String] {
    guard let table = file.split(separator: "var code: String {").last, table.count < file.count else {
      return []
    }
    return table.matches(of: /case \.\w+(?:,\s+\.\w+)*:\s+"([a-z0-9-]+)"/).map { String($0.output.1) }
  }

  /// Returns the subject of the codes in a file: `property-list` for `PropertyListProblem.swift`.
  private func subject(ofFile name: String) -> String {
    name.replacing(".swift", with: "").replacing("Problem", with: "")
      .replacing(/([a-z])([A-Z])/) { "\($0.output.1)-\($0.output.2)" }.lowercased()
  }

  @Test func `The codes of errors are documented and occur once`() throws {
    let text = try String(contentsOf: Self.documentation, encoding: .utf8)
    let folder = Self.package.appending(path: "Sources/Ferry/Errors")
    var count = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasSuffix("Problem.swift") || name == "Budget.swift" {
      let codes = codes(in: try String(contentsOf: folder.appending(path: name), encoding: .utf8))
      #expect(!codes.isEmpty, "\(name)")
      #expect(Set(codes).count == codes.count, "\(name)")
      let subject = subject(ofFile: name)
      for code in codes { #expect(text.contains("\n| `\(subject).\(code)` | "), "\(name): \(code)") }
      count += codes.count
    }
    #expect(count > 150)
  }

  @Test func `The codes of losses are documented with their messages`() throws {
    let text = try String(contentsOf: Self.documentation, encoding: .utf8)
    for kind in Loss.Kind.allCases {
      #expect(text.contains("| `\(kind.rawValue)` | \(kind.message.prefix(1).uppercased())"), "\(kind)")
    }
  }

  @Test func `The codes of notes are documented and occur once`() throws {
    let text = try String(contentsOf: Self.documentation, encoding: .utf8)
    let file = Self.package.appending(path: "Sources/Ferry/Errors/Note.swift")
    let codes = codes(in: try String(contentsOf: file, encoding: .utf8))
    #expect(codes.count > 5 && Set(codes).count == codes.count)
    for code in codes { #expect(text.contains("\n| `\(code)` | "), "\(code)") }
  }

  @Test func `The kinds of files in data and of warnings are documented`() throws {
    let page = Self.package.appending(path: "Documentation/Inspecting.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let kinds = FileKind.allCases.map(\.rawValue) + Inspection.Warning.Kind.allCases.map(\.rawValue)
    // The first cells of the rows, such as "| `json`, `xml` |".
    let cells = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.compactMap { row in
      row.split(separator: " | ").first
    }
    for kind in kinds { #expect(cells.contains { $0.contains("`\(kind)`") }, "\(kind)") }
  }

  @Test(arguments: FileKind.allCases)
  func `A kind of files in data has the name of the format`(_ kind: FileKind) throws {
    guard let format = Format.allCases.first(where: { "\($0)" == "\(kind)" }) else { return }
    #expect(kind.rawValue == format.rawValue)
  }

  @Test func `The codes of errors name the subject and the problem`() {
    #expect(FerryError(.json(.unexpectedEnd(expected: "a value"))).code == "json.unexpected-end")
    #expect(FerryError(.overBudget(.depth(5))).code == "budget.depth")
    #expect(FerryError(.loss(.nullLeftOut)).code == "loss.null-left-out")
  }
}
