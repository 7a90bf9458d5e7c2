/// The names that several XML documents have in common: that of their records, and that of their root elements, and the declarations of
/// namespaces around the records.
///
///     <people><person>…                      <people><person>…                      person, people
///     <people><person>…                      <team><person>…                        person
///     <p:people xmlns:p="urn:a"><p:person>…  <p:people xmlns:p="urn:a"><p:person>…  p:person, p:people with xmlns:p="urn:a"
struct XMLCommonNames {
  /// The name of elements, as the documents write it: with one key, or with several that have different prefixes for one namespace.
  private struct CommonName: Equatable {
    /// A name in a document.
    struct Variant: Equatable {
      let key: [UInt8]
      /// The namespace; nil for none, and for a prefix that is not declared.
      let namespace: String?

      /// Returns true if both are the name of elements in one namespace.
      func isSame(as other: Variant) -> Bool {
        guard let namespace, other.namespace.equals(namespace) else { return false }
        return key.localName == other.key.localName
      }
    }

    private(set) var variants: [Variant]

    init(_ key: [UInt8], in declarations: [NamespaceDeclaration]) {
      let hasPrefix = XMLKeyName.hasPrefix(key.span)
      let declaration = declarations.first { hasPrefix ? $0.declaresPrefix(of: key.span) : $0.isDefault }
      variants = [
        Variant(key: key, namespace: declaration.flatMap { $0.namespace.isEmpty ? nil : $0.namespace })
      ]
    }

    /// The key in all documents; nil if they have several.
    var onlyKey: [UInt8]? { variants.allSatisfy { $0.key == variants[0].key } ? variants[0].key : nil }

    /// Returns the common name of elements with either name; nil if the names are different.
    func merged(with other: CommonName) -> CommonName? {
      var common = self
      for variant in other.variants where !variants.contains(variant) { common.variants.append(variant) }
      let isOne = common.variants.allSatisfy { $0.isSame(as: common.variants[0]) }
      return isOne || common.onlyKey != nil ? common : nil
    }

    /// Returns the first of several keys whose prefix has the namespace by declarations; nil if none has.
    func key(declaredBy declarations: [NamespaceDeclaration]) -> [UInt8]? {
      variants.first { variant in
        declarations.contains {
          $0.declaresPrefix(of: variant.key.span) && variant.namespace.equals($0.namespace)
        }
      }?.key
    }
  }

  /// The names in a document, or around a selected element.
  private struct Names {
    /// The name of the records, which is empty if nothing is in the documents; nil if they have different names.
    var record: CommonName?
    /// The name of the root elements; nil if they or the records have different names, or if elements inside them are selected.
    var root: CommonName?
    /// The declarations that one root element may have for all records.
    var declarations: [NamespaceDeclaration]
    /// The names of other declarations, such as `xmlns:p`, which stand for several namespaces. The records have these themselves.
    var ambiguous: [String] = []

    init(record: [UInt8], root: [UInt8]?, declarations: [NamespaceDeclaration]) {
      self.record = CommonName(record, in: declarations)
      (self.root, self.declarations) = (root.map { CommonName($0, in: declarations) }, declarations)
    }

    mutating func merge(_ other: Names) {
      record = record.flatMap { record in other.record.flatMap { record.merged(with: $0) } }
      root = record == nil ? nil : root.flatMap { root in other.root.flatMap { root.merged(with: $0) } }
      let found =
        declarations.filter { isAmbiguous($0, beside: other) }
        + other.declarations.filter { isAmbiguous($0, beside: self) }
      for name in found.map(\.name) + other.ambiguous where !ambiguous.contains(where: { $0.equals(name) }) {
        ambiguous.append(name)
      }
      declarations += other.declarations.filter { !declarations.contains($0) }
      declarations.removeAll { declaration in ambiguous.contains { $0.equals(declaration.name) } }
      // A root element without a prefix is in one of several namespaces.
      if let key = root?.onlyKey, !XMLKeyName.hasPrefix(key.span),
        ambiguous.contains(where: { $0.equals("xmlns") })
      {
        root = nil
      }
    }

    /// Returns true if other names have another namespace for the name of a declaration. Without a declaration of the default namespace, elements
    /// without a prefix have no namespace.
    private func isAmbiguous(_ declaration: NamespaceDeclaration, beside other: Names) -> Bool {
      let known = other.declarations.first { $0.name.equals(declaration.name) }
      return known.map { $0 != declaration } ?? declaration.isDefault
    }
  }

  /// The root element of the output.
  struct Root {
    /// The name that is given or that the documents have in common; nil if there is none.
    let name: String?
    let declarations: [NamespaceDeclaration]
  }

  private let names: Names
  /// True if the names may have their namespaces in braces.
  private let hasExpandedNames: Bool
  /// True if names have their prefixes, and records the declarations that the root element of the output does not have.
  private let keepsPrefixes: Bool

  /// Reads the names of files. Returns nil if one of them has no list of records, is not XML, or can be read only once, and if no elements are
  /// selected from any.
  ///
  /// - Parameter standardInput: The standard input if it can be read again, which is then at its beginning.
  init?(
    ofFiles files: [(path: String, isRegular: Bool)], standardInput: FileInput?, _ options: ReadingOptions,
    hasExpandedNames: Bool
  ) {
    var common: Names?
    for file in files {
      guard let found = Self.names(in: file, standardInput, options) else { return nil }
      for names in found {
        common?.merge(names)
        common = common ?? names
      }
    }
    guard var common else { return nil }
    // Other styles leave the declarations out, or put the namespaces into the names.
    keepsPrefixes = options.xml.namespaces == .kept
    if !keepsPrefixes { common.declarations = [] }
    (names, self.hasExpandedNames) = (common, hasExpandedNames)
  }

  /// Returns true if several files are XML documents without types, none of which has a list of records.
  static func areRecords(
    _ files: [(path: String, isRegular: Bool)], standardInput: FileInput?, _ options: ReadingOptions
  ) -> Bool {
    files.allSatisfy { file in
      let isStandardInput = file.path == "-"
      guard let input = isStandardInput ? standardInput : try? FileInput.rereadable(file), input.isRewindable
      else { return false }
      defer { if isStandardInput { try? input.rewind() } }
      guard let paths = try? XMLPaths(of: input, named: file.path, options), !paths.marksLists else {
        return false
      }
      return paths.recordList(named: nil, rootMayBeRecord: true) == nil
    }
  }

  /// Returns the names in a document; none if an XPath selects nothing. The error of a file is reported when it is converted.
  private static func names(
    in file: (path: String, isRegular: Bool), _ standardInput: FileInput?, _ options: ReadingOptions
  ) -> [Names]? {
    let isStandardInput = file.path == "-"
    guard let input = isStandardInput ? standardInput : try? FileInput.rereadable(file), input.isRewindable
    else { return nil }
    defer { if isStandardInput { try? input.rewind() } }
    guard let xpath = options.select else {
      return (try? namesOfList(in: input, named: file.path, options)).map { [$0] }
    }
    return try? namesOfElements(selectedBy: xpath, in: input, named: file.path, options)
  }

  /// Returns the names of the only list in a document.
  private static func namesOfList(
    in input: FileInput, named name: String, _ options: ReadingOptions
  ) throws(FerryError) -> Names? {
    guard let paths = try XMLPaths(of: input, named: name, options),
      let list = paths.recordList(named: options.recordElement, rootMayBeRecord: true), list.keys.count == 2
    else { return nil }
    return Names(record: list.keys[1], root: list.keys[0], declarations: paths.declarationsOfRoot)
  }

  /// Returns the names that the elements which an XPath selects have in common, without root elements. Returns nil if it selects something else,
  /// or from a document that was written with types.
  private static func namesOfElements(
    selectedBy xpath: String, in input: FileInput, named name: String, _ options: ReadingOptions
  ) throws(FerryError) -> [Names]? {
    let detected = try DetectedInput(input, named: name, options, opensArchive: true)
    guard detected.format.isOfElements else { return nil }
    var common: Names?
    func add(_ element: XMLName, in scope: [(name: XMLName, namespace: [UInt8])]) {
      let key = options.xml.namespaces.key(for: options.xml.namespaces.text(of: element).utf8.span)
      let declarations = scope.reversed().map { name, namespace in
        NamespaceDeclaration(name: name.qualified, namespace: String(decoding: namespace, as: UTF8.self))
      }
      let names = Names(record: key, root: nil, declarations: declarations)
      common?.merge(names)
      common = common ?? names
    }
    switch try ElementSelection.selecting(xpath, from: detected, options) {
    case .nodes(let nodes, _):
      for node in nodes { add(node.name, in: node.parent?.namespacesInScope ?? []) }
    case .pattern(let pattern):
      let selector = ElementSelector(pattern, needs: .namespaces) { events, _, context in
        add(events.name(events[0]), in: context.declarations.filter { !events.declares($0.name) })
      }
      let (budget, entities) = (options.budget, options.xml.entities)
      try XMLStream(document: selector, budget: budget, entities: entities, losses: nil)
        .readAll(detected.input)
    case .texts, .values: return nil
    }
    let hasTypes = common?.declarations.contains { XMLTypeAttribute.isOfFerry($0.namespace.utf8.span) }
    return hasTypes == true ? nil : common.map { [$0] } ?? []
  }

  /// Returns the root element of the output.
  ///
  /// - Parameters:
  ///   - given: The name that is given; nil to use that which the documents have in common.
  ///   - declares: True if the root element of the output may declare namespaces.
  func root(named given: String?, declares: Bool) -> Root {
    let declarations = declares ? names.declarations : []
    return Root(name: given ?? names.root.flatMap { text(of: $0, declarations) }, declarations: declarations)
  }

  /// Returns the name of the records; nil if they have different names, and if their prefix is not declared.
  ///
  /// - Parameter declares: True if the records may declare namespaces that the root element does not declare.
  func record(in root: Root, declares: Bool) -> String? {
    guard let name = names.record, name.onlyKey?.isEmpty != true else { return nil }
    if let key = name.onlyKey, declares, keepsPrefixes, isAmbiguous(key) {
      return String(decoding: key, as: UTF8.self)
    }
    return text(of: name, root.declarations)
  }

  /// Returns true if the prefix of a key has several namespaces in the documents.
  private func isAmbiguous(_ key: [UInt8]) -> Bool {
    names.ambiguous.contains { NamespaceDeclaration(name: $0, namespace: "").declaresPrefix(of: key.span) }
  }

  /// Returns the text of a name; nil for one in a namespace that is not declared.
  private func text(of name: CommonName, _ declarations: [NamespaceDeclaration]) -> String? {
    guard let key = name.onlyKey ?? name.key(declaredBy: declarations) else { return nil }
    let isWritten =
      ExpandedName(key: key.span) != nil
      ? hasExpandedNames
      : !XMLKeyName.hasPrefix(key.span) || declarations.contains { $0.declaresPrefix(of: key.span) }
    return isWritten ? String(decoding: key, as: UTF8.self) : nil
  }
}

extension ElementBatch {
  /// Returns true if the first element has a declaration of a namespace with a name.
  fileprivate func declares(_ name: XMLName) -> Bool {
    var index = 1
    while index < count, self[index].isAttribute {
      if self[index].kind == .declaration, self.name(self[index]).qualified.equals(name.qualified) {
        return true
      }
      index += 1
    }
    return false
  }
}

extension [UInt8] {
  /// The part of a qualified name after its prefix.
  fileprivate var localName: ArraySlice<UInt8> {
    firstIndex(of: UInt8(ascii: ":")).map { self[($0 + 1)...] } ?? self[...]
  }
}
