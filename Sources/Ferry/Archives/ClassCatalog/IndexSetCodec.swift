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
    let starts = stride(from: 0, to: numbers.count, by: 2)
    return .list(starts.map { Self.range(location: numbers[$0], length: numbers[$0 + 1]) })
  }

  private static func range(location: Int128, length: Int128) -> DecodedForm {
    .record([
      .init("location", .scalar(.integer(location))),
      .init("length", .scalar(.integer(length))),
    ])
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
    for range in value.arrayElements ?? [] {
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
    let count = ArchivedKey("NSRangeCount", .inline(.integer(Int128(elements.count))))
    switch elements.count {
    case 0: return [count]
    case 1:
      return [
        count, ArchivedKey("NSLocation", .inline(.integer(numbers[0]))),
        ArchivedKey("NSLength", .inline(.integer(numbers[1]))),
      ]
    default:
      guard let bytes = PackedNumbers.bytes(numbers) else { return nil }
      return [count, ArchivedKey("NSRangeData", .made(PackedNumbers.data(bytes)))]
    }
  }
}
