// The only file that calls libzstd.

#if Zstd
  internal import CZstd

  /// Compression and decompression with libzstd.
  enum Zstd {
    /// A decompressor of frames. It checks the checksum of a frame that has one.
    @safe final class Decompressor: Ferry.Decompressor {
      private let context: OpaquePointer

      init(windowBytes: Int) throws(FerryError) {
        guard let context = unsafe ZSTD_createDCtx() else { throw FerryError.outOfMemory }
        unsafe self.context = context
        let bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax)
        let largest = Int32(Int.bitWidth - 1 - max(windowBytes, 1).leadingZeroBitCount)
        let log = min(max(largest, bounds.lowerBound), bounds.upperBound)
        unsafe ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, log)
      }

      deinit { unsafe ZSTD_freeDCtx(context) }

      func decompress(
        _ bytes: Span<UInt8>, into buffer: inout [UInt8]
      ) throws(DecompressionFlaw) -> CompressionStep {
        let room = buffer.count
        let (result, consumed, produced) = unsafe bytes.withUnsafeBytes { bytes in
          unsafe buffer.withUnsafeMutableBytes { buffer in
            var input = unsafe ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
            var output = unsafe ZSTD_outBuffer(dst: buffer.baseAddress, size: room, pos: 0)
            let result = unsafe ZSTD_decompressStream(context, &output, &input)
            return unsafe (result, input.pos, output.pos)
          }
        }
        guard ZSTD_isError(result) != 0 else {
          return CompressionStep(consumed: consumed, produced: produced, isAtEnd: result == 0)
        }
        switch ZSTD_getErrorCode(result) {
        case ZSTD_error_frameParameter_windowTooLarge: throw .needsMemory
        case ZSTD_error_prefix_unknown: throw .badSignature("it is not a frame")
        default: throw .damaged(unsafe String(cString: ZSTD_getErrorName(result)), after: consumed)
        }
      }

      func restart() throws(DecompressionFlaw) {
        unsafe ZSTD_DCtx_reset(context, ZSTD_reset_session_only)
      }
    }

    /// A compressor to one frame with a checksum.
    @safe final class Compressor: Ferry.Compressor {
      private let context: OpaquePointer

      init() throws(FerryError) {
        guard let context = unsafe ZSTD_createCCtx() else { throw FerryError.outOfMemory }
        unsafe self.context = context
        unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
      }

      deinit { unsafe ZSTD_freeCCtx(context) }

      func compress(
        _ bytes: Span<UInt8>, isLast: Bool, into buffer: inout [UInt8]
      ) throws(FerryError) -> CompressionStep {
        let context = unsafe context
        let (result, consumed, produced) = unsafe bytes.withUnsafeBytes { bytes in
          unsafe buffer.withUnsafeMutableBytes { buffer in
            var input = unsafe ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
            var output = unsafe ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
            let directive = isLast ? ZSTD_e_end : ZSTD_e_continue
            let result = unsafe ZSTD_compressStream2(context, &output, &input, directive)
            return unsafe (result, input.pos, output.pos)
          }
        }
        guard ZSTD_isError(result) == 0 else { throw FerryError.outOfMemory }
        return CompressionStep(consumed: consumed, produced: produced, isAtEnd: isLast && result == 0)
      }
    }
  }
#endif
