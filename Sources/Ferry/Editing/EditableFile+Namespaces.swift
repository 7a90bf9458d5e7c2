// Moves, copies and insertions in XML, whose keys are names with prefixes. A prefix has its namespace from the elements around it.

extension EditableFile {
  /// The namespaces that the names in a value have from the elements around it.
  struct UsedNamespaces {
    /// A name, and its namespace; nil if the prefix is not declared.
    fileprivate typealias Use = (name: [UInt8], namespace: String?)
    /// The key of the value.
    fileprivate var key: String?
    /// One name for each prefix inside the value. The empty prefix is that of elements without one.
    fileprivate var inside: [[UInt8]: Use] = [:]
    /// One name for the prefix of the key, unless the value itself declares it.
    fileprivate var ofKey: [[UInt8]: Use] = [:]
  }

  /// Returns the namespaces of the names in a value of an XML document; none in other formats.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - path: The path of the value.
  func namespaces(in value: Value, at path: ValuePath) throws(FerryError) -> UsedNamespaces {
    var used = UsedNamespaces()
    guard format.description.hasEditableElements else { return used }
    used.key = path.lastKey
    var (inside, all): ([[UInt8]: [UInt8]], [[UInt8]: [UInt8]]) = ([:], [:])
    value.addNames(under: nil, to: &inside)
    value.addNames(under: used.key.map { Array($0.utf8) }, to: &all)
    for (prefix, name) in all {
      let namespace = try namespace(of: prefix, around: path)
      if let name = inside[prefix] {
        used.inside[prefix] = (name, namespace)
      } else {
        used.ofKey[prefix] = (name, namespace)
      }
    }
    return used
  }

  /// Throws if names of a value would have another namespace at a path. Another key there names the value anew.
  func check(_ used: UsedNamespaces, at path: ValuePath) throws(FerryError) {
    var uses = used.inside
    if used.key.equals(path.lastKey) { uses.merge(used.ofKey) { inside, _ in inside } }
    for (prefix, use) in uses.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let namespace = try namespace(of: prefix, around: path)
      guard !namespace.equals(use.namespace) else { continue }
      let obstacle: PathProblem.Obstacle =
        namespace == nil && !prefix.isEmpty
        ? .notDeclared(prefix, of: use.name) : .otherNamespace(of: use.name, prefix)
      throw FerryError(.path(.cannotPut("the value", obstacle)), path: path)
    }
  }

  /// Throws if the attribute at one of two paths declares a namespace, because names would get another one.
  func checkDeclarations(_ paths: ValuePath...) throws(FerryError) {
    guard format.description.hasEditableElements else { return }
    for path in paths {
      guard let key = path.lastKey, key.equals("@xmlns") || key.begins(with: "@xmlns:") else { continue }
      throw FerryError(
        .path(
          .cannotPut(
            "the value",
            "the attribute \(MessageText.quoted(key)) gives names their namespace (set, insert and remove change it)"
          )),
        path: path)
    }
  }

  /// Returns the namespace that a prefix has in the element around the one with a path; nil if it is not declared there.
  func namespace(of prefix: [UInt8], around path: ValuePath) throws(FerryError) -> String? {
    let declaration = String.keyDeclaring(prefix)
    guard let walk = try existingWalk(to: path.parent), walk.rest.isEmpty else { return nil }
    for location in (walk.passed + [walk.location]).reversed() {
      guard let found = try walker.child(declaration, of: location, walker.parts(of: location)),
        let namespace = try list.string(found.node)
      else { continue }
      // An empty default namespace means that names have no namespace.
      return namespace.isEmpty ? nil : namespace
    }
    return nil
  }
}

extension EditableFile {
  /// Inserts a value. In XML, its key may be a name with the namespace in braces, such as `{urn:a}b` or `@{urn:a}b`. It gets a prefix of
  /// the namespace, which the element around it declares if there is none.
  func insert(new value: NewValue, at path: ValuePath) throws(FerryError) {
    guard let bound = try boundName(at: path) else {
      if try insertReferring(value, at: path) { return }
      return try change(.insert(value), path)
    }
    let around = path.parent
    let target = around.appending(.key(bound.key))
    guard let declaration = bound.declaration else { return try change(.insert(value), target) }
    try changeAll(undoes: currentChange.mode.keepsState) { () throws(FerryError) in
      try change(.insert(.value(.string(declaration.namespace))), around.appending(.key(declaration.key)))
      try change(.insert(value), target)
    }
  }

  /// The key for a name with its namespace in braces.
  private struct BoundName {
    var key: String
    /// The attribute that declares the prefix of the key; nil if an element does.
    var declaration: (key: String, namespace: String)?
  }

  /// Returns the key with a prefix for the last key of a path; nil if that is not a name with its namespace in braces, or if there is no
  /// element to contain it.
  private func boundName(at path: ValuePath) throws(FerryError) -> BoundName? {
    guard format.description.hasEditableElements, path.steps.count > 1, case .key(let key)? = path.steps.last
    else { return nil }
    let mark = key.begins(with: "@") ? "@" : ""
    let text = Array(key.utf8.dropFirst(mark.utf8.count))
    guard let name = ExpandedName(text.span), name.isAbsolute,
      let walk = try existingWalk(to: path.parent), walk.rest.isEmpty,
      try walker.child(key, of: walk.location, walker.parts(of: walk.location)) == nil
    else { return nil }
    switch try list.kind(of: walk.location.node) {
    case .string, .dictionary: break
    default: return nil
    }
    let (namespace, local) = (name.namespace.span.decodedString, name.local.span.decodedString)
    if namespace.equals(XMLNamespace.xml) { return BoundName(key: "\(mark)xml:\(local)") }
    var declared: Set<[UInt8]> = []
    for location in (walk.passed + [walk.location]).reversed() {
      for (prefix, found) in try declarations(in: location.node) where declared.insert(prefix).inserted {
        guard found.equals(namespace) else { continue }
        return BoundName(key: "\(mark)\(prefix.span.decodedString):\(local)")
      }
    }
    var number = 1
    while declared.contains(Array("ns\(number)".utf8)) { number += 1 }
    return BoundName(key: "\(mark)ns\(number):\(local)", declaration: ("@xmlns:ns\(number)", namespace))
  }

  /// Returns the prefixes that the attributes in the value of an element declare, with their namespaces.
  private func declarations(
    in node: NodeID
  ) throws(FerryError) -> [(prefix: [UInt8], namespace: String)] {
    guard case .dictionary(let count) = try list.kind(of: node) else { return [] }
    var declarations: [(prefix: [UInt8], namespace: String)] = []
    for index in 0..<count {
      guard let key = try list.string(list.key(index, of: node)), key.begins(with: "@xmlns:"),
        let namespace = try list.string(list.value(index, of: node))
      else { continue }
      declarations.append((Array(key.utf8.dropFirst("@xmlns:".utf8.count)), namespace))
    }
    return declarations
  }
}

extension PathProblem.Obstacle {
  /// The prefix of a name is not declared.
  static func notDeclared(_ prefix: [UInt8], of name: [UInt8]) -> Self {
    guard !prefix.elementsEqual("xmlns".utf8) else {
      let attribute = MessageText.quoted("@" + name.span.decodedString)
      return "no element has the prefix xmlns (the attribute \(attribute) declares a prefix)"
    }
    let attribute = MessageText.quoted(String.keyDeclaring(prefix))
    return
      "the prefix of \(MessageText.quoted(name.span.decodedString)) is not declared here (the attribute \(attribute) declares it)"
  }

  /// A name would have another namespace than before.
  fileprivate static func otherNamespace(of name: [UInt8], _ prefix: [UInt8]) -> Self {
    let attribute = MessageText.quoted(String.keyDeclaring(prefix))
    return
      "\(MessageText.quoted(name.span.decodedString)) would be in another namespace here (the attribute \(attribute) gives it)"
  }
}

extension String {
  /// Returns the key of the attribute that declares a prefix, or the default namespace for the empty prefix.
  fileprivate static func keyDeclaring(_ prefix: [UInt8]) -> String {
    prefix.isEmpty ? "@xmlns" : "@xmlns:\(prefix.span.decodedString)"
  }
}

extension Value {
  /// Adds a name for each prefix in the value that the value itself does not declare. The recursion is bounded by the depth of a
  /// built value.
  ///
  /// - Parameters:
  ///   - key: The key of the value, or nil if it has no name.
  ///   - declared: The prefixes that are declared around the value and have no name added.
  ///   - names: Receives the names by their prefixes. The empty prefix is that of elements without one.
  func addNames(
    under key: [UInt8]?, declared: Set<[UInt8]> = [], to names: inout [[UInt8]: [UInt8]]
  ) {
    var declared = declared
    switch self {
    case .array(let values):
      for value in values { value.addNames(under: key, declared: declared, to: &names) }
      return
    case .dictionary(let entries):
      for (key, value) in entries where value.plainText != nil {
        guard let name = key.plainText, name.equals("@xmlns") || name.begins(with: "@xmlns:") else {
          continue
        }
        declared.insert(Array(name.utf8.dropFirst("@xmlns:".utf8.count)))
      }
      for (key, value) in entries {
        guard let name = key.plainText else { continue }
        value.addNames(under: Array(name.utf8), declared: declared, to: &names)
      }
    default: break
    }
    guard let key, !key.elementsEqual("#text".utf8), !key.starts(with: "@xmlns".utf8) else { return }
    let isAttribute = key.first == UInt8(ascii: "@")
    let name = isAttribute ? Array(key.dropFirst()) : key
    let hasPrefix = XMLKeyName.hasPrefix(name.span)
    // An attribute without a prefix has no namespace.
    guard hasPrefix || !isAttribute else { return }
    let prefix = hasPrefix ? Array(name.prefix { $0 != UInt8(ascii: ":") }) : []
    if !declared.contains(prefix), !prefix.elementsEqual("xml".utf8) { names[prefix] = name }
  }
}
