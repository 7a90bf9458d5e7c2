/// The notation of strings and of empty collections near a place of a text. Each is found when it is first needed.
struct NearbyNotation {
  /// The notation at the beginning of a text.
  struct Usual {
    let escapes: StringEscapes
    let empties: EmptyCollections<EmptyNotation>
  }

  /// A node near the place; nil if none is near.
  private let near: NodeID?
  /// Nil if the ranges of the values in the text are not known.
  private let usual: Usual?
  private var foundEscapes: StringEscapes?
  private var foundEmpties: EmptyCollections<EmptyNotation>?

  init(near: NodeID?, usual: Usual?) { (self.near, self.usual) = (near, usual) }

  /// Returns the escapes in strings.
  ///
  /// - Parameters:
  ///   - count: The number of nodes of the text.
  ///   - range: Returns the range of a node in the text.
  mutating func escapes(
    in source: [UInt8], count: Int, _ notation: StringEscapes.Notation, _ range: (NodeID) -> Range<Int>
  ) -> StringEscapes {
    if let foundEscapes { return foundEscapes }
    let usual = usual?.escapes ?? StringEscapes(notation)
    let found = StringEscapes(near: near, in: source, count: count, usual: usual, range)
    foundEscapes = found
    return found
  }

  /// Returns the notations of empty collections; nil if the ranges of the values in the text are not known.
  ///
  /// - Parameter notation: Returns the notation of an empty collection of the text, or nil if it has none to follow.
  mutating func empties(
    of tree: PropertyListTree, _ notation: (NodeID) -> EmptyNotation?
  ) throws(FerryError) -> EmptyCollections<EmptyNotation>? {
    guard let usual = usual?.empties else { return nil }
    if let foundEmpties { return foundEmpties }
    let found = try EmptyCollections(near: near, of: tree, usual: usual) { node, _ in notation(node) }
    foundEmpties = found
    return found
  }
}
