import TestSupport
import Testing

@testable import Ferry

@Suite struct `the layout of a binary file` {
  /// The bytes that the writer makes of a file's values and its layout.
  private func rewritten(_ file: BinaryPropertyList, _ layout: BinaryLayout) throws -> [UInt8] {
    let output = MemoryOutput()
    let writer = BinaryPropertyListWriter(to: output, layout: layout)
    var budget = Budget()
    budget.amplification = 1 << 40
    try file.replay(file.root, into: writer, budget: budget)
    try writer.finish()
    return output.bytes
  }

  @Test func `and its values give its bytes back`() throws {
    var kinds: [String: (files: Int, exact: Int, clean: Int, patched: Int, notes: Int)] = [:]
    var wrong: [String] = []
    for folder in ["keyed", "plist"] {
      for name in try Corpus.files(under: folder) {
        let bytes = try Corpus.bytes(name)
        guard let file = try? BinaryPropertyList(bytes) else { continue }
        let kind = name.split(separator: "/").prefix(2).joined(separator: "/")
        do throws(Failure) {
          let layout = try BinaryLayout(of: file)
          let same = try? rewritten(file, layout) == bytes
          var tally = kinds[kind] ?? (0, 0, 0, 0, 0)
          tally.files += 1
          tally.exact += same == true ? 1 : 0
          tally.clean += layout.isEmpty ? 1 : 0
          tally.patched += layout.patch == nil ? 0 : 1
          tally.notes += layout.deviations.count
          kinds[kind] = tally
          if same != true { wrong.append("\(name) \(same == nil ? "failed" : "")") }
        } catch {}
      }
    }
    for (kind, tally) in kinds.sorted(by: { $0.key < $1.key }) { print(kind, tally) }
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }
}
