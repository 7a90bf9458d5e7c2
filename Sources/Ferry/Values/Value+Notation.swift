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
}
