import Ferry
import Foundation
import Subprocess
import SystemPackage
import TestSupport
import Testing

/// The XML files of the corpus in some folders; the test is skipped without a corpus.
private func corpus(_ folders: String..., limit: Int = 3 << 20) throws -> [(
  path: String, file: String, bytes: [UInt8]
)] {
  guard let root = ProcessInfo.processInfo.environment["FERRY_CORPUS"] else {
    try Test.cancel("FERRY_CORPUS names no folder")
  }
  var files: [(String, String, [UInt8])] = []
  for folder in folders {
    let base = "\(root)/xml/\(folder)"
    for path in (FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []).sorted() {
      guard path.hasSuffix(".xml"), let data = FileManager.default.contents(atPath: "\(base)/\(path)"),
        data.count <= limit
      else { continue }
      files.append(("\(folder)/\(path)", "\(base)/\(path)", Array(data)))
    }
  }
  if files.isEmpty { try Test.cancel("the corpus has no XML") }
  return files
}

/// Calls hashed, so that large files take no room.
private func streamSummary(_ bytes: [UInt8], chunk size: Int) -> Result<Int, FerryError> {
  outcome { () throws(FerryError) in try streamCalls(bytes, chunk: size).hashValue }
}

@Suite struct `Real XML documents` {
  @Test func `Real documents are read alike by stream and tree, whatever the chunks`() throws {
    var read = 0
    for (path, _, bytes) in try corpus("small", "medium", "hostile", "xmlconf", limit: 300_000) {
      let whole = streamSummary(bytes, chunk: 1 << 20)
      let pieces = streamSummary(bytes, chunk: 997)
      let tree = outcome { () throws(FerryError) in try treeCalls(bytes).hashValue }
      switch (whole, pieces, tree) {
      case (.success(let a), .success(let b), .success(let c)):
        read += 1
        #expect(a == b, "\(path) in pieces")
        #expect(a == c, "\(path) as a tree")
      case (.failure(let a), .failure(let b), .failure(let c)):
        #expect(a == c, "\(path)")
        #expect(b.location.line != nil && a.location.line != nil, "\(path)")
      default: Issue.record("\(path): \(whole) \(pieces) \(tree)")
      }
    }
    #expect(read > 100)
  }

  @Test func `Real documents are read or refused as xmllint does, but for what Ferry refuses on purpose`()
    async throws
  {
    var read = 0
    var refused = 0
    for (path, file, bytes) in try corpus("small", "medium", "xmlconf", "hostile", limit: 1 << 20) {
      let failure: FerryError?
      do throws(FerryError) {
        try XMLStream(document: ElementDelegate()).readAll(bytes.span)
        failure = nil
      } catch {
        failure = error
      }
      guard let failure else {
        read += 1
        let (accepts, complaints) = try await xmllint(file)
        // For XML 1.0 a reference to an undeclared parameter entity is well-formed, unless the document is standalone.
        #expect(accepts || complaints.contains("PEReference"), "\(path): \(complaints)")
        continue
      }
      refused += 1
      #expect(failure.location.line != nil, "\(path): \(failure)")
      guard case .xml(.notWellFormed(let why)) = failure.reason else { continue }
      let (accepts, complaints) = try await xmllint(file)
      // xmllint only mentions what is wrong with namespaces, and says nothing when characters cannot be
      // converted.
      let isOnPurpose = complaints.contains("namespace error") || why.contains("conversion failed")
      #expect(!accepts || isOnPurpose, "\(path): \(failure)")
    }
    #expect(read > 500 && refused > 300)
  }

  /// Documents that are not well-formed by an older edition of the rules, or only together with another file.
  static let lenient = [
    "ibm/not-wf/P85", "ibm/not-wf/P86", "ibm/not-wf/P87", "ibm/not-wf/P88", "ibm/not-wf/P89", "P30/", "P31/",
    "P62/", "P64/",
    "P79/", "p28a/", "cond01", "cond02", "decl01", "dtd07",
  ]

  @Test func `Real documents that are not well-formed are refused`() throws {
    for (path, _, bytes) in try corpus("xmlconf/ibm/not-wf", "xmlconf/sun/not-wf") {
      guard !Self.lenient.contains(where: path.contains) else { continue }
      #expect(throws: FerryError.self, "\(path)") {
        try XMLStream(document: ElementDelegate()).readAll(bytes.span)
      }
    }
  }

  @Test func `Real documents are written well-formed and come back through values`() async throws {
    var texts: [(String, [UInt8])] = []
    for (path, _, bytes) in try corpus("small", "medium", limit: 200_000) {
      let first = ValueBuilder()
      do throws(FerryError) { try XMLValueReader.readAll(bytes.span, into: first) } catch { continue }
      let value = try first.result()
      let output = MemoryOutput()
      let writer = try XMLValueWriter(to: output)
      try value.replay(into: writer)
      try writer.finish()
      let second = ValueBuilder()
      try XMLValueReader.readAll(output.bytes.span, into: second)
      #expect(try second.result() == value, "\(path)")
      texts.append((path, output.bytes))
    }
    #expect(texts.count > 100)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ferry-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (path, bytes) in texts {
      let file = folder.appendingPathComponent("written.xml")
      try Data(bytes).write(to: file)
      try await expectAccepted(file.path, path)
    }
  }
}

/// Returns the result and the messages of xmllint for a file.
private func xmllint(_ path: String) async throws -> (accepts: Bool, complaints: String) {
  guard FileManager.default.isExecutableFile(atPath: "/usr/bin/xmllint") else {
    try Test.cancel("there is no xmllint")
  }
  let result = try await run(
    .path("/usr/bin/xmllint"), arguments: ["--noout", "--nonet", path], output: .discarded,
    error: .string(limit: 1 << 20))
  return (result.terminationStatus == .exited(0), result.standardError)
}

private func expectAccepted(_ path: String, _ name: String) async throws {
  let (accepts, complaints) = try await xmllint(path)
  #expect(accepts, "\(name): \(complaints)")
}
