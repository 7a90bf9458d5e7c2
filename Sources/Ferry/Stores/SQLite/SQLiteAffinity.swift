/// The preferred type of a column, to which SQLite silently converts values. It is derived from the declared
/// type (see "Determination Of Column Affinity" in SQLite's documentation).
enum SQLiteAffinity {
  case text, integer, real, numeric, none

  init(declared: String?) {
    let type = (declared ?? "").uppercased()
    if type.contains("INT") {
      self = .integer
    } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
      self = .text
    } else if type.isEmpty || type.contains("BLOB") {
      self = .none
    } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
      self = .real
    } else {
      self = .numeric
    }
  }

  /// True if SQLite converts an integer to another type.
  var changesIntegers: Bool { self == .text || self == .real }

  /// Returns true if SQLite converts or changes a real.
  func changes(_ real: Double) -> Bool {
    switch self {
    case .text: true
    case .integer, .numeric: Int64(exactly: real) != nil
    // A negative zero is stored as the integer 0, and read as 0.0.
    case .real: real == 0 && real.sign == .minus
    case .none: false
    }
  }

  /// Returns true if SQLite converts a text to a number.
  func changes(_ text: Span<UInt8>) -> Bool {
    guard self != .text, self != .none, let first = text.isEmpty ? nil : text[0] else { return false }
    // SQLite converts a text only if it begins like a number, possibly after white space.
    guard first <= 0x20 || "+-.0123456789".utf8.contains(first) else { return false }
    return DecimalDigits(text.decodedString.trimmed) != nil
  }
}
