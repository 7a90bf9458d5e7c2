/// The policy by which a document saves its changes automatically.
///
///     PeopleDocument(path: path, autosaving: .after(.seconds(2)))
///     PeopleDocument(path: path, autosaving: .off)
///
/// The document saves after it has been unchanged for the quiet time, all changes together. If it keeps
/// changing, it saves when the oldest unsaved change is as old as the longest time. After a failed save it
/// tries again after twice the quiet time, then four times, and so on, up to the longest time. A document
/// that is in conflict or was removed is not saved automatically until the app resolves that.
public struct Autosaving: Sendable {
  /// The time without changes before a save, or nil to turn off automatic saves.
  let quietTime: Duration?
  /// The longest time from a change to its save.
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

  /// Saves after a quiet time, but no later than `longestTime` after a change.
  ///
  /// - Parameters:
  ///   - quietTime: The time without changes before a save.
  ///   - longestTime: The longest time from a change to its save; by default, fifteen times the quiet time.
  ///   - clock: The clock that measures the times. Tests pass a clock of their own.
  public static func after(
    _ quietTime: Duration, atLatest longestTime: Duration? = nil,
    clock: some Clock<Duration> = ContinuousClock()
  ) -> Autosaving {
    Autosaving(quietTime, max(quietTime, longestTime ?? quietTime * 15), clock)
  }

  /// Saves only when `save()`, `autosave()` or `close()` is called.
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

  /// Saves until no changes are left. The task retains the document, so a document that is released with
  /// unsaved changes saves them first.
  private func autosaveWhenDue(_ quietTime: Duration) async {
    var pause = Duration.zero
    while !Task.isCancelled, mayAutosave {
      let due = max(min(quietTill, atLatest ?? quietTill), retryTime)
      let wait = due - autosaving.now()
      if wait > .zero {
        await autosaving.sleep(wait)
        continue
      }
      // Changes made from now on belong to the next save.
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
