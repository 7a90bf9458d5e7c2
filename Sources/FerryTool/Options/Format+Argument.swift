import ArgumentParser
import Ferry

extension Format: ArgumentWord {
  /// Creates the format with a name or alias.
  public init?(argument: String) { self.init(name: argument) }

  /// The names in help and completion.
  public static var allValueStrings: [String] { allCases.filter(\.canRead).map(\.rawValue) }
}

extension Representation: ArgumentWord {}

extension SharedObjectStyle: ArgumentWord {}

extension TextType: ArgumentWord {
  /// Creates the type with its name, or with the one that programming languages have for it.
  public init?(argument: String) {
    self.init(rawValue: Self.otherNames[argument] ?? argument)
  }

  private static let otherNames = [
    "int": "integer", "bool": "boolean", "float": "real", "double": "real", "str": "string", "text": "string",
  ]
}
