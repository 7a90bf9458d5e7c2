/// A part of a text that both sides have changed differently, while its values agree or one side removed them.
///
///     3: ours "<!-- one -->", theirs "<!-- two -->", base nothing
public struct TextConflict: Hashable, Sendable {
  /// The line in our version, counted from 1.
  public let line: Int
  /// The text of each version.
  public let base, ours, theirs: String
  /// True if one of the sides lacks a comment, a processing instruction, a declaration or a reference to an entity of
  /// the other, and not only layout.
  let isOfContent: Bool
}

extension TextConflict: CustomStringConvertible {
  /// The line, and the text of each version.
  public var description: String {
    func value(_ text: String) -> Value? { text.isEmpty ? nil : .string(text) }
    let versions = MergeConflict(
      path: ValuePath(), base: value(base), ours: value(ours), theirs: value(theirs))
    return "\(line)\(versions.values)"
  }
}
