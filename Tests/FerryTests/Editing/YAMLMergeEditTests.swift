import TestSupport
import Testing

@testable import Ferry

/// Changes of entries that are written in the values of merge keys.
@Suite(.enabled(if: PackageTraits.hasYAML)) struct `Changes in the merge keys of YAML` {
  private func edit(_ text: String, _ change: (EditableFile) throws -> Void) throws -> String {
    try Edited.text(text, in: .yaml, change)
  }

  static let set: [(String, String, String)] = [
    ("b: &b {y: 1}\na: {<<: [{z: 1}, *b]}\n", "z: 1", "z: 7"),
    ("b: &b {y: 1}\na: {<<: [*b, {w: 2, z: 1}]}\n", "z: 1", "z: 7"),
    ("b: &b {y: 1}\na:\n  <<:\n  - z: 1   # one\n    w: 2\n  - *b\n  q: 1\n", "z: 1", "z: 7"),
    ("a:\n  <<: [{z: 1}, {z: 2}]\n", "z: 1", "z: 7"),
    ("b: &b {z: 1}\na: {<<: [{<<: [{z: 3}, *b], w: 1}, *b]}\n", "z: 3", "z: 7"),
  ]

  @Test(arguments: set)
  func `An entry of a mapping in the list of a merge key is set in its place`(
    _ text: String, _ old: String, _ new: String
  ) throws {
    #expect(try edit(text) { try $0.set(7, at: "a.z") } == text.replacing(old, with: new))
  }

  static let removed: [(String, String)] = [
    ("b: &b {y: 1}\na: {<<: [{z: 1}, *b]}\n", "b: &b {y: 1}\na: {<<: [{}, *b]}\n"),
    ("b: &b {y: 1}\na: {<<: [*b, {w: 2, z: 1}]}\n", "b: &b {y: 1}\na: {<<: [*b, {w: 2}]}\n"),
    ("b: &b {y: 1}\na: {<<: [*b, {z: 1, w: 2}], q: 1}\n", "b: &b {y: 1}\na: {<<: [*b, {w: 2}], q: 1}\n"),
    (
      "b: &b {y: 1}\na:\n  <<:\n  - z: 1\n  - *b\n  q: 1\n",
      "b: &b {y: 1}\na:\n  <<:\n  - {}\n  - *b\n  q: 1\n"
    ),
    (
      "b: &b {y: 1}\na:\n  <<:\n  - w: 2\n    z: 1\n  - *b\n  q: 1\n",
      "b: &b {y: 1}\na:\n  <<:\n  - w: 2\n  - *b\n  q: 1\n"
    ),
    // A mapping right after the merge key.
    ("a:\n  <<:\n    z: 1\n  q: 1\n", "a:\n  <<: {}\n  q: 1\n"),
    ("b: &b {y: 1}\na:\n  <<:\n    z: 1\n    <<: *b\n", "b: &b {y: 1}\na:\n  <<:\n    <<: *b\n"),
    ("b: &b {y: 1}\na:\n  <<: {z: 1, <<: *b}\n", "b: &b {y: 1}\na:\n  <<: {<<: *b}\n"),
  ]

  @Test(arguments: removed)
  func `An entry of a mapping in a merge key is removed from that mapping`(
    _ text: String, _ edited: String
  ) throws {
    #expect(try edit(text) { try $0.remove(at: "a.z") } == edited)
  }

  @Test func `An entry that another mapping in the list of a merge key would give is not removed`() throws {
    for (text, anchor) in [
      ("b: &b {z: 1}\na: {<<: [{z: 3}, *b]}\n", "b"), ("a: {<<: [{z: 3}, {z: 4}]}\n", nil),
    ] {
      let error = #expect(throws: FerryError.self) { try edit(text) { try $0.remove(at: "a.z") } }
      #expect(error?.reason == .yaml(.mergedEntry(key: "z", anchor: anchor)))
    }
  }

  @Test func `An entry of an anchor in the list of a merge key is changed as with the anchor alone`() throws {
    let text = "b: &b {y: 1}\na: {<<: [{z: 1}, *b]}\n"
    let error = #expect(throws: FerryError.self) { try edit(text) { try $0.set(2, at: "a.y") } }
    #expect(error?.reason == .yaml(.sharedValue(anchor: "b")))
    #expect(
      try edit(text) { try $0.set(2, at: "a.y", insertsMissing: true) }
        == text.replacing("*b]", with: "*b], 'y': 2"))
  }

  @Test func `A removal at all aliases takes an entry out of the list of a merge key`() throws {
    var options = EditableFile.Options()
    (options.format, options.changesAliases) = (.yaml, true)
    let text = "b: &b {y: 1}\na: &a {<<: [{z: 1}, *b]}\nc: {<<: *a}\n"
    let file = try EditableFile(Array(text.utf8), options: options)
    try file.remove(at: "c.z")
    #expect(try file.bytes().elementsEqual(text.replacing("{z: 1}", with: "{}").utf8))
    #expect(file.changedCopies == 1)
  }
}
