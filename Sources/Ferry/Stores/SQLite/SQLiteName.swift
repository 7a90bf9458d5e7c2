/// The name of a table or a column, compared as in SQLite: byte by byte, ignoring the case of ASCII letters.
///
///     SQLiteName("Ada") == SQLiteName("ADA")
///     SQLiteName("\u{e9}") != SQLiteName("\u{c9}")       é and É
///     SQLiteName("\u{e9}") != SQLiteName("e\u{301}")     é in two spellings, which are one `String`
struct SQLiteName: Hashable {
  private let folded: [UInt8]

  init(_ name: String) {
    folded = name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }

  /// Returns true if the name begins with ASCII letters, given in lower case.
  func hasPrefix(_ prefix: StaticString) -> Bool {
    folded.count >= prefix.utf8CodeUnitCount
      && folded.span.extracting(first: prefix.utf8CodeUnitCount).equals(prefix)
  }
}

extension Sequence {
  /// Returns the element with exactly this name, otherwise one whose name is equal to SQLite.
  func first(named name: String, _ nameOf: (Element) -> String) -> Element? {
    let wanted = SQLiteName(name)
    return first { nameOf($0).equals(name) } ?? first { SQLiteName(nameOf($0)) == wanted }
  }
}
