extension Value {
  /// What is wrong with the key `ferry` of a schema, a file of classes or of document types, which says the version of its
  /// notation; nil if nothing is.
  var problemOfNotation: String? {
    switch self["ferry"] {
    // In XML every scalar is text.
    case .integer(1), .string("1"): nil
    case nil: "the key \"ferry\", the version of this notation, is missing (write \"ferry\": 1)"
    case let version?:
      "the key \"ferry\", the version of this notation, is \(version.words); Ferry reads version 1"
    }
  }
}
