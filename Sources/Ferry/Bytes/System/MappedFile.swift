#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The contents of a file mapped into memory. The mapping ends when this object is released.
@safe final class MappedFile: Sendable {
  // The bytes are only read.
  private nonisolated(unsafe) let start: UnsafeMutableRawPointer
  let count: Int

  /// Takes ownership of a mapping made by `mmap`.
  @unsafe init(_ start: UnsafeMutableRawPointer, count: Int) {
    unsafe self.start = start
    self.count = count
  }

  deinit { unsafe munmap(start, count) }

  /// The bytes, which are read-only.
  var span: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let first = unsafe start.assumingMemoryBound(to: UInt8.self)
      return unsafe _overrideLifetime(Span(_unsafeStart: first, count: count), borrowing: self)
    }
  }
}
