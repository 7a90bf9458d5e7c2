/// The values of the documents in the data of one version, as `convert --expand` writes them in the format of the comparison.
///
///     {d: <7 bytes>, n: 1}  and  {d: {x: 1}, n: 1}     ▸     values[<7 bytes>] is {x: 1}
struct DataExpansion {
  /// The value of each document, by the bytes of the data.
  private(set) var values: [[UInt8]: Value] = [:]
  /// For each document that is a collection, a hash of its content, by which an equal value of another version is found.
  private(set) var likenesses: [[UInt8]: Int] = [:]
  /// For each of these documents, the features by which a similar value of another version is found.
  private(set) var features: [[UInt8]: ElementFeatures] = [:]
  /// True if the format has no data: the version has data only where the format has the text of a document in Base64.
  private(set) var isOfTexts = false
  /// The error of a document that exceeds the budget, so that there are no values.
  private(set) var failure: FerryError?

  /// Creates an expansion without values.
  init(failure: FerryError? = nil) { self.failure = failure }

  /// Finds the documents.
  ///
  /// - Parameters:
  ///   - closed: The version with its data. If the format has no data, the texts of documents become data.
  ///   - opened: The version with the documents in place of their data.
  ///   - texts: The texts of the other version if the format has no data, otherwise nil. Data stays text if the other version has this text.
  ///   - ordersKeys: True if the order of keys matters.
  init(in closed: inout Value, from opened: Value, texts: Set<ExactString>?, ordersKeys: Bool) {
    isOfTexts = texts != nil
    var search = Search(closed: closed, opened: opened, texts: texts)
    if isOfTexts {
      closed = search.withData(closed, opened)
    } else {
      _ = search.withData(search.closed.root, search.opened.root)
    }
    values = search.values
    for (bytes, value) in values where value.isCollectionOrObject {
      let comparable = ComparableValue(value, ordersKeys: ordersKeys)
      likenesses[bytes] = comparable.likeness(of: comparable.root)
      features[bytes] = comparable.features(
        of: comparable.root, withoutObjects: comparable.numbersInCycles)
    }
  }

  /// Returns a value of the version as the format has it.
  func shown(_ value: Value) -> Value {
    guard isOfTexts, !values.isEmpty else { return value }
    guard case .data(let bytes) = value else { return value.mappingParts(shown) }
    return .string(String(decoding: Base64.encode(bytes.span), as: UTF8.self))
  }

  /// A search for the values that differ between a version with data and one with the documents in the data.
  private struct Search {
    let closed, opened: SharedObjects
    let texts: Set<ExactString>?
    var values: [[UInt8]: Value] = [:]
    private var visited: Set<Int> = []

    init(closed: Value, opened: Value, texts: Set<ExactString>?) {
      self.closed = SharedObjects(closed, all: true)
      self.opened = SharedObjects(opened, all: true)
      self.texts = texts
    }

    /// Notes the documents in a part. Returns the part with data in place of the texts of documents.
    mutating func withData(_ part: Value, _ other: Value) -> Value {
      switch (part, other) {
      case (.reference(let number), .reference(let otherNumber)):
        guard visited.insert(number).inserted, let mine = closed.objects[number],
          let others = opened.objects[otherNumber]
        else { return part }
        _ = withData(mine.content, others.content)
        return part
      case (.object(let mine), .object(let others)):
        _ = withData(mine.content, others.content)
        return part
      case (.array(let mine), .array(let others)):
        // XML has a list in data as several elements of one name, in place of the one element with the data.
        if mine.count == 1, others.count != 1, let bytes = document(in: mine[0]) {
          note(bytes, other)
          return .data(bytes)
        }
        return .array(withData(mine, others))
      case (.set(let mine), .set(let others)):
        return .set(withData(mine, others))
      case (.dictionary(var mine), .dictionary(let others)):
        for (key, value) in mine {
          if let other = others[key] { mine[key] = withData(value, other) }
        }
        return .dictionary(mine)
      case (.data(let bytes), _):
        note(bytes, other)
        return part
      case (.string, _):
        guard part != other, let bytes = document(in: part) else { return part }
        note(bytes, other)
        return .data(bytes)
      default: return part
      }
    }

    /// Returns the data whose Base64 a text is, in a format without data. Returns nil for any other value, and for a text that the other
    /// version has, too.
    private func document(in part: Value) -> [UInt8]? {
      guard let texts, case .string(let text) = part, !texts.contains(ExactString(text)) else { return nil }
      return Base64.decode(text.utf8.span)
    }

    private mutating func withData(_ parts: [Value], _ others: [Value]) -> [Value] {
      guard parts.count == others.count else { return parts }
      var result = parts
      for index in parts.indices { result[index] = withData(parts[index], others[index]) }
      return result
    }

    private mutating func note(_ bytes: [UInt8], _ other: Value) {
      guard other != .data(bytes), values[bytes] == nil else { return }
      values[bytes] = opened.whole(other, atMost: .max).value
    }
  }
}

extension Value {
  /// The strings in the value.
  var allTexts: Set<ExactString> {
    var (found, waiting): (Set<ExactString>, [Value]) = ([], [self])
    while let value = waiting.popLast() {
      if case .string(let text) = value { found.insert(ExactString(text)) }
      waiting += value.parts
    }
    return found
  }

  /// True if there is data in the value.
  var containsData: Bool {
    var waiting = [self]
    while let value = waiting.popLast() {
      if case .data = value { return true }
      waiting += value.parts
    }
    return false
  }

  /// The number of data values in the value.
  var dataCount: Int {
    var (count, waiting) = (0, [self])
    while let value = waiting.popLast() {
      if case .data = value { count += 1 }
      waiting += value.parts
    }
    return count
  }
}
