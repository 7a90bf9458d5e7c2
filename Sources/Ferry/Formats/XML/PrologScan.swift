/// Finds where the comments, instructions and the document type declaration before the root element end.
///
/// libxml2's push parser guesses whether such an item is whole by looking for its last characters, and is
/// wrong when they occur earlier: in `<!-->a-->`, or in `<!DOCTYPE a SYSTEM "x>y">`. What it gets is
/// therefore cut behind each item, and what it reads does not depend on the chunks that a document comes in.
///
///     <?xml version="1.0"?>|<!-->a-->|<!DOCTYPE a [<!ENTITY e "]>">]>|<a>
struct PrologScan {
  private enum State {
    case between
    /// Behind `<`, `<!`, `<!-`.
    case less, bang, dash
    case instruction
    case comment
    case declaration
  }

  private var state = State.between
  /// Inside the brackets of the document type declaration.
  private var isInSubset = false
  private var quote: UInt8?
  /// How many question marks or dashes came last, up to what their end needs.
  private var closing = 0
  /// Whether the root element, or something that has no place in a prolog, has been reached.
  private(set) var isOver = false

  /// The index behind the first item that ends at or after `start`, or of the end of the prolog; nil when
  /// neither is here.
  mutating func end(in bytes: Span<UInt8>, from start: Int) -> Int? {
    for index in start..<bytes.count {
      if takes(bytes[index]) { return index + 1 }
      if isOver { return index }
    }
    return nil
  }

  /// Takes the next byte; true when an item ends with it.
  private mutating func takes(_ byte: UInt8) -> Bool {
    switch state {
    case .between: between(byte)
    case .less:
      switch byte {
      case UInt8(ascii: "?"): (state, closing) = (.instruction, 0)
      case UInt8(ascii: "!"): state = .bang
      default: isOver = true
      }
    case .bang: state = byte == UInt8(ascii: "-") ? .dash : .declaration
    case .dash: (state, closing) = (.comment, 0)
    case .instruction: return closes(byte, mark: UInt8(ascii: "?"), count: 1)
    case .comment: return closes(byte, mark: UInt8(ascii: "-"), count: 2)
    case .declaration: return declaration(byte)
    }
    return false
  }

  private mutating func between(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "<"): state = .less
    case UInt8(ascii: "]") where isInSubset: (state, isInSubset) = (.declaration, false)
    case 0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf: break  // white space and the mark of UTF-8
    default: if !isInSubset { isOver = true }
    }
  }

  private mutating func closes(_ byte: UInt8, mark: UInt8, count: Int) -> Bool {
    if byte == UInt8(ascii: ">"), closing >= count {
      state = .between
      return !isInSubset
    }
    closing = byte == mark ? closing + 1 : 0
    return false
  }

  private mutating func declaration(_ byte: UInt8) -> Bool {
    if let open = quote {
      if byte == open { quote = nil }
      return false
    }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
    case UInt8(ascii: "[") where !isInSubset: (state, isInSubset) = (.between, true)
    case UInt8(ascii: ">"):
      state = .between
      return !isInSubset
    default: break
    }
    return false
  }
}
