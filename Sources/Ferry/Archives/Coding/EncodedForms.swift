/// The forms of keys, dates and data, in formats other than archives.
struct EncodedForms {
  /// Returns the name of a key of a type in the file, given the coding path of the value that has the key; nil to keep all names.
  var name: ((_ name: String, _ path: () -> [any CodingKey]) -> String)?
  /// True if the names of attributes begin with `@`, and false if they are names like others.
  var marksAttributes = false
  var date = Encoding<Double>.native
  var data = Encoding<[UInt8]>.native

  /// The way to encode a kind of scalars.
  enum Encoding<Scalar> {
    /// The scalar itself.
    case native
    /// Another value. The function returns nil for a scalar that has no such value.
    case made((Scalar) -> EncodedValue?)
    /// A value that a function encodes, given the value of the type and the scalar. The function returns false if it does not take values of
    /// the type.
    case custom((Any, Scalar, any Encoder) throws -> Bool)
  }
}

extension String {
  /// The key of an attribute in a value that was read from XML: the name after `@`.
  var markedAsAttribute: String { begins(with: "@") ? self : "@\(self)" }
}
