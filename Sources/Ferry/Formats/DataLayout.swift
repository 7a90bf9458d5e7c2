/// The layout of data in a text: runs of digits, with white space between them.
///
///     <data>
///     AAECAwQFBgcICQoL      two runs, of 16 digits and of 4,
///     DA0O                  with a line end between them
///     </data>
///
/// New data gets the runs of the old data, so that the lines before a change stay as they are. Further runs are like those of the
/// first line, unless short lines would become many: these show no width.
struct DataLayout {
  /// The texts before the first run, between the runs, and after the last one.
  private var lead: ArraySlice<UInt8> = []
  private var gaps: [ArraySlice<UInt8>] = []
  private var trail: ArraySlice<UInt8> = []
  /// The number of digits in each run.
  private var runs: [Int] = []
  /// The number of runs in the first line, or 1 if the text has only one line.
  private let runsPerLine: Int

  /// Finds the runs of a text. Returns nil if it has no digits, or characters other than digits and white space.
  init?(of text: ArraySlice<UInt8>, isDigit: (UInt8) -> Bool, isSpace: (UInt8) -> Bool = { $0.isSpace }) {
    var rest = text
    while !rest.isEmpty {
      let gap = rest.prefix(while: isSpace)
      let run = rest[gap.endIndex...].prefix(while: isDigit)
      guard !run.isEmpty else {
        guard gap.endIndex == rest.endIndex else { return nil }
        trail = gap
        break
      }
      if runs.isEmpty { lead = gap } else { gaps.append(gap) }
      runs.append(run.count)
      rest = rest[run.endIndex...]
    }
    guard !runs.isEmpty else { return nil }
    runsPerLine = gaps.firstIndex(where: Self.breaksLine).map { $0 + 1 } ?? 1
  }

  /// The width from which lines are wide enough for data of any size.
  private static let wideLine = 32

  /// Returns true if digits would be in many more lines than the old data, and the lines of that are short.
  func isTooNarrow(for count: Int) -> Bool {
    guard gaps.contains(where: Self.breaksLine) else { return false }
    let width = runsPerLine > 1 ? runs.prefix(runsPerLine).reduce(0, +) : runs.max() ?? 0
    return width < Self.wideLine && count > 2 * runs.reduce(0, +)
  }

  private static func breaksLine(_ gap: ArraySlice<UInt8>) -> Bool {
    gap.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
  }

  /// Returns digits in this layout.
  ///
  /// - Parameter usualWidth: The number of digits in a line, if the old data has a single line that is no longer, or lines that are too
  ///   narrow.
  func text(of digits: [UInt8], usualWidth: Int) -> [UInt8] {
    guard !digits.isEmpty else { return Array(trail.isEmpty ? lead : trail) }
    let widest = runs.max() ?? usualWidth
    let lineGap = isTooNarrow(for: digits.count) ? gaps.first(where: Self.breaksLine) : nil
    var text = Array(lead)
    var (start, run) = (0, 0)
    while start < digits.count {
      if run > 0 { text += lineGap ?? gap(before: run) }
      let width = lineGap == nil ? width(of: run, widest, usualWidth) : usualWidth
      let end = start + min(width, digits.count - start)
      text += digits[start..<end]
      (start, run) = (end, run + 1)
    }
    return text + trail
  }

  private func gap(before run: Int) -> ArraySlice<UInt8> {
    guard !gaps.isEmpty else { return lead }
    return run <= gaps.count ? gaps[run - 1] : gaps[(run - 1) % runsPerLine]
  }

  private func width(of run: Int, _ widest: Int, _ usualWidth: Int) -> Int {
    // A single run on the line of a tag or a bracket, or one that is longer than usual, shows that there are no lines.
    guard runs.count > 1 else { return Self.breaksLine(lead) && widest <= usualWidth ? usualWidth : .max }
    if run < runs.count - 1 { return runs[run] }
    let width = runsPerLine > 1 ? runs[run % runsPerLine] : widest
    // The last run may be longer than the others.
    return run == runs.count - 1 ? max(width, runs[run]) : width
  }
}
