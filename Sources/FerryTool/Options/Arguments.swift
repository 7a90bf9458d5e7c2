import ArgumentParser
import Ferry

extension Format: ExpressibleByArgument {
  /// Creates the format with a name or alias.
  public init?(argument: String) { self.init(name: argument) }

  /// The names in help and completion.
  public static var allValueStrings: [String] { allCases.map(\.rawValue) }
}

/// `--to json`: help and completion list only the formats that Ferry writes.
struct WrittenFormat: ExpressibleByArgument {
  let format: Format

  init?(argument: String) {
    guard let format = Format(name: argument) else { return nil }
    self.format = format
  }

  /// The names in help and completion.
  static var allValueStrings: [String] { Format.written.map(\.rawValue) }
}

extension Representation: ExpressibleByArgument {}

extension SharedObjectStyle: ExpressibleByArgument {}

extension ValueType: ExpressibleByArgument {}
