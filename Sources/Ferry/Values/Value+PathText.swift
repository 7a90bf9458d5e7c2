// The text of a key in a path. A Swift string cannot contain unpaired surrogates, so each of them has the escape of JSON there: `\ud800`. A
// path with such an escape also selects a key with these six characters.

extension Value {
  /// Creates the string that a key in a path means.
  init(pathText text: String) {
    self = text.unitsOfEscapedSurrogates.map(Value.unpairedString) ?? .string(text)
  }

  /// The text of a string as a key in a path, or nil for other values.
  var pathText: String? {
    switch self {
    case .string(let text): text
    case .unpairedString(let units): String(escapingSurrogatesOf: units)
    default: nil
    }
  }
}

extension KeyedValues {
  /// Returns the key that a key in a path selects, or nil if there is none.
  func key(named text: String) -> Value? {
    if self[text] != nil { return .string(text) }
    let key = Value(pathText: text)
    return index(forKey: key) == nil ? nil : key
  }

  /// Returns the text of a string as a key in a path. Returns nil for other keys, and if a path could select another key.
  func pathText(of key: Value) -> String? {
    guard let text = key.pathText else { return nil }
    if case .unpairedString = key { return self[text] == nil ? text : nil }
    return text.unitsOfEscapedSurrogates == nil ? text : nil
  }
}

extension BorrowedText {
  /// Returns true if a key in a path, in UTF-8, means this text.
  func hasPathText(_ name: Span<UInt8>) -> Bool {
    guard hasSurrogates else { return utf8.equals(name) }
    let text = String(escapingSurrogatesOf: self)
    return text.utf8.span.equals(name)
  }
}

extension String {
  /// The UTF-16 code units of a text in which some unpaired surrogates have escapes, or nil for other texts.
  fileprivate var unitsOfEscapedSurrogates: [UInt16]? {
    guard utf8.contains(UInt8(ascii: "\\")) else { return nil }
    let text = Array(unicodeScalars)
    var (units, index): ([UInt16], Int) = ([], 0)
    while index < text.count {
      if text[index] == "\\", let unit = UInt16(surrogateAtStartOf: text[index...]) {
        units.append(unit)
        index += 6
      } else {
        units += text[index].utf16
        index += 1
      }
    }
    // A pair of surrogates is a character, which has no escape.
    guard units.count < utf16.count, String(escapingSurrogatesOf: units).equals(self) else { return nil }
    return units
  }
}
