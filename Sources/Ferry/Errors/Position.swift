/// A location in an input: line and column of a text, byte and object number of a binary file.
public struct Position: Hashable, Sendable {
  /// The line, counted from 1.
  public var line: Int?
  /// The column, counted from 1 in characters of the line (Unicode scalars), as editors do.
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
  private var line = 1
  private var column = 1

  /// Creates a counter for the start of an input.
  public init() {}

  /// The offset of the current chunk's first byte from the start of the input.
  public var chunkStart: Int { finishedBytes }

  /// Counts a finished chunk.
  public mutating func finish(_ chunk: Span<UInt8>) {
    (line, column) = chunk.end(line: line, column: column, byte: finishedBytes)
    finishedBytes += chunk.count
  }

  /// Returns the location of a byte in the current chunk. The offset is negative for a token that began in an
  /// earlier chunk; such a token must be ASCII and must not contain a line feed.
  public func position(of offset: Int, in chunk: Span<UInt8>) -> Position {
    guard offset >= 0 else {
      return Position(line: line, column: column + offset, byte: finishedBytes + offset)
    }
    let before = chunk.extracting(first: min(offset, chunk.count))
    let (line, column) = before.end(line: line, column: column, byte: finishedBytes)
    return Position(line: line, column: column, byte: finishedBytes + offset)
  }

  /// The location after all finished chunks.
  public var end: Position { Position(line: line, column: column, byte: finishedBytes) }
}

extension Span<UInt8> {
  /// Returns the line and column after the bytes, whose first byte has the given line, column and offset.
  func end(line: Int, column: Int, byte: Int) -> (line: Int, column: Int) {
    let feeds = count(of: UInt8(ascii: "\n"))
    if feeds > 0, let last = lastIndex(of: UInt8(ascii: "\n")) {
      return (line + feeds, extracting(last + 1..<count).scalarCount + 1)
    }
    // A byte order mark is not a character of the line.
    let hasMark = byte == 0 && !isEmpty && self[0] == 0xef
    return (line, column + scalarCount - (hasMark ? 1 : 0))
  }
}
