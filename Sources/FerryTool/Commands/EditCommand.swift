import ArgumentParser
import Ferry

/// `ferry edit`: opens a file in the editor, as text that can be converted back exactly.
struct EditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Edit a file as text in your editor.",
    discussion: """
      Opens archives, binary property lists and pictures as JSON in the typed form, and text as it is, in $VISUAL, $EDITOR or \
      vi, and writes the result back. What you do not change keeps its bytes. If the text has an error, Ferry reports its \
      line and lets you edit again; your text is never lost.

        ferry edit people.pplgrp
        ferry edit people.pplgrp -o changed.pplgrp
      """)

  @Argument(
    help: "The file to edit.",
    completion: .file())
  var file: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write to this file (-: standard output) instead of changing the input.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: .long, help: "Overwrite existing files, and write documents that are no longer of their type.")
  var force = false

  @Flag(name: .long, help: "Decode data that holds a property list, an archive or JSON.")
  var expand = false

  @OptionGroup var documents: TypeOptions

  func validate() throws {
    guard file != "-" else { throw ValidationError("edit needs a file, not the standard input") }
  }

  func run() async throws {
    let isDone: Bool
    do throws(NamedError) {
      isDone = try edit()
    } catch {
      StandardError.write(error.line)
      throw ExitCode.failure
    }
    guard isDone else { throw ExitCode.failure }
  }

  /// Lets the user edit until the text can be read back, or the user gives up. Returns true in the first
  /// case.
  private func edit() throws(NamedError) -> Bool {
    let main = try documents.mainFile(of: file)
    let target = output ?? main
    // This is checked before the user invests work in the text.
    if output != nil, !force, target != "-", Folder.hasSomething(at: target) {
      throw NamedError(name: target, failure: FerryError(.file(.exists)))
    }
    let types = try documents.known()
    // An editor may be open for hours, in which other programs may save the file.
    func begin() throws(NamedError) -> InPlaceEdit? {
      guard output == nil || force && Folder.isSame(main, target) else { return nil }
      return try NamedError.naming(file) { () throws(FerryError) in
        try InPlaceEdit(of: target, among: types, beginning: .watching)
      }
    }
    var edit = try begin()
    var editing = try EditedText(main, expands: expand)
    guard editing.keepsLayout else {
      editing.remove()
      StandardError.write(
        "\(file): its comments or its layout would be lost (`ferry convert --to plist-xml -i` lays it out anew)"
      )
      return false
    }
    while true {
      guard Editor.open(editing.path) else {
        StandardError.write("\(file): the editor failed; your text is in \(editing.path)")
        return false
      }
      do throws(NamedError) {
        let bytes = try editing.result()
        if let bytes {
          if !force {
            let original = editing.original
            try NamedError.naming(file) { () throws(FerryError) in
              try types.checkEdit(to: bytes, at: target, of: (main, original))
            }
          }
          if let copy = PackageCopy(of: file, main: main, at: target, among: types) {
            try copy.write(bytes, to: target, replacing: force)
          } else {
            try NamedOutput.put(bytes, at: target, replacing: output == nil || force, in: edit)
          }
        } else {
          StandardError.write("\(file): not changed")
        }
        editing.remove()
        return true
      } catch {
        StandardError.write(error.line)
        if error.failure.reason == .file(.changedMeanwhile) {
          do throws(NamedError) {
            // Until the text is compared with the new version, the edit is one of the old version.
            let current = try begin()
            try editing.takeCurrent()
            edit = current
          } catch {
            StandardError.write(error.line)
          }
        }
      }
      guard Terminal.isInteractive, Terminal.asks("Edit it again? [Y/n] ") else {
        StandardError.write("\(file): left as it is; your text is in \(editing.path)")
        return false
      }
    }
  }
}

/// The text of a file that is being edited, in a temporary file of its own.
private struct EditedText {
  let path: String
  private let file: String
  private let expands: Bool
  /// The bytes of the file before the edit.
  private(set) var original: [UInt8]
  private var text: [UInt8]
  private let format: Format

  init(_ file: String, expands: Bool) throws(NamedError) {
    (self.file, self.expands) = (file, expands)
    let bytes = try NamedError.naming(file) { () throws(FerryError) in try FileInput(path: file).readAll() }
    original = bytes
    (format, text) = try NamedError.naming(file) { () throws(FerryError) in
      let format = try Format.of(bytes, named: file)
      return (format, try Self.text(of: bytes, format, named: file, expands: expands))
    }
    path = try EditedFile.make(for: file, isText: text == bytes, containing: text)
  }

  /// Reads the file again after another program has changed it, and shows the changes. The edited text stays
  /// as it is; if it is saved once more, it replaces them.
  mutating func takeCurrent() throws(NamedError) {
    let (file, format, expands) = (file, format, expands)
    let bytes = try NamedError.naming(file) { () throws(FerryError) in try FileInput(path: file).readAll() }
    let current = try NamedError.naming(file) { () throws(FerryError) in
      try Self.text(of: bytes, format, named: file, expands: expands)
    }
    TextDifference(from: text, to: current).lines(atMost: 40).forEach(StandardError.write)
    StandardError.write("\(file): saving your text again replaces these changes; it is in \(path)")
    (original, text) = (bytes, current)
  }

  /// True if nothing is lost when a file that is not a text is written back: the typed form has none of the
  /// parts of an XML property list beside its values, such as comments.
  var keepsLayout: Bool {
    text == original || format != .xmlPropertyList || (try? Self.file(of: text, format)) == original
  }

  /// Returns the text to edit: a text file unchanged, unless its nested data is to be opened; any other file
  /// in the typed form.
  private static func text(
    of bytes: [UInt8], _ format: Format, named file: String, expands: Bool
  ) throws(FerryError) -> [UInt8] {
    if format.isEditedAsText(expandingData: expands) { return bytes }
    guard format.isEditedAsFile else { throw FerryError(.path(.notEditable(format, isInData: false))) }
    var typed = Conversion(to: .json)
    typed.representation = .typed
    typed.isPretty = true
    typed.expandsData = expands
    return try typed.convert(bytes, named: file).bytes
  }

  /// Returns the file for a text in the typed form.
  private static func file(of text: [UInt8], _ format: Format) throws(FerryError) -> [UInt8] {
    var back = Conversion(to: format)
    back.representation = .raw
    back.matchesSchemas = false
    // Apple's XML property lists have sorted keys.
    back.sortsKeys = format == .xmlArchive
    return try back.convert(text).bytes
  }

  /// Returns the file for the edited text; nil if nothing was changed.
  func result() throws(NamedError) -> [UInt8]? {
    try NamedError.naming(path) { () throws(FerryError) in
      let edited = try FileInput(path: path).readAll()
      guard edited != text else { return nil }
      guard text == original else { return try Self.file(of: edited, format) }
      // The text itself is the result, so it is read only to check it.
      var reading = Conversion(to: format)
      reading.representation = .typed
      reading.matchesSchemas = false
      _ = try reading.convert(edited, named: file)
      return edited
    }
  }

  /// Removes the temporary file.
  func remove() { EditedFile.remove(path) }
}
