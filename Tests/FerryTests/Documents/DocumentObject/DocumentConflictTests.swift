import Ferry
import Foundation
import TestSupport
import Testing

/// The time of the last write to a file, in nanoseconds.
private struct FileTime {
  private let time: timespec

  init(of path: String) throws {
    var info = stat()
    #expect(unsafe stat(path, &info) == 0)
    #if canImport(Darwin)
      time = info.st_mtimespec
    #else
      time = info.st_mtim
    #endif
  }

  func set(to path: String) throws {
    #expect(unsafe utimensat(AT_FDCWD, path, [time, time], 0) == 0)
  }
}

@Suite(.temporaryDirectory) struct `Conflicts of documents` {
  private var directory: TemporaryDirectory { .current }

  /// Two documents of one file, both with changes; the other is saved.
  private func conflict() async throws -> (ours: NoteDocument, theirs: NoteDocument) {
    let (ours, theirs) = (try await openNote("old"), NoteDocument(directory.path("a.note")))
    try await theirs.open()
    await ours.edit { $0.text = "ours" }
    await theirs.edit { $0.text = "theirs" }
    try await theirs.save()
    return (ours, theirs)
  }

  private func expectConflict(_ document: Document, sourceLocation: SourceLocation = #_sourceLocation) async {
    let failure = await #expect(throws: FerryError.self, sourceLocation: sourceLocation) {
      try await document.save()
    }
    #expect(failure?.reason == .document(.changedByAnother), sourceLocation: sourceLocation)
    #expect(await document.state == .inConflict, sourceLocation: sourceLocation)
    #expect(await document.hasUnsavedChanges, sourceLocation: sourceLocation)
  }

  @Test func `A save notices another program's change before it replaces the file`() async throws {
    let (ours, _) = try await conflict()
    await expectConflict(ours)
    #expect(try noteOnDisk() == "theirs")
    #expect(await ours.text == "ours")
    #expect(try directory.names() == ["a.note"])
    // And it stays so.
    await expectConflict(ours)
  }

  @Test func `A conflict that keeps our version is noticed by the other writer`() async throws {
    let (ours, theirs) = try await conflict()
    await expectConflict(ours)
    try await ours.resolveConflict(keeping: .ours)
    #expect(try noteOnDisk() == "ours")
    #expect(await ours.state == .normal)
    #expect(await !ours.hasUnsavedChanges)
    #expect(try await theirs.checkForExternalChange() == .reloaded)
    #expect(await theirs.text == "ours")
  }

  @Test func `A conflict is resolved with their version`() async throws {
    let (ours, _) = try await conflict()
    await expectConflict(ours)
    try await ours.resolveConflict(keeping: .theirs)
    #expect(await ours.text == "theirs")
    #expect(await ours.state == .normal)
    #expect(await !ours.hasUnsavedChanges)
  }

  @Test func `A conflict is resolved with both versions`() async throws {
    let (ours, _) = try await conflict()
    await expectConflict(ours)
    try await ours.save(to: directory.path("mine.note"), for: .creating)
    #expect(await ours.state == .normal)
    #expect(try noteOnDisk() == "theirs")
    #expect(try directory.text("mine.note") == "ours")
  }

  @Test func `A resolution does not replace a version that nobody has seen`() async throws {
    let (ours, theirs) = try await conflict()
    await expectConflict(ours)
    await theirs.edit { $0.text = "theirs again" }
    try await theirs.save()
    let failure = await #expect(throws: FerryError.self) { try await ours.resolveConflict(keeping: .ours) }
    #expect(failure?.reason == .document(.changedByAnother))
    #expect(try noteOnDisk() == "theirs again")
    try await ours.resolveConflict(keeping: .ours)
    #expect(try noteOnDisk() == "ours")
  }

  @Test(arguments: ["theirs", "old!", "olx"], [true, false])
  func `A document notices writes into its file, at once and with the time set back`(
    _ text: String, _ setsTimeBack: Bool
  ) async throws {
    let ours = try await openNote("old")
    for round in 0..<20 {
      let path = directory.path("a.note")
      if round > 0 {
        try await ours.resolveConflict(keeping: .ours)
        // One that was saved, and of the same size.
        await ours.edit {
          $0.text = round.isMultiple(of: 2) ? "old" : String(repeating: "x", count: text.utf8.count)
        }
        try await ours.save()
      }
      await ours.edit { $0.text = "ours" }
      let time = try FileTime(of: path)
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: Data(text.utf8))
      try file.close()
      if setsTimeBack { try time.set(to: path) }
      await expectConflict(ours)
      #expect(try noteOnDisk() == text)
    }
  }

  @Test func `A document notices that its file was written anew with the same bytes`() async throws {
    let ours = try await openNote("old")
    await ours.edit { $0.text = "ours" }
    try directory.write("a.note", "old")
    await expectConflict(ours)
  }

  @Test func `New attributes of the file are not a change of the document`() async throws {
    let ours = try await openNote("old")
    for round in 0..<4 {
      let path = directory.path("a.note")
      switch round {
      case 0: try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      case 1: try FileManager.default.linkItem(atPath: path, toPath: directory.path("backup"))
      case 2: try FileManager.default.removeItem(atPath: directory.path("backup"))
      default:
        let bytes = try directory.bytes("a.note")
        let time = try FileTime(of: path)
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.write(contentsOf: Data(bytes))
        try file.close()
        try time.set(to: path)
      }
      await ours.edit { $0.text += "\(round)" }
      #expect(try await ours.checkForExternalChange() == .none)
      try await ours.save()
    }
    #expect(try noteOnDisk() == "old0123")
  }

  @Test func `A document notices that its file was replaced twice, whatever the number of the file`()
    async throws
  {
    // Numbers of files that are gone are given to the next: held open, a file keeps its own.
    let ours = try await openNote("old")
    for round in 0..<50 {
      try directory.write("new", "\(round % 10)\(round % 10)\(round % 10)")
      let (new, old) = (directory.path("new"), directory.path("a.note"))
      #expect(unsafe rename(new, old) == 0)
      await ours.edit { $0.text = "ours" }
      #expect(try await ours.checkForExternalChange() == .conflict)
      try await ours.resolveConflict(keeping: .theirs)
    }
  }

  @Test func `A document without changes reads the new file`() async throws {
    let ours = try await openNote("old")
    #expect(try await ours.checkForExternalChange() == .none)
    try directory.write("a.note", "theirs")
    #expect(try await ours.checkForExternalChange() == .reloaded)
    #expect(await ours.text == "theirs")
    #expect(try await ours.checkForExternalChange() == .none)
    await ours.edit { $0.text = "ours" }
    try directory.write("a.note", "theirs, longer")
    #expect(try await ours.checkForExternalChange() == .conflict)
    #expect(await ours.state == .inConflict)
    #expect(await ours.text == "ours")
  }

  @Test func `A document keeps its contents if the new file cannot be loaded`() async throws {
    let ours = try await openNote("old")
    try directory.write("a.note", "damaged")
    let failure = await #expect(throws: FerryError.self) { try await ours.checkForExternalChange() }
    #expect(failure?.description == "\(directory.path("a.note")): this is damaged")
    #expect(await ours.text == "old")
    #expect(await ours.state == .inConflict)
    try await ours.resolveConflict(keeping: .ours)
    #expect(try noteOnDisk() == "old")
  }

  @Test(arguments: [true, false])
  func `A document that was removed or moved is not made anew, unless that is asked for`(_ isRemoved: Bool)
    async throws
  {
    let ours = try await openNote("old")
    if isRemoved {
      try FileManager.default.removeItem(atPath: directory.path("a.note"))
    } else {
      try FileManager.default.moveItem(atPath: directory.path("a.note"), toPath: directory.path("b.note"))
    }
    #expect(try await ours.checkForExternalChange() == (isRemoved ? .removed : .moved))
    #expect(await ours.hasUnsavedChanges)
    let failure = await #expect(throws: FerryError.self) { try await ours.close() }
    #expect(failure?.reason == .document(isRemoved ? .removed : .moved))
    #expect(await ours.state == .savingError)
    #expect(await ours.savingError == failure)
    #expect(try directory.names() == (isRemoved ? [] : ["b.note"]))
    try await ours.save(to: directory.path("a.note"), for: .creating)
    #expect(try noteOnDisk() == "old")
    #expect(await ours.state == .normal)
  }

  @Test func `A document continues after its file is back`() async throws {
    let (path, away) = (directory.path("a.note"), directory.path("b.note"))
    let ours = try await openNote("old", autosaving: .after(.milliseconds(1)))
    try FileManager.default.moveItem(atPath: path, toPath: away)
    #expect(try await ours.checkForExternalChange() == .moved)
    await ours.edit { $0.text = "ours" }
    #expect(await ours.state == .savingError)
    try FileManager.default.moveItem(atPath: away, toPath: path)
    #expect(try await ours.checkForExternalChange() == .none)
    #expect(try await eventually { try noteOnDisk() == "ours" })
    #expect(try await eventually { await ours.state == .normal })
    #expect(await ours.savingError == nil)
  }

  @Test func `Documents of one file that save at once lose no saved change`() async throws {
    let first = try await openNote("0")
    let documents = [first, NoteDocument(directory.path("a.note")), NoteDocument(directory.path("a.note"))]
    for document in documents { try await document.open() }
    let saved = await withTaskGroup { group in
      for (index, document) in documents.enumerated() {
        group.addTask { () async -> [Int] in
          var saved: [Int] = []
          for _ in 0..<60 {
            await document.edit { $0.text = "\((Int($0.text) ?? 0) + 1)" }
            do {
              try await document.save()
              saved.append(index)
            } catch {
              try? await document.resolveConflict(keeping: .theirs)
            }
          }
          return saved
        }
      }
      return await group.reduce(0) { $0 + $1.count }
    }
    // Every change that was saved has counted.
    #expect(try noteOnDisk() == "\(saved)")
    #expect(saved >= 60)
    #expect(saved < 180, "no two of them ever met")
  }

  @Test func `A document of a package notices changes as one of a file does`() async throws {
    let path = directory.path("a.mystuff")
    let first = ThingsDocument(path: path, autosaving: .off)
    await first.edit { $0.append(ThingsDocument.Thing(name: "Robot", location: "Shelf"), image: [1, 2, 3]) }
    try await first.save(to: path, for: .creating)
    let second = ThingsDocument(path: path, autosaving: .off)
    try await second.open()
    await second.edit { $0.rename(thingAt: 0, to: "Android", location: "Shelf") }
    try await second.save()
    await first.edit { $0.rename(thingAt: 0, to: "Toy", location: "Shelf") }
    await expectConflict(first)
    #expect(await first.things.map(\.name) == ["Toy"])
    try await first.resolveConflict(keeping: .theirs)
    #expect(await first.things.map(\.name) == ["Android"])
    // An image that is another counts as well as a list that is.
    try directory.write("a.mystuff/image.png", [3, 2, 1])
    #expect(try await first.checkForExternalChange() == .reloaded)
    #expect(try await first.image(ofThingAt: 0) == [3, 2, 1])
  }
}
