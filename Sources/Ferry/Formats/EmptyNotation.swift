/// The notation of an empty collection: the white space between its brackets or tags.
///
///     {}    { }    {
///
///                  }      as Xcode writes it
struct EmptyNotation {
  /// The white space, up to its last line break if it has one.
  private let space: [UInt8]
  /// True if the space has a line break.
  private let hasLines: Bool
  /// The white space after the last line break, without the indentation of the line on which the collection begins.
  private let tail: [UInt8]
  /// True if the indentation of the line precedes `tail`.
  private let isIndented: Bool

  /// The number of bytes in which the beginning of a line is looked for.
  private static let lineExtent = 1024

  /// Takes the notation of a collection from the text between its brackets. Nil if that is not white space alone.
  init?(between content: Range<Int>, in text: [UInt8]) {
    guard text[content].allSatisfy(\.isSpace) else { return nil }
    guard let last = text[content].lastIndex(where: \.isLineEnd) else {
      (space, hasLines, tail, isIndented) = (Array(text[content]), false, [], false)
      return
    }
    let rest = text[(last + 1)..<content.upperBound]
    let before = text[max(0, content.lowerBound - Self.lineExtent)..<content.lowerBound]
    let line = before[(before.lastIndex(where: \.isLineEnd).map { $0 + 1 } ?? before.startIndex)...]
    let indentation = line.prefix { $0 == 0x20 || $0 == 0x09 }
    (space, hasLines) = (Array(text[content.lowerBound...last]), true)
    isIndented = rest.starts(with: indentation)
    tail = Array(isIndented ? rest.dropFirst(indentation.count) : rest)
  }

  /// Returns the white space of a new collection.
  ///
  /// - Parameter indentation: The indentation of the line on which the collection begins. Nil if all is to be on one line.
  /// - Returns: The white space, or nil if the notation has several lines and all is to be on one.
  func space(indentation: (some Collection<UInt8>)?) -> [UInt8]? {
    guard hasLines else { return space }
    guard let indentation else { return nil }
    return isIndented ? space + indentation + tail : space + tail
  }
}

/// The notations of empty dictionaries and arrays near a place of a text.
struct EmptyCollections<Notation> {
  private var dictionary: Notation?
  private var array: Notation?

  /// The number of nodes on each side of a place that are looked at, because they may be looked at for each of thousands of new values.
  private static var reach: Int { 256 }
  /// The number of nodes at the beginning of a text that are looked at once.
  private static var firstNodes: Int { 1 << 14 }

  /// Finds the notations in the first part of a text.
  ///
  /// - Parameters:
  ///   - tree: The values of the text.
  ///   - notation: Returns the notation of an empty collection. Nil if it has other text, such as comments.
  init(
    atBeginningOf tree: PropertyListTree, _ notation: (NodeID, NodeKind) -> Notation?
  ) throws(FerryError) {
    for index in 0..<min(tree.nodeCount, Self.firstNodes) {
      if try learn(NodeID(index), of: tree, notation) { return }
    }
  }

  /// Finds the notations near a place.
  ///
  /// - Parameters:
  ///   - place: A node of the text; nil if none is near.
  ///   - usual: The notations if none is near; nil if they are not known.
  init(
    near place: NodeID?, of tree: PropertyListTree, usual: Self? = nil,
    _ notation: (NodeID, NodeKind) -> Notation?
  ) throws(FerryError) {
    guard let place else {
      if let usual { self = usual }
      return
    }
    for node in NearbyNodes(around: place, of: tree.nodeCount, reach: Self.reach) {
      if try learn(node, of: tree, notation) { return }
    }
    if let usual, dictionary == nil, array == nil { self = usual }
  }

  /// Learns the notation of a node if it is an empty collection. Returns true if both notations are known.
  private mutating func learn(
    _ node: NodeID, of tree: PropertyListTree, _ notation: (NodeID, NodeKind) -> Notation?
  ) throws(FerryError) -> Bool {
    let kind = try tree.kind(of: node)
    switch kind {
    case .dictionary(count: 0) where dictionary == nil: dictionary = notation(node, kind)
    case .array(count: 0) where array == nil: array = notation(node, kind)
    default: return false
    }
    return dictionary != nil && array != nil
  }

  /// The notation of dictionaries, or that of arrays if the text shows none.
  var ofDictionaries: Notation? { dictionary ?? array }
  /// The notation of arrays, or that of dictionaries if the text shows none.
  var ofArrays: Notation? { array ?? dictionary }
}
