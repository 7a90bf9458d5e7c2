/// A comparison of two files by their values, in any formats.
///
///     let comparison = FileComparison()
///     let found = try comparison.differences(from: (old, "a.pplgrp"), to: (new, "a.json"))
///     // found.all.isEmpty if a.json is a conversion of a.pplgrp
///
/// Files of different formats are compared in the format of one of them, to which the other is converted. What that
/// format cannot hold is no difference.
public struct FileComparison: Sendable {
  /// The settings by which files are read and converted: their format, schema, XML and CSV options, and the budget.
  public var settings = Conversion(to: .json)
  /// True if the order of keys matters, and in XML the order of elements of different names.
  public var ordersKeys = false
  /// The field that identifies records in lists, or nil to match records by their content.
  public var key: String?

  /// Creates a comparison without options.
  public init() {}

  /// A file in memory, with its name.
  public struct File: Sendable {
    public let bytes: [UInt8]
    public let name: String

    public init(_ bytes: [UInt8], name: String) { (self.bytes, self.name) = (bytes, name) }
  }

  /// An error of the old or the new version.
  public enum VersionError: Error {
    case old(FerryError)
    case new(FerryError)
  }

  /// The values of two files, in the format in which they are compared, and their differences.
  public struct Outcome {
    /// The differences between the values.
    public let differences: ValueDifferences
    /// The value of the first file; nil for an empty file.
    public let old: Value?
    /// The value of the second file; nil for an empty file.
    public let new: Value?
  }

  /// Returns the differences between two files.
  ///
  /// - Throws: A `VersionError` with the error of the file that cannot be read.
  public func differences(from old: File, to new: File) throws(VersionError) -> ValueDifferences {
    try compare(old, with: new).differences
  }

  /// Compares two files.
  ///
  /// - Throws: A `VersionError` with the error of the file that cannot be read.
  public func compare(_ old: File, with new: File) throws(VersionError) -> Outcome {
    let formats = (try format(of: old, or: VersionError.old), try format(of: new, or: VersionError.new))
    guard formats.0 != formats.1, let oldFormat = formats.0, let newFormat = formats.1 else {
      return try result(
        read(old, as: nil, or: VersionError.old), read(new, as: nil, or: VersionError.new),
        in: formats.0 ?? formats.1)
    }
    // The file with fewer kinds of values was perhaps converted from the other one. Both ways are tried, because a
    // conversion in the other direction does not restore what the first has dropped.
    let isOldRicher = oldFormat.capabilities.isSuperset(of: newFormat.capabilities)
    let ways = isOldRicher ? [newFormat, oldFormat] : [oldFormat, newFormat]
    var found: Outcome?
    var failure: VersionError?
    for format in ways where format.canWrite {
      do throws(VersionError) {
        let compared = try result(
          read(old, as: oldFormat == format ? nil : format, or: VersionError.old),
          read(new, as: newFormat == format ? nil : format, or: VersionError.new), in: format)
        let count = compared.differences.all.count
        if count == 0 { return compared }
        if count < found?.differences.all.count ?? .max { found = compared }
      } catch {
        failure = failure ?? error
      }
    }
    if let found { return found }
    if let failure { throw failure }
    return try result(
      read(old, as: nil, or: VersionError.old), read(new, as: nil, or: VersionError.new), in: nil)
  }

  /// Returns a JSON patch (RFC 6902) that makes the first file the second, for `EditableFile.apply(_:)`. The patch has been
  /// applied to a copy of the first file, and the result compared with the second.
  ///
  /// If operations on parts cannot give the second file, for example because two places share an object in only one of the
  /// files, the only operation gives the whole value.
  ///
  /// - Parameters:
  ///   - differences: The differences between the files.
  ///   - old: The first file.
  ///   - new: The second file.
  /// - Throws: A `VersionError` with `PathProblem.noPatch` if no patch gives the second file.
  public func patch(
    of differences: ValueDifferences, from old: File, to new: File
  ) throws(VersionError) -> [UInt8] {
    // A patch of a table, or of records by a schema, is for other programs. A file that does not exist has no value.
    guard !old.bytes.isEmpty, !new.bytes.isEmpty, settings.schema == nil, isEditable(old) else {
      return Self.patch(of: differences)
    }
    var byPaths = self
    // Edits name elements without the order of contents.
    byPaths.settings.xml = settings.xml.forPaths
    var attempts = [Self.patch(of: try byPaths.differences(from: old, to: new))]
    let whole = try byPaths.read(new, as: nil, or: VersionError.new)
    var replacement = ValueDifferences(from: nil, to: whole)
    replacement.hasTypedPatch = differences.hasTypedPatch
    attempts.append(Self.patch(of: replacement))
    // A JSON patch cannot say at which place a new key comes.
    var proof = self
    proof.ordersKeys = false
    var reason = "the result differs"
    for patch in attempts {
      do throws(FerryError) {
        let file = try EditableFile(old.bytes, named: old.name, options: editing)
        try file.apply(JSONPatch(patch, budget: settings.budget))
        let result = File(try file.bytes(), name: old.name)
        if let left = try? proof.differences(from: result, to: new), left.all.isEmpty { return patch }
      } catch {
        reason = error.message
      }
    }
    throw VersionError.old(FerryError(.path(.noPatch(reason))))
  }

  private func isEditable(_ file: File) -> Bool {
    (try? EditableFile(file.bytes, named: file.name, options: editing))?.isEditable ?? false
  }

  private static func patch(of differences: ValueDifferences) -> [UInt8] {
    let output = MemoryOutput()
    // Memory has no errors.
    try? differences.writePatch(to: output)
    return output.bytes
  }

  /// The options for opening the first file to apply a patch.
  private var editing: EditableFile.Options {
    var options = EditableFile.Options()
    (options.format, options.encoding) = (settings.source, settings.encoding)
    (options.csv, options.xml, options.budget) = (settings.csv, settings.xml, settings.budget)
    return options
  }

  /// Returns two values of a format, or of two formats, with their differences.
  private func result(_ old: Value?, _ new: Value?, in format: Format?) -> Outcome {
    var differences = ValueDifferences(from: old, to: new, ordersKeys: ordersKeys, key: key)
    // A key of JSON that looks like a tag is a key.
    differences.hasTypedPatch = format.map { !$0.isJSON }
    return Outcome(differences: differences, old: old, new: new)
  }

  /// Returns the format of a file by its content; nil for an empty file, which has no value.
  private func format(of file: File, or failure: (FerryError) -> VersionError) throws(VersionError) -> Format?
  {
    do throws(FerryError) {
      if let source = settings.source { return source }
      return file.bytes.isEmpty ? nil : try Format.of(file.bytes, named: file.name)
    } catch {
      throw failure(error)
    }
  }

  /// Reads the value of a file, converted to another format if one is given. An empty file has no value: git passes one for
  /// a file that is added or deleted.
  private func read(_ file: File, as format: Format?, or failure: (FerryError) -> VersionError)
    throws(VersionError)
    -> Value?
  {
    do throws(FerryError) {
      guard !file.bytes.isEmpty else { return nil }
      guard let format else { return try value(of: file.bytes, named: file.name, settings.source) }
      var conversion = settings
      conversion.target = format
      return try value(of: conversion.convert(file.bytes, named: file.name).bytes, named: nil, format)
    } catch {
      throw failure(error)
    }
  }

  private func value(of bytes: [UInt8], named name: String?, _ format: Format?) throws(FerryError) -> Value {
    var options = ReadingOptions()
    (options.format, options.schema, options.matchesSchemas) = (
      format, settings.schema, settings.matchesSchemas
    )
    (options.xml, options.budget) = (settings.xml, settings.budget)
    // A converted file has its encoding and layout from Ferry.
    if name != nil { (options.encoding, options.csv) = (settings.encoding, settings.csv) }
    (options.marksShared, options.decodedForms) = (true, .all)
    if ordersKeys { options.xml.convention = .jsonml }
    let builder = ValueBuilder()
    try options.read(MemoryInput(bytes), named: name, into: builder)
    // A collection that a property list shares between places is the same as its copies.
    return try builder.result().copyingCollections
  }
}
