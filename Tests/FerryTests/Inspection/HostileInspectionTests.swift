import TestSupport
import Testing

@testable import Ferry

@Suite struct `Inspections of hostile files` {
  @Test(arguments: HostileFile.allCases)
  func `A hostile file is inspected in far less than a second`(_ file: HostileFile) throws {
    let bytes = file.bytes
    // Not optimized, the same takes ten times as long.
    try expectProcessorTime(atMost: .seconds(5), "\(file): \(bytes.count) bytes") {
      _ = try Inspections.of(bytes)
    }
  }

  @Test func `A bomb of shared arrays is forty arrays deep`() throws {
    let inspection = try Inspections.of(HostileFile.sharedArrays.bytes)
    #expect(inspection.values?.depth == 40)
    #expect(inspection.values?.kinds[.array] == 40)
    #expect(inspection.table?.sharedCollections == 39)
    let archive = try #require(try Inspections.of(HostileFile.sharedArchive.bytes).archive)
    #expect(archive.depth == 41)
    #expect(archive.sharedObjects == 40)
    #expect(archive.cycles == 0)
  }

  @Test func `A nib of ten million nodes has 225 views`() throws {
    let bytes = HostileFile.nib.bytes
    #expect((50_000...150_000).contains(bytes.count))
    let archive = try #require(try Inspections.of(bytes).archive)
    #expect(archive.classes.map(\.count) == [225])
    #expect(archive.objectsOnCycles == 225)
    #expect(archive.graph.referenceCount == 56 + 3 * 56 * 56 + 56)
    #expect(archive.graph.isComplete)
  }

  @Test func `The inspection of an archive of one object over and over is cut off and says so`() throws {
    let inspection = try Inspections.of(HostileFile.overlappingArchive.bytes)
    #expect(inspection.warnings.counts[.tooManyReferences] == 1)
    #expect(inspection.archive?.graph.isComplete == false)
    #expect(inspection.archive?.objectCount == 30_000)
  }

  private static let small: [(Format, [UInt8])] = {
    let people = Array(#"[{"firstName": "Ada", "lastName": "L."}, {"firstName": "", "lastName": "x"}]"#.utf8)
    return Format.allCases.filter(\.canRead).compactMap { format in
      var conversion = Conversion(to: format)
      conversion.reading.schema = .person
      return (try? conversion.convert(people).bytes).map { (format, $0) }
    }
  }()

  @Test(arguments: small)
  func `A file with any byte missing or changed is inspected or refused`(_ format: Format, _ bytes: [UInt8])
    throws
  {
    let name = format.extensions.first.map { "a.\($0)" }
    #expect(throws: Never.self) { try Inspections.of(bytes, named: name) }
    // A database is mostly filling, of which some is enough.
    let isFilling = { (offset: Int) in format == .sqlite && bytes[offset] == 0 && offset % 61 != 0 }
    let offsets = bytes.indices.filter { !isFilling($0) }
    try Damage(to: bytes, lengths: offsets, offsets: offsets).check(prefixes: .readOrRefused) { bytes in
      var summary = Inspection.Summary()
      summary.add(try Inspection(reading: MemoryInput(bytes), format: format))
      #expect(summary.fileCount == 1)
    }
  }
}

@Suite struct `Graphs of objects` {
  private func graph(_ edges: [[Int]]) -> Adjacency {
    var graph = Adjacency()
    for targets in edges {
      for target in targets { graph.addEdge(to: target) }
      graph.finishVertex()
    }
    return graph
  }

  @Test func `A graph has the cycles that a slow search finds`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let count = Int.random(in: 1...12, using: &random)
      let edges = (0..<count).map { _ in
        (0..<Int.random(in: 0...2, using: &random)).map { _ in Int.random(in: 0..<count, using: &random) }
      }
      // Whether each vertex leads to each, by Warshall.
      var leads = edges.map { targets in (0..<count).map(targets.contains) }
      for middle in 0..<count {
        for from in 0..<count where leads[from][middle] {
          for to in 0..<count where leads[middle][to] { leads[from][to] = true }
        }
      }
      let graph = graph(edges)
      let components = graph.components { _ in 1 }
      let cyclic = graph.cyclicGroups(components)
      for a in 0..<count {
        #expect(cyclic.contains(components.groups[a]) == leads[a][a], "\(edges)")
        for b in 0..<count where a != b {
          #expect((components.groups[a] == components.groups[b]) == (leads[a][b] && leads[b][a]), "\(edges)")
        }
      }
      let reached = graph.search(from: [0]).distances
      for vertex in 0..<count {
        #expect((reached[vertex] > 0) == (vertex == 0 || leads[0][vertex]), "\(edges)")
      }
    }
  }

  @Test func `A graph is as high as its longest path`() {
    let graph = graph([[1, 2], [2], [3], []])
    let components = graph.components { $0 == 3 ? 0 : 1 }
    #expect(components.height(of: 0) == 3)
    #expect(graph.search(from: [0]).distances == [1, 2, 2, 3])
  }

  @Test func `A graph a million vertices deep is walked without recursion`() {
    let count = 1_000_000
    let graph = graph((0..<count).map { $0 + 1 < count ? [$0 + 1] : [0] })
    let components = graph.components { _ in 1 }
    #expect(components.sizes == [UInt32(count)])
  }
}
