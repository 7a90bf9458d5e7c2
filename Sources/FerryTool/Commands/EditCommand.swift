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

  @OptionGroup var destination: EditOptions
  @OptionGroup var expansion: ExpansionOptions
  @OptionGroup var types: TypeOptions
  @OptionGroup(title: BudgetOptions.title) var limits: BudgetOptions

  func validate() throws {
    guard file != "-" else { throw ValidationError("edit needs a file, not the standard input") }
  }

  func run() async throws {
    guard try letUserEdit() else { throw ExitCode.failure }
  }

  /// Lets the user edit until the text can be read back, and returns true, or until the user gives up.
  private func letUserEdit() throws(NamedError) -> Bool {
    let main = try types.mainFile(of: file)
    let target = destination.output ?? main
    // This is checked before the user invests work in the text.
    if destination.output != nil, !destination.force, target != "-", Folder.hasSomething(at: target) {
      throw NamedError(name: target, error: FerryError(.file(.exists)))
    }
    let types = try types.load()
    // An editor may be open for hours, in which other programs may save the file.
    func begin() throws(NamedError) -> InPlaceEdit? {
      guard destination.output == nil || destination.force && Folder.isSame(main, target) else { return nil }
      return try NamedError.naming(file) { () throws(FerryError) in
        try InPlaceEdit(of: target, among: types, beginning: .watching)
      }
    }
    var inPlaceEdit = try begin()
    var text = try EditedText(main, expands: expansion.expandsData, budget: limits.budget)
    guard text.keepsLayout else {
      text.remove()
      StandardError.write(
        "\(file): the edit would lose its comments or layout (remove them with `ferry convert --to plist-xml -i`)"
      )
      return false
    }
    while true {
      guard Editor.open(text.path) else {
        StandardError.write("\(file): the editor failed; your text is in \(text.path)")
        return false
      }
      do throws(NamedError) {
        try save(text, of: main, at: target, types, in: inPlaceEdit)
        text.remove()
        return true
      } catch {
        StandardError.write(error.line)
        if error.reason == .file(.changedMeanwhile) {
          do throws(NamedError) {
            // If the new version cannot be read, the next save still has to find the conflict.
            let current = try begin()
            try text.takeCurrent()
            inPlaceEdit = current
          } catch {
            StandardError.write(error.line)
          }
        }
      }
      guard Terminal.isInteractive, Terminal.asks("Edit it again? [Y/n] ") else {
        StandardError.write("\(file): left as it is; your text is in \(text.path)")
        return false
      }
    }
  }

  /// Writes the file for the edited text, unless the text has not changed.
  private func save(
    _ text: EditedText, of main: String, at target: String, _ types: DocumentTypes,
    in inPlaceEdit: InPlaceEdit?
  ) throws(NamedError) {
    guard let bytes = try text.result() else { return StandardError.write("\(file): not changed") }
    if !destination.force {
      try NamedError.naming(file) { () throws(FerryError) in
        try types.checkEdit(to: bytes, at: target, of: (main, text.original))
      }
    }
    if let copy = PackageCopy(of: file, main: main, at: target, among: types) {
      return try copy.write(bytes, to: target, replacing: destination.force)
    }
    try NamedOutput.put(
      bytes, at: target, replacing: destination.output == nil || destination.force, in: inPlaceEdit)
  }
}
