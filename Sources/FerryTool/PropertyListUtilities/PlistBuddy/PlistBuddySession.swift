import Ferry

/// A file that commands of PlistBuddy read and change.
final class PlistBuddySession {
  private let path: String
  private let showsXML: Bool
  private var format = Format.xmlPropertyList
  /// The property list, in which the entries of `deletion` still exist.
  private var storedRoot: Value
  private var deletion: PlistBuddyDeletion?
  /// The keys of the collection for entries without a colon at the beginning.
  var container: [String] = []
  private var isChanged = false
  private var hasFailed = false
  /// The way in which other programs are kept from changing the file meanwhile.
  private let beginning: InPlaceEdit.Beginning
  private var edit: Result<InPlaceEdit, FerryError>?

  /// Reads a file. A missing one is created when it is saved. Fails, after a message, if the file is not a property list.
  init?(of path: String, followsLinks: Bool, showsXML: Bool, beginning: InPlaceEdit.Beginning) {
    self.path = path
    self.showsXML = showsXML
    self.beginning = beginning
    storedRoot = .dictionary(KeyedValues())
    let shown = Terminal.absolutePath(path)
    if !followsLinks, Folder.isLink(path) {
      StandardError.write("Error Opening File: \(shown) [Too many levels of symbolic links]")
      _ = Plutil.print("Error Reading File: \(shown)\n")
      return nil
    }
    guard Folder.hasSomething(at: path) else {
      _ = Plutil.print("File Doesn't Exist, Will Create: \(shown)\n")
      beginEdit()
      return
    }
    guard load() else {
      _ = Plutil.print("Error Reading File: \(shown)\n")
      return nil
    }
  }

  /// Reads the file. Returns false, after a message, if that fails.
  private func load() -> Bool {
    do throws(PropertyListFile.Problem) {
      // The edit begins before the file is read, so that it detects every conflicting write after that.
      beginEdit()
      let file = try PropertyListFile(path: path)
      (format, root) = (file.format, file.value)
      return true
    } catch {
      StandardError.write("\(path): \(PlutilError(error).message)")
      return false
    }
  }

  // MARK: Running commands

  /// Runs commands, and saves the file if they have changed it. Returns true if all succeeded.
  func run(_ commands: [String]) -> Bool {
    for command in commands {
      // In this mode, `Exit` does not keep the file from being saved.
      _ = execute(command)
    }
    if isChanged { save() }
    return !hasFailed
  }

  /// Runs commands from the standard input. Returns true if all succeeded.
  func runInteractively() -> Bool {
    while Plutil.print("Command: "), let line = readLine() {
      guard !line.allSatisfy(\.isWhitespace) else { continue }
      guard execute(line) else { break }
    }
    return !hasFailed
  }

  /// Runs a command. Returns false for `Exit`.
  private func execute(_ text: String) -> Bool {
    do throws(PlistBuddyError) {
      return try PlistBuddyVerb.run(text, in: self)
    } catch {
      switch error {
      case .said(let message):
        _ = Plutil.print(message + "\n")
        hasFailed = true
      case .failed(let message):
        StandardError.write(message)
        hasFailed = true
      }
      return true
    }
  }

  /// The property list.
  private(set) var root: Value {
    get {
      deleteEntries()
      return storedRoot
    }
    set { (storedRoot, deletion) = (newValue, nil) }
  }

  /// Deletes an entry. Returns false if the entry does not exist.
  func delete(_ entry: PlistBuddyEntry) throws(PlistBuddyError) -> Bool {
    guard let name = entry.keys.last else { return false }
    let parent = entry.keys.dropLast()
    if deletion?.isIn(parent) != true { deleteEntries() }
    guard case .dictionary(let entries)? = storedRoot.part(at: parent) else {
      guard entry.value(in: root) != nil else { return false }
      try change { entry.remove(from: &$0) }
      return true
    }
    guard entries[name] != nil else { return false }
    var deletion = deletion ?? PlistBuddyDeletion(in: parent)
    // The session does not hold the deletion meanwhile, which would be copied.
    self.deletion = nil
    defer { self.deletion = deletion }
    isChanged = true
    return deletion.add(name)
  }

  /// Removes the entries that commands have deleted.
  private func deleteEntries() {
    guard let deletion else { return }
    self.deletion = nil
    deletion.apply(to: &storedRoot)
  }

  /// Changes the value in place: a copy beside it would mean a copy of each collection that changes.
  func change(_ body: (inout Value) throws(PlistBuddyError) -> Void) throws(PlistBuddyError) {
    deleteEntries()
    var value = Value.null
    swap(&value, &storedRoot)
    defer { swap(&value, &storedRoot) }
    try body(&value)
    isChanged = true
  }

  /// Prints a value.
  func print(_ value: Value) throws(PlistBuddyError) {
    let bytes = showsXML ? try propertyList(value, as: .xmlPropertyList) : PlistBuddyText(of: value).bytes
    if !Plutil.put(bytes) { hasFailed = true }
  }

  // MARK: Saving

  /// Writes the file in its format. Reports an error.
  func save() {
    do throws(PlistBuddyError) {
      let bytes = try propertyList(root, as: format)
      try write(bytes)
      isChanged = false
      beginEdit()
    } catch {
      if case .failed(let message) = error { StandardError.write(message) }
      hasFailed = true
    }
  }

  /// Begins an edit of the file. Its error is reported only if the file is saved.
  private func beginEdit() {
    // The lock of the edit before must be free.
    edit = nil
    edit = Result { () throws(FerryError) in try InPlaceEdit(of: path, beginning: beginning) }
  }

  private func write(_ bytes: [UInt8]) throws(PlistBuddyError) {
    do throws(NamedError) {
      let edit = try NamedError.naming(path) { () throws(FerryError) -> InPlaceEdit? in try self.edit?.get() }
      try NamedOutput.put(stored: bytes, at: path, replacing: true, in: edit)
    } catch {
      throw .failed("Error Writing File: \(error.line)")
    }
  }

  /// Reads the saved file again.
  func revert() {
    container = []
    isChanged = false
    if Folder.hasSomething(at: path) {
      if !load() { hasFailed = true }
    } else {
      root = .dictionary(KeyedValues())
    }
  }

  private func propertyList(_ value: Value, as format: Format) throws(PlistBuddyError) -> [UInt8] {
    let emission = PlutilEmission(
      value: value, format: PlutilFormat(of: PropertyListFile(format: format, value: value)),
      openStepFormat: format, isFromJSON: format == .json, isReadable: true)
    do throws(PlutilError) {
      return try emission.bytes(from: path, to: path)
    } catch {
      throw .failed("Error Writing File: \(path): \(error.message)")
    }
  }
}
