/// The encoding of an XML text, detected from its first bytes.
enum XMLTextEncoding {
  case utf8, utf16BigEndian, utf16LittleEndian

  /// The names of the encoding in an XML declaration.
  var names: [String] {
    let both = ["utf-16", "utf16", "ucs-2", "iso-10646-ucs-2"]
    return switch self {
    case .utf8: ["utf-8", "utf8", "us-ascii", "ascii"]
    case .utf16BigEndian: both + ["utf-16be"]
    case .utf16LittleEndian: both + ["utf-16le"]
    }
  }

  /// The number of bytes that the detection needs.
  static let decidingBytes = 3

  /// Returns the encoding, and the number of bytes in the byte order mark.
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

/// A checker for UTF-8 in chunks. It compares each sequence with the table of well-formed ones (Unicode 3.9,
/// table 3-7).
struct UTF8Checker {
  /// The number of bytes missing from the current sequence.
  private var wanted = 0
  /// The valid range of the next byte.
  private var range: ClosedRange<UInt8> = 0x80...0xbf

  /// True if no sequence is incomplete.
  var isWhole: Bool { wanted == 0 }

  /// Returns the number of well-formed bytes: all of the chunk, or those before the first invalid byte.
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

/// A transcoder from UTF-16 in chunks to UTF-8.
struct UTF16Transcoder {
  private let isBigEndian: Bool
  private var firstByte: UInt8?
  private var highSurrogate: UInt32?

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// True if no unit and no pair is incomplete.
  var isWhole: Bool { firstByte == nil && highSurrogate == nil }

  /// Appends the text of a chunk. At an unpaired surrogate it appends the text before it and returns false.
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
