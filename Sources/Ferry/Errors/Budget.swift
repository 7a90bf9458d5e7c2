/// What an input may cost. Each limit has a default that real files stay far below, and an option that raises it.
public struct Budget: Hashable, Sendable {
  /// Arrays, dictionaries, objects or elements inside each other.
  public var depth = 512
  /// Bytes of one string, key, number or data value.
  public var tokenBytes = 1 << 30
  /// Attributes of one XML element.
  public var attributes = 4096
  /// Different element and attribute names of one XML document.
  public var names = 1 << 17
  /// How many times larger than the input an expansion of entities or shared objects may become, once it is larger than
  /// `amplificationFloor`.
  public var amplification = 100
  /// Documents opened inside the data of each other; deeper ones stay data.
  public var nesting = 8
  /// Files, folders and links of one package.
  public var files = 100_000
  /// Bytes that an expansion may always make; a value of a binary property list counts as four at least.
  public var amplificationFloor = 8 << 20

  /// The defaults.
  public init() {}

  /// A budget's limit, as it is named in an error.
  public enum Limit: Hashable, Sendable {
    /// Too deep; the limit.
    case depth(Int)
    /// One token too long; the limit in bytes.
    case tokenBytes(Int)
    /// Too many attributes on one element; the limit.
    case attributes(Int)
    /// Too many different names; the limit.
    case names(Int)
    /// Too many files in a package; the limit.
    case files(Int)
    /// Entities or shared objects expand to too much; the limit as a factor.
    case amplification(Int)
  }
}

extension Budget.Limit: CustomStringConvertible {
  /// What was met, and the option that raises it.
  public var description: String {
    switch self {
    case .depth(let limit): "nested deeper than \(limit) levels (--max-depth raises the limit)"
    case .tokenBytes(let limit): "one value is longer than \(limit) bytes (--max-token raises the limit)"
    case .attributes(let limit):
      "more than \(limit) attributes on one element (--max-attributes raises the limit)"
    case .names(let limit): "more than \(limit) different names (--max-names raises the limit)"
    case .files(let limit): "more than \(limit) files in a package (--max-files raises the limit)"
    case .amplification(let factor):
      "expands to more than \(factor) times its size (--max-amplification raises the limit)"
    }
  }
}
