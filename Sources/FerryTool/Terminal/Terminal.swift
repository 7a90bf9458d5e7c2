#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Properties of the terminal and the machine.
enum Terminal {
  /// True if the standard output should be colored: it is a terminal, and `NO_COLOR` is not set.
  static var showsColors: Bool {
    guard isatty(STDOUT_FILENO) == 1 else { return false }
    return unsafe getenv("NO_COLOR") == nil
  }

  /// The number of columns in a line: the terminal's if the standard output is one, otherwise 80.
  static var width: Int {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// The number of processors.
  static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Makes a write to a closed pipe fail instead of ending the process.
  static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
}
