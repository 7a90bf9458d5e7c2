/// The vocabulary of the typed form.
///
///     {"$ferry": 1, "$value": {"name": "Ada", "born": {"$date": "1815-12-10T00:00:00Z"}}}
///
/// A tag is a key that begins with a single `$`. If a user's key begins with `$`, another `$` is added.
enum TypedNotation {
  /// The version of the notation. Newer versions cannot be read.
  static let version = 1

  /// The tag of a scalar that the target format cannot represent. It is the only key of its dictionary.
  enum Scalar: String, CaseIterable {
    case null = "$null"
    case real = "$real"
    case single = "$single"
    case number = "$number"
    case string = "$string"
    case data = "$data"
    case date = "$date"
    case uid = "$uid"
  }

  // MARK: Numbers without a decimal notation

  /// Returns the text of an infinity, or of a NaN with its bits: `nan`, `nan:7ff8000000000001`, `inf`,
  /// `-inf`. Returns nil for other numbers.
  static func text(of real: Double) -> String? {
    guard !real.isFinite else { return nil }
    return real.hasNaNPayload ? "nan:" + String(real.bitPattern, radix: 16) : real.notation
  }

  /// Returns the text of a 32-bit infinity, or of a 32-bit NaN with its bits. Returns nil for other numbers.
  static func text(of single: Float) -> String? {
    guard !single.isFinite else { return nil }
    let hasPayload = single.isNaN && single.bitPattern != Float.nan.bitPattern
    return hasPayload ? "nan:" + String(single.bitPattern, radix: 16) : single.notation
  }

  /// Parses the text of a NaN or an infinity. Returns nil for other texts.
  static func real(_ text: String) -> Double? {
    notFinite(text) { bits in UInt64(bits, radix: 16).map { Double(bitPattern: $0) } }
  }

  /// Parses the text of a 32-bit NaN or infinity. Returns nil for other texts.
  static func single(_ text: String) -> Float? {
    notFinite(text) { bits in UInt32(bits, radix: 16).map { Float(bitPattern: $0) } }
  }

  /// Parses the text of a NaN or an infinity, with a function that parses the bits of a NaN. Returns nil for other texts.
  private static func notFinite<Number: BinaryFloatingPoint>(
    _ text: String, ofBits number: (Substring) -> Number?
  ) -> Number? {
    switch text {
    case "nan": return .nan
    case "inf": return .infinity
    case "-inf": return -.infinity
    default:
      guard text.hasPrefix("nan:"), let value = number(text.dropFirst(4)), value.isNaN else { return nil }
      return value
    }
  }

  // MARK: Keys

  /// Calls a function with a user's key as it is written: with another `$` if it begins with `$`.
  static func withKey<R>(_ key: BorrowedText, _ body: (BorrowedText) throws(FerryError) -> R)
    throws(FerryError) -> R
  {
    guard key.utf8.starts(with: "$") else { return try body(key) }
    var bytes: [UInt8] = [UInt8(ascii: "$")]
    bytes.append(copying: key.utf8)
    return try body(BorrowedText(checked: bytes.span, isASCII: key.isASCII, hasSurrogates: key.hasSurrogates))
  }

  /// Returns true if a key is the tag of an object, of a collection, or of a reference to one.
  static func isCollectionTag(_ key: BorrowedText) -> Bool {
    guard isTag(key) else { return false }
    return collectionTags.contains { key.utf8.equals($0.utf8.span) }
  }

  private static let collectionTags = [
    "$class", "$id", "$ref", "$value", "$object", "$inline", "$set", "$dictionary",
  ]

  /// Returns true if a key is a tag.
  static func isTag(_ key: BorrowedText) -> Bool {
    key.utf8.starts(with: "$") && !key.utf8.starts(with: "$$")
  }

  /// Returns the user's key for a written key. Throws if the key is a tag.
  @_lifetime(copy key)
  static func userKey(_ key: BorrowedText) throws(FerryError) -> BorrowedText {
    guard key.utf8.starts(with: "$") else { return key }
    guard !isTag(key) else {
      let tag = String(key)
      throw FerryError(.typed(Scalar(rawValue: tag) == nil ? .unknownTag(tag) : .crowded("another key")))
    }
    let rest = key.utf8.extracting(1..<key.utf8.count)
    return BorrowedText(checked: rest, isASCII: key.isASCII, hasSurrogates: key.hasSurrogates)
  }
}
