// Start tags and end tags, with the names and namespaces in them.

extension ContentScanner {
  mutating func endTag(_ bytes: Span<UInt8>, from start: Int) -> Step {
    let likelyEnd = likelyTags(bytes, from: start)
    if likelyEnd > start { return .next(likelyEnd) }
    guard let name = open.last?.name else { return .unusual }
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
    textBytes = 0
    lowestDepth = min(lowestDepth, open.count - 1)
    hasEnded = open.count == 1
    guard !hasEnded else { return }
    open.removeLast()
    storedCount = min(storedCount, open.count)
  }

  mutating func startTag(_ bytes: Span<UInt8>, from start: Int) -> Step {
    let likelyEnd = likelyTags(bytes, from: start)
    if likelyEnd > start { return .next(likelyEnd) }
    let likely = likelyChild
    let isLikely = likely >= 0 && names.matches(likely, bytes, from: start + 1)
    let nameEnd = bytes.endOfScannedName(from: start + 1 + (isLikely ? names.count(of: likely) : 0))
    guard nameEnd > start + 1 else { return .unusual }
    guard nameEnd < bytes.count else { return .incomplete }
    guard open.count < budget.depth else { return .unusual }
    var end = nameEnd
    if bytes[nameEnd] != UInt8(ascii: ">") {
      switch scanAttributes(bytes, from: nameEnd) {
      case .next(let tagEnd): end = tagEnd
      case let other: return other
      }
    } else {
      if !attributes.isEmpty {
        attributes.removeAll(keepingCapacity: true)
        bindings.removeAll(keepingCapacity: true)
      }
      if isLikely, nameEnd == start + 1 + names.count(of: likely),
        let elementEnd = elementWithText(likely, bytes, from: start, text: nameEnd + 1)
      {
        return .next(elementEnd)
      }
    }
    let isEmpty = bytes[end] == UInt8(ascii: "/")
    if isEmpty {
      guard end + 1 < bytes.count else { return .incomplete }
      guard bytes[end + 1] == UInt8(ascii: ">") else { return .unusual }
      end += 1
    }
    guard startElement(bytes, name: start + 1..<nameEnd, tag: start..<end + 1, likely: likely) else {
      return .unusual
    }
    if isEmpty { endElement() }
    return .next(end + 1)
  }

  /// The name that last followed where the next child of the innermost element starts, or -1.
  @inline(__always)  // A call copies the names.
  var likelyChild: Int {
    let last = open.count - 1
    guard last >= 0 else { return -1 }
    let sibling = open[last].lastChild
    return sibling < 0 ? names.firstChild(of: open[last].name) : names.next(after: sibling)
  }

  /// Adds an element without attributes that has only text and ends in these bytes. Returns the index after its end tag, or nil
  /// without an effect for any other element.
  private mutating func elementWithText(
    _ name: Int, _ bytes: Span<UInt8>, from start: Int, text textStart: Int
  ) -> Int? {
    let last = open.count - 1
    guard names.scope(of: name) == open[last].scope, textStart < bytes.count, bytes[textStart] > 0x20,
      bytes[textStart] != UInt8(ascii: "<")
    else { return nil }
    let copiedBefore = copied.count
    var text = ElementBatch.Entry(kind: .text)
    guard case .next(let tag) = run(bytes, from: textStart, until: UInt8(ascii: "<"), into: &text),
      tag + 2 < bytes.count, bytes[tag + 1] == UInt8(ascii: "/"),
      names.matches(name, bytes, from: tag + 2), text.count <= budget.tokenBytes,
      tag + 2 + names.count(of: name) < bytes.count,
      bytes[tag + 2 + names.count(of: name)] == UInt8(ascii: ">")
    else {
      copied.removeLast(copied.count - copiedBefore)
      return nil
    }
    entries.append(ElementBatch.Entry(kind: .start, name: names.number(of: name), start: start))
    entries.append(text)
    entries.append(ElementBatch.Entry(kind: .end))
    noteChild(name)
    lowestDepth = min(lowestDepth, open.count)
    storedCount = min(storedCount, open.count)
    textBytes = 0
    return tag + 3 + names.count(of: name)
  }

  /// Notes the name of a child of the innermost element, which is then likely to follow the next time.
  private mutating func noteChild(_ name: Int) {
    let last = open.count - 1
    guard last >= 0 else { return }
    if open[last].lastChild < 0 {
      names.note(firstChild: name, of: open[last].name)
    } else {
      names.note(next: name, after: open[last].lastChild)
    }
    open[last].lastChild = name
  }

  /// Adds the events of a start tag. Returns false if the names or namespaces are unusual.
  private mutating func startElement(
    _ bytes: Span<UInt8>, name range: Range<Int>, tag: Range<Int>, likely: Int
  ) -> Bool {
    var scope = open.isEmpty ? 0 : open[open.count - 1].scope
    if !bindings.isEmpty {
      guard let inner = names.scope(in: scope, declaring: bindings),
        names.declarationCount(inScope: inner) <= budget.attributes
      else { return false }
      scope = inner
    }
    guard let name = names.name(bytes.extracting(range), scope: scope, isAttribute: false, guess: likely)
    else {
      return false
    }
    let first = entries.count
    entries.append(
      ElementBatch.Entry(kind: .start, name: names.number(of: name), start: tag.lowerBound, count: 0))
    if !attributes.isEmpty {
      guard addAttributes(bytes, of: name, scope: scope, start: first) else {
        entries.truncate(to: first)
        return false
      }
      let isEmpty = bytes[tag.upperBound - 2] == UInt8(ascii: "/")
      names.note(hasOneAttribute: attributes.count == 1 && !isEmpty, of: name)
    }
    noteChild(name)
    open.append(Open(name: name, scope: scope, tagStart: tag.lowerBound, tagEnd: tag.upperBound))
    textBytes = 0
    return true
  }

  /// Adds the attributes, followed by the declarations. Returns false if one is unusual or occurs twice.
  private mutating func addAttributes(
    _ bytes: Span<UInt8>, of element: Int, scope: Int, start: Int
  ) -> Bool {
    guard attributes.count <= min(budget.attributes, 64) else { return false }
    var (previous, count) = (-1, 0)
    for index in attributes.indices where attributes[index].entry.kind == .attribute {
      let text = bytes.extracting(attributes[index].range)
      let guess = previous < 0 ? names.firstAttribute(of: element) : names.next(after: previous)
      guard let name = names.name(text, scope: scope, isAttribute: true, guess: guess) else { return false }
      attributes[index].expandedNumber = names.expandedNumber(of: name)
      guard !repeatsAttribute(index) else { return false }
      if previous < 0 {
        names.note(firstAttribute: name, of: element)
      } else {
        names.note(next: name, after: previous)
      }
      add(attributes[index].entry, name)
      (previous, count) = (name, count + 1)
    }
    entries[start].count = count
    for attribute in attributes where attribute.entry.kind == .declaration {
      let text = bytes.extracting(attribute.range)
      guard let name = names.declaration(of: text.count > 6 ? [UInt8](copying: text.extracting(6...)) : [])
      else {
        return false
      }
      add(attribute.entry, name)
    }
    return true
  }

  /// Returns true if an attribute before the one at an index has the same local name and namespace.
  private func repeatsAttribute(_ index: Int) -> Bool {
    let attributes = attributes.span
    for other in 0..<index where attributes[other].expandedNumber == attributes[index].expandedNumber {
      if attributes[other].entry.kind == .attribute { return true }
    }
    return false
  }

  private mutating func add(_ entry: ElementBatch.Entry, _ name: Int) {
    var entry = entry
    entry.name = names.number(of: name)
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
    let quote: Int
    switch bytes.valueOpening(after: nameEnd) {
    case .quotationMark(let index): quote = index
    case .noSign(let end), .noQuotationMark(let end): return end < bytes.count ? .unusual : .incomplete
    }
    var entry = ElementBatch.Entry(kind: .attribute)
    switch run(bytes, from: quote + 1, until: bytes[quote], into: &entry) {
    case .next(let end):
      let name = bytes.extracting(start..<nameEnd)
      if name.isNamespaceDeclaration {
        entry.kind = .declaration
        let range = entry.start..<entry.start + entry.count
        let value = entry.isCopied ? Array(copied[range]) : [UInt8](copying: bytes.extracting(range))
        let prefix = name.count > 6 ? [UInt8](copying: name.extracting(6...)) : []
        guard name.count != 6, !prefix.contains(UInt8(ascii: ":")) else { return .unusual }
        bindings.append((prefix, value))
      }
      attributes.append(Attribute(range: start..<nameEnd, entry: entry))
      return .next(end + 1)
    case let other: return other
    }
  }
}
