// Ferry's own decoders and encoders take a `Value` as it is. The rest of these functions is for those of others, such as JSONDecoder.

extension Value: Codable {
  /// Decodes a value with any decoder: `null`, booleans, numbers, strings, and arrays and dictionaries of them. Decoders of others do not
  /// tell 1.0 from 1, and give a decimal with many digits as the nearest `Double`.
  ///
  ///     let value = try JSONDecoder().decode(Value.self, from: data)
  ///
  /// - Throws: An error of the decoder.
  public init(from decoder: any Decoder) throws {
    if decoder is CodedValueDecoder || decoder is ArchivedDecoder {
      self = try decoder.singleValueContainer().decode(Value.self)
    } else if let entries = try? decoder.container(keyedBy: ValueKey.self) {
      self = .dictionary(try KeyedValues(from: entries))
    } else if var elements = try? decoder.unkeyedContainer() {
      self = .array(try elements.decodeAll())
    } else {
      self = try decoder.singleValueContainer().decodeScalar()
    }
  }

  /// Encodes the value with any encoder. An encoder of others gets dates as text in ISO 8601, data as text in Base64, sets as arrays,
  /// objects as their content, and decimals as the nearest `Double`.
  ///
  /// - Throws: An `EncodingError` for a reference, a key that is not text or equals another as text, and a string with unpaired
  ///   surrogates; or an error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    if encoder is ArchivedEncoder {
      var container = encoder.singleValueContainer()
      return try container.encode(self)
    }
    switch self {
    case .array(let values), .set(let values):
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(value) }
    case .dictionary(let entries):
      var container = encoder.container(keyedBy: ValueKey.self)
      var names: Set<String> = []
      for (key, value) in entries {
        guard let name = key.keyText else { throw key.notEncodable(encoder) }
        // Encoders compare é and e with an accent as equal, and a number as a key may have the text of another key.
        guard names.insert(name).inserted else { throw Self.isRepeated(name, encoder) }
        try container.encode(value, forKey: ValueKey(stringValue: name))
      }
    case .object(let object): try object.content.encode(to: encoder)
    default:
      var container = encoder.singleValueContainer()
      try encode(asScalarTo: &container, encoder)
    }
  }

  private func encode(
    asScalarTo container: inout any SingleValueEncodingContainer, _ encoder: any Encoder
  ) throws {
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let value): try container.encode(value)
    case .integer(let value):
      if let value = Int64(exactly: value) {
        try container.encode(value)
      } else if let value = UInt64(exactly: value) {
        try container.encode(value)
      } else {
        try container.encode(value)
      }
    case .real(let value): try container.encode(value)
    case .single(let value): try container.encode(value)
    case .number:
      guard let value = doubleValue else { throw notEncodable(encoder) }
      try container.encode(value)
    case .string(let text): try container.encode(text)
    case .data, .date:
      guard let text = plainText else { throw notEncodable(encoder) }
      try container.encode(text)
    default: throw notEncodable(encoder)
    }
  }

  /// The text of a key; nil for a collection, and for a text that no String represents.
  private var keyText: String? {
    if case .unpairedString = scalar { nil } else { plainText }
  }

  private static func isRepeated(_ name: String, _ encoder: any Encoder) -> EncodingError {
    FerryError(.coding(.notEncodable("two keys are equal for this encoder: \(MessageText.quoted(name))")))
      .encodingError(of: name, path: encoder.codingPath)
  }

  private func notEncodable(_ encoder: any Encoder) -> EncodingError {
    FerryError(.coding(.notEncodable("this encoder cannot represent \(words)")))
      .encodingError(of: self, path: encoder.codingPath)
  }
}

extension KeyedValues {
  fileprivate init(from container: KeyedDecodingContainer<ValueKey>) throws {
    self.init()
    for key in container.allKeys { self[key.stringValue] = try container.decode(Value.self, forKey: key) }
  }
}

extension UnkeyedDecodingContainer {
  fileprivate mutating func decodeAll() throws -> [Value] {
    var values: [Value] = []
    while !isAtEnd { values.append(try decode(Value.self)) }
    return values
  }
}

extension SingleValueDecodingContainer {
  /// Decodes a scalar. A decoder refuses the types that the scalar does not have.
  fileprivate func decodeScalar() throws -> Value {
    if decodeNil() { return .null }
    if let value = try? decode(Bool.self) { return .boolean(value) }
    if let value = try? decode(Int64.self) { return .integer(Int128(value)) }
    if let value = try? decode(UInt64.self) { return .integer(Int128(value)) }
    if let value = try? decode(Int128.self) { return .integer(value) }
    if let value = try? decode(Double.self) { return .real(value) }
    return .string(try decode(String.self))
  }
}

extension Value {
  /// Creates a value from a value of a type of your own.
  ///
  ///     struct Person: Codable { var first: String; var age: Int }
  ///     let value = try Value(encoding: Person(first: "Ada", age: 36))
  ///     value["age"]?.intValue      // 36
  ///     try value.decoded(as: Person.self).first     // "Ada"
  ///
  /// A dictionary or object of the type becomes a dictionary, `Date` a date, `Data` data, `URL`, `UUID` and `Decimal` text or a number.
  ///
  /// - Throws: An `EncodingError` with the coding path.
  public init(encoding value: some Encodable) throws { self = try FerryEncoder(to: .json).value(of: value) }

  /// Returns the value, or the part at a path, as a value of a type of your own.
  ///
  ///     let people: Value = [["first": "Ada"], ["first": "Grace"]]
  ///     try people.decoded(as: Person.self, at: "[1]").first           // "Grace"
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - path: The path of the part, or nil for the whole. It must not match several parts.
  /// - Throws: A `DecodingError` with the coding path.
  public func decoded<T: Decodable>(as type: T.Type, at path: ValuePath? = nil) throws -> T {
    try FerryDecoder().decode(type, from: self, at: path)
  }
}
