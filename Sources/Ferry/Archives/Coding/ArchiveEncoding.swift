/// One encoding of an archive: what all its encoders and containers share.
final class ArchiveEncoding {
  let classes: ClassMap
  let userInfo: [CodingUserInfoKey: Any]
  let budget: Budget
  /// What a container met that it could not throw.
  private(set) var problem: Failure?
  /// What each instance of a class is encoded as. The instances are held, so that no other takes the place of one.
  private var instances: [ObjectIdentifier: (instance: AnyObject, box: EncodedBox)] = [:]
  private var references = 0
  private var foundationTypes = FoundationTypes()
  private var entries: [ObjectIdentifier: ClassMap.Entry] = [:]

  init(_ encoder: KeyedArchiveEncoder) {
    classes = encoder.classes
    userInfo = encoder.userInfo
    budget = encoder.budget
  }

  /// Encodes a value that stands under a key of a frame; without a key, in the place of what the frame encodes.
  func encode<T: Encodable>(
    _ value: T, at key: (any CodingKey)?, in parent: EncodingFrame
  ) throws -> EncodedValue {
    do throws(Failure) {
      if let leaf = value as? any ArchivedLeaf { return try leaf.encoded() }
    } catch {
      throw error.encodingError(of: value, path: parent.codingPath(key))
    }
    let frame = EncodingFrame(key, in: parent)
    if let known = foundationTypes[T.self] { return try encode(value, as: known, in: frame) }
    return try encodeObject(value, in: frame)
  }

  private func encode<T: Encodable>(
    _ value: T, as known: FoundationType, in frame: EncodingFrame
  ) throws -> EncodedValue {
    let encoded = try known.encode(value) {
      let box = EncodedBox()
      try value.encode(to: ArchivedEncoder(self, frame, box, as: T.self))
      return box.value
    }
    guard let encoded else {
      throw Failure(.coding(.unreadable(quotedForMessage("\(value)"), type: known.rawValue)))
        .encodingError(of: value, path: frame.codingPath())
    }
    return encoded
  }

  /// Encodes what a type encodes itself: what a deep value recurses through.
  @inline(never)
  private func encodeObject<T: Encodable>(_ value: T, in frame: EncodingFrame) throws -> EncodedValue {
    guard frame.depth <= budget.depth else {
      throw Failure(.overBudget(.depth(budget.depth))).encodingError(of: value, path: frame.codingPath())
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
      throw Failure(.coding(.notEncodable("a value of type \(type(of: value)) encodes nothing")))
        .encodingError(of: value, path: frame.codingPath())
    }
    return encoded
  }

  /// What an instance has been encoded as; nil when it is met for the first time.
  private func remember(
    _ instance: AnyObject, as box: EncodedBox, in frame: EncodingFrame
  ) throws(EncodingError) -> EncodedValue? {
    guard let known = instances[ObjectIdentifier(instance)] else {
      instances[ObjectIdentifier(instance)] = (instance, box)
      return nil
    }
    guard let encoded = known.box.value else {
      throw Failure(.coding(.containsItself)).encodingError(of: instance, path: frame.codingPath())
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

  /// The class, and the keys, of a type's objects.
  func entry(for type: any Any.Type) -> ClassMap.Entry {
    let identifier = ObjectIdentifier(type)
    if let known = entries[identifier] { return known }
    let name = String(describing: type)
    let entry =
      classes.entry(for: type) ?? ClassMap.Entry(objectClass: ObjectClass(name), names: [name], keys: [:])
    entries[identifier] = entry
    return entry
  }

  /// Remembers the first thing that went wrong where nothing can be thrown.
  func note(_ problem: CodingProblem, in frame: EncodingFrame) {
    guard self.problem == nil else { return }
    self.problem = Failure(.coding(problem), path: ValuePath(frame.codingPath()))
  }
}

/// A value that is being encoded: a link of the chain that leads back to the root.
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

  /// The keys from the root, and one more.
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

extension Failure {
  /// The error that `Encodable` types throw and expect, with this failure beneath it.
  @inline(never)
  func encodingError(of value: Any, path: [any CodingKey]) -> EncodingError {
    let failure = placed(path: ValuePath(path))
    return .invalidValue(
      value,
      EncodingError.Context(
        codingPath: path, debugDescription: failure.description, underlyingError: failure))
  }
}

extension ValuePath {
  /// The path as coding keys.
  var codingPath: [any CodingKey] {
    steps.map { step in
      switch step {
      case .key(let name): ArchivedCodingKey(stringValue: name)
      case .index(let index): ArchivedCodingKey(intValue: index)
      case .slice, .element, .end: ArchivedCodingKey(stringValue: "\(ValuePath([step]))")
      }
    }
  }
}
