import Foundation
import TestSupport
import Testing

@testable import Ferry

/// All combinations of the capabilities that a file system may have.
let meansOfFileSystems: [RenamingMeans] = (0..<8).map { RenamingMeans(rawValue: $0) }

@Suite(.temporaryDirectory) struct `Renaming of files by every system call` {
  private var directory: TemporaryDirectory { .current }

  @Test(arguments: meansOfFileSystems) func `A file gets a free name by every system call`(
    _ means: RenamingMeans
  ) throws {
    try directory.write("a", "new")
    try SystemPath.move(directory.path("a"), toNew: directory.path("b"), by: means)
    #expect(try directory.names() == ["b"])
    #expect(try directory.text("b") == "new")
    #expect(try SystemPath.status(of: directory.path("b"))?.links == 1)
  }

  @Test(arguments: meansOfFileSystems) func `A file gets no name of another file by any system call`(
    _ means: RenamingMeans
  ) throws {
    try directory.write("a", "new")
    try directory.write("b", "theirs")
    try directory.makeDirectory("c")
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("d"), withDestinationPath: "nowhere")
    for name in ["b", "c", "d"] {
      #expect(throws: FerryError(.file(.exists))) {
        try SystemPath.move(directory.path("a"), toNew: directory.path(name), by: means)
      }
    }
    #expect(try directory.names() == ["a", "b", "c", "d"])
    #expect(try directory.text("a") + directory.text("b") == "newtheirs")
  }

  @Test(arguments: meansOfFileSystems) func `A file gets no name of a folder by any system call`(
    _ means: RenamingMeans
  ) throws {
    try directory.makeDirectory("a/in")
    try directory.makeDirectory("b/in")
    try directory.write("c", "theirs")
    for name in ["b", "c"] {
      #expect(throws: FerryError(.file(.exists))) {
        try SystemPath.moveFolder(directory.path("a"), toNew: directory.path(name), by: means)
      }
    }
    try SystemPath.moveFolder(directory.path("a"), toNew: directory.path("d"), by: means)
    #expect(try directory.names() == ["b", "c", "d"])
  }
}
