/// An encoder of `Encodable` values as files of any format.
///
///     let encoder = FerryEncoder(to: .json)
///     let bytes = try encoder.encode([Person(first: "Ada", last: "Lovelace", age: 36)])
///     // [{"first":"Ada","last":"Lovelace","age":36}]
///
/// A value that the format cannot hold is refused if the decoded one would be another, such as NaN in JSON. `encodeWithLosses` writes it
/// as well as the format can, and returns the losses.
///
///     try encoder.encode([1.5, Double.nan])       // throws: not exact: NaN and infinities become text (at [1])
///     let (bytes, losses) = try encoder.encodeWithLosses([1.5, Double.nan])
///     // [1.5,"NaN"]; losses.listed: notFinite at [1]
///
/// The strategies `keys`, `dates` and `data` are those of other encoders:
///
///     encoder.keys = .snakeCase                  // firstName is first_name
///     encoder.dates = .secondsSince1970          // also iso8601, millisecondsSince1970, and custom functions
///     encoder.data = .base64                     // also in a property list, which has data
public struct FerryEncoder: Sendable {
  /// The options for writing the file: its format, layout and encoding. The default style of objects with several
  /// references is `inFull`: an instance of a class that occurs several times is copied. An archive has one object.
  ///
  /// In XML, a key that begins with `@` becomes an attribute if no element precedes it, `#text` the text beside attributes, and an array the
  /// elements of one name; `writing.rootElement` names the root element, which is `root` otherwise. A name such as `{urn:a}list` is one in a
  /// namespace: `FerryDecoder` finds it by this coding key, and reads it as a key of a dictionary with `reading.xml.namespaces = .expanded`.
  ///
  /// A database has a list of records, as the table `writing.table`, or a dictionary of several lists, each a table. A dictionary of one list is
  /// refused, because a single table is read as a list.
  ///
  /// In CSV, a list of values that are not records becomes a column `value`, and lists and dictionaries inside a record JSON.
  ///
  /// Nil is null, an empty cell in CSV, and no key or element in formats without null. A `Float` is written in formats without 32-bit reals as
  /// the `Double` of the same value: 36.6 is 36.599998474121094.
  ///
  /// An archive has the encoding, but its layout and its order of keys are always those of `NSKeyedArchiver`.
  public var writing: WritingOptions
  /// The schema of the records, which names the elements in XML; or nil. The types of the records may have any name. Records without a version
  /// have its newest one.
  public var schema: Schema?
  /// True to refuse losses of all kinds, not only those after which another value would be decoded: also numbers that XML and CSV store as text.
  public var isStrict = false
  /// The limits on the cost of the values. The default depth is 256 levels.
  public var budget = Budget.coding
  /// The relation between the keys of types and of files, except in archives.
  public var keys = FerryDecoder.KeyStrategy.same
  /// The form of dates, except in archives. By default, they are those of the format; in a format without dates, they become text in ISO 8601,
  /// which `FerryDecoder` reads back.
  public var dates = DateStrategy.native
  /// The form of data, except in archives. By default, it is that of the format; in a format without data, it becomes text in Base64, which
  /// `FerryDecoder` reads back.
  public var data = DataStrategy.native
  /// The class names and archived keys of types, in archives, which are encoded by `KeyedArchiveEncoder`.
  public var classes: ClassMap
  /// Values that the encoded types can read from `Encoder.userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates an encoder to a format.
  public init(to format: Format, classes: ClassMap = ClassMap()) {
    writing = WritingOptions(to: format)
    writing.shared = .inFull
    self.classes = classes
  }

  /// Encodes a value.
  ///
  /// - Returns: The contents of the file.
  /// - Throws: An `EncodingError` with the coding path if the format cannot represent the value, or if a part of it would be decoded
  ///   with another type or content: NaN in JSON, nil in a list or a dictionary in a property list in XML or text, an array in an array or an empty
  ///   array in an optional in XML. Dates may be rounded to the digits that the format keeps, and a `Value` takes the types that the format
  ///   has. A key of a dictionary that is a name in a namespace has a prefix if it is not decoded as an expanded name. The `underlyingError` is
  ///   a `FerryError`.
  public func encode(_ value: some Encodable) throws -> [UInt8] {
    let output = MemoryOutput()
    try encode(value, to: output)
    return output.bytes
  }

  /// Encodes a value to an output.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - output: The output. It may have received the whole value if this throws.
  /// - Throws: An `EncodingError`, as `encode(_:)`. The error of the output is in it, too.
  public func encode(_ value: some Encodable, to output: any ByteOutput) throws {
    let losses = LossReport(encodingTo: writing.format, listsAll: isStrict)
    let encoded = try self.encoded(value)
    let noted = try write(encoded, to: output, losses)
    guard let change = noted ?? losses.firstSought else { return }
    throw change.refusal(by: self, of: encoded)
      .encodingError(of: encoded.part(at: change.path), path: change.path.codingPath)
  }

  /// Encodes a value, also if the format cannot hold all of it.
  ///
  ///     let (bytes, losses) = try FerryEncoder(to: .json).encodeWithLosses([1.5, Double.nan])
  ///     // [1.5,"NaN"]
  ///     losses.listed.map(\.kind)        // [.notFinite]
  ///
  /// - Returns: The contents of the file, and the data in the value that the format does not hold as it is.
  /// - Throws: An `EncodingError` with the coding path if the format cannot represent the value at all. Its `underlyingError` is a
  ///   `FerryError`.
  public func encodeWithLosses(_ value: some Encodable) throws -> (bytes: [UInt8], losses: Losses) {
    let output = MemoryOutput()
    let losses = try encodeWithLosses(value, to: output)
    return (output.bytes, losses)
  }

  /// Encodes a value to an output, also if the format cannot hold all of it.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - output: The output.
  /// - Returns: The data in the value that the format does not hold as it is.
  /// - Throws: An `EncodingError`, as `encodeWithLosses(_:)`. The error of the output is in it, too.
  @discardableResult
  public func encodeWithLosses(_ value: some Encodable, to output: any ByteOutput) throws -> Losses {
    let losses = LossReport()
    _ = try write(self.encoded(value), to: output, losses)
    return losses.all
  }

  /// Writes an encoded value to an output. Returns the first value that would be decoded as another one, if `losses` does not show that.
  private func write(
    _ encoded: EncodedValue, to output: any ByteOutput, _ losses: LossReport
  ) throws(EncodingError) -> Loss? {
    do throws(FerryError) {
      try writing.format.checkCanWrite()
      guard !writing.format.isArchive else {
        let encodedOutput = try conversion.encodedOutput(output)
        try archiveEncoder.write(encoded, to: encodedOutput ?? output)
        try encodedOutput?.finish()
        return nil
      }
      var change: Loss?
      try namingRootElement.conversion.write(to: output, losses: losses) { sink throws(FerryError) in
        let sender = sender(to: sink, losses)
        try sender.send(encoded)
        sender.finish()
        change = sender.change
      }
      try conversion.refuse(losses)
      return change
    } catch {
      throw error.encodingError(of: encoded.part(at: error.path), path: error.path.codingPath)
    }
  }

  /// Encodes a value as a tree in memory, without a format. The format of the encoder does not matter.
  ///
  ///     let person = try FerryEncoder(to: .json).value(of: Person(first: "Ada", last: "Lovelace", age: 36))
  ///     // ["first": "Ada", "last": "Lovelace", "age": 36]
  ///
  /// Types with keys become dictionaries, and `URL` and `UUID` text; a URL with a base becomes the absolute one. An instance that occurs several
  /// times is a copy each time.
  ///
  /// - Throws: An `EncodingError` with the coding path, also for an instance that contains itself.
  public func value(of value: some Encodable) throws -> Value {
    let encoded = try self.encoded(value, .scalar)
    let builder = ValueBuilder()
    do throws(FerryError) {
      try encoded.send(to: builder)
      return try builder.result().withoutObjects()
    } catch {
      throw error.encodingError(of: type(of: value), path: error.path.codingPath)
    }
  }

  /// Returns the encoded form of a value, which an `EncodedValueSender` sends to a sink.
  func encoded(_ value: some Encodable) throws -> EncodedValue {
    try encoded(value, foundationForm, marksAttributes: marksAttributes)
  }

  private func encoded(
    _ value: some Encodable, _ form: FoundationForm, marksAttributes: Bool = false
  ) throws -> EncodedValue {
    var forms = forms
    forms.marksAttributes = marksAttributes
    // An archive has objects for dates and data, and its keys are in the class map.
    let encoding = ArchiveEncoding(
      archiveEncoder, foundationForm: form, forms: form == .archived ? EncodedForms() : forms)
    let encoded = try encoding.encode(value, at: nil, in: EncodingFrame())
    if let problem = encoding.problem {
      // The value may be nested without a limit, and so is not part of the error.
      throw problem.encodingError(of: type(of: value), path: problem.path.codingPath)
    }
    return encoded
  }

  /// The encoder with a root element `root` in XML. Otherwise, the only key of a value may become the name of the root element, which
  /// a decoder does not read.
  private var namingRootElement: FerryEncoder {
    guard case .elements = writing.format.description.writer, schema == nil, writing.xml.convention == .ferry,
      writing.rootElement == nil
    else { return self }
    var named = self
    named.writing.rootElement = "root"
    return named
  }

  /// The conversion that writes the encoded values.
  var conversion: Conversion {
    var conversion = Conversion(writing: writing)
    (conversion.reading.schema, conversion.reading.budget) = (schema, budget)
    conversion.isStrict = isStrict
    conversion.writing.xml.reportsForms = false
    // The values of an app's types have no older versions, and the names of their own types.
    (conversion.hasUpdatedRecords, conversion.takesAnyClass) = (true, true)
    return conversion
  }

  /// Returns a sender of encoded values to the pipeline of the conversion.
  func sender(to sink: any ValueSink, _ losses: LossReport) -> EncodedValueSender {
    EncodedValueSender(self, to: sink, losses: losses)
  }

  private var archiveEncoder: KeyedArchiveEncoder {
    var encoder = KeyedArchiveEncoder(classes: classes)
    (encoder.budget, encoder.userInfo) = (budget, userInfo)
    encoder.outputFormat = writing.format.isBinaryPropertyList ? .binary : .xml
    return encoder
  }
}

extension Value {
  /// The value with the content of each object in its place, also in place of references to the object.
  ///
  /// - Throws: An error for an object that contains itself.
  fileprivate func withoutObjects() throws(FerryError) -> Value {
    var contents: [Int: Value] = [:]
    return try withoutObjects(&contents)
  }

  private func withoutObjects(_ contents: inout [Int: Value]) throws(FerryError) -> Value {
    switch self {
    case .object(let object):
      let content = try object.content.withoutObjects(&contents)
      if let identity = object.identity { contents[identity] = content }
      return content
    case .reference(let identity):
      guard let content = contents[identity] else { throw FerryError(.coding(.containsItself)) }
      return content
    case .array(let values):
      return .array(try values.map { value throws(FerryError) in try value.withoutObjects(&contents) })
    case .set(let values):
      return .set(try values.map { value throws(FerryError) in try value.withoutObjects(&contents) })
    case .dictionary(let entries):
      var plain = KeyedValues()
      for (key, value) in entries {
        plain[try key.withoutObjects(&contents)] = try value.withoutObjects(&contents)
      }
      return .dictionary(plain)
    default: return self
    }
  }
}
