import Ferry

/// Lays nested groups out over lines of a width: a group on one line where it fits, otherwise each of its items on a line of
/// its own.
///
///     Person { first: "Matt", last: "Neuburg" }          Person {
///                                                          first: "Matt"
///                                                          last: "Neuburg"
///                                                        }
///
/// Text comes piece by piece and is written as soon as it is known where. Only what may still fit on the current line is
/// held, so memory is that of one line, however large the value.
struct TreeLayout: ~Copyable {
  /// A piece of the line that is being made, as it is when the groups on it are on one line.
  private struct Piece {
    enum Role { case text, open, item, close }
    let role: Role
    let text: String
    /// How wide it looks: colours are not seen.
    let width: Int
  }

  /// A group that has begun and not ended.
  private struct Group {
    let padding: String
    var isEmpty = true
  }

  private let output: any ByteOutput
  private let width: Int
  private var groups: [Group] = []
  /// How many of the groups have their items on lines of their own: the outermost ones, always.
  private var brokenCount = 0
  /// The current line, as far as it is not written, and how wide it is on one line.
  private var pieces: [Piece] = []
  private var lineWidth = 0
  /// Where in `pieces` the groups that are not broken begin.
  private var opens: [Int] = []
  /// Lines that have ended, written when they are many.
  private var lines = ""
  private static let pageSize = 1 << 16

  init(to output: any ByteOutput, width: Int) {
    self.output = output
    self.width = width
  }

  // MARK: What comes

  /// Text of the current item.
  mutating func text(_ text: String, width: Int) throws(Failure) {
    append(.text, text, width: width)
    try fit()
  }

  /// A group begins: its bracket, with spaces inside it or not.
  mutating func open(_ bracket: String, isPadded: Bool) throws(Failure) {
    opens.append(pieces.count)
    groups.append(Group(padding: isPadded ? " " : ""))
    append(.open, bracket, width: bracket.count)
    try fit()
  }

  /// An item of the innermost group begins.
  mutating func item() throws(Failure) {
    guard let last = groups.indices.last else { return }
    let before = groups[last].isEmpty ? groups[last].padding : ", "
    groups[last].isEmpty = false
    guard !opens.isEmpty else { return try endLine() }
    append(.item, before, width: before.count)
    try fit()
  }

  /// The innermost group ends.
  mutating func close(_ bracket: String) throws(Failure) {
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

  /// The end of all.
  mutating func finish() throws(Failure) {
    try endLine()
    try writeLines()
  }

  private mutating func append(_ role: Piece.Role, _ text: String, width: Int) {
    pieces.append(Piece(role: role, text: text, width: width))
    lineWidth += width
  }

  // MARK: Lines

  /// Breaks groups, the outermost first, until the line fits.
  private mutating func fit(adding more: Int = 0) throws(Failure) {
    while !opens.isEmpty, 2 * brokenCount + lineWidth + more > width { try breakGroup() }
  }

  /// Puts the items of the outermost group that is on one line on lines of their own.
  private mutating func breakGroup() throws(Failure) {
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

  /// Writes the current line, if there is anything on it.
  private mutating func endLine() throws(Failure) {
    guard !pieces.isEmpty else { return }
    lines += String(repeating: "  ", count: brokenCount)
    for piece in pieces { lines += piece.text }
    lines += "\n"
    pieces.removeAll(keepingCapacity: true)
    lineWidth = 0
    if lines.utf8.count >= Self.pageSize { try writeLines() }
  }

  private mutating func writeLines() throws(Failure) {
    try output.write(lines.utf8.span)
    lines.removeAll(keepingCapacity: true)
  }
}
