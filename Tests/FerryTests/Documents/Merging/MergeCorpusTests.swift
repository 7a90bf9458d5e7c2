import TestSupport
import Testing

@testable import Ferry

@Suite struct `Merges of real documents` {
  /// The results for a kind of files.
  private struct Tally: CustomStringConvertible {
    var files = 0
    /// Conflicts where both sides changed one string, and those of them that are about what is around it.
    var conflicts = 0
    var around = 0
    /// Files in which two strings were changed, one by each side; those where these are in one list of scalars.
    var pairs = 0
    var inOneList = 0
    /// Merged files, and those that have the bytes of ours with their change made in it.
    var merged = 0
    var exact = 0

    var description: String {
      "\(files) files; \(conflicts) conflicts, \(around) of them around the string; \(pairs) pairs of changes, "
        + "\(inOneList) of them in one list; \(exact) of \(merged) merged files are ours with a change made in it"
    }
  }

  private static let archivedKeys: EditableFile.Options = {
    var options = EditableFile.Options()
    options.decodedForms = .scalars
    return options
  }()

  private func edited(_ bytes: [UInt8], _ changes: [(path: ValuePath, text: String)]) throws -> [UInt8] {
    let file = try EditableFile(bytes, options: Self.archivedKeys)
    for change in changes { try file.set(.string(change.text), at: change.path) }
    return try file.bytes()
  }

  private func merge(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8]) throws -> DocumentMerge.Result {
    var merge = DocumentMerge()
    merge.matchesSchemas = false
    let mine = try merge.read(ours)
    return try merge.merge(
      base: try merge.read(base, as: mine), ours: mine, theirs: try merge.read(theirs, as: mine))
  }

  private func value(_ bytes: [UInt8]) throws -> Value {
    var merge = DocumentMerge()
    merge.matchesSchemas = false
    return try merge.read(bytes).value
  }

  /// Strings that may be another and tell no records apart: the first and the last.
  private func places(in bytes: [UInt8], _ value: Value) throws -> [ValuePath] {
    let all = value.stringPaths
    let chosen = [all.first, all.last].compactMap { $0 }.filter { path in
      if case .key(let key)? = path.steps.last, ValueMerge.usualKeys.contains(key) { return false }
      guard let changed = try? edited(bytes, [(path, "something else")]), changed != bytes,
        case .string("something else")? = try? EditableFile(changed, options: Self.archivedKeys).value(
          at: path
        ).scalar
      else { return false }
      return true
    }
    return chosen.first == chosen.last ? Array(chosen.prefix(1)) : chosen
  }

  /// Merges changes at real places of a file; what is wrong with the results.
  private func problems(with bytes: [UInt8], _ tally: inout Tally) throws -> [String] {
    var problems: [String] = []
    func expect(_ condition: Bool, _ words: String) { if !condition { problems.append(words) } }
    guard let base = try? value(bytes) else { return [] }
    tally.files += 1
    expect(try merge(bytes, bytes, bytes).bytes == bytes, "what nobody changed has other bytes")
    let places = try places(in: bytes, base)
    guard let first = places.first else { return problems }
    let a = try edited(bytes, [(first, "changed by A")])
    expect(try merge(bytes, a, bytes).bytes == a, "our change has other bytes")
    expect(try merge(bytes, bytes, a).bytes == a, "their change has other bytes")
    // Both changed the same.
    let other = try edited(bytes, [(first, "changed by B")])
    let conflicting = try merge(bytes, a, other)
    expect(conflicting.conflicts.count == 1, "\(first): \(conflicting.conflicts)")
    expect(conflicting.bytes == a, "in a conflict our side has other bytes")
    if let conflict = conflicting.conflicts.first {
      tally.conflicts += 1
      let there = try EditableFile(a, options: Self.archivedKeys).value(at: conflict.path)
      if there.scalar != .string("changed by A") {
        // A list of scalars is one place, and so is a record that is hardly the same one.
        tally.around += 1
        let holds = there.placedValues.contains { $0.value == "changed by A" }
        expect(holds, "\(conflict.path) is not \(first)")
      }
    }
    guard let last = places.last, last != first else { return problems }
    tally.pairs += 1
    let b = try edited(bytes, [(last, "changed by B")])
    let both = try edited(a, [(last, "changed by B")])
    for (ours, theirs, wanted) in [(a, b, both), (b, a, try edited(b, [(first, "changed by A")]))] {
      let result = try merge(bytes, ours, theirs)
      guard result.conflicts.isEmpty else {
        // A list of scalars is merged where no two changes touch.
        let list = result.conflicts[0].path.steps
        expect(list.count < first.steps.count && list.count < last.steps.count, "\(result.conflicts)")
        tally.inOneList += 1
        break
      }
      tally.merged += 1
      if result.bytes == wanted { tally.exact += 1 }
      expect(
        SharedComparison.areSame(try value(result.bytes), try value(both)),
        "\(first) and \(last) are not both there")
    }
    return problems
  }

  /// One of so many files is looked at, where there are many.
  @Test(arguments: [("keyed", 6), ("plist", 6), ("json", 2)])
  func `Real documents get the changes of both sides, or the bytes of the only side with a change`(
    _ folder: String, _ step: Int
  ) throws {
    var wrong: [String] = []
    var tally = Tally()
    for (index, name) in try Corpus.files(under: folder).enumerated() where index.isMultiple(of: step) {
      let bytes = try Corpus.bytes(name)
      guard bytes.count < 20_000 else { continue }
      do {
        wrong += try problems(with: bytes, &tally).map { "\(name): \($0)" }
      } catch {
        wrong.append("\(name): \(error)")
      }
    }
    print("\(folder): \(tally)")
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    #expect(tally.conflicts > 0 && tally.around * 3 <= tally.conflicts)
    #expect(tally.pairs > 0 && tally.inOneList * 10 <= tally.pairs)
    #expect(tally.exact == tally.merged)
  }
}
