import ArgumentParser
import Ferry

/// `ferry convert`: the main job.
struct Convert: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Convert files, or the standard input, to another format.",
    discussion: """
      The input's format is found by its content. The output's is --to, else the extension of -o. Without -o, \
      --out-dir or -i the result goes to the standard output. What the output's format cannot hold is said in one \
      line; --report has all of it, --strict refuses.
      """)

  @Argument(help: "Files to convert; - or none is the standard input.")
  var files: [String] = []

  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    let places = [output.output != nil, output.folder != nil, output.inPlace].count { $0 }
    guard places <= 1 else { throw ValidationError("-o, --out-dir and -i exclude each other.") }
    guard output.output == nil || files.count <= 1 else {
      throw ValidationError("-o takes one input; --out-dir takes any number.")
    }
    guard !output.inPlace || !files.isEmpty, !output.inPlace || !files.contains("-") else {
      throw ValidationError("-i needs files.")
    }
    guard output.to != nil || output.output.flatMap(Format.ofFile(named:)) != nil else {
      throw ValidationError("--to names the output's format: \(Self.targets).")
    }
    if let target = output.to, !target.canWrite {
      throw ValidationError(
        "Ferry reads \(target.rawValue) but does not write it; --to takes \(Self.targets).")
    }
    guard
      files.count <= 1 || output.folder != nil || output.inPlace || output.to == .json
        || output.to == .jsonLines
    else {
      throw ValidationError(
        "Several inputs need --out-dir or -i; on the standard output only JSON can follow JSON.")
    }
    guard output.jobs.map({ $0 > 0 }) ?? true else { throw ValidationError("--jobs takes a number above 0.") }
  }

  private static var targets: String { Format.written.map(\.rawValue).joined(separator: ", ") }

  func run() async throws {
    let schema = try input.loadSchema()
    let catalogue = try input.loadCatalogue()
    let report = RunReport(quiet: output.quiet)
    let batch: Batch
    do throws(NamedFailure) {
      batch = try Batch(self, schema: schema, catalogue: catalogue)
    } catch {
      report.failure(error)
      throw ExitCode.failure
    }
    await batch.run(report)
    if let path = output.report, !report.write(to: path) { throw ExitCode.failure }
    report.summarize()
    guard !report.hasFailures else { throw ExitCode.failure }
  }
}
