extension SystemFile {
  /// Calls a function with each chunk of the file to its end.
  borrowing func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try read(into: &buffer, from: 0)
      guard count > 0 else { return }
      try body(buffer.span.extracting(first: count))
    }
  }
}
