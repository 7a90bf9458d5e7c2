/// Finds the elements of an XML document with text beside their elements, so that all white space in them is text.
struct ElementsWithText {
  private let markup: XMLMarkup
  /// For each element that was examined, true if it has text.
  private var known: [Int: Bool] = [:]

  init(in markup: XMLMarkup) { self.markup = markup }

  /// Returns true if an element has text.
  mutating func contains(_ element: Int) -> Bool {
    if let known = known[element] { return known }
    let hasText = markup.content(of: element).texts.contains { markup.isText($0, in: element) }
    known[element] = hasText
    return hasText
  }

  /// Adds an element that gets text.
  mutating func insert(_ element: Int) { known[element] = true }
}
