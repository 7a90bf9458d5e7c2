/// The syntax of a text format, for writing new values in the layout of an existing text.
protocol TextSyntax {
  /// The separator between the children of a collection, without white space.
  var separator: [UInt8] { get }
  /// Returns the text of a value at a nesting depth. `gap` is the white space before the value.
  func text(
    of node: NodeID, in list: some PropertyListNodes, depth: Int, gap: [UInt8]
  ) throws(FerryError) -> [UInt8]
  /// Returns the text of a key.
  func key(_ node: NodeID, in list: some PropertyListNodes) throws(FerryError) -> [UInt8]
}

/// The ranges of the values in a text, by which they can be replaced.
struct TextLayout {
  /// The range of each node in the text, in the order of the reader's events.
  var ranges: [Range<Int>]
  var syntax: any TextSyntax

  /// Finds the ranges of the values in a text that was read into `tree`.
  typealias Finder = @Sendable (_ text: [UInt8], _ tree: PropertyListTree) throws(FerryError) -> TextLayout
}
