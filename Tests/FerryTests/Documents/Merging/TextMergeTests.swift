import TestSupport
import Testing

@testable import Ferry

@Suite struct `Merges of texts with comments` {
  private struct Entry {
    var key: String
    var value: Int
    var above: String?
    var beside: String?
  }

  private func text(_ entries: [Entry], _ format: Format) -> [UInt8] {
    let lines = entries.map { entry in
      format == .strings
        ? (entry.above.map { "/* \($0) */\n" } ?? "") + "\"\(entry.key)\" = \"\(entry.value)\";"
          + (entry.beside.map { " // \($0)" } ?? "") + "\n"
        : (entry.above.map { "// \($0)\n" } ?? "") + "  \(entry.key): \(entry.value),"
          + (entry.beside.map { " /* \($0) */" } ?? "") + "\n"
    }
    let content = lines.joined(separator: "\n")
    return Array((format == .strings ? content : "{\n\(content)}\n").utf8)
  }

  private static let words = ["the", "a", "save", "cancel", "button", "server", "old", "new"]

  private func comment(_ random: inout SeededGenerator) -> String {
    (0...Int.random(in: 0..<4, using: &random)).map { _ in
      Self.words.randomElement(using: &random) ?? ""
    }.joined(separator: " ")
  }

  private func edited(_ entries: [Entry], _ side: String, _ random: inout SeededGenerator) -> [Entry] {
    var entries = entries
    for change in 0..<Int.random(in: 1...3, using: &random) {
      let index = Int.random(in: entries.indices, using: &random)
      let text = comment(&random)
      switch Int.random(in: 0..<7, using: &random) {
      case 0, 1: entries.insert(Entry(key: "\(side)\(change)", value: 1, above: text), at: index)
      case 2: entries[index].above = text
      case 3: entries[index].above = nil
      case 4: entries[index].beside = text
      case 5: entries[index].value += 10
      default: if entries.count > 1 { entries.remove(at: index) }
      }
    }
    return entries
  }

  @Test(arguments: [Format.strings, .json5])
  func `A merged text has whole comments of the sides, and lacks none without a conflict`(
    _ format: Format
  ) throws {
    var random = SeededGenerator(seed: 11)
    var (merged, conflicting) = (0, 0)
    for _ in 0..<400 {
      let base = (0..<Int.random(in: 1...5, using: &random)).map { index in
        Entry(
          key: "k\(index)", value: index, above: Bool.random(using: &random) ? comment(&random) : nil,
          beside: Bool.random(using: &random) ? comment(&random) : nil)
      }
      let sides = [base, edited(base, "o", &random), edited(base, "t", &random)]
      let texts = sides.map { CommentedText(text($0, format), format, budget: Budget()) }
      guard
        let merge = TextMerge(
          base: texts[0], ours: texts[1], theirs: texts[2], by: .lines, favoring: .ours)
      else { continue }
      let result = CommentedText(merge.bytes, format, budget: Budget()).markup
      let words = texts.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "---\n")
      let known = Set(texts[1].markup + texts[2].markup)
      #expect(result.allSatisfy(known.contains), "\(words)")
      guard merge.contentConflicts.isEmpty else {
        conflicting += 1
        continue
      }
      merged += 1
      let kept = KeptMarkup(base: texts[0].markup, ours: texts[1].markup, theirs: texts[2].markup)
      #expect(kept.missing(in: result).isEmpty, "\(words)")
    }
    #expect(merged > 200 && conflicting > 20)
  }

  @Test func `The lines of a comment are one piece, and so are its words`() {
    func commented(_ text: String) -> CommentedText {
      CommentedText(Array(text.utf8), .json5, budget: Budget())
    }
    let text = commented("{\n  /* a\n   b */ a: 1, // c \"d\n  b: '// e',\n}\n")
    #expect(text.markup.map { String(decoding: $0, as: UTF8.self) } == ["/* a\n   b */", "// c \"d"])
    #expect(text.lines.count == 4)
    #expect(text.tokens(of: text.bytes[...]).joined().elementsEqual(text.bytes))
    let merge = TextMerge(
      base: commented("/* a\n\n b */ 1\n"), ours: commented("/* c\n\n b */ 1\n"),
      theirs: commented("/* a\n\n d */ 1\n"), by: .lines, favoring: .theirs)
    #expect(merge?.contentConflicts.map(\.ours) == ["/* c\n\n b */"])
    #expect(merge?.bytes == Array("/* a\n\n d */ 1\n".utf8))
  }

  @Test(arguments: [
    // Both added a comment at the end of one line, where there is room for one.
    ("{a: 1}\n", "{a: 1} // o\n", "{a: 1} // t\n", "{a: 1} // o\n", 1),
    ("{a: 1}\n", "{a: 1} /* o */\n", "{a: 1} /* t */\n", "{a: 1} /* o */ /* t */\n", 0),
    // A comment stays beside or above its entry if the other side adds an entry there.
    ("a\n\nc\n", "a\n\nb\n\nc\n", "a // t\n\nc\n", "a // t\n\nb\n\nc\n", 0),
    ("a\nc\n", "a\n// o\nc\n", "a\nb\nc\n", "a\nb\n// o\nc\n", 0),
    ("a\nc\n", "a\nb\nc\n", "a\n// t\nc\n", "a\nb\n// t\nc\n", 0),
  ])
  func `Comments stay beside their entries`(
    _ base: String, _ ours: String, _ theirs: String, _ merged: String, _ conflicts: Int
  ) {
    let texts = [base, ours, theirs].map { CommentedText(Array($0.utf8), .json5, budget: Budget()) }
    let merge = TextMerge(base: texts[0], ours: texts[1], theirs: texts[2], by: .lines, favoring: .ours)
    #expect(merge.map { String(decoding: $0.bytes, as: UTF8.self) } == merged)
    #expect(merge?.contentConflicts.count == conflicts)
  }
}
