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
  /// Opens a file and waits; whether the editor ended well.
  ///
  /// The editor is a command line, as the shell takes it: `code --wait` is one.
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

/// A temporary file whose text is edited.
enum EditedFile {
  /// Makes the file; its name ends with that of the file that is edited.
  static func make(for file: String, isText: Bool, holding text: [UInt8]) throws(NamedFailure) -> String {
    let name = file.split(separator: "/").last.map(String.init) ?? "file"
    return try NamedFailure.naming(file) { () throws(Failure) in
      try Folder.makeTemporaryFile(named: isText ? name : "\(name).json", holding: text)
    }
  }

  /// Removes it.
  static func remove(_ path: String) { _ = unsafe unlink(path) }
}

extension Terminal {
  /// Whether someone can be asked: a terminal for what is typed and for what is said.
  static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Asks a question that Return answers with yes.
  static func asks(_ question: String) -> Bool {
    StandardError.ask(question)
    guard let answer = readLine() else { return false }
    return !answer.lowercased().hasPrefix("n")
  }
}
