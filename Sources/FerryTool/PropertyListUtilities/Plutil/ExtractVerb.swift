/// `plutil -extract` and `plutil -type`: write the value at a key path, or its type.
struct ExtractVerb: PlutilVerb {
  let options: PlutilOptions
  private let keyPath: PlutilKeyPath
  /// The format; nil for that of each file.
  private let format: PlutilFormat?
  private let expectedType: PlutilType?

  private static let missing = "'Extract' requires a key path and a plist format."

  init(_ arguments: inout PlutilArguments) throws(PlutilError) {
    keyPath = PlutilKeyPath(parsing: try arguments.next(or: Self.missing))
    format = try PlutilFormat.named(arguments.next(or: Self.missing))
    expectedType = try arguments.takeExpectedType()
    options = try PlutilOptions(arguments.rest)
  }

  /// Creates the verb `-type`.
  init(typeIn arguments: inout PlutilArguments) throws(PlutilError) {
    keyPath = PlutilKeyPath(parsing: try arguments.next(or: "'Type' requires a key path."))
    format = .type
    expectedType = try arguments.takeExpectedType()
    options = try PlutilOptions(arguments.rest)
  }

  func process(_ file: String) throws(PlutilError) {
    try rewrite(file, as: format, keyPath: keyPath) { root throws(PlutilError) in
      guard let value = keyPath.value(in: root) else {
        throw PlutilError(
          "Could not extract value, error: No value at that key path or invalid key path: \(keyPath)")
      }
      let type = PlutilType(of: value)
      if let expectedType, type != expectedType {
        throw PlutilError("Value at [\(keyPath)] expected to be \(expectedType.noun) but is \(type.noun)")
      }
      root = value
    }
  }
}
