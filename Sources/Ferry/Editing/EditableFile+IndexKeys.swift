// Keys such as `0` and `-`, which are positions in a list. XML has no elements with such names, so that a new element for one of them has an
// escaped name, `_x0030_`. Often a list was meant: the file has one element where others have several.

extension EditableFile {
  /// A key such as `0` that was added to an element.
  package struct IndexKey: Sendable {
    package let path: ValuePath
    /// The name of the new element: `_x0030_`.
    package let element: String
  }

  /// Throws if a key that is a position in a list is to be added to an element that has only text, perhaps beside attributes. JSON has a string
  /// there, without keys. Other keys are added: they name child elements.
  func checkHoldsKey(_ step: ValuePath.Step, _ location: ValueLocation) throws(FerryError) {
    guard case .key(let key) = step, key.isListPosition else { return }
    let found: String
    switch try list.kind(of: location.node) {
    case .string: found = try walker.name(of: location)
    case .dictionary:
      guard try entriesWithoutElements(of: location)?["#text"] != nil,
        try entriesBesideLayout(of: location) == nil
      else { return }
      found = "a string with attributes"
    default: return
    }
    throw FerryError(.path(.noStep("key \(MessageText.quoted(key))", into: found)))
  }

  /// Returns the key that a step adds to the element at a path if it is a position in a list, and the element has no such key yet. Returns nil for other
  /// steps and locations.
  func newIndexKey(
    _ step: ValuePath.Step, in location: ValueLocation, _ path: ValuePath
  ) throws(FerryError) -> IndexKey? {
    guard case .key(let key) = step, key.isListPosition, format.description.hasEditableElements,
      case .dictionary(let count) = try list.kind(of: location.node)
    else { return nil }
    // Keys that were added before are at the end.
    for index in (0..<count).reversed() {
      let other = try list.string(list.key(index, of: location.node))
      if other?.isListPosition == true { return nil }
    }
    return IndexKey(
      path: outerPath.appending(path.appending(step).steps[...]), element: XMLKeyName.elementName(for: key))
  }

  /// Returns true if an element may be added beside the XML element at a path, so that both become a list.
  package func mayBecomeList(at path: ValuePath) -> Bool {
    guard format.description.hasEditableElements, nesting == 0, path.steps.last?.isKey == true,
      let match = try? matches(of: path).matches.first
    else { return false }
    return (try? list.kind(of: match.location.node)) == .string
      && match.location.trail.children.count > 1
  }

  /// Returns true if another element may be added beside the XML element at a path, so that both become a list. False for attributes, texts and
  /// the root element.
  package func mayHaveOther(beside path: ValuePath) -> Bool {
    guard format.description.hasEditableElements, nesting == 0, case .key(let key)? = path.steps.last,
      !key.begins(with: "@"), !key.begins(with: "#"), let match = try? matches(of: path).matches.first
    else { return false }
    return match.location.trail.children.count > 1
  }
}

extension String {
  /// True for a text that is a position in a list of a path or a JSON pointer: `0`, `12`, `-`, `-1`.
  fileprivate var isListPosition: Bool {
    let digits = utf8.first == UInt8(ascii: "-") ? utf8.dropFirst() : utf8[...]
    return !isEmpty && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
