/// The shared objects of a value, while several changes make an archive have the value.
///
///     insert {name: "Eve", group: → #3}, insert {name: "Joe", group: → #3}
///
/// A reference in a new value means an object of the archive, or an object that the first change with such a
/// reference adds to the archive.
final class EditedObjects {
  private let objects: [Int: ObjectValue]
  /// The number in the archive of each object that the archive has.
  private(set) var numbers: [Int: ObjectNumber]
  private var kept: Set<ObjectNumber>
  private var placeholders: [ObjectClass: ObjectNumber] = [:]
  /// The beginning of the names of placeholder classes, which no class of a file has.
  private let mark = "\0\(SystemPath.unique)-"

  init(_ objects: [Int: ObjectValue], numbers: [Int: ObjectNumber]) {
    (self.objects, self.numbers, kept) = (objects, numbers, Set(numbers.values))
  }

  /// Returns true if the value has an object of the archive, which therefore must not be replaced by another.
  func keeps(_ number: ObjectNumber) -> Bool { kept.contains(number) }

  /// Records the number of an object that was added to the archive.
  func add(_ identity: Int, _ number: ObjectNumber) {
    numbers[identity] = number
    kept.insert(number)
  }

  // MARK: Values for import

  /// Returns a value whose references to objects of the archive are replaced by objects of placeholder classes, and
  /// other references by the objects. References below `levels` stay, and cannot be imported.
  func expanded(_ value: Value) -> Value {
    var begun: Set<Int> = []
    return expanded(value, &begun, depth: 0)
  }

  /// The maximum depth of a value, because expanding it recurses on the stack of any thread.
  private static let levels = 1000

  private func expanded(_ value: Value, _ begun: inout Set<Int>, depth: Int) -> Value {
    guard case .reference(let identity) = value else {
      return value.mappingParts { expanded($0, &begun, depth: depth + 1) }
    }
    if let number = numbers[identity] {
      return .object(ObjectValue(placeholder(for: number), content: .dictionary(KeyedValues())))
    }
    guard depth < Self.levels, let object = objects[identity], begun.insert(identity).inserted else {
      return value
    }
    let content = expanded(object.content, &begun, depth: depth + 1)
    return .object(ObjectValue(object.type, identity: identity, content: content))
  }

  /// Returns the number of the object that a placeholder class represents, or nil for other classes.
  func number(representedBy type: ObjectClass) -> ObjectNumber? { placeholders[type] }

  private func placeholder(for number: ObjectNumber) -> ObjectClass {
    let type = ObjectClass("\(mark)\(number.index)")
    placeholders[type] = number
    return type
  }
}
