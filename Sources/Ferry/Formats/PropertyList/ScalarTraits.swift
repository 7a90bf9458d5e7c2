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
}
