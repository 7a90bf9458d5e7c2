internal import OrderedCollections

extension EncodedValue {
  /// Returns the part at a path as the value of an error, which a program may print. The value of the app's type is not printed, because it
  /// may be the whole of a large file, and because the description of a `Date` that is NaN ends the program.
  ///
  /// - Returns: A number, a text, the seconds of a date, nil for null, or a `Value`. If the path leads further than the encoded value, the
  ///   innermost part that it reaches.
  func part(at path: ValuePath) -> Any { innermost(at: path).printable }

  /// Returns the `Value` at a path; nil if the part there is of another kind.
  func value(at path: ValuePath) -> Value? {
    if case .value(let value) = innermost(at: path) { value } else { nil }
  }

  /// Returns the innermost part that a path reaches.
  private func innermost(at path: ValuePath) -> EncodedValue {
    var part = unwrapped
    for step in path.steps {
      guard let next = part.part(at: step) else { break }
      part = next.unwrapped
    }
    return part
  }

  private func part(at step: ValuePath.Step) -> EncodedValue? {
    switch (self, step) {
    case (_, .index(let index)):
      guard let elements, elements.indices.contains(index) else { return nil }
      return elements[index]
    case (.object(let object), .key(let name)), (.reference(let object), .key(let name)):
      return object.fields[ExactString(name)]
    case (.dictionary(let pairs), .key(let name)):
      return pairs.entries.first { $0.key.name?.equals(name) ?? false }?.value
    case (.value(let value), .key(let name)): return value.dictionaryValue?[name].map { .value($0) }
    default: return nil
    }
  }

  private var printable: Any {
    switch self {
    case .boolean(let value), .value(.boolean(let value)): return value
    case .real(let value), .date(let value), .value(.real(let value)), .value(.date(let value)): return value
    case .single(let value), .value(.single(let value)): return value
    case .string(let value), .value(.string(let value)): return value
    case .integer(let value), .value(.integer(let value)): return Int(exactly: value) ?? value
    default: break
    }
    let builder = ValueBuilder()
    guard !isNull, (try? send(to: builder)) != nil, let value = try? builder.result() else {
      return Any?.none as Any
    }
    return value
  }
}

extension Value {
  /// The digits of an integer with more bits than an `Int128`; nil for other values.
  var wideInteger: String? {
    guard case .number(let text) = self, UInt128(text) != nil, Int128(text) == nil else { return nil }
    return text
  }
}
