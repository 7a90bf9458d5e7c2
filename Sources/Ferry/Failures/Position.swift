/// A location in an input: line and column of a text, byte and object number of a binary file.
public struct Position: Hashable, Sendable {
  /// The line, counted from 1.
  public var line: Int?
  /// The column, counted from 1 in bytes.
  public var column: Int?
  /// The byte offset from the start of the file, counted from 0.
  public var byte: Int?
  /// The number of an object in a binary property list, or in an archive's `$objects`.
  public var object: Int?

  /// Creates a location from the known parts.
  public init(line: Int? = nil, column: Int? = nil, byte: Int? = nil, object: Int? = nil) {
    self.line = line
    self.column = column
    self.byte = byte
    self.object = object
  }

  /// True if no part is known.
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

/// A counter of lines that finds the line and column of any byte in the current chunk, at the cost of one
/// scan of each chunk.
///
/// A streaming reader keeps only an offset until an error occurs. It passes each finished chunk to the
/// counter, which counts inside the current chunk only if an error needs its location.
public struct LineCounter: Sendable {
  private var finishedBytes = 0
  private var finishedLines = 0
  /// The number of bytes since the last line feed of the finished chunks.
  private var bytesInLine = 0

  /// Creates a counter for the start of an input.
  public init() {}

  /// The offset of the current chunk's first byte from the start of the input.
  public var chunkStart: Int { finishedBytes }

  /// Counts a finished chunk.
  public mutating func finish(_ chunk: Span<UInt8>) {
    (finishedLines, bytesInLine) = count(chunk, upTo: chunk.count)
    finishedBytes += chunk.count
  }

  /// Returns the location of a byte in the current chunk. A negative offset is that of a token which began in
  /// an earlier chunk; such a token must not contain a line feed.
  ///
  /// - Parameters:
  ///   - offset: The offset of the byte in the chunk.
  ///   - chunk: The current chunk.
  public func position(of offset: Int, in chunk: Span<UInt8>) -> Position {
    guard offset >= 0 else {
      return Position(line: finishedLines + 1, column: bytesInLine + 1 + offset, byte: finishedBytes + offset)
    }
    let (lines, inLine) = count(chunk, upTo: min(offset, chunk.count))
    return Position(line: lines + 1, column: inLine + 1, byte: finishedBytes + offset)
  }

  /// The location after all finished chunks.
  public var end: Position {
    Position(line: finishedLines + 1, column: bytesInLine + 1, byte: finishedBytes)
  }

  private func count(_ chunk: Span<UInt8>, upTo end: Int) -> (lines: Int, bytesInLine: Int) {
    var lines = finishedLines
    var lineStart = -bytesInLine
    var index = 0
    while index + 8 <= end {
      // The high bit of each byte in `feeds` is set if the byte is a line feed.
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
