/// A decoded form on a tape, which a class codec encodes.
struct GivenForm {
  private let tape: EventTape
  /// The tape index of the value.
  let tapeIndex: TapeIndex

  init(at tapeIndex: TapeIndex, of tape: EventTape) {
    self.tape = tape
    self.tapeIndex = tapeIndex
  }

  /// The kind of the value.
  var kind: EventTape.Kind { tape.kind(at: tapeIndex) }

  /// The identity of an object, or the one to which a reference refers.
  var identity: Int? {
    switch kind {
    case .beginObject: tape.identity(at: tapeIndex)
    case .reference: tape.reference(at: tapeIndex)
    default: nil
    }
  }

  /// The content of an object, or the value itself.
  var unwrapped: GivenForm {
    kind == .beginObject ? GivenForm(at: tapeIndex + 1, of: tape) : self
  }

  /// The value, or nil if it refers to values around it.
  var value: Value? { try? tape.value(at: tapeIndex) }

  // MARK: Scalars

  var boolean: Bool? { kind == .boolean ? tape.boolean(at: tapeIndex) : nil }
  var integer: Int128? { kind == .integer ? tape.integer(at: tapeIndex) : nil }
  var date: Double? { kind == .date ? tape.real(at: tapeIndex) : nil }

  /// The string, or nil for other values and for a string with unpaired surrogates.
  var string: String? {
    get throws(FerryError) {
      guard kind == .string || kind == .key else { return nil }
      return tape.text(at: tapeIndex).hasSurrogates ? nil : tape.string(at: tapeIndex)
    }
  }

  var bytes: [UInt8]? {
    get throws(FerryError) {
      guard kind == .data else { return nil }
      return [UInt8](copying: tape.data(at: tapeIndex))
    }
  }

  /// The number as a 32-bit or 64-bit real, if that is exact.
  var real: Value? {
    switch kind {
    case .real: return .real(tape.real(at: tapeIndex))
    case .single: return .single(tape.single(at: tapeIndex))
    case .integer:
      let value = Double(tape.integer(at: tapeIndex))
      return Int128(exactly: value) == tape.integer(at: tapeIndex) ? .real(value) : nil
    case .number: return (try? Double(exactNotation: tape.string(at: tapeIndex))).map { .real($0) }
    default: return nil
    }
  }

  /// The notation of a number.
  var notation: String? { tape.notation(at: tapeIndex) }

  // MARK: Collections

  /// The elements of an array, or nil for other values.
  var elements: [GivenForm]? {
    guard kind == .beginArray else { return nil }
    var elements: [GivenForm] = []
    let end = tape.next(after: tapeIndex) - 1
    var index = tapeIndex + 1
    while index < end {
      elements.append(GivenForm(at: index, of: tape))
      index = tape.next(after: index)
    }
    return elements
  }

  /// Returns the parts of a record by name. Returns nil if the value is not a dictionary, or if a key is not
  /// in `names` or occurs twice.
  func parts(named names: [String]) throws(FerryError) -> [ExactString: GivenForm]? {
    guard kind == .beginDictionary else { return nil }
    var parts: [ExactString: GivenForm] = [:]
    let end = tape.next(after: tapeIndex) - 1
    var index = tapeIndex + 1
    while index < end {
      let value = tape.next(after: index)
      guard let name = try GivenForm(at: index, of: tape).string, names.contains(exactly: name),
        parts.updateValue(GivenForm(at: value, of: tape), forKey: ExactString(name)) == nil
      else { return nil }
      index = tape.next(after: value)
    }
    return parts
  }

  /// Returns true if two values are equal, event by event.
  func equals(_ other: GivenForm) -> Bool { tape.equalValues(at: tapeIndex, other.tapeIndex) }

  /// A hash of the value.
  var digest: Int { tape.digest(ofValueAt: tapeIndex) }
}
