extension KeyedValues: CustomStringConvertible {
  /// The entries as `ferry show` prints a dictionary, such as `{ first: "Ada", age: 36 }`.
  public var description: String { Value.dictionary(self).description }
}
