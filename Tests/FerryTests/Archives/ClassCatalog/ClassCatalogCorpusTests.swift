import Testing
import TestSupport

@testable import Ferry

/// Real archives, and those inside them.
@Suite struct `The class catalog over real archives` {
  /// The property lists of the corpus, those in data values too, that are archives.
  private func archives() throws -> [(name: String, nodes: any PropertyListNodes)] {
    var found: [(String, any PropertyListNodes)] = []
    for folder in ["keyed", "plist/terminal", "plist/peer"] {
      for (index, file) in try Corpus.files(under: folder).enumerated() {
        // Nibs and themes are many and alike.
        guard index % 8 == 0 || !(file.hasSuffix(".nib") || file.hasSuffix(".terminal")) else { continue }
        var waiting = [(name: file, bytes: try Corpus.bytes(file))]
        while let (name, bytes) = waiting.popLast() {
          guard let nodes = try? nodes(bytes) else { continue }
          if (try? ArchiveObjects(nodes)) != nil { found.append((name, nodes)) }
          for (index, inner) in nestedLists(nodes).enumerated() {
            waiting.append(("\(name)@\(index)", inner))
          }
        }
      }
    }
    return found
  }

  private func nodes(_ bytes: [UInt8]) throws -> (any PropertyListNodes)? {
    if bytes.starts(with: "bplist00".utf8) { return try BinaryPropertyList(bytes) }
    let head = String(decoding: bytes.prefix(400), as: UTF8.self)
    guard head.contains("<plist") else { return nil }
    let tree = PropertyListTree(budget: Budget())
    let reader = XMLPropertyListReader(into: tree, budget: Budget())
    try reader.read(bytes.span)
    try reader.finish()
    try tree.finish()
    return tree
  }

  private func nestedLists(_ nodes: any PropertyListNodes) -> [[UInt8]] {
    var lists: [[UInt8]] = []
    for node in (0..<nodes.nodeCount).map(NodeID.init) {
      guard (try? nodes.kind(of: node)) == .data else { continue }
      let bytes = (try? nodes.withData(of: node) { bytes in [UInt8](copying: bytes) }) ?? []
      if bytes.starts(with: "bplist00".utf8) || bytes.starts(with: "<?xml".utf8) { lists.append(bytes) }
    }
    return lists
  }

  /// Returns the archive after decoding every object and archiving the decoded forms again.
  private func archivedAgain(_ objects: ArchiveObjects) throws -> ArchiveObjects {
    let tree = PropertyListTree(budget: Budget())
    let writer = ArchiveWriter(to: tree, keyOrder: .sorted, decodedForms: .all)
    var reader = ArchiveReader(
      objects, into: writer, sharing: .identities, budget: Budget(), decodedForms: .all)
    try reader.read()
    try writer.finish()
    return try ArchiveObjects(tree)
  }

  @Test func `Every decoded object of the real archives comes back with equal keys`() throws {
    var understood: [String: Int] = [:]
    var declined: [String: Int] = [:]
    var count = 0
    for (name, nodes) in try archives() {
      let objects = try ArchiveObjects(nodes)
      var plain = ArchiveReader(objects, into: TapeSink(), sharing: .identities, budget: Budget())
      // Broken archives are for other tests.
      guard (try? plain.read()) != nil else { continue }
      let comparison = ArchiveComparison(objects, try archivedAgain(objects))
      try comparison.run()
      // Its attributes hold two equal dictionaries, which become one.
      let isExpected = name.hasSuffix("/NSMutableAttributedString.archive")
      #expect(comparison.differences.isEmpty != isExpected, "\(name): \(comparison.differences)")
      understood.merge(comparison.understood, uniquingKeysWith: +)
      declined.merge(comparison.declined, uniquingKeysWith: +)
      count += 1
    }
    #expect(count > 300)
    #expect(understood.count > 35)
    // Three UUIDs that have not sixteen bytes.
    #expect(declined == ["NSUUID": 3])
  }
}
