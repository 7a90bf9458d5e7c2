import Foundation
import TestSupport
import Testing

@testable import Ferry

/// An input in chunks of one size.
private final class PiecewiseInput: ByteInput {
  private let bytes: [UInt8]
  private let size: Int
  private var offset = 0

  init(_ bytes: [UInt8], chunksOf size: Int) { (self.bytes, self.size) = (bytes, size) }

  func peek(upTo count: Int) throws(FerryError) -> [UInt8] { Array(bytes[offset...].prefix(count)) }

  func forEachChunk(_ body: (Span<UInt8>) throws(FerryError) -> Void) throws(FerryError) {
    while offset < bytes.count {
      let chunk = Array(bytes[offset...].prefix(size))
      offset += chunk.count
      try body(chunk.span)
    }
  }

  func readAll(limit: Int) throws(FerryError) -> [UInt8] { Array(bytes[offset...]) }
  func makeRewindable() throws(FerryError) {}
  func rewind() throws(FerryError) { offset = 0 }
}

@Suite struct `Compressed data` {
  /// Text, bytes that do not compress, and zeros.
  private static let samples: [[UInt8]] = {
    var generator = SeededGenerator(seed: 7)
    let noise = (0..<70_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let text = Array((0..<9000).map { "line \($0 % 613)\n" }.joined().utf8)
    return [[], [7], Array("<people/>".utf8), text, noise, noise + text + noise]
  }()

  private func read(
    _ bytes: [UInt8], _ compression: Compression, chunksOf size: Int = 1 << 16, budget: Budget = Budget()
  ) throws(FerryError) -> [UInt8] {
    try DecompressedInput(PiecewiseInput(bytes, chunksOf: size), compression, budget: budget).readAll()
  }

  private func failure(_ body: () throws -> Void) -> FerryError? {
    do { try body() } catch { return error as? FerryError }
    return nil
  }

  // MARK: Peers

  private static let packing = """
    import gzip, lzma, subprocess, sys, zlib
    data = sys.stdin.buffer.read()
    def zstd(*options): return subprocess.run(["zstd", *options], input=data, capture_output=True, check=True).stdout
    pack = {
      "gzip": lambda: gzip.compress(data), "zlib": lambda: zlib.compress(data, LEVEL),
      "xz": lambda: lzma.compress(data, check=[lzma.CHECK_NONE, lzma.CHECK_CRC32, lzma.CHECK_CRC64, lzma.CHECK_SHA256][LEVEL % 4]),
      "zstd": lambda: zstd("-%d" % (LEVEL + 1), *(["--no-check"] if LEVEL % 2 else [])),
    }
    """

  @Test(arguments: Compression.allCases, [1, 2, 7])
  func `What other programs compress is read`(_ compression: Compression, level: Int) async throws {
    if compression == .zstd { _ = try await Peer.run("zstd", ["--version"]) }
    for sample in Self.samples {
      let program =
        Self.packing.replacing("LEVEL", with: "\(level)")
        + "\nsys.stdout.buffer.write(pack['\(compression.rawValue)']())"
      let answer = try await Peer.python(program, input: sample)
      #expect(answer.succeeded, "\(answer.errors)")
      #expect(Compression.of(answer.output) == compression)
      #expect(try read(answer.output, compression) == sample)
    }
  }

  @Test(arguments: Compression.allCases)
  func `Other programs read what is compressed`(_ compression: Compression) async throws {
    if compression == .zstd { _ = try await Peer.run("zstd", ["--version"]) }
    let program = """
      import gzip, lzma, subprocess, sys, zlib
      data = sys.stdin.buffer.read()
      unpack = {
        "gzip": gzip.decompress, "zlib": zlib.decompress, "xz": lzma.decompress,
        "zstd": lambda data: subprocess.run(["zstd", "-dc"], input=data, capture_output=True, check=True).stdout,
      }
      sys.stdout.buffer.write(unpack['\(compression.rawValue)'](data))
      """
    for sample in Self.samples {
      let packed = try compression.compressed(sample)
      let answer = try await Peer.python(program, input: packed)
      #expect(answer.succeeded, "\(answer.errors)")
      #expect(answer.output == sample)
    }
  }

  // MARK: Chunks

  @Test(arguments: Compression.allCases, [1, 2, 3, 7, 4096])
  func `Chunks of any size give the same bytes`(_ compression: Compression, size: Int) throws {
    for sample in Self.samples where size > 3 || sample.count < 1000 || sample == Self.samples[3] {
      let output = MemoryOutput()
      let compressed = try CompressedOutput(output, compression)
      for start in stride(from: 0, to: sample.count, by: size) {
        try compressed.write(sample.span.extracting(start..<min(start + size, sample.count)))
      }
      try compressed.finish()
      #expect(try read(output.bytes, compression, chunksOf: size) == sample)
      #expect(try output.bytes == compression.compressed(sample) || compression == .zstd)
    }
  }

  @Test(arguments: Compression.allCases)
  func `Peeking shows the first bytes and consumes none`(_ compression: Compression) throws {
    let sample = Self.samples[5]
    let input = try DecompressedInput(MemoryInput(compression.compressed(sample)), compression)
    for count in [1, 100, 70_000, 1 << 20] {
      #expect(try input.peek(upTo: count) == Array(sample.prefix(count)))
    }
    #expect(try input.readAll() == sample)
    #expect(try input.peek(upTo: 1) == [])
    try input.rewind()
    #expect(try input.readAll() == sample)
  }

  // MARK: Members

  @Test(arguments: [Compression.gzip, .zstd, .xz], [1, 5, 1 << 16])
  func `All members of a file are read`(_ compression: Compression, size: Int) throws {
    let members = try ["one\n", "", "two\n"].map { try compression.compressed(Array($0.utf8)) }
    #expect(try read(Array(members.joined()), compression, chunksOf: size) == Array("one\ntwo\n".utf8))
  }

  @Test(arguments: Compression.allCases)
  func `Nothing can be written to a compressed output after its end`(_ compression: Compression) throws {
    let whole = MemoryOutput()
    let output = try CompressedOutput(whole, compression)
    let sample = Self.samples[3]
    try output.write(sample.span)
    try output.finish()
    #expect(throws: FerryError(.file(.notOpen))) {
      let more = Self.samples[1]
      try output.write(more.span)
    }
    #expect(throws: FerryError(.file(.notOpen))) { try output.finish() }
    #expect(try DecompressedInput(MemoryInput(whole.bytes), compression).readAll() == Self.samples[3])
  }

  @Test func `Zeros may follow gzip and xz data`() throws {
    let text = Array("text".utf8)
    let zeros = { [UInt8](repeating: 0, count: $0) }
    let (gzip, xz) = (try Compression.gzip.compressed(text), try Compression.xz.compressed(text))
    #expect(try read(gzip + zeros(511), .gzip) == text)
    #expect(try read(gzip + zeros(3) + gzip, .gzip) == text + text)
    #expect(try read(xz + zeros(8) + xz + zeros(4), .xz, chunksOf: 1) == text + text)
    let error = failure { _ = try read(xz + zeros(6), .xz) }
    guard case .compression(.damaged(.xz, _)) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `Frames of zstd without content are skipped`() throws {
    let text = Array("text".utf8)
    let empty: [UInt8] = [0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]
    let frame = try Compression.zstd.compressed(text)
    #expect(Compression.of(empty) == .zstd)
    #expect(try read(empty + frame + empty + frame, .zstd, chunksOf: 1) == text + text)
  }

  @Test(arguments: Compression.allCases, ["x", "\n", "\u{1f}x", "garbage garbage"])
  func `Other bytes after the data are refused with their offset`(_ compression: Compression, rest: String)
    throws
  {
    let packed = try compression.compressed(Array("text".utf8))
    for size in [1, 1 << 16] {
      let error = failure { _ = try read(packed + Array(rest.utf8), compression, chunksOf: size) }
      #expect(error?.reason == .compression(.trailingBytes(compression)), "\(String(describing: error))")
      #expect(error?.location.byte == packed.count)
    }
  }

  // MARK: Damage

  @Test(arguments: Compression.allCases)
  func `Every prefix is refused, and a changed byte is refused or changes nothing`(
    _ compression: Compression
  ) throws {
    let sample = Array("<people><person/>text, text and text</people>\n".utf8)
    let packed = try compression.compressed(sample)
    let tally = try Damage(to: packed).check { bytes in
      let text = try read(bytes, compression)
      #expect(text == sample)
    }
    #expect(tally.readChanges < packed.count)
  }

  @Test(arguments: Compression.allCases)
  func `Truncated data is refused with its size`(_ compression: Compression) throws {
    let packed = try compression.compressed(Self.samples[4])
    for count in [1, 5, 100, packed.count / 2, packed.count - 1] {
      let error = failure { _ = try read(Array(packed.prefix(count)), compression) }
      #expect(error?.reason == .compression(.truncated(compression)))
      #expect(error?.location.byte == count)
    }
  }

  // MARK: Budgets

  @Test(arguments: Compression.allCases)
  func `Data that expands too much is refused`(_ compression: Compression) throws {
    let output = MemoryOutput()
    let compressed = try CompressedOutput(output, compression)
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    for _ in 0..<40 { try compressed.write(zeros.span) }
    try compressed.finish()
    var (count, budget) = (0, Budget())
    let input = try DecompressedInput(MemoryInput(output.bytes), compression, budget: budget)
    let error = failure {
      try input.forEachChunk { chunk throws(FerryError) in count += chunk.count }
    }
    #expect(error?.reason == .overBudget(.amplification(100)))
    #expect(count <= budget.allowance(forInputBytes: output.bytes.count))
    budget.amplification = 100_000
    #expect(
      try DecompressedInput(MemoryInput(output.bytes), compression, budget: budget).readAll().count == 40
        << 20)
  }

  @Test func `Layers of compression share the budget of the input`() throws {
    let zeros = [UInt8](repeating: 0, count: 40 << 20)
    let packed = try Compression.gzip.compressed(Compression.zstd.compressed(zeros))
    let found = try UncompressedInput(MemoryInput(packed), named: nil, format: nil, budget: Budget())
    #expect(found.compressions == [.gzip, .zstd])
    let error = failure { _ = try found.input.readAll() }
    #expect(error?.reason == .overBudget(.amplification(100)))
  }

  @Test func `A file is compressed at most as many times as the budget allows`() throws {
    var packed = Array("[1]".utf8)
    for _ in 0..<9 { packed = try Compression.gzip.compressed(packed) }
    let error = failure { _ = try Value(reading: MemoryInput(packed)) }
    #expect(error?.reason == .overBudget(.nesting(8)))
    var budget = Budget()
    budget.nesting = 9
    let found = try UncompressedInput(MemoryInput(packed), named: nil, format: nil, budget: budget)
    #expect(try found.input.readAll() == Array("[1]".utf8))
  }

  @Test(arguments: [Compression.xz, .zstd])
  func `Data that needs too much memory is refused`(_ compression: Compression) async throws {
    let packed = try await Peer.run(
      compression.rawValue, compression == .xz ? ["-9", "-c"] : ["--long=27", "-c", "-q"],
      input: Self.samples[3])
    #expect(packed.succeeded, "\(packed.errors)")
    var budget = Budget()
    budget.windowBytes = 1 << 16
    let error = failure { _ = try read(packed.output, compression, budget: budget) }
    // A frame of known size needs no more than its size.
    #expect(error?.reason == .overBudget(.windowBytes(1 << 16)))
    #expect(try read(packed.output, compression) == Self.samples[3])
  }

  // MARK: Recognition

  @Test func `Compressed data is recognized by its first bytes, and text is not`() throws {
    for compression in Compression.allCases {
      #expect(Compression.of(try compression.compressed(Array("text".utf8))) == compression)
    }
    for text in [
      "x^2 + y^2 = z^2, and more text", "x", "", "P*M", "(S)", "{\"a\": 1}", "x^", "x^\n", "bplist00",
    ] {
      #expect(Compression.of(Array(text.utf8)) == nil, "\(text)")
    }
  }

  @Test func `The extension of a compression is not that of the format`() {
    #expect(Compression.ofFile(named: "a/people.xml.GZ") == .gzip)
    #expect(Compression.nameInside("a/people.xml.gz") == "a/people.xml")
    #expect(Format.ofFile(named: "people.json.xz") == .json)
    #expect(Format.ofFile(named: "people.gz") == nil)
    for name in [".gz", "a/.gz", "gz", "people.xml", "a.gz/people"] {
      #expect(Compression.ofFile(named: name) == nil, "\(name)")
      #expect(Compression.nameInside(name) == name)
    }
  }

  @Test func `A picture of eight bytes is not compressed data`() throws {
    let bytes: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0]
    #expect(try Format.of(bytes, named: "a.tinypix") == .tinyPix)
  }
}

@Suite struct `Files whose contents are compressed` {
  @Test(arguments: Compression.allCases)
  func `An edit keeps the compression, and an unchanged file its bytes`(_ compression: Compression) throws {
    let packed = try compression.compressed(Array(#"{"a": 1, "b": [2]}"#.utf8))
    let file = try EditableFile(packed, named: "a.json.gz")
    #expect(try file.bytes() == packed)
    try file.set(.integer(5), at: ValuePath(parsing: "b[0]"))
    let edited = try file.bytes()
    #expect(Compression.of(edited) == compression)
    #expect(
      try DecompressedInput(MemoryInput(edited), compression).readAll() == Array(#"{"a": 1, "b": [5]}"#.utf8))
  }

  @Test func `Every format is found and read in compressed data`() throws {
    for format in Format.written where format.canRead && format != .sqlite && format != .table {
      let value: Value =
        switch format {
        case .text: "text"
        case .tinyPix, .png: .array(Array(repeating: "#.#.#.#.", count: 8))
        case .xcodeProject, .strings: ["a": "b"]
        default: [["a": "b"], ["a": "c"]]
        }
      let output = MemoryOutput()
      let json = MemoryOutput()
      let writer = JSONWriter(to: json)
      try value.replay(into: writer)
      try writer.finish()
      var conversion = Conversion(to: format)
      conversion.reading.format = .json
      _ = try conversion.convert(MemoryInput(json.bytes), to: output)
      let name = "a.\(format.extensions.first ?? "plist")"
      let plain = try Value(reading: MemoryInput(output.bytes), named: name)
      for compression in Compression.allCases {
        let packed = try compression.compressed(output.bytes)
        #expect(try Value(reading: MemoryInput(packed), named: "\(name).gz") == plain, "\(format)")
      }
    }
  }
}
