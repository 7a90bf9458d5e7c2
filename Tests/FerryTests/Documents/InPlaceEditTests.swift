import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Ferry

private var directory: TemporaryDirectory { .current }

@Suite(.temporaryDirectory) struct `Edits in place` {
  private static let beginnings: [InPlaceEdit.Beginning] = [.locking, .watching]

  private func isLocked(_ folder: String) throws -> Bool {
    let folder = try SystemFile(reading: directory.path(folder))
    return try folder.lock() == .heldByAnother
  }

  private func expectChanged(_ edit: InPlaceEdit, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(throws: FerryError(.file(.changedMeanwhile)), sourceLocation: sourceLocation) {
      try edit.replace(with: Array("ours".utf8))
    }
  }

  @Test(arguments: beginnings) func `An edit in place replaces the file that it began with`(
    _ beginning: InPlaceEdit.Beginning
  )
    throws
  {
    try directory.write("a", "old")
    let edit = try InPlaceEdit(of: directory.path("a"), beginning: beginning)
    try edit.replace(with: Array("ours".utf8))
    #expect(try directory.text("a") == "ours")
    #expect(try directory.names() == ["a"])
  }

  @Test(arguments: beginnings)
  func `An edit in place of a pipe or a device is refused, and waits for nobody`(
    _ beginning: InPlaceEdit.Beginning
  ) throws {
    let path = directory.path("pipe")
    try #require(unsafe mkfifo(path, 0o600) == 0)
    for path in [path, "/dev/null", "-"] {
      #expect(throws: FerryError(.document(.neitherFileNorFolder))) {
        try InPlaceEdit(of: path, beginning: beginning)
      }
    }
  }

  @Test(arguments: beginnings)
  func `An edit in place keeps what a program without the lock has written meanwhile`(
    _ beginning: InPlaceEdit.Beginning
  ) throws {
    let path = directory.path("a")
    let writes: [(String, () throws -> Void)] = [
      // Of the same length, within a tick of the clock, where it stands.
      ("new", { try FileHandle(forWritingTo: URL(filePath: path)).write(contentsOf: Data("new".utf8)) }),
      ("longer", { try directory.write("a", "longer") }),
      (
        "new",
        {
          try directory.write("b", "new")
          try FileManager.default.removeItem(atPath: path)
          try FileManager.default.moveItem(atPath: directory.path("b"), toPath: path)
        }
      ),
    ]
    for (text, write) in writes {
      try directory.write("a", "old")
      let edit = try InPlaceEdit(of: path, beginning: beginning)
      try write()
      expectChanged(edit)
      #expect(try directory.text("a") == text)
      #expect(try directory.names() == ["a"])
    }
  }

  @Test func `An edit in place goes on if a program has only written the same bytes again, or set the time`()
    throws
  {
    let path = directory.path("a")
    let long = Date(timeIntervalSinceNow: -3600)
    let writes: [() throws -> Void] = [
      { try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path) },
      {
        try directory.write("b", "old")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: directory.path("b"), toPath: path)
      },
    ]
    for write in writes {
      try directory.write("a", "old")
      try FileManager.default.setAttributes([.modificationDate: long], ofItemAtPath: path)
      let edit = try InPlaceEdit(of: path, beginning: .watching)
      try write()
      try edit.replace(with: Array("ours".utf8))
      #expect(try directory.text("a") == "ours")
      #expect(try directory.names() == ["a"])
    }
  }

  @Test(arguments: beginnings) func `An edit in place notices a change whose time was set back`(
    _ beginning: InPlaceEdit.Beginning
  ) throws {
    let long = Date(timeIntervalSinceNow: -3600)
    let path = directory.path("a")
    try directory.write("a", "old")
    try FileManager.default.setAttributes([.modificationDate: long], ofItemAtPath: path)
    let edit = try InPlaceEdit(of: path, beginning: beginning)
    try FileHandle(forWritingTo: URL(filePath: path)).write(contentsOf: Data("new".utf8))
    try FileManager.default.setAttributes([.modificationDate: long], ofItemAtPath: path)
    expectChanged(edit)
    #expect(try directory.text("a") == "new")
  }

  @Test(arguments: beginnings) func `An edit in place makes no file if another removed or made it meanwhile`(
    _ beginning: InPlaceEdit.Beginning
  ) throws {
    try directory.write("a", "old")
    do {
      // The edit holds the lock until it ends.
      let removed = try InPlaceEdit(of: directory.path("a"), beginning: beginning)
      try FileManager.default.removeItem(atPath: directory.path("a"))
      expectChanged(removed)
    }
    #expect(try directory.names() == [])
    let made = try InPlaceEdit(of: directory.path("a"), beginning: beginning)
    try directory.write("a", "new")
    expectChanged(made)
    #expect(try directory.text("a") == "new")
  }

  @Test func `An edit in place follows links, and notices a link to another file`() throws {
    try directory.makeDirectory("f")
    try directory.write("f/a", "old")
    try directory.write("f/b", "other")
    let link = directory.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "f/a")
    try InPlaceEdit(of: link).replace(with: Array("ours".utf8))
    #expect(try directory.text("f/a") == "ours")
    let edit = try InPlaceEdit(of: link)
    // By both paths it is the same lock.
    #expect(try isLocked("f"))
    try FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "f/b")
    expectChanged(edit)
    #expect(try directory.text("f/a") == "ours")
    #expect(try directory.text("f/b") == "other")
  }

  #if os(Linux)
    @Test func `The lock of an edit ends although a child process has a copy of its descriptor`() throws {
      try directory.write("a", "old")
      var copy: Int32 = -1
      do {
        let edit = try InPlaceEdit(of: directory.path("a"))
        copy = dup(try descriptor())
        #expect(try isLocked("."))
        extendLifetime(edit)
      }
      defer { close(copy) }
      #expect(copy >= 0)
      #expect(try !isLocked("."))
    }

    /// Returns the descriptor of this test's folder.
    private func descriptor() throws -> Int32 {
      let folder = URL(fileURLWithPath: directory.path).resolvingSymlinksInPath().path
      let all = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      let found = all.first {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == folder
      }
      return try #require(found.flatMap { Int32($0) })
    }
  #endif

  @Test func `An edit of the records of a package locks the package too`() throws {
    try directory.makeDirectory("T.mystuff")
    try directory.write("T.mystuff/things.data", "old")
    do {
      let edit = try InPlaceEdit(of: directory.path("T.mystuff/things.data"))
      #expect(try isLocked("T.mystuff"))
      #expect(try isLocked("."))
      extendLifetime(edit)
    }
    #expect(try !isLocked("."))
    // Whoever waits for a package that is replaced meanwhile edits the new one.
    let old = try FolderLock(directory.path("T.mystuff"))
    let done = DispatchSemaphore(value: 0)
    let path = directory.path("T.mystuff/things.data")
    Thread.detachNewThread {
      do {
        let edit = try InPlaceEdit(of: path)
        let text = try FileInput(path: path).readAll()
        try edit.replace(with: text + Array("+".utf8))
      } catch { Issue.record(error) }
      done.signal()
    }
    try directory.makeDirectory("New.mystuff")
    try directory.write("New.mystuff/things.data", "new")
    #expect(try SystemPath.exchange(directory.path("T.mystuff"), directory.path("New.mystuff")))
    old?.release()
    done.wait()
    #expect(try directory.text("T.mystuff/things.data") == "new+")
    #expect(try directory.text("New.mystuff/things.data") == "old")
  }
}
