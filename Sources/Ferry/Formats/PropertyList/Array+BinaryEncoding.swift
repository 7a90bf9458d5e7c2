// The bytes of the objects of a binary property list. `BinaryPropertyList` describes the format.

extension Array<UInt8> {
  /// Appends the lowest bytes of a number, most significant first.
  @inline(__always)
  mutating func append(bigEndian number: UInt64, width: Int) {
    append(addingCapacity: width) { $0.append(bigEndian: number, width: width) }
  }

  /// Appends numbers of one width, each with its most significant byte first.
  ///
  /// - Parameter number: Returns the number at an index.
  @inline(__always)
  mutating func append(count: Int, ofWidth width: Int, bigEndian number: (Int) -> UInt64) {
    append(addingCapacity: count * width) { bytes in
      for index in 0..<count {
        let number = number(index)
        bytes.append(bigEndian: number, width: width)
      }
    }
  }

  /// Replaces bytes by those of a number, most significant first.
  @inline(__always)
  mutating func put(bigEndian number: UInt64, width: Int, at start: Int) {
    var bytes = mutableSpan
    var (rest, index) = (number, start &+ width)
    while index > start {
      index &-= 1
      bytes[index] = UInt8(truncatingIfNeeded: rest)
      rest &>>= 8
    }
  }

  /// Appends a marker with a count. A count of 15 or more follows the marker as an integer.
  @inline(__always)
  mutating func append(binaryMarker marker: UInt8, count: Int) {
    guard count >= 15 else { return append(marker | UInt8(count)) }
    append(marker | 0xf)
    append(binaryInteger: Int128(count))
  }

  /// Appends a scalar without text or data. Appends nothing for other kinds.
  mutating func append(binaryScalar kind: NodeKind) {
    switch kind {
    case .null: append(0x00)
    case .boolean(let value): append(value ? 0x09 : 0x08)
    case .integer(let value): append(binaryInteger: value)
    case .real(let value): append(binaryReal: value)
    case .single(let value): append(binarySingle: value)
    case .date(let seconds): append(binaryDate: seconds)
    case .uid(let number): append(binaryReference: number)
    case .number, .string, .data, .array, .set, .dictionary: break
    }
  }

  /// Appends an integer in as few bytes as possible, or in a larger given number of bytes.
  mutating func append(binaryInteger integer: Int128, width leastWidth: Int = 1) {
    let width = Swift.max(integer.binaryWidth, leastWidth)
    append(0x10 | UInt8(width.trailingZeroBitCount))
    if width == 16 { append(bigEndian: UInt64(truncatingIfNeeded: integer >> 64), width: 8) }
    append(bigEndian: UInt64(truncatingIfNeeded: integer), width: Swift.min(width, 8))
  }

  mutating func append(binaryReal value: Double) {
    append(0x23)
    append(bigEndian: value.bitPattern, width: 8)
  }

  mutating func append(binarySingle value: Float) {
    append(0x22)
    append(bigEndian: UInt64(value.bitPattern), width: 4)
  }

  mutating func append(binaryDate secondsSince2001: Double) {
    append(0x33)
    append(bigEndian: secondsSince2001.bitPattern, width: 8)
  }

  @inline(__always)
  mutating func append(binaryReference number: UInt64, width leastWidth: Int = 1) {
    let width = Swift.max(number.leastWidth, leastWidth)
    append(addingCapacity: 1 &+ width) { bytes in
      bytes.append(0x80 | UInt8(truncatingIfNeeded: width &- 1))
      bytes.append(bigEndian: number, width: width)
    }
  }

  /// Appends a string: in ASCII if possible, otherwise in UTF-16.
  mutating func append(binaryText text: BorrowedText) {
    guard !text.isASCII else {
      append(binaryMarker: 0x50, count: text.utf8.count)
      return append(copying: text.utf8)
    }
    append(utf16Text: text)
  }

  /// Appends a string in UTF-16.
  mutating func append(utf16Text text: BorrowedText) {
    var units = 0
    text.forEachScalar { units += $0 < 0x1_0000 ? 1 : 2 }
    append(binaryMarker: 0x60, count: units)
    append(addingCapacity: 2 * units) { bytes in
      text.forEachScalar { scalar in
        if scalar < 0x1_0000 {
          bytes.append(bigEndian: scalar)
        } else {
          bytes.append(bigEndian: 0xd7c0 + scalar >> 10)
          bytes.append(bigEndian: 0xdc00 | scalar & 0x3ff)
        }
      }
    }
  }

  /// Appends the trailer of a file whose offset table has been appended.
  mutating func append(
    binaryTrailer count: Int, root: UInt64, tableStart: UInt64, offsetWidth: Int, referenceWidth: Int
  ) {
    append(bigEndian: 0, width: 6)
    append(UInt8(offsetWidth))
    append(UInt8(referenceWidth))
    append(bigEndian: UInt64(count), width: 8)
    append(bigEndian: root, width: 8)
    append(bigEndian: tableStart, width: 8)
  }
}

extension OutputSpan<UInt8> {
  /// Appends the lowest bytes of a number, most significant first.
  @inline(__always)
  fileprivate mutating func append(bigEndian number: UInt64, width: Int) {
    var shift = UInt64(truncatingIfNeeded: 8 &* width)
    while shift > 0 {
      shift &-= 8
      append(UInt8(truncatingIfNeeded: number &>> shift))
    }
  }

  /// Appends a UTF-16 code unit, most significant byte first.
  @inline(__always)
  fileprivate mutating func append(bigEndian unit: UInt32) {
    append(UInt8(truncatingIfNeeded: unit >> 8))
    append(UInt8(truncatingIfNeeded: unit))
  }
}

extension Int128 {
  /// The smallest width of an integer object that can store the number: 1, 2, 4, 8 or 16 bytes. Those of 1, 2 and 4 bytes are
  /// unsigned, so a negative integer takes 8 bytes.
  var binaryWidth: Int {
    guard self >= 0 else { return 8 }
    return self >> 63 == 0 ? UInt64(truncatingIfNeeded: self).leastWidth : 16
  }
}
