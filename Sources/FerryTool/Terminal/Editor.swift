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
  /// Opens a file in the editor and waits. Returns true if the editor succeeded.
  ///
  /// The editor may be a command line for the shell, such as `code --wait`.
  static func open(_ path: String) -> Bool {
    let command = environment("VISUAL") ?? environment("EDITOR") ?? "vi"
    let quoted = "'" + path.replacing("'", by: "'\\''") + "'"
    return unsafe system("\(command) \(quoted)") == 0
  }

  private static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}
