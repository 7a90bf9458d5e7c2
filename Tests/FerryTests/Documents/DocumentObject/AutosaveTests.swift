import Ferry
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Autosaving of documents` {
  private let clock = TestClock()
  private let full = FerryError(.file(.system("no space left on device")))

  private func note(latest: Duration? = nil) async throws -> NoteDocument {
    try await openNote("old", autosaving: .after(.seconds(2), atLatest: latest, clock: clock))
  }

  /// The time passes, and who wakes has gone to sleep again.
  private func pass(_ time: Duration) async throws {
    try await clock.advance(by: time)
    #expect(try await eventually { clock.sleepers == 1 })
    #expect(try noteOnDisk() == "old")
  }

  @Test func `A document saves itself after nothing has changed for the quiet time`() async throws {
    let note = try await note()
    await note.edit { $0.text = "a" }
    try await pass(.seconds(1))
    await note.edit { $0.text = "ab" }
    try await pass(.seconds(1))
    await note.edit { $0.text = "abc" }
    try await pass(.milliseconds(1999))
    try await clock.advance(by: .milliseconds(1))
    #expect(try await eventually { await !note.hasUnsavedChanges })
    #expect(try noteOnDisk() == "abc")
    #expect(await note.snapshots == 1)
    #expect(clock.sleepers == 0)
  }

  @Test func `A document saves itself after the longest time if the changes do not pause`() async throws {
    let note = try await note(latest: .seconds(5))
    await note.edit { $0.text = "1" }
    for second in 2...5 {
      try await pass(.seconds(1))
      await note.edit { $0.text += "\(second)" }
    }
    try await clock.advance(by: .seconds(1))
    #expect(try await eventually { await !note.hasUnsavedChanges })
    #expect(try noteOnDisk() == "12345")
  }

  @Test func `A document saves nothing after every change was undone`() async throws {
    let note = try await note()
    await note.edit { $0.text = "new" }
    try await pass(.seconds(1))
    await note.updateChangeCount(.undone)
    #expect(try await eventually { clock.sleepers == 0 })
    #expect(await note.snapshots == 0)
  }

  @Test func `A document saves the changes that are made during a save`() async throws {
    let note = try await note()
    await note.doMeanwhile { $0.edit { $0.text = "second" } }
    await note.edit { $0.text = "first" }
    try await clock.advance(by: .seconds(2))
    #expect(try await eventually { try noteOnDisk() == "first" })
    try await clock.advance(by: .seconds(2))
    #expect(try await eventually { await !note.hasUnsavedChanges })
    #expect(try noteOnDisk() == "second")
    #expect(await note.snapshots == 2)
  }

  @Test func `A document repeats a failed save later and later, and tells its delegate`() async throws {
    let note = try await note()
    let listener = Listener()
    await note.setDelegate(listener)
    await note.refuse(full)
    await note.edit { $0.text = "new" }
    for (seconds, tries) in [(2, 1), (4, 2), (8, 3), (16, 4), (30, 5), (30, 6)] {
      try await clock.advance(by: .seconds(seconds))
      #expect(try await eventually { await note.snapshots == tries && clock.sleepers == 1 })
    }
    #expect(await note.state == .savingError)
    #expect(await note.savingError == full)
    await note.refuse(nil)
    try await clock.advance(by: .seconds(30))
    #expect(try await eventually { await note.state == .normal })
    #expect(try noteOnDisk() == "new")
    #expect(try await eventually { await listener.heard.filter { $0.hasPrefix("failed") }.count == 6 })
  }

  @Test func `A closed document saves itself once and no more`() async throws {
    let note = try await note()
    await note.edit { $0.text = "new" }
    #expect(try await eventually { clock.sleepers == 1 })
    try await note.close()
    #expect(try noteOnDisk() == "new")
    #expect(try await eventually { clock.sleepers == 0 })
    await note.edit { $0.text = "after the end" }
    #expect(await note.snapshots == 1)
    #expect(clock.sleepers == 0)
  }

  @Test func `A document that nobody holds saves its last changes`() async throws {
    weak var gone: NoteDocument?
    do {
      let note = try await note()
      await note.edit { $0.text = "new" }
      gone = note
    }
    try await clock.advance(by: .seconds(2))
    #expect(try await eventually { gone == nil })
    #expect(try noteOnDisk() == "new")
  }

  @Test func `A document in conflict waits for a decision before it saves itself`() async throws {
    let note = try await note()
    await note.edit { $0.text = "ours" }
    try TemporaryDirectory.current.write("a.note", "theirs")
    try await clock.advance(by: .seconds(2))
    #expect(try await eventually { await note.state == .inConflict })
    #expect(try await eventually { clock.sleepers == 0 })
    await note.edit { $0.text = "ours still" }
    #expect(clock.sleepers == 0)
    try await note.resolveConflict(keeping: .ours)
    #expect(try noteOnDisk() == "ours still")
    await note.edit { $0.text = "again" }
    try await clock.advance(by: .seconds(2))
    #expect(try await eventually { try noteOnDisk() == "again" })
  }

  @Test func `A document saves itself by the system's clock`() async throws {
    let note = try await openNote("old", autosaving: .after(.milliseconds(20)))
    await note.edit { $0.text = "new" }
    #expect(try await eventually { try noteOnDisk() == "new" })
  }
}
