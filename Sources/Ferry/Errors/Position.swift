/// A place in an input: line and column of a text, byte and object number of a binary file.
public struct Position: Hashable, Sendable {
  /// Counted from 1.
  public var line: Int?
  /// Counted from 1, in bytes of the line.
  public var column: Int?
  /// Counted from 0, from the start of the file.
  public var byte: Int?
  /// The number of an object in a binary property list, or in an archive's `$objects`.
  public var object: Int?

  /// A place known only as far as it is given.
  public init(line: Int? = nil, column: Int? = nil, byte: Int? = nil, object: Int? = nil) {
    self.line = line
    self.column = column
    self.byte = byte
    self.object = object
  }

  /// Whether nothing is known.
  public var isEmpty: Bool { line == nil && byte == nil && object == nil }
}

extension Position: CustomStringConvertible {
  /// `3:14`, `byte 1204`, `byte 1204, object 17`, `object 17`, or nothing.
  public var description: String {
    if let line { return column.map { "\(line):\($0)" } ?? "\(line)" }
    let parts = [byte.map { "byte \($0)" }, object.map { "object \($0)" }]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }
}

/// Knows the line and column of any byte of the chunk being read, at the price of one scan a chunk.
///
/// A streaming reader keeps only an offset while all is well; the counter is told of each chunk when the reader has
/// finished with it, and counts inside the current one when a failure needs its place.
public struct LineCounter: Sendable {
  private var finishedBytes = 0
  private var finishedLines = 0
  /// Bytes since the last line feed of the finished chunks.
  private var bytesInLine = 0

  /// At the start of an input.
  public init() {}

  /// The offset, from the start of the input, of the current chunk's first byte.
  public var chunkStart: Int { finishedBytes }

  /// Remembers a chunk that has been read to its end.
  public mutating func finish(_ chunk: Span<UInt8>) {
    (finishedLines, bytesInLine) = count(chunk, upTo: chunk.count)
    finishedBytes += chunk.count
  }

  /// The place of a byte of the current chunk. A negative offset is that of a token which began in an earlier chunk; such
  /// a token must not hold a line feed.
  public func position(of offset: Int, in chunk: Span<UInt8>) -> Position {
    guard offset >= 0 else {
      return Position(line: finishedLines + 1, column: bytesInLine + 1 + offset, byte: finishedBytes + offset)
    }
    let (lines, inLine) = count(chunk, upTo: min(offset, chunk.count))
    return Position(line: lines + 1, column: inLine + 1, byte: finishedBytes + offset)
  }

  /// The place just behind all finished chunks.
  public var end: Position {
    Position(line: finishedLines + 1, column: bytesInLine + 1, byte: finishedBytes)
  }

  private func count(_ chunk: Span<UInt8>, upTo end: Int) -> (lines: Int, bytesInLine: Int) {
    var lines = finishedLines
    var lineStart = -bytesInLine
    var index = 0
    while index + 8 <= end {
      // The high bit of each byte of `feeds` says whether it is a line feed.
      let word = chunk.littleEndianWord(at: index) ^ 0x0a0a_0a0a_0a0a_0a0a
      let sevens: UInt64 = 0x7f7f_7f7f_7f7f_7f7f
      let feeds = ~((word & sevens) &+ sevens | word | sevens)
      if feeds != 0 {
        lines += feeds.nonzeroBitCount
        lineStart = index + 8 - feeds.leadingZeroBitCount / 8
      }
      index += 8
    }
    while index < end {
      if chunk[index] == UInt8(ascii: "\n") {
        lines += 1
        lineStart = index + 1
      }
      index += 1
    }
    return (lines, end - lineStart)
  }
}
