/// A source location: line and column in a text, byte offset and object number in a binary file.
public struct InputLocation: Hashable, Sendable {
  /// The line, counted from 1.
  public var line: Int?
  /// The column in Unicode scalars, counted from 1 as in editors.
  public var column: Int?
  /// The byte offset in the file, counted from 0.
  public var byte: Int?
  /// The number of an object in a binary property list, or in an archive's `$objects`.
  public var object: Int?

  /// Creates a location from those parts that are known.
  public init(line: Int? = nil, column: Int? = nil, byte: Int? = nil, object: Int? = nil) {
    self.line = line
    self.column = column
    self.byte = byte
    self.object = object
  }

  /// True if no part is known.
  public var isEmpty: Bool { line == nil && byte == nil && object == nil }
}

extension InputLocation {
  /// Returns the location after some bytes of a text, if this is the location of the first of them.
  func advanced(over bytes: [UInt8]) -> InputLocation {
    guard let line, let column else { return self }
    let end = bytes.span.end(line: line, column: column, byte: byte ?? bytes.count)
    return InputLocation(line: end.line, column: end.column, byte: byte.map { $0 + bytes.count })
  }
}

extension InputLocation: CustomStringConvertible {
  /// The location in words: `3:14`, `byte 1204`, `byte 1204, object 17` or `object 17`. Empty if it is
  /// unknown.
  public var description: String {
    if let line { return column.map { "\(line):\($0)" } ?? "\(line)" }
    let parts = [byte.map { "byte \($0)" }, object.map { "object \($0)" }]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }

  /// The location in data in words: `line 3, column 14 of the data`. Nil if it is unknown.
  var inData: String? {
    guard !isEmpty else { return nil }
    let text = line.map { line in "line \(line)" + (column.map { ", column \($0)" } ?? "") }
    return "\(text ?? description) of the data"
  }
}

/// A counter of lines that computes the line and column of any byte in the current chunk. It scans each chunk
/// once.
///
/// A streaming reader stores only an offset until an error occurs. It passes each finished chunk to the
/// counter. The current chunk is scanned only to locate an error.
public struct LineCounter: Sendable {
  private var finishedBytes = 0
  private var line = 1
  private var column = 1

  /// Creates a counter at the start of an input.
  public init() {}

  /// The byte offset at which the current chunk begins.
  public var chunkStart: Int { finishedBytes }

  /// Counts a finished chunk.
  public mutating func finish(_ chunk: Span<UInt8>) {
    (line, column) = chunk.end(line: line, column: column, byte: finishedBytes)
    finishedBytes += chunk.count
  }

  /// Returns the location of an offset in the current chunk. A negative offset is in an earlier chunk, for a
  /// token that extends over chunks. Such a token must be ASCII and contain no line feed.
  public func location(of offset: Int, in chunk: Span<UInt8>) -> InputLocation {
    guard offset >= 0 else {
      return InputLocation(line: line, column: column + offset, byte: finishedBytes + offset)
    }
    let before = chunk.extracting(first: min(offset, chunk.count))
    let (line, column) = before.end(line: line, column: column, byte: finishedBytes)
    return InputLocation(line: line, column: column, byte: finishedBytes + offset)
  }

  /// The location after all finished chunks.
  public var end: InputLocation { InputLocation(line: line, column: column, byte: finishedBytes) }
}

extension Span<UInt8> {
  /// Returns the line and column after the bytes, given the line, column and byte offset of the first byte.
  func end(line: Int, column: Int, byte: Int) -> (line: Int, column: Int) {
    let feeds = count(of: UInt8(ascii: "\n"))
    if feeds > 0, let last = lastIndex(of: UInt8(ascii: "\n")) {
      return (line + feeds, extracting(last + 1..<count).scalarCount + 1)
    }
    // A byte order mark is not counted as a character.
    let hasMark = byte == 0 && !isEmpty && self[0] == 0xef
    return (line, column + scalarCount - (hasMark ? 1 : 0))
  }
}

/// The source locations of offsets in the chunks of an input. Each is computed from the latest one in its chunk.
struct ChunkLocations {
  /// The latest location.
  private var counted = InputLocation()
  private var countedOffset = 0
  /// The byte offset at which the chunk of the latest location begins.
  private var chunkStart = -1

  /// Returns the location of an offset in a chunk. If offsets increase, each byte is counted once.
  ///
  /// - Parameter lines: A counter that has counted all preceding chunks.
  mutating func location(
    of offset: Int, in chunk: Span<UInt8>, after lines: borrowing LineCounter
  ) -> InputLocation {
    // The offset of a token that began in an earlier chunk is negative.
    guard offset >= 0 else { return lines.location(of: offset, in: chunk) }
    if lines.chunkStart != chunkStart || offset < countedOffset {
      (chunkStart, counted, countedOffset) = (lines.chunkStart, lines.end, 0)
    }
    let byte = counted.byte ?? 0
    let (line, column) = chunk.extracting(countedOffset..<offset).end(
      line: counted.line ?? 1, column: counted.column ?? 1, byte: byte)
    counted = InputLocation(line: line, column: column, byte: byte + offset - countedOffset)
    countedOffset = offset
    return counted
  }
}

/// The source locations of offsets in some bytes. Each is computed from the latest one.
struct OffsetLocations {
  private let base: InputLocation
  private var latest: (offset: Int, location: InputLocation)

  /// Creates the locations in bytes that begin at a location.
  init(from base: InputLocation) { (self.base, latest) = (base, (0, base)) }

  /// Returns the location of an offset in the bytes.
  mutating func location(of offset: Int, in bytes: Span<UInt8>) -> InputLocation {
    if offset < latest.offset { latest = (0, base) }
    let from = latest.location
    let passed = bytes.extracting(latest.offset..<offset)
    let end = passed.end(line: from.line ?? 1, column: from.column ?? 1, byte: from.byte ?? 1)
    let byte = from.byte.map { $0 + passed.count }
    latest = (offset, InputLocation(line: end.line, column: end.column, byte: byte))
    return latest.location
  }
}
