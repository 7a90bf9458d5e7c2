import ArgumentParser
import Ferry

/// Values with their destinations: the arguments that `set` and `insert` share.
struct ChangeOptions: ParsableArguments {
  @OptionGroup var edited: EditedFileArgument

  @Argument(
    help: """
      The path of the value: people[0].name, or for XML an XPath. To insert: items[2], before the third; items[], after \
      the last. "ferry help paths" explains paths, also in tables, YAML and ZIP archives.
      """)
  var path: PathArgument

  @Argument(help: "The new value; - reads its text from the standard input, unless it is after --.")
  var value: String?

  @Argument(help: "More paths, each with its value. All values change, or none.")
  var more: [ArgumentRow] = []

  @Option(
    name: .long,
    help: ArgumentHelp("The type of the value (default: that of the current value).", valueName: "type"))
  var type: TextType?

  @Option(
    name: .customLong("from-file"),
    help: ArgumentHelp(
      "Read the value from this file: text without its last line feed, or the bytes of data; - is the standard input.",
      valueName: "file"),
    completion: .file())
  var valueFile: String?

  /// The file that changes.
  var file: String { edited.file }

  /// Throws unless each path has one value, and at most one of these is the standard input.
  func validate() throws {
    try checkValue()
    try checkPairs()
    // Whether an argument is an XPath depends on the file.
    for change in changes where !change.path.mayBeXPath { _ = try change.path.path() }
    let inputs = changes.filter(\.isFromInput).count + (valueFile == "-" ? 1 : 0)
    guard file != "-" || inputs == 0 else {
      throw ValidationError("the standard input cannot be both the file and the value")
    }
    guard inputs < 2 else { throw ValidationError("the standard input can be the value of one path") }
  }

  private func checkValue() throws {
    if value == nil, valueFile == nil, type != .null, let line = Assignment.line(file, path.text) {
      throw ValidationError("no value: a path and its value are two arguments (write: \(line))")
    }
    if let value, valueFile == nil, let line = Assignment.line(file, [path.text, value] + more.texts) {
      throw ValidationError(
        "a path and its value are two arguments (write: \(line), or a key with an equals sign in brackets and quotes)"
      )
    }
    guard value == nil || valueFile == nil else {
      throw ValidationError(
        more.isEmpty
          ? "two values: give one, after the path or with --from-file" : "--from-file takes one path")
    }
    guard (value == nil) != (valueFile == nil) || (value == nil && type == .null) else {
      let advice =
        ProcessArguments.current.texts.contains("--null")
        ? "--type null sets a null; --null is for the names of --files-from"
        : "write -- before a value that begins with a dash"
      throw ValidationError("no value: give one after the path, or with --from-file (\(advice))")
    }
  }

  /// Throws if a path after the first one has no value.
  private func checkPairs() throws {
    let more = more.texts
    guard more.count.isMultiple(of: 2) == false, let last = more.last else { return }
    if value == "=", more.count == 1 {
      let line = MissingCommand.line(Assignment.command, ListedFiles.words(for: file) + [path.text, last])
      throw ValidationError("no sign between a path and its value (write: \(line))")
    }
    if let advice = ArgumentOrder.adviceOnSeveralFiles(in: ProcessArguments.current.texts) {
      throw ValidationError(advice)
    }
    guard CommandOptions.running?.isOptionAfterTerminator(last) != true else {
      throw ValidationError("\(last) after -- is a path without a value (write options before --)")
    }
    throw ValidationError(
      "no value for the path \(MessageText.quoted(last)): each path has one (put a value with spaces in quotes)"
    )
  }

  /// A path with its new value.
  struct Change {
    let path: PathArgument
    /// The text; nil for that of `--from-file`, and for a null.
    let value: String?
    /// True if the value is the text of the standard input.
    let isFromInput: Bool
  }

  /// The paths with their values, in order.
  var changes: [Change] {
    let more = more.texts
    let texts = [path.text] + [value].compactMap { $0 } + more
    // The values after `--` are the last arguments that are not options.
    let first = texts.count - ProcessArguments.current.countAfterTerminator
    func change(_ path: PathArgument, _ value: String?, at index: Int) -> Change {
      Change(path: path, value: value, isFromInput: value == "-" && index < first)
    }
    var changes = [change(path, value, at: 1)]
    for index in stride(from: 0, to: more.count - 1, by: 2) {
      guard let path = PathArgument(argument: more[index]) else { continue }
      changes.append(change(path, more[index + 1], at: index + 3))
    }
    return changes
  }

  /// The file of the value, if there is one.
  var files: [OptionFile] {
    OptionFile.given([("--from-file", valueFile)])
      + (changes.contains(where: \.isFromInput) ? [OptionFile("the new value", path: "-")] : [])
  }

  /// A given value.
  enum Given {
    case text(String)
    case contents([UInt8])
  }

  /// A path with the value that it gets.
  struct GivenChange {
    let change: Change
    /// The path; empty for an argument that is an XPath and cannot be a path.
    fileprivate(set) var path: ValuePath
    let given: Given
    /// True if the value may be missing, because an XPath selects an element without text.
    fileprivate(set) var mayBeMissing = false

    /// The text of the value; nil for bytes that are not text.
    var text: String? {
      switch given {
      case .text(let text): text
      case .contents(let bytes): try? EditableFile.text(of: bytes)
      }
    }

    /// Returns the change of a value that the argument selects.
    func changing(_ selected: EditableFile.SelectedValue) -> GivenChange {
      var change = self
      (change.path, change.mayBeMissing) = (selected.path, selected.isMissingText)
      return change
    }
  }

  /// Reads the values.
  func given() throws -> [GivenChange] {
    try changes.map { change in
      let path = try change.path.mayBeXPath ? (try? change.path.path()) ?? ValuePath() : change.path.path()
      return GivenChange(change: change, path: path, given: try given(for: change))
    }
  }

  private func given(for change: Change) throws(NamedError) -> Given {
    guard let name = valueFile ?? (change.isFromInput ? "-" : nil) else { return .text(change.value ?? "") }
    try RunOutputs.checkReadsNone(of: [name])
    return try NamedError.naming(name) { () throws(FerryError) in
      let bytes = try FileInput(path: name).readAll()
      return valueFile == nil ? .text(try EditableFile.text(of: bytes)) : .contents(bytes)
    }
  }
}
