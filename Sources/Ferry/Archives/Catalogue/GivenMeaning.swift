/// A meaning that is to be archived: a value on a tape, as its class looks at it.
struct GivenMeaning {
  private let tape: EventTape
  /// Where on the tape the value begins.
  let place: Int

  init(at place: Int, of tape: EventTape) {
    self.tape = tape
    self.place = place
  }

  /// What kind of value it is.
  var kind: EventTape.Kind { tape.kind(at: place) }

  /// The class, of an object.
  var type: ObjectClass? { kind == .beginObject ? tape.type(at: place) : nil }

  /// The identity of an object, or the one that a reference names.
  var identity: Int? {
    switch kind {
    case .beginObject: tape.identity(at: place)
    case .reference: tape.reference(at: place)
    default: nil
    }
  }

  /// What is inside an object; anything else is itself.
  var unwrapped: GivenMeaning {
    kind == .beginObject ? GivenMeaning(at: place + 1, of: tape) : self
  }

  // MARK: Scalars

  var boolean: Bool? { kind == .boolean ? tape.boolean(at: place) : nil }
  var integer: Int128? { kind == .integer ? tape.integer(at: place) : nil }
  var date: Double? { kind == .date ? tape.real(at: place) : nil }

  /// A string that is a Swift string.
  var string: String? {
    get throws(Failure) {
      guard kind == .string || kind == .key else { return nil }
      return tape.text(at: place).hasSurrogates ? nil : tape.string(at: place)
    }
  }

  var bytes: [UInt8]? {
    get throws(Failure) {
      guard kind == .data else { return nil }
      return [UInt8](copying: tape.data(at: place))
    }
  }

  /// A number as the real that it is exactly, in the width that it has.
  var real: Value? {
    switch kind {
    case .real: return .real(tape.real(at: place))
    case .single: return .single(tape.single(at: place))
    case .integer:
      let value = Double(tape.integer(at: place))
      return Int128(exactly: value) == tape.integer(at: place) ? .real(value) : nil
    default: return nil
    }
  }

  /// A number in its notation.
  var notation: String? {
    switch kind {
    case .integer: tape.integer(at: place).description
    case .real: tape.real(at: place).description
    case .single: tape.single(at: place).description
    case .number: tape.string(at: place)
    default: nil
    }
  }

  // MARK: Collections

  /// The elements of an array; nil when it is none.
  var elements: [GivenMeaning]? {
    guard kind == .beginArray else { return nil }
    var elements: [GivenMeaning] = []
    let end = tape.next(after: place) - 1
    var index = place + 1
    while index < end {
      elements.append(GivenMeaning(at: index, of: tape))
      index = tape.next(after: index)
    }
    return elements
  }

  /// The parts of a record, or nil: when this is no dictionary, or one of its keys is none of `names` or comes twice.
  func parts(named names: [String]) throws(Failure) -> [ExactString: GivenMeaning]? {
    guard kind == .beginDictionary else { return nil }
    var parts: [ExactString: GivenMeaning] = [:]
    let end = tape.next(after: place) - 1
    var index = place + 1
    while index < end {
      let value = tape.next(after: index)
      guard let name = try GivenMeaning(at: index, of: tape).string, names.contains(exactly: name),
        parts.updateValue(GivenMeaning(at: value, of: tape), forKey: ExactString(name)) == nil
      else { return nil }
      index = tape.next(after: value)
    }
    return parts
  }

  /// Whether two values are the same, event by event.
  func equals(_ other: GivenMeaning) -> Bool { tape.equalValues(at: place, other.place) }

  /// A number that is equal for equal values.
  var digest: Int { tape.digest(ofValueAt: place) }
}
