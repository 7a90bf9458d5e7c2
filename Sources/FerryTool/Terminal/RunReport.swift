import Ferry

/// The messages of a run on the standard error, and the data for its exit status and its report file.
final class RunReport {
  private let quiet: Bool
  private var converted = 0
  private var failures: [NamedError] = []
  private var losses: [(name: String, loss: Loss)] = []
  /// The numbers of losses of each kind, in each input.
  private var counts: [(name: String, count: Losses.Count)] = []
  private var inputs = 0

  init(quiet: Bool) { self.quiet = quiet }

  /// True if an input failed.
  var hasFailures: Bool { !failures.isEmpty }

  /// Adds the result of an input.
  func add(_ outcome: Batch.Outcome, of job: Batch.Job) {
    switch outcome {
    case .done(let report):
      inputs += 1
      converted += 1
      for failure in report.failures { say(NamedError(name: job.input, failure: failure)) }
      losses += report.losses.places.map { (job.input, $0) }
      counts += report.losses.counts.map { (job.input, $0) }
      guard !quiet else { return }
      StandardError.write(notes: report.notes, of: job.input)
      StandardError.write(report.losses, of: job.input)
    case .failed(let failure):
      for earlier in failure.failure.earlier { say(NamedError(name: job.input, failure: earlier)) }
      self.failure(failure)
    case .pipeClosed: break
    }
  }

  /// Reports an input that failed.
  func failure(_ failure: NamedError) {
    inputs += 1
    say(failure)
  }

  private func say(_ failure: NamedError) {
    failures.append(failure)
    StandardError.write(failure.line)
  }

  /// Prints the number of converted inputs if there are several.
  func summarize() {
    guard inputs > 1, !quiet || hasFailures else { return }
    StandardError.write("\(converted) converted, \(inputs - converted) failed")
  }

  /// Writes all losses and errors as JSON. Returns false if that fails.
  func write(to path: String) -> Bool {
    let value: Value = [
      "failures": .array(failures.map(Self.entry)),
      "counts": .array(counts.map { Self.entry(of: $1.kind, in: $0, "count", .integer(Int128($1.count))) }),
      "losses": .array(losses.map { Self.entry(of: $1.kind, in: $0, "path", .string($1.path.description)) }),
    ]
    do throws(NamedError) {
      try NamedError.naming(output: path) { () throws(FerryError) in
        let output = try FileOutput(path: path == "-" ? "/dev/stdout" : path, replacing: true)
        let writer = JSONWriter(to: output, style: .pretty)
        try value.replay(into: writer)
        try writer.finish()
        try output.commit()
      }
      return true
    } catch {
      StandardError.write(error.line)
      return false
    }
  }

  /// Returns the entry of a kind of loss in an input, with one more key.
  private static func entry(of kind: Loss.Kind, in name: String, _ key: String, _ value: Value) -> Value {
    [
      "file": .string(name), "code": .string(kind.rawValue), "message": .string(kind.message),
      key: value,
    ]
  }

  /// Returns the entry of an error, with its known locations.
  private static func entry(of failure: NamedError) -> Value {
    let error = failure.failure
    var entry = KeyedValues()
    entry["file"] = .string(failure.name)
    entry["code"] = .string(error.code)
    entry["message"] = .string(error.reason.description)
    let position = error.position
    for (key, number) in [
      ("line", position.line), ("column", position.column), ("byte", position.byte),
      ("object", position.object),
    ] {
      if let number { entry[.string(key)] = .integer(Int128(number)) }
    }
    if !error.path.isEmpty { entry["path"] = .string(error.path.description) }
    return .dictionary(entry)
  }
}
