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
    let isWhole = (value.arrayElements ?? []).allSatisfy { 0...Int128(Int64.max) ~= $0.wholeNumber ?? -1 }
    return isWhole ? nil : "an index is 0 or more"
  }

  func encode(_ decodedForm: GivenForm, of type: ObjectClass) throws(FerryError) -> [ArchivedKey]? {
    guard let elements = decodedForm.elements else { return nil }
    let numbers = elements.compactMap(\.integer)
    guard numbers.count == elements.count else { return nil }
    let count = ArchivedKey("NSIndexPathLength", .inline(.integer(Int128(numbers.count))))
    switch numbers.count {
    case 0: return [count]
    case 1: return [count, ArchivedKey("NSIndexPathValue", .inline(.integer(numbers[0])))]
    default:
      guard let bytes = PackedNumbers.bytes(numbers) else { return nil }
      return [count, ArchivedKey("NSIndexPathData", .made(PackedNumbers.data(bytes)))]
    }
  }
}
