/// The compression of PNG pictures (RFC 1950 and 1951), as far as small ones need it: unpacking of any stream up to a
/// size, and packing without compression.
enum Zlib {
  /// A stream that holds bytes as they are, at most 65535 of them.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let length = UInt16(truncatingIfNeeded: bytes.count)
    let lengths = [length, ~length].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let sum = adler32(bytes)
    return [0x78, 0x01, 0x01] + lengths + bytes
      + (0..<4).reversed().map { UInt8(truncatingIfNeeded: sum >> (8 * UInt32($0))) }
  }

  /// The bytes of a stream; nil when it is broken, or when there are more than `limit`.
  static func inflate(_ stream: [UInt8], limit: Int) -> [UInt8]? {
    guard stream.count >= 6, stream[0] & 0x0f == 8, stream[1] & 0x20 == 0,
      (Int(stream[0]) << 8 | Int(stream[1])) % 31 == 0
    else { return nil }
    var inflater = Inflater(Array(stream[2...]), limit: limit)
    guard let bytes = inflater.inflate(), let sum = inflater.checksum(), adler32(bytes) == sum else { return nil }
    return bytes
  }

  private static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return b << 16 | a
  }

  private static let crcTable: [UInt32] = (0..<256).map { number in
    (0..<8).reduce(UInt32(number)) { sum, _ in sum & 1 == 1 ? 0xedb8_8320 ^ sum >> 1 : sum >> 1 }
  }

  /// The checksum of a part of a PNG file.
  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { crcTable[Int(truncatingIfNeeded: ($0 ^ UInt32($1)) & 0xff)] ^ $0 >> 8 }
  }
}

/// Unpacks one deflate stream (RFC 1951).
private struct Inflater {
  private let stream: [UInt8]
  private let limit: Int
  private var bit = 0
  private var output: [UInt8] = []

  init(_ stream: [UInt8], limit: Int) {
    self.stream = stream
    self.limit = limit
  }

  /// All blocks; nil when one is broken.
  mutating func inflate() -> [UInt8]? {
    var isLast = false
    while !isLast {
      guard let last = bits(1), let kind = bits(2) else { return nil }
      isLast = last == 1
      let isWhole: Bool
      switch kind {
      case 0: isWhole = stored()
      case 1: isWhole = block(.fixedLiterals, .fixedDistances)
      case 2:
        guard let (literals, distances) = codes() else { return nil }
        isWhole = block(literals, distances)
      default: isWhole = false
      }
      guard isWhole else { return nil }
    }
    return output
  }

  /// The four bytes behind the last block.
  func checksum() -> UInt32? {
    let start = (bit + 7) / 8
    guard start + 4 <= stream.count else { return nil }
    return stream[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private mutating func bits(_ count: Int) -> Int? {
    guard bit + count <= stream.count * 8 else { return nil }
    var number = 0
    for index in 0..<count {
      number |= Int(stream[bit / 8] >> UInt8(bit % 8) & 1) << index
      bit += 1
    }
    return number
  }

  private mutating func stored() -> Bool {
    bit = (bit + 7) / 8 * 8
    guard let length = bits(16), let complement = bits(16), length == ~complement & 0xffff else { return false }
    let start = bit / 8
    guard start + length <= stream.count, output.count + length <= limit else { return false }
    output += stream[start..<start + length]
    bit += length * 8
    return true
  }

  private static let lengths = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distances = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
    8193, 12289, 16385, 24577,
  ]

  /// Literals, and copies of what has been unpacked, up to the end of a block.
  private mutating func block(_ literals: PrefixCode, _ distances: PrefixCode) -> Bool {
    while true {
      guard let symbol = symbol(literals) else { return false }
      switch symbol {
      case 256: return true
      case ..<256:
        guard output.count < limit else { return false }
        output.append(UInt8(symbol))
      default: guard copy(symbol - 257, distances) else { return false }
      }
    }
  }

  private mutating func copy(_ index: Int, _ code: PrefixCode) -> Bool {
    guard index < Self.lengths.count, let more = bits(Self.lengthBits[index]), let far = symbol(code),
      far < Self.distances.count, let further = bits(far < 4 ? 0 : far / 2 - 1)
    else { return false }
    let (length, distance) = (Self.lengths[index] + more, Self.distances[far] + further)
    guard distance <= output.count, output.count + length <= limit else { return false }
    for _ in 0..<length { output.append(output[output.count - distance]) }
    return true
  }

  /// The codes that a block brings with it.
  private mutating func codes() -> (literals: PrefixCode, distances: PrefixCode)? {
    guard let literals = bits(5), let distances = bits(5), let count = bits(4), literals <= 29 else { return nil }
    var widths = [Int](repeating: 0, count: 19)
    for place in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(count + 4) {
      guard let width = bits(3) else { return nil }
      widths[place] = width
    }
    guard let code = PrefixCode(widths) else { return nil }
    let total = literals + 257 + distances + 1
    var all: [Int] = []
    while all.count < total {
      guard let symbol = symbol(code) else { return nil }
      switch symbol {
      case 16:
        guard let last = all.last, let times = bits(2) else { return nil }
        all += [Int](repeating: last, count: times + 3)
      case 17, 18:
        guard let times = bits(symbol == 17 ? 3 : 7) else { return nil }
        all += [Int](repeating: 0, count: times + (symbol == 17 ? 3 : 11))
      default: all.append(symbol)
      }
    }
    guard all.count == total, let first = PrefixCode(Array(all[..<(literals + 257)])),
      let second = PrefixCode(Array(all[(literals + 257)...]))
    else { return nil }
    return (first, second)
  }

  private mutating func symbol(_ code: PrefixCode) -> Int? {
    var (number, first, index) = (0, 0, 0)
    for width in 1...15 {
      guard let next = bits(1) else { return nil }
      number |= next
      let count = code.counts[width]
      if number - count < first { return code.symbols[index + number - first] }
      index += count
      first = (first + count) << 1
      number <<= 1
    }
    return nil
  }
}

/// A code whose words are told apart by how long they are and in what order they come.
private struct PrefixCode {
  /// How many words there are of each width.
  let counts: [Int]
  /// What the words stand for, the shortest first.
  let symbols: [Int]

  /// The code of these widths, 0 for a symbol that does not occur; nil when there are more words than can be.
  init?(_ widths: [Int]) {
    var counts = [Int](repeating: 0, count: 16)
    for width in widths { counts[width] += 1 }
    counts[0] = 0
    var room = 1
    for width in 1...15 {
      room = room * 2 - counts[width]
      guard room >= 0 else { return nil }
    }
    self.counts = counts
    symbols = (1...15).flatMap { width in widths.indices.filter { widths[$0] == width } }
  }

  private init(known widths: [Int]) {
    counts = (0...15).map { width in width == 0 ? 0 : widths.count { $0 == width } }
    symbols = (1...15).flatMap { width in widths.indices.filter { widths[$0] == width } }
  }

  static let fixedLiterals = PrefixCode(
    known: [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
      + [Int](repeating: 8, count: 8))
  static let fixedDistances = PrefixCode(known: [Int](repeating: 5, count: 30))
}
