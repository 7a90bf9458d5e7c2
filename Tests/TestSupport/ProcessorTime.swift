#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import Testing

/// Returns the processor time that work takes on this thread, which a busy machine does not change.
public func processorTime(of work: () throws -> Void) rethrows -> Duration {
  let start = threadTime
  try work()
  return threadTime - start
}

/// Expects that a task takes less than a multiple of the time for a small size if it has a larger one, in one of three measurements:
/// another process may take the caches away from one, but not from each.
///
/// - Parameter time: Returns the processor time of the task for a size.
public func expectGrowth(
  from small: Int, to large: Int, lessThan factor: Int, sourceLocation: SourceLocation = #_sourceLocation,
  of time: (_ size: Int) throws -> Duration
) rethrows {
  let isLess = try (0..<3).contains { _ in try time(large) < time(small) * factor }
  #expect(isLess, sourceLocation: sourceLocation)
}

/// Does work, and expects that it takes no more processor time on this thread than a limit, which is many times what
/// the work needs.
@discardableResult public func expectProcessorTime<Result>(
  atMost limit: Duration, _ comment: @autoclosure () -> String = "",
  sourceLocation: SourceLocation = #_sourceLocation, of work: () throws -> Result
) rethrows -> Result {
  let start = threadTime
  let result = try work()
  let time = threadTime - start
  if time > limit {
    Issue.record("\(comment()) took \(time), more than \(limit)", sourceLocation: sourceLocation)
  }
  return result
}

private var threadTime: Duration {
  var time = timespec()
  _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
}
