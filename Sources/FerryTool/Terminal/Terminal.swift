import Ferry

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Properties of the terminal and the machine.
enum Terminal {
  /// True if the standard output should be colored: it is a terminal other than `dumb`, and `NO_COLOR` is not
  /// set.
  static var showsColors: Bool { showsColors(on: STDOUT_FILENO) }

  /// True if the standard error should be colored.
  static var showsErrorColors: Bool { showsColors(on: STDERR_FILENO) }

  private static func showsColors(on file: Int32) -> Bool {
    guard isatty(file) == 1, unsafe getenv("NO_COLOR") == nil else { return false }
    return unsafe getenv("TERM").map { unsafe strcmp($0, "dumb") } != 0
  }

  /// The standard output. If it is a terminal, it refuses binary output unless `-o -` or `--bytes` requests
  /// it.
  static var output: any ByteOutput {
    isatty(STDOUT_FILENO) == 1 && !isBinaryAskedFor ? TextOutput(StandardOutput()) : StandardOutput()
  }

  private static var isBinaryAskedFor: Bool {
    let arguments = CommandLine.arguments
    let names = zip(arguments, arguments.dropFirst()).contains {
      ["-o", "--output"].contains($0) && $1 == "-"
    }
    return names || arguments.contains("--output=-") || arguments.contains("--bytes")
  }

  /// The number of columns in a line: the terminal's if the standard output is one, otherwise 80.
  static var width: Int { width(of: STDOUT_FILENO) }

  /// The number of columns in a line of the standard error.
  static var errorWidth: Int { width(of: STDERR_FILENO) }

  private static func width(of file: Int32) -> Int {
    var size = winsize()
    guard unsafe ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// True if errors show the line of a text or the bytes at their location: on a terminal, or with `--explain`.
  static let explainsErrors: Bool = {
    let choice = CommandLine.arguments.last { ["--explain", "--no-explain"].contains($0) }
    return choice.map { $0 == "--explain" } ?? (isatty(STDERR_FILENO) == 1)
  }()

  /// True if --explain is given.
  static let isExplanationAskedFor = explainsErrors && CommandLine.arguments.contains("--explain")

  /// The encoding of texts that --encoding gives, or nil.
  static let inputEncoding: String? = {
    let (arguments, option) = (CommandLine.arguments, "--encoding")
    if let index = arguments.lastIndex(of: option), index + 1 < arguments.count {
      return arguments[index + 1]
    }
    return arguments.last { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
  }()

  /// The number of processors.
  static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The number of the signal to a process that writes to a closed pipe.
  static let brokenPipeSignal = SIGPIPE

  /// Makes a write to a closed pipe, or beyond the limit for the size of a file, fail instead of ending the process, which would leave
  /// temporary files.
  static func ignoreSignalsOfWrites() {
    for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
  }

  /// Ends the process by the signal `SIGPIPE`, as programs end that do not ignore it: shells give the exit status 141.
  static func endAfterBrokenPipe() -> Never { Interruption.endProcess(by: SIGPIPE) }

  /// True if the user can be asked: the standard input and the standard error are terminals.
  static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// True if the standard input is a terminal.
  static var isInputTyped: Bool { isatty(STDIN_FILENO) == 1 }

  /// True if the standard output is a terminal.
  static var isOutputShown: Bool { isatty(STDOUT_FILENO) == 1 }

  /// True if the standard error is a terminal.
  static var isErrorShown: Bool { isatty(STDERR_FILENO) == 1 }

  /// Asks a question to which Return means yes.
  static func asks(_ question: String) -> Bool {
    StandardError.ask(question)
    guard let answer = readLine() else { return false }
    return !answer.lowercased().hasPrefix("n")
  }

  // MARK: Paths

  /// Returns the path of a file from the root, without links in the path of its folder.
  static func absolutePath(_ path: String) -> String {
    let folder = Folder.containing(path)
    guard let resolved = unsafe realpath(folder.isEmpty ? "." : folder, nil) else { return path }
    defer { unsafe free(resolved) }
    let name = path.namesInPath.last ?? ""
    let parent = unsafe String(cString: resolved)
    return (parent == "/" ? "" : parent) + "/" + name
  }
}
