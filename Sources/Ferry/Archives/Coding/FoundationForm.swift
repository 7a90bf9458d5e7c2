/// The form in which a type of Foundation is encoded.
enum FoundationForm {
  /// The object that an archive stores.
  case archived
  /// A scalar. A URL with a base is the absolute URL, as `JSONEncoder` writes it.
  case scalar
  /// For a URL and a decimal, the parts that their `encode(to:)` encodes, as `PropertyListEncoder` writes them; for other types, a scalar.
  case parts
}
