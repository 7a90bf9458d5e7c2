/// The lines in which two texts differ, without those at the beginning and the end that they share.
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

  /// Returns the removed lines after `- `, the added ones after `+ `, and the number of further lines.
  func lines(atMost limit: Int) -> [String] {
    let lines =
      removed.map { "- \(String(decoding: $0, as: UTF8.self))" }
      + added.map { "+ \(String(decoding: $0, as: UTF8.self))" }
    let rest = lines.count - limit
    return ["from line \(firstLine):"] + lines.prefix(limit) + (rest > 0 ? ["… and \(rest) more lines"] : [])
  }
}
