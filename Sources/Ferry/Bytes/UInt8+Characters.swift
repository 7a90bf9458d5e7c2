extension UInt8 {
  /// True for a space, a tab or a line end: the white space of XML and JSON.
  @inline(__always)
  var isSpace: Bool { self == 0x20 || self == 0x0a || self == 0x0d || self == 0x09 }

  /// True for a line feed or a carriage return.
  @inline(__always)
  var isLineEnd: Bool { self == 0x0a || self == 0x0d }

  /// True for a digit from 0 to 9.
  @inline(__always)
  var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  /// True for a letter of ASCII.
  @inline(__always)
  var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

  /// The value of a hexadecimal digit; nil for other characters.
  @inline(__always)
  var hexDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
