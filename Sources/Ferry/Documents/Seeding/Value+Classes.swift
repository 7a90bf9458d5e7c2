/// The classes that the records of a document have, by their names without a module.
///
///     a document of MyApp.Person    Person {first: "Ada"}    →    MyApp.Person {first: "Ada"}
struct ClassesOfRecords {
  private var classes: [[UInt8]: ObjectClass] = [:]

  /// The classes of some records. Classes that the user has named stay out.
  init(of records: [Value], unless classNames: [String: String]) {
    for record in records {
      record.forEachClass { type in
        let name = type.nameWithoutModule
        if classes[name] == nil || name.count < type.name.utf8.count { classes[name] = type }
      }
    }
    for name in classNames.values { classes[Array(name.utf8)] = nil }
  }

  /// A value with the classes of the records, module and superclasses included, for classes of the same name.
  func applied(to value: Value) -> Value {
    guard !classes.isEmpty else { return value }
    switch value {
    case .array(let values): return .array(values.map(applied))
    case .set(let values): return .set(values.map(applied))
    case .dictionary(let entries):
      var result = KeyedValues()
      for (key, value) in entries { result[key] = applied(to: value) }
      return .dictionary(result)
    case .object(let object):
      let type = classes[Array(object.type.name.utf8)] ?? object.type
      return .object(
        ObjectValue(type, identity: object.identity, content: applied(to: object.content)))
    default: return value
    }
  }
}

extension Value {
  /// Calls `body` with the class of each object.
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
  /// The name behind the module: `Person` of `MyApp.Person`.
  fileprivate var nameWithoutModule: [UInt8] {
    let bytes = Array(name.utf8)
    return bytes.lastIndex(of: UInt8(ascii: ".")).map { Array(bytes[($0 + 1)...]) } ?? bytes
  }
}
