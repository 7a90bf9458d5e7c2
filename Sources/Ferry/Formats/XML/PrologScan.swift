/// A scanner of the prolog that finds the ends of comments, processing instructions and the document type
/// declaration.
///
/// libxml2's push parser searches for the final characters of such an item to decide whether it is complete.
/// It fails if these occur earlier: in `<!-->a-->`, or in `<!DOCTYPE a SYSTEM "x>y">`. Therefore its input is
/// split after each item, so that the result does not depend on the chunks of a document.
///
///     <?xml version="1.0"?>|<!-->a-->|<!DOCTYPE a [<!ENTITY e "]>">]>|<a>
struct PrologScan {
  private enum State {
    case between
    /// After `<`, `<!` and `<!-`.
    case less, bang, dash
    case section
    case declaration
  }

  private var state = State.between
  /// True inside the brackets of the document type declaration (the internal subset).
  private var isInSubset = false
  private var quotation = XMLQuotation()
  private var sectionEnd = XMLSectionEnd(of: .comment)
  /// True after the prolog: at the root element, or at anything that a prolog does not allow.
  private(set) var isOver = false
  /// True if the prolog ended after the `<` of a tag.
  var endsInTag: Bool { isOver && !isInSubset && state == .less }

  /// Returns the index after the first item that ends at or after `start`, or the end of the prolog. Returns
  /// nil if neither is in the bytes.
  mutating func end(in bytes: Span<UInt8>, from start: Int) -> Int? {
    for index in start..<bytes.count {
      if take(bytes[index]) { return index + 1 }
      if isOver { return index }
    }
    return nil
  }

  /// Returns the index after the bracket that ends the internal subset of a document type declaration, or nil
  /// if it has no subset.
  static func endOfSubset(in declaration: Span<UInt8>) -> Int? {
    var scan = PrologScan()
    for index in declaration.indices {
      let wasInSubset = scan.isInSubset
      _ = scan.take(declaration[index])
      if wasInSubset, !scan.isInSubset { return index + 1 }
    }
    return nil
  }

  /// Returns the name of the root element without its prefix, from the first bytes of a document. Returns nil if they do
  /// not show it, or may be in an encoding in which the name has other bytes.
  ///
  ///     PrologScan.rootName(in: Array("<?xml version='1.0'?><a:people id='1'>".utf8))     // the bytes of `people`
  static func rootName(in head: [UInt8]) -> ArraySlice<UInt8>? {
    var scan = PrologScan()
    var start = 0
    while !scan.isOver {
      guard let end = scan.end(in: head.span, from: start) else { return nil }
      start = end
    }
    let end = head.span.endOfWrittenName(from: start)
    guard scan.endsInTag, end < head.count else { return nil }
    let name = head[start..<end]
    guard !name.contains(0) else { return nil }  // UTF-16 or UTF-32
    return name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
  }

  /// Returns false if the first bytes of a document end in the start tag of its root element, which has the namespaces and types.
  static func hasWholeRootTag(_ head: [UInt8]) -> Bool {
    guard let name = rootName(in: head) else { return true }
    return head.span.endOfTag(from: name.endIndex) != nil
  }

  /// Returns the offsets of the declarations in the internal subset of a document type declaration.
  static func declarations(in doctype: Span<UInt8>) -> [Int] {
    var scan = PrologScan()
    var offsets: [Int] = []
    for index in doctype.indices {
      let mayBegin = scan.isInSubset && scan.state == .bang
      _ = scan.take(doctype[index])
      if mayBegin, scan.state == .declaration { offsets.append(index - 2) }
    }
    return offsets
  }

  /// Scans the next byte. Returns true if it ends an item.
  mutating func take(_ byte: UInt8) -> Bool {
    switch state {
    case .between: between(byte)
    case .less:
      switch byte {
      case UInt8(ascii: "?"): begin(.instruction)
      case UInt8(ascii: "!"): state = .bang
      default: isOver = true
      }
    case .bang: state = byte == UInt8(ascii: "-") ? .dash : .declaration
    case .dash: begin(.comment)
    case .section:
      guard sectionEnd.take(byte) else { return false }
      state = .between
      return !isInSubset
    case .declaration: return declaration(byte)
    }
    return false
  }

  private mutating func begin(_ section: XMLSection) {
    (state, sectionEnd) = (.section, XMLSectionEnd(of: section))
  }

  private mutating func between(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "<"): state = .less
    case UInt8(ascii: "]") where isInSubset: (state, isInSubset) = (.declaration, false)
    case 0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf: break  // white space and the byte order mark of UTF-8
    default: if !isInSubset { isOver = true }
    }
  }

  private mutating func declaration(_ byte: UInt8) -> Bool {
    guard !quotation.take(byte) else { return false }
    switch byte {
    case UInt8(ascii: "[") where !isInSubset: (state, isInSubset) = (.between, true)
    case UInt8(ascii: ">"):
      state = .between
      return !isInSubset
    default: break
    }
    return false
  }
}
