/// The contents of a file for a ZIP archive, compressed.
struct ZIPContents {
  let method: UInt16
  let bytes: [UInt8]
  let size: Int
  let checksum: UInt32

  /// Compresses contents by a method: 8, or 0, which leaves them as they are.
  init(_ contents: [UInt8], method: UInt16) throws(FerryError) {
    guard UInt64(contents.count) < UInt64(UInt32.max) else { throw FerryError(.compression(.largeArchive)) }
    self.method = method
    (bytes, size) = (method == 0 ? contents : try Self.deflated(contents), contents.count)
    checksum = Zlib.crc32(contents)
  }

  /// Compresses contents if they become smaller.
  init(smallestOf contents: [UInt8]) throws(FerryError) {
    let deflated = try ZIPContents(contents, method: 8)
    self = deflated.bytes.count < contents.count ? deflated : try ZIPContents(contents, method: 0)
  }

  private static func deflated(_ contents: [UInt8]) throws(FerryError) -> [UInt8] {
    let compressor = try Zlib.Compressor(wrapping: .none)
    var (buffer, compressed) = ([UInt8](repeating: 0, count: Compression.bufferSize), [UInt8]())
    var start = 0
    while true {
      let step = try compressor.compress(
        contents.span.extracting(droppingFirst: start), isLast: true, into: &buffer)
      start += step.consumed
      compressed.append(copying: buffer.span.extracting(first: step.produced))
      if step.isAtEnd { return compressed }
      guard step.consumed + step.produced > 0 else { throw FerryError.outOfMemory }
    }
  }
}
