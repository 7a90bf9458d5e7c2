import ArgumentParser
import Ferry

/// `ferry patch`: applies a JSON patch to a file, in place.
struct PatchCommand: EditingCommand {
  static let configuration = CommandConfiguration(
    commandName: "patch",
    abstract: "Apply a JSON patch or a merge patch to a file that \"ferry set\" can change, in place.",
    discussion: """
      The patch (RFC 6902) is a list of operations: add, remove, replace, move, copy and test. "ferry diff --json" \
      writes such patches; a program that compares JSON can write one for an archive, too.

        ferry diff old.pplgrp new.pplgrp --json > changes.json
        ferry patch base.pplgrp changes.json
        ferry diff old.pplgrp new.pplgrp --json | ferry patch base.pplgrp -
        ferry patch base.pplgrp changes.json -o patched.pplgrp
        ferry patch prefs.json changes.json --dry-run

      A replaced value keeps its type and class if these can represent the new value. All operations are applied, or none \
      if one fails: then the file stays as it is. Everything that no operation changes keeps its bytes, as with "ferry set".

      With --merge-patch, the patch is a file of any format whose dictionaries are merged into those of the file (RFC 7396): \
      null removes a key, and any other value replaces or adds one.

        ferry patch settings.yaml overrides.json --merge-patch
        echo '{"proxy": null}' | ferry patch settings.json - --merge-patch
      """)

  static let folderWords = FolderRun.Words(
    withoutValue: (one: "does not match the patch", several: "do not match the patch"))

  @Argument(
    help: "The file, unless --files-from is given; - reads the standard input.", completion: .file())
  var file: String

  @Argument(help: "The patch; - reads the standard input.", completion: .file())
  var patch: String

  @Flag(
    name: .customLong("merge-patch"),
    help: "Merge the dictionaries of the patch into those of the file; null removes a key (RFC 7396).")
  var mergesPatch = false

  @OptionGroup var editing: EditingOptions

  func validate() throws {
    guard file != "-" || patch != "-" else {
      throw ValidationError("the standard input cannot be both the file and the patch")
    }
    try editing.folder.list.checkStandardInput(isNoneOf: [patchFile])
  }

  private var patchFile: OptionFile { OptionFile("the patch", path: patch) }

  func run() throws {
    try RunOutputs.checkReadsNone(of: [patch])
    let bytes = try NamedError.naming(patch) { () throws(FerryError) in try FileInput(path: patch).readAll() }
    let others = [patchFile]
    if mergesPatch {
      let merged = try NamedError.naming(patch) { () throws(FerryError) in try mergePatch(of: bytes) }
      try change(reading: others) { file throws(FerryError) in
        guard let merged else { return }
        if editing.folder.areSeveral { try file.checkIsDictionary(option: editing.folder.option) }
        try file.merge(merged)
      }
      if merged == nil {
        StandardError.write(["the patch has no value, and changes nothing"], of: patch)
      }
    } else {
      let operations = try NamedError.naming(patch) { () throws(FerryError) in try jsonPatch(of: bytes) }
      try change(reading: others) { file throws(FerryError) in try file.apply(operations) }
    }
  }

  /// Makes a change in the file, or in each file in the folder, and names the values that get other types.
  private func change(
    reading others: [OptionFile], _ change: (EditableFile) throws(FerryError) -> Void
  ) throws {
    try forEachFile(file, reading: others) { input, _ in
      var types: [EditableFile.ReplacedType] = []
      let isChanged = try edit(input, reading: others) { file throws(FerryError) in
        try change(file)
        types = file.replacedTypes
      }
      StandardError.write(note(on: types), of: input.path)
      return isChanged
    }
  }

  /// Returns a note on the types that the patch has replaced, because JSON does not have them.
  private func note(on types: [EditableFile.ReplacedType]) -> [String] {
    guard !types.isEmpty else { return [] }
    let most = 3
    let named = types.prefix(most).map { type in
      let place = type.path.isEmpty ? "the root" : type.path.shortened
      return "\(place) (\(MessageText.name(type.old)) → \(MessageText.name(type.new)))"
    }
    let rest = types.count > most ? " and \(types.count - most) more" : ""
    return ["the patch changes types: " + named.joined(separator: ", ") + rest]
  }

  private func mergePatch(of bytes: [UInt8]) throws(FerryError) -> Value? {
    var options = EditableFile.Options()
    options.budget = limits.budget
    return try EditableFile(bytes, named: patch, options: options).mergePatch
  }

  /// Returns the name of the first file in the differences of two folders, which are a line of JSON for each file; nil for other bytes.
  private func firstFile(inDifferences bytes: [UInt8]) -> String? {
    let line = Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
    guard let value = try? Value(json: line, budget: limits.budget), value["change"]?.stringValue != nil
    else {
      return nil
    }
    return value["file"]?.stringValue
  }

  private func jsonPatch(of bytes: [UInt8]) throws(FerryError) -> JSONPatch {
    guard !bytes.starts(with: "--- ".utf8) else {
      let problem = "this is a text of differences (ferry diff --json writes a patch)"
      throw FerryError(.path(.badPatch(problem)))
    }
    do throws(FerryError) { return try JSONPatch(bytes, budget: limits.budget) } catch {
      if let name = firstFile(inDifferences: bytes) {
        let filter = MissingCommand.shellWord("select(.file == \(MessageText.quoted(name))).patch")
        let problem =
          "these are the differences of two folders (jq \(filter) gives the patch of one file)"
        throw FerryError(.path(.badPatch(problem)))
      }
      // A dictionary with an operation is a list that lacks its brackets.
      guard case .dictionary(let entries)? = try? mergePatch(of: bytes), entries["op"] == nil else {
        throw error
      }
      let problem = "a patch is a list of operations (--merge-patch merges a dictionary into the file)"
      throw FerryError(.path(.badPatch(problem)))
    }
  }
}

extension EditableFile {
  /// Throws unless the value of the file is a dictionary, or an object of a class. A merge patch would replace any other value as a whole,
  /// which cannot be meant for all files in a folder.
  fileprivate func checkIsDictionary(option: String) throws(FerryError) {
    let other = try summaries(at: [ValuePath()]).first { $0.kind != .dictionary && $0.kind != .object }
    guard let other else { return }
    let found = "a value of the type \(other.typeName), which a merge patch with \(option) does not replace"
    throw FerryError(.path(.noStep("dictionary", into: found)))
  }
}
