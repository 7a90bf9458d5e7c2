/// The list in a value to decode.
struct CodedList {
  let elements: [Value]
  /// The value that is the list, which the decoded one may contain.
  private let value: CodedValue
  /// True if the elements have steps in the file; false if one value is a list of one.
  private let isListed: Bool
  /// The role of the elements in the file.
  private let role: CodedValue.Role
  /// The types that have taken the value as a list of one or as an element before.
  private let leafTypes: [ObjectIdentifier]

  fileprivate init(
    _ elements: [Value], _ value: CodedValue, _ role: CodedValue.Role, _ leafTypes: [ObjectIdentifier]
  ) {
    (self.elements, self.value, self.role, self.leafTypes) = (elements, value, role, leafTypes)
    isListed = value.content.isListed
  }

  /// Returns an element to decode.
  ///
  /// - Parameter type: The type that has asked for the list; nil if it is not known.
  func element(_ element: Value, at index: Int, for type: (any Any.Type)? = nil) -> CodedValue {
    let key = ValueKey(intValue: index)
    guard !isListed else { return value.part(element, key, at: .index(index), role) }
    return value.part(
      element, key, at: nil, value.role == .text ? .text : role,
      leafTypes: leafTypes + (type.map { [ObjectIdentifier($0)] } ?? []))
  }
}

extension ValueDecoding {
  /// Returns the list in a value; nil if it has none.
  func list(in coded: CodedValue) throws(DecodingError) -> CodedList? {
    guard let found = coded.list else { return nil }
    let cell = try collection(in: found)
    let list = cell.map(found.made) ?? found
    let role: CodedValue.Role = coded.role == .rows ? .row : .value
    guard !isEmptyText(list) else { return CodedList([], list, role, coded.leafTypes) }
    return list.content.elements(isText: isText && cell == nil)
      .map { CodedList($0, list, role, coded.leafTypes) }
  }

  /// Decodes an element of a list.
  func decodeElement<T: Decodable>(_ type: T.Type, _ element: CodedValue) throws -> T {
    do {
      return try decode(type, element)
    } catch let error as DecodingError {
      // An empty element is nil for an optional type that has no such value, as it is under a key.
      guard isText, type is any OptionalType.Type, element.content == .string(""), !error.isOverBudget else {
        throw error
      }
      return try decode(type, element.with(.null))
    }
  }
}

extension CodedValue {
  /// The list in a value: the records of a file, the only cell of a row, the children of one name in a document's root element, or
  /// the value itself; nil for a root element with children of several names.
  fileprivate var list: CodedValue? {
    switch role {
    case .records, .rows: return CodedValue(value)
    case .row:
      guard let (step, value) = onlyCell, case .key = step else { return self }
      return with(value, at: step)
    case .value, .document, .text: break
    }
    guard let element = rootElement else { return self }
    switch element.content {
    case .string(""): return with([])
    case .dictionary(let entries):
      let children = entries.contents.map { entries.grouped($0) } ?? entries
      let names = children.elementNames
      guard names.count <= 1 else { return nil }
      guard let name = names.first, let list = children[name] else { return with([]) }
      return entries.contents == nil ? with(list, at: .key(name)) : made(list)
    default: return self
    }
  }
}
