import Ferry

/// The verb of a command of PlistBuddy.
enum PlistBuddyVerb: CaseIterable {
  case help, exit, save, revert, clear, print, set, add, copy, delete, merge, importing, changeContainer

  /// The names. A command begins with one, in upper or lower case. A space, a colon or a quotation mark follows.
  private var names: [String] {
    switch self {
    case .help: ["help", "?"]
    case .exit: ["exit", "quit", "bye"]
    case .save: ["save"]
    case .revert: ["revert"]
    case .clear: ["clear"]
    case .print: ["print", "ls"]
    case .set: ["set", "="]
    case .add: ["add", "+"]
    case .copy: ["copy", "cp"]
    case .delete: ["delete", "remove", "rm", "-"]
    case .merge: ["merge"]
    case .importing: ["import"]
    case .changeContainer: ["cd"]
    }
  }

  /// The name in messages.
  private var name: String {
    switch self {
    case .set: "Set"
    case .add: "Add"
    case .copy: "Copy"
    case .delete: "Delete"
    case .importing: "Import"
    case .changeContainer: "CD"
    default: "Merge"
    }
  }

  /// Runs a command. Returns false for `Exit`.
  static func run(_ text: String, in session: PlistBuddySession) throws(PlistBuddyError) -> Bool {
    let word = text.prefix { !" \t:\"'".contains($0) }
    guard let verb = allCases.first(where: { $0.names.contains(word.lowercased()) }) else {
      throw .said("Unrecognized Command")
    }
    guard verb != .exit else { return false }
    var words = PlistBuddyWords(text.dropFirst(word.count))
    try verb.run(&words, in: session)
    return true
  }

  private func run(_ words: inout PlistBuddyWords, in session: PlistBuddySession) throws(PlistBuddyError) {
    switch self {
    case .help: _ = Plutil.print(PlistBuddy.help)
    case .exit: break
    case .save:
      _ = Plutil.print("Saving...\n")
      session.save()
    case .revert:
      _ = Plutil.print("Reverting to last saved state...\n")
      session.revert()
    case .clear: try clear(&words, in: session)
    case .print: try print(&words, in: session)
    case .set: try set(&words, in: session)
    case .add: try add(&words, in: session)
    case .copy: try copy(&words, in: session)
    case .delete: try delete(&words, in: session)
    case .merge: try merge(&words, in: session)
    case .importing: try importFile(&words, in: session)
    case .changeContainer: try changeContainer(&words, in: session)
    }
  }

  // MARK: Words

  /// Returns the entry that the next word names.
  private func entry(_ words: inout PlistBuddyWords, in session: PlistBuddySession) throws(PlistBuddyError)
    -> PlistBuddyEntry
  {
    guard let text = try words.next() else { throw .said("Entry Required for \(name) Command") }
    return PlistBuddyEntry(text, in: session.container)
  }

  /// Returns the type of the value of an entry, or nil if PlistBuddy has no name for it. Throws if the entry does not exist.
  private func type(of entry: PlistBuddyEntry, in session: PlistBuddySession) throws(PlistBuddyError)
    -> PlistBuddyType?
  {
    guard let value = entry.value(in: session.root) else { throw missing(entry) }
    return PlistBuddyType(of: value)
  }

  private func missing(_ entry: PlistBuddyEntry) -> PlistBuddyError {
    .failed("\(name): Entry, \"\(entry.text)\", Does Not Exist")
  }

  // MARK: Commands

  private func clear(_ words: inout PlistBuddyWords, in session: PlistBuddySession) throws(PlistBuddyError) {
    var type = PlistBuddyType.dict
    if let name = try words.next() {
      type = try PlistBuddyType.named(name)
    } else {
      _ = Plutil.print("Unrecognized Type: \n")
    }
    _ = Plutil.print("Initializing Plist...\n")
    session.container = []
    try session.change { $0 = type.emptyValue }
  }

  private func print(_ words: inout PlistBuddyWords, in session: PlistBuddySession) throws(PlistBuddyError) {
    let entry = PlistBuddyEntry(try words.next() ?? "", in: session.container)
    guard let value = entry.value(in: session.root) else {
      throw .failed("Print: Entry, \"\(entry.text)\", Does Not Exist")
    }
    try session.print(value)
  }

  private func set(_ words: inout PlistBuddyWords, in session: PlistBuddySession) throws(PlistBuddyError) {
    let entry = try entry(&words, in: session)
    guard let type = try type(of: entry, in: session), !type.isContainer else {
      throw .failed("Set: Cannot Perform Set On Containers")
    }
    guard let text = try words.remainder() else { throw .said("Value Required for Set Command") }
    let value = try type.value(text)
    try session.change { entry.set(value, in: &$0) }
  }

  private func add(_ words: inout PlistBuddyWords, in session: PlistBuddySession) throws(PlistBuddyError) {
    let entry = try entry(&words, in: session)
    guard let name = try words.next() else { throw .said("Type Required for Add Command") }
    let type = try PlistBuddyType.named(name)
    // Without a value, it is empty, except for a date.
    let text = try words.remainder()
    let value = if text == nil, type != .date { type.emptyValue } else { try type.value(text ?? "") }
    try session.change { root throws(PlistBuddyError) in try entry.add(value, to: &root, for: "Add") }
  }

  private func copy(_ words: inout PlistBuddyWords, in session: PlistBuddySession) throws(PlistBuddyError) {
    let source = try entry(&words, in: session)
    guard let text = try words.next() else { throw .said("Two Entries Required for Copy Command") }
    guard let value = source.value(in: session.root) else { throw missing(source) }
    let target = PlistBuddyEntry(text, in: session.container)
    try session.change { root throws(PlistBuddyError) in try target.add(value, to: &root, for: "Copy") }
  }

  private func delete(_ words: inout PlistBuddyWords, in session: PlistBuddySession) throws(PlistBuddyError) {
    let entry = try entry(&words, in: session)
    guard try session.delete(entry) else { throw missing(entry) }
    if session.container.starts(with: entry.keys, by: { $0.equals($1) }), !session.container.isEmpty {
      _ = Plutil.print("Working Container has become Invalid.  Setting to :\n")
      session.container = []
    }
  }

  private func merge(_ words: inout PlistBuddyWords, in session: PlistBuddySession) throws(PlistBuddyError) {
    var file = try words.next()
    let isRecursive = file?.lowercased() == "-r"
    if isRecursive { file = try words.next() }
    guard let file else { throw .said("File required for Merge Command") }
    guard Plutil.readsNoOutput([file]) else { throw .failed("Merge: Error Reading File: \(file)") }
    let entry = PlistBuddyEntry(try words.next() ?? "", in: session.container)
    guard try type(of: entry, in: session)?.isContainer == true else {
      throw .failed("Merge: Specified Entry Must Be a Container")
    }
    let source: Value
    do throws(PropertyListFile.Problem) {
      source = try PropertyListFile(path: file).value
    } catch {
      StandardError.write("Error Opening File: \(file) [\(Self.reason(error))]")
      throw .failed("Merge: Error Reading File: \(file)")
    }
    let merge = PlistBuddyMerge(isRecursive: isRecursive)
    let skippedKeys = entry.value(in: session.root).map { merge.skippedKeys(of: source, in: $0) } ?? []
    try session.change { root throws(PlistBuddyError) in
      try entry.change(in: &root) { target throws(PlistBuddyError) in try merge.add(source, to: &target) }
    }
    for key in skippedKeys { _ = Plutil.print("Duplicate Entry Was Skipped: \(key)\n") }
  }

  /// Returns the reason why a file is not read, which begins with a capital letter as the system's messages do.
  private static func reason(_ problem: PropertyListFile.Problem) -> String {
    guard case .unreadable(let error) = problem else { return PlutilError(problem).message }
    return error.message.prefix(1).uppercased() + error.message.dropFirst()
  }

  private func importFile(_ words: inout PlistBuddyWords, in session: PlistBuddySession)
    throws(PlistBuddyError)
  {
    let entry = try entry(&words, in: session)
    guard let file = try words.next() else { throw .said("File required for Import Command") }
    guard Plutil.readsNoOutput([file]) else { throw .failed("Import: Error Reading File: \(file)") }
    let old = entry.isOpen ? nil : entry.value(in: session.root)
    if let old, PlistBuddyType(of: old)?.isContainer == true {
      throw .failed("Import: Specified Entry Must Not Be a Container")
    }
    let bytes: [UInt8]
    do throws(FerryError) {
      bytes = try FileInput(path: file).readAll()
    } catch {
      StandardError.write("Error Opening File: \(file) [\(Self.reason(.unreadable(error)))]")
      throw .failed("Import: Error Reading File: \(file)")
    }
    try session.change { root throws(PlistBuddyError) in
      if old != nil {
        entry.set(.data(bytes), in: &root)
      } else {
        try entry.add(.data(bytes), to: &root, for: "Import")
      }
    }
  }

  private func changeContainer(_ words: inout PlistBuddyWords, in session: PlistBuddySession)
    throws(PlistBuddyError)
  {
    let entry = try entry(&words, in: session)
    guard try type(of: entry, in: session)?.isContainer == true else {
      throw .failed("CD: Entry, \"\(entry.text)\", Is Not A Container")
    }
    session.container = entry.keys
  }
}
