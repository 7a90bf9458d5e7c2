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

  /// How many processors there are.
  static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Lets a write to a pipe that nobody reads fail, instead of ending the process.
  static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
}
