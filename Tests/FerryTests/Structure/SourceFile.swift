import Foundation

/// A source file of the library: the types that it declares and the names that it uses.
struct SourceFile {
  /// The path below `Sources/Ferry`.
  let path: String
  /// The types that the file declares at its outermost level.
  private(set) var types: Set<String> = []
  /// The types that the file declares inside others.
  private(set) var nestedTypes: Set<String> = []
  /// The capitalized names in the file's code, without those in comments and string literals.
  private(set) var names: Set<String> = []

  /// The folder directly below `Sources/Ferry`.
  var folder: String { String(path.prefix { $0 != "/" }) }

  private static let declarations: Set<Substring> = [
    "struct", "class", "enum", "protocol", "typealias", "actor",
  ]

  init(path: String, text: String) {
    self.path = path
    var scanner = SwiftScanner(text)
    var previous: Substring = ""
    while let word = scanner.nextWord() {
      if word.first?.isUppercase == true {
        names.insert(String(word))
        if Self.declarations.contains(previous) {
          if scanner.depth == 0 { types.insert(String(word)) } else { nestedTypes.insert(String(word)) }
        }
      }
      previous = word
    }
  }

  /// All source files of the library.
  static func all() throws -> [SourceFile] {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Ferry").standardizedFileURL
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path(percentEncoded: false))
    return try paths.filter { $0.hasSuffix(".swift") }.map { path in
      SourceFile(path: path, text: try String(contentsOf: root.appending(path: path), encoding: .utf8))
    }
  }
}

/// Finds the words of Swift code and how deep in braces they are, without those in comments and string literals.
private struct SwiftScanner {
  private let text: Substring.UTF8View
  private var index: Substring.Index
  /// The number of braces that are open.
  private(set) var depth = 0

  init(_ text: String) {
    self.text = text[...].utf8
    index = text.startIndex
  }

  mutating func nextWord() -> Substring? {
    while index < text.endIndex {
      switch text[index] {
      case UInt8(ascii: "/") where starts("//"): skip(to: "\n")
      case UInt8(ascii: "/") where starts("/*"): skip(to: "*/")
      case UInt8(ascii: "\"") where starts("\"\"\""): skip(to: "\"\"\"")
      case UInt8(ascii: "\""): skipString()
      case UInt8(ascii: "{"):
        depth += 1
        text.formIndex(after: &index)
      case UInt8(ascii: "}"):
        depth -= 1
        text.formIndex(after: &index)
      case let byte where Self.isLetter(byte):
        let end = text[index...].firstIndex { !Self.isLetter($0) } ?? text.endIndex
        defer { index = end }
        return Substring(text[index..<end])
      default: text.formIndex(after: &index)
      }
    }
    return nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
    default: false
    }
  }

  private func starts(_ mark: StaticString) -> Bool { text[index...].starts(with: "\(mark)".utf8) }

  /// Goes on after the next `mark`; the mark here, if there is one, is passed over first.
  private mutating func skip(to mark: StaticString) {
    let mark = Array("\(mark)".utf8)
    index = text.index(index, offsetBy: mark.count, limitedBy: text.endIndex) ?? text.endIndex
    while index < text.endIndex, !text[index...].starts(with: mark) { text.formIndex(after: &index) }
    index = text.index(index, offsetBy: mark.count, limitedBy: text.endIndex) ?? text.endIndex
  }

  private mutating func skipString() {
    text.formIndex(after: &index)
    while index < text.endIndex, text[index] != UInt8(ascii: "\"") {
      let isEscape = text[index] == UInt8(ascii: "\\")
      index = text.index(index, offsetBy: isEscape ? 2 : 1, limitedBy: text.endIndex) ?? text.endIndex
    }
    if index < text.endIndex { text.formIndex(after: &index) }
  }
}
