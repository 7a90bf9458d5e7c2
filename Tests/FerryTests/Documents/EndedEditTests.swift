import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Ferry

private var directory: TemporaryDirectory { .current }

/// The end of edits in place, which releases the lock of the folder.
@Suite(.temporaryDirectory) struct `Ended edits in place` {
  private func isLocked() throws -> Bool {
    try SystemFile(reading: directory.path).lock() == .heldByAnother
  }

  @Test func `Two edits in one folder follow each other in one function`() async throws {
    try directory.write("a.txt", "a")
    try directory.write("b.txt", "b")
    let one = try InPlaceEdit(of: directory.path("a.txt"))
    try one.replace(with: Array("A".utf8))
    #expect(try !isLocked())
    let two = try InPlaceEdit(of: directory.path("b.txt"))
    try two.replace(with: Array("B".utf8))
    #expect(try directory.text("a.txt") == "A" && directory.text("b.txt") == "B")
    let document = TextDocument(path: directory.path("a.txt"), autosaving: .off)
    try await document.open()
    await document.edit { $0.text = "saved" }
    try await document.save()
    try await document.close()
    #expect(try directory.text("a.txt") == "saved")
    withExtendedLifetime((one, two)) {}
  }

  @Test(arguments: [InPlaceEdit.Beginning.locking, .watching])
  func `An edit that has replaced the file, or was ended, says so`(beginning: InPlaceEdit.Beginning) throws {
    try directory.write("a", "old")
    let edit = try InPlaceEdit(of: directory.path("a"), beginning: beginning)
    try edit.replace(with: Array("new".utf8))
    #expect(throws: FerryError(.document(.editEnded))) { try edit.replace(with: Array("newer".utf8)) }
    let ended = try InPlaceEdit(of: directory.path("a"), beginning: beginning)
    ended.end()
    ended.end()
    #expect(try !isLocked())
    let output = try FileOutput(path: directory.path("a"), replacing: true)
    #expect(throws: FerryError(.document(.editEnded))) { try ended.commit(output) }
    #expect(try directory.text("a") == "new")
  }

  @Test func `A second edit in the folder of one that has not ended is refused at once`() throws {
    try directory.write("a", "old")
    try directory.write("b", "old")
    let edit = try InPlaceEdit(of: directory.path("a"))
    let error = #expect(throws: FerryError.self) { try InPlaceEdit(of: directory.path("b")) }
    #expect(error?.reason == .document(.lockedHere) && error?.code == "document.locked-here")
    edit.end()
    try InPlaceEdit(of: directory.path("b")).replace(with: Array("new".utf8))
    #expect(try directory.text("b") == "new")
  }

  @Test func `An edit of another thread waits for the first one`() throws {
    try directory.write("a", "old")
    let path = directory.path("a")
    let edit = try InPlaceEdit(of: path)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      do {
        let other = try InPlaceEdit(of: path)
        try other.replace(with: FileInput(path: path).readAll() + Array("+".utf8))
      } catch { Issue.record(error) }
      done.signal()
    }
    try edit.replace(with: Array("new".utf8))
    done.wait()
    #expect(try directory.text("a") == "new+")
  }

  @Test func `An edit goes on after an error, and ends with the next attempt`() throws {
    try directory.write("a", "old")
    let edit = try InPlaceEdit(of: directory.path("a"))
    let other = try FileOutput(path: directory.path("a"), replacing: true)
    other.abandon()
    #expect(throws: FerryError.self) { try edit.commit(other) }
    #expect(try isLocked())
    try edit.replace(with: Array("new".utf8))
    #expect(try directory.text("a") == "new" && !isLocked())
  }

  @Test func `An edit replaces a package, and ends`() throws {
    try directory.makeDirectory("T.mystuff")
    try directory.write("T.mystuff/things.data", "old")
    let edit = try InPlaceEdit(of: directory.path("T.mystuff"))
    var package = try DocumentPackage(reading: edit.path)
    package.set(Array("new".utf8), named: "things.data")
    try edit.replace(with: package)
    #expect(try directory.text("T.mystuff/things.data") == "new" && !isLocked())
    #expect(throws: FerryError(.document(.editEnded))) { try edit.replace(with: package) }
  }
}
