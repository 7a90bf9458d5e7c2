/// The syntax in which a text format writes new values into an existing text, in its layout.
protocol TextSyntax {
  /// The separator between the children of a collection, without white space.
  var separator: [UInt8] { get }
  /// Returns a value, `depth` collections deep, after the white space `gap`.
  func text(
    of node: Int, in list: some PropertyListNodes, depth: Int, gap: [UInt8]
  ) throws(FerryError) -> [UInt8]
  /// Returns a key.
  func key(_ node: Int, in list: some PropertyListNodes) throws(FerryError) -> [UInt8]
}

/// A text of a format whose values can be replaced one by one.
struct TextLayout {
  /// The range of each node in the text, in the order of the reader's events.
  var ranges: [Range<Int>]
  var syntax: any TextSyntax

  /// Finds the values in a text that was read as `tree`.
  typealias Finder = @Sendable (_ text: [UInt8], _ tree: PropertyListTree) throws(FerryError) -> TextLayout
}
