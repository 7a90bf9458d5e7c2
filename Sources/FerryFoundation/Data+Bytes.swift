public import Ferry
public import Foundation

extension MemoryInput {
  /// Creates an input of data.
  public convenience init(_ data: Data) { self.init(Array(data)) }
}

extension Value {
  /// Reads data.
  ///
  ///     let value = try Value(reading: data, named: "people.csv")
  ///
  /// - Parameters:
  ///   - data: The data.
  ///   - name: The file name, used if the content has no signature.
  ///   - options: The format, the schema, the selection and the limits.
  /// - Throws: A `FerryError` with the source location.
  public init(
    reading data: Data, named name: String? = nil, options: ReadingOptions = .values
  ) throws(FerryError) {
    try self.init(reading: MemoryInput(data), named: name, options: options)
  }
}

extension Conversion {
  /// Converts data.
  ///
  /// - Parameters:
  ///   - data: The input.
  ///   - name: The file name of the input, used if the content has no signature.
  /// - Returns: The output, and the report of the conversion.
  /// - Throws: A `FerryError` with the source location and the path.
  public func convert(_ data: Data, named name: String? = nil) throws(FerryError) -> (
    bytes: [UInt8], report: Report
  ) {
    try convert(Array(data), named: name)
  }
}

extension EditableFile {
  /// Opens a file in memory.
  ///
  /// - Parameters:
  ///   - data: The content of the file.
  ///   - name: The file name, used if the content has no signature.
  ///   - options: The options for opening it.
  /// - Throws: An error if the content is not valid.
  public convenience init(
    _ data: Data, named name: String? = nil, options: Options = Options()
  ) throws(FerryError) {
    try self.init(Array(data), named: name, options: options)
  }
}

extension KeyedArchive {
  /// Opens an archive in memory, binary or XML.
  ///
  /// - Throws: An error if the data is not valid; `ArchiveProblem.malformed` if it is not an archive.
  public convenience init(
    _ data: Data, options: EditableFile.Options = EditableFile.Options()
  ) throws(FerryError) {
    try self.init(Array(data), options: options)
  }
}

extension ArchiveRenaming {
  /// Renames classes and keys in data, as in bytes.
  ///
  /// - Throws: A `FerryError` if the data is not valid.
  public func apply(to data: Data) throws(FerryError) -> Outcome { try apply(to: Array(data)) }
}

extension JSONPatch {
  /// Parses a patch.
  ///
  /// - Parameters:
  ///   - data: The text of the patch, which may be compressed, and in UTF-16 or UTF-32, as that of other JSON.
  ///   - budget: The limits on its nesting.
  /// - Throws: The error of the compressed data or the JSON, or `PathProblem.badPatch` with the path of the operation that is not valid.
  public init(_ data: Data, budget: Budget = Budget()) throws(FerryError) {
    try self.init(Array(data), budget: budget)
  }
}

extension DocumentMerge {
  /// Reads a version. Empty data, which a base may be, becomes a version without a value.
  ///
  /// - Parameters:
  ///   - data: The content of the file.
  ///   - name: The file name.
  ///   - ours: Our version, which determines the shape of the records; nil if this is our version.
  /// - Throws: An error of the data with its source location.
  public func read(
    _ data: Data, named name: String? = nil, as ours: Version? = nil
  ) throws(FerryError) -> Version {
    try read(Array(data), named: name, as: ours)
  }
}

extension Format {
  /// Detects the format of data in the same way as the tool. The file name is used if the content has no signature.
  ///
  /// - Throws: A `FerryError` with the reason `FileProblem.unknownFormat` or `otherKind` if Ferry cannot read the format.
  public static func of(
    _ data: Data, named name: String? = nil, budget: Budget = Budget()
  ) throws(FerryError) -> Format {
    try of(Array(data), named: name, budget: budget)
  }
}
