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
