/// One level of indentation in pretty-printed text.
public enum Indentation: Hashable, Sendable {
  /// A number of spaces. It may be 0: each element and entry still has a line of its own. More than 64 are written as 64, and fewer
  /// than 0 as none.
  case spaces(Int)
  /// A tab.
  case tab

  /// The number of characters of a level.
  var count: Int {
    switch self {
    case .spaces(let count): min(max(count, 0), 64)
    case .tab: 1
    }
  }

  /// The character of which a level consists.
  var byte: UInt8 {
    switch self {
    case .spaces: UInt8(ascii: " ")
    case .tab: UInt8(ascii: "\t")
    }
  }

  /// One level as text.
  var text: [UInt8] { [UInt8](repeating: byte, count: count) }
}
