#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the process is connected to.
enum Terminal {
  /// Whether colours belong on the standard output: a terminal, and `NO_COLOR` not set.
  static var showsColors: Bool {
    guard isatty(STDOUT_FILENO) == 1 else { return false }
    return unsafe getenv("NO_COLOR") == nil
  }

  /// How many columns a line has: the terminal's, when the standard output is one, else 80.
  static var width: Int {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// How many processors there are.
  static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Lets a write to a pipe that nobody reads fail, instead of ending the process.
  static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
}
