import Foundation
import TestSupport
import Testing

@testable import Ferry

/// The Python script that counts the objects of each entity in a store.
private let counting = """
  import json, sqlite3, sys
  c = sqlite3.connect('file:' + sys.argv[1] + '?immutable=1', uri=True)
  entities = c.execute('SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY').fetchall()
  parents = {e: s for e, _, s in entities}
  names = {e: n for e, n, _ in entities}
  tables = {t for t, in c.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
  counts = {}
  for e, name, _ in entities:
    root = e
    while parents.get(root): root = parents[root]
    table = next((t for t in ('Z' + names[root].upper(), 'A' + names[root].upper()) if t in tables), None)
    counts[name] = c.execute(f'SELECT count(*) FROM {table} WHERE Z_ENT = ?', (e,)).fetchone()[0] if table else 0
  print(json.dumps(counts))
  """

@Suite(.enabled(if: Format.sqlite.canWrite)) struct `Real stores` {
  private static let stores = ["DataUsage.sqlite", "NotesV7.storedata", "kik.sqlite", "knowledgec-10.13.db"]
  private static let sketches = ["Erase.sketch", "download.sketch"]

  @Test(arguments: stores)
  func `Real stores have as many objects as Python counts`(_ name: String) async throws {
    let path = try "\(Corpus.path())/coredata/plaso/\(name)"
    let counted = try await Peer.run("python3", ["-c", counting, path])
    #expect(counted.succeeded, "\(counted.errors)")
    guard case .dictionary(let expected) = try Value(reading: MemoryInput(counted.output)),
      case .dictionary(let found) = try read(path)
    else { return #expect(Bool(false)) }
    for (key, count) in expected {
      guard case .array(let objects)? = found[key] else { #expect(Bool(false), "\(key)"); continue }
      #expect(.integer(Int128(objects.count)) == count, "\(key)")
    }
    #expect(found.count == expected.count)
    let inspection = try Inspection(reading: FileInput(path: path))
    for table in inspection.store?.tables ?? [] {
      #expect(table.rows.map { .integer(Int128($0)) } == expected[.string(table.name)], "\(table.name)")
    }
  }

  @Test(arguments: stores.map { "coredata/plaso/\($0)" } + sketches.map { "sketch/iTerm2/images/\($0)" })
  func `Real stores become every format, with their data opened too`(_ name: String) throws {
    let path = try "\(Corpus.path())/\(name)"
    for target in Format.ofRecords {
      for expands in [false, true] {
        // The raw form of rows is not an archive.
        for representation in target.isArchive ? [Representation.plain] : [.plain, .raw] {
          var conversion = Conversion(to: target)
          conversion.reading.expandsData = expands
          conversion.writing.representation = representation
          conversion.reading.table = try conversion.tableNames(of: FileInput(path: path), named: path).first
          #expect(throws: Never.self, "\(target) \(representation)") {
            try conversion.convert(FileInput(path: path), named: path, to: MemoryOutput())
          }
        }
      }
    }
  }

  @Test(arguments: stores.map { "coredata/plaso/\($0)" } + sketches.map { "sketch/iTerm2/images/\($0)" })
  func `Real stores come back from a database of our own with all their rows`(_ name: String) throws {
    let stored = try read("\(Corpus.path())/\(name)", representation: .raw)
    var conversion = Conversion(to: .sqlite)
    conversion.writing.representation = .raw
    let output = MemoryOutput()
    let report = try conversion.convert(FileInput(path: "\(Corpus.path())/\(name)"), to: output)
    let definitions: [Loss.Kind] = [.tableDefinition, .index, .view, .trigger, .databaseNumber]
    #expect(report.losses.counts.allSatisfy { definitions.contains($0.kind) })
    var options = ReadingOptions()
    options.representation = .raw
    let builder = ValueBuilder()
    try options.read(MemoryInput(output.bytes), into: builder)
    #expect(try builder.result() == stored)
  }

  @Test func `Real stores have the relationships that their models describe`() throws {
    let value = try read("\(Corpus.path())/coredata/plaso/DataUsage.sqlite")
    #expect(value["LiveUsage"]?[0]?["hasProcess"] == "Process/p36")
    guard case .array(let processes)? = value["Process"] else { return #expect(Bool(false)) }
    let process = processes.first { $0["objectID"] == "Process/p36" }
    #expect(process?["hasLiveUsage"] == ["LiveUsage/p2"])
    #expect(process?["procName"] == "CumulativeUsageTracker")
  }

  @Test(arguments: sketches)
  func `The real stores of Sketch are archives and typedstreams in tables`(_ name: String) throws {
    let path = try "\(Corpus.path())/sketch/iTerm2/images/\(name)"
    var conversion = Conversion(to: .json)
    conversion.reading.expandsData = true
    let output = MemoryOutput()
    _ = try conversion.convert(FileInput(path: path), to: output)
    let value = try Value(reading: MemoryInput(output.bytes))
    #expect(value["metadata"]?[0]?["name"] == "commit")
    guard case .array(let payload)? = value["payload"] else { return #expect(Bool(false)) }
    #expect(payload.count == 2)
    guard case .dictionary? = payload[0]["value"] else { return #expect(Bool(false), "\(payload[0])") }
  }
}
