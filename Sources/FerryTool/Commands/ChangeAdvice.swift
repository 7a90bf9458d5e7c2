import Ferry

/// The advice about refused changes that depends on the values of the file.
enum ChangeAdvice {
  /// Calls a function that makes a change, and returns its result. Adds advice to its error.
  static func advising<Result>(
    on change: ChangeOptions.GivenChange, of file: EditableFile,
    _ make: () throws(FerryError) -> Result
  ) throws(FerryError) -> Result {
    do throws(FerryError) { return try make() } catch {
      guard let words = words(for: error, change, file) else { throw error }
      throw FerryError(.path(.cannotInsert(words)), at: error.location, path: error.path)
    }
  }

  private static func words(
    for error: FerryError, _ change: ChangeOptions.GivenChange, _ file: EditableFile
  ) -> String? {
    guard case .path(let problem) = error.reason, case .key(let key)? = change.path.steps.last else {
      return nil
    }
    func summary(at path: ValuePath) -> ValueSummary? { (try? file.summaries(at: [path]))?.first }
    switch problem {
    case .exists(key):
      // An existing key with a list suggests that the value was meant as a new element of it.
      guard summary(at: error.path.appending(.key(key)))?.kind == .array else { return nil }
      let end = change.path.appending(.end)
      return "the key \(MessageText.quoted(key)) already holds a list (write \(end) to add to its end)"
    case .noKey(key, _, _) where error.path.steps.count == change.path.steps.count - 1:
      guard let name = summary(at: error.path)?.className else { return nil }
      return "\(problem); set --insert adds no key to an object of the class \(MessageText.name(name)) "
        + "(ferry insert does)"
    case .noStep where error.path == change.path.parent && file.mayBecomeList(at: error.path):
      // The key is a position, and an element beside this one makes a list of both.
      let (before, after) = (error.path.appending(.index(0)), error.path.appending(.end))
      return "\(problem) (write \(before) for an element before it, \(after) for one after it)"
    default: return nil
    }
  }
}
