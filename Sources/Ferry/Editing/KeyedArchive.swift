/// A keyed archive (`NSKeyedArchiver`) whose values are read and changed by path, and whose objects are read
/// by number.
///
///     let archive = try KeyedArchive(path: "people.pplgrp")
///     archive.roots                                                    // ["root"]
///     archive.objectCount                                              // 13
///     try archive.object(4)                                            // .string("Matt")
///     let first = try ValuePath(parsing: "[0].first")
///     try archive.value(at: first)                                     // .string("Matt")
///     try archive.decode(Person.self, at: "[0]")                       // Person(first: "Matt", last: "Neuburg")
///     try archive.set(.string("Matthew"), at: first)
///     try archive.write(to: "people.pplgrp")
///
/// A binary archive is opened in place: opening takes the same time for any size, and only the objects on the
/// path are read. Every object keeps its number, order and bytes unless it has to change. `EditableFile`
/// describes how values are set. Classes are only names; nothing is instantiated.
///
/// The most frequent changes are methods of the archive. The others, such as those that move, copy, merge and patch values, are methods of
/// its `file`:
///
///     try archive.file.move("[2]", to: "[0]")
///     try archive.file.copy("[0]", to: "[]")
public final class KeyedArchive {
  /// The file of the archive, with the changes made so far. Its changes are those of the archive.
  public let file: EditableFile
  /// The class of the archiver, usually `NSKeyedArchiver`.
  public let archiver: String

  /// Opens an archive in memory, binary or XML.
  ///
  /// - Throws: An error if the bytes are not valid; `ArchiveProblem.malformed` if they are not an archive.
  public convenience init(_ bytes: [UInt8], options: EditableFile.Options = EditableFile.Options())
    throws(FerryError)
  {
    try self.init(try EditableFile(bytes, options: options))
  }

  /// Opens the archive at a path, binary or XML, or the standard input for `-`.
  ///
  /// - Throws: An error of the system, or if the file is not valid.
  public convenience init(path: String, options: EditableFile.Options = EditableFile.Options())
    throws(FerryError)
  {
    try self.init(try EditableFile(path: path, options: options))
  }

  private init(_ file: EditableFile) throws(FerryError) {
    guard let archive = file.archive else {
      throw FerryError(.archive(.malformed("it is \(file.format.rawValue), opened in raw form")))
    }
    self.file = file
    archiver = archive.archiver
  }

  /// The names of the root objects in `$top`: `root`, or names that a program has chosen.
  public var roots: [String] { file.archive?.top.map(\.name) ?? [] }

  /// The number of objects, including `$null` and class descriptions.
  public var objectCount: Int { file.archive?.count ?? 0 }

  /// Returns the object with a number in `$objects`, including the objects that it refers to.
  ///
  /// - Throws: A `FerryError` with the reason `PathProblem.noElement` if there is no such object, or an error of the object.
  public func object(_ number: Int) throws(FerryError) -> Value {
    guard number >= 0 else { throw FerryError(.path(.noElement(number, count: objectCount))) }
    return try file.value(at: ValuePath([.key("$objects"), .index(number)]))
  }

  /// Returns the value at a path. For a slice, returns an array of the values.
  ///
  /// - Throws: A `FerryError` with a `PathProblem` as its reason and the part of the path that exists as its path, or an error of the
  ///   archive.
  public func value(at path: ValuePath) throws(FerryError) -> Value { try file.value(at: path) }

  /// Replaces the value at a path, or all values that a path with `[*]`, `[1:3]` or a filter selects. An object of a class in the class
  /// catalog, such as an NSDate, keeps its class, as `EditableFile.set(_:at:insertsMissing:)` describes.
  ///
  ///     try archive.set("2014-06-01T09:30:00Z", at: "saved")         // an NSDate
  ///     try archive.set("yesterday", at: "saved")                    // throws PathProblem.cannotPut
  ///     try archive.set(text: "yesterday", as: .string, at: "saved") // now a string
  ///
  /// - Returns: The number of values.
  /// - Throws: A `FerryError` with a `PathProblem` as its reason if the path matches no value, or if an object keeps its class and the value
  ///   is not of it.
  @discardableResult
  public func set(_ value: Value, at path: ValuePath) throws(FerryError) -> Int {
    try file.set(value, at: path)
  }

  /// Replaces the value at a path by parsing a text. The new value has the type and class of the existing one, unless `type` is given.
  ///
  /// - Returns: The number of values.
  /// - Throws: The errors of `set(_:at:)`, and `PathProblem.badText` if the text is not a value of the type.
  @discardableResult
  public func set(text: String, as type: TextType? = nil, at path: ValuePath) throws(FerryError) -> Int {
    try file.set(text: text, as: type, at: path)
  }

  /// Inserts an element before the one at the path, or at the end (`items[]`). In a dictionary, adds an entry
  /// with a new key.
  ///
  /// - Returns: The number of inserted values: one in each collection that the steps before the last select.
  /// - Throws: The errors of `set(_:at:)`, and `PathProblem.exists` if the key exists.
  @discardableResult
  public func insert(_ value: Value, at path: ValuePath) throws(FerryError) -> Int {
    try file.insert(value, at: path)
  }

  /// Removes an element or an entry, or all that a path selects. Objects that lose their last reference stay, so that the other objects
  /// keep their numbers; only those at the end of the archive are removed.
  ///
  /// - Returns: The number of removed values.
  /// - Throws: A `FerryError` with a `PathProblem` as its reason if the path matches no value, or if it is the root.
  @discardableResult
  public func remove(at path: ValuePath) throws(FerryError) -> Int { try file.remove(at: path) }

  /// Returns the archive with all changes.
  ///
  /// - Returns: The bytes, which are the original ones if nothing was changed, and the losses, as those of `EditableFile.edited()`.
  /// - Throws: An error if the format cannot represent a value.
  public func edited() throws(FerryError) -> (bytes: [UInt8], losses: Losses) { try file.edited() }

  /// Writes the archive, replacing an existing file atomically.
  ///
  /// The existing file is replaced also if another program has changed it since this archive was opened. To refuse that, begin an
  /// ``InPlaceEdit`` before opening the archive, and replace the file with it:
  ///
  ///     let edit = try InPlaceEdit(of: path)
  ///     let archive = try KeyedArchive(path: edit.path)
  ///     try archive.set("Ada", at: "[0].name")
  ///     try edit.replace(with: archive.edited().bytes)      // throws FileProblem.changedMeanwhile
  ///
  /// - Parameter path: The path of the file.
  /// - Returns: The losses, as those of `EditableFile.edited()`.
  /// - Throws: An error of the system. The existing file is unchanged in that case.
  @discardableResult
  public func write(to path: String) throws(FerryError) -> Losses { try file.write(to: path) }
}
