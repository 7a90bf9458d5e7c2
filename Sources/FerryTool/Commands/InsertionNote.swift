import Ferry

/// Notes on a value that `insert` or `set --insert` has added, and that was probably meant to be another one.
enum InsertionNote {
  /// Returns the notes on a change of a file, after it was made.
  static func all(
    on change: ChangeOptions.GivenChange, type: TextType?, in file: EditableFile
  ) -> [String] {
    let note = type == nil ? aboutType(change.change, change.path, file) : nil
    return [note, aboutKey(change.change, change.path, file)].compactMap { $0 }
  }

  /// Returns a note on a text such as `8080`, which would be another value with a type.
  private static func aboutType(
    _ change: ChangeOptions.Change, _ path: ValuePath, _ file: EditableFile
  ) -> String? {
    guard let text = change.value, let type = likelyType(of: text),
      (try? file.isFirstText(at: path, withType: type)) == true
    else { return nil }
    return "\(MessageText.quoted(text)) is inserted as text (--type \(type.rawValue) inserts \(type.name))"
  }

  private static func likelyType(of text: String) -> TextType? {
    if text == "true" || text == "false" { return .boolean }
    if text == "null" { return .null }
    if text.hasPrefix("{") || text.hasPrefix("[") { return fits(text, .json) ? .json : nil }
    // A number in another notation than that of JSON, such as 007 or +49, is more often a text.
    guard fits(text, .json), text.utf8.first.map({ $0 == UInt8(ascii: "\"") }) == false else { return nil }
    return [.integer, .real].first { fits(text, $0) }
  }

  private static func fits(_ text: String, _ type: TextType) -> Bool { (try? type.value(of: text)) != nil }

  /// Returns a note on a new key such as `b/c`, if its first part is the key of a collection: other tools join keys by these characters.
  private static func aboutKey(
    _ change: ChangeOptions.Change, _ path: ValuePath, _ file: EditableFile
  ) -> String? {
    guard case .key(let key)? = path.steps.last, !change.path.text.contains(where: { "\"'".contains($0) })
    else { return nil }
    let parts = key.split { "/:|".contains($0) }.map { part in
      let start = part.drop { $0 == " " }
      return String(start.prefix(start.count - start.reversed().prefix { $0 == " " }.count))
    }
    guard parts.count > 1, !parts.contains("") else { return nil }
    let owner = ValuePath(path.steps.dropLast() + [.key(parts[0])])
    guard let found = try? file.summaries(at: [owner]), found.contains(where: { $0.count != nil }) else {
      return nil
    }
    let meant = ValuePath(path.steps.dropLast() + parts.map { .key($0) })
    return "\(MessageText.quoted(key)) is a new key (a path joins keys by dots: \(meant))"
  }
}
