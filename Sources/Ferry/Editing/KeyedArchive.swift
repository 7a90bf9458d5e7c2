/// A keyed archive, as `NSKeyedArchiver` writes it: its values read and changed by path, its objects by number.
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
/// A binary archive is opened where it lies: a file of any size opens at once, and of it only what leads to a value is
/// read. Every object keeps its number, order and bytes unless it has to change; `EditableFile` says how values are set.
/// Nothing is instantiated: a class is a name.
public final class KeyedArchive {
  private let file: EditableFile
  /// The archiver's class, nearly always `NSKeyedArchiver`.
  public let archiver: String

  /// Opens an archive's bytes, binary or XML.
  ///
  /// - Throws: what is wrong with them; `ArchiveProblem.malformed` when they are no archive.
  public convenience init(_ bytes: [UInt8], options: EditableFile.Options = EditableFile.Options())
    throws(Failure)
  {
    try self.init(try EditableFile(bytes, options: options))
  }

  /// Opens an archive, binary or XML; `-` is the standard input.
  ///
  /// - Throws: what the system says, and what is wrong with the file.
  public convenience init(path: String, options: EditableFile.Options = EditableFile.Options())
    throws(Failure)
  {
    try self.init(try EditableFile(path: path, options: options))
  }

  private init(_ file: EditableFile) throws(Failure) {
    guard let archive = file.archive else {
      throw Failure(.archive(.malformed("it is \(file.format.rawValue), seen as it is stored")))
    }
    self.file = file
    archiver = archive.archiver
  }

  /// The names of the values that the archive holds: `root`, or those that a program gave.
  public var roots: [String] { file.archive?.top.map(\.name) ?? [] }

  /// How many objects there are, `$null` and classes among them.
  public var objectCount: Int { file.archive?.count ?? 0 }

  /// An object by its number in `$objects`, with all that it refers to.
  ///
  /// - Throws: `PathProblem.noElement`, or what is wrong with the object.
  public func object(_ number: Int) throws(Failure) -> Value {
    guard number >= 0 else { throw Failure(.path(.noElement(number, count: objectCount))) }
    return try file.value(at: ValuePath([.key("$objects"), .index(number)]))
  }

  /// The value that a path leads to; with a slice, an array of those that it leads to.
  ///
  /// - Throws: `PathProblem` with the part of the path that was found, or what is wrong with the archive on the way.
  public func value(at path: ValuePath) throws(Failure) -> Value { try file.value(at: path) }

  /// Puts a value where another stands.
  ///
  /// - Throws: `PathProblem` when the path leads to no place or to several.
  public func set(_ value: Value, at path: ValuePath) throws(Failure) { try file.set(value, at: path) }

  /// Adds an element before the one that the path names, behind the last (`items[]`), or an entry with a new key.
  ///
  /// - Throws: `PathProblem.exists` for a key that is there, and what `set` throws.
  public func insert(_ value: Value, at path: ValuePath) throws(Failure) { try file.insert(value, at: path) }

  /// Removes an element or an entry. Objects that nobody refers to any more stay, so that the others keep their numbers;
  /// at the end of the archive they go.
  ///
  /// - Throws: `PathProblem` when the path leads to no place, to several, or to the root.
  public func remove(at path: ValuePath) throws(Failure) { try file.remove(at: path) }

  /// The archive's bytes with all changes; without any, the bytes it was opened with.
  ///
  /// - Throws: what the format cannot hold.
  public func bytes() throws(Failure) -> [UInt8] { try file.bytes() }

  /// Writes the archive in place of a file: as a whole or not at all.
  ///
  /// - Throws: what the system says. The file is then as it was.
  public func write(to path: String) throws(Failure) { try file.write(to: path) }
}
