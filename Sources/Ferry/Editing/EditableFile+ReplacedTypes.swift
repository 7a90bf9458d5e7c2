// Values of types that JSON does not have, such as dates, which the JSON of a patch replaces by values of other types.

extension EditableFile {
  /// A replacement of a value of a type that JSON does not have, such as a date, by a JSON value of another type.
  package struct ReplacedType: Sendable {
    package let path: ValuePath
    /// The types before and after the change, such as `date` and `integer`.
    package let old, new: String
  }

  /// Changes a value by the JSON of a patch. Notes both types if the old one does not exist in JSON and the new one does.
  func notingTypes(at path: ValuePath, _ change: () throws(FerryError) -> Void) throws(FerryError) {
    let old = typeBesidesJSON(at: path)
    try change()
    guard let old, typeBesidesJSON(at: path) == nil, let new = try? summaries(at: [path]).first else {
      return
    }
    replacedTypes.append(ReplacedType(path: path, old: old, new: new.typeName))
  }

  /// Returns the name of the type of a value if JSON does not have this type, such as a date or a color. Returns nil for other values, and if
  /// there is no value at the path.
  private func typeBesidesJSON(at path: ValuePath) -> String? {
    withoutListingKeys {
      guard let match = try? matches(of: path).matches.first,
        (try? match.file.hasTypeBesidesJSON(at: match.location)) == true,
        let found = try? match.file.summary(at: match.location)
      else { return nil }
      // The type of a string object is `string`, which JSON has, so its class names it.
      return found.kind == .string ? found.className : found.typeName
    }
  }
}
