import Ferry

/// An entry of a property list: keys and indices after colons. A colon in a key has a backslash.
///
///     :CFBundleDocumentTypes:2:CFBundleTypeName      :a\:b
struct PlistBuddyEntry {
  /// The entry as it was typed.
  let text: String
  /// The keys from the root. Several colons in a row are one.
  let keys: [String]
  /// True after a colon at the end, which names a new element of an array, or the empty key.
  let isOpen: Bool

  /// Parses an entry. Without a colon at the beginning, it is in the working container.
  init(_ text: String, in container: [String] = []) {
    self.text = text
    var parts = [String.UnicodeScalarView()]
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == ":" {
        parts.append(String.UnicodeScalarView())
      } else if scalar == "\\", rest.first == ":" {
        parts[parts.count - 1].append(rest.removeFirst())
      } else {
        parts[parts.count - 1].append(scalar)
      }
    }
    isOpen = parts.last?.isEmpty ?? true
    let isFromRoot = text.utf8.first == UInt8(ascii: ":")
    keys = (isFromRoot ? [] : container) + parts.filter { !$0.isEmpty }.map { String($0) }
  }

  /// Returns the value of the entry; nil if it does not exist.
  func value(in root: Value) -> Value? { root.part(at: keys) }

  /// The keys of the collection that contains the entry.
  var parent: ArraySlice<String> { isOpen ? keys[...] : keys.dropLast() }
  /// The last key, which is empty after a colon at the end.
  var name: String { isOpen ? "" : keys.last ?? "" }

  /// Adds a value as a new entry. Dictionaries on the way that do not exist are made.
  ///
  /// - Throws: An error if the entry exists, or a value on the way is not a collection. Nothing has changed then.
  func add(_ value: Value, to root: inout Value, for command: String) throws(PlistBuddyError) {
    guard !exists(in: root) else { throw .failed("\(command): \"\(text)\" Entry Already Exists") }
    guard Self.add(value, named: name, at: parent, to: &root) else {
      throw .failed("\(command): Can't Add Entry, \"\(text)\", to Parent")
    }
  }

  /// Returns true if the parent is a dictionary that has the entry.
  private func exists(in root: Value) -> Bool {
    guard case .dictionary(let entries)? = root.part(at: parent) else { return false }
    return entries[name] != nil
  }

  /// Returns false, without a change, if a value on the way is not a collection. A dictionary that is made on the way takes every entry.
  private static func add(
    _ value: Value, named name: String, at keys: ArraySlice<String>, to root: inout Value
  ) -> Bool {
    guard let key = keys.first else { return add(value, named: name, to: &root) }
    if root[part: key] == nil {
      guard add(.dictionary(KeyedValues()), named: key, to: &root) else { return false }
    }
    // An index after the last element means the new last element.
    var existingKey = key
    if let index = Int(key) { root.changeElements { existingKey = "\(min(index, $0.count - 1))" } }
    var isAdded = false
    root.change(at: [existingKey]) { part in
      isAdded = add(value, named: name, at: keys.dropFirst(), to: &part)
    }
    return isAdded
  }

  private static func add(_ value: Value, named name: String, to container: inout Value) -> Bool {
    var isAdded = false
    container.changeEntries { entries in
      entries[name] = value
      isAdded = true
    }
    container.changeElements { elements in
      guard let index = name.isEmpty ? elements.count : Int(name), index >= 0 else { return }
      elements.insert(value, at: min(index, elements.count))
      isAdded = true
    }
    return isAdded
  }

  /// Changes the value of the entry, which exists.
  func change(in root: inout Value, _ body: (inout Value) throws(PlistBuddyError) -> Void)
    throws(PlistBuddyError)
  {
    try root.change(at: keys[...], body)
  }

  /// Sets the value of the entry, which exists.
  func set(_ value: Value, in root: inout Value) { root.change(at: keys[...]) { $0 = value } }

  /// Removes the entry, which exists.
  func remove(from root: inout Value) { root.removePart(at: keys) }
}
