import Foundation
import TestSupport
import Testing

@testable import Ferry

private let heart: [UInt8] = [0x00, 0x66, 0xff, 0xff, 0xff, 0x7e, 0x3c, 0x18]
private let heartRows = [
  "........", ".##..##.", "########", "########", "########", ".######.", "..####..", "...##...",
]

@Suite struct `TinyPix pictures` {
  @Test func `A TinyPix picture is eight rows, the lowest bit first`() throws {
    #expect(try TinyPicture(tinyPix: heart).rows == heartRows)
    let corner = try TinyPicture(tinyPix: [1, 0, 0, 0, 0, 0, 0, 0x80])
    #expect(corner.rows.first == "#......." && corner.rows.last == ".......#")
    #expect(corner.isBlack(row: 0, column: 0) && corner.isBlack(row: 7, column: 7))
  }

  @Test(arguments: [
    Format.json, .jsonLines, .xml, .xmlPropertyList, .binaryPropertyList, .archive, .png, .tinyPix,
  ])
  func `A TinyPix picture comes back from every format`(format: Format) throws {
    for seed in 0..<64 {
      let bytes = (0..<8).map { UInt8(truncatingIfNeeded: (seed * 37 + $0 * 101) ^ seed << $0) }
      let there = try Conversion(to: format).convert(bytes, named: "a.tinypix").bytes
      let name = format == .tinyPix ? "b.tinypix" : nil
      #expect(try Conversion(to: .tinyPix).convert(there, named: name).bytes == bytes, "seed \(seed)")
    }
  }

  @Test(arguments: [0, 1, 7, 9, 100])
  func `A TinyPix picture has eight bytes`(count: Int) throws {
    let bytes = [UInt8](repeating: 0xf0, count: count)
    let failure = #expect(throws: FerryError.self) {
      try Conversion(to: .json).convert(bytes, named: "a.tinypix")
    }
    if count > 0 {
      #expect(failure?.reason == .content(.wrongSize(count, wanted: 8)))
      #expect(failure?.location.byte == min(count, 8))
    }
  }

  @Test(arguments: [
    ("[]", "a picture must be eight rows of # and ., found an array of 0 elements"),
    ("{\"a\": 1, \"b\": 2}", "a picture must be eight rows of # and ., found a dictionary"),
    ("\"FULL\"", "a picture must be eight rows of # and ., found a string"),
    (
      #"["FULL",".......","","","","","",""]"#,
      #"a row of a picture must be eight of # and ., found "......." (at [1])"#
    ),
    (#"["FULL","...x....","","","","","",""]"#, #"found "...x...." (at [1])"#),
    (#"["FULL","█","","","","","",""]"#, #"found "█" (at [1])"#),
    (#"["FULL",[],"","","","","",""]"#, "found an array of 0 elements (at [1])"),
  ])
  func `A TinyPix picture is made of nothing else`(json: String, words: String) throws {
    for target in [Format.tinyPix, .png] {
      let failure = #expect(throws: FerryError.self) {
        try Conversion(to: target).convert(Array(json.replacing("FULL", with: "########").utf8))
      }
      #expect(failure?.message.hasSuffix(words) == true, "\(failure?.message ?? "")")
    }
  }
}

@Suite struct `PNG pictures` {
  /// Makes an image with Python: its bit depth, color type, compression, and the samples of black and white.
  private func png(depth: Int, color: Int, level: Int, filter: Int, extra: String = "") async throws
    -> [UInt8]
  {
    let rows = heartRows.map { "'\($0)'" }.joined(separator: ",")
    let answer = try await Peer.python(
      """
      import struct, sys, zlib
      depth, color, level, kind = \(depth), \(color), \(level), \(filter)
      samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
      full = (1 << depth) - 1
      def pixel(c):
          if color == 3: return [1 if c == '#' else 0]
          value = 0 if c == '#' else full
          return [value] * (samples - 1) + [full] if color in (4, 6) else [value] * samples
      def pack(values):
          bits = ''.join(format(v, '0%db' % depth) for v in values)
          return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))
      lines = [pack([s for c in row for s in pixel(c)]) for row in [\(rows)]]
      step = max(1, samples * depth // 8)
      def paeth(a, b, c):
          p = a + b - c
          return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
      raw, above = b'', bytes(len(lines[0]))
      for line in lines:
          out = bytearray()
          for i, x in enumerate(line):
              a = line[i - step] if i >= step else 0
              c = above[i - step] if i >= step else 0
              b = above[i]
              out.append((x - [0, a, b, (a + b) // 2, paeth(a, b, c)][kind]) & 255)
          raw += bytes([kind]) + bytes(out)
          above = line
      def chunk(name, data):
          return struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))
      packed = zlib.compress(raw, level)
      file = b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 8, 8, depth, color, 0, 0, 0))
      if color == 3: file += chunk(b'PLTE', bytes([255] * 3 + [0] * 3))
      file += chunk(b'tEXt', b'Comment\\0none')
      \(extra)
      half = len(packed) // 2
      file += chunk(b'IDAT', packed[:half]) + chunk(b'IDAT', packed[half:]) + chunk(b'IEND', b'')
      sys.stdout.buffer.write(file)
      """)
    #expect(answer.succeeded, "\(answer.errors)")
    return answer.output
  }

  @Test(arguments: [
    (1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (8, 2), (16, 2), (1, 3), (4, 3), (8, 3), (8, 4), (16, 6), (8, 6),
  ])
  func `A PNG picture is read whatever its color type`(depth: Int, color: Int) async throws {
    for filter in 0...4 {
      let file = try await png(depth: depth, color: color, level: [0, 1, 6, 9, 9][filter], filter: filter)
      #expect(try TinyPicture(png: file).tinyPix == heart)
      #expect(try Conversion(to: .tinyPix).convert(file).bytes == heart)
    }
  }

  @Test func `A PNG picture is written as others read it`() async throws {
    let file = try TinyPicture(tinyPix: heart).png
    let answer = try await Peer.python(
      """
      import struct, sys, zlib
      file, at, parts = sys.stdin.buffer.read(), 8, {}
      while at < len(file):
          length, name = struct.unpack('>I4s', file[at:at + 8])
          data = file[at + 8:at + 8 + length]
          assert zlib.crc32(name + data) == struct.unpack('>I', file[at + 8 + length:at + 12 + length])[0]
          parts[name] = data
          at += 12 + length
      raw = zlib.decompress(parts[b'IDAT'])
      for row in range(8):
          assert raw[row * 2] == 0
          print(''.join('.' if raw[row * 2 + 1] >> (7 - column) & 1 else '#' for column in range(8)))
      """, input: file)
    #expect(answer.text == heartRows.joined(separator: "\n") + "\n", "\(answer.errors)")
  }

  @Test func `A PNG picture with any bit changed or byte missing is refused`() throws {
    let file = try TinyPicture(tinyPix: heart).png
    #expect(try TinyPicture(png: file).tinyPix == heart)
    let everyBit = Damage.Change.flipping((0..<8).map { 1 << $0 })
    try Damage(to: file, change: everyBit).check(changes: .refused) { _ = try TinyPicture(png: $0) }
  }

  @Test func `A PNG stream is not unpacked beyond the size of the picture`() async throws {
    let answer = try await Peer.python(
      "import sys, zlib; sys.stdout.buffer.write(zlib.compress(bytes(10_000_000), 9))")
    #expect(Zlib.inflate(answer.output, wrapping: .zlib, limit: 520) == nil)
    #expect(Zlib.inflate(answer.output, wrapping: .zlib, limit: 10_000_000)?.count == 10_000_000)
    let stream = Zlib.stored(heart)
    #expect(
      Zlib.inflate(stream, wrapping: .zlib, limit: 8) == heart
        && Zlib.inflate(stream, wrapping: .zlib, limit: 7) == nil)
    let lines = Array((0..<400).map { "line \($0 % 17)\n" }.joined().utf8)
    let packed = try await Peer.python(
      "import sys, zlib; sys.stdout.buffer.write(zlib.compress(sys.stdin.buffer.read(), 9))", input: lines)
    try Damage(to: packed.output, change: .flipping([0x01, 0x10, 0x80, 0xff])).check { bytes in
      guard let unpacked = Zlib.inflate(bytes, wrapping: .zlib, limit: lines.count) else {
        throw Damage.Refusal()
      }
      // The checksum finds all changes but those of bits that no one reads.
      #expect(unpacked == lines)
    }
  }

  @Test func `A PNG picture that is not black and white, opaque and of that size is refused`() async throws {
    let gray = try await png(
      depth: 8, color: 0, level: 9, filter: 0,
      extra: "packed = zlib.compress(raw[:9].replace(b'\\xff', b'\\x80') + raw[9:], 9)")
    expectUnusable(gray, "row 1, column 1 is neither")
    let clear = try await png(
      depth: 8, color: 0, level: 9, filter: 0, extra: "file += chunk(b'tRNS', b'\\0\\xff')")
    expectUnusable(clear, "row 1, column 1 is neither")
    let unknown = try await png(depth: 8, color: 0, level: 9, filter: 0, extra: "file += chunk(b'ABCD', b'')")
    expectUnusable(unknown, "it has the part \"ABCD\"")
    var header = try TinyPicture(tinyPix: heart).png
    let large: [UInt8] = [0, 0, 2, 0x80, 0, 0, 1, 0xe0, 8, 2, 0, 0, 0]
    header.replaceSubrange(8..<33, with: PNGChunk("IHDR", large).bytes)
    expectUnusable(header, "this one has 640 × 480 pixels")
    header.replaceSubrange(8..<33, with: PNGChunk("IHDR", [0, 0, 0, 8, 0, 0, 0, 8, 1, 0, 0, 0, 1]).bytes)
    expectUnusable(header, "this one is interlaced")
  }

  private func expectUnusable(
    _ file: [UInt8], _ why: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let failure = #expect(throws: FerryError.self, sourceLocation: sourceLocation) {
      try TinyPicture(png: file)
    }
    #expect(failure?.reason == .content(.unusablePNG(why)), sourceLocation: sourceLocation)
  }
}

@Suite struct `Texts` {
  @Test(arguments: [
    "Hello\r\n  wörld 🎈 \n\n", "", " ", "\u{feff}marked", "tab\tnull\u{1}end", "true story", "(see below)",
  ])
  func `A text is one string and comes back`(text: String) throws {
    for format in [Format.json, .jsonLines, .xmlPropertyList, .binaryPropertyList, .archive] {
      // XML has no control characters.
      if format == .xmlPropertyList, text.contains("\u{1}") { continue }
      let there = try Conversion(to: format).convert(Array(text.utf8), named: "a.txt").bytes
      let back = try Conversion(to: .text).convert(there).bytes
      #expect(back == Array(text.utf8), "\(format)")
    }
  }

  @Test
  func `A text is in UTF-8, or the location of another byte is named`() throws {
    let failure = #expect(throws: FerryError.self) {
      try Conversion(to: .json).convert(Array("line\nä".utf8) + [0xff], named: "a.txt")
    }
    #expect(failure?.reason == .content(.notUTF8))
    #expect(failure?.location == InputLocation(line: 2, column: 2, byte: 7))
  }

  @Test func `A collection is not written as a text`() {
    for (json, found) in [("[1,2]", "an array of 2 elements"), ("{\"a\":1,\"b\":2}", "a dictionary")] {
      let failure = #expect(throws: FerryError.self) { try Conversion(to: .text).convert(Array(json.utf8)) }
      #expect(failure?.reason == .content(.notAText(found: found)))
    }
  }

  @Test(
    arguments: [
      ("hello", .text), ("true story", .text), ("123 Main Street", .text), ("<3 you", .text), ("(a)", .text),
      ("\"Quoted\" she said", .text), ("", .text), ("-- \n", .text), ("/* note */", .text),
      ("{\"a\":1}", .json), ("[1]", .json), ("true", .json), ("12\n", .json), ("\"a\"", .json),
      ("1\n2\n", .jsonLines),
      ("{\"a\":1}\n{\"a\":2}", .jsonLines), ("{\"a\":", .text), ("<a/>", .xml),
      ("<?xml?><plist/>", .text), ("<?xml version=\"1.0\"?><plist/>", .xmlPropertyList),
      ("bplist00", .binaryPropertyList), ("\u{4}\u{b}streamtyped", .typedstream),
    ] as [(String, Format)])
  func `A file is a text only if it is called so and is nothing else`(text: String, format: Format) throws {
    #expect(try FormatDetector(head: Array(text.utf8), name: "a.txt").detect() == format)
  }
}
