extension Value {
  /// The loss if this scalar becomes text.
  var lossAsText: Loss.Kind {
    switch self {
    case .data: .dataAsText
    case .date: .dateAsText
    default: .numberAsText
    }
  }

  /// The value with the entries of dictionaries in the order of XML: attributes come first. The recursion is bounded by the depth of a
  /// built value.
  var orderedAsElements: Value {
    switch self {
    case .array(let values): return .array(values.map(\.orderedAsElements))
    case .dictionary(let entries):
      var ordered = KeyedValues()
      for wanted in [true, false] {
        for (key, value) in entries where key.isAttribute == wanted { ordered[key] = value.orderedAsElements }
      }
      // Text alone is not an entry.
      if ordered.count == 1, let text = ordered["#text"], text.plainText != nil { return text }
      return .dictionary(ordered)
    default: return self
    }
  }

  /// The number of dictionaries in the value that become elements with text beside others.
  var mixedElementCount: Int {
    let inside = parts.reduce(0) { $0 + $1.mixedElementCount }
    guard case .dictionary(let entries) = self, let text = entries["#text"]?.plainText, !text.isEmpty else {
      return inside
    }
    let hasElements = entries.contains { key, value in
      if case .array(let values) = value, values.isEmpty { return false }
      return !key.isAttribute && !key.plainText.equals("#text")
    }
    return inside + (hasElements ? 1 : 0)
  }

  /// True if elements with the value may have contents in an order that the value does not have: text beside elements, or elements with one
  /// name beside others.
  var mayHaveOrder: Bool {
    guard case .dictionary(let entries) = self else { return parts.contains(where: \.mayHaveOrder) }
    let contents = entries.filter { key, _ in !key.isAttribute }
    let hasOrder =
      contents.count > 1
      && contents.contains { key, value in
        if case .array(let values) = value { values.count > 1 } else { key.plainText.equals("#text") }
      }
    return hasOrder || contents.contains { _, value in value.mayHaveOrder }
  }

  /// The first key in the value that represents contents in their order, a comment, an instruction or CDATA.
  var keyOfMarkup: String? {
    switch self {
    case .array(let values):
      // `lazy.compactMap { … }.first` would call the closure twice for a value with such a key, at each level.
      for value in values {
        if let found = value.keyOfMarkup { return found }
      }
      return nil
    case .dictionary(let entries):
      for (key, value) in entries {
        if let name = key.plainText,
          ["#content", "#comment", "#instruction", "#cdata"].contains(exactly: name)
        {
          return name
        }
        if let found = value.keyOfMarkup { return found }
      }
      return nil
    default: return nil
    }
  }

  /// True for the key of an attribute.
  private var isAttribute: Bool { plainText?.utf8.first == UInt8(ascii: "@") }

  /// The value in the terms of XML: scalars are text, a list of one element is that element, and empty collections are empty
  /// texts or missing.
  var asElements: Value {
    switch self {
    case .array(let values):
      return values.count == 1 ? values[0].asElements : .array(values.map(\.asElements))
    case .dictionary(let entries):
      // Attributes, elements and text have an order of their own.
      var shown = KeyedValues()
      for (key, value) in entries.sorted(by: { ($0.key.plainText ?? "") < ($1.key.plainText ?? "") }) {
        if case .array(let values) = value, values.isEmpty { continue }
        shown[key] = value.asElements
      }
      // An element with text alone is its text.
      if shown["#text"] == .string("") { shown["#text"] = nil }
      if shown.count == 1, let text = shown["#text"] { return text }
      return shown.isEmpty ? .string("") : .dictionary(shown)
    case .null: return .string("")
    default: return plainText.map { .string($0) } ?? self
    }
  }
}
