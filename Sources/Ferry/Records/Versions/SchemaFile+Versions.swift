// The part of a schema file that declares versions.
//
//     "version": 3,
//     "versionField": { "key": "schemaVersion", "archiveKey": "version", "xml": "@version", "absent": 1 },
//     "versions": { "1-2": { "fields": [{ "name": "lastName", "from": "surname" }], "removed": ["cache"] } }

extension SchemaFile {
  /// Parses `version`, `versionField` and `versions`.
  func addVersions(to type: inout RecordType) throws(FerryError) {
    guard value["version"] != nil || value["versionField"] != nil || value["versions"] != nil else { return }
    guard let current = try integer("version") else {
      throw wrong("version, the number of the newest version, is missing")
    }
    guard current > 0 else { throw wrong(at: "version", "version is not a number above 0") }
    type.versions = RecordVersions(current: current, absent: current)
    var absent: Int?
    if let field = try member("versionField") {
      try field.allow(["key", "archiveKey", "xml", "absent"])
      let (name, isNew) = try field.addVersionField(to: &type)
      type.versions?.field = name
      absent = try field.integer("absent")
      if !isNew, field.value["archiveKey"] != nil || field.value["xml"] != nil {
        throw field.wrong("\(name) is also one of the fields (set archiveKey and xml there)")
      }
    }
    let rules = try versionRules(for: type, current)
    type.versions?.rules = rules
    // A record without a version has the oldest one.
    type.versions?.absent = absent ?? rules.map(\.versions.lowerBound).min() ?? current
    if let absent, !(1...current ~= absent) {
      throw (try member("versionField") ?? self).wrong(
        at: "absent", "absent is not a version from 1 to \(current)")
    }
  }

  /// Parses `key` and `version` of the collection, which declare the dictionary around the records.
  func addEnvelope(to schema: inout Schema) throws(FerryError) {
    if value["key"] != nil { schema.collectionKey = try text("key", default: nil) }
    guard value["version"] != nil else { return }
    let name = try text("version", default: nil)
    guard let key = schema.collectionKey else {
      throw wrong(at: "version", "a collection with a version needs a key for its records")
    }
    guard !name.equals(key) else { throw wrong(at: "version", "the records and the version have one key") }
    guard schema.record.versions != nil else {
      throw wrong(at: "version", "the collection has a version, and the records have none")
    }
    try checkName(name, at: "version")
    schema.collectionVersion = name
  }

  /// Parses the field that holds the version. Adds the field to the type if it is not declared.
  private func addVersionField(to type: inout RecordType) throws(FerryError) -> (name: String, isNew: Bool) {
    let name = try text("key", default: nil)
    if let field = type.fields.first(where: { $0.name.equals(name) }) {
      guard field.type == .integer else {
        throw wrong(at: "key", "the field \(name) is not of the type integer")
      }
      return (name, false)
    }
    let field = RecordField(
      name, .integer, xml: try xmlLocation(name), archiveKey: try text("archiveKey", default: name),
      isOptional: true)
    switch field.xml {
    case .element(let name), .attribute(let name):
      try checkName(name.withoutPrefix, at: value["xml"] == nil ? "key" : "xml")
    case .text, .items:
      throw wrong(at: "xml", "the text of an element cannot be the version (use an attribute or an element)")
    }
    type.fields.insert(field, at: 0)
    return (name, true)
  }

  func integer(_ key: String) throws(FerryError) -> Int? {
    switch value[key] {
    case nil: return nil
    case .integer(let number)?:
      if let number = Int(exactly: number) { return number }
    case .string(let text)?:
      if let number = Int(text) { return number }
    default: break
    }
    throw step(key, value[key] ?? .null).wrong("\(key) is not an integer")
  }

  // MARK: Rules

  private func versionRules(for type: RecordType, _ current: Int) throws(FerryError) -> [VersionRules] {
    guard let versions = try member("versions"), case .dictionary(let entries) = versions.value else {
      return []
    }
    var rules: [VersionRules] = []
    for (key, value) in entries {
      guard case .string(let name) = key, let range = Self.range(name) else {
        throw versions.wrong(
          at: key.plainText ?? "", "\(key.words) is not a version (\"1\", or \"1-3\" for several)")
      }
      let entry = versions.step(name, value)
      guard range.upperBound < current else {
        throw entry.wrong("only versions before \(current), the newest, have rules")
      }
      if let other = rules.first(where: { $0.versions.overlaps(range) }) {
        throw entry.wrong("version \(range.clamped(to: other.versions).lowerBound) has rules already")
      }
      rules.append(try entry.rules(range, for: type))
    }
    return rules
  }

  /// Parses a version or a range of versions: `3`, `1-3`, or `v3` and `v1-3`, which XML allows as names.
  private static func range(_ text: String) -> ClosedRange<Int>? {
    let bounds = (text.hasPrefix("v") ? text.dropFirst() : text[...])
      .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { Int($0) }
    guard let first = bounds[0], first > 0, let last = bounds.count > 1 ? bounds[1] : first, first <= last
    else { return nil }
    return first...last
  }

  private func rules(_ versions: ClosedRange<Int>, for type: RecordType) throws(FerryError) -> VersionRules {
    try allow(["fields", "removed"])
    var rules = VersionRules(versions, fields: [], removed: try texts("removed"))
    guard let value = value["fields"] else { return rules }
    let elements = if case .array(let elements) = value { elements } else { [value] }
    for (index, element) in elements.enumerated() {
      let rulePath = ValuePath(path.steps + [.key("fields"), .index(index)])
      let file = SchemaFile(value: element, path: rulePath)
      let rule = try file.fieldRule(for: type)
      guard !rules.fields.contains(where: { $0.name.equals(rule.name) }) else {
        throw file.wrong("\(rule.name) has a rule already")
      }
      if let key = rule.sources.first(where: rules.removed.contains) {
        throw file.wrong("\(rule.name) is made of \(key), which is removed")
      }
      rules.fields.append(rule)
    }
    return rules
  }

  private static let changeKeys = [
    "join", "before", "after", "beforeLast", "afterLast", "split", "map", "multiply", "divide", "since",
  ]

  private func fieldRule(for type: RecordType) throws(FerryError) -> FieldRule {
    try allow(["name", "from", "type", "items", "default"] + Self.changeKeys)
    let name = try text("name", default: nil)
    guard let field = type.fields.first(where: { $0.name.equals(name) }), name != type.versions?.field else {
      throw wrong(at: "name", "there is no field \(name)")
    }
    let sources = try texts("from")
    let changes = try fieldChanges()
    guard !sources.isEmpty || value["default"] != nil else {
      throw wrong("a rule needs \"from\" or \"default\"")
    }
    guard !sources.isEmpty || changes.isEmpty && value["type"] == nil else {
      throw wrong("\"from\" is missing: the key whose value the rule changes")
    }
    let rule = FieldRule(
      name, from: sources, type: try olderType(of: field, changes), changes: changes,
      defaultValue: value["default"])
    try check(rule, for: field)
    return rule
  }

  /// Returns the type of the older value: the one given in the rule, or the one that its changes apply to.
  private func olderType(of field: RecordField, _ changes: [FieldChange]) throws(FerryError) -> FieldType {
    guard value["type"] == nil else { return try type(named: "item") }
    switch changes.first {
    case nil: return field.type
    case .joined?, .before?, .after?, .beforeLast?, .afterLast?, .split?, .mapped?: return .string
    case .multiplied?, .divided?, .since?: return .decimal
    }
  }

  private func fieldChanges() throws(FerryError) -> [FieldChange] {
    var changes: [FieldChange] = []
    if value["join"] != nil { changes.append(.joined(by: try anyText("join"))) }
    for (key, change) in [
      ("before", FieldChange.before), ("after", FieldChange.after), ("beforeLast", FieldChange.beforeLast),
      ("afterLast", FieldChange.afterLast), ("split", FieldChange.split),
    ] where value[key] != nil {
      changes.append(change(try text(key, default: nil)))
    }
    if let table = try member("map"), case .dictionary(let entries) = table.value {
      for (key, _) in entries {
        guard case .string = key else { throw table.wrong("\(key) is not a string") }
      }
      changes.append(.mapped(entries))
    }
    if let factor = try integer("multiply") { changes.append(.multiplied(by: factor)) }
    if let divisor = try integer("divide") { changes.append(.divided(by: divisor)) }
    if let moment = try sinceMoment() { changes.append(.since(secondsSince2001: moment)) }
    return changes
  }

  /// Parses `since`, which is a year or a date.
  private func sinceMoment() throws(FerryError) -> Double? {
    switch value["since"] {
    case nil: return nil
    case .integer(let year)? where 0...9999 ~= year:
      if let moment = ISODate.seconds("\(String(repeating: "0", count: 4 - "\(year)".count))\(year)-01-01") {
        return moment
      }
    case .string(let text)?:
      if let moment = ISODate.seconds(text.count == 4 ? "\(text)-01-01" : text) { return moment }
    default: break
    }
    throw wrong(at: "since", "since is not a year or a date, such as 1970 or 2001-01-01T00:00:00Z")
  }

  /// Returns the string for a key. The string may be empty.
  private func anyText(_ key: String) throws(FerryError) -> String {
    guard case .string(let text)? = value[key] else { throw step(key, value).wrong("\(key) is not a string") }
    return text
  }

  private func check(_ rule: FieldRule, for field: RecordField) throws(FerryError) {
    let parts = rule.changes.filter(\.takesText)
    guard parts.count <= 1 else { throw wrong("only one of join, before, after … and split can be meant") }
    guard rule.sources.count <= 1 || rule.isJoining else {
      throw wrong(at: "from", "several keys need \"join\", the text between their values")
    }
    if case .multiplied(let factor)? = rule.changes.first(where: \.isScaling), factor <= 0 {
      throw wrong(at: "multiply", "multiply is not a number above 0")
    }
    if case .divided(let divisor)? = rule.changes.first(where: \.isScaling), divisor <= 0 {
      throw wrong(at: "divide", "divide is not a number above 0")
    }
    guard rule.changes.count(where: \.isScaling) <= 1 else {
      throw wrong("multiply and divide exclude each other")
    }
    let isScalar =
      if case .list = rule.type { rule.isJoining } else { rule.type.isScalar }
    guard rule.changes.isEmpty || isScalar else {
      throw wrong("nothing can be done with \(rule.type.description)")
    }
    guard rule.changes.isEmpty || result(of: rule).canBecome(field.type) else {
      throw wrong(
        "the change makes \(result(of: rule).description) of it, and \(field.name) is \(field.type.description)"
      )
    }
    guard !rule.changes.isEmpty || rule.type == field.type || rule.type.canBecome(field.type) else {
      throw wrong("\(rule.type.description) does not become \(field.type.description)")
    }
  }

  /// Returns the type of the value after a rule's changes.
  private func result(of rule: FieldRule) -> FieldType {
    switch rule.changes.last {
    case nil: rule.type
    case .joined?, .before?, .after?, .beforeLast?, .afterLast?, .mapped?: .string
    case .split?: .list(.string, element: "item")
    case .multiplied?, .divided?: .decimal
    case .since?: .date
    }
  }
}

extension FieldChange {
  fileprivate var isScaling: Bool {
    switch self {
    case .multiplied, .divided: true
    default: false
    }
  }

  fileprivate var takesText: Bool {
    switch self {
    case .joined, .before, .after, .beforeLast, .afterLast, .split: true
    case .mapped, .multiplied, .divided, .since: false
    }
  }
}

extension FieldType {
  var isScalar: Bool { !mayBeCollection }

  /// Returns true if values of the type can be converted to another type, at least some of them.
  fileprivate func canBecome(_ other: FieldType) -> Bool {
    switch (self, other) {
    case (.list(let old, _), .list(let new, _)): old.canBecome(new)
    case (_, .list(let items, _)): isScalar && canBecome(items)
    case (.record, _), (_, .record), (.list, _), (.dictionary, _), (_, .dictionary), (.enclosing, _),
      (_, .enclosing):
      self == other
    case (_, .any): true
    case (.data, _), (_, .data): self == other
    case (.string, _), (_, .string): true
    case (.date, _), (_, .date), (.url, _), (_, .url), (.uuid, _), (_, .uuid): self == other
    default: true
    }
  }
}
