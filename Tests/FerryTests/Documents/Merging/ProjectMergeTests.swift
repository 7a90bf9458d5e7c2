import TestSupport
import Testing

@testable import Ferry

@Suite struct `Merges of Xcode projects` {
  /// A text to which a file can be added as Xcode adds it.
  private struct Project {
    var text: String

    /// Adds a file at the end of the sections, the first group and the first phase of sources.
    mutating func addFile(_ name: String, _ file: String, _ build: String) -> Bool {
      let reference = "\(file) /* \(name) */"
      let isa = "isa = PBXFileReference; lastKnownFileType = sourcecode.swift;"
      return insert(
        "\t\t\(build) /* \(name) in Sources */ = {isa = PBXBuildFile; fileRef = \(reference); };\n",
        after: ["Begin PBXBuildFile section"], before: "/* End PBXBuildFile section */")
        && insert(
          "\t\t\(reference) = {\(isa) path = \(name); sourceTree = \"<group>\"; };\n",
          after: ["Begin PBXFileReference section"], before: "/* End PBXFileReference section */")
        && insert(
          "\t\t\t\t\(reference),\n",
          after: ["Begin PBXGroup section", "\t\t\tchildren = (\n"], before: "\t\t\t);\n")
        && insert(
          "\t\t\t\t\(build) /* \(name) in Sources */,\n",
          after: ["Begin PBXSourcesBuildPhase section", "\t\t\tfiles = (\n"], before: "\t\t\t);\n")
    }

    /// Inserts a line before a text that comes after others. Returns false if one of these is missing.
    private mutating func insert(_ line: String, after marks: [String], before end: String) -> Bool {
      var start = text.startIndex
      for mark in marks {
        guard let range = text[start...].firstRange(of: mark) else { return false }
        start = range.upperBound
      }
      guard let range = text[start...].firstRange(of: end) else { return false }
      text.insert(contentsOf: line, at: range.lowerBound)
      return true
    }
  }

  private func merge(_ base: String, _ ours: String, _ theirs: String) throws -> DocumentMerge.Result {
    let merge = DocumentMerge()
    let mine = try merge.read(Array(ours.utf8))
    return try merge.merge(
      base: try merge.read(Array(base.utf8), as: mine), ours: mine,
      theirs: try merge.read(Array(theirs.utf8), as: mine))
  }

  /// Merges two versions of a project, each with another new file. Returns nil if the project has no sources.
  private func merged(_ base: String) throws -> (result: DocumentMerge.Result, wanted: String)? {
    let ours = ("Ours.swift", "0C0000000000000000000001", "0C0000000000000000000002")
    let theirs = ("Theirs.swift", "0C0000000000000000000003", "0C0000000000000000000004")
    var (mine, others) = (Project(text: base), Project(text: base))
    guard mine.addFile(ours.0, ours.1, ours.2), others.addFile(theirs.0, theirs.1, theirs.2) else {
      return nil
    }
    var both = mine
    guard both.addFile(theirs.0, theirs.1, theirs.2) else { return nil }
    return (try merge(base, mine.text, others.text), both.text)
  }

  private static let project = """
    // !$*UTF8*$!
    {
    \tarchiveVersion = 1;
    \tclasses = {
    \t};
    \tobjectVersion = 56;
    \tobjects = {

    /* Begin PBXBuildFile section */
    \t\tA1 /* a.swift in Sources */ = {isa = PBXBuildFile; fileRef = F1 /* a.swift */; };
    /* End PBXBuildFile section */

    /* Begin PBXFileReference section */
    \t\tF1 /* a.swift */ = {isa = PBXFileReference; lastKnownFileType = sourcecode.swift; path = a.swift; sourceTree = "<group>"; };
    /* End PBXFileReference section */

    /* Begin PBXGroup section */
    \t\tG1 = {
    \t\t\tisa = PBXGroup;
    \t\t\tchildren = (
    \t\t\t\tF1 /* a.swift */,
    \t\t\t);
    \t\t\tsourceTree = "<group>";
    \t\t};
    /* End PBXGroup section */

    /* Begin PBXSourcesBuildPhase section */
    \t\tS1 /* Sources */ = {
    \t\t\tisa = PBXSourcesBuildPhase;
    \t\t\tbuildActionMask = 2147483647;
    \t\t\tfiles = (
    \t\t\t\tA1 /* a.swift in Sources */,
    \t\t\t);
    \t\t\trunOnlyForDeploymentPostprocessing = 0;
    \t\t};
    /* End PBXSourcesBuildPhase section */
    \t};
    \trootObject = G1;
    }

    """

  @Test func `A project gets the file that each side has added, in its sections and with its comments`()
    throws
  {
    let (result, wanted) = try #require(try merged(Self.project))
    #expect(result.conflicts.isEmpty)
    #expect(String(decoding: result.bytes, as: UTF8.self) == wanted)
    #expect(
      result.value["objects"]?["G1"]?["children"]
        == ["F1", "0C0000000000000000000001", "0C0000000000000000000003"])
  }

  @Test func `A file that one side removes beside one that the other adds is removed`() throws {
    var theirs = Project(text: Self.project)
    let isAdded = theirs.addFile("b.swift", "F2", "A2")
    #expect(isAdded)
    let lines = Self.project.split(separator: "\n", omittingEmptySubsequences: false)
    let ours = lines.filter { !$0.contains("a.swift") }.joined(separator: "\n")
    let result = try merge(Self.project, ours, theirs.text)
    #expect(result.conflicts.isEmpty)
    let wanted = theirs.text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.contains("a.swift") }.joined(separator: "\n")
    #expect(String(decoding: result.bytes, as: UTF8.self) == wanted)
  }

  @Test func `Real projects get the file that each side has added`() throws {
    var count = 0
    for name in try Corpus.files(under: "plist/pbxproj") where name.hasSuffix(".pbxproj") {
      let bytes = try Corpus.bytes(name)
      guard bytes.count < 100_000, let (result, wanted) = try merged(String(decoding: bytes, as: UTF8.self))
      else { continue }
      count += 1
      #expect(result.conflicts.isEmpty, "\(name)")
      #expect(result.textConflicts.isEmpty, "\(name)")
      #expect(String(decoding: result.bytes, as: UTF8.self) == wanted, "\(name)")
    }
    #expect(count > 10)
  }
}
