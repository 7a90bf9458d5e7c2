import Ferry

/// The order of keys in printed property lists and in pretty-printed JSON, as in Foundation: that of the Unicode root
/// collation, in which case and accents only decide between equal words, and digits are numbers.
///
///     _a  $x  7  10  a-b  a.b  alpha  Alpha  é  k2  K3  k10
///
/// It is exact for ASCII and Latin-1. Other characters follow in the order of their numbers.
struct KeyCollation: Comparable {
  /// A character or a number, without case and accent.
  private enum Unit: Comparable {
    case symbol(Int)
    /// A number, by its digits without leading zeros: the one with fewer digits is less.
    case number(count: Int, String)
    case letter(UInt32)
  }

  private var units: [Unit] = []
  /// The scalar of each letter that has an accent, 0 for one without.
  private var accents: [UInt32] = []
  /// True for each letter in upper case.
  private var cases: [Bool] = []
  private let key: String

  /// The ASCII characters before digits and letters, in their order.
  private static let symbols = Array("\t\n\u{b}\u{c}\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$".unicodeScalars)
  /// The letters without accents of U+00C0 to U+00FF; those that are letters of their own stay.
  private static let plainLetters = Array(
    "AAAAAAÆCEEEEIIIIÐNOOOOO×OUUUUYÞßaaaaaaæceeeeiiiiðnooooo÷ouuuuyþy".unicodeScalars)

  init(_ key: String) {
    self.key = key
    let scalars = Array(key.unicodeScalars)
    var index = 0
    while index < scalars.count {
      if Self.isDigit(scalars[index]) {
        let end = scalars[index...].firstIndex { !Self.isDigit($0) } ?? scalars.count
        let digits = scalars[index..<end].drop { $0 == "0" }
        units.append(.number(count: digits.count, String(String.UnicodeScalarView(digits))))
        index = end
      } else {
        append(scalars[index])
        index += 1
      }
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private mutating func append(_ scalar: Unicode.Scalar) {
    if let index = Self.symbols.firstIndex(of: scalar) { return units.append(.symbol(index)) }
    let isLatin1 = (0xc0...0xff).contains(scalar.value)
    let plain = isLatin1 ? Self.plainLetters[Int(scalar.value) - 0xc0] : scalar
    let lower = plain.properties.lowercaseMapping.unicodeScalars
    units.append(contentsOf: lower.map { .letter($0.value) })
    accents.append(plain == scalar ? 0 : scalar.properties.lowercaseMapping.unicodeScalars.first?.value ?? 0)
    cases.append(scalar.properties.isUppercase)
  }

  static func < (a: KeyCollation, b: KeyCollation) -> Bool {
    if a.units != b.units { return a.units.lexicographicallyPrecedes(b.units) }
    if a.accents != b.accents { return a.accents.lexicographicallyPrecedes(b.accents) }
    if a.cases != b.cases { return a.cases.lexicographicallyPrecedes(b.cases) { !$0 && $1 } }
    let (first, second) = (Array(a.key.utf8), Array(b.key.utf8))
    return first.count != second.count ? first.count < second.count : first.lexicographicallyPrecedes(second)
  }

  static func == (a: KeyCollation, b: KeyCollation) -> Bool { a.key.equals(b.key) }
}

extension KeyedValues {
  /// The entries in the order of Foundation's collation.
  var collated: [(key: Value, value: Value)] {
    map { (order: KeyCollation(PropertyListText.key($0.key) ?? $0.key.words), entry: $0) }
      .sorted { $0.order < $1.order }.map(\.entry)
  }
}
