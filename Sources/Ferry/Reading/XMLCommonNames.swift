/// The names that several XML documents have in common: that of their records, and that of their root elements with its declarations.
///
///     <people><person>…                      <people><person>…                      person, people
///     <people><person>…                      <team><person>…                        person
///     <p:people xmlns:p="urn:a"><p:person>…  <p:people xmlns:p="urn:a"><p:person>…  p:person, p:people with xmlns:p="urn:a"
struct XMLCommonNames {
  /// The names in one document. The name of the records is empty if nothing is in the documents.
  private struct Names {
    var record: [UInt8]
    var root: [UInt8]
    var declarations: [NamespaceDeclaration]
  }

  /// The root element that the documents have in common.
  struct Root {
    let name: String
    let declarations: [NamespaceDeclaration]
  }

  /// True if the names may have their namespaces in braces.
  private let hasExpandedNames: Bool
  private let record: [UInt8]
  private var root: [UInt8]?
  /// The declarations that the root element of all documents may have; nil if they contradict each other.
  private var declarations: [NamespaceDeclaration]?

  /// Reads the names of files. Returns nil if their records have different names, and if one of the files has no list of records, is not XML,
  /// or can be read only once.
  init?(ofFiles files: [(path: String, isRegular: Bool)], _ options: ReadingOptions, hasExpandedNames: Bool) {
    guard let first = files.first, let common = Self.names(in: first, options) else { return nil }
    self.hasExpandedNames = hasExpandedNames
    (record, root, declarations) = (common.record, common.root, common.declarations)
    for file in files.dropFirst() {
      guard let names = Self.names(in: file, options), names.record == record else { return nil }
      if names.root != root { root = nil }
      declarations = declarations.flatMap { Self.union(of: $0, names.declarations) }
    }
    // Other styles leave the declarations out, or put the namespaces into the names.
    if options.xml.namespaces != .kept { declarations = nil }
  }

  /// Returns the names in a document. The error of a file is reported when it is converted.
  private static func names(
    in file: (path: String, isRegular: Bool), _ options: ReadingOptions
  ) -> Names? {
    guard let paths = try? XMLPaths(of: file, options),
      let list = paths.recordList(named: options.recordElement), list.keys.count == 2
    else { return nil }
    return Names(record: list.keys[1], root: list.keys[0], declarations: paths.declarationsOfRoot)
  }

  /// Returns the declarations of two root elements. Returns nil if a prefix has two namespaces, or if the elements without a prefix are in
  /// different namespaces.
  private static func union(
    of some: [NamespaceDeclaration], _ others: [NamespaceDeclaration]
  ) -> [NamespaceDeclaration]? {
    guard some.first(where: \.isDefault) == others.first(where: \.isDefault) else { return nil }
    var union = some
    for declaration in others {
      guard let known = some.first(where: { $0.name.equals(declaration.name) }) else {
        union.append(declaration)
        continue
      }
      guard known == declaration else { return nil }
    }
    return union
  }

  /// Returns the root element that the documents have in common; nil if there is none.
  ///
  /// - Parameter declares: True if the root element of the output may declare namespaces.
  func root(declares: Bool) -> Root? {
    guard let root else { return nil }
    let declared = declares ? declarations ?? [] : []
    return name(root, declared).map { Root(name: $0, declarations: declared) }
  }

  /// Returns the name of the records inside a root element; nil if there are none, and if their prefix is not declared.
  func record(in root: Root?) -> String? {
    record.isEmpty ? nil : name(record, root?.declarations ?? [])
  }

  /// Returns the text of a key; nil for one in a namespace that is not declared.
  private func name(_ key: [UInt8], _ declarations: [NamespaceDeclaration]) -> String? {
    let isWritten =
      ExpandedName(key: key.span) != nil
      ? hasExpandedNames
      : !XMLKeyName.hasPrefix(key.span) || declarations.contains { $0.declaresPrefix(of: key.span) }
    return isWritten ? String(decoding: key, as: UTF8.self) : nil
  }
}
