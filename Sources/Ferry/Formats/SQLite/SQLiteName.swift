/// A name of a table or a column as SQLite compares names: byte by byte, with the two cases of ASCII letters alike.
///
///     SQLiteName("Ada") == SQLiteName("ADA")
///     SQLiteName("\u{e9}") != SQLiteName("\u{c9}")       é and É
///     SQLiteName("\u{e9}") != SQLiteName("e\u{301}")     é in two spellings, which are one `String`
struct SQLiteName: Hashable {
  private let folded: [UInt8]

  init(_ name: String) {
    folded = name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }

  /// True if the name begins with these ASCII letters, given in lower case.
  func hasPrefix(_ prefix: StaticString) -> Bool {
    folded.count >= prefix.utf8CodeUnitCount
      && folded.span.extracting(first: prefix.utf8CodeUnitCount).equals(prefix)
  }
}

extension String {
  /// True if both texts have the same bytes. `==` takes canonically equivalent texts for one.
  func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Sequence {
  /// The element of a name: the one with just this name, else the one that SQLite takes for it.
  func first(named name: String, _ nameOf: (Element) -> String) -> Element? {
    let wanted = SQLiteName(name)
    return first { nameOf($0).hasSameBytes(as: name) } ?? first { SQLiteName(nameOf($0)) == wanted }
  }
}
