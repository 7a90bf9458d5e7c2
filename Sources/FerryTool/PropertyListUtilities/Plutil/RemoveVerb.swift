/// `plutil -remove`: removes a value from property lists.
struct RemoveVerb: PlutilVerb {
  let options: PlutilOptions
  private let keyPath: PlutilKeyPath

  init(_ arguments: inout PlutilArguments) throws(PlutilError) {
    keyPath = PlutilKeyPath(parsing: try arguments.next(or: "'Remove' requires a key path."))
    options = try PlutilOptions(arguments.rest)
  }

  func process(_ file: String) throws(PlutilError) {
    try rewrite(file) { root throws(PlutilError) in try keyPath.remove(from: &root) }
  }
}
