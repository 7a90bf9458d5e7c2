/// The codec of `NSCountedSet`: its objects, each with the number of its occurrences.
///
///     NS.count 2, NS.object0, NS.count0 1, NS.object1, NS.count1 3
///     [{"object": "a", "count": 1}, {"object": "b", "count": 3}]
struct CountedSetCodec: ClassCodec {
  static let entries = [
    ClassCatalogEntry(ObjectClass("NSCountedSet", "NSMutableSet", "NSSet"), CountedSetCodec())
  ]

  private static let names = ["object", "count"]

  func decode(_ object: inout ArchivedObject) throws(FerryError) -> DecodedForm? {
    guard let size = try object.integer("NS.count"), size >= 0, 2 * size == object.count else { return nil }
    var elements: [DecodedForm] = []
    for index in 0..<Int(size) {
      guard let element = try object.take("NS.object\(index)"),
        let count = try object.integer("NS.count\(index)")
      else { return nil }
      elements.append(
        .record([.init("object", .archived(node: element)), .init("count", .scalar(.integer(count)))]))
    }
    return .list(elements)
  }

  func flaw(of value: Value) -> String? {
    var objects: Set<Value> = []
    for element in value.arrayElements ?? [] {
      guard let count = element["count"]?.wholeNumber, 1...Int128(Int64.max) ~= count else {
        return "each object is in the set at least once"
      }
      guard let object = element["object"], objects.insert(object).inserted else {
        return "each object is in the set under one count"
      }
    }
    return nil
  }

  func encode(_ decodedForm: GivenForm, of type: ObjectClass) throws(FerryError) -> [ArchivedKey]? {
    guard let elements = decodedForm.elements else { return nil }
    var keys = [ArchivedKey("NS.count", .inline(.integer(Int128(elements.count))))]
    for (index, element) in elements.enumerated() {
      guard let parts = try element.parts(named: Self.names), let object = parts["object"],
        let count = parts["count"]?.integer
      else { return nil }
      keys.append(ArchivedKey("NS.object\(index)", .value(at: object.tapeIndex)))
      keys.append(ArchivedKey("NS.count\(index)", .inline(.integer(count))))
    }
    return keys
  }
}
