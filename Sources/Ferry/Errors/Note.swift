/// A note on the reading of an input, which is neither an error nor a loss.
public enum Note: Hashable, Sendable {
  /// The document has the names of a built-in schema, but is read by convention, for a reason.
  ///
  /// - Parameter isReadable: True if the schema reads the document when it is requested.
  case readByConvention(schema: String, why: String, isReadable: Bool)
  /// No schema was inferred, for a reason.
  case readWithoutSchema(FerryError.Reason)
  /// The whole document is one record, because it has more than the elements of a list.
  case oneRecord(element: String, list: String)
  /// An XPath has selected nothing, because the elements are in a namespace. `_` is the prefix of the root element's namespace.
  case inNamespace(String)
  /// No element matches the selection.
  case nothingSelected
  /// Something else, in words.
  case other(String)
}

extension Note: CustomStringConvertible {
  /// The note in one sentence, without a period. The wording may change in any release.
  public var description: String {
    switch self {
    case .readByConvention(let schema, let why, _):
      "read by convention and not by the built-in schema \(schema): \(why)"
    case .readWithoutSchema(let reason): "read without a schema: \(reason)"
    case .oneRecord(let element, let list):
      "<\(element)> is one record, because it has more than its <\(list)>"
    case .inNamespace(let namespace): "the elements are in the namespace \(quotedForMessage(namespace))"
    case .nothingSelected: Loss.Kind.nothingSelected.message
    case .other(let words): words
    }
  }
}
