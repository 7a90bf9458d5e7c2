internal import OrderedCollections

/// The types of Foundation that archives store as separate objects: a `Date` as an `NSDate`, for example.
///
/// The types are recognized by name, and converted through their own `Codable` conformance, so that Ferry
/// does not link Foundation. The right column is the archived object:
///
///     Date       one real, the seconds since 2001          an NSDate
///     UUID       one string                                an NSUUID
///     URL        "relative", and "base" if it has one      an NSURL
///     Decimal    "mantissa", "exponent" …                  an NSDecimalNumber
///     Data       a collection of bytes                     data
enum FoundationType: String {
  case date = "Date"
  case data = "Data"
  case uuid = "UUID"
  case url = "URL"
  case decimal = "Decimal"

  /// Recognizes a type of Foundation. Fails for all other types.
  init?(_ type: any Any.Type) {
    let parts = String(reflecting: type).split(separator: ".")
    guard parts.count == 2 else { return nil }
    switch (parts[0], parts[1]) {
    case ("Foundation", let name), ("FoundationEssentials", let name): self.init(rawValue: String(name))
    // On Apple platforms, `Decimal` is imported from C.
    case ("__C", "NSDecimal"): self = .decimal
    default: return nil
    }
  }

  /// The name of the type in messages: "a date".
  var archivedName: String {
    switch self {
    case .date: "a date"
    case .data: "data"
    case .uuid: "a UUID"
    case .url: "a URL"
    case .decimal: "a number"
    }
  }
}

/// A cache of recognized types, which examines the name of each type once.
struct FoundationTypes {
  private var known: [ObjectIdentifier: FoundationType?] = [:]

  subscript(type: any Any.Type) -> FoundationType? {
    mutating get {
      if let known = known[ObjectIdentifier(type)] { return known }
      let found = FoundationType(type)
      known[ObjectIdentifier(type)] = .some(found)
      return found
    }
  }
}

// MARK: - Decoding

extension FoundationType {
  /// Decodes the value of a node, which must not be null.
  func decode<T: Decodable>(_ type: T.Type, _ node: NodeID, in decoding: ArchiveDecoding) throws(FerryError)
    -> T
  {
    switch self {
    case .date: try make(type, of: .real(date(node, in: decoding)))
    case .data: try data(type, node, in: decoding)
    case .uuid: try uuid(type, node, in: decoding)
    case .url: try url(type, node, in: decoding)
    case .decimal: try decimal(type, node, in: decoding)
    }
  }

  /// Creates a value by decoding the parts that its `encode(to:)` encodes.
  private func make<T: Decodable>(_ type: T.Type, of parts: Value, from text: String = "") throws(FerryError)
    -> T
  {
    do {
      return try T(from: ValueDecoder(parts))
    } catch {
      throw FerryError(.coding(.unreadable(MessageText.quoted(text), type: rawValue)))
    }
  }

  private func unexpected(_ node: NodeID, in decoding: ArchiveDecoding) throws(FerryError) -> FerryError {
    try decoding.unexpected(archivedName, found: node)
  }

  private func date(_ node: NodeID, in decoding: ArchiveDecoding) throws(FerryError) -> Double {
    if case .date(let seconds) = try decoding.nodes.kind(of: node) { return seconds }
    if let (_, value) = try decoding.scalar(node), case .date(let seconds) = value { return seconds }
    throw try unexpected(node, in: decoding)
  }

  private func data<T: Decodable>(_ type: T.Type, _ node: NodeID, in decoding: ArchiveDecoding)
    throws(FerryError)
    -> T
  {
    let bytes = try [UInt8].decoded(node, in: decoding)
    guard let collection = type as? any RangeReplaceableCollection<UInt8>.Type,
      let data = collection.init(bytes) as? T
    else { throw try unexpected(node, in: decoding) }
    return data
  }

  /// Decodes an `NSUUID`, or a string with a UUID.
  private func uuid<T: Decodable>(_ type: T.Type, _ node: NodeID, in decoding: ArchiveDecoding)
    throws(FerryError)
    -> T
  {
    let text: String
    if let (type, value) = try decoding.scalar(node), case .string(let held) = value,
      type.name == "NSUUID" || type.isString
    {
      text = held
    } else if try decoding.nodes.kind(of: node) == .string {
      text = try decoding.text(node)
    } else {
      throw try unexpected(node, in: decoding)
    }
    return try make(type, of: .string(text), from: text)
  }

  /// Decodes an `NSDecimalNumber` or any other number. A real becomes the decimal with its shortest notation.
  private func decimal<T: Decodable>(
    _ type: T.Type, _ node: NodeID, in decoding: ArchiveDecoding
  ) throws(FerryError) -> T {
    let number = try decoding.number(node, expecting: archivedName)
    let decimal: DecimalNumber?
    switch number {
    case .boolean: decimal = nil
    case .real(let value) where value.isNaN: return try make(type, of: .notADecimal)
    case .real(let value) where value == 0: decimal = DecimalNumber("0")
    case .single(let value) where value == 0: decimal = DecimalNumber("0")
    case .decimal(let value): decimal = value
    case .integer, .real, .single: decimal = DecimalNumber(number.description)
    }
    guard let decimal else { throw FerryError(.coding(.doesNotFit("\(number)", type: rawValue))) }
    return try make(type, of: decimal.compacted.parts, from: "\(number)")
  }

  /// Decodes an `NSURL`, with or without a base, or a string with a URL.
  private func url<T: Decodable>(_ type: T.Type, _ node: NodeID, in decoding: ArchiveDecoding)
    throws(FerryError)
    -> T
  {
    // The parts of the URL, from the URL itself to its outermost base. Each part is relative to the next.
    var texts: [String] = []
    var next: NodeID? = node
    while let node = next {
      guard texts.count < decoding.budget.depth else {
        throw FerryError(.overBudget(.depth(decoding.budget.depth)))
      }
      next = try part(of: node, isFirst: texts.isEmpty, in: decoding, to: &texts)
    }
    var parts: Value?
    for text in texts.reversed() {
      var entries = KeyedValues()
      entries["relative"] = .string(text)
      entries["base"] = parts
      parts = .dictionary(entries)
      // Each part is checked separately, so that the error names the invalid part.
      let _: T = try make(type, of: .dictionary(entries), from: text)
    }
    return try make(type, of: parts ?? .null)
  }

  /// Appends the text of one part of a URL, and returns the node of its base.
  private func part(
    of node: NodeID, isFirst: Bool, in decoding: ArchiveDecoding, to texts: inout [String]
  ) throws(FerryError) -> NodeID? {
    if let (type, value) = try decoding.scalar(node), case .string(let text) = value,
      type.name == "NSURL" || type.isString
    {
      texts.append(text)
      return nil
    }
    if isFirst, try decoding.nodes.kind(of: node) == .string {
      texts.append(try decoding.text(node))
      return nil
    }
    guard try decoding.objectClass(of: node)?.inherits(from: "NSURL") == true,
      let relative = try decoding.nodes.value("NS.relative", of: node),
      let text = try decoding.resolve(relative).target
    else { throw try unexpected(node, in: decoding) }
    texts.append(try String.decoded(text, in: decoding))
    return try decoding.nodes.value("NS.base", of: node).flatMap { base throws(FerryError) in
      try decoding.resolve(base).target
    }
  }
}

extension DecimalNumber {
  /// The number without trailing zeros in its mantissa, as `Decimal` parses it from text.
  package var compacted: DecimalNumber {
    guard mantissa != 0 else { return DecimalNumber(mantissa: 0, exponent: 0, isNegative: false) }
    var (mantissa, exponent) = (mantissa, exponent)
    while mantissa.isMultiple(of: 10), exponent < 127 {
      mantissa /= 10
      exponent += 1
    }
    return DecimalNumber(mantissa: mantissa, exponent: exponent, isNegative: isNegative)
  }

  /// The parts that `Decimal` encodes. The mantissa is eight 16-bit words, the least significant first.
  var parts: Value {
    let words = (0..<8).map { UInt16(truncatingIfNeeded: mantissa >> UInt128(16 * $0)) }
    let length = (words.lastIndex { $0 != 0 } ?? -1) + 1
    return .decimalParts(exponent, length: length, isNegative: isNegative, words)
  }
}

extension Value {
  /// The parts of the `Decimal` that is not a number.
  static let notADecimal = decimalParts(
    0, length: 0, isNegative: true, Array(repeating: 0, count: 8))

  fileprivate static func decimalParts(
    _ exponent: Int, length: Int, isNegative: Bool, _ words: [UInt16]
  ) -> Value {
    [
      "exponent": .integer(Int128(exponent)), "length": .integer(Int128(length)),
      "isNegative": .boolean(isNegative), "isCompact": true,
      "mantissa": .array(words.map { .integer(Int128($0)) }),
    ]
  }
}

// MARK: - Encoding

extension FoundationType {
  /// Returns the encoded form of a value.
  ///
  /// - Parameter parts: Returns the parts that the value's `encode(to:)` encodes.
  func encode(
    _ value: some Encodable, as form: FoundationForm, parts: () throws -> EncodedValue?
  ) throws -> EncodedValue? {
    switch self {
    case .url where form == .parts, .decimal where form == .parts: return try parts()
    case .data: return (value as? any Collection<UInt8>).map { .data(Array($0)) }
    case .decimal: return decimal("\(value)")
    case .date:
      guard case .real(let seconds) = try parts() else { return nil }
      return .date(seconds)
    case .uuid:
      guard case .string(let text) = try parts() else { return nil }
      return .scalar(.uuid, .string(text))
    case .url:
      guard case .object(let object) = try parts() else { return nil }
      return form == .archived ? url(object) : absoluteURL(object)
    }
  }

  private func decimal(_ text: String) -> EncodedValue? {
    guard text != "NaN" else { return .scalar(.decimalNumber, .real(.nan)) }
    return DecimalNumber(compacting: text).map { .scalar(.decimalNumber, $0.value) }
  }

  private func url(_ parts: EncodedObject) -> EncodedValue? {
    guard case .string(let relative)? = parts.fields["relative"] else { return nil }
    guard let base = parts.fields["base"] else { return .scalar(.url, .string(relative)) }
    let object = EncodedObject(.url)
    object.add("NS.base", base)
    object.add("NS.relative", .string(relative))
    return .object(object)
  }

  /// Returns the text of a URL, resolved against its base, which is such a text already.
  private func absoluteURL(_ parts: EncodedObject) -> EncodedValue? {
    guard case .string(let relative)? = parts.fields["relative"] else { return nil }
    guard case .scalar(_, .string(let base))? = parts.fields["base"] else {
      return .scalar(.url, .string(relative))
    }
    return .scalar(.url, .string(URLReference(relative).resolved(against: URLReference(base)).text))
  }
}

// MARK: - Parts

extension FoundationType {
  /// True if a dictionary has the parts that the type's `encode(to:)` encodes, as `PropertyListEncoder` writes them.
  func isParts(_ entries: KeyedValues) -> Bool {
    switch self {
    case .url: entries["relative"] != nil
    case .decimal: entries["mantissa"] != nil
    case .date, .data, .uuid: false
    }
  }
}
