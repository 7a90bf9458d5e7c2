import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Ferry

/// A folder that goes when the test ends.
private final class Folder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "ferry-test-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  /// Every name in the folder, hidden ones too.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }

  @discardableResult
  func make(_ name: String, _ text: String = "old", mode: Int = 0o644) throws -> String {
    try Data(text.utf8).write(to: url.appending(path: name))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    return path(name)
  }

  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
  }

  func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }

  func isLink(_ name: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: path(name))) != nil
  }
}

private func allChunks(_ input: FileInput) throws(FerryError) -> [[UInt8]] {
  var chunks: [[UInt8]] = []
  try input.forEachChunk { chunk throws(FerryError) in chunks.append([UInt8](copying: chunk)) }
  return chunks
}

private func pattern(_ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}

@Suite struct `Reading of files` {
  @Test(arguments: [0, 1, 5, 256 << 10, (256 << 10) + 1, 1_000_000])
  func `A file is read whole, in chunks, and again`(_ count: Int) throws {
    let folder = try Folder()
    let bytes = pattern(count)
    try Data(bytes).write(to: folder.url.appending(path: "f"))
    let input = try FileInput(path: folder.path("f"))
    #expect(input.size == count)
    for _ in 0..<2 {
      #expect(try input.peek(upTo: 4) == Array(bytes.prefix(4)))
      #expect(try input.peek(upTo: 2) == Array(bytes.prefix(2)))
      #expect(try input.peek(upTo: 300_000) == Array(bytes.prefix(300_000)))
      let chunks = try allChunks(input)
      #expect(Array(chunks.joined()) == bytes)
      #expect(try input.peek(upTo: 4) == [])
      try input.rewind()
      #expect(try input.readAll() == bytes)
      try input.rewind()
    }
  }

  @Test func `A pipe is read, and its first bytes can be looked at before`() throws {
    let bytes = pattern(700_000)
    let pipe = Pipe.containing(bytes)
    let input = try FileInput(path: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
    #expect(input.size == nil)
    #expect(!input.isRewindable)
    #expect(throws: FerryError(.file(.notRewindable))) { try input.rewind() }
    #expect(try input.peek(upTo: 100_000) == Array(bytes.prefix(100_000)))
    #expect(try input.peek(upTo: 3) == Array(bytes.prefix(3)))
    #expect(Array(try allChunks(input).joined()) == bytes)
  }

  @Test func `A pipe is read twice`() throws {
    let bytes = pattern(700_000)
    let pipe = Pipe.containing(bytes)
    let input = try FileInput(path: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
    _ = try input.peek(upTo: 10)
    try input.makeRewindable()
    #expect(input.isRewindable)
    #expect(try input.readAll() == bytes)
    try input.rewind()
    #expect(try input.peek(upTo: 10) == Array(bytes.prefix(10)))
    #expect(try input.readAll() == bytes)
  }

  @Test func `The standard input is read`() async throws {
    await #expect(processExitsWith: .success) {
      let pipe = Pipe.containing(Array("hello".utf8))
      dup2(pipe.fileHandleForReading.fileDescriptor, 0)
      let input = try FileInput(path: "-")
      #expect(try input.peek(upTo: 2) == Array("he".utf8))
      #expect(try input.readAll() == Array("hello".utf8))
    }
  }

  @Test func `A file is read up to the limit and no further`() throws {
    let folder = try Folder()
    let input = try FileInput(path: folder.make("f", "12345"))
    #expect(throws: FerryError(.file(.tooLarge(limit: 4)))) { try input.readAll(limit: 4) }
    try input.rewind()
    #expect(try input.readAll(limit: 5).count == 5)
  }

  @Test func `A sparse file is refused before it is read as a whole`() throws {
    let folder = try Folder()
    let path = try folder.make("f.json", "[]")
    let status = unsafe truncate(path, 50 << 30)
    try #require(status == 0)
    let input = try FileInput(path: path)
    _ = try input.peek(upTo: 10)
    expectProcessorTime(atMost: .seconds(1)) {
      #expect(throws: FerryError(.file(.tooLarge(limit: 2 << 30)))) { try input.readAll() }
      let failure = #expect(throws: FerryError.self) { try EditableFile(path: path) }
      #expect(failure?.location.byte == 2)
    }
    try input.rewind()
    #expect(try input.readFile().count == 50 << 30)
  }

  @Test func `A device, which may be endless, is copied up to a limit`() throws {
    let zeros = try FileInput(path: "/dev/zero")
    #expect(throws: FerryError(.file(.tooLarge(limit: 1 << 20)))) { try zeros.makeRewindable(upTo: 1 << 20) }
  }

  @Test func `An error of the reader ends the reading of a file`() throws {
    let folder = try Folder()
    let input = try FileInput(path: folder.make("f", "12345"))
    #expect(throws: FerryError(.file(.empty))) {
      try input.forEachChunk { _ throws(FerryError) in throw FerryError(.file(.empty)) }
    }
    try input.rewind()
    #expect(try input.readAll().count == 5)
  }

  @Test func `Errors of folders have the number of the system's error`() {
    let folder = FerryError(system: EACCES).ofFolder("/a").reason
    #expect(folder == .file(.folderNotWritable("/a", "permission denied", errno: EACCES)))
    let cases: [(FerryError, Int32?)] = [
      (FerryError(system: EROFS).ofFolder("/a"), EROFS), (FerryError(system: EROFS).ofExistingFile, EROFS),
      (FerryError(system: ENOSPC).ofTemporaryFolder, ENOSPC),
      (FerryError(system: ENOENT).ofTemporaryFolder, ENOENT), (FerryError.temporaryFolderIsFull, ENOSPC),
      (FerryError(system: EIO), EIO), (FerryError(system: EEXIST), nil),
    ]
    for (error, number) in cases {
      guard case .file(let problem) = error.reason else {
        Issue.record("\(error)")
        continue
      }
      #expect(problem.errno == number, "\(error)")
    }
    #expect("\(FerryError.outOfMemory)" == "cannot allocate memory")
  }

  @Test func `A file that cannot be opened is refused in the system's words`() throws {
    let folder = try Folder()
    #expect(throws: FerryError(.file(.isDirectory))) { try FileInput(path: folder.url.path) }
    #expect(throws: FerryError(.file(.notFound))) {
      try FileInput(path: folder.path("x"))
    }
    try folder.make("f")
    #expect(throws: FerryError(.file(.system("not a directory", errno: ENOTDIR)))) {
      try FileInput(path: folder.path("f/x"))
    }
    guard getuid() != 0 else { return }
    try folder.make("secret", mode: 0o000)
    #expect(throws: FerryError(.file(.system("permission denied", errno: EACCES)))) {
      try FileInput(path: folder.path("secret"))
    }
  }
}

@Suite struct `Writing of files` {
  private let text = Array("new".utf8)

  @Test func `A new file appears when it is whole, with the mode of a new file`() throws {
    let folder = try Folder()
    let output = try FileOutput(path: folder.path("f"))
    try output.write(text.span)
    #expect(try folder.names.count == 1)
    #expect(try folder.names != ["f"])
    try output.commit()
    #expect(try folder.names == ["f"])
    #expect(try folder.text("f") == "new")
    // The mask of the process, which other tests have too, is seen in a file that is created without one of its own.
    let descriptor = unsafe open(folder.path("other"), O_CREAT | O_WRONLY, 0o666)
    #expect(descriptor >= 0 && close(descriptor) == 0)
    #expect(try folder.mode("f") == folder.mode("other"))
  }

  @Test func `Nothing is left of a file that was abandoned or released`() throws {
    let folder = try Folder()
    try folder.make("f")
    for isExplicit in [true, false] {
      for name in ["f", "g"] {
        let output = try FileOutput(path: folder.path(name), replacing: true)
        try output.write(text.span)
        if isExplicit { output.abandon() }
      }
      #expect(try folder.names == ["f"])
      #expect(try folder.text("f") == "old")
    }
  }

  @Test func `An existing file is replaced only if that is asked for`() throws {
    let folder = try Folder()
    try folder.make("f")
    #expect(throws: FerryError(.file(.exists))) { try FileOutput(path: folder.path("f")) }
    #expect(try folder.text("f") == "old")
    let output = try FileOutput(path: folder.path("f"), replacing: true)
    try output.write(text.span)
    try output.commit()
    #expect(try folder.text("f") == "new")
    #expect(try folder.names == ["f"])
  }

  @Test func `A file that fails its check is put back`() throws {
    let folder = try Folder()
    try folder.make("f", "theirs")
    for isRight in [false, true] {
      let output = try FileOutput(path: folder.path("f"), replacing: true)
      try output.write(text.span)
      let result = Result { () throws(FerryError) in
        try output.commit { old throws(FerryError) in
          #expect(try FileInput(path: old).readAll() == Array("theirs".utf8))
          #expect((try? folder.text("f")) == "new")
          guard isRight else { throw FerryError(.document(.changedByAnother)) }
        }
      }
      #expect(((try? result.get()) != nil) == isRight)
      #expect(try folder.names == ["f"])
      #expect(try folder.text("f") == (isRight ? "new" : "theirs"))
    }
  }

  @Test func `A file that came meanwhile is not replaced`() throws {
    let folder = try Folder()
    let output = try FileOutput(path: folder.path("f"))
    try output.write(text.span)
    try folder.make("f", "theirs")
    #expect(throws: FerryError(.file(.exists))) { try output.commit() }
    #expect(try folder.text("f") == "theirs")
    #expect(try folder.names == ["f"])
  }

  @Test func `A file or link that came before the output for a free path is not replaced`() throws {
    let folder = try Folder()
    try folder.make("f", "theirs")
    try folder.link("link", to: folder.path("g"))
    for name in ["f", "link"] {
      let output = try FileOutput(newAt: folder.path(name), compression: nil)
      try output.write(text.span)
      #expect(throws: FerryError(.file(.exists))) { try output.commit() }
    }
    #expect(try folder.text("f") == "theirs")
    #expect(try folder.names == ["f", "link"])
    let output = try FileOutput(newAt: folder.path("g"), compression: nil)
    try output.write(text.span)
    try output.commit()
    #expect(try folder.text("g") == "new")
  }

  @Test func `Only one of two writers of a new file succeeds`() throws {
    let folder = try Folder()
    let outputs = try (0..<5).map { number throws(FerryError) in
      let output = try FileOutput(path: folder.path("f"))
      try output.write(Array("\(number)".utf8).span)
      return output
    }
    let results = outputs.map { output in Result { () throws(FerryError) in try output.commit() } }
    #expect(results.count { (try? $0.get()) != nil } == 1)
    #expect(try folder.text("f") == "0")
    #expect(try folder.names == ["f"])
  }

  @Test(arguments: [0o600, 0o640, 0o755, 0o666])
  func `A replaced file keeps its mode`(_ mode: Int) throws {
    let folder = try Folder()
    try folder.make("f", mode: mode)
    let output = try FileOutput(path: folder.path("f"), replacing: true)
    try output.commit()
    #expect(try folder.mode("f") == mode)
    #expect(try folder.text("f") == "")
  }

  @Test func `A symbolic link stays, and its target is replaced`() throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(atPath: folder.path("there"), withIntermediateDirectories: true)
    try folder.make("there/f", mode: 0o600)
    try folder.link("there/second", to: "f")
    try folder.link("first", to: "there/second")
    #expect(throws: FerryError(.file(.exists))) { try FileOutput(path: folder.path("first")) }
    let output = try FileOutput(path: folder.path("first"), replacing: true)
    try output.write(text.span)
    try output.commit()
    #expect(folder.isLink("first") && folder.isLink("there/second") && !folder.isLink("there/f"))
    #expect(try folder.text("there/f") == "new")
    #expect(try folder.mode("there/f") == 0o600)
    #expect(try folder.names == ["first", "there"])
  }

  @Test func `A link to a missing file makes the file`() throws {
    let folder = try Folder()
    try folder.link("link", to: folder.path("f"))
    let output = try FileOutput(path: folder.path("link"))
    try output.write(text.span)
    try output.commit()
    #expect(folder.isLink("link") && !folder.isLink("f"))
    #expect(try folder.text("f") == "new")
  }

  @Test func `Links in a circle are refused`() throws {
    let folder = try Folder()
    try folder.link("a", to: "b")
    try folder.link("b", to: "a")
    let failure = #expect(throws: FerryError.self) { try FileOutput(path: folder.path("a"), replacing: true) }
    #expect(failure?.reason == .file(.system("too many levels of symbolic links", errno: ELOOP)))
  }

  @Test func `A file that cannot be written is refused before anything is written`() throws {
    let folder = try Folder()
    #expect(throws: FerryError(.file(.isDirectory))) {
      try FileOutput(path: folder.url.path, replacing: true)
    }
    #expect(throws: FerryError(.file(.isDirectory))) { try FileOutput(path: folder.path("new") + "/") }
    #expect(throws: FerryError(.file(.folderNotFound(folder.path("no"))))) {
      try FileOutput(path: folder.path("no/f"))
    }
    guard getuid() != 0 else { return }
    try folder.make("f", mode: 0o444)
    #expect(throws: FerryError(.file(.notWritable("permission denied", errno: EACCES)))) {
      try FileOutput(path: folder.path("f"), replacing: true)
    }
    #expect(try folder.names == ["f"])
  }

  @Test func `A device and a pipe are written in place`() throws {
    let null = try FileOutput(path: "/dev/null")
    try null.write(text.span)
    try null.commit()
    let pipe = Pipe()
    let output = try FileOutput(path: "/dev/fd/\(pipe.fileHandleForWriting.fileDescriptor)")
    try output.write(text.span)
    try output.commit()
    try pipe.fileHandleForWriting.close()
    #expect(try pipe.fileHandleForReading.readToEnd() == Data(text))
  }

  @Test func `A full device is reported`() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else {
      try Test.cancel("there is no /dev/full")
    }
    let output = try FileOutput(path: "/dev/full")
    #expect(throws: FerryError(.file(.system("no space left on device", errno: ENOSPC)))) {
      try output.write(text.span)
    }
  }

  @Test func `A committed output accepts no more bytes`() throws {
    let folder = try Folder()
    let output = try FileOutput(path: folder.path("f"))
    try output.commit()
    #expect(throws: FerryError(.file(.notOpen))) { try output.write(text.span) }
    #expect(throws: FerryError(.file(.notOpen))) { try output.commit() }
    #expect(try folder.names == ["f"])
  }
}

/// Removes the leftovers in the folder for temporary files, again and again, as other programs would.
private final class LeftoverRemover: Sendable {
  private let isDone = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)

  init() {
    Thread.detachNewThread { [self] in
      let folder = SystemPath.temporaryFolder
      while !isDone.load(ordering: .relaxed) {
        Leftovers.remove(from: folder, beside: folder + "/new")
      }
      ended.signal()
    }
  }

  func end() {
    isDone.store(true, ordering: .relaxed)
    ended.wait()
  }
}

@Suite struct `Temporary files` {
  @Test func `A temporary file that another program locks or has removed is not kept`() throws {
    let folder = try Folder()
    let path = folder.path(".ferry-temporary-0000000000abc")
    let file = try SystemFile(creating: path, mode: 0o600)
    do {
      let other = try SystemFile(reading: path)
      let locking = try other.lock()
      let isKept = try file.isKept()
      #expect(locking == .locked && !isKept)
      other.unlock()
    }
    let isKept = try file.isKept()
    try SystemPath.remove(path)
    let isKeptWithoutName = try file.isKept()
    #expect(isKept && !isKeptWithoutName)
  }

  @Test func `A new temporary file is not removed as a leftover`() throws {
    let remover = LeftoverRemover()
    defer { remover.end() }
    for _ in 0..<3_000 {
      var path = ""
      let file = try SystemFile.temporary(at: &path)
      #expect(try file.isAt(path))
      try SystemPath.remove(path)
      _ = try SystemFile.temporary()
    }
  }

  @Test func `A new database has its records while leftovers are removed`() throws {
    let remover = LeftoverRemover()
    defer { remover.end() }
    for _ in 0..<100 {
      let output = MemoryOutput()
      _ = try Conversion(to: .sqlite).convert(MemoryInput(Array(#"[{"a":1}]"#.utf8)), to: output)
      #expect(output.bytes.starts(with: "SQLite format 3".utf8))
    }
  }
}

@Suite struct `The standard output` {
  @Test func `The standard output is written under either of its names`() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      try StandardOutput().write(Array("one ".utf8).span)
      let output = try FileOutput(path: "/dev/stdout")
      try output.write(Array("two ".utf8).span)
      try output.commit()
      try StandardOutput().write(Array("three".utf8).span)
    }
    #expect(String(decoding: result.standardOutputContent, as: UTF8.self).contains("one two three"))
  }

  @Test func `A closed reader of the standard output is named in the error`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_IGN)
      let pipe = Pipe()
      dup2(pipe.fileHandleForWriting.fileDescriptor, 1)
      try pipe.fileHandleForReading.close()
      #expect(throws: FerryError(.file(.brokenPipe))) { try StandardOutput().write(Array("x".utf8).span) }
    }
  }
}
