import ArgumentParser
import Ferry

/// `ferry edit`: a file in the editor, as text that comes back exactly.
struct Edit: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Edit a file as text, and write it back exactly.",
    discussion: """
      Archives and binary property lists are opened as JSON in the typed form, all other files as they are, in $VISUAL, else \
      $EDITOR, else vi. What was not changed keeps its bytes. Text that does not read back is said with its place, and \
      can be edited on; it is never thrown away.
      """)

  @Argument(help: "The file to edit.")
  var file: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Write here, and leave the file as it is.", valueName: "file"))
  var output: String?

  @Flag(name: .long, help: "Replace the file that -o names when it exists.")
  var force = false

  @Flag(name: .long, help: "Open data that holds a property list, an archive or JSON in its place.")
  var expand = false

  @OptionGroup var documents: TypeOptions

  func run() async throws {
    let isDone: Bool
    do throws(NamedFailure) {
      isDone = try edit()
    } catch {
      StandardError.write(error.line)
      throw ExitCode.failure
    }
    guard isDone else { throw ExitCode.failure }
  }

  /// Edits until the text reads back, or is given up; whether it was done.
  private func edit() throws(NamedFailure) -> Bool {
    let main = try documents.mainFile(of: file)
    let editing = try EditedText(main, expands: expand)
    while true {
      guard Editor.open(editing.path) else {
        StandardError.write("\(file): the editor failed; your text is in \(editing.path)")
        return false
      }
      do throws(Failure) {
        let isChanged = try editing.writeBack(to: output ?? main, replacing: output == nil || force)
        editing.remove()
        if !isChanged { StandardError.write("\(file): not changed") }
        return true
      } catch {
        StandardError.write(NamedFailure(name: editing.path, failure: error).line)
      }
      guard Terminal.isInteractive, Terminal.asks("Edit it again? [Y/n] ") else {
        StandardError.write("\(file): left as it is; your text is in \(editing.path)")
        return false
      }
    }
  }
}

/// The text of a file while it is edited, in a temporary file of its own.
private struct EditedText {
  let path: String
  private let file: String
  private let original: [UInt8]
  private let text: [UInt8]
  private let format: Format

  init(_ file: String, expands: Bool) throws(NamedFailure) {
    self.file = file
    let bytes = try NamedFailure.naming(file) { () throws(Failure) in try FileInput(path: file).readAll() }
    original = bytes
    var typed = Conversion(to: .json)
    typed.form = .typed
    typed.isPretty = true
    typed.expandsData = expands
    (format, text) = try NamedFailure.naming(file) { () throws(Failure) in
      let format = try Format.of(bytes, named: file)
      let isText = [.json, .jsonLines, .xml, .xmlPropertyList].contains(format)
      return (format, isText ? bytes : try typed.convert(bytes, named: file).bytes)
    }
    let path = EditedFile.temporaryPath(for: file, isText: text == bytes)
    self.path = path
    let text = text
    try NamedFailure.naming(path) { () throws(Failure) in
      try Self.write(text, to: FileOutput(path: path))
    }
  }

  /// Writes the edited text back as the file's format; false when nothing was changed.
  func writeBack(to target: String, replacing: Bool) throws(Failure) -> Bool {
    let edited = try FileInput(path: path).readAll()
    guard edited != text else { return false }
    var back = Conversion(to: format)
    back.form = .typed
    back.matchesSchemas = false
    let bytes: [UInt8]
    if text == original {
      // Read only to be checked: the text is what was meant.
      _ = try back.convert(edited, named: file)
      bytes = edited
    } else {
      // Apple's XML property lists have sorted keys.
      back.form = .raw
      back.sortsKeys = format == .xmlArchive
      bytes = try back.convert(edited).bytes
    }
    try Self.write(bytes, to: FileOutput(path: target, replacing: replacing))
    return true
  }

  private static func write(_ bytes: [UInt8], to output: FileOutput) throws(Failure) {
    try output.write(bytes.span)
    try output.commit()
  }

  /// Removes the temporary file, which is not needed any more.
  func remove() { EditedFile.remove(path) }
}
