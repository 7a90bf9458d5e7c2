import Foundation
import TestSupport
import Testing

@testable import Ferry

private var directory: TemporaryDirectory { .current }

/// The inode and time stamp of a file, as `stat` tells them.
private func stamp(_ name: String) throws -> FileStamp {
  try #require(try SystemPath.status(of: directory.path(name), followingLinks: false)).stamp
}

/// A package of two images and records, as an app saves it.
private func makeThings() throws -> String {
  try directory.makeDirectory("T.mystuff")
  try directory.write("T.mystuff/image.png", "first image")
  try directory.write("T.mystuff/1__#$!@%!#__image.png", "second image")
  try directory.write("T.mystuff/things.data", "records")
  return directory.path("T.mystuff")
}

private func expectFailure(_ reason: PackageProblem, _ body: () throws -> Void) {
  let failure = #expect(throws: FerryError.self) { try body() }
  #expect(failure?.reason == .package(reason), "\(failure?.message ?? "")")
}

@Suite(.temporaryDirectory) struct `Reading of packages` {
  @Test func `The records of a package have the format of its type, also in a conversion to the same type`()
    throws
  {
    let type = DocumentType(
      name: "people", identifier: "com.example.people", extensions: ["people"],
      layout: .package(main: "people", .csv, files: nil))
    var package = DocumentPackage()
    package.set(Array("name\nAda\n".utf8), named: "people")
    let conversion = Conversion(to: .json)
    let output = MemoryOutput()
    _ = try conversion.convert(package, of: type, to: output)
    #expect(String(decoding: output.bytes, as: UTF8.self) == "[{\"name\":\"Ada\"}]\n")
    let same = try conversion.package(of: type, from: package, of: type).package
    #expect(try same.bytes(of: "people") == package.bytes(of: "people"))
  }

  @Test func `A package is read with its names in order, and its files on request`() throws {
    let path = try makeThings()
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path + "/image.png")
    let package = try DocumentPackage(reading: path)
    #expect(package.names == ["1__#$!@%!#__image.png", "image.png", "things.data"])
    #expect(try package.bytes(of: "things.data") == Array("records".utf8))
    #expect(try package.bytes(of: "no.png") == nil)
    // What nobody asks for may even be gone.
    try FileManager.default.removeItem(atPath: path + "/1__#$!@%!#__image.png")
    #expect(package.names.count == 3)
    expectFailure(.changed(["1__#$!@%!#__image.png"])) { _ = try package.bytes(of: "1__#$!@%!#__image.png") }
  }

  @Test func `Each file of a package is read once`() throws {
    let path = try makeThings()
    let package = try DocumentPackage(reading: path)
    let copy = package
    #expect(try package.bytes(of: "image.png") == Array("first image".utf8))
    try FileManager.default.removeItem(atPath: path)
    #expect(try copy.bytes(of: "image.png") == Array("first image".utf8))
  }

  @Test func `A file of a package that has changed since is refused`() throws {
    let path = try makeThings()
    let package = try DocumentPackage(reading: path)
    try directory.write("T.mystuff/image.png", "other image")
    expectFailure(.changed(["image.png"])) { _ = try package.bytes(of: "image.png") }
    #expect(try package.changesOnDisk() == ["image.png"])
    try directory.write("secret", "first image")
    try FileManager.default.removeItem(atPath: path + "/image.png")
    try FileManager.default.createSymbolicLink(
      atPath: path + "/image.png", withDestinationPath: directory.path("secret"))
    expectFailure(.changed(["image.png"])) { _ = try package.bytes(of: "image.png") }
  }

  @Test func `A package is read with folders inside`() throws {
    let path = try makeThings()
    try directory.makeDirectory("T.mystuff/images/old")
    try directory.makeDirectory("T.mystuff/empty")
    try directory.write("T.mystuff/images/a.png", "a")
    try directory.write("T.mystuff/images/old/b.png", "b")
    let package = try DocumentPackage(reading: path)
    #expect(package.names == ["1__#$!@%!#__image.png", "empty", "image.png", "images", "things.data"])
    #expect(try package.bytes(of: "images/old/b.png") == [UInt8(ascii: "b")])
    let images = try #require(package.folder(named: "images"))
    #expect(images.names == ["a.png", "old"])
    #expect(try images.bytes(of: "old/b.png") == [UInt8(ascii: "b")])
    #expect(package.folder(named: "empty")?.names == [])
    #expect(package.folder(named: "image.png") == nil && package.folder(named: "no") == nil)
    expectFailure(.isFolder("images")) { _ = try package.bytes(of: "images") }
  }

  @Test func `The links of a package are read as links`() throws {
    let path = try makeThings()
    try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: "/etc/passwd")
    try FileManager.default.createSymbolicLink(atPath: path + "/up", withDestinationPath: "..")
    let package = try DocumentPackage(reading: path)
    #expect(package.target(ofLink: "link") == "/etc/passwd")
    expectFailure(.isLink("link")) { _ = try package.bytes(of: "link") }
    #expect(try package.bytes(of: "up/T.mystuff/image.png") == nil)
    try package.write(to: directory.path("U.mystuff"))
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: directory.path("U.mystuff/link"))
        == "/etc/passwd")
    #expect(try DocumentPackage(reading: directory.path("U.mystuff")).target(ofLink: "up") == "..")
  }

  @Test func `A package with an entry that is not a file, folder or link is refused`() throws {
    let path = try makeThings()
    #expect(unsafe mkfifo(path + "/pipe", 0o600) == 0)
    expectFailure(.otherKind("pipe")) { _ = try DocumentPackage(reading: path) }
  }

  @Test func `A package is read within its budget`() throws {
    let path = try makeThings()
    try directory.makeDirectory("T.mystuff/a/b/c")
    var budget = Budget()
    budget.files = 5
    #expect(throws: FerryError(.overBudget(.files(5)))) { try DocumentPackage(reading: path, budget: budget) }
    budget.files = 6
    _ = try DocumentPackage(reading: path, budget: budget)
    budget.depth = 3
    #expect(throws: FerryError(.overBudget(.depth(3)), path: ValuePath([.key("a/b/c")]))) {
      try DocumentPackage(reading: path, budget: budget)
    }
    budget = Budget()
    budget.tokenBytes = 6
    let package = try DocumentPackage(reading: path, budget: budget)
    #expect(throws: FerryError(.overBudget(.tokenBytes(6)))) { try package.bytes(of: "things.data") }
  }

  @Test func `A package is read only from a folder`() throws {
    try directory.write("file", "x")
    #expect(throws: FerryError(.file(.notADirectory))) {
      try DocumentPackage(reading: directory.path("file"))
    }
    #expect(throws: FerryError(.file(.notFound))) {
      try DocumentPackage(reading: directory.path("no"))
    }
  }
}

@Suite struct `Names in a package` {
  @Test func `A package numbers names as Apple's frameworks do`() {
    var package = DocumentPackage()
    let names = (0..<3).map { _ in package.add([], preferredName: "image.png") }
    #expect(names == ["image.png", "1__#$!@%!#__image.png", "2__#$!@%!#__image.png"])
    #expect(package.add([], preferredName: "1__#$!@%!#__image.png") == "1__#$!@%!#__1__#$!@%!#__image.png")
    #expect(package.add([], preferredName: "images/image.png") == "images/image.png")
    #expect(package.add([], preferredName: "images/image.png") == "images/1__#$!@%!#__image.png")
    package.remove("1__#$!@%!#__image.png")
    #expect(package.add([], preferredName: "image.png") == "1__#$!@%!#__image.png")
    package.remove("image.png")
    #expect(package.add([], preferredName: "image.png") == "image.png")
    package.remove("images")
    #expect(package.add([], preferredName: "images/image.png") == "images/image.png")
  }

  @Test func `Files are replaced in a package of many in a time in proportion`() {
    var package = DocumentPackage()
    var names: [String] = []
    for index in 0..<20_000 { names.append(package.add([], preferredName: "\(index % 10).png")) }
    var newNames: [String] = []
    expectProcessorTime(atMost: .seconds(20), "20,000 files") {
      for (index, name) in names.enumerated() {
        package.remove(name)
        newNames.append(package.add([1], preferredName: "\(index % 10).png"))
      }
    }
    #expect(newNames == names)
  }

  @Test func `A folder in a package has the limits of the package`() throws {
    let path = try makeThings()
    try directory.makeDirectory("T.mystuff/images")
    try directory.write("T.mystuff/images/a.png", "a")
    var budget = Budget()
    budget.files = 7
    let package = try DocumentPackage(reading: path, budget: budget)
    #expect(package.folder(named: "images")?.budget == budget)
  }

  @Test func `New names in a package differ by more than capitals and accents`() {
    var package = DocumentPackage()
    #expect(package.add([], preferredName: "Image.PNG") == "Image.PNG")
    #expect(package.add([], preferredName: "image.png") == "1__#$!@%!#__image.png")
    #expect(package.add([], preferredName: "caf\u{e9}") == "caf\u{e9}")
    #expect(package.add([], preferredName: "cafe\u{301}") == "1__#$!@%!#__cafe\u{301}")
    // What is set is taken by its bytes.
    package.set([1], named: "cafe\u{301}")
    #expect(package.names.count == 5)
  }

  @Test(
    .temporaryDirectory,
    arguments: [
      "..", ".", "", "../x", "a/../../x", "/etc/x", "a//b", "a/", "x\0y", String(repeating: "a", count: 256),
      "a/" + String(repeating: "é", count: 128),
    ])
  func `Names that lead out of the package are refused when it is written`(name: String) throws {
    var package = DocumentPackage()
    package.set([1], named: name)
    let failure = #expect(throws: FerryError.self) { try package.write(to: directory.path("P.mystuff")) }
    guard case .package(.badName(let found, _))? = failure?.reason else {
      Issue.record("\(failure?.message ?? "")")
      return
    }
    #expect(found.utf8.elementsEqual(name.utf8))
    #expect(try directory.names() == [])
  }

  @Test(.temporaryDirectory) func `A name in a package cannot be a file and a folder`() throws {
    var package = DocumentPackage()
    package.set([1], named: "a")
    package.set([1], named: "a/b")
    #expect(throws: FerryError.self) { try package.write(to: directory.path("P.mystuff")) }
    package.setLink(to: "..", named: "a")
    #expect(throws: FerryError.self) { try package.write(to: directory.path("P.mystuff")) }
    #expect(try directory.names() == [])
  }
}

@Suite(.temporaryDirectory) struct `Writing of packages` {
  @Test func `A package is written to a free name`() throws {
    var package = DocumentPackage()
    package.set(Array("x".utf8), named: "things.data")
    package.set(Array("y".utf8), named: "images/a.png")
    try package.write(to: directory.path("P.mystuff"))
    #expect(try directory.names() == ["P.mystuff"])
    #expect(try directory.names(in: "P.mystuff") == ["images", "things.data"])
    #expect(try directory.text("P.mystuff/images/a.png") == "y")
    #expect(throws: FerryError(.file(.exists))) { try package.write(to: directory.path("P.mystuff")) }
    #expect(throws: FerryError(.file(.folderNotFound(directory.path("no"))))) {
      try package.write(to: directory.path("no/P.mystuff"))
    }
  }

  @Test func `Unchanged files of a written package keep their file and its time stamp`() throws {
    let path = try makeThings()
    try directory.makeDirectory("T.mystuff/images")
    try directory.write("T.mystuff/images/a.png", "a")
    try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path + "/images")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path + "/things.data")
    let (image, inner, data) =
      (
        try stamp("T.mystuff/image.png"), try stamp("T.mystuff/images/a.png"),
        try stamp("T.mystuff/things.data")
      )
    var package = try DocumentPackage(reading: path)
    package.set(Array("new records".utf8), named: "things.data")
    package.remove("1__#$!@%!#__image.png")
    let written = try package.write(to: path, replacing: true)
    #expect(try stamp("T.mystuff/image.png") == image)
    #expect(try stamp("T.mystuff/images/a.png") == inner)
    #expect(try stamp("T.mystuff/things.data").inode != data.inode)
    #expect(try directory.text("T.mystuff/things.data") == "new records")
    #expect(try directory.names(in: "T.mystuff") == ["image.png", "images", "things.data"])
    #expect(try directory.names() == ["T.mystuff"])
    for (name, mode) in [("", 0o750), ("/images", 0o700), ("/things.data", 0o640)] as [(String, UInt16)] {
      #expect(try SystemPath.status(of: path + name)?.mode == mode)
    }
    // What is given back can be changed and written on.
    var next = written
    next.set(Array("newer records".utf8), named: "things.data")
    try next.write(to: path, replacing: true)
    #expect(try stamp("T.mystuff/image.png") == image)
    #expect(try directory.text("T.mystuff/things.data") == "newer records")
  }

  @Test func `The same bytes over a file of a package leave the file alone`() throws {
    let path = try makeThings()
    let image = try stamp("T.mystuff/image.png")
    var package = DocumentPackage()
    package.set(Array("first image".utf8), named: "image.png")
    package.set(Array("x".utf8), named: "things.data")
    try package.write(to: path, replacing: true)
    #expect(try stamp("T.mystuff/image.png") == image)
    #expect(try directory.names(in: "T.mystuff") == ["image.png", "things.data"])
  }

  @Test func `A package is written again with the changes made meanwhile`() throws {
    let path = try makeThings()
    var package = try DocumentPackage(reading: path)
    package.set([1], named: "new.png")
    package.set([2], named: "things.data")
    let snapshot = package
    // While that is written:
    package.set([3], named: "things.data")
    package.set([4], named: "newer.png")
    package.remove("1__#$!@%!#__image.png")
    package.rebase(onto: try snapshot.write(to: path, replacing: true))
    #expect(try directory.bytes("T.mystuff/things.data") == [2])
    let inodes = try ["image.png", "new.png"].map { try stamp("T.mystuff/\($0)").inode }
    #expect(try package.changesOnDisk() == [])
    package.rebase(onto: try package.write(to: path, replacing: true))
    #expect(try directory.names(in: "T.mystuff") == ["image.png", "new.png", "newer.png", "things.data"])
    #expect(try directory.bytes("T.mystuff/things.data") + directory.bytes("T.mystuff/newer.png") == [3, 4])
    #expect(try ["image.png", "new.png"].map { try stamp("T.mystuff/\($0)").inode } == inodes)
    #expect(try package.bytes(of: "new.png") == [1])
  }

  @Test func `A package that is written elsewhere continues there`() throws {
    let path = try makeThings()
    var package = try DocumentPackage(reading: path)
    package.rebase(onto: try package.write(to: directory.path("U.mystuff")))
    try FileManager.default.removeItem(atPath: path)
    package.set([1], named: "things.data")
    try package.write(to: directory.path("U.mystuff"), replacing: true)
    #expect(try package.bytes(of: "image.png") == Array("first image".utf8))
    #expect(try directory.bytes("U.mystuff/things.data") == [1])
    #expect(try directory.text("U.mystuff/image.png") == "first image")
  }

  @Test func `A package that is written elsewhere as a copy shares nothing with the first one`() throws {
    let path = try makeThings()
    let image = try stamp("T.mystuff/image.png")
    try DocumentPackage(reading: path).write(to: directory.path("U.mystuff"))
    let copy = try stamp("U.mystuff/image.png")
    #expect(copy.inode != image.inode && copy.modified == image.modified)
    #expect(try directory.text("U.mystuff/image.png") == "first image")
  }

  @Test func `A package is written through a symbolic link, which stays`() throws {
    let path = try makeThings()
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("link.mystuff"), withDestinationPath: "T.mystuff")
    var package = try DocumentPackage(reading: directory.path("link.mystuff/"))
    package.set([1, 2], named: "things.data")
    try package.write(to: directory.path("link.mystuff/"), replacing: true)
    #expect(try directory.bytes("T.mystuff/things.data") == [1, 2])
    #expect(try SystemPath.status(of: directory.path("link.mystuff"), followingLinks: false)?.kind == .link)
    #expect(try SystemPath.status(of: path, followingLinks: false)?.kind == .directory)
  }

  @Test func `A package does not replace a folder of another kind`() throws {
    try directory.makeDirectory("Documents")
    try directory.write("Documents/letter.txt", "Dear")
    try directory.write("file", "x")
    var package = DocumentPackage()
    package.set([1], named: "things.data")
    expectFailure(.notAPackage) { try package.write(to: directory.path("Documents"), replacing: true) }
    #expect(throws: FerryError(.file(.notADirectory))) {
      try package.write(to: directory.path("file"), replacing: true)
    }
    #expect(try directory.names() == ["Documents", "file"])
    #expect(try directory.names(in: "Documents") == ["letter.txt"])
    try directory.makeDirectory("Empty.mystuff")
    try package.write(to: directory.path("Empty.mystuff"), replacing: true)
    #expect(try directory.names(in: "Empty.mystuff") == ["things.data"])
  }

  @Test func `A package does not replace the changes of another program`() throws {
    let path = try makeThings()
    var package = try DocumentPackage(reading: path)
    package.set(Array("mine".utf8), named: "things.data")
    try directory.write("T.mystuff/things.data", "theirs!")
    try directory.write("T.mystuff/new.png", "new")
    expectFailure(.changed(["new.png", "things.data"])) { try package.write(to: path, replacing: true) }
    #expect(try directory.text("T.mystuff/things.data") == "theirs!")
    #expect(try directory.names() == ["T.mystuff"])
    try package.write(to: path, replacing: true, overwritingChanges: true)
    #expect(try directory.text("T.mystuff/things.data") == "mine")
    #expect(
      try directory.names(in: "T.mystuff") == ["1__#$!@%!#__image.png", "image.png", "things.data"])
  }

  @Test func `Only one of two writers of the same package succeeds, and the other gets an error`() throws {
    let path = try makeThings()
    var (first, second) = (try DocumentPackage(reading: path), try DocumentPackage(reading: path))
    first.set(Array("first".utf8), named: "things.data")
    second.set(Array("second".utf8), named: "other.data")
    try first.write(to: path, replacing: true)
    expectFailure(.changed(["things.data"])) { try second.write(to: path, replacing: true) }
    #expect(try directory.text("T.mystuff/things.data") == "first")
  }

  @Test func `Many writers of a package lose no update in silence`() async throws {
    let path = directory.path("Count.mystuff")
    var package = DocumentPackage()
    package.set(Array("0".utf8), named: "count")
    package.set([UInt8](repeating: 7, count: 10_000), named: "image.png")
    try package.write(to: path)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 { group.addTask { try await Self.countUp(path, times: 25) } }
      var written = 0
      for try await count in group { written += count }
      #expect(written == 100)
    }
    #expect(try directory.text("Count.mystuff/count") == "100")
    #expect(try directory.names() == ["Count.mystuff"])
  }

  @concurrent
  private static func countUp(_ path: String, times: Int) async throws -> Int {
    var written = 0
    while written < times {
      do throws(FerryError) {
        var package = try DocumentPackage(reading: path)
        guard let bytes = try package.bytes(of: "count"),
          let count = Int(String(decoding: bytes, as: UTF8.self))
        else { continue }
        package.set(Array("\(count + 1)".utf8), named: "count")
        try package.write(to: path, replacing: true)
        written += 1
      } catch {
        // A reader may also read during a change, and then gets an error.
        guard case .package(.changed) = error.reason else { continue }
      }
    }
    return written
  }

  @Test func `A package is written after the folders that a killed program left are removed`() throws {
    try directory.makeDirectory(".ferry-package-left/inner")
    try directory.write(".ferry-package-left/inner/a", "a")
    try directory.makeDirectory(".ferry-package-living")
    try directory.write(".ferry-package-file", "no folder")
    let living = try FolderLock(directory.path(".ferry-package-living"))
    var package = DocumentPackage()
    package.set([1], named: "things.data")
    try package.write(to: directory.path("P.mystuff"))
    #expect(try directory.names() == [".ferry-package-file", ".ferry-package-living", "P.mystuff"])
    living?.release()
  }

  @Test func `A package is written whole or not at all`() throws {
    let path = try makeThings()
    var package = try DocumentPackage(reading: path)
    package.set([1], named: "things.data")
    package.set([1], named: "images/" + String(repeating: "a/", count: 2000) + "b")
    // The path is longer than the system takes.
    #expect(throws: FerryError.self) { try package.write(to: path, replacing: true) }
    #expect(try directory.names() == ["T.mystuff"])
    #expect(try directory.text("T.mystuff/things.data") == "records")
  }
}
