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

extension TextType: ArgumentWord {}
