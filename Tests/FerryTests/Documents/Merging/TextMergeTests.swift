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
      let sides = Versions(
        base: base, ours: edited(base, "o", &random), theirs: edited(base, "t", &random))
      let texts = sides.map { CommentedText(text($0, format), format, budget: Budget()) }
      guard let merge = TextMerge(texts, by: .lines, favoring: .ours) else { continue }
      let result = CommentedText(merge.bytes, format, budget: Budget()).markup
      let words = texts.all.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "---\n")
      let known = Set(texts.ours.markup + texts.theirs.markup)
      #expect(result.allSatisfy(known.contains), "\(words)")
      guard merge.contentConflicts.isEmpty else {
        conflicting += 1
        continue
      }
      merged += 1
      let kept = KeptMarkup(texts.map(\.markup))
      #expect(kept.missing(in: result).isEmpty, "\(words)")
    }
    #expect(merged > 200 && conflicting > 20)
  }

  private static let checked:
    [(format: Format, base: String, ours: String, theirs: String, merged: String, isRight: Bool)] = [
      (.yaml, "a: 1\nb: 2\n", "a: 1\n# b\nb: 3\n", "a: 1\nm: 9\nb: 2\n", "a: 1\nm: 9\n# b\nb: 3\n", true),
      (.yaml, "a: 1\nb: 2\n", "a: 1\n# b\nb: 3\n", "a: 1\nm: 9\nb: 2\n", "a: 1\n# b\nm: 9\nb: 3\n", false),
      (.yaml, "a: 1\nb: 2\n", "a: 1\nb: 2 # b\n", "a: 1\nb: 3\nm: 9\n", "a: 1\nb: 3\nm: 9 # b\n", false),
      (
        .yaml, "# x\na: 1\nb: 2\n", "# x\na: 1\nb: 3\n", "m: 9\n# x\na: 1\nb: 2\n", "m: 9\n# x\na: 1\nb: 3\n",
        true
      ),
      (.yaml, "a: 1 # x\nb: 2\n", "a: 1 # x\nb: 3\n", "a: 2\nb: 2\n", "a: 2 # x\nb: 3\n", false),
      (
        .yaml, "- id: a\n- id: b\n", "- id: a # one\n- id: b\n", "- id: n\n- id: a\n- id: b\n",
        "- id: n\n- id: a # one\n- id: b\n", true
      ),
      (
        .yaml, "- id: a\n- id: b\n", "- id: a # one\n- id: b\n", "- id: n\n- id: a\n- id: b\n",
        "- id: n # one\n- id: a\n- id: b\n", false
      ),
      (.json5, "[\n]", "[\n// none\n]", "[\n1\n]", "[\n// none\n1\n]", true),
      (
        .json5, "{a: 1, b: {c: 2}}", "{a: 1, b: { // b\nc: 2}}", "{a: 1, b: {c: 3}}",
        "{a: 1, b: { // b\nc: 3}}", true
      ),
      (.strings, "a = 1;\nb = 2;\n", "a = 1;\nb = 2; // b\n", "b = 3;\n", "b = 3; // b\n", true),
      (
        .xml, "<r>\n<a/>\n</r>", "<r>\n<a/> <!-- a -->\n</r>", "<r>\n<a/>\n<n/>\n</r>",
        "<r>\n<a/>\n<n/> <!-- a -->\n</r>", false
      ),
      (
        .xml, "<r>\n<a/>\n</r>", "<r>\n<a/> <!-- a -->\n</r>", "<r>\n<a/>\n<n/>\n</r>",
        "<r>\n<a/> <!-- a -->\n<n/>\n</r>", true
      ),
      // A comment after a comma belongs to the entry after it on the line.
      (
        .json5, "{a: 1}", "{a: 1, /* b */ b: 2}", "{a: 1, /* c */ c: 3}",
        "{a: 1, /* b */ b: 2, /* c */ c: 3}", true
      ),
      (
        .json5, "{a: 1}", "{a: 1, /* b */ b: 2}", "{a: 1, /* c */ c: 3}",
        "{a: 1, /* c */ b: 2, /* b */ c: 3}", false
      ),
      // A key and its value are one entry.
      (
        .xmlPropertyList, dictionary("<key>a</key><true/>"), dictionary("<key>a</key><!-- a --><true/>"),
        dictionary("<key>a</key><true/><key>b</key><true/>"),
        dictionary("<key>a</key><!-- a --><true/><key>b</key><true/>"), true
      ),
      (
        .xmlPropertyList, dictionary("<key>a</key><true/>"), dictionary("<key>a</key><!-- a --><true/>"),
        dictionary("<key>a</key><true/><key>b</key><true/>"),
        dictionary("<key>a</key><true/><key>b</key><!-- a --><true/>"), false
      ),
      // One side has moved a comment that the other has removed.
      (.yaml, "a: 1\n# x\nb: 2\n", "b: 2\n# x\na: 1\n", "a: 1\nb: 3\n", "b: 3\n# x\na: 1\n", false),
      (.yaml, "a: 1\n# x\nb: 2\n", "b: 2\n# x\na: 1\n", "a: 1\nb: 3\n", "b: 3\na: 1\n", true),
      // Many levels.
      (.xml, nested(""), nested("<!-- a -->"), nested("<b/>"), nested("<!-- a --><b/>"), true),
      (.xml, nested(""), nested("<!-- a -->"), nested("<b/>"), nested("<b/>") + "<!-- a -->", false),
    ]

  private static func dictionary(_ entries: String) -> String {
    "<plist><dict>\n\(entries)\n</dict></plist>"
  }

  private static func nested(_ content: String) -> String {
    let count = 10_000
    return String(repeating: "<a>", count: count) + content + String(repeating: "</a>", count: count)
  }

  @Test(arguments: checked)
  func `A comment at another entry than in the versions is found`(
    _ test: (format: Format, base: String, ours: String, theirs: String, merged: String, isRight: Bool)
  ) throws {
    func text(_ text: String) -> CommentedText {
      CommentedText(Array(text.utf8), test.format, budget: Budget())
    }
    let texts = Versions(base: test.base, ours: test.ours, theirs: test.theirs).map(text)
    let check = try #require(CommentCheck(texts, budget: Budget()))
    #expect(check.faults(in: text(test.merged)).isEmpty == test.isRight, "\(test.merged)")
  }

  @Test func `The comments of many entries are checked in time in proportion to their number`() throws {
    func commented(_ sides: [String], _ count: Int) -> CommentedText {
      let lines = sides.flatMap { side in (0..<count).map { "# \(side)\($0)\n- \(side)\($0)\n" } }
      return CommentedText(Array(("- first\n" + lines.joined()).utf8), .yaml, budget: Budget())
    }
    try expectGrowth(from: 1000, to: 8000, lessThan: 24) { count in
      let check = try #require(
        CommentCheck(
          Versions(base: [], ours: ["o"], theirs: ["t"]).map { commented($0, count) }, budget: Budget()))
      let merged = commented(["o", "t"], count)
      return processorTime { #expect(check.faults(in: merged).isEmpty) }
    }
  }

  @Test func `The lines of a comment are one piece, and so are its words`() {
    func commented(_ text: String) -> CommentedText {
      CommentedText(Array(text.utf8), .json5, budget: Budget())
    }
    let text = commented("{\n  /* a\n   b */ a: 1, // c \"d\n  b: '// e',\n}\n")
    #expect(text.markup.map { String(decoding: $0, as: UTF8.self) } == ["/* a\n   b */", "// c \"d"])
    #expect(text.lines.count == 4)
    #expect(text.tokens(of: text.bytes[...]).joined().elementsEqual(text.bytes))
    let texts = Versions(base: "/* a\n\n b */ 1\n", ours: "/* c\n\n b */ 1\n", theirs: "/* a\n\n d */ 1\n")
    let merge = TextMerge(texts.map(commented), by: .lines, favoring: .theirs)
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
    let texts = Versions(base: base, ours: ours, theirs: theirs).map {
      CommentedText(Array($0.utf8), .json5, budget: Budget())
    }
    let merge = TextMerge(texts, by: .lines, favoring: .ours)
    #expect(merge.map { String(decoding: $0.bytes, as: UTF8.self) } == merged)
    #expect(merge?.contentConflicts.count == conflicts)
  }

  @Test(
    arguments: [
      // Both added an entry and a comment before the closing bracket.
      (
        .json5, .lines, "{\n  a: 1\n}\n", "{\n  a: 1,\n  b: 2\n  // o\n}\n",
        "{\n  a: 1,\n  c: 3\n  // t\n}\n",
        "{\n  a: 1,\n  b: 2,\n  // o\n  c: 3\n  // t\n}\n"
      ),
      // One added a comment beside the last entry, and the other a comma and an entry.
      (
        .json5, .lines, "{\n  a: 1\n}\n", "{\n  a: 1 // o\n}\n", "{\n  a: 1,\n  c: 3\n}\n",
        "{\n  a: 1, // o\n  c: 3\n}\n"
      ),
      (
        .json5, .lines, "{\n  a: 1\n}\n", "{\n  a: 1,\n  c: 3\n}\n", "{\n  a: 1 // t\n}\n",
        "{\n  a: 1, // t\n  c: 3\n}\n"
      ),
      // The last line has no end.
      (
        .yaml, .keyedLines, "a: 1\n", "a: 1\n# o\nb: 2", "a: 1\n# t\nc: 3\n",
        "a: 1\n# o\nb: 2\n# t\nc: 3\n"
      ),
      // Both added one entry.
      (
        .yaml, .sharedLines, "a: 1\n", "a: 1\n# o\nb: 2\n", "a: 1\n# o\nb: 2\n# t\nc: 3\n",
        "a: 1\n# o\nb: 2\n# t\nc: 3\n"
      ),
      (
        .yaml, .sharedLines, "a: 1\n", "a: 1\nb: 2 # o\n", "a: 1\n# t\nb: 2\n",
        "a: 1\n# t\nb: 2 # o\n"
      ),
    ] as [(Format, TextMerge.Unit, String, String, String, String)])
  func `Comments of entries that both sides add are merged without a conflict`(
    _ format: Format, _ unit: TextMerge.Unit, _ base: String, _ ours: String, _ theirs: String,
    _ merged: String
  ) {
    let texts = Versions(base: base, ours: ours, theirs: theirs).map {
      CommentedText(Array($0.utf8), format, budget: Budget())
    }
    let merge = TextMerge(texts, by: unit, favoring: .ours)
    #expect(merge.map { String(decoding: $0.bytes, as: UTF8.self) } == merged)
    #expect(merge?.contentConflicts.isEmpty == true)
  }
}
