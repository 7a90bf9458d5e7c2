/// The lines in which two texts differ: all lines between their common beginning and their common end.
struct TextDifference {
  private let removed: [ArraySlice<UInt8>]
  private let added: [ArraySlice<UInt8>]
  /// The number of the first line that differs, counted from 1.
  private let firstLine: Int

  init(from old: [UInt8], to new: [UInt8]) {
    func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
      text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }
    let (old, new) = (lines(old), lines(new))
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed()).prefix { $0 == $1 }.count
    removed = Array(old[start..<old.count - end])
    added = Array(new[start..<new.count - end])
    firstLine = start + 1
  }

  /// Returns the removed lines after `- `, the added ones after `+ `, and the number of further lines. Returns none for equal texts, which
  /// files with different bytes may have.
  func lines(atMost limit: Int) -> [String] {
    guard !removed.isEmpty || !added.isEmpty else { return [] }
    // A long line is cut to the part around the first difference.
    let shared =
      removed.count == 1 && added.count == 1 ? zip(removed[0], added[0]).prefix { $0 == $1 }.count : 0
    func shown(_ line: ArraySlice<UInt8>, _ sign: String) -> String {
      let rest = line.dropFirst(max(0, shared - Self.context))
      let piece = String(decoding: rest.prefix(Self.width), as: UTF8.self)
      return "\(sign) \(rest.count < line.count ? "…" : "")\(piece)\(rest.count > Self.width ? "…" : "")"
    }
    let lines = removed.map { shown($0, "-") } + added.map { shown($0, "+") }
    let rest = lines.count - limit
    return ["from line \(firstLine):"] + lines.prefix(limit) + (rest > 0 ? ["… and \(rest) more lines"] : [])
  }

  private static let context = 40
  private static let width = 160
}
