import Foundation

/// A source file: the types and members that it declares, and the names that it uses.
///
/// Names in comments and string literals are not read.
struct SourceFile {
  /// The path below the folder of the target, such as `Sources/Ferry`.
  let path: String
  /// The types that the file declares at its outermost level.
  private(set) var types: Set<String> = []
  /// The types that the file declares inside others.
  private(set) var nestedTypes: Set<String> = []
  /// The capitalized names in the file.
  private(set) var names: Set<String> = []
  /// The names of all functions, properties, variables and cases that the file declares, and its initializers
  /// as in `Extension.members`.
  private(set) var members: Set<String> = []
  /// The extensions in the file.
  private(set) var extensions: [Extension] = []
  /// The members that the file uses: `words` in `value.words`, and `Value(json` in `Value(json: text)`.
  private(set) var uses: Set<String> = []

  /// The members that an extension adds for other files.
  struct Extension: Equatable {
    /// The extended type and the types in its constraints.
    var head: [String] = []
    /// The names of members, and `Value(json` for `init(json:)` in an extension of `Value`.
    var members: Set<String> = []
  }

  private var previous = SwiftScanner.Word(text: "", byteBefore: 0, depth: 0)
  private var isInExtension = false
  private var isPrivate = false

  /// The folder directly below that of the target.
  var folder: String { String(path.prefix { $0 != "/" }) }

  private static let typeKeywords: Set<Substring> = [
    "struct", "class", "enum", "protocol", "typealias", "actor",
  ]
  private static let memberKeywords: Set<Substring> = ["func", "var", "let", "case"]

  init(path: String, text: String) {
    self.path = path
    var scanner = SwiftScanner(text)
    while let word = scanner.nextWord() {
      note(word)
      previous = word
    }
  }

  private mutating func note(_ word: SwiftScanner.Word) {
    switch word.text {
    case "private", "fileprivate": isPrivate = true
    case "extension" where word.depth == 0:
      extensions.append(Extension())
      isInExtension = true
    case let keyword where word.depth == 0 && Self.typeKeywords.contains(keyword): isInExtension = false
    default: word.text.first?.isUppercase == true ? noteType(word) : noteMember(word)
    }
  }

  private mutating func noteType(_ word: SwiftScanner.Word) {
    let name = String(word.text)
    names.insert(name)
    if isInExtension, word.depth == 0 { extensions[extensions.count - 1].head.append(name) }
    guard Self.typeKeywords.contains(previous.text) else { return }
    if word.depth == 0 { types.insert(name) } else { nestedTypes.insert(name) }
    isPrivate = false
  }

  private mutating func noteMember(_ word: SwiftScanner.Word) {
    let isArgument = word.byteBefore == UInt8(ascii: "(")
    if word.byteBefore == UInt8(ascii: ".") { uses.insert(String(word.text)) }
    if isArgument, previous.text.first?.isUppercase == true { uses.insert("\(previous.text)(\(word.text)") }
    if Self.memberKeywords.contains(previous.text) { declare(String(word.text), depth: word.depth) }
    if isArgument, previous.text == "init", previous.byteBefore != UInt8(ascii: "."),
      let type = extensions.last?.head.first
    {
      declare("\(type)(\(word.text)", depth: word.depth)
    }
  }

  private mutating func declare(_ member: String, depth: Int) {
    members.insert(member)
    if isInExtension, depth == 1, !isPrivate { extensions[extensions.count - 1].members.insert(member) }
    isPrivate = false
  }

  /// Returns all source files of the library, or of another target.
  static func all(in target: String = "Ferry") throws -> [SourceFile] {
    try target == "Ferry" ? library.get() : files(in: target)
  }

  /// The files of the library, which several tests read, once.
  private static let library = Result { try files(in: "Ferry") }

  private static func files(in target: String) throws -> [SourceFile] {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/\(target)").standardizedFileURL
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path(percentEncoded: false))
    return try paths.filter { $0.hasSuffix(".swift") }.map { path in
      SourceFile(path: path, text: try String(contentsOf: root.appending(path: path), encoding: .utf8))
    }
  }
}

/// Finds the words of Swift code, without those in comments and string literals.
private struct SwiftScanner {
  /// A name or keyword.
  struct Word {
    let text: Substring
    /// The last byte before the word that is not white space.
    let byteBefore: UInt8
    /// The number of braces that are open.
    let depth: Int
  }

  private let text: Substring.UTF8View
  private var index: Substring.Index
  private var depth = 0
  private var lastByte: UInt8 = 0

  init(_ text: String) {
    self.text = text[...].utf8
    index = text.startIndex
  }

  mutating func nextWord() -> Word? {
    while index < text.endIndex {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "/") where starts("//"): skip(to: "\n")
      case UInt8(ascii: "/") where starts("/*"): skip(to: "*/")
      case UInt8(ascii: "#") where starts("#\""): skip(to: "\"#")
      case UInt8(ascii: "\"") where starts("\"\"\""): skip(to: "\"\"\"")
      case UInt8(ascii: "\""): skipString()
      case _ where Self.isLetter(byte): return word()
      default:
        if byte == UInt8(ascii: "{") { depth += 1 }
        if byte == UInt8(ascii: "}") { depth -= 1 }
        if byte > 0x20 { lastByte = byte }
        text.formIndex(after: &index)
      }
    }
    return nil
  }

  private mutating func word() -> Word {
    let end = text[index...].firstIndex { !Self.isLetter($0) } ?? text.endIndex
    defer { (index, lastByte) = (end, UInt8(ascii: "a")) }
    return Word(text: Substring(text[index..<end]), byteBefore: lastByte, depth: depth)
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
