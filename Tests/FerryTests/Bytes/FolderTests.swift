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
