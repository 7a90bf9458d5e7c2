extension ValueDifferences {
  /// Writes the differences as a JSON patch (RFC 6902). Values that JSON does not have are in the notation of the typed form,
  /// such as `{"$date": "2014-06-01T09:30:00Z"}`.
  ///
  ///     [
  ///       {"op": "replace", "path": "/people/0/name", "value": "Ada"},
  ///       {"op": "remove", "path": "/people/1"}
  ///     ]
  ///
  /// - Throws: The error of the output.
  public func writePatch(to output: any ByteOutput) throws(FerryError) {
    let sink = TaggedScalars(
      to: JSONWriter(to: output, style: .pretty), capabilities: Format.json.typedCapabilities)
    try Value.array(operations.map(\.entry)).replay(into: sink)
    try sink.finish()
  }
}

extension ValueDifferences.Operation {
  /// The operation as an element of a JSON patch.
  fileprivate var entry: Value {
    var entry = KeyedValues()
    switch self {
    case .add(let value, let path):
      (entry["op"], entry["path"], entry["value"]) = (.string("add"), .string(path.jsonPointer), value)
    case .remove(let path): (entry["op"], entry["path"]) = (.string("remove"), .string(path.jsonPointer))
    case .replace(let value, let path):
      (entry["op"], entry["path"], entry["value"]) = (.string("replace"), .string(path.jsonPointer), value)
    case .move(let from, let path):
      entry["op"] = .string("move")
      (entry["from"], entry["path"]) = (.string(from.jsonPointer), .string(path.jsonPointer))
    }
    return .dictionary(entry)
  }
}

extension ValuePath {
  /// The path as a JSON pointer (RFC 6901): `/people/0/name`. In a key, `~` is `~0` and `/` is `~1`.
  fileprivate var jsonPointer: String {
    steps.map { step in
      switch step {
      case .key(let key):
        "/" + key.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
      case .index(let index): "/\(index)"
      case .slice, .element, .end: "/-"
      }
    }.joined()
  }
}
