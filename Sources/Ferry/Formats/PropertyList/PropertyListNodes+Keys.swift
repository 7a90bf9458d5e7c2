extension PropertyListNodes {
  /// Returns true if a node is this string.
  func isString(_ node: Int, _ string: StaticString) throws(FerryError) -> Bool {
    guard try kind(of: node) == .string, try length(of: node) == string.utf8CodeUnitCount else {
      return false
    }
    return try withText(of: node) { text throws(FerryError) in text.equals(string) }
  }

  /// Returns the string in a node; nil for other nodes.
  func string(_ node: Int) throws(FerryError) -> String? {
    guard try kind(of: node) == .string else { return nil }
    return try withText(of: node) { text throws(FerryError) in String(text) }
  }

  /// Returns the value of a dictionary's key; nil if the key is missing.
  func value(_ key: StaticString, of node: Int) throws(FerryError) -> Int? {
    guard case .dictionary(let count) = try kind(of: node) else { return nil }
    for index in 0..<count {
      if try isString(try self.key(index, of: node), key) { return try value(index, of: node) }
    }
    return nil
  }

  /// True if the property list has the outermost keys of a keyed archive, `$archiver` and `$objects`.
  var isKeyedArchive: Bool {
    get throws(FerryError) {
      guard try value("$archiver", of: root) != nil else { return false }
      return try value("$objects", of: root) != nil
    }
  }
}
