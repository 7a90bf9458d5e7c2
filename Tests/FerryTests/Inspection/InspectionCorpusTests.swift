import Foundation
import TestSupport
import Testing

@testable import Ferry

@Suite struct `Inspections of real files` {
  /// The numbers that another program counts in an archive.
  private struct Count: Decodable {
    let file: String
    let objects: Int
    let top: [String]
    let classes: [String: Int]
    let blobs: Int
  }

  /// Counts with Python's plistlib: `$objects`, the keys of `$top`, objects by class, binary property lists in data.
  private static let counting = #"""
    import json, os, plistlib, sys
    def blobs(value):
        if isinstance(value, bytes): return value[:6] == b"bplist"
        if isinstance(value, list): return sum(map(blobs, value))
        if isinstance(value, dict): return sum(map(blobs, value.values()))
        return 0
    root, counts = sys.stdin.read(), []
    for folder, _, names in os.walk(os.path.join(root, "keyed")):
        for name in names:
            path = os.path.join(folder, name)
            try:
                with open(path, "rb") as file: plist = plistlib.load(file)
                objects = plist["$objects"]
                classes = {}
                for item in objects:
                    if isinstance(item, dict) and "$class" in item:
                        name = objects[item["$class"].data]["$classname"]
                        classes[name] = classes.get(name, 0) + 1
            except Exception:
                continue
            counts.append({"file": os.path.relpath(path, root), "objects": len(objects),
                           "top": list(plist["$top"]), "classes": classes, "blobs": blobs(plist)})
    json.dump(counts, sys.stdout)
    """#

  @Test func `Every real file has the counts that Python's plistlib finds`() async throws {
    let answer = try await Peer.python(Self.counting, input: Array(try Corpus.path().utf8))
    try #require(answer.succeeded, "\(answer.errors)")
    let counts = try JSONDecoder().decode([Count].self, from: Data(answer.output))
    #expect(counts.count > 300)
    for count in counts {
      let inspection = try Inspections.of(try Corpus.bytes(count.file), named: count.file)
      let archive = try #require(inspection.archive, "\(count.file)")
      #expect(archive.objectCount == count.objects, "\(count.file)")
      #expect(archive.roots.map(\.name).sorted() == count.top.sorted(), "\(count.file)")
      var classes: [String: Int] = [:]
      for type in archive.classes { classes[type.name, default: 0] += type.count }
      #expect(classes == count.classes, "\(count.file)")
      if inspection.table != nil {
        let lists = inspection.blobs.counts
        #expect(lists[.archive] + lists[.binaryPropertyList] == count.blobs, "\(count.file)")
      }
    }
  }

  @Test func `The real archives are inspected in one report`() throws {
    var summary = Inspection.Summary()
    for file in try Corpus.files(under: "keyed") {
      do throws(FerryError) {
        summary.add(try Inspections.of(try corpusBytes(file), named: file))
      } catch {
        summary.failedFileCount += 1
      }
    }
    #expect(summary.fileCount > 300)
    #expect(summary.failedFileCount < 10)
    #expect(summary.classes.count > 200)
    #expect(summary.objectCount > 100_000)
    #expect(summary.filesWithCycles > 100)
  }

  @Test(arguments: ["plist", "json", "xml", "people", "typedstream", "nibarchive"])
  func `Every real file is inspected or refused with its place`(folder: String) throws {
    var inspected = 0
    for file in try Corpus.files(under: folder) {
      do throws(FerryError) {
        _ = try Inspections.of(try corpusBytes(file), named: file)
        inspected += 1
      } catch {
        var isPlaced = !error.location.isEmpty || !error.path.isEmpty
        if case .file = error.reason { isPlaced = true }
        #expect(isPlaced, "\(file): \(error)")
      }
    }
    #expect(inspected > 10 || ["typedstream", "nibarchive"].contains(folder))
  }

  private func corpusBytes(_ file: String) throws(FerryError) -> [UInt8] {
    guard let path = try? Corpus.path() else { return [] }
    return try FileInput(path: "\(path)/\(file)").readAll()
  }
}
