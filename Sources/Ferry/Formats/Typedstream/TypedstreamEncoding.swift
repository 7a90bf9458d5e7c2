/// The encodings of the classes that Ferry can archive in a typedstream.
///
///     NSURL                0 and the URL, or 1, the base URL and the relative part
///     NSValue              the type as a C string, a structure
///     NSAttributedString   the string; for each run a number and a length and, if the number is new, the attributes
struct TypedstreamEncoding {
  /// The values to archive.
  let tape: EventTape
  /// The tape indices of the objects with an identity.
  private(set) var identities: [Int: TapeIndex] = [:]

  init(_ tape: EventTape) {
    self.tape = tape
    for index in TapeIndex.start..<tape.end where tape.kind(at: index) == .beginObject {
      if let identity = tape.identity(at: index) { identities[identity] = index }
    }
  }

  /// Returns true if an integer fits in a type.
  static func fits(_ number: Int128, _ code: UInt8) -> Bool {
    switch code {
    case UInt8(ascii: "c"): Int8(exactly: number) != nil
    case UInt8(ascii: "C"): UInt8(exactly: number) != nil
    case UInt8(ascii: "s"): Int16(exactly: number) != nil
    case UInt8(ascii: "S"): UInt16(exactly: number) != nil
    case UInt8(ascii: "i"), UInt8(ascii: "l"): Int32(exactly: number) != nil
    case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt32(exactly: number) != nil
    case UInt8(ascii: "Q"): UInt64(exactly: number) != nil
    default: Int64(exactly: number) != nil
    }
  }

  /// Returns true if a single-precision number represents a real number, or has its notation.
  static func fitsSingle(_ real: Double) -> Bool { real.single != nil }

  /// Throws `TypedstreamProblem.outOfRange` if a number on a tape does not fit in a type.
  static func checkRange(of index: TapeIndex, on tape: EventTape, as code: UInt8) throws(FerryError) {
    let number: String
    if code == UInt8(ascii: "f") {
      guard let real = tape.real(ofNumberAt: index), !fitsSingle(real) else { return }
      number = real.notation
    } else {
      guard tape.kind(at: index) == .integer, !fits(tape.integer(at: index), code) else { return }
      number = tape.integer(at: index).notation
    }
    throw FerryError(.typedstream(.outOfRange(number, type: String(UnicodeScalar(code)))))
  }

  /// Returns true if an object of a class can have a value.
  func accepts(_ content: TapeIndex, for type: TypedstreamClass) -> Bool {
    let kind = tape.kind(at: content)
    switch type.known {
    case .string: return kind == .string || kind == .key
    case .data: return kind == .data
    case .date: return kind == .date
    case .null: return kind == .null
    case .number:
      return type.name == KnownClass.number.rawValue && [.boolean, .integer, .real, .single].contains(kind)
    case .array: return kind == .beginArray
    case .set: return kind == .beginSet && type.name != "NSCountedSet"
    case .dictionary: return kind == .beginDictionary
    case .url:
      return kind == .string
        || kind == .beginDictionary
          && Array(tape.fields(of: content).map(\.name)).sorted() == ["base", "relative"]
    case .value: return kind == .beginDictionary && structure(content) != nil
    case .attributedString: return kind == .beginDictionary && attributedString(content) != nil
    case .color, .font, .list, .hashTable, nil: return false
    }
  }

  /// Returns the content of an object as items. The class must accept the value.
  func items(_ content: TapeIndex, for known: KnownClass) -> [TypedstreamItem] {
    switch known {
    case .url:
      guard tape.kind(at: content) == .beginDictionary else {
        return [.group("c"), .integer(0, code: UInt8(ascii: "c")), .group("@"), .value(content)]
      }
      let fields = tape.fields(of: content)
      let parts = ["base", "relative"].compactMap { name in fields.first { $0.name.equals(name) }?.value }
      return [.group("c"), .integer(1, code: UInt8(ascii: "c"))]
        + parts.flatMap { [TypedstreamItem.group("@"), .value($0)] }
    case .attributedString: return attributedString(content) ?? []
    default: return structure(content) ?? []
    }
  }

  // MARK: Structures

  /// The structures that a new NSValue can contain, by the names of their fields.
  private static let structures: [(fields: [String], type: String)] = [
    (["x", "y"], "{CGPoint=dd}"), (["width", "height"], "{CGSize=dd}"),
    (["origin", "size"], "{CGRect={CGPoint=dd}{CGSize=dd}}"),
    (["x", "y", "width", "height"], "{CGRect={CGPoint=dd}{CGSize=dd}}"),
    (["location", "length"], "{_NSRange=QQ}"),
  ]

  /// Returns the content of an NSValue with a structure, or nil if the value is not one of the known structures.
  private func structure(_ content: TapeIndex) -> [TypedstreamItem]? {
    let fields = tape.fields(of: content)
    guard let structure = Self.structures.first(where: { $0.fields == fields.map(\.name) }),
      let numbers = numbers(fields.map(\.value), inside: structure.fields[0] == "origin")
    else { return nil }
    var items: [TypedstreamItem] = [.group("*"), .cString(structure.type), .group(structure.type)]
    for index in numbers {
      if structure.fields[0] == "location" {
        guard tape.kind(at: index) == .integer, Self.fits(tape.integer(at: index), UInt8(ascii: "Q")) else {
          return nil
        }
        items.append(.integer(tape.integer(at: index), code: UInt8(ascii: "Q")))
      } else {
        guard let real = tape.real(ofNumberAt: index) else { return nil }
        items.append(.real(real))
      }
    }
    return items
  }

  /// Returns the numbers of a structure, in order, or nil if another value is among them.
  private func numbers(_ fields: [TapeIndex], inside isRectangle: Bool) -> [TapeIndex]? {
    guard isRectangle else { return fields }
    var numbers: [TapeIndex] = []
    for (field, names) in zip(fields, [["x", "y"], ["width", "height"]]) {
      guard tape.kind(at: field) == .beginDictionary else { return nil }
      let parts = tape.fields(of: field)
      guard parts.map(\.name) == names else { return nil }
      numbers += parts.map(\.value)
    }
    return numbers
  }

  // MARK: Attributed strings

  /// Returns the content of an attributed string, or nil if the value is not one: a string, and runs with lengths and
  /// attributes, or the attributes of the whole string.
  private func attributedString(_ content: TapeIndex) -> [TypedstreamItem]? {
    let fields = tape.fields(of: content)
    guard fields.allSatisfy({ ["string", "runs", "attributes"].contains($0.name) }),
      let string = fields.first(where: { $0.name == "string" })?.value,
      let text = tape.content(of: target(of: string)), tape.kind(at: text) == .string
    else { return nil }
    var items: [TypedstreamItem] = [.group("@"), .value(string)]
    let runs = fields.first { $0.name == "runs" }?.value
    let whole = fields.first { $0.name == "attributes" }?.value
    if let runs {
      guard whole == nil, tape.kind(at: runs) == .beginArray else { return nil }
      var known: [Int: [TapeIndex]] = [:]
      var numbers: [TapeIndex: Int] = [:]
      for run in tape.elements(of: runs) {
        guard tape.kind(at: run) == .beginDictionary else { return nil }
        let parts = tape.fields(of: run)
        guard let length = parts.first(where: { $0.name == "length" })?.value,
          let attributes = parts.first(where: { $0.name == "attributes" })?.value,
          tape.kind(at: length) == .integer, Self.fits(tape.integer(at: length), UInt8(ascii: "I"))
        else { return nil }
        let same = target(of: attributes)
        let digest = tape.digest(ofValueAt: same)
        let old = known[digest, default: []].first { $0 == same || tape.equalValues(at: $0, same) }
        let number = old.flatMap { numbers[$0] } ?? numbers.count + 1
        items += Self.run(number, tape.integer(at: length))
        guard old == nil else { continue }
        known[digest, default: []].append(same)
        numbers[same] = number
        items += [.group("@"), .value(attributes)]
      }
    } else {
      let length = tape.text(at: text).utf16.count
      if length > 0 || whole != nil {
        items +=
          Self.run(1, Int128(length)) + [
            .group("@"), whole.map { TypedstreamItem.value($0) } ?? .emptyDictionary,
          ]
      }
    }
    return items
  }

  /// Returns the index of the object that a reference refers to, or the index of another value.
  func target(of index: TapeIndex) -> TapeIndex {
    guard tape.kind(at: index) == .reference else { return index }
    return identities[tape.reference(at: index)] ?? index
  }

  /// Returns the number and the length of a run.
  static func run(_ number: Int, _ length: Int128) -> [TypedstreamItem] {
    [
      .group("iI"), .integer(Int128(number), code: UInt8(ascii: "i")),
      .integer(length, code: UInt8(ascii: "I")),
    ]
  }
}
