/// The list in a value to decode.
struct CodedList {
  let elements: [Value]
  /// The value that is the list, which the decoded one may contain.
  private let value: CodedValue
  /// True if the elements have steps in the file; false if one value is a list of one.
  private let isListed: Bool
  /// The role of the elements in the file.
  private let role: CodedValue.Role

  fileprivate init(_ elements: [Value], _ value: CodedValue, _ role: CodedValue.Role) {
    (self.elements, self.value, self.role) = (elements, value, role)
    isListed = value.content.isListed
  }

  /// Returns an element to decode.
  func element(_ element: Value, at index: Int) -> CodedValue {
    value.part(element, ValueKey(intValue: index), at: isListed ? .index(index) : nil, role)
  }
}

extension ValueDecoding {
  /// Returns the list in a value; nil if it has none.
  func list(in coded: CodedValue) throws(DecodingError) -> CodedList? {
    guard let found = coded.list else { return nil }
    let cell = try collection(in: found)
    let list = cell.map(found.made) ?? found
    let role: CodedValue.Role = coded.role == .rows ? .row : .value
    guard !isEmptyText(list) else { return CodedList([], list, role) }
    return list.content.elements(isText: isText && cell == nil).map { CodedList($0, list, role) }
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
    case .value, .document: break
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
