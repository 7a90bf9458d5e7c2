// Text, references to characters, comments and CDATA sections.

extension ContentScanner {
  mutating func text(_ bytes: Span<UInt8>, from start: Int) -> Step {
    guard !open.isEmpty else { return .unusual }
    let word = layout.end(in: bytes, from: start)
    if word < bytes.count, bytes[word] == UInt8(ascii: "<") {
      textBytes += word - start
      guard textBytes <= budget.tokenBytes else { return .unusual }
      entries.append(ElementBatch.Entry(kind: .text, isBlank: true, start: start, count: word - start))
      return .next(word)
    }
    var entry = ElementBatch.Entry(kind: .text)
    var step = run(bytes, from: start, until: UInt8(ascii: "<"), into: &entry)
    if case .incomplete = step, let end = endOfPart(bytes, from: start) {
      entry = ElementBatch.Entry(kind: .text)
      step = run(bytes.extracting(..<end), from: start, until: UInt8(ascii: "<"), into: &entry, isPart: true)
    }
    guard case .next(let end) = step else { return step }
    textBytes += entry.count
    guard textBytes <= budget.tokenBytes else { return .unusual }
    entries.append(entry)
    return .next(end)
  }

  /// Returns the index at which a long text is divided that is incomplete, or nil if it is not long.
  private func endOfPart(_ bytes: Span<UInt8>, from start: Int) -> Int? {
    guard bytes.count - start >= Self.longToken / 2 else { return nil }
    var end = bytes.count - 1
    while end > start + Self.longToken / 4 {
      // No reference, line end or section end continues after 16 bytes without their first characters.
      if bytes[end] & 0xc0 != 0x80, bytes.extracting(end - 16..<end).isUnmarked { return end }
      end -= 1
    }
    return nil
  }

  private func hasReturn(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    bytes.extracting(range).firstIndex(of: UInt8(ascii: "\r"), from: 0) != nil
  }

  /// Scans the text of an element or the value of an attribute, and returns the index of the byte that ends it.
  ///
  /// Text with references, and with line ends or white space that the reader has to replace, is copied.
  mutating func run(
    _ bytes: Span<UInt8>, from start: Int, until stop: UInt8, into entry: inout ElementBatch.Entry,
    isPart: Bool = false
  ) -> Step {
    let isText = stop == UInt8(ascii: "<")
    let copyStart = copied.count
    var (index, first) = (start, start)
    entry.isPlain = true
    while true {
      index = bytes.firstSpecial(from: index)
      guard index < bytes.count else {
        if isPart { break }
        return .incomplete
      }
      let byte = bytes[index]
      if byte == stop { break }
      switch byte {
      case UInt8(ascii: "&"):
        copied.append(copying: bytes.extracting(first..<index))
        switch reference(bytes, from: index, into: &entry) {
        case .next(let end): (index, first) = (end, end)
        case let other: return other
        }
      case UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        entry.isPlain = false
        guard byte == UInt8(ascii: "\r") || !isText else {
          while index < bytes.count, bytes[index].isSpace, bytes[index] != UInt8(ascii: "\r") { index += 1 }
          continue
        }
        copied.append(copying: bytes.extracting(first..<index))
        guard let end = copySpace(bytes, at: index, isText: isText, into: &entry) else { return .incomplete }
        (index, first) = (end, end)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        entry.isPlain = false
        index += 1
      case UInt8(ascii: "'"): index += 1
      case UInt8(ascii: "]"):
        if isText {
          guard index + 2 < bytes.count else { return .incomplete }
          guard bytes[index + 1] != UInt8(ascii: "]") || bytes[index + 2] != UInt8(ascii: ">") else {
            return .unusual
          }
        }
        index += 1
      case 0x80...:
        entry.isASCII = false
        switch bytes.endOfScannedCharacters(from: index) {
        case .next(let end): index = end
        case let other: return other
        }
      default:
        // A control character, or `<` in an attribute.
        return .unusual
      }
    }
    if entry.isCopied {
      copied.append(copying: bytes.extracting(first..<index))
      (entry.start, entry.count) = (copyStart, copied.count - copyStart)
    } else {
      (entry.start, entry.count) = (start, index - start)
    }
    return .next(index)
  }

  /// Copies a line end or white space as the character with which the reader replaces it. Returns the index after it, or nil if it is
  /// incomplete.
  @inline(__always)
  private mutating func copySpace(
    _ bytes: Span<UInt8>, at index: Int, isText: Bool, into entry: inout ElementBatch.Entry
  ) -> Int? {
    copied.append(isText ? UInt8(ascii: "\n") : UInt8(ascii: " "))
    entry.isCopied = true
    guard bytes[index] == UInt8(ascii: "\r") else { return index + 1 }
    guard index + 1 < bytes.count else { return nil }
    return bytes[index + 1] == UInt8(ascii: "\n") ? index + 2 : index + 1
  }

  /// Copies the character of a reference. References to entities of the document are unusual.
  private mutating func reference(
    _ bytes: Span<UInt8>, from start: Int, into entry: inout ElementBatch.Entry
  ) -> Step {
    let limit = min(start + 12, bytes.count)
    var end = start + 1
    while end < limit, bytes[end] != UInt8(ascii: ";") { end += 1 }
    guard end < limit else { return limit == bytes.count ? .incomplete : .unusual }
    guard let scalar = XMLCharacterReference.character(of: bytes.extracting(start...end)) else {
      return .unusual
    }
    copied.append(scalar: scalar)
    entry.isCopied = true
    if scalar >= 0x80 { entry.isASCII = false }
    if scalar < 0x20 || scalar == 0x22 || scalar == 0x5c { entry.isPlain = false }
    return .next(end + 1)
  }

  mutating func comment(_ bytes: Span<UInt8>, from start: Int) -> Step {
    guard !open.isEmpty else { return .unusual }
    guard start + 9 <= bytes.count else { return .incomplete }
    switch XMLSection(at: start, in: bytes) {
    case .cdata: return section(bytes, from: start)
    case .comment: break
    case .instruction, nil: return .unusual
    }
    guard let end = bytes.end(ofFirst: "--", from: start + 4), end < bytes.count else { return .incomplete }
    let index = end - 2
    let text = bytes.extracting(start + 4..<index)
    guard bytes[index + 2] == UInt8(ascii: ">"), text.isScannedText else { return .unusual }
    var entry = ElementBatch.Entry(
      kind: .comment, isASCII: text.isASCII, start: start + 4, count: text.count)
    if hasReturn(bytes, start + 4..<index) {
      (entry.isCopied, entry.start, entry.name) = (true, copied.count, Int32(clamping: start))
      for index in text.indices where text[index] != UInt8(ascii: "\r") || !text.hasFeed(after: index) {
        copied.append(text[index] == UInt8(ascii: "\r") ? UInt8(ascii: "\n") : text[index])
      }
      entry.count = copied.count - entry.start
    }
    entries.append(entry)
    return .next(index + 3)
  }

  private mutating func section(_ bytes: Span<UInt8>, from start: Int) -> Step {
    guard let end = XMLSection.cdata.end(in: bytes, from: start) else { return .incomplete }
    let range = XMLSection.cdata.content(of: start..<end)
    let text = bytes.extracting(range)
    guard text.isScannedText, !hasReturn(bytes, range) else { return .unusual }
    textBytes += text.count
    guard textBytes <= budget.tokenBytes else { return .unusual }
    entries.append(
      ElementBatch.Entry(kind: .cdata, isASCII: text.isASCII, start: range.lowerBound, count: text.count))
    return .next(end)
  }
}

extension Span<UInt8> {
  fileprivate func hasFeed(after index: Int) -> Bool {
    index + 1 < count && self[index + 1] == UInt8(ascii: "\n")
  }
}
