import Subprocess
import SystemPackage
import Testing

/// Other programs that read and write the same formats, to agree with.
public enum Peer {
  /// The result of a program.
  public struct Answer: Sendable {
    /// True if the program exited with status 0.
    public let succeeded: Bool
    /// Its standard output.
    public let output: [UInt8]
    /// Its standard error.
    public let errors: String

    /// Its standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// Runs a program found in `PATH`; the test that asked is cancelled when there is none.
  public static func run(
    _ program: String, _ arguments: [String] = [], input: [UInt8] = []
  ) async throws -> Answer {
    let executable: Executable = program.contains("/") ? .path(FilePath(program)) : .name(program)
    do {
      _ = try await executable.resolveExecutablePath(in: .inherit)
    } catch {
      try Test.cancel("\(program) is not installed here")
    }
    let result = try await Subprocess.run(
      executable, arguments: Arguments(arguments), input: .array(input), output: .bytes(limit: 1 << 28),
      error: .string(limit: 1 << 20))
    return Answer(
      succeeded: result.terminationStatus.isSuccess, output: result.standardOutput,
      errors: result.standardError)
  }

  /// Runs a Python program; the test that asked is cancelled when there is no Python.
  public static func python(_ code: String, input: [UInt8] = []) async throws -> Answer {
    try await run(await interpreter.value, ["-c", code], input: input)
  }

  /// The program behind `python3`, which may be a script that looks for a version in every run.
  private static let interpreter = Task {
    let found = try? await Subprocess.run(
      .name("python3"), arguments: ["-c", "import sys; print(sys.executable, end='')"],
      output: .string(limit: 4096), error: .discarded)
    return found?.standardOutput ?? "python3"
  }
}
