import Ferry

extension ChunkReader {
  /// Reads a whole input in chunks of a size.
  func readAll(_ bytes: [UInt8], chunk size: Int) throws(FerryError) {
    var start = 0
    while start < bytes.count {
      let end = start + min(size, bytes.count - start)
      try read(bytes.span.extracting(start..<end))
      start = end
    }
    try finish()
  }
}
