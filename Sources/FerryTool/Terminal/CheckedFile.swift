import Ferry

/// A file that has been checked against a schema.
struct CheckedFile {
  private let name: String
  private var errors: [NamedError] = []
  private var report: SchemaCheck.Report?

  /// Checks a file.
  init(_ name: String, by check: SchemaCheck, _ progress: ProgressLine?) {
    self.name = name
    do throws(NamedError) {
      let report = try NamedError.naming(name) { () throws(FerryError) in
        let input = try FileInput(path: name)
        progress?.watch(input)
        return try check.report(on: input, named: name)
      }
      self.report = report
      errors = report.errors.map { NamedError(name: name, error: $0) }
    } catch {
      errors = error.error.earlier.map { NamedError(name: name, error: $0) } + [error]
    }
  }

  /// True if the file differs from the schema.
  func fails(isStrict: Bool) -> Bool {
    !errors.isEmpty || isStrict && (report?.undeclaredCount ?? 0) > 0
  }

  /// Prints the differences.
  func print(isStrict: Bool, isQuiet: Bool) {
    for error in errors { StandardError.write(error.line) }
    guard let report else { return }
    let input = StandardError.inputName(name)
    if isStrict || !isQuiet {
      for (key, count) in undeclaredKeys(in: report) {
        StandardError.write(
          "\(input): the schema has no \(key.last) (at \(key.path)\(count > 1 ? ", and \(count - 1) more" : ""))"
        )
      }
    }
    guard !isQuiet else { return }
    let records = "\(report.recordCount) \(report.recordCount == 1 ? "record" : "records")"
    if errors.isEmpty, isStrict, report.undeclaredCount > 0 {
      return StandardError.write("\(input): \(records), with keys that the schema does not have")
    }
    let broken = errors.isEmpty ? "all fit" : "\(errors.count) \(errors.count == 1 ? "does" : "do") not fit"
    StandardError.write("\(input): \(records), \(broken)")
  }

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
  var value: Value {
    [
      "file": .string(name), "records": .integer(Int128(report?.recordCount ?? 0)),
      "errors": .array(errors.map { .dictionary($0.entry) }),
      "undeclared": .array((report?.undeclaredKeys ?? []).map { .string($0.description) }),
    ]
  }
}
