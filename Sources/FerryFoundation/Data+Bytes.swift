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
  /// - Throws: A `FerryError` with the source location.
  public init(reading data: Data, named name: String? = nil) throws(FerryError) {
    try self.init(reading: MemoryInput(data), named: name)
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
