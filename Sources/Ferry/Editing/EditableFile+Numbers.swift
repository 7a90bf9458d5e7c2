// The numbers of new values.

extension EditableFile {
  /// The kinds of values that the file can represent: those of an archive, or of the property list that stores it in raw form.
  var capabilities: FormatCapabilities { archive == nil ? list.capabilities : format.capabilities }

  /// The numbers of new values as the file stores them.
  var numbers: StoredNumbers {
    StoredNumbers(format: format, capabilities: capabilities, budget: options.budget)
  }

  /// Returns a value with its numbers as the file stores them, and reports those that lose their notation.
  func stored(_ value: Value) throws(FerryError) -> Value {
    let lost = LostNotations()
    let value = try numbers.stored(value, lost)
    report(lost)
    return value
  }

  /// Reports the numbers that lose their notation.
  func report(_ lost: LostNotations) {
    for _ in 0..<lost.count { changeLosses.add(.numberNotation) }
  }

  /// Returns the number that a user types as a real or an integer, if neither has it in its own notation but the file does.
  /// Reports the notation if the file does not keep it.
  func typedNumber(_ text: String, _ type: TextType) -> Value? {
    let lost = LostNotations()
    let number = numbers.typed(text, type, lost)
    report(lost)
    return number
  }

  /// Parses a JSON number that replaces the number at a location.
  func number(_ text: String, at location: ValueLocation) throws(FerryError) -> Value {
    guard text.utf8.span.flawInJSONNumber == nil else {
      throw FerryError(.path(.badText(text, type: "a number", isFound: true)))
    }
    return try demanded(numbers.ownValue(text), at: location)
  }

  /// Returns a number as a real if the text at the location makes each number one, and a real represents it; otherwise the number.
  func demanded(_ number: Value, at location: ValueLocation) throws(FerryError) -> Value {
    let real = number.retyped(like: .real(0))
    guard real != number, try demandsReal(of: location) else { return number }
    return real
  }

  /// Returns true if the text makes each number at a path of a location a real, as the tag `!!float` of YAML does.
  func demandsReal(
    at path: ValuePath = ValuePath(), of location: ValueLocation
  ) throws(FerryError) -> Bool {
    var location = location
    for step in path.steps {
      guard let next = try walker.step(step, from: location) else { return false }
      location = next
    }
    guard archive == nil, location.node < list.firstNewNode else { return false }
    // XML has another syntax, whose numbers have no types.
    guard !format.description.hasEditableElements else { return false }
    return try syntaxOfText()?.demandsReal(location.node) ?? false
  }

  /// Returns a number that replaces one without an object in an archive, or a part of a decoded form, as a real, because programs would
  /// not read an object there. Reports its notation. Returns other values as they are.
  func inlined(_ value: Value, at location: ValueLocation) throws(FerryError) -> Value {
    guard case .number(let text) = value, let editor = try editor().archive else { return value }
    let isObject = try !editor.hasInlineNumber(at: location.trail)
    guard !isObject || !location.inner.isEmpty else { return value }
    guard let real = try self.value(at: location).real(ofSame: text) else { return value }
    changeLosses.add(.numberNotation)
    return real
  }
}
