/// The prolog of a document, as long as it is only white space and an XML declaration as most programs write it.
///
/// libxml2 finds no mistake in such a prolog, and receives it only if it has to read another part of the document. Its context
/// costs more than the reading of a small document by `ContentScanner`.
///
///     <?xml version="1.0" encoding="UTF-8"?>|\n<     two items; `<` is the first character of the root element
struct UsualProlog {
  /// The items, which libxml2 receives one by one.
  private(set) var items: [[UInt8]] = []

  /// Adds the next item of the prolog. Returns false if it is not usual.
  ///
  /// - Parameter endsProlog: True if the item ends with the `<` of the root element.
  mutating func add(_ item: [UInt8], endsProlog: Bool) -> Bool {
    let text = item.span
    // A byte order mark is the first character of the document.
    let start = items.isEmpty ? text.utf8MarkCount : 0
    let isUsual =
      endsProlog
      ? text.endOfSpace(from: start) == text.count - 1
      : items.isEmpty && Self.isUsualDeclaration(text.extracting(droppingFirst: start))
    if isUsual { items.append(item) }
    return isUsual
  }

  /// Returns true if an item is a declaration of XML 1.0 in UTF-8, with one space between its parts.
  private static func isUsualDeclaration(_ item: Span<UInt8>) -> Bool {
    var cursor = MarkupCursor(item, at: 0)
    guard cursor.take("<?xml version="), cursor.take("\"1.0\"") || cursor.take("'1.0'") else { return false }
    if cursor.take(" encoding=") {
      guard
        cursor.take("\"UTF-8\"") || cursor.take("\"utf-8\"") || cursor.take("'UTF-8'")
          || cursor.take("'utf-8'")
      else { return false }
    }
    if cursor.take(" standalone=") {
      guard
        cursor.take("\"yes\"") || cursor.take("\"no\"") || cursor.take("'yes'") || cursor.take("'no'")
      else { return false }
    }
    _ = cursor.take(" ")
    return cursor.take("?>") && cursor.isAtEnd
  }
}
