/// The names that several XML documents have in common: that of their records, and that of their root elements.
///
///     <people><person>…    <people><person>…    person, people
///     <people><person>…    <team><person>…      person
struct XMLCommonNames {
  let record: String
  private(set) var root: String?

  /// Reads the names of files. Returns nil if their records have different names, and if one of the files has no list of records, is not XML,
  /// or can be read only once.
  init?(ofFiles files: [(path: String, isRegular: Bool)], _ options: ReadingOptions) {
    guard let first = files.first, let common = Self.names(in: first, options) else { return nil }
    (record, root) = common
    for file in files.dropFirst() {
      guard let names = Self.names(in: file, options), names.record.equals(record) else { return nil }
      if !names.root.equals(root) { root = nil }
    }
  }

  /// Returns the names of the records and of the root element of a document. The error of a file is reported when it is converted.
  private static func names(
    in file: (path: String, isRegular: Bool), _ options: ReadingOptions
  ) -> (record: String, root: String?)? {
    guard let paths = try? XMLPaths(of: file, options),
      let list = paths.recordList(named: options.recordElement), list.keys.count == 2,
      let record = name(list.keys[1])
    else { return nil }
    return (record, name(list.keys[0]))
  }

  /// Returns the text of a key; nil for one in a namespace, because the namespaces of the root elements are not those of the list.
  private static func name(_ key: [UInt8]) -> String? {
    guard !XMLKeyName.hasPrefix(key.span), ExpandedName(key: key.span) == nil else { return nil }
    return String(decoding: key, as: UTF8.self)
  }
}
