import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Ferry

private var directory: TemporaryDirectory { .current }

/// Returns the status of a file.
private func status(_ name: String) throws -> FileStatus {
  try #require(try SystemPath.status(of: directory.path(name), followingLinks: false))
}

/// A package of an image and records, as an app saves it.
private func makeThings(_ name: String = "T.mystuff") throws -> String {
  try directory.makeDirectory("\(name)/images")
  try directory.write("\(name)/images/a.png", "image")
  try directory.write("\(name)/things.data", "old")
  return directory.path(name)
}

/// A value that two threads share.
private final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}

/// Writes over a package, as on a file system that can only do so much.
private func replace(_ path: String, with package: DocumentPackage, by means: RenamingMeans) throws {
  _ = try PackageWriter(
    package: package, target: path, isReplacing: true, overwritesChanges: false, means: means
  ).write()
}

@Suite(.temporaryDirectory) struct `Replacements of packages by every system call` {
  @Test(arguments: meansOfFileSystems)
  func `A package is saved whole by every system call, and its unchanged files are kept`(
    _ means: RenamingMeans
  ) throws {
    let path = try makeThings()
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path + "/images/a.png")
    for text in ["new", "newer"] {
      let image = try status("T.mystuff/images/a.png")
      var package = try DocumentPackage(reading: path)
      package.set(Array(text.utf8), named: "things.data")
      // Not read at all, and given once more.
      if text == "newer" { package.set(Array("image".utf8), named: "images/a.png") }
      try replace(path, with: package, by: means)
      #expect(try directory.text("T.mystuff/things.data") == text)
      let kept = try status("T.mystuff/images/a.png")
      #expect(kept.stamp.modified == image.stamp.modified && kept.mode == 0o640)
      #expect((kept.stamp.inode == image.stamp.inode) == means.contains(.links))
      #expect(try directory.text("T.mystuff/images/a.png") == "image")
      #expect(try directory.names() == ["T.mystuff"])
    }
  }

  @Test(arguments: meansOfFileSystems) func `A package stays whole if the new one does not take its place`(
    _ means: RenamingMeans
  ) throws {
    let path = try makeThings()
    do {
      let folder = try TemporaryFolder(beside: path)
      try Data("new".utf8).write(to: URL(filePath: folder.path + "/things.data"))
      let failure = #expect(throws: FerryError.self) {
        try folder.exchange(with: path, by: means) { old throws(FerryError) in
          // It is looked at where it is now.
          #expect(try DocumentPackage(reading: old).paths == ["images/a.png", "things.data"])
          throw FerryError(.package(.changed(["things.data"])))
        }
      }
      #expect(failure?.reason == .package(.changed(["things.data"])))
    }
    #expect(try directory.names() == ["T.mystuff"])
    #expect(try directory.text("T.mystuff/things.data") == "old")
    #expect(try directory.text("T.mystuff/images/a.png") == "image")
  }

  @Test(arguments: meansOfFileSystems) func `A package is made once`(_ means: RenamingMeans) throws {
    var package = DocumentPackage()
    package.set([1], named: "things.data")
    let path = directory.path("T.mystuff")
    let folder = try TemporaryFolder(beside: path)
    // Another is faster.
    try package.write(to: path)
    #expect(throws: FerryError(.file(.exists))) { try folder.move(toNew: path, by: means) }
    #expect(try directory.bytes("T.mystuff/things.data") == [1])
  }
}

@Suite(.temporaryDirectory) struct `Packages moved aside` {
  private let aside = "T.mystuff.ferry-old-package"

  @Test func `A package moved aside by a killed program gets its name back when it is read`() throws {
    _ = try makeThings(aside)
    let package = try DocumentPackage(reading: directory.path("T.mystuff/"))
    #expect(try package.bytes(of: "things.data") == Array("old".utf8))
    #expect(try directory.names() == ["T.mystuff"])
  }

  @Test func `A package moved aside gets its name back when it is opened as a document`() throws {
    let path = try makeThings(aside)
    let types = DocumentTypes.builtIn
    let name = directory.path("T.mystuff")
    let opened = try types.open(name, from: nil, budget: Budget()) { path throws(FerryError) in
      try FileInput(path: path)
    }
    guard case .package(let package, _) = opened else {
      Issue.record("not a package")
      return
    }
    #expect(try package.bytes(of: "things.data") == Array("old".utf8))
    try FileManager.default.moveItem(atPath: name, toPath: path)
    let values = try types.openValues(of: name, from: nil, budget: Budget()) { path throws(FerryError) in
      try FileInput(path: path)
    }
    #expect(values.name == "\(name)/things.data")
    #expect(try directory.names() == ["T.mystuff"])
  }

  @Test func `A package moved aside gets its name back before another takes the name`() throws {
    _ = try makeThings(aside)
    var package = DocumentPackage()
    package.set([1], named: "things.data")
    #expect(throws: FerryError(.file(.exists))) { try package.write(to: directory.path("T.mystuff")) }
    try package.write(to: directory.path("T.mystuff"), replacing: true)
    #expect(try directory.names() == ["T.mystuff"])
    #expect(try directory.bytes("T.mystuff/things.data") == [1])
  }

  @Test func `A document finds its package that was moved aside`() async throws {
    let path = directory.path("T.mystuff")
    let document = ThingsDocument(path: path, autosaving: .off)
    await document.edit { $0.append(ThingsDocument.Thing(name: "Robot", location: "Shelf")) }
    try await document.save(to: path, for: .creating)
    try FileManager.default.moveItem(atPath: path, toPath: directory.path(aside))
    #expect(try await document.checkForExternalChange() == .none)
    try FileManager.default.moveItem(atPath: path, toPath: directory.path(aside))
    try await ThingsDocument(path: path, autosaving: .off).open()
    #expect(try directory.names() == ["T.mystuff"])
  }

  @Test func `A package moved aside stays there if its name is taken or not asked for`() throws {
    _ = try makeThings(aside)
    _ = try makeThings()
    _ = try DocumentPackage(reading: directory.path("T.mystuff"))
    #expect(throws: FerryError.self) { try DocumentPackage(reading: directory.path("U.mystuff")) }
    #expect(try directory.names() == ["T.mystuff", aside])
  }

  @Test func `A package replaces another although an old one was moved aside`() throws {
    let old = try makeThings(aside)
    let path = try makeThings()
    for text in ["new", "newer"] {
      var package = try DocumentPackage(reading: path)
      package.set(Array(text.utf8), named: "things.data")
      try replace(path, with: package, by: [])
      #expect(try directory.text("T.mystuff/things.data") == text)
      #expect(!Folder.hasSomething(at: old))
    }
    let names = try directory.names()
    #expect(names.count == 2 && names[0] == "T.mystuff" && names[1].hasPrefix("\(aside)-"), "\(names)")
    #expect(try directory.text("\(names[1])/things.data") == "old")
  }

  @Test func `A package is missing although a file has the name of one moved aside`() throws {
    try directory.write(aside, "file")
    #expect(!Folder.isFolder(directory.path("T.mystuff")))
    #expect(throws: FerryError(.file(.notFound))) {
      try DocumentPackage(reading: directory.path("T.mystuff"))
    }
    #expect(try directory.names() == [aside])
  }

  @Test func `A package moved aside by a running program is left to that program`() throws {
    let path = try makeThings()
    let lock = try FolderLock(path)
    try SystemPath.moveFolder(path, toNew: directory.path(aside))
    // A reader waits, and then reports that the package is being written, not that it is missing.
    #expect(throws: FerryError(.document(.lockedHere))) {
      try FolderAside.putBack(to: path, patience: Patience(.milliseconds(1)))
    }
    #expect(try directory.names() == [aside])
    lock?.release()
    #expect(try FolderAside.putBack(to: path))
    #expect(try directory.names() == ["T.mystuff"])
  }

  @Test func `A package moved aside is read when the program that moved it has ended`() throws {
    let path = try makeThings()
    let lock = try FolderLock(path)
    try SystemPath.moveFolder(path, toNew: directory.path(aside))
    // On a thread of its own, so that neither waits for the tasks of other tests.
    let read = Shared<[UInt8]?>(nil)
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      do {
        let bytes = try DocumentPackage(reading: path).bytes(of: "things.data")
        read.value.withLock { $0 = bytes }
      } catch {
        Issue.record(error)
      }
      end.signal()
    }
    let new = try makeThings("New.mystuff")
    try directory.write("New.mystuff/things.data", "new")
    try SystemPath.moveFolder(new, toNew: path)
    lock?.release()
    end.wait()
    #expect(read.value.withLock { $0 } == Array("new".utf8))
    #expect(try directory.names() == ["T.mystuff", aside])
  }

  @Test func `A package that is moved aside again and again is always found`() throws {
    let path = try makeThings()
    let isWriting = Shared(true)
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      for round in 0..<100 {
        var package = DocumentPackage()
        package.set(Array("\(round)".utf8), named: "things.data")
        // As on a file system that cannot exchange two folders.
        let writer = PackageWriter(
          package: package, target: path, isReplacing: true, overwritesChanges: true, means: [])
        do { _ = try writer.write() } catch { Issue.record(error) }
      }
      isWriting.value.withLock { $0 = false }
      end.signal()
    }
    while isWriting.value.withLock({ $0 }) {
      #expect(Folder.isFolder(path))
      // What is read is that of one moment.
      #expect(try DocumentPackage(reading: path).paths.contains("things.data"))
      #expect(try DocumentFile(path: path, layout: DocumentType.things.layout).version() != nil)
    }
    end.wait()
    #expect(try directory.names() == ["T.mystuff"])
  }
}

/// The suite is serialized, because a process has one function for its reports.
@Suite(.serialized, .temporaryDirectory) struct `Waits for locks` {
  @Test(arguments: [true, false])
  func `A wait for a lock is reported unless this process has it`(isOwn: Bool) throws {
    let path = directory.path + (isOwn ? "/own" : "/other")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let reported = Mutex<[String]>([])
    LockWait.reportFolders { folder in reported.withLock { $0.append(folder) } }
    let lock = try isOwn ? FolderLock(path) : nil
    var patience = Patience<Int>()
    patience.folder = (path, try #require(try SystemPath.status(of: path, followingLinks: false)).stamp)
    var waited = Duration.zero
    while waited < .seconds(2), let pause = patience.pause(seeing: 0) { waited += pause }
    #expect(reported.withLock { $0.contains(path) } == !isOwn)
    lock?.release()
    guard isOwn else { return }
    // The lock is then that of another program.
    while waited < .seconds(4), let pause = patience.pause(seeing: 0) { waited += pause }
    #expect(reported.withLock { $0.contains(path) })
  }

  @Test func `A wait for a lock lasts as long as others make progress`() {
    var patience = Patience<Int>(.milliseconds(100))
    var pauses = Duration.zero
    for sign in 0..<1000 {
      let pause = patience.pause(seeing: sign)
      #expect(pause != nil)
      pauses += pause ?? .zero
    }
    #expect(pauses > .seconds(5))
    var rest = Duration.zero
    while let pause = patience.pause(seeing: 1000) { rest += pause }
    #expect(rest >= .milliseconds(100) && rest < .milliseconds(120))
  }

  @Test func `A wait for a lock ends after an hour although others make progress`() {
    var (patience, waited, sign) = (Patience<Int>(), Duration.zero, 0)
    while let pause = patience.pause(seeing: sign), waited < .seconds(7200) {
      (waited, sign) = (waited + pause, sign + 1)
    }
    #expect(waited >= .seconds(3600) && waited < .seconds(3601))
  }
}
