/// Decompresses DEFLATE (RFC 1951), without the header and checksum of zlib, as Core Data keeps a store's model.
///
/// Codes are decoded bit by bit: a code of n bits is the place among those of its length, so that two short tables are all
/// that is needed.
struct Inflate {
  private let input: [UInt8]
  private let limit: Int
  private var byte = 0
  /// Bits of the current byte that have been taken.
  private var bit: UInt8 = 0
  private var output: [UInt8] = []

  /// What bytes hold when they are decompressed; nil when they are no DEFLATE data, or hold more than `limit` bytes.
  static func bytes(_ compressed: [UInt8], limit: Int) -> [UInt8]? {
    var inflate = Inflate(input: compressed, limit: limit)
    return inflate.readBlocks() ? inflate.output : nil
  }

  private init(input: [UInt8], limit: Int) {
    self.input = input
    self.limit = limit
  }

  private mutating func readBlocks() -> Bool {
    while true {
      guard let isLast = bits(1), let kind = bits(2) else { return false }
      switch kind {
      case 0: guard readStored() else { return false }
      case 1: guard readCodes(.fixedLiterals, .fixedDistances) else { return false }
      case 2:
        guard let (literals, distances) = readTables(), readCodes(literals, distances) else { return false }
      default: return false
      }
      if isLast == 1 { return true }
    }
  }

  private mutating func bits(_ count: Int) -> Int? {
    var value = 0
    for place in 0..<count {
      guard byte < input.count else { return nil }
      value |= Int(input[byte] >> bit & 1) << place
      bit += 1
      if bit == 8 { (byte, bit) = (byte + 1, 0) }
    }
    return value
  }

  private mutating func readStored() -> Bool {
    if bit > 0 { (byte, bit) = (byte + 1, 0) }
    guard let count = bits(16), let complement = bits(16), count ^ 0xffff == complement,
      count <= input.count - byte, count <= limit - output.count
    else { return false }
    output += input[byte..<byte + count]
    byte += count
    return true
  }

  // MARK: Codes

  /// A set of codes: how many there are of each length, and the symbols in the order of their codes.
  private struct Codes {
    var counts = [Int](repeating: 0, count: 16)
    var symbols: [Int] = []

    init(lengths: some Collection<Int>) {
      for length in lengths { counts[length] += 1 }
      counts[0] = 0
      for length in 1...15 {
        for (symbol, other) in lengths.enumerated() where other == length { symbols.append(symbol) }
      }
    }

    static let fixedLiterals = Codes(
      lengths: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    static let fixedDistances = Codes(lengths: [Int](repeating: 5, count: 30))
  }

  private mutating func symbol(_ codes: Codes) -> Int? {
    var (code, first, index) = (0, 0, 0)
    for length in 1...15 {
      guard let next = bits(1) else { return nil }
      code |= next
      let count = codes.counts[length]
      if code - first < count {
        let place = index + code - first
        return codes.symbols.indices.contains(place) ? codes.symbols[place] : nil
      }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    return nil
  }

  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  private mutating func readTables() -> (Codes, Codes)? {
    guard let literals = bits(5), let distances = bits(5), let count = bits(4) else { return nil }
    var lengths = [Int](repeating: 0, count: 19)
    for place in Self.order.prefix(count + 4) {
      guard let length = bits(3) else { return nil }
      lengths[place] = length
    }
    let codes = Codes(lengths: lengths)
    let wanted = literals + 257 + distances + 1
    lengths = []
    while lengths.count < wanted {
      guard let symbol = symbol(codes) else { return nil }
      switch symbol {
      case 0..<16: lengths.append(symbol)
      case 16:
        guard let last = lengths.last, let more = bits(2) else { return nil }
        lengths += [Int](repeating: last, count: more + 3)
      case 17:
        guard let more = bits(3) else { return nil }
        lengths += [Int](repeating: 0, count: more + 3)
      default:
        guard let more = bits(7) else { return nil }
        lengths += [Int](repeating: 0, count: more + 11)
      }
    }
    guard lengths.count == wanted else { return nil }
    return (Codes(lengths: lengths[..<(literals + 257)]), Codes(lengths: lengths[(literals + 257)...]))
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
    227,
    258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
    4097,
    6145, 8193, 12289, 16385, 24577,
  ]

  private mutating func readCodes(_ literals: Codes, _ distances: Codes) -> Bool {
    while let symbol = symbol(literals) {
      switch symbol {
      case 0..<256:
        guard output.count < limit else { return false }
        output.append(UInt8(symbol))
      case 256: return true
      default:
        guard let length = number(symbol - 257, Self.lengthBases, Self.lengthBits),
          let code = self.symbol(distances),
          let distance = number(
            code, Self.distanceBases, Self.distanceBases.indices.map { max(0, $0 / 2 - 1) }),
          distance <= output.count, length <= limit - output.count
        else { return false }
        for _ in 0..<length { output.append(output[output.count - distance]) }
      }
    }
    return false
  }

  /// A length or distance: its code's least value and the bits behind it.
  private mutating func number(_ code: Int, _ bases: [Int], _ extra: [Int]) -> Int? {
    guard bases.indices.contains(code), let more = bits(extra[code]) else { return nil }
    return bases[code] + more
  }
}
