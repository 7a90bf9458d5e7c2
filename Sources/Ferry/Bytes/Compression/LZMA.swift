// The only file that calls liblzma.

#if XZ
  internal import CLZMA

  /// Compression and decompression with liblzma, in the format of xz.
  enum LZMA {
    /// Gives bytes to liblzma until the buffer is full, the bytes are consumed or the stream ends.
    private static func run(
      _ stream: UnsafeMutablePointer<lzma_stream>, _ action: lzma_action, _ bytes: Span<UInt8>,
      into buffer: inout [UInt8]
    ) -> (CompressionStep, lzma_ret) {
      let (size, room) = (bytes.count, buffer.count)
      let result = unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe buffer.withUnsafeMutableBufferPointer { buffer in
          unsafe stream.pointee.next_in = bytes.baseAddress
          unsafe stream.pointee.avail_in = size
          unsafe stream.pointee.next_out = buffer.baseAddress
          unsafe stream.pointee.avail_out = room
          return unsafe lzma_code(stream, action)
        }
      }
      let step = unsafe CompressionStep(
        consumed: size - stream.pointee.avail_in, produced: room - stream.pointee.avail_out,
        isAtEnd: result == LZMA_STREAM_END)
      unsafe stream.pointee.next_in = nil
      unsafe stream.pointee.next_out = nil
      return (step, result)
    }

    /// A decompressor of streams. It checks their checksums.
    @safe final class Decompressor: Ferry.Decompressor {
      private let stream: UnsafeMutablePointer<lzma_stream>
      private let windowBytes: Int

      init(windowBytes: Int) throws(FerryError) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: lzma_stream())
        self.windowBytes = windowBytes
        guard begin() else { throw FerryError.outOfMemory }
      }

      deinit {
        unsafe lzma_end(stream)
        unsafe stream.deallocate()
      }

      private func begin() -> Bool {
        // The decompressor needs a little more memory than the window.
        let limit = UInt64(max(windowBytes, 0)) + (1 << 20)
        return unsafe lzma_stream_decoder(stream, limit, ferry_lzma_tell_unsupported_check) == LZMA_OK
      }

      func decompress(
        _ bytes: Span<UInt8>, into buffer: inout [UInt8]
      ) throws(DecompressionFlaw) -> CompressionStep {
        let (step, result) = unsafe LZMA.run(stream, LZMA_RUN, bytes, into: &buffer)
        switch result {
        case LZMA_OK, LZMA_BUF_ERROR, LZMA_STREAM_END: return step
        case LZMA_MEMLIMIT_ERROR: throw .needsMemory
        case LZMA_FORMAT_ERROR: throw .badSignature("it is not a stream")
        case LZMA_DATA_ERROR: throw .damaged("the data or its checksum is wrong", after: step.consumed)
        case LZMA_OPTIONS_ERROR: throw .damaged("its header has options that are not supported")
        case LZMA_UNSUPPORTED_CHECK: throw .damaged("its kind of checksum is not supported")
        default: throw .damaged("error \(result.rawValue)")
        }
      }

      func restart() throws(DecompressionFlaw) {
        guard begin() else { throw .damaged("cannot allocate memory") }
      }
    }

    /// A compressor to one stream.
    @safe final class Compressor: Ferry.Compressor {
      private let stream: UnsafeMutablePointer<lzma_stream>

      init() throws(FerryError) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: lzma_stream())
        guard unsafe lzma_easy_encoder(stream, ferry_lzma_default_preset, LZMA_CHECK_CRC64) == LZMA_OK else {
          throw FerryError.outOfMemory
        }
      }

      deinit {
        unsafe lzma_end(stream)
        unsafe stream.deallocate()
      }

      func compress(
        _ bytes: Span<UInt8>, isLast: Bool, into buffer: inout [UInt8]
      ) throws(FerryError) -> CompressionStep {
        let (step, result) = unsafe LZMA.run(stream, isLast ? LZMA_FINISH : LZMA_RUN, bytes, into: &buffer)
        guard [LZMA_OK, LZMA_STREAM_END, LZMA_BUF_ERROR].contains(result) else {
          throw FerryError.outOfMemory
        }
        return step
      }
    }
  }
#endif
