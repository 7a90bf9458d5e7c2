#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Operations on threads.
enum SystemThread {
  /// The size of the stack of a new thread: that of the main thread on most systems.
  private static let stackSize = 8 << 20

  /// The number of the current thread, which differs from those of all threads that run.
  static var currentID: Int {
    #if canImport(Darwin)
      unsafe Int(bitPattern: pthread_self())
    #else
      Int(bitPattern: UInt(pthread_self()))
    #endif
  }

  /// Suspends the thread for at most a second.
  static func sleep(for pause: Duration) {
    usleep(UInt32(min(pause, .seconds(1)) / .microseconds(1)))
  }

  /// Runs a function on a new thread, which ends with the function.
  static func start(_ body: @escaping @Sendable () -> Void) throws(FerryError) {
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    unsafe pthread_attr_init(attributes)
    defer {
      unsafe pthread_attr_destroy(attributes)
      unsafe attributes.deallocate()
    }
    unsafe pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
    unsafe pthread_attr_setstacksize(attributes, stackSize)
    let work = unsafe Unmanaged.passRetained(ThreadWork(body)).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      let code = unsafe pthread_create(
        &thread, attributes,
        { work in
          unsafe Unmanaged<ThreadWork>.fromOpaque(work).takeRetainedValue().body()
          return nil
        }, work)
    #else
      var thread: pthread_t = 0
      let code = unsafe pthread_create(
        &thread, attributes,
        { work in
          if let work = unsafe work {
            unsafe Unmanaged<ThreadWork>.fromOpaque(work).takeRetainedValue().body()
          }
          return nil
        }, work)
    #endif
    guard code == 0 else {
      unsafe Unmanaged<ThreadWork>.fromOpaque(work).release()
      throw FerryError(system: code)
    }
  }
}

/// The function that a new thread runs.
private final class ThreadWork: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
