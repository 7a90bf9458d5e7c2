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

  /// Returns the distinct names that can be typed; a format and a type of document may share one.
  static func all(_ types: DocumentTypes) -> [String] {
    let formats = Format.written.map(\.rawValue)
    return formats + types.types.map(\.name).filter { !formats.contains($0) }
  }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
