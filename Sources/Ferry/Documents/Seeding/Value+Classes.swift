/// The classes of the records in a document, by their names without a module.
///
///     a document of MyApp.Person    Person {first: "Ada"}    →    MyApp.Person {first: "Ada"}
struct ClassesOfRecords {
  private var classes: [ExactString: ObjectClass] = [:]
  /// The class of all records, or nil if they have several, or none.
  private let common: ObjectClass?
  /// True if the records are, or contain, objects.
  private var hasObjects = false

  /// Collects the classes of records, except those that `classNames` renames.
  init(of records: [Value], unless classNames: [String: String]) {
    let types = Set(records.map(\.ownClass))
    common = types.count == 1 ? types.first ?? nil : nil
    for record in records {
      record.forEachClass { type in
        let name = type.nameWithoutModule
        if classes[name] == nil || name.string.utf8.count < type.name.utf8.count { classes[name] = type }
      }
    }
    hasObjects = !classes.isEmpty
    for name in classNames.values { classes[ExactString(name)] = nil }
  }

  /// Returns a new record with the classes of the others. A record without a class gets the one that all others have.
  func applied(toRecord record: Value) -> Value {
    guard let common, case .dictionary = record else { return applied(to: record) }
    return .object(ObjectValue(common, content: applied(to: record)))
  }

  /// Returns a new record of data without objects. Beside objects, `$class` names a class, as in JSON that is inserted:
  ///
  ///     {"$class": "Person", "first": "Ada"}
  func applied(toPlain record: Value) throws(FerryError) -> Value {
    guard hasObjects, record.namesClass else { return applied(toRecord: record) }
    let notation = ObjectNotation(isTyped: false, hasObjects: true, number: { .number($0) }) { name in
      type(named: name)
    }
    // The schema has given an object its class.
    guard case .object(var object) = record else { return applied(toRecord: try notation.value(of: record)) }
    let content = try notation.value(of: object.content)
    if case .object(let named) = content {
      if !object.type.nameWithoutModule.string.equals(named.type.name) { object.type = named.type }
      object.content = named.content
    } else {
      object.content = content
    }
    return applied(to: .object(object))
  }

  /// Returns the class of the records with a name, which may lack its module.
  private func type(named name: String) -> ObjectClass? {
    if let type = classes[ExactString(name)] { return type }
    return classes[name.withoutModule].flatMap { $0.name.equals(name) ? $0 : nil }
  }

  /// Returns the key under which the value of an archived key is stored in an object with the class of the others.
  func newKeys(for key: ArchivedStorage.Key) -> [ArchivedStorage.Key] {
    let name = key.type.map { type in classes[type].map { ExactString($0.name) } ?? type }
    return [ArchivedStorage.Key(type: name, key: key.key)]
  }

  /// Returns a value in which each class with the name of a collected class is replaced by that class, with
  /// its module and superclasses.
  func applied(to value: Value) -> Value {
    guard !classes.isEmpty else { return value }
    switch value {
    case .array(let values): return .array(values.map(applied(to:)))
    case .set(let values): return .set(values.map(applied(to:)))
    case .dictionary(let entries):
      var result = KeyedValues()
      for (key, value) in entries { result[key] = applied(to: value) }
      return .dictionary(result)
    case .object(let object):
      let type = classes[ExactString(object.type.name)] ?? object.type
      return .object(
        ObjectValue(type, identity: object.identity, content: applied(to: object.content)))
    default: return value
    }
  }
}

extension Value {
  /// True if the value is or contains a dictionary with the name of a class under the key `$class`.
  fileprivate var namesClass: Bool {
    switch self {
    case .object(let object): object.content.namesClass
    case .dictionary(let entries) where entries["$class"]?.stringValue != nil: true
    default: parts.contains(where: \.namesClass)
    }
  }

  /// The class of the value, or nil if it is not an object.
  fileprivate var ownClass: ObjectClass? {
    if case .object(let object) = self { object.type } else { nil }
  }

  /// Calls a function with the class of each object.
  fileprivate func forEachClass(_ body: (ObjectClass) -> Void) {
    if case .object(let object) = self {
      body(object.type)
      object.content.forEachClass(body)
    } else {
      for part in parts { part.forEachClass(body) }
    }
  }
}

extension ObjectClass {
  /// The name without its module.
  fileprivate var nameWithoutModule: ExactString { name.withoutModule }
}

extension String {
  /// The name of a class without its module: `Person` for `MyApp.Person`.
  fileprivate var withoutModule: ExactString {
    let text = utf8.lastIndex(of: UInt8(ascii: ".")).map { self[utf8.index(after: $0)...] }
    return ExactString(text.map(String.init) ?? self)
  }
}
