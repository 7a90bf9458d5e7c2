import TestSupport
import Testing

@testable import Ferry

@Suite(.temporaryDirectory) struct `Thousands of changes` {
  private static let count = 3000

  /// A ZIP archive with the files `a/b.txt` and `z.txt`, and the empty folder `empty/in`.
  private func archive() async throws -> [UInt8] {
    let answer = try await Peer.python(
      """
      import io, sys, zipfile
      out = io.BytesIO()
      with zipfile.ZipFile(out, "w") as archive:
          archive.writestr("a/b.txt", "b")
          archive.writestr("z.txt", "z")
          archive.writestr("empty/in/", "")
      sys.stdout.buffer.write(out.getvalue())
      """)
    #expect(answer.succeeded, "\(answer.errors)")
    return answer.output
  }

  @Test func `Files are added to an archive in near-linear time`() async throws {
    let bytes = try await archive()
    let found = try expectProcessorTime(atMost: .seconds(20)) {
      let file = try EditableFile(bytes, named: "a.zip")
      try file.edit { file in
        for index in 0..<Self.count {
          _ = try file.insert(text: "x", at: ValuePath([.key("f\(index % 7)/\(index).txt")]))
        }
      }
      return try file.count(at: ValuePath([.slice(from: nil, to: nil)]))
    }
    #expect(found == Self.count + 2)
  }

  @Test func `A file has neither the name of a folder nor a file as its folder, also after other changes`()
    async throws
  {
    let file = try EditableFile(try await archive(), named: "a.zip")
    func problem(_ name: String) -> String? {
      do {
        try file.insert(text: "x", at: ValuePath([.key(name)]))
        return nil
      } catch {
        return error.reason.description
      }
    }
    #expect(problem("a") == #""a" is a folder"#)
    #expect(problem("empty") == #""empty" is a folder"#)
    #expect(problem("empty/in") == #""empty/in" is a folder"#)
    #expect(problem("a/b.txt/c") == #""a/b.txt" is a file, not a folder"#)
    #expect(problem("ab") == nil && problem("a/b") == nil && problem("empty/i") == nil)
    #expect(problem("ab/c") == #""ab" is a file, not a folder"#)
    try file.remove(at: ValuePath([.key("ab")]))
    #expect(problem("ab/c/d") == nil)
    #expect(problem("ab/c") == #""ab/c" is a folder"#)
    try file.move(ValuePath([.key("ab/c/d")]), to: ValuePath([.key("e")]))
    #expect(problem("ab/c") == nil)
    #expect(problem("e/f") == #""e" is a file, not a folder"#)
  }

  @Test func `All columns of a table are replaced or renamed in time in proportion to its cells`() throws {
    let columns = 300
    let text =
      (0..<columns).map { "c\($0)" }.joined(separator: ",") + "\n"
      + (0..<3).map { row in (0..<columns).map { "\(row)-\($0)" }.joined(separator: ",") + "\n" }.joined()
    let renamed = text.replacing("c", with: "n")
    var options = EditableFile.Options()
    options.format = .csv
    let replaced = try expectProcessorTime(atMost: .seconds(20)) {
      let file = try EditableFile(Array(text.utf8), options: options)
      for row in 0..<3 {
        var entries = KeyedValues()
        for column in 0..<columns { entries["n\(column)"] = .string("\(row)-\(column)") }
        try file.set(.dictionary(entries), at: ValuePath([.index(row)]))
      }
      return String(decoding: try file.bytes(), as: UTF8.self)
    }
    #expect(replaced == renamed)
    let moved = try expectProcessorTime(atMost: .seconds(20)) {
      let file = try EditableFile(Array(text.utf8), options: options)
      try file.edit { file in
        for column in 0..<columns {
          _ = try file.move(
            ValuePath([.slice(from: nil, to: nil), .key("c\(column)")]),
            to: ValuePath([.slice(from: nil, to: nil), .key("n\(column)")]))
        }
      }
      return String(decoding: try file.bytes(), as: UTF8.self)
    }
    #expect(moved == renamed)
  }

  @Test func `The entries of a dictionary that a merge key adds are patched in linear time`() throws {
    let count = 5000
    let keys = (0..<count).map { "    \($0): \($0)\n" }.joined()
    let yaml = "base: &b\n  d:\n\(keys)use:\n  <<: *b\n"
    var (entries, wanted) = (KeyedValues(), KeyedValues())
    for index in 0..<count {
      entries[.string("\(index)")] = index % 2 == 0 ? .null : .integer(Int128(-index))
      if index % 2 == 1 { wanted[.integer(Int128(index))] = .integer(Int128(-index)) }
    }
    let patch: Value = ["use": ["d": .dictionary(entries)]]
    let file = try EditableFile(Array(yaml.utf8), named: "a.yaml")
    try expectProcessorTime(atMost: .seconds(20)) { try file.merge(patch) }
    #expect(try file.value(at: ValuePath(parsing: "use.d")) == .dictionary(wanted))
    #expect(try file.count(at: ValuePath(parsing: "base.d[*]")) == count)
  }
}
