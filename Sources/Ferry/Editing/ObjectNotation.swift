/// What JSON has no syntax for, in a value that is typed as JSON:
///
///     {"$class": "Person", "first": "Ada"}     an object of the class, with what else is there as its fields
///     {"$date": "2014-06-01T09:30:00Z"}        a date
///     {"$data": "AAEC"}                        data, in Base64
///     {"$$date": 1}                            a dictionary with the key `$date`
struct ObjectNotation {
  /// The class of a name, as the archive at hand describes it; nil when it has none of that name.
  private let known: (String) throws(Failure) -> ObjectClass?

  init(_ known: @escaping (String) throws(Failure) -> ObjectClass?) { self.known = known }

  /// The value that is meant. It is as deep as the JSON reader's budget allows.
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
