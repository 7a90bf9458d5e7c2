/// The limits on the cost of an input. Each limit has a default far above the needs of real files, and an
/// option that raises it.
public struct Budget: Hashable, Sendable {
  /// The greatest nesting depth of arrays, dictionaries, objects or elements.
  public var depth = 512 {
    didSet { isDepthGiven = true }
  }
  /// The greatest nesting depth of an archive's objects that are written one after the other, and not kept
  /// in memory as a value. Lists and rings of objects are nested as deep as they are long.
  /// If it is nil, it is 50,000, or `depth` if that was set.
  public var objectDepth: Int?
  private var isDepthGiven = false
  /// The greatest number of bytes in a string, key, number or data value.
  public var tokenBytes = 1 << 30
  /// The greatest number of attributes of an XML element.
  public var attributes = 4096
  /// The greatest number of distinct element and attribute names, and of distinct paths of elements, in an
  /// XML document.
  public var names = 1 << 17
  /// The greatest ratio of expanded entities or shared objects to the size of the input. It applies to
  /// expansions beyond `amplificationFloor`.
  public var amplification = 100
  /// The greatest nesting depth of documents in data that are opened; deeper ones stay data.
  public var nesting = 8
  /// The greatest number of files, folders and links in a package.
  public var files = 100_000
  /// The size in bytes up to which any expansion is allowed. A value counts as at least four bytes.
  public var amplificationFloor = 8 << 20

  /// The cost of a value in bytes, without the bytes of a text or data.
  static let valueCost = 4

  /// The depth from which on lines are not indented further, so that white space stays in proportion. It is
  /// the default depth of texts, up to which an XML property list is the one that Apple writes.
  static let indentedDepth = 512

  /// Creates the default limits.
  public init() {}

  /// The budget for objects that are written one after the other.
  var ofStreamedObjects: Budget {
    var budget = self
    budget.depth = objectDepth ?? (isDepthGiven ? depth : 50_000)
    return budget
  }

  /// Returns the number of bytes to which an input may expand: `amplification` times its size, and at least
  /// `amplificationFloor`. A product that overflows becomes a number to which a few more bytes can be added.
  public func allowance(forInputBytes count: Int) -> Int {
    let (product, overflows) = max(count, 0).multipliedReportingOverflow(by: max(amplification, 0))
    return min(max(amplificationFloor, overflows ? .max : product), .max / 4)
  }

  /// The error of an expansion beyond its allowance.
  var overAmplification: FerryError { FerryError(.overBudget(.amplification(amplification))) }

  /// A limit of a budget that was exceeded.
  public enum Limit: Hashable, Sendable {
    /// The nesting is too deep; the limit.
    case depth(Int)
    /// The nesting is too deep for a value in memory; the limit, which no option raises.
    case fixedDepth(Int)
    /// A token is too long; the limit in bytes.
    case tokenBytes(Int)
    /// An element has too many attributes; the limit.
    case attributes(Int)
    /// There are too many distinct names; the limit.
    case names(Int)
    /// A package has too many files; the limit.
    case files(Int)
    /// Entities or shared objects expand too much; the limit as a factor.
    case amplification(Int)
  }
}

extension Budget.Limit: CustomStringConvertible {
  /// The limit in words, with the option that raises it.
  public var description: String {
    switch self {
    case .depth(let limit): "nested deeper than \(limit) levels (--max-depth raises the limit)"
    case .fixedDepth(let limit): "nested deeper than \(limit) levels, which no option raises here"
    case .tokenBytes(let limit): "one value is longer than \(limit) bytes (--max-token raises the limit)"
    case .attributes(let limit):
      "more than \(limit) attributes on one element (--max-attributes raises the limit)"
    case .names(let limit):
      "more than \(limit) different names or paths of elements (--max-names raises the limit)"
    case .files(let limit): "more than \(limit) files in a package (--max-files raises the limit)"
    case .amplification(let factor):
      "expands to more than \(factor) times its size (--max-amplification raises the limit)"
    }
  }
}

extension Budget.Limit {
  /// The identifier of the limit in reports, which no release changes.
  var code: String {
    switch self {
    case .depth: "depth"
    case .fixedDepth: "fixed-depth"
    case .tokenBytes: "token-bytes"
    case .attributes: "attributes"
    case .names: "names"
    case .files: "files"
    case .amplification: "amplification"
    }
  }
}
