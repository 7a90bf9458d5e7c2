import ArgumentParser
import Ferry

/// `ferry edit`: opens a file in the editor, as text that can be converted back exactly.
struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Edit a file as text in your editor.",
    usage: "ferry edit [<options>] <file> [<path>]",
    discussion: """
      Opens archives, binary property lists and pictures as JSON in the typed form, and text as it is, in $VISUAL, $EDITOR or \
      vi, and writes the result back. What you do not change keeps its value, and a file that you do not change its bytes. If \
      the text has an error, Ferry reports its line and lets you edit again; your text is never lost. An editor that opens a \
      window must wait until you close it: EDITOR="code --wait".

        ferry edit people.pplgrp
        ferry edit people.pplgrp -o changed.pplgrp
        ferry edit notes.zip a.json                      a file of a ZIP archive
      """)

  @Argument(
    help: "The file to edit.",
    completion: .file())
  var file: String

  @Argument(help: "The file to edit in a ZIP archive: a.json, or its path [\"a.json\"].")
  var path: String?

  @OptionGroup var destination: EditOptions
  @OptionGroup var input: InputOptions
  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var expansion: ExpansionOptions
  @OptionGroup var types: TypeOptions
  @OptionGroup var errorOutput: ErrorOptions
  @OptionGroup(title: CSVOptions.title) var csv: CSVOptions
  @OptionGroup(title: BudgetOptions.title) var limits: BudgetOptions

  func validate() throws {
    try types.checkOnlyFile()
    guard file != "-" else { throw ValidationError("edit needs a file, not the standard input") }
  }

  func run() throws {
    guard try letUserEdit() else { throw ExitCode.failure }
  }

  /// Lets the user edit until the text can be read back, and returns true, or until the user gives up.
  private func letUserEdit() throws(NamedError) -> Bool {
    let output = try EditOutput(of: file, destination, types, budget: limits.budget)
    try RunOutputs.checkReadsNone(of: [file], among: output.types)
    // An editor may be open for hours, in which other programs may save the file.
    var inPlaceEdit = try output.begin(.watching)
    guard var text = try editableText(of: output) else { return false }
    guard Editor.isAvailable else {
      text.remove()
      StandardError.write(
        "\(file): no editor can be opened without a terminal (EDITOR names one that needs none; "
          + "\"ferry set\" changes single values)")
      return false
    }
    while true {
      let outcome = Editor.open(text.path)
      if case .failed = outcome {
        let isUnchanged = text.isUnchanged
        StandardError.write(
          "\(file): the editor failed; \(isUnchanged ? "it has changed nothing" : text.whereabouts)")
        // A text without changes would only be left over.
        if isUnchanged { text.remove() }
        return false
      }
      do throws(NamedError) {
        if try !save(text, to: output, in: inPlaceEdit) {
          StandardError.write("\(file): not changed\(outcome.isAtOnce ? Self.adviceToWait : "")")
        }
        text.remove()
        return true
      } catch {
        StandardError.write(error.line)
        if error.reason == .file(.changedMeanwhile) {
          inPlaceEdit = continueWithCurrent(&text, of: output) ?? inPlaceEdit
        }
      }
      guard Terminal.isInteractive, Terminal.asks("Edit it again? [Y/n] ") else {
        StandardError.write("\(file): left as it is; \(text.whereabouts)")
        return false
      }
    }
  }

  private static let adviceToWait =
    "; the editor has returned at once (if its window is open, close it: nothing reads what you save there; "
    + "EDITOR=\"code --wait\" waits for the window)"

  /// Writes the text of the file to edit. Throws if the edited text could not be written, before the user invests work in it. Returns nil,
  /// with a message, if the text would lose its layout.
  private func editableText(of output: EditOutput) throws(NamedError) -> EditedText? {
    let text = try EditedText(
      path == nil ? output.main : file, member: path, output.types, from: input.format,
      encoding: encoding.name,
      expands: expansion.expandsData, csv: csv.reading, budget: limits.budget)
    do throws(NamedError) {
      // A copy is a copy of the archive.
      try output.check(text.stored.isOneOfSeveral ? .zip : text.format)
      try output.checkWriting()
      try text.checkEncoding()
    } catch {
      text.remove()
      throw error
    }
    if text.keepsLayout { return text }
    text.remove()
    StandardError.write(
      "\(file): the edit would lose its comments or layout (change single values with \"ferry set\")")
    return nil
  }

  /// Lets the user continue with the text on the version of the file that another program has written.
  ///
  /// - Returns: The edit of that version; nil, with a message, if the version cannot be read. The next save
  ///   then has to find the conflict again.
  private func continueWithCurrent(_ text: inout EditedText, of output: EditOutput) -> InPlaceEdit? {
    do throws(NamedError) {
      let current = try output.begin(.watching)
      try text.takeCurrent()
      return current
    } catch {
      StandardError.write(error.line)
      return nil
    }
  }

  /// Writes the file for the edited text. Returns false if the text has not changed.
  private func save(
    _ text: EditedText, to output: EditOutput, in inPlaceEdit: InPlaceEdit?
  ) throws(NamedError) -> Bool {
    guard let (bytes, losses) = try text.result() else { return false }
    // Another file of a package does not hold its records.
    let notes = text.stored.isOneOfSeveral ? [] : try output.check(bytes, of: text.original)
    try output.write(bytes, as: text.stored, in: inPlaceEdit)
    StandardError.write(notes, of: file)
    StandardError.write(losses, of: file)
    return true
  }
}
