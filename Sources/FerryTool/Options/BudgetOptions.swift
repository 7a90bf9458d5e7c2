import ArgumentParser
import Ferry

extension ArgumentHelp {
  /// Returns help that only `--help-hidden` shows. Few runs need another limit, and the error names the
  /// option that raises it.
  fileprivate static func limit(_ abstract: String, _ valueName: String) -> ArgumentHelp {
    ArgumentHelp("\(abstract)", valueName: valueName, visibility: .hidden)
  }
}

/// The limits of the budget, with an option for each.
struct BudgetOptions: ParsableArguments {
  /// The heading of these options in help.
  static let title = "Limits for untrusted input"

  @Option(
    name: .customLong("max-depth"),
    help: .limit("The maximum depth of nesting (default: 512; 50000 for objects of archives).", "n"))
  var depth: Int?

  @Option(
    name: .customLong("max-token"),
    help: .limit("The maximum size of a string or data value.", "bytes"))
  var tokenBytes: Int = Budget().tokenBytes

  @Option(
    name: .customLong("max-document"),
    help: .limit("The maximum size of a YAML document or an OpenStep property list.", "bytes"))
  var textBytes: Int = Budget().textBytes

  @Option(
    name: .customLong("max-input"),
    help: .limit("The maximum size of an input, before decompression (default: no limit).", "bytes"))
  var inputBytes: Int?

  @Option(
    name: .customLong("max-attributes"),
    help: .limit(
      "The maximum number of attributes of an XML element, and of namespace declarations in scope.", "n"))
  var attributes: Int = Budget().attributes

  @Option(
    name: .customLong("max-names"),
    help: .limit("The maximum number of different names in an XML document.", "n"))
  var names: Int = Budget().names

  @Option(
    name: .customLong("max-nesting"),
    help: .limit(
      "The maximum number of documents inside each other's data, and of compressions of a file.", "n"))
  var nesting: Int = Budget().nesting

  @Option(
    name: .customLong("max-window"),
    help: .limit("The maximum memory for the window of compressed data.", "bytes"))
  var windowBytes: Int = Budget().windowBytes

  @Option(
    name: .customLong("max-amplification"),
    help: .limit("The maximum expansion of an input, as a multiple of its size.", "factor"))
  var amplification: Int = Budget().amplification

  @Option(name: .customLong("max-files"), help: .limit("The maximum number of files in a package.", "n"))
  var files: Int = Budget().files

  /// The limits as a budget.
  var budget: Budget {
    var budget = Budget()
    if let depth { budget.depth = depth }
    (budget.tokenBytes, budget.textBytes) = (tokenBytes, textBytes)
    if let inputBytes { budget.inputBytes = inputBytes }
    budget.attributes = attributes
    budget.names = names
    budget.nesting = nesting
    budget.windowBytes = windowBytes
    budget.amplification = amplification
    budget.files = files
    return budget
  }

  func validate() throws {
    guard
      [
        depth ?? 1, tokenBytes, textBytes, inputBytes ?? 1, attributes, names, windowBytes, amplification,
        files,
      ].allSatisfy({ $0 > 0 })
    else {
      throw ValidationError("a limit must be greater than 0")
    }
  }
}
