import ArgumentParser

/// An argument that is one of several words, which describe themselves.
public protocol ArgumentWord: ExpressibleByArgument, CaseIterable, RawRepresentable
where RawValue == String {}

extension ArgumentWord {
  /// No words with descriptions. The argument parser would otherwise compare each word of each option with its description.
  public static var allValueDescriptions: [String: String] { [:] }
}
