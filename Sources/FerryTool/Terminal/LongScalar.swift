import Ferry

/// A string or data of which a line may show only a part.
struct LongScalar {
  /// The greatest number of bytes of a string in a line.
  static let shownText = 400
  /// The greatest number of bytes of data in a line.
  private static let shownData = 16

  private let bytes: [UInt8]
  private let isText: Bool

  /// Creates the scalar. Fails for other values than strings and data.
  init?(_ value: Value) {
    switch value {
    case .string(let text): (bytes, isText) = (Array(text.utf8), true)
    case .data(let data): (bytes, isText) = (data, false)
    default: return nil
    }
  }

  /// Returns true if a line shows no difference from another scalar but that of their lengths.
  func hidesDifference(from other: LongScalar) -> Bool {
    let shown = isText ? Self.shownText : Self.shownData
    return isText == other.isText && min(bytes.count, other.bytes.count) >= shown
      && bytes.prefix(shown) == other.bytes.prefix(shown)
  }

  /// The offset of the first byte that differs from another scalar, or of the end of one of them.
  private func firstDifference(from other: LongScalar) -> Int {
    zip(bytes, other.bytes).enumerated().first { $1.0 != $1.1 }?.offset
      ?? min(bytes.count, other.bytes.count)
  }

  /// The part of a scalar around its first difference from another one.
  struct Excerpt {
    /// The offset of the part in bytes.
    let start: Int
    /// The part.
    let value: Value
    /// True if the scalar goes on after the part.
    let isCut: Bool
    /// The number of bytes of the scalar.
    let count: Int

    /// The number of bytes before the first difference.
    private static let before = 2
    /// The number of bytes of a string.
    private static let text = 60

    /// Finds the part. Fails unless both values are strings, or both are data.
    init?(of value: Value, beside other: Value) {
      guard let scalar = LongScalar(value), let other = LongScalar(other), scalar.isText == other.isText
      else {
        return nil
      }
      let bytes = scalar.bytes
      /// Returns the offset of the character with the byte at an offset.
      func characterStart(_ offset: Int) -> Int {
        var offset = offset
        while scalar.isText, offset > 0, offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
        return offset
      }
      count = bytes.count
      start = characterStart(max(0, scalar.firstDifference(from: other) - Self.before))
      let length = scalar.isText ? Self.text : LongScalar.shownData
      let end = characterStart(min(bytes.count, start + length))
      isCut = end < bytes.count
      let part = Array(bytes[start..<end])
      self.value = scalar.isText ? .string(String(decoding: part, as: UTF8.self)) : .data(part)
    }
  }
}
