#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Operations on the current thread.
enum SystemThread {
  /// Suspends the thread for at most a second.
  static func sleep(for pause: Duration) {
    usleep(UInt32(min(pause, .seconds(1)) / .microseconds(1)))
  }
}
