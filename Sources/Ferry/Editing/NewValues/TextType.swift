/// A type of values as which a text of a user is parsed: `36` is a string or an integer.
///
///     try TextType.date.value(of: "2014-06-01T09:30:00Z")    // .date(secondsSince2001: 423307800)
///     try TextType.data.value(of: "AAEC")                    // .data([0, 1, 2])
public enum TextType: String, CaseIterable, Sendable {
  /// A string.
  case string
  /// An integer.
  case integer
  /// A real number.
  case real
  /// `true` or `false`.
  case boolean
  /// A date in ISO 8601.
  case date
  /// Data in Base64.
  case data
  /// A null, as `null` or an empty text.
  case null
  /// Any JSON value, for example a whole array or dictionary.
  case json
  /// A value in the JSON of the typed form, or a whole document in it.
  case typed
  /// The value of a property list: in XML, also without the element `plist`, or in the notation of OpenStep or GNUstep. A file can be a binary
  /// one, too.
  case propertyList = "plist"

  /// The name for messages.
  public var name: String {
    switch self {
    case .string: "a string"
    case .integer: "an integer"
    case .real: "a real number"
    case .boolean: "a boolean (true or false)"
    case .date: "a date such as 2014-06-01T09:30:00Z"
    case .data: "data in Base64"
    case .null: "null"
    case .json: "JSON"
    case .typed: "the typed form ({\"$date\": …}, {\"$set\": […]}, {\"$class\": …})"
    case .propertyList: "a property list"
    }
  }

  /// Parses a text as a value of the type.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - budget: The limits on the depth and the size of JSON and property lists.
  /// - Returns: The value. In the typed form, only scalars have been converted; other tags, such as `$class`, are keys of dictionaries.
  /// - Throws: A `FerryError` with the reason `PathProblem.badText` if the text is not a value of the type.
  public func value(of text: String, budget: Budget = Budget()) throws(FerryError) -> Value {
    if self == .json { return try json(text, budget) { $0 } }
    if self == .typed { return try json(text, budget) { UntaggedScalars(to: $0, budget: budget) } }
    if self == .propertyList { return try Self.value(ofPropertyList: Array(text.utf8), budget: budget) }
    try checkDigits(of: text)
    guard let value = plainValue(of: text) else {
      throw FerryError(.path(.badText(text, type: name, isFound: false)))
    }
    return value
  }

  /// Throws if a date or a real has digits that would be lost, or if a number is too large.
  func checkDigits(of text: String) throws(FerryError) {
    switch self {
    case .date:
      guard let date = ISODate.parse(text.utf8.span), !date.isExact, let nearest = ISODate.text(date.seconds)
      else { return }
      throw FerryError(
        .path(.cannotPut("the date \(text)", "a date has fewer digits; the nearest is \(nearest)")))
    case .integer:
      let isInteger = isNumber(text) && XMLPropertyListScalar.integer(text.utf8.span) == nil
      guard isInteger else { return }
      throw FerryError(
        .path(.cannotPut("the number \(MessageText.name(text))", "it is too large for an integer")))
    case .real:
      guard let real = XMLPropertyListScalar.real(text.utf8.span) else {
        if isNumber(text) { throw Double.cannotRepresent(text, nearest: nil) }
        return
      }
      guard !real.isNotation(of: text) else { return }
      throw Double.cannotRepresent(text, nearest: real.description)
    default: return
    }
  }

  /// Returns true if a text is a number in JSON's notation: for integers, without a fraction or an exponent.
  func isNumber(_ text: String) -> Bool {
    guard text.utf8.span.flawInJSONNumber == nil else { return false }
    return self != .integer || !text.utf8.contains { ".eE".utf8.contains($0) }
  }

  /// Parses a JSON text. Its errors have no source location, which would be mistaken for one in the edited
  /// file.
  private func json(
    _ text: String, _ budget: Budget, _ adapt: (ValueBuilder) -> any ValueSink
  ) throws(FerryError) -> Value {
    let builder = ValueBuilder()
    let losses = LossReport()
    do throws(FerryError) {
      try JSONReader(into: adapt(builder), budget: budget, losses: losses).readAll(Array(text.utf8).span)
    } catch {
      throw Self.badText(text, because: error)
    }
    if let repeated = losses.losses.first {
      throw FerryError(.path(.cannotPut("this value", "it has the key \(repeated.path) twice")))
    }
    return try builder.result()
  }

  /// Returns the error for a text that is not JSON, or not in the typed form.
  static func badText(_ text: String, because error: FerryError) -> FerryError {
    let column = error.location.column.map { "column \($0)" } ?? "its end"
    let notation = if case .typed = error.reason { "the typed form" } else { "JSON" }
    let type = "\(notation) (\(column): \(error.reason))"
    return FerryError(.path(.badText(text, type: type, isFound: false)))
  }

  private func plainValue(of text: String) -> Value? {
    switch self {
    case .string, .json, .typed, .propertyList: .string(text)
    case .integer: XMLPropertyListScalar.integer(text.utf8.span).map { .integer($0) }
    case .real: XMLPropertyListScalar.real(text.utf8.span).map { .real($0) }
    case .boolean: Bool(text: text).map { .boolean($0) }
    case .date:
      ISODate.parse(text.utf8.span).flatMap { $0.isExact ? .date(secondsSince2001: $0.seconds) : nil }
    case .data: Base64.decode(text.utf8.span).map { .data($0) }
    case .null: text == "null" || text.isEmpty ? .null : nil
    }
  }
}

extension TextType {
  /// Creates the type of a node. Fails for collections and null, which no text expresses.
  init?(of kind: NodeKind) {
    switch kind {
    case .boolean: self = .boolean
    case .integer: self = .integer
    case .real, .single: self = .real
    case .number: self = .json
    case .string: self = .string
    case .data: self = .data
    case .date: self = .date
    case .null, .uid, .array, .set, .dictionary: return nil
    }
  }
}
