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
    let quoted =
      "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    return unsafe system("\(command) \(quoted)") == 0
  }

  private static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}

/// Operations on the temporary file whose text is edited.
enum EditedFile {
  /// Creates the file, whose name ends with that of the edited file.
  static func make(for file: String, isText: Bool, containing text: [UInt8]) throws(NamedError) -> String {
    let name = file.split(separator: "/").last.map(String.init) ?? "file"
    return try NamedError.naming(file) { () throws(FerryError) in
      try Folder.makeTemporaryFile(named: isText ? name : "\(name).json", containing: text)
    }
  }

  /// Removes the temporary file.
  static func remove(_ path: String) { _ = unsafe unlink(path) }
}

extension Terminal {
  /// True if the user can be asked: the standard input and the standard error are terminals.
  static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Asks a question to which Return means yes.
  static func asks(_ question: String) -> Bool {
    StandardError.ask(question)
    guard let answer = readLine() else { return false }
    return !answer.lowercased().hasPrefix("n")
  }
}
