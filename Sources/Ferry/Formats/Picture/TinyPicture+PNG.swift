extension TinyPicture {
  /// Returns true if a file begins with the signature and header of a PNG picture of 8 × 8 pixels.
  static func beginsPNG(_ head: [UInt8]) -> Bool {
    let header = FileSignature.png.bytes + [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0, 8, 0, 0, 0, 8]
    return head.starts(with: header)
  }

  /// The picture as a PNG file, with one bit for each pixel and 0 for black.
  var png: [UInt8] {
    var file = FileSignature.png.bytes
    let header: [UInt8] = [0, 0, 0, 8, 0, 0, 0, 8, 1, 0, 0, 0, 0]
    file += PNGChunk("IHDR", header).bytes
    // Each row begins with a filter byte, 0 for none. The first column is the highest bit.
    let rows = tinyPix.flatMap { [0, ~$0.bitsReversed] as [UInt8] }
    file += PNGChunk("IDAT", Zlib.stored(rows)).bytes
    return file + PNGChunk("IEND", []).bytes
  }

  /// Reads a PNG file of 8 × 8 black or white pixels, of any color type. Throws if the file is interlaced.
  init(png file: [UInt8]) throws(FerryError) {
    let signature = FileSignature.png
    guard signature.begins(file) else { throw Self.broken("it lacks the PNG signature", at: 0) }
    var reader = PNGChunkReader(file, from: signature.bytes.count)
    guard let first = try reader.next(), first.name == "IHDR", let header = PNGHeader(first.data) else {
      throw Self.broken("it has no header", at: signature.bytes.count)
    }
    if let flaw = header.flaw { throw FerryError(.content(.unusablePNG(flaw))) }
    var (palette, transparency, compressed): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    var end: PNGChunk?
    while end == nil {
      guard let chunk = try reader.next() else { throw Self.broken("its end is missing", at: file.count) }
      switch chunk.name {
      case "PLTE": palette = chunk.data
      case "tRNS": transparency = chunk.data
      case "IDAT": compressed += chunk.data
      case "IEND": end = chunk
      // The name of a chunk that every reader must support begins with a capital letter.
      case let name where name.utf8.first.map({ $0 & 0x20 == 0 }) ?? true:
        throw FerryError(.content(.unusablePNG("it has the part \(MessageText.quoted(name))")))
      default: continue
      }
    }
    guard let scanlines = Zlib.inflate(compressed, wrapping: .zlib, limit: header.scanlinesSize),
      scanlines.count == header.scanlinesSize, let rows = header.unfilter(scanlines)
    else { throw FerryError(.content(.brokenPNG("its pixels cannot be unpacked"))) }
    let pixels = PNGPixels(header: header, rows: rows, palette: palette, transparency: transparency)
    var black: [[Bool]] = []
    for row in 0..<Self.size {
      var line: [Bool] = []
      for column in 0..<Self.size {
        guard let isBlack = pixels.isBlack(row: row, column: column) else {
          throw FerryError(.content(.unusablePNG("row \(row + 1), column \(column + 1) is neither")))
        }
        line.append(isBlack)
      }
      black.append(line)
    }
    self.init(black: black)
  }

  static func broken(_ how: String, at offset: Int) -> FerryError {
    FerryError(.content(.brokenPNG(how)), at: InputLocation(byte: offset))
  }
}

extension UInt8 {
  /// The byte with its bits in reverse order.
  fileprivate var bitsReversed: UInt8 {
    (0..<8).reduce(0) { $0 | (self >> UInt8($1) & 1) << UInt8(7 - $1) }
  }
}

/// A chunk of a PNG file.
struct PNGChunk {
  let name: String
  let data: [UInt8]

  init(_ name: String, _ data: [UInt8]) {
    self.name = name
    self.data = data
  }

  /// The chunk as in a file: length, name, data and checksum.
  var bytes: [UInt8] {
    let checked = Array(name.utf8) + data
    return UInt32(data.count).bigEndianBytes + checked + Zlib.crc32(checked).bigEndianBytes
  }
}

/// A reader of the chunks of a PNG file, in order.
struct PNGChunkReader {
  private let file: [UInt8]
  private var offset: Int

  init(_ file: [UInt8], from offset: Int) {
    self.file = file
    self.offset = offset
  }

  /// Returns the next chunk, or nil at the end. Verifies the checksum.
  mutating func next() throws(FerryError) -> PNGChunk? {
    let rest = file[offset...]
    if rest.isEmpty { return nil }
    guard rest.count >= 12 else { throw TinyPicture.broken("a part is cut off", at: offset) }
    let length = Int(UInt32(bigEndian: Array(rest.prefix(4))))
    guard length <= rest.count - 12 else { throw TinyPicture.broken("a part is cut off", at: offset) }
    let checked = Array(rest.dropFirst(4).prefix(length + 4))
    let sum = UInt32(bigEndian: Array(rest.dropFirst(8 + length).prefix(4)))
    guard Zlib.crc32(checked) == sum else { throw TinyPicture.broken("a checksum is wrong", at: offset) }
    offset += length + 12
    return PNGChunk(String(decoding: checked.prefix(4), as: UTF8.self), Array(checked.dropFirst(4)))
  }
}

extension UInt32 {
  /// Reads four bytes, most significant byte first.
  fileprivate init(bigEndian bytes: [UInt8]) { self = bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }

  /// The four bytes, most significant byte first.
  fileprivate var bigEndianBytes: [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: self >> (8 * UInt32($0))) }
  }
}
