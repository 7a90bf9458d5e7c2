/// A value to decode, with its place among the values around it.
struct CodedValue {
  let value: Value
  /// The key of the value; nil for the outermost one, and for one that is decoded again as another type.
  let key: (any CodingKey)?
  private let parent: Parent?
  let depth: Int
  /// True for the value of a document of elements, a dictionary with the root element.
  let isDocument: Bool

  private final class Parent {
    let value: CodedValue
    init(_ value: CodedValue) { self.value = value }
  }

  init(_ value: Value, isDocument: Bool = false) {
    (self.value, self.isDocument) = (value, isDocument)
    (key, parent, depth) = (nil, nil, 0)
  }

  private init(_ value: Value, key: (any CodingKey)?, in parent: CodedValue) {
    (self.value, self.key) = (value, key)
    (self.parent, depth, isDocument) = (Parent(parent), parent.depth + 1, false)
  }

  /// Returns a part of the value.
  func part(_ value: Value, _ key: any CodingKey) -> CodedValue { CodedValue(value, key: key, in: self) }

  /// Returns the same place with another value.
  func with(_ value: Value) -> CodedValue { CodedValue(value, key: nil, in: self) }

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var next: CodedValue? = self
    while let value = next {
      if let key = value.key { path.append(key) }
      next = value.parent?.value
    }
    return path.reversed()
  }
}

/// A key of a dictionary, or the index of an element.
struct ValueKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}
