import Foundation
import Subprocess
import SystemPackage
import Testing

/// A run of the program `ferry` that has ended: what a user sees of it.
public struct ToolRun: Sendable {
  /// The exit status; 128 and the signal's number when a signal ended it.
  public let status: Int
  /// The standard output.
  public let bytes: [UInt8]
  /// The standard error.
  public let errors: String

  /// The standard output as text.
  public var output: String { String(decoding: bytes, as: UTF8.self) }

  /// Runs `ferry` in the test's temporary directory.
  public static func ferry(_ arguments: String..., input: String = "") async throws -> ToolRun {
    try await ferry(arguments, input: Array(input.utf8))
  }

  /// Runs `ferry` in the test's temporary directory.
  public static func ferry(_ arguments: [String], input: [UInt8] = []) async throws -> ToolRun {
    try await run(Executable.path(FilePath(program)), arguments, input: input)
  }

  /// Runs a shell's command line in the test's temporary directory; `ferry` is the program that was built.
  public static func shell(_ line: String) async throws -> ToolRun {
    let folder = URL(filePath: try program).deletingLastPathComponent().path
    // A command that never ends its work ends by a signal, after more processor time than any test takes.
    return try await run(.path("/bin/sh"), ["-c", "PATH=\"$0:$PATH\"; ulimit -t 600\n" + line, folder])
  }

  /// Ignores the signal by which the process of the tests would end if a program ends before it has read its input. Programs that it starts
  /// do not ignore it.
  private static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

  private static func run(
    _ executable: Executable, _ arguments: [String], input: [UInt8] = []
  ) async throws -> ToolRun {
    ignoresBrokenPipes
    let result = try await Subprocess.run(
      executable, arguments: Arguments(arguments),
      workingDirectory: FilePath(TemporaryDirectory.current.path),
      input: .array(input), output: .bytes(limit: 1 << 28), error: .string(limit: 1 << 24))
    return ToolRun(
      status: status(result.terminationStatus), bytes: result.standardOutput, errors: result.standardError)
  }

  /// Runs `ferry` with a standard input that begins with `start` and never ends, and sends it a signal when `isReady`, which ends with the
  /// run.
  /// The run is ended if it never is.
  public static func ferry(
    _ arguments: String..., input start: String = "", interruptedBy signal: Int32,
    when isReady: () throws -> Bool
  ) async throws -> ToolRun {
    let result = try await Subprocess.run(
      .path(FilePath(program)), arguments: Arguments(arguments),
      workingDirectory: FilePath(TemporaryDirectory.current.path),
      input: .inputWriter, output: .discarded, error: .discarded
    ) { execution in
      if !start.isEmpty { _ = try await execution.standardInputWriter.write(Array(start.utf8)) }
      let isRunning = try await eventually(isReady)
      try execution.send(signal: isRunning ? Signal(rawValue: signal) : .kill)
      // The standard input ends after this: the program must have seen the signal by then.
      _ = try await eventually { try !isReady() }
    }
    return ToolRun(status: status(result.terminationStatus), bytes: [], errors: "")
  }

  /// Runs a shell's command line whose standard input begins with `start` and continues with `rest` when `isReady`.
  /// Returns false if it never is.
  public static func shell(
    _ line: String, input start: String, pausingUntil isReady: () throws -> Bool, then rest: String
  ) async throws -> Bool {
    let folder = URL(filePath: try program).deletingLastPathComponent().path
    let result = try await Subprocess.run(
      .path("/bin/sh"), arguments: ["-c", "PATH=\"$0:$PATH\"; " + line, folder],
      workingDirectory: FilePath(TemporaryDirectory.current.path),
      input: .inputWriter, output: .discarded, error: .discarded
    ) { execution in
      _ = try await execution.standardInputWriter.write(Array(start.utf8))
      let wasReady = try await eventually(isReady)
      _ = try await execution.standardInputWriter.write(Array(rest.utf8))
      try await execution.standardInputWriter.finish()
      return wasReady
    }
    return result.closureResult
  }

  private static func status(_ status: TerminationStatus) -> Int {
    switch status {
    case .exited(let code): Int(code)
    case .signaled(let signal): 128 + Int(signal)
    }
  }

  /// The path of the tool, for another program to run it.
  public static var path: String { get throws { try program } }

  /// The program, which is built beside the tests.
  private static var program: String {
    get throws {
      var folder = URL(filePath: CommandLine.arguments[0]).standardizedFileURL
      while folder.pathComponents.count > 1 {
        folder.deleteLastPathComponent()
        let program = folder.appending(path: "ferry").path
        var isFolder: ObjCBool = false
        if unsafe FileManager.default.fileExists(atPath: program, isDirectory: &isFolder), !isFolder.boolValue
        {
          return program
        }
      }
      throw Missing.program
    }
  }

  private enum Missing: Error { case program }
}
