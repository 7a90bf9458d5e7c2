internal import Synchronization

/// Threads whose ends are waited for together.
final class SystemThreadGroup: Sendable {
  /// The number of running threads.
  private let count = Mutex(0)
  private let threadHasEnded = SystemSignal()

  /// Runs a function on a new thread, which ends with the function.
  func start(_ body: @escaping @Sendable () -> Void) throws(FerryError) {
    count.withLock { $0 += 1 }
    do throws(FerryError) {
      try SystemThread.start { [self] in
        body()
        end()
      }
    } catch {
      end()
      throw error
    }
  }

  private func end() {
    count.withLock { $0 -= 1 }
    threadHasEnded.give()
  }

  /// Waits until the functions of all threads have returned.
  func wait() {
    while count.withLock({ $0 > 0 }) { threadHasEnded.wait() }
  }
}
