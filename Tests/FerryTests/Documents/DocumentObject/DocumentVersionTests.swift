import Foundation
import TestSupport
import Testing

@testable import Ferry

@Suite(.temporaryDirectory) struct `Versions of a document on disk` {
  private var path: String { TemporaryDirectory.current.path("a") }

  private func version(taken: FileStamp.Time = .now) throws -> DocumentVersion {
    try #require(try DocumentVersion(of: path, taken: taken))
  }

  @Test func `Versions are compared by contents if the clock may not have moved on`() throws {
    try TemporaryDirectory.current.write("a", "now")
    // As after a write of the same size within one tick: all that the system says is the same.
    for (contents, isSame) in [("now", true), ("old", false)] {
      let old = try version().containing(.file(Array(contents.utf8)))
      #expect(try version().isIdentical(to: old))
      #expect(try version().isSame(as: old, at: path) == isSame)
    }
  }

  @Test func `Versions are compared by times alone if the times differ enough`() throws {
    try TemporaryDirectory.current.write("a", "now")
    let now = FileStamp.Time.now
    let later = FileStamp.Time(seconds: now.seconds + 10, nanoseconds: 0)
    let old = try version(taken: later).containing(.file(Array("old".utf8)))
    // Nothing is read: the file was written long before the version was taken, and not touched since.
    #expect(try version().isSame(as: old, at: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(try !version().isSame(as: old, at: path))
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 200_001])
  func `A version has the same digest of a file as of its bytes`(_ count: Int) throws {
    var bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    try TemporaryDirectory.current.write("a", bytes)
    #expect(try ContentDigest(ofFile: path) == ContentDigest(of: bytes))
    bytes.append(0)
    #expect(try ContentDigest(ofFile: path) != ContentDigest(of: bytes))
  }
}
