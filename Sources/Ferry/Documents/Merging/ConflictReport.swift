extension DocumentMerge.Result {
  /// Writes the conflicts as JSON, both sides whole, in the notation of the typed form:
  ///
  ///     { "conflicts": [ { "path": "[itemKey=\"key-3\"].name",
  ///                        "base": "Light", "ours": "Lamp", "theirs": "Desk lamp" } ] }
  ///
  /// A version that has nothing at the path has no entry.
  ///
  /// - Throws: what the output says.
  public func writeReport(to output: any ByteOutput) throws(Failure) {
    let json = JSONWriter(to: output, style: .pretty)
    let sink = TaggedScalars(to: json, holding: Format.json.typedHolding)
    let report: Value = ["conflicts": .array(conflicts.map(\.report))]
    try report.replay(into: sink)
    try sink.finish()
  }
}

extension MergeConflict {
  /// The conflict as an entry of a report.
  fileprivate var report: Value {
    var entries = KeyedValues()
    entries[.string("path")] = .string(path.description)
    for (name, value) in [("base", base), ("ours", ours), ("theirs", theirs)] {
      entries[.string(name)] = value?.tagged
    }
    return .dictionary(entries)
  }
}

extension Value {
  /// The value with the typed form's tags for all that is no scalar of JSON's.
  fileprivate var tagged: Value {
    switch self {
    case .array(let values): return .array(values.map(\.tagged))
    case .set(let values): return ["$set": .array(values.map(\.tagged))]
    case .dictionary(let entries): return .dictionary(Self.tagged(entries))
    case .reference(let number): return ["$ref": .integer(Int128(number))]
    case .object(let object):
      var entries = KeyedValues()
      entries[.string("$class")] = .string(object.type.name)
      if let identity = object.identity { entries[.string("$id")] = .integer(Int128(identity)) }
      if case .dictionary(let fields) = object.content {
        for (key, value) in Self.tagged(fields) { entries[key] = value }
      } else {
        entries[.string("$value")] = object.content.tagged
      }
      return .dictionary(entries)
    default: return self
    }
  }

  private static func tagged(_ entries: KeyedValues) -> KeyedValues {
    var result = KeyedValues()
    for (key, value) in entries {
      let name = if case .string(let text) = key { text } else { key.words }
      result[.string(name.hasPrefix("$") ? "$\(name)" : name)] = value.tagged
    }
    return result
  }
}
