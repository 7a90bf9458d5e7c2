/// An output that keeps its bytes to be read again: in memory, or in a temporary file if they are many.
package final class SpooledOutput: ByteOutput {
  private var memory: [UInt8] = []
  private var file: SystemFile?
  private static let mostInMemory = 1 << 20
  private static let chunkSize = 256 << 10
  /// The size from which bytes are written to the file without being collected.
  private static let leastForFile = 16 << 10
  private let limit: Int
  private var count = 0

  /// Creates an empty output.
  ///
  /// - Parameter limit: The maximum number of bytes. Writing more throws a `FerryError` with the reason `FileProblem.tooLarge`.
  package init(limit: Int = .max) { self.limit = limit }

  package func write(_ bytes: Span<UInt8>) throws(FerryError) {
    guard bytes.count <= limit - count else { throw FerryError(.file(.tooLarge(limit: limit))) }
    count += bytes.count
    let isLong = bytes.count >= Self.leastForFile
    if memory.count + bytes.count > (file == nil ? Self.mostInMemory : Self.chunkSize)
      || isLong && file != nil
    {
      try moveToFile()
    }
    if file != nil, isLong { return try writeToFile(bytes) }
    memory.append(copying: bytes)
  }

  private func moveToFile() throws(FerryError) {
    if file == nil { file = try SystemFile.temporary() }
    var bytes: [UInt8] = []
    swap(&bytes, &memory)
    try writeToFile(bytes.span)
    bytes.removeAll(keepingCapacity: true)
    swap(&bytes, &memory)
  }

  private func writeToFile(_ bytes: Span<UInt8>) throws(FerryError) {
    do throws(FerryError) { try file?.write(bytes) } catch { throw error.ofTemporaryFolder }
  }

  /// Returns the bytes from an offset on, as many as a chunk has; nil at the end.
  func chunk(from offset: Int) throws(FerryError) -> [UInt8]? {
    guard file != nil else {
      let rest = memory.dropFirst(offset).prefix(Self.chunkSize)
      return rest.isEmpty ? nil : Array(rest)
    }
    if !memory.isEmpty { try moveToFile() }
    try file?.seek(to: Int64(offset))
    guard let bytes = try file?.read(upTo: Self.chunkSize), !bytes.isEmpty else { return nil }
    return bytes
  }

  /// Calls a function with all bytes, chunk by chunk.
  package func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
    if file != nil {
      try file?.seek(to: 0)
      var chunk = [UInt8](repeating: 0, count: Self.chunkSize)
      while let count = try file?.read(into: &chunk, from: 0), count > 0 {
        try body(chunk.span.extracting(first: count))
      }
    }
    // The last bytes need no space in the folder for temporary files.
    let memory = memory
    try body(memory.span)
  }
}
