/// A value to decode, with its path. A class, because each part refers to the value around it.
final class CodedValue {
  let value: Value
  /// The key of the value; nil for the outermost one, unless it is an element of a list, and for one that is decoded again
  /// as another type.
  let key: (any CodingKey)?
  /// The step from the value around it in the file; nil if it is the same value there.
  private let step: ValuePath.Step?
  /// False for a value that is made of a text in the file, whose parts have no source location of their own.
  private let isInFile: Bool
  private let parent: CodedValue?
  let depth: Int
  /// True for the value of a document of elements, a dictionary with the root element.
  let isDocument: Bool

  /// Creates an outermost value.
  ///
  /// - Parameter index: The index of a value in a list whose other elements are decoded on their own.
  init(_ value: Value, isDocument: Bool = false, index: Int? = nil) {
    (self.value, self.isDocument) = (value, isDocument)
    (key, step, isInFile, parent, depth) = (index.map(ValueKey.init), nil, true, nil, 0)
  }

  private init(
    _ value: Value, key: (any CodingKey)?, _ step: ValuePath.Step?, in parent: CodedValue,
    isDocument: Bool = false, isInFile: Bool = true
  ) {
    (self.value, self.key) = (value, key)
    (self.step, self.isInFile) = (parent.isInFile ? step : nil, parent.isInFile && isInFile)
    (self.parent, depth, self.isDocument) = (parent, parent.depth + 1, isDocument)
  }

  /// Returns a part of the value.
  ///
  /// - Parameters:
  ///   - value: The part.
  ///   - key: The key by which the type asks for it.
  ///   - step: The step to it in the file, where a key may have another name; nil if it is not in the file, or the value itself.
  func part(_ value: Value, _ key: any CodingKey, at step: ValuePath.Step?) -> CodedValue {
    CodedValue(value, key: key, step, in: self)
  }

  /// Returns another value for the same key, to which a step in the file leads, if there is one.
  func with(_ value: Value, at step: ValuePath.Step? = nil) -> CodedValue {
    CodedValue(value, key: nil, step, in: self)
  }

  /// Returns a value that is made of the text in the file, such as the JSON in a cell.
  func made(_ value: Value) -> CodedValue { CodedValue(value, key: nil, nil, in: self, isInFile: false) }

  /// Returns the same value, to be decoded again as another type.
  func again() -> CodedValue { CodedValue(value, key: nil, nil, in: self, isDocument: isDocument) }

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var next: CodedValue? = self
    while let value = next {
      if let key = value.key { path.append(key) }
      next = value.parent
    }
    return path.reversed()
  }

  /// The path of the value in the file. In a document of elements, it begins with the root element.
  var filePath: ValuePath {
    var steps: [ValuePath.Step] = []
    var next: CodedValue? = self
    while let value = next {
      if let step = value.step { steps.append(step) }
      if value.parent == nil, let element = value.rootElement { steps.append(.key(element.name)) }
      next = value.parent
    }
    return ValuePath(steps.reversed())
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
