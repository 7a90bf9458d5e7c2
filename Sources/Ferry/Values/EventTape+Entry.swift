extension EventTape {
  /// An event in eight bytes: its kind, two properties of a text, and a payload.
  struct Entry {
    private let bits: UInt64

    private static let payloadShift: UInt64 = 8
    private static let kindMask: UInt64 = 0x1f
    private static let asciiBit: UInt64 = 0x20
    private static let surrogatesBit: UInt64 = 0x40
    private static let wordsBit: UInt64 = 0x80
    private static let lengthBits: UInt64 = 16
    private static let lengthMask: UInt64 = 0xffff

    /// Creates an event with a payload of up to 56 bits.
    ///
    /// - Parameter isInWords: True if the payload is an index in the words of the tape.
    @inline(__always)
    init(_ kind: Kind, _ payload: UInt64 = 0, isInWords: Bool = false) {
      bits = payload << Self.payloadShift | UInt64(kind.rawValue) | (isInWords ? Self.wordsBit : 0)
    }

    /// Creates an event of a text, with the payload of `init(_:_:isInWords:)`.
    @inline(__always)
    init(_ entry: Entry, isASCII: Bool, hasSurrogates: Bool) {
      bits = entry.bits | (isASCII ? Self.asciiBit : 0) | (hasSurrogates ? Self.surrogatesBit : 0)
    }

    /// Returns the payload for a byte range, or nil if it does not fit.
    @inline(__always)
    static func payload(offset: Int, length: Int) -> UInt64? {
      guard UInt64(length) <= lengthMask, UInt64(offset) >> (56 - lengthBits) == 0 else { return nil }
      return UInt64(offset) << lengthBits | UInt64(length)
    }

    @inline(__always)
    var kind: Kind {
      // The bits are those of a kind, so that there always is one.
      Kind(rawValue: UInt8(truncatingIfNeeded: bits & Self.kindMask)) ?? .null
    }

    /// True for a text that is ASCII.
    var isASCII: Bool { bits & Self.asciiBit != 0 }
    /// True for a text with unpaired surrogates.
    var hasSurrogates: Bool { bits & Self.surrogatesBit != 0 }
    /// True if the payload is an index in the words of the tape.
    var isInWords: Bool { bits & Self.wordsBit != 0 }

    /// Depending on the kind: the bits of a scalar, the index of an object in the objects of the tape, or the index of the end of a
    /// collection.
    @inline(__always)
    var payload: UInt64 { bits >> Self.payloadShift }
    @inline(__always)
    var index: Int { Int(payload) }
    /// The payload of an integer, with its sign.
    var signedPayload: Int64 { Int64(bitPattern: bits) >> Int64(Self.payloadShift) }

    /// The byte range of a text or data whose payload is not in the words of the tape.
    @inline(__always)
    var range: Range<Int> {
      let start = Int(payload >> Self.lengthBits)
      return start..<start + Int(payload & Self.lengthMask)
    }
  }
}
