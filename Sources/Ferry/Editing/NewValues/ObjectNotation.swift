/// A JSON notation, for values that a user types, of values that JSON cannot represent:
///
///     {"$class": "Person", "first": "Ada"}     an object of the class; the other entries are its fields
///     {"$date": "2014-06-01T09:30:00Z"}        a date
///     {"$data": "AAEC"}                        data, in Base64
///     {"$set": [1, 2]}                         a set
///     {"$class": "NSMutableArray", "$items": […]}, {"$class": "NSMutableDictionary", "$entries": {…}}
///     {"$class": "NSDictionary", "NS.keys": {"$inline": […]}, "NS.objects": {"$inline": […]}}     keys of any type, in the typed form
///     {"$$date": 1}                            a dictionary with the key `$date`
///
/// In a file with objects, the only key `$ref` means one of them. In other files, such as OpenAPI in YAML, it is an ordinary key.
struct ObjectNotation {
  /// Returns the class with a name, with its superclasses as in the current archive, or nil if the archive
  /// has no such class.
  private let known: (String) throws(FerryError) -> ObjectClass?

  /// True to also allow tags for references, and for scalars that are objects of their own.
  private let isTyped: Bool
  /// True if the file has objects, which values can refer to.
  private let hasObjects: Bool
  /// Returns a number that neither an integer nor a real has in its own notation, as the file stores it.
  private let number: (String) throws(FerryError) -> Value

  /// The objects of the old value, whose JSON may be in the new value.
  private let printed: PrintedObjects?

  init(
    isTyped: Bool, hasObjects: Bool, printed: PrintedObjects? = nil,
    number: @escaping (String) throws(FerryError) -> Value,
    _ known: @escaping (String) throws(FerryError) -> ObjectClass?
  ) {
    (self.isTyped, self.hasObjects, self.printed) = (isTyped, hasObjects, printed)
    (self.number, self.known) = (number, known)
  }

  /// Returns the value that the notation represents. The recursion is bounded by `ValueBuilder.depthLimit`, the
  /// fixed limit of a value that is read.
  func value(of value: Value) throws(FerryError) -> Value {
    if let known = printed?.value(printedAs: value) { return known }
    switch value {
    case .array(let values):
      var elements: [Value] = []
      for value in values { elements.append(try self.value(of: value)) }
      return .array(elements)
    case .dictionary(let entries): return try self.value(of: entries)
    case .number(let text): return try number(text)
    default: return value
    }
  }

  private func value(of entries: KeyedValues) throws(FerryError) -> Value {
    if entries.count == 1, let value = try alone(entries) { return value }
    var fields = KeyedValues()
    var (identity, items): (Int?, Value?)
    for (key, value) in entries where key != .string("$class") {
      switch (entries["$class"] == nil ? nil : key.stringValue, value) {
      case ("$id", .integer(let number)): identity = Int(exactly: number)
      case ("$items", .array), ("$items", .dictionary), ("$entries", .dictionary), ("$value", _):
        items = try self.value(of: value)
      default:
        try checkTag(key)
        fields[unescaped(key)] = try self.value(of: value)
      }
    }
    guard let type = entries["$class"] else { return .dictionary(fields) }
    guard case .string(let name) = type, !name.isEmpty else {
      throw FerryError(.path(.cannotPut("this $class", "a class is named by a string")))
    }
    let found =
      try known(name) ?? ClassCatalog.standard.type(named: name) ?? ObjectClass.collection(named: name)
      ?? ObjectClass(name)
    let collection = ObjectClass.collection(named: name)
    if isTyped, items == nil, let collection, ArchivedCollection.Kind(of: collection) == .dictionary,
      let pairs = Self.pairs(fields)
    {
      return .object(ObjectValue(found, identity: identity, content: .dictionary(pairs)))
    }
    if let collection, !Self.fits(collection, items ?? .dictionary(fields)) {
      throw FerryError(.path(.cannotPut("this value", .other(Self.notation(of: collection)))))
    }
    guard let items else {
      return .object(ObjectValue(found, identity: identity, content: .dictionary(fields)))
    }
    guard fields.isEmpty else {
      throw FerryError(.path(.cannotPut("this value", "$items and $entries are all of a collection")))
    }
    return .object(ObjectValue(found, identity: identity, content: items))
  }

  /// Returns the entries of a dictionary from the two lists of its archived keys; nil for other fields.
  private static func pairs(_ fields: KeyedValues) -> KeyedValues? {
    guard fields.count == 2, case .array(let keys)? = fields["NS.keys"],
      case .array(let values)? = fields["NS.objects"], keys.count == values.count
    else { return nil }
    var entries = KeyedValues()
    for (key, value) in zip(keys, values) { entries[key] = value }
    return entries.count == keys.count ? entries : nil
  }

  /// Returns true if a value is the content of a collection, rather than the collection's archived keys.
  private static func fits(_ type: ObjectClass, _ content: Value) -> Bool {
    switch (ArchivedCollection.Kind(of: type), content) {
    case (.array, .array), (.set, .array), (.set, .set): true
    case (.dictionary, .dictionary(let entries)):
      !entries.keys.contains {
        $0.stringValue?.begins(with: "NS.key") == true || $0.stringValue?.begins(with: "NS.object") == true
      }
    default: false
    }
  }

  /// Returns a sentence that explains how to write a collection.
  private static func notation(of type: ObjectClass) -> String {
    let isDictionary = ArchivedCollection.Kind(of: type) == .dictionary
    let content = isDictionary ? #""$entries": {…}"# : #""$items": […]"#
    return "\(nameWithArticle(type.name)) is written {\"$class\": \"\(type.name)\", \(content)}"
  }

  /// Returns an entry of a dictionary that has no tags. Returns nil if the key alone is a tag.
  func entry(_ key: Value, _ json: Value) throws(FerryError) -> (Value, Value)? {
    var alone = KeyedValues()
    alone[key] = json
    guard try self.alone(alone) == nil else { return nil }
    try checkTag(key)
    return (unescaped(key), try value(of: json))
  }

  /// Returns the value of a dictionary whose only entry is a tag, or nil for other dictionaries.
  private func alone(_ entries: KeyedValues) throws(FerryError) -> Value? {
    if case .array(let values)? = entries["$set"] {
      var elements: [Value] = []
      for value in values { elements.append(try self.value(of: value)) }
      return .set(elements)
    }
    if case .integer(let identity)? = entries["$ref"], isTyped {
      return Int(exactly: identity).map { .reference($0) }
    }
    if let value = entries["$object"] ?? entries["$inline"], isTyped { return try self.value(of: value) }
    if case .string(let text)? = entries["$date"] { return try TextType.date.value(of: text) }
    if case .string(let text)? = entries["$data"] { return try TextType.data.value(of: text) }
    for tag in Self.tags where entries[.string(tag)] != nil {
      guard hasObjects || tag != "$ref" else { continue }
      let pointer = tag == "$ref" ? entries["$ref"]?.stringValue : nil
      let why =
        switch pointer?.begins(with: "#") {
        case true?: "no object is at this path in the value that get prints (write $$ref for the key $ref)"
        case false?: "a reference is a path as get prints it, such as #/0 (write $$ref for the key $ref)"
        case nil: "it is not the notation of a value (write $\(tag) for the key \(tag))"
        }
      throw FerryError(.path(.cannotPut("this \(tag)", .other(why))))
    }
    return nil
  }

  /// The keys that make a dictionary the notation of another value if it has no other key.
  private static let tags = ["$set", "$date", "$data", "$ref"]

  /// Throws if a key is a tag that is not supported here. Without the typed form, it is a key like any other.
  private func checkTag(_ key: Value) throws(FerryError) {
    guard isTyped, case .string(let name) = key, name.begins(with: "$"), !name.begins(with: "$$"),
      hasObjects || name != "$ref"
    else { return }
    throw FerryError(
      .path(
        .cannotPut(
          "this \(name)", "it is not a tag that is allowed here (write $\(name) for the key \(name))")))
  }

  private func unescaped(_ key: Value) -> Value {
    switch key {
    case .string(let name) where name.begins(with: "$$"): .string(name.droppingFirst())
    case .unpairedString(let units) where units.starts(with: "$$".utf16):
      .unpairedString(Array(units.dropFirst()))
    default: key
    }
  }
}

extension Value {
  /// The JSON that `get` prints for the value that this notation represents.
  ///
  ///     {"$class": "Person", "born": {"$date": "1815-12-10"}}     →     {"born": "1815-12-10T00:00:00Z"}
  var asPrinted: Value {
    guard case .dictionary(let entries) = self else { return mappingParts(\.asPrinted) }
    if entries.count == 1 {
      if let elements = entries["$set"]?.listElements { return .array(elements.map(\.asPrinted)) }
      let scalar: Value? =
        switch (entries["$date"], entries["$data"]) {
        case (.string(let text)?, _): try? TextType.date.value(of: text)
        case (_, .string(let text)?): try? TextType.data.value(of: text)
        default: nil
        }
      if let scalar { return scalar.plainText.map { .string($0) } ?? self }
    }
    guard entries["$class"] != nil else { return mappingParts(\.asPrinted) }
    if let content = entries["$items"] ?? entries["$entries"] { return content.asPrinted }
    var fields = KeyedValues()
    for (key, value) in entries where key != .string("$class") && key != .string("$id") {
      fields[key] = value.asPrinted
    }
    return .dictionary(fields)
  }
}

extension KeyedValues {
  /// True for the notation of a date or of data.
  var isScalarNotation: Bool { count == 1 && (self["$date"] ?? self["$data"])?.stringValue != nil }
}
