import Ferry

extension NamedError {
  /// The error as an entry of a report in JSON, with the command's advice and the known locations.
  var entry: KeyedValues {
    var entry = KeyedValues()
    entry["file"] = .string(file)
    entry["code"] = .string(error.code)
    entry["message"] = .string(error.reason.description)
    if let advice = error.reason.hint?.advice { entry["hint"] = .string(advice) }
    entry.add(error.location)
    if !error.path.isEmpty { entry["path"] = .string(error.path.description) }
    return entry
  }
}

extension Note {
  /// Returns the note on an input as an entry of a report in JSON, with the command's advice and the known location.
  func entry(of name: String) -> Value {
    var entry = KeyedValues()
    entry["file"] = .string(name)
    entry["code"] = .string(code)
    entry["message"] = .string(description)
    if let advice = Hint.about(self)?.forRunningCommand?.advice { entry["hint"] = .string(advice) }
    entry.add(location)
    if let path { entry["path"] = .string(path.description) }
    return .dictionary(entry)
  }
}

extension KeyedValues {
  /// Adds the known parts of a source location.
  mutating func add(_ location: InputLocation) {
    for (key, number) in [
      ("line", location.line), ("column", location.column), ("byte", location.byte),
      ("object", location.object),
    ] {
      if let number { self[.string(key)] = .integer(Int128(number)) }
    }
  }
}
