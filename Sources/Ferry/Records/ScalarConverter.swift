/// A converter of the scalars in records from one dialect to another. The type of a field decides how its scalar is read.
///
///     integer   "007" of XML                   →   7 of JSON
///     boolean   1 of a database                →   true of JSON
///     date      "1852-11-27" of a database     →   a date of an archive
struct ScalarConverter {
  let source: RecordDialect
  let target: RecordDialect
  let losses: LossReport

  /// Sends a scalar as a value of a type. Returns false, and sends nothing, if the scalar is not of the type.
  ///
  /// - Parameter isObject: True if the scalar is the content of an object in an archive.
  func send(
    _ type: FieldType, at index: TapeIndex, isObject: Bool, of tape: EventTape, to sink: any ValueSink
  ) throws(FerryError) -> Bool {
    switch type {
    case .string: return try sendString(at: index, of: tape, to: sink)
    case .integer:
      guard let number = integer(at: index, of: tape) else { return false }
      try sink.integer(number)
    case .real where tape.kind(at: index) == .single: try sink.single(tape.single(at: index))
    case .real:
      guard let number = real(at: index, of: tape) else { return false }
      try sink.real(number)
    case .decimal: return try sendDecimal(at: index, of: tape, to: sink)
    case .boolean:
      guard let value = boolean(at: index, of: tape) else { return false }
      try sink.boolean(value)
    case .date:
      guard let seconds = date(at: index, of: tape) else { return false }
      return try send(date: seconds, to: sink)
    case .data: return try sendData(at: index, of: tape, to: sink)
    case .url: return try sendURL(at: index, isObject: isObject, of: tape, to: sink)
    case .uuid: return try sendUUID(at: index, of: tape, to: sink)
    case .record, .list, .dictionary, .enclosing, .any: return false
    }
    return true
  }

  // MARK: Numbers

  private func integer(at index: TapeIndex, of tape: EventTape) -> Int128? {
    switch tape.kind(at: index) {
    case .integer: return tape.integer(at: index)
    case .string where source.scalarsAreText:
      let text = tape.string(at: index).trimmed
      if case .integer(let number) = DecimalText(json: text.utf8.span) { return number }
      guard let number = Int128(text), number.has64Bits else { return nil }
      if !number.description.equals(text) { losses.add(.numberNotation) }
      return number
    default: return nil
    }
  }

  private func real(at index: TapeIndex, of tape: EventTape) -> Double? {
    switch tape.kind(at: index) {
    case .real: return tape.real(at: index)
    case .integer:
      let number = tape.integer(at: index)
      return Int128(exactly: Double(number)) == number ? Double(number) : nil
    case .number:
      let text = tape.string(at: index)
      guard let number = Double(text), number.isFinite else { return nil }
      if !number.isNotation(of: text) { losses.add(.numberAsReal) }
      return number
    case .string where source.scalarsAreText:
      let text = tape.string(at: index).trimmed
      guard let number = Self.real(text) else { return nil }
      if !number.isNotation(of: text) {
        losses.add(.numberAsReal)
      } else if number.isFinite, text.utf8.span.flawInJSONNumber != nil {
        losses.add(.numberNotation)
      }
      return number
    case .string where !source.capabilities.contains(.notFinite):
      // NaN and infinities are written as text in formats that cannot represent them.
      guard let number = Self.real(tape.string(at: index)), !number.isFinite else { return nil }
      return number
    default: return nil
    }
  }

  /// Returns the real of a text with decimal digits, or with a word for NaN or an infinity; nil for other texts, such as `0x1p3`, and for
  /// numbers that are too large, such as `1e400`.
  private static func real(_ text: String) -> Double? {
    let isOther = text.utf8.contains { byte in
      byte == UInt8(ascii: "x") || byte == UInt8(ascii: "X") || byte == UInt8(ascii: "(")
    }
    guard !isOther, let number = Double(text) else { return nil }
    let hasDigits = text.utf8.contains(where: \.isDigit)
    return number.isFinite || !hasDigits ? number : nil
  }

  private func sendDecimal(
    at index: TapeIndex, of tape: EventTape, to sink: any ValueSink
  ) throws(FerryError) -> Bool {
    switch tape.kind(at: index) {
    // The notations of decimals have neither NaN nor infinities, so no other field of decimals could be read back.
    case .real where !tape.real(at: index).isFinite: return false
    case .integer, .real:
      if let object = tape.notation(at: index).flatMap(decimalObject) {
        try send(object, to: sink)
      } else {
        try tape.replay(valueAt: index, into: sink)
      }
    case .number, .string:
      let given = tape.string(at: index).trimmed
      guard let text = source.scalarsAreText ? Self.decimal(given) : Self.numberInJSON(given) else {
        return false
      }
      if !text.equals(given) { losses.add(.numberNotation) }
      if let object = decimalObject(of: text) {
        try send(object, to: sink)
      } else {
        try send(decimal: text, to: sink)
      }
    default: return false
    }
    return true
  }

  private static func numberInJSON(_ text: String) -> String? {
    text.utf8.span.flawInJSONNumber == nil ? text : nil
  }

  /// Returns a number with decimal digits in the notation of JSON: `7.50` for `007.50`, `5` for `+5` and `0.5` for `.5`. Returns nil for
  /// another text.
  private static func decimal(_ text: String) -> String? {
    if let text = numberInJSON(text) { return text }
    var rest = text.utf8[...]
    var sign = ""
    if let first = rest.first, first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
      if first == UInt8(ascii: "-") { sign = "-" }
      rest = rest.dropFirst()
    }
    let whole = rest.prefix(while: \.isDigit)
    rest = rest.dropFirst(whole.count)
    var fraction = rest.prefix(0)
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix(while: \.isDigit)
      rest = rest.dropFirst(1 + fraction.count)
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    let digits = whole.drop { $0 == UInt8(ascii: "0") }
    let written =
      sign + (digits.isEmpty ? "0" : String(Substring(digits)))
      + (fraction.isEmpty ? "" : "." + String(Substring(fraction))) + String(Substring(rest))
    // The rest is an exponent, or no part of a number.
    return numberInJSON(written)
  }

  /// Returns the `NSDecimalNumber` for a text. Returns nil if the target has no classes, or if the text has too many
  /// digits.
  private func decimalObject(of text: String) -> DecimalNumber? {
    guard target.holdsObjects else { return nil }
    if let number = DecimalNumber(text) { return number }
    // An `NSDecimalNumber` has no negative zero.
    guard text.begins(with: "-"), let zero = DecimalNumber(text.droppingFirst()), zero.mantissa == 0 else {
      return nil
    }
    losses.add(.negativeZero)
    return zero
  }

  private func send(_ object: DecimalNumber, to sink: any ValueSink) throws(FerryError) {
    try sink.beginObject(.decimalNumber, identity: nil)
    try object.value.replay(into: sink)
    try sink.endObject()
  }

  /// Sends a number in JSON's notation as an integer or a real, or with all its digits if neither represents it.
  private func send(decimal text: String, to sink: any ValueSink) throws(FerryError) {
    switch DecimalText(json: text.utf8.span) {
    case .integer(let number): try sink.integer(number)
    case .real(let number): try sink.real(number)
    case .text where target.capabilities.contains(.decimals): try sink.number(BorrowedText(text.utf8.span))
    case .text: try sink.string(BorrowedText(text.utf8.span))
    }
  }

  // MARK: Booleans and dates

  private func boolean(at index: TapeIndex, of tape: EventTape) -> Bool? {
    switch tape.kind(at: index) {
    case .boolean: return tape.boolean(at: index)
    case .integer where source.booleansAreIntegers:
      let number = tape.integer(at: index)
      return number == 0 || number == 1 ? number == 1 : nil
    case .string where source.scalarsAreText: return Bool(text: tape.string(at: index))
    default: return nil
    }
  }

  /// Returns the date of a scalar in seconds since 2001.
  private func date(at index: TapeIndex, of tape: EventTape) -> Double? {
    switch tape.kind(at: index) {
    case .date: return tape.real(at: index)
    case .string:
      let text = tape.string(at: index).trimmed
      guard let parsed = ISODate.parse(text.utf8.span) else {
        return source.datesAreLoose ? LooseDate.seconds(text) : nil
      }
      if !parsed.isExact { losses.add(.dateRounded) }
      return parsed.seconds
    case .integer where source.datesAreLoose:
      return LooseDate.seconds(since1970: Double(tape.integer(at: index)))
    case .real where source.datesAreLoose: return LooseDate.seconds(since1970: tape.real(at: index))
    default: return nil
    }
  }

  private func send(date seconds: Double, to sink: any ValueSink) throws(FerryError) -> Bool {
    if target.capabilities.contains(.dates) || target.capabilities.contains(.wholeDates) {
      try sink.date(seconds)
    } else {
      guard let text = ISODate.text(seconds) else { return false }
      try sink.string(BorrowedText(text.utf8.span))
    }
    return true
  }

  // MARK: Text and data

  private func sendString(
    at index: TapeIndex, of tape: EventTape, to sink: any ValueSink
  ) throws(FerryError) -> Bool {
    guard tape.kind(at: index) == .string else { return false }
    try tape.replay(valueAt: index, into: sink)
    return true
  }

  private func sendData(
    at index: TapeIndex, of tape: EventTape, to sink: any ValueSink
  ) throws(FerryError) -> Bool {
    let keepsData = target.capabilities.contains(.data)
    switch tape.kind(at: index) {
    case .data where keepsData: try tape.replay(valueAt: index, into: sink)
    case .data:
      let text = Base64.encode(tape.data(at: index))
      try sink.string(BorrowedText(checked: text.span, isASCII: true))
    case .string:
      guard let bytes = Base64.decode(tape.text(at: index).utf8) else { return false }
      guard !keepsData else {
        try sink.data(bytes.span)
        return true
      }
      // Other programs refuse white space in Base64.
      let text = Base64.encode(bytes.span)
      try sink.string(BorrowedText(checked: text.span, isASCII: true))
    default: return false
    }
    return true
  }

  /// Sends the string of a URL. If the value is an object of an archive, its own string is kept.
  private func sendURL(
    at index: TapeIndex, isObject: Bool, of tape: EventTape, to sink: any ValueSink
  ) throws(FerryError) -> Bool {
    guard tape.kind(at: index) == .string, isObject || URLText.flaw(of: tape.string(at: index)) == nil else {
      return false
    }
    try sendWrapped(.url, tape.text(at: index), to: sink)
    return true
  }

  private func sendUUID(
    at index: TapeIndex, of tape: EventTape, to sink: any ValueSink
  ) throws(FerryError) -> Bool {
    switch tape.kind(at: index) {
    case .string where UUIDText.bytes(tape.text(at: index).utf8) != nil:
      try sendWrapped(.uuid, tape.text(at: index), to: sink)
    // Databases may store a UUID as sixteen bytes.
    case .data where tape.data(at: index).count == 16:
      let text = UUIDText.text(tape.data(at: index))
      try sendWrapped(.uuid, BorrowedText(text.utf8.span), to: sink)
    default: return false
    }
    return true
  }

  /// Sends a string as an object of a class if the target has classes, otherwise as a string.
  private func sendWrapped(
    _ type: ObjectClass, _ text: BorrowedText, to sink: any ValueSink
  ) throws(FerryError) {
    if target.holdsObjects { try sink.beginObject(type, identity: nil) }
    try sink.string(text)
    if target.holdsObjects { try sink.endObject() }
  }
}

/// An adapter that sends numbers and booleans as text, for a format without types. A schema restores them.
final class ScalarsAsText: ForwardingSink {
  private func send(_ text: String) throws(FerryError) { try next.string(BorrowedText(text.utf8.span)) }

  override func boolean(_ value: Bool) throws(FerryError) { try send(value ? "true" : "false") }
  override func integer(_ value: Int128) throws(FerryError) { try send(value.notation) }
  override func single(_ value: Float) throws(FerryError) { try real(Double(value)) }
  override func number(_ text: BorrowedText) throws(FerryError) { try next.string(text) }
  override func real(_ value: Double) throws(FerryError) {
    try send(value.notation)
  }
}
