/// The codec of `NSValue`: the structures of Foundation, identified by `NS.special`.
///
///     1   NS.pointval "{1, 2.5}"                    {"x": 1, "y": 2.5}
///     2   NS.sizeval "{30, 40}"                     {"width": 30, "height": 40}
///     3   NS.rectval "{{1, 2}, {30, 40}}"           {"x": 1, "y": 2, "width": 30, "height": 40}
///     4   NS.rangeval.length, .location             {"location": 0, "length": 6}
///     10  NS.atval.a, .b, .c, .d, .tx, .ty          {"a": 1.0, "b": 0.0, "c": 0.0, "d": 1.0, "tx": 8.0, …}
///     12  NS.edgeval.top, .left, .bottom, .right    {"top": 1.0, "left": 2.0, "bottom": 3.0, …}
///     11  the keys of 12, from UIKit                {…, "special": 11}
///     13  NS.offset.h, .v                           {"horizontal": 1.0, "vertical": 2.0}
///     14  NS.dirEdgeVal.top, .leading, .bottom, …   {"top": 1.0, "leading": 2.0, "bottom": 3.0, …}
struct ValueCodec: ClassCodec {
  static let entries = [ClassCatalogEntry(ObjectClass("NSValue"), ValueCodec())]

  /// The structures that are stored as a string: the names of their parts, and the pattern of the string, in
  /// which `#` is a number.
  private enum Geometry: Int128, CaseIterable {
    case point = 1
    case size = 2
    case rect = 3

    var key: String {
      switch self {
      case .point: "NS.pointval"
      case .size: "NS.sizeval"
      case .rect: "NS.rectval"
      }
    }

    var names: [String] {
      switch self {
      case .point: ["x", "y"]
      case .size: ["width", "height"]
      case .rect: ["x", "y", "width", "height"]
      }
    }

    func text(_ numbers: [String]) -> String {
      switch self {
      case .point, .size: "{\(numbers[0]), \(numbers[1])}"
      case .rect: "{{\(numbers[0]), \(numbers[1])}, {\(numbers[2]), \(numbers[3])}}"
      }
    }
  }

  /// A structure whose numbers are stored inline, each under a key of its own.
  private struct Structure {
    let special: Int128
    let prefix: String
    /// The names of the parts. `ends` are the endings of the archived keys if they differ from the names.
    let names: [String]
    var ends: [String]?

    var keys: [String] { (ends ?? names).map { prefix + $0 } }
  }

  private static let range = ["location", "length"]
  private static let structures = [
    Structure(special: 10, prefix: "NS.atval.", names: ["a", "b", "c", "d", "tx", "ty"]),
    Structure(special: 12, prefix: "NS.edgeval.", names: ["top", "left", "bottom", "right"]),
    Structure(special: 11, prefix: "NS.edgeval.", names: ["top", "left", "bottom", "right"]),
    Structure(special: 13, prefix: "NS.offset.", names: ["horizontal", "vertical"], ends: ["h", "v"]),
    Structure(special: 14, prefix: "NS.dirEdgeVal.", names: ["top", "leading", "bottom", "trailing"]),
  ]
  /// The part that distinguishes two structures whose parts have the same names.
  private static let special = "special"

  /// The names of the parts of all structures, each once.
  private static let allNames: [String] = {
    let all = Geometry.rect.names + range + structures.flatMap(\.names) + [special]
    return all.indices.filter { !all[..<$0].contains(all[$0]) }.map { all[$0] }
  }()

  let partNames = allNames

  func fault(in decodedForm: GivenForm) throws(FerryError) -> String? { try faultOfNumbers(in: decodedForm) }

  func decode(_ object: inout ArchivedObject) throws(FerryError) -> DecodedForm? {
    guard let special = try object.integer("NS.special") else { return nil }
    if let geometry = Geometry(rawValue: special) { return try Self.geometry(geometry, of: &object) }
    if special == 4 {
      guard let location = try object.number("NS.rangeval.location"),
        let length = try object.number("NS.rangeval.length")
      else { return nil }
      return .record([
        .init("location", .scalar(.integer(location))), .init("length", .scalar(.integer(length))),
      ])
    }
    guard let structure = Self.structures.first(where: { $0.special == special }) else { return nil }
    var parts: [DecodedForm.Part] = []
    for (name, key) in zip(structure.names, structure.keys) {
      guard let number = try object.real(key) else { return nil }
      parts.append(.init(name, .scalar(number)))
    }
    if special == 11 { parts.append(.init(Self.special, .scalar(.integer(special)))) }
    return .record(parts)
  }

  func flaw(of value: Value) -> String? {
    guard case .dictionary(let parts) = value else { return nil }
    if parts["location"] != nil {
      let isRange = parts.values.allSatisfy { 0...Int128(Int64.max) ~= $0.wholeNumber ?? -1 }
      return isRange ? nil : "a range has a location and a length of 0 or more"
    }
    return parts.values.allSatisfy { $0.roundedDouble?.isFinite == true } ? nil : "its numbers are finite"
  }

  private static func geometry(_ geometry: Geometry, of object: inout ArchivedObject) throws(FerryError)
    -> DecodedForm?
  {
    guard let text = try object.text(geometry.key) else { return nil }
    let numbers = text.split { "{}, ".contains($0) }.map(String.init)
    // A string with another notation would not be restored exactly, so it is not decoded.
    guard numbers.count == geometry.names.count, geometry.text(numbers) == text,
      numbers.allSatisfy({ $0.utf8.span.flawInJSONNumber == nil && $0 != negativeZero.description })
    else { return nil }
    // As an integer, -0 would become 0.
    let values = numbers.map { $0 == "-0" ? .real(negativeZero) : Value(number: $0) }
    return .record(zip(geometry.names, values).map { .init($0, .scalar($1)) })
  }

  /// The real that Foundation writes as `-0`.
  private static let negativeZero = -0.0

  /// Returns the text of a number as Foundation writes it, with -0 for the real −0.0. Returns nil for other values.
  private static func text(of number: GivenForm) -> String? {
    let text = number.notation
    return number.kind != .number && text == negativeZero.description ? "-0" : text
  }

  func encode(_ decodedForm: GivenForm, of type: ObjectClass) throws(FerryError) -> [ArchivedKey]? {
    guard let parts = try decodedForm.parts(named: partNames) else { return nil }
    for geometry in Geometry.allCases {
      let numbers = geometry.names.compactMap { parts[$0].flatMap(Self.text) }
      guard numbers.count == parts.count, numbers.count == geometry.names.count else { continue }
      return [
        ArchivedKey(geometry.key, .made(.string(geometry.text(numbers)))),
        ArchivedKey("NS.special", .inline(.integer(geometry.rawValue))),
      ]
    }
    if parts.count == 2, let location = parts["location"]?.integer, let length = parts["length"]?.integer {
      return [
        ArchivedKey("NS.rangeval.length", .made(.integer(length))),
        ArchivedKey("NS.rangeval.location", .made(.integer(location))),
        ArchivedKey("NS.special", .inline(.integer(4))),
      ]
    }
    return Self.keys(ofStructure: parts)
  }

  private static func keys(ofStructure parts: [ExactString: GivenForm]) -> [ArchivedKey]? {
    let special = parts[special]?.integer
    let names = Set(parts.keys).subtracting([ExactString(Self.special)])
    guard (special == nil) == (parts[Self.special] == nil),
      let structure = structures.first(where: {
        Set($0.names.map { ExactString($0) }) == names && (special == nil || $0.special == special)
      })
    else { return nil }
    let numbers = structure.names.compactMap { parts[$0]?.real }
    guard numbers.count == structure.names.count else { return nil }
    return [ArchivedKey("NS.special", .inline(.integer(structure.special)))]
      + zip(structure.keys, numbers).map { ArchivedKey($0, .inline($1)) }
  }
}
