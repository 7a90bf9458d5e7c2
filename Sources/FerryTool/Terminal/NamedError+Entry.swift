import Ferry

extension NamedError {
  /// The error as an entry of a report in JSON, with the command's advice and the known locations.
  var entry: KeyedValues {
    var entry = KeyedValues()
    entry["file"] = .string(name)
    entry["code"] = .string(error.code)
    entry["message"] = .string(error.reason.description)
    if let advice = error.reason.hint?.advice { entry["hint"] = .string(advice) }
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
