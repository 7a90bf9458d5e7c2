/// The codec of `NSCountedSet`: its objects, each with the number of its occurrences.
///
///     NS.count 2, NS.object0, NS.count0 1, NS.object1, NS.count1 3      of Foundation
///     $0 2, $1, $2 1, $3, $4 3                                          of GNUstep, which encodes them without keys
///     [{"object": "a", "count": 1}, {"object": "b", "count": 3}]
struct CountedSetCodec: ClassCodec {
  static let entries = [
    ClassCatalogEntry(ObjectClass("NSCountedSet", "NSMutableSet", "NSSet"), CountedSetCodec())
  ]

  private static let names = ["object", "count"]

  /// The archived keys of a set.
  private enum Layout {
    case named, numbered

    init(of object: ArchivedObject) throws(FerryError) { self = try object.has("$0") ? .numbered : .named }

    var size: String { self == .named ? "NS.count" : "$0" }
    func object(_ index: Int) -> String { self == .named ? "NS.object\(index)" : "$\(2 * index + 1)" }
    func count(_ index: Int) -> String { self == .named ? "NS.count\(index)" : "$\(2 * index + 2)" }
  }

  func decode(_ object: inout ArchivedObject) throws(FerryError) -> DecodedForm? {
    let layout = try Layout(of: object)
    guard let size = try object.integer(layout.size), size >= 0, 2 * size == object.count else { return nil }
    var elements: [DecodedForm] = []
    for index in 0..<Int(size) {
      guard let element = try object.take(layout.object(index)),
        let count = try object.integer(layout.count(index))
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
    try encode(decodedForm, .named)
  }

  func encode(
    _ decodedForm: GivenForm, of type: ObjectClass, like object: ArchivedObject
  ) throws(FerryError) -> [ArchivedKey]? {
    try encode(decodedForm, Layout(of: object))
  }

  private func encode(_ decodedForm: GivenForm, _ layout: Layout) throws(FerryError) -> [ArchivedKey]? {
    guard let elements = decodedForm.elements else { return nil }
    var keys = [ArchivedKey(layout.size, .inline(.integer(Int128(elements.count))))]
    for (index, element) in elements.enumerated() {
      guard let parts = try element.parts(named: Self.names), let object = parts["object"],
        let count = parts["count"]?.integer
      else { return nil }
      keys.append(ArchivedKey(layout.object(index), .value(at: object.tapeIndex)))
      keys.append(ArchivedKey(layout.count(index), .inline(.integer(count))))
    }
    return keys
  }
}
