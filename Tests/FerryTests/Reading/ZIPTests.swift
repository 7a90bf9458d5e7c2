import Foundation
import TestSupport
import Testing

@testable import Ferry

@Suite(.temporaryDirectory) struct `ZIP archives` {
  /// Returns an archive that Python's zipfile has made: `add(name, bytes)` adds a file.
  private func archive(_ program: String) async throws -> [UInt8] {
    let code = """
      import io, sys, zipfile
      out = io.BytesIO()
      archive = zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED)
      def add(name, data, method=zipfile.ZIP_DEFLATED): archive.writestr(name, data, method)
      \(program)
      archive.close()
      sys.stdout.buffer.write(out.getvalue())
      """
    let answer = try await Peer.python(code)
    #expect(answer.succeeded, "\(answer.errors)")
    return answer.output
  }

  private func value(_ bytes: [UInt8], _ name: String = "a.zip") throws -> Value {
    try Value(reading: MemoryInput(bytes), named: name)
  }

  private func reason(_ bytes: [UInt8]) -> FerryError.Reason? {
    do {
      _ = try value(bytes)
      return nil
    } catch {
      return (error as? FerryError)?.reason
    }
  }

  @Test func `The files of an archive are values by their names`() async throws {
    let bytes = try await archive(
      """
      add("document.json", '{"a": [1, true]}')
      add("pages/é.xml", '<p>x</p>', zipfile.ZIP_STORED)
      archive.writestr("pages/", "")
      add("preview.png", bytes([137, 80, 78, 71, 1, 2]))
      add("note.txt", "hello")
      add("empty.bin", "")
      add("__MACOSX/._document.json", "x")
      archive.comment = b"a comment"
      """)
    let wanted: Value = [
      "document.json": ["a": [1, true]], "pages/é.xml": ["p": "x"],
      "preview.png": .data([137, 80, 78, 71, 1, 2]), "note.txt": "hello", "empty.bin": .data([]),
    ]
    #expect(try value(bytes) == wanted)
    let file = try EditableFile(bytes, named: "a.sketch")
    #expect(try file.value(at: ValuePath(parsing: #"["document.json"].a[0]"#)) == 1)
    #expect(try file.value(at: ValuePath()) == wanted)
    #expect(file.isEditable)
    #expect(try Inspection(reading: MemoryInput(bytes), named: "a.zip").byteCount == bytes.count)
  }

  @Test func `An archive after other bytes that its offsets leave out is read and changed`() async throws {
    let bytes = try await archive(#"add("a.json", "[1]"); add("b.json", "[2]")"#)
    let other = try await archive(#"add("c.json", "[3]")"#)
    let empty = try await archive("")
    var options = EditableFile.Options()
    options.format = .zip
    for before in [Array("#!/bin/sh\nexit 0\n".utf8), other, bytes, [0]] {
      let file = try EditableFile(before + bytes, options: options)
      #expect(try file.value(at: ValuePath()) == ["a.json": [1], "b.json": [2]])
      try file.set(text: "5", at: ValuePath(parsing: #"["b.json"][0]"#))
      let edited = try file.bytes()
      #expect(edited.starts(with: before))
      let new: Value = ["a.json": [1], "b.json": [5]]
      #expect(try EditableFile(edited, options: options).value(at: ValuePath()) == new)
      // Without the bytes before it, it is the same archive.
      #expect(try value(Array(edited.dropFirst(before.count))) == new)
      #expect(try ZIPArchive(FileBytes(before + empty), budget: Budget()).members.isEmpty)
    }
  }

  @Test func `An archive between other bytes is read and changed, unless it is inside a truncated one`()
    async throws
  {
    let bytes = try await archive(#"add("a.json", "[1]"); add("b.json", "[2]")"#)
    var options = EditableFile.Options()
    options.format = .zip
    let tails: [[UInt8]] = [
      [0], Array("tail".utf8), Array("PK\u{5}\u{6}".utf8), [UInt8](repeating: 7, count: 60_000),
    ]
    for before in [Array("#!/bin/sh\nexit 0\n".utf8), Array("MZPK\u{3}\u{4}".utf8), [0]] {
      for tail in tails {
        let file = try EditableFile(before + bytes + tail, options: options)
        #expect(try file.value(at: ValuePath()) == ["a.json": [1], "b.json": [2]])
        try file.set(text: "5", at: ValuePath(parsing: #"["b.json"][0]"#))
        let edited = try file.bytes()
        #expect(edited.starts(with: before) && edited.suffix(tail.count).elementsEqual(tail))
        let new: Value = ["a.json": [1], "b.json": [5]]
        #expect(try EditableFile(edited, options: options).value(at: ValuePath()) == new)
        #expect(try value(Array(edited.dropFirst(before.count).dropLast(tail.count))) == new)
      }
      let outer = try await archive(
        "add('x', 'y'); add('in.zip', bytes(\(bytes)), zipfile.ZIP_STORED); add('c.json', '[3]')")
      let end = try #require(outer.firstRange(of: bytes)).upperBound
      for cut in [end + 1, end + 20, outer.count - 1] {
        #expect(throws: FerryError.self) {
          _ = try ZIPArchive(FileBytes(before + outer[..<cut]), budget: Budget())
        }
      }
    }
  }

  @Test func `The options for XML apply to the files of a ZIP archive`() async throws {
    let bytes = try await archive(
      """
      add("a.xml", "<r><i>1</i></r>")
      add("b.json", '{"i": 1}')
      """)
    var conversion = Conversion(to: .json)
    conversion.reading.xml.lists = [try ValuePath(parsing: "r.i")]
    let (json, report) = try conversion.convert(bytes, named: "a.zip")
    #expect(try Value(reading: MemoryInput(json)) == ["a.xml": ["r": ["i": ["1"]]], "b.json": ["i": 1]])
    #expect(report.notes.isEmpty)
  }

  @Test func `An archive with one file is read as the file`() async throws {
    let bytes = try await archive(#"add("people.csv", "name,age\nAda,36\n")"#)
    #expect(try value(bytes) == [["name": "Ada", "age": "36"]])
    let file = try EditableFile(bytes)
    #expect(try file.value(at: ValuePath(parsing: "[0].name")) == "Ada")
    #expect(file.isEditable)
    #expect(try file.bytes() == bytes)
    let gzip = try Compression.gzip.compressed(bytes)
    #expect(try value(gzip, "a.zip.gz") == [["name": "Ada", "age": "36"]])
  }

  @Test func `XML that is the only file of an archive and other files of XML have one form`() async throws {
    let directory = TemporaryDirectory.current
    let bytes = try await archive(#"add("a.xml", "<r><i>1</i><i>2</i></r>")"#)
    try directory.write("a.zip", bytes)
    try directory.write("b.xml", "<r><i>3</i></r>")
    var conversion = Conversion(to: .json)
    conversion.noteCommonShape(ofFiles: ["a.zip", "b.xml"].map { directory.path($0) })
    let (json, _) = try conversion.convert(Array("<r><i>3</i></r>".utf8), named: "b.xml")
    #expect(try Value(reading: MemoryInput(json)) == ["r": ["i": ["3"]]])
  }

  @Test func `Archives with large sizes in extra fields are read`() async throws {
    let bytes = try await archive(
      """
      with archive.open("a.json", "w", force_zip64=True) as file: file.write(b"[1]")
      with archive.open("b.json", "w", force_zip64=True) as file: file.write(b"[2]")
      """)
    #expect(try value(bytes) == ["a.json": [1], "b.json": [2]])
  }

  @Test func `Every prefix is refused, and a changed byte is refused or changes no value`() async throws {
    let bytes = try await archive(
      #"""
      add("a.json", '{"key": "value, value, value"}')
      add("b.json", '[1, 2, 3]', zipfile.ZIP_STORED)
      """#)
    let wanted: Value = ["a.json": ["key": "value, value, value"], "b.json": [1, 2, 3]]
    let values: Set<Value> = [["key": "value, value, value"], [1, 2, 3]]
    #expect(try value(bytes) == wanted)
    try Damage(to: bytes).check { bytes in
      // Names have no checksum, and a name may become one of data.
      guard case .dictionary(let files) = try value(bytes) else { return }
      for (_, file) in files {
        if case .data = file { continue }
        #expect(
          values.contains(file) || file == .string("[1, 2, 3]")
            || file == .string(#"{"key": "value, value, value"}"#))
      }
    }
  }

  @Test func `All files are read, also if a number of 16 bits cannot count them`() async throws {
    // 65,538 files are counted as 2.
    let many = try await archive(
      """
      import struct
      header = b"PK\\3\\4" + bytes(22) + struct.pack("<HH", 1, 0) + b"x"
      entries = b"".join(
        b"PK\\1\\2" + bytes(24) + struct.pack("<H", len(b"%d" % n)) + bytes(16) + b"%d" % n for n in range(65538))
      end = b"PK\\5\\6" + struct.pack("<HHHHLLH", 0, 0, 2, 2, len(entries), len(header), 0)
      sys.stdout.buffer.write(header + entries + end)
      sys.exit()
      """)
    let found = try ZIPArchive(FileBytes(many), budget: Budget())
    #expect(found.members.count == 65_538)
    #expect(found.members.last?.name == "65537")
  }

  @Test func `A directory with more files than the end of the archive shows is refused`() async throws {
    var two = try await archive(#"add("a.json", "[1]"); add("b.json", "[2]")"#)
    // The number of files in this part of the archive, and in all parts.
    for index in [two.count - 14, two.count - 12] { two[index] = 1 }
    #expect(
      reason(two) == .compression(.damagedArchive("its directory has more files than its end shows")))
  }

  @Test func `Names of folders and of files of macOS are compared as bytes`() async throws {
    // U+0600 and the slash, or the slash and U+0301, are one character.
    let bytes = try await archive(
      """
      archive.writestr("\\u0600/", "")
      add("__MACOSX/\\u0301", "x")
      add("\\u0600/.DS_Store", "x")
      add("\\u0600/a.json", "[1]")
      add("e\\u0301", "1")
      add("\\u00e9", "2")
      """)
    let found = try ZIPArchive(FileBytes(bytes), budget: Budget())
    #expect(found.folders == ["\u{600}"])
    #expect(
      found.members.map { Array($0.name.utf8) }
        == ["\u{600}/a.json", "e\u{301}", "\u{e9}"].map { Array($0.utf8) })
  }

  @Test func `Encrypted files, other methods and repeated names are refused`() async throws {
    let two = #"add("a.json", "[1]"); add("b.json", "[2]")"#
    var encrypted = try await archive(two)
    for index in encrypted.indices.dropLast(10)
    where encrypted[index...].starts(with: [0x50, 0x4b, 0x01, 0x02]) {
      encrypted[index + 8] |= 1
    }
    #expect(reason(encrypted) == .compression(.encryptedFile("a.json")))
    let bzip2 = try await archive(#"add("a.json", "[1]", zipfile.ZIP_BZIP2); add("b.json", "[2]")"#)
    #expect(reason(bzip2) == .compression(.otherMethod("a.json", 12)))
    let repeated = try await archive(#"add("a.json", "[1]"); add("a.json", "[2]")"#)
    #expect(reason(repeated) == .compression(.damagedArchive("it has two files with the name \"a.json\"")))
  }

  @Test func `An error in a file has the name of the file`() async throws {
    let bytes = try await archive(#"add("good.json", "[1]"); add("bad.json", "[1,\n}")"#)
    do {
      _ = try value(bytes)
      Issue.record("read")
    } catch {
      let error = try #require(error as? FerryError)
      #expect(error.path == ValuePath([.key("bad.json")]))
      #expect(error.location.line == 2)
    }
  }

  @Test func `All files of an archive share its budget`() async throws {
    let bytes = try await archive(
      #"""
      for index in range(30): add("%d.bin" % index, bytes(1000000))
      """#)
    #expect(reason(bytes) == .overBudget(.amplification(100)))
  }

  @Test func `The Sketch documents of the corpus are read`() throws {
    var count = 0
    for file in try Corpus.files(under: "sketch") where file.hasSuffix(".sketch") {
      let input = try FileInput(path: "\(Corpus.path())/\(file)")
      guard ZIPArchive.begins(try input.peek(upTo: 4)) else { continue }
      guard case .dictionary(let files) = try Value(reading: input, named: file) else {
        Issue.record("\(file)")
        continue
      }
      #expect(files["document.json"] != nil)
      count += 1
    }
    #expect(count > 3)
  }
}
