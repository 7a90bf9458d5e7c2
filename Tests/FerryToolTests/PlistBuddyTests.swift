import Ferry
import TestSupport
import Testing

@testable import FerryTool

@Suite(.temporaryDirectory) struct `Commands of PlistBuddy` {
  @Test(arguments: [
    "Set :top:key# 7", "Add :top:new# string x", "Add :list: string x", "Copy :top:key# :top:new#",
    "Delete :top:key1#",
  ])
  func `Many commands take time in proportion to their number`(_ command: String) throws {
    // A copy of the dictionary for each command would take 64 times the time.
    try expectGrowth(from: 500, to: 4_000, lessThan: 24) { count in
      let entries = (0..<10 * count).map { #""key\#($0)":0"# }.joined(separator: ",")
      try directory.write("a.plist", #"{"top":{\#(entries)},"list":[]}"#)
      let session = try #require(
        PlistBuddySession(
          of: directory.path("a.plist"), followsLinks: true, showsXML: false, beginning: .watching))
      let commands = (0..<count).map { command.replacing("#", with: "\($0)") }
      return processorTime { #expect(session.run(commands)) }
    }
  }
}
