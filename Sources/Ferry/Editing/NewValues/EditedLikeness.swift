/// A conversion of JSON to a value with the types and classes of the value that it replaces.
///
///     ["a", "c"] for an NSMutableArray of "a" and "b"      // an NSMutableArray
///     {"saved": "2024-05-06T07:08:09Z"} for a date         // a date
///
/// JSON that equals the output of `get` for the old value converts to the old value. Otherwise a collection
/// keeps its class, and a text or number its type, if these can represent the new value.
struct EditedLikeness {
  let catalog: ClassCatalog
  /// The count of numbers that lose their notation.
  let lost: LostNotations
  /// Converts JSON that replaces no old value of the same kind.
  let notation: (Value) throws(FerryError) -> Value
  /// Converts a key and JSON that replace no old entry. Returns nil if the key alone is a tag such as `$date`.
  let entry: (Value, Value) throws(FerryError) -> (Value, Value)?
  /// True if a new key gets the type of the keys that a dictionary has, and is not always a string.
  let keepsKeyTypes: Bool
  /// True if the notation of a number is all that tells its type, as in YAML.
  let keepsNumberText: Bool
  /// Returns true if the text makes each number at a path of the old value a real.
  let demandsReal: (ValuePath) throws(FerryError) -> Bool
  /// Returns a reference to an object of the archive for JSON that means one, otherwise nil.
  let reference: (Value) -> Value?
  /// Returns true if the old value at a path moves to another path, and another value takes the path.
  let isMoving: (ValuePath) -> Bool
  /// The objects of the old value to which it refers, with the JSON that `get` prints for them.
  let objects: [Int: (object: ObjectValue, shown: Value)]

  /// Converts JSON to a value; `shown` is the JSON that `get` prints for `old`.
  ///
  /// - Parameter path: The path of the old value.
  func value(of json: Value, shown: Value, like old: Value, at path: ValuePath) throws(FerryError) -> Value {
    if json == shown { return old }
    if let reference = reference(json) { return reference }
    if isMoving(path) { return try replacement(json, for: old, shown: shown) }
    // A class given in the JSON takes precedence over the old one.
    if json["$class"] != nil, shown["$class"] == nil { return try notation(json) }
    let lostBefore = lost.count
    /// Converts the JSON anew, without the old value.
    func another() throws(FerryError) -> Value {
      lost.count = lostBefore
      return try notation(json)
    }
    if case .reference(let identity) = old, let known = objects[identity] {
      // JSON without the object's keys is another value, such as a dictionary around the object.
      guard json.hasKey(of: known.shown) else { return try notation(json) }
      // The value becomes a new object of the class, because the other references keep the old one.
      let like = try value(of: json, shown: known.shown, like: .object(known.object), at: path)
      var copies = ObjectCopies(of: objects.mapValues(\.object))
      if let copy = copies.copy(of: like) { return copy }
      return try another()
    }
    if case .object(var object) = old {
      guard let content = try content(of: json, shown: shown, like: object, at: path) else {
        return try another()
      }
      object.content = content
      return .object(object)
    }
    switch (json, old) {
    case (.array(let new), .array(let values)):
      return .array(try elements(new, shown.arrayElements ?? [], like: values, at: path))
    case (.array(let new), .set(let values)):
      return .set(try elements(new, shown.arrayElements ?? [], like: values, at: path))
    case (.dictionary(let new), .dictionary(let entries)):
      if let value = try dictionary(new, shown: shown, like: entries, at: path) { return value }
      return try another()
    default:
      let new = try notation(json)
      if keepsNumberText, case .real = old, try !demandsReal(path) { return new }
      return new.retyped(like: old)
    }
  }

  /// Converts JSON that takes the path of an object that moves. JSON without any of the object's keys does not get its
  /// class.
  private func replacement(_ json: Value, for old: Value, shown: Value) throws(FerryError) -> Value {
    guard case .object(let object) = old, json.hasKey(of: shown), case .dictionary(let new) = json,
      case .dictionary = object.content
    else { return try notation(json) }
    var entries = KeyedValues()
    let lostBefore = lost.count
    for (key, part) in new {
      guard let (newKey, value) = try entry(key, part) else {
        lost.count = lostBefore
        return try notation(json)
      }
      entries[newKey] = value
    }
    return .object(ObjectValue(object.type, content: .dictionary(entries)))
  }

  /// Returns the content for an object of the same class, or nil if the class cannot have it.
  private func content(of json: Value, shown: Value, like object: ObjectValue, at path: ValuePath)
    throws(FerryError) -> Value?
  {
    switch (json, object.content) {
    case (.dictionary, .dictionary):
      let content = try value(of: json, shown: shown, like: object.content, at: path)
      // A tag such as `$date` is the notation of another value.
      guard case .dictionary(var entries) = content else { return nil }
      if ArchivedCollection.Kind(of: object.type) == nil { keepReals(in: &entries, like: object.content) }
      // An empty dictionary has no part of a decoded form.
      if entries.isEmpty, let entry = catalog.entry(for: object.type),
        !entry.accepts(content, of: object.type)
      {
        return nil
      }
      return .dictionary(entries)
    case (.array, .array), (.array, .set):
      return try value(of: json, shown: shown, like: object.content, at: path)
    case (.dictionary(let parts), .set) where parts.count == 1:
      // The notation for a set, whose class stays.
      guard let elements = parts["$set"], elements.listElements != nil else { return nil }
      return try value(of: elements, shown: shown, like: object.content, at: path)
    default:
      let scalar = try notation(json).retyped(like: object.content)
      // JSON of another kind replaces a text or data; other classes refuse it.
      switch scalar {
      case .string, .unpairedString: if object.type.inherits(from: "NSData") { return nil }
      case .data: if object.type.inherits(from: "NSString") { return nil }
      default:
        if object.type.inherits(from: "NSString") || object.type.inherits(from: "NSData") { return nil }
      }
      guard let entry = catalog.entry(for: object.type),
        let content = entry.codec.revised(object.content, at: [], to: scalar)
      else { return nil }
      // A value that is not a decoded form replaces the object, unless it is of the kind that the class has, and refuses.
      let isMeant = content != scalar || scalar.isOfKind(of: object.content)
      return isMeant || entry.accepts(content, of: object.type) ? content : nil
    }
  }

  /// Keeps numbers of the fields of an object reals, because its class may read no object there.
  private func keepReals(in entries: inout KeyedValues, like old: Value) {
    guard case .dictionary(let oldEntries) = old else { return }
    for (key, value) in entries {
      guard case .number(let text) = value, let old = oldEntries[key], let real = old.real(ofSame: text)
      else { continue }
      entries[key] = real
      lost.count += 1
    }
  }

  /// Converts elements, each based on an old element.
  private func elements(_ new: [Value], _ shown: [Value], like old: [Value], at path: ValuePath)
    throws(FerryError) -> [Value]
  {
    let partners = ElementPartners(of: new, in: shown, old).indices
    var elements: [Value] = []
    for (json, partner) in zip(new, partners) {
      guard let partner else {
        elements.append(try notation(json))
        continue
      }
      let inner = path.appending(.index(partner))
      elements.append(try value(of: json, shown: shown[partner], like: old[partner], at: inner))
    }
    return elements
  }

  /// Converts entries, each based on the old entry with the same key. Returns nil if the dictionary is a tag
  /// such as `$date`.
  private func dictionary(_ new: KeyedValues, shown: Value, like old: KeyedValues, at path: ValuePath)
    throws(FerryError) -> Value?
  {
    guard case .dictionary(let shownEntries) = shown else { return nil }
    guard shownEntries.count == old.count else {
      // The keys of other types would become strings, and one of the entries would be lost.
      guard old.contains(where: { $0.key.stringValue == nil }) else { return nil }
      let why = "two keys of the dictionary have the same text in JSON, so change the values of its keys"
      throw FerryError(.path(.cannotPut("this value", .other(why))))
    }
    var olds: [Value: (key: Value, value: Value)] = [:]
    for (shownKey, entry) in zip(shownEntries.keys, old) { olds[shownKey] = entry }
    let hasOtherKeys = keepsKeyTypes && old.contains { $0.key.stringValue == nil }
    var entries = KeyedValues()
    for (key, json) in new {
      if let (oldKey, value) = olds[key], let shownValue = shownEntries[key] {
        let inner = path.appending(.key(key.stringValue ?? ""))
        entries[oldKey] = try self.value(of: json, shown: shownValue, like: value, at: inner)
      } else {
        guard let (newKey, value) = try entry(key, json) else { return nil }
        entries[hasOtherKeys ? try typed(newKey, like: old) : newKey] = value
      }
    }
    return .dictionary(entries)
  }

  /// Returns a new key with the type of the keys that a dictionary has.
  private func typed(_ key: Value, like old: KeyedValues) throws(FerryError) -> Value {
    guard case .string(let text) = key else { return key }
    return try NewKey.value(of: text, besides: old.count) { index throws(FerryError) in old[index].key }
  }
}

extension Value {
  /// Returns true if two dictionaries have a key in common, or if the values are not two dictionaries.
  fileprivate func hasKey(of other: Value) -> Bool {
    guard case .dictionary(let entries) = self, case .dictionary(let others) = other else { return true }
    return entries.isEmpty || entries.keys.contains { others[$0] != nil }
  }
}

extension Value {
  /// Returns true if JSON is of the same kind as the content of an object.
  fileprivate func isOfKind(of content: Value) -> Bool {
    switch (self, content) {
    case (.null, .null), (.boolean, .boolean), (.data, .data), (.date, .date), (.dictionary, .dictionary),
      (.array, .array), (.array, .set):
      true
    case (.integer, _), (.real, _), (.single, _), (.number, _):
      switch content {
      case .integer, .real, .single, .number: true
      default: false
      }
    case (.string, .string), (.string, .unpairedString), (.unpairedString, .string),
      (.unpairedString, .unpairedString):
      true
    default: false
    }
  }
}

extension ClassCatalogEntry {
  /// Returns true if the content of an object of the class is a decoded form, or if its entries are the archived keys of one.
  fileprivate func accepts(_ content: Value, of type: ObjectClass) -> Bool {
    if (try? archivedKeys(for: content, of: type, like: nil)) != nil { return true }
    guard case .dictionary(let entries) = content, !entries.isEmpty else { return false }
    var keys: [ArchivedEntry] = []
    for (key, value) in entries {
      guard let name = key.stringValue else { return false }
      keys.append(
        ArchivedEntry(key: name, value: value, isInline: value.doubleValue != nil || value == .null))
    }
    return (try? decodedForm(of: keys)) != nil
  }
}

extension EditedLikeness {
  /// Finds the objects with an identity in a value.
  static func objects(in old: Value, shown: Value) -> [Int: (object: ObjectValue, shown: Value)] {
    var found: [Int: (object: ObjectValue, shown: Value)] = [:]
    var waiting = [(old, shown)]
    while let (old, shown) = waiting.popLast() {
      var content = old
      if case .object(let object) = old {
        content = object.content
        if let identity = object.identity { found[identity] = (object, shown) }
      }
      switch (content, shown) {
      case (.array(let values), .array(let shown)), (.set(let values), .array(let shown)):
        waiting += zip(values, shown)
      case (.dictionary(let values), .dictionary(let shown)) where values.count == shown.count:
        waiting += zip(values.values, shown.values)
      default: break
      }
    }
    return found
  }
}

extension Value {
  /// Returns the real with exactly the number of a text if this value is a number without an object, of 32 bits if this is. Nil for
  /// other values and for a number that no real represents.
  func real(ofSame text: String) -> Value? {
    switch self {
    case .integer, .real, .single:
      (try? Double(exactNotation: text)).map { Value.real($0).retyped(like: self) }
    default: nil
    }
  }

  /// Returns the value in the type of the old one if that can represent it: a text as a date or data, a
  /// number as a 32-bit real.
  func retyped(like old: Value) -> Value {
    switch (self, old) {
    case (.string(let text), .date): (try? TextType.date.value(of: text)) ?? self
    case (.string(let text), .data): (try? TextType.data.value(of: text)) ?? self
    case (.integer(let number), .real) where Int128(exactly: Double(number)) == number:
      .real(Double(number))
    case (.integer(let number), .single) where Int128(exactly: Float(number)) == number:
      .single(Float(number))
    // No integer is a negative zero.
    case (.number("-0"), .real): .real(-0.0)
    case (.number("-0"), .single): .single(-0.0)
    case (.real(let number), .single): number.single.map { .single($0) } ?? self
    default: self
    }
  }
}

extension Value {
  /// Returns the value in which each object that it refers to, but does not contain any more, replaces the first reference
  /// to it.
  ///
  ///     [→ #3, → #3]     →     [Group #3 {…}, → #3]
  func completed(with objects: [Int: ObjectValue]) -> Value {
    var known = Set(sharedObjects.keys)
    guard references.contains(where: { !known.contains($0) }) else { return self }
    func completed(_ value: Value) -> Value {
      guard case .reference(let identity) = value, var object = objects[identity],
        known.insert(identity).inserted
      else { return value.mappingParts(completed) }
      object.content = added(object.content)
      return .object(object)
    }
    /// Returns a part of an added object, with references in place of the objects that the value contains already.
    func added(_ value: Value) -> Value {
      guard case .object(var object) = value, let identity = object.identity else {
        if case .reference = value { return completed(value) }
        return value.mappingParts(added)
      }
      guard known.insert(identity).inserted else { return .reference(identity) }
      object.content = added(object.content)
      return .object(object)
    }
    return completed(self)
  }
}
