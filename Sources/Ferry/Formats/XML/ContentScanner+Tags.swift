// Start tags and end tags, with the names and namespaces in them.

extension ContentScanner {
  mutating func endTag(_ bytes: Span<UInt8>, from start: Int) -> Step {
    guard open.count > 1 else { return .unusual }
    let name = open[open.count - 1].name
    guard names.matches(name, bytes, from: start + 2) else {
      return start + 2 + names.count(of: name) < bytes.count ? .unusual : .incomplete
    }
    let end = bytes.endOfSpace(from: start + 2 + names.count(of: name))
    guard end < bytes.count else { return .incomplete }
    guard bytes[end] == UInt8(ascii: ">") else { return .unusual }
    endElement()
    return .next(end + 1)
  }

  private mutating func endElement() {
    entries.append(ElementBatch.Entry(kind: .end))
    open.removeLast()
    storedCount = min(storedCount, open.count)
    textBytes = 0
  }

  mutating func startTag(_ bytes: Span<UInt8>, from start: Int) -> Step {
    let nameEnd = bytes.endOfScannedName(from: start + 1)
    guard nameEnd > start + 1 else { return .unusual }
    guard nameEnd < bytes.count else { return .incomplete }
    guard open.count < budget.depth else { return .unusual }
    var end = nameEnd
    if bytes[nameEnd] != UInt8(ascii: ">") {
      switch scanAttributes(bytes, from: nameEnd) {
      case .next(let tagEnd): end = tagEnd
      case let other: return other
      }
    } else if !attributes.isEmpty {
      attributes.removeAll(keepingCapacity: true)
      bindings.removeAll(keepingCapacity: true)
    }
    let isEmpty = bytes[end] == UInt8(ascii: "/")
    if isEmpty {
      guard end + 1 < bytes.count else { return .incomplete }
      guard bytes[end + 1] == UInt8(ascii: ">") else { return .unusual }
      end += 1
    }
    // libxml2 reads an empty root element, and what follows it.
    guard !isEmpty || !open.isEmpty else { return .unusual }
    guard startElement(bytes, name: start + 1..<nameEnd, tag: start..<end + 1) else { return .unusual }
    if isEmpty { endElement() }
    return .next(end + 1)
  }

  /// Adds the events of a start tag. Returns false if the names or namespaces are unusual.
  private mutating func startElement(_ bytes: Span<UInt8>, name range: Range<Int>, tag: Range<Int>) -> Bool {
    let last = open.count - 1
    var scope = last < 0 ? 0 : open[last].scope
    if !bindings.isEmpty {
      guard let inner = names.scope(in: scope, declaring: bindings) else { return false }
      scope = inner
    }
    let sibling = last < 0 ? -1 : open[last].lastChild
    let guess =
      last < 0 ? -1 : sibling < 0 ? names.names[open[last].name].firstChild : names.names[sibling].next
    guard let name = names.name(bytes.extracting(range), scope: scope, isAttribute: false, guess: guess)
    else {
      return false
    }
    let first = entries.count
    entries.append(
      ElementBatch.Entry(kind: .start, name: names.names[name].number, start: tag.lowerBound, count: 0))
    if !attributes.isEmpty, !addAttributes(bytes, of: name, scope: scope, start: first) {
      entries.removeSubrange(first...)
      return false
    }
    if last >= 0 {
      if sibling < 0 {
        names.note(firstChild: name, of: open[last].name)
      } else {
        names.note(next: name, after: sibling)
      }
      open[last].lastChild = name
    }
    open.append(Open(name: name, scope: scope, tagStart: tag.lowerBound, tagEnd: tag.upperBound))
    textBytes = 0
    return true
  }

  /// Adds the attributes, followed by the declarations. Returns false if one is unusual or occurs twice.
  private mutating func addAttributes(
    _ bytes: Span<UInt8>, of element: Int, scope: Int, start: Int
  ) -> Bool {
    guard attributes.count <= min(budget.attributes, 64) else { return false }
    var known: [Int] = []
    for attribute in attributes where attribute.entry.kind == .attribute {
      let text = bytes.extracting(attribute.name)
      let guess = known.last.map { names.names[$0].next } ?? names.names[element].firstAttribute
      guard let name = names.name(text, scope: scope, isAttribute: true, guess: guess),
        !known.contains(where: { names.areSame(name, $0) })
      else { return false }
      if let previous = known.last {
        names.note(next: name, after: previous)
      } else {
        names.note(firstAttribute: name, of: element)
      }
      known.append(name)
      add(attribute.entry, name)
    }
    entries[start].count = known.count
    for attribute in attributes where attribute.entry.kind == .declaration {
      let text = bytes.extracting(attribute.name)
      guard let name = names.declaration(of: text.count > 6 ? [UInt8](copying: text.extracting(6...)) : [])
      else {
        return false
      }
      add(attribute.entry, name)
    }
    return true
  }

  private mutating func add(_ entry: ElementBatch.Entry, _ name: Int) {
    var entry = entry
    entry.name = names.names[name].number
    entries.append(entry)
  }

  /// Scans the attributes of a start tag, and returns the index of its `>` or `/`.
  private mutating func scanAttributes(_ bytes: Span<UInt8>, from nameEnd: Int) -> Step {
    attributes.removeAll(keepingCapacity: true)
    bindings.removeAll(keepingCapacity: true)
    var index = nameEnd
    while true {
      let start = bytes.endOfSpace(from: index)
      guard start < bytes.count else { return .incomplete }
      if bytes[start] == UInt8(ascii: ">") || bytes[start] == UInt8(ascii: "/") { return .next(start) }
      guard start > index else { return .unusual }
      switch scanAttribute(bytes, from: start) {
      case .next(let end): index = end
      case let other: return other
      }
    }
  }

  private mutating func scanAttribute(_ bytes: Span<UInt8>, from start: Int) -> Step {
    let nameEnd = bytes.endOfScannedName(from: start)
    guard nameEnd > start else { return .unusual }
    let sign = bytes.endOfSpace(from: nameEnd)
    guard sign < bytes.count else { return .incomplete }
    guard bytes[sign] == UInt8(ascii: "=") else { return .unusual }
    let quote = bytes.endOfSpace(from: sign + 1)
    guard quote < bytes.count else { return .incomplete }
    guard bytes[quote] == UInt8(ascii: "\"") || bytes[quote] == UInt8(ascii: "'") else { return .unusual }
    var entry = ElementBatch.Entry(kind: .attribute)
    switch run(bytes, from: quote + 1, until: bytes[quote], into: &entry) {
    case .next(let end):
      let name = bytes.extracting(start..<nameEnd)
      if name.equals("xmlns") || name.starts(with: "xmlns:") {
        entry.kind = .declaration
        let range = entry.start..<entry.start + entry.count
        let value = entry.isCopied ? Array(copied[range]) : [UInt8](copying: bytes.extracting(range))
        let prefix = name.count > 6 ? [UInt8](copying: name.extracting(6...)) : []
        guard name.count != 6, !prefix.contains(UInt8(ascii: ":")) else { return .unusual }
        bindings.append((prefix, value))
      }
      attributes.append(Attribute(name: start..<nameEnd, entry: entry))
      return .next(end + 1)
    case let other: return other
    }
  }
}
