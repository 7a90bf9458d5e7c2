import Foundation
import TestSupport
import Testing

@testable import Ferry

/// The results for a kind of file: the number of restored files, and the costs.
private struct Tally: CustomStringConvertible {
  var files = 0
  var exact = 0
  var withLayout = 0
  var asStored = 0
  var layoutBytes = 0
  var textBytes = 0

  var description: String {
    let percent = Double(layoutBytes * 1000 / max(1, textBytes)) / 10
    return "\(exact) of \(files) exact, \(withLayout) with a $layout (\(percent) % of the text), "
      + "\(asStored) archives as stored"
  }
}

@Suite struct `The typed representation of real files` {
  private func typed(_ bytes: [UInt8], _ format: Format) throws(FerryError) -> [UInt8] {
    var conversion = Conversion(to: format)
    conversion.writing.representation = .typed
    conversion.reading.budget.amplification = 1 << 20
    return try conversion.convert(bytes).bytes
  }

  private func back(_ text: [UInt8]) throws(FerryError) -> [UInt8] {
    var conversion = Conversion(to: .binaryPropertyList)
    conversion.writing.representation = .raw
    return try conversion.convert(text).bytes
  }

  @Test(arguments: [Format.json, .xml, .xmlPropertyList])
  func `The typed representation of every real binary file gives its bytes back`(format: Format) throws {
    var tallies: [String: Tally] = [:]
    var wrong: [String] = []
    for folder in ["keyed", "plist", "sketch"] {
      for (index, name) in try Corpus.files(under: folder).enumerated() {
        // JSON takes all of them; the others differ from it in their syntax alone.
        guard format == .json || index.isMultiple(of: 5) else { continue }
        let bytes = try Corpus.bytes(name)
        guard bytes.starts(with: "bplist0".utf8), (try? BinaryPropertyList(bytes)) != nil else { continue }
        guard (try? Conversion(to: .binaryPropertyList).convert(bytes)) != nil else { continue }
        let kind = name.split(separator: "/").prefix(2).joined(separator: "/")
        var tally = tallies[kind] ?? Tally()
        tally.files += 1
        do throws(FerryError) {
          let text = try typed(bytes, format)
          tally.textBytes += text.count
          if let layout = text.lastIndex(of: "\"$layout\"") {
            tally.withLayout += 1
            tally.layoutBytes += text.count - layout
          }
          let isStored = Array(text.prefix(200)).lastIndex(of: "\"$value\"") != nil
          if kind.hasPrefix("keyed/"), isStored { tally.asStored += 1 }
          if try back(text) == bytes { tally.exact += 1 } else { wrong.append(name) }
        } catch {
          wrong.append("\(name): \(error)")
        }
        tallies[kind] = tally
      }
    }
    if format == .json {
      // What a graph has no place for is shown as it is stored: a dangling reference, two classes of one name.
      #expect(tallies.filter { $0.key.hasPrefix("keyed/") }.values.map(\.asStored).reduce(0, +) <= 3)
      let layouts = tallies.values.map(\.layoutBytes).reduce(0, +)
      #expect(layouts * 50 < tallies.values.map(\.textBytes).reduce(0, +), "over 2 % of the text")
      #expect(tallies["keyed/foundation"].map { $0.withLayout * 2 < $0.files } ?? false)
    }
    for (kind, tally) in tallies.sorted(by: { $0.key < $1.key }) { print(format, kind, tally) }
    #expect(wrong.isEmpty, "\(wrong.prefix(20).joined(separator: "\n"))")
    #expect(tallies.values.map(\.files).reduce(0, +) > (format == .json ? 400 : 60))
  }
}

extension [UInt8] {
  /// Returns the offset of the last occurrence of a text.
  fileprivate func lastIndex(of text: String) -> Int? {
    Data(self).range(of: Data(text.utf8), options: .backwards)?.lowerBound
  }
}
