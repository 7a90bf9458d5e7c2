/// The state shared by all encoders and containers of one call to encode a value.
final class ArchiveEncoding {
  let classes: ClassMap
  let userInfo: [CodingUserInfoKey: Any]
  let budget: Budget
  /// True if keys of dictionaries are the names that their types give them (`CodingKeyRepresentable`), as decoders of Swift expect. An
  /// archive has objects as keys.
  private let keysAreNames: Bool
  /// True if the values are encoded to an archive, and false for another format or a value in memory.
  var isForArchive: Bool { !keysAreNames }
  /// The forms of keys, dates and data.
  private let forms: EncodedForms
  /// True while a custom form encodes a scalar. A date or data inside has its native form, so that the function does not call itself.
  private var isInForm = false
  /// The form of the types of Foundation.
  private var foundationForm: FoundationForm
  /// The first error in a container method that cannot throw.
  private(set) var problem: FerryError?
  /// The encoded form of each instance of a class. The table retains the instances, because a new instance
  /// could get the identity of a released one.
  private var instances: [ObjectIdentifier: (instance: AnyObject, box: EncodedBox)] = [:]
  private var references = 0
  private var foundationTypes = FoundationTypes()
  private var entries: [ObjectIdentifier: ClassMap.Entry] = [:]

  /// - Parameters:
  ///   - foundationForm: The form of the types of Foundation; `archived` for an archive.
  ///   - forms: The forms of keys, dates and data.
  init(
    _ encoder: KeyedArchiveEncoder, foundationForm: FoundationForm = .archived,
    forms: EncodedForms = EncodedForms()
  ) {
    (self.foundationForm, self.forms) = (foundationForm, forms)
    keysAreNames = foundationForm != .archived
    classes = encoder.classes
    userInfo = encoder.userInfo
    budget = encoder.budget
  }

  /// Encodes a value for a key of a frame or, if the key is nil, as the value of the frame itself.
  func encode<T: Encodable>(
    _ value: T, at key: (any CodingKey)?, in parent: EncodingFrame
  ) throws -> EncodedValue {
    let encoded = try encodeContent(value, at: key, in: parent)
    guard encoded.mayLookLikeNil, T.self is any OptionalType.Type else { return encoded }
    return encoded.asOptional
  }

  /// Encodes a key of a dictionary.
  func encodeKey<T: Encodable>(
    _ key: T, at name: any CodingKey, in parent: EncodingFrame
  ) throws -> EncodedValue {
    guard keysAreNames, !(key is any ArchivedLeaf), let named = key as? any CodingKeyRepresentable else {
      return try withScalars { try encode(key, at: name, in: parent) }
    }
    let key = named.codingKey
    return key.intValue.map { .integer(Int128($0)) } ?? .string(key.stringValue)
  }

  /// Runs a function during which types of Foundation are scalars outside archives, because the parts of a key are not text.
  private func withScalars<R>(_ body: () throws -> R) rethrows -> R {
    let form = foundationForm
    defer { foundationForm = form }
    if keysAreNames { foundationForm = .scalar }
    return try body()
  }

  private func encodeContent<T: Encodable>(
    _ value: T, at key: (any CodingKey)?, in parent: EncodingFrame
  ) throws -> EncodedValue {
    if let leaf = value as? any ArchivedLeaf {
      let encoded: EncodedValue
      do throws(FerryError) { encoded = try leaf.encoded() } catch {
        if let integer = wideInteger(value) { return integer }
        throw error.encodingError(of: value, path: parent.codingPath(key))
      }
      guard case .data = encoded else { return encoded }
      return try formed(encoded, of: value, in: EncodingFrame(key, in: parent))
    }
    if let value = value as? Value {
      // The functions that send a value recurse.
      guard !value.isNested(deeperThan: budget.depth - parent.depth) else {
        throw FerryError(.overBudget(.depth(budget.depth)))
          .encodingError(of: value, path: parent.codingPath(key))
      }
      guard let renumbered = renumbered(value) else {
        throw FerryError(.coding(.notEncodable("the numbers of its shared objects are too large")))
          .encodingError(of: value, path: parent.codingPath(key))
      }
      return .value(renumbered)
    }
    let frame = EncodingFrame(key, in: parent)
    if let known = foundationTypes[T.self] { return try encode(value, as: known, in: frame) }
    return try encodeObject(value, in: frame)
  }

  /// Returns an integer with more than 64 bits, which formats other than archives may hold; nil for other values.
  private func wideInteger(_ value: some Encodable) -> EncodedValue? {
    guard keysAreNames, let integer = value as? any FixedWidthInteger else { return nil }
    return Int128(exactly: integer).map(EncodedValue.integer) ?? .value(.number("\(integer)"))
  }

  /// Returns a value whose shared objects have numbers that no other encoded object has; nil if the numbers exceed an `Int`.
  private func renumbered(_ value: Value) -> Value? {
    guard let (least, greatest) = value.identityBounds else { return value }
    let offset = references + 1
    let (last, overflows) = greatest.addingReportingOverflow(offset)
    // Half of the numbers remain for other objects.
    guard least >= 0, !overflows, last < .max / 2 else { return nil }
    references = last
    return value.mappingIdentities { $0 + offset }
  }

  private func encode<T: Encodable>(
    _ value: T, as known: FoundationType, in frame: EncodingFrame
  ) throws -> EncodedValue {
    let encoded = try known.encode(value, as: foundationForm) {
      let box = EncodedBox()
      try value.encode(to: ArchivedEncoder(self, frame, box, as: T.self))
      return box.value
    }
    guard let encoded else {
      throw FerryError(.coding(.notEncodable("a value of type \(known.rawValue) has an unknown encoding")))
        .encodingError(of: T.self, path: frame.codingPath())
    }
    return try formed(encoded, of: value, in: frame)
  }

  /// Returns a date or data in its form, and other values as they are.
  private func formed(_ encoded: EncodedValue, of value: Any, in frame: EncodingFrame) throws -> EncodedValue
  {
    switch encoded {
    case .date(let seconds):
      try formed(
        seconds, encoded, forms.date, of: value, "a date \(seconds.notation) seconds after 2001", in: frame)
    case .data(let bytes): try formed(bytes, encoded, forms.data, of: value, "data", in: frame)
    default: encoded
    }
  }

  /// Returns a scalar in its form.
  ///
  /// - Parameter words: The scalar in messages. They have no `description` of the value: that of a `Date` that is NaN ends the program.
  private func formed<Scalar>(
    _ scalar: Scalar, _ native: EncodedValue, _ form: EncodedForms.Encoding<Scalar>, of value: Any,
    _ words: @autoclosure () -> String, in frame: EncodingFrame
  ) throws -> EncodedValue {
    guard !isInForm else { return native }
    switch form {
    case .native: return native
    case .made(let make):
      guard let made = make(scalar) else {
        // The value of the error is the scalar, because a program may print it.
        throw FerryError(.coding(.notEncodable("the strategy has no form of \(words())")))
          .encodingError(of: scalar, path: frame.codingPath())
      }
      return made
    case .custom(let encode):
      isInForm = true
      defer { isInForm = false }
      let box = EncodedBox()
      guard try encode(value, scalar, ArchivedEncoder(self, frame, box, as: nil)) else {
        throw FerryError(.coding(.notEncodable("the function of the strategy takes no \(type(of: value))")))
          .encodingError(of: scalar, path: frame.codingPath())
      }
      // As in the encoders of Foundation, a function that encodes nothing makes an empty dictionary.
      return box.value ?? .object(EncodedObject(nil))
    }
  }

  /// Returns the name of a key of a type in the file.
  func name(of key: some CodingKey, _ classKeys: [ExactString: String], in frame: EncodingFrame) -> String {
    let name = classKeys[key.stringValue] ?? key.stringValue
    guard let converted = forms.name else { return name }
    return converted(name) { frame.codingPath() }
  }

  /// True if the names of attributes begin with `@`.
  var marksAttributes: Bool { forms.marksAttributes }

  /// Encodes a value with the type's `encode(to:)`. A deep value recurses through this function.
  @inline(never)
  private func encodeObject<T: Encodable>(_ value: T, in frame: EncodingFrame) throws -> EncodedValue {
    guard frame.depth <= budget.depth else {
      throw FerryError(.overBudget(.depth(budget.depth))).encodingError(of: value, path: frame.codingPath())
    }
    if let dictionary = value as? any EncodableDictionary {
      return try dictionary.encoded(in: frame, by: self)
    }
    if let set = value as? any EncodableSet { return try set.encoded(in: frame, by: self) }
    let box = EncodedBox()
    if type(of: value) is AnyClass, let known = try remember(value as AnyObject, as: box, in: frame) {
      return known
    }
    try value.encode(to: ArchivedEncoder(self, frame, box, as: type(of: value)))
    guard let encoded = box.value else {
      // As in the encoders of Foundation, a part of a value is then an empty dictionary.
      guard isForArchive || frame.depth == 1 else { return .object(EncodedObject(nil)) }
      throw FerryError(.coding(.notEncodable("a value of type \(type(of: value)) encodes nothing")))
        .encodingError(of: value, path: frame.codingPath())
    }
    if case .list(let list) = encoded, marksAttributes { list.isContents = T.self is any ElementChoices.Type }
    if case .object(let object) = encoded {
      do throws(FerryError) { try object.unknownKeys.check(for: type(of: value)) } catch {
        throw error.encodingError(of: value, path: frame.codingPath())
      }
    }
    return encoded
  }

  /// Records an instance and returns nil if it is its first occurrence; otherwise returns a reference to the
  /// encoded object.
  private func remember(
    _ instance: AnyObject, as box: EncodedBox, in frame: EncodingFrame
  ) throws(EncodingError) -> EncodedValue? {
    guard let known = instances[ObjectIdentifier(instance)] else {
      instances[ObjectIdentifier(instance)] = (instance, box)
      return nil
    }
    guard let encoded = known.box.value else {
      throw FerryError(.coding(.containsItself)).encodingError(of: instance, path: frame.codingPath())
    }
    return reference(to: encoded)
  }

  private func reference(to encoded: EncodedValue) -> EncodedValue {
    guard case .object(let object) = encoded else { return encoded }
    if object.identity == nil {
      references += 1
      object.identity = references
    }
    return .reference(object)
  }

  /// Returns the class and the archived keys of a type.
  func entry(for type: any Any.Type) -> ClassMap.Entry {
    let identifier = ObjectIdentifier(type)
    if let known = entries[identifier] { return known }
    let name = String(describing: type)
    let entry =
      classes.entry(for: type) ?? ClassMap.Entry(objectClass: ObjectClass(name), names: [name], keys: [:])
    entries[identifier] = entry
    return entry
  }

  /// Records an error in a method that cannot throw, if it is the first.
  func note(_ problem: CodingProblem, in frame: EncodingFrame) {
    guard self.problem == nil else { return }
    self.problem = FerryError(.coding(problem), path: ValuePath(frame.codingPath()))
  }
}

/// A value that is being encoded, linked to the frames that enclose it.
final class EncodingFrame {
  private let key: (any CodingKey)?
  private let parent: EncodingFrame?
  let depth: Int

  init() {
    key = nil
    parent = nil
    depth = 0
  }

  init(_ key: (any CodingKey)?, in parent: EncodingFrame) {
    self.key = key
    self.parent = parent
    depth = parent.depth + 1
  }

  /// Returns the coding path from the root, with `last` appended.
  func codingPath(_ last: (any CodingKey)? = nil) -> [any CodingKey] {
    var path: [any CodingKey] = []
    if let last { path.append(last) }
    var next: EncodingFrame? = self
    while let frame = next {
      if let key = frame.key { path.append(key) }
      next = frame.parent
    }
    return path.reversed()
  }
}

extension FerryError {
  /// Returns this error as the `EncodingError` that `Encodable` types expect.
  @inline(never)
  func encodingError(of value: Any, path: [any CodingKey]) -> EncodingError {
    let error = placed(path: ValuePath(path))
    return .invalidValue(
      value,
      EncodingError.Context(
        codingPath: path, debugDescription: error.description, underlyingError: error))
  }
}

extension ValuePath {
  /// The path as coding keys.
  var codingPath: [any CodingKey] {
    steps.map { step in
      switch step {
      case .key(let name): ArchivedCodingKey(stringValue: name)
      case .index(let index): ArchivedCodingKey(intValue: index)
      case .slice, .filter, .end: ArchivedCodingKey(stringValue: "\(ValuePath([step]))")
      }
    }
  }
}
