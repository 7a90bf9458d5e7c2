public import Ferry
public import Foundation

extension URL {
  /// The path of the file.
  var filePath: String {
    get throws(FerryError) {
      guard isFileURL else { throw FerryError(.file(.system("this is not the URL of a file"))) }
      return path(percentEncoded: false)
    }
  }
}

extension FileInput {
  /// Opens the file at a URL.
  ///
  ///     let people = try FerryDecoder().decode([Person].self, from: FileInput(url: url), named: url.lastPathComponent)
  ///
  /// - Throws: A `FerryError` as `init(path:)`, also if the URL is not that of a file.
  public convenience init(url: URL) throws(FerryError) { try self.init(path: url.filePath) }
}

extension FileOutput {
  /// Creates an output for the file at a URL.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - replacing: Pass true to replace an existing file.
  ///   - compression: The compression of the file, or nil for none. The name of the file does not determine it.
  /// - Throws: A `FerryError` as `init(path:replacing:compression:)`, also if the URL is not that of a file.
  public convenience init(
    url: URL, replacing: Bool = false, compression: Compression? = nil
  ) throws(FerryError) {
    try self.init(path: url.filePath, replacing: replacing, compression: compression)
  }
}

extension FerryDecoder {
  /// Decodes the file at a URL. Its name is used if the content has no signature.
  ///
  ///     let people = try FerryDecoder().decode([Person].self, from: url)
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - url: The URL of the file.
  ///   - path: The path of the value to decode, or nil for the whole.
  /// - Throws: A `DecodingError`, or a `FerryError` if the file cannot be opened.
  public func decode<T: Decodable>(
    _ type: T.Type, from url: URL, at path: ValuePath? = nil
  ) throws -> T {
    try decode(type, from: FileInput(url: url), named: url.lastPathComponent, at: path)
  }
}

extension Value {
  /// Reads the file at a URL. Its name is used if the content has no signature.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - options: The format, the schema, the selection and the limits.
  /// - Throws: A `FerryError` with the source location, also if the URL is not that of a file.
  public init(reading url: URL, options: ReadingOptions = .values) throws(FerryError) {
    try self.init(reading: FileInput(url: url), named: url.lastPathComponent, options: options)
  }
}

extension RecordInput {
  /// Returns the input of the file at a URL.
  ///
  ///     for person in try Records(of: Person.self, from: .file(url)).results { … }
  ///
  /// - Throws: A `FerryError` if the URL is not that of a file.
  public static func file(_ url: URL) throws(FerryError) -> RecordInput { .file(try url.filePath) }
}

extension RecordWriter {
  /// Creates a writer to the file at a URL.
  ///
  /// - Parameters:
  ///   - format: The format of the file.
  ///   - url: The URL of the file.
  ///   - replacing: Pass true to replace an existing file.
  /// - Throws: A `FerryError` as `init(to:path:replacing:)`, also if the URL is not that of a file.
  public init(to format: Format, url: URL, replacing: Bool = false) throws(FerryError) {
    try self.init(to: format, path: url.filePath, replacing: replacing)
  }

  /// Creates a writer to the file at a URL with the settings of an encoder.
  ///
  /// - Parameters:
  ///   - encoder: The format and the layout of the file, and the keys of types. Its schema maps the records.
  ///   - url: The URL of the file.
  ///   - replacing: Pass true to replace an existing file.
  /// - Throws: A `FerryError` as `init(_:path:replacing:)`, also if the URL is not that of a file.
  public init(_ encoder: FerryEncoder, url: URL, replacing: Bool = false) throws(FerryError) {
    try self.init(encoder, path: url.filePath, replacing: replacing)
  }
}

extension EditableFile {
  /// Opens the file at a URL.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - options: The options for opening it.
  /// - Throws: A `FerryError` as `init(path:options:)`, also if the URL is not that of a file.
  public convenience init(url: URL, options: Options = Options()) throws(FerryError) {
    try self.init(path: url.filePath, options: options)
  }
}

extension KeyedArchive {
  /// Opens the archive at a URL, binary or XML.
  ///
  /// - Throws: A `FerryError` as `init(path:options:)`, also if the URL is not that of a file.
  public convenience init(url: URL, options: EditableFile.Options = EditableFile.Options()) throws(FerryError)
  {
    try self.init(path: url.filePath, options: options)
  }
}

extension EditableFile {
  /// Writes the file to a URL, replacing an existing file atomically, as `write(to:)` with a path.
  ///
  /// - Returns: The losses, as those of `edited()`.
  /// - Throws: A `FerryError` as from the function with a path, also if the URL is not that of a file.
  @discardableResult
  public func write(to url: URL) throws(FerryError) -> Losses { try write(to: url.filePath) }
}

extension KeyedArchive {
  /// Writes the archive to a URL, replacing an existing file atomically, as `write(to:)` with a path.
  ///
  /// - Returns: The losses, as those of `edited()`.
  /// - Throws: A `FerryError` as from the function with a path, also if the URL is not that of a file.
  @discardableResult
  public func write(to url: URL) throws(FerryError) -> Losses { try write(to: url.filePath) }
}

extension Conversion {
  /// Converts the file at a URL. Its name is used if the content has no signature.
  ///
  /// - Returns: The output, and the report of the conversion.
  /// - Throws: A `FerryError` with the source location and the path, also if the URL is not that of a file.
  public func convert(_ url: URL) throws(FerryError) -> (bytes: [UInt8], report: Report) {
    let output = MemoryOutput()
    let report = try convert(FileInput(url: url), named: url.lastPathComponent, to: output)
    return (output.bytes, report)
  }
}
