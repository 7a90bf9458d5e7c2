// Elements and attributes that get another name. Their contents, their order and the layout around them stay.

extension XMLEdits {
  /// Gives the elements and the attributes other names whose values have other keys. Returns the old entries with the new keys.
  ///
  /// - Parameters:
  ///   - old: The entries of the element in the original document.
  ///   - new: The entries that it gets.
  ///   - entries: The children and attributes of the element.
  mutating func renaming(
    _ old: Entries, _ new: Entries, _ entries: XMLMarkup.Entries, of element: Int
  ) throws(FerryError) -> Entries {
    let added = new.keys.filter { old.values[$0] == nil }
    guard !added.isEmpty else { return old }
    var newKeys: [NodeID: [UInt8]] = [:]
    for key in added { if let value = new.values[key] { newKeys[value] = key } }
    var renamed = old
    for (index, key) in old.keys.enumerated() where new.values[key] == nil {
      guard let value = old.values[key], !isTouched(value), let newKey = newKeys[value],
        let names = names(of: entries.part(of: key), as: entries.part(of: newKey)),
        let name = try name(newKey, in: element)
      else { continue }
      for range in names { edits.append(ByteEdit(range: range, text: name)) }
      renamed.keys[index] = newKey
      renamed.values[key] = nil
      renamed.values[newKey] = value
    }
    return renamed
  }

  /// Returns the ranges of the names of a part: an attribute, or elements with their end tags. Returns nil if they cannot become the other
  /// part by another name alone.
  private func names(
    of part: XMLMarkup.Entries.Part, as new: XMLMarkup.Entries.Part
  ) -> [Range<Int>]? {
    switch (part, new) {
    case (.attribute(let attribute?), .attribute(nil)): return [attribute.name]
    case (.elements(let children), .elements(let others)) where !children.isEmpty && others.isEmpty:
      return children.flatMap { self.names(of: $0) }
    default: return nil
    }
  }

  /// Returns the name for a new key. Returns nil for a name with a prefix or a namespace, which depends on the declarations around it.
  private func name(_ key: [UInt8], in element: Int) throws(FerryError) -> [UInt8]? {
    let bare = key.first == UInt8(ascii: "@") ? Array(key.dropFirst()) : key
    guard !bare.contains(where: { ":{".utf8.contains($0) }), !bare.starts(with: "xmlns".utf8) else {
      return nil
    }
    return try encodedName(XMLKeyName.name(for: bare.span, keepsColon: false))
  }
}
