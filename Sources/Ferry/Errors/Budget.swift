/// The limits on the cost of an input. Each limit has a default far above the needs of real files, and an
/// option to raise it.
public struct Budget: Hashable, Sendable {
  /// The maximum nesting depth of arrays, dictionaries, objects or elements.
  public var depth = 512 {
    didSet { isDepthGiven = true }
  }
  /// The maximum nesting depth of an archive's objects if they are streamed instead of being kept in memory
  /// as a value. Linked lists and rings of objects are as deep as they are long. Nil means 50,000, or `depth`
  /// if that was set.
  public var objectDepth: Int?
  private var isDepthGiven = false
  /// The maximum size of a string, key, number or data value in bytes. A string in a binary property list counts as it is
  /// stored, so a UTF-16 string counts two bytes for each unit.
  public var tokenBytes = 1 << 30
  /// The maximum size in bytes of a text that is read as a whole: a document of YAML, or an OpenStep property list.
  public var textBytes = 2 << 30
  /// The maximum size of a whole input in bytes, as it is stored: compressed data counts before it is decompressed. By default, there is no
  /// limit. An input that arrives in pieces, such as a pipe or the body of a request, is read up to the limit, also if it is copied to a
  /// temporary file.
  public var inputBytes = Int.max
  /// The maximum number of attributes of an XML element, with its namespace declarations. It is also the maximum number of declarations in
  /// scope, those of an element and of all elements around it.
  public var attributes = 4096
  /// The maximum number of distinct names of elements and attributes, and of distinct element paths, in an
  /// XML document.
  public var names = 1 << 17
  /// The maximum ratio of the expanded size of entities, shared objects or compressed data to the size of the input.
  /// Expansions up to `amplificationFloor` are always allowed.
  public var amplification = 100
  /// The maximum nesting depth of documents in data. Data at a deeper level is not opened. It is also the maximum number of
  /// times that a file is compressed.
  public var nesting = 8
  /// The maximum number of files, folders and links in a package.
  public var files = 100_000
  /// The maximum memory for the window of compressed data in bytes. Compressed data refers back to the last bytes of this
  /// number.
  public var windowBytes = 128 << 20
  /// The size in bytes up to which any expansion is allowed. Each value counts as at least four bytes.
  public var amplificationFloor = 8 << 20

  /// The cost of a value in bytes, not counting text or data.
  static let valueCost = 4

  /// The maximum size in bytes of an input that is copied to memory as a whole, and of a text that is changed in place. A stream and
  /// a mapped file with random access may be larger.
  static let wholeBytes = 2 << 30

  /// The depth beyond which lines are not indented further, so that the amount of white space stays
  /// proportional. It equals the default depth limit, so that typical XML property lists are written exactly
  /// like Apple's.
  static let indentedDepth = 512

  /// Creates the default limits.
  public init() {}

  /// The budget for objects that are streamed.
  var ofStreamedObjects: Budget {
    var budget = self
    budget.depth = objectDepth ?? (isDepthGiven ? depth : 50_000)
    return budget
  }

  /// The budget for detecting a format. Values are not kept, so their depth and size do not matter: the limits of the user apply when
  /// the file is read.
  static var detection: Budget {
    var budget = Budget()
    budget.depth = 1 << 40
    (budget.tokenBytes, budget.textBytes) = (1 << 40, 1 << 40)
    return budget
  }

  /// Returns the number of bytes to which an input may expand: `amplification` times its size, but at least
  /// `amplificationFloor`. If the product overflows, it is limited so that a few more bytes can be added
  /// safely.
  public func allowance(forInputBytes count: Int) -> Int {
    let (product, overflows) = max(count, 0).multipliedReportingOverflow(by: max(amplification, 0))
    return min(max(amplificationFloor, overflows ? .max : product), .max / 4)
  }

  /// Returns the amount of work that an input may cause: the steps of an interpreter of expressions, or the bytes of the paths in a
  /// comparison. It is more than the bytes to which the input may expand, because small inputs take some work, too.
  func workAllowance(forInputBytes count: Int) -> Int {
    allowance(forInputBytes: count) + 8 * min(max(amplificationFloor, 0), Int.max / 16)
  }

  /// Throws if a value has more than `tokenBytes`.
  func checkToken(_ size: Int, at location: @autoclosure () -> InputLocation = InputLocation())
    throws(FerryError)
  {
    guard size <= tokenBytes else { throw FerryError(.overBudget(.tokenBytes(tokenBytes)), at: location()) }
  }

  /// Throws if a text that is read as a whole has more than `textBytes`.
  func checkText(_ size: Int, at location: @autoclosure () -> InputLocation = InputLocation())
    throws(FerryError)
  {
    guard size <= textBytes else { throw FerryError(.overBudget(.textBytes(textBytes)), at: location()) }
  }

  /// The error of an expansion beyond its allowance.
  var overAmplification: FerryError { FerryError(.overBudget(.amplification(amplification))) }

  /// A limit of a budget that was exceeded. The property of the budget with the same name raises it.
  public enum Limit: Hashable, Sendable {
    /// The nesting is too deep.
    case depth(Int)
    /// The nesting is too deep for a value in memory or for a schema. No option raises this limit.
    case fixedDepth(Int)
    /// The entities of an XML document contain each other too deeply. No option raises this limit.
    case entityDepth(Int)
    /// A string, key, number or data value is too long. The limit is in bytes.
    case tokenBytes(Int)
    /// A text that is read as a whole is too long. The limit is in bytes.
    case textBytes(Int)
    /// The whole input is too long. The limit is in bytes.
    case inputBytes(Int)
    /// An element has too many attributes.
    case attributes(Int)
    /// An element and the elements around it have too many namespace declarations. `Budget.attributes` raises this limit.
    case declarations(Int)
    /// There are too many values or objects for a list in memory. No option raises this limit.
    case values(Int)
    /// There are too many distinct names.
    case names(Int)
    /// A package has too many files.
    case files(Int)
    /// Entities, shared objects or compressed data expand too much. The limit is a factor.
    case amplification(Int)
    /// The evaluation of an expression takes too many steps for the size of its input.
    case steps(Int)
    /// A file is compressed too many times, or in the data of too many files inside each other.
    case nesting(Int)
    /// Compressed data refers back too far. The limit is in bytes.
    case windowBytes(Int)
  }
}

extension Budget.Limit: CustomStringConvertible {
  /// The limit in words.
  public var description: String {
    switch self {
    case .depth(let limit): "nested deeper than \(limit) levels"
    case .fixedDepth(let limit): "nested deeper than \(limit) levels, which no option raises here"
    case .entityDepth(let limit): "entities nested deeper than \(limit) levels, which no option raises"
    case .tokenBytes(let limit): "one value is longer than \(limit) bytes"
    case .textBytes(let limit): "a text that is read as a whole is longer than \(limit) bytes"
    case .inputBytes(let limit): "the input is longer than \(limit) bytes"
    case .attributes(let limit):
      "more than \(limit) attributes on one element"
    case .declarations(let limit): "more than \(limit) namespace declarations in scope"
    case .values(let limit): "more than \(limit) values or objects, which no option raises"
    case .names(let limit):
      "more than \(limit) different names or paths of elements"
    case .files(let limit): "more than \(limit) files in a package"
    case .amplification(let factor):
      "expands to more than \(factor) times its size"
    case .steps(let limit): "takes more than \(limit) steps to evaluate"
    case .nesting(let limit): "more than \(limit) files or compressions inside each other"
    case .windowBytes(let limit):
      "decompressing needs more than \(limit) bytes of memory"
    }
  }
}

extension Budget.Limit {
  /// The stable identifier of the limit for programs. It never changes.
  var code: String {
    switch self {
    case .depth: "depth"
    case .fixedDepth: "fixed-depth"
    case .entityDepth: "entity-depth"
    case .tokenBytes: "token-bytes"
    case .textBytes: "text-bytes"
    case .inputBytes: "input-bytes"
    case .attributes: "attributes"
    case .declarations: "declarations"
    case .values: "values"
    case .names: "names"
    case .files: "files"
    case .amplification: "amplification"
    case .steps: "steps"
    case .nesting: "nesting"
    case .windowBytes: "window-bytes"
    }
  }
}

extension FerryError {
  /// True if a limit of a budget is exceeded.
  var isOverBudget: Bool { if case .overBudget = reason { true } else { false } }
}
