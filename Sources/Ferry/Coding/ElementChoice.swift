/// A type whose values are elements of several names in XML: an enum with a case for each of them.
///
///     enum Part: Decodable, ElementChoice {
///       case int(Int)
///       case string(String)
///
///       enum IntCodingKeys: String, CodingKey { case _0 = "" }
///       enum StringCodingKeys: String, CodingKey { case _0 = "" }
///     }
///     // <parts><int>1</int><string>two</string><int>3</int></parts>
///     var decoder = FerryDecoder()
///     decoder.reading.xml.order = .needed
///     let parts = try decoder.decode([Part].self, from: bytes)
///
/// An array of the type is decoded from all child elements of an element, in their order. Each is a dictionary with the element's name
/// as its key, and text between them has the key `#text`, which is also the empty key. Without the option for the order, elements of
/// several names are refused if one of the names occurs more than once. Other formats have a list of such dictionaries.
///
/// Beside attributes, the array has the coding key `#content`, or the empty key. If the type is also `Encodable`, its arrays are written as they are
/// read: an array without a key, or with another key, as the contents of an element.
public protocol ElementChoice: Decodable {}

extension Array: ElementChoices where Element: ElementChoice {}

extension Value {
  /// Returns the children of an element, each as a dictionary with its name, or nil if their order is not known.
  ///
  /// - Parameter isOrdered: True if children were read as `#content` where their names alone do not tell their order.
  func children(isOrdered: Bool) -> [Value]? {
    if case .string(let text) = self, text.trimmed.isEmpty { return [] }
    return contents(isOrdered: isOrdered)?.map { $0.isCollection ? $0 : ["#text": $0] }
  }

  /// Returns the contents of an element: each child as a dictionary with its name, and each text; nil if their order is not known.
  ///
  /// - Parameter isOrdered: True if children were read as `#content` where their names alone do not tell their order.
  func contents(isOrdered: Bool) -> [Value]? {
    switch self {
    case .null, .string(""): return []
    case .string: return [self]
    case .dictionary(let entries):
      if let contents = entries.contents { return contents }
      let children = entries.filter { key, _ in key.plainText.map { !$0.begins(with: "@") } ?? false }
      let isKnown =
        isOrdered || children.count < 2 || !children.contains { $0.value.isListed || $0.key == "#text" }
      guard isKnown else { return nil }
      return children.flatMap { name, value in
        name == "#text" ? [value] : (value.listElements ?? [value]).map { .dictionary(KeyedValues(name, $0)) }
      }
    default: return nil
    }
  }
}

extension KeyedValues {
  fileprivate init(_ key: Value, _ value: Value) {
    self.init(minimumCapacity: 1)
    self[key] = value
  }

  /// The contents of an element in their order; nil if the children are put together by name.
  var contents: [Value]? {
    guard case .array(let contents)? = self["#content"] else { return nil }
    return contents
  }

  /// The entries of an element whose contents are in their order, with the children put together by name, and the text put together.
  func grouped(_ contents: [Value]) -> KeyedValues {
    var grouped = KeyedValues(minimumCapacity: count)
    for (key, value) in self where key != "#content" { grouped[key] = value }
    var text = ""
    var lists: [Value: [Value]] = [:]
    for content in contents {
      if case .string(let piece) = content { text += piece }
      guard case .dictionary(let child) = content else { continue }
      for (key, value) in child {
        lists[key, default: []].append(value)
        grouped[key] = .null
      }
    }
    for (key, list) in lists { grouped[key] = list.count == 1 ? list[0] : .array(list) }
    if !text.isEmpty { grouped["#text"] = .string(text) }
    return grouped
  }
}
