import ArgumentParser
import Ferry

/// `ferry patch`: applies a JSON patch to a file, in place.
struct PatchCommand: EditingCommand {
  static let configuration = CommandConfiguration(
    commandName: "patch",
    abstract: "Apply a JSON patch to a file that \"ferry set\" can change, in place.",
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
      """)

  @Argument(help: "The file; - reads the standard input.", completion: .file())
  var file: String

  @Argument(help: "The patch; - reads the standard input.", completion: .file(extensions: ["json"]))
  var patch: String

  @OptionGroup var editing: EditingOptions

  func validate() throws {
    guard file != "-" || patch != "-" else {
      throw ValidationError("the standard input cannot be both the file and the patch")
    }
  }

  func run() throws {
    try RunOutputs.checkReadsNone(of: [patch])
    let operations = try NamedError.naming(patch) { () throws(FerryError) in
      try JSONPatch(FileInput(path: patch).readAll(), budget: limits.budget)
    }
    let others = [OptionFile("the patch", path: patch)]
    try edit(file, reading: others) { file throws(FerryError) in try file.apply(operations) }
  }
}
