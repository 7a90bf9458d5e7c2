import Ferry

/// Notes on a value that `insert` or `set --insert` has added, or that `set` has put in place of null, and that was probably meant to be
/// another one.
enum InsertionNote {
  /// Returns the notes on a change of a file, after it was made.
  static func all(
    on change: ChangeOptions.GivenChange, type: TextType?, in file: EditableFile
  ) -> [String] {
    let note =
      switch type {
      case nil: aboutType(change, file)
      case .json: aboutClass(change.path, file)
      default: nil as String?
      }
    return [note, aboutKey(change.change, change.path, file)].compactMap { $0 }
  }

  /// Returns the path of the first null that a text such as `8080` is to replace; nil if there is none.
  static func replacedNull(
    by change: ChangeOptions.GivenChange, type: TextType?, in file: EditableFile
  ) -> ValuePath? {
    guard type == nil, let text = change.text, !likelyTypes(of: text).isEmpty else { return nil }
    return (try? file.summaries(at: [change.path]))?.first { $0.kind == .null }?.path
  }

  /// Returns a note on the text that a change of a file has put in place of the null at a path, which had no type to follow.
  static func onNull(
    at path: ValuePath, replacedBy change: ChangeOptions.GivenChange, in file: EditableFile
  ) -> String? {
    guard let text = change.text,
      let type = likelyTypes(of: text).first(where: { (try? file.isText(at: path, insteadOf: $0)) == true })
    else { return nil }
    return
      "\(MessageText.quoted(text)) is set as text in place of null (--type \(type.rawValue) sets \(name(of: type)))"
  }

  /// Returns a note on the first key such as `0` that is new in an element of XML, in which it is not an index.
  static func onIndexKeys(_ keys: [EditableFile.IndexKey]) -> [String] {
    guard let first = keys.first, case .key(let key)? = first.path.steps.last else { return [] }
    let owner = first.path.parent.shortened
    return [
      "\(owner) is not a list, so \(MessageText.quoted(key)) is a new key, with the element <\(first.element)>"
        + (keys.count > 1 ? " (and \(keys.count - 1) more)" : "")
    ]
  }

  /// Returns a note on a text such as `8080`, which would be another value with a type.
  private static func aboutType(_ change: ChangeOptions.GivenChange, _ file: EditableFile) -> String? {
    guard let text = change.text,
      let type = likelyTypes(of: text).first(where: {
        (try? file.isFirstText(at: change.path, withType: $0)) == true
      })
    else { return nil }
    return
      "\(MessageText.quoted(text)) is inserted as text (--type \(type.rawValue) inserts \(name(of: type)))"
  }

  private static func name(of type: TextType) -> String {
    switch type {
    case .date: "a date"
    case .typed: "the value of the document in the typed form"
    case .propertyList: "the value of the property list"
    default: type.name
    }
  }

  /// Returns the types of values that a text is probably meant to be, the most likely first. A format may lack some of them.
  private static func likelyTypes(of text: String) -> [TextType] {
    if text == "true" || text == "false" { return [.boolean] }
    if text == "null" { return [.null] }
    if text.hasPrefix("{") || text.hasPrefix("["), let json = try? TextType.json.value(of: text) {
      return TextType.isTypedDocument(json) ? [.typed, .json] : [.json]
    }
    if TextType.isLikelyPropertyList(text, budget: Budget()) { return [.propertyList] }
    if fits(text, .date) { return [.date] }
    // A number in another notation than that of JSON, such as 007 or +49, is more often a text.
    guard fits(text, .json), text.utf8.first.map({ $0 == UInt8(ascii: "\"") }) == false else { return [] }
    return [.integer, .real].first { fits(text, $0) }.map { [$0] } ?? []
  }

  private static func fits(_ text: String, _ type: TextType) -> Bool { (try? type.value(of: text)) != nil }

  /// Returns a note on a dictionary that is inserted beside an object of a class.
  private static func aboutClass(_ path: ValuePath, _ file: EditableFile) -> String? {
    let list = path.parent
    let (index, neighbors): (Int, [Int])
    switch path.steps.last {
    case .end: (index, neighbors) = (-1, [-2])
    case .index(let new) where new >= 0: (index, neighbors) = (new, [new - 1, new + 1])
    default: return nil
    }
    guard file.format.isArchive, !list.namesSeveral,
      let new = try? file.summaries(at: [list.appending(.index(index))]).first,
      new.kind == .dictionary, new.className == nil
    else { return nil }
    for neighbor in neighbors where index < 0 || neighbor >= 0 {
      let found = try? file.summaries(at: [list.appending(.index(neighbor))]).first
      guard let name = found?.className else { continue }
      let key = "\"$class\": \(MessageText.quoted(name))"
      return
        "the new element is a dictionary beside an object of the class \(MessageText.name(name)) (\(key) makes one of the class)"
    }
    return nil
  }

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
    let owner = path.parent.appending(.key(parts[0]))
    guard let found = try? file.summaries(at: [owner]), found.contains(where: { $0.count != nil }) else {
      return nil
    }
    let meant = ValuePath(path.steps.dropLast() + parts.map { .key($0) })
    return "\(MessageText.quoted(key)) is a new key (a path joins keys by dots: \(meant))"
  }
}
