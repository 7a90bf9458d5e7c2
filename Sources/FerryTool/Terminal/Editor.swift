import Ferry

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The user's editor.
enum Editor {
  enum Outcome {
    case failed
    case succeeded(in: Duration)

    /// True if no user has typed in this time. An editor in a window of its own may return while the window is open.
    var isAtOnce: Bool { if case .succeeded(let duration) = self { duration < .seconds(1) } else { false } }
  }

  /// The command line of the editor that the environment names.
  private static var named: String? { environment("VISUAL") ?? environment("EDITOR") }

  /// True if an editor can be opened. The editor that is opened if the environment names none needs a terminal, without which it would wait
  /// forever.
  static var isAvailable: Bool { named != nil || Terminal.isInputTyped }

  /// Opens a file in the editor and waits.
  ///
  /// The editor may be a command line for the shell, such as `code --wait`.
  static func open(_ path: String) -> Outcome {
    let command = named ?? "vi"
    let quoted = "'" + path.replacing("'", by: "'\\''") + "'"
    let start = ContinuousClock.now
    let status = unsafe system("\(command) \(quoted)")
    return status == 0 ? .succeeded(in: start.duration(to: .now)) : .failed
  }

  private static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}
