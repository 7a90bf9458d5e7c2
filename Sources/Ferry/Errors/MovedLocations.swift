/// The source locations of an input from a byte on, by the locations in a text that has only these bytes, after a frame.
///
///     text    <people>  <person>…        line 1, column 9
///     input             <person>…        line 3000, column 1
struct MovedLocations: Sendable {
  /// A location in the text, and that of the same byte in the input.
  struct Origin: Sendable {
    let inText: InputLocation
    let inInput: InputLocation
  }

  /// The beginnings of runs of bytes that the text and the input have in common, in their order.
  private let origins: [Origin]

  /// Creates the locations of a text. Without origins, they are those of the input.
  init(_ origins: [Origin] = []) { self.origins = origins }

  /// Returns a location of the text as that in the input.
  func moved(_ location: InputLocation) -> InputLocation {
    guard let origin = origins.last(where: { $0.inText.isAtOrBefore(location) }) else { return location }
    let (first, actual) = (origin.inText, origin.inInput)
    var moved = location
    if let line = location.line {
      moved.line = line - (first.line ?? 1) + (actual.line ?? 1)
      if line == first.line { moved.column = location.column?.moved(from: first.column, to: actual.column) }
    }
    moved.byte = location.byte?.moved(from: first.byte, to: actual.byte)
    return moved
  }
}

extension InputLocation {
  /// The location of the first byte.
  static let beginning = InputLocation(line: 1, column: 1, byte: 0)

  /// Returns the location after a text that begins here.
  ///
  /// - Parameter end: The location after the text if it is the whole input.
  func advanced(overTextTo end: InputLocation) -> InputLocation {
    let (lines, column) = ((end.line ?? 1) - 1, end.column ?? 1)
    return InputLocation(
      line: (line ?? 1) + lines, column: lines > 0 ? column : (self.column ?? 1) + column - 1,
      byte: (byte ?? 0) + (end.byte ?? 0))
  }

  fileprivate func isAtOrBefore(_ other: InputLocation) -> Bool {
    guard let otherLine = other.line else { return byte ?? 0 <= other.byte ?? 0 }
    return (line ?? 1, column ?? 1) <= (otherLine, other.column ?? .max)
  }
}

extension Int {
  fileprivate func moved(from origin: Int?, to target: Int?) -> Int { self - (origin ?? 0) + (target ?? 0) }
}
