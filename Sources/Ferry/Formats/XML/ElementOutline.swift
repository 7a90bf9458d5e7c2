/// The kinds of the events of an element, with the names of the elements in them.
///
/// Elements with the same outline have the same shape, unless they have reserved keys or types: texts that are not blank, and the names of
/// attributes, change no shape. Records mostly have the outline of the one before, so that their shape needs no search.
///
///     <a id="1"> <b>x</b> </a>     start a, attribute, white space, b with only text, white space, end
struct ElementOutline {
  /// A number for each event, or for the three events of an element that has only text: the kind, and above eight bits the number of the
  /// element's name.
  private var codes: [Int] = []
  /// The table of the names.
  private var knownTable = -1

  /// The kind of an element that has only text, and the mark of white space, beside the kinds of events.
  private static let leaf = 0x80
  private static let blank = 0x40

  /// The result of taking the outline of an element.
  struct Taken {
    /// True if the element before had the same outline.
    var isSame: Bool
    /// The index after the end of the element.
    var end: Int
    /// The number of elements: this one and those in it.
    var elementCount = 0
  }

  /// True if the last element had no outline.
  var isEmpty: Bool { codes.isEmpty }

  /// Takes the outline of the element that starts at an index. Returns nil for an element that does not end in the batch, or that contains a
  /// CDATA section, a comment or an instruction. The outline before is then kept if it agrees so far, and removed otherwise.
  mutating func take(_ events: borrowing ElementBatch, from start: Int) -> Taken? {
    var taken = Taken(isSame: knownTable == events.table, end: start)
    knownTable = events.table
    var (count, depth) = (0, 0)
    repeat {
      guard taken.end < events.count, let code = Self.code(events, &taken, &depth) else {
        if !taken.isSame { codes.removeAll(keepingCapacity: true) }
        return nil
      }
      if count == codes.count {
        codes.append(code)
        taken.isSame = false
      } else if codes[count] != code {
        codes[count] = code
        taken.isSame = false
      }
      count += 1
    } while depth > 0
    if count < codes.count {
      codes.removeLast(codes.count - count)
      taken.isSame = false
    }
    return taken
  }

  /// Returns the number for the event at the end of what is taken, which then ends after the event or the leaf; nil for an event that is not
  /// compared.
  @inline(__always)
  private static func code(
    _ events: borrowing ElementBatch, _ taken: inout Taken, _ depth: inout Int
  ) -> Int? {
    let entry = events[taken.end]
    taken.end += 1
    switch entry.kind {
    case .start:
      taken.elementCount += 1
      if events.hasOnlyText(at: taken.end - 1) {
        taken.end += 2
        return Int(entry.name) << 8 | leaf
      }
      depth += 1
      return Int(entry.name) << 8
    case .end:
      depth -= 1
      return Int(entry.kind.rawValue)
    case .text: return entry.isBlank || events.text(entry).isBlank ? blank : Int(entry.kind.rawValue)
    case .attribute, .declaration: return Int(entry.kind.rawValue)
    case .cdata, .comment, .instruction: return nil
    }
  }
}
