import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Ferry

@Suite(.temporaryDirectory) struct `Paths of files` {
  private var directory: TemporaryDirectory { .current }

  /// A thread that replaces a file again and again.
  private final class Replacements: Sendable {
    private let count = Atomic(0)
    private static let enough = 2000

    init(of path: String) {
      Thread.detachNewThread { [self] in
        while !areEnough {
          _ = try? SystemFile(creating: path + ".new", mode: 0o600)
          try? SystemPath.move(path + ".new", replacing: path)
          count.add(1, ordering: .relaxed)
        }
      }
    }

    var areEnough: Bool { count.load(ordering: .relaxed) >= Self.enough }
  }

  @Test(arguments: [
    ("a", ".", "a", "b"), ("a.xml", ".", "a.xml", "b"), ("a/b", "a", "b", "a/b"),
    ("a/b/c", "a/b", "c", "a/b/b"),
    ("/a", "/", "a", "/b"), ("/a/b", "/a", "b", "/a/b"), ("é/ü.xml", "é", "ü.xml", "é/b"),
    ("./a", ".", "a", "./b"),
    ("..", ".", "..", "b"), ("a/..", "a", "..", "a/b"), (".a", ".", ".a", "b"), ("a/", ".", "a", "b"),
    ("a//b", "a", "b", "a/b"), ("//a", "/", "a", "/b"), ("a/b//", "a", "b", "a/b"), ("/", "/", "", "/b"),
    ("", ".", "", "b"),
  ])
  func `A path is divided into a folder and a name`(
    _ path: String, _ folder: String, _ name: String, _ sibling: String
  ) {
    #expect(SystemPath.folder(of: path) == folder)
    #expect(SystemPath.name(of: path) == name)
    #expect(SystemPath.sibling(of: path, named: "b") == sibling)
  }

  @Test func `The destination of a path has no redundant slashes`() throws {
    #expect(try SystemPath.destination(of: "none/a") == "none/a")
    #expect(try SystemPath.destination(of: "none//a/") == "none/a")
  }

  @Test func `A path with a NUL is refused, and is not the path of the file before it`() throws {
    try directory.write("a.json", "[1]")
    try directory.makeDirectory("folder")
    let (file, path) = (directory.path("a.json"), directory.path("a.json\0b"))
    let folder = directory.path("folder\0b")
    func refuses(_ call: () throws(FerryError) -> Void) {
      let error = #expect(throws: FerryError.self) { try call() }
      #expect(error?.reason == .file(.system("the path has a NUL in it", errno: EINVAL)))
    }
    refuses { () throws(FerryError) in _ = try FileInput(path: path) }
    refuses { () throws(FerryError) in _ = try FileOutput(path: path, replacing: true) }
    refuses { () throws(FerryError) in _ = try EditableFile(path: path) }
    refuses { () throws(FerryError) in try EditableFile(path: file).write(to: path) }
    refuses { () throws(FerryError) in _ = try SystemFile(readingBytes: Array(path.utf8)) }
    refuses { () throws(FerryError) in _ = try SystemFile(readingNoLink: path) }
    refuses { () throws(FerryError) in _ = try SystemFile(writing: path) }
    refuses { () throws(FerryError) in _ = try SystemFile(creating: directory.path("new\0b"), mode: 0o600) }
    refuses { () throws(FerryError) in _ = try FolderLock(folder) }
    refuses { () throws(FerryError) in _ = try DatabaseFiles(at: path) }
    refuses { () throws(FerryError) in _ = try SystemPath.names(in: folder) }
    refuses { () throws(FerryError) in _ = try SystemPath.exactNames(in: folder) }
    refuses { () throws(FerryError) in _ = try SystemPath.target(ofLink: path) }
    refuses { () throws(FerryError) in _ = try SystemPath.addName(directory.path("name\0b"), to: file) }
    refuses { () throws(FerryError) in _ = try SystemPath.exchange(file, path) }
    refuses { () throws(FerryError) in try SystemPath.checkWritable(path) }
    refuses { () throws(FerryError) in try SystemPath.makeFolder(directory.path("new\0b")) }
    refuses { () throws(FerryError) in try SystemPath.makeNewFolder(directory.path("new\0b")) }
    refuses { () throws(FerryError) in try SystemPath.makeLink(directory.path("link"), to: "a.json\0b") }
    refuses { () throws(FerryError) in try SystemPath.move(file, replacing: directory.path("name\0b")) }
    refuses { () throws(FerryError) in try SystemPath.move(file, toNew: directory.path("name\0b")) }
    refuses { () throws(FerryError) in try SystemPath.moveFolder(folder, toNew: directory.path("name")) }
    refuses { () throws(FerryError) in try SystemPath.remove(path) }
    refuses { () throws(FerryError) in try SystemPath.removeFolder(folder) }
    refuses { () throws(FerryError) in try SystemPath.removeAll(folder) }
    #expect(SystemPath.resolved(path) == nil)
    #expect(!SystemPath.isReadable(path))
    #expect(SystemPath.normalized(path) != SystemPath.normalized(file))
    #expect(SystemPath.name(of: path) == "a.json\0b")
    #expect(try directory.names().sorted() == ["a.json", "folder"])
    #expect(try directory.text("a.json") == "[1]")
  }

  @Test func `A file is the same by all its paths while another program replaces it`() throws {
    try directory.write("a.json", "1")
    try directory.makeDirectory("inner")
    for (link, target) in [("link.json", "a.json"), ("folder", ".")] {
      try FileManager.default.createSymbolicLink(
        atPath: directory.path(link), withDestinationPath: target)
    }
    let names = ["a.json", "./a.json", "inner/../a.json", "link.json", "folder/a.json", "folder/link.json"]
    let replacements = Replacements(of: directory.path("a.json"))
    while !replacements.areEnough {
      for name in names {
        for other in names {
          guard !Folder.isSame(directory.path(name), directory.path(other)) else { continue }
          Issue.record("\(name) and \(other)")
          return
        }
      }
    }
  }

  @Test func `Other files, missing files and devices are not the same`() throws {
    try directory.write("a.json", "1")
    try directory.write("b.json", "1")
    try directory.makeDirectory("inner")
    try directory.write("inner/a.json", "1")
    for name in ["b.json", "inner/a.json", "none.json"] {
      #expect(!Folder.isSame(directory.path("a.json"), directory.path(name)), "\(name)")
    }
    #expect(!Folder.isSame(directory.path("none.json"), directory.path("none.json")))
    #expect(!Folder.isSame("/dev/null", "/dev/null"))
    #expect(Folder.isSame(directory.path("inner"), directory.path("inner/")))
  }

  /// A combining character is one `Character` with the slash before it.
  @Test(arguments: ["a", "\u{301}a"])
  func `A file in a folder is not found through a symbolic link`(name: String) throws {
    for folder in ["in", "in/inner", "out"] { try directory.makeDirectory(folder) }
    try directory.write("in/inner/\(name)", "1")
    try directory.write("out/\(name)", "2")
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("in/link"), withDestinationPath: "../out")
    #expect(try Folder.file("inner/\(name)", in: directory.path("in")) == Array("1".utf8))
    #expect(try Folder.file("none/\(name)", in: directory.path("in")) == nil)
    let error = #expect(throws: FerryError.self) {
      try Folder.file("link/\(name)", in: directory.path("in"))
    }
    #expect(error?.reason == .package(.isLink("link/\(name)")))
  }

  @Test func `The locations of many paths are those of each of them`() throws {
    for folder in ["in", "out"] { try directory.makeDirectory(folder) }
    try directory.write("in/a", "1")
    for (link, target) in [("in/link", "../out/b"), ("inner", "in")] {
      try FileManager.default.createSymbolicLink(
        atPath: directory.path(link), withDestinationPath: target)
    }
    var locations = FolderLocations()
    let names = [
      "in/a", "in/none", "in/link", "inner/a", "in//a", "in/a/", "in/", "inner", "none/a", "in/a/b",
      "in/a\0b",
    ]
    for name in names + names {
      let path = directory.path(name)
      let found = locations.find(path)
      #expect(found.location == Folder.location(of: path), "\(name)")
      #expect(found.exists == Folder.hasSomething(at: path), "\(name)")
      #expect(!found.isFree || !Folder.hasSomething(at: path), "\(name)")
      #expect(!found.isRegularFile || Folder.isFile(path), "\(name)")
    }
    #expect(locations.find(directory.path("in/none")).isFree)
    #expect(!locations.find(directory.path("in/link")).isFree)
    let (file, link) = (locations.find(directory.path("inner/a")), locations.find(directory.path("inner")))
    #expect(file.isRegularFile && !link.isRegularFile)
    #expect(locations.find(directory.path("in/a")).isRegularFile)
    // Each folder is looked up once.
    let location = locations.find(directory.path("in/none")).location
    try FileManager.default.moveItem(atPath: directory.path("in"), toPath: directory.path("moved"))
    try directory.makeDirectory("in")
    #expect(locations.find(directory.path("in/none")).location == location)
    #expect(Folder.location(of: directory.path("in/none")) != location)
  }

  @Test(arguments: [("a.xml", "<a/>"), ("a.db", "SQLite format 3\0"), ("empty", "")])
  func `A file has changed with its bytes, and a database also with its log`(
    _ name: String, _ text: String
  ) throws {
    let path = directory.path(name)
    try directory.write(name, text)
    let state = Folder.contentState(of: try FileInput(path: path))
    #expect(!Folder.isChanged(path, since: state))
    try directory.write(name + "-wal", "log")
    #expect(Folder.isChanged(path, since: state) == (name != "a.xml"))
    try directory.write(name, text + " ")
    #expect(Folder.isChanged(path, since: state))
    let ofFile = Folder.contentState(ofFolder: path)
    #expect(ofFile == nil)
    let ofFolder = try #require(Folder.contentState(ofFolder: directory.path))
    #expect(!Folder.isChanged(directory.path, since: ofFolder))
    try directory.write("b", "1")
    #expect(Folder.isChanged(directory.path, since: ofFolder))
    #expect(Folder.isChanged(directory.path, since: state))
    #expect(Folder.isChanged(directory.path("none"), since: state))
  }

  @Test func `A missing folder is looked up in a folder of many files as fast as in one of few`() throws {
    let sizes = [10, 2000]
    for size in sizes {
      try directory.makeDirectory("\(size)")
      for number in 0..<size { try directory.write("\(size)/\(number).json", "1") }
    }
    expectGrowth(from: sizes[0], to: sizes[1], lessThan: 6) { size in
      let folder = directory.path("\(size)")
      return processorTime {
        for number in 0..<100 { #expect(!Folder.isFolder("\(folder)/\(number).mystuff")) }
      }
    }
  }

  @Test func `A folder is made with those around it, whatever their names begin with`() throws {
    let path = directory.path("a/\u{301}b/c")
    try Folder.checkMaking(path)
    try Folder.make(path)
    #expect(Folder.isFolder(path))
  }
}
