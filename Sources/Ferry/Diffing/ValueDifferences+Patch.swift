extension ValueDifferences {
  /// Writes the differences as a JSON patch (RFC 6902). If they have values that JSON does not have, or as `hasTypedPatch` says,
  /// the patch is for the typed form, in which these have tags, such as `{"$date": "2014-06-01T09:30:00Z"}`, and a key that begins
  /// with `$` has a second one. In a patch for JSON itself, numbers that only JSON5 has are `Infinity`, `-Infinity` and `NaN`.
  ///
  ///     [
  ///       {"op": "replace", "path": "/people/0/name", "value": "Ada"},
  ///       {"op": "remove", "path": "/people/1"}
  ///     ]
  ///
  /// - Throws: The error of the output, or an error if JSON cannot hold a value: any text of a database that is not UTF-8, and some values of a
  ///   patch for JSON itself.
  public func writePatch(to output: any ByteOutput) throws(FerryError) {
    try write(patchOperations, to: output)
  }

  /// Returns the JSON patch of the differences, or an error if JSON cannot hold a value of it. Returns nil if its values consist of more
  /// values than a limit.
  ///
  /// - Parameter more: Operations for the end of the patch.
  func patch(
    withValuesAtMost limit: Int, followedBy more: [Operation] = []
  ) -> Result<[UInt8], FerryError>? {
    guard var operations = operations(withValuesAtMost: limit) else { return nil }
    operations += more.map { PatchOperation(operation: $0, isInArchive: isArchive) }
    return Result { () throws(FerryError) in
      let output = MemoryOutput()
      try write(operations, to: output)
      return output.bytes
    }
  }

  private func write(_ operations: [PatchOperation], to output: any ByteOutput) throws(FerryError) {
    try checkTexts(of: operations)
    let isTyped = hasTypedPatch ?? operations.contains { $0.operation.value?.needsTags ?? false }
    // In a patch for JSON itself, {"$real": "inf"} would be a dictionary.
    let sink = TaggedScalars(
      to: JSONWriter(to: output, style: .pretty, .document, isTyped ? .strict : .jsonWithNumbers),
      capabilities: (isTyped ? Format.json : .json5).typedCapabilities, nesting: 0, budget: Budget())
    let entries = operations.map { $0.operation.entry(isTyped: isTyped, isArchive: $0.isInArchive) }
    try Value.array(entries).replay(into: sink)
    try sink.finish()
  }

  /// Throws if a value of a patch has a text of a database that is not UTF-8.
  private func checkTexts(of operations: [PatchOperation]) throws(FerryError) {
    guard hasMarkedTexts else { return }
    for case (let value?, let path) in operations.lazy.map({ ($0.operation.value, $0.operation.path) })
    where value.hasMarkedText {
      throw FerryError(
        .cannotHold(.kind("the text at \(path.inWords), which is not UTF-8", format: "a JSON patch")))
    }
  }
}

extension JSONPatch {
  /// Creates the patch that turns the old value of differences into the new one.
  ///
  ///     let differences = try FileComparison().differences(from: old, to: new)
  ///     try file.apply(JSONPatch(differences))
  ///
  /// - Throws: An error if the nesting of a value exceeds the budget.
  public init(_ differences: ValueDifferences, budget: Budget = Budget()) throws(FerryError) {
    let text = MemoryOutput()
    try differences.writePatch(to: text)
    try self.init(text.bytes, budget: budget)
  }
}

extension ValueDifferences.Operation {
  /// The value that the operation adds; nil if it adds none.
  fileprivate var value: Value? {
    switch self {
    case .add(let value, _), .replace(let value, _): value
    case .remove, .move: nil
    }
  }

  /// The path of the value.
  fileprivate var path: ValuePath {
    switch self {
    case .add(_, let path), .remove(let path), .replace(_, let path), .move(_, let path): path
    }
  }

  /// Returns the operation as an element of a JSON patch.
  ///
  /// - Parameter isArchive: True for a patch of an archive.
  fileprivate func entry(isTyped: Bool, isArchive: Bool) -> Value {
    func pointer(_ path: ValuePath) -> Value { Value(pathText: path.jsonPointer(isTyped: isTyped)) }
    func form(_ value: Value) -> Value { isTyped ? value.tagged(inArchive: isArchive) : value }
    switch self {
    case .add(let value, let path):
      return ["op": .string("add"), "path": pointer(path), "value": form(value)]
    case .remove(let path): return ["op": .string("remove"), "path": pointer(path)]
    case .replace(let value, let path):
      return ["op": .string("replace"), "path": pointer(path), "value": form(value)]
    case .move(let from, let path):
      return ["op": .string("move"), "from": pointer(from), "path": pointer(path)]
    }
  }
}
