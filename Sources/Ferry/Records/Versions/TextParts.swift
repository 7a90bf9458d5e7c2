/// The parts of an older text that rules use for fields.
///
///     "Ada Augusta King"    before " ", afterLast " "    →    "Augusta" is in neither part
enum TextParts {
  /// Returns true if the parts cover the text, except for separators and white space.
  static func cover(_ text: Span<UInt8>, _ parts: [FieldChange]) -> Bool {
    let bytes = Array(copying: text)
    var isTaken = [Bool](repeating: false, count: bytes.count)
    var separators: [[UInt8]] = []
    for part in parts {
      guard let (separator, isBefore, isLast) = part.part else { continue }
      separators.append(separator)
      let start = bytes.start(of: separator, isLast: isLast)
      let range =
        isBefore
        ? 0..<(start ?? bytes.count) : (start.map { $0 + separator.count } ?? bytes.count)..<bytes.count
      for index in range { isTaken[index] = true }
    }
    var rest = isTaken.indices[...]
    while let first = rest.firstIndex(where: { !isTaken[$0] }) {
      let end = rest[first...].firstIndex { isTaken[$0] } ?? isTaken.count
      let gap = bytes[first..<end]
      guard separators.contains(where: { gap.elementsEqual($0) }) || gap.allSatisfy(isSpace) else {
        return false
      }
      rest = rest[end...]
    }
    return true
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0d ~= byte }
}

extension FieldRule {
  /// The change that takes a part of a text, if it is the first change of the rule.
  var part: FieldChange? { changes.first.flatMap { $0.part == nil ? nil : $0 } }

  /// True if the rule joins several values to one text.
  var isJoining: Bool { if case .joined? = changes.first { true } else { false } }
}

extension FieldChange {
  /// The separator, true if the part precedes it, and true if its last occurrence is meant.
  fileprivate var part: (separator: [UInt8], isBefore: Bool, isLast: Bool)? {
    switch self {
    case .before(let separator): (Array(separator.utf8), true, false)
    case .after(let separator): (Array(separator.utf8), false, false)
    case .beforeLast(let separator): (Array(separator.utf8), true, true)
    case .afterLast(let separator): (Array(separator.utf8), false, true)
    case .joined, .split, .mapped, .multiplied, .divided, .since: nil
    }
  }
}

extension [UInt8] {
  /// Returns the index of the first or last occurrence of a separator, or nil.
  fileprivate func start(of separator: [UInt8], isLast: Bool) -> Int? {
    guard !separator.isEmpty, separator.count <= count else { return nil }
    let starts = 0...(count - separator.count)
    func isStart(_ index: Int) -> Bool { self[index..<(index + separator.count)].elementsEqual(separator) }
    return isLast ? starts.last(where: isStart) : starts.first(where: isStart)
  }
}
