import TestSupport
import Testing

@testable import Ferry

/// Random changes of random texts with comments at every place. The changed text must have the changed values, the line ends
/// of the file, and all comments outside of the changed value, and each comment that it lacks must be reported.
@Suite struct `Random changes of texts with comments` {
  @Test(.enabled(if: PackageTraits.hasYAML)) func `YAML keeps values, comments and line ends`() throws {
    try check(.yaml, rounds: 1500, refusals: 0)
  }

  @Test func `JSON with comments and JSON5 keep values, comments and line ends`() throws {
    try check(.jsonc, rounds: 700, refusals: 0)
    try check(.json5, rounds: 300, refusals: 0)
  }

  @Test func `OpenStep property lists keep values, comments and line ends`() throws {
    try check(.openStepPropertyList, rounds: 700, refusals: 0)
  }

  private static let insertions: [(format: Format, path: String, text: String, edited: String)] = [
    (.yaml, "[0]", "# one\n- 1\n- 2\n", "- 0\n# one\n- 1\n- 2\n"),
    (.yaml, "[0]", "# file\n\n# one\n- 1\n", "# file\n\n- 0\n# one\n- 1\n"),
    (.yaml, "[0]", "# file\n\n- 1\n", "# file\n\n- 0\n- 1\n"),
    (.yaml, "l[0]", "l:\n  # one\n  # and more\n  - 1\n", "l:\n  - 0\n  # one\n  # and more\n  - 1\n"),
    (.yaml, "[0]", "# list\n[1, 2]\n", "# list\n[0, 1, 2]\n"),
    (.yaml, "[0]", "[\n  # one\n  1, 2]\n", "[\n  0,\n  # one\n  1, 2]\n"),
    (.json5, "[0]", "[ // list\n  // one\n  1\n]\n", "[ // list\n  0,\n  // one\n  1\n]\n"),
    (.json5, "[0]", "[ /* list */ 1, 2]\n", "[ /* list */ 0, 1, 2]\n"),
    (
      .xmlPropertyList, "[0]", "<plist><array>\n\t<!-- one -->\n\t<integer>1</integer>\n</array></plist>\n",
      "<plist><array>\n\t<integer>0</integer>\n\t<!-- one -->\n\t<integer>1</integer>\n</array></plist>\n"
    ),
    (
      .xml, "l.r[0]", "<l>\n  <!-- one -->\n  <r>1</r>\n  <r>2</r>\n</l>\n",
      "<l>\n  <r>0</r>\n  <!-- one -->\n  <r>1</r>\n  <r>2</r>\n</l>\n"
    ),
  ]

  @Test(arguments: insertions)
  fileprivate func `A new first element is above the comments of the one that was the first`(
    _ test: (format: Format, path: String, text: String, edited: String)
  ) throws {
    guard test.format != .yaml || PackageTraits.hasYAML else { return }
    let file = try file(Array(test.text.utf8), test.format)
    try file.insert(text: "0", at: ValuePath(parsing: test.path))
    #expect(String(decoding: try file.bytes(), as: UTF8.self) == test.edited)
  }

  private func check(_ format: Format, rounds: Int, refusals: Int) throws {
    var refused: [String] = []
    for round in 0..<rounds {
      var text = CommentedText(format, seed: UInt64(round))
      let change = text.randomChange()
      let (file, plain) = (try file(text.bytes, format), try file(Array(text.json.utf8), .json))
      let path = try ValuePath(parsing: change.path)
      try make(change, at: path, in: plain)
      let losses = LossReport()
      let edited: [UInt8]
      do {
        try make(change, at: path, in: file)
        edited = try file.bytes(losses: losses)
      } catch let error as FerryError {
        refused.append("\(change): \(error)\n\(text.string)")
        continue
      }
      let story: Comment =
        "round \(round), \(change):\n\(text.string)\nbecame\n\(String(decoding: edited, as: UTF8.self))"
      #expect(try self.file(edited, format).value(at: ValuePath()) == plain.value(at: ValuePath()), story)
      let lost = text.comments(missingIn: edited)
      #expect(lost.allSatisfy(change.comments.contains), story)
      #expect(losses.all.counts.first { $0.kind == .comment }?.count ?? 0 == lost.count, story)
      #expect(text.hasItsLineEnds(edited), story)
    }
    #expect(refused.count <= refusals, "\(refused.joined(separator: "\n\n"))")
  }

  private func file(_ bytes: [UInt8], _ format: Format) throws -> EditableFile {
    var options = EditableFile.Options()
    options.format = format
    return try EditableFile(bytes, options: options)
  }

  private func make(_ change: CommentedText.Change, at path: ValuePath, in file: EditableFile) throws {
    switch change.kind {
    case .set: try file.set("new", at: path)
    case .insert: try file.insert("new", at: path)
    case .insertCollection: try file.insert(["n": ["new"]], at: path)
    case .remove: try file.remove(at: path)
    }
  }
}

/// A random text with comments `c0`, `c1`, …
private struct CommentedText {
  struct Change: CustomStringConvertible {
    enum Kind { case set, insert, insertCollection, remove }
    var kind: Kind
    var path: String
    /// The comments that the change may lose.
    var comments: Range<Int>
    var description: String { "\(kind) at \(path)" }
  }

  private indirect enum Tree {
    case scalar
    case list([Tree])
    case map([Tree])
  }

  /// A value of the text.
  private struct Place {
    var path: String
    /// The number of children of a collection, or nil.
    var count: Int?
    var isMap: Bool
    /// The comments from the key on, and those in the value.
    var entryComments: Range<Int>
    var valueComments: Range<Int>
  }

  private(set) var string = ""
  private(set) var json = ""
  private let format: Format
  private let lineEnd: String
  private var random: SeededGenerator
  private var places: [Place] = []
  private var comments = 0

  init(_ format: Format, seed: UInt64) {
    self.format = format
    random = SeededGenerator(seed: seed)
    lineEnd = ["\n", "\r\n"].randomElement(using: &random) ?? "\n"
    let tree = tree(depth: 0)
    if format == .yaml, Bool.random(using: &random) { string += "---\(lineEnd)" }
    if format == .yaml, chance(3) {
      block(tree, 0, "", isCompact: false)
    } else {
      space(1)
      value(tree, "", 1)
      space(1)
    }
    if !string.hasSuffix(lineEnd), chance(2) { string += lineEnd }
  }

  var bytes: [UInt8] { Array(string.utf8) }

  func comments(missingIn edited: [UInt8]) -> [Int] {
    let text = String(decoding: edited, as: UTF8.self)
    return (0..<comments).filter { !text.contains("<c\($0)>") }
  }

  func hasItsLineEnds(_ edited: [UInt8]) -> Bool {
    edited.indices.allSatisfy { index in
      let isFeed = edited[index] == UInt8(ascii: "\n")
      let isReturned = index > 0 && edited[index - 1] == UInt8(ascii: "\r")
      return lineEnd == "\n" || !string.utf8.contains(UInt8(ascii: "\n")) || isFeed == isReturned
    }
  }

  mutating func randomChange() -> Change {
    let place = places[Int.random(in: 0..<places.count, using: &random)]
    if let count = place.count, chance(2) {
      let kind = chance(2) ? Change.Kind.insert : .insertCollection
      let index = Int.random(in: 0...count, using: &random)
      let path =
        place.isMap ? (place.path.isEmpty ? "new" : place.path + ".new") : "\(place.path)[\(index)]"
      return Change(kind: kind, path: path, comments: 0..<0)
    }
    if place.path.isEmpty || chance(2) {
      return place.path.isEmpty && place.count != nil
        ? Change(kind: .insert, path: place.isMap ? "new" : "[0]", comments: 0..<0)
        : Change(kind: .set, path: place.path, comments: place.valueComments)
    }
    return Change(kind: .remove, path: place.path, comments: place.entryComments)
  }

  // MARK: Random texts

  private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  private mutating func tree(depth: Int) -> Tree {
    guard depth == 0 || depth < 3 && chance(2) else { return .scalar }
    let children = (0..<Int.random(in: depth == 0 ? 1...4 : 0...3, using: &random)).map { _ in
      tree(depth: depth + 1)
    }
    return Bool.random(using: &random) ? .list(children) : .map(children)
  }

  /// Returns a comment, perhaps with characters that mean something outside of comments.
  private mutating func comment() -> String {
    defer { comments += 1 }
    return "<c\(comments)>"
      + (["", "", "", " ?", " foo-bar", " - x", " \"q", " # x"].randomElement(using: &random) ?? "")
  }

  /// Appends space, perhaps with a comment.
  private mutating func space(_ column: Int) {
    let newLine = lineEnd + String(repeating: " ", count: column)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: string += format == .yaml ? " # \(comment())" + newLine : " // \(comment())" + newLine
    case 1: string += newLine
    case 2 where format != .yaml: string += " /* \(comment()) */"
    case 3 where format != .yaml: string += newLine + "// \(comment())" + newLine
    case 4, 5: string += " "
    default: break
    }
  }

  private mutating func place(
    _ tree: Tree, _ path: String, _ key: String?, _ write: (inout CommentedText) -> Void
  ) {
    let index = places.count
    places.append(Place(path: path, count: nil, isMap: false, entryComments: 0..<0, valueComments: 0..<0))
    let start = comments
    if let key {
      string += format == .openStepPropertyList || format == .yaml ? key : "\"\(key)\""
      json += "\"\(key)\":"
    }
    write(&self)
    places[index].entryComments = start..<comments
    switch tree {
    case .scalar: break
    case .list(let children): places[index].count = children.count
    case .map(let children): (places[index].count, places[index].isMap) = (children.count, true)
    }
    places[index].valueComments = places[index].valueComments.lowerBound..<comments
  }

  private mutating func markValue(_ path: String) {
    guard let index = places.lastIndex(where: { $0.path == path }) else { return }
    places[index].valueComments = comments..<comments
  }

  /// Appends a string, perhaps with characters that mean something outside of strings.
  private mutating func scalar(isInBlock: Bool = false) {
    var text = "v\(string.utf8.count)"
    let isQuoted = format == .jsonc || format == .json5 || chance(3)
    if isQuoted {
      text += ["", " # x", " ?", " // x", "-x", " - x"].randomElement(using: &random) ?? ""
    } else if isInBlock {
      text += ["", "#x", " ?", "-x", " - x"].randomElement(using: &random) ?? ""
    }
    string += isQuoted ? "\"\(text)\"" : text
    json += "\"\(text)\""
  }

  /// Appends a string of YAML on lines of its own, perhaps with a comment in its header.
  private mutating func blockScalar(_ column: Int) {
    let text = "v\(string.utf8.count) # x"
    string += (chance(2) ? " |-" : " >-") + (chance(2) ? " # \(comment())" : "")
    string += lineEnd + String(repeating: " ", count: column) + text + lineEnd
    json += "\"\(text)\""
  }

  private func path(_ parent: String, _ index: Int, isMap: Bool) -> String {
    isMap ? (parent.isEmpty ? "k\(index)" : "\(parent).k\(index)") : "\(parent)[\(index)]"
  }

  /// Appends a value on one line or in brackets.
  private mutating func value(_ tree: Tree, _ path: String, _ column: Int) {
    if path.isEmpty {
      place(tree, path, nil) { $0.inBrackets(tree, path, column) }
    } else {
      inBrackets(tree, path, column)
    }
  }

  private mutating func inBrackets(_ tree: Tree, _ path: String, _ column: Int, isInBlock: Bool = false) {
    markValue(path)
    let (children, isMap): ([Tree], Bool)
    switch tree {
    case .scalar: return scalar(isInBlock: isInBlock)
    case .list(let elements): (children, isMap) = (elements, false)
    case .map(let values): (children, isMap) = (values, true)
    }
    string += isMap ? "{" : format == .openStepPropertyList ? "(" : "["
    json += isMap ? "{" : "["
    for (index, child) in children.enumerated() {
      space(column + 1)
      let childPath = self.path(path, index, isMap: isMap)
      place(child, childPath, isMap ? "k\(index)" : nil) { text in
        if isMap {
          if text.format != .yaml { text.space(column + 1) }
          text.string += text.format == .openStepPropertyList ? "=" : ":"
          if text.format == .yaml { text.string += " " }
          text.space(column + 1)
        }
        text.inBrackets(child, childPath, column + 1)
      }
      space(column + 1)
      let isLast = index + 1 == children.count
      if isMap, format == .openStepPropertyList {
        string += ";"
      } else if !isLast || chance(4) {
        string += ","
      }
      if !isLast { json += "," }
    }
    space(column)
    string += isMap ? "}" : format == .openStepPropertyList ? ")" : "]"
    json += isMap ? "}" : "]"
  }

  /// Appends the lines of a collection of YAML in a block.
  private mutating func block(_ tree: Tree, _ column: Int, _ path: String, isCompact: Bool) {
    if path.isEmpty {
      return place(tree, path, nil) { text in
        text.markValue(path)
        text.lines(of: tree, column, path, isCompact: isCompact)
      }
    }
    markValue(path)
    lines(of: tree, column, path, isCompact: isCompact)
  }

  private mutating func lines(of tree: Tree, _ column: Int, _ path: String, isCompact: Bool) {
    let (children, isMap): ([Tree], Bool)
    switch tree {
    case .scalar: return scalar()
    case .list(let elements): (children, isMap) = (elements, false)
    case .map(let values): (children, isMap) = (values, true)
    }
    let indent = String(repeating: " ", count: column)
    json += isMap ? "{" : "["
    for (index, child) in children.enumerated() {
      if index > 0 || !isCompact {
        if chance(4) { string += indent + "# \(comment())" + lineEnd }
        if chance(8) { string += lineEnd }
        string += indent
      }
      let childPath = self.path(path, index, isMap: isMap)
      place(child, childPath, isMap ? "k\(index)" : nil) { text in
        text.string += isMap ? ":" : "-"
        text.lineValue(child, column, childPath, isInMap: isMap)
      }
      if string.hasSuffix(lineEnd) {
        continueLine(index, children.count)
      } else {
        endLine(index, children.count)
      }
    }
    json += isMap ? "}" : "]"
  }

  private mutating func lineValue(_ child: Tree, _ column: Int, _ path: String, isInMap: Bool) {
    let isBlock: Bool
    switch child {
    case .scalar where chance(5):
      markValue(path)
      return blockScalar(column + 2)
    case .scalar: isBlock = false
    case .list(let children), .map(let children): isBlock = !children.isEmpty && !chance(3)
    }
    guard isBlock else {
      string += " "
      return inBrackets(child, path, column + 2, isInBlock: true)
    }
    guard isInMap || chance(2) else {
      string += " "
      return block(child, column + 2, path, isCompact: true)
    }
    if chance(4) { string += " # \(comment())" }
    string += lineEnd
    block(child, column + 2, path, isCompact: false)
  }

  private mutating func endLine(_ index: Int, _ count: Int) {
    if chance(3) { string += " # \(comment())" }
    string += lineEnd
    continueLine(index, count)
  }

  private mutating func continueLine(_ index: Int, _ count: Int) { if index + 1 < count { json += "," } }
}
