/// A string, a number or data of which a line may show only a part.
package struct LongScalar {
  /// The greatest number of bytes of a string or a number in a line.
  package static let shownText = 400
  /// The greatest number of bytes of data in a line.
  private static let shownData = 16

  private let bytes: [UInt8]
  private let kind: Kind
  private var isText: Bool { kind != .data }

  private enum Kind {
    case string, number, data
  }

  /// Creates the scalar. Fails for other values than strings, numbers with their digits, and data.
  package init?(_ value: Value) {
    switch value {
    case .string(let text): (bytes, kind) = (Array(text.utf8), .string)
    case .number(let text): (bytes, kind) = (Array(text.utf8), .number)
    case .data(let data): (bytes, kind) = (data, .data)
    default: return nil
    }
  }

  /// Returns true if a line shows no difference from another scalar but that of their lengths.
  package func hidesDifference(from other: LongScalar) -> Bool {
    let shown = isText ? Self.shownText : Self.shownData
    return kind == other.kind && min(bytes.count, other.bytes.count) >= shown
      && bytes.prefix(shown) == other.bytes.prefix(shown)
  }

  /// The offset of the first byte that differs from another scalar, or of the end of one of them.
  private func firstDifference(from other: LongScalar) -> Int {
    zip(bytes, other.bytes).enumerated().first { $1.0 != $1.1 }?.offset
      ?? min(bytes.count, other.bytes.count)
  }

  /// The part of a scalar around its first difference from another one.
  package struct Excerpt {
    /// The offset of the part in bytes.
    package let start: Int
    /// The part.
    package let value: Value
    /// True if the scalar goes on after the part.
    package let isCut: Bool
    /// The number of bytes of the scalar.
    package let count: Int
    /// The unit of the number.
    package var unit: String { if case .number = value { "characters" } else { "bytes" } }

    /// The number of bytes before the first difference.
    private static let before = 2
    /// The number of bytes of a string or a number.
    private static let text = 60

    /// Finds the part. Fails unless both values are strings, numbers or data.
    package init?(of value: Value, beside other: Value) {
      guard let scalar = LongScalar(value), let other = LongScalar(other), scalar.kind == other.kind
      else {
        return nil
      }
      self.init(of: scalar, from: max(0, scalar.firstDifference(from: other) - Self.before))
    }

    /// Creates the part of a scalar from the character with the byte at an offset on.
    init(of scalar: LongScalar, from offset: Int) {
      let bytes = scalar.bytes
      /// Returns the offset of the character with the byte at an offset.
      func characterStart(_ offset: Int) -> Int {
        var offset = offset
        while scalar.isText, offset > 0, offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
        return offset
      }
      count = bytes.count
      start = characterStart(min(offset, bytes.count))
      let length = scalar.isText ? Self.text : LongScalar.shownData
      let end = characterStart(min(bytes.count, start + length))
      isCut = end < bytes.count
      let part = Array(bytes[start..<end])
      let text = String(decoding: part, as: UTF8.self)
      self.value =
        switch scalar.kind {
        case .string: .string(text)
        case .number: .number(text)
        case .data: .data(part)
        }
    }
  }
}
