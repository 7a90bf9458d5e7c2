import Ferry

/// The output for the values of several files: lines that begin with the name of the file, or records in a format.
final class ValuesOfFiles {
  /// The values of a file.
  enum Found {
    /// The lines for the values.
    case lines([UInt8])
    /// The values with their paths.
    case values([(path: String, value: Value)])

    var isEmpty: Bool {
      switch self {
      case .lines(let lines): lines.isEmpty
      case .values(let values): values.isEmpty
      }
    }
  }

  private let output: NamedOutput
  private var records: RecordWriter?
  /// True if the values become records in a format.
  let areRecords: Bool
  /// True if a value has been written.
  private(set) var hasAny = false

  /// - Parameter writing: The format of the records; nil for lines.
  init(_ output: NamedOutput, as writing: WritingOptions?, _ budget: Budget) throws(NamedError) {
    (self.output, areRecords) = (output, writing != nil)
    guard let writing else { return }
    var encoder = FerryEncoder(to: writing.format)
    (encoder.writing, encoder.budget) = (writing, budget)
    do throws(FerryError) { records = try RecordWriter(encoder, to: output) } catch {
      throw output.error ?? NamedError(name: output.name, error: error)
    }
  }

  /// Writes the values of a file.
  func write(_ found: Found, of name: String) throws(NamedError) {
    hasAny = true
    try output.naming(input: name) { output throws(FerryError) in
      switch found {
      case .lines(let lines): try output.write(Self.named(lines, name).span)
      case .values(let values): for (path, value) in values { try write(value, at: path, of: name) }
      }
    }
  }

  private func write(_ value: Value, at path: String, of name: String) throws(FerryError) {
    var record = KeyedValues()
    (record["file"], record["path"]) = (.string(name), .string(path))
    record["value"] = value
    try records?.write(.dictionary(record))
  }

  /// Returns lines, each after the name of a file.
  private static func named(_ lines: [UInt8], _ name: String) -> [UInt8] {
    let prefix = Array("\(StandardError.inputName(name).withoutInvisibles): ".utf8)
    let last = lines.last == UInt8(ascii: "\n") ? lines.dropLast() : lines[...]
    var named: [UInt8] = []
    for line in last.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      named += prefix
      named += line
      named.append(UInt8(ascii: "\n"))
    }
    return named
  }

  /// Ends the records. Returns what their format cannot hold; nil for lines.
  func finish() throws(NamedError) -> Losses? {
    try output.naming(input: output.name) { _ throws(FerryError) in
      try records.take()?.finishWithLosses()
    }
  }
}
