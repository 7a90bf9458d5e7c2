import ArgumentParser
import Ferry

extension MergeSide: ExpressibleByArgument {
  /// Creates the side with a name, `ours` or `theirs`. The base cannot be favored.
  public init?(argument: String) {
    guard Self.allValueStrings.contains(argument) else { return nil }
    self.init(rawValue: argument)
  }

  /// The names in help and completion.
  public static var allValueStrings: [String] { [MergeSide.ours, .theirs].map(\.rawValue) }
  public static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
