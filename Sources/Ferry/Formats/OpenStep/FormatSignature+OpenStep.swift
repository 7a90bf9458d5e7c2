extension FormatSignature {
  static let openStepPropertyList: Self = FormatSignature(.dialect, isOptional: true) {
    $0.isOpenStepPropertyList && !$0.hasTypedValues && !$0.isXcodeProject
  }

  /// The signature of a strings file: entries without braces, or the extension of an empty collection.
  static let strings: Self = FormatSignature(.dialect, isOptional: true) { $0.isStringsFile }

  /// The signature of a property list with values such as `<*I5>`.
  static let gnustepPropertyList: Self = FormatSignature(.dialect) {
    $0.isOpenStepPropertyList && $0.hasTypedValues && !$0.isXcodeProject
  }

  /// The signature of Xcode's projects: the comment at the beginning, and the extension or the key `objects`; or the extension of an empty
  /// collection.
  static let xcodeProject: Self = FormatSignature(.dialect, isOptional: true, proof: .firstBytes) {
    $0.isXcodeProject
  }
}

extension FormatHead {
  var isOpenStepPropertyList: Bool {
    guard isOpenStep, !isStringsFile else { return false }
    // Source code begins with such comments, too.
    guard first == UInt8(ascii: "/"), let value = endOfComments(from: start) else { return true }
    return "{(<\"".utf8.contains(bytes[value])
  }

  /// True for `{}` and `()` in a file with the extension of a strings file or an Xcode project. They are in the syntax of these files,
  /// although `{}` could be JSON, too.
  var isEmptyOpenStepCollection: Bool {
    isEmptyCollection(in: .strings) || isEmptyCollection(in: .xcodeProject)
  }

  /// Returns true if the file has the extension of a format, and is `{}` or `()` apart from comments and white space.
  private func isEmptyCollection(in format: Format) -> Bool {
    guard let fileExtension, format.extensions.contains(fileExtension), isWhole,
      let first = endOfComments(from: start), let last = endOfComments(from: first + 1)
    else { return false }
    let brackets = [bytes[first], bytes[last]]
    return (brackets.elementsEqual("{}".utf8) || brackets.elementsEqual("()".utf8))
      && endOfComments(from: last + 1) == nil
  }

  /// True if a text without the extension of its format is an OpenStep dictionary or a table of strings, all of which is valid:
  /// `{ key = value; … }` or `"key" = "value"; …`. An array in parentheses, and entries that begin with a word, may be prose.
  var isWholeOpenStepDictionary: Bool {
    guard let first = endOfComments(from: start), "{\"".utf8.contains(bytes[first]),
      let key = bytes[first] == UInt8(ascii: "{") ? endOfComments(from: first + 1) : first,
      signAfterKey(at: key) == UInt8(ascii: "="), isOpenStepPropertyList || isStringsFile
    else { return false }
    return isValidOpenStep
  }

  /// True if the first bytes are valid in the syntax of OpenStep.
  private var isValidOpenStep: Bool {
    // The first bytes of a longer text may end inside a character.
    let text = isWhole ? bytes[...] : bytes[...(bytes.lastIndex { $0 < 0x80 } ?? 0)]
    var parser = OpenStepParser(Array(text), hasTypedValues ? .gnustep : .apple, budget: .detection)
    do throws(FerryError) {
      try parser.send(to: NullSink())
      return isWhole
    } catch {
      guard !isWhole, case .propertyList(.unexpectedEnd) = error.reason else { return false }
      return true
    }
  }

  var isStringsFile: Bool {
    if isEmptyCollection(in: .strings) { return true }
    guard isOpenStep || isWordBeforeSign || isStringBeforeSemicolonOrString else { return false }
    // Without braces, the first value is a key.
    guard let first = endOfComments(from: start) else { return fileExtension == "strings" }
    guard !"{(<".utf8.contains(bytes[first]) else { return false }
    return fileExtension == "strings" || beginsEntry(at: first) || isStringBeforeSemicolonOrString
  }

  /// Returns true if a key with `=` or `;` after it begins at an index.
  private func beginsEntry(at index: Int) -> Bool {
    signAfterKey(at: index).map { "=;".utf8.contains($0) } ?? false
  }

  /// Returns the first byte after the key that begins at an index, and after comments.
  private func signAfterKey(at index: Int) -> UInt8? {
    let end =
      bytes[index] == UInt8(ascii: "\"")
      ? jsonValueEnd(from: index) : bytes[index...].prefix(while: OpenStepDialect.apple.isInWord).endIndex
    guard let end, end > index else { return nil }
    return endOfComments(from: end).map { bytes[$0] }
  }

  fileprivate var isXcodeProject: Bool {
    isEmptyCollection(in: .xcodeProject)
      || bytes[start...].starts(with: "// !$*UTF8*$!".utf8)
        && (fileExtension == "pbxproj" || end(ofFirst: "objects = {", from: start) != nil)
  }

  /// True if a value with a type of GNUstep is in the first bytes.
  fileprivate var hasTypedValues: Bool {
    end(ofFirst: "<*", from: start) != nil || end(ofFirst: "<[", from: start) != nil
  }

  /// True for `"key";` in a file with the extension, where a key alone is also its value, and for `"key" "value"`, which lacks its sign. In a
  /// file without the extension of a format, a semicolon must follow the value.
  private var isStringBeforeSemicolonOrString: Bool {
    guard first == UInt8(ascii: "\""), let end = firstJSONValueEnd, let next = endOfComments(from: end) else {
      return false
    }
    let isBeforeString = bytes[next] == UInt8(ascii: "\"") && !bytes[end..<next].contains(UInt8(ascii: "\n"))
    if fileExtension == "strings" { return bytes[next] == UInt8(ascii: ";") || isBeforeString }
    return isBeforeString && formatOfExtension == nil && signAfterKey(at: next) == UInt8(ascii: ";")
  }

  /// True for `key = "value";`. Texts of other kinds begin in this way, too. A file without an extension has to be valid as a whole, and one
  /// with the extension of a property list has to have a line that a semicolon ends.
  private var isWordBeforeSign: Bool {
    guard let first = endOfComments(from: start), bytes[first] != UInt8(ascii: "\"") else { return false }
    guard signAfterKey(at: first) == UInt8(ascii: "=") else { return false }
    switch fileExtension {
    case "strings": return true
    case nil: return isValidOpenStep
    default:
      return isNamedPropertyList
        && contentLines.contains { $0.last { !Self.isSpace($0) } == UInt8(ascii: ";") }
    }
  }

  private var isOpenStep: Bool {
    switch first {
    case UInt8(ascii: "("), UInt8(ascii: "/"): true
    default: isOpenStepDictionary || isLineOfStrings
    }
  }

  /// True for `{ a = 1; }` and `{ "a" = 1; }`, which are OpenStep property lists.
  private var isOpenStepDictionary: Bool {
    guard first == UInt8(ascii: "{") else { return false }
    guard let key = bytes[(start + 1)...].firstIndex(where: { !Self.isSpace($0) }) else { return false }
    switch bytes[key] {
    case UInt8(ascii: "\""):
      guard let end = jsonValueEnd(from: key) else { return false }
      return endOfComments(from: end).map { bytes[$0] == UInt8(ascii: "=") } ?? false
    case UInt8(ascii: "}"): return false
    default: return bytes[key...].prefix(256).contains(UInt8(ascii: "="))
    }
  }

  /// True for `"key" = "value";`, a line in a .strings file.
  private var isLineOfStrings: Bool {
    if let fileExtension, Format.jsonLines.extensions.contains(fileExtension) { return false }
    // A line of `=` after a dictionary or a list marks a conflict of a merge.
    guard let first, !"{[".utf8.contains(first), let end = firstJSONValueEnd,
      let next = endOfComments(from: end)
    else { return false }
    return bytes[next] == UInt8(ascii: "=")
  }
}
