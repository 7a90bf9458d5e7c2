import ArgumentParser
import Ferry

/// `--to json`, `--to things`
struct TargetName: ExpressibleByArgument {
  let text: String

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    text = argument
  }

  /// The names in help and completion.
  static var allValueStrings: [String] { all(.builtIn) }

  /// Returns the names that `--to` takes. A format and a document type may share a name, which is listed
  /// once.
  static func all(_ types: DocumentTypes) -> [String] {
    let formats = Format.written.map(\.rawValue)
    return formats + types.types.map(\.name).filter { !formats.contains($0) }
  }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
