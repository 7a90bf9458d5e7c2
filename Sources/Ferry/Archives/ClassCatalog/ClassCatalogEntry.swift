/// A class in the catalog, with its codec.
public struct ClassCatalogEntry: Sendable {
  /// The class, with the superclasses that Foundation writes to an archive.
  public let type: ObjectClass
  let codec: any ClassCodec
  /// True if a decoded form that is a single scalar preserves all information, so that it can also be used in
  /// conversions between archives.
  let isScalar: Bool
  /// True if the class was declared in a class file. Objects that it does not match are reported.
  let isGiven: Bool

  init(_ type: ObjectClass, _ codec: any ClassCodec, isScalar: Bool = false, isGiven: Bool = false) {
    self.type = type
    self.codec = codec
    self.isScalar = isScalar
    self.isGiven = isGiven
  }

  /// The names of the parts if the decoded form is a record, otherwise empty.
  public var partNames: [String] { codec.partNames }

  /// Returns the archived keys and values for a decoded form, in the order in which the class encodes them.
  ///
  ///     try entry.archivedKeys(for: ["location": 0, "length": 6])     // of NSValue
  ///     // NS.rangeval.length: 6, NS.rangeval.location: 0, NS.special: 4 inline
  ///
  /// If the value is an object of the class, its content is used.
  ///
  /// - Throws: An error if the value is not a decoded form of the class.
  public func archivedKeys(for value: Value) throws(FerryError) -> [ArchivedEntry] {
    guard let entries = try archivedKeys(for: value, of: type, like: nil) else {
      throw noDecodedForm(value)
    }
    return entries
  }

  /// Returns the archived keys for a decoded form, in the layout of an existing object. Returns nil if the
  /// value is not a decoded form of the class.
  func archivedKeys(
    for value: Value, of type: ObjectClass, like object: ArchivedObject?
  ) throws(FerryError) -> [ArchivedEntry]? {
    let tapeSink = TapeSink()
    try value.scalar.replay(into: tapeSink)
    let tape = tapeSink.tape
    let given = GivenForm(at: .start, of: tape)
    let found: [ArchivedKey]?
    if let object {
      found = try codec.encode(given, of: type, like: object)?.map { key throws(FerryError) in
        try key.withData(like: object)
      }
    } else {
      found = try codec.encode(given, of: type)
    }
    guard let keys = found else { return nil }
    var entries: [ArchivedEntry] = []
    for key in keys {
      let (value, isInline) = try key.content.value(on: tape)
      entries.append(ArchivedEntry(key: key.name, value: value, isInline: isInline))
    }
    return entries
  }

  /// Decodes an object with these archived keys. Returns nil if a key or the kind of a value is unexpected.
  /// Nested objects are decoded too.
  ///
  ///     // of NSURL: "a.html"
  ///     try entry.decodedForm(of: [ArchivedEntry(key: "NS.relative", value: "a.html"), …])
  public func decodedForm(of keys: [ArchivedEntry], in catalog: ClassCatalog = .standard) throws(FerryError)
    -> Value?
  {
    let catalog = catalog.adding(ClassCatalog([self]))
    let tree = PropertyListTree(budget: Budget())
    let writer = ArchiveWriter(to: tree, keyOrder: .sorted, catalog: catalog, decodedForms: .all)
    try writer.finish(with: keys, of: type)
    let objects = try ArchiveObjects(tree)
    let root = objects.top[0].node
    guard case .uid(let uid) = try tree.kind(of: root) else { return nil }
    let node = try objects.node(of: uid, referredFrom: root)
    guard case .dictionary(let count) = try tree.kind(of: node) else { return nil }
    var object = try ArchivedObject(type, at: node, count: count, in: objects)
    guard try codec.decode(&object) != nil, object.isEmpty else { return nil }
    let builder = ValueBuilder()
    var reader = ArchiveReader(
      objects, into: builder, sharing: .leavesInFull, budget: tree.budget, catalog: catalog,
      decodedForms: .all)
    try reader.read()
    let value = try builder.result()
    return if case .object(let object) = value { object.content } else { value }
  }

  /// Returns the error for a value that is not a decoded form of the class.
  ///
  /// - Parameter value: The value, to name the part that is at fault; nil if it is not known.
  func noDecodedForm(_ value: Value?) -> FerryError {
    let fault = value.flatMap { self.fault(in: $0) }
    return FerryError(.archive(.noDecodedForm(of: type.name, parts: partNames, fault: fault)))
  }

  /// Returns the reason why a dictionary is not a decoded form of the class, or nil if no single part is at fault.
  private func fault(in value: Value) -> String? {
    guard !partNames.isEmpty, case .dictionary(let parts) = value.scalar else { return nil }
    for key in parts.keys {
      guard case .string(let name) = key else { return "its keys are not all strings" }
      guard partNames.contains(exactly: name) else { return "\(MessageText.quoted(name)) is not one of them" }
    }
    do throws(FerryError) {
      let sink = TapeSink()
      try value.scalar.replay(into: sink)
      if let fault = try codec.fault(in: GivenForm(at: .start, of: sink.tape)) { return fault }
      // The form without the part at fault is one of the class.
      var faulty: [Value] = []
      for key in parts.keys {
        var rest = parts
        rest[key] = nil
        guard !rest.isEmpty else { continue }
        if try archivedKeys(for: .dictionary(rest), of: type, like: nil) != nil { faulty.append(key) }
      }
      guard faulty.count == 1, case .string(let name) = faulty[0] else { return nil }
      return "\(MessageText.quoted(name)) does not fit"
    } catch {
      return nil
    }
  }
}

/// An archived key of an object, with its value.
public struct ArchivedEntry: Hashable, Sendable {
  /// The key without the `$` that an archiver adds if it begins with `$`.
  public var key: String
  /// The value. Null represents nil.
  public var value: Value
  /// True if the value is a scalar stored inline, false if it is stored as a separate object.
  public var isInline: Bool

  /// Creates a key with a value. By default, the value is stored as a separate object.
  public init(key: String, value: Value, isInline: Bool = false) {
    self.key = key
    self.value = value
    self.isInline = isInline
  }

  public static func == (a: ArchivedEntry, b: ArchivedEntry) -> Bool {
    a.key.equals(b.key) && a.value == b.value && a.isInline == b.isInline
  }

  public func hash(into hasher: inout Hasher) {
    key.hashBytes(into: &hasher)
    hasher.combine(value)
    hasher.combine(isInline)
  }
}

extension ArchivedKey {
  /// Returns the key with new data in the class that the data of an existing object has.
  fileprivate func withData(like object: ArchivedObject) throws(FerryError) -> ArchivedKey {
    guard case .made(.object(let new)) = content, case .data = new.content, let node = try object.node(name)
    else { return self }
    if let type = try object.type(resolving: node) {
      return ArchivedKey(name, .made(.object(ObjectValue(type, content: new.content))))
    }
    guard case .data = try object.kind(of: node) else { return ArchivedKey(name, .made(new.content)) }
    return ArchivedKey(name, .inline(new.content))
  }
}

extension ArchivedKey.Content {
  /// Returns the value for a key, and true if it is stored inline.
  fileprivate func value(on tape: EventTape) throws(FerryError) -> (Value, isInline: Bool) {
    switch self {
    case .nothing: return (.null, false)
    case .inline(let value): return (value, true)
    case .scalar(let tapeIndex): return (try tape.value(at: tapeIndex), true)
    case .value(let tapeIndex): return (try tape.value(at: tapeIndex), false)
    case .made(let value): return (value, false)
    case .list(let type, let tapeIndices):
      var values: [Value] = []
      for tapeIndex in tapeIndices { values.append(try tape.value(at: tapeIndex)) }
      return (.object(ObjectValue(type, content: .array(values))), false)
    }
  }
}
