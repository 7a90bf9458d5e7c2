/// A cutter of a text into parts that end at boundaries.
struct PartCutter {
  private var boundary: PartBoundary
  private let sizes: PartSizes
  private var bytes: [UInt8] = []

  init(at boundary: PartBoundary, _ sizes: PartSizes) { (self.boundary, self.sizes) = (boundary, sizes) }

  /// Adds bytes. Returns the part that they complete, or nil.
  ///
  /// - Parameter spare: Returns an empty array with room for the next part.
  /// - Throws: An error that is never shown if the part has no boundary.
  mutating func add(
    _ piece: Span<UInt8>, reusing spare: (_ capacity: Int) -> [UInt8]
  ) throws(FerryError) -> [UInt8]? {
    let start = bytes.count
    bytes.append(copying: piece)
    guard bytes.count >= sizes.part else { return nil }
    guard let cut = boundary.last(in: bytes, from: start) else {
      guard bytes.count < sizes.largestPart else {
        throw .stopped
      }
      return nil
    }
    var rest = spare(sizes.part + piece.count)
    rest.append(copying: bytes.span.extracting(droppingFirst: cut.upperBound))
    bytes.removeLast(bytes.count - cut.lowerBound)
    swap(&rest, &bytes)
    return rest
  }

  /// Removes and returns the bytes after the last boundary.
  mutating func takeRest() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}
