extension EventTape {
  /// An event in eight bytes: its kind, two properties of a text, and a payload.
  struct Entry {
    // The kind has a byte of its own, because it is read far more often than anything else.
    let kind: Kind
    private let traits: UInt8
    /// The highest bits of the payload.
    private let high: UInt16
    private let low: UInt32

    /// The number of bits of a payload.
    static let payloadBits: UInt64 = 48

    private static let asciiBit: UInt8 = 1
    private static let surrogatesBit: UInt8 = 2
    private static let wordsBit: UInt8 = 4
    private static let lengthBits: UInt64 = 16
    private static let lengthMask: UInt64 = 0xffff

    /// Creates an event with a payload of up to `payloadBits`.
    ///
    /// - Parameter isInWords: True if the payload is an index in the words of the tape.
    @inline(__always)
    init(_ kind: Kind, _ payload: UInt64 = 0, isInWords: Bool = false) {
      self.kind = kind
      traits = isInWords ? Self.wordsBit : 0
      high = UInt16(truncatingIfNeeded: payload >> 32)
      low = UInt32(truncatingIfNeeded: payload)
    }

    /// Creates an event of a text, with the payload of `init(_:_:isInWords:)`.
    @inline(__always)
    init(_ entry: Entry, isASCII: Bool, hasSurrogates: Bool) {
      (kind, high, low) = (entry.kind, entry.high, entry.low)
      traits = entry.traits | (isASCII ? Self.asciiBit : 0) | (hasSurrogates ? Self.surrogatesBit : 0)
    }

    /// Returns the payload for a byte range, or nil if it does not fit.
    @inline(__always)
    static func payload(offset: Int, length: Int) -> UInt64? {
      guard UInt64(length) <= lengthMask, UInt64(offset) >> (payloadBits - lengthBits) == 0 else {
        return nil
      }
      return UInt64(offset) << lengthBits | UInt64(length)
    }

    /// True for a text that is ASCII.
    var isASCII: Bool { traits & Self.asciiBit != 0 }
    /// True for a text with unpaired surrogates.
    var hasSurrogates: Bool { traits & Self.surrogatesBit != 0 }
    /// True if the payload is an index in the words of the tape.
    var isInWords: Bool { traits & Self.wordsBit != 0 }

    /// Depending on the kind: the bits of a scalar, the index of an object in the objects of the tape, or the index of the end of a
    /// collection.
    @inline(__always)
    var payload: UInt64 { UInt64(high) << 32 | UInt64(low) }
    @inline(__always)
    var index: Int { Int(payload) }
    /// The payload of an integer, with its sign.
    var signedPayload: Int64 { Self.signed(Int64(bitPattern: payload)) }

    /// Returns the lowest bits of an integer, with the highest of these as its sign: the integer itself if it fits in a payload.
    @inline(__always)
    static func signed(_ value: Int64) -> Int64 {
      (value << Int64(64 - payloadBits)) >> Int64(64 - payloadBits)
    }

    /// The byte range of a text or data whose payload is not in the words of the tape.
    @inline(__always)
    var range: Range<Int> {
      let start = Int(payload >> Self.lengthBits)
      return start..<start + Int(payload & Self.lengthMask)
    }
  }
}
