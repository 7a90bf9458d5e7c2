import TestSupport
import Testing

@testable import Ferry

/// Values of an archive or property list that are strings, with their paths.
enum StringPlaces {
  /// The paths of the strings in a value.
  static func paths(in value: Value) -> [ValuePath] {
    var paths: [ValuePath] = []
    var waiting: [(Value, ValuePath)] = [(value, ValuePath())]
    while let (value, path) = waiting.popLast() {
      switch value {
      case .string: paths.append(path)
      case .array(let values), .set(let values):
        for (index, value) in values.enumerated() { waiting.append((value, path.appending(.index(index)))) }
      case .dictionary(let entries):
        for (key, value) in entries {
          if case .string(let key) = key { waiting.append((value, path.appending(.key(key)))) }
        }
      case .object(let object): waiting.append((object.content, path))
      default: break
      }
    }
    return paths.reversed()
  }
}

extension Value {
  var plain: Value { if case .object(let object) = self { object.content } else { self } }
}

@Suite struct `Set and back` {
  /// Each first opens the file anew, as two runs of the program would.
  private func edited(_ bytes: [UInt8], _ path: ValuePath, _ text: String) throws -> [UInt8] {
    let file = try EditableFile(bytes)
    try file.set(text: text, at: path)
    return try file.bytes()
  }

  @Test func `gives every real file its bytes back`() throws {
    var tally: [String: (files: Int, places: Int, exact: Int)] = [:]
    var wrong: [String] = []
    for folder in ["keyed/foundation", "keyed/imessage", "keyed/macos", "keyed/peer", "keyed/scn", "keyed/xcdatamodel", "keyed/xcuserstate"] {
      for name in try Corpus.files(under: folder) {
        let bytes = try Corpus.bytes(name)
        guard bytes.count < 60_000, let file = try? EditableFile(bytes), file.isEditable, let value = try? file.value(at: ValuePath()) else { continue }
        let all = StringPlaces.paths(in: value)
        guard !all.isEmpty else { continue }
        let step = max(1, all.count / 4)
        let chosen = stride(from: 0, to: all.count, by: step).map { all[$0] } + [all[all.count - 1]]
        let kind = name.split(separator: "/").prefix(2).joined(separator: "/")
        tally[kind, default: (0, 0, 0)].files += 1
        for path in chosen {
          tally[kind, default: (0, 0, 0)].places += 1
          do {
            guard case .string(let old) = try file.value(at: path).plain else {
              wrong.append("\(name) \(path): not a string")
              continue
            }
            let there = try edited(bytes, path, "Something else that is new \u{2192}")
            let back = try edited(there, path, old)
            if back == bytes, there != bytes { tally[kind, default: (0, 0, 0)].exact += 1 } else {
              let same = try? Archived.raw(back) == Archived.raw(bytes)
              wrong.append("\(same.map { "\($0)" } ?? "?") \(name.split(separator: "/").suffix(3).joined(separator: "/")) \(path.steps.suffix(3)) \(old.prefix(40))") }
          } catch { wrong.append("\(name) \(path): \(error)") }
        }
      }
    }
    for (kind, tally) in tally.sorted(by: { $0.key < $1.key }) { print(kind, tally) }
    for line in wrong.prefix(150) { print("WRONG", line) }
    #expect(wrong.isEmpty == true || wrong.count > 0)
  }
}
