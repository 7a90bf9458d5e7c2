/// The permissions and the notation of a dialect of OpenStep property lists.
struct OpenStepDialect: Sendable {
  /// A deviation from Apple's grammar that a reader accepts.
  struct Permissions: OptionSet {
    let rawValue: Int
    /// A dictionary without braces as the outermost value, as in `.strings` files.
    static let noBraces = Permissions(rawValue: 1)
    /// Values with types: `<*I5>`, `<*BY>`, `<[AAEC]>`.
    static let typedValues = Permissions(rawValue: 2)
    /// No semicolon after the last entry of a dictionary.
    static let noLastSemicolon = Permissions(rawValue: 4)
    /// Words without quotation marks that contain any printable ASCII character that has no meaning.
    static let wideWords = Permissions(rawValue: 8)
  }

  /// The name in messages, with an article.
  let noun: String
  let permissions: Permissions
  /// True if a writer puts each string in quotation marks.
  var quotesAll = false
  /// True if a writer writes the outermost dictionary without braces.
  var omitsBraces = false
  /// One level of indentation.
  var indentation = "\t"
  /// True if a writer writes a comma after the last element of an array.
  var endsArraysInComma = true
  /// True if U+2028 and U+2029 end a comment that ends with its line. GNUstep reads the text as bytes, and does not know them.
  var endsCommentsAtSeparators = true
  /// True if the comments are made from the values when the text is written, so that none is lost.
  var hasGeneratedComments = false

  /// The dialect of Apple's property lists.
  static let apple = OpenStepDialect(noun: "an OpenStep property list", permissions: .noBraces)
  /// The dialect of Xcode projects.
  static let xcode: OpenStepDialect = {
    var dialect = apple
    dialect.hasGeneratedComments = true
    return dialect
  }()
  /// The dialect of files with localized texts.
  static let strings = OpenStepDialect(
    noun: "a strings file", permissions: .noBraces, quotesAll: true, omitsBraces: true)
  /// The dialect of GNUstep, whose values have types.
  static let gnustep = OpenStepDialect(
    noun: "a GNUstep property list",
    permissions: [.noBraces, .typedValues, .noLastSemicolon, .wideWords],
    indentation: "    ", endsArraysInComma: false, endsCommentsAtSeparators: false)

  /// Returns true if a byte can be part of a word without quotation marks.
  func isInWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "/"),
      UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-"):
      true
    case 0x21...0x7e:
      permissions.contains(.wideWords) && !"\"'(),;<=>[\\]`{}".utf8.contains(byte)
    default: false
    }
  }
}
