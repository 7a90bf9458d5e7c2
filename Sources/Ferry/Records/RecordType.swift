/// A type of record: its names in each format, and its fields.
public struct RecordType: Hashable, Sendable {
  /// The name of the XML element of a record.
  public var element: String
  /// The class of a record in an archive.
  public var className: String
  /// The superclasses of that class, nearest first, ending with NSObject.
  public var superclasses: [String]
  /// The older names of the class, which can still be read.
  public var classAliases: [String]
  /// The fields, in the order in which JSON, property lists and XML are written.
  public var fields: [RecordField] {
    didSet { fieldsByKey = FieldsByKey(fields) }
  }
  private var fieldsByKey: FieldsByKey
  /// The names of the fields in the order in which the class encodes them, or empty if that is the order of
  /// `fields`.
  public var encodeOrder: [String]
  /// The name of the field that identifies records in a merge or a seed, or nil if there is none.
  public var key: String?
  /// The versions of the records, or nil if they have no versions.
  public var versions: RecordVersions?

  /// Creates a record type.
  public init(
    element: String, className: String, superclasses: [String] = ["NSObject"], classAliases: [String] = [],
    fields: [RecordField], encodeOrder: [String] = [], key: String? = nil, versions: RecordVersions? = nil
  ) {
    self.key = key
    self.versions = versions
    self.element = element
    self.className = className
    self.superclasses = superclasses
    self.classAliases = classAliases
    self.fields = fields
    fieldsByKey = FieldsByKey(fields)
    self.encodeOrder = encodeOrder
  }

  /// Returns true if objects of a class are records of this type: the class has this name in any module
  /// (`MyApp.Person`), or an older name.
  public func accepts(className: String) -> Bool {
    className.equals(self.className) || classAliases.contains(exactly: className) || isInModule(className)
  }

  /// Returns true if a name is that of the class with a module.
  func isInModule(_ name: String) -> Bool {
    name.utf8.reversed().starts(with: ".\(className)".utf8.reversed())
  }

  /// Returns true if a record of a class with this name keeps its class: the class is in a module of the app.
  func keepsClass(named name: String) -> Bool {
    isInModule(name) && !classAliases.contains(exactly: name)
  }

  /// The names of the class and of the classes of nested records, including older names.
  var classNames: Set<ExactString> {
    fields.reduce(into: Set(([className] + classAliases).map { ExactString($0) })) { names, field in
      names.formUnion(field.type.classNames)
    }
  }

  func renamingClasses(_ names: [ExactString: String]) -> RecordType {
    var type = self
    if let new = names[className] {
      type.classAliases.append(className)
      type.className = new
    }
    type.fields = fields.map { field in
      var field = field
      field.type = field.type.renamingClasses(names)
      return field
    }
    return type
  }

  /// Returns the index of the field with a key, and the age of the key: 0 for the newest key. Returns nil if
  /// no field has the key. The field at `likely` is compared first, because records mostly have their fields in order.
  func match(_ key: Span<UInt8>, usesArchiveKeys: Bool, likely: Int = 0) -> (field: Int, age: Int)? {
    if likely < fields.count,
      key.equals((usesArchiveKeys ? fields[likely].archiveKey : fields[likely].name).utf8.span)
    {
      return (likely, 0)
    }
    guard fieldsByKey.isEmpty else { return fieldsByKey.match(key, usesArchiveKeys: usesArchiveKeys) }
    if usesArchiveKeys {
      for index in fields.indices where key.equals(fields[index].archiveKey.utf8.span) { return (index, 0) }
    }
    for index in fields.indices where key.equals(fields[index].name.utf8.span) {
      return (index, usesArchiveKeys ? 1 : 0)
    }
    for index in fields.indices {
      for (age, alias) in fields[index].aliases.enumerated() where key.equals(alias.utf8.span) {
        return (index, age + 2)
      }
    }
    return nil
  }

  /// The index of the field that is the text of the XML element, or nil.
  var textField: Int? { fields.firstIndex { $0.xml == .text } }

  /// True if the text of the XML element is a field.
  var hasText: Bool { textField != nil }

  /// Returns true if an undeclared key `@name` can be an attribute of the XML element: no field and no
  /// namespace is declared by it.
  func mayAddAttribute(for key: Span<UInt8>) -> Bool {
    guard key.count > 1, !key.equals("@xmlns") else { return false }
    return !fields.contains { field in
      if case .attribute(let name) = field.xml { key.extracting(1...).equals(name.utf8.span) } else { false }
    }
  }

  /// The index of the field that holds the version, or nil.
  var versionField: Int? {
    guard let name = versions?.field else { return nil }
    return fields.firstIndex { $0.name.equals(name) }
  }

  private func fieldIndex(named name: String) -> Int? {
    guard fieldsByKey.isEmpty else { return fieldsByKey.index(named: name) }
    return fields.firstIndex { $0.name.equals(name) }
  }

  /// The indices of the fields in the order in which the class encodes them.
  var encodedIndices: [Int] {
    guard !encodeOrder.isEmpty else { return Array(fields.indices) }
    let named = encodeOrder.compactMap { name in fieldIndex(named: name) }
    var isNamed = [Bool](repeating: false, count: fields.count)
    for index in named { isNamed[index] = true }
    return named + fields.indices.filter { !isNamed[$0] }
  }
}
