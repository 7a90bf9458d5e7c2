extension EditableFile {
  /// Returns true if the new value at a path is a text in a format that could have a value of another type there. False for an element
  /// beside another one whose type it got, which is not null.
  ///
  /// - Parameters:
  ///   - path: The path of the new value, of which the last step may be after the end of a list.
  ///   - type: The other type.
  package func isFirstText(at path: ValuePath, withType type: TextType) throws(FerryError) -> Bool {
    var path = path
    switch path.steps.last {
    case .key: break
    case .end, .index:
      let list = path.parent
      if try hasOneElement(list) {
        path = list.appending(.index(0))
      } else {
        guard let (new, neighbor) = path.steps.last.flatMap(Self.indices),
          try summaries(at: [list.appending(.index(neighbor))]).first?.kind == .null
        else { return false }
        path = list.appending(.index(new))
      }
    default: return false
    }
    return try isText(at: path, insteadOf: type)
  }

  /// Returns true if every list at a path has one element.
  private func hasOneElement(_ path: ValuePath) throws(FerryError) -> Bool {
    // A summary would read all elements, which may be as many as the values that are added one by one.
    for match in try matches(of: path).matches {
      guard try match.file.walker.parts(of: match.location).count == 1 else { return false }
    }
    return true
  }

  /// Returns the index of a new element that has others beside it, and of the one whose type it gets. Returns nil for a step with an index
  /// from the end of the list.
  private static func indices(of step: ValuePath.Step) -> (new: Int, neighbor: Int)? {
    switch step {
    case .end: (-1, -2)
    case .index(0): (0, 1)
    case .index(let index) where index > 0: (index, index - 1)
    default: nil
    }
  }

  /// Returns true if the first value at a path is a text in a format that could have a value of another type in its place.
  package func isText(at path: ValuePath, insteadOf type: TextType) throws(FerryError) -> Bool {
    guard let match = try matches(of: path).matches.first, try summaries(at: [path]).first?.kind == .string
    else { return false }
    let format = match.file.format
    let capabilities = format.capabilities
    let isOfElements = format.isOfElements
    if isOfElements, try !match.file.hasElementTypes() { return false }
    switch type {
    case .date: return !isOfElements && (capabilities.contains(.dates) || capabilities.contains(.wholeDates))
    case .typed, .propertyList: return !isOfElements && capabilities.contains(.numbers)
    case .null: return isOfElements || capabilities.isSuperset(of: [.numbers, .nulls])
    default: return isOfElements || capabilities.contains(.numbers)
    }
  }
}
