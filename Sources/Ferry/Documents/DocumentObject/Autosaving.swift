/// When a document saves its changes by itself.
///
///     PeopleDocument(path: path, autosaving: .after(.seconds(2)))
///     PeopleDocument(path: path, autosaving: .off)
///
/// It waits until nothing has changed for the quiet time, and saves all changes together. Changes without a pause are saved
/// when the first of them has waited for the longest time. A save that fails is tried again, after twice the time, four
/// times the time and so on, at most the longest time; a document in conflict, or one that is no longer there, waits for a
/// decision.
public struct Autosaving: Sendable {
  /// How long nothing has to change; nil when nothing is saved by itself.
  let quietTime: Duration?
  /// How long a change waits at most.
  let longestTime: Duration
  /// The time that has passed since some moment.
  let now: @Sendable () -> Duration
  /// Waits; returns early when the task is cancelled.
  let sleep: @Sendable (Duration) async -> Void

  private init(_ quietTime: Duration?, _ longestTime: Duration, _ clock: some Clock<Duration>) {
    let start = clock.now
    self.quietTime = quietTime
    self.longestTime = longestTime
    now = { start.duration(to: clock.now) }
    sleep = { time in try? await clock.sleep(for: time) }
  }

  /// After a quiet time, and `atLatest` that long after a change: fifteen times the quiet time unless said otherwise.
  public static func after(
    _ quietTime: Duration, atLatest longestTime: Duration? = nil,
    clock: some Clock<Duration> = ContinuousClock()
  ) -> Autosaving {
    Autosaving(quietTime, max(quietTime, longestTime ?? quietTime * 15), clock)
  }

  /// Only when `save()`, `autosave()` or `close()` is called.
  public static let off = Autosaving(nil, .zero, ContinuousClock())
}

extension Document {
  /// Sees to it that changes are saved in time.
  func scheduleAutosave() {
    guard let quietTime = autosaving.quietTime, mayAutosave else { return }
    let now = autosaving.now()
    quietTill = now + quietTime
    atLatest = atLatest ?? now + autosaving.longestTime
    if autosaver == nil { autosaver = Task { await autosaveWhenDue(quietTime) } }
  }

  func stopAutosaving() {
    autosaver?.cancel()
    autosaver = nil
    atLatest = nil
  }

  private var mayAutosave: Bool {
    history.hasChanges && state.isDisjoint(with: [.closed, .inConflict]) && !isMissing
  }

  /// Runs as long as there is something to save. It holds the document: one that is let go with changes saves them first.
  private func autosaveWhenDue(_ quietTime: Duration) async {
    var pause = Duration.zero
    while !Task.isCancelled, mayAutosave {
      let due = max(min(quietTill, atLatest ?? quietTill), retryTime)
      let wait = due - autosaving.now()
      if wait > .zero {
        await autosaving.sleep(wait)
        continue
      }
      // Changes that come from now on wait their own time.
      atLatest = nil
      do throws(Failure) {
        try await autosave()
        pause = .zero
      } catch {
        pause = min(max(quietTime, pause) * 2, autosaving.longestTime)
        retryTime = autosaving.now() + pause
      }
    }
    if !Task.isCancelled { (autosaver, atLatest) = (nil, nil) }
  }
}
