import Ferry

extension NamedError {
  /// The error as an entry of a report in JSON, with its known locations.
  var entry: KeyedValues {
    var entry = KeyedValues()
    entry["file"] = .string(name)
    entry["code"] = .string(error.code)
    entry["message"] = .string(error.reason.description)
    let position = error.position
    for (key, number) in [
      ("line", position.line), ("column", position.column), ("byte", position.byte),
      ("object", position.object),
    ] {
      if let number { entry[.string(key)] = .integer(Int128(number)) }
    }
    if !error.path.isEmpty { entry["path"] = .string(error.path.description) }
    return entry
  }
}
