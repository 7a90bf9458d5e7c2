extension Schema {
  /// The schema in the notation of a schema file, without the keys that have their default values.
  public var value: Value {
    var file = KeyedValues()
    file["ferry"] = 1
    file["name"] = .string(name)
    if !namespaces.isEmpty {
      var table = KeyedValues()
      for namespace in namespaces { table[namespace.prefix] = .string(namespace.uri) }
      file["namespaces"] = .dictionary(table)
    }
    var collection = KeyedValues()
    if !collectionElement.equals("\(name)s") { collection["element"] = .string(collectionElement) }
    if let collectionKey { collection["key"] = .string(collectionKey) }
    if let collectionVersion { collection["version"] = .string(collectionVersion) }
    if !collection.isEmpty { file["collection"] = .dictionary(collection) }
    if !documentExtensions.isEmpty { file["documentExtensions"] = .texts(documentExtensions) }
    record.add(to: &file, named: name)
    return .dictionary(file)
  }
}

extension RecordType {
  /// Adds the keys that describe the type to a schema or a field with a name.
  fileprivate func add(to entries: inout KeyedValues, named name: String) {
    var record = KeyedValues()
    if !element.equals(name) { record["element"] = .string(element) }
    if !className.equals(element.withoutPrefix) { record["class"] = .string(className) }
    if superclasses != ["NSObject"] { record["superclasses"] = .texts(superclasses) }
    if !classAliases.isEmpty { record["aliases"] = .texts(classAliases) }
    if !encodeOrder.isEmpty { record["encodeOrder"] = .texts(encodeOrder) }
    if let versions { entries["version"] = .integer(Int128(versions.current)) }
    if let versions, let field = versionField {
      entries["versionField"] = notation(of: fields[field], versions)
    }
    if !record.isEmpty { entries["record"] = .dictionary(record) }
    if let key { entries["key"] = .string(key) }
    entries["fields"] = .array(fields.map(\.notation))
    guard let versions, !versions.rules.isEmpty else { return }
    var rules = KeyedValues()
    for rule in versions.rules {
      let (first, last) = (rule.versions.lowerBound, rule.versions.upperBound)
      rules[first == last ? "\(first)" : "\(first)-\(last)"] = rule.notation
    }
    entries["versions"] = .dictionary(rules)
  }

  /// Returns the notation of the version field, which is also one of the fields.
  private func notation(of field: RecordField, _ versions: RecordVersions) -> Value {
    var entries = KeyedValues()
    entries["key"] = .string(field.name)
    let oldest = versions.rules.map(\.versions.lowerBound).min() ?? versions.current
    if versions.absent != oldest { entries["absent"] = .integer(Int128(versions.absent)) }
    return .dictionary(entries)
  }
}

extension RecordField {
  fileprivate var notation: Value {
    var entries = KeyedValues()
    entries["name"] = .string(name)
    if type != .string { entries["type"] = .string(type.name) }
    if xml != .element(name) { entries["xml"] = .string(xml.notation) }
    if !archiveKey.equals(name) { entries["archiveKey"] = .string(archiveKey) }
    let aliases = aliases.filter { !alsoWritten.contains(exactly: $0) }
    if !aliases.isEmpty { entries["aliases"] = .texts(aliases) }
    if !alsoWritten.isEmpty { entries["alsoWrite"] = .texts(alsoWritten) }
    if isOptional { entries["optional"] = true }
    if let defaultValue { entries["default"] = defaultValue }
    type.addParts(to: &entries, named: name)
    return .dictionary(entries)
  }
}

extension FieldType {
  /// Adds the keys that describe the inside of the type.
  fileprivate func addParts(to entries: inout KeyedValues, named name: String) {
    switch self {
    case .record(let type): type.add(to: &entries, named: name)
    case .enclosing(let element): entries["record"] = .string(element)
    case .list(let items, let element):
      var part = KeyedValues()
      if items != .string { part["type"] = .string(items.name) }
      switch items {
      case .record(let type): type.add(to: &part, named: "item")
      case .enclosing(let own):
        part["record"] = .string(own)
        if !own.equals(element) { part["element"] = .string(element) }
      default:
        if !element.equals("item") { part["element"] = .string(element) }
        items.addParts(to: &part, named: element)
      }
      entries["items"] = .dictionary(part)
    case .dictionary(let values):
      var part = KeyedValues()
      part["type"] = .string(values.name)
      values.addParts(to: &part, named: "value")
      entries["values"] = .dictionary(part)
    default: break
    }
  }
}

extension VersionRules {
  fileprivate var notation: Value {
    var entries = KeyedValues()
    if !fields.isEmpty { entries["fields"] = .array(fields.map(\.notation)) }
    if !removed.isEmpty { entries["removed"] = .texts(removed) }
    return .dictionary(entries)
  }
}

extension FieldRule {
  fileprivate var notation: Value {
    var entries = KeyedValues()
    entries["name"] = .string(name)
    if sources.count == 1 { entries["from"] = .string(sources[0]) }
    if sources.count > 1 { entries["from"] = .texts(sources) }
    if !sources.isEmpty {
      entries["type"] = .string(type.name)
      type.addParts(to: &entries, named: name)
    }
    for change in changes { entries[change.notation.key] = change.notation.value }
    if let defaultValue { entries["default"] = defaultValue }
    return .dictionary(entries)
  }
}

extension FieldChange {
  fileprivate var notation: (key: String, value: Value) {
    switch self {
    case .joined(let separator): ("join", .string(separator))
    case .before(let separator): ("before", .string(separator))
    case .after(let separator): ("after", .string(separator))
    case .beforeLast(let separator): ("beforeLast", .string(separator))
    case .afterLast(let separator): ("afterLast", .string(separator))
    case .split(let separator): ("split", .string(separator))
    case .mapped(let table): ("map", .dictionary(table))
    case .multiplied(let factor): ("multiply", .integer(Int128(factor)))
    case .divided(let divisor): ("divide", .integer(Int128(divisor)))
    case .since(let moment): ("since", .string(ISODate.text(moment) ?? ""))
    }
  }
}

extension Value {
  /// Returns a list of strings.
  fileprivate static func texts(_ texts: [String]) -> Value { .array(texts.map { .string($0) }) }
}
