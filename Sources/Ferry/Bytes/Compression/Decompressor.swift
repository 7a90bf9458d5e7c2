/// A decompressor of one member of compressed data, in chunks of any size.
protocol Decompressor: AnyObject {
  /// Decompresses bytes into a buffer, until the buffer is full, the bytes are consumed or the member ends.
  func decompress(
    _ bytes: Span<UInt8>, into buffer: inout [UInt8]
  ) throws(DecompressionFlaw) -> CompressionStep
  /// Prepares for another member.
  func restart() throws(DecompressionFlaw)
}

/// The result of one call of a compressor or decompressor.
struct CompressionStep {
  /// The number of bytes that were consumed.
  var consumed: Int
  /// The number of bytes that were written to the buffer.
  var produced: Int
  /// True if the compressed data, or its member, has ended.
  var isAtEnd: Bool
}

/// A mistake in compressed data.
enum DecompressionFlaw: Error {
  /// The data is damaged, in the words of the library, after a number of bytes that were consumed in the call.
  case damaged(String, after: Int = 0)
  /// The data does not begin with the signature of its format.
  case badSignature(String)
  /// Decompressing needs more memory than the budget allows.
  case needsMemory
}

/// A compressor, in chunks of any size.
protocol Compressor: AnyObject {
  /// Compresses bytes into a buffer, until the buffer is full, the bytes are consumed or the data ends.
  ///
  /// - Parameter isLast: Pass true to end the data. Nothing can be compressed afterward.
  func compress(
    _ bytes: Span<UInt8>, isLast: Bool, into buffer: inout [UInt8]
  ) throws(FerryError) -> CompressionStep
}

extension Compression {
  /// Returns a decompressor. One whose data needs more than `windowBytes` of memory refuses the data.
  func decompressor(windowBytes: Int) throws(FerryError) -> any Decompressor {
    switch self {
    case .gzip: return try Zlib.Decompressor(wrapping: .gzip)
    case .zlib: return try Zlib.Decompressor(wrapping: .zlib)
    case .zstd:
      #if Zstd
        return try Zstd.Decompressor(windowBytes: windowBytes)
      #else
        throw FerryError(.compression(.notInBuild(self)))
      #endif
    case .xz:
      #if XZ
        return try LZMA.Decompressor(windowBytes: windowBytes)
      #else
        throw FerryError(.compression(.notInBuild(self)))
      #endif
    }
  }

  /// Returns a compressor with the level that the program of the format uses by default.
  func compressor() throws(FerryError) -> any Compressor {
    switch self {
    case .gzip: return try Zlib.Compressor(wrapping: .gzip)
    case .zlib: return try Zlib.Compressor(wrapping: .zlib)
    case .zstd:
      #if Zstd
        return try Zstd.Compressor()
      #else
        throw FerryError(.compression(.notInBuild(self)))
      #endif
    case .xz:
      #if XZ
        return try LZMA.Compressor()
      #else
        throw FerryError(.compression(.notInBuild(self)))
      #endif
    }
  }

  /// The size of the buffers for compressed and decompressed bytes.
  static let bufferSize = 1 << 17
}
