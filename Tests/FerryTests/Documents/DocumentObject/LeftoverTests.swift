import Ferry
import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `What killed processes left beside a document` {
  private var directory: TemporaryDirectory { .current }

  private func leave(_ name: String, secondsAgo: Double) throws {
    try directory.write(name, "half")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -secondsAgo)], ofItemAtPath: directory.path(name))
  }

  @Test func `goes with the next save, unless it is new, in use, or no such thing`() async throws {
    try leave(".ferry-0abc", secondsAgo: 3600)
    // Ahead of us, so that it stays new however long the test takes.
    try leave(".ferry-1abc", secondsAgo: -3600)
    try leave(".ferry-2abc", secondsAgo: 3600)
    try leave(".ferry-Notes", secondsAgo: 3600)
    try leave(".ferry-", secondsAgo: 3600)
    try directory.makeDirectory(".ferry-3abc")
    // As whoever writes one has it.
    let inUse = unsafe open(directory.path(".ferry-2abc"), O_RDONLY)
    defer { close(inUse) }
    #expect(flock(inUse, LOCK_EX) == 0)
    let note = try await openNote("old")
    await note.edit { $0.text = "new" }
    try await note.save()
    #expect(
      try directory.names() == [
        ".ferry-", ".ferry-1abc", ".ferry-2abc", ".ferry-3abc", ".ferry-Notes", "a.note",
      ])
  }
}
