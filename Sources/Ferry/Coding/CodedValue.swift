/// A value to decode, with its path. A class, because each part refers to the value around it.
final class CodedValue {
  let value: Value
  /// The key of the value; nil for the outermost one, unless it is an element of a list, and for one that is decoded again
  /// as another type.
  let key: (any CodingKey)?
  /// The step from the value around it in the file; nil if it is the same value there.
  private let step: ValuePath.Step?
  /// False for a value that is made of a text in the file, whose parts have no source location of their own.
  let isInFile: Bool
  /// The value around it; nil for the outermost one.
  let parent: CodedValue?
  let depth: Int
  /// The role of the value in its file.
  let role: Role
  /// The types that have taken the value as a list of one or as an element, and asked for its only part, which is the value again.
  let leafTypes: [ObjectIdentifier]

  /// A role of a value in a file.
  enum Role {
    /// A part of another value, or the value of a file without documents, records and rows.
    case value
    /// The value of a document of elements, a dictionary with the root element.
    case document
    /// The value of a file that is a list of records. A single record is also a value of its own.
    case records
    /// The value of a table, a list of rows. A single row is also a value of its own.
    case rows
    /// A row of a table. If it has one cell, it is also the value of the cell.
    case row
    /// The text of an element, which is not a dictionary.
    case text
  }

  /// Creates an outermost value.
  ///
  /// - Parameter index: The index of a value in a list whose other elements are decoded on their own.
  init(_ value: Value, _ role: Role = .value, index: Int? = nil) {
    (self.value, self.role) = (value, role)
    (key, step, isInFile, parent, depth) = (index.map(ValueKey.init), nil, true, nil, 0)
    leafTypes = []
  }

  /// - Parameter isDeeper: False for another form of the same value, which is not a level of its own, nor is it one in the encoder.
  private init(
    _ value: Value, key: (any CodingKey)?, _ step: ValuePath.Step?, in parent: CodedValue,
    _ role: Role = .value, isInFile: Bool = true, isDeeper: Bool = true, leafTypes: [ObjectIdentifier] = []
  ) {
    (self.value, self.key, self.leafTypes) = (value, key, leafTypes)
    (self.step, self.isInFile) = (parent.isInFile ? step : nil, parent.isInFile && isInFile)
    (self.parent, depth, self.role) = (parent, parent.depth + (isDeeper ? 1 : 0), role)
  }

  /// Returns a part of the value.
  ///
  /// - Parameters:
  ///   - value: The part.
  ///   - key: The key by which the type asks for it.
  ///   - step: The step to it in the file, where a key may have another name; nil if it is not in the file, or the value itself.
  ///   - role: The role of the part in the file.
  ///   - isInFile: False for a part that is made of others, which have no source locations of their own.
  ///   - leafTypes: The types that have taken the part as a list of one or as an element, if it is the value again.
  func part(
    _ value: Value, _ key: any CodingKey, at step: ValuePath.Step?, _ role: Role = .value,
    isInFile: Bool = true, leafTypes: [ObjectIdentifier] = []
  ) -> CodedValue {
    CodedValue(value, key: key, step, in: self, role, isInFile: isInFile, leafTypes: leafTypes)
  }

  /// Returns another value for the same key, to which a step in the file leads, if there is one.
  func with(_ value: Value, at step: ValuePath.Step? = nil) -> CodedValue {
    CodedValue(value, key: nil, step, in: self, isDeeper: false)
  }

  /// Returns a value that is made of the text in the file, such as the JSON in a cell.
  func made(_ value: Value) -> CodedValue {
    CodedValue(value, key: nil, nil, in: self, isInFile: false, isDeeper: false)
  }

  /// Returns the same value, to be decoded again as another type.
  func again() -> CodedValue { CodedValue(value, key: nil, nil, in: self, role, leafTypes: leafTypes) }

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var next: CodedValue? = self
    while let value = next {
      if let key = value.key { path.append(key) }
      next = value.parent
    }
    return path.reversed()
  }

  /// The coding path, with the keys that the values have in the file.
  var pathByKeysOfFile: ValuePath {
    var steps: [ValuePath.Step] = []
    var next: CodedValue? = self
    while let value = next {
      if let key = value.key {
        if key.intValue == nil, case .key? = value.step, let step = value.step {
          steps.append(step)
        } else {
          steps += ValuePath([key]).steps
        }
      }
      next = value.parent
    }
    return ValuePath(steps.reversed())
  }

  /// The path of the value in the file. In a document of elements, it begins with the root element, and in a file with a single record,
  /// with the record.
  var filePath: ValuePath {
    var steps: [ValuePath.Step] = []
    var next: CodedValue? = self
    while let value = next {
      if let step = value.step { steps.append(step) }
      if value.parent == nil {
        if let element = value.rootElement { steps.append(.key(element.name)) }
        if value.onlyRecord != nil { steps.append(.index(0)) }
      }
      next = value.parent
    }
    return ValuePath(steps.reversed())
  }
}

/// Elements and records.
extension CodedValue {
  /// The root element of a document of elements, with its content; nil for other values.
  var rootElement: (name: String, content: Value)? {
    guard role == .document, case .dictionary(let entries) = value, entries.count == 1,
      let entry = entries.first,
      case .string(let name) = entry.key
    else { return nil }
    return (name, entry.value)
  }

  /// The only record of a file that is a list of records; nil for other values.
  var onlyRecord: Value? {
    guard role == .records || role == .rows, let records = value.listElements, records.count == 1 else {
      return nil
    }
    return records[0]
  }

  /// The value, without an object's class, a document's root element and the list around a single record.
  var content: Value { (onlyRecord ?? rootElement?.content ?? value).scalar }

  /// The only cell of a row, with the step to it; nil for other values.
  var onlyCell: (step: ValuePath.Step, value: Value)? {
    guard role == .row || role == .rows else { return nil }
    switch content {
    case .dictionary(let entries) where entries.count == 1:
      guard case .string(let name) = entries[0].key else { return nil }
      return (.key(name), entries[0].value)
    // A row of a table without the names of columns.
    case .array(let cells) where cells.count == 1: return (.index(0), cells[0])
    default: return nil
    }
  }

  /// True for a row of a table, and a table with a single row.
  var isRow: Bool { role == .row || role == .rows && onlyRecord != nil }

  /// Returns true for an empty cell, which a row has for each key that it lacks.
  func isMissingCell(_ cell: Value) -> Bool { cell == .null && isRow }

  /// True for null, and for a row of a list of values that is null.
  var isNull: Bool {
    guard let (step, value) = onlyCell else { return content == .null }
    switch step {
    case .key(let name): return value.scalar == .null && name.equals(EncodedValueSender.valueColumn)
    default: return value.scalar == .null
    }
  }

  /// The value as a scalar: the text of an element that has attributes, and the only cell of a row, too. The text beside child elements
  /// is a part of the value.
  var text: Value {
    if let onlyCell { return onlyCell.value.scalar }
    guard case .dictionary(let entries) = content else { return content }
    let grouped = entries["#text"] == nil ? entries.contents.map { entries.grouped($0) } : entries
    guard let grouped, let text = grouped["#text"], !grouped.hasElements else {
      return content
    }
    return text.scalar
  }

  /// The value as a text, in a document of elements: empty for an element that has neither text nor child elements.
  var textOfElement: Value {
    let text = text
    guard case .dictionary(let entries) = text, !entries.isEmpty else { return text }
    let grouped = entries.contents.map { entries.grouped($0) } ?? entries
    return grouped.hasElements ? text : .string("")
  }
}

extension KeyedValues {
  /// The names of the child elements of an element, without its attributes, text and comments.
  var elementNames: [String] { compactMap { $0.key.stringValue }.filter(Self.isElementName) }

  /// True if the element has child elements.
  fileprivate var hasElements: Bool { contains { $0.key.stringValue.map(Self.isElementName) ?? true } }

  static func isElementName(_ name: String) -> Bool {
    !name.begins(with: "@") && !name.begins(with: "#")
  }
}

/// A key of a dictionary, or the index of an element.
struct ValueKey: CodingKey {
  private let name: String?
  let intValue: Int?

  var stringValue: String { name ?? intValue.map { "\($0)" } ?? "" }

  init(stringValue: String) { (name, intValue) = (stringValue, nil) }
  init(intValue: Int) { (name, self.intValue) = (nil, intValue) }
}

extension Format {
  /// True for property lists as `PropertyListEncoder` writes them, which have a text for nil.
  var hasNullText: Bool { description.archiveFormat != nil }

  /// The role of the value of a file.
  ///
  /// - Parameter isWrapped: True for a document with types whose root element is not part of the value.
  func roleOfValue(isWrapped: Bool) -> CodedValue.Role {
    if recordDialect.hasElements { return isWrapped ? .value : .document }
    if description.shape == .rows { return .rows }
    return description.isListOfRecords ? .records : .value
  }

  /// The role of a record that is read on its own.
  ///
  /// - Parameters:
  ///   - isListed: False for a document that is a single record.
  ///   - isWrapped: True for a document with types whose root element is not part of the value.
  func roleOfRecord(isListed: Bool, isWrapped: Bool) -> CodedValue.Role {
    if description.shape == .rows { return .row }
    return !isListed && !isWrapped && recordDialect.hasElements ? .document : .value
  }
}
