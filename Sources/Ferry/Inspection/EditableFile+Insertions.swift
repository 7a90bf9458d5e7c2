extension EditableFile {
  /// Returns true if the new value at a path is a text in a format that could have a value of another type there. False for an element
  /// beside others, whose type it got.
  ///
  /// - Parameters:
  ///   - path: The path of the new value, of which the last step may be after the end of a list.
  ///   - type: The other type.
  package func isFirstText(at path: ValuePath, withType type: TextType) throws(FerryError) -> Bool {
    var path = path
    switch path.steps.last {
    case .key: break
    case .end, .index:
      path.steps.removeLast()
      guard try summaries(at: [path]).allSatisfy({ $0.count == 1 }) else { return false }
      path.steps.append(.index(0))
    default: return false
    }
    guard let match = try matches(of: path).matches.first, try summaries(at: [path]).first?.kind == .string
    else { return false }
    let needed: FormatCapabilities = type == .null ? [.numbers, .nulls] : .numbers
    return match.file.format.capabilities.isSuperset(of: needed)
  }
}
