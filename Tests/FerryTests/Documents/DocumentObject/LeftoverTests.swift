import Ferry
import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Leftovers beside a document` {
  private var directory: TemporaryDirectory { .current }

  @Test func `Leftovers of killed processes go with the next save, unless they are in use or other files`()
    async throws
  {
    let left = ".ferry-temporary-0000000000abc"
    let inUse = ".ferry-temporary-0000000000abd"
    let folder = ".ferry-temporary-0000000000abe"
    let others = [
      ".ferry-", ".ferry-Notes", ".ferry-temporary-", ".ferry-temporary-notes",
      ".ferry-temporary-Notes12345678",
    ]
    for name in [left, inUse] + others { try directory.write(name, "half") }
    try directory.makeDirectory(folder)
    // As its writer has it.
    let file = unsafe open(directory.path(inUse), O_RDONLY)
    defer { close(file) }
    #expect(flock(file, LOCK_EX) == 0)
    let note = try await openNote("old")
    await note.edit { $0.text = "new" }
    try await note.save()
    #expect(try directory.names() == (others + [inUse, folder, "a.note"]).sorted())
  }

  @Test func `Leftovers of killed processes are not files of a package`() throws {
    var package = DocumentPackage()
    package.set([1], named: "things.data")
    let path = directory.path("P.mystuff")
    try package.write(to: path)
    try directory.write("P.mystuff/.ferry-temporary-0000000000abc", "half")
    var read = try DocumentPackage(reading: path)
    #expect(read.paths == ["things.data"])
    read.set([2], named: "things.data")
    try read.write(to: path, replacing: true)
    #expect(try directory.names(in: "P.mystuff") == ["things.data"])
  }
}
