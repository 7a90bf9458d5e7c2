/// The limits on the contents of a page. A page says where it leaves something out.
public struct PageLimits: Hashable, Sendable {
  /// The greatest number of values.
  public var values = 2_000_000
  /// The greatest nesting depth of collections.
  public var depth = Int.max
  /// The greatest number of parts of a collection.
  public var items = Int.max
  /// The greatest number of bytes of a string.
  public var text = 4000
  /// The greatest number of bytes of data that are shown as numbers.
  public var dataBytes = 64
  /// The greatest size of an image in bytes.
  public var imageBytes = 4 << 20
  /// The greatest size of all images together.
  public var allImageBytes = 64 << 20

  /// Creates the default limits.
  public init() {}
}
