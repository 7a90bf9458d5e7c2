extension Array where Element == UInt8 {
  /// Calls a function with the bytes in chunks of at most a size.
  func forEachChunk(
    ofAtMost size: Int, _ body: (Span<UInt8>) throws(FerryError) -> Void
  ) throws(FerryError) {
    var start = 0
    while start < count {
      let end = start + Swift.min(size, count - start)
      try body(span.extracting(start..<end))
      start = end
    }
  }
}
