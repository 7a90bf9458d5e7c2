import Ferry

/// A file that has been checked against a schema.
struct CheckedFile {
  private let name: String
  /// The errors of the file and its records, for a report in JSON; nil if they are printed at once.
  private let errors: SpooledList?
  private var report: SchemaCheck.Report?
  /// True if the XPath of the records is not valid, which is a mistake in the command line.
  private(set) var hasBadXPath = false

  /// Checks a file, and prints its errors unless they are kept.
  ///
  /// - Parameter open: Opens the file with the values of the document.
  init(
    _ name: String, by schema: Schema, _ options: ReadingOptions, keepsErrors: Bool,
    _ open: () throws(FerryError) -> OpenedValues<any ByteInput>
  ) {
    self.name = name
    errors = keepsErrors ? SpooledList() : nil
    let add = Self.receiver(keepingIn: errors)
    do throws(NamedError) {
      report = try NamedError.naming(name) { () throws(FerryError) in
        let values = try open()
        var check = SchemaCheck(schema, options.reading(values))
        check.whenRecordFails = { add(NamedError(name: name, error: $0)) }
        return try check.report(on: values.file, named: values.name)
      }
    } catch {
      if case .xml(.badXPath) = error.reason { hasBadXPath = true }
      add(error)
    }
  }

  private static func receiver(keepingIn list: SpooledList?) -> @Sendable (NamedError) -> Void {
    { error in
      if let list { list.add(.dictionary(error.entry)) } else { StandardError.write(error.line) }
    }
  }

  /// True if the file differs from the schema.
  func fails(isStrict: Bool) -> Bool {
    guard let report else { return true }
    return report.errorCount > 0 || isStrict && (report.undeclaredCount > 0 || !report.leftOut.isEmpty)
  }

  /// Prints the keys that the schema does not describe, the attributes and texts outside of records, and the number of records.
  func printSummary(isStrict: Bool, isQuiet: Bool) {
    guard let report else { return }
    let input = StandardError.inputName(name)
    if isStrict || !isQuiet {
      for (key, count) in undeclaredKeys(in: report) {
        let last = key.last.isEmpty ? "key \"\"" : MessageText.name(key.last)
        let others = count > 1 ? ", and \(count - 1) more" : ""
        StandardError.write("\(input): the schema has no \(last) (at \(key.path.shortened)\(others))")
      }
      for count in report.leftOut {
        StandardError.write("\(input): \(Self.words(count))")
      }
    }
    guard !isQuiet else { return }
    let records = "\(report.recordCount) \(report.recordCount == 1 ? "record" : "records")"
    let count = report.errorCount
    if count == 0, isStrict, report.undeclaredCount > 0 {
      return StandardError.write("\(input): \(records), with keys that the schema does not have")
    }
    if count == 0, isStrict, !report.leftOut.isEmpty {
      return StandardError.write("\(input): \(records), with attributes or text that belong to no record")
    }
    let broken = count == 0 ? "all fit" : "\(count) \(count == 1 ? "does" : "do") not fit"
    StandardError.write("\(input): \(records), \(broken)")
  }

  private static func words(_ count: Losses.Count) -> String { "\(count.kind.message) (\(count.count))" }

  /// A key that the schema does not describe.
  private struct UndeclaredKey {
    /// The key.
    let last: String
    /// The path of its first occurrence.
    let path: ValuePath
  }

  /// Returns each key that the schema does not describe once, with the number of its occurrences.
  private func undeclaredKeys(in report: SchemaCheck.Report) -> [(UndeclaredKey, count: Int)] {
    var counts: [[UInt8]: Int] = [:]
    var keys: [(shape: [UInt8], key: UndeclaredKey)] = []
    for path in report.undeclaredKeys {
      let shape = Array(
        path.steps.map { if case .key(let key) = $0 { key } else { "[]" } }.joined(separator: ".").utf8)
      counts[shape, default: 0] += 1
      guard counts[shape] == 1, case .key(let last)? = path.steps.last else { continue }
      keys.append((shape, UndeclaredKey(last: last, path: path)))
    }
    return keys.map { ($0.key, counts[$0.shape] ?? 1) }
  }

  /// The result as JSON.
  var value: SpooledValue {
    .dictionary([
      ("file", .value(.string(name))), ("records", .value(.integer(Int128(report?.recordCount ?? 0)))),
      ("errors", .list(errors ?? SpooledList())),
      ("undeclared", .value(.array((report?.undeclaredKeys ?? []).map { .string($0.description) }))),
      ("leftOut", .value(.array((report?.leftOut ?? []).map { .string(Self.words($0)) }))),
    ])
  }
}
