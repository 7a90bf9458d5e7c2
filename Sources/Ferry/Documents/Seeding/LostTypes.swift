/// The paths at which the records of a document have values that the format of other data has no type for.
///
///     document in JSON    [{"id": 2, "n": "x"}]
///     data in CSV         id,n                         "3" would be a text among the numbers: numbers become text
///                         3,y                          "y" is a text among texts
struct LostTypes {
  /// The values at a path in all records. The elements of a list have one path.
  private struct Node {
    /// The losses that the format makes of the values, in the order in which they were found.
    var losses: [Loss.Kind] = []
    /// True if some of the values are text.
    var hasText = false
    var entries: [Value: Int] = [:]
    var elements: Int?
  }

  private let capabilities: FormatCapabilities
  private let dialect: RecordDialect
  private var nodes = [Node()]

  /// Collects the paths in records.
  ///
  /// - Parameter shape: The shape of the other data.
  init(of records: [Value], in shape: RecordShape) {
    (capabilities, dialect) = (shape.capabilities, shape.dialect)
    guard !capabilities.isSuperset(of: [.numbers, .notFinite, .dates, .data]) || dialect.nestsAsText else {
      return
    }
    for record in records { add(record, to: 0) }
  }

  /// True if the format has a type for each value.
  var isEmpty: Bool { nodes.allSatisfy(\.losses.isEmpty) }

  // MARK: Collecting

  private mutating func add(_ value: Value, to node: Int) {
    if let loss = loss(of: value), !nodes[node].losses.contains(loss) { nodes[node].losses.append(loss) }
    switch value {
    case .string, .unpairedString: nodes[node].hasText = true
    case .array(let values), .set(let values):
      for value in values { add(value, to: elements(of: node)) }
    case .dictionary(let entries):
      for (key, value) in entries { add(value, to: entry(key, of: node)) }
    case .object(let object): add(object.content, to: node)
    default: break
    }
  }

  private mutating func elements(of node: Int) -> Int {
    if let elements = nodes[node].elements { return elements }
    nodes[node].elements = nodes.count
    nodes.append(Node())
    return nodes.count - 1
  }

  private mutating func entry(_ key: Value, of node: Int) -> Int {
    if let entry = nodes[node].entries[key] { return entry }
    nodes[node].entries[key] = nodes.count
    nodes.append(Node())
    return nodes.count - 1
  }

  /// Returns what becomes of a value in the format, or nil if it keeps its type.
  private func loss(of value: Value) -> Loss.Kind? {
    switch value {
    case .integer, .number: capabilities.contains(.numbers) ? nil : .numberAsText
    case .real(let number): loss(ofReal: number)
    case .single(let number): loss(ofReal: Double(number))
    case .boolean where !capabilities.contains(.numbers): .booleanAsText
    case .boolean: dialect.booleansAreIntegers ? .booleanAsInteger : nil
    case .date: capabilities.isDisjoint(with: [.dates, .wholeDates]) ? .dateAsText : nil
    case .data: capabilities.contains(.data) ? nil : .dataAsText
    case .array, .set, .dictionary: dialect.nestsAsText ? .nestedAsText : nil
    default: nil
    }
  }

  private func loss(ofReal number: Double) -> Loss.Kind? {
    guard capabilities.contains(.numbers) else { return .numberAsText }
    return number.isFinite || capabilities.contains(.notFinite) ? nil : .notFinite
  }

  // MARK: Comparing

  /// Returns the first value of a new record that may have lost its type, with its path in the record and the loss.
  ///
  /// - Parameter isChecked: Returns true for the keys of the record whose values are compared.
  func change(in record: Value, under isChecked: (String) -> Bool) -> Loss? {
    let content = if case .object(let object) = record { object.content } else { record }
    guard case .dictionary(let entries) = content else { return nil }
    for (key, value) in entries {
      guard let name = key.stringValue, isChecked(name), let change = change(of: value, under: key, at: 0)
      else { continue }
      return change
    }
    return nil
  }

  private func change(of value: Value, under key: Value, at node: Int) -> Loss? {
    guard let entry = nodes[node].entries[key], let change = change(in: value, at: entry) else { return nil }
    return change.placed(under: .key(key.pathText ?? key.words))
  }

  private func change(in value: Value, at node: Int) -> Loss? {
    let hasText = nodes[node].hasText
    if let loss = nodes[node].losses.first(where: { Self.may(value, be: $0, besideText: hasText) }) {
      return Loss(loss)
    }
    switch value {
    case .array(let values), .set(let values):
      guard let elements = nodes[node].elements else { return nil }
      for (index, value) in values.enumerated() {
        if let change = change(in: value, at: elements) { return change.placed(under: .index(index)) }
      }
    case .dictionary(let entries):
      for (key, value) in entries {
        if let change = change(of: value, under: key, at: node) { return change }
      }
    case .object(let object): return change(in: object.content, at: node)
    default: break
    }
    return nil
  }

  /// Returns true if a value may be what a loss has made of one of another type. Beside texts, a text is one of them unless it reads like a
  /// value of that type.
  private static func may(_ value: Value, be loss: Loss.Kind, besideText: Bool) -> Bool {
    if loss == .booleanAsInteger { return value == .integer(0) || value == .integer(1) }
    guard case .string(let text) = value else { return false }
    if loss == .notFinite {
      return [Double.nan, .infinity, -.infinity].map(\.javaScriptNotation).contains(exactly: text)
    }
    guard besideText else { return true }
    return switch loss {
    case .numberAsText: DecimalDigits(text.trimmed) != nil
    case .booleanAsText: Bool(text: text) != nil
    case .dateAsText: ISODate.seconds(text.trimmed) != nil
    case .dataAsText: Base64.decode(text.utf8.span) != nil
    default: text.begins(with: "{") || text.begins(with: "[")
    }
  }
}

extension Loss {
  /// Returns the loss with a step added before its path.
  fileprivate func placed(under step: ValuePath.Step) -> Loss {
    Loss(kind, path: ValuePath([step] + path.steps))
  }
}
