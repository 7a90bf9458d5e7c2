/// A renaming of classes, and of the archived keys of their objects, in an archive and in archives nested in
/// its data.
///
///     var renaming = ArchiveRenaming()
///     renaming.classes["Person"] = "MyApp.Person"
///     renaming.keys["Person"] = ["first": "firstName"]
///     let outcome = try renaming.apply(to: archiveBytes)
///     // outcome.changes: [class Person → MyApp.Person: 1, key Person.first → firstName: 3]
///
/// Every object keeps its number and its position, and XML keeps its text. Renaming back restores the original bytes unless the name of a
/// class or a key is also another string in the archive: the renamed archive does not show whether both were one object, so Ferry takes the
/// more likely case.
public struct ArchiveRenaming: Hashable, Sendable {
  /// The new class names, by old name. Superclasses are renamed too, in the `$classes` of their subclasses.
  public var classes: [String: String] = [:]
  /// The new archived keys, by old class name and old key. They are renamed in objects of subclasses, too, which have the keys of their
  /// superclasses. Of two names that are canonically equivalent, such as Å as one scalar and as two, the dictionary has only one, and
  /// `renameKey(_:ofClass:to:)` can rename both.
  public var keys: [String: [String: String]] {
    get {
      var keys: [String: [String: String]] = [:]
      for (type, names) in exactKeys {
        for (old, new) in names { keys[type.string, default: [:]][old.string] = new }
      }
      return keys
    }
    set {
      exactKeys = [:]
      for (type, names) in newValue { exactKeys[type] = [ExactString: String](exactly: names) }
    }
  }
  /// The new archived keys, by the bytes of the old names.
  private(set) var exactKeys: [ExactString: [ExactString: String]] = [:]
  /// True to rename also if an object cannot be read with its new name, as a damaged object that gets its first name back.
  public var acceptsUnfitObjects = false
  /// The limits on the cost of the archives.
  public var budget = Budget()

  /// Creates an empty renaming.
  public init() {}

  /// Renames a key of the objects of a class and its subclasses.
  public mutating func renameKey(_ old: String, ofClass type: String, to new: String) {
    exactKeys[type, default: [:]][old] = new
  }

  /// A name that was changed.
  public struct Change: Hashable, Sendable, CustomStringConvertible {
    /// The old name of the class whose key was renamed, or nil if a class was renamed.
    public var keyOf: String?
    /// The old name.
    public var old: String
    /// The new name.
    public var new: String
    /// The nesting depth of the archive in data, or 0 for the outermost archive.
    public var nesting: Int

    public static func == (a: Change, b: Change) -> Bool {
      a.keyOf.equals(b.keyOf) && a.old.equals(b.old) && a.new.equals(b.new) && a.nesting == b.nesting
    }

    public func hash(into hasher: inout Hasher) {
      old.hashBytes(into: &hasher)
      new.hashBytes(into: &hasher)
      hasher.combine(nesting)
    }

    public var description: String {
      let nestingSuffix = nesting == 0 ? "" : " (in data, \(nesting) deep)"
      return keyOf.map { "key \($0).\(old) → \(new)\(nestingSuffix)" }
        ?? "class \(old) → \(new)\(nestingSuffix)"
    }
  }

  /// The result of a renaming.
  public struct Outcome: Hashable, Sendable {
    /// The bytes of the renamed file, or the original bytes if there was nothing to rename.
    public var bytes: [UInt8]
    /// The number of occurrences of each change.
    public var changes: [Change: Int] = [:]
    /// The names in the file's archives before the renaming.
    public var names = Names()
    /// The comments, processing instructions and attributes inside renamed names in XML, which are left out.
    public var losses = Losses()

    /// Adds the changes, names and losses of another file.
    mutating func add(_ other: Outcome) {
      changes.merge(other.changes) { $0 + $1 }
      names.formUnion(other.names)
      losses.add(other.losses)
    }
  }

  /// Renames classes and keys. If the file is not an archive, archives nested in its data are renamed.
  ///
  /// - Throws: A `FerryError` if the file is not valid.
  public func apply(to bytes: [UInt8]) throws(FerryError) -> Outcome { try apply(to: bytes, of: nil) }

  /// Renames classes and keys in a file of a format, or of the one that its first bytes show if the format is nil.
  ///
  /// - Throws: A `FerryError` if the file is not valid in the format.
  package func apply(to bytes: [UInt8], of format: Format?) throws(FerryError) -> Outcome {
    var outcome = Outcome(bytes: bytes)
    if let renamed = try apply(to: bytes, of: format, nesting: 0, &outcome) { outcome.bytes = renamed }
    return outcome
  }

  /// Returns true if names can be changed in the files of a format: property lists and keyed archives in them.
  package static func takes(_ format: Format) -> Bool {
    format.description.archiveFormat != nil || format.description.isKeyedArchive
  }

  /// Returns the renamed bytes of a file, or nil if nothing in it changes.
  ///
  /// - Parameters:
  ///   - format: The format that the user gave, or nil.
  ///   - nesting: The number of files around it.
  func apply(
    to bytes: [UInt8], of format: Format? = nil, nesting: Int, _ outcome: inout Outcome
  ) throws(FerryError) -> [UInt8]? {
    let detected = try detected(bytes, format)
    guard !detected.format.isArchiveOfFiles else { throw FerryError(.compression(.notRenamed)) }
    guard let nodes = try detected.propertyList() else { throw FerryError(.archive(.notAPropertyList)) }
    // A file that is given as an archive must be one.
    let isGivenAsArchive = format?.description.isKeyedArchive ?? false
    let isArchive = isGivenAsArchive ? true : try nodes.isKeyedArchive
    if let tree = nodes as? PropertyListTree {
      guard let renamed = try renamed(tree, isArchive: isArchive, nesting, &outcome) else { return nil }
      let losses = LossReport()
      let edits = try TextEdits(
        of: renamed, over: tree, source: bytes, format: detected.format, losses: losses)
      let bytes = try edits.bytes()
      outcome.losses.add(losses.all)
      return bytes
    }
    guard let file = nodes as? BinaryPropertyList else { return nil }
    // The layout is read first, because it refuses a file with overlapping objects.
    let layout = try BinaryLayout(of: file)
    guard let renamed = try renamed(file, isArchive: isArchive, nesting, &outcome) else { return nil }
    // A new name that equals an existing string shares an object with it if the file's other strings do so.
    let sharing = ScalarSharing<EditedPropertyList>.Source.edited(from: renamed.firstNewNode)
    var trial = try ObjectOrder(of: renamed, layout: layout, sharing: sharing)
    return try BinaryEdits(of: renamed, over: file, layout).bytes(sharing: trial.sharedNewScalars())
  }

  /// Detects the format, unless it is given. A file in no known format is not a property list, and no option makes it one.
  private func detected(_ bytes: [UInt8], _ format: Format?) throws(FerryError) -> DetectedInput {
    do throws(FerryError) {
      return try DetectedInput(MemoryInput(bytes), named: nil, given: format, budget: budget)
    } catch {
      guard case .file(.unknownFormat) = error.reason else { throw error }
      throw FerryError(.archive(.notAPropertyList))
    }
  }

  /// Returns the nodes with their new names, or nil if nothing has changed.
  private func renamed(
    _ nodes: any PropertyListNodes, isArchive: Bool, _ nesting: Int, _ outcome: inout Outcome
  ) throws(FerryError) -> EditedPropertyList? {
    var pass = RenamingPass(self, in: nodes, nesting: nesting)
    defer { outcome.add(pass.outcome) }
    return try pass.run(isArchive: isArchive)
  }
}
