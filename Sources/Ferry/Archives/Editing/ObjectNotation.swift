/// The notation, in a value that is typed as JSON, for values without a syntax in JSON:
///
///     {"$class": "Person", "first": "Ada"}     an object of the class; the other entries are its fields
///     {"$date": "2014-06-01T09:30:00Z"}        a date
///     {"$data": "AAEC"}                        data, in Base64
///     {"$$date": 1}                            a dictionary with the key `$date`
struct ObjectNotation {
  /// Returns the class with a name, as the current archive describes it; nil if it has no such class.
  private let known: (String) throws(Failure) -> ObjectClass?

  init(_ known: @escaping (String) throws(Failure) -> ObjectClass?) { self.known = known }

  /// Returns the value that a notation expresses. The budget of the JSON reader has limited its depth.
  func value(of value: Value) throws(Failure) -> Value {
    switch value {
    case .array(let values):
      var elements: [Value] = []
      for value in values { elements.append(try self.value(of: value)) }
      return .array(elements)
    case .dictionary(let entries): return try self.value(of: entries)
    case .number(let text):
      guard let real = Double(text), real.isFinite else { return value }
      return .real(real)
    default: return value
    }
  }

  private func value(of entries: KeyedValues) throws(Failure) -> Value {
    if entries.count == 1, let scalar = try scalar(entries) { return scalar }
    var fields = KeyedValues()
    for (key, value) in entries where key != .string("$class") {
      fields[unescaped(key)] = try self.value(of: value)
    }
    guard let type = entries["$class"] else { return .dictionary(fields) }
    guard case .string(let name) = type, !name.isEmpty else {
      throw Failure(.path(.cannotStand("this $class", "a class is named by a string")))
    }
    let found = try known(name) ?? Catalogue.standard.type(named: name) ?? ObjectClass(name)
    return .object(ObjectValue(found, content: .dictionary(fields)))
  }

  private func scalar(_ entries: KeyedValues) throws(Failure) -> Value? {
    if case .string(let text)? = entries["$date"] { return try ValueType.date.value(of: text) }
    if case .string(let text)? = entries["$data"] { return try ValueType.data.value(of: text) }
    return nil
  }

  private func unescaped(_ key: Value) -> Value {
    guard case .string(let name) = key, name.hasPrefix("$$") else { return key }
    return .string(String(name.dropFirst()))
  }
}
