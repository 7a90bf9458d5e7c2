/// A layout of nested groups in lines of a width: a group is on one line if it fits; otherwise each of its
/// items is on a line of its own.
///
///     Person { first: "Matt", last: "Neuburg" }          Person {
///                                                          first: "Matt"
///                                                          last: "Neuburg"
///                                                        }
///
/// Text arrives in pieces, and is written as soon as its line is decided. Only text that may still fit on the
/// current line is held, so the memory is that of one line, however large the value.
struct TreeLayout: ~Copyable {
  /// A piece of the current line, as it looks if all groups are on one line.
  private struct Piece {
    enum Role { case text, open, item, close }
    let role: Role
    let text: String
    /// The visible width, without the codes of colors.
    let width: Int
  }

  /// An open group.
  private struct Group {
    let padding: String
    var isEmpty = true
  }

  private let output: any ByteOutput
  private let width: Int
  private var groups: [Group] = []
  /// The number of groups with items on lines of their own. These are always the outermost ones.
  private var brokenCount = 0
  /// The unwritten part of the current line, and its width on one line.
  private var pieces: [Piece] = []
  private var lineWidth = 0
  /// The indices in `pieces` at which the unbroken groups begin.
  private var opens: [Int] = []
  /// The finished lines, which are written in large blocks.
  private var lines = ""
  private static let pageSize = 1 << 16
  /// The number of levels that are indented. Indenting all levels of a chain of ten thousand objects would
  /// take a hundred megabytes.
  private static let deepestIndentation = 100

  init(to output: any ByteOutput, width: Int) {
    self.output = output
    self.width = width
  }

  // MARK: Input

  /// Adds text of the current item.
  mutating func text(_ text: String, width: Int) throws(FerryError) {
    append(.text, text, width: width)
    try fit()
  }

  /// Begins a group with its bracket, with or without spaces inside it.
  mutating func open(_ bracket: String, isPadded: Bool) throws(FerryError) {
    opens.append(pieces.count)
    groups.append(Group(padding: isPadded ? " " : ""))
    append(.open, bracket, width: bracket.count)
    try fit()
  }

  /// Begins an item of the innermost group.
  mutating func item() throws(FerryError) {
    guard let last = groups.indices.last else { return }
    let before = groups[last].isEmpty ? groups[last].padding : ", "
    groups[last].isEmpty = false
    guard !opens.isEmpty else { return try endLine() }
    append(.item, before, width: before.count)
    try fit()
  }

  /// Ends the innermost group.
  mutating func close(_ bracket: String) throws(FerryError) {
    let text = (groups.last?.isEmpty ?? true ? "" : groups.last?.padding ?? "") + bracket
    try fit(adding: text.count)
    groups.removeLast()
    if opens.popLast() == nil {
      try endLine()
      brokenCount -= 1
      append(.text, bracket, width: bracket.count)
    } else {
      append(.close, text, width: text.count)
    }
  }

  /// Ends the text.
  mutating func finish() throws(FerryError) {
    try endLine()
    try writeLines()
  }

  private mutating func append(_ role: Piece.Role, _ text: String, width: Int) {
    pieces.append(Piece(role: role, text: text, width: width))
    lineWidth += width
  }

  // MARK: Lines

  /// Breaks groups, outermost first, until the line fits.
  private mutating func fit(adding more: Int = 0) throws(FerryError) {
    while !opens.isEmpty, 2 * min(brokenCount, Self.deepestIndentation) + lineWidth + more > width {
      try breakGroup()
    }
  }

  /// Moves the items of the outermost unbroken group to lines of their own.
  private mutating func breakGroup() throws(FerryError) {
    let open = opens.removeFirst()
    let held = pieces
    pieces = Array(held[...open])
    try endLine()
    brokenCount += 1
    var depth = 0
    var start = open + 1
    for index in held.indices[start...] {
      switch held[index].role {
      case .open: depth += 1
      case .close: depth -= 1
      case .item where depth == 0:
        pieces = Array(held[start..<index])
        try endLine()
        start = index + 1
      case .item, .text: break
      }
    }
    pieces = Array(held[start...])
    lineWidth = pieces.reduce(0) { $0 + $1.width }
    for index in opens.indices { opens[index] -= start }
  }

  /// Writes the current line unless it is empty.
  private mutating func endLine() throws(FerryError) {
    guard !pieces.isEmpty else { return }
    lines += String(repeating: "  ", count: min(brokenCount, Self.deepestIndentation))
    for piece in pieces { lines += piece.text }
    lines += "\n"
    pieces.removeAll(keepingCapacity: true)
    lineWidth = 0
    if lines.utf8.count >= Self.pageSize { try writeLines() }
  }

  private mutating func writeLines() throws(FerryError) {
    try output.write(lines.utf8.span)
    lines.removeAll(keepingCapacity: true)
  }
}
