/// What encoding an XML text is in, by its first bytes.
enum XMLTextEncoding {
  case utf8, utf16BigEndian, utf16LittleEndian

  /// How many bytes decide.
  static let decidingBytes = 3

  /// The encoding, and how many bytes of mark come before the text.
  static func detect(_ head: Span<UInt8>) -> (encoding: XMLTextEncoding, markBytes: Int) {
    if head.count >= 3, head[0] == 0xef, head[1] == 0xbb, head[2] == 0xbf { return (.utf8, 3) }
    guard head.count >= 2 else { return (.utf8, 0) }
    switch (head[0], head[1]) {
    case (0xfe, 0xff): return (.utf16BigEndian, 2)
    case (0xff, 0xfe): return (.utf16LittleEndian, 2)
    case (0, UInt8(ascii: "<")): return (.utf16BigEndian, 0)
    case (UInt8(ascii: "<"), 0): return (.utf16LittleEndian, 0)
    default: return (.utf8, 0)
    }
  }
}

/// Checks UTF-8 that comes in chunks, each sequence against the table of well-formed ones (Unicode 3.9, table 3-7).
struct UTF8Checker {
  /// Bytes that the current sequence still wants.
  private var wanted = 0
  /// What the next of them may be.
  private var range: ClosedRange<UInt8> = 0x80...0xbf

  /// Whether no sequence is unfinished.
  var isWhole: Bool { wanted == 0 }

  /// How many bytes of the chunk are well-formed: all, or those before the first that cannot be where it is.
  mutating func validCount(of chunk: Span<UInt8>) -> Int {
    var index = 0
    while index < chunk.count {
      if wanted == 0 {
        index += chunk.extracting(droppingFirst: index).asciiPrefixCount
        guard index < chunk.count else { break }
        guard begin(chunk[index]) else { return index }
      } else {
        guard range.contains(chunk[index]) else { return index }
        wanted -= 1
        range = 0x80...0xbf
      }
      index += 1
    }
    return index
  }

  private mutating func begin(_ first: UInt8) -> Bool {
    range = 0x80...0xbf
    switch first {
    case 0xc2...0xdf: wanted = 1
    case 0xe0: (wanted, range) = (2, 0xa0...0xbf)
    case 0xed: (wanted, range) = (2, 0x80...0x9f)
    case 0xe1...0xef: wanted = 2
    case 0xf0: (wanted, range) = (3, 0x90...0xbf)
    case 0xf1...0xf3: wanted = 3
    case 0xf4: (wanted, range) = (3, 0x80...0x8f)
    default: return false
    }
    return true
  }
}

/// Turns UTF-16 that comes in chunks into UTF-8.
struct UTF16Transcoder {
  private let isBigEndian: Bool
  private var firstByte: UInt8?
  private var highSurrogate: UInt32?

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// Whether no unit and no pair is unfinished.
  var isWhole: Bool { firstByte == nil && highSurrogate == nil }

  /// Appends the text of a chunk; false, with what comes before it appended, at a surrogate without its partner.
  mutating func append(_ chunk: Span<UInt8>, to text: inout [UInt8]) -> Bool {
    text.reserveCapacity(text.count + chunk.count / 2 * 3)
    for index in chunk.indices {
      guard let first = firstByte else {
        firstByte = chunk[index]
        continue
      }
      firstByte = nil
      let unit =
        isBigEndian
        ? UInt32(first) << 8 | UInt32(chunk[index]) : UInt32(chunk[index]) << 8 | UInt32(first)
      switch (highSurrogate, unit & 0xfc00) {
      case (let high?, 0xdc00):
        text.append(scalar: 0x1_0000 + (high & 0x3ff) << 10 + unit & 0x3ff)
        highSurrogate = nil
      case (nil, 0xd800): highSurrogate = unit
      case (.some, _), (nil, 0xdc00): return false
      default: text.append(scalar: unit)
      }
    }
    return true
  }
}
