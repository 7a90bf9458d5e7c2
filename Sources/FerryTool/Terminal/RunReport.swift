import Ferry

/// The messages of a run on the standard error, and the data for its exit status and its report file.
final class RunReport {
  private let quiet: Bool
  private var converted = 0
  private var failures: [NamedError] = []
  private var losses: [(name: String, loss: Loss)] = []
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
      guard !quiet else { return }
      StandardError.write(notes: report.notes, of: job.input)
      StandardError.write(report.losses, of: job.input)
    case .failed(let failure): self.failure(failure)
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
      "losses": .array(
        losses.map { name, loss in
          [
            "file": .string(name), "code": .string(loss.kind.rawValue),
            "message": .string(loss.kind.message), "path": .string(loss.path.description),
          ]
        }),
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
