/// Numbers in a variable-length encoding: seven bits in each byte, least significant first, with the high bit
/// set in every byte of a number except the last. Foundation packs ranges and runs in this way.
///
///     3, 4, 300     // 03 04 AC 02
enum PackedNumbers {
  /// Unpacks numbers. Returns nil if the last is incomplete, or if one exceeds 2⁶³−1 or has unnecessary
  /// bytes.
  static func numbers(_ bytes: [UInt8]) -> [Int128]? {
    var numbers: [Int128] = []
    var number: UInt64 = 0
    var shift: UInt64 = 0
    for byte in bytes {
      guard shift < 63, byte != 0 || shift == 0 else { return nil }
      number |= UInt64(byte & 0x7f) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      numbers.append(Int128(number))
      (number, shift) = (0, 0)
    }
    return shift == 0 ? numbers : nil
  }

  /// Packs numbers. Returns nil if one is out of range.
  static func bytes(_ numbers: [Int128]) -> [UInt8]? {
    var bytes: [UInt8] = []
    for number in numbers {
      guard var rest = UInt64(exactly: number), rest < 1 << 63 else { return nil }
      while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7f) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    return bytes
  }

  /// Returns bytes as an NSMutableData, as Foundation archives them.
  static func data(_ bytes: [UInt8]) -> Value {
    .object(ObjectValue(.mutableData, content: .data(bytes)))
  }
}

/// The codec of `NSIndexSet`: its ranges.
///
///     NSRangeCount 0                                        []
///     NSRangeCount 1, NSLocation 3, NSLength 4              [{"location": 3, "length": 4}]
///     NSRangeCount 2, NSRangeData 03 04 AC 02 01            [{"location": 3, "length": 4},
///                                                            {"location": 300, "length": 1}]
struct IndexSetCodec: ClassCodec {
  static let entries = [
    ClassCatalogEntry(ObjectClass("NSIndexSet"), IndexSetCodec()),
    ClassCatalogEntry(ObjectClass("NSMutableIndexSet", "NSIndexSet"), IndexSetCodec()),
  ]

  private static let names = ["location", "length"]

  func decode(_ object: inout ArchivedObject) throws(FerryError) -> DecodedForm? {
    guard let count = try object.integer("NSRangeCount"), let numbers = try Self.numbers(count, &object),
      Int128(numbers.count) == 2 * count
    else { return nil }
    return .list(
      stride(from: 0, to: numbers.count, by: 2).map { index in
        .record([
          .init("location", .scalar(.integer(numbers[index]))),
          .init("length", .scalar(.integer(numbers[index + 1]))),
        ])
      })
  }

  private static func numbers(_ count: Int128, _ object: inout ArchivedObject) throws(FerryError) -> [Int128]?
  {
    if count == 1, let location = try object.integer("NSLocation"),
      let length = try object.integer("NSLength")
    {
      return [location, length]
    }
    if let bytes = try object.bytes("NSRangeData") { return PackedNumbers.numbers(bytes) }
    return count == 0 ? [] : nil
  }

  func flaw(of value: Value) -> String? {
    var end: Int128 = -1
    for range in value.listed ?? [] {
      guard let location = range["location"]?.wholeNumber, let length = range["length"]?.wholeNumber,
        location >= 0, 1...Int128(Int64.max) ~= length, location + length <= Int128(Int64.max)
      else { return "a range begins at 0 or later, and has a length of 1 or more" }
      guard location > end else { return "ranges are in order, with a gap between them" }
      end = location + length
    }
    return nil
  }

  func encode(_ decodedForm: GivenForm, of type: ObjectClass) throws(FerryError) -> [ArchivedKey]? {
    guard let elements = decodedForm.elements else { return nil }
    var numbers: [Int128] = []
    for element in elements {
      guard let parts = try element.parts(named: Self.names), let location = parts["location"]?.integer,
        let length = parts["length"]?.integer
      else { return nil }
      numbers += [location, length]
    }
    let count = ArchivedKey("NSRangeCount", .inPlace(.integer(Int128(elements.count))))
    switch elements.count {
    case 0: return [count]
    case 1:
      return [
        count, ArchivedKey("NSLocation", .inPlace(.integer(numbers[0]))),
        ArchivedKey("NSLength", .inPlace(.integer(numbers[1]))),
      ]
    default:
      guard let bytes = PackedNumbers.bytes(numbers) else { return nil }
      return [count, ArchivedKey("NSRangeData", .made(PackedNumbers.data(bytes)))]
    }
  }
}

/// The codec of `NSIndexPath`: its indexes.
///
///     NSIndexPathLength 1, NSIndexPathValue 5               [5]
///     NSIndexPathLength 2, NSIndexPathData 05 90 03         [5, 400]
struct IndexPathCodec: ClassCodec {
  static let entries = [ClassCatalogEntry(ObjectClass("NSIndexPath"), IndexPathCodec())]

  func decode(_ object: inout ArchivedObject) throws(FerryError) -> DecodedForm? {
    guard let count = try object.integer("NSIndexPathLength") else { return nil }
    var numbers: [Int128] = []
    if count == 1, let index = try object.integer("NSIndexPathValue") {
      numbers = [index]
    } else if count > 1, let bytes = try object.bytes("NSIndexPathData") {
      numbers = PackedNumbers.numbers(bytes) ?? []
    }
    guard Int128(numbers.count) == count else { return nil }
    return .list(numbers.map { .scalar(.integer($0)) })
  }

  func flaw(of value: Value) -> String? {
    let isWhole = (value.listed ?? []).allSatisfy { 0...Int128(Int64.max) ~= $0.wholeNumber ?? -1 }
    return isWhole ? nil : "an index is 0 or more"
  }

  func encode(_ decodedForm: GivenForm, of type: ObjectClass) throws(FerryError) -> [ArchivedKey]? {
    guard let elements = decodedForm.elements else { return nil }
    let numbers = elements.compactMap(\.integer)
    guard numbers.count == elements.count else { return nil }
    let count = ArchivedKey("NSIndexPathLength", .inPlace(.integer(Int128(numbers.count))))
    switch numbers.count {
    case 0: return [count]
    case 1: return [count, ArchivedKey("NSIndexPathValue", .inPlace(.integer(numbers[0])))]
    default:
      guard let bytes = PackedNumbers.bytes(numbers) else { return nil }
      return [count, ArchivedKey("NSIndexPathData", .made(PackedNumbers.data(bytes)))]
    }
  }
}
