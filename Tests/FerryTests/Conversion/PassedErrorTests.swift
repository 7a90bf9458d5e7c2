import Testing

@testable import Ferry

private struct ClientError: Error, Equatable {
  var number: Int
}

/// A function of a client with typed errors, which calls functions that take closures with closures that throw nothing.
private func counts(of input: any ByteInput) throws(FerryError) -> (chunks: Int, matches: Int) {
  var (chunks, matches) = (0, 0)
  try input.makeRewindable()
  try input.forEachChunk { _ in chunks += 1 }
  try input.rewind()
  try ValueSearch().find(in: input) { _ in matches += 1 }
  return (chunks, matches)
}

@Suite struct `Functions of a client that throw any error` {
  private let json = Array(#"[{"name":"Ada"},{"name":"Grace"}]"#.utf8)

  private func fail(_ number: Int) throws { throw ClientError(number: number) }

  @Test func `A function with typed errors may pass functions that throw nothing`() throws {
    let counts = try counts(of: MemoryInput(json))
    #expect(counts.chunks == 1)
    #expect(counts.matches == 4)
  }

  @Test func `The error of a function that takes chunks reaches the caller`() throws {
    var count = 0
    #expect(throws: ClientError(number: 1)) {
      try MemoryInput(json).forEachChunk { chunk in
        count += chunk.count
        try fail(1)
      }
    }
    #expect(count == json.count)
    #expect(throws: FerryError(.file(.empty))) {
      try MemoryInput(json).forEachChunk { _ in throw FerryError(.file(.empty)) }
    }
    var bytes: [UInt8] = []
    try MemoryInput(json).forEachChunk { chunk in
      if chunk.isEmpty { try fail(2) }
      for index in 0..<chunk.count { bytes.append(chunk[index]) }
    }
    #expect(bytes == json)
  }

  @Test func `The error of a function that takes matches ends the search, and reaches the caller`() throws {
    var count = 0
    #expect(throws: ClientError(number: 1)) {
      try ValueSearch().find(in: MemoryInput(json)) { match in
        count += 1
        if match.text == "Ada" { try fail(1) }
      }
    }
    #expect(count == 2)
    #expect(throws: FerryError.self) {
      try ValueSearch().find(in: MemoryInput(Array("[1,".utf8))) { _ in try Task.checkCancellation() }
    }
  }

  @Test(arguments: [Format.json, .xml, .archive, .binaryPropertyList])
  func `The error of a function that sends a value reaches the caller`(_ format: Format) throws {
    let output = MemoryOutput()
    #expect(throws: ClientError(number: 3)) {
      try Conversion(to: format).write(to: output) { sink in
        try sink.beginArray(count: 1)
        try fail(3)
      }
    }
    let error = #expect(throws: FerryError.self) {
      try Conversion(to: format).write(to: output) { sink in
        try sink.beginArray(count: 1)
        throw FerryError(.path(.isRoot))
      }
    }
    #expect(error?.reason == .path(.isRoot))
    let whole = MemoryOutput()
    try Conversion(to: format).write(to: whole) { sink in
      try sink.beginArray(count: 2)
      for name in ["Ada", "Grace"] {
        if name.isEmpty { try fail(4) }
        try sink.string(name)
      }
      try sink.endArray()
    }
    #expect(try FerryDecoder().decode([String].self, from: whole.bytes) == ["Ada", "Grace"])
  }

  @Test func `Other records follow one whose function has thrown an error`() throws {
    let output = MemoryOutput()
    var writer = try RecordWriter(to: .json, output: output)
    do {
      try writer.write { sink in
        try sink.string("half")
        try fail(5)
      }
      Issue.record("written")
    } catch {
      #expect(error as? ClientError == ClientError(number: 5))
    }
    try writer.write { sink in
      try sink.beginDictionary(count: 2)
      try sink.key("name")
      try sink.string("Ada")
      try sink.key("photo")
      try sink.data([1, 2, 3])
      try sink.endDictionary()
    }
    try writer.finish()
    #expect(String(decoding: output.bytes, as: UTF8.self) == #"[{"name":"Ada","photo":"AQID"}]"# + "\n")
  }

  @Test func `The error of a function that returns the files of a package reaches the caller`() throws {
    let records = Array(#"[{"name":"Robot","location":"Shelf","imageKey":"robot.png"}]"#.utf8)
    let conversion = Conversion(to: .archive)
    #expect(throws: ClientError(number: 6)) {
      try conversion.package(of: .things, from: MemoryInput(records), named: "things.json") { _ in
        throw ClientError(number: 6)
      }
    }
    let error = #expect(throws: FerryError.self) {
      try conversion.package(of: .things, from: MemoryInput(records), named: "things.json") { name in
        if name.isEmpty { try fail(7) }
        return nil
      }
    }
    #expect(error?.reason == .package(.noAttachment("robot.png")) && error?.path == "[0].imageKey")
  }
}

@Suite struct `Arrays and texts beside spans` {
  @Test func `Arrays and texts are written to outputs`() throws {
    let output = MemoryOutput()
    try output.write([0x41, 0x64, 0x61])
    try output.write(" é\n")
    try output.write([])
    #expect(output.bytes == Array("Ada é\n".utf8))
  }

  @Test func `Arrays are read by readers`() throws {
    let builder = ValueBuilder()
    try JSONReader(into: builder).readAll(Array(#"{"name": "Ada"}"#.utf8))
    #expect(try builder.result() == ["name": "Ada"])
    let inChunks = ValueBuilder()
    let reader = JSONReader(into: inChunks)
    for chunk in ["[\"A", "da\"", "]"] { try reader.read(Array(chunk.utf8)) }
    try reader.finish()
    #expect(try inChunks.result() == ["Ada"])
    #expect(try XMLTree(parsing: Array("<a><b/></a>".utf8)).root.name.local == "a")
    #expect(FileKind(of: Array("bplist00".utf8)) == .binaryPropertyList)
    #expect(FileKind(of: [UInt8]()) == nil)
  }

  @Test func `Texts are written as XML`() throws {
    let output = MemoryOutput()
    let writer = try XMLWriter(to: output, indent: 0, declaration: false)
    for name in ["people", "person"] { try writer.startElement(name) }
    try writer.attribute("id", "1")
    try writer.text("Ada & co")
    try writer.endElement()
    try writer.comment(" one ")
    try writer.processingInstruction(target: "a", data: "b")
    try writer.endElement()
    try writer.finish()
    let text = String(decoding: output.bytes, as: UTF8.self)
    #expect(text.hasPrefix(#"<people><person id="1">Ada &amp; co</person><!-- one --><?a b?></people>"#))
  }
}
