/// The name of a table or a column. Like SQLite, it compares bytes and ignores the case of ASCII letters
/// only.
///
///     SQLiteName("Ada") == SQLiteName("ADA")
///     SQLiteName("\u{e9}") != SQLiteName("\u{c9}")       é and É
///     SQLiteName("\u{e9}") != SQLiteName("e\u{301}")     é in two encodings, which are equal as `String`
struct SQLiteName: Hashable {
  private let folded: [UInt8]

  init(_ name: String) {
    folded = name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }

  /// Returns true if the name begins with a prefix, which must be in lowercase.
  func hasPrefix(_ prefix: StaticString) -> Bool {
    folded.count >= prefix.utf8CodeUnitCount
      && folded.span.extracting(first: prefix.utf8CodeUnitCount).equals(prefix)
  }
}

extension Sequence {
  /// Returns the element with exactly this name, or else one with a name that SQLite considers equal.
  func first(named name: String, _ nameOf: (Element) -> String) -> Element? {
    let wanted = SQLiteName(name)
    return first { nameOf($0).equals(name) } ?? first { SQLiteName(nameOf($0)) == wanted }
  }
}
