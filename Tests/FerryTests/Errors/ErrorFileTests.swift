import Foundation
import TestSupport
import Testing

@testable import Ferry

@Suite(.temporaryDirectory) struct `Files of errors` {
  private let path: String

  /// Writes a file with a mistake in its second line.
  init() throws {
    let directory = TemporaryDirectory.current
    try directory.write("people.json", "[{\"name\":\"Ada\"},\n,]")
    path = directory.path("people.json")
  }

  /// Expects an error of the second line of the file, in every part of which the file is named once.
  private func expectNamed(_ error: FerryError?, _ source: SourceLocation = #_sourceLocation) {
    #expect(error?.file == path, "\(error as Any)", sourceLocation: source)
    let words = error.map { "\($0)" } ?? ""
    #expect(words.hasPrefix("\(path):2:1: "), "\(words)", sourceLocation: source)
    #expect(words.components(separatedBy: "people.json").count == 2, "\(words)", sourceLocation: source)
    #expect(error?.message.contains("people.json") == false, sourceLocation: source)
  }

  @Test func `An error of a call with a path names the file`() throws {
    for target in [Format.csv, .json, .binaryPropertyList] {
      expectNamed(
        #expect(throws: FerryError.self) {
          try Conversion(to: target).convert(FileInput(path: path), named: path, to: MemoryOutput())
        })
    }
    expectNamed(#expect(throws: FerryError.self) { try EditableFile(path: path) })
    expectNamed(
      #expect(throws: FerryError.self) { try Inspection(reading: FileInput(path: path), named: path) })
    expectNamed(#expect(throws: FerryError.self) { try Value(reading: FileInput(path: path), named: path) })
    expectNamed(#expect(throws: FerryError.self) { try Schema(named: path) })
    expectNamed(
      #expect(throws: FerryError.self) {
        try ValueSearch().find(in: FileInput(path: path), named: path) { _ in try Task.checkCancellation() }
      })
    let cursor = Records(from: .file(path)).makeCursor()
    expectNamed(#expect(throws: FerryError.self) { while try cursor.next() != nil {} })
  }

  @Test func `A decoding error names the file, also if the file has no mistake of its format`() throws {
    struct Person: Decodable { var name: String }
    let damaged = #expect(throws: DecodingError.self) {
      try FerryDecoder().decode([Person].self, from: FileInput(path: path), named: path)
    }
    expectNamed(damaged?.context?.underlyingError as? FerryError)
    let directory = TemporaryDirectory.current
    try directory.write("wrong.json", "[{\"name\":\"Ada\"},\n{\"name\":1}]")
    let wrong = #expect(throws: DecodingError.self) {
      try FerryDecoder().decode([Person].self, from: FileInput(path: directory.path("wrong.json")))
    }
    let words = wrong?.context?.debugDescription ?? ""
    #expect(words.hasPrefix("\(directory.path("wrong.json")):2:"), "\(words)")
    let record = #expect(throws: DecodingError.self) {
      let cursor = Records(of: Person.self, from: .file(directory.path("wrong.json"))).makeCursor()
      while try cursor.next() != nil {}
    }
    let ofRecord = record?.context?.debugDescription ?? ""
    #expect(ofRecord.hasPrefix("\(directory.path("wrong.json")):2:"), "\(ofRecord)")
    let archive = directory.path("people.archive")
    try directory.write("people.archive", KeyedArchiveEncoder().encode(["name": "Ada"]))
    let ofArchive = #expect(throws: DecodingError.self) {
      try FerryDecoder().decode(Int.self, from: FileInput(path: archive), at: "name")
    }
    #expect(
      ofArchive?.context?.debugDescription.hasPrefix("\(archive): byte ") == true, "\(ofArchive as Any)")
  }

  /// Makes several changes in a function that throws only errors of Ferry.
  private static func editTyped(_ file: EditableFile) throws(FerryError) {
    try file.edit { file throws(FerryError) in
      try file.set(2, at: "a[0]")
      try file.set(3, at: "b")
    }
  }

  @Test func `An error of a value of an open file names the file`() throws {
    let directory = TemporaryDirectory.current
    try directory.write("open.json", #"{"a":[1,"b"]}"#)
    let path = directory.path("open.json")
    let file = try EditableFile(path: path)
    /// Expects an error that names the file once, with a path that leads to no value.
    func expectNamed(
      _ source: SourceLocation = #_sourceLocation, _ body: (EditableFile) throws -> Void
    ) {
      let error = #expect(throws: FerryError.self, sourceLocation: source) { try body(file) }
      #expect(error?.file == path, "\(error as Any)", sourceLocation: source)
      let words = error.map { "\($0)" } ?? ""
      #expect(words.hasPrefix("\(path): "), "\(words)", sourceLocation: source)
      #expect(words.components(separatedBy: "open.json").count == 2, "\(words)", sourceLocation: source)
    }
    expectNamed { _ = try $0.value(at: "b") }
    expectNamed { _ = try $0.count(at: "b") }
    expectNamed { _ = try $0.contents(at: "a[0]") }
    expectNamed { _ = try $0.summaries(at: ["b"]) }
    expectNamed { _ = try $0.writeText(["b"], to: MemoryOutput()) }
    expectNamed { _ = try $0.write(["b"], as: WritingOptions(to: .json), to: MemoryOutput()) }
    expectNamed { try $0.set(1, at: "b") }
    expectNamed { try $0.set(text: "x", as: .integer, at: "a[0]") }
    expectNamed { try $0.insert(1, at: "a") }
    expectNamed { try $0.insert(text: "x", as: .date, at: "a[]") }
    expectNamed { try $0.remove(at: "b") }
    expectNamed { try $0.edit { file in try file.set(1, at: "b") } }
    // The other function throws any error.
    #expect(throws: CancellationError.self) {
      try file.edit { file in
        try file.set(7, at: "a[0]")
        throw CancellationError()
      }
    }
    #expect(throws: FerryError.self) { try Self.editTyped(file) }
    expectNamed { try $0.apply(JSONPatch(Array(#"[{"op":"remove","path":"/b"}]"#.utf8))) }
    expectNamed { _ = try EditableFile.value(at: "b", ofFile: $0.filePath ?? "") }
    let decoding = #expect(throws: DecodingError.self) { try file.decode(Int.self, at: "a[1]") }
    #expect(decoding?.context?.debugDescription.hasPrefix("\(path): ") == true, "\(decoding as Any)")
    // The error of the output names the output.
    try file.set(2, at: "a[0]")
    let missing = directory.path("none/x.json")
    let written = #expect(throws: FerryError.self) { try file.write(to: missing) }
    #expect(written?.file == missing, "\(written as Any)")
    let inMemory = #expect(throws: FerryError.self) {
      try EditableFile(Array("[]".utf8)).set(1, at: "b")
    }
    #expect(inMemory?.file == nil)
  }

  @Test func `A file that cannot be opened or written is named`() throws {
    let missing = TemporaryDirectory.current.path("none.json")
    let opened = #expect(throws: FerryError(.file(.notFound))) { try FileInput(path: missing) }
    #expect(opened.map { "\($0)" } == "\(missing): no such file or directory")
    let written = #expect(throws: FerryError(.file(.exists))) { try FileOutput(path: path) }
    #expect(written.map { "\($0)" } == "\(path): the file already exists")
    #expect(throws: FerryError(.file(.notFound))) { try KeyedArchive(path: missing) }
  }

  @Test func `An error of the output does not name the input`() throws {
    final class FullOutput: ByteOutput {
      func write(_ bytes: Span<UInt8>) throws(FerryError) { throw FerryError(.file(.notOpen)) }
    }
    let directory = TemporaryDirectory.current
    try directory.write("whole.json", "[1]")
    let error = #expect(throws: FerryError.self) {
      try Conversion(to: .yaml).convert(FileInput(path: directory.path("whole.json")), to: FullOutput())
    }
    #expect(error?.file == nil, "\(error as Any)")
  }

  @Test func `An error in data has the path of the data, and the location in the data`() throws {
    let text = #"{"a": [1,"# + "\n 2}"
    let inner = try PropertyLists.binary(["d": .data(Array(text.utf8)), "ok": .data(Array(#"{"a":1}"#.utf8))])
    let file = try EditableFile(PropertyLists.binary(["d": .data(Array(text.utf8)), "list": .data(inner)]))
    for (path, place) in [("d.a", "d"), ("list.d.a", "list.d")] {
      for change in [false, true] {
        let error = #expect(throws: FerryError.self) {
          if change {
            try file.set(1, at: ValuePath(parsing: path))
          } else {
            _ = try file.value(at: ValuePath(parsing: path))
          }
        }
        #expect(error?.location.isEmpty == true)
        #expect(error?.locationInData == InputLocation(line: 2, column: 3, byte: 12))
        #expect(
          error?.message.hasSuffix("(at \(place), line 2, column 3 of the data)") == true, "\(error as Any)")
      }
    }
    let missing = #expect(throws: FerryError.self) { try file.value(at: ValuePath(parsing: "list.ok.b")) }
    #expect(missing?.locationInData.isEmpty == true)
  }

  @Test func `An error of an object of an archive in data has no location in the file around it`() throws {
    let bytes = try Archived.file([
      ["a": .uid(99), "$class": .uid(2)], ["$classname": "P", "$classes": ["P", "NSObject"]],
    ])
    let file = try EditableFile(PropertyLists.binary(["d": .data(bytes)]))
    for path in ["d.a", "d.root", "d.root.a"] {
      let error = #expect(throws: FerryError.self) { try file.value(at: ValuePath(parsing: path)) }
      #expect(error?.reason == .archive(.danglingReference(99, objects: 3)), "\(error as Any)")
      #expect(error?.location.isEmpty == true && error?.locationInData.byte != nil, "\(error as Any)")
      #expect(error?.message.hasSuffix(" of the data)") == true, "\(error as Any)")
    }
  }

  @Test func `Errors of bytes in memory have no file, which can be added`() throws {
    let error = #expect(throws: FerryError.self) { try Value(reading: MemoryInput(Array("[,]".utf8))) }
    let found = try #require(error)
    #expect(found.file == nil)
    let placed = found.placed(inFile: "a.json")
    #expect(placed == found && placed.hashValue == found.hashValue)
    #expect("\(placed)" == "a.json:\(found)")
    #expect(placed.placed(inFile: "b.json").file == "a.json")
  }
}
