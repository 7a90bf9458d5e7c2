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

  @Test(arguments: ["c:\n  <<: {z: s, y: 2} # note\n  k: v\n", "c:\n  <<: [{y: 2}, {z: s}] # note\n  k: v\n"])
  func `A text or a key in the braces of a merge key has quotation marks if it needs them there`(
    _ text: String
  ) throws {
    #expect(try edit(text) { try $0.set("a, b", at: "c.z") } == text.replacing("z: s", with: "z: \"a, b\""))
    #expect(try edit(text) { try $0.set("a b", at: "c.z") } == text.replacing("z: s", with: "z: a b"))
    let key = ValuePath([.key("c"), .key("n, m")])
    #expect(
      try edit(text) { try $0.move("c.z", to: key) } == text.replacing("z: s", with: "\"n, m\": s"))
  }

  @Test func `A text of an entry in block style below a merge key has only the quotation marks of blocks`()
    throws
  {
    let text = "c:\n  <<:\n    z: s\n  k: v\n"
    #expect(try edit(text) { try $0.set("a, b", at: "c.z") } == text.replacing("z: s", with: "z: a, b"))
  }

  @Test func `A value after a key without a colon in a merge key has a colon in the layout of that mapping`()
    throws
  {
    let braces = "c:\n  <<: {z, y: 2} # note\n  k: v\n"
    #expect(try edit(braces) { try $0.set("a", at: "c.z") } == braces.replacing("{z", with: "{z: a"))
    let block = "c:\n  <<:\n    ? z\n    y: 2 # note\n  k: v\n"
    #expect(try edit(block) { try $0.set("a", at: "c.z") } == block.replacing("? z", with: "? z\n    : a"))
  }

  @Test func `A dictionary in place of a list below a merge key is indented further than its key`() throws {
    let text = "c:\n  <<:\n    z:\n    - 1\n    y: 2 # note\n  k: v\n"
    #expect(try edit(text) { try $0.set(["a": 1], at: "c.z") } == text.replacing("- 1", with: "  a: 1"))
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

  @Test(arguments: [
    ("d:\n  <<: {e: 4, f: 1}\n  e: 5\n", "d:\n  <<: {e: 4, f: 1}\n"),
    ("d:\n  <<: [{e: 4}, {e: 5}]\n", "d:\n  <<: [{}, {e: 5}]\n"),
    ("d: {<<: {f: 1, e: 4, g: 2}, e: 5, h: 3}\n", "d: {<<: {f: 1, e: 4, g: 2}, h: 3}\n"),
    (
      "d:\n  x: 1\n  e: 5\n  <<: [{f: 1}, {e: 4, f: 3, g: 2}]\n",
      "d:\n  x: 1\n  <<: [{f: 1}, {e: 4, f: 3, g: 2}]\n"
    ),
    ("d:\n  <<: {e: 4}\n  e: 5\na: &a {e: 1}\nb: *a\n", "d:\n  <<: {e: 4}\na: &a {e: 1}\nb: *a\n"),
  ])
  func `With changes at aliases, an entry is removed although a mapping in a merge key gives another value`(
    _ text: String, _ edited: String
  ) throws {
    var options = EditableFile.Options()
    (options.format, options.changesAliases) = (.yaml, true)
    let file = try EditableFile(Array(text.utf8), options: options)
    try file.remove(at: "d.e")
    #expect(String(decoding: try file.edited().bytes, as: UTF8.self) == edited)
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
