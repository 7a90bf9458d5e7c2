/// The kinds of the events of an element, with the names of the elements in them.
///
/// Elements with the same outline have the same shape, unless they have reserved keys or types. Records mostly have the outline of the one
/// before, so that their shape needs no search.
///
///     <a id="1"> <b>x</b> </a>     start a, attribute, white space, b with only text, white space, end
struct ElementOutline {
  /// A number for each event, or for three of an element that has only text.
  private var codes: [Int] = []
  /// The table of the names.
  private var table = -1

  /// The kind of an element that has only text, and the mark of white space, beside the kinds of events.
  private static let leaf = 0x80
  private static let blank = 0x40

  /// Takes the outline of another element. Returns true if it is that of the element before. An outline with a CDATA section, a comment or an
  /// instruction equals no other.
  mutating func take(_ events: borrowing ElementBatch) -> Bool {
    var (index, count, isSame) = (0, 0, table == events.table)
    table = events.table
    while index < events.count {
      guard let code = Self.code(events, &index) else {
        codes.removeAll(keepingCapacity: true)
        return false
      }
      if count == codes.count {
        codes.append(code)
        isSame = false
      } else if codes[count] != code {
        codes[count] = code
        isSame = false
      }
      count += 1
    }
    guard count < codes.count else { return isSame }
    codes.removeLast(codes.count - count)
    return false
  }

  /// Returns the number for the event at an index, which moves after the event or the element; nil for an event that is not compared.
  @inline(__always)
  private static func code(_ events: borrowing ElementBatch, _ index: inout Int) -> Int? {
    let entry = events[index]
    index += 1
    switch entry.kind {
    case .start:
      guard events.hasOnlyText(at: index - 1) else { return Int(entry.name) << 8 }
      index += 2
      return Int(entry.name) << 8 | leaf
    case .text: return entry.isBlank || events.text(entry).isBlank ? blank : Int(entry.kind.rawValue)
    case .end, .attribute, .declaration: return Int(entry.kind.rawValue)
    case .cdata, .comment, .instruction: return nil
    }
  }
}
