/// The type that a column would rather have, by the words it is declared with (“Determination Of Column Affinity” in
/// SQLite's documentation). SQLite changes what is stored in the column accordingly, and does not say so.
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

  /// Whether an integer becomes something else.
  var changesIntegers: Bool { self == .text || self == .real }

  /// Whether a real becomes something else.
  func changes(_ real: Double) -> Bool {
    switch self {
    case .text: true
    case .integer, .numeric: Int64(exactly: real) != nil
    // A negative zero is stored as the integer.
    case .real: real == 0 && real.sign == .minus
    case .none: false
    }
  }

  /// Whether a text becomes a number.
  func changes(_ text: Span<UInt8>) -> Bool {
    guard self != .text, self != .none, let first = text.isEmpty ? nil : text[0] else { return false }
    // What SQLite takes for a number begins, and after white space ends, like one.
    guard first <= 0x20 || "+-.0123456789".utf8.contains(first) else { return false }
    return Double(text.decodedString.trimmed) != nil
  }
}
