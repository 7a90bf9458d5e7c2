/// The properties of a scalar on which the rule for its sharing depends.
struct ScalarTraits: OptionSet {
  let rawValue: UInt8
  /// The properties have been found.
  static let known = ScalarTraits(rawValue: 1)
  /// As a key, a string is a constant of the program.
  static let constantKey = ScalarTraits(rawValue: 2)
  /// Equal values are identical objects.
  static let shared = ScalarTraits(rawValue: 4)
  /// A string fits in a tagged pointer.
  static let short = ScalarTraits(rawValue: 8)
  /// The scalar is a string.
  static let string = ScalarTraits(rawValue: 16)
  /// The node has an object of its own. This and the next are properties of the node, and not of its value.
  static let ownObject = ScalarTraits(rawValue: 32)
  /// No node before has an equal value.
  static let firstOfValue = ScalarTraits(rawValue: 64)

  /// The traits by the rule for the objects of an archive. Only short strings are shared there.
  var ofObject: ScalarTraits {
    let traits = subtracting([.ownObject, .firstOfValue])
    guard traits.contains(.string) else { return traits }
    return traits.contains(.short) ? traits.union(.shared) : traits.subtracting(.shared)
  }
}
