import TestSupport
import Testing

@testable import Ferry

@Suite struct `Sets there and back in real archives` {
  /// The results for a kind of files.
  private struct Tally {
    var files = 0
    /// Strings that stand at one place of the file: each must come back.
    var clear = (places: 0, exact: 0)
    /// Strings that stand at several. Which of them stood at the place, and whether they are one object, the file does not
    /// tell any more when the value is gone; what the rest of the file does tells it mostly.
    var repeated = (places: 0, exact: 0)
  }

  /// A value that is not there yet.
  private func other(than old: Value, at path: ValuePath) -> String {
    // A longer or shorter text would change the runs of an attributed string too.
    if path.steps.last == .key("NSString"), case .string(let text) = old.scalar {
      return String(repeating: "x", count: text.utf16.count)
    }
    if case .object(let object) = old, object.type.name == "NSUUID" {
      return "01234567-89AB-CDEF-0123-456789ABCDEF"
    }
    return "x-new:Something%20else"
  }

  /// The paths of data that may hold a file.
  private func dataPaths(in value: Value) -> [ValuePath] {
    value.placedValues.compactMap { path, value in
      if case .data(let bytes) = value, bytes.starts(with: "bplist00".utf8) { path } else { nil }
    }
  }

  /// Each opens the file anew, as two runs of the program would.
  private func edited(_ bytes: [UInt8], _ path: ValuePath, _ text: String) throws -> [UInt8] {
    let file = try EditableFile(bytes, options: Self.archivedKeys)
    try file.set(text: text, at: path)
    return try file.bytes()
  }

  /// Objects by their archived keys, so that every string has a path.
  private static let archivedKeys: EditableFile.Options = {
    var options = EditableFile.Options()
    options.decodedForms = .scalars
    return options
  }()

  /// At how many places of the file, keys and class names among them, each string stands.
  private func counts(in nodes: any PropertyListNodes) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for node in (0..<nodes.nodeCount).map(NodeID.init) {
      guard case .dictionary(let count)? = try? nodes.kind(of: node) else { continue }
      for index in 0..<count {
        if let key = try nodes.string(nodes.key(index, of: node)) { counts[key, default: 0] += 1 }
      }
    }
    for node in (0..<nodes.nodeCount).map(NodeID.init) where (try? nodes.kind(of: node).isCollection) == true
    {
      try nodes.forEachChild(of: node) { child throws(FerryError) in
        if let text = try nodes.string(child) { counts[text, default: 0] += 1 }
      }
    }
    return counts
  }

  /// Sets the string at a path and sets it back; whether the bytes are as they were.
  private func isExact(_ bytes: [UInt8], _ path: ValuePath, in file: EditableFile) throws -> Bool {
    let old = try file.value(at: path)
    let there = try edited(bytes, path, other(than: old, at: path))
    guard there != bytes, case .string(let text) = old.scalar else { return false }
    return try edited(there, path, text) == bytes
  }

  @Test func `A set there and back gives every real archive its bytes`() throws {
    var kinds: [String: Tally] = [:]
    var wrong: [String] = []
    for name in try Corpus.files(under: "keyed") {
      let bytes = try Corpus.bytes(name)
      guard bytes.count < 150_000, let file = try? EditableFile(bytes, options: Self.archivedKeys),
        file.isEditable,
        let value = try? file.value(at: ValuePath())
      else { continue }
      let all = value.stringPaths
      guard let first = all.first, let last = all.last else { continue }
      var chosen = [first, all[all.count / 2], last]
      for data in dataPaths(in: value) {
        guard case .data(let inner)? = try? file.value(at: data).scalar,
          let nested = try? EditableFile(inner, options: Self.archivedKeys),
          let value = try? nested.value(at: ValuePath()), let path = value.stringPaths.first
        else { continue }
        chosen.append(ValuePath(data.steps + path.steps))
        break
      }
      let kind = name.split(separator: "/").prefix(2).joined(separator: "/")
      kinds[kind, default: Tally()].files += 1
      let counts = try counts(in: file.list.base)
      // Bytes that no rule gives are not given again once something else has changed.
      let isPatched =
        try (file.list.base as? BinaryPropertyList).map { try BinaryLayout(of: $0).patch != nil } ?? false
      for path in Set(chosen) {
        guard case .string(let text)? = try? file.value(at: path).scalar else { continue }
        let isClear = counts[text] == 1 && !isPatched
        let exact: Bool
        do {
          exact = try isExact(bytes, path, in: file)
        } catch let error as FerryError {
          // The name of a calendar, for example, takes no other text.
          guard case .path(.cannotPut) = error.reason else { throw error }
          continue
        }
        if isClear {
          kinds[kind, default: Tally()].clear.places += 1
          kinds[kind, default: Tally()].clear.exact += exact ? 1 : 0
          if !exact { wrong.append("\(name) \(path)") }
        } else {
          kinds[kind, default: Tally()].repeated.places += 1
          kinds[kind, default: Tally()].repeated.exact += exact ? 1 : 0
        }
      }
    }
    for (kind, tally) in kinds.sorted(by: { $0.key < $1.key }) {
      print(
        "\(kind): \(tally.files) files; \(tally.clear.exact) of \(tally.clear.places) strings come back,",
        "\(tally.repeated.exact) of \(tally.repeated.places) where the file has them at several places")
    }
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    let (exact, places) = kinds.values.reduce((0, 0)) {
      ($0.0 + $1.repeated.exact, $0.1 + $1.repeated.places)
    }
    #expect(exact * 100 >= places * 85, "\(exact) of \(places)")
  }
  @Test func `A string that is set back is not an equal one that was archived after the object around it`()
    throws
  {
    // Each card has its name twice, as one object.
    let card: Value = ["$classname": "Card", "$classes": ["Card", "NSObject"]]
    let bytes = try Archived.file(
      [
        ["first": .uid(2), "second": .uid(5), "$class": .uid(7)],
        ["name": .uid(3), "title": .uid(3), "$class": .uid(4)], "Add View.swift", card,
        ["name": .uid(6), "title": .uid(6), "$class": .uid(4)], "Add View.swift",
        ["$classname": "Deck", "$classes": ["Deck", "NSObject"]],
      ], top: ["root": .uid(1)])
    for path in ["first.name", "first.title"] {
      let there = try Edited.set(bytes, path, "Other View.swift")
      #expect(there != bytes)
      #expect(try Edited.set(there, path, "Add View.swift") == bytes, "\(path)")
    }
  }
}
