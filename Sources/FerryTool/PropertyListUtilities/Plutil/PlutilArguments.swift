/// The arguments that a verb has not read yet.
struct PlutilArguments {
  private(set) var rest: ArraySlice<String>

  init(_ arguments: ArraySlice<String>) { rest = arguments }

  /// Returns the next argument. Throws a message if there is none.
  mutating func next(or message: String) throws(PlutilError) -> String {
    guard let argument = rest.popFirst() else { throw PlutilError(message) }
    return argument
  }

  /// Reads a flag, if it is the next argument. Returns true if it is.
  mutating func take(_ flag: String) -> Bool {
    guard rest.first == flag else { return false }
    rest.removeFirst()
    return true
  }

  /// Reads the type after `-expect`, if that is the next argument.
  mutating func takeExpectedType() throws(PlutilError) -> PlutilType? {
    guard take("-expect") else { return nil }
    let name = try next(or: "-expect requires a type argument.")
    guard let type = PlutilType(rawValue: name) else {
      throw PlutilError("-expect type [\(name)] not valid.")
    }
    return type
  }
}
