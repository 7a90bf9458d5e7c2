import Foundation
import TestSupport
import Testing

@testable import Ferry

/// The W3C's conformance tests of XML, by their own lists of what each document is.
@Suite struct `Conformance tests of XML` {
  /// The misses: Ferry reads no other files. A document that is well-formed only with another file is refused, and a
  /// mistake in another file, or in a declaration that another file decides on, is not found.
  static let misses: Set<String> = [
    "sun/valid/ext01.xml", "sun/valid/ext02.xml", "sun/not-wf/cond01.xml", "sun/not-wf/cond02.xml",
    "sun/not-wf/decl01.xml", "sun/not-wf/dtd07.xml", "ibm/not-wf/p28a/ibm28an01.xml",
    "ibm/not-wf/P30/ibm30n01.xml", "ibm/not-wf/P31/ibm31n01.xml", "ibm/not-wf/P62/ibm62n01.xml",
    "ibm/not-wf/P62/ibm62n02.xml", "ibm/not-wf/P62/ibm62n03.xml", "ibm/not-wf/P62/ibm62n04.xml",
    "ibm/not-wf/P62/ibm62n05.xml", "ibm/not-wf/P62/ibm62n06.xml", "ibm/not-wf/P62/ibm62n07.xml",
    "ibm/not-wf/P62/ibm62n08.xml", "ibm/not-wf/P64/ibm64n01.xml", "ibm/not-wf/P64/ibm64n02.xml",
    "ibm/not-wf/P64/ibm64n03.xml", "ibm/not-wf/P79/ibm79n01.xml", "ibm/not-wf/P79/ibm79n02.xml",
  ]

  /// The rules 85 to 89 of the fourth edition, for characters in names, which the fifth edition does not have.
  static func isOfFourthEdition(_ path: String) -> Bool {
    (85...89).contains { path.contains("/P\($0)/") }
  }

  @Test func `Documents of the W3C's tests are read or refused as their lists say, but for named ones`()
    throws
  {
    let root = try URL(filePath: Corpus.path()).appending(path: "xml/xmlconf").standardizedFileURL
    let rootPath = root.path(percentEncoded: false)
    var (count, missed) = (0, Set<String>())
    for name in try FileManager.default.subpathsOfDirectory(atPath: rootPath) where name.hasSuffix(".xml") {
      let list = root.appending(path: name)
      guard let text = try? String(contentsOf: list, encoding: .utf8), text.contains("<TEST ") else {
        continue
      }
      for test in text.matches(of: /<TEST\b[^>]*>/) {
        guard let uri = test.output.firstMatch(of: /URI\s*=\s*["']([^"']*)["']/)?.output.1,
          let type = test.output.firstMatch(of: /TYPE\s*=\s*["']([^"']*)["']/)?.output.1, type != "error"
        else { continue }
        let file = list.deletingLastPathComponent().appending(path: String(uri)).standardizedFileURL
        let path = String(file.path(percentEncoded: false).dropFirst(rootPath.count))
          .trimmingCharacters(in: ["/"])
        guard let data = try? Data(contentsOf: file), !Self.isOfFourthEdition(path) else { continue }
        count += 1
        let bytes = Array(data)
        var isRead = true
        do throws(FerryError) {
          try XMLStream(document: ElementDelegate()).readAll(bytes.span)
        } catch {
          isRead = false
        }
        if isRead != (type != "not-wf") { missed.insert(path) }
      }
    }
    #expect(count > 400)
    #expect(missed == Self.misses)
  }
}
