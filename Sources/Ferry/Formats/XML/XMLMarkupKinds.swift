/// Kinds of markup that usually are not part of the values of a document.
public struct XMLMarkupKinds: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Comments: `{"#comment": " text "}`.
  public static let comments = XMLMarkupKinds(rawValue: 1)
  /// Processing instructions: `{"#instruction": "target data"}`.
  public static let instructions = XMLMarkupKinds(rawValue: 2)
  /// CDATA sections, whose text is else like other text: `{"#cdata": "text"}`.
  public static let cdata = XMLMarkupKinds(rawValue: 4)
  /// All kinds.
  public static let all: XMLMarkupKinds = [.comments, .instructions, .cdata]
}
