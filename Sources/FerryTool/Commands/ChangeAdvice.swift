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
    switch problem {
    case .exists(key):
      let end = change.path.appending(.end)
      switch room(beside: error.path.appending(.key(key)), in: file) {
      case .list:
        return "the key \(MessageText.quoted(key)) already holds a list (write \(end) to add to its end)"
      case .element where !change.path.namesSeveral:
        return
          "the key \(MessageText.quoted(key)) already exists (use set to change its value; write \(end) to add another)"
      default: return nil
      }
    case .noKey(key, _, _) where error.path.steps.count == change.path.steps.count - 1:
      guard let name = summary(at: error.path, in: file)?.className else { return nil }
      return "\(problem); set --insert adds no key to an object of the class \(MessageText.name(name)) "
        + "(ferry insert does)"
    case .noStep where error.path == change.path.parent && file.mayBecomeList(at: error.path):
      // The key is a position, and an element beside this one makes a list of both.
      let (before, after) = (error.path.appending(.index(0)), error.path.appending(.end))
      return "\(problem) (write \(before) for an element before it, \(after) for one after it)"
    default: return nil
    }
  }

  private static func summary(at path: ValuePath, in file: EditableFile) -> ValueSummary? {
    (try? file.summaries(at: [path]))?.first
  }

  /// A place for one more value with a key that exists.
  private enum Room { case list, element }

  /// Returns the place for one more value with the key at the end of a path. An existing key with a list suggests that the value was meant as a
  /// new element of it, and elements of XML may have one name. Returns nil if there is no place.
  private static func room(beside path: ValuePath, in file: EditableFile) -> Room? {
    if summary(at: path, in: file)?.kind == .array { return .list }
    return file.mayHaveOther(beside: path) ? .element : nil
  }

  /// Calls a function that moves or copies values, and returns its result. Adds advice to the error that the new key of a single value exists.
  static func advising<Result>(
    on transfer: TransferOptions, in file: EditableFile, _ make: () throws(FerryError) -> Result
  ) throws(FerryError) -> Result {
    do throws(FerryError) { return try make() } catch {
      guard case .path(.exists(let key)) = error.reason, !namesSeveral(transfer.path, in: file) else {
        throw error
      }
      let path = error.path.appending(.key(key))
      let end = path.appending(.end)
      let advice =
        switch room(beside: path, in: file) {
        case .list: "\(end) is the end of its list"
        case .element: "\(end) is another element of this name"
        case nil: throw error
        }
      let words =
        "the key \(MessageText.quoted(key)) already exists (--replace replaces its value; \(advice))"
      throw FerryError(.path(.cannotInsert(words)), at: error.location, path: error.path)
    }
  }

  /// Returns true if an argument may select several values, which move or are copied only to other keys beside them.
  private static func namesSeveral(_ argument: PathArgument, in file: EditableFile) -> Bool {
    if let selected = try? file.values(selectedBy: argument, for: .transfer) { return selected.count > 1 }
    return (try? argument.pathInAnyFormat().namesSeveral) ?? true
  }
}
