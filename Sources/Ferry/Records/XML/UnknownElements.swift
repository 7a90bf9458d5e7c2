/// A delegate of a record's elements that its schema does not declare. It reads them with their contents by
/// the XML convention: attributes are `@name`, text beside them is `#text`, and elements with one name are a
/// list.
///
///     <phone kind="home">1</phone><phone kind="work">2</phone>
///     {"phone": [{"@kind": "home", "#text": "1"}, {"@kind": "work", "#text": "2"}]}
final class UnknownElements: ElementDelegate {
  private struct Open {
    let name: String
    var entries = Entries()
    var text: [UInt8] = []
  }

  /// The values of an element's children, in the order of their first occurrence.
  struct Entries {
    private(set) var names: [String] = []
    private(set) var values: [[Value]] = []
    private var indices: [ExactString: Int] = [:]
    private(set) var isScattered = false

    mutating func add(_ value: Value, named name: String) {
      guard let index = indices[name] else {
        indices[name] = names.count
        names.append(name)
        return values.append([value])
      }
      if index + 1 < names.count { isScattered = true }
      values[index].append(value)
    }

    var isEmpty: Bool { names.isEmpty }

    /// Calls a function with each name and its value, which is a list if there are several.
    func forEach(_ body: (String, Value) throws(Failure) -> Void) throws(Failure) {
      for (name, values) in zip(names, values) {
        try body(name, values.count == 1 ? values[0] : .array(values))
      }
    }
  }

  /// The completed outermost elements.
  private(set) var entries = Entries()
  private var open: [Open] = []
  private let losses: LossReport

  /// The greatest depth of an element, whatever the budget, because its value is built recursively.
  private static let deepest = 512

  init(losses: LossReport) { self.losses = losses }

  /// Removes all elements before another record.
  func removeAll() {
    if !entries.isEmpty { entries = Entries() }
    open.removeAll()
  }

  override func delegate(for child: borrowing XMLElement) throws(Failure) -> ElementDelegate? { self }

  override func didStart(_ element: borrowing XMLElement) throws(Failure) {
    guard open.count < Self.deepest else {
      throw Failure(.overBudget(.depth(Self.deepest)), at: element.position)
    }
    if element.declarationCount > 0 { losses.add(.namespace) }
    var opened = Open(name: element.name.local)
    for index in 0..<element.attributeCount {
      let value = String(element.attributeValue(index))
      opened.entries.add(.string(value), named: "@\(element.attributeName(index).local)")
    }
    open.append(opened)
  }

  override func text(_ text: Text) throws(Failure) {
    guard let last = open.indices.last else { return }
    open[last].text.append(copying: text.utf8)
  }

  override func didEnd() throws(Failure) {
    guard let element = open.popLast() else { return }
    let value = try value(of: element)
    if let parent = open.indices.last {
      open[parent].entries.add(value, named: element.name)
    } else {
      entries.add(value, named: element.name)
    }
  }

  private func value(of element: Open) throws(Failure) -> Value {
    let text = String(decoding: element.text, as: UTF8.self)
    guard !element.entries.isEmpty else { return .string(text) }
    var entries = KeyedValues()
    try element.entries.forEach { name, value throws(Failure) in entries[name] = value }
    if element.entries.isScattered { losses.add(.siblingOrder) }
    if !Text(element.text.span).isBlank {
      if element.entries.names.contains(where: { !$0.hasPrefix("@") }) { losses.add(.mixedContent) }
      entries["#text"] = .string(text)
    }
    return .dictionary(entries)
  }
}
