/// The bytes of an input that can be read only once, from its first part on whose text was not joined. One thread can continue there.
///
///     joined parts | part, part … (converted meanwhile) | bytes without a boundary | bytes of the chunk | the rest of the input
struct UnjoinedParts {
  private let boundary: PartBoundary
  private var parts: [[UInt8]] = []
  private var hasJoined = false
  /// True if no other part follows.
  var isComplete = false
  /// The source location of the first part.
  private var location = InputLocation.beginning
  /// The bytes of the current chunk that were not cut yet.
  var unread: [UInt8] = []

  init(_ boundary: PartBoundary) { self.boundary = boundary }

  /// True if the first part is the last one of the input.
  var hasOnlyLast: Bool { isComplete && parts.count == 1 }

  /// Adds a part.
  mutating func add(_ part: [UInt8]) { parts.append(part) }

  /// Removes the first part, whose text was joined, and returns it.
  ///
  /// - Parameter end: The location after the part, if it is a text of its own.
  mutating func removeFirst(to end: InputLocation) -> [UInt8] {
    hasJoined = true
    location = location.advanced(overTextTo: end).advanced(over: boundary.separator)
    return parts.removeFirst()
  }

  /// The text before the first part in place of the parts before it.
  private var frame: [UInt8] { hasJoined ? boundary.frame.before : [] }

  /// The locations in the input by those in the text that begins with the frame and the first part.
  var locations: MovedLocations {
    guard hasJoined else { return MovedLocations() }
    let before = boundary.frame.before
    let origins = boundary.frame.origins.map { origin in
      MovedLocations.Origin(
        inText: .beginning.advanced(over: Array(before[..<origin.offset])), inInput: origin.location)
    }
    return MovedLocations(
      origins + [MovedLocations.Origin(inText: .beginning.advanced(over: before), inInput: location)])
  }

  /// Returns the bytes that follow the parts which were joined, in the frame.
  ///
  /// - Parameter uncut: The bytes after the last boundary.
  func pieces(before uncut: [UInt8]) -> [[UInt8]] {
    var pieces = [frame]
    for (index, part) in parts.enumerated() {
      if index > 0 { pieces.append(boundary.separator) }
      pieces.append(part)
    }
    guard !isComplete else { return pieces }
    if !parts.isEmpty { pieces.append(boundary.separator) }
    // A piece ends between characters, so that an error in its text names the same character.
    return pieces + [uncut + unread]
  }
}

extension InputLocation {
  /// Creates the location after a part, if it is a text of its own. Only the first part may begin with a byte order mark.
  init(endOfPart bytes: [UInt8], isFirst: Bool) {
    let start = InputLocation(line: 1, column: 1, byte: isFirst ? 0 : 1)
    self = start.advanced(over: bytes)
    byte = bytes.count
  }
}
