// The only file that calls zlib.

internal import CZlib

/// Compression and decompression with zlib: of files and members of ZIP archives in chunks, and of small data in PNG
/// pictures and in the models of Core Data stores.
enum Zlib {
  /// The container of compressed data.
  enum Wrapping {
    /// A header with a checksum and a size (RFC 1952).
    case gzip
    /// A header and a checksum (RFC 1950).
    case zlib
    /// No container (RFC 1951).
    case none

    fileprivate var windowBits: Int32 {
      switch self {
      case .gzip: MAX_WBITS + 16
      case .zlib: MAX_WBITS
      case .none: -MAX_WBITS
      }
    }
  }

  /// Decompresses bytes. Returns nil if they are invalid, or if the result is larger than `limit` bytes.
  /// Ignores bytes after the end of the compressed data.
  static func inflate(_ compressed: [UInt8], wrapping: Wrapping, limit: Int) -> [UInt8]? {
    var stream = unsafe z_stream()
    let size = Int32(unsafe MemoryLayout<z_stream>.size)
    guard limit >= 0, compressed.count <= UInt32.max,
      unsafe inflateInit2_(&stream, wrapping.windowBits, ZLIB_VERSION, size) == Z_OK
    else { return nil }
    defer { unsafe inflateEnd(&stream) }
    var output: [UInt8] = []
    // The buffer can hold one byte more than the limit, to detect that the limit is exceeded.
    var chunk = [UInt8](repeating: 0, count: 1 + min((1 << 16) - 1, limit))
    var compressed = compressed
    return unsafe compressed.withUnsafeMutableBufferPointer { input -> [UInt8]? in
      unsafe stream.next_in = input.baseAddress
      unsafe stream.avail_in = UInt32(input.count)
      while true {
        let room = chunk.count
        let result = unsafe chunk.withUnsafeMutableBufferPointer { chunk in
          unsafe stream.next_out = chunk.baseAddress
          unsafe stream.avail_out = UInt32(chunk.count)
          return unsafe CZlib.inflate(&stream, Z_NO_FLUSH)
        }
        output += chunk.prefix(room - Int(unsafe stream.avail_out))
        guard output.count <= limit else { return nil }
        if result == Z_STREAM_END { return output }
        // `Z_BUF_ERROR` also means that no input is left.
        guard result == Z_OK else { return nil }
      }
    }
  }

  /// Returns at most 65,535 bytes in zlib's format without compression, so that the result is the same in
  /// every version of zlib.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let length = UInt16(truncatingIfNeeded: bytes.count)
    let lengths = [length, ~length].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let sum = UInt32(truncatingIfNeeded: unsafe adler32_z(1, bytes, bytes.count))
    let checksum = (0..<4).reversed().map { UInt8(truncatingIfNeeded: sum >> (8 * UInt32($0))) }
    return [0x78, 0x01, 0x01] + lengths + bytes + checksum
  }

  /// Returns the checksum for a chunk of a PNG file.
  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: unsafe CZlib.crc32_z(0, bytes, bytes.count))
  }
}

extension Zlib {
  /// Returns the checksum of bytes after others with a checksum.
  static func crc32(_ bytes: Span<UInt8>, after checksum: UInt32) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer {
      UInt32(truncatingIfNeeded: unsafe CZlib.crc32_z(UInt(checksum), $0.baseAddress, $0.count))
    }
  }

  /// Returns true if bytes are whole data in the format of zlib, or the beginning of much such data.
  static func isZlib(_ head: [UInt8]) -> Bool {
    guard let decompressor = try? Decompressor(wrapping: .zlib) else { return false }
    var buffer = [UInt8](repeating: 0, count: Compression.bufferSize)
    guard let step = try? decompressor.decompress(head.span, into: &buffer) else { return false }
    return step.isAtEnd || head.count >= 1 << 12
  }

  /// Gives bytes to a function of zlib until the buffer is full, the bytes are consumed or the data ends.
  private static func run(
    _ stream: UnsafeMutablePointer<z_stream>, _ bytes: Span<UInt8>, into buffer: inout [UInt8],
    _ function: (UnsafeMutablePointer<z_stream>, _ hasAll: Bool) -> Int32
  ) -> (CompressionStep, Int32) {
    // A chunk may be larger than zlib's count of bytes.
    let (size, room) = (min(bytes.count, 1 << 30), buffer.count)
    let result = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe buffer.withUnsafeMutableBufferPointer { buffer in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(size)
        unsafe stream.pointee.next_out = buffer.baseAddress
        unsafe stream.pointee.avail_out = UInt32(room)
        return unsafe function(stream, size == bytes.count)
      }
    }
    let step = unsafe CompressionStep(
      consumed: size - Int(stream.pointee.avail_in), produced: room - Int(stream.pointee.avail_out),
      isAtEnd: result == Z_STREAM_END)
    unsafe stream.pointee.next_in = nil
    unsafe stream.pointee.next_out = nil
    return (step, result)
  }

  /// A decompressor of gzip, zlib or plain deflate data.
  @safe final class Decompressor: Ferry.Decompressor {
    // zlib's state has a pointer to the stream, which therefore must not move.
    private let stream: UnsafeMutablePointer<z_stream>

    init(wrapping: Wrapping) throws(FerryError) {
      unsafe stream = .allocate(capacity: 1)
      unsafe stream.initialize(to: z_stream())
      let size = Int32(unsafe MemoryLayout<z_stream>.size)
      guard unsafe inflateInit2_(stream, wrapping.windowBits, ZLIB_VERSION, size) == Z_OK else {
        throw FerryError.outOfMemory
      }
    }

    deinit {
      unsafe inflateEnd(stream)
      unsafe stream.deallocate()
    }

    func decompress(
      _ bytes: Span<UInt8>, into buffer: inout [UInt8]
    ) throws(DecompressionFlaw) -> CompressionStep {
      let (step, result) = unsafe Zlib.run(stream, bytes, into: &buffer) { stream, _ in
        unsafe CZlib.inflate(stream, Z_NO_FLUSH)
      }
      switch result {
      case Z_OK, Z_BUF_ERROR, Z_STREAM_END: return step
      case Z_NEED_DICT: throw .damaged("it needs a preset dictionary")
      default:
        let words = unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "error \(result)"
        throw words == "incorrect header check" ? .badSignature(words) : .damaged(words, after: step.consumed)
      }
    }

    func restart() throws(DecompressionFlaw) { unsafe inflateReset(stream) }
  }

  /// A compressor to gzip or zlib. A gzip header has no name and no time, so that equal bytes give equal files.
  @safe final class Compressor: Ferry.Compressor {
    private let stream: UnsafeMutablePointer<z_stream>

    init(wrapping: Wrapping) throws(FerryError) {
      unsafe stream = .allocate(capacity: 1)
      unsafe stream.initialize(to: z_stream())
      let size = Int32(unsafe MemoryLayout<z_stream>.size)
      let result = unsafe deflateInit2_(
        stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, wrapping.windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        size)
      guard result == Z_OK else { throw FerryError.outOfMemory }
    }

    deinit {
      unsafe deflateEnd(stream)
      unsafe stream.deallocate()
    }

    func compress(
      _ bytes: Span<UInt8>, isLast: Bool, into buffer: inout [UInt8]
    ) throws(FerryError) -> CompressionStep {
      let (step, _) = unsafe Zlib.run(stream, bytes, into: &buffer) { stream, hasAll in
        unsafe CZlib.deflate(stream, isLast && hasAll ? Z_FINISH : Z_NO_FLUSH)
      }
      return step
    }
  }
}
