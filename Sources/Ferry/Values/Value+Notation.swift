extension Value {
  /// The problem with the key `ferry`, which states the version of the notation in a schema, a class file or
  /// a file of document types. Nil if the version is valid.
  var problemOfNotation: String? {
    switch self["ferry"] {
    // In XML every scalar is text.
    case .integer(1), .string("1"): nil
    case nil: "the key \"ferry\", the version of this notation, is missing (write \"ferry\": 1)"
    case let version?:
      "the key \"ferry\", the version of this notation, is \(version.words); Ferry reads version 1"
    }
  }

  /// The name of the language of a schema that is not in this notation; nil if it is, or if the language is not known.
  var otherSchemaLanguage: String? {
    guard self["ferry"] == nil, case .dictionary(let entries) = self else { return nil }
    // The root element of a document, if it has kept its key, has the declarations.
    let texts = ([self] + entries.values).flatMap { value -> [Value] in
      if case .dictionary(let entries) = value { Array(entries.values) } else { [] }
    }
    if texts.contains(.string("http://www.w3.org/2001/XMLSchema")) { return "XML Schema" }
    if texts.contains(.string("http://relaxng.org/ns/structure/1.0")) { return "RELAX NG" }
    let isJSONSchema = ["$schema", "$ref", "$defs", "properties"].contains { self[$0] != nil }
    return isJSONSchema ? "JSON Schema" : nil
  }
}
