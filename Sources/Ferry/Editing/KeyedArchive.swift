/// A keyed archive in the format of `NSKeyedArchiver`, whose values are read and changed by path, and its
/// objects by number.
///
///     let archive = try KeyedArchive(path: "people.pplgrp")
///     archive.roots                                                    // ["root"]
///     archive.objectCount                                              // 13
///     try archive.object(4)                                            // .string("Matt")
///     let first = try ValuePath(parsing: "[0].first")
///     try archive.value(at: first)                                     // .string("Matt")
///     try archive.set(.string("Matthew"), at: first)
///     try archive.write(to: "people.pplgrp")
///
/// A binary archive is opened in place: a file of any size opens at once, and only the objects on the path
/// are read. Every object keeps its number, order and bytes unless it has to change; `EditableFile` describes
/// how values are set. A class is only a name; nothing is instantiated.
public final class KeyedArchive {
  private let file: EditableFile
  /// The class of the archiver, nearly always `NSKeyedArchiver`.
  public let archiver: String

  /// Opens an archive's bytes, binary or XML.
  ///
  /// - Throws: An error if the bytes are not valid; `ArchiveProblem.malformed` if they are not an archive.
  public convenience init(_ bytes: [UInt8], options: EditableFile.Options = EditableFile.Options())
    throws(FerryError)
  {
    try self.init(try EditableFile(bytes, options: options))
  }

  /// Opens an archive, binary or XML; `-` is the standard input.
  ///
  /// - Throws: An error of the system, or if the file is not valid.
  public convenience init(path: String, options: EditableFile.Options = EditableFile.Options())
    throws(FerryError)
  {
    try self.init(try EditableFile(path: path, options: options))
  }

  private init(_ file: EditableFile) throws(FerryError) {
    guard let archive = file.archive else {
      throw FerryError(.archive(.malformed("it is \(file.format.rawValue), seen as it is stored")))
    }
    self.file = file
    archiver = archive.archiver
  }

  /// The names of the archive's roots: `root`, or names that a program has chosen.
  public var roots: [String] { file.archive?.top.map(\.name) ?? [] }

  /// The number of objects, including `$null` and class descriptions.
  public var objectCount: Int { file.archive?.count ?? 0 }

  /// Returns an object by its number in `$objects`, with the objects that it refers to.
  ///
  /// - Throws: `PathProblem.noElement`, or an error of the object.
  public func object(_ number: Int) throws(FerryError) -> Value {
    guard number >= 0 else { throw FerryError(.path(.noElement(number, count: objectCount))) }
    return try file.value(at: ValuePath([.key("$objects"), .index(number)]))
  }

  /// Returns the value at a path; for a slice, an array of the values.
  ///
  /// - Throws: `PathProblem` with the existing part of the path, or an error of the archive.
  public func value(at path: ValuePath) throws(FerryError) -> Value { try file.value(at: path) }

  /// Replaces a value.
  ///
  /// - Throws: `PathProblem` if the path leads to no value or to several.
  public func set(_ value: Value, at path: ValuePath) throws(FerryError) { try file.set(value, at: path) }

  /// Inserts an element before the one at the path, or at the end (`items[]`), or adds an entry with a new
  /// key.
  ///
  /// - Throws: The errors of `set`, and `PathProblem.exists` if the key exists.
  public func insert(_ value: Value, at path: ValuePath) throws(FerryError) {
    try file.insert(value, at: path)
  }

  /// Removes an element or an entry. Objects that lose their last reference stay, so that the others keep
  /// their numbers; only those at the end of the archive are removed.
  ///
  /// - Throws: `PathProblem` if the path leads to no value, to several, or to the root.
  public func remove(at path: ValuePath) throws(FerryError) { try file.remove(at: path) }

  /// Returns the archive's bytes with all changes; without changes, the original bytes.
  ///
  /// - Throws: An error if the format cannot represent a value.
  public func bytes() throws(FerryError) -> [UInt8] { try file.bytes() }

  /// Writes the archive, replacing an existing file as a whole or not at all.
  ///
  /// - Throws: An error of the system. The existing file is unchanged in that case.
  public func write(to path: String) throws(FerryError) { try file.write(to: path) }
}
