import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `References in merges` {
  private static let yaml = "d: &d\n  image: x:1\na:\n  <<: *d\n"
  private static let xml = "<!DOCTYPE r [<!ENTITY v \"1\">]>\n<r>\n  <a>&v;</a>\n  <z>0</z>\n</r>\n"

  fileprivate struct Case: Sendable {
    /// The name of the files.
    let name: String
    let base: String
    /// The version with a new reference, that with a changed value, and the result.
    let added, changed, merged: String

    init(_ name: String, _ base: String, _ add: (String) -> String, _ change: (String) -> String) {
      (self.name, self.base, added, changed) = (name, base, add(base), change(base))
      merged = add(changed)
    }
  }

  private static let cases: [Case] =
    ["n:\n  <<: *d\n", "n: *d\n", "# new\nn: [*d, 1]\n", "  image: x:9\n"].map { end in
      Case("x.yaml", yaml) {
        $0 + end
      } _: {
        $0.replacing("x:1", with: "x:2")
      }
    } + [
      Case("x.yaml", "{\"d\": &d \"x\", \"a\": *d}\n") {
        $0.replacing("}", with: ", \"n\": *d}")
      } _: {
        $0.replacing("\"x\"", with: "\"y\"")
      },
      Case("x.xml", xml) {
        $0.replacing("  <z>", with: "  <n>&v;</n>\n  <z>")
      } _: {
        $0.replacing("\"1\"", with: "\"2\"")
      },
    ]

  @Test(arguments: cases)
  fileprivate func `A new reference leads to the value that the other side has changed`(
    _ test: Case
  ) async throws {
    for (ours, theirs) in [(test.added, test.changed), (test.changed, test.added)] {
      let run = try await mergeVersions(of: test.name, test.base, ours, theirs)
      expectQuiet(run)
      #expect(run.output == test.merged)
    }
  }

  @Test func `A conflict shows references as they are written, and those to a value are not conflicts`()
    async throws
  {
    let theirs = Self.yaml.replacing("x:1", with: "x:2")
    let changed = try await mergeVersions(
      of: "x.yaml", Self.yaml, Self.yaml.replacing("x:1", with: "x:3"), theirs)
    expectFailure(
      changed,
      """
      o-x.yaml: conflict at d.image: ours "x:3", theirs "x:2", base "x:1"
      o-x.yaml: 1 conflict, so nothing was written (--favor ours or --favor theirs decides)
      """)
    let added = try await mergeVersions(of: "x.yaml", Self.yaml, Self.yaml + "n: *d\n", theirs + "n: 1\n")
    expectFailure(
      added,
      """
      o-x.yaml: conflict at n: ours "*d", theirs 1, base nothing
      o-x.yaml: 1 conflict, so nothing was written (--favor ours or --favor theirs decides)
      """)
  }

  @Test func `A new reference to a value that the other side has renamed and changed is a conflict`()
    async throws
  {
    let added = Self.yaml + "n: *d\n"
    let renamed = Self.yaml.replacing("x:1", with: "x:2").replacing("&d", with: "&e")
      .replacing("*d", with: "*e")
    let ours = try await mergeVersions(of: "x.yaml", Self.yaml, added, renamed)
    #expect(ours.status == 1)
    #expect(
      ours.errors.contains("conflict in the text of line 5: ours \"*d\", theirs nothing, base nothing"),
      "\(ours.errors)")
    let theirs = try await mergeVersions(of: "x.yaml", Self.yaml, renamed, added)
    #expect(theirs.status == 1)
    #expect(theirs.errors.contains("ours nothing, theirs \"*d\", base nothing"), "\(theirs.errors)")
  }
}
