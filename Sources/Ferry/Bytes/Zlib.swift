// The only file that calls zlib.

internal import CZlib

/// Compression and decompression with zlib, for PNG pictures and for the models in Core Data stores.
enum Zlib {
  /// The container of compressed data.
  enum Wrapping {
    /// A header and a checksum (RFC 1950).
    case zlib
    /// No container (RFC 1951).
    case none

    fileprivate var windowBits: Int32 { self == .zlib ? MAX_WBITS : -MAX_WBITS }
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
