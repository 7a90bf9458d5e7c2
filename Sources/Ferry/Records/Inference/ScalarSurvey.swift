/// The scalars at one path of a document, and the types that all of them permit.
///
///     007        text       the integer would be written 7
///     2.20       text       the real would be written 2.2
///     42         integer
///
/// A text permits a type only if Ferry would write the value of that type with the same text.
struct ScalarSurvey {
  /// The kinds of scalars. Those of a format without types are all texts.
  struct Kinds: OptionSet, Hashable {
    let rawValue: UInt16

    static let text = Kinds(rawValue: 1)
    static let boolean = Kinds(rawValue: 1 << 1)
    static let integer = Kinds(rawValue: 1 << 2)
    static let real = Kinds(rawValue: 1 << 3)
    static let decimal = Kinds(rawValue: 1 << 4)
    static let date = Kinds(rawValue: 1 << 5)
    static let data = Kinds(rawValue: 1 << 6)
    static let url = Kinds(rawValue: 1 << 7)
    static let uuid = Kinds(rawValue: 1 << 8)
    /// A scalar that no type of field holds.
    static let other = Kinds(rawValue: 1 << 9)

    static let numbers: Kinds = [.integer, .real, .decimal]
    static let types: Kinds = [.boolean, .integer, .real, .decimal, .date, .data, .url, .uuid]
  }

  /// The kinds of the scalars so far.
  private(set) var kinds: Kinds = []
  /// The number of scalars.
  private(set) var count = 0
  /// The number of texts that are empty or white space.
  private(set) var blankTexts = 0
  /// The types that all texts so far permit.
  private(set) var permitted = Kinds.types
  /// The first text that is not a number, if all texts before it could be numbers.
  private(set) var obstacle: String?
  /// The first distinct values.
  private(set) var examples: [String] = []
  private var decimals = DecimalPlaces()
  /// True if a number is NaN or infinite, which a decimal cannot be.
  private var hasNotFinite = false
  /// True if a real does not represent an integer exactly.
  private var hasLongInteger = false
  /// True if an integer is greater than those of databases.
  private(set) var hasUnsignedInteger = false

  private static let exampleCount = 3
  private static let exampleLength = 40

  /// Adds a scalar whose kind its format shows.
  mutating func add(_ kind: Kinds, _ example: @autoclosure () -> String) {
    count += 1
    kinds.insert(kind)
    if examples.count < Self.exampleCount { add(example: example()) }
  }

  /// Adds an integer.
  mutating func add(integer: Int128) {
    if Int128(exactly: Double(integer)) != integer { hasLongInteger = true }
    if integer > Int128(Int64.max) { hasUnsignedInteger = true }
    add(.integer, integer.notation)
  }

  /// Adds a real.
  mutating func add(real: Double) {
    if !real.isFinite { hasNotFinite = true }
    add(.real, real.notation)
  }

  /// Adds a text.
  ///
  /// - Parameter readsTypes: The types of which texts of the format can be: all if every scalar of it is text.
  mutating func add(text: BorrowedText, readsTypes: Kinds) {
    count += 1
    kinds.insert(.text)
    if text.isBlank { blankTexts += 1 }
    if examples.count < Self.exampleCount { add(example: String(text)) }
    permitted.formIntersection(readsTypes)
    guard !permitted.isEmpty else { return }
    let before = permitted
    narrow(to: text.utf8)
    if obstacle == nil, !before.isDisjoint(with: .numbers), permitted.isDisjoint(with: .numbers) {
      obstacle = Self.cut(String(text))
    }
  }

  /// Removes the types that a text does not permit.
  private mutating func narrow(to text: Span<UInt8>) {
    if permitted.contains(.boolean), !text.equals("true"), !text.equals("false") {
      permitted.remove(.boolean)
    }
    if !permitted.isDisjoint(with: .numbers) { narrowNumbers(to: text) }
    if permitted.contains(.date), !text.isWrittenDate { permitted.remove(.date) }
    if permitted.contains(.uuid), !text.isWrittenUUID { permitted.remove(.uuid) }
    if permitted.contains(.url), !text.isWebAddress { permitted.remove(.url) }
    if permitted.contains(.data), !text.isWrittenData { permitted.remove(.data) }
  }

  private mutating func narrowNumbers(to text: Span<UInt8>) {
    guard text.flawInJSONNumber == nil else { return permitted.subtract(.numbers) }
    switch DecimalText(json: text) {
    case .integer(let integer):
      permitted.remove(.real)
      if integer > Int128(Int64.max) { hasUnsignedInteger = true }
    case .real: permitted.remove(.integer)
    case .text: permitted.subtract([.integer, .real])
    }
    if permitted.contains(.decimal), !decimals.add(text) { permitted.remove(.decimal) }
  }

  private mutating func add(example: String) {
    let example = Self.cut(example)
    if !examples.contains(exactly: example) { examples.append(example) }
  }

  private static func cut(_ text: String) -> String {
    text.count > exampleLength ? "\(text.prefix(exampleLength))…" : text
  }

  /// Adds the scalars of another path, which is treated as the same.
  mutating func add(_ other: ScalarSurvey) {
    guard other.count > 0 else { return }
    count += other.count
    blankTexts += other.blankTexts
    kinds.formUnion(other.kinds)
    hasNotFinite = hasNotFinite || other.hasNotFinite
    hasLongInteger = hasLongInteger || other.hasLongInteger
    hasUnsignedInteger = hasUnsignedInteger || other.hasUnsignedInteger
    if other.kinds.contains(.text) {
      permitted.formIntersection(other.permitted)
      decimals.add(other.decimals)
    }
    obstacle = obstacle ?? other.obstacle
    for example in other.examples where examples.count < Self.exampleCount { add(example: example) }
  }

  /// True if the scalars look like versions, which are not numbers: 1.10 is not 1.1.
  var mayBeVersions: Bool { count > 0 && (type == .real || type == .decimal) }

  /// The type of the scalars, or nil if they have different ones.
  var type: FieldType? {
    guard kinds != .text else { return textType }
    if kinds.isSubset(of: .numbers) {
      if hasNotFinite { return kinds.contains(.decimal) || hasLongInteger ? nil : .real }
      return kinds == .integer ? .integer : kinds == .real ? .real : .decimal
    }
    return switch kinds {
    case .boolean: .boolean
    case .date: .date
    case .data: .data
    case .url: .url
    case .uuid: .uuid
    default: nil
    }
  }

  private var textType: FieldType {
    if permitted.contains(.boolean) { return .boolean }
    if permitted.contains(.integer) { return .integer }
    if permitted.contains(.real) { return .real }
    if permitted.contains(.decimal), decimals.areAmounts { return .decimal }
    if permitted.contains(.date) { return .date }
    if permitted.contains(.uuid) { return .uuid }
    if permitted.contains(.url) { return .url }
    if permitted.contains(.data) { return .data }
    return .string
  }

  /// The reason why texts that look like numbers are not read as numbers, or nil.
  var reason: String? {
    guard kinds == .text, type == .string else { return nil }
    if permitted.contains(.decimal) {
      return decimals.zero.map { "text, because \($0) would lose a zero (a decimal keeps it)" }
    }
    guard let obstacle, let written = obstacle.writtenNumber else { return nil }
    return written.equals(obstacle)
      ? "text, because \(obstacle) is too large" : "text, because \(obstacle) would become \(written)"
  }
}

/// The decimal places of the numbers at one path.
private struct DecimalPlaces {
  /// The number of decimal places of each number, or nil if they differ.
  private var places: Int?
  private var isEmpty = true
  /// The first number that ends in a zero that a real does not keep.
  private(set) var zero: String?
  /// The different whole parts, at most `limit`.
  private var wholes: Set<UInt64> = []
  private static let limit = 3

  /// Adds a number in the notation of JSON. Returns false if it is not one that a person would write as an amount: it has
  /// an exponent, or more digits than other programs keep.
  mutating func add(_ text: Span<UInt8>) -> Bool {
    var point = text.count
    for index in text.indices {
      if text[index] == UInt8(ascii: ".") { point = index }
      if text[index] | 0x20 == UInt8(ascii: "e") { return false }
    }
    let places = max(text.count - point - 1, 0)
    guard places > 0 || text.count <= 18, !text.starts(with: "-0") || places > 0 else { return false }
    if isEmpty { self.places = places } else if self.places != places { self.places = nil }
    isEmpty = false
    if zero == nil, places > 1, text[text.count - 1] == UInt8(ascii: "0") { zero = text.decodedString }
    if wholes.count < Self.limit { wholes.insert(text.extracting(first: point).hashOfBytes) }
    return true
  }

  mutating func add(_ other: DecimalPlaces) {
    guard !other.isEmpty else { return }
    if isEmpty { places = other.places } else if places != other.places { places = nil }
    isEmpty = false
    zero = zero ?? other.zero
    wholes.formUnion(other.wholes.prefix(Self.limit))
  }

  /// True if the numbers are amounts and not, for example, versions: none ends in a zero that a real loses or, as those of
  /// money, all have the same number of places, and several whole parts.
  var areAmounts: Bool { zero == nil || places != nil && wholes.count >= Self.limit }
}

extension Span<UInt8> {
  /// True if the text is a date as Ferry writes it.
  fileprivate var isWrittenDate: Bool {
    guard count >= 20, self[count - 1] == UInt8(ascii: "Z"), let parsed = ISODate.parse(self), parsed.isExact,
      let text = ISODate.text(parsed.seconds)
    else { return false }
    return equals(text.utf8.span)
  }

  /// True if the text is a UUID in capital letters, as Foundation writes it.
  fileprivate var isWrittenUUID: Bool {
    guard count == 36, let bytes = UUIDText.bytes(self) else { return false }
    return equals(UUIDText.text(bytes.span).utf8.span)
  }

  /// True if the text is an absolute URL.
  fileprivate var isWebAddress: Bool {
    guard count > 7, starts(with: "http") || starts(with: "ftp") || starts(with: "file:"),
      end(ofFirst: "://", from: 0) != nil
    else { return false }
    return URLText.flaw(of: decodedString) == nil
  }

  /// True if the text is data in Base64 as Ferry writes it. A short text, or one without small letters, capitals and digits,
  /// may as well be a word or a hexadecimal number.
  fileprivate var isWrittenData: Bool {
    guard count >= 64, count % 4 == 0 else { return false }
    var (small, capital, digit) = (false, false, false)
    for index in indices {
      switch self[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): small = true
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): capital = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = true
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): break
      default: return false
      }
    }
    guard small, capital, digit, let bytes = Base64.decode(self) else { return false }
    return equals(Base64.encode(bytes.span).span)
  }
}

extension String {
  /// The text of the number in this text, or nil if it is not a number.
  fileprivate var writtenNumber: String? {
    if let integer = Int128(self) { return integer.notation }
    guard let first = utf8.first(where: { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }),
      first.isDigit || first == UInt8(ascii: "."),
      let real = Double(self), real.isFinite
    else { return nil }
    return real.notation
  }
}
