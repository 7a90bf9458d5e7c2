/// The policy by which a document saves its changes automatically.
///
///     PeopleDocument(path: path, autosaving: .after(.seconds(2)))
///     PeopleDocument(path: path, autosaving: .off)
///
/// The document waits until nothing has changed for the quiet time, and saves all changes together. Under
/// constant changes it saves once the first of them has waited for the longest time. A failed save is tried
/// again after twice the time, four times the time and so on, at most the longest time. A document that is in
/// conflict, or was removed, waits for a decision.
public struct Autosaving: Sendable {
  /// The time without changes before a save; nil for no automatic saves.
  let quietTime: Duration?
  /// The longest time that a change waits.
  let longestTime: Duration
  /// Returns the time since a fixed moment.
  let now: @Sendable () -> Duration
  /// Sleeps; returns early if the task is cancelled.
  let sleep: @Sendable (Duration) async -> Void

  private init(_ quietTime: Duration?, _ longestTime: Duration, _ clock: some Clock<Duration>) {
    let start = clock.now
    self.quietTime = quietTime
    self.longestTime = longestTime
    now = { start.duration(to: clock.now) }
    sleep = { time in try? await clock.sleep(for: time) }
  }

  /// Saves after a quiet time, and no later than `atLatest` after a change, by default fifteen times the
  /// quiet time.
  ///
  /// - Parameters:
  ///   - quietTime: The time without changes before a save.
  ///   - longestTime: The longest time that a change waits.
  ///   - clock: The clock that measures the times; tests use one of their own.
  public static func after(
    _ quietTime: Duration, atLatest longestTime: Duration? = nil,
    clock: some Clock<Duration> = ContinuousClock()
  ) -> Autosaving {
    Autosaving(quietTime, max(quietTime, longestTime ?? quietTime * 15), clock)
  }

  /// Saves only if `save()`, `autosave()` or `close()` is called.
  public static let off = Autosaving(nil, .zero, ContinuousClock())
}

extension Document {
  /// Schedules a save of the changes.
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

  /// Saves as long as there are changes. The task holds the document, so a released document with changes
  /// saves them first.
  private func autosaveWhenDue(_ quietTime: Duration) async {
    var pause = Duration.zero
    while !Task.isCancelled, mayAutosave {
      let due = max(min(quietTill, atLatest ?? quietTill), retryTime)
      let wait = due - autosaving.now()
      if wait > .zero {
        await autosaving.sleep(wait)
        continue
      }
      // Changes from now on wait their own time.
      atLatest = nil
      do throws(FerryError) {
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
