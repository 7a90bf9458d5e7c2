// The types of values that JSON of a patch cannot express, and that it replaces by others.

extension EditableFile {
  /// A value of a type that JSON does not have, such as a date, in whose place JSON has put a value of another type.
  package struct ReplacedType: Sendable {
    package let path: ValuePath
    /// The types before and after the change, such as `date` and `integer`.
    package let old, new: String
  }

  /// Makes a change of a value by JSON of a patch. Notes the types if the value had one that JSON does not have, and gets another one.
  func notingTypes(at path: ValuePath, _ change: () throws(FerryError) -> Void) throws(FerryError) {
    let old = typeBesidesJSON(at: path)
    try change()
    guard let old, typeBesidesJSON(at: path) == nil, let new = try? summaries(at: [path]).first else {
      return
    }
    replacedTypes.append(ReplacedType(path: path, old: old, new: new.typeName))
  }

  /// Returns the name of the type of a value if JSON does not have it, such as that of a date or a color. Returns nil for other values, and if
  /// there is none.
  private func typeBesidesJSON(at path: ValuePath) -> String? {
    let lists = listsKeys
    // The error of a missing key would name similar keys, which takes time in proportion to the number of keys.
    listsKeys = false
    defer { listsKeys = lists }
    guard let match = try? matches(of: path).matches.first,
      (try? match.file.hasTypeBesidesJSON(at: match.location)) == true,
      let found = try? match.file.summary(at: match.location)
    else { return nil }
    // An object of a string is a string.
    return found.kind == .string ? found.className : found.typeName
  }
}
