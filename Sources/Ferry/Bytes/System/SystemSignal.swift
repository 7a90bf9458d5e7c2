#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A signal that one thread gives and another one waits for. A signal that nobody waits for yet is kept.
@safe final class SystemSignal: Sendable {
  private nonisolated(unsafe) let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private nonisolated(unsafe) let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private nonisolated(unsafe) let isGiven = UnsafeMutablePointer<Bool>.allocate(capacity: 1)

  init() {
    unsafe isGiven.initialize(to: false)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
    unsafe isGiven.deallocate()
  }

  /// Gives the signal.
  func give() {
    unsafe pthread_mutex_lock(mutex)
    unsafe isGiven.pointee = true
    unsafe pthread_cond_signal(condition)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Waits until the signal is given, and takes it.
  func wait() {
    unsafe pthread_mutex_lock(mutex)
    while unsafe !isGiven.pointee { unsafe pthread_cond_wait(condition, mutex) }
    unsafe isGiven.pointee = false
    unsafe pthread_mutex_unlock(mutex)
  }
}
