extension RecordType {
  /// The types of the records, inside this type, that contain themselves, by their elements. Empty for most types.
  ///
  ///     folder { name, folders: [folder] }     ["folder": folder]
  var enclosingTypes: [ExactString: RecordType] {
    var types: [RecordType] = []
    addRecurringTypes(to: &types)
    return Dictionary(types.map { (ExactString($0.element), $0) }) { first, _ in first }
  }

  /// An element of several types that contain themselves, or nil if there is none.
  var ambiguousElement: String? {
    var types: [RecordType] = []
    addRecurringTypes(to: &types)
    return types.first { type in types.contains { $0.element.equals(type.element) && $0 != type } }?.element
  }

  /// Adds this type, and the types inside it, that contain themselves.
  private func addRecurringTypes(to types: inout [RecordType]) {
    if fields.contains(where: { $0.type.containsRecord(again: element) }) { types.append(self) }
    for field in fields { field.type.record?.addRecurringTypes(to: &types) }
  }
}

extension FieldType {
  /// The type of the records in a value: of the record itself, of the items of a list, or of the values of a dictionary.
  var record: RecordType? {
    switch self {
    case .record(let type): type
    case .list(let type, _), .dictionary(let type): type.record
    default: nil
    }
  }

  /// Returns true if a value contains a record of the type, around it, that has an element.
  fileprivate func containsRecord(again element: String) -> Bool {
    switch self {
    case .enclosing(let name): name.equals(element)
    // An inner record with the same element hides the outer one.
    case .record(let type):
      !type.element.equals(element) && type.fields.contains { $0.type.containsRecord(again: element) }
    case .list(let type, _), .dictionary(let type): type.containsRecord(again: element)
    default: false
    }
  }
}
