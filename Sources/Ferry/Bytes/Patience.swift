/// The time to wait for a lock: half a minute after the last sign of progress by its owners.
///
/// The time is counted in pauses, and not by a clock. On a machine so busy that a pause of a millisecond
/// takes a second, the wait is longer accordingly.
struct Patience<Sign: Equatable> {
  private let limit: Duration
  private var rest: Duration
  private var lastSign: Sign?
  private var nextPause = Duration.microseconds(100)

  init(_ limit: Duration = .seconds(30)) { (self.limit, rest) = (limit, limit) }

  /// Returns the pause before the next attempt; nil if `sign`, which others change by their work, has not
  /// changed for too long.
  mutating func pause(seeing sign: Sign) -> Duration? {
    if let lastSign, lastSign != sign { rest = limit }
    lastSign = sign
    guard rest > .zero else { return nil }
    rest -= nextPause
    defer { nextPause = min(nextPause * 2, .milliseconds(10)) }
    return nextPause
  }
}
