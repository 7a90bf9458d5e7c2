/// A type whose values an archive stores as one scalar. The scalar is decoded and encoded directly, bypassing
/// the type's `Codable` implementation.
protocol ArchivedLeaf {
  /// The name of the type in messages: "a string".
  static var archivedName: String { get }
  /// True if the value is stored inline, like a number, rather than as a separate object.
  static var isInline: Bool { get }
  /// Decodes the value of a node, which must not be null.
  static func decoded(_ node: NodeID, in decoding: ArchiveDecoding) throws(FerryError) -> Self
  /// Returns the value as it is stored in an archive.
  func encoded() throws(FerryError) -> EncodedValue
}

extension ArchivedLeaf {
  static var isInline: Bool { false }
}

/// A number in an archive, with its kind.
enum ArchivedNumber {
  case boolean(Bool)
  case integer(Int128)
  case real(Double)
  case single(Float)
  case decimal(DecimalNumber)
}

extension ArchivedNumber: CustomStringConvertible {
  var description: String {
    switch self {
    case .boolean(let value): "\(value)"
    case .integer(let value): value.notation
    case .real(let value): value.notation
    case .single(let value): value.notation
    case .decimal(let value): value.notation
    }
  }
}

extension ArchiveDecoding {
  /// Returns the scalar that an object represents (the date of an `NSDate`, the string of an
  /// `NSMutableString`), or nil for other objects.
  func scalar(_ node: NodeID) throws(FerryError) -> (type: ObjectClass, value: Value)? {
    try decodedForms.scalar(at: node)
  }

  /// Returns the number at a node. Throws if the node is not a number.
  func number(_ node: NodeID, expecting name: String) throws(FerryError) -> ArchivedNumber {
    switch try nodes.kind(of: node) {
    case .boolean(let value): return .boolean(value)
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    case .single(let value): return .single(value)
    case .number:
      let text = try nodes.withText(of: node) { text throws(FerryError) in String(text) }
      if let decimal = DecimalNumber(text) { return .decimal(decimal) }
    case .dictionary:
      guard let (type, value) = try scalar(node), type.inherits(from: "NSNumber") else { break }
      switch value {
      case .integer(let value): return .integer(value)
      case .real(let value): return .real(value)
      case .number(let text): if let decimal = DecimalNumber(text) { return .decimal(decimal) }
      default: break
      }
    default: break
    }
    throw try unexpected(name, found: node)
  }

  /// Returns the error for a node that has another kind than expected.
  func unexpected(_ name: String, found node: NodeID) throws(FerryError) -> FerryError {
    FerryError(.coding(.expected(name, found: try description(of: node))))
  }

  /// Returns the string at a node, and adds its length to the cost of decoding.
  func text(_ node: NodeID) throws(FerryError) -> String {
    try nodes.withText(of: node) { text throws(FerryError) in
      guard !text.hasSurrogates else {
        throw FerryError(.coding(.unreadable("a text with an unpaired surrogate", type: "String")))
      }
      try spend(text.utf8.count)
      return String(text)
    }
  }
}

extension Bool: ArchivedLeaf {
  static var archivedName: String { "a boolean" }
  static var isInline: Bool { true }

  static func decoded(_ node: NodeID, in decoding: ArchiveDecoding) throws(FerryError) -> Bool {
    // Older archivers stored booleans as numbers.
    switch try decoding.number(node, expecting: archivedName) {
    case .boolean(let value): return value
    case .integer(0): return false
    case .integer(1): return true
    case let other: throw FerryError(.coding(.doesNotFit("\(other)", type: "Bool")))
    }
  }

  func encoded() throws(FerryError) -> EncodedValue { .boolean(self) }
}

extension ArchivedLeaf where Self: FixedWidthInteger {
  static var archivedName: String { "an integer" }
  static var isInline: Bool { true }

  static func decoded(_ node: NodeID, in decoding: ArchiveDecoding) throws(FerryError) -> Self {
    let number = try decoding.number(node, expecting: archivedName)
    let value: Self? =
      switch number {
      // An archiver may store true and 1 as the same object.
      case .boolean(let value): value ? 1 : 0
      case .integer(let value): Self(exactly: value)
      case .real(let value): Self(exactly: value)
      case .single(let value): Self(exactly: value)
      case .decimal(let value): Self(decimal: value.notation)
      }
    guard let value else { throw FerryError(.coding(.doesNotFit("\(number)", type: "\(Self.self)"))) }
    return value
  }

  func encoded() throws(FerryError) -> EncodedValue {
    guard let value = Int128(exactly: self), value.has64Bits else {
      throw FerryError(.cannotHold(.integerRange("\(self)", format: "a keyed archive")))
    }
    return .integer(value)
  }
}

extension Int: ArchivedLeaf {}
extension Int8: ArchivedLeaf {}
extension Int16: ArchivedLeaf {}
extension Int32: ArchivedLeaf {}
extension Int64: ArchivedLeaf {}
extension Int128: ArchivedLeaf {}
extension UInt: ArchivedLeaf {}
extension UInt8: ArchivedLeaf {}
extension UInt16: ArchivedLeaf {}
extension UInt32: ArchivedLeaf {}
extension UInt64: ArchivedLeaf {}
extension UInt128: ArchivedLeaf {}

extension Double: ArchivedLeaf {
  static var archivedName: String { "a number" }
  static var isInline: Bool { true }

  static func decoded(_ node: NodeID, in decoding: ArchiveDecoding) throws(FerryError) -> Double {
    let number = try decoding.number(node, expecting: archivedName)
    let value: Double? =
      switch number {
      case .boolean: nil
      case .integer(let value): Double(value)
      case .real(let value): value
      case .single(let value): Double(value)
      case .decimal(let value): Double(value.notation)
      }
    guard let value else { throw FerryError(.coding(.doesNotFit("\(number)", type: "Double"))) }
    return value
  }

  func encoded() throws(FerryError) -> EncodedValue { .real(self) }
}

extension Float: ArchivedLeaf {
  static var archivedName: String { "a number" }
  static var isInline: Bool { true }

  static func decoded(_ node: NodeID, in decoding: ArchiveDecoding) throws(FerryError) -> Float {
    let number = try decoding.number(node, expecting: archivedName)
    let value: Float? =
      switch number {
      case .boolean: nil
      case .integer(let value): Float(value)
      case .real(let value): Float(value)
      case .single(let value): value
      case .decimal(let value): Float(value.notation)
      }
    // A finite number beyond the range of `Float` would become infinite.
    guard let value, value.isFinite || number.isNotFinite else {
      throw FerryError(.coding(.doesNotFit("\(number)", type: "Float")))
    }
    return value
  }

  func encoded() throws(FerryError) -> EncodedValue { .single(self) }
}

extension ArchivedNumber {
  fileprivate var isNotFinite: Bool {
    switch self {
    case .real(let value): !value.isFinite
    case .single(let value): !value.isFinite
    case .boolean, .integer, .decimal: false
    }
  }
}

extension String: ArchivedLeaf {
  static var archivedName: String { "a string" }

  static func decoded(_ node: NodeID, in decoding: ArchiveDecoding) throws(FerryError) -> String {
    if try decoding.nodes.kind(of: node) == .string { return try decoding.text(node) }
    if let (type, value) = try decoding.scalar(node), type.isString {
      if case .string(let text) = value {
        try decoding.spend(text.utf8.count)
        return text
      }
    }
    throw try decoding.unexpected(archivedName, found: node)
  }

  func encoded() throws(FerryError) -> EncodedValue { .string(self) }
}

extension [UInt8]: ArchivedLeaf {
  static var archivedName: String { "data" }

  /// Decodes data, or an array of numbers from 0 to 255.
  static func decoded(_ node: NodeID, in decoding: ArchiveDecoding) throws(FerryError) -> [UInt8] {
    let nodes = decoding.nodes
    if try nodes.kind(of: node) == .data {
      return try nodes.withData(of: node) { bytes throws(FerryError) in
        try decoding.spend(bytes.count)
        return [UInt8](copying: bytes)
      }
    }
    if let (_, value) = try decoding.scalar(node), case .data(let bytes) = value {
      try decoding.spend(bytes.count)
      return bytes
    }
    guard let list = try ArchivedCollection(node, decoding.objectClass(of: node), in: nodes),
      list.kind != .dictionary
    else {
      throw try decoding.unexpected(archivedName, found: node)
    }
    var bytes: [UInt8] = []
    for index in 0..<list.count {
      try decoding.spend(1)
      guard let element = try decoding.resolve(list.element(index, in: nodes)).target else {
        throw FerryError(.coding(.nothing(expected: UInt8.archivedName)))
      }
      bytes.append(try UInt8.decoded(element, in: decoding))
    }
    return bytes
  }

  func encoded() throws(FerryError) -> EncodedValue { .data(self) }
}
