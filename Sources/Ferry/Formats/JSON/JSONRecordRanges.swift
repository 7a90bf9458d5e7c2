/// The ranges of the values in a text with several values of JSON.
///
///     {"a":1}⏎{"a":2}⏎           lines
///     {"a":1} {"a":2}            concatenated values, with any white space between them
///     ␞{"a":1}⏎␞{"a":2}⏎         a text sequence
///     {"a":1}␀{"a":2}␀           values with NULs after them
struct JSONRecordRanges: RecordRanges {
  private let layout: JSONLayout
  private let source: [UInt8]
  /// The range of each value.
  private let values: [Range<Int>]
  private let lineEnd: [UInt8]

  init(_ layout: JSONLayout, in source: [UInt8], values: [Range<Int>]) {
    (self.layout, self.source, self.values) = (layout, source, values)
    lineEnd = source.lineEnd
  }

  var start: Int { source.utf8MarkCount }
  var areReadAlone: Bool { false }

  /// Returns the offset after a record with the mark that ends it: a line end, a NUL, or nothing before a record separator. The end of
  /// the text if no mark follows, but of concatenated values the end of the value.
  private func end(of index: Int) -> Int {
    let rest = source[values[index].upperBound...]
    switch layout {
    case .textSequence: return rest.firstIndex(of: JSONBytes.recordSeparator) ?? source.count
    case .nulSeparated: return rest.firstIndex(of: 0).map { $0 + 1 } ?? source.count
    case .lines, .document: return rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? source.count
    case .concatenated:
      let gap = rest.prefix(while: \.isSpace)
      return gap.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? values[index].upperBound
    }
  }

  /// Returns true if a mark that ends a record is before an offset, or nothing.
  private func isAfterMark(_ offset: Int) -> Bool {
    let mark = layout == .nulSeparated ? 0 : UInt8(ascii: "\n")
    return offset == start || source[offset - 1] == mark
  }

  func ranges(removing run: ClosedRange<Int>) -> [Range<Int>] {
    let start = run.lowerBound == 0 ? self.start : end(of: run.lowerBound - 1)
    let end = end(of: run.upperBound)
    let endOfValue = values[run.upperBound].upperBound
    guard layout == .concatenated else { return [start..<end] }
    // A line keeps its line end if a value before the removed ones stays on it.
    guard isAfterMark(start) else { return [start..<endOfValue] }
    let isBeforeOther = end == endOfValue && run.upperBound + 1 < values.count
    return [start..<(isBeforeOther ? values[run.upperBound + 1].lowerBound : end)]
  }

  func insertion(of text: [UInt8], after index: Int?) -> (offset: Int, text: [UInt8]) {
    let offset = index.map(end) ?? start
    switch layout {
    case .textSequence: return (offset, marked(text))
    case .nulSeparated, .lines, .document:
      let mark = layout == .nulSeparated ? [0] : lineEnd
      return (offset, isAfterMark(offset) ? text + mark : mark + text)
    case .concatenated:
      guard let index else { return (offset, text + gap(near: 0, beside: text)) }
      let isOnOwnLine = offset > values[index].upperBound
      return (offset, isOnOwnLine ? text + lineEnd : gap(near: index, beside: text) + text)
    }
  }

  /// Returns the white space for a new value beside a concatenated one: that between two others, or else a line end. Two numbers or
  /// words without white space would be one.
  private func gap(near index: Int, beside text: [UInt8]) -> [UInt8] {
    let first = index + 1 < values.count ? index : index - 1
    guard first >= 0, first + 1 < values.count else { return lineEnd }
    let gap = source[values[first].upperBound..<values[first + 1].lowerBound]
    return gap.isEmpty && text.first.map(JSONBytes.isBare) ?? false ? [0x20] : Array(gap)
  }

  /// Returns a record with the marks around it.
  private func marked(_ record: [UInt8]) -> [UInt8] {
    switch layout {
    case .textSequence: [JSONBytes.recordSeparator] + record + lineEnd
    case .nulSeparated: record + [0]
    case .lines, .concatenated, .document: record + lineEnd
    }
  }

  func text(of records: [[UInt8]]) -> [UInt8] { records.flatMap(marked) }
}
