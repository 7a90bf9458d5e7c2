import Foundation
import TestSupport
import Testing

@testable import Ferry

@Suite(.temporaryDirectory) struct `The life of a document` {
  private var directory: TemporaryDirectory { .current }
  private let stale = FerryError(.file(.system("no space left on device")))

  @Test func `A document is closed until it is opened, and then holds the contents on disk`() async throws {
    try directory.write("a.note", "Hello")
    let note = NoteDocument(directory.path("a.note"))
    #expect(await note.state == .closed)
    #expect(await note.fileModificationDate == nil)
    try await note.open()
    #expect(await note.state == .normal)
    #expect(await note.text == "Hello")
    #expect(await !note.hasUnsavedChanges)
    let date = try #require(await note.fileModificationDate)
    let attributes = try FileManager.default.attributesOfItem(atPath: directory.path("a.note"))
    let written = try #require(attributes[.modificationDate] as? Date)
    #expect(abs(written.timeIntervalSinceReferenceDate - date) < 0.001)
    try await note.close()
    #expect(await note.state == .closed)
  }

  @Test func `A missing document is not opened, and nothing is made`() async throws {
    let note = NoteDocument(directory.path("a.note"))
    let failure = await #expect(throws: FerryError.self) { try await note.open() }
    #expect(failure?.reason == .document(.notFound))
    #expect(await note.state == .closed)
    #expect(try directory.names() == [])
  }

  @Test func `A missing document is made on request by only one of many`() async throws {
    let path = directory.path("a.note")
    let notes = (0..<8).map { _ in NoteDocument(path) }
    try await withThrowingTaskGroup { group in
      for (number, note) in notes.enumerated() {
        group.addTask {
          await note.edit { $0.text = "\(number)" }
          do throws(FerryError) {
            try await note.open(creatingIfMissing: true)
          } catch {
            // Another document was faster. The changes of this one are not lost silently.
            #expect(error.reason == .document(.unsavedChanges))
            #expect(await note.text == "\(number)")
            try await note.close(discardingChanges: true)
            try await note.open()
          }
        }
      }
      try await group.waitForAll()
    }
    for note in notes {
      #expect(await note.text == (try noteOnDisk()))
      #expect(await note.state == .normal)
      #expect(await !note.hasUnsavedChanges)
    }
    try directory.write("a.note", "damaged")
    let other = NoteDocument(path)
    await #expect(throws: FerryError.self) { try await other.open(creatingIfMissing: true) }
    #expect(try noteOnDisk() == "damaged")
  }

  @Test func `Changes before a document is opened are saved when it is closed`() async throws {
    let note = NoteDocument(directory.path("a.note"))
    await note.edit { $0.text = "new" }
    try await note.close()
    #expect(try noteOnDisk() == "new")
    #expect(await note.state == .closed)
    #expect(await !note.hasUnsavedChanges)
  }

  @Test func `Changes before a document is opened do not replace or lose anything`() async throws {
    try directory.write("a.note", "old")
    let path = directory.path("a.note")
    let note = NoteDocument(path)
    await note.edit { $0.text = "new" }
    let exists = await #expect(throws: FerryError.self) { try await note.close() }
    #expect(exists?.reason == .file(.exists))
    #expect(exists?.file == path)
    let unsaved = await #expect(throws: FerryError.self) { try await note.open() }
    #expect(unsaved?.reason == .document(.unsavedChanges))
    #expect(unsaved?.file == path)
    #expect(await note.text == "new")
    #expect(await note.hasUnsavedChanges)
    #expect(try noteOnDisk() == "old")
    try await note.close(discardingChanges: true)
    try await note.open()
    #expect(await note.text == "old")
  }

  @Test func `Changes after a document is closed are not lost silently`() async throws {
    let note = try await openNote("old")
    try await note.close()
    await note.edit { $0.text = "late" }
    for attempt in 0..<2 {
      let failure = await #expect(throws: FerryError.self) {
        if attempt == 0 { try await note.close() } else { try await note.open() }
      }
      #expect(failure?.reason == .document(attempt == 0 ? .notOpen : .unsavedChanges))
    }
    #expect(await note.text == "late")
    try await note.save(to: directory.path("b.note"), for: .creating)
    try await note.close()
    #expect(try directory.text("b.note") == "late")
    #expect(try noteOnDisk() == "old")
  }

  @Test func `The errors of a document name its file`() async throws {
    let path = directory.path("a.note")
    let note = NoteDocument(path)
    let missing = await #expect(throws: FerryError.self) { try await note.open() }
    #expect(missing?.description == "\(path): no document has this name")
    let closed = await #expect(throws: FerryError.self) { try await note.revert() }
    #expect(closed?.file == path)
    let other = directory.path("b.note")
    await note.refuse(stale)
    let refused = await #expect(throws: FerryError.self) { try await note.save(to: other, for: .creating) }
    #expect(refused?.file == other)
    #expect(await note.savingError?.file == other)
  }

  @Test func `A document that cannot be loaded stays closed`() async throws {
    try directory.write("a.note", "damaged")
    let note = NoteDocument(directory.path("a.note"))
    let failure = await #expect(throws: FerryError.self) { try await note.open() }
    #expect(failure?.description == "\(directory.path("a.note")): this is damaged")
    #expect(await note.state == .closed)
  }

  @Test func `A document is made once`() async throws {
    let note = NoteDocument(directory.path("a.note"))
    await note.edit { $0.text = "new" }
    try await note.save(to: directory.path("a.note"), for: .creating)
    #expect(try noteOnDisk() == "new")
    #expect(await note.state == .normal)
    #expect(await !note.hasUnsavedChanges)
    let other = NoteDocument(directory.path("a.note"))
    let failure = await #expect(throws: FerryError.self) {
      try await other.save(to: directory.path("a.note"), for: .creating)
    }
    #expect(failure?.reason == .file(.exists))
    #expect(try noteOnDisk() == "new")
    #expect(await other.state == [.closed, .savingError])
    #expect(try directory.names() == ["a.note"])
  }

  @Test func `A document that was never opened is saved only to a free name`() async throws {
    let path = directory.path("a.note")
    let note = NoteDocument(path)
    await note.edit { $0.text = "new" }
    try directory.write("a.note", "theirs")
    let failure = await #expect(throws: FerryError.self) { try await note.save() }
    #expect(failure?.reason == .file(.exists))
    #expect(try noteOnDisk() == "theirs")
    // Unless it is said that it may be replaced.
    try await note.save(to: path, for: .overwriting)
    #expect(try noteOnDisk() == "new")
    try FileManager.default.removeItem(atPath: path)
    let other = NoteDocument(path)
    try await other.save()
    #expect(await other.state == .normal)
    #expect(try noteOnDisk() == "")
  }

  @Test func `A document moves to the name under which it is saved`() async throws {
    let note = try await openNote("old")
    await note.edit { $0.text = "new" }
    try await note.save(to: directory.path("b.note"), for: .creating)
    #expect(await note.path == directory.path("b.note"))
    #expect(try directory.text("b.note") == "new")
    #expect(try noteOnDisk() == "old")
    await note.edit { $0.text = "newer" }
    try await note.save()
    #expect(try directory.text("b.note") == "newer")
    try await note.save(to: directory.path("a.note"), for: .overwriting)
    #expect(try noteOnDisk() == "newer")
    #expect(try directory.names() == ["a.note", "b.note"])
  }

  @Test func `A document keeps the mode of its file and the link to it`() async throws {
    try directory.write("real.note", "old")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: directory.path("real.note"))
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("a.note"), withDestinationPath: "real.note")
    let note = NoteDocument(directory.path("a.note"))
    try await note.open()
    await note.edit { $0.text = "new" }
    try await note.save()
    #expect(try directory.text("real.note") == "new")
    let attributes = try FileManager.default.attributesOfItem(atPath: directory.path("real.note"))
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: directory.path("a.note")) == "real.note")
  }

  @Test func `A document saves itself when it is closed, or not at all`() async throws {
    let note = try await openNote("old")
    await note.edit { $0.text = "new" }
    try await note.close()
    #expect(try noteOnDisk() == "new")
    try await note.open()
    await note.edit { $0.text = "newer" }
    try await note.close(discardingChanges: true)
    #expect(try noteOnDisk() == "new")
    #expect(await note.state == .closed)
    let failure = await #expect(throws: FerryError.self) { try await note.save() }
    #expect(failure?.reason == .document(.notOpen))
  }

  @Test func `A document that cannot be saved stays open`() async throws {
    let note = try await openNote("old")
    await note.edit { $0.text = "new" }
    await note.refuse(stale)
    await #expect(throws: stale) { try await note.close() }
    #expect(await note.state == .savingError)
    #expect(await note.savingError == stale)
    #expect(try noteOnDisk() == "old")
    await note.refuse(nil)
    try await note.close()
    #expect(try noteOnDisk() == "new")
    #expect(await note.state == .closed)
    #expect(await note.savingError == nil)
  }

  @Test func `A document reverts to the contents on disk`() async throws {
    let note = try await openNote("old")
    await note.edit { $0.text = "new" }
    try await note.revert()
    #expect(await note.text == "old")
    #expect(await !note.hasUnsavedChanges)
    // What cannot be loaded leaves everything as it is.
    await note.edit { $0.text = "new" }
    try directory.write("a.note", "damaged")
    await #expect(throws: FerryError.self) { try await note.revert() }
    #expect(await note.text == "new")
    #expect(await note.hasUnsavedChanges)
    #expect(await note.state == .normal)
  }

  @Test func `A document counts the changes that are made during a save`() async throws {
    let note = try await openNote("old")
    await note.edit { $0.text = "first" }
    await note.doMeanwhile { $0.edit { $0.text = "second" } }
    try await note.save()
    #expect(try noteOnDisk() == "first")
    #expect(await note.text == "second")
    #expect(await note.hasUnsavedChanges)
    // And saves them when it is closed.
    await note.doMeanwhile { $0.edit { $0.text = "third" } }
    try await note.close()
    #expect(try noteOnDisk() == "third")
  }

  @Test func `A document tells its delegate every event in order, on the main actor too`() async throws {
    let listener = Listener()
    try directory.write("a.note", "old")
    let note = NoteDocument(directory.path("a.note"))
    await note.setDelegate(listener)
    try await note.open()
    await note.refuse(stale)
    await #expect(throws: stale) { try await note.save() }
    await note.refuse(nil)
    try await note.save()
    try await note.close()
    #expect(try await eventually { await listener.heard.last == "closed" })
    #expect(
      await listener.heard == [
        "closed + editingDisabled", "closed + editingDisabled + progressAvailable",
        "closed + editingDisabled",
        "editingDisabled", "loaded", "normal",
        "savingError", "failed: \(directory.path("a.note")): no space left on device",
        "savingError + progressAvailable", "savingError", "normal",
        "editingDisabled", "closed + editingDisabled", "closed",
      ])
  }

  @Test func `A document reports its progress while it is read and written`() async throws {
    let note = try await openNote(String(repeating: "x", count: 3 << 20))
    #expect(await note.progress == nil)
    await note.doMeanwhile { note in
      #expect(note.progress != nil)
      #expect(note.state == .progressAvailable)
      note.edit { $0.text = (0...1).contains(note.progress?.fractionCompleted ?? 2) ? "seen" : "not seen" }
    }
    try await note.save()
    #expect(try await eventually { await note.text == "seen" })
    #expect(await note.progress == nil)
  }

  @Test func `The progress of a document counts bytes, and does not exceed the whole`() {
    let progress = DocumentProgress()
    #expect(progress.totalBytes == 0 && progress.completedBytes == 0 && progress.fractionCompleted == 0)
    progress.begin(total: 10)
    progress.complete(4)
    #expect(progress.totalBytes == 10 && progress.completedBytes == 4 && progress.fractionCompleted == 0.4)
    progress.complete(8)
    #expect(progress.completedBytes == 12 && progress.fractionCompleted == 1)
  }

  @Test func `A document without contents of its own is not saved`() async throws {
    let document = Document(path: directory.path("a.note"), type: .note)
    let failure = await #expect(throws: FerryError.self) {
      try await document.save(to: directory.path("a.note"), for: .creating)
    }
    #expect(failure?.reason == .document(.noContents))
    #expect(try directory.names() == [])
  }

  @Test func `Saves that are asked for at once are one save`() async throws {
    let note = try await openNote("old")
    try await withThrowingTaskGroup { group in
      for number in 0..<2000 {
        group.addTask {
          await note.edit { $0.text += number.isMultiple(of: 2) ? "a" : "b" }
          try await note.save()
        }
      }
      try await group.waitForAll()
    }
    #expect(await !note.hasUnsavedChanges)
    #expect(try noteOnDisk() == (await note.text))
    #expect(try noteOnDisk().count == 2003)
    #expect(await note.snapshots < 1000)
  }

  @Test func `A document can be opened, changed, saved, reverted and closed by many tasks at once`()
    async throws
  {
    let note = try await openNote("0")
    await withTaskGroup { group in
      for number in 0..<400 {
        group.addTask {
          switch number % 8 {
          case 0: try? await note.revert()
          case 1: try? await note.close()
          case 2: try? await note.open()
          case 3: _ = try? await note.checkForExternalChange()
          case 4: try? await note.autosave()
          default:
            await note.edit { $0.text = "\(number)" }
            try? await note.save()
          }
        }
      }
    }
    try await note.close(discardingChanges: true)
    try await note.open()
    try await note.close()
    #expect(try directory.names() == ["a.note"])
    #expect(Int(try noteOnDisk()) != nil)
    #expect(await note.state == .closed)
  }
}
