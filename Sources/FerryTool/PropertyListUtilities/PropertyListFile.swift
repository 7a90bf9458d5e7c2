import Ferry

/// The contents of a file that a property list utility reads: a property list in any syntax, or JSON.
struct PropertyListFile {
  /// The syntax of the file.
  let format: Format
  /// The value. References of an archive are read as they are stored.
  var value: Value

  /// Creates the contents of a file with a value.
  init(format: Format, value: Value) { (self.format, self.value) = (format, value) }

  /// The reasons why a file is not read.
  enum Problem: Error {
    /// The file has no bytes.
    case empty
    /// The system cannot read the file.
    case unreadable(FerryError)
    /// The text is neither a property list nor JSON. The second error is nil if JSON was not tried.
    case invalid(FerryError, json: FerryError?)
    /// The file is compressed. Apple's utilities read no such file, and would write it back without the compression.
    case compressed(Compression)
  }

  /// Reads a file; `-` is the standard input.
  init(path: String) throws(Problem) {
    let bytes: [UInt8]
    do throws(FerryError) {
      bytes = try FileInput(path: path).readAll()
    } catch {
      throw .unreadable(error)
    }
    try self.init(bytes, named: path)
  }

  /// Reads the bytes of a file.
  init(_ bytes: [UInt8], named name: String = "") throws(Problem) {
    guard !bytes.isEmpty else { throw .empty }
    if let problem = Self.problem(ofFileThatBegins: Array(bytes.prefix(1024))) { throw problem }
    let syntax = Self.propertyListFormat(of: bytes)
    let propertyList = syntax == .openStepPropertyList ? Self.openStepFormat(ofFile: name) : syntax
    let triesJSON = syntax == .openStepPropertyList
    if triesJSON, Self.prefersJSON(bytes, named: name),
      let value = try? Self.read(bytes, as: .json, named: name)
    {
      (self.format, self.value) = (.json, value)
      return
    }
    do throws(FerryError) {
      (format, value) = (propertyList, try Self.read(bytes, as: propertyList, named: name))
    } catch {
      guard triesJSON else { throw .invalid(error, json: nil) }
      let propertyListError = error
      do throws(FerryError) {
        (format, value) = (.json, try Self.read(bytes, as: .json, named: name))
      } catch {
        throw .invalid(propertyListError, json: error)
      }
    }
  }

  /// Reads a value in one syntax. The name of its file decides which kind an invalid text looks like.
  static func read(_ bytes: [UInt8], as format: Format, named name: String? = nil) throws(FerryError) -> Value
  {
    let builder = ValueBuilder()
    try send(MemoryInput(bytes), as: format, named: name, into: builder)
    return try builder.result()
  }

  /// Sends the value of an input in one syntax to a sink, and finishes the sink.
  static func send(
    _ input: any ByteInput, as format: Format, named name: String? = nil, into sink: any ValueSink
  ) throws(FerryError) {
    var options = ReadingOptions()
    options.format = format
    options.representation = .raw
    options.matchesSchemas = false
    // In JSON, `{"CF$UID": 4}` is a reference of an archive, as in XML.
    try options.read(input, named: name, into: format == .json ? sink.receivingReferences : sink)
  }

  // MARK: Recognizing the syntax

  /// Returns the reason why a file is not read if its first bytes are those of a compressed file or of another format.
  static func problem(ofFileThatBegins head: [UInt8]) -> Problem? {
    if let compression = Compression.of(head) { return .compressed(compression) }
    return Format.refusal(ofPropertyListThatBegins: head).map { .invalid($0, json: nil) }
  }

  /// Returns the syntax of a property list by its first bytes.
  static func propertyListFormat(of bytes: some Collection<UInt8>) -> Format {
    if bytes.starts(with: FileSignature.binaryPropertyList.bytes) { return .binaryPropertyList }
    // Zero bytes are those of UTF-16, and the bytes from 0xEF on those of a byte order mark.
    let text = bytes.prefix(1024).lazy.filter { $0 > 0x20 && $0 < 0x80 }
    guard text.first == UInt8(ascii: "<") else { return .openStepPropertyList }
    // Data in an OpenStep property list is in `<` and `>`, too.
    let content = text.dropFirst().prefix { $0 != UInt8(ascii: ">") }
    let isMarkup = !content.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    return isMarkup ? .xmlPropertyList : .openStepPropertyList
  }

  /// Returns the format in which a file with the syntax of OpenStep is written.
  private static func openStepFormat(ofFile name: String) -> Format {
    let formats: [Format] = [.strings, .xcodeProject]
    return formats.first { $0.extensions.contains { name.hasSuffix(".\($0)") } } ?? .openStepPropertyList
  }

  /// Returns true if a text may be an OpenStep property list, but is rather JSON: by the name of its file, or because it is `{}`,
  /// which is JSON in most files, apart from strings files and Xcode projects.
  private static func prefersJSON(_ bytes: [UInt8], named name: String) -> Bool {
    if name.lowercased().hasSuffix(".json") { return true }
    let isEmptyDictionary = bytes.count < 1024 && bytes.filter { $0 > 0x20 }.elementsEqual("{}".utf8)
    return isEmptyDictionary && openStepFormat(ofFile: name) == .openStepPropertyList
  }
}
