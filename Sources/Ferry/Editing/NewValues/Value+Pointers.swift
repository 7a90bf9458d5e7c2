extension Value {
  /// The path of a reference, `{"$ref": "#/people/3"}`, or nil for other values.
  var pointer: ExactString? {
    guard case .dictionary(let entries) = self, entries.count == 1 else { return nil }
    return (entries["$ref"]?.stringValue).map { ExactString($0) }
  }

  /// The paths of the references in a value.
  var pointers: Set<ExactString> {
    var pointers: Set<ExactString> = []
    var waiting = [self]
    while let value = waiting.popLast() {
      if let pointer = value.pointer { pointers.insert(pointer) } else { waiting += value.parts }
    }
    return pointers
  }
}
