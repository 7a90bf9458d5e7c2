import Testing
import TestSupport

@testable import Ferry

@Suite struct `Conversions of real files` {
  /// The results of a sweep of a folder.
  private struct Tally: CustomStringConvertible {
    var files = 0
    var converted = 0
    var refused: [String: Int] = [:]
    var misplaced: [String] = []
    var description: String { "\(files) files, \(converted) conversions, refused: \(refused)" }
  }

  /// Formats that have no reader, or kinds of file that Ferry does not read, are named without a location.
  private func isPlaced(_ failure: FerryError) -> Bool {
    switch failure.reason {
    case .file, .archive(.notRawForm): true
    case .cannotHold, .overBudget, .archive, .loss, .record:
      !failure.location.isEmpty || !failure.path.isEmpty
    default: !failure.location.isEmpty
    }
  }

  private func sweep(_ folder: String, targets: [Format], forms: [Representation] = [.plain, .raw]) throws
    -> Tally
  {
    var tally = Tally()
    for file in try Corpus.files(under: folder) {
      let bytes = try Corpus.bytes(file)
      tally.files += 1
      for target in targets {
        for representation in forms {
          var conversion = Conversion(to: target)
          conversion.writing.representation = representation
          expectProcessorTime(atMost: .seconds(10), file) {
            do throws(FerryError) {
              _ = try conversion.convert(bytes, named: file)
              tally.converted += 1
            } catch {
              tally.refused["\(error.reason)".prefix { $0 != "(" }.description, default: 0] += 1
              if !isPlaced(error) { tally.misplaced.append("\(file) to \(target): \(error)") }
            }
          }
        }
      }
    }
    return tally
  }

  private func check(_ tally: Tally, atLeast converted: Int) {
    #expect(tally.misplaced.isEmpty, "\(tally.misplaced.prefix(10).joined(separator: "\n"))")
    #expect(tally.converted >= converted, "\(tally)")
    print(tally)
  }

  @Test func `Every real keyed archive is converted or refused with a place`() throws {
    check(try sweep("keyed", targets: [.json, .binaryPropertyList, .archive, .xmlArchive]), atLeast: 2000)
  }

  @Test func `Every real property list is converted or refused with a place`() throws {
    check(
      try sweep("plist", targets: [.json, .xmlPropertyList, .binaryPropertyList], forms: [.plain]),
      atLeast: 900)
  }

  @Test func `Every real JSON file is converted or refused with a place`() throws {
    check(
      try sweep("json", targets: [.jsonLines, .binaryPropertyList, .xmlPropertyList], forms: [.plain]),
      atLeast: 300)
  }

  @Test func `Every real file of another kind is converted or refused with a place`() throws {
    for folder in ["nibarchive", "typedstream", "sketch", "coredata"] {
      check(try sweep(folder, targets: [.json], forms: [.plain]), atLeast: folder == "nibarchive" ? 0 : 1)
    }
  }
}
