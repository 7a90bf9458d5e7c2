/// The arrangement of the values in a JSON text: a single value, or records with something between them.
enum JSONLayout {
  /// A single value.
  case document
  /// A record on each line.
  case lines
  /// Any number of records, with or without white space between them. They are written with a line feed after each.
  case concatenated
  /// A record after each record separator (RFC 7464). They are written with a line feed after each.
  case textSequence
  /// A record before each NUL.
  case nulSeparated

  /// The byte that separates records, if it is not white space.
  var separator: UInt8? {
    switch self {
    case .document, .lines, .concatenated: nil
    case .textSequence: JSONBytes.recordSeparator
    case .nulSeparated: 0
    }
  }

  /// The byte after which another record begins, if no record contains the byte.
  var recordEnd: UInt8? { self == .lines ? UInt8(ascii: "\n") : separator }

  /// The byte that is written after a value.
  var terminator: UInt8 { self == .nulSeparated ? 0 : UInt8(ascii: "\n") }

  /// The description of the end of a record in messages.
  var end: String {
    switch self {
    case .document, .lines, .concatenated: "the end of the line"
    case .textSequence: "a record separator (U+001E)"
    case .nulSeparated: "a NUL"
    }
  }
}
